"""Expressions: what each operation comes to. No effects; left to right, as far as needed."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from ..core import (
    And,
    Apply,
    Attribute,
    CallDefine,
    Conditional,
    Const,
    Coordinate,
    Ex,
    Field,
    InRange,
    Local,
    Lookup,
    Me,
    Near,
    Option,
    Or,
    OwnedPiece,
    PartitionOf,
    PlaceRef,
    RecordField,
    Rows,
    SpaceAt,
    StateRef,
    TotalComponents,
    TotalTokens,
    Universe,
)
from ..core import value_types as t
from .play import Frame, Play, evaluates
from .spaces import STRAIGHT, Board
from .table import WHOLE, Place, decoded, key_of
from .trouble import Outside, Trouble, none_here


# ---------------------------------------------------------------- constants and names
@evaluates(Const)
def const(play: Play, ex: Const, frame: Frame) -> Any:
    return decoded(ex.value, ex.type)


@evaluates(Local)
def local(play: Play, ex: Local, frame: Frame) -> Any:
    return frame.vars[ex.var.uid]


@evaluates(Me)
def me(play: Play, ex: Me, frame: Frame) -> Any:
    assert frame.me is not None
    return frame.me


@evaluates(Option)
def option(play: Play, ex: Option, frame: Frame) -> Any:
    return decoded(play.options[ex.name], ex.type)


@evaluates("player_count")
def player_count(play: Play, ex: Apply, frame: Frame) -> Any:
    return play.players


@evaluates("players")
def players(play: Play, ex: Apply, frame: Frame) -> Any:
    return tuple(range(play.players))


@evaluates("active")
def active(play: Play, ex: Apply, frame: Frame) -> Any:
    play.table.read(("turn",))
    return play.table.active


@evaluates("turn_number")
def turn_number(play: Play, ex: Apply, frame: Frame) -> Any:
    play.table.read(("turn",))
    return play.table.turn


@evaluates(Universe)
def universe(play: Play, ex: Universe, frame: Frame) -> Any:
    return tuple(play.table.universe(ex.of))


@evaluates("revealed")
def revealed(play: Play, ex: Apply, frame: Frame) -> Any:
    return play.value(ex.args[0], frame)


@evaluates("some")
def some(play: Play, ex: Apply, frame: Frame) -> Any:
    value = play.value(ex.args[0], frame)
    if value is None:
        raise none_here(ex.span)
    return value


# ---------------------------------------------------------------- logic
@evaluates(And)
def both(play: Play, ex: And, frame: Frame) -> Any:
    return play.value(ex.left, frame) and play.value(ex.right, frame)


@evaluates(Or)
def either(play: Play, ex: Or, frame: Frame) -> Any:
    return play.value(ex.left, frame) or play.value(ex.right, frame)


@evaluates("not")
def negation(play: Play, ex: Apply, frame: Frame) -> Any:
    return not play.value(ex.args[0], frame)


@evaluates(Conditional)
def one_or_other(play: Play, ex: Conditional, frame: Frame) -> Any:
    return play.value(ex.then if play.value(ex.condition, frame) else ex.otherwise, frame)


@evaluates("eq")
def equal(play: Play, ex: Apply, frame: Frame) -> Any:
    a, b = play.values(ex.args, frame)
    return a is b if isinstance(a, Place) else a == b


@evaluates("ne")
def unequal(play: Play, ex: Apply, frame: Frame) -> Any:
    return not equal(play, ex, frame)


@evaluates("in")
def within(play: Play, ex: Apply, frame: Frame) -> Any:
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
def arithmetic(play: Play, ex: Apply, frame: Frame) -> Any:
    return _NUMBERS[ex.op](*play.values(ex.args, frame))


@evaluates("div")
def div(play: Play, ex: Apply, frame: Frame) -> Any:
    a, b = play.values(ex.args, frame)
    if b == 0:
        raise Trouble("D0912", ex.span, "this divides by zero")
    return a // b


@evaluates("number")
def number(play: Play, ex: Apply, frame: Frame) -> Any:
    return play.value(ex.args[0], frame) + 1


@evaluates(InRange)
def in_range(play: Play, ex: InRange, frame: Frame) -> Any:
    value = play.value(ex.of, frame)
    if value is None and isinstance(ex.type, t.Opt):
        return None
    if not ex.low <= value <= ex.high:
        raise Outside(ex.span, value, ex.low, ex.high)
    return value


# ---------------------------------------------------------------- sets and lists
def element_of(ex: Ex) -> t.Type:
    assert isinstance(ex.type, t.SetOf | t.ListOf)
    return ex.type.of


@evaluates("set")
def written_set(play: Play, ex: Apply, frame: Frame) -> Any:
    return play.table.in_order(play.values(ex.args, frame), element_of(ex))


@evaluates("range")
def number_range(play: Play, ex: Apply, frame: Frame) -> Any:
    low, high = play.values(ex.args, frame)
    return tuple(range(low, high + 1))


@evaluates("union")
def union(play: Play, ex: Apply, frame: Frame) -> Any:
    a, b = play.values(ex.args, frame)
    return play.table.in_order((*a, *b), element_of(ex))


@evaluates("difference")
def difference(play: Play, ex: Apply, frame: Frame) -> Any:
    a, b = play.values(ex.args, frame)
    return tuple(v for v in a if v not in b)


@evaluates("concat")
def concat(play: Play, ex: Apply, frame: Frame) -> Any:
    a, b = play.values(ex.args, frame)
    return (*a, *b)


@evaluates("as_set")
def as_set(play: Play, ex: Apply, frame: Frame) -> Any:
    values = play.value(ex.args[0], frame)
    element = element_of(ex)
    if isinstance(element, t.Num):
        for value in values:
            if not element.low <= value <= element.high:
                raise Outside(ex.args[0].span, value, element.low, element.high)
    return values


@evaluates("foremost")
def foremost(play: Play, ex: Apply, frame: Frame) -> Any:
    whole, amount = play.values(ex.args, frame)
    if amount < 0:
        raise Trouble("D0901", ex.span, f"{amount} cannot be moved: a number is not negative")
    if amount > len(whole):
        raise Trouble("D0901", ex.span, f"{amount} should move, but there are {len(whole)}")
    return whole[:amount]


@evaluates("list_at")
def list_at(play: Play, ex: Apply, frame: Frame) -> Any:
    whole, position = play.values(ex.args, frame)
    return whole[position - 1] if 1 <= position <= len(whole) else None


@evaluates("array_at")
def array_at(play: Play, ex: Apply, frame: Frame) -> Any:
    """A cell of a vector; of one with several indices, what is left when the first is given."""
    whole, index = play.values(ex.args, frame)
    vector = ex.args[0].type
    assert isinstance(vector, t.Array)
    if len(vector.index) == 1:
        return whole[(index,)]
    return {keys[1:]: value for keys, value in whole.items() if keys[0] == index}


# ---------------------------------------------------------------- calls
@evaluates(CallDefine)
def call(play: Play, ex: CallDefine, frame: Frame) -> Any:
    bound = {p.uid: v for p, v in zip(ex.define.params, play.values(ex.args, frame), strict=True)}
    return play.value(ex.define.body, Frame(ex.define.name, bound, frame.me))


@evaluates(Lookup)
def bar_table(play: Play, ex: Lookup, frame: Frame) -> Any:
    key = tuple(play.values(ex.args, frame))
    return decoded(dict(ex.table.rows)[key], ex.table.type)


# ---------------------------------------------------------------- seats
@evaluates("seat")
def seat(play: Play, ex: Apply, frame: Frame) -> Any:
    who = play.value(ex.args[0], frame)
    return None if who is None else who + 1


@evaluates("player")
def player(play: Play, ex: Apply, frame: Frame) -> Any:
    place = play.value(ex.args[0], frame)
    if not 1 <= place <= play.players:
        raise Outside(ex.span, place, 1, play.players)
    return place - 1


@evaluates("left")
def left(play: Play, ex: Apply, frame: Frame) -> Any:
    return (play.value(ex.args[0], frame) + 1) % play.players


@evaluates("right")
def right(play: Play, ex: Apply, frame: Frame) -> Any:
    return (play.value(ex.args[0], frame) - 1) % play.players


@evaluates("others")
def others(play: Play, ex: Apply, frame: Frame) -> Any:
    who = play.value(ex.args[0], frame)
    return tuple(p for p in range(play.players) if p != who)


@evaluates("clockwise")
def clockwise(play: Play, ex: Apply, frame: Frame) -> Any:
    first = play.value(ex.args[0], frame)
    return tuple((first + step) % play.players for step in range(play.players))


@evaluates(PartitionOf)
def partition(play: Play, ex: PartitionOf, frame: Frame) -> Any:
    who = play.value(ex.player, frame)
    groups = play.table.groups[ex.partition.name]
    return None if who is None else tuple(p for p in range(play.players) if groups[p] == groups[who])


# ---------------------------------------------------------------- states and records
def state_spot(play: Play, ex: StateRef, frame: Frame) -> tuple[str, tuple[Any, ...]]:
    return key_of(ex.state), tuple(play.values(ex.indices, frame))


@evaluates(StateRef)
def state(play: Play, ex: StateRef, frame: Frame) -> Any:
    key, index = state_spot(play, ex, frame)
    if None in index:
        return None
    play.table.read(("state", key, index))
    return play.table.states[key][index]


@evaluates(Rows)
def rec_rows(play: Play, ex: Rows, frame: Frame) -> Any:
    play.table.read(("record", ex.record.name))
    return tuple(range(len(play.table.records[ex.record.name].rows)))


@evaluates(RecordField)
def rec_field(play: Play, ex: RecordField, frame: Frame) -> Any:
    row, *index = play.values(ex.indices, frame)
    play.table.read(("record", ex.record.name))
    if row is None:
        return None
    value = play.table.records[ex.record.name].rows[row][ex.name]
    return value[tuple(index)] if index else value


# ---------------------------------------------------------------- places
@evaluates(PlaceRef)
def place(play: Play, ex: PlaceRef, frame: Frame) -> Place:
    keys = play.values(ex.indices, frame)
    if None in keys:
        raise none_here(ex.span)
    if ex.place.per:
        keys[0] = play.table.groups[ex.place.per][keys[0]]
    return play.table.places[key_of(ex.place)][tuple(keys)]


def place_read(play: Play, ex: Ex, frame: Frame) -> Place:
    """A place that is looked into."""
    found: Place = play.value(ex, frame)
    play.table.read(found.spot)
    return found


@evaluates("items")
def items(play: Play, ex: Apply, frame: Frame) -> Any:
    return tuple(place_read(play, ex.args[0], frame).contents())


@evaluates("size")
def size(play: Play, ex: Apply, frame: Frame) -> Any:
    return place_read(play, ex.args[0], frame).size()


@evaluates("empty")
def empty(play: Play, ex: Apply, frame: Frame) -> Any:
    return place_read(play, ex.args[0], frame).size() == 0


@evaluates("tally")
def tally(play: Play, ex: Apply, frame: Frame) -> Any:
    return place_read(play, ex.args[0], frame).tally(play.value(ex.args[1], frame))


@evaluates("slot_kind")
def slot_kind(play: Play, ex: Apply, frame: Frame) -> Any:
    return place_read(play, ex.args[0], frame).cells.get(WHOLE)


@evaluates("top")
def top(play: Play, ex: Apply, frame: Frame) -> Any:
    here = place_read(play, ex.args[0], frame)
    if here.decl.shape == "deck":
        return known_end(here, 0)
    return here.items[-1] if here.items else None


@evaluates("bottom")
def bottom(play: Play, ex: Apply, frame: Frame) -> Any:
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
def nth(play: Play, ex: Apply, frame: Frame) -> Any:
    here = place_read(play, ex.args[0], frame)
    position = play.value(ex.args[1], frame)
    return here.items[position - 1] if 1 <= position <= len(here.items) else None


@evaluates(TotalTokens)
def total_token(play: Play, ex: TotalTokens, frame: Frame) -> Any:
    kind = play.value(ex.kind, frame) if ex.kind is not None else None
    total = 0
    for here in play.table.all_places():
        if here.decl.tokens and here.decl.of == ex.token:
            play.table.read(here.spot)
            total += here.size() if kind is None else here.tally(kind)
    return total


@evaluates(TotalComponents)
def total_comp(play: Play, ex: TotalComponents, frame: Frame) -> Any:
    total = 0
    for here in play.table.all_places():
        if not here.decl.tokens and here.decl.of == ex.component:
            play.table.read(here.spot)
            total += here.size()
    return total


# ---------------------------------------------------------------- components
def component(play: Play, ex: Ex, frame: Frame) -> tuple[str, int | None]:
    """The sort and number of a component, which may be none."""
    type_ = t.plain(ex.type)
    assert isinstance(type_, t.Comp)
    return type_.name, play.value(ex, frame)


@evaluates(Field)
def printed(play: Play, ex: Field, frame: Frame) -> Any:
    name, c = component(play, ex.of, frame)
    return None if c is None else play.table.thing(name, c).printed[ex.name]


@evaluates(OwnedPiece)
def owned_piece(play: Play, ex: OwnedPiece, frame: Frame) -> Any:
    return play.value(ex.player, frame)


@evaluates(Attribute)
def whereabouts(play: Play, ex: Attribute, frame: Frame) -> Any:
    name, c = component(play, ex.of, frame)
    if c is None:
        return None
    play.table.read(("thing", name, c))
    thing = play.table.thing(name, c)
    match ex.name:
        case "on":
            return thing.on
        case "space":
            return thing.space
        case "turned":
            return thing.turned
    if thing.decl.piece:
        return c if name.startswith("player.") else None
    return thing.place.owner if thing.place is not None else None


@evaluates("is_at")
def is_at(play: Play, ex: Apply, frame: Frame) -> Any:
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
    if isinstance(type_, t.Space):
        return play.table.boards[type_.of]
    assert isinstance(ex, PlaceRef)
    return play.table.boards[key_of(ex.place)]


@evaluates("cell")
def cell(play: Play, ex: Apply, frame: Frame) -> Any:
    here = place_read(play, ex.args[0], frame)
    return here.cells.get(play.value(ex.args[1], frame))


@evaluates("neighbour")
def neighbour(play: Play, ex: Apply, frame: Frame) -> Any:
    space, direction = play.values(ex.args, frame)
    if space is None or direction is None:
        return None
    return board_of(play, ex.args[0]).next(space, direction)


@evaluates("ring_step")
def ring_step(play: Play, ex: Apply, frame: Frame) -> Any:
    space, count = play.values(ex.args, frame)
    if space is None:
        raise none_here(ex.args[0].span)
    return board_of(play, ex.args[0]).along(space, count)


_GEOMETRY: dict[str, Callable[..., Any]] = {
    "line": lambda board, s, d: board.line(s, d),
    "lines": lambda board, s, n: board.lines_through(s, n),
    "row_of": lambda board, s: tuple(o for o in board.spaces() if o[1] == s[1]),
    "column_of": lambda board, s: tuple(o for o in board.spaces() if o[0] == s[0]),
}


@evaluates(*_GEOMETRY)
def geometry(play: Play, ex: Apply, frame: Frame) -> Any:
    """Spaces that lie in some way to another; to none, none do."""
    space, *more = play.values(ex.args, frame)
    return () if space is None else _GEOMETRY[ex.op](board_of(play, ex.args[0]), space, *more)


@evaluates(Near)
def near(play: Play, ex: Near, frame: Frame) -> Any:
    space, reach = play.value(ex.of, frame), play.value(ex.reach, frame)
    return () if space is None else board_of(play, ex.of).near(space, reach)


@evaluates("distance")
def distance(play: Play, ex: Apply, frame: Frame) -> Any:
    a, b = play.values(ex.args, frame)
    return board_of(play, ex.args[0]).distance(a, b)


@evaluates(SpaceAt)
def space_at(play: Play, ex: SpaceAt, frame: Frame) -> Any:
    x, y = play.value(ex.x, frame), play.value(ex.y, frame)
    if not play.table.boards[ex.space.of].holds((x, y)):
        raise Trouble("D0910", ex.span, "there is no such space on the board")
    return (x, y)


@evaluates(Coordinate)
def coordinate(play: Play, ex: Coordinate, frame: Frame) -> Any:
    space = play.value(ex.of, frame)
    return None if space is None else space["xy".index(ex.axis)]


@evaluates("rotate")
def rotate(play: Play, ex: Apply, frame: Frame) -> Any:
    what, turn = play.values(ex.args, frame)
    if isinstance(what, tuple):
        return tuple(sorted((d + 2 * turn) % 8 for d in what))
    return (what + 2 * turn) % 8


@evaluates("opposite")
def opposite(play: Play, ex: Apply, frame: Frame) -> Any:
    return (play.value(ex.args[0], frame) + 4) % 8


@evaluates("beside")
def beside(play: Play, ex: Apply, frame: Frame) -> Any:
    here = place_read(play, ex.args[0], frame)
    space = play.value(ex.args[1], frame)
    assert here.board is not None
    return () if space is None else tuple(d for d in STRAIGHT if here.board.next(space, d) in here.cells)


@evaluates("beyond")
def beyond(play: Play, ex: Apply, frame: Frame) -> Any:
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
def frontier(play: Play, ex: Apply, frame: Frame) -> Any:
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
