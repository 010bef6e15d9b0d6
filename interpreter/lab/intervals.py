"""How sure figures are: intervals, tests, corrections for many looks, and how many games it takes.

Everything is written here with the standard library, in few lines that can be
checked against published tables (the tests do):

- a share out of many games: Wilson's score interval, which stays within 0..1
  and works for 0 out of n;
- a mean: Student's t. Games are many and independent, so the mean is close to
  normal even where single games are not;
- a difference between two rule sets: both play the games of the same seeds, and
  the differences game by game are treated as a sample of their own. Counted
  events (draws, wins) have differences of -1, 0 and 1 that are mostly 0; for them
  half a game is added to each corner of the two-by-two table (Agresti and Min,
  2005), which keeps the interval honest when an event is rare or never happened;
- what did not come up: a rule that acts in a few games of a hundred may act in none
  of those played, and then nothing has spread. A share q of games stays unseen in
  n games with probability (1 - q) ** n; so an interval that has zero in it is at
  least as wide as a change would be that acts in so few games, each time as much
  as values lie apart (or as their mean, if that is more). Few equal games are no
  evidence of sameness;
- what falls out alike: if nothing has changed, each difference could as well have
  the other sign. All n of them fall on one side in 2 of 2 ** n cases, and no
  test of n games says more than that. Two equal differences are no evidence of a change;
- many looks: Holm's step-down correction decides what is told as a difference.
  The intervals shown hold together (each has the level 1 - alpha / m, so all m
  are right at once with probability 1 - alpha); where Holm can tell a difference
  that so wide an interval cannot, the interval of Holm's step is shown, so that
  an interval leaves zero out if and only if a difference is claimed;
- what cannot be told: the number of games at which a difference of a given size
  would be found, or found to be absent, with a probability of 80 %.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import ceil, exp, floor, fsum, inf, lgamma, log, log1p, sqrt
from statistics import NormalDist

from attrs import frozen

NORMAL = NormalDist()


@frozen
class Interval:
    """An estimate with its bounds."""

    estimate: float
    low: float
    high: float

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    @property
    def width(self) -> float:
        return self.high - self.low


# ---------------------------------------------------------------- Student's t
def incomplete_beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function I_x(a, b), by Lentz's continued fraction."""
    if x <= 0:
        return 0.0
    if x >= 1:
        return 1.0
    if x > (a + 1) / (a + b + 2):  # where the fraction converges quickly
        return 1 - incomplete_beta(b, a, 1 - x)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(1 - x)) / a
    tiny = 1e-300
    value, c, d = 1.0, 1.0, 0.0
    for i in range(500):
        m = i // 2
        if i == 0:
            term = 1.0
        elif i % 2 == 0:
            term = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        else:
            term = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d = 1 + term * d
        d = 1 / (d if abs(d) > tiny else tiny)
        c = 1 + term / c
        c = c if abs(c) > tiny else tiny
        value *= c * d
        if i > 0 and abs(1 - c * d) < 1e-15:
            break
    return front * (value - 1)


def t_tail(t: float, freedom: float) -> float:
    """The probability that Student's t is beyond |t|, on both sides together."""
    return incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t))


@lru_cache(maxsize=1024)
def t_quantile(tail: float, freedom: float) -> float:
    """The t beyond which, on both sides together, lies a probability of `tail`."""
    if not 0 < tail < 1:
        return inf if tail <= 0 else 0.0
    low, high = 0.0, 1.0
    while t_tail(high, freedom) > tail:
        low, high = high, high * 2
    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if t_tail(middle, freedom) > tail:
            low = middle
        else:
            high = middle
    return (low + high) / 2


# ---------------------------------------------------------------- one sample
def mean_of(values: Sequence[float]) -> float:
    return fsum(values) / len(values)


def deviation_of(values: Sequence[float]) -> float:
    """The standard deviation of a sample; 0 for a single value."""
    if len(values) < 2:
        return 0.0
    middle = mean_of(values)
    return sqrt(fsum((v - middle) ** 2 for v in values) / (len(values) - 1))


def mean_interval(values: Sequence[float], alpha: float = 0.05) -> Interval:
    """The mean of a sample. A single value says nothing about its spread: the bounds are infinite."""
    middle = mean_of(values)
    if len(values) < 2:
        return Interval(middle, -inf, inf)
    half = t_quantile(alpha, len(values) - 1) * deviation_of(values) / sqrt(len(values))
    return Interval(middle, middle - half, middle + half)


def share_interval(count: float, total: int, alpha: float = 0.05) -> Interval:
    """Wilson's interval for a share of `count` out of `total`."""
    if total == 0:
        return Interval(0.0, 0.0, 1.0)
    share = count / total
    z = NORMAL.inv_cdf(1 - alpha / 2)
    weight = z * z / total
    middle = (share + weight / 2) / (1 + weight)
    half = z * sqrt(share * (1 - share) / total + weight / total / 4) / (1 + weight)
    low = 0.0 if count == 0 else max(0.0, middle - half)  # exactly, whatever rounding says
    return Interval(share, low, 1.0 if count == total else min(1.0, middle + half))


def unseen_share(games: int, alpha: float) -> float:
    """What happens in a larger share of games would have been seen in so many, but for a chance of alpha."""
    share: float = 1 - alpha ** (1 / games)
    return share


def with_unseen(found: Interval, games: int, alpha: float, low: float, high: float) -> Interval:
    """An interval that leaves room for games of a kind that never came up and lie as far as `low` or `high`."""
    share = unseen_share(games, alpha)
    middle = found.estimate
    return Interval(
        middle,
        min(found.low, middle + share * (low - middle)),
        max(found.high, middle + share * (high - middle)),
    )


# ---------------------------------------------------------------- paired differences
@frozen
class Paired:
    """The differences of a figure between two rule sets, over games of the same seeds.

    `error` is the standard error of `estimate`; `deviation` that of a single
    difference; `freedom` the degrees of freedom of t, infinite for counted events.
    `reach` is how much a single game may be expected to differ at most.
    """

    games: int
    estimate: float
    error: float
    deviation: float
    freedom: float
    reach: float

    @property
    def p(self) -> float:
        """The probability of a difference as large as this if there were none."""
        if self.error == 0 and self.estimate == 0:
            return 1.0
        tail = _tail(self.estimate / self.error, self.freedom) if self.error else 0.0
        return max(tail, 2.0 ** (1 - self.games))

    def interval(self, alpha: float) -> Interval:
        """Zero lies outside exactly if `p` is at most `alpha`."""
        half = _quantile(alpha, self.freedom) * self.error if self.error else 0.0
        if self.p > alpha:
            half = max(half, abs(self.estimate), self.unseen(alpha))
        return Interval(self.estimate, self.estimate - half, self.estimate + half)

    def unseen(self, alpha: float) -> float:
        """What a change could come to that acts so rarely that it was not seen."""
        return self.reach * unseen_share(self.games, alpha)

    def games_for(
        self, difference: float, alpha: float, power: float = 0.8, *, even_if_none: bool = True
    ) -> int | None:
        """How many games would settle with probability `power` whether there is such a difference.

        To show that there is none takes more than to show one, and both may be the case;
        None if no number is enough.
        """
        if difference == 0:
            return None
        z = NORMAL.inv_cdf(1 - alpha / 2) + NORMAL.inv_cdf((1 + power) / 2 if even_if_none else power)
        games = ceil((z * self.deviation / difference) ** 2)
        if even_if_none and difference < self.reach:
            games = max(games, floor(log(alpha) / log1p(-difference / self.reach)) + 1)
        return max(2, games)


def paired(base: Sequence[float], other: Sequence[float], *, events: bool = False) -> Paired:
    """The differences `other - base`. `events`: the values are 0 and 1, did not happen and happened."""
    if len(base) != len(other):
        raise ValueError("paired samples have one length")
    differences = [b - a for a, b in zip(base, other, strict=True)]
    n = len(differences)
    if events:
        more = sum(d > 0 for d in differences)
        fewer = sum(d < 0 for d in differences)
        size = n + 2
        shift = (more - fewer) / size
        error = sqrt((more + fewer + 1) / size - shift * shift) / sqrt(size)
        return Paired(n, shift, error, error * sqrt(size), inf, 1.0)
    spread = deviation_of(differences)
    error = spread / sqrt(n) if n > 1 else inf  # a single one says nothing
    reach = max(*base, *other) - min(*base, *other)
    return Paired(
        n,
        mean_of(differences),
        error,
        spread,
        n - 1,
        max(reach, abs(mean_of(base))) or 1.0,
    )


def _tail(t: float, freedom: float) -> float:
    if freedom == inf:
        return 2 * NORMAL.cdf(-abs(t))
    return t_tail(t, freedom) if freedom >= 1 else 1.0


def _quantile(alpha: float, freedom: float) -> float:
    if freedom == inf:
        return NORMAL.inv_cdf(1 - alpha / 2)
    return t_quantile(alpha, freedom) if freedom >= 1 else inf


# ---------------------------------------------------------------- many looks
@frozen
class Finding:
    """One difference among many: is it told, with which interval, at which level."""

    paired: Paired
    different: bool
    interval: Interval
    adjusted_p: float
    level: float
    """The alpha of a single look that `interval` has."""


def holm(p_values: Sequence[float], alpha: float = 0.05) -> list[tuple[bool, float, float]]:
    """For each p value: is it significant, its adjusted value, and the alpha of its step."""
    m = len(p_values)
    order = sorted(range(m), key=lambda i: p_values[i])
    out: list[tuple[bool, float, float]] = [(False, 1.0, alpha)] * m
    going, highest = True, 0.0
    for rank, index in enumerate(order):
        step = alpha / (m - rank)
        highest = max(highest, min(1.0, p_values[index] * (m - rank)))
        going = going and p_values[index] <= step
        out[index] = (going, highest, step)
    return out


def findings(all_paired: Sequence[Paired], alpha: float = 0.05) -> list[Finding]:
    """What many paired differences say together."""
    m = max(1, len(all_paired))
    out = []
    for one, (different, adjusted, step) in zip(
        all_paired, holm([p.p for p in all_paired], alpha), strict=True
    ):
        level = alpha / m
        interval = one.interval(level)
        if different and 0 in interval:
            level = step
            interval = one.interval(step)
        out.append(Finding(one, different, interval, adjusted, level))
    return out
