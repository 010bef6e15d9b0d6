"""What an option does to a game: the same games at each of its values.

`goal=6..14` sweeps over a range, `goal=6..14/2` in steps of two, `goal=6,10,20`
over a list, `quick_start=all` over everything that the option may be. Every
value plays the games of the same seeds, so a curve is smoother than its
intervals suggest, and its slope can be had game by game.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product

from attrs import frozen

from ..core import CheckedGame
from ..core import value_types as t
from ..core.errors import UsageError
from .intervals import Interval, mean_interval, mean_of
from .measures import Measure, estimate, values_of
from .playing import Played

MOST = 200
"""Points in a sweep; more is taken for a slip."""

_RANGE = re.compile(r"(-?\d+)\.\.(-?\d+)(?:/(\d+))?")


@frozen
class Sweep:
    """An option and the values it is to take, as people write them."""

    option: str
    values: tuple[str, ...]

    @property
    def numbers(self) -> list[float] | None:
        """The values as numbers, or None if they are not."""
        try:
            return [float(value) for value in self.values]
        except ValueError:
            return None


def read_sweep(text: str, checked: CheckedGame) -> Sweep:
    """A sweep as it is asked for; whether single values are allowed is for the game to say."""
    name, equals, wanted = (part.strip() for part in text.partition("="))
    if not equals or not name or not wanted:
        raise UsageError("D0704", f"`{text}` should read like `goal=6..14` or `goal=6,8,10`")
    option = checked.options.get(name)
    if option is None:
        from ...grammar import did_you_mean

        known = (
            f"known options: {', '.join(checked.options)}" if checked.options else "the game has no options"
        )
        raise UsageError(
            "D0703", f"there is no option `{name}`", did_you_mean(name, checked.options) or known
        )
    found = _RANGE.fullmatch(wanted)
    if found:
        low, high, step = int(found[1]), int(found[2]), int(found[3] or 1)
        if step == 0 or high < low:
            raise UsageError(
                "D0704", f"`{wanted}` is empty", "a range goes from the lower to the higher number"
            )
        if (high - low) // step >= MOST:
            raise UsageError(
                "D0704",
                f"`{wanted}` has {(high - low) // step + 1:,} values",
                f"at most {MOST}; `{low}..{high}/50` goes in steps of 50",
            )
        values = tuple(str(value) for value in range(low, high + 1, step))
    elif wanted == "all":
        values = _all(name, option.type, checked)
    else:
        values = tuple(dict.fromkeys(value.strip() for value in wanted.split(",") if value.strip()))
    return Sweep(name, values)


def _all(name: str, type_: t.Type, checked: CheckedGame) -> tuple[str, ...]:
    match type_:
        case t.YesNo():
            return ("no", "yes")
        case t.Kind(kind):
            return tuple(checked.kinds[kind].values)
        case t.Num(low, high) if high - low < MOST:
            return tuple(str(value) for value in range(low, high + 1))
        case t.Num(low, high):
            raise UsageError(
                "D0704", f"`{name}` goes from {low} to {high}", f"say which: `{name}={low}..{low + 8}`"
            )
    raise UsageError("D0704", f"`{name}` cannot be swept over")


def points_of(sweeps: Sequence[Sweep], *, grid: bool) -> list[dict[str, str]]:
    """The settings to play: for each sweep alone, or with `grid` all combinations. None comes twice."""
    if grid:
        chosen = [
            dict(zip([s.option for s in sweeps], values)) for values in product(*(s.values for s in sweeps))
        ]
    else:
        chosen = [{sweep.option: value} for sweep in sweeps for value in sweep.values]
    if len(chosen) > MOST:
        raise UsageError("D0704", f"that makes {len(chosen):,} points; at most {MOST}")
    return chosen


# ---------------------------------------------------------------- curves
@frozen
class Point:
    """One setting and the games played with it."""

    settings: dict[str, str]
    games: Sequence[Played]

    @property
    def title(self) -> str:
        return ", ".join(f"{name}={value}" for name, value in self.settings.items())


@frozen
class Slope:
    """What one more adds from one value to another."""

    first: str
    last: str
    each: Interval


@frozen
class Curve:
    """A figure over the values of an option. `slopes`: what one more adds, if the values are numbers, in two parts
    if the curve is bent; `where` are the settings of the other options, in a grid."""

    measure: Measure
    option: str
    values: tuple[str, ...]
    intervals: tuple[Interval | None, ...]
    slopes: tuple[Slope, ...]
    where: str = ""

    @property
    def numbers(self) -> list[float] | None:
        return Sweep(self.option, self.values).numbers


def curves(
    sweeps: Sequence[Sweep], points: Sequence[Point], measures: Sequence[Measure], *, grid: bool
) -> list[Curve]:
    """The curves of every measure: one for each option, in a grid over the first for each value of the others."""
    out = []
    for measure in measures:
        for sweep in sweeps[:1] if grid else sweeps:
            groups: dict[str, list[Point]] = {}
            for point in points:
                if sweep.option in point.settings:
                    rest = ", ".join(f"{k}={v}" for k, v in point.settings.items() if k != sweep.option)
                    groups.setdefault(rest, []).append(point)
            for where, group in groups.items():
                curve = _curve(measure, sweep, group, where)
                if curve is not None:
                    out.append(curve)
    return out


def _curve(measure: Measure, sweep: Sweep, points: Sequence[Point], where: str) -> Curve | None:
    samples = [values_of(measure, point.games) for point in points]
    if not any(samples):
        return None
    intervals = tuple(estimate(measure, sample) if sample else None for sample in samples)
    values = tuple(point.settings[sweep.option] for point in points)
    return Curve(measure, sweep.option, values, intervals, _slopes(measure, values, points), where)


BEND = 0.1
"""A curve is bent if it surely leaves the straight line, and by more than this part of what the line rises."""


def _slopes(measure: Measure, values: Sequence[str], points: Sequence[Point]) -> tuple[Slope, ...]:
    """The straight line through each game's figures, on average: the games are the same at every value.

    Where the curve is bent no line tells it; then there are two, for its lower and its upper half.
    """
    xs = Sweep("", tuple(values)).numbers
    if xs is None or len(set(xs)) < 2:
        return ()
    rows = []
    for games in zip(*(point.games for point in points)):
        ys = [None if game.error else measure.value(game) for game in games]
        known = [y for y in ys if y is not None]
        if len(known) == len(xs):
            rows.append(known)
    if len(rows) < 2:
        return ()
    order = sorted(range(len(xs)), key=lambda at: xs[at])
    if not _bent(xs, rows):
        return (_slope(values, xs, rows, order),)
    half = len(order) // 2
    return (_slope(values, xs, rows, order[: half + 1]), _slope(values, xs, rows, order[half:]))


def _slope(
    values: Sequence[str], xs: Sequence[float], rows: Sequence[Sequence[float]], some: Sequence[int]
) -> Slope:
    weights = _centred([xs[at] for at in some])
    spread = sum(w * w for w in weights)
    slopes = [sum(w * row[at] for w, at in zip(weights, some)) / spread for row in rows]
    return Slope(values[some[0]], values[some[-1]], mean_interval(slopes))


def _bent(xs: Sequence[float], rows: Sequence[Sequence[float]]) -> bool:
    """Does the best parabola surely leave the best line?"""
    if len(set(xs)) < 3:
        return False
    line = _centred(xs)
    spread = sum(w * w for w in line)
    squares = _centred([w * w for w in line])
    tilt = sum(q * w for q, w in zip(squares, line)) / spread
    bow = [q - tilt * w for q, w in zip(squares, line)]
    size = sum(b * b for b in bow)
    found = mean_interval([sum(b * y for b, y in zip(bow, row)) / size for row in rows])
    rise = mean_of([sum(w * y for w, y in zip(line, row)) / spread for row in rows]) * (max(xs) - min(xs))
    leaves = abs(found.estimate) * (max(bow) - min(bow))
    return 0 not in found and leaves > BEND * abs(rise)


def _centred(values: Sequence[float]) -> list[float]:
    middle = sum(values) / len(values)
    return [value - middle for value in values]
