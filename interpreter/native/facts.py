"""Facts about the definitions of a game that decide how native code is written."""

from __future__ import annotations

from typing import Any

from ..core import (
    OPERATORS,
    Apply,
    CallDefine,
    CallRule,
    Can,
    CanMenu,
    DefineDecl,
    Ex,
    Reduction,
    St,
    bodies,
    children,
)
from ..core import value_types as t
from ..core.facts import fails
from ..play.engine import Engine
from ..program.passes.tabulate import tabulate

OPENED = 70  # weight of a definition that is opened in the conditions of a loop


def has_place(ex: Reduction) -> bool:
    """Is it sure that every element of the set has a place in its type?"""
    element, value = ex.type.of if isinstance(ex.type, t.SetOf) else t.UNKNOWN, ex.value.type
    if isinstance(value, t.Num) and isinstance(element, t.Num):
        return element.low <= value.low and value.high <= element.high
    return not isinstance(value, t.Num | t.Unknown | t.Opt | t.Nothing | t.Space) and t.is_mask(value)


class Facts:
    def __init__(self, engine: Engine) -> None:
        self.game = engine.game
        self.layout = engine.layout
        self.program = engine.program
        self.counts = engine.sites is not None
        """Is it counted how often a definition is worked out? Then each is a function of its own."""
        self._fails: dict[str, bool] = {}
        self._tabled: dict[str, tuple[int, ...] | None] = {}
        self._recursive: dict[str, bool] = {}
        self._weights: dict[str, int] = {}

    def tabled(self, decl: DefineDecl) -> tuple[int, ...] | None:
        if decl.name not in self._tabled:
            self._tabled[decl.name] = None if self.counts else tabulate(decl, self.layout)
        return self._tabled[decl.name]

    def opens(self, decl: DefineDecl) -> bool:
        """Is it opened where the condition of a loop calls it?"""
        return (
            not self.counts
            and self.weight(decl) <= OPENED
            and not self.recursive(f"define {decl.name}")
            and self.tabled(decl) is None
        )

    def weight(self, decl: DefineDecl) -> int:
        if decl.name not in self._weights:
            self._weights[decl.name] = 10**6
            self._weights[decl.name] = self._weight(decl.body)
        return self._weights[decl.name]

    def _weight(self, ex: Ex) -> int:
        own = 1
        if isinstance(ex, CallDefine):
            own += self.weight(ex.define)
        elif isinstance(ex, Reduction):
            own += 2 * len(ex.gens)
        return own + sum(self._weight(part) for part in children(ex))

    def can_fail(self, ex: Ex) -> bool:
        match ex:
            case _ if fails(ex):
                return True
            case Apply(op=op) if OPERATORS[op].narrow:
                return True
            case Reduction(kind="most" | "least" | "sort"):
                return True
            case Reduction(kind="set") if not has_place(ex):
                return True
            case CallDefine(define=define):
                name = define.name
                if name not in self._fails:
                    self._fails[name] = True  # one that calls itself may go too deep
                    self._fails[name] = self.can_fail(define.body)
                if self._fails[name]:
                    return True
        return any(self.can_fail(part) for part in children(ex))

    def recursive(self, key: str) -> bool:
        """Can a function come to call itself? Keys: `define x`, `can x`, `rule x`."""
        if key not in self._recursive:
            seen: set[str] = set()
            todo = list(self._called(key))
            while todo and key not in seen:
                name = todo.pop()
                if name not in seen:
                    seen.add(name)
                    todo += self._called(name)
            self._recursive[key] = key in seen
        return self._recursive[key]

    def _called(self, key: str) -> set[str]:
        kind, _, name = key.partition(" ")
        found: set[str] = set()

        def look(node: Any) -> None:
            match node:
                case CallDefine():
                    found.add(f"define {node.define.name}")
                case Can():
                    found.add(f"can {node.action}")
                case CanMenu():
                    found.update(f"can {action}" for action in self.game.menus[node.menu])
                case CallRule():
                    found.add(f"rule {node.rule}")
            for child in children(node):
                look(child)
            if isinstance(node, St):
                for body in bodies(node):
                    for st in body:
                        look(st)

        if kind == "define":
            if name in self.game.defines:
                look(self.game.defines[name].body)
        elif kind == "can":
            for st in self.game.rules[name].header:
                look(st)
        elif name in self.program.procs:
            for st in self.program.procs[name].body:
                look(st)
        return found
