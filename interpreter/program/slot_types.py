"""What the slots of a frame hold. Who answers "why not?" reads names there, and a player who imagines other
cards must rename components."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import attrs

from ..core import Case, Choice, Gen, Guard, Node, Offering, SeenBy, Var
from ..core import value_types as t
from .ir import Instr, Program
from .terminators import Binding

_NODES = (Gen, Choice, Case, Guard, Offering, SeenBy, Binding, Instr)


Slots = dict[int, tuple[tuple[int, str, t.Type], ...]]


def typed_slots(program: Program, blocks: Iterable[int]) -> Slots:
    """For each block the slots of its frame, with the variable that each holds and its type."""
    types: dict[str, dict[str, t.Type]] = {}
    out: Slots = {}
    for number in blocks:
        proc = program.procs[program.blocks[number].proc]
        found = types.get(proc.name)
        if found is None:
            found = types[proc.name] = {var.uid: var.type for var in proc.params}
            for inside in proc.blocks:
                gather([program.blocks[inside].code, program.blocks[inside].term], found)
        out[number] = tuple((slot, uid, found[uid]) for slot, uid in enumerate(proc.slots) if uid in found)
    return out


def component_slots(slots: Slots) -> dict[int, tuple[tuple[int, t.Type], ...]]:
    """Of these the slots that hold components, sets or lists of them."""
    held = {
        number: tuple((slot, type_) for slot, _, type_ in variables if _holds_components(type_))
        for number, variables in slots.items()
    }
    return {number: variables for number, variables in held.items() if variables}


def gather(node: Any, found: dict[str, t.Type]) -> None:
    """The variables that something mentions, with their types."""
    if isinstance(node, Var):
        found.setdefault(node.uid, node.type)
    elif isinstance(node, tuple | list):
        for item in node:
            gather(item, found)
    elif isinstance(node, Node):
        for name in type(node).__fields__:
            gather(getattr(node, name), found)
    elif isinstance(node, _NODES):
        for field in attrs.fields(type(node)):
            gather(getattr(node, field.name), found)


def _holds_components(type_: t.Type) -> bool:
    if isinstance(type_, t.Opt | t.SetOf | t.ListOf):
        return _holds_components(type_.of)
    return isinstance(type_, t.Comp)
