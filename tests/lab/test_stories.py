"""The course of games: who was ahead, who waited, what winners did; told as it was, and nothing told by chance."""

from __future__ import annotations

import json
import random
from pathlib import Path

import attrs
import dragonrules as dr
import pytest
from dragonrules.interpreter.lab.playing import Played, Series
from dragonrules.interpreter.lab.results import Rows
from dragonrules.interpreter.lab.stories import MOMENTS, Story, told

from ..cli.command import dragonrules
from .race import race


def story(deeds: tuple[set[str], ...], ahead: int = 1, late: int | None = None) -> Story:
    moments = (ahead,) * MOMENTS if late is None else (ahead,) * (MOMENTS - 5) + (late,) * 5
    return Story(moments, (1, 2), tuple(frozenset(d) for d in deeds), (), ())


def game(number: int, winner: int, found: Story) -> Played:
    return attrs.evolve(
        Played(number, 0, ("random",) * 2, (winner,), None, 9, 9, 0, 9, 1, None, None), story=found
    )


def test_games_are_the_same_with_their_course(tmp_path: Path) -> None:
    rules = dr.load(race(tmp_path), options={"goal": 8})
    for kind in ("random", "greedy"):
        plain = Series(rules, (kind,) * 3, seed=5).play_many(range(12))
        recorded = Series(rules, (kind,) * 3, seed=5, stories=7).play_many(range(12))
        assert plain == recorded
        assert [g.story is not None for g in recorded] == [True] * 7 + [False] * 5
        assert Series(rules, (kind,) * 3, seed=5, stories=7).play_many(range(9, 12)) == plain[9:]


def test_a_course(tmp_path: Path) -> None:
    rules = dr.load(race(tmp_path), options={"goal": 8})
    (played,) = Series(rules, ("random",) * 3, seed=5, stories=1).play_many(range(1))
    found = played.story
    assert found is not None
    assert len(found.moves) == played.decisions - played.forced
    assert [m.split(": ")[0] for m in found.moves[:6]] == ["1", "2", "3", "1", "2", "3"]
    assert set(found.waits) == {2}  # everybody in turn
    assert found.ahead[0] == 0b111  # nobody has moved
    assert found.ahead[-1] == sum(1 << (w - 1) for w in played.winners)
    assert found.deeds[0] <= {"walk", "sprint", "first choice: walk", "first choice: sprint"}


def test_what_winners_do_is_told_and_what_they_do_not_is_not() -> None:
    rng = random.Random(1)
    games = []
    for number in range(200):
        winner = rng.randrange(2)
        deeds: tuple[set[str], set[str]] = (set(), set())
        deeds[winner if rng.random() < 0.8 else 1 - winner].add("saddle a dragon")
        deeds[rng.randrange(2)].add("sing")
        games.append(game(number, winner + 1, story(deeds)))
    found = told(games)
    assert found is not None
    by_name = {d.words: d for d in found.deeds}
    assert by_name["saddle a dragon"].told
    assert 0.3 in by_name["saddle a dragon"].gain  # 80 % of wins, an equal share is 50
    assert not by_name["sing"].told


@pytest.mark.long
def test_among_many_deeds_none_is_told_by_chance() -> None:
    """Fifty things that have nothing to do with winning: something is told in at most 5 % of experiments."""
    rng, wrong = random.Random(2), 0
    for _ in range(200):
        games = [
            game(
                n,
                rng.randrange(2) + 1,
                story(tuple({f"deed {k}" for k in range(50) if rng.random() < 0.3} for _ in "ab")),
            )
            for n in range(100)
        ]
        found = told(games)
        assert found is not None
        wrong += any(d.told for d in found.deeds)
    print(f"of 50 deeds without effect something is told in {wrong / 2:.1f} % of 200 experiments")
    assert wrong / 200 <= 0.05 + 3 * (0.05 * 0.95 / 200) ** 0.5


def test_win_chance_and_comebacks() -> None:
    """Three of four games are won by who was ahead all the time, the rest by who came from behind at the end."""
    games = [
        game(n, 2 if n % 4 == 0 else 1, story((set(), set()), 0b01, 0b10 if n % 4 == 0 else None))
        for n in range(80)
    ]
    found = told(games)
    assert found is not None
    half, end = found.chance[MOMENTS // 2], found.chance[-1]
    assert half is not None
    assert end is not None
    assert (half.estimate, end.estimate) == (0.75, 1.0)
    assert found.comebacks is not None
    assert found.comebacks.estimate == 0.25
    assert found.decided == 0.0
    assert told([attrs.evolve(g, story=None) for g in games]) is None


# ---------------------------------------------------------------- on the command line
def test_simulate_and_compare_tell_it(tmp_path: Path) -> None:
    path = race(tmp_path)
    page = tmp_path / "page.html"
    result = dragonrules("simulate", path, "--games", 30, "--stories", 25, "--seed", 1, "--report", page)
    assert result.exit_code == 0, result.stderr
    assert "The course of 25 games" in result.stdout
    assert "Whoever is ahead alone wins: " in result.stdout
    assert "The course of a game" in page.read_text(encoding="utf-8")
    made_by = "command dragonrules simulate race.dragon --games 30 --stories 25 --seed 1 --report page.html"
    assert (
        f"{made_by} · version {dr.__version__} · fingerprint {dr.load(path).fingerprint[:12]}"
        in page.read_text(encoding="utf-8")
    )
    assert "How often whoever is ahead wins" in page.read_text(encoding="utf-8")
    found = json.loads(
        dragonrules(
            "compare", path, "far", "--games", 20, "--stories", 15, "--rest", "random", "--format", "json"
        ).stdout
    )
    assert set(found["courses"]) == {"race", "far"}
    assert found["courses"]["far"]["games"] == 15


def test_a_board_has_a_map(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    dragonrules("simulate", "tic_tac_toe", "--games", 20, "--stories", 20, "--seed", 1, "--report", page)
    assert "Where players went: board" in page.read_text(encoding="utf-8")


def test_rows_with_moves(tmp_path: Path) -> None:
    path, out = race(tmp_path), tmp_path / "rows.csv"
    result = dragonrules("simulate", path, "--games", 3, "--seed", 1, "--out", out, "--moves")
    assert result.exit_code == 0, result.stderr
    head, first, *_ = out.read_text(encoding="utf-8").splitlines()
    assert head.endswith(",error,moves")
    assert " | 2: " in first
    assert dragonrules("simulate", path, "--moves").exit_code == 2


def test_parquet_has_lists(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    games = Series(dr.load(race(tmp_path)), ("random",) * 3, seed=5, stories=5).play_many(range(5))
    drawn = attrs.evolve(games[0], winners=())
    with Rows(tmp_path / "rows.parquet", 3, moves=True) as rows:
        rows.add([drawn, *games[1:]])
    found = parquet.read_table(tmp_path / "rows.parquet").to_pylist()
    assert found[0]["winners"] == []
    assert found[1]["winners"] == list(games[1].winners)
    assert found[1]["seats"] == ["random"] * 3
    assert games[1].story is not None
    assert found[1]["moves"] == list(games[1].story.moves)
