"""Comprehensions: loops over what generators give, reduced by kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ..core import Gen, Reduction
from ..core import value_types as t
from .play import Frame, Play, evaluates
from .trouble import Trouble


def passes(play: Play, gens: tuple[Gen, ...], frame: Frame) -> Iterator[Frame]:
    """A frame for each way to bind the generators, in order."""
    if not gens:
        yield frame
        return
    gen, *rest = gens
    for value in play.value(gen.domain, frame):
        inner = frame.inner({gen.var.uid: value})
        if all(play.value(condition, inner) for condition in gen.where):
            yield from passes(play, tuple(rest), inner)


def while_it_holds(play: Play, comp: Reduction, frame: Frame) -> Iterator[Frame]:
    for inner in passes(play, comp.gens, frame):
        if comp.while_ is not None and not play.value(comp.while_, inner):
            return
        yield inner


@evaluates(Reduction)
def comprehension(play: Play, comp: Reduction, frame: Frame) -> Any:
    if comp.kind == "spread":
        return spread(play, comp, frame)
    return REDUCE[comp.kind](play, comp, while_it_holds(play, comp, frame))


def spread(play: Play, comp: Reduction, frame: Frame) -> Any:
    """What it begins with, and whatever any member leads to."""
    first, *rest = comp.gens
    found = [value for value in dict.fromkeys(play.value(first.domain, frame)) if value is not None]
    for member in found:
        for inner in passes(play, tuple(rest), frame.inner({first.var.uid: member})):
            value = play.value(comp.value, inner)
            if value is not None and value not in found:
                found.append(value)
    return play.table.in_order(found, _element(comp))


Reduce = Callable[[Play, Reduction, Iterator[Frame]], Any]


def _element(comp: Reduction) -> t.Type:
    assert isinstance(comp.type, t.SetOf)
    return comp.type.of


def _keyed(play: Play, comp: Reduction, found: Iterator[Frame]) -> list[tuple[list[Any], Any]]:
    return [(play.values(comp.by, inner), play.value(comp.value, inner)) for inner in found]


def count(play: Play, comp: Reduction, found: Iterator[Frame]) -> Any:
    return sum(1 for _ in found)


def total(play: Play, comp: Reduction, found: Iterator[Frame]) -> Any:
    return sum(play.value(comp.value, inner) for inner in found)


def highest(play: Play, comp: Reduction, found: Iterator[Frame]) -> Any:
    return max((play.value(comp.value, inner) for inner in found), default=0)


def lowest(play: Play, comp: Reduction, found: Iterator[Frame]) -> Any:
    return min((play.value(comp.value, inner) for inner in found), default=0)


def some(play: Play, comp: Reduction, found: Iterator[Frame]) -> Any:
    return any(play.value(comp.value, inner) for inner in found)


def every(play: Play, comp: Reduction, found: Iterator[Frame]) -> Any:
    return all(play.value(comp.value, inner) for inner in found)


def no(play: Play, comp: Reduction, found: Iterator[Frame]) -> Any:
    return not some(play, comp, found)


def _best(play: Play, comp: Reduction, found: Iterator[Frame], choose: Callable[..., Any]) -> Any:
    pairs = _keyed(play, comp, found)
    best = choose((key for key, _ in pairs), default=None)
    return play.table.in_order([value for key, value in pairs if key == best], _element(comp))


def most(play: Play, comp: Reduction, found: Iterator[Frame]) -> Any:
    return _best(play, comp, found, max)


def least(play: Play, comp: Reduction, found: Iterator[Frame]) -> Any:
    return _best(play, comp, found, min)


def the(play: Play, comp: Reduction, found: Iterator[Frame]) -> Any:
    values = [play.value(comp.value, inner) for inner in found]
    if len(values) != 1:
        raise Trouble("D0909", comp.span, f"exactly one was expected here, but there are {len(values)}")
    return values[0]


def sort(play: Play, comp: Reduction, found: Iterator[Frame]) -> Any:
    return tuple(value for _, value in sorted(_keyed(play, comp, found), key=lambda pair: pair[0]))


def first(play: Play, comp: Reduction, found: Iterator[Frame]) -> Any:
    if comp.by:
        pairs = _keyed(play, comp, found)
        return min(pairs, key=lambda pair: pair[0])[1] if pairs else None
    return next((play.value(comp.value, inner) for inner in found), None)


def last(play: Play, comp: Reduction, found: Iterator[Frame]) -> Any:
    values = [play.value(comp.value, inner) for inner in found]
    return values[-1] if values else None


def as_set(play: Play, comp: Reduction, found: Iterator[Frame]) -> Any:
    return play.table.in_order([play.value(comp.value, inner) for inner in found], _element(comp))


REDUCE: dict[str, Reduce] = {
    "count": count, "sum": total, "max": highest, "min": lowest, "any": some, "every": every, "none": no,
    "most": most, "least": least, "the": the, "sort": sort, "first": first, "last": last, "set": as_set,
}  # fmt: skip
