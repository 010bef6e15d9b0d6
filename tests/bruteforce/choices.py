"""Random `choose` statements, and a plain enumeration of what they offer.

`ask` stands for whoever plays: it gets what is asked and the values in order, and tells
which one is taken. What is offered is found by going through every way to fill in the
whole form and keeping those that all conditions allow.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from contextlib import suppress
from enum import Enum
from itertools import product
from random import Random
from typing import Any

from attrs import define, frozen

from .expressions import E, Env, Expressions, Name
from .world import COLOURS, World

Ask = Callable[[str, str | None, list[Any], "Need"], Any]
"""What is asked (a name, the cell of a vector), the values, and whether the question has to be asked."""


class Need(Enum):
    """A cell whose range has one value is never asked. One that the conditions leave one value may be
    asked or not: a bound on that cell alone counts from the start, a search finds it out later."""

    MUST = 1
    MAY = 2
    NEVER = 3


@frozen
class Binder:
    name: str
    text: str
    sort: str
    values: Callable[[World, Env], list[Any]]
    index: str | None = None  # of a vector
    levels: Callable[[World, Env], list[int]] | None = None  # of a cell, by the index


class Skipped(Exception):
    """The `else` of a choice has left."""


@define
class Choice:
    """One `choose`, as text and as a question."""

    binders: list[Binder]
    where: list[E]
    distinct: E | None

    def text(self, otherwise: str) -> str:
        conditions = "".join(f" where {c.text}" for c in self.where)
        return f"choose {', '.join(b.text for b in self.binders)}{conditions}{otherwise}"

    def block(self, otherwise: str) -> list[str]:
        lines = [f"choose {', '.join(b.text for b in self.binders)}:"]
        lines += [f"    where {c.text}" for c in self.where]
        assert self.distinct is not None
        lines.append(f"    distinct by {self.distinct.text}")
        return [*lines, f"else: {otherwise}"] if otherwise else lines

    def forms(self, world: World, env: Env, todo: int = 0) -> Iterator[Env]:
        """Every way to fill in the rest of the form."""
        if todo == len(self.binders):
            if all(c.value(world, env) for c in self.where):
                yield env
            return
        binder = self.binders[todo]
        for value in binder.values(world, env):
            yield from self.forms(world, {**env, binder.name: value}, todo + 1)

    def filled_in(self, world: World, env: Env, ask: Ask, behind: list[Line] | None = None) -> Env | None:
        """The answers, or None if nothing can be chosen. What is behind must be possible, too."""
        for todo, binder in enumerate(self.binders):
            forms = (f for f in self.forms(world, env, todo) if completable(world, f, behind or []))
            allowed = list(dict.fromkeys(form[binder.name] for form in forms))
            if not allowed:
                assert todo == 0
                return None
            if binder.index is not None:
                env = {**env, binder.name: self._vector(binder, allowed, ask, world, env)}
                continue
            if self.distinct is not None and binder is self.binders[-1]:
                allowed = self._one_each(world, env, binder.name, allowed)
            env = {**env, binder.name: ask(binder.name, None, allowed, Need.MUST)}
        return env

    def _one_each(self, world: World, env: Env, name: str, values: list[Any]) -> list[Any]:
        assert self.distinct is not None
        first: dict[Any, Any] = {}
        for value in values:
            first.setdefault(self.distinct.value(world, {**env, name: value}), value)
        return list(first.values())

    def _vector(self, binder: Binder, allowed: list[Any], ask: Ask, world: World, env: Env) -> Any:
        left = allowed
        assert binder.index is not None and binder.levels is not None
        for cell in range(len(COLOURS)):
            values = sorted({vector[cell] for vector in left})
            need = Need.MUST
            if len(binder.levels(world, {**env, binder.index: cell})) == 1:
                need = Need.NEVER
            elif len({vector[cell] for vector in allowed}) == 1:
                need = Need.MAY
            taken = values[0] if need is Need.NEVER else ask(binder.name, COLOURS[cell], values, need)
            left = [vector for vector in left if vector[cell] == taken]
        return left[0]


@frozen
class Required:
    """A line `require ...` of a header."""

    truth: E


@frozen
class Given:
    """A line `let ... = ...` of a header."""

    name: str
    value: E


Line = Choice | Required | Given


def completable(world: World, env: Env, lines: list[Line]) -> bool:
    """Can the lines of a header be completed?"""
    if not lines:
        return True
    line, *rest = lines
    match line:
        case Required(truth):
            return bool(truth.value(world, env)) and completable(world, env, rest)
        case Given(name, value):
            return completable(world, {**env, name: value.value(world, env)}, rest)
        case Choice():
            return any(completable(world, form, rest) for form in line.forms(world, env))


def follow(world: World, env: Env, line: Line, behind: list[Line], ask: Ask) -> Env:
    """Go through one line of a header that can be completed."""
    match line:
        case Required(truth):
            assert truth.value(world, env)
            return env
        case Given(name, value):
            return {**env, name: value.value(world, env)}
        case Choice():
            filled = line.filled_in(world, env, ask, behind)
            assert filled is not None
            return filled


class Choices(Expressions):
    def choice(self, names: list[Name], distinct: bool = False) -> tuple[Choice, list[Name]]:
        dice = self.dice
        binders: list[Binder] = []
        inner, cells = list(names), list(names)
        size = dice.choice([1, 1, 2, 2, 2, 3])
        vectors = 0
        for _ in range(size):
            if dice.random() < 0.25 and vectors < 2 and size < 3:
                vectors += 1
                binder, name, index = self._vector(inner)
                inner.append(name)
                cells = [*cells, name, index]
            else:
                domain = self.domain(inner, dice.choice([0, 1, 1, 2]))
                name = Name(self.name("x"), domain.sort, domain.low, domain.high)
                binder = Binder(
                    name.name,
                    f"{name.name} in {domain.text}",
                    domain.sort,
                    lambda w, e, d=domain: list(d.value(w, e)),
                )
                inner.append(name)
                cells.append(name)
            binders.append(binder)
        where = [self.truth(inner, dice.choice([0, 1, 2])) for _ in range(dice.choice([0, 1, 1, 2]))]
        where += [self._condition_on(binder, inner) for binder in binders if binder.index is not None]
        dice.shuffle(where)
        key = self.number(inner, 1) if distinct and binders[-1].index is None else None
        return Choice(binders, where, key), inner

    def _vector(self, names: list[Name]) -> tuple[Binder, Name, Name]:
        name, index = self.name("n"), self.name("i")
        known = [*names, Name(index, "colour")]
        if self.dice.random() < 0.2:
            text, levels, high = "{0, 2}", (lambda w, e: [0, 2]), 2
        else:
            top = self.within(0, 2, known, self.dice.choice([0, 0, 1]))
            text, high = f"0..({top.text})", 2
            levels = lambda w, e: list(range(top.value(w, e) + 1))  # noqa: E731

        def values(w: World, e: Env) -> list[Any]:
            return list(product(*(levels(w, {**e, index: c}) for c in range(len(COLOURS)))))

        return (
            Binder(name, f"{name}[{index} in Colour] in {text}", "vector", values, index, levels),
            Name(name, "vector", 0, high),
            Name(index, "colour"),
        )

    def _condition_on(self, binder: Binder, names: list[Name]) -> E:
        """A bound on a sum of cells, on each cell, or a test over all of them."""
        vector, dice = binder.name, self.dice
        bound = self.within(0, 4, [n for n in names if n.sort != "vector"], 0)
        sign, test = dice.choice(
            [("=", lambda a, b: a == b), ("<=", lambda a, b: a <= b), (">=", lambda a, b: a >= b)]
        )
        roll, j = dice.random(), self.name("j")
        if roll < 0.4:
            return E(
                f"sum({vector}[{j}] for {j} in Colour) {sign} {bound.text}",
                lambda w, e: test(sum(e[vector]), bound.value(w, e)),
            )
        if roll < 0.6:
            a, b = dice.sample(range(3), 2)
            return E(
                f"{vector}[{COLOURS[a]}] + {vector}[{COLOURS[b]}] {sign} {bound.text}",
                lambda w, e: test(e[vector][a] + e[vector][b], bound.value(w, e)),
            )
        if roll < 0.75:
            return E(
                f"{vector}[{binder.index}] {sign} {bound.text}",
                lambda w, e: all(test(cell, bound.value(w, e)) for cell in e[vector]),
            )
        other = dice.choice([n for n in names if n.sort == "vector"]).name
        return E(
            f"every({vector}[{j}] = 0 or {other}[{j}] > 0 for {j} in Colour)",
            lambda w, e: all(a == 0 or b > 0 for a, b in zip(e[vector], e[other], strict=True)),
        )

    def effect(self, names: list[Name]) -> tuple[str, Callable[[World, Env], None]]:
        """Something that changes the table."""
        roll = self.dice.randrange(3)
        if roll == 0:
            at, to = self.within(1, 4, names, 1), self.number(names, 1)

            def level(w: World, e: Env) -> None:
                n, value = at.value(w, e), to.value(w, e) % 6
                w.lev[n] = value

            return f"set lev[{at.text}] = ({to.text}) mod 6", level
        if roll == 1:
            colour, truth = self.colour(names, 1), self.truth(names, 1)

            def mark(w: World, e: Env) -> None:
                c, value = colour.value(w, e), bool(truth.value(w, e))
                w.mark[c] = value

            return f"set mark[{colour.text}] = ({truth.text})", mark
        number = self.within(-3, 3, names, 1)

        def low(w: World, e: Env) -> None:
            w.low = number.value(w, e)

        return f"set low = {number.text}", low


TURNS = 3


class Game:
    """A spec with a few phases, each with three turns of one question or one menu, and the same in Python."""

    def __init__(self, seed: int, size: int = 1) -> None:
        dice = Random(seed)
        world = World(dice)
        self.questions = [Question(dice, world, number) for number in range(size)]
        again = [line for line in world.changed() if line]
        self.text = "\n".join(
            [
                world.text,
                f"state taken: 0..{TURNS} = 0",
                "rule begin_again():",
                *(f"    {line}" for line in [*again, "set taken = 0"]),
                *(line for question in self.questions for line in question.lines),
                "",
            ]
        )

    def play(self, ask: Ask) -> None:
        for question in self.questions:
            question.play(ask)


class Question:
    """One phase of such a spec."""

    def __init__(self, dice: Random, world: World, number: int) -> None:
        self.world = world
        self.number = number
        self.made = Choices(dice)
        self.dice = dice
        self.actions: list[tuple[list[str], Callable[[World, Ask], None], Callable[[World], bool]]] = []
        kind = dice.choice(["turn", "turn", "loop", "for", "menu", "menu"])
        build: dict[str, Callable[[], tuple[list[str], Callable[[World, Ask], None]]]] = {
            "turn": lambda: self._asked([], True),
            "loop": self._repeated,
            "for": self._run_over,
            "menu": self._menu,
        }
        body, self._turn = build[kind]()
        self.lines = [
            line
            for n, (action, _, _) in enumerate(self.actions)
            for line in (f"action act{number}_{n} in deed{number}:", *(f"    {line}" for line in action))
        ]
        self.lines += [
            f"phase Play{number}:",
            "    begin_again()",
            f"    turns Round{number} p where taken < {TURNS}:",
            "        change taken by 1",
            *(f"        {line}" for line in body),
        ]

    def _asked(self, names: list[Name], leaving: bool) -> tuple[list[str], Callable[[World, Ask], None]]:
        """A choice, and effects behind it: with its names if the `else` leaves."""
        dice = self.dice
        choice, inner = self.made.choice(names, dice.random() < 0.2)
        leaves = leaving and dice.random() < 0.6
        instead, change = self.made.effect(names)
        otherwise = "skip" if leaves else instead
        known = inner if leaves else names
        known = [n for n in known if n.name not in {b.index for b in choice.binders}]
        effects = [self.made.effect(known) for _ in range(2)]
        if choice.distinct is not None:
            lines = choice.block(otherwise)
        else:
            lines = [choice.text(f" else {otherwise}")]
        lines += [text for text, _ in effects]
        mark = self.made.name("mark")  # a question that is always asked: behind it no cell is missed
        lines = [f"choose {mark} in {{1, 2}}", *lines]

        def play(w: World, ask: Ask, e: Env | None = None) -> None:
            ask(mark, None, [1, 2], Need.MUST)
            env = choice.filled_in(w, e or {}, ask)
            if env is None:
                if leaves:
                    raise Skipped
                change(w, e or {})
            for _, do in effects:
                do(w, env if env is not None else e or {})

        return lines, play

    def _repeated(self) -> tuple[list[str], Callable[[World, Ask], None]]:
        lines, play = self._asked([], True)

        def both(w: World, ask: Ask) -> None:
            for _ in range(2):
                try:
                    play(w, ask)
                except Skipped:
                    continue

        return ["repeat up to 2:", *(f"    {line}" for line in lines)], both

    def _run_over(self) -> tuple[list[str], Callable[[World, Ask], None]]:
        domain = self.made.domain([], 1)
        name = Name(self.made.name("q"), domain.sort, domain.low, domain.high)
        condition = self.made.truth([name], 1)
        lines, play = self._asked([name], True)

        def each(w: World, ask: Ask) -> None:
            for value in list(domain.value(w, {})):
                if condition.value(w, {name.name: value}):
                    try:
                        play(w, ask, {name.name: value})  # type: ignore[call-arg]
                    except Skipped:
                        continue

        head = f"for {name.name} in {domain.text} where {condition.text}:"
        return [head, *(f"    {line}" for line in lines)], each

    def _menu(self) -> tuple[list[str], Callable[[World, Ask], None]]:
        for _ in range(2):
            self.actions.append(self._action())

        def offered(w: World, ask: Ask) -> None:
            possible = [n for n, (_, _, can) in enumerate(self.actions) if can(w)]
            if not possible:
                raise Skipped
            self.actions[ask("offer", None, possible, Need.MUST)][1](w, ask)

        return [f"offer deed{self.number} else skip"], offered

    def _action(self) -> tuple[list[str], Callable[[World, Ask], None], Callable[[World], bool]]:
        made, dice = self.made, self.dice
        lines, names = [], []
        let = made.number([], 2)
        need = made.truth([], 1)
        if dice.random() < 0.5:
            names = [Name(made.name("z"), "number", let.low, let.high)]
            lines.append(f"let {names[0].name} = {let.text}")
            need = made.truth(names, 1)
        if with_need := dice.random() < 0.5:
            lines.append(f"require {need.text}")
        first, inner = made.choice(names)
        lines.append(first.text(""))
        known = [n for n in inner if n.name not in {b.index for b in first.binders}]
        behind: list[Line] = []
        while dice.random() < 0.4 and len(behind) < 3:
            text, line, known = self._line(known)
            lines.append(text)
            behind.append(line)
        text, change = made.effect(known)
        lines.append(text)
        form = [first, *behind]

        def start(w: World) -> Env:
            return {n.name: let.value(w, {}) for n in names}

        def can(w: World) -> bool:
            env = start(w)
            return (not with_need or need.value(w, env)) and completable(w, env, form)

        def play(w: World, ask: Ask) -> None:
            env = start(w)
            for number, line in enumerate(form):
                env = follow(w, env, line, form[number + 1 :], ask)
            change(w, env)

        return lines, play, can

    def _line(self, names: list[Name]) -> tuple[str, Line, list[Name]]:
        """One more line of a header, with the names that are known behind it."""
        made, dice = self.made, self.dice
        roll = dice.randrange(3)
        if roll == 0:
            need = made.truth(names, 1)
            return f"require {need.text}", Required(need), names
        if roll == 1:
            number = made.number(names, 1)
            name = Name(made.name("y"), "number", number.low, number.high)
            return f"let {name.name} = {number.text}", Given(name.name, number), [*names, name]
        choice, inner = made.choice(names)
        return choice.text(""), choice, [n for n in inner if n.name not in {b.index for b in choice.binders}]

    def play(self, ask: Ask) -> None:
        world = copy.deepcopy(self.world)
        for _ in range(TURNS):
            with suppress(Skipped):
                self._turn(world, ask)
