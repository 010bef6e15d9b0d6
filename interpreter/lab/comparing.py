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
from difflib import get_close_matches
from enum import Enum
from math import ceil, inf, log10

from attrs import frozen

from ..core.errors import UsageError
from .acting import Acting
from .intervals import Finding, Interval, Paired, findings, paired
from .measures import MEASURES, Measure, edge_measures, ending_measures, estimate, measures_for
from .playing import Played

SCORES = ("top_score", "mean_score", "spread")
"""The figures that say nothing where scores are counted in another way."""


TOPICS: dict[str, tuple[str, ...]] = {
    "length": ("turns",),
    "start": ("starter",),
    "score": ("top_score",),
    "scores": SCORES,
    "seats": ("starter", "first_seat", "last_seat"),
    "endings": ("ending_",),
    "draws": ("draws", "shared_wins"),
    "wins": ("won",),
    "decisions": ("decisions", "decisions_per_turn", "branching", "forced"),
    "lead": ("lead_changes",),
    "edge": ("edge_",),
}
"""What people call figures: their keys, or what those begin with."""


def chosen_figures(text: str) -> tuple[str, ...]:
    """`length,start` as keys of figures."""
    known = {**{m.key: (m.key,) for m in MEASURES}, **TOPICS}
    out: list[str] = []
    for word in filter(None, (part.strip() for part in text.split(","))):
        name = word.replace(" ", "_")
        if name in known:
            out += known[name]
        elif name.startswith(("ending_", "edge_")):
            out.append(name)
        else:
            near = get_close_matches(name, known, 1)
            raise UsageError(
                "D0704",
                f"there is no figure `{word}`",
                f"did you mean `{near[0]}`?" if near else f"known: {', '.join(TOPICS)}",
            )
    if not out:
        raise UsageError("D0704", "no figure is named", f"known: {', '.join(TOPICS)}")
    return tuple(out)


def is_about(key: str, wanted: Sequence[str] | None) -> bool:
    return wanted is None or any(key.startswith(w) if w.endswith("_") else key == w for w in wanted)


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

    @property
    def weight(self) -> float:
        """How many times a change that matters it is."""
        return abs(self.finding.interval.estimate) / self.worth if self.worth else inf

    @property
    def rank(self) -> tuple[int, float]:
        """Where it stands in an answer: changes of how games end, other changes, what is the same, what is
        open; the larger change first."""
        ending = self.measure.key.startswith("ending_") or self.measure.key == "won"
        different = self.verdict is Verdict.DIFFERENT
        group = (
            0
            if different and ending and self.matters
            else 1
            if different
            else 2
            if self.verdict is Verdict.SAME
            else 3
        )
        return (group, -self.weight)


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
    touched: int = 0
    """In how many games something came out differently."""
    random: bool = False
    """Do all players choose at random?"""
    acting: Acting | None = None
    """When changed rules came into play, if that was looked at."""

    @property
    def remarks(self) -> list[str]:
        """What somebody should know before they believe the figures."""
        if self.games < 2:
            return []
        if self.touched == 0:
            why = (
                "players at random do not look, so a change of what is seen cannot show"
                if self.random
                else "either it did not come up, or it changes nothing that is measured"
            )
            return [f"All {self.games:,} games came out alike: {why}.", *self._acted]
        share = 100 * self.touched / self.games
        told = (
            "all games"
            if self.touched == self.games
            else f"{self.touched:,} of {self.games:,} games ({share:.0f} %)"
        )
        return [*self._acted, f"The change made itself felt in {told}."]

    @property
    def _acted(self) -> list[str]:
        return [] if self.acting is None else [self.acting.words]

    @property
    def sentence(self) -> str:
        if self.games < 2:
            return f"{'no games' if not self.games else 'only one game'} could be played to the end by both"
        changed = sorted(
            (d for d in self.differences if d.verdict is Verdict.DIFFERENT), key=lambda d: d.rank
        )
        told = [d.sentence for d in changed if d.matters]
        slight = [d for d in changed if not d.matters]
        if slight:
            also = "too little to matter" if told else "changes, but too little to matter"
            told.append(f"{_and([d.measure.title for d in slight])}: {also}")
        start = [d for d in self.differences if d.measure.key in ("starter", "first_seat")]
        seat = start[0] if start else None
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
    about: Sequence[str] | None = None,
) -> list[Comparison]:
    """Each of the others against the base. All figures of all of them are one family of looks.

    `worth`: the change that matters, as a part of the base's value, for shares as it is.
    `rescored` are those that count their scores in another way, `about` the figures that are wanted.
    """
    drafts: list[tuple[str, int, int, list[tuple[Measure, list[float], list[float], Paired]], list[str]]] = []
    for title, games in others:
        pairs = [(a, b) for a, b in zip(base, games) if a.error is None and b.error is None]
        rows, missing = [], []
        endings = ending_measures([game for pair in pairs for game in pair])
        own = measures_for(game for pair in pairs for game in pair)
        wanted = (
            _starter_is_first(about) if about is not None and "starter" not in {m.key for m in own} else about
        )
        for measure in (*own, *endings, *edge_measures(lineup)):
            if not is_about(measure.key, wanted) or (title in rescored and measure.key in SCORES):
                continue
            both = [(measure.value(a), measure.value(b)) for a, b in pairs]
            sound = [(a, b) for a, b in both if a is not None and b is not None]
            if len(sound) < 2:
                if any(a is not None for a, _ in both) != any(b is not None for _, b in both):
                    missing.append(measure.title)
                continue
            old, new = [a for a, _ in sound], [b for _, b in sound]
            rows.append((measure, old, new, paired(old, new, events=measure.events)))
        touched = sum(a != b for a, b in pairs)
        drafts.append((title, len(pairs), touched, rows, missing))
    told = iter(findings([row[3] for _, _, _, rows, _ in drafts for row in rows], alpha))
    return [
        Comparison(
            title,
            games,
            tuple(
                sorted(
                    (_difference(measure, old, new, next(told), worth) for measure, old, new, _ in rows),
                    key=lambda d: d.rank,
                )
            ),
            tuple(missing),
            title in rescored,
            touched,
            all(kind == "random" for kind in lineup),
        )
        for title, games, touched, rows, missing in drafts
    ]


def _starter_is_first(about: Sequence[str]) -> list[str]:
    return ["first_seat" if key == "starter" else key for key in about]


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
