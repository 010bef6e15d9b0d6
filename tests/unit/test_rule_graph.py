"""The rules as a graph: every step with the line that makes it."""

from __future__ import annotations

import dragonrules as dr
import pytest
from dragonrules.grammar import Report, Source, parse
from dragonrules.interpreter.check.game import check
from dragonrules.interpreter.review.graphs import FLOW, Graph, rule_graph

SMALL = """game "Small" for 2 players
token Coin: coin 5
place bank: bag of Coin
each player has: place purse: bag of Coin
setup: move all from box(Coin) to bank
phase Play:
    turns Round p:
        offer deed
        window reaction
        if bank = {}: stop Round
ending rich for p in players when wealth(p) > 3: finish {p}
define wealth(p: player) = count(p.purse)
action earn in deed: pay(me)
action nod in reaction: nothing
rule pay(p: player): move 1 of coin from bank to p.purse
trigger thanks after pay(p): nothing
trigger heard after entering player.purse: nothing
trigger dusk after turn(p): nothing
"""


def graph_of(text: str) -> Graph:
    report = Report()
    game = check(parse(Source("small.dragon", text), report), report)
    assert not report.errors
    return rule_graph(game)


def test_every_edge() -> None:
    graph = graph_of(SMALL)
    assert sorted((e.source, e.kind, e.target, e.span.text.split("\n")[0]) for e in graph.edges) == [
        ("action earn", "calls", "rule pay", "pay(me)"),
        ("ending rich", "tests", "place player.purse", "wealth(p)"),
        ("loop Round", "after", "trigger dusk", "dusk"),
        ("loop Round", "offers", "menu deed", "offer deed"),
        ("loop Round", "offers", "menu reaction", "window reaction"),
        ("loop Round", "stops", "loop Round", "stop Round"),
        ("menu deed", "lists", "action earn", "earn"),
        ("menu reaction", "lists", "action nod", "nod"),
        ("phase Play", "opens", "loop Round", "turns Round p:"),
        ("phase setup", "next", "phase Play", "phase Play:"),
        ("phase setup", "puts", "place bank", "move all from box(Coin) to bank"),
        ("place player.purse", "after", "trigger heard", "heard"),
        ("rule pay", "after", "trigger thanks", "thanks"),
        ("rule pay", "puts", "place player.purse", "move 1 of coin from bank to p.purse"),
        ("rule pay", "takes", "place bank", "move 1 of coin from bank to p.purse"),
    ]
    modes = {e.target: e.mode for e in graph.edges if e.kind == "offers"}
    assert modes == {"menu deed": "offer", "menu reaction": "window"}
    assert [node.id for node in graph.nodes.values() if node.decides] == ["loop Round"]


@pytest.mark.parametrize("name", ["drakon", "ryu", "dragon_keeper", "dragons_gold"])
def test_the_shipped_games(name: str) -> None:
    game = dr.load(name).checked
    graph = rule_graph(game)
    for edge in graph.edges:
        assert edge.source in graph.nodes
        assert edge.target in graph.nodes
    network = graph.network(*FLOW)
    assert network.number_of_nodes() == len(graph.nodes)
    named = {*game.rules, *game.triggers, *game.endings, *(phase.name for phase in game.phases)}
    assert named <= {node.name for node in graph.nodes.values()}
    for action in (a for actions in game.menus.values() for a in actions):
        assert [edge.source for edge in graph.into(f"action {action}", "lists")]
