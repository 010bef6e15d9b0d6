"""What a class of nodes is: fields with types, in slots, that never change.

Much of what attrs does, without writing and compiling code for a hundred classes
whenever dragonrules starts: the constructor of a class is made when its first
node is. Names and types of the fields come from the annotations, defaults from
the values behind them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar, dataclass_transform

AnyNode = TypeVar("AnyNode", bound="Node")


@dataclass_transform(frozen_default=True, eq_default=False)
class NodeType(type):
    __fields__: tuple[str, ...]  # of all fields
    __own__: tuple[str, ...]  # of those that the class itself declares
    __annotated__: dict[str, str]
    __defaults__: dict[str, Any]

    def __new__(mcs, name: str, bases: tuple[type, ...], inside: dict[str, Any]) -> NodeType:
        own: dict[str, str] = inside.get("__annotations__", {})
        defaults = {field: inside.pop(field) for field in own if field in inside}
        inside["__slots__"] = (*own, *inside.get("__slots__", ()))
        cls = super().__new__(mcs, name, bases, inside)
        base: Any = bases[0] if bases else None
        cls.__own__ = tuple(own)
        cls.__fields__ = (*base.__fields__, *own) if bases else ()
        cls.__annotated__ = {**base.__annotated__, **own} if bases else {}
        cls.__defaults__ = {**base.__defaults__, **defaults} if bases else {}
        setattr(cls, "__match_args__", cls.__fields__)  # noqa: B010
        cls.__init__ = _first(cls)  # type: ignore[misc]
        return cls


def _first(cls: NodeType) -> Callable[..., None]:
    """The constructor until it is needed."""

    def first(self: Any, *args: Any, **kwargs: Any) -> None:
        cls.__init__ = made = _constructor(cls)  # type: ignore[misc]
        made(self, *args, **kwargs)

    return first


def _constructor(cls: NodeType) -> Callable[..., None]:
    params = [f"{name}=default_{name}" if name in cls.__defaults__ else name for name in cls.__fields__]
    sets = [f" set_{name}(self, {name})" for name in cls.__fields__] or [" pass"]
    known: dict[str, Any] = {f"default_{name}": value for name, value in cls.__defaults__.items()}
    known |= {f"set_{name}": getattr(cls, name).__set__ for name in cls.__fields__}
    exec(f"def __init__(self, {', '.join(params)}):\n" + "\n".join(sets), known)
    made: Callable[..., None] = known["__init__"]
    return made


class Node(metaclass=NodeType):
    """The base of all nodes."""

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a node never changes: {type(self).__name__}.{name}")

    def __getstate__(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in type(self).__fields__)

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        cls = type(self)
        for name, value in zip(cls.__fields__, state, strict=True):
            getattr(cls, name).__set__(self, value)

    def __repr__(self) -> str:
        parts = (f"{name}={getattr(self, name)!r}" for name in type(self).__fields__ if name != "span")
        return f"{type(self).__name__}({', '.join(parts)})"


def word_of(node: Node) -> str:
    """What a class of nodes is called in print: `move_set`."""
    return re.sub(r"(?<=.)(?=[A-Z])", "_", type(node).__name__).lower()


def changed(node: AnyNode, **parts: Any) -> AnyNode:
    """The node with other values of some of its fields."""
    cls = type(node)
    made: AnyNode = cls(
        *(parts.pop(name) if name in parts else getattr(node, name) for name in cls.__fields__)
    )
    assert not parts, parts
    return made
