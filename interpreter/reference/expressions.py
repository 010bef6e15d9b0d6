"""Expressions: what each operation comes to. No effects; left to right, as far as needed."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from .. import types as t
from ..core import Ex
from .play import Frame, Play, evaluates
from .spaces import STRAIGHT, Board
from .table import WHOLE, Place, decoded, key_of
from .trouble import Trouble, none_here, outside


# ---------------------------------------------------------------- constants and names
@evaluates("const")
def const(play: Play, ex: Ex, frame: Frame) -> Any:
    return decoded(ex.data, ex.type)


@evaluates("local")
def local(play: Play, ex: Ex, frame: Frame) -> Any:
    return frame.vars[ex.data.uid]


@evaluates("me")
def me(play: Play, ex: Ex, frame: Frame) -> Any:
    assert frame.me is not None
    return frame.me


@evaluates("option")
def option(play: Play, ex: Ex, frame: Frame) -> Any:
    return decoded(play.options[ex.data], ex.type)


@evaluates("player_count")
def player_count(play: Play, ex: Ex, frame: Frame) -> Any:
    return play.players


@evaluates("players")
def players(play: Play, ex: Ex, frame: Frame) -> Any:
    return tuple(range(play.players))


@evaluates("active")
def active(play: Play, ex: Ex, frame: Frame) -> Any:
    play.table.read(("turn",))
    return play.table.active


@evaluates("turn_number")
def turn_number(play: Play, ex: Ex, frame: Frame) -> Any:
    play.table.read(("turn",))
    return play.table.turn


@evaluates("universe")
def universe(play: Play, ex: Ex, frame: Frame) -> Any:
    return tuple(play.table.universe(ex.data))


@evaluates("revealed")
def revealed(play: Play, ex: Ex, frame: Frame) -> Any:
    return play.value(ex.args[0], frame)


@evaluates("some")
def some(play: Play, ex: Ex, frame: Frame) -> Any:
    value = play.value(ex.args[0], frame)
    if value is None:
        raise none_here(ex.span)
    return value


# ---------------------------------------------------------------- logic
@evaluates("and")
def both(play: Play, ex: Ex, frame: Frame) -> Any:
    return all(play.value(arg, frame) for arg in ex.args)


@evaluates("or")
def either(play: Play, ex: Ex, frame: Frame) -> Any:
    return any(play.value(arg, frame) for arg in ex.args)


@evaluates("not")
def negation(play: Play, ex: Ex, frame: Frame) -> Any:
    return not play.value(ex.args[0], frame)


@evaluates("if")
def one_or_other(play: Play, ex: Ex, frame: Frame) -> Any:
    condition, first, second = ex.args
    return play.value(first if play.value(condition, frame) else second, frame)


@evaluates("eq")
def equal(play: Play, ex: Ex, frame: Frame) -> Any:
    a, b = play.values(ex.args, frame)
    return a is b if isinstance(a, Place) else a == b


@evaluates("ne")
def unequal(play: Play, ex: Ex, frame: Frame) -> Any:
    return not equal(play, ex, frame)


@evaluates("in")
def within(play: Play, ex: Ex, frame: Frame) -> Any:
    value, whole = play.values(ex.args, frame)
    return value is not None and value in whole


# ---------------------------------------------------------------- numbers
_NUMBERS: dict[str, Callable[..., Any]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "mod": operator.mod,
    "neg": operator.neg,
    "abs": abs,
    "min_of": min,
    "max_of": max,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}


@evaluates(*_NUMBERS)
def arithmetic(play: Play, ex: Ex, frame: Frame) -> Any:
    return _NUMBERS[ex.op](*play.values(ex.args, frame))


@evaluates("div")
def div(play: Play, ex: Ex, frame: Frame) -> Any:
    a, b = play.values(ex.args, frame)
    if b == 0:
        raise Trouble("D0912", ex.span, "this divides by zero")
    return a // b


@evaluates("number")
def number(play: Play, ex: Ex, frame: Frame) -> Any:
    return play.value(ex.args[0], frame) + 1


@evaluates("in_range")
def in_range(play: Play, ex: Ex, frame: Frame) -> Any:
    value = play.value(ex.args[0], frame)
    low, high = ex.data
    if value is None and isinstance(ex.type, t.Opt):
        return None
    if not low <= value <= high:
        raise outside(ex.span, value, low, high)
    return value


# ---------------------------------------------------------------- sets and lists
def element_of(ex: Ex) -> t.Type:
    assert isinstance(ex.type, t.SetOf | t.ListOf)
    return ex.type.of


@evaluates("set")
def written_set(play: Play, ex: Ex, frame: Frame) -> Any:
    return play.table.in_order(play.values(ex.args, frame), element_of(ex))


@evaluates("range")
def number_range(play: Play, ex: Ex, frame: Frame) -> Any:
    low, high = play.values(ex.args, frame)
    return tuple(range(low, high + 1))


@evaluates("union")
def union(play: Play, ex: Ex, frame: Frame) -> Any:
    a, b = play.values(ex.args, frame)
    return play.table.in_order((*a, *b), element_of(ex))


@evaluates("difference")
def difference(play: Play, ex: Ex, frame: Frame) -> Any:
    a, b = play.values(ex.args, frame)
    return tuple(v for v in a if v not in b)


@evaluates("concat")
def concat(play: Play, ex: Ex, frame: Frame) -> Any:
    a, b = play.values(ex.args, frame)
    return (*a, *b)


@evaluates("as_set")
def as_set(play: Play, ex: Ex, frame: Frame) -> Any:
    values = play.value(ex.args[0], frame)
    element = element_of(ex)
    if isinstance(element, t.Num):
        for value in values:
            if not element.low <= value <= element.high:
                raise outside(ex.args[0].span, value, element.low, element.high)
    return values


@evaluates("list_at")
def list_at(play: Play, ex: Ex, frame: Frame) -> Any:
    whole, position = play.values(ex.args, frame)
    return whole[position - 1] if 1 <= position <= len(whole) else None


@evaluates("array_at")
def array_at(play: Play, ex: Ex, frame: Frame) -> Any:
    """A cell of a vector; of one with several indices, what is left when the first is given."""
    whole, index = play.values(ex.args, frame)
    if len(ex.data.index) == 1:
        return whole[(index,)]
    return {keys[1:]: value for keys, value in whole.items() if keys[0] == index}


# ---------------------------------------------------------------- calls
@evaluates("call")
def call(play: Play, ex: Ex, frame: Frame) -> Any:
    bound = {p.uid: v for p, v in zip(ex.data.params, play.values(ex.args, frame), strict=True)}
    return play.value(ex.data.body, Frame(ex.data.name, bound, frame.me))


@evaluates("table")
def bar_table(play: Play, ex: Ex, frame: Frame) -> Any:
    key = tuple(play.values(ex.args, frame))
    return decoded(dict(ex.data.rows)[key], ex.data.type)


# ---------------------------------------------------------------- seats
@evaluates("seat")
def seat(play: Play, ex: Ex, frame: Frame) -> Any:
    who = play.value(ex.args[0], frame)
    return None if who is None else who + 1


@evaluates("player")
def player(play: Play, ex: Ex, frame: Frame) -> Any:
    place = play.value(ex.args[0], frame)
    if not 1 <= place <= play.players:
        raise outside(ex.span, place, 1, play.players)
    return place - 1


@evaluates("left")
def left(play: Play, ex: Ex, frame: Frame) -> Any:
    return (play.value(ex.args[0], frame) + 1) % play.players


@evaluates("right")
def right(play: Play, ex: Ex, frame: Frame) -> Any:
    return (play.value(ex.args[0], frame) - 1) % play.players


@evaluates("others")
def others(play: Play, ex: Ex, frame: Frame) -> Any:
    who = play.value(ex.args[0], frame)
    return tuple(p for p in range(play.players) if p != who)


@evaluates("clockwise")
def clockwise(play: Play, ex: Ex, frame: Frame) -> Any:
    first = play.value(ex.args[0], frame)
    return tuple((first + step) % play.players for step in range(play.players))


@evaluates("partition")
def partition(play: Play, ex: Ex, frame: Frame) -> Any:
    who = play.value(ex.args[0], frame)
    groups = play.table.groups[ex.data.name]
    return None if who is None else tuple(p for p in range(play.players) if groups[p] == groups[who])


# ---------------------------------------------------------------- states and records
def state_spot(play: Play, ex: Ex, frame: Frame) -> tuple[str, tuple[Any, ...]]:
    return key_of(ex.data), tuple(play.values(ex.args, frame))


@evaluates("state")
def state(play: Play, ex: Ex, frame: Frame) -> Any:
    key, index = state_spot(play, ex, frame)
    if None in index:
        return None
    play.table.read(("state", key, index))
    return play.table.states[key][index]


@evaluates("rec_rows")
def rec_rows(play: Play, ex: Ex, frame: Frame) -> Any:
    play.table.read(("record", ex.data.name))
    return tuple(range(len(play.table.records[ex.data.name].rows)))


@evaluates("rec_field")
def rec_field(play: Play, ex: Ex, frame: Frame) -> Any:
    record, name = ex.data
    row, *index = play.values(ex.args, frame)
    play.table.read(("record", record.name))
    if row is None:
        return None
    value = play.table.records[record.name].rows[row][name]
    return value[tuple(index)] if index else value


# ---------------------------------------------------------------- places
@evaluates("place")
def place(play: Play, ex: Ex, frame: Frame) -> Place:
    keys = play.values(ex.args, frame)
    if None in keys:
        raise none_here(ex.span)
    if ex.data.per:
        keys[0] = play.table.groups[ex.data.per][keys[0]]
    return play.table.places[key_of(ex.data)][tuple(keys)]


def place_read(play: Play, ex: Ex, frame: Frame) -> Place:
    """A place that is looked into."""
    found: Place = play.value(ex, frame)
    play.table.read(found.spot)
    return found


@evaluates("items")
def items(play: Play, ex: Ex, frame: Frame) -> Any:
    return tuple(place_read(play, ex.args[0], frame).contents())


@evaluates("size")
def size(play: Play, ex: Ex, frame: Frame) -> Any:
    return place_read(play, ex.args[0], frame).size()


@evaluates("empty")
def empty(play: Play, ex: Ex, frame: Frame) -> Any:
    return place_read(play, ex.args[0], frame).size() == 0


@evaluates("tally")
def tally(play: Play, ex: Ex, frame: Frame) -> Any:
    return place_read(play, ex.args[0], frame).tally(play.value(ex.args[1], frame))


@evaluates("slot_kind")
def slot_kind(play: Play, ex: Ex, frame: Frame) -> Any:
    return place_read(play, ex.args[0], frame).cells.get(WHOLE)


@evaluates("top")
def top(play: Play, ex: Ex, frame: Frame) -> Any:
    here = place_read(play, ex.args[0], frame)
    if here.decl.shape == "deck":
        return known_end(here, 0)
    return here.items[-1] if here.items else None


@evaluates("bottom")
def bottom(play: Play, ex: Ex, frame: Frame) -> Any:
    here = place_read(play, ex.args[0], frame)
    if here.decl.shape == "deck":
        return known_end(here, -1)
    return here.items[0] if here.items else None


def known_end(deck: Place, end: int) -> int | None:
    """The card at one end of a deck, if it is known which that is."""
    whole = [*deck.top, *deck.middle, *deck.bottom]
    last = whole[end] if whole else None
    return last.card if last is not None else None


@evaluates("nth")
def nth(play: Play, ex: Ex, frame: Frame) -> Any:
    here = place_read(play, ex.args[0], frame)
    position = play.value(ex.args[1], frame)
    return here.items[position - 1] if 1 <= position <= len(here.items) else None


@evaluates("total_token")
def total_token(play: Play, ex: Ex, frame: Frame) -> Any:
    kind = play.value(ex.args[0], frame) if ex.args[0] is not None else None
    total = 0
    for here in play.table.all_places():
        if here.decl.tokens and here.decl.of == ex.data:
            play.table.read(here.spot)
            total += here.size() if kind is None else here.tally(kind)
    return total


@evaluates("total_comp")
def total_comp(play: Play, ex: Ex, frame: Frame) -> Any:
    total = 0
    for here in play.table.all_places():
        if not here.decl.tokens and here.decl.of == ex.data:
            play.table.read(here.spot)
            total += here.size()
    return total


# ---------------------------------------------------------------- components
def component(play: Play, ex: Ex, frame: Frame) -> tuple[str, int | None]:
    """The sort and number of a component, which may be none."""
    type_ = t.plain(ex.type)
    assert isinstance(type_, t.Comp)
    return type_.name, play.value(ex, frame)


@evaluates("field")
def printed(play: Play, ex: Ex, frame: Frame) -> Any:
    name, c = component(play, ex.args[0], frame)
    return None if c is None else play.table.thing(name, c).printed[ex.data[1]]


@evaluates("owned_piece")
def owned_piece(play: Play, ex: Ex, frame: Frame) -> Any:
    return play.value(ex.args[0], frame)


@evaluates("on", "comp_space", "turned", "comp_owner")
def whereabouts(play: Play, ex: Ex, frame: Frame) -> Any:
    name, c = component(play, ex.args[0], frame)
    if c is None:
        return None
    play.table.read(("thing", name, c))
    thing = play.table.thing(name, c)
    match ex.op:
        case "on":
            return thing.on
        case "comp_space":
            return thing.space
        case "turned":
            return thing.turned
    if thing.decl.piece:
        return c if name.startswith("player.") else None
    return thing.place.owner if thing.place is not None else None


@evaluates("is_at")
def is_at(play: Play, ex: Ex, frame: Frame) -> Any:
    name, c = component(play, ex.args[0], frame)
    here = play.value(ex.args[1], frame)
    if c is None:
        return False
    play.table.read(("thing", name, c))
    return play.table.thing(name, c).place is here


# ---------------------------------------------------------------- spaces
def board_of(play: Play, ex: Ex) -> Board:
    """The board that a space, or a place, belongs to."""
    type_ = t.plain(ex.type)
    return play.table.boards[type_.of if isinstance(type_, t.Space) else key_of(ex.data)]


@evaluates("cell")
def cell(play: Play, ex: Ex, frame: Frame) -> Any:
    here = place_read(play, ex.args[0], frame)
    return here.cells.get(play.value(ex.args[1], frame))


@evaluates("neighbour")
def neighbour(play: Play, ex: Ex, frame: Frame) -> Any:
    space, direction = play.values(ex.args, frame)
    if space is None or direction is None:
        return None
    return board_of(play, ex.args[0]).next(space, direction)


@evaluates("ring_step")
def ring_step(play: Play, ex: Ex, frame: Frame) -> Any:
    space, count = play.values(ex.args, frame)
    if space is None:
        raise none_here(ex.args[0].span)
    return board_of(play, ex.args[0]).along(space, count)


_GEOMETRY: dict[str, Callable[..., Any]] = {
    "line": lambda board, s, d: board.line(s, d),
    "lines": lambda board, s, n: board.lines_through(s, n),
    "row_of": lambda board, s: tuple(o for o in board.spaces() if o[1] == s[1]),
    "column_of": lambda board, s: tuple(o for o in board.spaces() if o[0] == s[0]),
    "near": lambda board, s, n: board.near(s, n),
}


@evaluates(*_GEOMETRY)
def geometry(play: Play, ex: Ex, frame: Frame) -> Any:
    """Spaces that lie in some way to another; to none, none do."""
    space, *more = play.values(ex.args, frame)
    return () if space is None else _GEOMETRY[ex.op](board_of(play, ex.args[0]), space, *more)


@evaluates("distance")
def distance(play: Play, ex: Ex, frame: Frame) -> Any:
    a, b = play.values(ex.args, frame)
    return board_of(play, ex.args[0]).distance(a, b)


@evaluates("space_at")
def space_at(play: Play, ex: Ex, frame: Frame) -> Any:
    x, y = play.values(ex.args, frame)
    if not play.table.boards[ex.data.of].holds((x, y)):
        raise Trouble("D0910", ex.span, "there is no such space on the board")
    return (x, y)


@evaluates("space_x", "space_y")
def coordinate(play: Play, ex: Ex, frame: Frame) -> Any:
    space = play.value(ex.args[0], frame)
    return None if space is None else space[0 if ex.op == "space_x" else 1]


@evaluates("rotate")
def rotate(play: Play, ex: Ex, frame: Frame) -> Any:
    what, turn = play.values(ex.args, frame)
    if isinstance(what, tuple):
        return tuple(sorted((d + 2 * turn) % 8 for d in what))
    return (what + 2 * turn) % 8


@evaluates("opposite")
def opposite(play: Play, ex: Ex, frame: Frame) -> Any:
    return (play.value(ex.args[0], frame) + 4) % 8


@evaluates("beside")
def beside(play: Play, ex: Ex, frame: Frame) -> Any:
    here = place_read(play, ex.args[0], frame)
    space = play.value(ex.args[1], frame)
    assert here.board is not None
    return () if space is None else tuple(d for d in STRAIGHT if here.board.next(space, d) in here.cells)


@evaluates("beyond")
def beyond(play: Play, ex: Ex, frame: Frame) -> Any:
    name, c = component(play, ex.args[0], frame)
    direction = play.value(ex.args[1], frame)
    here = place_read(play, ex.args[2], frame)
    if c is None:
        return None
    play.table.read(("thing", name, c))
    space = play.table.thing(name, c).space
    assert here.board is not None
    beside_it = here.board.next(space, direction) if space is not None else None
    return here.cells.get(beside_it) if beside_it is not None else None


@evaluates("frontier")
def frontier(play: Play, ex: Ex, frame: Frame) -> Any:
    here = place_read(play, ex.args[0], frame)
    board = here.board
    assert board is not None
    taken = set(here.cells)
    if len(ex.args) > 1:
        name, c = component(play, ex.args[1], frame)
        assert c is not None
        play.table.read(("thing", name, c))
        space = play.table.thing(name, c).space
        if space is not None:
            taken.discard(space)
    around = {board.next(s, d) for s in taken for d in STRAIGHT} - taken
    return tuple(sorted((s for s in around if s is not None), key=board.order))
