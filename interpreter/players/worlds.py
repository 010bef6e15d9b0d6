"""Worlds: positions that are as likely as the true one, for all that a seat knows.

A player that searches must look ahead from somewhere, and may not look ahead
from the true position, which has the cards of the others in it. So it draws
*worlds*: positions that agree with everything the seat has seen, and in which
what it has not seen is settled by lot. A plan that is good in many worlds is
good for what the seat knows.

**What is kept.** Whatever lies open to the seat stays as it is: places it sees,
the known cards of decks, states, pieces, records, whose turn it is, the control
stack, and the options it is asked about, since these follow from what it sees.

**What is drawn.** Hidden components are dealt anew to the hidden slots of their
places, as many to each as the seat counts there. The ledger (ledger.py) says
where each may be: what was seen to go into a hidden place stays there, at its
position in the stack if that was seen too, and what went unseen is dealt with
the weights of the ledger. Hidden tokens likewise: those that are certain are
put where they are, the rest is drawn one by one, so that sizes which the seat
sees come out right and each kind is as often there as there are tokens of it.
Names of hidden components in states and on the stack are changed along with
them, so that "the card that lies face down" is still the one that does.

**Hidden numbers.** A state that the seat does not see is drawn too: from the
faces of the die that the rules roll for it, or else from all its values. One
that is seen by *nobody* is the rules' own note of what happened in front of all
(`state coin_moved, seen by nobody until turn ends`), and is kept, unless a
secret roll is noted there. What is written on a component that is out of sight is
what the seat saw there last, or what is written there at the start.

**Behind a seal.** In a `together`, players are asked one by one, and those asked
before have already made choices that the seat may not know. Then the world is
drawn for the moment at which the seal was put on, the seat's own choices are
made again, and those of the others are made by whoever draws the world. Only if
that keeps leading to another question, because the seat itself drew something
since, the choices of the others are left as they are.

Nothing is ever read that the seat cannot see and that then matters: hidden
parts of the true state are overwritten as a whole. The tests change what a seat
cannot see and find that its worlds, and its choices, stay the same.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from ..core import value_types as t
from ..core.errors import PlayError
from ..core.randomness import Generator
from ..play.match import Match
from ..play.state import State
from ..program.layout import CompLayout, Layout, PlaceInstance
from .ledger import Ledger
from .secrets_of_rules import drawn_from

Picker = Callable[[State], int]
"""Decides for somebody else: the position of an option."""

TRIES = 8
"""Attempts to draw what others did behind a seal so that it fits what the seat has since drawn itself."""


class Slots:
    """The part of one place of components that the seat does not see."""

    def __init__(self, ref: int, part: int, positions: list[int], limit: int | None, ordered: bool) -> None:
        self.ref = ref
        self.part = part  # of a deck: which of its lists
        self.ordered = ordered  # is it a list in which every position counts?
        self.positions = positions
        self.limit = limit  # how many are hidden there; None if the seat does not know


class HiddenComponents:
    """The hidden components of one sort, and what the ledger says of each: the weights of the groups
    of slots where it may be. `settled` can be in one group only; `loose` are still to be dealt."""

    def __init__(
        self,
        name: str,
        comp: CompLayout,
        hidden: list[int],
        slots: list[Slots],
        rows: dict[int, list[float]],
        entries: dict[int, int],
    ) -> None:
        self.name = name
        self.comp = comp
        self.hidden = hidden
        self.slots = slots
        self.rows = rows
        self.entries = entries  # what the ledger calls each
        self.places = {c: sum(1 for weight in row if weight > 0) for c, row in rows.items()}
        self.room = [len(hidden) if s.limit is None else s.limit for s in slots]
        self.settled: list[list[int]] = [[] for _ in slots]
        self.loose: list[int] = []
        for c in hidden:
            only = [n for n, weight in enumerate(rows[c]) if weight > 0]
            if len(only) == 1 and len(self.settled[only[0]]) < self.room[only[0]]:
                self.settled[only[0]].append(c)
            else:
                self.loose.append(c)
        alike = len({tuple(rows[c]) for c in self.loose}) <= 1
        self.even = alike and all(s.limit is not None for s in slots)
        """Is every deal of the loose ones as likely?"""


class HiddenTokens:
    def __init__(self, name: str, totals: list[int], places: list[tuple[int, int | None, bool]]) -> None:
        self.name = name
        self.totals = totals
        self.places = places  # where, how many (None: not known), is it a cell?


class Worlds:
    """The worlds of one seat (from 0) at the pending decision of a match."""

    def __init__(self, match: Match, seat: int, ledger: Ledger | None = None) -> None:
        self.match = match
        self.seat = seat
        self.base, self.done = match.opening if match.opening is not None else (match.state, len(match.log))
        self.engine = self.base.engine
        self.bare = match.game.engine(match.players)
        self.layout = self.engine.layout
        self.watcher = self.engine.watcher
        self.ledger = ledger or Ledger(self.engine, seat)
        seen = self.base.seen
        if seen is not None:
            self.ledger.read(seen[seat])
        self.informed = seen is not None
        self.sealed = match.opening is not None
        self.components = [c for name in self.layout.comps if (c := self._hidden_components(name))]
        self.tokens = [k for name in self.layout.game.tokens if (k := self._hidden_tokens(name))]
        self.numbers = self._hidden_numbers()
        self.writing = self._hidden_writing()

    # ------------------------------------------------------------ what is hidden
    def _sees(self, key: str, index: int, what: str = "seen") -> bool:
        return bool(self.watcher.place_mask(self.base, key, index, what) >> self.seat & 1)

    def _hidden_components(self, name: str) -> HiddenComponents | None:
        comp, state = self.layout.comps[name], self.base
        if comp.decl.on is not None:
            return None
        hidden: list[int] = []
        slots: list[Slots] = []
        for key, place in self.layout.game.places.items():
            if place.of != name or place.tokens:
                continue
            for index, instance in enumerate(self.layout.instances[key]):
                if self._sees(key, index):
                    continue
                sized = self._sees(key, index, "size_seen")
                for part in place.form.lists:
                    cards = state.L[instance.ref + part]
                    positions = [
                        n
                        for n, c in enumerate(cards)
                        if not self.watcher.viewers_of(state, name, c) >> self.seat & 1
                    ]
                    hidden += [cards[n] for n in positions]
                    fixed = sized or part or place.form.spaces
                    if positions or not fixed:
                        limit = len(positions) if fixed else None
                        slots.append(
                            Slots(instance.ref, part, positions, limit, bool(part) or place.form.ordered)
                        )
        if len(hidden) < 2 and all(s.limit is not None for s in slots):
            return None
        hidden.sort()
        return HiddenComponents(name, comp, hidden, slots, *self._weights(name, hidden, slots))

    def _hidden_tokens(self, name: str) -> HiddenTokens | None:
        I = self.base.I
        kinds = len(self.layout.game.kinds[name].values)
        totals = [0] * kinds
        places: list[tuple[int, int | None, bool]] = []
        for ref, (key, index, place) in self.watcher.token_places.items():
            if place.decl.of != name or self._sees(key, index):
                continue
            geometry = self.layout.geometries.get(key)
            if geometry is not None or place.decl.form.single:
                if key in self.layout.indexed:
                    continue
                for cell in range(ref, ref + (geometry.size if geometry is not None else 1)):
                    if I[cell] >= 0:
                        totals[I[cell]] += 1
                        places.append((cell, 1, True))
                continue
            counts = I[ref : ref + kinds]
            sized = self._sees(key, index, "size_seen")
            for kind, count in enumerate(counts):
                totals[kind] += count
            if sum(counts) or not sized:
                places.append((ref, sum(counts) if sized else None, False))
        if len(places) < 2 or sum(1 for n in totals if n) < 1:
            return None
        return HiddenTokens(name, totals, places)

    def _hidden_numbers(self) -> list[tuple[int, tuple[int, ...]]]:
        """Slots of `I` with the values that they may have."""
        found = []
        for key, decl in self.layout.game.states.items():
            if not drawable(decl.type):
                continue
            base, sizes, _ = self.layout.states[key]
            count = 1
            for size in sizes:
                count *= size
            values: tuple[int, ...] | None = None
            for index in range(count):
                if self.watcher.declared_state_mask(self.base, key, index) >> self.seat & 1:
                    continue
                if values is None:
                    values = drawn_from(self.layout, key)
                if values:
                    found.append((base + index, values))
        return found

    def _hidden_writing(self) -> list[tuple[int, Any]]:
        """Slots of what is written on hidden components, for all to read who see them, with what the seat
        takes it to be."""
        found = []
        values = self.watcher.values_for(self.base, self.seat)
        for key, decl in self.layout.game.states.items():
            if decl.owner not in self.layout.comps:
                continue
            base, sizes, _ = self.layout.states[key]
            for index in range(prod(sizes)):
                hidden = not self.watcher.state_mask(self.base, key, index) >> self.seat & 1
                if hidden and self.watcher.declared_state_mask(self.base, key, index) >> self.seat & 1:
                    value = self.layout.initial[base + index]
                    last = self.ledger.written.get(values.state_label(key, index))
                    if last is not None and decl.until is None and drawable(decl.type):
                        value = next(
                            v for v in _all_of(self.layout, decl.type) if values.encode(v, decl.type) == last
                        )
                    found.append((base + index, value))
        return found

    # ------------------------------------------------------------ drawing
    def draw(self, seed: int, pick: Picker | None = None) -> State:
        """A world: the same for the same seed and knowledge. `pick` decides for others behind a seal."""
        generator = Generator(seed)
        world = self._settled(generator)
        if self.match.opening is None:
            return world
        for _ in range(TRIES):
            if self._catch_up(world, generator, pick):
                return world
            world = self._settled(generator)
        return self._from_true_control(generator)

    def _settled(self, generator: Generator) -> State:
        world = self.copy(self.base)
        for tokens in self.tokens:
            self._deal_tokens(world, tokens, generator)
        for components in self.components:
            self._deal_components(world, components, generator)
        for slot, values in self.numbers:
            world.I[slot] = values[generator.one_of(len(values))]
        for slot, value in self.writing:
            world.I[slot] = value
        world.rng = Generator(generator.next())
        return world

    def copy(self, state: State) -> State:
        """Without what anybody has noticed, on the bare engine."""
        world = state.fork() if state.seen is None else _without_history(state)
        world.engine = self.bare
        world.blocks = self.bare.blocks
        world.auto = True
        return world

    # ------------------------------------------------------------ components
    def _deal_components(self, world: State, what: HiddenComponents, generator: Generator) -> None:
        share = self._shares(what, generator)
        comp, I, L = what.comp, world.I, world.L
        renamed: dict[int, int] = {}
        for slots, cards in zip(what.slots, share, strict=True):
            line = L[slots.ref + slots.part]
            on_spaces = self.place_of(slots).decl.form.spaces
            true = [self.base.L[slots.ref + slots.part][n] for n in slots.positions]
            if slots.limit is None:  # as many as it turned out to be
                gone = set(true)
                L[slots.ref] = [c for c in line if c not in gone] + cards
                renamed.update(zip(true, cards, strict=False))
            else:
                if slots.ordered:
                    cards = self._in_order(what, slots, cards)
                for position, old, new in zip(slots.positions, true, cards, strict=True):
                    line[position] = new
                    renamed[old] = new
                    if on_spaces:
                        self._put_on_space(world, what, old, new)
            for c in cards:
                I[comp.where + c] = slots.ref
            if not slots.ordered:
                L[slots.ref].sort()
        left = [c for c in what.hidden if c not in renamed]
        if left:
            others = sorted(set(what.hidden) - set(renamed.values()))
            renamed.update(zip(left, others, strict=True))
        self._rename(world, what.name, renamed)

    def place_of(self, slots: Slots) -> PlaceInstance:
        return self.watcher.comp_places[slots.ref][2]

    def _shares(self, what: HiddenComponents, generator: Generator) -> list[list[int]]:
        """For each group of slots the components that come there: in any order where order matters, else by
        number."""
        share = [cards.copy() for cards in what.settled]
        order = what.loose.copy()
        if what.even:
            free = [room - len(cards) for cards, room in zip(share, what.room, strict=True)]
            last = max(range(len(free)), key=lambda n: free[n], default=0)  # gets what is left over
            generator.shuffle(order, sum(free) - free[last] if free else 0)
            at = 0
            for n in (*(n for n in range(len(free)) if n != last), last):
                share[n] += order[at : at + free[n]]
                at += free[n]
        else:
            generator.shuffle(order)
            order.sort(key=what.places.__getitem__)  # those that fit in few places first
            self._deal_weighted(what, share, order, generator)
        for slots, cards in zip(what.slots, share, strict=True):
            cards.sort()
            if slots.ordered:
                generator.shuffle(cards)
        return share

    def _deal_weighted(
        self, what: HiddenComponents, share: list[list[int]], order: list[int], generator: Generator
    ) -> None:
        rows, room = what.rows, what.room
        count = len(share)
        must = sum(r - len(s) for r, s, g in zip(room, share, what.slots, strict=True) if g.limit is not None)
        for taken, c in enumerate(order):
            tight = must >= len(order) - taken
            open_ = [
                n
                for n in range(count)
                if len(share[n]) < room[n] and not (tight and what.slots[n].limit is None)
            ]
            n = _weighted([rows[c][n] for n in open_], generator)
            if n is None:
                n = _weighted([float(room[n] - len(share[n])) for n in open_], generator) or 0
                self._make_room(share, rows, c, open_[n])
            else:
                share[open_[n]].append(c)
            if what.slots[open_[n]].limit is not None:
                must -= 1

    def _make_room(self, share: list[list[int]], rows: dict[int, list[float]], c: int, free: int) -> None:
        """Where c may be is full. Somebody who is there and may as well be where there is room goes there."""
        for n, weight in enumerate(rows[c]):
            if weight > 0:
                for other in share[n]:
                    if rows[other][free] > 0:
                        share[n].remove(other)
                        share[free].append(other)
                        share[n].append(c)
                        return
        share[free].append(c)

    def _weights(
        self, name: str, hidden: list[int], groups: list[Slots]
    ) -> tuple[dict[int, list[float]], dict[int, int]]:
        """How likely each hidden component is in each group of slots, by the ledger, and what the ledger calls it.

        The ledger does not tell copies of one printed row apart. Of its entries for a row each copy in
        sight takes the one that is the most likely to be where it lies; the others are for the
        hidden ones, by number."""
        even = [float(s.limit or 1) for s in groups]
        if not self.informed:
            return dict.fromkeys(hidden, even), {}
        parts: dict[int, int] = {}  # the parts of one deck share what is in it
        for s in groups:
            parts[s.ref] = parts.get(s.ref, 0) + (s.limit or 1)
        portion = [(s.ref, (s.limit or 1) / parts[s.ref]) for s in groups]
        where, entries = self.ledger.where[name], self._entries(name, hidden)
        rows = {}
        for c in hidden:
            row = [where[entries[c]].get(ref, 0.0) * part for ref, part in portion]
            rows[c] = row if any(row) else even
        return rows, entries

    def _entries(self, name: str, hidden: list[int]) -> dict[int, int]:
        where, at, out = self.ledger.where[name], self.layout.comps[name].where, set(hidden)
        entries: dict[int, int] = {}
        for c in hidden:
            if c in entries:
                continue
            alike = self.ledger.copies[name][c]
            left = list(alike)
            for copy in alike:
                if copy not in out:
                    place = self.base.I[at + copy]
                    left.remove(max(left, key=lambda d: (where[d].get(place, 0.0), -d)))
            entries.update(zip((d for d in alike if d in out), left, strict=True))
        return entries

    def known_order(self, what: HiddenComponents, slots: Slots) -> list[int | None]:
        """For each of the slots the component whose position in a row or stack was seen, if it is known to lie there."""
        line = (
            self.ledger.order.get(slots.ref) if self.informed and slots.ordered and not slots.part else None
        )
        if line is None or len(line) != len(self.base.L[slots.ref]):
            return [None] * len(slots.positions)
        called = {entry: c for c, entry in what.entries.items()}
        return [called.get(line[n]) for n in slots.positions]

    def _in_order(self, what: HiddenComponents, slots: Slots, cards: list[int]) -> list[int]:
        """Cards whose position in a row or stack was seen lie there."""
        here = set(cards)
        known = [c if c in here else None for c in self.known_order(what, slots)]
        lying = {c for c in known if c is not None}
        rest = iter([c for c in cards if c not in lying])
        return [next(rest) if c is None else c for c in known]

    def _put_on_space(self, world: State, what: HiddenComponents, old: int, new: int) -> None:
        """A hidden tile takes the space and the rotation of the one that is truly there."""
        comp, base = what.comp, self.base
        space = base.I[comp.cell + old]
        world.I[comp.cell + new] = space
        world.I[comp.turned + new] = base.I[comp.turned + old]
        key, index, _ = self.watcher.comp_places[base.I[comp.where + old]]
        if key not in self.layout.geometries:
            return
        if key in self.layout.grown:
            world.G[self.layout.grown[key] + index].cells[space] = new
        else:
            first, (_, width), _ = self.layout.states[f"cells of {key}"]
            world.I[first + index * width + space] = new

    def _rename(self, world: State, name: str, renamed: dict[int, int]) -> None:
        """What refers to a hidden component refers to the one that is there instead."""
        if all(old == new for old, new in renamed.items()):
            return
        for key, decl in self.layout.game.states.items():
            if mentions(decl.type, name):
                base, sizes, _ = self.layout.states[key]
                count = 1
                for size in sizes:
                    count *= size
                for slot in range(base, base + count):
                    world.I[slot] = _changed(world.I[slot], decl.type, name, renamed)
        for other in self.layout.comps.values():
            if other.decl.on == t.Comp(name):  # a piece stands on what lies there, whatever it is
                for slot in range(other.on, other.on + other.count):
                    world.I[slot] = renamed.get(world.I[slot], world.I[slot])
        for height, type_ in self.referring(world, name):
            world.st[height] = _changed(world.st[height], type_, name, renamed)

    def referring(self, world: State, name: str) -> list[tuple[int, t.Type]]:
        """The slots of the control stack that may refer to components of a sort."""
        found = []
        frames, named = self.bare.frames, self.bare.generated.named
        top, pc = len(world.st), world.pc
        while top > 0:
            start = top - frames[pc][0]
            live = self.bare.live[pc]
            found += [
                (start + slot, type_)
                for slot, type_ in named.get(pc, ())
                if slot in live and mentions(type_, name)
            ]
            if start <= 0:
                break
            top = start - 1
            pc = world.st[top]
        return found

    # ------------------------------------------------------------ tokens
    def _deal_tokens(self, world: State, what: HiddenTokens, generator: Generator) -> None:
        I = world.I
        kinds = range(len(what.totals))
        left = list(what.totals)
        room: list[float] = []
        weights: list[list[float]] = []
        book = self.ledger.tokens[what.name] if self.informed else None
        for ref, size, cell in what.places:
            if cell:
                room.append(1)
                weights.append([1.0] * len(left))
                continue
            I[ref : ref + len(left)] = [0] * len(left)
            limit = float("inf") if size is None else size
            sure = book.certain[ref] if book is not None else [0] * len(left)
            for kind in kinds:
                count = int(min(sure[kind], left[kind], limit))
                I[ref + kind] = count
                left[kind] -= count
                limit -= count
            room.append(limit)
            if book is None:
                weights.append([limit if size is not None else 1.0] * len(left))
            else:
                weights.append([max(0.0, book.expected[ref][k] - I[ref + k]) for k in kinds])
        loose = [kind for kind in kinds for _ in range(left[kind])]
        generator.shuffle(loose)
        must = sum(r for r in room if r != float("inf"))
        for taken, kind in enumerate(loose):
            tight = must >= len(loose) - taken
            open_ = [n for n, r in enumerate(room) if r > 0 and not (tight and r == float("inf"))]
            n = _weighted([weights[n][kind] for n in open_], generator)
            if n is None:
                n = _weighted([min(room[n], 1000.0) for n in open_], generator) or 0
            chosen = open_[n]
            ref, _, cell = what.places[chosen]
            if cell:
                I[ref] = kind
            else:
                I[ref + kind] += 1
            if room[chosen] != float("inf"):
                must -= 1
            room[chosen] -= 1

    # ------------------------------------------------------------ behind a seal
    def _catch_up(self, world: State, generator: Generator, pick: Picker | None) -> bool:
        """From the moment of the seal to the pending decision. Does it lead to the same question?"""
        true = self.match.state
        try:
            self._ask_anew(world)
            return self._replay(world, true, generator, pick)
        except PlayError:  # what was drawn cannot be: the rules did not foresee it
            return False

    def _ask_anew(self, world: State) -> None:
        """What another was asked first behind the seal may hang on what was drawn."""
        if world.player < 0:
            return
        asking = self.match.game.engine(self.match.players, anew=True)
        world.engine, world.blocks = asking, asking.blocks
        world.run(asking.generated.askers[world.pc])
        world.engine, world.blocks = self.bare, self.bare.blocks

    def _replay(self, world: State, true: State, generator: Generator, pick: Picker | None) -> bool:
        mine = [entry[2] for entry in self.match.log[self.done :] if entry[:2] == ["choose", self.seat + 1]]
        if world.player < 0 and not world.over:
            world.settle()
        at = 0
        while not world.over:
            if world.player == self.seat:
                if at == len(mine):
                    return world.pc == true.pc and list(world.options) == list(true.options)
                index = self._option(world, mine[at])
                if index is None:
                    return False
                at += 1
            else:
                index = pick(world) if pick is not None else generator.one_of(len(world.options))
            world.apply(index)
        return False

    def _option(self, world: State, key: Any) -> int | None:
        point, values = self.bare.points[world.pc], self.bare.watcher.values
        for index, value in enumerate(world.options):
            if _plain(values.option_key(point, value)) == key:
                return index
        return None

    def _from_true_control(self, generator: Generator) -> State:
        """The last resort: what others did behind the seal stays, what they hold is drawn."""
        base, self.base = self.base, self.match.state
        try:
            return self._settled(generator)
        finally:
            self.base = base


def _without_history(state: State) -> State:
    world = state.without_history()
    world.queue = []
    world.held = []
    world.names = None
    return world


def _weighted(weights: list[float], generator: Generator) -> int | None:
    total = 0.0
    for weight in weights:
        total += weight
    if total <= 0:
        return None
    ticket = generator.part() * total
    for n, weight in enumerate(weights):
        ticket -= weight
        if ticket < 0:
            return n
    return max(n for n, weight in enumerate(weights) if weight > 0)


def drawable(type_: t.Type) -> bool:
    """Numbers, yes and no, kinds and players; names of components follow the components."""
    if isinstance(type_, t.Opt):
        return drawable(type_.of)
    return isinstance(type_, t.Num | t.YesNo | t.Kind | t.Player)


def _all_of(layout: Layout, type_: t.Type) -> list[int]:
    return [-1, *_all_of(layout, type_.of)] if isinstance(type_, t.Opt) else list(layout.universe(type_))


def mentions(type_: t.Type, name: str) -> bool:
    if isinstance(type_, t.Opt | t.SetOf | t.ListOf):
        return mentions(type_.of, name)
    return isinstance(type_, t.Comp) and type_.name == name


def _changed(value: Any, type_: t.Type, name: str, renamed: dict[int, int]) -> Any:
    if isinstance(type_, t.Opt):
        return value if value == -1 else _changed(value, type_.of, name, renamed)
    if isinstance(type_, t.SetOf):
        if isinstance(value, tuple):
            return tuple(sorted(renamed.get(c, c) for c in value))
        members = [c for c in range(value.bit_length()) if value >> c & 1]
        return sum(1 << renamed.get(c, c) for c in members)
    if isinstance(type_, t.ListOf):
        return type(value)(renamed.get(c, c) for c in value)
    return renamed.get(value, value)


def _plain(value: Any) -> Any:
    return [_plain(v) for v in value] if isinstance(value, tuple | list) else value
