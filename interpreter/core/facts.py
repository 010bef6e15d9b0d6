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

from collections.abc import Iterator
from typing import Any, Never, NoReturn

from attrs import frozen

from . import (
    OPERATORS,
    ActionOff,
    ActionOn,
    And,
    Apply,
    As,
    Atomic,
    AtomicOff,
    AtomicOn,
    Attribute,
    BeginTurn,
    CallDefine,
    CallRule,
    Can,
    Cancel,
    CanMenu,
    CheckedGame,
    Choose,
    ClearRecords,
    CompDecl,
    Conditional,
    Const,
    Coordinate,
    Count,
    Draw,
    DrawOne,
    EndTurn,
    Ex,
    Expire,
    Expr,
    Field,
    Finish,
    For,
    Gen,
    If,
    InPhase,
    InRange,
    Instruction,
    Let,
    Local,
    LogClock,
    LogExpired,
    Lookup,
    May,
    Me,
    Move,
    MoveAll,
    MoveCell,
    MoveOn,
    MoveSet,
    MoveTokens,
    Near,
    Note,
    Nothing,
    Offer,
    Option,
    Or,
    OwnedPiece,
    PartitionOf,
    Peek,
    PeekOne,
    PeekShow,
    Pick,
    PlaceDecl,
    PlaceIs,
    PlaceRef,
    PlacesOf,
    RecordField,
    Reduction,
    Repeat,
    Require,
    Reset,
    ResetOne,
    Return,
    Reveal,
    Roll,
    Rounds,
    Rows,
    Seal,
    SeenByAll,
    Set,
    Show,
    ShowOff,
    ShowOn,
    Shuffle,
    Skip,
    SpaceAt,
    St,
    StateRef,
    Stmt,
    Stop,
    Swap,
    TestBefore,
    Together,
    TotalComponents,
    TotalTokens,
    Turns,
    Universe,
    Unseal,
    VectorCells,
    VectorStart,
    VectorValue,
    as_expression,
    as_statement,
    bodies,
    children,
    map_children,
)
from . import value_types as t

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
    match as_statement(st):
        case Move(thing=things, place=target) | MoveSet(things=things, place=target):
            return (Transfer(target.place_type.of, things, None, target),)
        case MoveAll(source=source, place=target):
            return (Transfer(source.place_type.of, None, source, target),)
        case MoveTokens(amount=amount, source=source, place=target):
            return (Transfer(source.place_type.of, None, source, target, amount),)
        case (
            Draw(amount=amount, source=source, place=target) | Pick(high=amount, source=source, place=target)
        ):
            return (Transfer(source.place_type.of, None, source, target, amount),)
        case MoveCell(source=source, place=target):
            return (Transfer(source.place_type.of, None, source, target, _one(st)),)
        case DrawOne(what=what, source=source, place=target):
            return (Transfer(source.place_type.of, what, source, target, _one(st)),)
        case Shuffle(place=source, into=target):
            return () if source is target else (Transfer(source.place_type.of, None, source, target),)
        case Swap(left=left, right=right):
            return _swapped(left, right)
        case (
            Let() | Set() | Note() | Nothing() | MoveOn() | Choose() | Offer() | May() | Roll() | Peek()
            | Turns() | Rounds() | Together() | Show() | Reveal() | If() | For() | Repeat() | As() | Atomic()
            | CallRule() | Require() | Return() | Stop() | Skip() | Cancel() | Expire() | Finish()
            | InPhase() | PeekOne() | PeekShow() | ShowOn() | ShowOff() | AtomicOn() | AtomicOff()
            | ActionOn() | ActionOff() | Seal() | Unseal() | BeginTurn() | EndTurn() | TestBefore()
            | Reset() | ResetOne() | ClearRecords() | LogClock() | LogExpired() | Count()
        ):  # fmt: skip
            return ()
        case unknown:
            return _nobody_said(unknown, "carry")


def _swapped(left: Ex, right: Ex) -> tuple[Transfer, ...]:
    if isinstance(left, StateRef | RecordField):
        return ()
    if isinstance(left.type, t.Place):
        of = left.type.of
        return (Transfer(of, None, left, right), Transfer(of, None, right, left))
    name = left.component_type.name
    a, b = (
        Attribute(t.Place("", name), side.span, side, CompDecl(name=name, span=side.span), "place")
        for side in (left, right)
    )
    return (Transfer(name, left, a, b), Transfer(name, right, b, a))


def _one(st: St) -> Ex:
    return Const(t.Num(1, 1), st.span, 1)


def _nobody_said(node: Never, what: str) -> NoReturn:
    raise UnknownOperation(f"what does {type(node).__name__} {what}?")


Puts = Move | MoveSet | MoveAll | MoveTokens | MoveCell | Draw | Pick
PUTS = (Move, MoveSet, MoveAll, MoveTokens, MoveCell, Draw, Pick)
"""What puts things into the place that it calls `place`."""

TAKES = (MoveAll, MoveTokens, MoveCell, Draw, Pick)
"""What takes them from its `source`; where single components come from is not said."""


def rest_of(place: Ex) -> Ex | None:
    """Where goes what a place has no room for? `my` in its path means the owner of the place."""
    if not isinstance(place, PlaceRef) or place.place.rest is None:
        return None
    rest = place.place.rest
    return with_me(rest, place.indices[0]) if place.place.owner == "player" else rest


def with_me(ex: Ex, me: Ex) -> Ex:
    return me if isinstance(ex, Me) else map_children(lambda part: with_me(part, me), ex)


def ends_up(target: Ex) -> Iterator[Ex]:
    """The places that something put here may come to lie in: here, or where the rest goes."""
    place: Ex | None = target
    while place is not None:
        yield place
        place = rest_of(place)


def declarations(place: Ex, game: CheckedGame) -> list[PlaceDecl]:
    """The places that an expression may stand for."""
    if isinstance(place, PlaceRef):
        return [place.place]
    of = place.place_type.of
    shape = place.place_type.shape
    return [p for p in game.places.values() if p.of == of and shape in ("", p.shape)]


# ---------------------------------------------------------------- waiting and leaving
ASKS = (Choose, Offer, May, Pick)
ALWAYS_WAIT = (*ASKS, Draw, Roll, Peek, Turns, Rounds, Together)
JUMPS = (Stop, Skip, Return, Expire, Cancel)
LEAVES = (*JUMPS, Finish)


def waits(st: St) -> bool:
    """Does it, by itself, wait for a player or for chance?"""
    return isinstance(st, ALWAYS_WAIT)


def secretly(st: St) -> bool:
    """Is something shown so that only its audience notices?"""
    return isinstance(st, Show | Reveal | Peek | ShowOn | PeekShow) and st.secretly


def jumps_out(st: St) -> bool:
    """Does a statement contain a jump, which may lead out of it?"""
    return isinstance(st, JUMPS) or any(jumps_out(inner) for body in bodies(st) for inner in body)


# ---------------------------------------------------------------- what is written
def state_name(decl: Any) -> str:
    return f"{decl.owner}.{decl.name}" if decl.owner else decl.name


def places_of(name: str, game: CheckedGame) -> set[str]:
    """The contents of every place that may hold these, and where they are."""
    return {f"in {state_name(place)}" for place in game.places.values() if place.of == name} | {f"of {name}"}


def writes(st: St, game: CheckedGame) -> set[str]:
    """What one statement (not those inside it) changes."""
    out: set[str] = set()
    for transfer in transfers(st):
        if transfer.source is None:
            out |= places_of(transfer.of, game)
        for end in (transfer.source, *ends_up(transfer.target)):
            if end is not None:
                out |= _contents(end, game) | {f"of {transfer.of}"}
    return out | _written_besides(as_statement(st), game)


def brought_to_light(st: St, game: CheckedGame) -> set[str]:
    """The places out of which one statement takes something, in sight of all, or that it opens to all."""
    out: set[str] = set()
    for transfer in transfers(st):
        target = _contents(transfer.target, game)
        if all(game.places[name.removeprefix("in ")].seen == SeenByAll() for name in target):
            out |= (
                places_of(transfer.of, game) if transfer.source is None else _contents(transfer.source, game)
            )
    match as_statement(st):
        case Show(place=place, audience=SeenByAll()) | Reveal(place=place, audience=SeenByAll()):
            out |= _kept(place) if isinstance(place, StateRef) else _contents(place, game)
    return out


def _written_besides(st: Stmt | Instruction, game: CheckedGame) -> set[str]:
    """What it changes besides what it moves."""
    match st:
        case Set(target=target):
            return _kept(target)
        case Swap(left=left, right=right):
            return _kept(left) | _kept(right)
        case Shuffle(into=into):
            return _contents(into, game) | {f"of {into.place_type.of}"}
        case Peek(place=place) | PeekOne(place=place):  # the top of a deck may become known
            return _contents(place, game)
        case MoveOn(thing=thing):
            return {f"of {thing.component_type.name}"}
        case Note(record=record):
            return {f"record {record.name}"}
        case ClearRecords(records=records):
            return {f"record {name}" for name in records}
        case ResetOne(state=state):
            return {state}
        case Reset(names=names):
            return {key for key, state in game.states.items() if state.until in names}
        case ActionOff():
            return {key for key, state in game.states.items() if state.until == "action"}
        case BeginTurn() | EndTurn():
            return {"active"}
        case (
            Let() | Nothing() | Move() | MoveSet() | MoveAll() | MoveTokens() | MoveCell() | Choose() | Pick()
            | Offer() | May() | Draw() | Roll() | Turns() | Rounds() | Together() | Show() | Reveal() | If()
            | For() | Repeat() | As() | Atomic() | CallRule() | Require() | Return() | Stop() | Skip()
            | Cancel() | Expire() | Finish() | InPhase() | DrawOne() | PeekShow() | ShowOn() | ShowOff()
            | AtomicOn() | AtomicOff() | ActionOn() | Seal() | Unseal() | TestBefore() | LogClock()
            | LogExpired() | Count()
        ):  # fmt: skip
            return set()
        case unknown:
            return _nobody_said(unknown, "write")


def _contents(place: Ex, game: CheckedGame) -> set[str]:
    return {f"in {state_name(decl)}" for decl in declarations(place, game)}


def _kept(ex: Ex) -> set[str]:
    if isinstance(ex, StateRef):
        return {state_name(ex.state)}
    return {f"record {ex.record.name}"} if isinstance(ex, RecordField) else set()


# ---------------------------------------------------------------- what is read
def reads(
    node: Ex | Gen | tuple[Any, ...] | list[Any] | None, game: CheckedGame, seen: set[str] | None = None
) -> set[str]:
    """What an expression depends on. Definitions are followed."""
    seen = set() if seen is None else seen
    out: set[str] = set()
    if isinstance(node, tuple | list):
        return out.union(*(reads(part, game, seen) for part in node))
    if isinstance(node, Ex):
        out |= _own_reads(as_expression(node), game)
    if isinstance(node, CallDefine) and node.define.name not in seen:
        seen.add(node.define.name)
        out |= reads(node.define.body, game, seen)
    if node is not None:
        for part in children(node):
            out |= reads(part, game, seen)
    return out


def _own_reads(ex: Expr, game: CheckedGame) -> set[str]:
    """What one expression reads, apart from those inside it."""
    match ex:
        case StateRef(state=state):
            return {state_name(state)}
        case PlaceRef(place=place) | PlacesOf(place=place):
            return {f"in {state_name(place)}"}
        case Local():
            return places_of(ex.type.of, game) if isinstance(ex.type, t.Place) else set()
        case RecordField(record=record) | Rows(record=record):
            return {f"record {record.name}"}
        case Attribute(component=component):
            return {f"of {component.name}"}
        case TotalTokens(token=name) | TotalComponents(component=name):
            return places_of(name, game)
        case Apply(op=op):
            return set(OPERATORS[op].reads) if op in OPERATORS else _no_operator(op)
        case Can() | CanMenu():
            return {ANYTHING}
        case (
            Const() | Me() | Option() | Universe() | And() | Or() | Conditional() | Reduction() | CallDefine()
            | Lookup() | PartitionOf() | Field() | OwnedPiece() | SpaceAt() | Coordinate() | Near() | InRange()
            | PlaceIs() | VectorCells() | VectorStart() | VectorValue()
        ):  # fmt: skip
            return set()
        case unknown:
            return _nobody_said(unknown, "read")


def fails(ex: Ex) -> bool:
    """May an expression itself, apart from those inside it, fail at play?"""
    match as_expression(ex):
        case InRange() | SpaceAt() | Lookup() | Can() | CanMenu():
            return True
        case Apply(op=op):
            return OPERATORS[op].fails
        case PlaceRef(indices=indices):
            return any(isinstance(index.type, t.Opt) for index in indices)
        case Reduction(kind=kind):
            return kind == "the"
        case (
            Const() | Local() | Me() | Option() | Universe() | And() | Or() | Conditional() | CallDefine()
            | PartitionOf() | PlacesOf() | StateRef() | RecordField() | Rows() | Field() | Attribute()
            | OwnedPiece() | TotalTokens() | TotalComponents() | Coordinate() | Near() | PlaceIs()
            | VectorCells() | VectorStart() | VectorValue()
        ):  # fmt: skip
            return False
        case unknown:
            return _nobody_said(unknown, "fail at")


def _no_operator(op: str) -> NoReturn:
    raise UnknownOperation(f"what does `{op}` read?")


def touches(written: set[str], read: set[str]) -> bool:
    """Could what was written change what is read?"""
    return (
        bool(written & read) or (bool(written) and ANYTHING in read) or (bool(read) and ANYTHING in written)
    )
