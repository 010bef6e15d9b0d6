"""A table as it is before anything happens: everything in the box."""

from __future__ import annotations

from ..core import CheckedGame
from .play import Frame, Play
from .seeing import Seeing
from .spaces import Board
from .table import Place, Record, Table, Thing, decoded, dimensions


def new_play(game: CheckedGame, players: int, options: dict[str, int]) -> Play:
    seeing = Seeing(players)
    play = Play(game, players, options, Table(game, players), seeing)
    seeing.play = play
    _boards(play)
    _groups(play)
    _components(play)
    for name, record in game.records.items():
        play.table.records[name] = Record(_constant(play, record.limit))
    _places(play)
    _states(play)
    return play


def _constant(play: Play, ex: object) -> int:
    return int(play.value(ex, Frame("")))  # type: ignore[arg-type]


def _boards(play: Play) -> None:
    for key, place in play.game.places.items():
        if place.shape in ("grid", "ring"):
            width = _constant(play, place.width) if place.width is not None else 0
            height = _constant(play, place.height) if place.height is not None else 1
            play.table.boards[key] = Board(width, height, place.shape == "ring", place.width is None)


def _groups(play: Play) -> None:
    """The groups of a partition, numbered as they come up from seat to seat."""
    for name, partition in play.game.partitions.items():
        values = [
            play.value(partition.by, Frame("", {partition.var.uid: p + 1})) for p in range(play.players)
        ]
        order = list(dict.fromkeys(values))
        play.table.groups[name] = [order.index(value) for value in values]


def _components(play: Play) -> None:
    for name, decl in play.game.components.items():
        things: list[Thing] = []
        if decl.piece:
            count = play.players if name.startswith("player.") else 1
            things = [Thing(decl, 0, {}) for _ in range(count)]
        elif decl.count is not None and not decl.rows:
            things = [Thing(decl, 0, {}) for _ in range(_constant(play, decl.count))]
        for number, (values, amount) in enumerate(decl.rows):
            printed = {field: decoded(value, decl.fields[field]) for field, value in values.items()}
            copies = amount if isinstance(amount, int) else _constant(play, amount)
            things += [Thing(decl, number, printed) for _ in range(copies)]
        play.table.things[name] = things


def _places(play: Play) -> None:
    table = play.table
    for key, decl in play.game.places.items():
        table.places[key] = {}
        for keys in dimensions(table, decl):
            place = Place(key, decl, keys, table.boards.get(key))
            if decl.tokens and decl.shape not in ("slot", "grid", "ring"):
                place.counts = [0] * len(play.game.kinds[decl.of].values)
            if key == f"box of {decl.of}":
                _fill(play, place)
            table.places[key][keys] = place


def _fill(play: Play, box: Place) -> None:
    if box.decl.tokens:
        box.counts = [_constant(play, amount) for amount in play.game.tokens[box.decl.of].amounts]
        return
    things = play.table.things[box.decl.of]
    box.items = list(range(len(things)))
    for thing in things:
        thing.place = box


def _states(play: Play) -> None:
    for key, decl in play.game.states.items():
        first = play.value(decl.initial, Frame(""))
        play.table.first_values[key] = first
        play.table.states[key] = dict.fromkeys(dimensions(play.table, decl), first)
