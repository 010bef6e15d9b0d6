"""What can end the walk through a rule early: jumps, the end of the match, errors of the rules."""

from __future__ import annotations

from typing import Any

from ...grammar import Span


class Jump(Exception):
    """Control leaves what is open around it; whoever is on the way puts things back."""


class Stop(Jump):
    def __init__(self, label: str) -> None:
        self.label = label


class Expire(Jump):
    """Time is up in the `rounds` of that number, counted as they were begun."""

    def __init__(self, clock: int) -> None:
        self.clock = clock


class Skip(Jump):
    pass


class Return(Jump):
    def __init__(self, value: Any = None) -> None:
        self.value = value


class Cancel(Jump):
    pass


class Over(Exception):
    """The match is over: nothing more happens, nothing is put back."""


class Trouble(Exception):
    """Something that the rules did not foresee, at a place in the rule file."""

    def __init__(self, code: str, span: Span, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.span = span
        self.message = message


def none_here(span: Span) -> Trouble:
    return Trouble("D0910", span, "this is none")


class Outside(Trouble):
    """A number that is not what its place allows."""

    def __init__(self, span: Span, value: int, low: int, high: int) -> None:
        super().__init__("D0902", span, f"this is {value}, outside {low}..{high}")
        self.value, self.low, self.high = value, low, high


def no_room(span: Span, why: str) -> Trouble:
    return Trouble("D0906", span, f"there is no room: {why}")


def no_choice(span: Span, words: str = "there is nothing to choose from") -> Trouble:
    return Trouble("D0908", span, words)
