"""The same games on a cluster, also when it loses a worker half-way."""

from __future__ import annotations

import os
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from pickle import dumps, loads
from typing import Any
from zlib import compress, decompress

import dragonrules as dr
import pytest
from attrs import evolve
from dragonrules.interpreter.core.errors import UsageError
from dragonrules.interpreter.lab import cluster as clusters
from dragonrules.interpreter.lab.cluster import (
    answer_of,
    checked_address,
    cluster_runner,
    play_parcel,
    run_on,
)
from dragonrules.interpreter.lab.playing import Series
from dragonrules.interpreter.lab.runs import Batch, Collector, Stopped, Task, play_batch
from dragonrules.interpreter.lab.shipping import pack, unpack

from .race import race
from .test_runs import Kept

distributed = pytest.importorskip("distributed")


# ---------------------------------------------------------------- parcels
@pytest.mark.parametrize(
    ("variants", "options"),
    [((), {}), (("far",), {}), ((), {"goal": 5}), (("variants/race_far.dragon",), {})],
)
def test_a_parcel_makes_the_same_series(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variants: tuple[str, ...], options: dict[str, Any]
) -> None:
    monkeypatch.setenv("DRAGONRULES_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    path = race(tmp_path)
    series = Series(dr.load(path, variants=variants, options=options), ("random",) * 2, seed=6)
    parcel = pack(series)
    rows = [series.play(n) for n in range(5)]
    for file in tmp_path.rglob("*.dragon"):
        file.unlink()  # what was sent is enough
    there = unpack(parcel)
    assert there.game.fingerprint == series.game.fingerprint
    assert [there.play(n) for n in range(5)] == rows
    assert unpack(parcel) is there


def test_shipped_games_travel_by_name() -> None:
    parcel = pack(Series(dr.load("drakon", variants=["heroes"]), ("random",) * 2))
    assert (parcel.files, parcel.spec, parcel.variants) == ((), "drakon", ("heroes",))


def test_other_rules_are_refused(tmp_path: Path) -> None:
    parcel = pack(Series(dr.load(race(tmp_path)), ("random",) * 2))
    ((name, text),) = parcel.files
    changed = evolve(parcel, files=((name, text.replace("0..3", "0..2")),))
    with pytest.raises(dr.UsageError, match="other rules of the same files"):
        unpack(changed)
    with pytest.raises(dr.UsageError, match="another program of the same rules"):
        unpack(evolve(parcel, shape="something else"))
    assert changed.digest != parcel.digest


def test_a_batch_of_a_parcel(tmp_path: Path) -> None:
    series = Series(dr.load(race(tmp_path)), ("random",) * 2, seed=1, counted=True)
    answer = loads(decompress(play_parcel(compress(dumps(pack(series))), 0, 5, 9)))
    assert answer == play_batch(series, Task(0, 5, 9))


class Answered:
    """A future with its answer, or with what went wrong."""

    def __init__(self, answer: bytes | Exception) -> None:
        self.answer = answer

    def result(self) -> bytes:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def test_a_refusal_comes_back_in_words(tmp_path: Path) -> None:
    parcel = evolve(pack(Series(dr.load(race(tmp_path)), ("random",) * 2)), shape="another")
    answer = play_parcel(compress(dumps(parcel)), 0, 0, 5)
    with pytest.raises(Stopped, match="a worker makes another program of the same rules"):
        answer_of(Answered(answer))


def test_what_is_lost_on_the_way_is_played_again() -> None:
    assert answer_of(Answered(distributed.CancelledError())) is None
    assert answer_of(Answered(OSError("gone"))) is None
    with pytest.raises(Stopped, match="a worker lacks `dragonrules`"):
        answer_of(Answered(ModuleNotFoundError(name="dragonrules")))


# ---------------------------------------------------------------- addresses
@pytest.mark.parametrize("address", ["tcp://10.0.0.5:8786", "10.0.0.5:8786", "tls://host.example:80"])
def test_addresses(address: str) -> None:
    assert checked_address(address) == address


@pytest.mark.parametrize("address", ["10.0.0.5", "http://10.0.0.5", "tcp://:8786", "a b:1"])
def test_what_is_no_address(address: str) -> None:
    with pytest.raises(dr.UsageError, match="is not the address of a Dask scheduler"):
        checked_address(address)


def test_a_cluster_without_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with (
        pytest.raises(dr.UsageError, match=r"pip install 'dragonrules\[cluster\]'"),
        cluster_runner("tcp://127.0.0.1:9"),
    ):
        pass


def test_nobody_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dragonrules.interpreter.lab.cluster.WAIT", 0.5)
    with (
        pytest.raises(dr.UsageError, match="no Dask scheduler answers"),
        cluster_runner("tcp://127.0.0.1:9"),
    ):
        pass


# ---------------------------------------------------------------- clusters
@pytest.fixture
def cluster() -> Iterator[Any]:
    """Two workers, each a process of its own."""
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as two:
        yield two


def play_and_kill(cluster: Any, series: list[Series], games: int, after: int) -> tuple[Kept, list[int]]:
    kept, killed = Kept(), []

    def sink(number: int, batch: Batch) -> None:
        kept(number, batch)
        if not killed and sum(map(len, kept.games.values())) >= after:
            pid = next(iter(cluster.workers.values())).process.pid
            os.kill(pid, signal.SIGKILL)
            killed.append(pid)

    with cluster_runner(cluster.scheduler_address) as runner:
        runner(series, games, Collector(sink))
    return kept, killed


def test_a_worker_is_killed_half_way(tmp_path: Path, cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is lost and nothing counts twice: games and counts are those of one process."""
    monkeypatch.setattr("dragonrules.interpreter.lab.runs.BATCH_SECONDS", 0.02)
    monkeypatch.setattr("dragonrules.interpreter.lab.cluster.BATCH_SECONDS", 0.02)
    series = Series(dr.load(race(tmp_path)), ("random",) * 3, seed=2, counted=True)
    kept, killed = play_and_kill(cluster, [series], 400, after=150)
    assert killed
    alone = Kept()
    alone(0, play_batch(series, Task(0, 0, 400)))
    assert kept.games == alone.games
    assert kept.tally == alone.tally


@pytest.mark.long
def test_a_worker_is_killed_half_way_through_drakon(cluster: Any) -> None:
    series = [
        Series(dr.load("drakon", options={"goal": goal}), ("random",) * 4, seed=2, counted=True)
        for goal in (6, 10)
    ]
    kept, killed = play_and_kill(cluster, series, 250, after=200)
    assert killed
    alone = Kept()
    for number, one in enumerate(series):
        alone(number, play_batch(one, Task(number, 0, 250)))
    assert kept.games == alone.games
    assert kept.tally == alone.tally


def test_a_cluster_without_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dragonrules.interpreter.lab.cluster.WAIT", 0.2)

    class Empty:
        class scheduler:
            address = "tcp://nowhere:1"

        def wait_for_workers(self, count: int, timeout: float) -> None:
            raise TimeoutError

    with pytest.raises(dr.UsageError, match="the cluster has no workers"):
        run_on(Empty(), [], 1, Collector(Kept()))


# ---------------------------------------------------------------- nobody there
def test_a_port_that_accepts_and_says_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "ANSWER", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(UsageError, match="no Dask scheduler answers"), clusters.cluster_runner(address):
            pass


def test_a_refused_port_is_told_at_once() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    with pytest.raises(UsageError, match="refused"), clusters.cluster_runner(f"127.0.0.1:{port}"):
        pass
