"""Which slots of a frame hold components. A player who imagines other cards must rename them there too."""

from __future__ import annotations

from typing import Any

import attrs

from ..core import Case, Choice, Gen, Guard, Node, Offering, SeenBy, Var
from ..core import value_types as t
from .ir import Instr, Program
from .terminators import Binding

_NODES = (Gen, Choice, Case, Guard, Offering, SeenBy, Binding, Instr)


def component_slots(program: Program, blocks: list[int]) -> dict[int, tuple[tuple[int, t.Type], ...]]:
    """For each block the slots that hold components, sets or lists of them, with their types."""
    types: dict[str, dict[str, t.Type]] = {}
    for name, proc in program.procs.items():
        found = types[name] = {var.uid: var.type for var in proc.params}
        for number in proc.blocks:
            _gather([program.blocks[number].code, program.blocks[number].term], found)
    out = {}
    for number in blocks:
        proc = program.procs[program.blocks[number].proc]
        held = [
            (slot, types[proc.name][uid])
            for slot, uid in enumerate(proc.slots)
            if uid in types[proc.name] and _holds_components(types[proc.name][uid])
        ]
        if held:
            out[number] = tuple(held)
    return out


def _gather(node: Any, found: dict[str, t.Type]) -> None:
    if isinstance(node, Var):
        found.setdefault(node.uid, node.type)
    elif isinstance(node, tuple | list):
        for item in node:
            _gather(item, found)
    elif isinstance(node, Node):
        for name in type(node).__fields__:
            _gather(getattr(node, name), found)
    elif isinstance(node, _NODES):
        for field in attrs.fields(type(node)):
            _gather(getattr(node, field.name), found)


def _holds_components(type_: t.Type) -> bool:
    if isinstance(type_, t.Opt | t.SetOf | t.ListOf):
        return _holds_components(type_.of)
    return isinstance(type_, t.Comp)
