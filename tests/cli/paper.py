"""A screen of paper: keeps its pages, and is answered from a list."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import dragonrules as dr
from dragonrules.cli.table.screen import Left, Screen, TimeUp
from dragonrules.cli.table.session import Session
from dragonrules.interpreter.players import player
from dragonrules.interpreter.table.dress import UNICODE, Glyphs
from dragonrules.interpreter.table.text import Line


class Paper(Screen):
    """Every answer takes `pace` seconds of a clock that nobody waits for."""

    def __init__(
        self,
        answers: Sequence[str] = (),
        *,
        columns: int = 80,
        lines: int = 24,
        glyphs: Glyphs = UNICODE,
        pace: float = 0,
        live: bool = True,
    ) -> None:
        self.answers = list(answers)
        self.columns, self.lines = columns, lines
        self.glyphs = glyphs
        self.live = self.is_terminal = live
        self.plain = False
        self.pages: list[list[str]] = []
        self.styles: list[list[Line]] = []
        self.prompts: list[str] = []
        self.corners: list[str] = []
        self.thinkers: list[tuple[str, float | None]] = []
        self.time, self.pace = 0.0, pace
        self.now = lambda: self.time

    @property
    def width(self) -> int:
        return self.columns

    @property
    def height(self) -> int:
        return self.lines

    def show(self, lines: Sequence[Line | str]) -> None:
        shown = [line if isinstance(line, Line) else Line(line) for line in lines]
        if not self.pages:
            self.pages.append([])
            self.styles.append([])
        self.pages[-1] += [line.plain for line in shown]
        self.styles[-1] += shown

    def clear(self) -> None:
        self.pages.append([])
        self.styles.append([])

    def hide(self) -> None:
        self.clear()

    def corner(self, text: str, style: str = "") -> None:
        self.corners.append(text.strip())

    @contextmanager
    def thinking(self, who: str, since: float | None = None) -> Iterator[None]:
        self.thinkers.append((who, since))
        yield

    def read(
        self,
        prompt: Line,
        *,
        deadline: float | None = None,
        tick: Callable[[float], None] | None = None,
        redraw: Callable[[], None] | None = None,
    ) -> str:
        self.prompts.append(prompt.plain)
        if tick is not None and deadline is not None:
            tick(deadline - self.time)
        self.time += self.pace
        if deadline is not None and self.time >= deadline:
            raise TimeUp
        if not self.answers:
            raise Left
        return self.answers.pop(0)

    @property
    def text(self) -> str:
        """The latest page."""
        return "\n".join(self.pages[-1])


@functools.lru_cache
def loaded(game: str, options: tuple[tuple[str, object], ...] = ()) -> dr.Game:
    return dr.load(game, options=dict(options))


def at_table(
    game: str,
    *seats: str,
    seed: int = 1,
    answers: Sequence[str] = (),
    options: dict[str, object] | None = None,
    clock: bool = True,
    **paper: object,
) -> tuple[Session, Paper]:
    """A session of people (`human`) and programs."""
    screen = Paper(answers, **paper)  # type: ignore[arg-type]
    match = loaded(game, tuple((options or {}).items())).start(len(seats), seed=seed)
    seated = [None if kind == "human" else player(kind, seed=seed, seat=n) for n, kind in enumerate(seats, 1)]
    return Session(match, seated, screen, clock=clock), screen


def played(session: Session) -> bool:
    """Until the end, or until nobody answers any more."""
    try:
        session.play(10_000)
    except Left:
        return False
    return True
