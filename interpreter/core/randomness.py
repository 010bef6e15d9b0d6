"""The generator: SplitMix64, specified here so that a seed means the same match everywhere.

    state <- state + 0x9E3779B97F4A7C15            (all modulo 2^64)
    z <- (state xor state >> 30) * 0xBF58476D1CE4E5B9
    z <- (z xor z >> 27) * 0x94D049BB133111EB
    next <- z xor z >> 31

A number below n: draw `next` until it is below the largest multiple of n that
fits in 2^64, then take it modulo n. One of several weighted outcomes: a number
below the sum of the weights, counted off in the order in which they are listed.

`hashed` makes one word of several: h = 0, and for each word
h <- mix((h + 0x9E3779B97F4A7C15) xor word), where mix is the end of the above.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

_MASK = (1 << 64) - 1
_SAFE = (1 << 64) - (1 << 32)  # below the limit of every n up to 2^32


def hashed(*words: int, start: int = 0) -> int:
    """`start` is the hash of words before these."""
    h = start
    for word in words:
        z = ((h + 0x9E3779B97F4A7C15) & _MASK) ^ (word & _MASK)
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        h = z ^ (z >> 31)
    return h


class Generator:
    __slots__ = ("state",)

    def __init__(self, seed: int) -> None:
        self.state = seed & _MASK

    def copy(self) -> Generator:
        return Generator(self.state)

    def next(self) -> int:
        self.state = (self.state + 0x9E3779B97F4A7C15) & _MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        return z ^ (z >> 31)

    def below(self, n: int) -> int:
        while True:
            self.state = state = (self.state + 0x9E3779B97F4A7C15) & _MASK
            z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
            z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
            z ^= z >> 31
            if z < _SAFE or z < (1 << 64) - (1 << 64) % n:
                return z % n

    def part(self) -> float:
        """A number from 0 to below 1, in steps of 2^-53."""
        return (self.next() >> 11) * 2.0**-53

    def one_of(self, n: int) -> int:
        """A number below n; a certain one uses nothing."""
        return self.below(n) if n > 1 else 0

    def shuffle(self, things: list[Any], first: int | None = None) -> None:
        """Any order of them as likely; with `first` only so many at the beginning are drawn."""
        count = len(things)
        for n in range(count - 1 if first is None else min(first, count - 1)):
            other = n + self.below(count - n)
            things[n], things[other] = things[other], things[n]

    def settle(self, options: Sequence[Any], weights: Sequence[int]) -> Any:
        """What happens at a chance point: a certain outcome uses no random number."""
        return options[0] if len(options) == 1 else self.pick(options, weights)

    def pick(self, options: Sequence[Any], weights: Sequence[int]) -> Any:
        ticket = self.below(sum(weights))
        for option, weight in zip(options, weights, strict=True):
            if ticket < weight:
                return option
            ticket -= weight
        raise AssertionError
