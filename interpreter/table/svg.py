"""Boards, cards, tiles, tokens and pieces as SVG.

Colours are presentation attributes, so that a drawing stands by itself in a notebook or a
report; classes let a page restyle what is not of the game: grounds, outlines, what is new.
Nothing here has a `style`, which the page's security policy would refuse.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import ceil, cos, pi, sin

from ..pages.html_page import Html, join, tag
from .faces import INK, PAPER, Face, ink_on, mixed
from .marks import Marks
from .scene import Ground, Item, Space, Spot

CELL = 100
GAP = 6
STEP = CELL + GAP
CARD = (100, 140)
MOST_TIPS = 400
GROUND = "#d9c8a0"
GLYPHS = {"●": "disc", "x": "disc", "o": "disc", "*": "disc", "■": "cube", "◆": "gem", "": "disc"}
"""Symbols that stand for a shape at a terminal and are drawn as it here."""


def svg(width: float, height: float, *parts: Html | None, class_: str = "", label: str | None = None) -> Html:
    """A drawing, as wide as its place allows."""
    return tag(
        "svg",
        *parts,
        viewBox=f"0 0 {_n(width)} {_n(height)}",
        class_=class_ or None,
        role="group" if label else None,
        aria_label=label,
        aria_hidden=None if label else "true",
        focusable="false",
    )


# ---------------------------------------------------------------- what can be touched
def touch(
    where: str, marks: Marks, words: str, *, tip: str | None = None, more: str = ""
) -> dict[str, str | int | None]:
    """The attributes of something with an address: what it is called, and what a click on it takes."""
    index = marks.index(where)
    classes = [more]
    if index is not None:
        classes.append("can")
        if index == marks.hint:
            classes.append("hint")
    if where in marks.picked:
        classes.append("picked")
    return {
        "data_at": where,
        "data_o": index,
        "data_tip": (tip or words)[:MOST_TIPS],
        "class_": " ".join(c for c in classes if c) or None,
        "role": "button" if index is not None else "group" if more.startswith("spot") else "img",
        "tabindex": 0 if index is not None else -1,
        "aria_label": words,
    }


# ---------------------------------------------------------------- text
def lines_of(text: str, width: int) -> list[str]:
    """Words broken into lines of at most so many letters."""
    lines: list[str] = []
    for word in text.split():
        if lines and len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word if len(word) <= width + 2 else f"{word[:width]}…")
    return lines


def _text(
    x: float, y: float, words: str, size: float, colour: str, *, bold: bool = False, class_: str | None = None
) -> Html:
    return tag(
        "text",
        words,
        x=_n(x),
        y=_n(y),
        font_size=_n(size),
        fill=colour,
        text_anchor="middle",
        font_weight="700" if bold else None,
        class_=class_,
    )


def _caption(
    words: str, x: float, bottom: float, width: float, colour: str, *, size: float = 15, most: int = 3
) -> Html:
    """Words in the lower part, as large as they fit."""
    for scale in (size, size - 1.5, size - 3):
        lines = lines_of(words, int(width / (scale * 0.54)))
        if len(lines) <= most:
            break
    if len(lines) > most:
        lines = [*lines[: most - 1], f"{lines[most - 1][:8]}…"]
    first = bottom - (len(lines) - 1) * scale * 1.08
    return join(_text(x, first + n * scale * 1.08, line, scale, colour) for n, line in enumerate(lines))


# ---------------------------------------------------------------- faces
@lru_cache(4096)
def face(drawn: Face, width: float, height: float, *, notes: tuple[str, ...] = (), low: bool = False) -> Html:
    """A card or a tile from its upper left corner: paper in its colour, what is large, what is small.
    `low`: something stands on its upper half."""
    base = drawn.colour or "#b9ad90"
    paper, edge = mixed(base, PAPER, 0.72), mixed(base, INK, 0.35)
    strong = mixed(base, INK, 0.72 if ink_on(base) == INK else 0.4)
    ink = mixed(base, INK, 0.85)
    parts = [
        _box(1, 1, width - 2, height - 2, 9, fill=paper, stroke=edge, stroke_width="2", class_="paper"),
        _box(
            5,
            5,
            width - 10,
            height - 10,
            6,
            fill="none",
            stroke=edge,
            stroke_width="1",
            stroke_opacity="0.35",
        ),
    ]
    caption = drawn.caption if drawn.caption.lower() != drawn.big.lower() else ""
    small = " · ".join([caption, *notes]) if caption else " · ".join(notes)
    card = height > 120
    bottom = height - (18 if drawn.ways is not None and 2 in drawn.ways else 12)
    sides = 44 if drawn.ways is not None and drawn.ways & {1, 3} and not card else 12
    if drawn.big:
        size = min(
            54 if card else 44,
            height * (0.44 if len(drawn.big) < 3 else 0.26 if len(drawn.big) < 6 else 0.17),
        )
        rows = min(len(lines_of(small, int((width - 12) / 8.1))), 2) if small else 0
        size = size * 0.75 if rows > 1 and not card else size
        middle = (14 + bottom - rows * 15) / 2 if rows else height / 2
        parts.append(_text(width / 2, middle + size * 0.36, drawn.big, size, strong, bold=True))
        if drawn.mark:
            parts.append(_text(17, 25, drawn.mark, 19, strong, bold=True))
        if small:
            parts.append(_caption(small, width / 2, bottom, width - 12, ink, most=3 if card else 2))
    else:
        words = small or drawn.words
        count = min(len(lines_of(words, int((width - sides) / 8.6))), 4)
        end = bottom if low else height / 2 + 6 + 8.5 * (count - 1)
        parts.append(_caption(words, width / 2, end, width - sides, ink, size=16, most=4 if not low else 2))
    if drawn.ways is not None:
        parts.append(_exits(drawn.ways, width, height, strong))
    return join(parts)


def _box(x: float, y: float, width: float, height: float, corner: float, **more: str) -> Html:
    sizes = {"x": x, "y": y, "width": width, "height": height, "rx": corner}
    return tag("rect", **{name: _n(size) for name, size in sizes.items()}, **more)


def _exits(ways: frozenset[int], width: float, height: float, colour: str) -> Html:
    """Arrows that point out of the sides of a tile."""
    middle, down = width / 2, height / 2
    points = {
        0: f"{_n(middle - 13)},15 {_n(middle)},1 {_n(middle + 13)},15",
        1: f"{_n(width - 15)},{_n(down - 13)} {_n(width - 1)},{_n(down)} {_n(width - 15)},{_n(down + 13)}",
        2: f"{_n(middle - 13)},{_n(height - 15)} {_n(middle)},{_n(height - 1)} {_n(middle + 13)},{_n(height - 15)}",
        3: f"15,{_n(down - 13)} 1,{_n(down)} 15,{_n(down + 13)}",
    }
    return join(tag("polygon", points=points[way], fill=colour) for way in sorted(ways))


@lru_cache(16)
def back(width: float, height: float) -> Html:
    """What lies face down."""
    return join(
        (
            tag(
                "rect",
                x=1,
                y=1,
                width=_n(width - 2),
                height=_n(height - 2),
                rx=9,
                fill="#6b3a2e",
                stroke="#43231c",
                stroke_width=2,
            ),
            tag(
                "rect",
                x=8,
                y=8,
                width=_n(width - 16),
                height=_n(height - 16),
                rx=5,
                fill="none",
                stroke="#d9b98a",
                stroke_width=2,
            ),
            tag(
                "path",
                d=f"M{_n(width / 2)} {_n(height * 0.28)} l16 {_n(height * 0.22)} l-16 {_n(height * 0.22)} l-16 {_n(-height * 0.22)} z",
                fill="#d9b98a",
            ),
        )
    )


@lru_cache(1024)
def shape(drawn: Face, x: float, y: float, radius: float) -> Html:
    """A token: a disc, a cube or a gem in its colour, with its symbol if that is no shape itself."""
    colour = drawn.colour or "#b98a2f"
    edge = mixed(colour, INK, 0.45)
    kind = GLYPHS.get(drawn.big)
    parts: list[Html] = []
    if kind == "cube":
        parts.append(
            tag(
                "rect",
                x=_n(x - radius * 0.85),
                y=_n(y - radius * 0.85),
                width=_n(radius * 1.7),
                height=_n(radius * 1.7),
                rx=3,
                fill=colour,
                stroke=edge,
                stroke_width=2,
            )
        )
        parts.append(
            tag(
                "path",
                d=f"M{_n(x - radius * 0.85)} {_n(y - radius * 0.4)} h{_n(radius * 1.7)}",
                stroke=mixed(colour, "#ffffff", 0.5),
                stroke_width=2,
            )
        )
    elif kind == "gem":
        parts.append(
            tag(
                "polygon",
                points=f"{_n(x)},{_n(y - radius)} {_n(x + radius)},{_n(y)} {_n(x)},{_n(y + radius)} {_n(x - radius)},{_n(y)}",
                fill=colour,
                stroke=edge,
                stroke_width=2,
            )
        )
        parts.append(
            tag(
                "polygon",
                points=f"{_n(x)},{_n(y - radius * 0.5)} {_n(x + radius * 0.5)},{_n(y)} {_n(x)},{_n(y + radius * 0.5)} {_n(x - radius * 0.5)},{_n(y)}",
                fill=mixed(colour, "#ffffff", 0.35),
            )
        )
    else:
        parts.append(
            tag("circle", cx=_n(x), cy=_n(y), r=_n(radius), fill=colour, stroke=edge, stroke_width=2)
        )
        parts.append(
            tag(
                "circle",
                cx=_n(x),
                cy=_n(y),
                r=_n(radius * 0.72),
                fill="none",
                stroke=mixed(colour, "#ffffff", 0.4),
                stroke_width="1.5",
            )
        )
        if kind is None:
            parts.append(
                _text(
                    x,
                    y + radius * 0.36,
                    drawn.big,
                    radius * (1.05 if len(drawn.big) < 3 else 0.6),
                    ink_on(colour),
                    bold=True,
                )
            )
    return join(parts)


def piece(item: Item, x: float, y: float, radius: float, marks: Marks) -> Html:
    """A figure: a disc with its symbol, or a label where that is a word."""
    colour = item.face.colour or "#555555"
    symbol, parts = item.face.big, []
    if len(symbol) > 2:
        wide = radius * 0.72 * len(symbol) + radius
        parts.append(
            tag(
                "rect",
                x=_n(x - wide / 2),
                y=_n(y - radius),
                width=_n(wide),
                height=_n(radius * 2),
                rx=_n(radius),
                fill=colour,
                stroke="#ffffff",
                stroke_width=2,
            )
        )
        parts.append(_text(x, y + radius * 0.38, symbol, radius * 0.95, ink_on(colour), bold=True))
    else:
        parts.append(
            tag("circle", cx=_n(x), cy=_n(y), r=_n(radius), fill=colour, stroke="#ffffff", stroke_width="2.5")
        )
        parts.append(_text(x, y + radius * 0.42, symbol, radius * 1.25, ink_on(colour), bold=True))
    more = "piece fresh" if item.fresh else "piece"
    return tag(
        "g",
        *parts,
        data_h=item.name,
        **touch(f"thing {item.name}", marks, item.face.words, tip=item.tip, more=more),
    )


def _pieces(items: Sequence[Item], marks: Marks, middle: float) -> Html:
    """Figures on one space of 100 by 100, shrunk when they are many."""
    count = len(items)
    if not count:
        return Html("")
    across = min(count, 3 if count > 2 else 2)
    rows = ceil(count / across)
    radius = 19 if count == 1 else 16 if count < 4 else 12
    out = []
    for n, item in enumerate(items):
        row, column = divmod(n, across)
        here = min(across, count - row * across)
        x = 50 + (column - (here - 1) / 2) * (radius * 2 + 3)
        y = middle + (row - (rows - 1) / 2) * (radius * 2 + 2)
        out.append(piece(item, x, y, radius, marks))
    return join(out)


# ---------------------------------------------------------------- boards
def board(ground: Ground, marks: Marks) -> Html:
    """The whole board. A grid that grows shows what lies there and the spaces that may be chosen."""
    plain = ground.place.tokens or _figures(ground)
    if ground.place.board is not None and ground.place.board.ring:
        return _ring(ground, marks)
    spots = dict(ground.spots)
    if ground.place.board is not None and ground.place.board.grows:
        for where in [*marks.options, *marks.picked]:
            space = _space(where, ground.key)
            if space is not None and space not in spots:
                spots[space] = Spot(space, f"({space[0]}, {space[1]})")
    if not spots:
        return tag("p", "Nothing lies there yet.", class_="soft")
    xs = [x for x, _ in spots]
    ys = [y for _, y in spots]
    left, right, low, high = min(xs), max(xs), min(ys), max(ys)
    columns, rows = right - left + 1, high - low + 1
    grows = ground.place.board is not None and ground.place.board.grows
    margin = 0 if grows else 26
    parts: list[Html] = []
    wide, tall = columns * STEP - GAP, rows * STEP - GAP
    if not grows:
        wide, tall = columns * CELL, rows * CELL
        colour = NAMED_GROUNDS.get(ground.place.look.colour or "", GROUND)
        parts.append(
            tag(
                "rect",
                x=margin - 6,
                y=-6 + 6,
                width=wide + 12,
                height=tall + 12,
                rx=10,
                fill=mixed(colour, INK, 0.35),
                class_="rim",
            )
        )
    for (x, y), spot in sorted(spots.items(), key=lambda entry: (-entry[0][1], entry[0][0])):
        step = STEP if grows else CELL
        at = ((x - left) * step + margin, (high - y) * step + (0 if grows else 6))
        parts.append(_spot(ground, spot, at, marks, plain=plain, grows=grows))
    if not grows:
        for x in range(left, right + 1):
            name = spots[x, low].name.rstrip("0123456789") if (x, low) in spots else ""
            parts.append(
                _text(margin + (x - left) * CELL + 50, tall + 30, name, 18, "currentColor", class_="edge")
            )
        for y in range(low, high + 1):
            parts.append(_text(11, (high - y) * CELL + 62, str(y), 18, "currentColor", class_="edge"))
    fine = "fine" if plain else "rough"
    return svg(
        wide + margin + (6 if not grows else 0),
        tall + (34 if not grows else 0),
        *parts,
        class_=f"board {fine} cols-{min(columns, 24)}",
        label=ground.title,
    )


NAMED_GROUNDS = {
    "green": "#3f8f5a",
    "blue": "#2f62a8",
    "brown": "#b98a55",
    "white": "#efe9da",
    "grey": "#a8a8a4",
    "gold": "#dcb763",
}


def _figures(ground: Ground) -> bool:
    """Are the things on it figures with a symbol and a colour, as in chess, rather than tiles?"""
    items = [spot.item for spot in ground.spots.values() if spot.item is not None]
    return bool(items) and all(
        i.face.ways is None and len(i.face.big) == 1 and not i.face.big.isdigit() and i.face.colour
        for i in items
    )


def _spot(
    ground: Ground, spot: Spot, at: tuple[float, float], marks: Marks, *, plain: bool, grows: bool
) -> Html:
    """One space with what is there, as a group that can be touched."""
    x, y = spot.space
    where = f"space {ground.key} {x} {y}"
    told = [spot.name]
    inner: list[Html | None] = []
    colour = NAMED_GROUNDS.get(ground.place.look.colour or "", GROUND)
    if not grows:
        shade = mixed(colour, INK, 0.1 if (x + y) % 2 == 0 else 0.0)
        inner.append(
            tag(
                "rect",
                x=0,
                y=0,
                width=CELL,
                height=CELL,
                fill=shade,
                stroke=mixed(colour, INK, 0.3),
                stroke_width=1,
                class_="cell",
            )
        )
    elif spot.item is None:
        inner.append(tag("rect", x=2, y=2, width=CELL - 4, height=CELL - 4, rx=9, fill="none", class_="gap"))
    if spot.item is not None:
        told.append(spot.item.face.words)
        told += spot.item.notes
        if plain:
            inner.append(_figure(spot.item, marks))
        else:
            inner.append(tile(spot.item, marks, low=bool(spot.pieces)))
    if spot.token is not None:
        told.append(spot.token[1].words)
        inner.append(_on_space(spot.token[1]))
    if spot.pieces:
        told += [item.face.words for item in spot.pieces]
        high = spot.item is not None and not plain
        inner.append(_pieces(spot.pieces, marks, 50 if not high else 34))
    if where in marks.picked:
        inner.append(
            tag("rect", x=6, y=6, width=CELL - 12, height=CELL - 12, rx=8, fill="none", class_="here")
        )
    if marks.index(where) is not None:
        bare = spot.item is None and spot.token is None
        inner.append(_box(3, 3, CELL - 6, CELL - 6, 8, class_="ring glow" if bare else "ring", fill="none"))
    words = ", ".join(told)
    more = "spot fresh" if spot.fresh else "spot"
    return tag(
        "g",
        *inner,
        transform=f"translate({_n(at[0])} {_n(at[1])})",
        **touch(where, marks, words, more=more),
    )


def tile(item: Item, marks: Marks, width: float = CELL, height: float = CELL, *, low: bool = False) -> Html:
    """A thing from its upper left corner, with what is noted on it."""
    where = f"thing {item.name}"
    ring = tag("rect", x=3, y=3, width=_n(width - 6), height=_n(height - 6), rx=8, class_="ring", fill="none")
    words = ", ".join([item.face.words, *item.notes])
    return tag(
        "g",
        face(item.face, width, height, notes=tuple(item.notes), low=low),
        ring if marks.index(where) is not None else None,
        data_h=item.name,
        **touch(
            where,
            marks,
            words,
            tip=" · ".join([item.tip or item.face.words, *item.notes]),
            more="thing fresh" if item.fresh else "thing",
        ),
    )


def _figure(item: Item, marks: Marks) -> Html:
    where, colour = f"thing {item.name}", item.face.colour or "#555555"
    inner = [
        tag("circle", cx=50, cy=50, r=38, fill=colour, stroke=mixed(colour, INK, 0.5), stroke_width=3),
        _text(50, 66, item.face.big, 48, ink_on(colour), bold=True),
    ]
    if marks.index(where) is not None:
        inner.append(tag("circle", cx=50, cy=50, r=44, class_="ring", fill="none"))
    return tag(
        "g", *inner, data_h=item.name, **touch(where, marks, item.face.words, tip=item.tip, more="thing")
    )


def _on_space(token: Face) -> Html:
    """A token on its space: filling it, as a disc or as the mark that it is."""
    if token.colour is None:
        mark = token.big or {"cross": "✕", "nought": "◯"}.get(token.words, token.words[:1].upper())
        return _text(50, 73, mark, 64, "#4a2a1e", bold=True, class_="mark")
    return shape(token, 50, 50, 37)


def _ring(ground: Ground, marks: Marks) -> Html:
    """Spaces around an ellipse, from the top on clockwise."""
    spots = [ground.spots[space] for space in sorted(ground.spots)]
    count = max(1, len(spots))
    across, down = max(150, count * 27), max(120, count * 17)
    width, height = 2 * across + CELL + 12, 2 * down + CELL + 12
    parts = [
        tag(
            "ellipse",
            cx=_n(width / 2),
            cy=_n(height / 2),
            rx=_n(across + 40),
            ry=_n(down + 44),
            class_="water",
            fill="#9cc7d6",
        ),
        tag(
            "ellipse",
            cx=_n(width / 2),
            cy=_n(height / 2),
            rx=_n(across),
            ry=_n(down),
            fill="none",
            stroke="#ffffff",
            stroke_width=3,
            stroke_dasharray="3 9",
            stroke_opacity="0.8",
        ),
    ]
    for n, spot in enumerate(spots):
        angle = 2 * pi * n / count - pi / 2
        at = (width / 2 + across * cos(angle) - CELL / 2, height / 2 + down * sin(angle) - CELL / 2)
        parts.append(_spot(ground, spot, at, marks, plain=bool(ground.place.tokens), grows=True))
    return svg(width, height, *parts, class_=f"board round cols-{ceil(width / CELL)}", label=ground.title)


def _space(where: str, key: str) -> Space | None:
    kind, _, rest = where.partition(" ")
    name, _, spot = rest.partition(" ")
    if kind != "space" or name != key:
        return None
    x, _, y = spot.partition(" ")
    return int(x), int(y)


def _n(number: float) -> str:
    """A number as short as it can be written."""
    return f"{number:.1f}".rstrip("0").rstrip(".") if isinstance(number, float) else str(number)
