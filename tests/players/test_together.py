"""Players without rivals: all in one group of a partition, or one alone. They share the value, and can lose."""

from __future__ import annotations

from pathlib import Path

import dragonrules as dr
import pytest
from dragonrules.interpreter.lab.measures import MEASURES, reason_of, summarise, values_of
from dragonrules.interpreter.lab.playing import Played, Series
from dragonrules.interpreter.play.rivalry import rivals, together
from dragonrules.interpreter.players.utility import WON, Utility
from dragonrules.interpreter.table.narrate import result
from dragonrules.interpreter.table.words import Words

CREW = """
game "Together" for {players} players
{partition}
state total1: 0..99 = 0
value(p: player) = total1
phase Play:
    turns Round p:
        choose n in 0..9
        change total1 by n
        if turn_number = 6: finish players if total1 >= {needed} else {{}}
"""


def crew(tmp_path: Path, *, players: int = 2, by: str | None = "1", needed: int = 50) -> dr.Game:
    path = tmp_path / "crew.dragon"
    partition = f"partition crew of players by {by}" if by else ""
    path.write_text(CREW.format(players=players, partition=partition, needed=needed))
    return dr.load(path)


def games(game: dr.Game, kind: str, count: int = 4) -> list[Played]:
    series = Series(game, (kind,) * game.players[0], seed=3)
    return [series.play(number) for number in range(count)]


@pytest.mark.parametrize("kind", ["greedy", "mcts:60"])
@pytest.mark.parametrize(("players", "by"), [(2, "1"), (3, "1"), (1, None)])
def test_partners_want_the_same(kind: str, players: int, by: str | None, tmp_path: Path) -> None:
    """Six times nine is 54: who gives the most each time wins, and nobody else does."""
    needed = 54 if kind == "greedy" else 30
    played = games(crew(tmp_path, players=players, by=by, needed=needed), kind)
    assert [len(game.winners) for game in played] == [players] * 4


def test_who_has_rivals(tmp_path: Path) -> None:
    def layout(players: int, by: str | None) -> list[list[int]]:
        return rivals(crew(tmp_path, players=players, by=by).engine().layout)

    assert layout(3, None) == [[1, 2], [0, 2], [0, 1]]
    assert layout(3, "1") == [[], [], []]
    assert layout(4, "seat mod 2") == [[1, 3], [0, 2], [1, 3], [0, 2]]
    assert layout(1, None) == [[]]
    assert together(crew(tmp_path, players=1, by=None).engine().layout)
    assert not together(crew(tmp_path, players=2, by=None).engine().layout)


@pytest.mark.parametrize(("by", "lost"), [("1", -WON), (None, 0.0)])
def test_without_rivals_no_winner_is_a_loss(by: str | None, lost: float, tmp_path: Path) -> None:
    engine = crew(tmp_path, by=by, needed=99).engine()
    state = engine.new(1)
    while not state.over:
        state.apply(0)
    utility = Utility(engine)
    assert [utility.margin(state, seat) for seat in (0, 1)] == [lost, lost]


def test_lost_games_are_no_draws(tmp_path: Path) -> None:
    lost = games(crew(tmp_path, needed=99), "random")
    assert {reason_of(game) for game in lost} == {"lost"}
    figures = {
        figure.measure.key: figure.interval.estimate for figure in summarise(lost, ("random",) * 2).figures
    }
    assert figures["won"] == 0
    assert not {"draws", "first_seat", "shared_wins"} & set(figures)
    rivals_of_each_other = games(crew(tmp_path, by=None, needed=99), "random")
    assert {reason_of(game) for game in rivals_of_each_other} == {"no winner"}


def test_one_player_wins_or_loses(tmp_path: Path) -> None:
    by_key = {measure.key: measure for measure in MEASURES}
    for needed, won in ((0, 1.0), (99, 0.0)):
        played = games(crew(tmp_path, players=1, by=None, needed=needed), "random")
        assert values_of(by_key["won"], played) == [won] * 4
        assert values_of(by_key["draws"], played) == []


def test_what_is_said_at_the_end(tmp_path: Path) -> None:
    words = Words(crew(tmp_path).engine(watched=True))
    assert words.partners == 2
    assert Words(crew(tmp_path, by=None).engine(watched=True)).partners == 0
    assert result((), "storm", 1, 2) == "All of you lose: storm."
    assert result((1, 2), None, 1, 2) == "All of you win."
    assert result((), None, 1, 1) == "You lose."
    assert result((1,), None, 1, 1) == "You win."
    assert result((), None, 1) == "Nobody wins."
