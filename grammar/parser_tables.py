"""The tables of the parser, made once: they come with the package as `dragon.tables.json`.

Working them out from the grammar takes longer than reading and checking a game. So
they are a file of the package, which says for which grammar and which version of Lark
it was made; with any other it is not used, and the tables are made anew (and kept in the
cache folder). After a change of the grammar, `python -m dragonrules.grammar.parser_tables`
writes the file again, the same bytes each time, and a test asks for it.

Lark keeps its tables as pickles. What is in them is plain: names, numbers, lists, and
dictionaries. In JSON, which can be read without running anything, dictionaries with other
keys than strings are lists of pairs under the key `#`, tuples stand under `()`, and each state
of the automaton is one row of numbers: its own, then in pairs a token and what to do there,
twice the state to go to or twice the rule to apply and one.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Iterable
from functools import cache
from operator import itemgetter
from pathlib import Path
from typing import Any

import lark
from lark import Lark
from lark.grammar import Rule
from lark.indenter import Indenter
from lark.lexer import PatternRE, TerminalDef

from .cache_folder import keep_bytes, kept_bytes
from .writing import write_whole

GRAMMAR = Path(__file__).with_name("dragon.lark")
SHIPPED = Path(__file__).with_name("dragon.tables.json")
NOT_DATA = ("postlex", "edit_terminals", "lexer_callbacks", "cache")


def version() -> str:
    """What tables are made for: a grammar, and the version of Lark that reads them."""
    text = GRAMMAR.read_text(encoding="utf-8")
    return f"{hashlib.sha256(text.encode()).hexdigest()} lark {lark.__version__}"


def parser(blocks: Indenter) -> Lark:
    """The parser: from the shipped tables, from those of an earlier run, or made now."""
    wanted = version()
    name = f"parser-{hashlib.sha256(wanted.encode()).hexdigest()[:16]}.json"
    for tables in _found(name):
        try:
            return parser_from(tables, wanted, postlex=blocks)
        except Exception:  # made for something else, or damaged
            continue
    made = build(blocks)
    keep_bytes(name, as_text(made).encode())
    return made


def _found(name: str) -> Iterable[str]:
    with contextlib.suppress(OSError, UnicodeDecodeError):
        yield SHIPPED.read_text(encoding="utf-8")
    kept = kept_bytes(name)
    if kept is not None:
        yield kept.decode()


def build(blocks: Indenter | None = None) -> Lark:
    """The parser, worked out from the grammar."""
    return Lark(
        GRAMMAR.read_text(encoding="utf-8"),
        parser="lalr",
        start="declaration",
        postlex=blocks,
        propagate_positions=True,
        maybe_placeholders=True,
        edit_terminals=_end_words,
    )


def _end_words(terminal: TerminalDef) -> TerminalDef:
    """Keep `or` from being read off the front of `orange`."""
    word = terminal.pattern.value
    if terminal.pattern.type == "str" and word.isalpha():
        terminal.pattern = PatternRE(rf"{word}\b")
        terminal.priority = 1
    return terminal


# ---------------------------------------------------------------- as text
def as_text(made: Lark) -> str:
    """The tables of a parser: one line for each state, and one for all the rest."""
    data, memo = made.memo_serialize([TerminalDef, Rule])
    data["options"] = {name: value for name, value in data["options"].items() if name not in NOT_DATA}
    states = _in_order(data["parser"]["parser"])
    rest = json.dumps(_plain({"for": version(), "data": data, "memo": memo}), separators=(",", ":"))
    rows = ",\n".join(json.dumps(_row(*state), separators=(",", ":")) for state in states.items())
    return f"[{rest},[\n{rows}\n]]\n"


def _in_order(tables: dict[str, Any]) -> dict[int, dict[int, tuple[int, Any]]]:
    """The states, taken out of the tables. Lark numbers tokens and states as it meets them in sets of names,
    which Python goes through in another order each time: here tokens are numbered by name, and states
    as one comes to them from the start."""
    names: dict[int, str] = tables["tokens"]
    token_number = {old: new for new, old in enumerate(sorted(names, key=names.__getitem__))}
    found = {
        state: sorted(((token_number[token], action) for token, action in actions.items()), key=itemgetter(0))
        for state, actions in tables.pop("states").items()
    }
    order = list(dict.fromkeys(state for _, state in sorted(tables["start_states"].items())))
    seen = set(order)
    for state in order:  # it grows on the way
        for _, (reduces, target) in found[state]:
            if not reduces and target not in seen:
                seen.add(target)
                order.append(target)
    number = {old: new for new, old in enumerate(order)}
    tables["tokens"] = {token_number[old]: names[old] for old in sorted(names, key=token_number.__getitem__)}
    for ends in ("start_states", "end_states"):
        tables[ends] = {start: number[state] for start, state in sorted(tables[ends].items())}
    return {
        number[state]: {
            token: (reduces, target if reduces else number[target])
            for token, (reduces, target) in found[state]
        }
        for state in order
    }


def parser_from(text: str, wanted: str, **options: Any) -> Lark:
    """The parser that such tables describe; `options` are those of Lark that are no data."""
    if wanted not in text[:200]:
        raise ValueError("these tables were made for another grammar or another version of Lark")
    rest, rows = json.loads(text)
    found = _made(rest)
    found["data"]["parser"]["parser"]["states"] = {row[0]: _actions(row) for row in rows}
    made: Lark = Lark._load_from_dict(found["data"], found["memo"], **options)  # type: ignore[no-untyped-call]
    return made


def _row(state: int, actions: dict[int, tuple[int, Any]]) -> list[int]:
    row = [state]
    for token, (reduces, what) in actions.items():
        row += [token, 2 * what["@"] + 1 if reduces else 2 * what]
    return row


def _actions(row: list[int]) -> dict[int, tuple[int, Any]]:
    return dict(zip(row[1::2], map(_action, row[2::2]), strict=True))


@cache
def _action(number: int) -> tuple[int, Any]:
    return (1, {"@": number // 2}) if number % 2 else (0, number // 2)


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


if __name__ == "__main__":
    write_whole(SHIPPED, as_text(build()).encode())
