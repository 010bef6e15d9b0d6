"""A whole table as one drawing: boards, then what lies beside them, row by row.

For books and reports, where there is no page to put sections on. Everything is placed by its
size, in a width that is given; a heap that does not fit into a row begins the next one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from attrs import frozen

from ..pages.html_page import Html, join, tag
from .dress import seat_colour
from .faces import SEATS, Face
from .html import MOST_SHOWN
from .marks import Marks
from .scene import Heap, Item, Panel, Scene
from .svg import CARD, CELL, back, board, shape, tile

NAMESPACE = "http://www.w3.org/2000/svg"
STYLE = (
    ".ring{stroke:#a11d1d;stroke-width:4}.glow{stroke-dasharray:9 6}"
    ".gap{stroke:#9a958a;stroke-width:2;stroke-dasharray:5 5}"
    "text{font-family:system-ui,'Segoe UI',Roboto,sans-serif}"
)
SMALL = 0.62
"""Tiles and cards beside a board, beside those on it."""
_FOR_PAGES = re.compile(r' (?:data-\w+|tabindex|role|aria-\w+|focusable)="[^"]*"')
"""What only pages need on which something can be touched."""
SPACE = 14


@frozen
class Block:
    """Something with a size, drawn from its upper left corner."""

    width: float
    height: float
    drawn: Html

    def at(self, x: float, y: float) -> Html:
        return tag("g", self.drawn, transform=f"translate({x:.0f} {y:.0f})")


def alone(block: Block, words: str) -> str:
    """A drawing that stands by itself, as a file or in a page."""
    head = (
        f'<svg xmlns="{NAMESPACE}" viewBox="-3 -3 {block.width + 6:.0f} {block.height + 6:.0f}" '
        f'width="{block.width + 6:.0f}" height="{block.height + 6:.0f}">'
    )
    bare = _FOR_PAGES.sub("", block.drawn)
    return f"{head}<title>{join([words])}</title><style>{STYLE}</style>{bare}</svg>"


def table(
    scene: Scene, marks: Marks, seats: Sequence[int], *, brief: bool = False, width: float = 960
) -> Block:
    """The boards, what lies beside them, and what these players have. `brief`: no piles face down, no states."""
    rows = [_board(board(ground, marks), width) for ground in scene.grounds]
    beside = [heap for heap in scene.common.heaps if (heap.items or heap.tokens if brief else not heap.empty)]
    if beside:
        rows.append(flowing([_heap(heap, marks) for heap in beside], width))
    rows += [panel(scene.panels[seat], marks, brief=brief, width=width) for seat in seats]
    return below(rows)


def panel(one: Panel, marks: Marks, *, brief: bool = False, width: float = 960) -> Block:
    """What a player has."""
    heaps = [_heap(heap, marks) for heap in one.heaps if not heap.empty]
    return (
        below([_name(one, brief), flowing(heaps, width)], 6) if heaps or not brief else Block(0, 0, Html(""))
    )


def single(item: Item, marks: Marks = Marks(open=False)) -> Block:  # noqa: B008
    """One tile or card."""
    width, height = (CELL, CELL) if item.face.ways is not None else CARD
    return Block(width, height, tile(item, marks, width, height))


# ---------------------------------------------------------------- one below the other, one beside the other
def below(blocks: Iterable[Block], space: float = SPACE) -> Block:
    parts, width, y = [], 0.0, 0.0
    for block in blocks:
        if block.height:
            y += space if y else 0
            parts.append(block.at(0, y))
            width, y = max(width, block.width), y + block.height
    return Block(width, y, join(parts))


def flowing(blocks: Iterable[Block], width: float, space: float = 2 * SPACE) -> Block:
    """Beside each other as long as there is room."""
    parts, x, y, high, wide = [], 0.0, 0.0, 0.0, 0.0
    for block in blocks:
        if x and x + block.width > width:
            x, y, high = 0.0, y + high + SPACE, 0.0
        parts.append(block.at(x, y))
        wide = max(wide, x + block.width)
        x, high = x + block.width + space, max(high, block.height)
    return Block(wide, y + high, join(parts))


def _scaled(block: Block, scale: float) -> Block:
    drawn = tag("g", block.drawn, transform=f"scale({scale:.3f})")
    return Block(block.width * scale, block.height * scale, drawn)


def _board(drawn: Html, width: float) -> Block:
    found = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', drawn)
    if found is None:  # nothing lies there yet
        return Block(0, 0, Html(""))
    wide, tall = float(found[1]), float(found[2])
    inner = Html(drawn.replace("<svg ", f'<svg width="{wide:.0f}" height="{tall:.0f}" ', 1))
    return _scaled(Block(wide, tall, inner), min(1.0, width / wide))


# ---------------------------------------------------------------- what lies beside the boards
def _words(text: str, size: int = 17, *, bold: bool = False, colour: str = "currentColor") -> Block:
    drawn = tag("text", text, x=0, y=size, font_size=size, fill=colour, font_weight="700" if bold else None)
    return Block(len(text) * size * 0.56, size * 1.3, drawn)


def _name(one: Panel, brief: bool) -> Block:
    assert one.seat is not None
    dot = Block(18, 18, tag("circle", cx=9, cy=11, r=8, fill=SEATS[seat_colour(one.seat)]))
    facts = [] if brief else [f"{fact.name} {fact.text.plain}".strip() for fact in one.facts]
    said = [_words(f"Player {one.seat}", 19, bold=True), *(_words(fact) for fact in facts)]
    return flowing([dot, *said], 960, SPACE)


def _heap(heap: Heap, marks: Marks) -> Block:
    count = f" ({heap.size})" if heap.size and heap.items else ""
    return below([_words(f"{heap.title}{count}", 16), _inside(heap, marks)], 2)


def _inside(heap: Heap, marks: Marks) -> Block:
    blocks = [_laden(item, marks) for item in heap.items[:MOST_SHOWN]]
    blocks += [_chip(face, amount) for _, face, amount in heap.tokens]
    if heap.hidden:
        blocks.append(_words(f"{heap.hidden} face down") if heap.place.tokens else _pile(heap.hidden))
    return flowing(blocks, 960, 8)


def _laden(item: Item, marks: Marks) -> Block:
    """A tile or card with what lies on it."""
    small = _scaled(single(item, marks), SMALL if item.face.ways is not None else SMALL * 0.85)
    inside = [_inside(heap, marks) for heap in item.heaps if not heap.empty]
    return below([small, *inside], 4) if inside else small


def _chip(face: Face, amount: int) -> Block:
    drawn = shape(face, 13, 14, 12)
    number = tag("text", f"{amount}", x=30, y=20, font_size=17, fill="currentColor")
    return Block(34 + 10 * len(str(amount)), 28, join((drawn, number)))


def _pile(count: int) -> Block:
    card = _scaled(Block(*CARD, back(*CARD)), 0.45)
    number = tag("text", f"× {count}", x=round(card.width) + 6, y=36, font_size=17, fill="currentColor")
    return Block(card.width + 24 + 10 * len(str(count)), card.height, join((card.drawn, number)))
