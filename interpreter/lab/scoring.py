"""Do two rule sets count their scores in the same way?

`score` is compared as it is checked, together with the definitions, tables and options that
it reads. If any of them differs, a score of one is not a score of the other: five coins are
not five gold.
"""

from __future__ import annotations

from typing import Any

from ..core import DefineDecl, Ex, Gen, Option, TableDecl, Var
from ..play.game import Game


def counted_alike(one: Game, other: Game) -> bool:
    return bool(_Writing(one).score() == _Writing(other).score())


class _Writing:
    """What a score is made of, as plain data."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.names: dict[str, int] = {}
        self.open: set[str] = set()

    def score(self) -> Any:
        decl = self.game.checked.score
        return None if decl is None else self._define(decl)

    def _define(self, decl: DefineDecl) -> Any:
        if decl.name in self.open:
            return decl.name
        self.open.add(decl.name)
        return (decl.name, [self._of(p) for p in decl.params], self._of(decl.body))

    def _of(self, node: Any) -> Any:
        match node:
            case Option(name=name):
                return ("option", name, self.game.options.get(name))
            case Ex():
                return (type(node).__name__, [self._of(getattr(node, name)) for name in type(node).__own__])
            case Var():  # locals go by the order in which they appear
                return self.names.setdefault(node.uid, len(self.names))
            case DefineDecl():
                return self._define(node)
            case TableDecl():
                return (node.name, node.rows)
            case Gen():
                return [self._of(part) for part in (node.var, node.domain, *node.where)]
            case tuple() | list():
                return [self._of(part) for part in node]
            case None | int() | str():
                return node
        return str(getattr(node, "name", type(node).__name__))
