"""The terminal: its size, what it can show, how lines get there and come back.

Where the terminal allows it, every page is drawn on a cleared screen. In a pipe
or on a dumb terminal pages simply follow each other. Reading can have a deadline;
the time and the waiting are handed in, so that nobody has to wait in a test.

What is typed and not yet sent is kept by the terminal. Whenever the page under it goes
away, because time is up or because the window has another size, it is thrown away: nobody
would see it any more, and it would become part of the next answer.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from ...interpreter.table.dress import ASCII, UNICODE, Glyphs
from ...interpreter.table.text import Line
from .styles import as_rich

if TYPE_CHECKING:
    from rich.console import Console

WIDEST = 160
PIPE_HEIGHT = 60
PATIENCE = 0.5
"""Seconds of thinking after which people want to know why nothing happens."""
CLEAR = "\x1b[H\x1b[2J\x1b[3J"


class Left(Exception):
    """Nobody types any more; the match is not over."""


class TimeUp(Exception):
    """The deadline came before the answer."""


class Resized(Exception):
    """The window has another size."""


def in_a_while(seconds: float, call: Callable[[], None]) -> Callable[[], None]:
    """Call something later, unless what is returned is called before."""
    timer = threading.Timer(seconds, call)
    timer.daemon = True
    timer.start()
    return timer.cancel


class Screen:
    _bell: int | None = None
    """A pipe in which there is something when the window has changed, so that waiting for input ends."""

    def __init__(
        self,
        console: Console,
        *,
        ascii_only: bool = False,
        now: Callable[[], float] = time.monotonic,
        wait: Callable[[float | None], bool] | None = None,
        later: Callable[[float, Callable[[], None]], Callable[[], None]] = in_a_while,
    ) -> None:
        self.console = console
        self.now = now
        self.later = later
        self.wait = wait or self._wait_for_input
        self.is_terminal = console.is_terminal and sys.stdin.isatty()
        self.live = self.is_terminal and not console.is_dumb_terminal
        """May the screen be cleared and written at any place?"""
        self.plain = not console.is_terminal or console.is_dumb_terminal
        """Are there no styles at all?"""
        encodable = (console.encoding or "").lower().replace("-", "").startswith("utf")
        self.glyphs: Glyphs = UNICODE if encodable and not ascii_only else ASCII
        self._typed = b""
        self._resized = False
        if self.live:
            self._listen()

    def _listen(self) -> None:
        """Notice when the window changes. The signal writes into the pipe at once, so that it is not
        lost between two looks at it; only the main thread may ask for signals."""
        if not hasattr(signal, "SIGWINCH"):
            return
        with suppress(ValueError):
            signal.signal(signal.SIGWINCH, lambda *_: None)
            self._bell, into = os.pipe()
            os.set_blocking(self._bell, False)
            os.set_blocking(into, False)
            signal.set_wakeup_fd(into, warn_on_full_buffer=False)

    def _wait_for_input(self, seconds: float | None) -> bool:
        """Wait until something was typed; false when the seconds are over, or the window has changed."""
        bell = [self._bell] if self._bell is not None else []
        ready = select.select([sys.stdin, *bell], [], [], seconds)[0]
        if self._bell is not None and self._bell in ready:
            with suppress(BlockingIOError):
                self._resized = signal.SIGWINCH in os.read(self._bell, 4096)
        return sys.stdin in ready

    def forget_typed(self) -> None:
        """What was typed and not sent belongs to what is no longer on the screen."""
        self._typed = b""
        if self.is_terminal and os.name != "nt":
            import termios

            with suppress(termios.error, OSError):
                termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)

    @property
    def width(self) -> int:
        return max(20, min(WIDEST, self.console.width))

    @property
    def height(self) -> int:
        return max(10, self.console.height) if self.console.is_terminal else PIPE_HEIGHT

    # ------------------------------------------------------------ showing
    def show(self, lines: Sequence[Line | str]) -> None:
        from rich.text import Text

        text = Text("\n").join(self._text(line) for line in lines)
        self.console.print(text, soft_wrap=True)

    def _text(self, line: Line | str) -> Any:
        from rich.text import Text

        pieces = line.pieces if isinstance(line, Line) else ((line, ""),)
        if self.glyphs is ASCII:  # names and doc texts may have what cannot be shown
            pieces = tuple((text.encode("ascii", "replace").decode(), style) for text, style in pieces)
        return Text.assemble(*((text, as_rich(style)) for text, style in pieces))

    def page(self, lines: Sequence[Line | str]) -> None:
        """A new page: on a clean screen, or behind the last one."""
        self.clear()
        if not self.live:
            self.show([""])
        self.show(lines)

    def clear(self) -> None:
        """What was on the screen, and what can be scrolled back to, is gone."""
        if self.live:
            self.console.file.write(CLEAR)
            self.console.file.flush()

    def hide(self) -> None:
        """Make sure that nobody reads what stood here: cleared, or pushed out of sight."""
        if self.live:
            self.clear()
        elif self.is_terminal:
            self.show([""] * self.height)

    def corner(self, text: str, style: str = "bold reverse") -> None:
        """Write into the upper right corner, and leave the cursor where it is."""
        if not self.live:
            return
        from rich.text import Text

        with self.console.capture() as capture:
            self.console.print(Text(text, style=style), end="")
        column = self.width - len(text) + 1
        self.console.file.write(f"\x1b7\x1b[1;{column}H{capture.get()}\x1b8")
        self.console.file.flush()

    @contextmanager
    def thinking(self, who: str, since: float | None = None) -> Iterator[None]:
        """Below the page stands who is thinking, from half a second on and until it is done.

        `since` is when the waiting began, if others have thought before.
        """
        if not self.live:
            yield
            return
        text = f"{who} is thinking ..."[: self.width - 1]
        lock = threading.Lock()
        shown = over = False

        def show() -> None:
            nonlocal shown
            with lock:
                if not over:
                    shown = True
                    self.console.file.write(f"\r{text}")
                    self.console.file.flush()

        waited = 0 if since is None else self.now() - since
        cancel = self.later(max(0, PATIENCE - waited), show)
        try:
            yield
        finally:
            cancel()
            with lock:
                over = True
                if shown:
                    self.console.file.write(f"\r{' ' * len(text)}\r")
                    self.console.file.flush()

    # ------------------------------------------------------------ reading
    def read(
        self,
        prompt: Line,
        *,
        deadline: float | None = None,
        tick: Callable[[float], None] | None = None,
        redraw: Callable[[], None] | None = None,
    ) -> str:
        """A line that somebody types. Raises `Left` at the end of input, `TimeUp` at the deadline.

        `redraw` makes the page anew when the window has another size.
        """
        while True:
            self.console.print(self._text(prompt), end="")
            self.console.file.flush()
            try:
                text = self._line(deadline, tick)
                break
            except Resized:
                self.forget_typed()
                if redraw is not None:
                    redraw()
                else:
                    self.show([""])
        if not sys.stdin.isatty():  # nobody has seen it being typed
            self.show([text.rstrip("\n")])
        return text.strip()

    def _line(self, deadline: float | None, tick: Callable[[float], None] | None) -> str:
        if not self.is_terminal or os.name == "nt":  # Windows cannot wait for a console
            text = sys.stdin.readline()
            if not text:
                self.show([""])
                raise Left
            if deadline is not None and self.now() >= deadline:
                raise TimeUp
            return text
        while b"\n" not in self._typed:
            left = None if deadline is None else deadline - self.now()
            if left is not None and left <= 0:
                self.show([""])
                self.forget_typed()
                raise TimeUp
            if tick is not None and left is not None:
                tick(left)
            typed = self.wait(None if left is None else min(1.0, left))
            if self._resized:
                self._resized = False
                raise Resized
            if not typed:
                continue
            data = os.read(sys.stdin.fileno(), 4096)
            if not data:
                self.show([""])
                raise Left
            self._typed += data
        line, _, self._typed = self._typed.partition(b"\n")
        return line.decode(sys.stdin.encoding or "utf-8", errors="replace")

    def pager(self, lines: Sequence[Line | str]) -> None:
        """Text to read, a page at a time."""
        if not self.is_terminal:
            self.show([part for _, part in self._wrapped(lines)])
            return
        first, following = 0, None  # the first line of this page and of the next, as numbers of `lines`

        def show_page() -> None:
            nonlocal following
            wrapped = self._wrapped(lines)
            start = next((n for n, (number, _) in enumerate(wrapped) if number >= first), 0)
            end = start + self.height - 2
            self.page([part for _, part in wrapped[start:end]])
            following = max(first + 1, wrapped[end][0]) if end < len(wrapped) else None

        while True:
            show_page()
            words = "Enter for the next page, q to go back " if following is not None else "Enter to go back "
            answer = self.read(Line((words, "dim")), redraw=show_page)
            if following is None or answer.lower().startswith("q"):
                break
            first = following

    def _wrapped(self, lines: Sequence[Line | str]) -> list[tuple[int, Line]]:
        """Lines as wide as the screen, each with the number of the line that it is part of."""
        wide = self.width
        return [
            (number, part)
            for number, line in enumerate(lines)
            for part in (line if isinstance(line, Line) else Line(line)).wrap(wide, "    ")
        ]
