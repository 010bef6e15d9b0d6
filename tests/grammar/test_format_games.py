"""However a game is laid out, formatting gives one text, and the rules stay what they were."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from dragonrules.grammar import Report, Source, format_source, parse, syntax
from dragonrules.interpreter.check.game import check
from dragonrules.interpreter.check.options import option_values
from dragonrules.interpreter.driver import DRIVER
from dragonrules.interpreter.files.sources import digest
from dragonrules.interpreter.overlay.lay import lay_over
from dragonrules.interpreter.play.engine import Wanted
from hypothesis import given, settings
from hypothesis import strategies as st

GAMES = Path(__file__).parents[2] / "games"
BASES = [
    *sorted(GAMES.glob("*.dragon")),
    *sorted((GAMES / "classics").glob("*.dragon")),
    *sorted(GAMES.glob("library/*/*.dragon")),
]
PIECE = re.compile(r'"(?:[^"\\\n]|\\.)*"|\[[A-Z][^\]\n]*\d\]|#.*|\|.*|[ \t]+|[^"\[#| \t]+|.')


@st.composite
def layouts(draw: st.DrawFn, text: str) -> str:
    """The same words in another layout: other depths, spaces, blank lines and line ends."""
    step = draw(st.sampled_from(["  ", "   ", "        ", "\t"]))
    wide = draw(st.sampled_from([" ", "  ", "   "]))
    every = draw(st.integers(3, 40))
    end = draw(st.sampled_from(["\n", "\r\n", "  \n"]))
    out = []
    for number, line in enumerate(text.split("\n")):
        body = line.lstrip(" ")
        depth = (len(line) - len(body)) // 4
        parts = PIECE.findall(body)
        words = "".join(wide if part.isspace() else part for part in parts)
        if body.startswith("|"):
            words = re.sub(r" *\| *", "|", body) if number % 2 else body.replace("|", " | ").strip()
        out.append(step * depth + words if body else "")
        if number % every == 0 and body and not body.startswith(("|", "else")) and out[-1].strip():
            out.append("")
    return end.join(out)


def formatted(text: str) -> str:
    result = format_source(Source("game.dragon", text.replace("\r\n", "\n")), Report())
    assert result is not None
    return result


def tree(text: str) -> syntax.File:
    report = Report()
    file = lay_over(parse(Source("game.dragon", text.replace("\r\n", "\n")), report), [], report)
    assert not report.errors
    return file


def program(text: str) -> str:
    """The code that is made from the rules."""
    report = Report()
    game = check(tree(text), report)
    assert not report.errors
    return DRIVER.compiled(game, Wanted(game.players[0], option_values(game, {}))).generated.source


@pytest.mark.parametrize("path", BASES, ids=lambda path: path.stem)
def test_one_text_for_one_set_of_rules(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    canonical = formatted(text)
    meant = digest(tree(text))
    assert digest(tree(canonical)) == meant

    @settings(max_examples=1, derandomize=True, database=None, deadline=None)
    @given(layouts(text))
    def holds(other: str) -> None:
        assert other != text
        again = formatted(other)
        assert formatted(again) == again
        assert again.replace("\n\n", "\n") == canonical.replace("\n\n", "\n")  # blank lines are the author's
        assert digest(tree(again)) == meant

    holds()


@pytest.mark.parametrize("path", BASES[4::2], ids=lambda path: path.stem)
def test_the_same_program(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    meant = program(text)

    @settings(max_examples=2, derandomize=True, database=None, deadline=None)
    @given(layouts(text))
    def holds(other: str) -> None:
        assert program(formatted(other)) == meant

    holds()
