"""Small games solved: known values, another solver, and refusals."""

from __future__ import annotations

import itertools
import json

import dragonrules as dr
import pyspiel
import pytest
from click.testing import CliRunner, Result
from dragonrules.cli.main import cli
from dragonrules.interpreter.solving.gambit import to_efg
from dragonrules.interpreter.solving.positions import best_play
from dragonrules.interpreter.solving.regret import exploitability, solve
from dragonrules.interpreter.solving.trees import END, whole_tree
from dragonrules.interpreter.solving.verdict import verdict
from open_spiel.python.algorithms import exploitability as theirs


def test_kuhn_poker_is_worth_a_eighteenth() -> None:
    tree = whole_tree(dr.load("kuhn_poker"))
    assert (len(tree.nodes), [len(sets) for sets in tree.infosets], tree.depth()) == (58, [6, 6], 3)
    found = solve(tree, 1_000)
    assert found.values[0] == pytest.approx(-1 / 18, abs=1e-4)
    assert found.exploitability < 2e-4


def test_the_tree_is_what_openspiel_reads() -> None:
    tree = whole_tree(dr.load("kuhn_poker"))
    game = pyspiel.load_efg_game(to_efg(tree))
    assert game.num_players() == 2
    uniform = [[[1 / 2, 1 / 2] for _ in sets] for sets in tree.infosets]
    policy = pyspiel.UniformRandomPolicy(game)
    assert exploitability(tree, uniform) == pytest.approx(pyspiel.exploitability(game, policy))
    own = pyspiel.load_game("kuhn_poker")
    assert exploitability(tree, uniform) == pytest.approx(
        theirs.exploitability(own, pyspiel.UniformRandomPolicy(own))
    )


def test_a_changed_rule_shows_in_the_value() -> None:
    text = (dr.load("kuhn_poker").checked.phases[0].span.source.text).replace(
        "if count(pot) = 3: win(left(me))", "if count(pot) = 3: win(me)"
    )
    assert solve(whole_tree(dr.loads(text)), 100).values[0] != pytest.approx(-1 / 18, abs=1e-2)


def test_tic_tac_toe_is_a_draw_whatever_comes_first() -> None:
    best = best_play(dr.load("tic_tac_toe"))
    assert best.value == 0
    assert {value for _, value in best.first_moves} == {0}


NIM = """
game "Nim" for 2 players:
    "Take one to three beans; who takes the last one wins."

option beans: 1..20 = 7
token Bean: bean beans
place pile: bag of Bean, seen by all

setup:
    move all from box(Bean) to pile

phase Play:
    turns Round p:
        choose n in 1..3 where n <= count(pile)
        move n of bean from pile to box(Bean)
        if count(pile) = 0: finish {me}
"""


def test_nim_is_lost_with_multiples_of_four() -> None:
    game = dr.loads(NIM)
    for beans in range(1, 13):
        best = best_play(game.variation({"beans": beans}))
        assert best.value == (-1 if beans % 4 == 0 else 1)
        right = {move for move, value in best.first_moves if value == 1}
        assert right == ({str(beans % 4)} if beans % 4 else set())


DICE = """
game "Higher" for 2 players:
    "Seat 1 may roll again once; the higher roll wins, seat 2 on ties."

state mine: 0..3 = 0
state theirs: 0..3 = 0

phase Play:
    roll d in 1..3
    set mine = d
    as player(1):
        offer:
            "keep": nothing
            "again":
                roll e in 1..3
                set mine = e
    roll f in 1..3
    if mine > f: finish {player(1)}
    finish {player(2)}
"""


def test_luck_is_weighed() -> None:
    """Against brute force by hand: keep 2 or 3, roll again with 1."""
    chance = {d: sum(d > f for f in (1, 2, 3)) / 3 for d in (1, 2, 3)}
    again = sum(chance.values()) / 3
    wins = sum(max(chance[d], again) for d in (1, 2, 3)) / 3
    assert float(best_play(dr.loads(DICE)).value) == pytest.approx(2 * wins - 1)


def test_positions_and_tree_agree() -> None:
    game = dr.load("connect_four", options={"columns": 4, "rows": 4})
    small = dr.loads(NIM).variation({"beans": 8})
    assert best_play(game).value == 0
    tree = whole_tree(small)
    assert tree.perfect and tree.zero_sum
    worth: dict[int, float] = {}
    for number in range(len(tree.nodes) - 1, -1, -1):
        node = tree.nodes[number]
        if node.player == END:
            worth[number] = node.payoffs[0]
        else:
            worth[number] = (max, min)[node.player](worth[child] for child in node.children)
    assert worth[0] == best_play(small).value == -1


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("drakon", "too large to be written down: more than 10^100 nodes"),
        ("goofspiel", "too large to be written down: about 10^"),
    ],
)
def test_what_is_too_large_is_refused_at_once(spec: str, words: str) -> None:
    with pytest.raises(dr.UsageError, match=words.replace("^", r"\^")):
        verdict(dr.load(spec))


def test_refusals_say_why() -> None:
    with pytest.raises(dr.UsageError, match="more than 500 positions"):
        verdict(dr.load("connect_four"), positions=500)
    with pytest.raises(dr.UsageError, match=r"more than 100 nodes|limit is 100"):
        whole_tree(dr.load("leduc_poker"), limit=100)
    with pytest.raises(dr.UsageError, match="has no one solution"):
        verdict(dr.load("drakon"), 4)


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, words)


def test_commands() -> None:
    told = run("solve", "tic_tac_toe")
    assert told.exit_code == 0 and "With best play nobody wins." in told.output
    told = run("solve", "kuhn_poker", "--rounds", "200", "--format", "json")
    assert json.loads(told.output)["values"][1] == pytest.approx(1 / 18, abs=1e-3)
    told = run("export", "efg", "kuhn_poker")
    assert told.output.startswith('EFG 2 R "Kuhn Poker"')
    lines = told.output.splitlines()[2:]
    assert len(lines) == 58
    sets = {tuple(line.split()[2:4]) for line in lines if line.startswith("p ")}
    assert sets == set(itertools.product("12", "123456"))
    told = run("export", "efg", "drakon")
    assert told.exit_code != 0 and "D0711" in told.output
