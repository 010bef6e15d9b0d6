"""Games of a series: what they follow from, and what is measured."""

from __future__ import annotations

from pathlib import Path

import attrs
import dragonrules as dr
import pytest
from dragonrules.interpreter.lab.playing import Meter, Played, Series, seed_of
from dragonrules.interpreter.players import player

from .race import race

SHIPPED = [
    ("drakon", 3, ()),
    ("dragon_keeper", 3, ()),
    ("ryu", 2, ()),
    ("dragons_gold", 4, ("strategic",)),
    ("dragons_gold", 4, ()),
    ("leduc_poker", 2, ()),
    ("goofspiel", 2, ()),
    ("tic_tac_toe", 2, ()),
]


@pytest.mark.parametrize(("name", "players", "variants"), SHIPPED)
def test_the_short_way_plays_the_same_game_as_a_match(
    name: str, players: int, variants: tuple[str, ...]
) -> None:
    """So `dragonrules run --seed` shows any game of a simulation."""
    game = dr.load(name, variants=variants)
    series = Series(game, ("random",) * players, seed=5)
    row = series.play(3)
    match = game.start(players, seed=row.seed)
    movers = [player("random", seed=row.seed, seat=seat) for seat in range(1, players + 1)]
    asked = [0, 0, 0]
    while not match.over:
        count = len(match.state.options)
        asked = [asked[0] + (count == 1), asked[1] + count, max(asked[2], count)]
        match.choose(movers[match.state.player].choose(match))
    assert (row.winners, row.turns, row.decisions) == (
        tuple(sorted(match.winners)),
        match.turn,
        match.decisions,
    )
    assert row.reason == match.reason
    assert row.scores == (tuple(match.scores.values()) or None)
    assert [row.forced, row.options, row.widest] == asked


@pytest.mark.parametrize(("name", "players"), [("dragon_keeper", 3), ("drakon", 2)])
def test_what_is_counted_is_the_game_that_was_played(name: str, players: int) -> None:
    """A seat sees copies in the order of its own names; the repetition goes by those of the state."""
    series = Series(dr.load(name), ("greedy", *("random",) * (players - 1)), seed=2, counted=True)
    for number in range(3):
        row = series.play(number)
        meter = Meter(series.game.engine(players))
        movers = [player(kind, seed=row.seed, seat=seat) for seat, kind in enumerate(row.seats, 1)]
        played = meter.match(series.game, row.seed, movers, series.limit)
        repeated = series._repeat(row.seed, meter.picks)
        assert (repeated.over, repeated.winners, repeated.I) == (True, played.winners, played.I)


def test_players_who_look_are_measured_alike(tmp_path: Path) -> None:
    """A match and the bare state differ in how they are driven, not in what is counted."""
    game = dr.load(race(tmp_path))
    series = Series(game, ("random",) * 3, seed=1)
    for number in range(20):
        row = series.play(number)
        meter = Meter(series.engine)
        movers = [player("random", seed=row.seed, seat=seat) for seat in (1, 2, 3)]
        state = meter.match(game, row.seed, movers, 1000)
        assert meter.row(number, row.seed, row.seats, state, None) == row


@pytest.mark.parametrize(("name", "players", "variants"), SHIPPED)
def test_many_games_are_those_played_one_by_one(name: str, players: int, variants: tuple[str, ...]) -> None:
    """Also where machine code plays them."""
    for lead in (False, True):
        series = Series(dr.load(name, variants=variants), ("random",) * players, seed=8, lead=lead)
        assert series.play_many(range(4, 12)) == [series.play(number) for number in range(4, 12)]


def test_a_game_that_is_given_up_is_so_in_both_ways() -> None:
    series = Series(dr.load("tic_tac_toe"), ("random",) * 2, limit=3)
    assert series.play_many(range(3)) == [series.play(number) for number in range(3)]


def test_who_starts() -> None:
    """The starter is rolled in Drakon, after the heroes are chosen; Tic-tac-toe begins with seat 1."""
    assert {row.starter for row in Series(dr.load("drakon"), ("random",) * 3).play_many(range(30))} == {
        1,
        2,
        3,
    }
    assert {row.starter for row in Series(dr.load("tic_tac_toe"), ("random",) * 2).play_many(range(9))} == {1}


def test_seeds() -> None:
    seeds = {seed_of(master, number) for master in range(20) for number in range(500)}
    assert len(seeds) == 10_000
    assert all(0 <= seed < 2**53 for seed in seeds)
    assert [seed_of(7, n) for n in range(2)] == [3511274219185729, 151215513962380]  # for ever


def test_a_line_up_moves_on_by_one_seat() -> None:
    game = dr.load("drakon")
    series = Series(game, ("greedy", "random", "mcts:5"))
    assert [series.seats_of(n) for n in range(4)] == [
        ("greedy", "random", "mcts:5"),
        ("mcts:5", "greedy", "random"),
        ("random", "mcts:5", "greedy"),
        ("greedy", "random", "mcts:5"),
    ]
    assert Series(game, ("greedy", "random"), rotate=False).seats_of(1) == ("greedy", "random")


def test_lead_changes(tmp_path: Path) -> None:
    """Counted by hand from the scores after each turn."""
    game = dr.load(race(tmp_path))
    series = Series(game, ("random",) * 2, seed=2, lead=True)
    for number in range(10):
        row = series.play(number)
        match = game.start(2, seed=row.seed)
        movers = [player("random", seed=row.seed, seat=seat) for seat in (1, 2)]
        ahead, changes = 0, 0
        turn = match.turn
        while not match.over:
            match.choose(movers[match.state.player].choose(match))
            if match.turn != turn or match.over:
                turn = match.turn
                lead = match.scores[1] - match.scores[2]
                if lead and (lead > 0) != (ahead > 0) and ahead:
                    changes += 1
                ahead = lead or ahead
        assert row.lead_changes == changes


@pytest.mark.parametrize("kinds", [("random", "random"), ("random", "greedy")])
def test_the_lead_is_looked_at_on_demand(
    tmp_path: Path, kinds: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without it scores are worked out once a game, at its end; the games are the same."""
    game = dr.load(race(tmp_path))
    looked = [Series(game, kinds, seed=2, lead=True).play(number) for number in range(5)]
    scores, calls = Meter._scores, []
    monkeypatch.setattr(Meter, "_scores", lambda meter, state: (calls.append(state), scores(meter, state))[1])
    plain = [Series(game, kinds, seed=2).play(number) for number in range(5)]
    assert len(calls) == 5
    assert all(row.lead_changes is not None for row in looked)
    assert plain == [attrs.evolve(row, lead_changes=None) for row in looked]


def test_rules_that_break_a_game_are_a_row_with_an_error(tmp_path: Path) -> None:
    game = dr.load(race(tmp_path), variants=["hasty"], options={"goal": 30})
    rows = [Series(game, ("random",) * 2, seed=1).play(number) for number in range(40)]
    broken = [row for row in rows if row.error]
    assert 0 < len(broken) < 40
    assert all("D0902" in (row.error or "") and row.reason == "error" and not row.winners for row in broken)
    assert all(row.scores is None for row in broken)


def test_a_game_without_end_is_given_up(tmp_path: Path) -> None:
    row = Series(dr.load(race(tmp_path)), ("random",) * 2, limit=3).play(0)
    assert (row.decisions, row.reason, row.winners) == (3, "given up", ())


def test_a_counted_series_plays_the_same_games(tmp_path: Path) -> None:
    game = dr.load(race(tmp_path))
    plain, counted = (
        [Series(game, ("random", "random"), seed=3, counted=counts).play(n) for n in range(30)]
        for counts in (False, True)
    )
    assert plain == counted
    assert isinstance(plain[0], Played)
