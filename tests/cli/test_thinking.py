"""A sign while a bot thinks, for those who wait."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO

import pytest
from dragonrules.cli.table.screen import PATIENCE, Screen
from rich.console import Console

from .paper import at_table, played

SIGN = "Player 2 is thinking ..."


class Hourglass:
    """Keeps what is to be done later; nobody waits for it."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self.calls: list[Callable[[], None]] = []
        self.cancelled = 0

    def later(self, seconds: float, call: Callable[[], None]) -> Callable[[], None]:
        self.seconds.append(seconds)
        self.calls.append(call)
        return self.cancel

    def cancel(self) -> None:
        self.cancelled += 1


def watched(*, live: bool = True) -> tuple[Screen, StringIO, Hourglass]:
    file, glass = StringIO(), Hourglass()
    screen = Screen(
        Console(force_terminal=live, file=file, width=80, height=24), now=lambda: 10.0, later=glass.later
    )
    screen.live = live
    return screen, file, glass


def test_who_thinks_for_long_is_named_and_the_sign_goes_away() -> None:
    screen, file, glass = watched()
    with screen.thinking("Player 2"):
        assert file.getvalue() == ""
        glass.calls[0]()
        assert file.getvalue() == f"\r{SIGN}"
    assert file.getvalue() == f"\r{SIGN}\r{' ' * len(SIGN)}\r"
    assert glass.seconds == [PATIENCE]


def test_who_decides_at_once_leaves_no_trace() -> None:
    screen, file, glass = watched()
    with screen.thinking("Player 2"):
        pass
    assert glass.cancelled == 1
    glass.calls[0]()  # too late: it was about to be called when it was cancelled
    assert file.getvalue() == ""


def test_the_sign_goes_away_when_somebody_interrupts() -> None:
    screen, file, glass = watched()

    def interrupted() -> None:
        with screen.thinking("Player 2"):
            glass.calls[0]()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert file.getvalue().endswith(f"\r{' ' * len(SIGN)}\r")


def test_the_time_of_bots_before_counts() -> None:
    screen, _, glass = watched()
    for since in (10.0, 9.75, 3.0):
        with screen.thinking("Player 2", since):
            pass
    assert glass.seconds == [PATIENCE, PATIENCE - 0.25, 0]


def test_nothing_is_said_where_nobody_looks_at_a_screen() -> None:
    screen, file, glass = watched(live=False)
    with screen.thinking("Player 2"):
        assert not glass.calls
    assert file.getvalue() == ""


def test_bots_at_the_table_and_those_asked_for_a_hint_are_waited_for() -> None:
    session, paper = at_table("tic_tac_toe", "human", "greedy", answers=["1", "hint random"], pace=3)
    assert not played(session)
    assert paper.thinkers == [("Player 2", 3.0), ("random", None)]


def test_the_waiting_begins_anew_after_each_answer() -> None:
    session, paper = at_table("tic_tac_toe", "human", "greedy", answers=["a1", "1"], pace=3)
    assert not played(session)
    assert [since for _, since in paper.thinkers] == [3.0, 6.0]
