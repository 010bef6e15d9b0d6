"""Pages are made of views: they name nothing a seat has not seen, and secrets do not change them."""

from __future__ import annotations

import re
from random import Random

import dragonrules as dr
import pytest
from dragonrules.interpreter.files.find_specs import find_spec
from dragonrules.interpreter.play.match import Match
from dragonrules.interpreter.table.room import Room

from ..playing import step
from ..properties.test_secrecy import ask_anew
from ..properties.twins import changes
from ..strategies import ALL_TABLES, ONE_EACH, Play, Table
from .pages import SHIPPED, decide, named, page_of, room_of, seen_by

GAMES = {*SHIPPED, "leduc_poker", "goofspiel"}
SAMPLE = [table for table in ONE_EACH if not table.variants and table.path.stem in GAMES]


@pytest.mark.parametrize("game", [*SHIPPED, "goofspiel", "leduc_poker"])
def test_no_page_names_what_was_never_seen(game: str) -> None:
    follow(room_of(game, seed=4), 30, every=6)


@pytest.mark.long
@pytest.mark.parametrize("table", ALL_TABLES, ids=str)
def test_no_page_of_a_whole_match_names_what_was_never_seen(table: Table) -> None:
    follow(Room(table.start(4), ["human"] * table.players), 2000, every=1)


def follow(room: Room, most: int, every: int) -> None:
    """Pages of a match, of every seat and of a spectator; what was seen once may be named later."""
    rng = Random(2)
    viewers = (None, *range(1, room.match.players + 1))
    known: dict[int | None, set[str]] = {viewer: set() for viewer in viewers}
    for number in range(most + 1):
        for viewer in viewers:
            known[viewer] |= seen_by(room.match, viewer)
            if number % every == 0 or room.match.over:
                found = named("\n".join(room.page(viewer).values()))
                assert found <= known[viewer], f"seat {viewer}: {found - known[viewer]}"
        if room.match.over:
            break
        decide(room, rng)


def look(table: Table, play: Play, one_in: int) -> int:
    """As in test_secrecy, for pages: the number of pairs that were compared."""
    rng, match, pairs = Random(play.seed), table.start(play.seed), 0
    for turn, number in enumerate(play.choices()):
        if match.over:
            break
        if turn % one_in == play.seed % one_in:
            for viewer in range(table.players + 1):
                seat = viewer + 1 if viewer < table.players else None
                page = page_of(match, seat)
                assert page_of(only_own_history(match, viewer), seat) == page, f"seat {seat} of {table}"
                for words, change in changes(match.state, viewer, rng):
                    twin = match.fork()
                    change(twin.state)
                    if match.state.player == viewer:
                        try:
                            ask_anew(twin)
                        except dr.PlayError:
                            continue
                    assert page_of(twin, seat) == page, f"seat {seat} of {table} can tell that {words}"
                    pairs += 1
        step(match, number)
    return pairs


def only_own_history(match: Match, viewer: int) -> Match:
    """The same position without what anybody else has noticed, and without a log: no page may need them.
    Exchanging hidden things leaves the past as it was, so logs in sentences are not tried by that."""
    twin = match.fork()
    assert twin.state.seen is not None
    twin.state.seen = [events if n == viewer else [] for n, events in enumerate(twin.state.seen)]
    twin.log = []
    return twin


@pytest.mark.parametrize("table", SAMPLE, ids=str)
def test_pages_do_not_depend_on_what_a_seat_does_not_see(table: Table) -> None:
    late = table.path.stem == "dragons_gold"  # before the first hoard is shared nobody has anything to hide
    assert look(table, Play(2, 60 if late else 9), 20 if late else 3) > 0


@pytest.mark.long
def test_a_hundred_thousand_pairs_of_pages() -> None:
    total, seed = 0, 0
    while total < 100_000:
        for table in ALL_TABLES:
            total += look(table, Play(seed, 60), 3)
        seed += 1


@pytest.mark.parametrize("game", [*SHIPPED, "tic_tac_toe", "liars_dice"])
def test_everything_that_can_be_chosen_can_be_pressed(game: str) -> None:
    room, rng = room_of(game, seed=3), Random(1)
    for number in range(20):
        if room.match.over:
            break
        if number % 3:
            decide(room, rng)
            continue
        seat = room.match.asked
        page = room.page(seat)
        assert room.match.decision is not None
        wanted = {str(option.index) for option in room.match.decision.options}
        pressed = set(re.findall(r'data-o="(\d+)"', "".join(page.values())))
        if "data-cell=" not in page["ask"]:
            assert pressed <= wanted
            alike = page["ask"].count("alike)")
            assert pressed == wanted or alike, f"{wanted - pressed} of {room.match.decision.prompt}"
        for viewer in {None, *range(1, room.match.players + 1)} - {seat}:
            assert "data-o=" not in "".join(room.page(viewer).values())
        decide(room, rng)


@pytest.mark.parametrize("game", SHIPPED)
def test_pages_have_no_style_that_the_policy_refuses(game: str) -> None:
    page = "".join(room_of(game).page(1).values())
    assert " style=" not in page
    assert "<script" not in page
    assert " on" not in re.sub(r">[^<]*<", "><", re.sub(r'"[^"]*"', '""', page))


def test_a_hostile_rule_file_shows_as_text() -> None:
    """Script in every text, and in the names of players, stays text."""
    game = dr.loads(_hostile())
    room = Room(game.start(2, seed=1), ["human", "human"])
    room.rename(1, "<script>x")
    room.title = game.name
    assert room.match.decision is not None
    rng = Random(1)
    for _ in range(3):
        decide(room, rng)
    for viewer in (None, 1, 2):
        for section in room.page(viewer).values():
            assert "<script" not in section.lower()
            assert "<img" not in section.lower()
            assert not re.search(r"<[^>]*\son\w+=(?!\")", re.sub(r'"[^"]*"', '""', section))
    shown = "".join(room.page(1).values())
    assert "&lt;script&gt;" in shown


def _hostile() -> str:
    """Tic-tac-toe with script in every text."""
    plain = find_spec("tic_tac_toe").read_text(encoding="utf-8")
    texts = iter(range(1, 99))
    bad = re.sub(r'"[^"\n]*"', lambda _: f'"<script>alert({next(texts)})</script>"', plain)
    return bad + (
        '\nlook Mark:\n    cross: "<img src=x onerror=alert(91)>", symbol "<i>", red\n'
        '    nought: "<b onclick=alert(92)>o</b>"\n'
        'look board: "<script>alert(93)</script>"\nlook Play: "<script>alert(94)</script>"\n'
    )
