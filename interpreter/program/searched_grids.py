"""Grids of tokens that are searched by kind: for those the spaces of each kind are kept at hand."""

from __future__ import annotations

from typing import Any

from ..core import (
    CheckedGame,
    Choose,
    Ex,
    For,
    Gen,
    Local,
    PlaceRef,
    Reduction,
    St,
    Together,
    Universe,
    applies,
    bodies,
    children,
    free_vars,
)
from ..core import value_types as t
from ..core.facts import state_name


def by_kind(gen: Gen) -> tuple[str, Ex] | None:
    """Of `s in spaces(board) where board[s] = k`: the board and the kind."""
    if (
        not isinstance(gen.domain, Universe)
        or not isinstance(gen.domain.of, t.Space)
        or not gen.where
        or gen.cells
    ):
        return None
    first = gen.where[0]
    if not applies(first, "eq"):
        return None
    cell, kind = first.args
    if not applies(cell, "cell") or not isinstance(kind.type, t.Kind):
        return None
    place, space = cell.args
    if not isinstance(place, PlaceRef) or place.indices or not place.place.tokens or place.place.indices:
        return None
    if not isinstance(space, Local) or space.var.uid != gen.var.uid or gen.var.uid in free_vars(kind):
        return None
    return state_name(place.place), kind


def searched_grids(game: CheckedGame) -> set[str]:
    """The grids of tokens that some rule searches by kind."""
    found: set[str] = set()

    def look(node: Any) -> None:
        match node:
            case Gen():
                hit = by_kind(node)
                if hit is not None:
                    found.add(hit[0])
                look(tuple(children(node)))
            case Reduction():
                look((node.gens, node.value, node.by, node.while_))
            case Ex():
                look(tuple(children(node)))
            case Choose():
                look((node.choice.gens, node.orelse))
            case For():
                look((node.gens, node.who, node.body))
            case Together():
                look((node.gen, node.body))
            case St():
                look((*children(node), *bodies(node)))
            case tuple():
                for item in node:
                    look(item)

    for rule in (*game.rules.values(), *game.triggers.values(), *game.phases):
        look(rule.body)
    for define in game.defines.values():
        look(define.body)
    for ending in game.endings.values():
        look(ending.when)
    return found
