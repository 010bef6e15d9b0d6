"""Many games: the same whoever plays them, in whatever order, and whatever goes wrong."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import dragonrules as dr
import pytest
from dragonrules.interpreter.files import workers
from dragonrules.interpreter.lab import runs
from dragonrules.interpreter.lab.experiments import Entrant, carry_out
from dragonrules.interpreter.lab.playing import Played, Series
from dragonrules.interpreter.lab.runs import Batch, Collector, Pool, Task, play_batch, run_locally, tasks_of
from dragonrules.interpreter.lab.tallies import Tally, usage

from .race import race


class Kept:
    """A sink that keeps everything."""

    def __init__(self) -> None:
        self.games: dict[int, list[Played]] = {}
        self.tally = Tally()

    def __call__(self, series: int, batch: Batch) -> None:
        self.games.setdefault(series, []).extend(batch.games)
        if batch.tally is not None:
            self.tally.add(batch.tally)


@pytest.fixture
def series(tmp_path: Path) -> Series:
    return Series(dr.load(race(tmp_path)), ("random",) * 3, seed=4, counted=True)


@pytest.fixture
def alone(series: Series) -> Kept:
    """What one process gives for 60 games."""
    kept = Kept()
    kept(0, play_batch(series, Task(0, 0, 60)))
    return kept


def test_order_and_repetition_do_not_matter(series: Series, alone: Kept) -> None:
    batches = [play_batch(series, Task(0, start, start + 10)) for start in range(0, 60, 10)]
    told: list[int] = []
    kept = Kept()
    collector = Collector(kept, told.append)
    for at in (3, 0, 3, 5, 1, 0, 2, 4, 5, 2):
        collector.take(batches[at])
    assert kept.games == alone.games
    assert kept.tally == alone.tally
    assert sum(told) == 60


def test_only_games_without_a_gap_are_passed_on(series: Series) -> None:
    kept = Kept()
    collector = Collector(kept)
    collector.take(play_batch(series, Task(0, 10, 20)))
    assert (kept.games, collector.complete(0)) == ({}, 0)
    collector.take(play_batch(series, Task(0, 0, 10)))
    assert [game.number for game in kept.games[0]] == list(range(20))
    assert collector.complete(0) == 20


def test_series_take_turns(series: Series) -> None:
    tasks = list(tasks_of([series, series], 10, [4, 0], [3, 5]))
    assert tasks == [Task(1, 0, 5), Task(0, 4, 7), Task(1, 5, 10), Task(0, 7, 10)]


@pytest.mark.parametrize("jobs", [1, 2])
def test_processes_give_the_same_and_survive_the_loss_of_one(
    series: Series, alone: Kept, jobs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = Kept()
    lost: list[int] = []

    def sink(number: int, batch: Batch) -> None:
        kept(number, batch)
        if jobs > 1 and not lost:
            lost.append(pool.workers.pids[0])
            os.kill(lost[0], signal.SIGKILL)

    if jobs == 1:
        run_locally([series], 60, Collector(sink), jobs=1)
    else:
        with Pool([series], jobs) as pool:
            pool.run([Task(0, start, start + 5) for start in range(0, 60, 5)], Collector(sink))
        assert lost
    assert kept.games == alone.games
    assert kept.tally == alone.tally


def test_a_pool_that_dies_again_and_again_is_given_up(
    series: Series, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "_PROGRAM", "import os; os.abort()")
    with pytest.raises(runs.Stopped, match="D0709"), Pool([series], 2) as pool:
        pool.run([Task(0, 0, 5)], Collector(Kept()))


def test_an_interruption_leaves_what_a_shorter_run_would_have_given(series: Series, alone: Kept) -> None:
    """Batches are finished out of order when it comes; only those without a gap count."""

    def interrupted(all_series: object, games: int, collector: Collector) -> None:
        for start in (0, 20, 10, 40):
            collector.take(play_batch(series, Task(0, start, start + 10)))
        raise KeyboardInterrupt

    outcome = carry_out([Entrant("race", series)], 60, runner=interrupted)
    assert outcome.interrupted
    assert not outcome.complete
    assert outcome.games[0] == alone.games[0][:30]
    assert outcome.tallies[0].games == 30


def test_a_run_that_cannot_go_on_keeps_what_was_played(series: Series, alone: Kept) -> None:
    def stopped(all_series: object, games: int, collector: Collector) -> None:
        collector.take(play_batch(series, Task(0, 0, 10)))
        raise runs.Stopped("D0709", "the cluster is gone")

    outcome = carry_out([Entrant("race", series)], 60, runner=stopped)
    assert "the cluster is gone" in str(outcome.problem)
    assert outcome.games[0] == alone.games[0][:10]


def test_a_run_whose_time_is_over_keeps_a_few_games_of_each(series: Series, alone: Kept) -> None:
    """However slow the machine is: two games of every rule set, the first ones, and none left hanging."""
    both = [Entrant("one", series), Entrant("other", series)]
    outcome = carry_out(both, 5_000, until=0.0)
    assert outcome.out_of_time
    assert not outcome.complete
    assert 2 <= outcome.played < 5_000
    assert [len(games) for games in outcome.games] == [outcome.played] * 2
    assert outcome.games[1][:60] == alone.games[0][: min(60, outcome.played)]


def test_an_interruption_waits_for_a_batch_to_be_put_away(
    series: Series,
) -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # it may be ignored out there
    kept = Kept()

    def sink(number: int, batch: Batch) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        kept(number, batch)

    try:
        with pytest.raises(KeyboardInterrupt):
            Collector(sink).take(play_batch(series, Task(0, 0, 5)))
    finally:
        signal.signal(signal.SIGINT, before)
    assert len(kept.games[0]) == 5


def test_after_an_interruption_all_series_are_equally_long(series: Series) -> None:
    def interrupted(all_series: object, games: int, collector: Collector) -> None:
        collector.take(play_batch(series, Task(0, 0, 10)))
        collector.take(play_batch(series, Task(1, 0, 7)))
        raise KeyboardInterrupt

    outcome = carry_out([Entrant("a", series), Entrant("b", series)], 60, runner=interrupted)
    assert [len(games) for games in outcome.games] == [7, 7]


def test_what_came_into_play(series: Series, alone: Kept) -> None:
    found = usage(series.engine, alone.tally)
    runs_of = {use.declaration.name: (use.declaration.runs, use.games) for use in found.uses}
    assert found.games == 60
    assert runs_of["there"] == (60, 60)
    assert runs_of["tired"] == (0, 0)
    walked, sprinted = runs_of["walk"][0], runs_of["sprint"][0]
    assert walked + sprinted == sum(game.decisions for game in alone.games[0])
    assert [use.declaration.name for use in found.unused] == ["rest", "tired"]
    assert [words for _, words in found.coverage.never_offered()] == [("rest",)]


def test_what_players_think_about_is_not_counted(tmp_path: Path) -> None:
    """The counts of a match with players who look ahead are those of its moves."""
    game = dr.load(race(tmp_path))
    batch = play_batch(Series(game, ("greedy", "random"), seed=1, counted=True), Task(0, 0, 6))
    assert batch.tally is not None
    found = usage(game.engine(2, covered=True), batch.tally)
    taken = sum(use.declaration.runs for use in found.uses if use.declaration.kind == "action")
    assert taken == sum(row.decisions for row in batch.games)
