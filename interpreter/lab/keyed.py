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
from functools import lru_cache
from hashlib import blake2b
from typing import Any
from weakref import WeakKeyDictionary

from attrs import Factory, define

from ..core import value_types as t
from ..core.randomness import Generator, hashed
from ..play.engine import Engine
from ..play.state import State
from ..players.base import even

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


_WORDS: WeakKeyDictionary[Engine, dict[tuple[str, int], int]] = WeakKeyDictionary()
_OPTIONS: WeakKeyDictionary[Engine, dict[tuple[int, Any], int]] = WeakKeyDictionary()
"""Words for components and options, worked out once."""


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
        self.words = _WORDS.setdefault(engine, {})
        self.options = _OPTIONS.setdefault(engine, {})

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

    def _word(self, comp: str, c: int) -> int:
        found = self.words.get((comp, c))
        if found is None:
            name = self.engine.watcher.values.comp_name(comp, c)
            found = self.words[comp, c] = word_of(repr(name))
        return found

    def _option_word(self, state: State, value: Any) -> int:
        found = self.options.get((state.pc, value))
        if found is None:
            key = self.engine.watcher.values.option_key(self.engine.points[state.pc], value)
            found = self.options[state.pc, value] = word_of(repr(key))
        return found

    # ------------------------------------------------------------ chance
    def outcome(self, state: State) -> Any:
        """What chance brings at the pending chance point."""
        self._now(state)
        options, weights = state.options, state.weights
        if len(options) == 1:
            return options[0]
        type_ = self.engine.generated.chances[state.pc]
        rules = self.engine.generated.rules[state.pc]
        rule = word_of(rules[-1] if rules else "")
        if isinstance(type_, t.Comp) and len(set(weights)) == 1:
            place = self._place(state, type_.name, options)
            if place is not None:
                return self._drawn(place, type_.name, options)
        site = (ROLLED, rule, word_of(str(type_)))
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
            pile = Pile(epoch, {c: hashed(self._word(comp, c), start=start) for c in options})
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
        point = self.engine.points[state.pc]
        takers = state.takers
        site = (PICKED, state.player, word_of(point.rule), word_of(point.name))
        key = hashed(self.seed, *site, *self.turn_key, self._number(*site))
        if takers > 1:
            return even(Generator(key), count, takers)
        ranks = [hashed(self._option_word(state, value), start=key) for value in state.options]
        return ranks.index(max(ranks))
