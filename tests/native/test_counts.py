"""Which rules are used, counted in machine code: the counts of the Python back end, whoever counts."""

from __future__ import annotations

from typing import Any

import dragonrules as dr
import pytest
from dragonrules.interpreter.lab.playing import Series
from dragonrules.interpreter.lab.runs import Task, play_batch
from dragonrules.interpreter.native import assembly
from dragonrules.interpreter.native.counted import CountingEngine

GAMES = [
    ("tic_tac_toe", 2),
    ("leduc_poker", 2),
    ("drakon", 3),
    ("dragon_keeper", 4),
    ("ryu", 3),
    ("dragons_gold", 4),
]


def batch(game: Any, players: int, games: int = 6) -> tuple[Any, Any]:
    series = Series(game, ("random",) * players, seed=3, counted=True)
    return play_batch(series, Task(0, 2, 2 + games)), series


def compared(batch: Any, series: Any) -> tuple[Any, ...]:
    """All that is counted; of what is worked out as often as a back end likes, whether it was."""
    sites, tally = series.engine.sites.sites, batch.tally
    free = [s.kind == "arm" or s.owner.startswith(("define ", "score")) for s in sites]
    hits = [bool(n) if often else n for often, n in zip(free, tally.hits, strict=True)]
    runs = [site for site in sites if site.kind == "run"]
    return (batch.games, tally.games, hits, tally.offered, tally.taken, len(tally.in_games) == len(runs), [
        times for site, times in zip(runs, tally.in_games, strict=True) if not site.owner.startswith(("define", "score"))
    ])  # fmt: skip


def both(load: Any, players: int, games: int = 6) -> tuple[Any, ...]:
    native, python = (batch(load(engine), players, games) for engine in ("native", "python"))
    assert native[1].counting is not None
    assert python[1].counting is None
    assert compared(*native) == compared(*python)
    return compared(*native)


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_the_same_counts(name: str, players: int) -> None:
    found = both(lambda engine: dr.load(name, engine=engine), players)
    assert sum(found[2]) > 100
    assert any(found[3])


TROUBLE = """\
game "Wide now and then" for 2 players
state a: 0..9000 = 0
setup:
    roll d in 1..3
    set a = d
phase Play:
    turns p:
        choose n in 1..(5000 if a = 2 else 5)
        change a by min(n, 9000 - a)
        if a > 20: finish {p}
"""


def test_games_that_only_python_can_play_are_counted_there(monkeypatch: pytest.MonkeyPatch) -> None:
    alone: list[int] = []
    play = Series.play
    monkeypatch.setattr(Series, "play", lambda self, number: (alone.append(number), play(self, number))[1])
    found = both(lambda engine: dr.loads(TROUBLE, engine=engine), 2, 20)
    assert 0 < len(alone) - 20 < 20, "some games of the native series, and all of the other"
    assert found[1] == 20


def test_a_table_without_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers that find no room in the table are trouble, and the game is counted by Python."""
    monkeypatch.setattr(assembly, "MOST_TRIED", 0)
    well: list[int] = []
    series = CountingEngine.series

    def counted(self: CountingEngine, *args: Any, **how: Any) -> Any:
        found = series(self, *args, **how)
        well.append(len(found[0]))
        return found

    monkeypatch.setattr(CountingEngine, "series", counted)
    text = TROUBLE.replace("a = 2", "a > 20").replace("now and then", "without room")
    both(lambda engine: dr.loads(text, engine=engine), 2, 6)
    assert well == [0] * 6
