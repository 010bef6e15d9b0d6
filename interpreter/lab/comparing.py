"""Two rule sets side by side: what has changed, what has not, and what nobody can tell yet.

Both play the games of the same seeds with the same line-ups, and each figure is
compared game by game. Three things can be said of a figure:

- it is *different*: the change is more than chance, also after allowing for all
  the figures looked at;
- it is *the same*: the interval lies within what is not worth speaking of, and
  it leaves room for what may not have come up in so many games;
- it is *open*: neither; then the number of games is told that would settle whether
  there is a change worth speaking of.

How games end is among the figures: each ending that is seen is one. Scores that the
two rule sets count in different ways are not compared, and that is said.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from enum import Enum
from math import ceil, inf, log10

from attrs import frozen

from .intervals import Finding, Interval, Paired, findings, paired
from .measures import MEASURES, Measure, edge_measures, ending_measures, estimate
from .playing import Played

SCORES = ("top_score", "mean_score", "spread")
"""The figures that say nothing where scores are counted in another way."""


class Verdict(Enum):
    DIFFERENT = "different"
    SAME = "same"
    OPEN = "open"


@frozen
class Difference:
    """One figure of one rule set against the base. `worth` is the change that would matter;
    `needed` the games that would settle whether there is one, for an open question."""

    measure: Measure
    base: Interval
    other: Interval
    finding: Finding
    worth: float
    verdict: Verdict
    sentence: str
    needed: int | None

    @property
    def matters(self) -> bool:
        """Could the change be as large as one that matters?"""
        return max(abs(self.finding.interval.low), abs(self.finding.interval.high)) >= self.worth


@frozen
class Comparison:
    """All figures of one rule set against the base, and what they come to in a sentence."""

    title: str
    games: int
    differences: tuple[Difference, ...]
    left_out: tuple[str, ...]
    """Figures that one of the two does not have."""
    rescored: bool = False
    """Are scores counted in another way?"""

    @property
    def sentence(self) -> str:
        if self.games < 2:
            return f"{'no games' if not self.games else 'only one game'} could be played to the end by both"
        changed = [d for d in self.differences if d.verdict is Verdict.DIFFERENT]
        told = [d.sentence for d in changed if d.matters]
        slight = [d for d in changed if not d.matters]
        if slight:
            also = "too little to matter" if told else "changes, but too little to matter"
            told.append(f"{_and([d.measure.title for d in slight])}: {also}")
        seat = next((d for d in self.differences if d.measure.key == "first_seat"), None)
        if seat is not None and seat.verdict is not Verdict.DIFFERENT:
            told.append(f"no sign that {seat.measure.nothing}")
        if not changed:
            told.insert(0, f"no difference was found in {self.games:,} games")
        undecided = sum(d.verdict is Verdict.OPEN for d in self.differences)
        if undecided:
            figures = "one figure is" if undecided == 1 else f"{undecided} figures are"
            settle = (
                f", about {round_up(self.needed):,} games would settle" if self.needed is not None else ""
            )
            told.append(f"{figures} open{settle}{'' if not settle else ' it' if undecided == 1 else ' them'}")
        return "; ".join(told)

    @property
    def needed(self) -> int | None:
        """The games that would settle every open figure."""
        return max((d.needed for d in self.differences if d.needed is not None), default=None)


def compare(
    base: Sequence[Played],
    others: Sequence[tuple[str, Sequence[Played]]],
    lineup: Sequence[str],
    *,
    alpha: float = 0.05,
    worth: float = 0.05,
    rescored: Collection[str] = (),
) -> list[Comparison]:
    """Each of the others against the base. All figures of all of them are one family of looks.

    `worth`: the change that matters, as a part of the base's value, for shares as it is.
    `rescored` are those that count their scores in another way.
    """
    drafts: list[tuple[str, int, list[tuple[Measure, list[float], list[float], Paired]], list[str]]] = []
    for title, games in others:
        pairs = [(a, b) for a, b in zip(base, games) if a.error is None and b.error is None]
        rows, missing = [], []
        endings = ending_measures([game for pair in pairs for game in pair])
        for measure in (*MEASURES, *endings, *edge_measures(lineup)):
            if title in rescored and measure.key in SCORES:
                continue
            both = [(measure.value(a), measure.value(b)) for a, b in pairs]
            sound = [(a, b) for a, b in both if a is not None and b is not None]
            if len(sound) < 2:
                if any(a is not None for a, _ in both) != any(b is not None for _, b in both):
                    missing.append(measure.title)
                continue
            old, new = [a for a, _ in sound], [b for _, b in sound]
            rows.append((measure, old, new, paired(old, new, events=measure.events)))
        drafts.append((title, len(pairs), rows, missing))
    told = iter(findings([row[3] for _, _, rows, _ in drafts for row in rows], alpha))
    return [
        Comparison(
            title,
            games,
            tuple(_difference(measure, old, new, next(told), worth) for measure, old, new, _ in rows),
            tuple(missing),
            title in rescored,
        )
        for title, games, rows, missing in drafts
    ]


def _difference(
    measure: Measure, old: Sequence[float], new: Sequence[float], finding: Finding, worth: float
) -> Difference:
    base = estimate(measure, old)
    # where everything is around 0, a part of that says nothing
    matters = worth if measure.share else worth * (abs(base.estimate) or finding.paired.reach)
    interval = finding.interval
    exact = old == new
    if finding.different:
        verdict = Verdict.DIFFERENT
    elif -matters < interval.low and interval.high < matters:
        verdict = Verdict.SAME
    else:
        verdict = Verdict.OPEN
    needed = None
    if verdict is Verdict.OPEN and matters > 0:
        needed = finding.paired.games_for(matters, finding.level)
        # a lucky spread may ask for fewer games than were played and told nothing
        needed = None if needed is None else max(needed, finding.paired.games + 1)
    return Difference(
        measure,
        base,
        estimate(measure, new),
        finding,
        matters,
        verdict,
        _sentence(measure, finding, verdict, exact, matters, needed),
        needed,
    )


def _sentence(
    measure: Measure, finding: Finding, verdict: Verdict, exact: bool, matters: float, needed: int | None
) -> str:
    interval = finding.interval
    if verdict is Verdict.DIFFERENT:
        way = measure.more if interval.estimate > 0 else measure.less
        return measure.change.format(range=span_of(measure, interval), way=way)
    most = max(abs(interval.low), abs(interval.high))
    if exact:
        same = f"{measure.title}: the same in every game"
        if verdict is Verdict.SAME or needed is None:
            return same
        return f"{same}, but so few may hide a change of {_amount(measure, most)}; about {round_up(needed):,} would settle it"
    if verdict is Verdict.SAME:
        return f"{measure.title}: no change worth speaking of, at most {_amount(measure, most)} either way"
    open_ = f"no sign that {measure.nothing}, but it could be up to {_amount(measure, most)}"
    if needed is None:
        return open_
    return f"{open_}; about {round_up(needed):,} games would settle whether it is {_amount(measure, matters)}"


def span_of(measure: Measure, interval: Interval) -> str:
    """An interval that leaves zero out, without its sign: `11 to 14`, `3 to 5 points`."""
    scale = 100 if measure.share else 1
    low, high = sorted((abs(interval.low) * scale, abs(interval.high) * scale))
    digits = digits_for(low, high)
    one, two = f"{low:,.{digits}f}", f"{high:,.{digits}f}"
    words = one if one == two else f"{one} to {two}"
    return f"{words} points" if measure.share else words


def digits_for(low: float, high: float) -> int:
    """Decimals for the bounds of an interval; so many that one which leaves zero out is seen to do so."""
    digits = _digits((high - low) / 2)
    least = min(abs(low), abs(high))
    while digits < 6 and low * high > 0 and float(f"{least:.{digits}f}") == 0:
        digits += 1
    return digits


def _and(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _digits(width: float) -> int:
    return 0 if width <= 0 or width == inf else min(6, max(0, ceil(-log10(width))))


def _amount(measure: Measure, value: float) -> str:
    scaled = value * 100 if measure.share else value
    if scaled == inf:
        return "any amount"
    text = f"{scaled:,.{_digits(scaled)}f}"
    unit = "points" if measure.share else measure.unit
    return f"{text} {unit.removesuffix('s') if text == '1' else unit}"


def round_up(games: int) -> int:
    """Two digits are as much as such a number knows."""
    size: int = 10 ** max(0, len(str(games)) - 2)
    return ceil(games / size) * size
