"""Results on disk: one row for each game, as CSV or Parquet, written while games are played.

Rows go to a CSV file as soon as they are there, whole rows only. When the disk is
full, or the machine goes down, what was played so far is still in it. Parquet
cannot be read before it is finished, so rows are kept in a CSV file beside it
(`results.parquet.partial.csv`) until the Parquet file is complete.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import Any

from ..core.errors import UsageError
from .measures import reason_of
from .playing import Played

_TEXT, _WHOLE, _REAL, _WORDS, _NUMBERS, _MOVES = "text", "whole", "real", "words", "numbers", "moves"
BETWEEN = {_WORDS: " ", _NUMBERS: " ", _MOVES: " | "}
"""What separates the parts of a list in a CSV file; in Parquet they are lists."""


class NotWritten(UsageError):
    """Results could not be written to the end. `kept` is the file that has those so far."""

    def __init__(self, path: Path, problem: OSError, kept: Path | None, games: int) -> None:
        words = problem.strerror or str(problem)
        self.kept = kept if games else None
        help = (
            f"the rows of {games:,} games are in `{kept}`" if self.kept is not None else "name another file"
        )
        super().__init__("D0708", f"`{path}` cannot be written: {words}", help)


def columns_of(players: int, *, moves: bool = False) -> dict[str, str]:
    """The columns of a row and what they hold."""
    return {
        "game": _WHOLE,
        "seed": _WHOLE,
        "players": _WHOLE,
        "seats": _WORDS,
        "starter": _WHOLE,
        "winners": _NUMBERS,
        "reason": _TEXT,
        "turns": _WHOLE,
        "decisions": _WHOLE,
        "forced_decisions": _WHOLE,
        "decisions_per_turn": _REAL,
        "options_mean": _REAL,
        "options_max": _WHOLE,
        "lead_changes": _WHOLE,
        **{f"score_{seat}": _WHOLE for seat in range(1, players + 1)},
        "error": _TEXT,
        **({"moves": _MOVES} if moves else {}),
    }


def row_of(game: Played) -> dict[str, Any]:
    """A game as plain values; None where there is nothing to tell."""
    scores = game.scores or (None,) * len(game.seats)
    return {
        "game": game.number,
        "seed": game.seed,
        "players": len(game.seats),
        "seats": " ".join(game.seats),
        "starter": game.starter,
        "winners": " ".join(map(str, game.winners)),
        "reason": reason_of(game),
        "turns": game.turns,
        "decisions": game.decisions,
        "forced_decisions": game.forced,
        "decisions_per_turn": round(game.decisions / game.turns, 6) if game.turns else None,
        "options_mean": round(game.options / game.decisions, 6) if game.decisions else None,
        "options_max": game.widest,
        "lead_changes": game.lead_changes,
        **{f"score_{seat}": score for seat, score in enumerate(scores, 1)},
        "error": game.error.splitlines()[0] if game.error else None,
        **({"moves": BETWEEN[_MOVES].join(game.story.moves)} if game.story is not None else {}),
    }


class Rows:
    """A file of rows. `labels` are further columns in front, which tell rule sets apart; `moves`:
    with the choices of every game."""

    def __init__(self, path: Path, players: int, labels: Sequence[str] = (), *, moves: bool = False) -> None:
        self.path = path
        self.columns = {**dict.fromkeys(labels, _TEXT), **columns_of(players, moves=moves)}
        self.parquet = path.suffix.lower() in (".parquet", ".pq")
        if self.parquet:
            _arrow()  # says at once if it is missing
        elif path.suffix.lower() != ".csv":
            raise UsageError("D0708", f"`{path}` is neither a .csv nor a .parquet file", "name the file so")
        self.journal = path.with_name(path.name + ".partial.csv") if self.parquet else path
        self.games = 0
        try:
            if self.parquet:
                path.open("ab").close()  # may it be written at all?
            self._file = self.journal.open("wb", buffering=0)
        except OSError as problem:
            raise NotWritten(path, problem, None, 0) from None
        self._good = 0
        try:
            self._write(",".join(self.columns) + "\n")
        except NotWritten:
            self._file.close()
            raise

    def add(self, games: Iterable[Played], labels: Mapping[str, str] | None = None) -> None:
        text = io.StringIO()
        writer = csv.DictWriter(text, self.columns, lineterminator="\n", extrasaction="ignore")
        count = 0
        for game in games:
            writer.writerow({**(labels or {}), **row_of(game)})
            count += 1
        self._write(text.getvalue())
        self.games += count

    def _write(self, text: str) -> None:
        data = memoryview(text.encode())
        try:
            while data:
                data = data[self._file.write(data) :]
            self._good = self._file.tell()
        except OSError as problem:
            with suppress(OSError):
                self._file.truncate(self._good)  # half a row would only mislead
            raise NotWritten(self.path, problem, self.journal, self.games) from None

    def close(self) -> None:
        """Finish the file. A Parquet file is made of the rows kept beside it, which then go."""
        self._file.close()
        if not self.parquet:
            return
        arrow, arrow_csv, arrow_parquet = _arrow(), _arrow("pyarrow.csv"), _arrow("pyarrow.parquet")
        types = {_TEXT: arrow.string(), _WHOLE: arrow.int64(), _REAL: arrow.float64()}
        convert = arrow_csv.ConvertOptions(
            column_types={name: types.get(of, arrow.string()) for name, of in self.columns.items()},
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
            null_values=[""],
        )
        try:
            table = self._with_lists(arrow_csv.read_csv(self.journal, convert_options=convert))
            arrow_parquet.write_table(table, self.path)
        except OSError as problem:
            raise NotWritten(self.path, problem, self.journal, self.games) from None
        self.journal.unlink()

    def _with_lists(self, table: Any) -> Any:
        arrow = _arrow()
        for at, (name, of) in enumerate(self.columns.items()):
            if of in BETWEEN:
                kind = arrow.int64() if of == _NUMBERS else arrow.string()
                parts = [(text or "").split(BETWEEN[of]) if text else [] for text in table[name].to_pylist()]
                lists = [[int(part) for part in some] if of == _NUMBERS else some for some in parts]
                table = table.set_column(at, name, arrow.array(lists, arrow.list_(kind)))
        return table

    def __enter__(self) -> Rows:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.close()
        else:
            self._file.close()


def _arrow(module: str = "pyarrow") -> Any:
    """Parquet is pyarrow's, which is large; whoever writes CSV does without."""
    try:
        return import_module(module)
    except ImportError:
        raise UsageError(
            "D0708",
            "Parquet files need the package `pyarrow`, which is not installed",
            "pip install 'dragonrules[parquet]', or write a .csv file",
        ) from None


def checked_writable(path: Path) -> None:
    """Complain now rather than after an hour of play."""
    existed = path.exists()
    try:
        path.open("ab").close()
        if not existed:
            path.unlink()
    except OSError as problem:
        raise NotWritten(path, problem, None, 0) from None
