"""Moving: everything that takes something from one place and puts it into another.

`lift` and `lay` are the only ones that touch what lies in a place of components,
`take_tokens` and `put_tokens` the only ones for tokens. They keep to `at most`,
say what they touch, which component has moved, and which edge has been crossed.
"""

from __future__ import annotations

from bisect import insort
from typing import Any

from ...grammar import Span
from ..core import (
    Move,
    MoveAll,
    MoveCell,
    MoveOn,
    MoveSet,
    MoveTokens,
    RecordField,
    Shuffle,
    StateRef,
    Swap,
)
from ..core import value_types as t
from .events import after_effect
from .expressions import state_spot
from .play import Frame, Play, Steps, executes
from .statements import write
from .table import LINES, WHOLE, Known, Place
from .trouble import Trouble, no_room, none_here


# ---------------------------------------------------------------- components
def lift(play: Play, comp: str, c: int) -> None:
    """Take a component out of where it is."""
    thing = play.table.thing(comp, c)
    place = thing.place
    assert place is not None
    play.table.touch(place.spot, ("thing", comp, c))
    if place.decl.shape == "deck":
        lift_from_deck(place, c)
        return
    place.items.remove(c)
    if thing.space is not None:
        del place.cells[thing.space]
    thing.space, thing.turned = None, 0


def lift_from_deck(deck: Place, c: int) -> None:
    if c in deck.items:
        deck.items.remove(c)
        deck.middle.remove(None)  # where it lay is not known; the topmost unknown place closes
        return
    for part in (deck.top, deck.middle, deck.bottom):
        for known in list(part):
            if known is not None and known.card == c:
                part.remove(known)


def lay(
    play: Play, comp: str, c: int, place: Place, span: Span, end: str, at: Any, turned: int, viewers: set[int]
) -> None:
    """Put a component that has been taken into a place."""
    thing = play.table.thing(comp, c)
    match place.decl.shape:
        case line if line in LINES:
            place.items.insert(0 if end == "bottom" else len(place.items), c)
        case "slot":
            if place.items:
                raise no_room(span, "the slot holds one already")
            place.items.append(c)
        case "deck":
            lay_in_deck(place, c, end, at, viewers)
        case "grid" | "ring":
            if at in place.cells:
                raise no_room(span, "something lies there already")
            place.cells[at] = c
            insort(place.items, c)
            thing.space, thing.turned = at, turned
        case "bag" | "":
            insort(place.items, c)
        case shape:
            raise AssertionError(f"nothing is said about a {shape}")
    thing.place = place
    play.table.touch(place.spot, ("thing", comp, c))
    if place.decl.cap is not None and place.size() > capacity(play, place):
        raise no_room(span, "the place is full")


def lay_in_deck(deck: Place, c: int, end: str, at: int | None, viewers: set[int]) -> None:
    known = Known(c, set(viewers))
    if end == "top":
        deck.top.insert(0, known)
    elif end == "bottom":
        deck.bottom.append(known)
    elif at is not None:
        above = max(0, at - 1)
        if above <= len(deck.top):
            deck.top.insert(above, known)
        elif above <= len(deck.top) + len(deck.middle):
            deck.middle.insert(above - len(deck.top), known)
        else:
            deck.bottom.insert(above - len(deck.top) - len(deck.middle), known)
    else:
        insort(deck.items, c)
        deck.middle.append(None)


def capacity(play: Play, place: Place) -> int:
    assert place.decl.cap is not None
    return int(play.value(place.decl.cap, Frame("")))


def rest_of(play: Play, place: Place) -> Place | None:
    """Where goes what is too much; `my` in it is whose the place is."""
    if place.decl.rest is None:
        return None
    rest: Place = play.value(place.decl.rest, Frame("", me=place.keys[0] if place.keys else None))
    return rest


def move_one(
    play: Play, comp: str, c: int, place: Place, span: Span, end: str = "", at: Any = None, turned: int = 0
) -> None:
    """One component to a place, or to where the rest goes if that is full."""
    source = play.table.thing(comp, c).place
    assert source is not None
    rest = rest_of(play, place)
    if rest is not None and source is not place and place.size() >= capacity(play, place):
        move_one(play, comp, c, rest, span)
        return
    before = play.seeing.before_move(comp, c)
    viewers = play.seeing.viewers_of(comp, c)
    lift(play, comp, c)
    lay(play, comp, c, place, span, end, at, turned, viewers)
    play.table.moved.append((comp, c))
    crossed(play, source, place)
    play.seeing.moved(comp, c, before, place, end, at)


def crossed(play: Play, source: Place, place: Place) -> None:
    play.table.crossed |= {("leaving", source.key), ("entering", place.key)}


@executes(Move)
def move(play: Play, st: Move, frame: Frame) -> Steps:
    c = play.value(st.thing, frame)
    place = play.value(st.place, frame)
    at = play.value(st.at, frame) if st.at is not None else None
    turned = play.value(st.turned, frame) if st.turned is not None else 0
    move_one(play, st.thing.component_type.name, c, place, st.span, st.end, at, turned)
    yield from after_effect(play)


@executes(MoveSet)
def move_set(play: Play, st: MoveSet, frame: Frame) -> Steps:
    assert isinstance(st.things.type, t.SetOf | t.ListOf) and isinstance(st.things.type.of, t.Comp)
    values = play.value(st.things, frame)
    place = play.value(st.place, frame)
    for c in values:
        move_one(play, st.things.type.of.name, c, place, st.span, st.end)
    yield from after_effect(play)


@executes(MoveOn)
def move_on(play: Play, st: MoveOn, frame: Frame) -> Steps:
    """What stands on something goes to stand on something else, or on nothing."""
    name, c = st.thing.component_type.name, play.value(st.thing, frame)
    play.table.thing(name, c).on = play.value(st.target, frame)
    play.table.touch(("thing", name, c))
    play.table.moved.append((name, c))
    play.seeing.stands(name, c)
    yield from after_effect(play)


@executes(MoveAll)
def move_all(play: Play, st: MoveAll, frame: Frame) -> Steps:
    source, place = play.value(st.source, frame), play.value(st.place, frame)
    if source.decl.tokens:
        for kind in range(len(play.game.kinds[source.decl.of].values)):
            if source.counts and source.counts[kind]:
                move_tokens(play, source.counts[kind], kind, source, place, None, st.span)
        for space in sorted(source.cells, key=source.board.order if source.board else None):
            move_cell(play, source, space, place, None, st.span)
    elif source.decl.shape == "deck" and place.decl.shape in ("bag", "deck") and place.decl.cap is None:
        with play.seeing.as_a_whole(source, place):
            for c in source.contents():
                move_one(play, source.decl.of, c, place, st.span)
    else:
        for c in sorted(source.contents()) if source.decl.shape == "deck" else source.contents():
            move_one(play, source.decl.of, c, place, st.span, st.end)
    yield from after_effect(play)


# ---------------------------------------------------------------- tokens
def put_tokens(play: Play, amount: int, kind: int, source: Place, place: Place, at: Any, span: Span) -> None:
    """Tokens that have been taken into a place; what it has no room for goes where the rest goes."""
    if place.decl.shape in ("slot", "grid", "ring"):
        slot = place.decl.shape == "slot"
        spot = WHOLE if slot else at
        if amount > 1:
            raise no_room(span, "only one fits there")
        if spot in place.cells:
            raise no_room(span, "the slot holds one already" if slot else "something lies there already")
        place.cells[spot] = kind
        stays = 1
    else:
        room = amount if place.decl.cap is None else max(0, capacity(play, place) - place.size())
        stays = min(amount, room)
        place.counts[kind] += stays
    rest = rest_of(play, place)
    if stays < amount and rest is None:
        raise no_room(span, "the place is full")
    if stays:
        play.table.touch(place.spot)
        crossed(play, source, place)
        play.seeing.tokens(stays, kind, source, place, at)
    if stays < amount and rest is not None:
        put_tokens(play, amount - stays, kind, source, rest, None, span)


def move_tokens(play: Play, amount: int, kind: int, source: Place, place: Place, at: Any, span: Span) -> None:
    """Exactly so many tokens of a kind from a bag."""
    there = source.tally(kind)
    if amount < 0:
        raise Trouble("D0901", span, f"{amount} cannot be moved: a number of tokens is not negative")
    if amount > there:
        raise Trouble("D0901", span, f"{amount} should move, but there are {there}")
    if amount:
        source.counts[kind] -= amount
        play.table.touch(source.spot)
        put_tokens(play, amount, kind, source, place, at, span)


def move_cell(play: Play, source: Place, space: Any, place: Place, at: Any, span: Span) -> None:
    """The token that lies on a space, or in a slot."""
    kind = source.cells.pop(space)
    play.table.touch(source.spot)
    put_tokens(play, 1, kind, source, place, at, span)


@executes(MoveTokens)
def move_amount(play: Play, st: MoveTokens, frame: Frame) -> Steps:
    amount, kind = play.value(st.amount, frame), play.value(st.kind, frame)
    source, place = play.value(st.source, frame), play.value(st.place, frame)
    at = play.value(st.at, frame) if st.at is not None else None
    move_tokens(play, amount, kind, source, place, at, st.span)
    yield from after_effect(play)


@executes(MoveCell)
def move_from_space(play: Play, st: MoveCell, frame: Frame) -> Steps:
    source, space = play.value(st.source, frame), play.value(st.space, frame)
    place = play.value(st.place, frame)
    at = play.value(st.at, frame) if st.at is not None else None
    if space not in source.cells:
        raise Trouble("D0910", st.space.span, "nothing lies there")
    move_cell(play, source, space, place, at, st.span)
    yield from after_effect(play)


# ---------------------------------------------------------------- both ways
@executes(Swap)
def swap(play: Play, st: Swap, frame: Frame) -> Steps:
    left, right = st.left, st.right
    if isinstance(left, StateRef | RecordField):
        a, b = play.value(left, frame), play.value(right, frame)
        write(play, left, b, frame)
        write(play, right, a, frame)
    elif isinstance(left.type, t.Place):
        swap_places(play, play.value(left, frame), play.value(right, frame), st.span)
    else:
        swap_components(
            play, left.component_type.name, play.value(left, frame), play.value(right, frame), st.span
        )
    yield from after_effect(play)


def swap_places(play: Play, a: Place, b: Place, span: Span) -> None:
    something = a.size() + b.size() > 0
    a.counts, b.counts = b.counts, a.counts
    a.cells, b.cells = b.cells, a.cells
    a.items, b.items = b.items, a.items
    play.table.touch(a.spot, b.spot)
    for place in (a, b):
        if not place.decl.tokens:
            for c in place.items:
                play.table.thing(place.decl.of, c).place = place
                play.table.touch(("thing", place.decl.of, c))
                play.table.moved.append((place.decl.of, c))
    if something:
        crossed(play, a, b)
        crossed(play, b, a)
    play.seeing.swapped(a, b)
    for place in (a, b):
        spill(play, place, span)


def spill(play: Play, place: Place, span: Span) -> None:
    """A place has got new contents as a whole: the last of them that are too much go on."""
    if place.decl.cap is None:
        return
    cap, rest = capacity(play, place), rest_of(play, place)
    if place.size() > cap and rest is None:
        raise no_room(span, "the place is full")
    assert rest is not None or place.size() <= cap
    for c in place.items[cap:]:
        assert rest is not None
        move_one(play, place.decl.of, c, rest, span)
    for kind in reversed(range(len(place.counts))):
        over = min(place.counts[kind], sum(place.counts) - cap)
        if over > 0:
            assert rest is not None
            move_tokens(play, over, kind, place, rest, None, span)


def swap_components(play: Play, comp: str, a: int | None, b: int | None, span: Span) -> None:
    """Two components change places; each takes the other's position."""
    if a is None or b is None:
        raise none_here(span)
    if a == b:
        return
    one, other = play.table.thing(comp, a), play.table.thing(comp, b)
    here, there = one.place, other.place
    assert here is not None and there is not None
    for place in {id(here): here, id(there): there}.values():
        place.items = [{a: b, b: a}.get(c, c) for c in place.items]
        if place.decl.shape not in (*LINES, "slot"):
            place.items.sort()
        for known in place.known():
            known.card = {a: b, b: a}.get(known.card, known.card)
        place.cells = {s: {a: b, b: a}.get(c, c) for s, c in place.cells.items()}
        play.table.touch(place.spot)
    one.place, other.place = there, here
    one.space, other.space = other.space, one.space
    one.turned, other.turned = other.turned, one.turned
    for c in (a, b):
        play.table.touch(("thing", comp, c))
        play.table.moved.append((comp, c))
    crossed(play, here, there)
    crossed(play, there, here)
    play.seeing.exchanged(comp, a, b)


@executes(Shuffle)
def shuffle(play: Play, st: Shuffle, frame: Frame) -> Steps:
    """Its order, and whatever was known of it, is forgotten."""
    source, deck = play.value(st.place, frame), play.value(st.into, frame)
    arriving = source.contents() if source is not deck else []
    cards = sorted([*arriving, *deck.contents()])
    for place in (source, deck):
        place.items, place.top, place.middle, place.bottom = [], [], [], []
        play.table.touch(place.spot)
    deck.items = cards
    deck.middle = [None] * len(cards)
    for c in arriving:
        play.table.thing(deck.decl.of, c).place = deck
        play.table.touch(("thing", deck.decl.of, c))
        play.table.moved.append((deck.decl.of, c))
    if arriving:
        crossed(play, source, deck)
    play.seeing.shuffled(deck)
    yield from after_effect(play)


__all__ = ["move_one", "move_tokens", "state_spot"]
