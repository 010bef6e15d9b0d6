"""How far definitions and rules lean on each other: the longest chain in which each needs the one before."""

from __future__ import annotations

import networkx as nx

from ..core import CallDefine, CallRule, CheckedGame
from .trees import expressions, inner, procedures, statements


def longest_chain(game: CheckedGame) -> int:
    """Those that call each other in a circle count as one."""
    network: nx.DiGraph[str] = nx.DiGraph()
    for define in game.defines.values():
        for ex in inner(define.body):
            if isinstance(ex, CallDefine):
                network.add_edge(f"define {define.name}", f"define {ex.define.name}")
    for procedure in procedures(game):
        name = f"rule {procedure.name}"
        for st in statements(procedure.body):
            if isinstance(st, CallRule):
                network.add_edge(name, f"rule {st.rule}")
        for ex in expressions(procedure.body):
            if isinstance(ex, CallDefine):
                network.add_edge(name, f"define {ex.define.name}")
    return int(nx.dag_longest_path_length(nx.condensation(network))) if network else 0
