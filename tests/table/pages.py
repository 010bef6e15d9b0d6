"""Pages in tests: matches in rooms, what names stand on a page, pairs that must look the same."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from random import Random
from typing import Any

import dragonrules as dr
from dragonrules.interpreter.play.match import Match
from dragonrules.interpreter.table.form import Forms
from dragonrules.interpreter.table.room import HUMAN, Room
from dragonrules.interpreter.table.seat_page import Around, SeatPage

SHIPPED = ("drakon", "ryu", "dragons_gold", "dragon_keeper")
CLASSICS = (
    "breakthrough",
    "connect_four",
    "goofspiel",
    "kuhn_poker",
    "leduc_poker",
    "liars_dice",
    "othello",
    "tic_tac_toe",
)
_PAGES: dict[tuple[int, int, int | None], tuple[dr.Game, SeatPage]] = {}
AROUND = Around(title="A match")


def room_of(name: str, *, seed: int = 1, kinds: list[str] | None = None, players: int | None = None) -> Room:
    game = dr.load(name)
    match = game.start(players or game.players[0], seed=seed)
    return Room(match, kinds or [HUMAN] * match.players)


def decide(room: Room, rng: Random) -> None:
    """Whoever is asked takes any option."""
    seat = room.match.asked
    assert seat is not None and room.match.decision is not None
    index = rng.randrange(len(room.match.decision.options))
    assert room.choose(seat, room.question(seat), index).changed


def page_of(match: Match, viewer: int | None) -> str:
    """The page of a position by itself, as if nobody had looked at the table before."""
    key = (id(match.game), match.players, viewer)
    if key not in _PAGES:
        _PAGES[key] = (match.game, SeatPage(match, viewer))
    page = _PAGES[key][1]
    page.forget()
    sections = page.sections(match, Forms(), AROUND)
    return "\n".join(f"{name}\n{text}" for name, text in sections.items())


def named(text: str) -> set[str]:
    """The things that a page names, in whatever way: by address, by handle."""
    found = re.findall(r'data-h="([^"]*)"', text) + re.findall(r'data-at="thing ([^"]*)"', text)
    return {unescape(name) for name in found} | set(re.findall(r"\b[A-Z]\w*#\d+", unescape(text)))


def seen_by(match: Match, viewer: int | None) -> set[str]:
    """Every name in a view and in what was noticed, also those of options."""
    return set(_names(match.view(viewer))) | set(_names(match.observations(viewer)))


def _names(data: Any) -> Iterator[str]:
    if isinstance(data, str):
        yield data
        yield from re.findall(r"\b[A-Z]\w*#\d+", data)
    elif isinstance(data, dict):
        for key, value in data.items():
            yield from _names(key)
            yield from _names(value)
    elif isinstance(data, tuple | list):
        for value in data:
            yield from _names(value)
