"""Results on disk, and what is left of them when the disk is full."""

from __future__ import annotations

import csv
import subprocess
import sys
from pathlib import Path

import dragonrules as dr
import pytest
from dragonrules.interpreter.lab.playing import Played, Series
from dragonrules.interpreter.lab.results import NotWritten, Rows, checked_writable, row_of

from .race import race


@pytest.fixture
def games(tmp_path: Path) -> list[Played]:
    series = Series(dr.load(race(tmp_path)), ("random",) * 3, seed=1)
    return [series.play(number) for number in range(25)]


def read(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_csv(tmp_path: Path, games: list[Played]) -> None:
    path = tmp_path / "out.csv"
    with Rows(path, 3, ["rules"]) as rows:
        rows.add(games[:10], {"rules": "base"})
        assert len(read(path)) == 10, "rows are there while games go on"
        rows.add(games[10:], {"rules": 'a "quoted", name'})
    found = read(path)
    assert [row["game"] for row in found] == [str(n) for n in range(25)]
    assert found[12]["rules"] == 'a "quoted", name'
    for row, game in zip(found, games, strict=True):
        assert row["seats"] == "random random random"
        assert row["winners"] == " ".join(map(str, game.winners))
        assert game.scores == tuple(int(row[f"score_{seat}"]) for seat in (1, 2, 3))
        assert float(row["decisions_per_turn"]) == pytest.approx(game.decisions / game.turns, abs=1e-6)


def test_parquet_has_the_same_rows_with_types(tmp_path: Path, games: list[Played]) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "out.parquet"
    with Rows(path, 3) as rows:
        rows.add(games)
        assert (tmp_path / "out.parquet.partial.csv").exists()
    assert not (tmp_path / "out.parquet.partial.csv").exists()
    found = parquet.read_table(path).to_pylist()
    plain = [{k: None if v == "" else v for k, v in row_of(game).items()} for game in games]
    lists = [{"winners": list(game.winners), "seats": list(game.seats)} for game in games]
    assert found == [{**row, **some} for row, some in zip(plain, lists, strict=True)]


def test_parquet_without_its_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(dr.UsageError, match=r"pip install 'dragonrules\[parquet\]'"):
        Rows(tmp_path / "out.parquet", 3)


@pytest.mark.parametrize("name", ["out.txt", "results"])
def test_other_kinds_of_files(tmp_path: Path, name: str) -> None:
    with pytest.raises(dr.UsageError, match=r"neither a .csv nor a .parquet"):
        Rows(tmp_path / name, 3)


def test_where_nothing_can_be_written(tmp_path: Path) -> None:
    for attempt in (
        lambda: Rows(tmp_path / "missing" / "out.csv", 3),
        lambda: checked_writable(tmp_path / "missing" / "report.html"),
    ):
        with pytest.raises(NotWritten, match=r"D0708.*cannot be written: No such file"):
            attempt()
    checked_writable(tmp_path / "report.html")
    assert not (tmp_path / "report.html").exists(), "trying leaves nothing behind"


FULL_DISK = """
import resource, sys
from pathlib import Path
import dragonrules as dr
from dragonrules.interpreter.lab.experiments import Entrant, carry_out
from dragonrules.interpreter.lab.playing import Series
from dragonrules.interpreter.lab.results import Rows

series = Series(dr.load(sys.argv[1]), ("random",) * 3, seed=1)
series.engine
resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))
outcome = carry_out([Entrant("race", series)], 200_000, rows=Rows(Path(sys.argv[2]), 3))
print(len(outcome.games[0]), outcome.complete)
print(outcome.problem)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs limits on files")
@pytest.mark.parametrize("name", ["out.csv", "out.parquet"])
def test_a_full_disk_keeps_the_rows_so_far(tmp_path: Path, name: str, games: list[Played]) -> None:
    """Whole rows only, and the games played are still there to be summed up."""
    if name.endswith("parquet"):
        pytest.importorskip("pyarrow")
    out = tmp_path / name
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(tmp_path / "race.dragon"), str(out)],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    kept = out if name.endswith("csv") else out.with_name("out.parquet.partial.csv")
    found = read(kept)
    assert 15 < len(found) < 60
    assert kept.read_text().endswith("\n")
    assert [int(row["seed"]) for row in found[:25]] == [game.seed for game in games[: len(found)]]
    first, *words = done.stdout.splitlines()
    count, complete = first.split()
    assert int(count) >= len(found)
    assert complete == "False"
    assert "cannot be written: File too large" in words[0]
    assert f"the rows of {len(found)} games are in `{kept}`" in words[1]
