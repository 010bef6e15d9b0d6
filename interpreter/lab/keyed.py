"""Luck that survives a change of the rules: random games whose chance and picks are keyed by what they are for.

Two rule sets that play the same seed with one stream of random numbers play the same game up to the
first draw or decision that differs, and unrelated games after it. Here every outcome has a number of its own,
a hash of the seed and of what it is for, so that what a change does not touch stays as it was:

    H(w1, w2, ...): h = 0; for each word h = mix((h + 0x9E3779B97F4A7C15) xor w)    (mix: the end of SplitMix64)

| | key | outcome |
|---|---|---|
| a component, drawn | seed, 1, place, epoch, component | the greatest among those there: a shuffled pile |
| a token, drawn, or a roll | seed, 2, rule, type, turn, n | a part of the sum of weights: (h * total) >> 64 |
| a random pick | seed, 4, seat, turn, rule, binder, cell, n, option | the greatest |

A turn is the seat that has it and how many turns it has had; n counts how often the same came up in this turn. The
epoch of a place grows when something has come into it since the last draw: then all is shuffled anew, since
a new number for the newcomer alone would not be even. Words are 8 bytes of BLAKE2b of what names the thing.

What a game is like on average does not depend on where its luck comes from; only pairs of games are closer.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property, lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from attrs import Factory, define

from ..core import value_types as t
from ..core.randomness import Generator, hashed
from ..play.engine import Engine
from ..play.state import State
from ..players.base import even

if TYPE_CHECKING:
    from ..native.keyed import Point

_MASK = (1 << 64) - 1
_GAMMA = 0x9E3779B97F4A7C15
DRAWN, ROLLED, PICKED = 1, 2, 4


@lru_cache(maxsize=1 << 16)
def word_of(name: str) -> int:
    return int.from_bytes(blake2b(name.encode(), digest_size=8).digest(), "little")


@define(eq=False)
class Pile:
    """What can be drawn from a place until something comes into it; `left` is without what was drawn last."""

    epoch: int
    ranks: dict[int, int]
    left: set[int] = Factory(set)


class Names:
    """The words of what luck can be for, worked out once for an engine; also for machine code (native/keyed.py)."""

    kinds = (DRAWN, ROLLED, PICKED)

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.components: dict[tuple[str, int], int] = {}
        self.options: dict[tuple[int, Any], int] = {}

    def component(self, comp: str, c: int) -> int:
        found = self.components.get((comp, c))
        if found is None:
            name = self.engine.watcher.values.comp_name(comp, c)
            found = self.components[comp, c] = word_of(repr(name))
        return found

    def option(self, pc: int, value: Any) -> int:
        found = self.options.get((pc, value))
        if found is None:
            key = self.engine.watcher.values.option_key(self.engine.points[pc], value)
            found = self.options[pc, value] = word_of(repr(key))
        return found

    def site(self, pc: int) -> tuple[int, int]:
        """What a decision or chance point is for: its rule, and its name or type."""
        if pc in self.engine.points:
            point = self.engine.points[pc]
            return word_of(point.rule), word_of(point.name)
        rules = self.engine.generated.rules[pc]
        return word_of(rules[-1] if rules else ""), word_of(str(self.engine.generated.chances[pc]))

    # ------------------------------------------------------------ for machine code
    def word(self, pc: int, value: int) -> int:
        if pc in self.engine.points:
            return self.option(pc, value)
        type_ = self.engine.generated.chances[pc]
        assert isinstance(type_, t.Comp)
        return self.component(type_.name, value)

    @cached_property
    def points(self) -> dict[int, Point]:
        from ..native.keyed import Point  # late: few have it installed

        out: dict[int, Point] = {}
        numbers: dict[tuple[bool, tuple[int, int]], int] = {}
        for pc in (*self.engine.points, *self.engine.generated.chances):
            asked, words = pc in self.engine.points, self.site(pc)
            type_ = None if asked else self.engine.generated.chances[pc]
            where = self.engine.layout.comps[type_.name].where if isinstance(type_, t.Comp) else -1
            out[pc] = Point(numbers.setdefault((asked, words), len(numbers)), words, where)
        return out

    @cached_property
    def places(self) -> dict[int, int]:
        return {ref: word_of(self.engine.place_label(ref)) for ref in self.engine.watcher.comp_places}


_NAMES: WeakKeyDictionary[Engine, Names] = WeakKeyDictionary()


def names_of(engine: Engine) -> Names:
    found = _NAMES.get(engine)
    if found is None:
        found = _NAMES[engine] = Names(engine)
    return found


class KeyedLuck:
    """Decides chance and picks of one game."""

    def __init__(self, engine: Engine, seed: int) -> None:
        self.engine = engine
        self.seed = seed
        self.turn = 0
        self.turn_key = (0, 0)
        self.had: Counter[int] = Counter()
        self.times: Counter[tuple[int, ...]] = Counter()
        self.piles: dict[str, Pile] = {}
        self.names = names_of(engine)

    def _now(self, state: State) -> None:
        layout = self.engine.layout
        turn = state.I[layout.TURN]
        if turn != self.turn:
            self.turn = turn
            seat = state.I[layout.ACTIVE] + 1
            self.had[seat] += 1
            self.turn_key = (seat, self.had[seat])
            self.times.clear()

    def _number(self, *site: int) -> int:
        """How often this has come up in this turn."""
        self.times[site] += 1
        return self.times[site]

    # ------------------------------------------------------------ chance
    def outcome(self, state: State) -> Any:
        """What chance brings at the pending chance point."""
        self._now(state)
        options, weights = state.options, state.weights
        if len(options) == 1:
            return options[0]
        type_ = self.engine.generated.chances[state.pc]
        if isinstance(type_, t.Comp) and len(set(weights)) == 1:
            place = self._place(state, type_.name, options)
            if place is not None:
                return self._drawn(place, type_.name, options)
        site = (ROLLED, *self.names.site(state.pc))
        h = hashed(self.seed, *site, *self.turn_key, self._number(*site))
        ticket = (h * sum(weights)) >> 64
        for option, weight in zip(options, weights, strict=True):
            if ticket < weight:
                return option
            ticket -= weight
        raise AssertionError

    def _place(self, state: State, comp: str, options: Any) -> str | None:
        """Where all of these lie, if that is one place."""
        where = self.engine.layout.comps[comp].where
        if where < 0:
            return None
        refs = {state.I[where + c] for c in options}
        if len(refs) != 1 or (ref := refs.pop()) not in self.engine.watcher.comp_places:
            return None
        return self.engine.place_label(ref)

    def _drawn(self, place: str, comp: str, options: Any) -> Any:
        there = set(options)
        pile = self.piles.get(place)
        if pile is None or not there <= pile.left:
            epoch = 0 if pile is None else pile.epoch + 1
            start = hashed(self.seed, DRAWN, word_of(place), epoch)
            pile = Pile(epoch, {c: hashed(self.names.component(comp, c), start=start) for c in options})
            self.piles[place] = pile
        found = max(options, key=pile.ranks.__getitem__)
        pile.left = there - {found}
        return found

    # ------------------------------------------------------------ picks
    def pick(self, state: State) -> int:
        """The position of what a random player picks."""
        self._now(state)
        count = len(state.options)
        if count == 1:
            return 0
        takers = state.takers
        site = (PICKED, state.player, *self.names.site(state.pc))
        key = hashed(self.seed, *site, *self.turn_key, self._number(*site))
        if takers > 1:
            return even(Generator(key), count, takers)
        ranks = [hashed(self.names.option(state.pc, value), start=key) for value in state.options]
        return ranks.index(max(ranks))
