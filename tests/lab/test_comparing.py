"""Verdicts: nothing where there is nothing, something where there is something, and how many games it takes."""

from __future__ import annotations

import random
from pathlib import Path

import attrs
import dragonrules as dr
import pytest
from dragonrules.interpreter.lab.comparing import Comparison, Difference, Verdict, compare, span_of
from dragonrules.interpreter.lab.intervals import Interval
from dragonrules.interpreter.lab.measures import (
    MEASURES,
    advantage,
    edge,
    shown_interval,
    summarise,
    values_of,
)
from dragonrules.interpreter.lab.playing import Played, Series
from dragonrules.interpreter.lab.scoring import counted_alike

from .race import race

BY_KEY = {measure.key: measure for measure in MEASURES}


def games_of(game: dr.Game, count: int, *, seed: int, players: int = 2) -> list[Played]:
    series = Series(game, ("random",) * players, seed=seed)
    return [series.play(number) for number in range(count)]


def one(base: list[Played], other: list[Played], **settings: float) -> Comparison:
    (found,) = compare(base, [("other", other)], ("random",) * len(base[0].seats), **settings)
    return found


def figure(comparison: Comparison, key: str) -> Difference:
    return next(d for d in comparison.differences if d.measure.key == key)


def row(number: int, *, seats: int = 3, winners: tuple[int, ...] = (1,), turns: int = 10) -> Played:
    return Played(
        number=number,
        seed=number,
        seats=("random",) * seats,
        winners=winners,
        reason=None,
        turns=turns,
        decisions=2 * turns,
        forced=0,
        options=4 * turns,
        widest=3,
        scores=None,
        lead_changes=None,
    )


# ---------------------------------------------------------------- measures
def test_wins_are_shared_and_draws_favour_nobody() -> None:
    assert [advantage(row(0, winners=(1,)), seat) for seat in (1, 2, 3)] == [
        pytest.approx(2 / 3),
        pytest.approx(-1 / 3),
        pytest.approx(-1 / 3),
    ]
    assert advantage(row(0, winners=(1, 3)), 3) == pytest.approx(1 / 2 - 1 / 3)
    assert [advantage(row(0, winners=()), seat) for seat in (1, 2, 3)] == [0, 0, 0]
    assert [advantage(row(0, winners=(1, 2, 3)), seat) for seat in (1, 2, 3)] == [0, 0, 0]


def test_the_edge_of_a_kind_of_player() -> None:
    from attrs import evolve

    game = evolve(row(0, winners=(2,)), seats=("random", "greedy", "random"))
    assert edge(game, "greedy") == pytest.approx(2 / 3)
    assert edge(game, "random") == pytest.approx(-2 / 3)


def test_a_summary() -> None:
    games = [row(n, winners=(1,) if n % 4 else (), turns=10 + n) for n in range(40)]
    summary = summarise(games, ("random",) * 3)
    assert [seat.won for seat in summary.seats] == [30, 0, 0]
    assert [seat.told for seat in summary.seats] == [True, True, True]
    assert summary.reasons == (("a winner", 30), ("no winner", 10))
    draws, turns = summary.figure("draws"), summary.figure("turns")
    assert draws is not None
    assert turns is not None
    assert draws.interval.estimate == 0.25
    assert (turns.least, turns.median, turns.most) == (10, 29.5, 49)
    assert summary.figure("top_score") is None


# ---------------------------------------------------------------- verdicts
def test_a_game_is_no_different_from_itself(tmp_path: Path) -> None:
    games = games_of(dr.load(race(tmp_path)), 800, seed=1)
    found = one(games, games)
    assert {d.verdict for d in found.differences} == {Verdict.SAME}
    assert found.sentence == (
        "no difference was found in 800 games; no sign that the first seat gains or loses"
    )


def test_few_games_alike_are_no_evidence() -> None:
    """A rule that acts in one game of twelve stays unseen in ten games four times out of ten."""
    games = [row(n, turns=20 + n % 7) for n in range(10)]
    found = one(games, games)
    assert {d.verdict for d in found.differences} == {Verdict.OPEN}
    assert figure(found, "turns").sentence.startswith("length in turns: the same in every game, but so few")
    needed = found.needed
    assert needed is not None
    many = [row(n, turns=20 + n % 7) for n in range(needed)]
    assert {d.verdict for d in one(many, many).differences} == {Verdict.SAME}


def test_two_games_prove_nothing() -> None:
    found = one([row(n, turns=7) for n in range(2)], [row(n, turns=9) for n in range(2)])
    assert Verdict.DIFFERENT not in {d.verdict for d in found.differences}


def test_an_effect_is_found_and_told(tmp_path: Path) -> None:
    """Twice as far: about twice as long. The sentence has the interval, which has the truth."""
    path = race(tmp_path)
    base = games_of(dr.load(path), 200, seed=1)
    far = games_of(dr.load(path, variants=["far"]), 200, seed=1)
    found = one(base, far)
    turns = figure(found, "turns")
    assert turns.verdict is Verdict.DIFFERENT
    truth = sum(g.turns for g in games_of(dr.load(path, variants=["far"]), 1500, seed=77)) / 1500
    truth -= sum(g.turns for g in games_of(dr.load(path), 1500, seed=78)) / 1500
    assert truth in turns.finding.interval
    assert turns.sentence == f"games are {span_of(turns.measure, turns.finding.interval)} turns longer"
    assert figure(found, "first_seat").verdict is not Verdict.DIFFERENT
    assert found.sentence.startswith("games are ")
    assert "no sign that the first seat gains or loses" in found.sentence


def test_what_cannot_be_told_says_how_many_games_it_takes(tmp_path: Path) -> None:
    """And with so many games it is told: the promise is kept."""
    path = race(tmp_path)
    base, other = dr.load(path), dr.load(path, options={"goal": 11})
    few = one(games_of(base, 20, seed=3), games_of(other, 20, seed=30), worth=0.1)
    turns = figure(few, "turns")
    assert turns.verdict is Verdict.OPEN
    assert turns.needed is not None
    assert "games would settle whether it is" in turns.sentence
    assert "open, about" in few.sentence
    many = one(games_of(base, turns.needed, seed=4), games_of(other, turns.needed, seed=40), worth=0.1)
    assert figure(many, "turns").verdict is Verdict.DIFFERENT


def test_different_games_of_the_same_rules_are_rarely_told_apart(tmp_path: Path) -> None:
    """The rate of false alarms, over all figures together, is about the 5 % it should be, or less."""
    game = dr.load(race(tmp_path))
    all_games = games_of(game, 2 * 40 * 100, seed=9)
    rng = random.Random(1)
    rng.shuffle(all_games)
    alarms = 0
    for at in range(0, len(all_games), 80):
        found = one(all_games[at : at + 40], all_games[at + 40 : at + 80])
        alarms += any(d.verdict is Verdict.DIFFERENT for d in found.differences)
    assert alarms <= 11


def test_many_rule_sets_are_one_family() -> None:
    """What is told of one rule set alone may be too little among ten."""
    rng = random.Random(8)
    base = [row(n, turns=50 + rng.randrange(20)) for n in range(60)]
    near = [row(n, turns=g.turns + rng.choice([-5, 5, 5, 5])) for n, g in enumerate(base)]
    alone = one(base, near)
    assert figure(alone, "turns").verdict is Verdict.DIFFERENT
    level = figure(alone, "turns").finding.level
    among = compare(base, [("near", near), *((f"same {n}", base) for n in range(200))], ("random",) * 3)
    assert figure(among[0], "turns").finding.level < level
    assert figure(among[0], "turns").verdict is not Verdict.DIFFERENT


def test_broken_games_are_left_out_in_pairs() -> None:
    from attrs import evolve

    base = [row(n) for n in range(10)]
    other = [evolve(g, error="it broke") if n in (2, 5) else g for n, g in enumerate(base)]
    assert one(base, other).games == 8


def test_figures_that_one_game_lacks_are_named() -> None:
    from attrs import evolve

    base = [row(n) for n in range(10)]
    scored = [evolve(g, scores=(1, 2, 3), lead_changes=0) for g in base]
    assert one(base, scored).left_out == (
        "highest score",
        "mean score",
        "spread of the scores",
        "lead changes",
    )


# ---------------------------------------------------------------- words
@pytest.mark.parametrize(
    ("key", "low", "high", "words"),
    [
        ("turns", -14.2, -11.3, "11 to 14"),
        ("turns", 0.02, 3.4, "0.02 to 3.40"),
        ("draws", 0.031, 0.052, "3 to 5 points"),
        ("turns", 3.0, 3.0, "3"),
    ],
)
def test_spans(key: str, low: float, high: float, words: str) -> None:
    assert span_of(BY_KEY[key], Interval((low + high) / 2, low, high)) == words


def test_intervals_as_people_write_them() -> None:
    assert shown_interval(BY_KEY["turns"], Interval(1234.5, 1230.2, 1238.8)) == "1,234 (1,230 to 1,239)"
    assert shown_interval(BY_KEY["draws"], Interval(0.25, 0.21, 0.29)) == "25 % (21 to 29 %)"
    assert values_of(BY_KEY["top_score"], [row(1)]) == []


def test_no_games_are_no_verdict() -> None:
    broken = [attrs.evolve(row(n), error="error[D0908]: nothing to choose from") for n in range(5)]
    found = one([row(n) for n in range(5)], broken)
    assert found.sentence == "no games could be played to the end by both"
    assert found.differences == ()


def test_how_games_end_is_compared() -> None:
    """Sixty games: all but five end in another way, and the sentence says so."""
    base = [attrs.evolve(row(n), reason="free" if n < 5 else "nobody_can_act") for n in range(60)]
    other = [attrs.evolve(row(n), reason="free") for n in range(60)]
    found = one(base, other)
    free = figure(found, "ending_free")
    assert (free.base.estimate, free.other.estimate) == (5 / 60, 1.0)
    assert free.verdict is Verdict.DIFFERENT
    assert 'games end with "free"' in found.sentence
    assert figure(found, "ending_nobody_can_act").other.estimate == 0
    assert [d for d in one(other, other).differences if d.measure.key.startswith("ending")] == []


SCORED = """
game "Purses" for 2 players
option weight: 1..3 = 1
token Coin: copper 9, gold 9
table worth(k: Coin) -> 0..9:
    | k      | worth |
    | copper | 1     |
    | gold   | {gold} |
define wealth(p: player) = {wealth}
score(p: player) = wealth(p)
each player has: place purse: bag of Coin
phase Play: finish most(q by {by} for q in players)
"""


@pytest.mark.parametrize(
    ("changed", "alike"),
    [
        ({}, True),
        ({"by": "count(q.purse)"}, True),
        ({"wealth": "sum(worth(c) * p.purse[c] for c in Coin)"}, True),
        ({"gold": "4"}, False),
        ({"wealth": "count(p.purse)"}, False),
    ],
)
def test_are_scores_counted_alike(changed: dict[str, str], alike: bool, tmp_path: Path) -> None:
    texts = {"gold": "3", "wealth": "sum(worth(k) * p.purse[k] for k in Coin)", "by": "score(q)"}
    loaded = []
    for number, values in enumerate((texts, {**texts, **changed})):
        path = tmp_path / f"purses{number}.dragon"
        path.write_text(SCORED.format(**values))
        loaded.append(dr.load(path))
    assert counted_alike(*loaded) is alike


def test_an_option_that_the_score_reads(tmp_path: Path) -> None:
    path = tmp_path / "purses.dragon"
    path.write_text(SCORED.format(gold="3", wealth="weight * count(p.purse)", by="score(q)"))
    assert not counted_alike(dr.load(path), dr.load(path, options={"weight": 2}))


def test_scores_of_another_count_are_left_out() -> None:
    def scored(n: int, points: int) -> Played:
        return attrs.evolve(row(n, seats=2), scores=(points, 0), lead_changes=0)

    base, other = [scored(n, 10) for n in range(20)], [scored(n, 3) for n in range(20)]
    (found,) = compare(base, [("coins", other)], ("random",) * 2, rescored=["coins"])
    assert found.rescored
    assert "score" not in found.sentence
    assert not any("score" in d.measure.title for d in found.differences)
    assert "the highest score is" in one(base, other).sentence
