"""Facts about statements: what they carry where, what they read and write, whether they wait or leave.

Every pass that asks one of these questions asks here, and nowhere else: the
triggers on places, the tests of endings, the resets of `until moved`, the rule
graph, `together`, shortages and endlessness. A new statement gets its rows in
this file. One that has none is an error at once: no fact has a silent default,
because a forgotten statement is a missed ending or a trigger that never runs.

The names of what is read and written are strings: `player.points` for a state,
`in heap` for the contents of a place, `of Card` for where components are,
`record Plan`, `active`; and `anything`, which stands for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from attrs import frozen

from . import types as t
from .core import CheckedGame, Comp, Ex, Gen, Peek, PeekShow, PlaceDecl, Reveal, Show, ShowOn, St

ANYTHING = "anything"


class UnknownOperation(AssertionError):
    """Somebody added an operation and did not say what it does."""


@frozen
class Transfer:
    """One stream of things from one place to another."""

    of: str  # the component or token
    things: Ex | None  # the component, or the set or list of them; None: what lies in the source
    source: Ex | None  # None: each from wherever it is
    target: Ex
    amount: Ex | None = None  # how many tokens; None: all that are meant, or one component


# ---------------------------------------------------------------- what moves where
def transfers(st: St) -> tuple[Transfer, ...]:
    """What a statement itself (not those inside it) carries from place to place."""
    if st.op in CARRIES_NOTHING:
        return ()
    try:
        return _TRANSFERS[st.op](st)
    except KeyError:
        raise UnknownOperation(f"what does `{st.op}` carry?") from None


def _move(st: St) -> tuple[Transfer, ...]:
    thing, target = st.args[:2]
    return (Transfer(target.type.of, thing, None, target),)


def _move_all(st: St) -> tuple[Transfer, ...]:
    source, target = st.args
    return (Transfer(source.type.of, None, source, target),)


def _move_tokens(st: St) -> tuple[Transfer, ...]:
    amount, _, source, target, _ = st.args
    return (Transfer(source.type.of, None, source, target, amount),)


def _move_cell(st: St) -> tuple[Transfer, ...]:
    source, _, target, _ = st.args
    return (Transfer(source.type.of, None, source, target, _one(st)),)


def _draw(st: St) -> tuple[Transfer, ...]:
    amount, source, target, _ = st.args
    return (Transfer(source.type.of, None, source, target, amount),)


def _draw_one(st: St) -> tuple[Transfer, ...]:
    what, source, target, _ = st.args
    return (Transfer(source.type.of, what, source, target, _one(st)),)


def _pick(st: St) -> tuple[Transfer, ...]:
    _, high, source, target = st.args
    return (Transfer(source.type.of, None, source, target, high),)


def _shuffle(st: St) -> tuple[Transfer, ...]:
    source, target = st.args
    return () if source is target else (Transfer(source.type.of, None, source, target),)


def _swap(st: St) -> tuple[Transfer, ...]:
    left, right = st.args
    if left.op in ("state", "rec_field"):
        return ()
    if isinstance(left.type, t.Place):
        of = left.type.of
        return (Transfer(of, None, left, right), Transfer(of, None, right, left))
    name = left.type.name
    a, b = (Ex("comp_place", t.Place("", name), st.span, (side,), _Named(name)) for side in st.args)
    return (Transfer(name, left, a, b), Transfer(name, right, b, a))


@frozen
class _Named:
    """What `comp_place` needs to know of a component."""

    name: str


def _one(st: St) -> Ex:
    return Ex("const", t.Num(1, 1), st.span, data=1)


_TRANSFERS: dict[str, Callable[[St], tuple[Transfer, ...]]] = {
    "move": _move,
    "move_set": _move,
    "move_all": _move_all,
    "move_tokens": _move_tokens,
    "move_cell": _move_cell,
    "draw": _draw,
    "draw_one": _draw_one,
    "pick": _pick,
    "shuffle": _shuffle,
    "swap": _swap,
}
MOVES = frozenset(_TRANSFERS)
CARRIES_NOTHING = frozenset(
    """let set note nothing move_on choose offer may roll peek turns rounds together show reveal
    if for repeat as scope atomic call require return stop skip cancel expire finish peek_one peek_show
    show_on show_off atomic_on atomic_off action_on action_off seal unseal begin_turn end_turn
    test_before_turn reset reset_one clear_records log_clock log_expired count""".split()
)


def rest_of(place: Ex) -> Ex | None:
    """Where goes what a place has no room for? `my` in its path means the owner of the place."""
    if place.op != "place" or place.data.rest is None:
        return None
    rest: Ex = place.data.rest
    return with_me(rest, place.args[0]) if place.data.owner == "player" else rest


def with_me(ex: Ex, me: Ex) -> Ex:
    if ex.op == "me":
        return me
    args = tuple(with_me(a, me) if isinstance(a, Ex) else a for a in ex.args)
    return Ex(ex.op, ex.type, ex.span, args, ex.data)


def ends_up(target: Ex) -> Iterator[Ex]:
    """The places that something put here may come to lie in: here, or where the rest goes."""
    place: Ex | None = target
    while place is not None:
        yield place
        place = rest_of(place)


def declarations(place: Ex, game: CheckedGame) -> list[PlaceDecl]:
    """The places that an expression may stand for."""
    if place.op == "place":
        return [place.data]
    of = place.place_type.of
    shape = place.place_type.shape
    return [p for p in game.places.values() if p.of == of and shape in ("", p.shape)]


# ---------------------------------------------------------------- waiting and leaving
ALWAYS_WAIT = frozenset(
    ("choose", "offer", "may", "pick", "draw", "roll", "peek", "turns", "rounds", "together")
)
ASKS = frozenset(("choose", "offer", "may", "pick"))
JUMPS = frozenset(("stop", "skip", "return", "expire", "cancel"))
LEAVES = JUMPS | {"finish"}


def waits(st: St) -> bool:
    """Does it, by itself, wait for a player or for chance?"""
    return st.op in ALWAYS_WAIT


def secretly(st: St) -> bool:
    """Is something shown so that only its audience notices?"""
    return isinstance(st, Show | Reveal | Peek | ShowOn | PeekShow) and st.secretly


def jumps_out(st: St) -> bool:
    """Does a statement contain a jump, which may lead out of it?"""
    if st.op in JUMPS:
        return True
    if st.op in ("offer", "may") and any(jumps_out(s) for case in st.data.cases for s in case.body):
        return True
    return any(jumps_out(inner) for inner in (*st.body, *st.orelse))


# ---------------------------------------------------------------- what is written
def state_name(decl: Any) -> str:
    return f"{decl.owner}.{decl.name}" if decl.owner else decl.name


def places_of(name: str, game: CheckedGame) -> set[str]:
    """The contents of every place that may hold these, and where they are."""
    return {f"in {state_name(place)}" for place in game.places.values() if place.of == name} | {f"of {name}"}


def writes(st: St, game: CheckedGame) -> set[str]:
    """What one statement (not those inside it) changes."""
    if st.op in WRITES_NOTHING:
        return set()
    out: set[str] = set()
    for transfer in transfers(st):
        if transfer.source is None:
            out |= places_of(transfer.of, game)
        for end in (transfer.source, *ends_up(transfer.target)):
            if end is not None:
                out |= {f"in {state_name(decl)}" for decl in declarations(end, game)}
                out.add(f"of {transfer.of}")
    match st.op:
        case "set":
            out |= _kept(st.args[0])
        case "swap":
            out |= _kept(st.args[0]) | _kept(st.args[1])
        case "shuffle":
            into = st.args[1]
            out |= {f"in {state_name(decl)}" for decl in declarations(into, game)}
            out.add(f"of {into.type.of}")
        case "peek" | "peek_one":  # the top of a deck may become known
            out |= {f"in {state_name(decl)}" for decl in declarations(st.args[1], game)}
        case "move_on":
            out.add(f"of {st.args[0].type.name}")
        case "note":
            out |= {f"record {st.data[0].name}"} if st.data[0] is not None else set()
        case "clear_records":
            out |= {f"record {name}" for name in st.data}
        case "reset_one":
            out.add(st.data)
        case "reset":
            out |= {key for key, state in game.states.items() if state.until in st.data}
        case "action_off":
            out |= {key for key, state in game.states.items() if state.until == "action"}
        case "begin_turn" | "end_turn":
            out.add("active")
        case _ if st.op not in MOVES:
            raise UnknownOperation(f"what does `{st.op}` write?")
    return out


def _kept(ex: Ex) -> set[str]:
    if ex.op == "state":
        return {state_name(ex.data)}
    return {f"record {ex.data[0].name}"} if ex.op == "rec_field" else set()


WRITES_BESIDES = frozenset(  # what does not move anything
    """set note move_on peek peek_one clear_records reset_one reset action_off begin_turn end_turn""".split()
)
WRITES_NOTHING = frozenset(
    """let nothing choose offer may roll turns rounds together show reveal if for repeat as scope
    atomic call require return stop skip cancel expire finish peek_show show_on show_off
    atomic_on atomic_off action_on seal unseal test_before_turn log_clock log_expired
    count""".split()
)


# ---------------------------------------------------------------- what is read
def reads(node: Any, game: CheckedGame, seen: set[str] | None = None) -> set[str]:
    """What an expression depends on. Definitions are followed."""
    seen = set() if seen is None else seen
    out: set[str] = set()
    match node:
        case Ex():
            out |= _own_reads(node, game)
            if node.op == "call" and node.data.name not in seen:
                seen.add(node.data.name)
                out |= reads(node.data.body, game, seen)
            for arg in node.args:
                out |= reads(arg, game, seen)
            if node.op == "comp":
                out |= reads(node.data, game, seen)
        case Comp():
            for part in (*node.gens, node.value, *node.by, node.while_):
                out |= reads(part, game, seen)
        case Gen():
            for part in (node.domain, *node.where, *(domain for _, domain in node.cells)):
                out |= reads(part, game, seen)
        case tuple() | list():
            for part in node:
                out |= reads(part, game, seen)
    return out


def _own_reads(ex: Ex, game: CheckedGame) -> set[str]:
    """What one operation reads, apart from its operands."""
    match ex.op:
        case "state":
            return {state_name(ex.data)}
        case "place" | "places_of":
            return {f"in {state_name(ex.data)}"}
        case "local":
            return places_of(ex.type.of, game) if isinstance(ex.type, t.Place) else set()
        case "rec_field":
            return {f"record {ex.data[0].name}"}
        case "rec_rows":
            return {f"record {ex.data.name}"}
        case "comp_place" | "comp_space" | "turned" | "comp_owner" | "on":
            return {f"of {ex.data.name}"}
        case "total_token" | "total_comp":
            return places_of(ex.data, game)
        case "active" | "turn_number":
            return {"active"}
        case "can" | "can_menu" | "raw":
            return {ANYTHING}
    if ex.op not in READS_NOTHING:
        raise UnknownOperation(f"what does `{ex.op}` read?")
    return set()


READS_NOTHING = frozenset(
    """const me option player_count players universe revealed and or not if eq ne lt le gt ge in is_at
    add sub mul div mod neg abs min_of max_of number in_range set range union difference concat items
    as_set snapshot length element list_at comp call table seat player left right others clockwise
    partition array_at place_is size empty tally slot_kind top bottom nth peek_need field owned_piece
    some cell neighbour ring_step line lines row_of column_of space_at space_x space_y near distance
    rotate opposite beside beyond frontier vector_cells vector_start vector_value tuple_append""".split()
)
"""By themselves, that is: what their operands read is asked of these."""


def touches(written: set[str], read: set[str]) -> bool:
    """Could what was written change what is read?"""
    return (
        bool(written & read) or (bool(written) and ANYTHING in read) or (bool(read) and ANYTHING in written)
    )
