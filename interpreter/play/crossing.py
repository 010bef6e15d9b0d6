"""A match that goes on by other rules from where it stands.

The log is not played again: the position is carried over by names, and the match stands in the
new rules where it stood in the old ones (standing.py). What the new rules lack or add is settled so:

- What is printed alike is the same component, and what was reprinted in its row is still the same.
  A component that is gone is taken out where nobody sees it; one that lies in sight, or in
  somebody's hand, cannot go. A new one is shuffled in among the unseen ones of its sort.
- A place that is gone must be empty. New places, states and records begin as they are declared:
  what the set-up of the new rules would have put there is not done.
- A value must fit: a number lies in its range, a value of a kind still exists.

`Lost` tells what does not, before anything has been changed. Everything else that is not simply
the same is told in sentences. The same match and the same rules always give the same position, so
a save keeps the old rules and the log up to here, and a replay goes through.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any

from ..core import value_types as t
from ..core.errors import PlayError, UsageError
from ..core.randomness import Generator
from ..python.runtime import Failure
from ..reference.table import Known, Place
from .engine import Engine
from .game import Game
from .match import Match
from .position import Position
from .standing import Lost, Standing
from .state import State

MOST_TOLD = 8


def crossed(match: Match, game: Game) -> tuple[Match, list[str]]:
    """The match under other rules, from here on, and what is to be said of it; D0712 if that cannot be."""
    if match.players not in game.players:
        numbers = " or ".join(map(str, game.players))
        raise UsageError(
            "D0705", f"{game.name} is for {numbers} players, and {match.players} sit at the table"
        )
    try:
        old = asked_anew(match)
        _settled(old)
        engine = game.engine(match.players, watched=True, anew=True)
        carrying = _Carrying(Position(old.state), Position(State(engine)))
        state = carrying.carry(match.seed ^ len(match.log))
        twin = _begun(match, game, state)
    except Lost as lost:
        raise UsageError(
            "D0712", f"the match cannot go on by these rules from here: {lost}", "try an earlier position"
        ) from None
    return twin, carrying.told()


def asked_anew(match: Match) -> Match:
    """The same match, played again by an engine that can ask every question anew."""
    if match.origin is not None:
        start, _ = crossed(match.origin, match.game)
        twin = _on(start, match.game.engine(match.players, watched=True, anew=True))
    else:
        engine = match.game.engine(match.players, watched=True, anew=True)
        state = engine.new(match.seed, settle=False)
        twin = Match(match.game, state, seed=match.seed, ask_chance=True, check=False)
    twin.replay(match.log)
    return twin


def _on(match: Match, engine: Engine) -> Match:
    """A match at its beginning, on another engine of the same rules: the question is put anew."""
    match.state.engine, match.state.blocks = engine, engine.blocks
    match.ask_chance = True
    return match


def _settled(match: Match) -> None:
    """Only between two questions can rules be changed."""
    state = match.state
    if state.over:
        raise Lost("it is over")
    if state.player < 0:
        raise Lost("chance has something to decide first")
    if state.sealed is not None:
        raise Lost("some have decided what the others do not know yet")
    if half_chosen(match):
        raise Lost(f"player {state.player + 1} is in the middle of a choice")


def half_chosen(match: Match) -> bool:
    """Has a choice of several parts been begun?"""
    pending = match.pending
    if pending is None:
        return False
    return not pending.first or (pending.kind == "vector" and bool(Position(match.state).vector()[0]))


def _begun(match: Match, game: Game, state: State) -> Match:
    """The question is put anew, and the match goes on with an engine like any other."""
    try:
        state.run(state.pc)
    except (PlayError, Failure) as problem:
        words = problem.diagnostic.message if isinstance(problem, PlayError) else str(problem)
        raise Lost(f"under these rules nobody can be asked here: {words}") from None
    usual = game.engine(match.players, watched=True)
    state.engine, state.blocks = usual, usual.blocks
    if state.player < 0 and not state.over and state.pc not in usual.generated.chances:
        raise Lost("the question is another one under these rules")
    twin = Match(game, state, seed=match.seed, ask_chance=True, check=False)
    twin.origin = match.fork()
    twin.state.rng = Generator(match.seed ^ (len(match.log) << 20))
    twin.ask_chance = match.ask_chance
    return twin


class _Carrying:
    """From one position to another, by names."""

    def __init__(self, old: Position, new: Position) -> None:
        self.old, self.new = old, new
        self.before, self.after = old.play.table, new.play.table
        self.notes: list[str] = []
        self.things: dict[str, dict[int, int]] = {}
        self.gone: dict[str, list[int]] = {}
        self.fresh: dict[str, list[int]] = {}

    def carry(self, seed: int) -> State:
        old, new = Standing(self.old.engine), Standing(self.new.engine)
        frames = old.frames(self.old.state)
        blocks = [new.place(frame.spot) for frame in frames]
        dice = Generator(seed)
        for name in self.after.things:
            self._same_things(name)
        for name, things in self.before.things.items():
            if name not in self.after.things and any(map(self._in_use, things)):
                raise Lost(f"`{name}` is gone, and some of them are in play")
        self._take_out()
        self._places(dice)
        self._whereabouts()
        self._states()
        self._records()
        table, was = self.after, self.before
        table.active, table.turn, table.actions = was.active, was.turn, was.actions
        self.new.write()
        state = self.new.state
        state.atomic = self.old.state.atomic
        state.st = []
        for number, (frame, block) in enumerate(zip(frames, blocks, strict=True)):
            last = number == len(frames) - 1
            needed = new.names(block, asked=last)
            slots: list[Any] = [0] * self.new.engine.frames[block][0]
            for wanted, (slot, type_) in needed.items():
                if wanted not in frame.values:
                    word = wanted.word.removesuffix("l")
                    raise Lost(f"`{frame.spot.rules[-1]}` now needs `{word}`, which was not noted")
                slots[slot] = self._slot(
                    self._held(frames, number, frame.values[wanted][0]), frame.values[wanted][1], type_
                )
            state.st += slots if last else [*slots, block]
        state.pc = new.asked[blocks[-1]]
        engine = self.new.engine
        state.names = engine.watcher.handles.new()
        state.seen = [[] for _ in range(engine.players + 1)]
        engine.watcher.position_set(state, [[] for _ in state.seen])
        return state

    def _held(self, frames: list[Any], number: int, slot: int) -> Any:
        """What a slot of a frame of the old stack holds."""
        sizes = [self.old.engine.frames[frame.block][0] for frame in frames]
        return self.old.state.st[sum(sizes[:number]) + number + slot]

    def _slot(self, value: Any, was: t.Type, type_: t.Type) -> Any:
        if isinstance(was, t.Unknown) or isinstance(type_, t.Unknown):
            return value
        if isinstance(was, t.Num) and isinstance(type_, t.Num):  # counters and masks of our own, too
            return value
        return self.new.flat(self.value(self.old.plain(value, was), was, type_), type_)

    # ------------------------------------------------------------ components
    def _print(self, position: Position, name: str, fields: Iterable[str]) -> list[tuple[Any, ...]]:
        """What is printed on each, in words that both rule sets have."""
        comp, values = position.layout.comps[name], position.engine.watcher.values
        return [
            tuple(str(values.encode(comp.columns[f][c], comp.decl.fields[f])) for f in fields)
            for c in range(comp.count)
        ]

    def _same_things(self, name: str) -> None:
        """Which component is which."""
        mapped = self.things[name] = {}
        new = self.new.layout.comps[name]
        if name not in self.before.things:
            self.fresh[name] = list(range(new.count))
            return
        old = self.old.layout.comps[name]
        if old.rows == new.rows:  # the same sheet of them, whatever is printed there now
            mapped |= {c: c for c in range(new.count)}
            shared = [f for f in new.decl.fields if f in old.decl.fields]
            pairs = zip(self._print(self.old, name, shared), self._print(self.new, name, shared), strict=True)
            self._told_of(name, sum(was != now for was, now in pairs))
            self.gone[name], self.fresh[name] = [], []
            return
        shared = [f for f in new.decl.fields if f in old.decl.fields]
        left = list(range(new.count))
        rest: list[int] = []
        spare: dict[tuple[Any, ...], list[int]] = defaultdict(list)
        for c, words in enumerate(self._print(self.new, name, shared)):
            spare[words].append(c)
        printed = self._print(self.old, name, shared)
        order = sorted(range(old.count), key=lambda c: (not self._in_use(self.before.things[name][c]), c))
        counts, room = Counter(printed), {words: len(cs) for words, cs in spare.items()}
        for c in sorted(order) if all(room.get(w) == n for w, n in counts.items()) else order:
            if spare[printed[c]]:
                mapped[c] = spare[printed[c]].pop(0)
                left.remove(mapped[c])
            else:
                rest.append(c)
        by_row: dict[int, list[int]] = defaultdict(list)
        for c in left:
            by_row[new.rows[c]].append(c)
        reprinted = 0
        for c in rest.copy():
            if by_row[old.rows[c]]:
                mapped[c] = by_row[old.rows[c]].pop(0)
                left.remove(mapped[c])
                rest.remove(c)
                reprinted += 1
        self._told_of(name, reprinted)
        self.gone[name], self.fresh[name] = rest, left

    def _told_of(self, name: str, reprinted: int) -> None:
        if reprinted:
            self.notes.append(f"{reprinted} of `{name}` read otherwise now")

    def _in_use(self, thing: Any) -> bool:
        """Would somebody miss it? Not in the box, and not among those of which nobody knows which they are."""
        place = thing.place
        if thing.on is not None:
            return True
        if place is None or place.key.startswith("box of "):
            return False
        if place.decl.form.hidden:
            return self.before.things[thing.decl.name].index(thing) not in place.items
        mask = self.old.engine.watcher.place_mask(self.old.state, place.key, self._number(place))
        return bool(mask) or place.owner is not None

    def _number(self, place: Place) -> int:
        return list(self.before.places[place.key]).index(place.keys)

    def _take_out(self) -> None:
        for name, cards in self.gone.items():
            for c in cards:
                thing = self.before.things[name][c]
                if self._in_use(thing):
                    words = self.old.engine.watcher.values.comp_name(name, c)
                    raise Lost(
                        f"{words} is gone, and lies in `{thing.place.key if thing.place else thing.on}`"
                    )
            if cards:
                self.notes.append(f"{len(cards)} of `{name}` are gone")

    # ------------------------------------------------------------ places
    def _places(self, dice: Generator) -> None:
        for key, places in self.after.places.items():
            if key not in self.before.places:
                if not key.startswith("box of "):
                    self.notes.append(f"`{key}` is new, and empty")
                for place in places.values():
                    if place.key.startswith("box of ") and place.decl.of in self.before.things:
                        place.items = []
                continue
            for place in places.values():
                place.items = []
                place.cells = {}
                place.counts = [0] * len(place.counts)
        for key, places in self.before.places.items():
            for place in places.values():
                there = self._there(place)
                if there is None:
                    if place.size() and place.decl.of not in self.gone_sorts():
                        raise Lost(f"`{key}` is gone, and not empty")
                    continue
                self._fill(place, there)
        for name in self.after.things:
            self._put_in(name, dice)
        for name in self.after.game.tokens:
            self._tokens(name)

    def gone_sorts(self) -> set[str]:
        return {n for n in self.before.things if n not in self.after.things} | {
            n for n in self.before.game.tokens if n not in self.after.game.tokens
        }

    def _there(self, place: Place) -> Place | None:
        """The same place under the new rules."""
        places = self.after.places.get(place.key)
        if places is None or place.decl.of in self.gone_sorts():
            return None
        decl = next(iter(places.values())).decl if places else place.decl
        try:
            keys = self._keys(place.keys, place.decl, decl)
        except Lost:
            return None
        found = places.get(keys)
        if found is not None and place.size() and not _alike(place, found):
            raise Lost(f"`{place.key}` is kept in another way now")
        return found

    def _keys(self, keys: tuple[Any, ...], was: Any, now: Any) -> tuple[Any, ...]:
        owned = bool(was.owner)
        if owned != bool(now.owner) or len(was.indices) != len(now.indices):
            raise Lost(f"`{was.name}` is kept for something else now")
        first: tuple[Any, ...] = ()
        if owned:
            first = (keys[0],) if was.owner == "player" else (self._thing(was.owner, keys[0]),)
        rest = zip(keys[owned:], was.indices, now.indices, strict=True)
        return (*first, *(self.value(v, a, b) for v, a, b in rest))

    def _fill(self, place: Place, there: Place) -> None:
        of = place.decl.of
        there.shown_to = set(place.shown_to)
        if place.decl.tokens:
            if place.counts:
                for kind, amount in enumerate(place.counts):
                    if amount:
                        there.counts[self._kind(of, kind)] += amount
            else:
                there.cells = {
                    self._space(place, there, s): self._kind(of, k) for s, k in place.cells.items()
                }
            return
        there.items = self._all(of, place.items)
        if there.decl.form.sorted or there.decl.form.hidden:
            there.items.sort()
        if place.board is not None:
            there.cells = {
                self._space(place, there, s): self.things[of][c]
                for s, c in place.cells.items()
                if c in self.things[of]
            }
        there.top = self._known(of, place.top)
        there.bottom = self._known(of, place.bottom)
        there.middle = [
            None if k is None else self._known(of, [k])[0]
            for k in place.middle
            if k is None or k.card in self.things[of]
        ]
        hidden = len(there.items)
        while there.middle.count(None) > hidden:
            there.middle.remove(None)

    def _all(self, of: str, cards: list[int]) -> list[int]:
        return [self.things[of][c] for c in cards if c in self.things[of]]

    def _known(self, of: str, known: list[Known]) -> list[Known]:
        return [Known(self.things[of][k.card], set(k.viewers)) for k in known if k.card in self.things[of]]

    def _space(self, place: Place, there: Place, space: Any) -> Any:
        if there.board is None or there.decl.form.single:
            return space
        if not there.board.holds(space):
            raise Lost(f"`{place.key}` has no space {space} any more")
        return space

    def _put_in(self, name: str, dice: Generator) -> None:
        """New components go where most of their sort lie unseen; nobody knows where among them."""
        cards = self.fresh[name]
        decl = self.after.things[name][0].decl if self.after.things[name] else None
        if not cards or decl is None or decl.on is not None:
            return
        heaps = [
            place
            for place in self.after.all_places()
            if place.decl.of == name
            and not place.decl.tokens
            and place.owner is None
            and (place.decl.form.hidden or place.decl.form.heap)
            and not place.key.startswith("box of ")
            and len(place.items) > 0
        ]
        hidden = [place for place in heaps if place.decl.form.hidden] or heaps
        box = self.after.places[f"box of {name}"][()] if f"box of {name}" in self.after.places else None
        target = max(hidden, key=lambda place: len(place.items), default=box)
        if target is None:
            raise Lost(f"there is nowhere to put the new ones of `{name}`")
        target.items = sorted([*target.items, *cards])
        if target.decl.form.hidden:
            for _ in cards:
                target.middle.insert(dice.below(len(target.middle) + 1), None)
        words = "in the box" if target is box else f"shuffled into `{target.key}`"
        self.notes.append(f"{len(cards)} of `{name}` are new: {words}")

    def _tokens(self, name: str) -> None:
        """As many tokens as the new rules have: what is more or less is added or taken where most lie that belong to nobody."""
        wanted = self.new.play.table.places[f"box of {name}"]
        totals = [self.new.layout.constants.evaluate(a) for a in self.after.game.tokens[name].amounts]
        heaps = [p for p in self.after.all_places() if p.decl.of == name and p.counts and p.owner is None]
        for kind, total in enumerate(totals):
            have = sum(p.tally(kind) for p in self.after.all_places() if p.decl.tokens and p.decl.of == name)
            if have == total:
                continue
            heap = max(heaps, key=lambda p: sum(p.counts), default=next(iter(wanted.values())))
            word = self.after.game.kinds[name].values[kind]
            if heap.counts[kind] + total - have < 0:
                raise Lost(f"there are {have - total} {word} too many in play")
            heap.counts[kind] += total - have
            more = "more" if total > have else "fewer"
            self.notes.append(f"{abs(total - have)} {more} {word} in `{heap.key}`")

    def _whereabouts(self) -> None:
        """Where each component is, from what lies where."""
        for name, things in self.after.things.items():
            for thing in things:
                thing.place = thing.space = None
            for place in self.after.all_places():
                if place.decl.of == name and not place.decl.tokens:
                    for c in (*place.items, *(k.card for k in place.known())):
                        things[c].place = place
                    for space, c in place.cells.items():
                        things[c].space = space
            for c, there in self.things[name].items():
                was, now = self.before.things[name][c], things[there]
                now.turned = was.turned
                if was.decl.on is not None and now.decl.on is not None:
                    now.on = self.value(was.on, t.optional(was.decl.on), t.optional(now.decl.on))

    # ------------------------------------------------------------ what is noted
    def _states(self) -> None:
        for key, now in self.after.game.states.items():
            was = self.before.game.states.get(key)
            if was is None:
                self.notes.append(f"`{key}` is new, and begins as it is declared")
                continue
            for keys, value in self.before.states[key].items():
                try:
                    there = self._keys(keys, was, now)
                except Lost:
                    continue
                if there in self.after.states[key]:
                    self.after.states[key][there] = self.value(value, was.type, now.type, f"`{key}`")
                    if shown := self.before.shown_states.get((key, keys)):
                        self.after.shown_states[key, there] = set(shown)
        gone = [key for key in self.before.game.states if key not in self.after.game.states]
        self.notes += [f"`{key}` is no longer noted" for key in gone]

    def _records(self) -> None:
        for name, record in self.after.records.items():
            was = self.before.records.get(name)
            if was is None:
                continue
            if len(was.rows) > record.limit:
                raise Lost(f"`{name}` has {len(was.rows)} rows, and now {record.limit} at most")
            fields, before = self.after.game.records[name].fields, self.before.game.records[name].fields
            for row in was.rows:
                there: dict[str, Any] = {}
                for field, (indices, type_) in fields.items():
                    if field not in before:
                        raise Lost(f"rows of `{name}` have no `{field}`")
                    _, old = before[field]
                    if indices:
                        there[field] = {
                            tuple(
                                self.value(v, a, b)
                                for v, a, b in zip(at, before[field][0], indices, strict=True)
                            ): self.value(x, old, type_)
                            for at, x in row[field].items()
                        }
                    else:
                        there[field] = self.value(row[field], old, type_)
                record.rows.append(there)

    # ------------------------------------------------------------ values
    def value(self, value: Any, was: t.Type, now: t.Type, what: str = "a value") -> Any:
        """A value of the old rules as the new ones have it."""
        if value is None:
            if isinstance(now, t.Opt | t.Nothing | t.Unknown):
                return None
            raise Lost(f"{what} is none, which these rules do not allow")
        match t.plain(was), t.plain(now):
            case t.Num(), t.Num(low, high):
                if not low <= value <= high:
                    raise Lost(f"{what} is {value}, and has to lie between {low} and {high}")
                return value
            case (t.YesNo(), t.YesNo()) | (t.Player(), t.Player()):
                return value
            case t.Kind(name), t.Kind(other) if name == other:
                return self._kind(name, value)
            case t.Comp(name), t.Comp(other) if name == other:
                return self._thing(name, value)
            case t.Space(name), t.Space(other) if name == other:
                if not self.after.boards[name].holds(value):
                    raise Lost(f"`{name}` has no space {value} any more")
                return value
            case t.Rec(name), t.Rec(other) if name == other:
                return value
            case t.SetOf(of), t.SetOf(to):
                return self.after.in_order((self.value(v, of, to, what) for v in value), to)
            case t.ListOf(of), t.ListOf(to):
                return tuple(self.value(v, of, to, what) for v in value)
            case t.Array(index, of), t.Array(at, to):
                return {
                    tuple(self.value(k, a, b) for k, a, b in zip(key, index, at, strict=True)): self.value(
                        v, of, to, what
                    )
                    for key, v in value.items()
                }
            case t.Place(), t.Place():
                there = self._there(value)
                if there is None:
                    raise Lost(f"`{value.key}` is gone")
                return there
        if was == now:
            return value
        raise Lost(f"{what} is {was}, and now has to be {now}")

    def _kind(self, name: str, value: int) -> int:
        word = self.before.game.kinds[name].values[value]
        values = self.after.game.kinds[name].values
        if word not in values:
            raise Lost(f"there is no {word} any more")
        return values.index(word)

    def _thing(self, name: str, c: int) -> int:
        if c not in self.things.get(name, {}):
            raise Lost(
                f"{self.old.engine.watcher.values.comp_name(name, c)} is gone, and something is noted of it"
            )
        return self.things[name][c]

    def told(self) -> list[str]:
        if len(self.notes) <= MOST_TOLD:
            return self.notes
        return [*self.notes[: MOST_TOLD - 1], f"and {len(self.notes) - MOST_TOLD + 1} more such changes"]


def _alike(one: Place, two: Place) -> bool:
    """Can what lies in one simply lie in the other?"""
    a, b = one.decl, two.decl
    return (a.tokens, a.form.hidden, bool(one.board), a.form.single and a.tokens) == (
        b.tokens,
        b.form.hidden,
        bool(two.board),
        b.form.single and b.tokens,
    )
