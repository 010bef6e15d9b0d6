"""Which value of an option brings a figure to where it is wanted: `length 60`, `start 0`, `draws 5%`.

Two rounds. In the first, every value plays the same games (equal seeds). A value is excluded
if its figure is surely further from the target than that of another: the least distance that its interval
allows is greater than the greatest that the other's allows. In the second round those that are left play four
times as many. The intervals of all values and both rounds hold together, so that the value that
is really closest is among those left with the confidence asked for. They leave room for what has not come up:
for a rule that acts in so few games that it could have been missed, and then moves a figure as far as any game lay
from another.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from attrs import frozen

from ..core.errors import UsageError
from .comparing import chosen_figures
from .intervals import Interval, mean_of, with_unseen
from .measures import MEASURES, Measure, ending_measures, estimate, reason_of, values_of
from .playing import Played

MORE = 4
"""How many times as many games those play that are left after the first round."""

Play = Callable[[Sequence[str], int], list[list[Played]]]
"""Plays so many games at each of these values."""

_TARGET = re.compile(r"(?P<figure>.*?)\s*(?P<number>[-+]?\d+(?:\.\d+)?)\s*(?P<percent>%?)")


@frozen
class Target:
    """A figure and where it should be."""

    figure: str
    goal: float

    def measure(self, games: Sequence[Played]) -> Measure:
        """An ending is known by the games that came to it."""
        found = next((m for m in MEASURES if m.key == self.figure), None)
        if found is not None:
            return found
        way = self.figure.removeprefix("ending_").replace("_", " ")
        endings = {reason_of(game) for game in games}
        measure = next(
            (m for m in ending_measures(games) if m.key == f"ending_{way.replace(' ', '_')}"), None
        )
        if measure is None:
            raise UsageError(
                "D0704", f"no game ends with `{way}`", f"games end with: {', '.join(sorted(endings))}"
            )
        return measure


def read_target(text: str) -> Target:
    """`length 60`, `start advantage 0`, `draws 5%`, `ending escape 50%`."""
    found = _TARGET.fullmatch(text.strip())
    if found is None or not found["figure"].strip():
        raise UsageError("D0704", f"`{text}` should read like `length 60` or `draws 5%`")
    name = found["figure"].strip().removesuffix(" advantage")
    goal = float(found["number"])
    if name.startswith("ending "):
        key = "ending_" + name.removeprefix("ending ").replace(" ", "_")
    else:
        keys = chosen_figures(name)
        if keys[0] == "ending_":
            raise UsageError("D0704", "which ending?", "say `ending escape 50%`")
        key = keys[0]
    share = key.startswith("ending_") or next(m.share for m in MEASURES if m.key == key)
    if found["percent"] and not share:
        raise UsageError("D0704", f"`{name}` is not a share; leave out the %")
    return Target(key, goal / 100 if share else goal)


@frozen
class Tried:
    """A value of the option. `distance`: how far from the target it can be, at least and at most."""

    value: str
    games: int
    figure: Interval
    distance: tuple[float, float]
    excluded: bool


@frozen
class Tuned:
    """`best` is the closest as far as one can see, `left` all that may be; the target is `reached` if the interval
    of the best has it inside."""

    measure: Measure
    goal: float
    tried: tuple[Tried, ...]

    @property
    def best(self) -> Tried:
        left = [t for t in self.tried if not t.excluded]
        return min(left, key=lambda t: abs(t.figure.estimate - self.goal))

    @property
    def left(self) -> list[str]:
        return [t.value for t in self.tried if not t.excluded]

    @property
    def reached(self) -> bool:
        return self.goal in self.best.figure


def tune(values: Sequence[str], target: Target, play: Play, games: int, alpha: float = 0.05) -> Tuned:
    level = alpha / 2 / len(values)
    first = play(values, games)
    everything = [game for played in first for game in played if game.error is None]
    if not everything:
        raise UsageError("D0704", "no game came to an end at any value")
    measure = target.measure(everything)
    judged = _judge(values, first, measure, target.goal, level)
    left = [t.value for t in judged if not t.excluded]
    if len(left) == 1:
        return Tuned(measure, target.goal, tuple(judged))
    second = play(left, MORE * games)
    again = {t.value: t for t in _judge(left, second, measure, target.goal, level)}
    return Tuned(measure, target.goal, tuple(again.get(t.value, t) for t in judged))


def _judge(
    values: Sequence[str], games: Sequence[Sequence[Played]], measure: Measure, goal: float, level: float
) -> list[Tried]:
    drafts = []
    samples = [values_of(measure, played) for played in games]
    for value, sample in zip(values, samples, strict=True):
        if len(sample) < 2:
            raise UsageError("D0704", f"there are too few games with {measure.title} at {value}")
    low, high = min(map(min, samples)), max(map(max, samples))
    reach = max(high - low, max(abs(mean_of(sample)) for sample in samples))
    for value, sample in zip(values, samples, strict=True):
        figure = estimate(measure, sample, level)
        middle = figure.estimate
        figure = with_unseen(figure, len(sample), level, middle - reach, middle + reach)
        ends = (abs(figure.low - goal), abs(figure.high - goal))
        drafts.append((value, len(sample), figure, (0.0 if goal in figure else min(ends), max(ends))))
    bound = min(distance[1] for *_, distance in drafts)
    return [Tried(value, n, figure, d, d[0] > bound) for value, n, figure, d in drafts]
