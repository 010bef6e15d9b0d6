"""What the back end hands over: the text of a module, and what the run time must know about it."""

from __future__ import annotations

from typing import Any

from attrs import Factory, define

from ...grammar import Span
from ..core import value_types as t


@define(eq=False)
class Generated:
    """The text of a module and what the run time must know about it."""

    source: str
    spans: list[Span]
    points: dict[int, int]  # resuming block -> decision point
    rolls: dict[int, Any]  # resuming block -> audience of a roll
    frames: dict[int, tuple[int, tuple[tuple[str | None, int, str | None], ...]]]
    live: dict[int, tuple[int, ...]]  # block -> slots in use
    askers: dict[int, int]  # resuming block -> the block that asks
    chances: dict[int, t.Type]  # resuming block -> what chance brings
    entry: int
    rules: dict[
        int, tuple[str, ...]
    ]  # block -> the rules it belongs to, outermost first, as the reader calls them
    consts: dict[str, Any] = Factory(dict)
    vectors: dict[int, tuple[int, int]] = Factory(
        dict
    )  # resuming block -> where its cells and their values are
    named: dict[int, tuple[tuple[int, t.Type], ...]] = Factory(
        dict
    )  # block -> the slots of its frame that hold components
    variables: dict[int, tuple[tuple[int, str, t.Type], ...]] = Factory(
        dict
    )  # resuming block of a decision -> the slots of its frame, each with its variable
    causes: dict[int, str] = Factory(
        dict
    )  # line of the module that tells something -> the rule it belongs to
    starts: dict[int, int] = Factory(dict)  # resuming block of a vector -> the block where it begins
