"""When changed rules come into play: the same as when somebody chooses them."""

from __future__ import annotations

from pathlib import Path

import dragonrules as dr
from dragonrules.interpreter.lab.acting import acting
from dragonrules.interpreter.lab.playing import Series, seed_of
from dragonrules.interpreter.players import player

from ..cli.command import dragonrules
from .race import race

SNOW = """
variant "Snow" of race:
    "It never snows."
    ending snow for p in players when p.steps > 50: finish {p}
"""


def sprints(series: Series, number: int) -> list[int]:
    """The decisions, counted from 0, at which somebody has sprinted; the last is how many there were."""
    match = series.game.start(series.players, seed=seed_of(series.seed, number))
    movers = [player("random", seed=seed_of(series.seed, number), seat=s + 1) for s in range(series.players)]
    found, decisions = [], 0
    while not match.over:
        pick = movers[match.decision.player - 1].choose(match) if len(match.decision.options) > 1 else 0
        if "sprint" in str(match.decision.options[pick].key):
            found.append(decisions)
        match.choose(pick)
        decisions += 1
    return [*found, decisions]


def test_a_rule_comes_into_play_when_it_is_chosen(tmp_path: Path) -> None:
    game = dr.load(race(tmp_path), options={"goal": 4})
    series = Series(game, ("random",) * 3, seed=2)
    found = acting(series, ["action sprint", "rule nowhere"], 20)
    assert found is not None
    games = [sprints(series, number) for number in range(20)]
    firsts = sorted(moves[0] / moves[-1] for moves in games if len(moves) > 1)
    assert (found.games, found.touched) == (20, len(firsts))
    assert found.first == firsts[len(firsts) // 2]
    assert [(a.owner, a.games) for a in found.rules] == [("action sprint", len(firsts))]


def test_with_keyed_luck_the_games_are_those_that_were_measured(tmp_path: Path) -> None:
    game = dr.load(race(tmp_path), options={"goal": 4})
    found = [
        acting(Series(game, ("random",) * 3, seed=2, keyed=k), ["action sprint"], 20) for k in (True, False)
    ]
    assert found[0] is not None
    assert 0 < found[0].touched <= 20
    assert found[0] != found[1]


def test_nothing_to_come_into_play(tmp_path: Path) -> None:
    series = Series(dr.load(race(tmp_path)), ("random",) * 2, seed=2)
    assert acting(series, ["rule nowhere"], 5) is None
    assert acting(series, [], 5) is None


def test_compare_says_so(tmp_path: Path) -> None:
    path = race(tmp_path)
    (tmp_path / "variants" / "race_snow.dragon").write_text(SNOW, encoding="utf-8")
    told = dragonrules(
        "compare", path, "far", "hasty", "snow", "--games", 20, "--rest", "random", "--seed", 1
    )
    assert "hasty: " in told.stdout, told.stderr
    far, rest = told.stdout.split("hasty: ")
    assert "came into play" not in far  # an option has no moment
    hasty, snow = rest.split("snow: ")
    assert "What was changed came into play in" in hasty
    assert "(action sprint)" in hasty
    assert "None of the changed rules came into play in 12 games looked at." in snow
