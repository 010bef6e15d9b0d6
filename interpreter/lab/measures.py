"""The figures of a game, and what many games say about each.

A measure gives a number for a game, or None where it has no meaning: a game
without scores, one broken by its own rules. Wins are shares: a game has one to
give, which several winners divide. The advantage of a seat is what it gets
beyond an equal share, so draws make no seat look bad.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from math import ceil, inf, log10

from attrs import frozen

from .intervals import Interval, deviation_of, findings, mean_interval, paired, share_interval
from .playing import Played

Value = Callable[[Played], float | None]


@frozen
class Measure:
    """A figure. `unit` follows a number; `more` and `less` complete "games are 3 turns ..." for a change;
    `share` figures are told in percent, `events` are 0 or 1 in each game."""

    key: str
    title: str
    unit: str
    value: Value
    change: str
    """The sentence for a change, with {range} and {way}."""
    more: str
    less: str
    nothing: str
    """What there is no sign of, if there is no sign of it."""
    share: bool = False
    events: bool = False


def shares(game: Played) -> list[float]:
    """How the win is divided among the seats; nothing to divide in a draw."""
    part = 1 / len(game.winners) if game.winners else 0.0
    return [part if seat in game.winners else 0.0 for seat in range(1, len(game.seats) + 1)]


def advantage(game: Played, seat: int) -> float:
    """What a seat has won beyond an equal share; seats count from 1."""
    parts = shares(game)
    return parts[seat - 1] - sum(parts) / len(parts)


def edge(game: Played, kind: str) -> float:
    """What the players of a kind have won beyond their equal share."""
    parts = shares(game)
    mine = [part for part, sitting in zip(parts, game.seats, strict=True) if sitting == kind]
    return sum(mine) - sum(parts) * len(mine) / len(parts)


def drawn(game: Played) -> bool | None:
    """Nobody has won, or everybody; has no meaning where all win or lose together."""
    return None if game.together else len(game.winners) in (0, len(game.seats))


def _event(happened: bool | None) -> float | None:
    return None if happened is None else float(happened)


def _scored(value: Callable[[tuple[int, ...]], float]) -> Value:
    return lambda game: value(game.scores) if game.scores else None


MEASURES: tuple[Measure, ...] = (
    Measure(
        "turns", "length in turns", "turns",
        lambda g: g.turns or None,
        "games are {range} turns {way}", "longer", "shorter", "games get longer or shorter",
    ),
    Measure(
        "decisions", "decisions in a game", "decisions",
        lambda g: g.decisions,
        "a game has {range} {way} decisions", "more", "fewer", "a game has more or fewer decisions",
    ),
    Measure(
        "decisions_per_turn", "decisions in a turn", "decisions",
        lambda g: g.decisions / g.turns if g.turns else None,
        "a turn has {range} {way} decisions", "more", "fewer", "a turn has more or fewer decisions",
    ),
    Measure(
        "branching", "options at a decision", "options",
        lambda g: g.options / g.decisions if g.decisions else None,
        "a decision has {range} {way} options", "more", "fewer", "a decision has more or fewer options",
    ),
    Measure(
        "forced", "decisions with one option only", "of decisions",
        lambda g: g.forced / g.decisions if g.decisions else None,
        "decisions are forced {range} {way} often", "more", "less", "more or fewer decisions are forced",
        share=True,
    ),
    Measure(
        "starter", "advantage of who starts", "of wins",
        lambda g: None if g.together or g.starter is None else advantage(g, g.starter),
        "who starts wins {range} {way}", "more", "less", "who starts gains or loses",
        share=True,
    ),
    Measure(
        "first_seat", "advantage of the first seat", "of wins",
        lambda g: None if g.together else advantage(g, 1),
        "the first seat wins {range} {way}", "more", "less", "the first seat gains or loses",
        share=True,
    ),
    Measure(
        "last_seat", "advantage of the last seat", "of wins",
        lambda g: advantage(g, len(g.seats)) if len(g.seats) > 2 and not g.together else None,
        "the last seat wins {range} {way}", "more", "less", "the last seat gains or loses",
        share=True,
    ),
    Measure(
        "won", "games won", "of games",
        lambda g: float(bool(g.winners)) if g.together else None,
        "games are won {range} {way} often", "more", "less", "games are won more or less often",
        share=True, events=True,
    ),
    Measure(
        "draws", "draws", "of games",
        lambda g: _event(drawn(g)),
        "draws are {range} {way} frequent", "more", "less", "there are more or fewer draws",
        share=True, events=True,
    ),
    Measure(
        "shared_wins", "wins shared by several, not all", "of games",
        lambda g: float(1 < len(g.winners) < len(g.seats)) if len(g.seats) > 2 and not g.together else None,
        "shared wins are {range} {way} frequent", "more", "less", "wins are shared more or less often",
        share=True, events=True,
    ),
    Measure(
        "top_score", "highest score", "points",
        _scored(max),
        "the highest score is {range} points {way}", "higher", "lower", "the highest score changes",
    ),
    Measure(
        "mean_score", "mean score", "points",
        _scored(lambda scores: sum(scores) / len(scores)),
        "the mean score is {range} points {way}", "higher", "lower", "the mean score changes",
    ),
    Measure(
        "spread", "spread of the scores", "points",
        _scored(lambda scores: max(scores) - min(scores)),
        "scores lie {range} points {way}", "further apart", "closer together", "scores lie closer or further apart",
    ),
    Measure(
        "lead_changes", "lead changes", "changes",
        lambda g: g.lead_changes,
        "the lead changes {range} times {way}", "more", "less", "the lead changes more or less often",
    ),
)  # fmt: skip


def measures_for(games: Iterable[Played]) -> list[Measure]:
    """The figures that tell something of their own: who starts is the first seat, unless that is rolled or chosen."""
    rolled = any(game.starter not in (None, 1) for game in games)
    return [measure for measure in MEASURES if rolled or measure.key != "starter"]


def edge_measures(lineup: Sequence[str]) -> list[Measure]:
    """How much better the players of a kind fare than the rest, where different kinds meet."""
    kinds = list(dict.fromkeys(lineup))
    return [
        Measure(
            f"edge_{kind}",
            f"edge of {kind}",
            "of wins",
            lambda g, kind=kind: edge(g, kind),  # type: ignore[misc]
            f"{kind} wins {{range}} {{way}}",
            "more",
            "less",
            f"{kind} gains or loses",
            share=True,
        )
        for kind in (kinds if len(kinds) > 2 else kinds[:1] if len(kinds) == 2 else [])
    ]


MOST_ENDINGS = 8


def ending_measures(games: Sequence[Played]) -> list[Measure]:
    """How often games end in each of the ways that are seen, the most frequent first."""
    ways = Counter(reason_of(game) for game in games if game.error is None).most_common(MOST_ENDINGS)
    return [
        Measure(
            f"ending_{way.replace(' ', '_')}",
            f"games that end with: {way}",
            "of games",
            lambda g, way=way: float(reason_of(g) == way),  # type: ignore[misc]
            f'games end with "{way}" {{range}} {{way}} often',
            "more",
            "less",
            f'games end with "{way}" more or less often',
            share=True,
            events=True,
        )
        for way, _ in (ways if len(ways) > 1 else [])
    ]


def values_of(measure: Measure, games: Sequence[Played]) -> list[float]:
    """The values of a measure, without the games it has no meaning for."""
    found = (measure.value(game) for game in games if game.error is None)
    return [value for value in found if value is not None]


def estimate(measure: Measure, values: Sequence[float], alpha: float = 0.05) -> Interval:
    return share_interval(sum(values), len(values), alpha) if measure.events else mean_interval(values, alpha)


# ---------------------------------------------------------------- a summary
@frozen
class Figure:
    measure: Measure
    games: int
    interval: Interval
    deviation: float
    least: float
    median: float
    most: float


@frozen
class SeatFigure:
    """`wins`: the share of games that the seat has won, alone or with others; `alone`: by itself.
    `advantage`: what it gets beyond an equal share; `told`: is that more than chance."""

    seat: int
    won: int
    alone: int
    wins: Interval
    advantage: Interval
    told: bool


@frozen
class KindFigure:
    """The players of one kind: their share of the wins and what would be fair."""

    kind: str
    seats: float
    share: Interval
    fair: float


@frozen
class Summary:
    """What the games of a series were like."""

    games: int
    broken: tuple[Played, ...]
    figures: tuple[Figure, ...]
    seats: tuple[SeatFigure, ...]
    kinds: tuple[KindFigure, ...]
    reasons: tuple[tuple[str, int], ...]

    def figure(self, key: str) -> Figure | None:
        return next((f for f in self.figures if f.measure.key == key), None)


def summarise(games: Sequence[Played], lineup: Sequence[str]) -> Summary:
    sound = [game for game in games if game.error is None]
    figures = []
    for measure in (*measures_for(sound), *edge_measures(lineup)):
        values = values_of(measure, sound)
        if values:
            ordered = sorted(values)
            figures.append(
                Figure(
                    measure,
                    len(values),
                    estimate(measure, values),
                    deviation_of(values),
                    ordered[0],
                    _middle(ordered),
                    ordered[-1],
                )
            )
    return Summary(
        games=len(games),
        broken=tuple(game for game in games if game.error is not None),
        figures=tuple(figures),
        seats=_seats(sound, len(lineup)) if sound and not sound[0].together else (),
        kinds=_kinds(sound, lineup) if sound else (),
        reasons=tuple(Counter(reason_of(game) for game in games).most_common()),
    )


def _middle(ordered: Sequence[float]) -> float:
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def reason_of(game: Played) -> str:
    """How a game ended, in a few words."""
    if game.reason:
        return game.reason.replace("_", " ")
    if game.together:
        return "won" if game.winners else "lost"
    return "a winner" if game.winners else "no winner"


def _seats(games: Sequence[Played], players: int) -> tuple[SeatFigure, ...]:
    seats = range(1, players + 1)
    gains = {seat: [advantage(game, seat) for game in games] for seat in seats}
    told = findings([paired([0.0] * len(games), gains[seat]) for seat in seats])
    out = []
    for seat, finding in zip(seats, told, strict=True):
        won = sum(seat in game.winners for game in games)
        alone = sum(game.winners == (seat,) for game in games)
        out.append(
            SeatFigure(
                seat,
                won,
                alone,
                share_interval(won, len(games)),
                finding.interval,
                finding.different,
            )
        )
    return tuple(out)


def _kinds(games: Sequence[Played], lineup: Sequence[str]) -> tuple[KindFigure, ...]:
    if len(set(lineup)) < 2:
        return ()
    out = []
    for kind in dict.fromkeys(lineup):
        parts = [
            sum(part for part, sitting in zip(shares(game), game.seats, strict=True) if sitting == kind)
            for game in games
        ]
        seated = lineup.count(kind)
        won = sum(1 for game in games if game.winners)
        out.append(
            KindFigure(
                kind,
                seated,
                share_interval(sum(parts), len(parts)),
                seated / len(lineup) * won / max(1, len(games)),
            )
        )
    return tuple(out)


# ---------------------------------------------------------------- numbers as people write them
def decimals_for(width: float) -> int:
    """So many that an interval of this width is told to about its own precision."""
    return 0 if width <= 0 or width == inf else min(6, max(0, ceil(-log10(width))))


def number(value: float, width: float | None = None) -> str:
    """A number to the precision that an interval of `width` around it allows."""
    if not width and float(value).is_integer():
        return f"{value:,.0f}"
    digits = decimals_for(width / 2 if width else abs(value) / 10)
    return f"{value:,.{digits}f}"


def percent(value: float, width: float | None = None) -> str:
    digits = decimals_for((width if width is not None else 0.1) * 100 / 2)
    return f"{value * 100:.{digits}f} %"


def shown(measure: Measure, value: float, width: float | None = None) -> str:
    return percent(value, width) if measure.share else number(value, width)


def points(interval: Interval) -> str:
    """The bounds of a difference between shares: `-1.2 to +0.4 points`."""
    if interval.width == inf:
        return "unknown"
    return f"{interval.low * 100:+.1f} to {interval.high * 100:+.1f} points"


def shown_interval(measure: Measure, interval: Interval) -> str:
    """`41.3 (40.9 to 41.8)`."""
    width = interval.width
    if width < 1e-9 or width == inf:
        return shown(measure, interval.estimate)
    middle, low, high = (shown(measure, v, width) for v in (interval.estimate, interval.low, interval.high))
    return f"{middle} ({low.removesuffix(' %')} to {high})"
