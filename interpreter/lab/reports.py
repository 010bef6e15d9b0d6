"""Reports as pages: a simulation, a comparison, a sweep. One file each, plots and all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..pages.html_page import Html, badge, bar, facts, join, page, section, table, tag
from .comparing import Comparison, Difference, Verdict, digits_for, round_up
from .intervals import Interval
from .measures import Figure, Measure, Summary, percent, points, shown, shown_interval, values_of
from .playing import Played
from .plots import STYLE, Bar, Dot, bars, histogram, intervals, lines, lying_bars
from .stories import Told
from .story_pages import story_parts
from .sweeping import Curve
from .tallies import Usage

_FOOTER = (
    "Made by dragonrules. Intervals are meant to hold in 95 of 100 such experiments. "
    "Programs play, so figures tell what the rules do in their hands."
)


def _plots(*pictures: Html) -> Html:
    return tag("div", *(tag("figure", picture) for picture in pictures), class_="plots")


def _words(head: Mapping[str, str]) -> str:
    return " · ".join(f"{value}" if key == "game" else f"{key} {value}" for key, value in head.items())


# ---------------------------------------------------------------- one rule set
def simulation_page(
    head: Mapping[str, str],
    games: Sequence[Played],
    summary: Summary,
    lineup: Sequence[str],
    usage: Usage | None,
    story: Told | None = None,
) -> str:
    turns = summary.figure("turns")
    parts = [
        facts(_facts(summary, turns)),
        section("Length", _length_plots(games)),
        section(
            "Wins by seat",
            tag("p", _seat_verdict(summary)),
            _plots(_seat_plot(summary), *([_kind_plot(summary)] if summary.kinds else [])),
            _seat_table(summary),
        ),
    ]
    if any(game.scores for game in games):
        parts.append(section("Scores", _score_plots(games, len(lineup))))
    parts.append(
        section(
            "How games end",
            table(
                ("ending", "games", "share"),
                [(reason, f"{count:,}", bar(count / summary.games)) for reason, count in summary.reasons],
                numbers=(1,),
            ),
        )
    )
    if story is not None:
        parts.append(section("The course of a game", *story_parts(story)))
    parts.append(section("All figures", _figure_table(summary)))
    if usage is not None:
        parts += [
            section("What came into play", *_usage_parts(usage)),
            section("What never did", _never(usage)),
        ]
    if summary.broken:
        parts.append(section("Games broken by the rules", _broken(summary)))
    title = f"{head['game']}: {summary.games:,} games"
    return page(title, *parts, lead=_words(head), footer=_FOOTER, style=STYLE)


def _facts(summary: Summary, turns: Figure | None) -> list[tuple[str, str]]:
    out = [("games", f"{summary.games:,}")]
    if turns is not None:
        out.append(("turns in a game", shown_interval(turns.measure, turns.interval)))
    for key in ("decisions", "branching", "won", "draws", "lead_changes"):
        figure = summary.figure(key)
        if figure is not None:
            out.append(
                (figure.measure.title, shown(figure.measure, figure.interval.estimate, figure.interval.width))
            )
    return out


def _length_plots(games: Sequence[Played]) -> Html:
    sound = [game for game in games if game.error is None]
    turns = [float(game.turns) for game in sound if game.turns]
    pictures = [histogram("Turns in a game", [("", turns)], unit="turns")] if turns else []
    pictures.append(
        histogram("Decisions in a game", [("", [float(game.decisions) for game in sound])], unit="decisions")
    )
    return _plots(*pictures)


def _seat_plot(summary: Summary) -> Html:
    items = [Bar(f"seat {s.seat}", s.wins.estimate, s.wins.low, s.wins.high) for s in summary.seats]
    mean = sum(s.wins.estimate for s in summary.seats) / max(1, len(summary.seats))
    return bars(
        "Games won, alone or with others", [("", items)], reference=mean, reference_label="all seats alike"
    )


def _kind_plot(summary: Summary) -> Html:
    items = [
        Bar(k.kind, k.share.estimate, max(0.0, k.share.low), min(1.0, k.share.high)) for k in summary.kinds
    ]
    fair = [Bar(k.kind, k.fair) for k in summary.kinds]
    return bars("Share of the wins, by player", [("won", items), ("equal share", fair)])


def _seat_verdict(summary: Summary) -> str:
    told = [s for s in summary.seats if s.told]
    if not told:
        return "No sign that a seat is better than another."
    words = [
        f"Seat {s.seat} has {'an advantage' if s.advantage.estimate > 0 else 'a disadvantage'}." for s in told
    ]
    return " ".join(words)


def _seat_table(summary: Summary) -> Html:
    rows = []
    for s in summary.seats:
        rows.append(
            (
                f"seat {s.seat}",
                f"{s.won:,}",
                f"{s.alone:,}",
                f"{percent(s.wins.estimate, s.wins.width)} ({percent(s.wins.low, s.wins.width)} to {percent(s.wins.high, s.wins.width)})",
                points(s.advantage),
            )
        )
    return table(
        ("", "games won", "alone", "share of games", "beyond an equal share"),
        rows,
        numbers=(1, 2),
        caption="Wilson intervals for shares; the last column allows for looking at all seats.",
    )


def _score_plots(games: Sequence[Played], players: int) -> Html:
    scored = [game.scores for game in games if game.scores]
    seats = [(f"seat {n + 1}", [float(scores[n]) for scores in scored]) for n in range(players)]
    best = [float(max(scores)) for scores in scored]
    everybody = [float(score) for scores in scored for score in scores]
    spread = [float(max(scores) - min(scores)) for scores in scored]
    return _plots(
        histogram("Highest score and all scores", [("highest", best), ("all", everybody)], unit="points"),
        histogram("Scores by seat", seats, unit="points"),
        histogram("Spread between first and last", [("", spread)], unit="points"),
    )


def _figure_table(summary: Summary) -> Html:
    rows = []
    for f in summary.figures:
        m = f.measure
        spread = [shown(m, v) for v in (f.deviation, f.least, f.median, f.most)] if not m.events else [""] * 4
        rows.append((m.title, shown_interval(m, f.interval), *spread))
    return table(
        ("figure", "mean (95 % interval)", "deviation", "least", "median", "most"), rows, numbers=(2, 3, 4, 5)
    )


def _usage_parts(usage: Usage) -> list[Html]:
    used = sorted(usage.uses, key=lambda u: (-u.games, -u.declaration.runs))
    shown_uses = [
        u for u in used if u.declaration.kind in ("action", "trigger", "ending") and u.declaration.runs
    ]
    parts = []
    if shown_uses:
        items = [
            Bar(f"{u.declaration.kind} {u.declaration.name}", u.games / max(1, usage.games))
            for u in shown_uses
        ]
        parts.append(_plots(lying_bars("Games in which it came into play", items, percent=True)))
    rows = []
    for u in usage.uses:
        d = u.declaration
        rows.append(
            (
                d.kind,
                d.name,
                f"{d.runs:,}",
                bar(u.games / max(1, usage.games)),
                "" if d.offered is None else f"{d.offered:,}",
                "" if d.taken is None else f"{d.taken:,}",
                "" if not d.offered else percent((d.taken or 0) / d.offered, 0.02),
            )
        )
    quiet = {at: "warn" for at, u in enumerate(usage.uses) if not u.declaration.runs}
    parts.append(
        table(
            ("", "name", "times", "in games", "offered", "taken", "taken when offered"),
            rows,
            numbers=(2, 4, 5, 6),
            sortable=True,
            filterable=True,
            row_classes=quiet,
            caption="Rules, actions, triggers and endings",
        )
    )
    if usage.things:
        parts.append(
            table(
                ("", "as printed", "drawn by chance", "chosen by a player"),
                [(t.type, t.label, f"{t.drawn:,}", f"{t.chosen:,}") for t in usage.things],
                numbers=(2, 3),
                sortable=True,
                filterable=True,
                caption="Components and tokens",
            )
        )
    return parts


def _never(usage: Usage) -> Html:
    items = [join([tag("code", f"{u.declaration.kind} {u.declaration.name}")]) for u in usage.unused]
    items += [
        join([f"{t.type} ", tag("code", t.label), " was neither drawn nor chosen"])
        for t in usage.unused_things
    ]
    items += [
        join([tag("code", q.owner), f", line {q.line}: never offered: {', '.join(words)}"])
        for q, words in usage.coverage.never_offered()
    ]
    items += [
        join([tag("code", q.owner), f", line {q.line}: offered but never taken: {', '.join(words)}"])
        for q, words in usage.coverage.never_taken()
    ]
    if not items:
        return tag("p", f"Everything came into play in {usage.games:,} games.")
    return tag("ul", join(tag("li", item) for item in items))


def _broken(summary: Summary) -> Html:
    first = [
        join([tag("p", f"Game {g.number}, seed {g.seed}:"), tag("pre", g.error or "")])
        for g in summary.broken[:5]
    ]
    return join([tag("p", f"{len(summary.broken):,} of {summary.games:,} games."), *first])


# ---------------------------------------------------------------- rule sets side by side
_BADGES = {
    Verdict.DIFFERENT: ("different", "warn"),
    Verdict.SAME: ("the same", "good"),
    Verdict.OPEN: ("open", "plain"),
}


def comparison_page(
    head: Mapping[str, str],
    base: tuple[str, Sequence[Played]],
    others: Sequence[tuple[str, Sequence[Played]]],
    comparisons: Sequence[Comparison],
    failed: Sequence[tuple[str, str]],
    stories: Sequence[tuple[str, Told]] = (),
) -> str:
    lead = tag("p", f"{base[0]} is the base. Every rule set has played the games of the same seeds.")
    verdicts = table(
        ("", "what changes"),
        [(tag("b", c.title), _capital(c.sentence) + ".") for c in comparisons],
        caption="In short",
    )
    parts: list[Html] = [lead, verdicts]
    if failed:
        parts.append(
            section(
                "Could not be played",
                join(tag("div", tag("h3", title), tag("pre", words)) for title, words in failed),
            )
        )
    parts.append(_in_full(base, others, comparisons))
    parts += [section(f"The course of a game: {name}", *story_parts(story)) for name, story in stories]
    title = f"{head['game']}: rules compared"
    return page(title, *parts, lead=_words(head), footer=_FOOTER, style=STYLE)


def compared(
    base: tuple[str, Sequence[Played]],
    others: Sequence[tuple[str, Sequence[Played]]],
    comparisons: Sequence[Comparison],
) -> Html:
    """A comparison as part of another page, which has `plots.STYLE`."""
    verdicts = [tag("p", tag("b", f"{c.title}: "), f"{c.sentence}.") for c in comparisons]
    return join((*verdicts, _in_full(base, others, comparisons)))


def _in_full(
    base: tuple[str, Sequence[Played]],
    others: Sequence[tuple[str, Sequence[Played]]],
    comparisons: Sequence[Comparison],
) -> Html:
    parts = [section("Side by side", _side_by_side([base, *others]))]
    parts += [section(c.title, *_comparison_parts(base[0], c)) for c in comparisons]
    return join(parts)


def _side_by_side(everyone: Sequence[tuple[str, Sequence[Played]]]) -> Html:
    few = everyone[:6]  # more would be a thicket

    def samples(value: str) -> list[tuple[str, list[float]]]:
        from .measures import MEASURES

        measure = next(m for m in MEASURES if m.key == value)
        return [(title, values_of(measure, games)) for title, games in few]

    pictures = []
    for key, title, unit in (
        ("turns", "Turns in a game", "turns"),
        ("decisions", "Decisions in a game", "decisions"),
        ("top_score", "Highest score", "points"),
        ("spread", "Spread of the scores", "points"),
        ("lead_changes", "Lead changes", "changes"),
    ):
        found = samples(key)
        if any(values for _, values in found):
            pictures.append(histogram(title, found, unit=unit))
    pictures.append(_seats_side_by_side(few))
    return _plots(*pictures)


def _seats_side_by_side(everyone: Sequence[tuple[str, Sequence[Played]]]) -> Html:
    from .intervals import share_interval

    groups = []
    for title, games in everyone:
        sound = [game for game in games if game.error is None]
        items = []
        for seat in range(1, len(games[0].seats) + 1):
            share = share_interval(sum(seat in g.winners for g in sound), len(sound))
            items.append(Bar(f"seat {seat}", share.estimate, share.low, share.high))
        groups.append((title, items))
    return bars("Games won, alone or with others", groups)


def _comparison_parts(base: str, comparison: Comparison) -> list[Html]:
    rows = []
    for d in comparison.differences:
        words, kind = _BADGES[d.verdict]
        rows.append(
            (
                d.measure.title,
                shown_interval(d.measure, d.base),
                shown_interval(d.measure, d.other),
                signed(d.measure, d.finding.interval),
                badge(words, kind),
                d.sentence,
            )
        )
    scaled = [_relative(d) for d in comparison.differences]
    told = [d.verdict is Verdict.DIFFERENT for d in comparison.differences]
    parts = [
        tag("p", _capital(comparison.sentence) + "."),
        _plots(
            intervals("Changes, in standard deviations of a game", scaled, told=told, unit=f"against {base}")
        ),
        table(
            ("figure", base, comparison.title, "change", "", "in words"),
            rows,
            caption="Intervals of changes allow for all figures looked at together.",
        ),
    ]
    if comparison.left_out:
        parts.append(tag("p", f"Not in both, so not compared: {', '.join(comparison.left_out)}."))
    if comparison.needed is not None:
        parts.append(tag("p", f"About {round_up(comparison.needed):,} games would settle what is open."))
    return parts


def _relative(d: Difference) -> Bar:
    """A change in units that all figures share."""
    unit = d.finding.paired.deviation or 1.0
    low, high = d.finding.interval.low / unit, d.finding.interval.high / unit
    return Bar(d.measure.title, d.finding.interval.estimate / unit, low, high)


def signed(measure: Measure, interval: Interval) -> str:
    """`-16.2 (-21 to -12)`, for shares in points."""
    scale = 100 if measure.share else 1
    if interval.width == float("inf"):
        return f"{interval.estimate * scale:+.3g}"
    digits = digits_for(interval.low * scale, interval.high * scale)
    values = [f"{v * scale:+,.{digits}f}" for v in (interval.estimate, interval.low, interval.high)]
    return f"{values[0]} ({values[1]} to {values[2]})" + (" points" if measure.share else "")


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


# ---------------------------------------------------------------- over the values of options
def sweep_page(head: Mapping[str, str], games: int, found: Sequence[Curve]) -> str:
    parts: list[Html] = [
        tag(
            "p",
            f"{games:,} games at each value, of the same seeds throughout. Bands are 95 % intervals of each point.",
        )
    ]
    for option in dict.fromkeys(c.option for c in found):
        mine = [c for c in found if c.option == option]
        pictures, rows = [], []
        for measure in {c.measure.key: c.measure for c in mine}.values():
            group = [c for c in mine if c.measure.key == measure.key]
            pictures.append(_curve_plot(option, measure, group))
            for c in group:
                for s in c.slopes:
                    part = f"{s.first} to {s.last}" if len(c.slopes) > 1 else ""
                    place = ", ".join(filter(None, (c.where, part)))
                    rows.append((measure.title, place, signed(measure, s.each)))
        body: list[Html] = [_plots(*pictures)]
        if rows:
            where = any(row[1] for row in rows)
            head_row = ("figure", "where", "what one more adds (95 %)")
            body.append(table(head_row, rows) if where else table(head_row[::2], [row[::2] for row in rows]))
        body.append(_curve_table(option, mine))
        parts.append(section(option, *body))
    swept = ", ".join(dict.fromkeys(c.option for c in found))
    return page(f"{head['game']}: {swept}", *parts, lead=_words(head), footer=_FOOTER, style=STYLE)


def _curve_plot(option: str, measure: Measure, group: Sequence[Curve]) -> Html:
    series = []
    for c in group:
        xs = c.numbers or [float(n) for n in range(len(c.values))]
        dots = [
            Dot(x, i.estimate, i.low, i.high) for x, i in zip(xs, c.intervals, strict=True) if i is not None
        ]
        series.append((c.where, dots))
    names = None if group[0].numbers is not None else group[0].values
    return lines(measure.title, series, x_label=option, percent=measure.share, names=names)


def _curve_table(option: str, mine: Sequence[Curve]) -> Html:
    keys = list(dict.fromkeys((value, c.where) for c in mine for value in c.values))
    measures = list({c.measure.key: c.measure for c in mine}.values())
    cells = {
        (c.measure.key, value, c.where): shown_interval(c.measure, i) if i is not None else ""
        for c in mine
        for value, i in zip(c.values, c.intervals, strict=True)
    }
    places = any(where for _, where in keys)
    rows = [
        (value, *([where] if places else []), *(cells.get((m.key, value, where), "") for m in measures))
        for value, where in keys
    ]
    head = (option, *(["where"] if places else []), *(m.title for m in measures))
    return table(head, rows, caption="All figures")
