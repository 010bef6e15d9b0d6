"""The tables of the parser as JSON: data that can be read without running anything.

Lark keeps its tables as pickles. What is in them is plain: names, numbers, lists,
and dictionaries, some with numbers for keys, which JSON does not have; those are
written as lists of pairs under the key `#`, and tuples under `()`.
"""

from __future__ import annotations

import json
from typing import Any

from lark import Lark
from lark.grammar import Rule
from lark.lexer import TerminalDef

NOT_DATA = ("postlex", "edit_terminals", "lexer_callbacks", "cache")


def as_text(parser: Lark) -> str:
    """The tables of a parser."""
    data, memo = parser.memo_serialize([TerminalDef, Rule])
    data["options"] = {name: value for name, value in data["options"].items() if name not in NOT_DATA}
    return json.dumps(_plain({"data": data, "memo": memo}), separators=(",", ":"))


def parser_from(text: str, **options: Any) -> Lark:
    """The parser that such tables describe; `options` are those of Lark that are no data."""
    found = _made(json.loads(text))
    parser: Lark = Lark._load_from_dict(found["data"], found["memo"], **options)  # type: ignore[no-untyped-call]
    return parser


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        if all(isinstance(key, str) for key in value) and not value.keys() & {"#", "()"}:
            return {key: _plain(item) for key, item in value.items()}
        return {"#": [[_plain(key), _plain(item)] for key, item in value.items()]}
    if isinstance(value, tuple):
        return {"()": [_plain(item) for item in value]}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, set | frozenset):
        return {"()": [_plain(item) for item in sorted(value)]}
    if value is None or isinstance(value, str | int | float | bool):
        return value if type(value) in (type(None), str, int, float, bool) else str(value)
    raise TypeError(f"the parser's tables hold a {type(value).__name__}")


def _made(value: Any) -> Any:
    if isinstance(value, list):
        return [_made(item) for item in value]
    if not isinstance(value, dict):
        return value
    if value.keys() == {"#"}:
        return {_made(key): _made(item) for key, item in value["#"]}
    if value.keys() == {"()"}:
        return tuple(_made(item) for item in value["()"])
    return {key: _made(item) for key, item in value.items()}
