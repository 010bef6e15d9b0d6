"""What verdicts promise, tried: rules that are the same, and a rule that acts in few games.

The figures in docs/howto/measuring.md come from the long ones:
`pytest -m long tests/lab/test_promises.py -s` prints them.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import attrs
import dragonrules as dr
import pytest
from dragonrules.interpreter.lab.comparing import Comparison, Verdict, compare
from dragonrules.interpreter.lab.playing import Played, Series


def pool(name: str, players: int, games: int) -> list[Played]:
    series = Series(dr.load(name), ("random",) * players, seed=11)
    return [series.play(number) for number in range(games)]


def compared(base: Sequence[Played], other: Sequence[Played]) -> Comparison:
    (found,) = compare(base, [("other", other)], ("random",) * len(base[0].seats))
    return found


def alarms(games: list[Played], each: int, experiments: int, rng: random.Random) -> float:
    """How often something is told as different, between games of the same rules."""
    wrong = 0
    for _ in range(experiments):
        sample = rng.sample(games, 2 * each)
        found = compared(sample[:each], sample[each:])
        wrong += any(d.verdict is Verdict.DIFFERENT for d in found.differences)
    return wrong / experiments


def with_lot(game: Played, share: float, points: int, rng: random.Random) -> Played:
    """The same game, but at its end a lot gives the first seat so many points in such a share of games."""
    if rng.random() >= share or game.scores is None:
        return game
    scores = (game.scores[0] + points, *game.scores[1:])
    best = max(scores)
    winners = tuple(seat for seat, score in enumerate(scores, 1) if score == best)
    return attrs.evolve(game, scores=scores, winners=winners)


def overlooked(games: list[Played], share: float, each: int, experiments: int, rng: random.Random) -> float:
    """How often the highest score is told to be the same, though a lot has changed it by more than matters."""
    wrong = 0
    for _ in range(experiments):
        sample = rng.sample(games, each)
        found = compared(sample, [with_lot(game, share, 60, rng) for game in sample])
        (top,) = [d for d in found.differences if d.measure.key == "top_score"]
        wrong += top.verdict is Verdict.SAME
    return wrong / experiments


@pytest.fixture(scope="module")
def keeper() -> list[Played]:
    return pool("dragon_keeper", 3, 400)


@pytest.mark.parametrize("each", [2, 3, 5])
def test_a_handful_of_games_raises_no_alarm(keeper: list[Played], each: int) -> None:
    assert alarms(keeper, each, 60, random.Random(1)) == 0


@pytest.mark.parametrize("each", [10, 30])
def test_a_rule_that_rarely_acts_is_not_called_the_same(keeper: list[Played], each: int) -> None:
    assert overlooked(keeper, 0.08, each, 60, random.Random(2)) == 0


# ---------------------------------------------------------------- figures for the documentation
@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "players"), [("tic_tac_toe", 2), ("leduc_poker", 2), ("connect_four", 2), ("dragon_keeper", 3)]
)
def test_the_same_rules(name: str, players: int) -> None:
    games = pool(name, players, 6_000)
    rng = random.Random(3)
    for each, experiments in ((2, 1000), (3, 1000), (5, 1000), (20, 500), (50, 300), (200, 200)):
        wrong = alarms(games, each, experiments, rng)
        print(f"{name}, {each} games: {wrong:.1%} false alarms in {experiments} experiments")
        assert wrong <= 0.05 + 3 * (0.05 * 0.95 / experiments) ** 0.5


@pytest.mark.long
@pytest.mark.parametrize("share", [0.08, 0.15])
def test_a_rare_rule(share: float) -> None:
    games = pool("dragon_keeper", 3, 6_000)
    rng = random.Random(4)
    for each in (10, 20, 30, 50, 100, 200, 400):
        wrong = overlooked(games, share, each, 400, rng)
        print(f"a rule used in {share:.0%} of games, {each} games: {wrong:.1%} called the same")
        assert wrong <= 0.05


@pytest.mark.long
def test_the_told_number_of_games_settles_a_figure() -> None:
    """Games of the same rules: with as many as were told, four of five open figures are settled."""
    games = pool("dragon_keeper", 3, 40_000)
    rng = random.Random(5)
    settled: list[bool] = []
    for _ in range(40):
        rng.shuffle(games)
        first = compared(games[:200], games[200:400])
        for difference in first.differences:
            needed = difference.needed
            if needed is None or 2 * needed > len(games):
                continue
            sample = rng.sample(games, 2 * needed)
            again = compared(sample[:needed], sample[needed:])
            now = next((d for d in again.differences if d.measure.key == difference.measure.key), None)
            settled.append(now is not None and now.verdict is Verdict.SAME)
    print(f"{sum(settled)} of {len(settled)} open figures settled")
    assert sum(settled) / len(settled) >= 0.72
