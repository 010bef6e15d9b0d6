"""Functions by class of node, and for `Apply` by operator: what a pass with many cases looks them up in.

    says = Dispatch()

    @says(Const)
    def _constant(self, ex: Const) -> str: ...

    @says("left", "right")
    def _neighbour(self, ex: Apply) -> str: ...

`says.find(ex)` gives the function or None, `says[ex]` insists that there is one. A test asks
`lacking` of each which classes and operators it has no answer for, so nothing is forgotten in
silence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar, get_args

from .expressions import Apply, Expr
from .node import Node
from .operators import OPERATORS

Function = TypeVar("Function", bound=Callable[..., Any])
Key = type[Any] | str


def key_of(node: Node) -> Key:
    """What tells one sort of node from another: its class, of an `Apply` the operator."""
    return node.op if isinstance(node, Apply) else type(node)


class Dispatch:
    def __init__(self) -> None:
        self.known: dict[Key, Callable[..., Any]] = {}

    def __call__(self, *keys: Key) -> Callable[[Function], Function]:
        def note(function: Function) -> Function:
            for key in keys:
                assert key not in self.known, f"told twice: {key}"
                assert not isinstance(key, str) or key in OPERATORS, f"no operator `{key}`"
                self.known[key] = function
            return function

        return note

    def find(self, node: Node) -> Callable[..., Any] | None:
        return self.known.get(key_of(node))

    def __getitem__(self, node: Node) -> Callable[..., Any]:
        function = self.find(node)
        assert function is not None, f"nothing is said about {node}"
        return function

    def bound(self, *parts: object) -> dict[Key, Callable[..., Any]]:
        """Where the functions are methods of several parts: each bound to the part whose class has it."""
        return {
            key: getattr(part, function.__name__)
            for key, function in self.known.items()
            for part in parts
            if vars(type(part)).get(function.__name__) is function
        }

    def owned(self, *classes: type[Any]) -> dict[Key, tuple[type[Any], Callable[..., Any]]]:
        """As `bound`, for parts of which there are many: the class that has the function, and the function."""
        return {
            key: (cls, function)
            for key, function in self.known.items()
            for cls in classes
            if vars(cls).get(function.__name__) is function
        }

    def lacking(self, *unions: Any) -> set[str]:
        """The classes of these unions, and the operators if expressions are among them, that are not told."""
        classes: Iterable[Any] = (cls for union in unions for cls in get_args(union) if cls is not Apply)
        missing = {cls.__name__ for cls in classes if cls not in self.known}
        if Expr in unions:
            missing |= OPERATORS.keys() - self.known.keys()
        return missing
