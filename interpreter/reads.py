"""Grids of tokens that are searched by kind: for those the spaces of each kind are kept at hand."""

from __future__ import annotations

from typing import Any

from . import types as t
from .core import CheckedGame, Comp, Ex, Gen, St, free_vars
from .facts import state_name


def by_kind(gen: Gen) -> tuple[str, Ex] | None:
    """Of `s in spaces(board) where board[s] = k`: the board and the kind."""
    if gen.domain.op != "universe" or not isinstance(gen.domain.data, t.Space) or not gen.where or gen.cells:
        return None
    first = gen.where[0]
    if first.op != "eq":
        return None
    cell, kind = first.args
    if cell.op != "cell" or not isinstance(kind.type, t.Kind):
        return None
    place, space = cell.args
    if place.op != "place" or place.args or not place.data.tokens or place.data.indices:
        return None
    if space.op != "local" or space.data.uid != gen.var.uid or gen.var.uid in free_vars(kind):
        return None
    return state_name(place.data), kind


def searched_grids(game: CheckedGame) -> set[str]:
    """The grids of tokens that some rule searches by kind."""
    found: set[str] = set()

    def look(node: Any) -> None:
        match node:
            case Gen():
                hit = by_kind(node)
                if hit is not None:
                    found.add(hit[0])
                look((node.domain, node.where))
            case Comp():
                look((node.gens, node.value, node.by, node.while_))
            case Ex():
                look(node.args)
                if node.op == "comp":
                    look(node.data)
            case St():
                look((node.args, node.body, node.orelse))
                if node.op == "choose":
                    look(node.data.gens)
                if node.op in ("offer", "may"):
                    look([case.body for case in node.data.cases])
            case tuple() | list():
                for item in node:
                    look(item)

    for rule in (*game.rules.values(), *game.triggers.values(), *game.phases):
        look(rule.body)
    for define in game.defines.values():
        look(define.body)
    for ending in game.endings.values():
        look(ending.when)
    return found
