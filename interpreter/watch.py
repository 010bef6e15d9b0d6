"""Who sees what: visibility of places and states, the events each player notices, views.

Everything here is derived from `seen by` in the spec. A view is what lies open
now; `observations` are what a player has noticed since the start. In a sealed
`together`, what others do is noticed, and shown in views, only when all are done.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from . import types as t
from .core import Ex, PlaceDecl
from .layout import PlaceInstance
from .values import Values

if TYPE_CHECKING:
    from .engine import Engine
    from .state import State


class Watcher:
    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.layout = engine.layout
        self.game = engine.game
        self.everyone = (1 << engine.players) - 1
        self.values = Values(engine.layout)
        self.comp_places: dict[int, tuple[str, int, PlaceInstance]] = {}
        self.token_places: dict[int, tuple[str, int, PlaceInstance]] = {}
        self.labels: dict[tuple[str, int], str] = {}
        for key, instances in self.layout.instances.items():
            for index, instance in enumerate(instances):
                table = self.token_places if instance.decl.tokens else self.comp_places
                table[instance.ref] = (key, index, instance)
                self.labels[key, index] = self.values.place_label(key, instance)
        self._audiences: dict[tuple[str, int, str], int] = {}

    # ------------------------------------------------------------ visibility
    def _mask(self, audience: Any, decl: Any, key: str, index: int, owner: int) -> int:
        if audience == "all":
            return self.everyone
        if audience is None or audience == "nobody":
            return 0
        if audience == "owner":
            if isinstance(decl, PlaceDecl) and decl.per:
                groups = self.layout.groups[decl.per]
                return sum(
                    1 << p for p, g in enumerate(groups) if g == self.layout.instances[key][index].keys[0]
                )
            return 1 << owner if owner >= 0 else 0
        assert isinstance(audience, Ex)
        return self.layout.constants.evaluate(audience)

    def place_mask(self, state: State, key: str, index: int, what: str = "seen") -> int:
        """The seats that see a place: its contents, its `size_seen` or its `top_seen`."""
        mask = self.declared_mask(key, index, what)
        if key in self.layout.grants:
            shown = state.I[self.layout.grants[key] + index]
            mask |= self.everyone if shown < 0 else shown
        return mask

    def declared_mask(self, key: str, index: int, what: str = "seen") -> int:
        """The same without what is shown or was revealed."""
        cached = self._audiences.get((key, index, what))
        if cached is None:
            instance = self.layout.instances[key][index]
            cached = self._mask(getattr(instance.decl, what), instance.decl, key, index, instance.owner)
            self._audiences[key, index, what] = cached
        return cached

    def state_mask(self, state: State, key: str, index: int) -> int:
        decl = self.game.states[key]
        owner = self._state_owner(key, index)
        mask = self._mask(decl.seen, decl, key, index, owner)
        if key in self.layout.grants:
            mask |= state.I[self.layout.grants[key] + index]
        return mask

    def _state_owner(self, key: str, index: int) -> int:
        decl = self.game.states[key]
        if decl.owner != "player":
            return -1
        _, sizes, _ = self.layout.states[key]
        for size in sizes[1:]:
            index //= size
        return index

    def viewers_of(self, state: State, comp: str, c: int) -> int:
        """The seats that know which component this is, where it lies now."""
        layout = self.layout.comps[comp]
        ref = state.I[layout.where + c]
        if ref not in self.comp_places:
            return self.everyone
        key, index, instance = self.comp_places[ref]
        mask = self.place_mask(state, key, index)
        shape = instance.decl.shape
        L = state.L
        if shape == "deck":
            for known, masks in ((ref + 1, ref + 3), (ref + 2, ref + 4), (ref + 5, ref + 7)):
                if c in L[known]:
                    mask |= L[masks][L[known].index(c)]
        if instance.decl.top_seen is not None and shape in ("stack", "row") and L[ref] and L[ref][-1] == c:
            mask |= self.place_mask(state, key, index, "top_seen")
        return mask

    # ------------------------------------------------------------ events
    def tell(self, state: State, event: Any, mask: int, owners: tuple[int, ...] = ()) -> None:
        """Add an event to what some seats have noticed, later if it happens behind a seal."""
        assert state.seen is not None
        for p in range(self.engine.players):
            if mask >> p & 1:
                if state.sealed is not None and p not in owners:
                    state.queue.append((p, event))
                else:
                    state.seen[p].append(event)

    def everybody(self, state: State, event: Any) -> None:
        self.tell(state, event, self.everyone)

    def unsealed(self, state: State) -> None:
        assert state.seen is not None
        for p, event in state.queue:
            state.seen[p].append(event)
        state.queue = []

    def chosen(self, state: State, value: Any) -> None:
        if state.player < 0:
            rolls = self.engine.generated.rolls
            if state.pc in rolls:
                fixed = rolls[state.pc]
                mask = int(fixed) if fixed is not None else state.rv
                shown = self.values.encode(value, self.engine.generated.chances[state.pc])
                self.tell(state, ("roll", shown), mask)
                self.tell(state, ("roll",), self.everyone & ~mask)
            return
        point = self.engine.points[state.pc]
        key = self.values.option_key(point, value)
        own = 1 << state.player
        event = ("choice", state.player + 1, point.rule, key)
        declined = point.quiet and value == len(point.cases) - 1
        self.tell(state, event, own, (state.player,))
        if point.private or declined:
            return
        state.held.append(event)  # a choice of several parts is noticed by the others as a whole
        if point.last:
            for part in state.held:
                self.tell(state, part, self.everyone & ~own)
            state.held = []

    def cell(self, state: State) -> tuple[str, ...]:
        """Of a vector that is being chosen: the indices of the cell that is asked for. Else nothing."""
        where = self.engine.generated.vectors.get(state.pc)
        if where is None:
            return ()
        cells, filled = state.st[where[0]], state.st[where[1]]
        return self.values.cell(self.engine.points[state.pc], cells[0][len(filled)])

    def finished(self, state: State) -> None:
        winners = tuple(p + 1 for p in range(self.engine.players) if state.winners >> p & 1)
        self.unsealed(state)
        self.everybody(state, ("over", winners, state.reason))

    def before_move(self, state: State, comp: str, c: int) -> tuple[int, int]:
        return state.I[self.layout.comps[comp].where + c], self.viewers_of(state, comp, c)

    def moved(
        self, state: State, comp: str, c: int, before: tuple[int, int], dest: int, spot: int | str
    ) -> None:
        """`spot` is the space of a grid, a position counted from the top, `top`, `bottom`, or -1."""
        source, knew = before
        from_key, from_index, from_place = self.comp_places[source]
        to_key, to_index, to_place = self.comp_places[dest]
        know = knew | self.viewers_of(state, comp, c)
        notice = (
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
        self.tell(state, ("move", self.values.comp_name(comp, c), *ends, *turned), know, owners)
        self.tell(state, ("move", comp, *ends), notice & ~know, owners)

    def tokens(
        self, state: State, token: str, amount: int, kind: int, src: int, dest: int, cell: int
    ) -> None:
        if amount == 0:
            return
        from_key, from_index, from_place = self.token_places[src]
        to_key, to_index, to_place = self.token_places[dest]
        know = self.place_mask(state, from_key, from_index) | self.place_mask(state, to_key, to_index)
        notice = (
            know
            | self.place_mask(state, from_key, from_index, "size_seen")
            | self.place_mask(state, to_key, to_index, "size_seen")
        )
        ends: tuple[Any, ...] = (self.labels[from_key, from_index], self.labels[to_key, to_index])
        if cell >= 0 and to_key in self.layout.geometries:
            ends = (*ends, self.layout.geometries[to_key].xy(cell))
        owners = (from_place.owner, to_place.owner)
        name = self.game.kinds[token].values[kind]
        self.tell(state, ("move", amount, name, *ends), know, owners)
        self.tell(state, ("move", amount, token, *ends), notice & ~know, owners)

    def was_set(self, state: State, key: str, index: int) -> None:
        mask = self.state_mask(state, key, index)
        value = state.I[self.layout.states[key][0] + index]
        owner = self._state_owner(key, index)
        shown = self.values.encode(value, self.game.states[key].type)
        self.tell(state, ("set", self.values.state_label(key, index), shown), mask, (owner,))

    def noted(self, state: State, name: str, row: int) -> None:
        """What is noted in a record is said aloud, and so is a change of it."""
        self.everybody(state, ("note", f"{name}#{row + 1}", tuple(self._row(state, name, row).items())))

    def stands(self, state: State, comp: str, c: int) -> None:
        layout = self.layout.comps[comp]
        assert layout.decl.on is not None
        where = self.values.encode(state.I[layout.on + c], t.Opt(layout.decl.on))
        self.everybody(state, ("stands", self.values.comp_name(comp, c), where))

    def swapped(self, state: State, of: str, a: int, b: int) -> None:
        table = self.token_places if of in self.game.tokens else self.comp_places
        names = tuple(self.labels[table[ref][0], table[ref][1]] for ref in (a, b))
        self.everybody(state, ("swap", *names))

    def exchanged(self, state: State, comp: str, a: int, b: int) -> None:
        know = self.viewers_of(state, comp, a) | self.viewers_of(state, comp, b)
        pair = (self.values.comp_name(comp, a), self.values.comp_name(comp, b))
        self.tell(state, ("exchange", *pair), know)
        self.tell(state, ("exchange", comp, comp), self.everyone & ~know)

    def shown(self, state: State, key: str, index: int, viewers: int) -> None:
        contents = self.contents(state.I, state.L, key, index)
        self.tell(state, ("shown", self.labels[key, index], contents), viewers)
        self.tell(state, ("shown", self.labels[key, index]), self.everyone & ~viewers)

    def peeked(self, state: State, comp: str, place: int, amount: int, viewers: int) -> None:
        top = state.L[place + 1][::-1][:amount]
        key, index, _ = self.comp_places[place]
        names = tuple(self.values.comp_name(comp, c) for c in top)
        self.tell(state, ("peek", self.labels[key, index], names), viewers)
        self.tell(state, ("peek", self.labels[key, index], len(names)), self.everyone & ~viewers)

    # ------------------------------------------------------------ views
    def contents(self, I: list[int], L: list[list[int]], key: str, index: int) -> Any:
        """All that lies in a place, as plain data."""
        instance = self.layout.instances[key][index]
        decl, ref = instance.decl, instance.ref
        geometry = self.layout.geometries.get(key)
        if decl.tokens:
            kinds = self.game.kinds[decl.of].values
            if geometry is not None:
                cells = ((geometry.xy(s), I[ref + s]) for s in range(geometry.size))
                return tuple((xy, kinds[k]) for xy, k in cells if k >= 0)
            if decl.shape == "slot":
                return kinds[I[ref]] if I[ref] >= 0 else None
            return tuple((kind, I[ref + n]) for n, kind in enumerate(kinds) if I[ref + n])
        name = decl.of
        if geometry is not None:
            layout = self.layout.comps[name]
            return tuple(
                (self.values.comp_name(name, c), geometry.xy(I[layout.cell + c]), I[layout.turned + c])
                for c in L[ref]
            )
        if decl.shape == "deck":
            return tuple(
                self.values.comp_name(name, c)
                for c in sorted([*L[ref], *L[ref + 1], *L[ref + 2], *L[ref + 5]])
            )
        cards = tuple(self.values.comp_name(name, c) for c in L[ref])
        if decl.shape == "bag":
            alike = self.alike_names(name, L[ref])
            return alike if alike is not None else cards
        return cards

    def alike_names(self, comp: str, cards: list[int]) -> Any:
        return None

    def size(self, I: list[int], L: list[list[int]], key: str, index: int) -> int:
        instance = self.layout.instances[key][index]
        decl, ref = instance.decl, instance.ref
        if not decl.tokens:
            lists = (0, 1, 2, 5) if decl.shape == "deck" else (0,)
            return sum(len(L[ref + n]) for n in lists)
        geometry = self.layout.geometries.get(key)
        if geometry is not None or decl.shape == "slot":
            cells = geometry.size if geometry is not None else 1
            return cells - I[ref : ref + cells].count(-1)
        return sum(I[ref : ref + len(self.game.kinds[decl.of].values)])

    def view(self, state: State, viewer: int | None) -> dict[str, Any]:
        """What one seat sees now: `places`, `states`, `pieces`, whose turn it is. None sees everything,
        as whoever looks for a mistake in the rules does."""

        def sees(mask: int) -> bool:
            return viewer is None or bool(mask >> viewer & 1)

        places: dict[str, Any] = {}
        for key, instances in self.layout.instances.items():
            if key.startswith("box of "):
                continue
            for index, instance in enumerate(instances):
                I, L = self._open(state, instance.owner, viewer)
                label = self.labels[key, index]
                if sees(self.place_mask(state, key, index)):
                    places[label] = {"contents": self.contents(I, L, key, index)}
                    continue
                shown: dict[str, Any] = {}
                assert viewer is not None
                if sees(self.place_mask(state, key, index, "size_seen")):
                    shown["size"] = self.size(I, L, key, index)
                ref = instance.ref
                if (
                    instance.decl.top_seen is not None
                    and sees(self.place_mask(state, key, index, "top_seen"))
                    and L[ref]
                ):
                    shown["top"] = self.values.comp_name(instance.decl.of, L[ref][-1])
                if instance.decl.shape == "deck":
                    shown |= self._known_in_deck(L, instance, viewer)
                places[label] = shown
        states = {}
        for key, decl in self.game.states.items():
            base, sizes, _ = self.layout.states[key]
            count = 1
            for size in sizes:
                count *= size
            for index in range(count):
                if sees(self.state_mask(state, key, index)):
                    I, _L = self._open(state, self._state_owner(key, index), viewer)
                    states[self.values.state_label(key, index)] = self.values.encode(
                        I[base + index], decl.type
                    )
        pieces = {}
        for name, comp in self.layout.comps.items():
            if comp.decl.on is not None:
                for c in range(comp.count):
                    where = self.values.encode(state.I[comp.on + c], t.Opt(comp.decl.on))
                    pieces[self.values.comp_name(name, c)] = where
        active = state.I[self.layout.ACTIVE]
        records = {name: self._record(state, name) for name in self.layout.records}
        return {
            "player": None if viewer is None else viewer + 1,
            "active": active + 1 if active >= 0 else None,
            "turn": state.I[self.layout.TURN],
            "places": places,
            "states": states,
            "pieces": pieces,
            "records": records,
            "over": state.over,
        }

    def _open(self, state: State, owner: int, viewer: int | None) -> tuple[list[int], list[list[int]]]:
        if state.sealed is not None and viewer is not None and owner != viewer:
            return state.sealed
        return state.I, state.L

    def _known_in_deck(self, L: list[list[int]], instance: PlaceInstance, viewer: int) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for word, known, masks in (("top", 1, 3), ("bottom", 2, 4)):
            cards = L[instance.ref + known][::-1] if word == "top" else L[instance.ref + known]
            seen = L[instance.ref + masks][::-1] if word == "top" else L[instance.ref + masks]
            names = tuple(
                self.values.comp_name(instance.decl.of, c) if m >> viewer & 1 else None
                for c, m in zip(cards, seen, strict=True)
            )
            if any(names):
                out[word] = names
        deep = tuple(
            (depth, self.values.comp_name(instance.decl.of, c))
            for c, depth, m in zip(*(L[instance.ref + n] for n in (5, 6, 7)), strict=True)
            if m >> viewer & 1
        )
        if deep:
            out["deep"] = deep  # each below so many unknown cards
        return out

    def _record(self, state: State, name: str) -> Any:
        return tuple(self._row(state, name, row) for row in range(state.I[self.layout.records[name][0]]))

    def _row(self, state: State, name: str, row: int) -> dict[str, Any]:
        """A row of a record; of a field with indices, the cells that are not 0, each with its indices."""
        values: dict[str, Any] = {}
        for field, (base, sizes, lows) in self.layout.records[name][2].items():
            indices, type_ = self.game.records[name].fields[field]
            if not sizes:
                values[field] = self.values.encode(state.I[base + row], type_)
                continue
            cells = list(
                itertools.product(*(range(low, low + size) for size, low in zip(sizes, lows, strict=True)))
            )
            start = base + row * len(cells)
            values[field] = tuple(
                (
                    *(self.values.encode(k, i) for k, i in zip(keys, indices, strict=True)),
                    self.values.encode(value, type_),
                )
                for keys, value in zip(cells, state.I[start : start + len(cells)], strict=True)
                if value
            )
        return values
