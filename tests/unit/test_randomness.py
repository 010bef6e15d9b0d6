"""The generator: the same numbers as every other SplitMix64, drawn without favour."""

from __future__ import annotations

from collections import Counter

import pytest
from dragonrules.interpreter.core.randomness import Generator
from hypothesis import given, settings
from hypothesis import strategies as st

MASK = (1 << 64) - 1

# Sebastiano Vigna's splitmix64.c, and java.util.SplittableRandom, give these.
REFERENCE = {
    0: [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC, 0x1B39896A51A8749B],
    1234567: [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ],
}


@pytest.mark.parametrize("seed", REFERENCE)
def test_first_numbers(seed: int) -> None:
    generator = Generator(seed)
    assert [generator.next() for _ in range(5)] == REFERENCE[seed]


def test_seeds_are_taken_modulo_two_to_the_64() -> None:
    assert Generator(-1).next() == Generator(MASK).next()
    assert Generator(1 << 64).next() == Generator(0).next()


def test_a_copy_goes_its_own_way() -> None:
    generator = Generator(7)
    generator.next()
    twin = generator.copy()
    ahead = [generator.next() for _ in range(4)]
    assert [twin.next() for _ in range(4)] == ahead


# ---------------------------------------------------------------- numbers below a bound
def giving(number: int) -> Generator:
    """The generator whose next number is this one: every step of the mixing can be undone."""
    z = _unshift(number, 31)
    z = _unshift(z * pow(0x94D049BB133111EB, -1, 1 << 64) & MASK, 27)
    z = _unshift(z * pow(0xBF58476D1CE4E5B9, -1, 1 << 64) & MASK, 30)
    return Generator(z - 0x9E3779B97F4A7C15)


def _unshift(z: int, shift: int) -> int:
    """Undo `z ^ (z >> shift)`."""
    found = z
    for _ in range(64 // shift):
        found = z ^ (found >> shift)
    return found


@settings(derandomize=True, deadline=None)
@given(st.integers(0, MASK))
def test_any_number_may_come(number: int) -> None:
    assert giving(number).next() == number


def test_first_numbers_below_a_bound() -> None:
    generator = Generator(0)
    assert [generator.below(6) for _ in range(12)] == [n % 6 for n in _reference(0, 12)]


def _reference(seed: int, count: int) -> list[int]:
    generator = Generator(seed)
    return [generator.next() for _ in range(count)]


@settings(derandomize=True, deadline=None)
@given(st.integers(1, 1 << 20))
def test_numbers_that_would_favour_some_are_thrown_away(bound: int) -> None:
    """The first that is refused is the largest multiple of the bound; the last that is taken lies just below."""
    limit = (1 << 64) - (1 << 64) % bound
    assert giving(limit - 1).below(bound) == bound - 1
    for refused in {limit, MASK} - {MASK + 1}:
        if refused >= limit:
            _, second = _reference(giving(refused).state, 2)
            assert giving(refused).below(bound) == second % bound


@settings(derandomize=True, deadline=None)
@given(st.integers(0, MASK), st.integers(1, 1000))
def test_below(seed: int, bound: int) -> None:
    generator = Generator(seed)
    assert all(0 <= generator.below(bound) < bound for _ in range(20))


@settings(derandomize=True, deadline=None)
@given(st.lists(st.integers(0, 9), min_size=1, max_size=8).filter(any))
def test_weights_count_off_a_number_below_their_sum(weights: list[int]) -> None:
    options = list(range(len(weights)))
    picked = Counter(giving(ticket).pick(options, weights) for ticket in range(sum(weights)))
    assert [picked[option] for option in options] == weights
