"""Intervals and tests against published values, and against what they promise: how often they are right."""

from __future__ import annotations

import random
from math import inf, sqrt

import pytest
from dragonrules.interpreter.lab.intervals import (
    Interval,
    findings,
    holm,
    incomplete_beta,
    mean_interval,
    paired,
    share_interval,
    t_quantile,
    t_tail,
)


# ---------------------------------------------------------------- published values
@pytest.mark.parametrize(
    ("freedom", "tail", "value"),
    [
        (1, 0.05, 12.7062),
        (2, 0.05, 4.30265),
        (5, 0.01, 4.03214),
        (10, 0.05, 2.22814),
        (10, 0.001, 4.58689),
        (30, 0.05, 2.04227),
        (100, 0.05, 1.98397),
        (1000, 0.05, 1.96234),
    ],
)
def test_students_t(freedom: int, tail: float, value: float) -> None:
    assert t_quantile(tail, freedom) == pytest.approx(value, abs=2e-5 * value)
    assert t_tail(value, freedom) == pytest.approx(tail, rel=1e-4)


def test_students_t_far_out_and_at_the_edges() -> None:
    assert t_tail(0, 7) == 1
    assert t_quantile(1e-9, 50) == pytest.approx(7.498249052)
    assert t_quantile(0, 3) == inf
    assert t_quantile(1, 3) == 0


def test_incomplete_beta() -> None:
    assert incomplete_beta(2, 3, 0.5) == pytest.approx(0.6875)
    assert incomplete_beta(0.5, 0.5, 0.5) == pytest.approx(0.5)
    assert incomplete_beta(1, 1, 0.3) == pytest.approx(0.3)
    assert (incomplete_beta(2, 2, 0), incomplete_beta(2, 2, 1)) == (0, 1)


def test_wilson() -> None:
    """The examples of Newcombe, Statistics in Medicine 17 (1998), table I."""
    for count, total, low, high in [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ]:
        found = share_interval(count, total)
        assert (found.low, found.high) == (pytest.approx(low, abs=1e-4), pytest.approx(high, abs=1e-4))
    assert share_interval(0, 9).low == 0
    assert share_interval(9, 9).high == 1
    assert share_interval(0, 0) == Interval(0, 0, 1)


def test_mean() -> None:
    found = mean_interval([4.0, 5.0, 6.0, 7.0])
    assert found.estimate == 5.5
    half = 3.18245 * 1.2909944 / 2
    assert (found.low, found.high) == (pytest.approx(5.5 - half), pytest.approx(5.5 + half))
    assert mean_interval([3.0]) == Interval(3.0, -inf, inf)


def test_paired_differences() -> None:
    """Student's own data: the hours of sleep that two drugs gave to ten patients."""
    one = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
    two = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
    found = paired(one, two)
    assert found.estimate == pytest.approx(1.58)
    assert found.p == pytest.approx(0.002833, abs=1e-6)
    interval = found.interval(0.05)
    assert (interval.low, interval.high) == (pytest.approx(0.7001, abs=1e-4), pytest.approx(2.4599, abs=1e-4))
    with pytest.raises(ValueError, match="one length"):
        paired([1.0], [1.0, 2.0])


def test_events_that_never_happened_leave_room_for_some() -> None:
    found = paired([0.0] * 50, [0.0] * 50, events=True)
    assert found.estimate == 0
    assert found.p == 1
    assert found.error == pytest.approx(1 / 52)
    assert found.interval(0.05).high == pytest.approx(1 - 0.05 ** (1 / 50), abs=1e-6)


def test_holm() -> None:
    """Step by step: 0.01 x 4, 0.02 x 3, 0.03 x 2; none may be smaller than the one before."""
    told = holm([0.01, 0.04, 0.03, 0.005], alpha=0.05)
    assert [t[0] for t in told] == [True, False, False, True]
    assert [t[1] for t in told] == [pytest.approx(p) for p in (0.03, 0.06, 0.06, 0.02)]
    assert holm([]) == []


def test_an_interval_leaves_zero_out_exactly_when_a_difference_is_told() -> None:
    rng = random.Random(5)
    for _ in range(60):
        effects = [rng.choice([0.0, 0.2, 0.35, 0.6]) for _ in range(6)]
        samples = [paired([0.0] * 40, [rng.gauss(e, 1) for _ in range(40)]) for e in effects]
        for finding in findings(samples):
            assert finding.different == (0 not in finding.interval)
            assert finding.different == (finding.adjusted_p <= 0.05)


def test_the_number_of_games() -> None:
    """The textbook's: an effect of half a deviation needs 32 pairs for a power of 80 %."""
    found = paired([0.0, 0.0], [-1 / sqrt(2), 1 / sqrt(2)])
    assert found.deviation == pytest.approx(1)
    assert found.games_for(0.5, 0.05, even_if_none=False) == 32
    assert found.games_for(0.0, 0.05) is None


def test_more_games_to_show_that_there_is_no_change() -> None:
    """An interval within the bounds on both sides: z of 90 % in place of 80 %."""
    found = paired([0.0, 0.0], [-1 / sqrt(2), 1 / sqrt(2)])
    assert found.games_for(0.5, 0.05) == 43


# ---------------------------------------------------------------- what they promise
def test_intervals_hold_as_often_as_they_say() -> None:
    """Skewed values, as lengths of games are: 95 of 100 intervals have the true mean."""
    rng = random.Random(1)
    held = sum(1.0 in mean_interval([rng.expovariate(1) for _ in range(80)]) for _ in range(600))
    assert 0.92 <= held / 600 <= 0.97


@pytest.mark.parametrize("share", [0.02, 0.3])
def test_shares_hold_as_often_as_they_say(share: float) -> None:
    rng = random.Random(2)
    held = sum(
        share in share_interval(sum(rng.random() < share for _ in range(150)), 150) for _ in range(500)
    )
    assert 0.925 <= held / 500 <= 0.985


@pytest.mark.parametrize("share", [0.01, 0.2])
def test_differences_of_events_hold_as_often_as_they_say(share: float) -> None:
    rng = random.Random(3)

    def sample() -> list[float]:
        return [float(rng.random() < share) for _ in range(150)]

    held = sum(0 in paired(sample(), sample(), events=True).interval(0.05) for _ in range(400))
    assert 0.925 <= held / 400 <= 1.0


def test_many_looks_at_nothing_find_something_as_often_as_they_say() -> None:
    """Twelve figures without any difference: in at most 5 of 100 experiments one of them is told."""
    rng = random.Random(4)
    wrong = 0
    for _ in range(300):
        looks = [paired([0.0] * 30, [rng.gauss(0, 1) for _ in range(30)]) for _ in range(12)]
        wrong += any(f.different for f in findings(looks))
    assert 0.015 <= wrong / 300 <= 0.085


def test_the_power_that_was_promised() -> None:
    rng = random.Random(6)
    games = paired([0.0, 0.0], [-1 / sqrt(2), 1 / sqrt(2)]).games_for(0.4, 0.05, even_if_none=False)
    assert games is not None
    found = sum(
        paired([0.0] * games, [rng.gauss(0.4, 1) for _ in range(games)]).p <= 0.05 for _ in range(400)
    )
    assert 0.73 <= found / 400 <= 0.87


def test_a_single_difference_says_nothing() -> None:
    found = paired([1.0], [4.0])
    assert found.p == 1
    (told,) = findings([found])
    assert not told.different
    assert told.interval == Interval(3.0, -inf, inf)


def test_equal_differences_are_not_certain() -> None:
    """Both games 2 longer: signs fall so in half of all cases where nothing has changed."""
    found = paired([7.0, 7.0], [9.0, 9.0])
    assert found.p == 0.5
    assert 0 in found.interval(0.05)
    assert paired([7.0] * 12, [9.0] * 12).p == pytest.approx(2**-11)
    assert paired([0.0] * 8, [1.0] * 8, events=True).p == pytest.approx(2**-7)


@pytest.mark.parametrize("games", [10, 50, 200])
def test_games_that_are_the_same_leave_room_for_what_did_not_come_up(games: int) -> None:
    """A rule used in a share q of games stays unseen with probability (1 - q) ** games."""
    values = [float(n % 5) for n in range(games)]
    interval = paired(values, values).interval(0.05)
    unseen = 1 - 0.05 ** (1 / games)
    assert (1 - unseen) ** games == pytest.approx(0.05)
    assert interval == Interval(0.0, pytest.approx(-4 * unseen), pytest.approx(4 * unseen))
    events = paired([0.0] * games, [0.0] * games, events=True).interval(0.05)
    assert events.high == pytest.approx(unseen)


def test_a_figure_that_never_varies_may_yet() -> None:
    """Always 26 decisions: what a game without precedent could be is taken to be as much again."""
    found = paired([26.0] * 100, [26.0] * 100)
    assert found.interval(0.05).high == pytest.approx(26 * (1 - 0.05**0.01))
    assert found.games_for(1.3, 0.05) == 59


def test_games_that_settle_a_figure_without_spread() -> None:
    """As many as it takes to see what acts in so few games."""
    found = paired([26.0] * 10, [26.0] * 10)
    games = found.games_for(1.3, 0.05)
    assert games is not None
    enough, short = (paired([26.0] * n, [26.0] * n).interval(0.05).high for n in (games, games - 1))
    assert enough < 1.3 <= short
