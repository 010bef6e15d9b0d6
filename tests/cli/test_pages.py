"""What is on the screen: it fits, it can be read without colours, and it tells no secrets."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest
from dragonrules.cli.table.session import Session
from dragonrules.interpreter.table.dress import ASCII, UNICODE, Glyphs
from rich.cells import cell_len

from .paper import Paper, at_table, played

GAMES = {"drakon": 4, "ryu": 3, "dragon_keeper": 3, "dragons_gold": 4}
CLASSICS = ("connect_four", "goofspiel", "leduc_poker", "liars_dice", "othello")


def _twins() -> ModuleType:
    path = Path(__file__).parents[1] / "properties" / "twins.py"
    spec = importlib.util.spec_from_file_location("twins_for_pages", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def positions(session: Session, seed: int, every: int, most: int) -> Iterator[None]:
    """Decisions of a match that is played at random, each met as a person would meet it."""
    rng = Random(seed)
    shown = met = 0
    while not session.match.over and shown < most:
        decision = session.match.decision
        assert decision is not None
        session.looking = session.words.you = decision.player
        session.forms.meet(session.match)
        asked = session.question(decision)
        agreed = [option.index for option in decision.options if option.label == "accept"]
        index = agreed[0] if agreed else rng.randrange(len(decision.options))
        met += 1
        if met % every == 0:
            shown += 1
            session.remember(asked)
            yield
        session.take(index, asked.labels[index])


def drawn(session: Session) -> list[str]:
    """The page of the pending decision."""
    decision = session.match.decision
    assert decision is not None
    session.draw(session.question(decision))
    assert isinstance(session.screen, Paper)
    return session.screen.pages[-1]


def table(game: str, **paper: Any) -> Session:
    players = GAMES.get(game, 2)
    return at_table(game, *["human"] * players, seed=5, **paper)[0]


@pytest.mark.parametrize(
    ("columns", "lines", "glyphs"),
    [(80, 24, UNICODE), (80, 24, ASCII), (120, 40, UNICODE), (60, 20, UNICODE)],
)
@pytest.mark.parametrize("game", GAMES)
def test_every_page_fits(game: str, columns: int, lines: int, glyphs: Glyphs) -> None:
    session = table(game, columns=columns, lines=lines, glyphs=glyphs)
    for _ in positions(session, 3, every=21, most=5):
        page = drawn(session)
        assert max(map(cell_len, page)) <= columns, page
        assert len(page) < lines, "\n".join(page)
        assert any("?" in line or ")" in line for line in page)
        if glyphs is ASCII:
            assert all(line.isascii() for line in page), page


@pytest.mark.parametrize("game", CLASSICS)
def test_games_without_a_look_fit_too(game: str) -> None:
    session = table(game)
    for _ in positions(session, 3, every=2, most=6):
        page = drawn(session)
        assert max(map(cell_len, page)) <= 80
        assert len(page) < 24


@pytest.mark.parametrize("game", [*GAMES, "leduc_poker", "goofspiel"])
def test_a_page_tells_nothing_that_its_seat_does_not_see(game: str) -> None:
    """Two positions that differ in what is hidden from a seat look the same to it."""
    twins = _twins()
    session = table(game)
    compared = 0
    for _ in positions(session, 8, every=7 if game in GAMES else 1, most=10):
        state = session.match.state
        page = drawn(session)
        for words, change in list(twins.changes(state, state.player, Random(2)))[:4]:
            original = session.match
            session.match = original.fork()
            change(session.match.state)
            assert drawn(session) == page, words
            session.match = original
            compared += 1
    assert compared > 5


def test_the_news_do_not_name_what_others_draw() -> None:
    session = table("drakon", lines=40)
    told = 0
    for _ in positions(session, 8, every=4, most=12):
        for line in drawn(session):
            told += "your hand" in line
            assert "s hand" not in line or "from your hand" in line, line
    assert told > 2


def test_the_numbers_of_options_stand_on_the_board() -> None:
    session = table("dragon_keeper")
    for _ in positions(session, 1, every=1, most=1):
        page = drawn(session)
        options = [line for line in page if "a3: " in line or "b3: " in line]
        assert options and all(f"[{n}]" in "\n".join(page) for n in range(1, 5))


def test_what_changed_is_highlighted_and_starred_without_styles() -> None:
    session, screen = at_table("tic_tac_toe", "human", "human", answers=["b2", "a1"])
    assert not played(session)
    fresh = [text for line in screen.styles[-1] for text, style in line.pieces if "reverse" in style]
    assert "nought" in fresh
    session.screen.plain = session.tabletop.plain = True
    assert "*nought" in "\n".join(drawn(session))


def test_a_lair_is_drawn_as_tiles_with_names_arrows_and_heroes() -> None:
    session = table("drakon", columns=120, lines=40)
    page: list[str] = []
    for _ in positions(session, 1, every=12, most=1):
        page = drawn(session)
    text = "\n".join(page)
    assert "Start" in text
    assert "♟1" in text
    assert any(arrow in text for arrow in "▲▶▼◀")


def test_a_large_board_is_a_window_of_tiles_with_an_overview() -> None:
    """Drakon late in the game at 80 by 24: tiles as on any page, one's own hero in sight, the rest in small."""
    session = table("drakon")
    drawings = 0
    for _ in positions(session, 8, every=40, most=8):
        page = drawn(session)
        shown = "\n".join(page)
        assert len(page) < 24 and all(len(line) <= 80 for line in page)
        if "▪" in shown:
            drawings += 1
            assert "♟" + str(session.match.asked) in shown and "╭───" in shown
    assert drawings
