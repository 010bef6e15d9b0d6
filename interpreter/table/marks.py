"""What can be chosen, by what it points at on the table: so that a drawing knows what to outline.

Things on the table have addresses: `thing Card#3`, `space lair 0 1`, `player 2`, `record Debt#1`,
`action pass`. An address is what a click sends when somebody asks why not.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from attrs import Factory, frozen

from ..play.match import Option
from ..play.targets import Target


@frozen
class Marks:
    """Options by address; `hint` is one that was advised, `picked` are addresses chosen earlier in the form."""

    options: dict[str, int] = Factory(dict)
    hint: int | None = None
    picked: frozenset[str] = frozenset()
    open: bool = True
    """May options be taken here? Not on the pages of replays and of those who watch."""

    def index(self, address: str) -> int | None:
        return self.options.get(address) if self.open else None


def address(target: Target) -> str:
    match target.kind:
        case "space":
            assert target.space is not None
            return f"space {target.name} {target.space[0]} {target.space[1]}"
        case "player" | "amount":
            return f"{target.kind} {target.number}"
    return f"{target.kind} {target.name}"


def marks_for(options: Iterable[Option]) -> dict[str, int]:
    """What each option points at, if it is one thing and no other option points there."""
    found: dict[str, list[int]] = {}
    for option in options:
        targets = option.targets
        if len(targets) == 1:
            found.setdefault(address(targets[0]), []).append(option.index)
    return {where: indices[0] for where, indices in found.items() if len(indices) == 1}


def key_at(text: str, name: str) -> tuple[Any, ...] | str | None:
    """The choice that an address would be, as an answer to the part called `name`; None if it is none."""
    kind, _, rest = text.partition(" ")
    match kind:
        case "thing" | "record" | "value":
            return (name, rest)
        case "action":
            return ("offer", rest)
        case "player" | "amount" if rest.lstrip("-").isdigit():
            return (name, int(rest))
        case "space":
            parts = rest.split(" ")
            if len(parts) == 3 and all(part.lstrip("-").isdigit() for part in parts[1:]):
                return (name, (int(parts[1]), int(parts[2])))
    return None
