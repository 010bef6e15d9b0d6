"""What each player does with what it sees: the value of a spec, look-ahead, search, advice."""

from __future__ import annotations

from pathlib import Path
from random import Random

import dragonrules as dr
import pytest
from dragonrules.interpreter.players import KINDS, advice, player
from dragonrules.interpreter.players.greedy import worlds_of
from dragonrules.interpreter.players.mcts import MctsPlayer, Search, Settings

from .positions import game, positions

COINS = """
game "Coins" for 2 players

token Coin: coin 20
place heap: bag of Coin
each player has: place purse: bag of Coin
setup: move all from box(Coin) to heap

phase Play:
    turns Round p:
        choose n in 0..2 where n <= count(heap)
        move n of coin from heap to my.purse
        if turn_number = 6: finish most(q by count(q.purse) for q in players)
"""
WORTH = "value(p: player) = {}\n"


def coins(tmp_path: Path, more: str = "") -> dr.Game:
    path = tmp_path / "coins.dragon"
    path.write_text(COINS + more)
    return dr.load(path)


def first_choice(spec: dr.Game, kind: str) -> str:
    match = spec.start(seed=1)
    assert match.decision is not None
    return match.decision.options[player(kind, seed=5, seat=1).choose(match)].label


# ---------------------------------------------------------------- value
@pytest.mark.parametrize(("value", "wanted"), [("count(p.purse)", "2"), ("-count(p.purse)", "0")])
def test_greedy_wants_what_the_spec_says(tmp_path: Path, value: str, wanted: str) -> None:
    assert first_choice(coins(tmp_path, WORTH.format(value)), "greedy") == wanted


def test_what_nothing_judges_is_played_to_the_end() -> None:
    """Connect Four has neither `value` nor `score`: a few turns on, every position would be worth the same."""
    for name, judged in (("connect_four", False), ("dragon_keeper", True)):
        match = dr.load(name).start(2, seed=1)
        seat = match.decision.player
        searcher = MctsPlayer(1, seat, 5)
        assert Search(worlds_of(searcher, match), seat - 1, 1, Settings()).judged is judged


def test_without_a_value_the_score_counts(tmp_path: Path) -> None:
    assert first_choice(coins(tmp_path, "score(p: player) = -count(p.purse)\n"), "greedy") == "0"


def test_without_a_score_the_way_to_an_ending_counts(tmp_path: Path) -> None:
    ending = "ending rich for p in players when count(p.purse) >= 9: finish {p}\n"
    assert first_choice(coins(tmp_path, ending), "greedy") == "2"
    poor = "ending poor for p in players when count(p.purse) < 0: finish {p}\n"
    assert first_choice(coins(tmp_path, poor), "greedy") == "0"


def test_a_variant_can_replace_the_value(tmp_path: Path) -> None:
    variant = 'variant "Ascetics" of coins:\n    replace value(p: player) = -count(p.purse)\n'
    coins(tmp_path, WORTH.format("count(p.purse)") + variant)
    assert first_choice(dr.load(tmp_path / "coins.dragon", variants=["Ascetics"]), "greedy") == "0"


def test_value_stays_free_as_a_name(tmp_path: Path) -> None:
    more = WORTH.format("value(p)") + "define value(p: player) = -count(p.purse)\n"
    assert first_choice(coins(tmp_path, more), "greedy") == "0"


def test_a_value_is_a_number_and_there_is_one(tmp_path: Path) -> None:
    with pytest.raises(dr.SpecError, match="number"):
        coins(tmp_path, WORTH.format("p.purse = {}"))
    with pytest.raises(dr.SpecError, match=r"twice|already"):
        coins(tmp_path, WORTH.format("1") + WORTH.format("2"))


# ---------------------------------------------------------------- playing
@pytest.mark.parametrize("kind", ["greedy", "mcts:12"])
@pytest.mark.parametrize("name", ["leduc_poker", "goofspiel", "liars_dice", "connect_four"])
def test_a_match_is_the_same_after_a_save(kind: str, name: str, tmp_path: Path) -> None:
    match = game(name).start(seed=6)
    seats = [player(kind, seed=6, seat=seat) for seat in (1, 2)]
    for _ in range(7):
        if not match.over:
            match.choose(seats[match.state.player].choose(match))
    match.save(tmp_path / "match.json")
    resumed = dr.resume(tmp_path / "match.json", game=game(name))
    fresh = [player(kind, seed=6, seat=seat) for seat in (1, 2)]
    for _ in range(4):
        if not match.over:
            assert fresh[resumed.state.player].choose(resumed) == seats[match.state.player].choose(match)
            match.choose(seats[match.state.player].choose(match))
            resumed.choose(fresh[resumed.state.player].choose(resumed))
    assert resumed.log == match.log


@pytest.mark.parametrize("kind", ["greedy", "mcts:5"])
def test_players_also_play_unwatched(kind: str) -> None:
    match = game("dragon_keeper").start(players=3, seed=2, watch=False)
    seats = [player(kind, seed=1, seat=seat) for seat in (1, 2, 3)]
    while not match.over:
        match.choose(seats[match.state.player].choose(match))


def test_mcts_does_not_lose_at_tic_tac_toe() -> None:
    for seed in range(6):
        match = game("tic_tac_toe").start(seed=seed)
        mine, rng = seed % 2, Random(seed)
        mover = player("mcts:300", seed=seed, seat=mine + 1)
        while not match.over:
            if match.state.player == mine:
                match.choose(mover.choose(match))
            else:
                match.choose(rng.randrange(len(match.state.options)))
        assert not match.winners or mine + 1 in match.winners


def test_mcts_sees_what_wins_and_what_must_be_stopped() -> None:
    match = game("tic_tac_toe").start()
    for label in ("a1", "b2", "a2"):
        match.choose(label)
    assert match.decision is not None
    assert match.decision.options[player("mcts:200", seed=3, seat=2).choose(match)].label == "a3"


def test_what_loses_at_once_is_known_after_one_look() -> None:
    """Whoever does not stop three in a row has lost, and one iteration of each option is enough to know."""
    match = game("tic_tac_toe").start()
    for label in ("a1", "b2", "a2"):
        match.choose(label)
    search = Search(worlds_of(MctsPlayer(1, 2, 60), match), 1, 1, Settings())
    for arm in range(len(search.arms)):
        search._try(arm)
    assert match.decision is not None
    labels = [match.decision.options[match.order.index(arm)].label for arm in range(len(search.arms))]
    assert [a.proven for a in search.arms] == [0 if label == "a3" else -1 for label in labels]


def test_what_is_won_is_known_to_be_won() -> None:
    """Two in a row, and it is my turn."""
    match = game("tic_tac_toe").start()
    for label in ("a1", "b2", "a2", "c3"):
        match.choose(label)
    search = Search(worlds_of(MctsPlayer(1, 1, 60), match), 0, 1, Settings())
    assert search.solves
    best = search.run(60).ranking[0]
    assert search.arms[best].proven == 1
    assert match.decision is not None
    assert match.decision.options[best].label == "a3"


def test_mcts_never_folds_the_best_card_in_kuhn_poker() -> None:
    for seed in range(12):
        match = game("kuhn_poker").start(seed=seed)
        hands = match.state.engine.layout.instances["player.hand"]
        match.choose("bet")
        if match.state.L[hands[1].ref] == [2]:
            assert match.decision is not None
            choice = player("mcts:100", seed=seed, seat=2).choose(match)
            assert match.decision.options[choice].label == "bet"


# ---------------------------------------------------------------- advice
def test_advice_ranks_all_options() -> None:
    match = game("tic_tac_toe").start()
    for label in ("a1", "b2", "a2"):
        match.choose(label)
    for kind in ("greedy", "mcts:200"):
        ranking = advice(match, kind)
        assert sorted(a.index for a in ranking) == list(range(len(match.state.options)))
        assert abs(sum(a.share for a in ranking) - 1) < 1e-9
    assert match.decision is not None
    best = advice(match, "mcts:200")[0]
    assert match.decision.options[best.index].label == "a3"
    assert 0 <= best.value <= 1


def test_random_has_no_advice_to_give() -> None:
    with pytest.raises(dr.UsageError, match="no opinion"):
        advice(game("tic_tac_toe").start(), "random")


def test_advice_changes_nothing() -> None:
    for match in positions("ryu", 2, (), 3, 60, 120):
        before = match.state.key(), match.state.rng.state, list(match.log)
        advice(match, "mcts:10")
        assert before == (match.state.key(), match.state.rng.state, list(match.log))


# ---------------------------------------------------------------- names
@pytest.mark.parametrize("kind", ["mcts:0", "mcts:", "mcts:many", "mcts:-5", "mcts:1.5", "mcts:9999999"])
def test_bad_budgets_are_told(kind: str) -> None:
    with pytest.raises(dr.UsageError, match="number of iterations from 1 to 1000000"):
        player(kind, seed=0, seat=1)


def test_only_mcts_has_a_budget() -> None:
    with pytest.raises(dr.UsageError, match="`greedy` takes no budget"):
        player("greedy:5", seed=0, seat=1)
    with pytest.raises(dr.UsageError, match="did you mean `mcts`"):
        player("mtcs:5", seed=0, seat=1)
    assert set(KINDS) == {"random", "greedy", "mcts"}
