"""Who sees what: visibility of places and states, and the events each seat notices.

Everything here is derived from `seen by` in the spec. What a seat notices is
added to its observations; views.py shows what lies open now. In a sealed
`together`, what others do is noticed only when all are done.

Who sees something is a mask of seats. One bit more stands for a spectator, who
has no seat, sees what every seat sees, and notices what every seat notices.
"""

from __future__ import annotations

import sys
from math import prod
from typing import TYPE_CHECKING, Any, Protocol, assert_never

from ..core import Audience, PlaceDecl, SeenBy, SeenByAll, SeenByNobody, SeenByOwner
from ..core import value_types as t
from ..core.events import (
    IN_SECRET,
    AllMoved,
    Chosen,
    MatchOver,
    Observation,
    PieceStands,
    PlaceShown,
    PlaceShownToOthers,
    PlacesSwapped,
    Rolled,
    RolledInSecret,
    RowNoted,
    Shuffled,
    StateSet,
    ThingMoved,
    ThingsExchanged,
    TokensMoved,
    TopSeen,
    TopSeenByOthers,
    event_from,
)
from ..program.layout import PlaceInstance
from .handles import Handles
from .labels import Values
from .seen_scores import SeenScores
from .views import contents_of, row_of, view

if TYPE_CHECKING:
    from .engine import Engine
    from .state import State


class Position(Protocol):
    """What has to be known to say who sees what: a state, or what is kept of one behind a seal."""

    I: list[int]
    L: list[list[int]]


class Watcher:
    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.layout = engine.layout
        self.game = engine.game
        self.spectator = engine.players
        self.seats = (1 << engine.players) - 1
        self.everyone = self.seats | 1 << self.spectator
        self.values = Values(engine.layout)
        self.comp_places: dict[int, tuple[str, int, PlaceInstance]] = {}
        self.token_places: dict[int, tuple[str, int, PlaceInstance]] = {}
        self.labels: dict[tuple[str, int], str] = {}
        for key, instances in self.layout.instances.items():
            for index, instance in enumerate(instances):
                table = self.token_places if instance.decl.tokens else self.comp_places
                table[instance.ref] = (key, index, instance)
                self.labels[key, index] = self.values.place_label(key, instance)
        self._state_labels: dict[str, list[str]] = {}
        self._audiences: dict[tuple[str, int, str], int] = {}
        self._state_audiences: dict[tuple[str, int], int] = {}
        self._scores: SeenScores | None = None
        self.handles = Handles(self)

    # ------------------------------------------------------------ visibility
    def public(self, mask: int) -> int:
        """A mask of seats; what all of them see a spectator sees, too."""
        return self.everyone if mask & self.seats == self.seats else mask

    def mask(self, audience: Audience | None, decl: Any, key: str, index: int, owner: int) -> int:
        """The seats that an audience is, for one of the places or states of a declaration."""
        match audience:
            case SeenByAll():
                return self.everyone
            case SeenByNobody() | None:
                return 0
            case SeenByOwner():
                if isinstance(decl, PlaceDecl) and decl.per:
                    groups, mine = self.layout.groups[decl.per], self.layout.instances[key][index].keys[0]
                    return sum(1 << p for p, g in enumerate(groups) if g == mine)
                return 1 << owner if owner >= 0 else 0
            case SeenBy():
                return self.layout.constants.evaluate(audience.players)
            case _:
                assert_never(audience)

    def place_mask(self, state: Position, key: str, index: int, what: str = "seen") -> int:
        """The seats that see a place: its contents, its `size_seen` or its `top_seen`."""
        mask = self.declared_mask(key, index, what)
        if key in self.layout.grants:
            shown = state.I[self.layout.grants[key] + index]
            mask |= self.everyone if shown < 0 else shown
        return self.public(mask)

    def declared_mask(self, key: str, index: int, what: str = "seen") -> int:
        """The same without what is shown or was revealed."""
        cached = self._audiences.get((key, index, what))
        if cached is None:
            instance = self.layout.instances[key][index]
            cached = self.public(
                self.mask(getattr(instance.decl, what), instance.decl, key, index, instance.owner)
            )
            self._audiences[key, index, what] = cached
        return cached

    def state_mask(self, state: Position, key: str, index: int) -> int:
        """The seats that see a state. What is written on a component is seen where the component is."""
        mask = self.declared_state_mask(state, key, index)
        owner = self.game.states[key].owner
        if owner in self.layout.comps:
            mask &= self.viewers_of(state, owner, self.member_of(key, index))
        return mask

    def declared_state_mask(self, state: Position, key: str, index: int) -> int:
        """The same, whatever becomes of the component that the state belongs to."""
        mask = self.state_audience(key, index)
        if key in self.layout.grants:
            return self.public(mask | state.I[self.layout.grants[key] + index])
        return mask

    def state_audience(self, key: str, index: int) -> int:
        """The seats that see a state by its declaration alone."""
        cached = self._state_audiences.get((key, index))
        if cached is None:
            decl = self.game.states[key]
            cached = self.public(self.mask(decl.seen, decl, key, index, self.state_owner(key, index)))
            self._state_audiences[key, index] = cached
        return cached

    def state_labels(self, key: str) -> list[str]:
        """What the states of a declaration are called, with the true numbers of components."""
        if key not in self._state_labels:
            indices = range(prod(self.layout.states[key][1]))
            self._state_labels[key] = [self.values.state_label(key, index) for index in indices]
        return self._state_labels[key]

    def state_owner(self, key: str, index: int) -> int:
        """The seat that a state belongs to, or -1."""
        return self.member_of(key, index) if self.game.states[key].owner == "player" else -1

    def member_of(self, key: str, index: int) -> int:
        """The player or component that has this one of the states of a declaration."""
        _, sizes, _ = self.layout.states[key]
        for size in sizes[1:]:
            index //= size
        return index

    def viewers_of(self, state: Position, comp: str, c: int) -> int:
        """The seats that know which component this is, where it lies now."""
        layout = self.layout.comps[comp]
        ref = state.I[layout.where + c] if layout.decl.on is None else -1
        if ref not in self.comp_places:
            return self.everyone
        key, index, instance = self.comp_places[ref]
        mask = self.place_mask(state, key, index)
        shape = instance.decl.form
        L = state.L
        if shape.hidden:
            for known, masks in ((ref + 1, ref + 3), (ref + 2, ref + 4), (ref + 5, ref + 7)):
                if c in L[known]:
                    mask |= L[masks][L[known].index(c)]
        if instance.decl.top_seen is not None and shape.top_open and L[ref] and L[ref][-1] == c:
            mask |= self.place_mask(state, key, index, "top_seen")
        return self.public(mask)

    def sees_score(self, state: State, viewer: int, seat: int) -> bool:
        """Can a seat, or a spectator, work out the score of a seat from what is in sight?"""
        return state.sealed is None and bool(self.seen_scores.viewers(state, seat) >> viewer & 1)

    @property
    def seen_scores(self) -> SeenScores:
        if self._scores is None:
            self._scores = SeenScores(self)
        return self._scores

    # ------------------------------------------------------------ events
    def tell(self, state: State, event: Observation, mask: int, owners: tuple[int, ...] = ()) -> None:
        """Add an event to what some seats have noticed, later if it happens behind a seal."""
        assert state.seen is not None
        if event.cause is None:
            event.cause = self._cause()
        for p in range(self.engine.players + 1):
            if mask >> p & 1:
                if state.sealed is not None and p not in owners:
                    state.queue.append((p, event))
                else:
                    self.handles.add(state, p, event)

    def _cause(self) -> str | None:
        """The rule that is being carried out: generated code says so behind the line that tells something."""
        frame, text, causes = sys._getframe(2), self.engine.code.co_filename, self.engine.generated.causes
        while frame is not None and frame.f_code.co_filename != text:
            frame = frame.f_back  # type: ignore[assignment]
        return causes.get(frame.f_lineno) if frame is not None else None

    def _at_once(self, state: State, owners: tuple[int, ...]) -> int:
        """Those for whom what an owner does counts now: behind a seal nobody else."""
        if state.sealed is None:
            return self.everyone
        return sum(1 << owner for owner in set(owners) if owner >= 0)

    def _looked(self, state: State, ref: int, owners: tuple[int, ...] = ()) -> None:
        """Who sees what lies in a place may have changed."""
        if state.names is None:
            return
        decl = self.comp_places[ref][2].decl
        if decl.of in self.handles.first:
            now = self._at_once(state, owners)
            lists = (1, 0, 5, 2) if decl.form.hidden else (0,)
            self.handles.look(state, decl.of, [c for n in lists for c in state.L[ref + n]], now)
            self.handles.tidy(state, ref, now)

    def everybody(self, state: State, event: Observation) -> None:
        self.tell(state, event, self.everyone)

    def unsealed(self, state: State) -> None:
        assert state.seen is not None
        for p, event in state.queue:
            self.handles.add(state, p, event)
        state.queue = []
        self._look_around(state)

    def _look_around(self, state: State) -> None:
        """Anything may have come to lie anywhere."""
        if state.names is not None:
            for comp in self.handles.first:
                self.handles.look(state, comp, range(self.layout.comps[comp].count), self.everyone)
                self._tidy_all(state, comp, self.everyone)

    def _tidy_all(self, state: State, comp: str, now: int) -> None:
        for ref, (_, _, place) in self.comp_places.items():
            if place.decl.of == comp:
                self.handles.tidy(state, ref, now)

    def position_set(self, state: State, noticed: list[list[tuple[Any, ...]]]) -> None:
        """The position was set by hand, and each seat, and a spectator, has noticed this of it."""
        self.begin_step(state)
        for p, events in enumerate(noticed):
            for event in events:
                self.tell(state, event_from(event), 1 << p)
        self._look_around(state)

    def begin_step(self, state: State) -> None:
        """What has been noticed so far stays in its order."""
        if state.names is not None and state.seen is not None:
            state.names.floor = tuple(map(len, state.seen))

    def chosen(self, state: State, value: Any) -> None:
        self.begin_step(state)
        if state.player < 0:
            rolls = self.engine.generated.rolls
            if state.pc in rolls:
                fixed = rolls[state.pc]
                mask = self.public(int(fixed) if fixed is not None else state.rv)
                shown = self.values.encode(value, self.engine.generated.chances[state.pc])
                open_, secret = Rolled(shown), RolledInSecret()
                open_.cause = secret.cause = self.engine.generated.rules[state.pc][-1]
                self.tell(state, open_, mask)
                self.tell(state, secret, self.everyone & ~mask)
            return
        point = self.engine.points[state.pc]
        key = self.values.option_key(point, value)
        own = 1 << state.player
        event = Chosen(state.player + 1, point.rule, key)
        event.cause = point.rule
        declined = point.quiet and value == (len(point.cases) - 1 if point.kind == "offer" else -1)
        self.tell(state, event, own, (state.player,))
        if (
            state.names is not None
            and isinstance(point.type, t.Comp)
            and point.type.name in self.handles.first
        ):
            self.handles.look(state, point.type.name, (value,), own)
        if point.private or declined:
            return
        # a choice of several parts is noticed by the others as a whole, if they see all that is chosen
        state.held.append((event, self._who_sees(state, value, point.type)))
        if point.last:
            mask = self.everyone & ~own
            for _, seen in state.held:
                mask &= seen
            for part, _ in state.held:
                self.tell(state, part, mask)
            state.held = []

    def _who_sees(self, state: State, value: Any, type_: t.Type | None) -> int:
        """Those who see what was chosen: of a component, where it lies now."""
        match type_:
            case t.Opt(of=of) if value != -1:
                return self._who_sees(state, value, of)
            case t.Comp(name=name):
                return self.viewers_of(state, name, value)
        return self.everyone

    def cell(self, state: State) -> tuple[str, ...]:
        """Of a vector that is being chosen: the indices of the cell that is asked for. Else nothing."""
        where = self.engine.generated.vectors.get(state.pc)
        if where is None:
            return ()
        cells, filled = state.st[where[0]], state.st[where[1]]
        values = self.values_for(state, state.player)
        return values.cell(self.engine.points[state.pc], cells[0][len(filled)])

    def values_for(self, state: State, viewer: int | None) -> Values:
        """Values as a seat, or a spectator, reads them; None: with the true numbers."""
        return self.values if viewer is None else self.handles.values(state, viewer)

    def finished(self, state: State) -> None:
        winners = tuple(p + 1 for p in range(self.engine.players) if state.winners >> p & 1)
        self.unsealed(state)
        self.everybody(state, MatchOver(winners, state.reason))

    def before_move(self, state: State, comp: str, c: int) -> tuple[int, int]:
        return state.I[self.layout.comps[comp].where + c], self.viewers_of(state, comp, c)

    def moved(
        self, state: State, comp: str, c: int, before: tuple[int, int], dest: int, spot: int | str
    ) -> None:
        """`spot` is the space of a grid, a position counted from the top, `top`, `bottom`, or -1."""
        source, knew = before
        from_key, from_index, from_place = self.comp_places[source]
        to_key, to_index, to_place = self.comp_places[dest]
        know = self.public(knew | self.viewers_of(state, comp, c))
        notice = self.public(
            know
            | self.place_mask(state, from_key, from_index, "size_seen")
            | self.place_mask(state, to_key, to_index, "size_seen")
        )
        ends: tuple[Any, ...] = (self.labels[from_key, from_index], self.labels[to_key, to_index])
        turned: tuple[int, ...] = ()
        if isinstance(spot, str):
            ends = (*ends, spot)
        elif spot >= 0 and to_key not in self.layout.geometries:
            ends = (*ends, f"{spot} from the top")
        elif spot >= 0:
            ends = (*ends, self.layout.geometries[to_key].xy(spot))
            turned = (state.I[self.layout.comps[comp].turned + c],)
        owners = (from_place.owner, to_place.owner)
        self.tell(state, ThingMoved(self.values.comp_name(comp, c), *ends, *turned), know, owners)
        self.tell(state, ThingMoved(comp, *ends), notice & ~know, owners)
        if state.names is not None and comp in self.handles.first:
            self.handles.look(state, comp, (c,), self._at_once(state, owners))
            for ref, place in ((source, from_place), (dest, to_place)):
                if place.decl.top_seen is not None:
                    self._looked(state, ref, owners)
            self.handles.tidy(state, dest, self._at_once(state, owners))

    def tokens(
        self, state: State, token: str, amount: int, kind: int, src: int, dest: int, cell: int
    ) -> None:
        if amount == 0:
            return
        from_key, from_index, from_place = self.token_places[src]
        to_key, to_index, to_place = self.token_places[dest]
        know = self.public(
            self.place_mask(state, from_key, from_index) | self.place_mask(state, to_key, to_index)
        )
        notice = self.public(
            know
            | self.place_mask(state, from_key, from_index, "size_seen")
            | self.place_mask(state, to_key, to_index, "size_seen")
        )
        ends: tuple[Any, ...] = (self.labels[from_key, from_index], self.labels[to_key, to_index])
        if cell >= 0 and to_key in self.layout.geometries:
            ends = (*ends, self.layout.geometries[to_key].xy(cell))
        owners = (from_place.owner, to_place.owner)
        name = self.game.kinds[token].values[kind]
        self.tell(state, TokensMoved(amount, name, *ends), know, owners)
        self.tell(state, TokensMoved(amount, token, *ends), notice & ~know, owners)

    def was_set(self, state: State, key: str, index: int, only: int | None = None) -> None:
        """`only`: it was shown to these in secret, and nobody else notices."""
        word = IN_SECRET if only is not None else ()
        mask = self.state_mask(state, key, index) if only is None else self.public(only)
        value = state.I[self.layout.states[key][0] + index]
        owner = self.state_owner(key, index)
        shown = self.values.encode(value, self.game.states[key].type)
        self.tell(state, StateSet(self.values.state_label(key, index), shown, *word), mask, (owner,))
        if state.names is not None:
            for comp in self.handles.named_by[key]:
                cards = range(self.layout.comps[comp].count)
                self.handles.look(state, comp, cards, self._at_once(state, (owner,)))
                self._tidy_all(state, comp, self._at_once(state, (owner,)))

    def noted(self, state: State, name: str, row: int) -> None:
        """What is noted in a record is said aloud, and so is a change of it."""
        cells = row_of(self.values, state.I, name, row)
        self.everybody(state, RowNoted(f"{name}#{row + 1}", tuple(cells.items())))

    def stands(self, state: State, comp: str, c: int) -> None:
        layout = self.layout.comps[comp]
        on = layout.decl.on
        assert on is not None
        there = state.I[layout.on + c]
        know = self.everyone
        if isinstance(on, t.Comp) and there >= 0:
            know = self.viewers_of(state, on.name, there)
        owners = (self.piece_owner(comp, c),)
        piece = self.values.comp_name(comp, c)
        self.tell(state, PieceStands(piece, self.values.encode(there, t.Opt(on))), know, owners)
        self.tell(state, PieceStands(piece, str(on)), self.everyone & ~know, owners)

    def piece_owner(self, comp: str, c: int) -> int:
        """Whose piece it is; -1 for one that is nobody's."""
        return c if comp.startswith("player.") else -1

    def swapped(self, state: State, of: str, a: int, b: int) -> None:
        table = self.token_places if of in self.game.tokens else self.comp_places
        names = tuple(self.labels[table[ref][0], table[ref][1]] for ref in (a, b))
        self.everybody(state, PlacesSwapped(*names))
        if of not in self.game.tokens:
            self._looked(state, a)
            self._looked(state, b)

    def exchanged(self, state: State, comp: str, a: int, b: int) -> None:
        know = self.public(self.viewers_of(state, comp, a) | self.viewers_of(state, comp, b))
        pair = (self.values.comp_name(comp, a), self.values.comp_name(comp, b))
        self.tell(state, ThingsExchanged(*pair), know)
        self.tell(state, ThingsExchanged(comp, comp), self.everyone & ~know)
        for c in (a, b):
            self._looked(state, state.I[self.layout.comps[comp].where + c])

    def shown(self, state: State, key: str, index: int, viewers: int, *, secretly: bool = False) -> None:
        viewers = self.public(viewers)
        contents = contents_of(self.values, state.I, state.L, key, index)
        word = IN_SECRET if secretly else ()
        self.tell(state, PlaceShown(self.labels[key, index], contents, *word), viewers)
        if not secretly:
            self.tell(state, PlaceShownToOthers(self.labels[key, index]), self.everyone & ~viewers)
        self.covered(state, key, index)

    def covered(self, state: State, key: str, index: int) -> None:
        """A place is no longer shown, or only just."""
        instance = self.layout.instances[key][index]
        if not instance.decl.tokens:
            self._looked(state, instance.ref)

    def peeked(
        self, state: State, comp: str, place: int, amount: int, viewers: int, *, secretly: bool = False
    ) -> None:
        viewers = self.public(viewers)
        top = state.L[place + 1][::-1][:amount]
        key, index, instance = self.comp_places[place]
        names = tuple(self.values.comp_name(comp, c) for c in top)
        owners = (instance.owner,)
        word = IN_SECRET if secretly else ()
        self.tell(state, TopSeen(self.labels[key, index], names, *word), viewers, owners)
        if not secretly:
            self.tell(
                state, TopSeenByOthers(self.labels[key, index], len(names)), self.everyone & ~viewers, owners
            )
        self._looked(state, place, owners)

    def all_moved(self, state: State, source: int, dest: int) -> None:
        self.everybody(state, AllMoved(self.engine.place_label(source), self.engine.place_label(dest)))
        self._looked(state, dest)

    def shuffled(self, state: State, source: int, dest: int) -> None:
        self.everybody(state, Shuffled(self.engine.place_label(dest)))
        self._looked(state, dest)

    # ------------------------------------------------------------ views
    def view(self, state: State, viewer: int | None) -> dict[str, Any]:
        """What one seat sees now, or a spectator. None sees everything, as whoever looks for a mistake does."""
        return view(self, state, viewer)
