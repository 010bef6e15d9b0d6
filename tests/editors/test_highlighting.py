"""Colours: as the parser reads a file, and the same in every editor."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pygments
import pytest
from dragonrules.grammar import Report, Source
from dragonrules.grammar.highlighting import paints, shapes
from dragonrules.grammar.parsing import code_of, lark_parser, pieces
from dragonrules.grammar.pygments_lexer import KINDS, DragonLexer
from dragonrules.grammar.textmate import SCOPES, files
from pygments.formatters import NullFormatter
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename
from pygments.token import Comment, Error, Keyword, Name, String, Text, _TokenType

ROOT = Path(__file__).parents[2]
GAMES = sorted(path for path in (ROOT / "games").rglob("*.dragon") if path.parent.name != "scenarios")
SCENARIOS = sorted((ROOT / "games/scenarios").glob("*s.dragon"))[::3]
EVERY_FORM = ROOT / "tests/grammar/good/every_form.dragon"
NO_WORDS = (
    "NAME",
    "TYPE",
    "NUM",
    "ATTR",
    "STRING",
    "CITE",
    "CMP",
    "ARROW",
    "DOTS",
    "YESNO",
    "NONE",
    "PLAYERS",
    "PLAYER",
)
TYPE_WORDS = ("SPACE", "PLACE", "SET", "LIST")


def colours(text: str) -> list[_TokenType]:
    """The kind of each character."""
    out: list[_TokenType] = []
    for _, kind, value in DragonLexer().get_tokens_unprocessed(text):
        out += [kind] * len(value)
    assert len(out) == len(text)
    return out


@pytest.mark.parametrize("path", [*GAMES, *SCENARIOS, EVERY_FORM], ids=lambda path: path.stem)
def test_coloured_as_it_is_read(path: Path) -> None:
    """Words of the language where the parser sees one, names where it sees a name."""
    text = path.read_text(encoding="utf-8")
    painted = colours(text)
    assert Text not in painted
    assert Error not in painted
    wrong = []
    for offset, piece in pieces(Source(path.name, text), Report()):
        for token in lark_parser().parse_interactive(code_of(piece)).exhaust_lexer():
            if token.type in ("_NL", "_INDENT", "_DEDENT", "ROW"):
                continue
            assert token.start_pos is not None
            kind = painted[offset + token.start_pos]
            a_word = kind in Keyword and kind is not Keyword.Constant
            line = text[: offset + token.start_pos].count("\n") + 1
            if token.type in ("NAME", "TYPE"):
                fine = not a_word and kind not in String and kind not in Comment
            elif token.type in TYPE_WORDS:
                fine = a_word or kind is Name.Class
            elif token.type in NO_WORDS or not token.replace(" ", "").isalpha():
                fine = kind not in Keyword or kind is Keyword.Constant
            else:
                fine = a_word
            if not fine:
                wrong.append((line, token.type, str(token), str(kind)))
    assert wrong == []


def test_shapes_are_those_of_the_grammar() -> None:
    for name in ("STRING", "CITE", "ATTR", "NAME", "TYPE"):
        read = lark_parser().get_terminal(name).pattern.value
        assert shapes()[name].replace(r"\n", "\n").replace(r"\t", "\t") == read


def test_comments_that_allow_something_stand_out() -> None:
    text = "state a: 0..9 = 0  # allow D0403: for variants\n"
    painted = colours(text)
    assert painted[text.index("allow")] is Comment.Special
    assert painted[text.index("for variants")] is Comment.Single


def test_pygments_finds_the_lexer() -> None:
    assert isinstance(get_lexer_by_name("dragon"), DragonLexer)
    assert isinstance(get_lexer_for_filename("my_game.dragon"), DragonLexer)
    assert DragonLexer.analyse_text(GAMES[0].read_text()) > 0.5
    text = EVERY_FORM.read_text()
    assert pygments.highlight(text, get_lexer_by_name("dragon"), NullFormatter()) == text


def test_every_role_has_a_colour_everywhere() -> None:
    roles = {role for paint in paints() for role in paint.roles if role is not None}
    assert roles == set(SCOPES) == {role for role in KINDS if role is not None}


def test_groups_and_roles_agree() -> None:
    for paint in paints():
        groups = re.compile(paint.pattern).groups
        assert len(paint.roles) == (groups or 1) or len(paint.roles) == 1, paint.pattern


@pytest.mark.parametrize("name", list(files()))
def test_the_extension_is_current(name: str) -> None:
    """`DRAGONRULES_UPDATE=1` writes it anew."""
    path = ROOT / "docs/editors/vscode" / name
    if os.environ.get("DRAGONRULES_UPDATE"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(files()[name], encoding="utf-8")
    assert path.read_text(encoding="utf-8") == files()[name]


def test_textmate_is_well_formed() -> None:
    grammar = json.loads(files()["dragon.tmLanguage.json"])
    assert grammar["scopeName"] == "source.dragon"
    for rule in grammar["patterns"]:
        assert "(?P" not in rule["match"]  # Oniguruma names groups differently
        re.compile(rule["match"])
