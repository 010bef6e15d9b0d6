"""Random expressions: the text, and a function that works out the value in the plainest way.

Every expression is well typed and never fails: what indexes something is held within
its range, nothing divides by what may be zero, nothing that may be none is used as a value.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from attrs import frozen

from .world import COLOURS, GEMS, SPACES, STEPS, World, line_from, near

Env = dict[str, Any]
Value = Callable[[World, Env], Any]


@frozen
class E:
    """An expression: its text, its value, and for numbers the bounds."""

    text: str
    value: Value
    low: int = 0
    high: int = 0


@frozen
class Domain:
    """Something to run over: elements in order, and of which sort."""

    text: str
    value: Value
    sort: str
    low: int = 0
    high: int = 0
    constant: bool = False


@frozen
class Name:
    name: str
    sort: str
    low: int = 0
    high: int = 0


_COMPARED = {"=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}  # fmt: skip


class Expressions:
    """Makes expressions over a table and some names that are known."""

    def __init__(self, dice: Random) -> None:
        self.dice = dice
        self.made = 0

    def name(self, stem: str = "v") -> str:
        self.made += 1
        return f"{stem}{self.made}"

    # ------------------------------------------------------------ numbers
    def number(self, names: list[Name], depth: int) -> E:
        leaves: list[Callable[[], E]] = [self._constant, lambda: E("low", lambda w, e: w.low, -3, 3)]
        mine = [n for n in names if n.sort == "number"]
        if mine:
            leaves += [lambda: _known(self.dice.choice(mine))] * 4
        if any(n.sort == "card" for n in names):
            leaves.append(lambda: self._of_card(names))
        if any(n.sort == "space" for n in names):
            leaves.append(lambda: self._of_space(names))
        if any(n.sort == "colour" for n in names):
            leaves.append(lambda: self._of_colour(names))
        if any(n.sort == "vector" for n in names):
            leaves += [lambda: self._of_vector(names, depth)] * 5
        if depth <= 0:
            return self.dice.choice(leaves)()
        nodes = [self._level, self._reduced, self._reduced, self._arithmetic, self._either, self._looked_up,
                 self._counted, self._extreme]  # fmt: skip
        for _ in range(20):
            made = (
                self.dice.choice(leaves)()
                if self.dice.random() < 0.2
                else self.dice.choice(nodes)(names, depth - 1)
            )
            if max(abs(made.low), abs(made.high)) < 4000:
                return made
        return self._constant()

    def _constant(self) -> E:
        n = self.dice.randint(-2, 5)
        return E(
            str(n) if n >= 0 else f"(0 - {-n})" if self.dice.random() < 0.5 else f"({n})",
            lambda w, e: n,
            n,
            n,
        )

    def _of_card(self, names: list[Name]) -> E:
        card = self.card(names)
        if self.dice.random() < 0.5:
            return E(f"{card.text}.value", lambda w, e: w.cards[card.value(w, e)][1], 1, 4)
        return E(f"{card.text}.worn", lambda w, e: w.worn[card.value(w, e)], 0, 3)

    def _of_space(self, names: list[Name]) -> E:
        space, part = self.space(names), self.dice.randrange(2)
        return E(f"{space.text}.{'xy'[part]}", lambda w, e: space.value(w, e)[part], 1, 3 - part)

    def _of_colour(self, names: list[Name]) -> E:
        colour = self.colour(names, 0)
        return E(f"number({colour.text})", lambda w, e: colour.value(w, e) + 1, 1, 3)

    def _of_vector(self, names: list[Name], depth: int) -> E:
        vector = self.dice.choice([n for n in names if n.sort == "vector"])
        name = self.name("j")
        if self.dice.random() < 0.5 and depth > 0:
            total = f"sum({vector.name}[{name}] for {name} in Colour)"
            return E(total, lambda w, e: sum(e[vector.name]), 3 * vector.low, 3 * vector.high)
        colour = self.colour(names, 0)
        return E(
            f"{vector.name}[{colour.text}]",
            lambda w, e: e[vector.name][colour.value(w, e)],
            vector.low,
            vector.high,
        )

    def within(self, low: int, high: int, names: list[Name], depth: int) -> E:
        """A number that is certain to be in a range."""
        e = self.number(names, depth)
        if low <= e.low and e.high <= high:
            return e
        return E(
            f"max({low}, min({high}, {e.text}))", lambda w, v: max(low, min(high, e.value(w, v))), low, high
        )

    def _level(self, names: list[Name], depth: int) -> E:
        index = self.within(1, 4, names, depth)
        return E(f"lev[{index.text}]", lambda w, e: w.lev[index.value(w, e)], 0, 5)

    def _looked_up(self, names: list[Name], depth: int) -> E:
        colour, n = self.colour(names, depth), self.within(0, 3, names, depth)
        return E(
            f"toll({colour.text}, {n.text})", lambda w, e: w.toll[colour.value(w, e), n.value(w, e)], -2, 9
        )

    def _counted(self, names: list[Name], depth: int) -> E:
        if self.dice.random() < 0.3:
            gem = self.dice.randrange(2)
            return E(f"heap[{GEMS[gem]}]", lambda w, e: w.heap[gem], 0, 20)
        if self.dice.random() < 0.2:
            return E("count(line1)", lambda w, e: len(w.line), 0, 5)
        made = self.some_set(self.dice.choice(["number", "colour", "card", "space"]), names, depth)
        return E(f"count({made.text})", lambda w, e: len(made.value(w, e)), 0, 60)

    def _arithmetic(self, names: list[Name], depth: int) -> E:
        a = self.number(names, depth)
        if self.dice.random() < 0.3:
            by = self.dice.randint(2, 4)
            if self.dice.random() < 0.5:
                return E(f"({a.text} mod {by})", lambda w, e: a.value(w, e) % by, 0, by - 1)
            return E(f"({a.text} / {by})", lambda w, e: a.value(w, e) // by, a.low // by, a.high // by)
        b = self.number(names, depth)
        sign = self.dice.choice("+-*")
        if sign == "+":
            return E(
                f"({a.text} + {b.text})",
                lambda w, e: a.value(w, e) + b.value(w, e),
                a.low + b.low,
                a.high + b.high,
            )
        if sign == "-":
            return E(
                f"({a.text} - {b.text})",
                lambda w, e: a.value(w, e) - b.value(w, e),
                a.low - b.high,
                a.high - b.low,
            )
        ends = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
        return E(f"({a.text} * {b.text})", lambda w, e: a.value(w, e) * b.value(w, e), min(ends), max(ends))

    def _extreme(self, names: list[Name], depth: int) -> E:
        a, b = self.number(names, depth), self.number(names, depth)
        if self.dice.random() < 0.2:
            return E(f"abs({a.text})", lambda w, e: abs(a.value(w, e)), 0, max(abs(a.low), abs(a.high)))
        word, best = self.dice.choice([("max", max), ("min", min)])
        return E(
            f"{word}({a.text}, {b.text})",
            lambda w, e: best(a.value(w, e), b.value(w, e)),
            best(a.low, b.low),
            best(a.high, b.high),
        )

    def _either(self, names: list[Name], depth: int) -> E:
        condition, a, b = self.truth(names, depth), self.number(names, depth), self.number(names, depth)
        return E(
            f"({a.text} if {condition.text} else {b.text})",
            lambda w, e: a.value(w, e) if condition.value(w, e) else b.value(w, e),
            min(a.low, b.low),
            max(a.high, b.high),
        )

    def _reduced(self, names: list[Name], depth: int) -> E:
        text, runs, inner, size = self.loop(names, depth)
        what = self.number(inner, depth)
        kind = self.dice.choice(["sum", "sum", "count", "max", "min"])
        if kind == "count":
            return E(f"count({inner[-1].name} for {text})", lambda w, e: sum(1 for _ in runs(w, e)), 0, size)
        fold: dict[str, Any] = {
            "sum": sum,
            "max": lambda v: max(v, default=0),
            "min": lambda v: min(v, default=0),
        }
        times = size if kind == "sum" else 1
        return E(
            f"{kind}({what.text} for {text})",
            lambda w, e: fold[kind](what.value(w, i) for i in runs(w, e)),
            min(0, what.low * times),
            max(0, what.high * times),
        )

    # ------------------------------------------------------------ loops
    def loop(
        self, names: list[Name], depth: int
    ) -> tuple[str, Callable[[World, Env], Iterator[Env]], list[Name], int]:
        """`x in s, y in t where c` with the environments it runs through, the names known inside,
        and how often it may run."""
        binders: list[tuple[str, Domain]] = []
        inner = list(names)
        for _ in range(self.dice.choice([1, 1, 1, 2])):
            domain = self.domain(inner, depth - 1)
            name = self.name()
            binders.append((name, domain))
            inner.append(Name(name, domain.sort, domain.low, domain.high))
        text = ", ".join(f"{name} in {domain.text}" for name, domain in binders)
        where = [self.truth(inner, depth) for _ in range(self.dice.choice([0, 1, 1, 2]))]
        if where:
            text += f" where {' and '.join(c.text for c in where)}"
        until = self.truth(inner, depth - 1) if len(binders) == 1 and self.dice.random() < 0.15 else None
        if until is not None:
            text += f" while {until.text}"

        def runs(w: World, e: Env, todo: int = 0) -> Iterator[Env]:
            if todo == len(binders):
                if all(c.value(w, e) for c in where):
                    yield e
                return
            name, domain = binders[todo]
            for x in domain.value(w, e):
                for found in runs(w, {**e, name: x}, todo + 1):
                    if until is not None and not until.value(w, found):
                        return
                    yield found

        return text, runs, inner, 8 ** len(binders)

    def domain(self, names: list[Name], depth: int) -> Domain:
        sort = self.dice.choice(["number", "number", "colour", "card", "space"])
        if sort == "number" and self.dice.random() < 0.6:
            low = self.dice.randint(-2, 3)
            if depth > 0 and self.dice.random() < 0.5:
                top = self.within(low - 1, low + 4, names, depth)
                if top.high >= low:  # what is certain to be empty is refused
                    return Domain(
                        f"{low}..({top.text})",
                        lambda w, e: range(low, top.value(w, e) + 1),
                        sort,
                        low,
                        top.high,
                    )
            high = low + self.dice.randint(0, 3)
            return Domain(f"{low}..{high}", lambda w, e: range(low, high + 1), sort, low, high, True)
        if sort == "card" and self.dice.random() < 0.4:
            return Domain("line1", lambda w, e: list(w.line), sort)
        if sort == "space" and self.dice.random() < 0.3 and any(n.sort == "space" for n in names):
            start, way = self.space(names), self.dice.choice(list(STEPS))
            return Domain(f"line({start.text}, {way})", lambda w, e: line_from(start.value(w, e), way), sort)
        made = self.some_set(sort, names, depth)
        return Domain(made.text, lambda w, e: in_order(sort, made.value(w, e)), sort, made.low, made.high)

    # ------------------------------------------------------------ sets
    def some_set(self, sort: str, names: list[Name], depth: int) -> E:
        plain: dict[str, list[Callable[[], E]]] = {
            "number": [lambda: E("nums", lambda w, e: w.nums, -2, 4)],
            "colour": [
                lambda: E("picked", lambda w, e: w.pick),
                lambda: E(
                    "{c for c in Colour}".replace("c ", f"{(n := self.name())} ", 1).replace(
                        "for c", f"for {n}"
                    ),
                    lambda w, e: frozenset(range(3)),
                ),
            ],
            "card": [
                lambda: E(f"{{{(n := self.name())} for {n} in Card}}", lambda w, e: frozenset(range(5)))
            ],
            "space": [lambda: E("spaces(board)", lambda w, e: frozenset(SPACES))],
        }
        if any(n.sort == "space" for n in names):
            plain["space"].append(lambda: self._near(names))
        options = list(plain[sort])
        if sort in ("number", "colour"):
            options.append(lambda: self._listed(sort, names, depth - 1))
        if depth > 0:
            options += [
                lambda: self._gathered(sort, names, depth - 1),
                lambda: self._joined(sort, names, depth - 1),
            ]
            options.append(lambda: self._best(sort, names, depth - 1))
        return self.dice.choice(options)()

    def _near(self, names: list[Name]) -> E:
        space, steps = self.space(names), self.dice.randint(0, 2)
        return E(f"near({space.text}, {steps})", lambda w, e: frozenset(near(space.value(w, e), steps)))

    def _listed(self, sort: str, names: list[Name], depth: int) -> E:
        made = [self.number(names, depth) if sort == "number" else self.colour(names, depth) for _ in range(self.dice.randint(1, 3))]  # fmt: skip
        return E(
            f"{{{', '.join(m.text for m in made)}}}",
            lambda w, e: frozenset(m.value(w, e) for m in made),
            min(m.low for m in made),
            max(m.high for m in made),
        )

    def _element(self, sort: str, names: list[Name], depth: int) -> E | None:
        if sort == "number":
            return self.number(names, depth)
        if sort == "colour":
            return self.colour(names, depth)
        if not any(n.sort == sort for n in names):
            return None
        return self.card(names) if sort == "card" else self.space(names)

    def _gathered(self, sort: str, names: list[Name], depth: int) -> E:
        text, runs, inner, _ = self.loop(names, depth)
        what = self._element(sort, inner, depth)
        if what is None:
            return self.some_set(sort, names, 0)
        return E(
            f"{{{what.text} for {text}}}",
            lambda w, e: frozenset(what.value(w, i) for i in runs(w, e)),
            what.low,
            what.high,
        )

    def _best(self, sort: str, names: list[Name], depth: int) -> E:
        text, runs, inner, _ = self.loop(names, depth)
        what = self._element(sort, inner, depth)
        if what is None:
            return self.some_set(sort, names, 0)
        key = self.number(inner, depth)
        word, best = self.dice.choice([("most", max), ("least", min)])

        def value(w: World, e: Env) -> frozenset[Any]:
            found = [(key.value(w, i), what.value(w, i)) for i in runs(w, e)]
            top = best((k for k, _ in found), default=0)
            return frozenset(x for k, x in found if k == top)

        return E(f"{word}({what.text} by {key.text} for {text})", value, what.low, what.high)

    def _joined(self, sort: str, names: list[Name], depth: int) -> E:
        a, b = self.some_set(sort, names, depth), self.some_set(sort, names, depth)
        if self.dice.random() < 0.5:
            low, high = min(a.low, b.low), max(a.high, b.high)
            return E(f"({a.text} + {b.text})", lambda w, e: a.value(w, e) | b.value(w, e), low, high)
        return E(f"({a.text} - {b.text})", lambda w, e: a.value(w, e) - b.value(w, e), a.low, a.high)

    # ------------------------------------------------------------ things
    def colour(self, names: list[Name], depth: int) -> E:
        mine = [n for n in names if n.sort == "colour"]
        roll = self.dice.random()
        if mine and roll < 0.5:
            return _known(self.dice.choice(mine))
        if roll < 0.75 and any(n.sort == "card" for n in names):
            card = self.card(names)
            return E(f"{card.text}.colour", lambda w, e: w.cards[card.value(w, e)][0])
        if depth > 0 and roll < 0.9:
            test, a, b = (
                self.truth(names, depth - 1),
                self.colour(names, depth - 1),
                self.colour(names, depth - 1),
            )
            return E(
                f"({a.text} if {test.text} else {b.text})",
                lambda w, e: a.value(w, e) if test.value(w, e) else b.value(w, e),
            )
        c = self.dice.randrange(3)
        return E(COLOURS[c], lambda w, e: c)

    def card(self, names: list[Name]) -> E:
        return _known(self.dice.choice([n for n in names if n.sort == "card"]))

    def space(self, names: list[Name]) -> E:
        return _known(self.dice.choice([n for n in names if n.sort == "space"]))

    # ------------------------------------------------------------ yes or no
    def truth(self, names: list[Name], depth: int) -> E:
        sorts = {n.sort for n in names}
        leaves: list[Callable[[], E]] = [
            lambda: self._marked(names, max(0, depth - 1)),
            lambda: self._compared(names, max(0, depth - 1)),
        ]
        leaves += [lambda: self._compared(names, max(0, depth - 1))] * 2
        if "space" in sorts:
            leaves += [lambda: self._on_board(names)] * 2
        if "card" in sorts:
            leaves.append(lambda: self._same_card(names))
        if depth <= 0:
            return self.dice.choice(leaves)()
        nodes = [self._logic, self._logic, self._member, self._quantified, self._equal_sets, self._found]
        if self.dice.random() < 0.35:
            return self.dice.choice(leaves)()
        return self.dice.choice(nodes)(names, depth - 1)

    def _marked(self, names: list[Name], depth: int) -> E:
        colour = self.colour(names, depth)
        return E(f"mark[{colour.text}]", lambda w, e: w.mark[colour.value(w, e)])

    def _compared(self, names: list[Name], depth: int) -> E:
        a, b = self.number(names, depth), self.number(names, depth)
        sign = self.dice.choice(list(_COMPARED))
        return E(f"{a.text} {sign} {b.text}", lambda w, e: _COMPARED[sign](a.value(w, e), b.value(w, e)))

    def _on_board(self, names: list[Name]) -> E:
        """What lies on a space? That nothing does is asked through a definition: behind such a
        question the space is known to be empty or not, and asking again is refused."""
        space, gem = self.space(names), self.dice.randrange(2)
        roll = self.dice.random()
        if roll < 0.4:
            return E(f"empty({space.text})", lambda w, e: w.board[space.value(w, e)] is None)
        if roll < 0.8:
            return E(f"board[{space.text}] = {GEMS[gem]}", lambda w, e: w.board[space.value(w, e)] == gem)
        return E(f"board[{space.text}] != {GEMS[gem]}", lambda w, e: w.board[space.value(w, e)] != gem)

    def _same_card(self, names: list[Name]) -> E:
        card = self.card(names)
        roll = self.dice.random()
        if roll < 0.4:
            return E(f"{card.text} = best", lambda w, e: card.value(w, e) == w.best)
        if roll < 0.6:
            return E(f"{card.text} in line1", lambda w, e: card.value(w, e) in w.line)
        other = self.card(names)
        return E(f"{card.text} != {other.text}", lambda w, e: card.value(w, e) != other.value(w, e))

    def _logic(self, names: list[Name], depth: int) -> E:
        a, b = self.truth(names, depth), self.truth(names, depth)
        roll = self.dice.random()
        if roll < 0.2:
            return E(f"(not ({a.text}))", lambda w, e: not a.value(w, e))
        if roll < 0.35:
            c = self.truth(names, depth)
            return E(
                f"(({a.text}) if {c.text} else ({b.text}))",
                lambda w, e: a.value(w, e) if c.value(w, e) else b.value(w, e),
            )
        if roll < 0.7:
            return E(f"(({a.text}) and ({b.text}))", lambda w, e: a.value(w, e) and b.value(w, e))
        return E(f"(({a.text}) or ({b.text}))", lambda w, e: a.value(w, e) or b.value(w, e))

    def _member(self, names: list[Name], depth: int) -> E:
        sort = self.dice.choice(["number", "colour", "card", "space"])
        a = self._element(sort, names, depth)
        if a is None:
            return self.truth(names, 0)
        if sort == "number" and self.dice.random() < 0.3:
            low, high = self.number(names, depth), self.number(names, depth)
            return E(
                f"{a.text} in {low.text}..{high.text}",
                lambda w, e: low.value(w, e) <= a.value(w, e) <= high.value(w, e),
            )
        whole = self.some_set(sort, names, depth)
        if self.dice.random() < 0.3:
            return E(f"{a.text} not in {whole.text}", lambda w, e: a.value(w, e) not in whole.value(w, e))
        return E(f"{a.text} in {whole.text}", lambda w, e: a.value(w, e) in whole.value(w, e))

    def _quantified(self, names: list[Name], depth: int) -> E:
        text, runs, inner, _ = self.loop(names, depth)
        test = self.truth(inner, depth)
        kind = self.dice.choice(["any", "every", "none"])
        fold: dict[str, Any] = {"any": any, "every": all, "none": lambda values: not any(values)}
        return E(
            f"{kind}({test.text} for {text})", lambda w, e: fold[kind](test.value(w, i) for i in runs(w, e))
        )

    def _equal_sets(self, names: list[Name], depth: int) -> E:
        sort = self.dice.choice(["number", "colour", "card", "space"])
        a, b = self.some_set(sort, names, depth), self.some_set(sort, names, depth)
        if self.dice.random() < 0.5:
            return E(f"{a.text} = {b.text}", lambda w, e: a.value(w, e) == b.value(w, e))
        return E(f"{a.text} != {b.text}", lambda w, e: a.value(w, e) != b.value(w, e))

    def _found(self, names: list[Name], depth: int) -> E:
        """What is the first or last card of some, or is there none?"""
        text, runs, inner, _ = self.loop(names, depth)
        if not any(n.sort == "card" for n in inner):
            return self.truth(names, depth)
        card, word = self.card(inner), self.dice.choice(["first", "last"])

        def value(w: World, e: Env) -> Any:
            found = [card.value(w, i) for i in runs(w, e)]
            return None if not found else found[0] if word == "first" else found[-1]

        whole = f"{word}({card.text} for {text})"
        if self.dice.random() < 0.5:
            return E(f"{whole} = best", lambda w, e: value(w, e) == w.best)
        return E(f"{whole} = none", lambda w, e: value(w, e) is None)


def _known(name: Name) -> E:
    return E(name.name, lambda w, e: e[name.name], name.low, name.high)


def in_order(sort: str, values: Any) -> list[Any]:
    """A set in the order in which loops run over it."""
    return [s for s in SPACES if s in values] if sort == "space" else sorted(values)
