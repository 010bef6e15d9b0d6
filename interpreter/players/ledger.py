"""What one seat knows of where things are, from all that it has noticed since the start.

A view shows what lies open now. A player at the table knows more: that tile went
under the stack of the player on the left, three silver went behind that screen,
and one of them, nobody saw which, was stolen since. This is a ledger of that
kind. It goes through the observations of a seat in order, beginning with
everything in the box, and keeps

- for each component the places where it may be, with a weight for each. A move
  that was seen settles it; "one Card went from A to B" lets every card that may
  be in A be in B too, with the chance that it was the one;
- for each place of tokens how many of each kind are expected there, and how many
  of these are certain;
- for rows and stacks the order, as far as it was seen;
- for each state what it was when it was seen last.

Copies of one printed row are not told apart: an entry of the ledger stands for any of them,
and when one is seen to go, it is the entry that was the most likely to be where it went from. So it
does not matter what a seat calls the copies.

Only events are read, never the state, so two matches that a seat cannot tell
apart give the same ledger. Moves between two places whose size is hidden are
noticed by nobody. The ledger takes it that they did not happen until something
comes out of a place that was not known to be in it; then it must have come from
elsewhere, and most likely from another place of the same owner, as a bid comes
from the purse of who makes it.

The weights are kept for each component by itself. Where all unknown cards have
come the same way, as in every game of drawing and dealing, worlds.py makes of
them exactly the distribution that Bayes would; where they have not, it is close.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ..core.events import (
    AllMoved,
    Chosen,
    ClockRan,
    Event,
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
    TimeIsUp,
    TokensMoved,
    TopSeen,
    TopSeenByOthers,
    TurnBegan,
)
from ..play.engine import Engine

NOWHERE = -1


class UnknownEvent(LookupError):
    """An event that nobody has told the ledger of: to pass over it would be to believe what is wrong."""


class Tokens:
    """The tokens of one sort: expected and certain numbers of each kind in each place."""

    def __init__(self, kinds: list[str]) -> None:
        self.kinds = {kind: number for number, kind in enumerate(kinds)}
        self.expected: dict[int, list[float]] = {}
        self.certain: dict[int, list[int]] = {}


class Ledger:
    """Made for one seat (from 0) of one engine; `read` takes in what has been noticed since."""

    def __init__(self, engine: Engine, seat: int) -> None:
        self.engine = engine
        self.seat = seat
        self.read_so_far = 0
        self.last: Observation | None = None
        watcher, layout = engine.watcher, engine.layout
        self.by_label = {
            watcher.labels[key, index]: ref for ref, (key, index, _) in watcher.comp_places.items()
        }
        self.token_by_label = {
            watcher.labels[key, index]: ref for ref, (key, index, _) in watcher.token_places.items()
        }
        self.owner = {ref: p.owner for ref, (_, _, p) in (watcher.comp_places | watcher.token_places).items()}
        self.numbers: dict[str, tuple[str, int]] = {}
        self.where: dict[str, list[dict[int, float]]] = {}
        self.copies: dict[str, list[list[int]]] = {}
        """For each component those with the same printed row, itself among them."""
        self.size: dict[int, int] = dict.fromkeys(watcher.comp_places, 0)
        self.order: dict[int, list[int] | None] = {}
        self.written: dict[str, Any] = {}
        for name, comp in layout.comps.items():
            if comp.decl.on is not None:
                continue
            box = layout.instances[f"box of {name}"][0].ref
            self.where[name] = [{box: 1.0} for _ in range(comp.count)]
            self.size[box] = comp.count
            alike: dict[int, list[int]] = {}
            for c, printed in enumerate(comp.rows):
                alike.setdefault(printed, []).append(c)
            self.copies[name] = [alike[printed] for printed in comp.rows]
            for c in range(comp.count):
                self.numbers[watcher.values.comp_name(name, c)] = (name, c)
        for ref, (_, _, place) in watcher.comp_places.items():
            if place.decl.form.ordered:
                self.order[ref] = []
        self.tokens: dict[str, Tokens] = {}
        for name in layout.game.tokens:
            self.tokens[name] = Tokens(list(layout.game.kinds[name].values))
        self.token_of: dict[int, Tokens] = {}
        for ref, (key, _, place) in watcher.token_places.items():
            tokens = self.tokens[place.decl.of]
            self.token_of[ref] = tokens
            count = len(tokens.kinds)
            start = layout.initial[ref : ref + count] if key.startswith("box of ") else [0] * count
            tokens.expected[ref] = [float(n) for n in start]
            tokens.certain[ref] = list(start)

    # ------------------------------------------------------------ reading
    def goes_on_with(self, seen: list[Observation]) -> bool:
        """Is this the history that was read so far, or a longer one?"""
        count = self.read_so_far
        return count <= len(seen) and (count == 0 or seen[count - 1] is self.last)

    def read(self, seen: list[Observation], until: int | None = None) -> None:
        stop = len(seen) if until is None else until
        for number in range(self.read_so_far, stop):
            event = seen[number]
            handler = _HANDLERS.get(type(event))
            if handler is None:
                raise UnknownEvent(f"what does `{event[0]}` tell about where things are?")
            handler(self, event)
        self.read_so_far = stop
        self.last = seen[stop - 1] if stop else None

    def _was_set(self, event: StateSet) -> None:
        self.written[event.label] = event.value

    def _moved(self, event: ThingMoved) -> None:
        source, dest = self.by_label.get(event.source), self.by_label.get(event.dest)
        if source is None or dest is None:
            return
        spot = event.spot if isinstance(event.spot, str) else "top"
        if event.thing in self.numbers:
            name, c = self.numbers[event.thing]
            entry = self._entry(name, c, source)
            self.where[name][entry] = {dest: 1.0}
            self._reorder(source, dest, entry, spot)
        else:
            self._one_of(event.thing, source, dest)
            self._reorder(source, dest, NOWHERE, spot)
        self.size[source] -= 1
        self.size[dest] += 1

    def _entry(self, name: str, c: int, place: int, but: Sequence[int] = ()) -> int:
        """A component was found in a place: which entry for its row stands for it? The one that was the most likely to be
        there; of several the one of which the least is known."""
        row = self.where[name]
        return max(
            (d for d in self.copies[name][c] if d not in but),
            key=lambda d: (row[d].get(place, 0.0), -max(row[d].values(), default=0.0), -d),
        )

    def _one_of(self, name: str, source: int, dest: int) -> None:
        """Something went from one place to the other, and it may have been any of what was there."""
        chance = 1.0 / max(1, self.size[source])
        for places in self.where[name]:
            weight = places.get(source)
            if weight is None:
                continue
            places[dest] = places.get(dest, 0.0) + weight * chance
            if chance == 1.0:
                del places[source]
            else:
                places[source] = weight * (1.0 - chance)

    def _reorder(self, source: int, dest: int, c: int, spot: str) -> None:
        line = self.order.get(source)
        if line is not None:
            if c != NOWHERE and c in line:
                line.remove(c)
            elif c != NOWHERE and NOWHERE in line:
                line.remove(NOWHERE)
            elif len(line) == 1:
                line.clear()
            else:
                self.order[source] = None  # which one is gone, and so what lies where, is not known
        if source in self.order and self.size[source] <= 1:
            self.order[source] = []
        line = self.order.get(dest)
        if line is not None:
            line.insert(_position(spot, len(line)), c)

    def _tokens_moved(self, event: TokensMoved) -> None:
        amount = event.amount
        source, dest = self.token_by_label.get(event.source), self.token_by_label.get(event.dest)
        if source is None or dest is None:
            return
        tokens = self.token_of[source]
        kind = tokens.kinds.get(event.kind)
        if kind is None:
            self._some_tokens(tokens, amount, source, dest)
            return
        missing = amount - tokens.expected[source][kind]
        if missing > 1e-9:
            self._fetch(tokens, kind, source, missing)
        tokens.expected[source][kind] = max(0.0, tokens.expected[source][kind] - amount)
        tokens.expected[dest][kind] += amount
        tokens.certain[source][kind] = max(0, tokens.certain[source][kind] - amount)
        tokens.certain[dest][kind] += amount

    def _some_tokens(self, tokens: Tokens, amount: int, source: int, dest: int) -> None:
        expected, certain = tokens.expected[source], tokens.certain[source]
        there = added(expected)
        share = min(1.0, amount / there) if there > 0 else 0.0
        whole = share > 1.0 - 1e-9
        for kind in range(len(expected)):
            moved = expected[kind] * share
            tokens.expected[dest][kind] += moved
            expected[kind] -= moved
            if whole:
                tokens.certain[dest][kind] += certain[kind]
                certain[kind] = 0
            else:
                certain[kind] = max(0, certain[kind] - amount)

    def _fetch(self, tokens: Tokens, kind: int, place: int, amount: float) -> None:
        """More of a kind is in a place than was thought: so it came from elsewhere, and if the size of
        the place is known, something else is there instead."""
        nearest = sorted(
            (ref for ref in tokens.expected if ref != place and tokens.expected[ref][kind] > 1e-9),
            key=lambda ref: (self.owner[ref] != self.owner[place], self._sees(ref), ref),
        )
        sized = self._sees(place)
        for ref in nearest:
            taken = min(amount, tokens.expected[ref][kind])
            tokens.expected[ref][kind] -= taken
            tokens.expected[place][kind] += taken
            left = int(tokens.expected[ref][kind] + 1e-9)
            tokens.certain[ref][kind] = min(tokens.certain[ref][kind], left)
            if sized:
                self._give_back(tokens, kind, place, ref, taken)
            amount -= taken
            if amount <= 1e-9:
                return

    def _give_back(self, tokens: Tokens, kind: int, place: int, ref: int, amount: float) -> None:
        rest = {
            k: n - tokens.certain[place][k]
            for k, n in enumerate(tokens.expected[place])
            if k != kind and n > tokens.certain[place][k]
        }
        total = added(rest.values())
        for k, n in rest.items():
            back = min(n, amount * n / total)
            tokens.expected[place][k] -= back
            tokens.expected[ref][k] += back

    def _sees(self, ref: int) -> bool:
        watcher = self.engine.watcher
        key, index, _ = watcher.token_places[ref]
        mask = 0
        for what in ("seen", "size_seen"):
            mask |= watcher.declared_mask(key, index, what)
        return bool(mask >> self.seat & 1)

    # ------------------------------------------------------------ other things to notice
    def _all_moved(self, event: AllMoved) -> None:
        source, dest = self.by_label.get(event.source), self.by_label.get(event.dest)
        if source is None or dest is None:
            return
        self._pour(source, dest)
        self.size[dest] += self.size[source]
        self.size[source] = 0

    def _pour(self, source: int, dest: int) -> None:
        for places_of in self.where.values():
            for places in places_of:
                if source in places:
                    places[dest] = places.get(dest, 0.0) + places.pop(source)
        line, other = self.order.get(source), self.order.get(dest)
        if dest in self.order:
            self.order[dest] = [*other, *line] if other is not None and line is not None else None
        if source in self.order:
            self.order[source] = []

    def _swapped(self, event: PlacesSwapped) -> None:
        a, b = self.by_label.get(event.left), self.by_label.get(event.right)
        if a is not None and b is not None:
            for places_of in self.where.values():
                for places in places_of:
                    in_a, in_b = places.pop(a, None), places.pop(b, None)
                    if in_a is not None:
                        places[b] = in_a
                    if in_b is not None:
                        places[a] = in_b
            self.size[a], self.size[b] = self.size[b], self.size[a]
            if a in self.order and b in self.order:
                self.order[a], self.order[b] = self.order[b], self.order[a]
            return
        a, b = self.token_by_label.get(event.left), self.token_by_label.get(event.right)
        if a is not None and b is not None:
            tokens = self.token_of[a]
            for table in (tokens.expected, tokens.certain):
                table[a], table[b] = table[b], table[a]  # type: ignore[assignment]

    def _exchanged(self, event: ThingsExchanged) -> None:
        if event.left in self.numbers and event.right in self.numbers:
            (name, a), (_, b) = self.numbers[event.left], self.numbers[event.right]
            row = self.where[name]
            row[a], row[b] = row[b], row[a]
            for ref, line in self.order.items():
                if line is not None and (a in line or b in line):
                    self.order[ref] = [b if c == a else a if c == b else c for c in line]

    def _shown(self, event: PlaceShown) -> None:
        """All that lies in a place was seen."""
        ref = self.by_label.get(event.place)
        contents: Iterable[Any] = event.contents or ()
        if ref is not None:
            found: list[int] = []
            for item in contents:
                known = self.numbers.get(item[0] if isinstance(item, tuple) else item)
                if known is not None:
                    found.append(self._entry(*known, ref, found))
                    self.where[known[0]][found[-1]] = {ref: 1.0}
            return
        ref = self.token_by_label.get(event.place)
        if ref is None or isinstance(contents, str):
            return
        tokens = self.token_of[ref]
        counts = [0] * len(tokens.kinds)
        for item in contents:
            if item[0] not in tokens.kinds:
                return  # spaces of a board
            counts[tokens.kinds[item[0]]] = item[1]
        for kind, count in enumerate(counts):
            missing = count - tokens.expected[ref][kind]
            if missing > 1e-9:
                self._fetch(tokens, kind, ref, missing)
        for kind, count in enumerate(counts):
            spare = tokens.expected[ref][kind] - count
            if spare > 1e-9:
                self._put_elsewhere(tokens, kind, ref, spare)
        tokens.expected[ref] = [float(n) for n in counts]
        tokens.certain[ref] = counts

    def _put_elsewhere(self, tokens: Tokens, kind: int, place: int, amount: float) -> None:
        """Less of a kind is in a place than was thought: the rest must be in another one that is hidden."""
        hidden = [ref for ref in tokens.expected if ref != place and not self._open(ref)]
        room = {ref: added(tokens.expected[ref]) - sum(tokens.certain[ref]) for ref in hidden}
        total = added(room.values())
        for ref in hidden:
            tokens.expected[ref][kind] += amount * (room[ref] / total if total > 1e-9 else 1 / len(hidden))

    def _nothing_moved(self, event: Observation) -> None:
        """Everything lies where it lay."""

    def _open(self, ref: int) -> bool:
        watcher = self.engine.watcher
        key, index, _ = watcher.token_places[ref]
        return bool(watcher.declared_mask(key, index, "seen") >> self.seat & 1)


def added(numbers: Iterable[float]) -> float:
    """One after the other: `sum` of fractions is worked out differently from one Python to the next."""
    total = 0.0
    for number in numbers:
        total += number
    return total


def _position(spot: str, length: int) -> int:
    if spot == "bottom":
        return 0
    if spot.endswith(" from the top"):
        return max(0, length - int(spot.split()[0]) + 1)
    return length


_HANDLERS: dict[type[Event], Callable[[Ledger, Any], None]] = {
    TurnBegan: Ledger._nothing_moved,
    Chosen: Ledger._nothing_moved,
    Rolled: Ledger._nothing_moved,
    RolledInSecret: Ledger._nothing_moved,
    ClockRan: Ledger._nothing_moved,
    TimeIsUp: Ledger._nothing_moved,
    MatchOver: Ledger._nothing_moved,
    ThingMoved: Ledger._moved,
    TokensMoved: Ledger._tokens_moved,
    AllMoved: Ledger._all_moved,
    PieceStands: Ledger._nothing_moved,
    PlacesSwapped: Ledger._swapped,
    ThingsExchanged: Ledger._exchanged,
    Shuffled: Ledger._nothing_moved,
    StateSet: Ledger._was_set,
    RowNoted: Ledger._nothing_moved,
    PlaceShown: Ledger._shown,
    PlaceShownToOthers: Ledger._nothing_moved,
    TopSeen: Ledger._nothing_moved,
    TopSeenByOthers: Ledger._nothing_moved,
}
