"""What an expression reads and what a statement writes, so that endings are tested when they
could have become true and not otherwise."""

from __future__ import annotations

from typing import Any

from . import types as t
from .core import CheckedGame, Comp, Ex, Gen, St


def reads(node: Any, game: CheckedGame, seen: set[str] | None = None) -> set[str]:
    """Names of states, `in P` for the contents of a place, `of T` for where a component T is."""
    seen = set() if seen is None else seen
    out: set[str] = set()
    match node:
        case Ex():
            if node.op == "state":
                out.add(state_name(node.data))
            elif node.op == "place":
                out.add(f"in {state_name(node.data)}")
            elif node.op == "rec_field":
                out.add(f"record {node.data[0].name}")
            elif node.op == "rec_rows":
                out.add(f"record {node.data.name}")
            elif node.op in ("comp_space", "turned", "comp_owner", "on"):
                out.add(f"of {node.data.name}")
            elif node.op in ("total_token", "total_comp"):
                out |= places_of(node.data, game)
            elif node.op == "active":
                out.add("active")
            elif node.op == "turn_number":
                out.add("active")
            elif node.op == "call" and node.data.name not in seen:
                seen.add(node.data.name)
                out |= reads(node.data.body, game, seen)
            elif node.op in ("can", "can_menu"):
                out.add("anything")
            for arg in node.args:
                out |= reads(arg, game, seen)
            if node.op == "local" and isinstance(node.type, t.Place):
                out |= places_of(node.type.of, game)
            if node.op == "comp":
                out |= reads(node.data, game, seen)
        case Comp():
            for part in (*node.gens, node.value, *node.by, node.while_):
                out |= reads(part, game, seen)
        case Gen():
            for part in (node.domain, *node.where):
                out |= reads(part, game, seen)
        case tuple() | list():
            for part in node:
                out |= reads(part, game, seen)
    return out


def state_name(decl: Any) -> str:
    return f"{decl.owner}.{decl.name}" if decl.owner else decl.name


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
    if space.op != "local" or space.data.uid != gen.var.uid or _mentions(kind, gen.var.uid):
        return None
    return state_name(place.data), kind


def _mentions(node: Any, uid: str) -> bool:
    if isinstance(node, Ex):
        if node.op == "local" and node.data.uid == uid:
            return True
        return any(_mentions(a, uid) for a in node.args) or _mentions(node.data, uid)
    return False


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


def places_of(name: str, game: CheckedGame) -> set[str]:
    return {f"in {state_name(place)}" for place in game.places.values() if place.of == name} | {f"of {name}"}


def _touched(ex: Ex, game: CheckedGame) -> set[str]:
    assert isinstance(ex.type, t.Place)
    if ex.op == "place":
        return {f"in {state_name(ex.data)}", f"of {ex.type.of}"}
    return places_of(ex.type.of, game)


def writes(st: St, game: CheckedGame) -> set[str]:
    """What one statement (not those inside it) changes."""
    out: set[str] = set()
    match st.op:
        case "set":
            target = st.args[0]
            if target.op == "state":
                return {state_name(target.data)}
            return {f"record {target.data[0].name}"} if target.op == "rec_field" else set()
        case "move" | "move_set":  # where it comes from is not written in the statement
            place = st.args[1].type
            return places_of(place.of, game)
        case "move_on":
            return {f"of {st.args[0].type.name}"}
        case "move_all" | "move_tokens" | "move_cell" | "shuffle" | "draw_one":
            for arg in st.args:
                if isinstance(arg, Ex) and isinstance(arg.type, t.Place):
                    out |= _touched(arg, game)
            return out
        case "swap":
            left, right = st.args
            if left.op == "state":
                return {state_name(left.data)}
            if isinstance(left.type, t.Place):
                return _touched(left, game) | _touched(right, game)
            return places_of(left.type.name, game) if isinstance(left.type, t.Comp) else {"anything"}
        case "note":
            return {f"record {st.data[0].name}"} if st.data[0] is not None else set()
        case "reset_one":
            return {st.data}
        case "begin_turn":
            return {"active"}
    return out
