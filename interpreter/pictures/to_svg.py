"""A picture as SVG: one file that a browser, a README or a report shows as it is.

Boxes stand in columns from left to right in the order in which things lead to
each other, phases first. What nothing leads to, as endings that are tested all
the time and triggers on places, stands in a row of its own below. Pointing at a box shows its doc text; a click goes to its
line. Colours follow the reader's choice of light or dark.
"""

from __future__ import annotations

import textwrap
from html import escape
from itertools import pairwise
from string import Template

from attrs import frozen

from .layered import Layout, lay_out
from .picture import KINDS, LINES, Box, Line, Picture

CHARACTER = 6.5
"""The mean width of a character, in pixels, of the font used."""

WIDEST = 18
"""Characters in a line of a box; longer names are broken."""

_ROW = 15
_PAD = 8
_GAP = 11.0
_COLUMN = 38
_EDGE = 20

LIGHT = {
    "ink": "#20242a",
    "soft": "#68717c",
    "paper": "#fdfcf9",
    "line": "#8b929b",
    "phase": "#2f4b6e",
    "name": "#fff",
    "loop": "#dbe6f4",
    "menu": "#fdfcf9",
    "action": "#dff0df",
    "rule": "#efece4",
    "trigger": "#fbe3c8",
    "ending": "#f6d3d1",
    "place": "#e7e0f2",
    "hook": "#b0651b",
    "ask": "#2d7a3e",
}
DARK = {
    "ink": "#ece9e2",
    "soft": "#a5a9ae",
    "paper": "#191a1c",
    "line": "#7b828b",
    "phase": "#8fb3df",
    "name": "#10151c",
    "loop": "#2b3b50",
    "menu": "#191a1c",
    "action": "#243d2a",
    "rule": "#33353a",
    "trigger": "#553a1c",
    "ending": "#5a2b2b",
    "place": "#3b3150",
    "hook": "#e3a052",
    "ask": "#79c48b",
}
RULES = """
.p text{font:12px system-ui,-apple-system,"Segoe UI","Helvetica Neue","DejaVu Sans",sans-serif;fill:$ink}
.p .back{fill:$paper}
.p h1,.p .title{font-size:18px;font-weight:600}
.p .small{font-size:11px;fill:$soft}
.p .box{stroke:$line;stroke-width:1}
.p .phase .box{fill:$phase;stroke:$phase}.p .phase text{fill:$name;font-weight:600}
.p .loop .box{fill:$loop}.p .menu .box{fill:$menu;stroke-dasharray:4 3}
.p .action .box{fill:$action}.p .rule .box{fill:$rule}.p .trigger .box{fill:$trigger}
.p .ending .box{fill:$ending}.p .place .box{fill:$place}
.p a:hover .box,.p a:focus .box{stroke:$ink;stroke-width:2}
.p path.line{fill:none;stroke:$line;stroke-width:1.2}
.p path.offers,.p path.lists{stroke:$ask}
.p path.before,.p path.instead,.p path.after{stroke:$hook}
.p path.before,.p path.instead{stroke-dasharray:6 3}
.p path.next{stroke:$phase;stroke-width:2.4}
.p path.takes,.p path.puts,.p path.tests{stroke-dasharray:2 3}
.p path.against{stroke-dasharray:1 3;stroke-linecap:round;stroke-width:1.6}
.p .asks{fill:$ask}.p .asks+text{fill:$paper;font-size:9px;font-weight:700}
.p .head-line{fill:$line}.p .head-hook{fill:$hook}.p .head-ask{fill:$ask}.p .head-phase{fill:$phase}
"""


def _style() -> str:
    """The colours are written out, since not everything that shows SVG knows variables."""
    rules = Template(RULES)
    return f"{rules.substitute(LIGHT)}@media (prefers-color-scheme:dark){{{rules.substitute(DARK)}}}"


@frozen
class _Spot:
    """A box on the page, by its middle."""

    box: Box
    x: float
    y: float
    width: float
    height: float
    rows: tuple[str, ...]


def to_svg(picture: Picture, *, links: str | None = None) -> str:
    """The picture. `links` is the address that a box leads to, with `#L12` behind it; None for no links."""
    joined = {line.source for line in picture.lines} | {line.target for line in picture.lines}
    apart = [box for box in picture.boxes.values() if box.kind != "phase" and box.id not in joined]
    main = [box for box in picture.boxes.values() if box not in apart]
    spots, layout = _arrange(main, picture.lines)
    right = max((s.x + s.width / 2 for s in spots.values()), default=300.0)
    bottom = max((s.y + s.height / 2 for s in spots.values()), default=60.0)
    width = max(right + _EDGE, 640.0)
    bottom = _row_apart(apart, spots, bottom, width)
    body = [
        _line(line, spots, layout) for line in picture.lines if line.source in spots and line.target in spots
    ]
    body += [_drawn(spot, links) for spot in spots.values()]
    legend, height = _legend(picture, bottom + 34, width)
    return _page(picture.title, width, height, [*body, *legend])


# ---------------------------------------------------------------- placing
def _arrange(boxes: list[Box], lines: list[Line]) -> tuple[dict[str, _Spot], Layout]:
    ids = [box.id for box in boxes]
    rows = {box.id: _rows(box.title) for box in boxes}
    heights = {box.id: len(rows[box.id]) * _ROW + 2 * _PAD - 3.0 for box in boxes}
    edges = [
        (x.source, x.target) for x in lines if x.source in rows and x.target in rows and x.kind != "next"
    ]
    phases = [box.id for box in boxes if box.kind == "phase"]
    roomy = {n: h + 16 if n in phases else h for n, h in heights.items()}  # for the arrows between
    layout = lay_out(ids, edges, roomy, _GAP, phases)
    widths = {
        box.id: max(len(row) for row in rows[box.id]) * CHARACTER + 2 * _PAD + (8 if box.decides else 0)
        for box in boxes
    }
    wide = [0.0] * layout.layers
    for node, layer in layout.layer.items():
        wide[layer] = max(wide[layer], widths[node])
    starts = [_EDGE + sum(wide[:i]) + _COLUMN * i for i in range(layout.layers)]
    spots = {
        box.id: _Spot(
            box,
            starts[layout.layer[box.id]] + wide[layout.layer[box.id]] / 2,
            layout.y[box.id] + 62,
            wide[layout.layer[box.id]] if box.kind != "phase" else widths[box.id],
            heights[box.id],
            rows[box.id],
        )
        for box in boxes
    }
    for edge, points in layout.route.items():
        layout.route[edge] = [(round(starts[layer] + wide[layer] / 2), y + 62) for layer, y in points]
    return spots, layout


def _rows(title: str) -> tuple[str, ...]:
    return tuple(textwrap.wrap(title, WIDEST)) or ("",)


def _row_apart(apart: list[Box], spots: dict[str, _Spot], bottom: float, width: float) -> float:
    """What nothing leads to, below everything else."""
    if not apart:
        return bottom
    at, y = float(_EDGE), bottom + 48
    for box in apart:
        text = box.title
        wide = len(text) * CHARACTER + 2 * _PAD
        if at + wide > width - _EDGE and at > _EDGE:
            at, y = float(_EDGE), y + 38
        spots[box.id] = _Spot(box, at + wide / 2, y, wide, _ROW + 2 * _PAD - 3.0, (text,))
        at += wide + 14
    return y + 14


# ---------------------------------------------------------------- drawing
def _drawn(spot: _Spot, links: str | None) -> str:
    box = spot.box
    left, top = spot.x - spot.width / 2, spot.y - spot.height / 2
    radius = {"action": spot.height / 2, "loop": 8, "menu": 8, "phase": 3, "ending": 3}.get(box.kind, 2)
    if box.kind == "trigger":
        notch = 7
        shape = (
            f'<path class="box" d="M{left:.0f} {top:.0f}h{spot.width - notch:.0f}l{notch} {spot.height / 2:.1f}'
            f'l-{notch} {spot.height / 2:.1f}h-{spot.width - notch:.0f}z"/>'
        )
    else:
        shape = (
            f'<rect class="box" x="{left:.0f}" y="{top:.0f}" width="{spot.width:.0f}" '
            f'height="{spot.height:.0f}" rx="{min(radius, 16):.0f}"/>'
        )
    first = spot.y - (len(spot.rows) - 1) * _ROW / 2 + 4
    text = "".join(
        f'<text x="{spot.x:.0f}" y="{first + index * _ROW:.0f}" text-anchor="middle">{escape(row)}</text>'
        for index, row in enumerate(spot.rows)
    )
    asks = ""
    if box.decides:
        x, y = left + spot.width - 1, top + 1
        asks = (
            f'<circle class="asks" cx="{x:.0f}" cy="{y:.0f}" r="6"/>'
            f'<text x="{x:.0f}" y="{y + 3:.0f}" text-anchor="middle">?</text>'
        )
    inner = f"<title>{escape(box.note)}</title>{shape}{text}{asks}"
    if links is None:
        return f'<g class="{box.kind}">{inner}</g>'
    return f'<a class="{box.kind}" href="{escape(f"{links}#L{box.line}", quote=True)}">{inner}</a>'


def _line(line: Line, spots: dict[str, _Spot], layout: Layout) -> str:
    a, b = spots[line.source], spots[line.target]
    edge = (line.source, line.target)
    classes = f"line {line.kind}"
    if line.kind == "next":
        d = f"M{a.x:.0f} {a.y + a.height / 2:.0f}L{b.x:.0f} {b.y - b.height / 2 - 1:.0f}"
        if abs(a.x - b.x) > 4 or b.y < a.y:
            d = _curve([(a.x, a.y + a.height / 2), (b.x, b.y - b.height / 2 - 1)], upright=True)
    elif line.source == line.target:
        x, y = a.x + a.width / 2, a.y
        d = f"M{x:.0f} {y - 5:.0f}c22 -14 22 24 0 {10}"
    else:
        back = edge in layout.against
        side = -1 if back else 1
        start = (a.x + side * a.width / 2, a.y)
        end = (b.x - side * (b.width / 2 + 1), b.y)
        points = [start, *layout.route.get(edge, []), end]
        d = _curve(points)
        classes += " against" if back else ""
    words = f"{spots[line.source].box.title} {LINES[line.kind]}: {spots[line.target].box.title}"
    return f'<path class="{classes}" d="{d}" marker-end="url(#{_arrow(line.kind)})"><title>{escape(words)}</title></path>'


def _arrow(kind: str) -> str:
    if kind in ("before", "instead", "after"):
        return "hook"
    return {"offers": "ask", "lists": "ask", "next": "then"}.get(kind, "plain")


def _curve(points: list[tuple[float, float]], *, upright: bool = False) -> str:
    """A smooth line through points, level at each of them."""
    d = f"M{points[0][0]:.0f} {points[0][1]:.1f}"
    for (x1, y1), (x2, y2) in pairwise(points):
        if upright:
            middle = (y1 + y2) / 2
            d += f"C{x1:.0f} {middle:.1f} {x2:.0f} {middle:.1f} {x2:.0f} {y2:.1f}"
        else:
            middle = (x1 + x2) / 2
            d += f"C{middle:.0f} {y1:.1f} {middle:.0f} {y2:.1f} {x2:.0f} {y2:.1f}"
    return d


def _legend(picture: Picture, top: float, width: float) -> tuple[list[str], float]:
    """What the boxes and lines mean, of the kinds that are there."""
    out = []
    at, y = float(_EDGE), top
    kinds = {box.kind for box in picture.boxes.values()}
    entries: list[tuple[str, str, str]] = [("box", k, w) for k, w in KINDS.items() if k in kinds]
    if any(box.decides for box in picture.boxes.values()):
        entries.append(("asks", "", "somebody decides"))
    used = {line.kind for line in picture.lines}
    shown = {
        "calls": ("opens", "calls"),
        "offers": ("offers", "lists"),
        "after": ("after",),
        "before": ("before", "instead"),
        "next": ("next",),
        "takes": ("takes", "puts", "tests"),
    }
    words = {
        "calls": "leads to",
        "offers": "offers",
        "after": "triggers, after it",
        "before": "triggers, before or instead of it",
        "next": "next phase",
        "takes": "touches",
    }
    entries += [("line", kind, words[kind]) for kind, members in shown.items() if used & set(members)]
    for sort, kind, text in entries:
        wide = 30 + len(text) * 6.2 + 22
        if at + wide > width:
            at, y = float(_EDGE), y + 22
        if sort == "box":
            radius = 7 if kind in ("action", "loop", "menu") else 2
            out.append(
                f'<g class="{kind}"><rect class="box" x="{at:.0f}" y="{y - 10:.0f}" width="24" height="14" rx="{radius}"/></g>'
            )
        elif sort == "asks":
            out.append(
                f'<circle class="asks" cx="{at + 16:.0f}" cy="{y - 3:.0f}" r="6"/>'
                f'<text x="{at + 16:.0f}" y="{y:.0f}" text-anchor="middle">?</text>'
            )
        else:
            out.append(
                f'<path class="line {kind}" d="M{at:.0f} {y - 3:.0f}h22" marker-end="url(#{_arrow(kind)})"/>'
            )
        out.append(f'<text class="small" x="{at + 30:.0f}" y="{y + 1:.0f}">{escape(text)}</text>')
        at += wide
    return out, y + 18


def _page(title: str, width: float, height: float, parts: list[str]) -> str:
    markers = "".join(
        f'<marker id="{name}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto" '
        f'markerUnits="userSpaceOnUse"><path d="M0 0L8 4L0 8z" class="head-{colour}"/></marker>'
        for name, colour in (("plain", "line"), ("hook", "hook"), ("ask", "ask"), ("then", "phase"))
    )
    inner = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="p" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-label="The rules of {escape(title, quote=True)} as a graph">\n'
        f"<style>{_style()}</style>\n<defs>{markers}</defs>\n"
        f'<rect class="back" width="{width:.0f}" height="{height:.0f}"/>\n'
        f'<text class="title" x="{_EDGE}" y="32">{escape(title)}</text>\n{inner}\n</svg>\n'
    )
