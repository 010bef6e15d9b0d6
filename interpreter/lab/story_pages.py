"""The course of games, for a page: the win chance of whoever is ahead, what winners did, where players went."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ..pages.html_page import Html, badge, join, table, tag
from .intervals import Interval
from .plots import Dot, lines, picture
from .stories import MOMENTS, Deed, Spot, Told

CELL = 34
MOST_DEEDS = 30


def story_words(found: Told) -> list[str]:
    """In sentences."""
    out = []
    chances = {
        k: c
        for k, c in enumerate(found.chance)
        if c is not None and k in (MOMENTS // 4, MOMENTS // 2, 15, 18)
    }
    if chances:
        parts = [
            f"{_percent(c)} after {100 * k // (MOMENTS - 1)} % of the decisions" for k, c in chances.items()
        ]
        out.append(f"Whoever is ahead alone wins: {', '.join(parts)}.")
    if found.decided is not None and found.comebacks is not None:
        out.append(
            f"In the middle one of the games the winner is ahead for good after {100 * found.decided:.0f} %; "
            f"{_percent(found.comebacks)} of games are won by somebody who was behind at half time."
        )
    if found.wait is not None and found.longest is not None:
        out.append(
            f"Between two choices of one's own the others make {_number(found.wait)}; "
            f"the longest wait of a game is {_number(found.longest)} choices."
        )
    surely = [d for d in found.deeds if d.told]
    for deed in surely[:8]:
        way = "more" if deed.gain.estimate > 0 else "fewer"
        low, high = sorted((abs(deed.gain.low), abs(deed.gain.high)))
        out.append(
            f"Who did `{deed.words}` won {100 * low:.0f} to {100 * high:.0f} points {way} than the rest."
        )
    if found.deeds and not surely:
        out.append(
            f"Of {len(found.deeds):,} things that some did and others did not, none surely goes with winning."
        )
    return out


def story_parts(found: Told) -> list[Html]:
    parts = [
        tag("p", f"{found.games:,} games were looked at closely."),
        tag("ul", join(tag("li", words) for words in story_words(found))),
    ]
    dots = [
        Dot(100 * k / (MOMENTS - 1), c.estimate, c.low, c.high)
        for k, c in enumerate(found.chance)
        if c is not None
    ]
    pictures = []
    if dots:
        curve = lines(
            "How often whoever is ahead wins", [("", dots)], x_label="% of the decisions", percent=True
        )
        pictures.append(curve)
    pictures += heat_maps(found.spots)
    if pictures:
        parts.append(tag("div", *(tag("figure", picture) for picture in pictures), class_="plots"))
    if found.deeds:
        parts.append(_deed_table(found.deeds[:MOST_DEEDS]))
    return parts


def _deed_table(deeds: Sequence[Deed]) -> Html:
    rows = [
        (
            d.words,
            f"{d.players:,}",
            f"{100 * d.gain.estimate:+.0f} ({100 * d.gain.low:+.0f} to {100 * d.gain.high:+.0f}) points",
            badge("more than chance", "warn") if d.told else "",
        )
        for d in deeds
    ]
    return table(
        ("what somebody did", "players", "won beyond an equal share", ""),
        rows,
        numbers=(1,),
        sortable=True,
        filterable=True,
        caption="What winners did. Intervals allow for looking at all of it; that winners do a thing does not make it win.",
    )


def heat_maps(spots: Sequence[tuple[Spot, int]]) -> list[Html]:
    """A map for each board: how often each space was chosen. Boards whose spaces have no columns and rows have none."""
    boards: dict[str, dict[tuple[int, int], int]] = {}
    for (board, space), count in spots:
        if isinstance(space, tuple) and len(space) == 2 and all(isinstance(n, int) for n in space):
            boards.setdefault(board, {})[space] = count
    return [_heat_map(board, counts) for board, counts in sorted(boards.items()) if len(counts) > 1]


def _heat_map(board: str, counts: dict[tuple[int, int], int]) -> Html:
    left, low = min(x for x, _ in counts), min(y for _, y in counts)
    wide, high = max(x for x, _ in counts) - left + 1, max(y for _, y in counts) - low + 1
    cell = min(CELL, 500 / wide)
    most, total = max(counts.values()), sum(counts.values())
    parts = []
    for (x, y), count in sorted(counts.items()):
        at_x, at_y = 56 + (x - left) * cell, 36 + (low + high - 1 - y) * cell
        tip = f"{x}, {y}: {count:,} times, {100 * count / total:.1f} %"
        parts.append(
            f'<rect x="{at_x:.1f}" y="{at_y:.1f}" width="{cell - 1:.1f}" height="{cell - 1:.1f}" '
            f'fill="var(--plot1,#b4572f)" fill-opacity="{0.06 + 0.94 * count / most:.2f}">'
            f"<title>{escape(tip)}</title></rect>"
        )
    words = f"{total:,} choices; darkest {most:,}"
    return picture(f"Where players went: {board.replace('_', ' ')}", words, parts, 50 + high * cell)


def _percent(found: Interval) -> str:
    return f"{100 * found.estimate:.0f} % ({100 * found.low:.0f} to {100 * found.high:.0f})"


def _number(found: Interval) -> str:
    return f"{found.estimate:.1f} ({found.low:.1f} to {found.high:.1f})"
