"""Who can work out a score before the end: whoever sees all that it is made of.

The definition of `score` is followed into all that it calls. Each place and state
that it reads is looked up as exactly as the text allows: `p.purse` in `score(p)`
is the purse of that one player, while behind `for q in players` every purse
counts. What cannot be followed is taken to be seen by nobody.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import TYPE_CHECKING, Any, assert_never

from ..core import (
    OPERATORS,
    And,
    Apply,
    Attribute,
    CallDefine,
    Can,
    CanMenu,
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
    PlaceDecl,
    PlaceIs,
    PlaceRef,
    PlacesOf,
    RecordField,
    Reduction,
    Rows,
    SpaceAt,
    StateRef,
    TotalComponents,
    TotalTokens,
    Universe,
    VectorCells,
    VectorStart,
    VectorValue,
    as_expression,
    children,
)
from ..core import value_types as t
from ..core.facts import state_name

if TYPE_CHECKING:
    from .visibility import Position, Watcher

Known = Mapping[str, Any]
"""By uid of a name: the seat, or the place as an expression with its own `Known`."""
Need = tuple[str, str, int]
"""Something that must be seen: `seen`, `size_seen`, `top_seen` or `state`, a declaration, which of them."""
NEVER: Need = ("nothing", "", 0)


class SeenScores:
    """Made for one engine's watcher, if the game has a score."""

    def __init__(self, watcher: Watcher) -> None:
        self.watcher = watcher
        self.layout = watcher.layout
        score = watcher.game.score
        self.needs: list[frozenset[Need]] = []
        if score is not None:
            for seat in range(self.layout.players):
                self.needs.append(frozenset(self._of(score.body, {score.params[0].uid: seat})))

    def viewers(self, state: Position, seat: int) -> int:
        """The mask of those who can work out the score of a seat (from 0)."""
        mask = self.watcher.everyone
        for what, key, index in self.needs[seat]:
            if what == "state":
                mask &= self.watcher.state_mask(state, key, index)
            elif what == "nothing":
                return 0
            else:
                mask &= self.watcher.place_mask(state, key, index, what)
        return mask

    # ------------------------------------------------------------ what an expression reads
    def _of(self, node: Any, known: Known) -> Iterator[Need]:
        match node:
            case Ex():
                yield from self._read(node, known)

    def _read(self, ex: Ex, known: Known) -> Iterator[Need]:
        stated = as_expression(ex)
        match stated:
            case Apply(op="revealed"):
                return
            case Apply(op=op, args=(PlaceRef() as place, *_)) if OPERATORS[op].looks in ("size", "top"):
                what = f"{OPERATORS[op].looks}_seen"
                if what == "top_seen" and place.place.top_seen is None:
                    what = "seen"
                yield from self._cells(place, known, what)
                return
            case PlaceRef():
                yield from self._cells(stated, known, "seen")
            case StateRef():
                yield from self._cells(stated, known, "state")
            case Local() if isinstance(stated.type, t.Place):
                meant = known.get(stated.var.uid)
                if meant is None:
                    yield from self._all_places(stated.type.of)
                else:
                    yield from self._of(*meant)
                return
            case TotalTokens(token=name) | TotalComponents(component=name):
                yield from self._all_places(name)
            case Attribute(name="space" | "turned" | "owner" | "place"):
                yield from self._all_places(stated.component.name)
            case Can() | CanMenu():
                yield NEVER
            case CallDefine():
                inner: dict[str, Any] = {}
                for param, arg in zip(stated.define.params, stated.args, strict=False):
                    if isinstance(param.type, t.Place):
                        inner[param.uid] = (arg, known)
                    elif isinstance(param.type, t.Player) and (seat := self._seat(arg, known)) is not None:
                        inner[param.uid] = seat
                yield from self._of(stated.define.body, inner)
            case (
                Apply() | Const() | Local() | Me() | Option() | Universe() | And() | Or() | Conditional()
                | Reduction() | Lookup() | PartitionOf() | PlacesOf() | RecordField() | Rows() | Field()
                | Attribute() | OwnedPiece() | SpaceAt() | Coordinate() | Near() | InRange() | PlaceIs()
                | VectorCells() | VectorStart() | VectorValue()
            ):  # fmt: skip
                pass  # reads no more than what is inside it
            case _:
                assert_never(stated)
        for part in children(ex):
            if not (isinstance(part.type, t.Place) and isinstance(ex, CallDefine)):
                yield from self._of(part, known)

    def _seat(self, ex: Ex, known: Known) -> int | None:
        if isinstance(ex, Local) and isinstance(known.get(ex.var.uid), int):
            return int(known[ex.var.uid])
        return None

    def _cells(self, ex: PlaceRef | StateRef, known: Known, what: str) -> Iterator[Need]:
        """The one of a declaration that is meant, or all that it may be."""
        decl = ex.place if isinstance(ex, PlaceRef) else ex.state
        key = state_name(decl)
        if key.startswith("box of"):
            return
        sizes = self.layout.states[key][1] if what == "state" else self.layout.places[key][1]
        ranges = [range(size) for size in sizes]
        if decl.owner == "player" and ex.indices and (seat := self._seat(ex.indices[0], known)) is not None:
            per = decl.per if isinstance(decl, PlaceDecl) else None
            first = self.layout.groups[per][seat] if per else seat
            ranges[0] = range(first, first + 1)
        for keys in product(*ranges):
            index = 0
            for part, size in zip(keys, sizes, strict=True):
                index = index * size + part
            yield what, key, index

    def _all_places(self, name: str) -> Iterator[Need]:
        for key, place in self.layout.game.places.items():
            if place.of == name:
                for index in range(len(self.layout.instances[key])):
                    yield "seen", key, index
