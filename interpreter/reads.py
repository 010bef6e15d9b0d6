"""What an expression reads and what a statement writes, so that endings are tested when they
could have become true and not otherwise."""

from __future__ import annotations

from typing import Any

from . import types as t
from .core import CheckedGame, Comp, Ex, Gen, St


def reads(node: Any, game: CheckedGame, seen: set[str] | None = None) -> set[str]:
    """Names of states, and `of T` for anything about where components or tokens T are."""
    seen = set() if seen is None else seen
    out: set[str] = set()
    match node:
        case Ex():
            if node.op == "state":
                out.add(state_name(node.data))
            elif node.op == "place":
                out.add(f"of {node.data.of}")
            elif node.op == "rec_field":
                out.add(f"record {node.data[0].name}")
            elif node.op == "rec_rows":
                out.add(f"record {node.data.name}")
            elif node.op in ("comp_space", "turned", "comp_owner", "on"):
                out.add(f"of {node.data.name}")
            elif node.op in ("total_token", "total_comp"):
                out.add(f"of {node.data}")
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
            if node.op in ("local", "place") and isinstance(node.type, t.Place):
                out.add(f"of {node.type.of}")
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


def writes(st: St) -> set[str]:
    """What one statement (not those inside it) changes."""
    match st.op:
        case "set":
            target = st.args[0]
            if target.op == "state":
                return {state_name(target.data)}
            return {f"record {target.data[0].name}"} if target.op == "rec_field" else set()
        case "move" | "move_on" | "draw_one":
            types = {f"of {a.type.of}" for a in st.args if isinstance(a, Ex) and isinstance(a.type, t.Place)}
            thing = st.args[0].type
            if isinstance(thing, t.Comp):
                types.add(f"of {thing.name}")
            return types
        case "move_set" | "move_all" | "move_tokens" | "move_cell" | "shuffle":
            return {f"of {a.type.of}" for a in st.args if isinstance(a, Ex) and isinstance(a.type, t.Place)}
        case "swap":
            left = st.args[0]
            if left.op == "state":
                return {state_name(left.data)}
            if isinstance(left.type, t.Place):
                return {f"of {left.type.of}"}
            return {f"of {left.type.name}"} if isinstance(left.type, t.Comp) else {"anything"}
        case "note":
            return {f"record {st.data[0].name}"} if st.data[0] is not None else set()
        case "reset_one":
            return {st.data}
        case "begin_turn":
            return {"active"}
    return set()
