"""However a `show` is left, it is closed: random nests of scopes, calls and jumps, against a plain model.

A program is a tree that is written as rules, and walked in Python with `try` and
`finally`. At every decision the other player sees exactly the places that the
walk has open.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import dragonrules as dr
import pytest

PLACES = 4
HEAD = """game "Scopes" for 2 players
token Gem: red 8
state at: 0..3 = 0
each player has: place chest[0..3]: bag of Gem, seen by owner
"""
START = "setup:\n" + "".join(
    f"    move 1 of red from box(Gem) to player(1).chest[{n}]\n" for n in range(PLACES)
)


class Return(Exception):
    pass


class Skip(Exception):
    pass


class Nest:
    """A random program: rules that call only later ones, so that it ends."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.names = 0
        self.at = 0
        self.rules = [self._body(3, rule, False) for rule in range(self.random.randint(2, 5))]

    def _body(self, depth: int, rule: int, loop: bool) -> list[Any]:
        return [self._statement(depth, rule, loop) for _ in range(self.random.randint(1, 2))]

    def _statement(self, depth: int, rule: int, loop: bool) -> tuple[Any, ...]:
        self.names += 1
        name = self.names
        kinds = ["ask", "return", "call", "set"]
        if loop:
            kinds.append("skip")
        if depth:
            kinds += ["show", "show", "show_at", "for", "may", "atomic", "as"]
        kind = self.random.choice(kinds)
        inner = self._body(depth - 1, rule, loop or kind == "for") if depth else []
        place = self.random.randrange(PLACES)
        if kind == "atomic":  # which nothing may jump out of by `stop`
            inner = self._body(depth - 1, rule, False)
        return kind, name, inner, place, rule + 1 + self.random.randrange(2)

    # ------------------------------------------------------------ as rules
    def text(self) -> str:
        out = [HEAD, START, "phase Play:\n    as player(1): rule_0()\n    finish {}\n"]
        for number, body in enumerate(self.rules):
            out.append(f"rule rule_{number}():\n    choose first_{number} in 1..2\n{self._lines(body, 1)}\n")
        return "".join(out)

    def _lines(self, body: list[Any], depth: int) -> str:
        pad = "    " * depth
        return "\n".join(self._line(st, depth, pad) for st in body)

    def _line(self, st: tuple[Any, ...], depth: int, pad: str) -> str:
        kind, name, inner, place, callee = st
        body = self._lines(inner, depth + 1)
        match kind:
            case "ask":
                return f"{pad}choose n_{name} in 1..2"
            case "return" | "skip":
                return f"{pad}choose n_{name} in 1..2\n{pad}if n_{name} = 1: {kind}"
            case "call":
                return f"{pad}rule_{callee}()" if callee < len(self.rules) else f"{pad}nothing"
            case "show":
                return f"{pad}show player(1).chest[{place}] to all:\n{body}"
            case "show_at":
                return f"{pad}show player(1).chest[at] to all:\n{body}"
            case "set":
                return f"{pad}set at = {place}"
            case "for":
                return f"{pad}for i_{name} in 1..2:\n{body}"
            case "may":
                return f'{pad}may "do {name}":\n{body}'
            case "atomic":
                return f"{pad}atomic:\n{body}"
            case "as":
                return f"{pad}as player(1):\n{body}"
        raise AssertionError(kind)

    # ------------------------------------------------------------ as a walk
    def walk(self) -> Iterator[frozenset[int]]:
        """What is open at each decision; the answer to each is sent back: is it the first option?"""
        self.at = 0
        yield from self._rule(0, [])

    def _rule(self, number: int, shown: list[int]) -> Any:
        yield frozenset(shown)
        with contextlib.suppress(Return):
            yield from self._run(self.rules[number], shown)

    def _run(self, body: list[Any], shown: list[int]) -> Any:
        for kind, _, inner, place, callee in body:
            if kind in ("ask", "return", "skip", "may"):
                first = yield frozenset(shown)
                if first and kind in ("return", "skip"):
                    raise Return if kind == "return" else Skip
                if first and kind == "may":
                    yield from self._run(inner, shown)
            elif kind == "call" and callee < len(self.rules):
                yield from self._rule(callee, shown)
            elif kind == "set":
                self.at = place
            elif kind in ("show", "show_at"):
                place = place if kind == "show" else self.at
                shown.append(place)
                try:
                    yield from self._run(inner, shown)
                finally:
                    shown.remove(place)
            elif kind == "for":
                for _ in range(2):
                    with contextlib.suppress(Skip):
                        yield from self._run(inner, shown)
            elif kind in ("atomic", "as"):
                yield from self._run(inner, shown)


def open_places(match: dr.Match) -> frozenset[int]:
    places = match.view(2)["places"]
    return frozenset(n for n in range(PLACES) if "contents" in places[f"player 1: chest[{n}]"])


def check(seed: int, path: Path, plays: int = 3) -> None:
    nest = Nest(seed)
    path.write_text(nest.text(), encoding="utf-8")
    game = dr.load(path)
    for play in range(plays):
        random = Random(play)
        match = game.start(2, seed=1)
        walk = nest.walk()
        wanted = next(walk, None)
        for _ in range(300):
            if match.decision is None:
                break
            assert open_places(match) == wanted, nest.text()
            choice = random.randrange(2)
            match.choose(choice)
            try:
                wanted = walk.send(choice == 0)  # type: ignore[attr-defined]
            except StopIteration:
                wanted = None
        else:
            continue
        assert wanted is None, nest.text()


@pytest.mark.parametrize("seed", range(12))
def test_scopes_are_closed_however_they_are_left(seed: int, tmp_path: Path) -> None:
    check(seed, tmp_path / "nest.dragon")


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 400))
def test_many_more(seed: int, tmp_path: Path) -> None:
    check(seed, tmp_path / "nest.dragon")
