"""Rulebooks of the games of the library: every link leads somewhere, and no name of the rules is left as it is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from dragonrules.cli.commands.rulebook import book_of
from dragonrules.interpreter.rulebook import to_markdown
from dragonrules.interpreter.rulebook.document import slug

from .adapters import LIBRARY

GAMES = sorted(LIBRARY.glob("*/*.dragon"))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.stem)
def test_a_rulebook_reads_well(game: Path) -> None:
    text = to_markdown(book_of(game))
    headings = [slug(line.lstrip("# ")) for line in text.splitlines() if line.startswith("#")]
    assert len(headings) == len(set(headings))
    assert set(re.findall(r"\]\(#([^)]*)\)", text)) <= set(headings)
    assert not re.findall(r"\b[a-z]+\\?_[a-z_]+\b", text)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.stem)
def test_a_game_has_scenarios(game: Path) -> None:
    assert 'scenario "' in (game.parent / "scenarios" / game.name).read_text(encoding="utf-8")
