"""Numbers for values: every value of a type gets one, from 0, the same in every process.

Values come as keys and views have them: names, seats from 1, coordinates. Three things
need a word.

- *Components* are numbered by what is printed on them. Copies of one face have
  neighbouring numbers, and of those at hand the first takes the first number, whatever the
  seat calls them: one silver coin in a purse is always the same action.
- *A grid that grows* has no bounds, but no more tiles than there are in the box. So it
  is rolled up: coordinates count modulo two more than there are tiles, and no two spaces
  that can be in use at once meet.
- *Numbers without an upper bound* stop at the number of tokens in the game: what can be
  counted out is no more than that.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from attrs import frozen

from ..core import value_types as t
from ..core.errors import UsageError
from ..play.labels import Values
from ..program.layout import Layout


@frozen
class Domain:
    """All values of a type; `places` numbers the values that are at hand together."""

    size: int

    def places(self, values: Sequence[Any]) -> list[int]:
        raise NotImplementedError

    def words(self, number: int) -> str:
        raise NotImplementedError


@frozen
class Listed(Domain):
    """Values that can be written down one after the other."""

    numbers: dict[Any, int]
    labels: tuple[str, ...]

    def places(self, values: Sequence[Any]) -> list[int]:
        return [self.numbers[value] for value in values]

    def words(self, number: int) -> str:
        return self.labels[number]


@frozen
class Numbers(Domain):
    low: int

    def places(self, values: Sequence[Any]) -> list[int]:
        return [value - self.low for value in values]

    def words(self, number: int) -> str:
        return str(number + self.low)


@frozen
class Torus(Domain):
    """The spaces of a grid that grows, rolled up."""

    side: int

    def places(self, values: Sequence[Any]) -> list[int]:
        return [x % self.side * self.side + y % self.side for x, y in values]

    def words(self, number: int) -> str:
        x, y = (part - self.side if part > self.side // 2 else part for part in divmod(number, self.side))
        return f"({x}, {y})"


@frozen
class Faces(Domain):
    """Components by what is printed on them: `faces` says which face each has, by name; `firsts`
    where the numbers of a face begin."""

    faces: dict[str, int]
    firsts: tuple[int, ...]
    labels: tuple[str, ...]

    def places(self, values: Sequence[Any]) -> list[int]:
        out = [0] * len(values)
        used = [0] * len(self.firsts)
        for position in sorted(range(len(values)), key=lambda n: _count(values[n])):
            face = self.faces[values[position]]
            out[position] = self.firsts[face] + used[face]
            used[face] += 1
        return out

    def words(self, number: int) -> str:
        face = max(f for f, first in enumerate(self.firsts) if first <= number)
        last = self.firsts[face + 1] if face + 1 < len(self.firsts) else self.size
        which = number - self.firsts[face]
        return (
            self.labels[face] if last - self.firsts[face] == 1 else f"{self.labels[face]}, number {which + 1}"
        )


@frozen
class Maybe(Domain):
    """A value or none, which comes last."""

    inner: Domain

    def places(self, values: Sequence[Any]) -> list[int]:
        some = iter(self.inner.places([value for value in values if value is not None]))
        return [self.size - 1 if value is None else next(some) for value in values]

    def words(self, number: int) -> str:
        return "none" if number == self.size - 1 else self.inner.words(number)


def _count(name: str) -> tuple[str, int]:
    sort, _, number = name.partition("#")
    return sort, int(number) if number.isdigit() else 0


class Domains:
    """The domains of one game at one number of players."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.values = Values(layout)
        self.of = cache(self._of)

    def _of(self, type_: t.Type) -> Domain:
        match type_:
            case t.Opt(of):
                inner = self.of(of)
                return Maybe(inner.size + 1, inner)
            case t.Num(low, high):
                last = high if high < t.MANY else low + self.most_tokens
                return Numbers(last - low + 1, low)
            case t.Comp(name):
                return self.faces(name)
            case t.Space(of) if self.layout.geometries[of].grows:
                side = self.layout.comps[self.layout.game.places[of].of].count + 2
                return Torus(side * side, side)
            case t.Kind() | t.Player() | t.YesNo() | t.Space() | t.Rec():
                everything = self.layout.universe(type_)
                keys = [self.values.encode(value, type_) for value in everything]
                labels = tuple(self.values.label(value, type_) for value in everything)
                return Listed(len(keys), {key: n for n, key in enumerate(keys)}, labels)
        raise UsageError("D0711", f"a {type_} has no number: there is no list of all of them")

    @property
    def most_tokens(self) -> int:
        constants, tokens = self.layout.constants, self.layout.game.tokens
        return max((sum(map(constants.evaluate, decl.amounts)) for decl in tokens.values()), default=0)

    @cache  # noqa: B019  (lives as long as the game)
    def faces(self, comp: str) -> Faces:
        here = self.layout.comps[comp]
        printed = [tuple(column[c] for column in here.columns.values()) for c in range(here.count)]
        if here.decl.piece:
            printed = [(c,) for c in range(here.count)]
        order = list(dict.fromkeys(printed))
        sizes = [printed.count(face) for face in order]
        firsts = tuple(sum(sizes[:n]) for n in range(len(sizes)))
        names = {self.values.comp_name(comp, c): order.index(face) for c, face in enumerate(printed)}
        labels = tuple(self.values.comp_label(comp, printed.index(face)) for face in order)
        return Faces(here.count, names, firsts, labels)
