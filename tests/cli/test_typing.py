"""What was typed and not sent, when the page under it goes away; windows that change their size."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest
from dragonrules.cli.table.screen import Screen, TimeUp
from dragonrules.interpreter.table.text import Line
from rich.console import Console

from .person import CLEAR, Person


@pytest.fixture
def keyboard(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The end of a terminal at which somebody types; the other end is the input of this process."""
    master, slave = pty.openpty()
    with open(slave, closefd=True) as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        yield master
    os.close(master)


def a_screen(*times: float) -> Screen:
    """A screen whose clock shows these times, one after the other."""
    left = list(times)
    console = Console(force_terminal=True, file=open(os.devnull, "w"), width=80, height=24)  # noqa: SIM115
    return Screen(console, now=lambda: left.pop(0) if len(left) > 1 else left[0])


def test_half_an_answer_does_not_outlive_its_question(keyboard: int) -> None:
    """`2` is typed, but not sent; time runs out; Enter at the next question is an empty answer."""
    screen = a_screen(0, 0, 99)
    os.write(keyboard, b"2")
    with pytest.raises(TimeUp):
        screen.read(Line("> "), deadline=60)
    os.write(keyboard, b"\n")
    assert screen.read(Line("> ")) == ""


def test_an_answer_in_time_is_taken(keyboard: int) -> None:
    screen = a_screen(0, 0, 1)
    os.write(keyboard, b"2\n3\n")
    assert screen.read(Line("> "), deadline=60) == "2"
    assert screen.read(Line("> "), deadline=60) == "3"


def resize(person: Person, lines: int, columns: int) -> None:
    fcntl.ioctl(person.master, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))


def test_another_size_of_the_window_makes_another_page(tmp_path: Path) -> None:
    person = Person("run", "drakon", "--players", 2, "--seed", 3, folder=tmp_path, columns=120, lines=40)
    try:
        first = person.wait()
        pages = person.raw.count(CLEAR)
        os.write(person.master, b"no such option")
        resize(person, 24, 80)
        while person.raw.count(CLEAR) == pages:
            person.read()
        again = person.wait()
        question = first.rstrip().split("\n")[-3:][0]
        assert max(map(len, first.split("\n"))) > 80 >= max(map(len, again.split("\n"))) - 1
        assert len(again.split("\n")) <= 24
        assert question.strip()[:10] in again
        person.type("1")
        after = person.wait()
        assert "No option has" not in after
    finally:
        person.close()
