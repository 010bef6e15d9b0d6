"""What verdicts promise, tried: rules that are the same, and a rule that acts in few games.

The figures in docs/howto/measuring.md come from the long ones:
`pytest -m long tests/lab/test_promises.py -s` prints them.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import attrs
import dragonrules as dr
import pytest
from dragonrules.interpreter.lab.comparing import Comparison, Verdict, compare
from dragonrules.interpreter.lab.playing import Played, Series
from dragonrules.interpreter.lab.tournament import Pairing, Standing, table_of_pairings
from dragonrules.interpreter.lab.tuning import Tuned, read_target, tune


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


# ---------------------------------------------------------------- ratings and targets
def met(share: float, games: int, rng: random.Random) -> Standing:
    """The standing of one who really wins such a share of the games against another; each result is that of two."""
    pairing = [((rng.random() < share) + (rng.random() < share)) / 2 for _ in range(games)]
    table = table_of_pairings(
        ["one", "other"], [Pairing("one", "other", tuple(pairing))], rng.randrange(1 << 30)
    )
    return next(s for s in table.standings if s.kind == "one")


def true_rating(share: float) -> float:
    return 200 * math.log10(share / (1 - share))


def test_a_clean_sweep_is_no_certainty() -> None:
    """Twenty of twenty won: how much stronger is told with an interval, and the share is not surely all."""
    pairing = Pairing("one", "other", (1.0,) * 20)
    assert pairing.share.high == 1.0
    assert 0.8 < pairing.share.low < 0.9
    best, _ = table_of_pairings(["one", "other"], [pairing], 1).standings
    assert best.rating.high - best.rating.low > 100
    assert best.surely_above == ("other",)
    few = Pairing("one", "other", (1.0,) * 2)
    assert table_of_pairings(["one", "other"], [few], 1).standings[0].surely_above == ()


def tuned(true: Sequence[float], games: int, rng: random.Random) -> Tuned:
    """Lengths that are 20, but for a rare rule that makes a game 60 longer; `true` is in which share at each value."""

    def play(values: Sequence[str], count: int) -> list[list[Played]]:
        return [[of_length(80 if rng.random() < true[int(v)] else 20) for _ in range(count)] for v in values]

    return tune([str(n) for n in range(len(true))], read_target("length 22"), play, games)


def of_length(turns: int) -> Played:
    return Played(0, 0, ("random",), (1,), None, turns, turns, 0, turns, 1, None, None)


def test_tuning_leaves_room_for_what_did_not_come_up() -> None:
    """Twenty games that are all alike do not exclude a value; five thousand do."""

    def alike(values: Sequence[str], count: int) -> list[list[Played]]:
        return [[of_length(20 + int(value))] * count for value in values]

    assert tune(["0", "1"], read_target("length 22"), alike, 20).left == ["0", "1"]
    assert tune(["0", "1"], read_target("length 22"), alike, 5_000).left == ["1"]


@pytest.mark.long
@pytest.mark.parametrize("share", [0.5, 0.8, 0.97])
def test_ratings_hold(share: float) -> None:
    rng = random.Random(8)
    for games in (5, 10, 20, 50):
        standings = [met(share, games, rng) for _ in range(300)]
        inside = sum(true_rating(share) in s.rating for s in standings) / len(standings)
        wrong = sum(bool(s.surely_above) for s in standings) / len(standings)
        print(
            f"wins {share:.0%}, {2 * games} games: the rating is inside in {inside:.1%}; called stronger in {wrong:.1%}"
        )
        assert inside >= 0.95 - 3 * (0.05 * 0.95 / 300) ** 0.5
        assert share > 0.5 or wrong <= 0.025 + 3 * (0.025 * 0.975 / 300) ** 0.5


@pytest.mark.long
def test_the_closest_value_is_not_excluded() -> None:
    rng = random.Random(9)
    for games in (10, 20, 30, 50, 100, 300):
        wrong = sum("0" not in tuned([0.033, 0.0, 0.1, 0.2], games, rng).left for _ in range(300)) / 300
        print(
            f"rules used in 0 to 20 % of games, {games} games: the closest value is excluded in {wrong:.1%}"
        )
        assert wrong <= 0.05
