"""Plots as SVG, for pages that need nothing else: histograms, bars, intervals and curves.

Each function gives one `<svg>` with a title and a description for those who do
not see it. Colours are the page's own variables, with fallbacks, so a plot follows
light and dark; series differ in shape as well as in colour. Numbers keep two
decimals of a pixel, so equal data give equal text.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import ceil, floor, inf, log10, sqrt

from attrs import frozen

from ..pages.html_page import Html

WIDTH, HEIGHT = 560, 300
LEFT, RIGHT, TOP, BOTTOM = 56, 16, 36, 44

INK, SOFT, LINE = "var(--ink,#1d2125)", "var(--soft,#5b6570)", "var(--line,#d8d2c4)"
SERIES = (
    "var(--plot1,#b4572f)", "var(--plot2,#2f6db4)", "var(--plot3,#3f7d3a)",
    "var(--plot4,#7d4fa3)", "var(--plot5,#8a6d00)", "var(--plot6,#5b6570)",
)  # fmt: skip
STYLE = """
:root{--plot1:#b4572f;--plot2:#2f6db4;--plot3:#3f7d3a;--plot4:#7d4fa3;--plot5:#8a6d00;--plot6:#5b6570}
@media (prefers-color-scheme:dark){:root{--plot1:#e08a5f;--plot2:#7fb0e8;--plot3:#86c780;--plot4:#c39be0;
--plot5:#d9bd5c;--plot6:#a9a59b}}
.plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(26rem,100%),1fr));gap:1rem;align-items:start}
.plots figure{margin:0;max-width:44rem;background:var(--card);border-radius:6px;padding:.6rem}
.plots svg{width:100%;display:block}
"""
"""For the page that holds plots."""

_DASHES = ("", "6 3", "2 3", "8 3 2 3", "1 2", "10 4")


@frozen
class Bar:
    """A value with its interval; without one, low and high are None."""

    label: str
    value: float
    low: float | None = None
    high: float | None = None


@frozen
class Dot:
    x: float
    y: float
    low: float
    high: float


# ---------------------------------------------------------------- axes
def ticks(low: float, high: float, wanted: int = 5) -> list[float]:
    """Round numbers that cover a range."""
    if high <= low:
        high = low + 1
    rough = (high - low) / max(1, wanted)
    size = 10 ** floor(log10(rough))
    step = next(size * m for m in (1, 2, 2.5, 5, 10) if size * m >= rough * (1 - 1e-9))
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    return [round(n * step, 10) for n in range(first, last + 1)]


def _text(value: float, *, percent: bool) -> str:
    if percent:
        return f"{value * 100:.6g} %"
    return f"{value:,.10g}"


@frozen
class Scale:
    """From numbers to pixels."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        span = self.high - self.low or 1
        value = min(max(value, self.low), self.high)
        return self.start + (value - self.low) / span * (self.end - self.start)


def _n(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _label(
    x: float, y: float, text: str, anchor: str = "middle", *, size: int = 12, colour: str = SOFT
) -> str:
    return f'<text x="{_n(x)}" y="{_n(y)}" text-anchor="{anchor}" font-size="{size}" fill="{colour}">{escape(text)}</text>'


def _rule(
    x1: float, y1: float, x2: float, y2: float, colour: str = LINE, *, width: float = 1, dash: str = ""
) -> str:
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return (
        f'<line x1="{_n(x1)}" y1="{_n(y1)}" x2="{_n(x2)}" y2="{_n(y2)}" stroke="{colour}" '
        f'stroke-width="{_n(width)}"{dashes}/>'
    )


def picture(title: str, description: str, parts: Sequence[str], height: float = HEIGHT) -> Html:
    heading = _label(LEFT, 20, title, "start", size=14, colour=INK)
    return Html(
        f'<svg viewBox="0 0 {WIDTH} {_n(height)}" role="img" xmlns="http://www.w3.org/2000/svg" '
        f'font-family="system-ui,sans-serif"><title>{escape(title)}</title><desc>{escape(description)}</desc>'
        f"{heading}{''.join(parts)}</svg>"
    )


def _y_axis(scale: Scale, marks: Sequence[float], *, percent: bool) -> list[str]:
    out = []
    for mark in marks:
        y = scale(mark)
        out += [
            _rule(LEFT, y, WIDTH - RIGHT, y),
            _label(LEFT - 6, y + 4, _text(mark, percent=percent), "end"),
        ]
    return out


def _legend(names: Sequence[str], y: float) -> list[str]:
    out, x = [], float(LEFT)
    for number, name in enumerate(names):
        colour = SERIES[number % len(SERIES)]
        out.append(f'<rect x="{_n(x)}" y="{_n(y - 9)}" width="12" height="10" fill="{colour}"/>')
        out.append(_label(x + 17, y, name, "start"))
        x += 17 + 7 * len(name) + 18
    return out


# ---------------------------------------------------------------- histograms
def bins(samples: Sequence[Sequence[float]], most: int = 24) -> list[float]:
    """Edges of bins, the same for all samples. Whole numbers get bins of whole numbers."""
    values = [v for sample in samples for v in sample]
    low, high = min(values), max(values)
    if all(float(v).is_integer() for v in values):
        step = max(1, ceil((high - low + 1) / most))
        start = floor(low / step) * step
        return [start + step * n - 0.5 for n in range(int((high - start) // step) + 2)]
    if high == low:
        return [low - 0.5, low + 0.5]
    count = min(most, max(5, ceil(sqrt(len(values)))))
    return [low + (high - low) * n / count for n in range(count + 1)]


def reach(samples: Sequence[Sequence[float]]) -> float:
    """Where a histogram ends: at the largest value, unless a few far out would squeeze all the others."""
    values = sorted(v for sample in samples for v in sample)
    low, high = values[0], values[-1]
    nearly_all = values[min(len(values) - 1, int(len(values) * 0.99))]
    return nearly_all if high - low > 2 * (nearly_all - low) > 0 else high


def histogram(
    title: str, samples: Sequence[tuple[str, Sequence[float]]], *, unit: str = "", percent: bool = False
) -> Html:
    """How values are spread; several samples stand side by side in each bin, as shares of their games."""
    full = [(name, values) for name, values in samples if values]
    if not full:
        return picture(title, "no values", [])
    end = reach([values for _, values in full])
    edges = bins([[min(value, end) for value in values] for _, values in full])
    beyond = any(value > edges[-1] for _, values in full for value in values)
    heights = []
    for _, values in full:
        counts = [0] * (len(edges) - 1)
        for value in values:
            at = min(len(counts) - 1, max(0, int((value - edges[0]) / (edges[1] - edges[0]))))
            counts[at] += 1
        heights.append([count / len(values) for count in counts])
    marks = ticks(0, max(map(max, heights)))
    bottom = HEIGHT - BOTTOM - (18 if len(full) > 1 else 0)
    y = Scale(0, marks[-1], bottom, TOP)
    x = Scale(edges[0], edges[-1], LEFT, WIDTH - RIGHT)
    parts = _y_axis(y, marks, percent=True)
    for at in range(len(edges) - 1):
        left, right = x(edges[at]), x(edges[at + 1])
        width = (right - left - 1) / len(full)
        for number, shares in enumerate(heights):
            if shares[at]:
                low, high = _edge(edges[at], edges[at + 1])
                tip = f"{low} to {high}" if low != high else low
                if beyond and at == len(edges) - 2:
                    tip = f"{low} and more"
                parts.append(
                    f'<rect x="{_n(left + 0.5 + number * width)}" y="{_n(y(shares[at]))}" width="{_n(max(0.5, width))}" '
                    f'height="{_n(bottom - y(shares[at]))}" fill="{SERIES[number % len(SERIES)]}">'
                    f"<title>{escape(tip)}: {shares[at] * 100:.1f} %</title></rect>"
                )
    parts += [
        _label(x(mark), bottom + 16, _text(mark, percent=percent))
        for mark in ticks(edges[0], edges[-1], 7)
        if edges[0] <= mark <= edges[-1]
    ]
    note = f"{unit} (the last bar: all beyond, up to {max(max(v) for _, v in full):,g})" if beyond else unit
    parts.append(_label((LEFT + WIDTH - RIGHT) / 2, bottom + 33, note))
    if len(full) > 1:
        parts += _legend([name for name, _ in full], HEIGHT - 6)
    words = "; ".join(
        f"{name}: {len(values)} values from {min(values):g} to {max(values):g}" for name, values in full
    )
    return picture(title, words, parts)


def _edge(low: float, high: float) -> tuple[str, str]:
    if low % 1 == 0.5 and high % 1 == 0.5:  # whole numbers
        return f"{low + 0.5:g}", f"{high - 0.5:g}"
    return f"{low:.4g}", f"{high:.4g}"


# ---------------------------------------------------------------- bars
def bars(
    title: str,
    groups: Sequence[tuple[str, Sequence[Bar]]],
    *,
    percent: bool = True,
    reference: float | None = None,
    reference_label: str = "",
) -> Html:
    """A bar with its interval for each value; several groups stand side by side under the same labels."""
    labels = list(dict.fromkeys(bar.label for _, group in groups for bar in group))
    tops = [bar.high if bar.high is not None else bar.value for _, group in groups for bar in group]
    marks = ticks(0, max([*tops, reference or 0, 1e-9]))
    bottom = HEIGHT - BOTTOM - (18 if len(groups) > 1 else 0)
    y = Scale(0, marks[-1], bottom, TOP)
    parts = _y_axis(y, marks, percent=percent)
    slot = (WIDTH - LEFT - RIGHT) / max(1, len(labels))
    width = min(48.0, slot * 0.8 / max(1, len(groups)))
    for number, (name, group) in enumerate(groups):
        for bar in group:
            middle = LEFT + slot * (labels.index(bar.label) + 0.5) + width * (number - (len(groups) - 1) / 2)
            tip = f"{name} {bar.label}: {_text(round(bar.value, 4), percent=percent)}".strip()
            parts.append(
                f'<rect x="{_n(middle - width / 2 + 1)}" y="{_n(y(bar.value))}" width="{_n(width - 2)}" '
                f'height="{_n(bottom - y(bar.value))}" fill="{SERIES[number % len(SERIES)]}"><title>{escape(tip)}</title></rect>'
            )
            if bar.low is not None and bar.high is not None:
                parts += _whisker_up(middle, y(bar.low), y(bar.high))
    for at, label in enumerate(labels):
        parts.append(_label(LEFT + slot * (at + 0.5), bottom + 16, label))
    if reference is not None:
        parts.append(_rule(LEFT, y(reference), WIDTH - RIGHT, y(reference), INK, dash="5 4"))
        parts.append(_rule(WIDTH - RIGHT - 24, 16, WIDTH - RIGHT, 16, INK, dash="5 4"))
        parts.append(_label(WIDTH - RIGHT - 30, 20, reference_label, "end"))
    if len(groups) > 1:
        parts += _legend([name for name, _ in groups], HEIGHT - 6)
    words = "; ".join(
        f"{name} {bar.label} {_text(round(bar.value, 4), percent=percent)}".strip()
        for name, group in groups
        for bar in group
    )
    return picture(title, words, parts)


def _whisker_up(x: float, low: float, high: float) -> list[str]:
    return [
        _rule(x, low, x, high, INK, width=1.5),
        _rule(x - 4, low, x + 4, low, INK, width=1.5),
        _rule(x - 4, high, x + 4, high, INK, width=1.5),
    ]


def lying_bars(title: str, items: Sequence[Bar], *, percent: bool = False, unit: str = "") -> Html:
    """Long lists of names with a bar each: one to a line."""
    row, name_width = 18, 190
    height = TOP + row * len(items) + 30
    marks = ticks(0, max([bar.value for bar in items] + [1e-9]))
    x = Scale(0, marks[-1], name_width, WIDTH - 60)
    parts = []
    for mark in marks:
        parts.append(_rule(x(mark), TOP - 4, x(mark), height - 26))
        parts.append(_label(x(mark), height - 12, _text(mark, percent=percent), size=11))
    for at, bar in enumerate(items):
        y = TOP + row * at
        value = _text(round(bar.value, 4), percent=percent)
        name = bar.label if len(bar.label) <= 28 else bar.label[:27] + "…"
        parts.append(_label(name_width - 6, y + 11, name, "end", colour=INK))
        parts.append(
            f'<rect x="{name_width}" y="{_n(y + 1)}" width="{_n(max(0, x(bar.value) - name_width))}" height="12" '
            f'fill="{SERIES[0]}"><title>{escape(bar.label)}: {value}</title></rect>'
        )
        parts.append(_label(x(bar.value) + 4, y + 11, value, "start", size=11))
    return picture(title, f"{unit} of {len(items)} items", parts, height)


# ---------------------------------------------------------------- intervals and curves
def intervals(title: str, items: Sequence[Bar], *, told: Sequence[bool] = (), unit: str = "") -> Html:
    """Differences with their intervals around zero, one to a line; those that are told are filled."""
    row, name_width = 24, 210
    height = TOP + row * len(items) + 44
    bounds = [abs(v) for bar in items for v in (bar.low, bar.high) if v is not None and abs(v) != inf]
    reach = max([*bounds, 1e-9])
    marks = ticks(-reach, reach, 6)
    x = Scale(marks[0], marks[-1], name_width, WIDTH - RIGHT)
    parts = []
    for mark in marks:
        parts.append(_rule(x(mark), TOP - 4, x(mark), height - 40, INK if mark == 0 else LINE))
        parts.append(_label(x(mark), height - 24, f"{mark:+g}" if mark else "0", size=11))
    for at, bar in enumerate(items):
        y = TOP + row * at + 8
        low, high = (
            (bar.low if bar.low is not None else bar.value),
            (bar.high if bar.high is not None else bar.value),
        )
        name = bar.label if len(bar.label) <= 31 else bar.label[:30] + "…"
        certain = bool(told[at]) if told else False
        parts.append(_label(name_width - 8, y + 4, name, "end", colour=INK))
        parts.append(_rule(x(low), y, x(high), y, SERIES[0], width=3 if certain else 1.5))
        parts.append(
            f'<circle cx="{_n(x(bar.value))}" cy="{_n(y)}" r="5" stroke="{SERIES[0]}" stroke-width="2" '
            f'fill="{SERIES[0] if certain else "var(--card,#f3f0e8)"}"><title>{escape(bar.label)}: {bar.value:+.4g} '
            f"({low:+.4g} to {high:+.4g})</title></circle>"
        )
    parts.append(_label((name_width + WIDTH - RIGHT) / 2, height - 6, unit))
    words = "; ".join(f"{b.label} {b.value:+.3g}" for b in items)
    return picture(title, words, parts, height)


def lines(
    title: str,
    series: Sequence[tuple[str, Sequence[Dot]]],
    *,
    x_label: str = "",
    percent: bool = False,
    names: Sequence[str] | None = None,
) -> Html:
    """Curves with their intervals as bands. `names` label the places 0, 1, 2... where x is not a number."""
    dots = [dot for _, curve in series for dot in curve]
    if not dots:
        return picture(title, "no values", [])
    finite = [v for d in dots for v in (d.low, d.high, d.y) if abs(v) != inf]
    marks = ticks(min(finite), max(finite))
    bottom = HEIGHT - BOTTOM - (18 if len(series) > 1 else 0)
    y = Scale(marks[0], marks[-1], bottom, TOP)
    xs = sorted({dot.x for dot in dots})
    pad = (xs[-1] - xs[0]) * 0.04 or 0.5
    x = Scale(xs[0] - pad, xs[-1] + pad, LEFT, WIDTH - RIGHT)
    parts = _y_axis(y, marks, percent=percent)
    for number, (name, curve) in enumerate(series):
        colour = SERIES[number % len(SERIES)]
        band = [f"{_n(x(d.x))},{_n(y(d.high))}" for d in curve]
        band += [f"{_n(x(d.x))},{_n(y(d.low))}" for d in reversed(curve)]
        parts.append(f'<polygon points="{" ".join(band)}" fill="{colour}" fill-opacity="0.22"/>')
        dash = _DASHES[number % len(_DASHES)]
        path = " ".join(f"{_n(x(d.x))},{_n(y(d.y))}" for d in curve)
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dashes}/>')
        for d in curve:
            tip = f"{name} {d.x:g}: {_text(round(d.y, 4), percent=percent)}".strip()
            parts.append(
                f'<circle cx="{_n(x(d.x))}" cy="{_n(y(d.y))}" r="3.5" fill="{colour}"><title>{escape(tip)}</title></circle>'
            )
    if names is not None:
        parts += [_label(x(at), bottom + 16, name) for at, name in enumerate(names)]
    else:
        places = xs if len(xs) <= 12 else [m for m in ticks(xs[0], xs[-1], 8) if xs[0] <= m <= xs[-1]]
        parts += [_label(x(place), bottom + 16, f"{place:g}") for place in places]
    parts.append(_label((LEFT + WIDTH - RIGHT) / 2, bottom + 33, x_label))
    if len(series) > 1:
        parts += _legend([name for name, _ in series], HEIGHT - 6)
    words = "; ".join(f"{name} from {c[0].y:.4g} to {c[-1].y:.4g}".strip() for name, c in series if c)
    return picture(title, words, parts)
