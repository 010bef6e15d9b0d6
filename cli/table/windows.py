"""A board of tiles that is larger than the page: a window around what matters, and the whole of it in small.

Tiles are drawn as on a smaller board, so that one thing looks the same wherever it lies.
The window lies where it shows most of what counts: the player's own piece, spaces that can
be chosen, other pieces, what is new, then as many tiles as it can. The overview has a
character for each space, and shows which part of the board the window is.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from ...interpreter.table.text import Line
from .boards import MARK, Board, Cell, Spot

SIZES = ((13, 4), (11, 4), (11, 3), (9, 3))
"""Width and height of a tile in a window, the most legible first."""
GAP = 3


@frozen
class Window:
    """A part of a board as lines, and what it leaves out, weighed."""

    lines: list[Line]
    columns: frozenset[int]
    rows: frozenset[int]
    missing: int

    @property
    def whole(self) -> bool:
        return self.missing == 0


def window(board: Board, width: int, height: int) -> Window | None:
    """The largest tiles with which all that matters is in sight, or else the smallest; None without room for any."""
    best: Window | None = None
    for wide, high in SIZES:
        found = _cut(board, width, height, wide, high)
        if found is None:
            continue
        if best is None or found.missing < best.missing:
            best = found
        if best.whole:
            break
    return best


def _cut(board: Board, width: int, height: int, wide: int, high: int) -> Window | None:
    margin = board.margin
    across, down = (width - margin) // wide, (height - 1) // high
    if across < 1 or down < 1:
        return None
    across, down = min(across, len(board.columns)), min(down, len(board.rows))
    weights = {spot: _weight(cell) for spot, cell in board.cells.items()}
    best, left, top = -1, 0, 0
    for row in range(len(board.rows) - down + 1):
        ys = set(board.rows[row : row + down])
        for column in range(len(board.columns) - across + 1):
            first = board.columns[column][0]
            seen = sum(w for (x, y), w in weights.items() if first <= x < first + across and y in ys)
            if seen > best:
                best, left, top = seen, column, row
    columns, rows = board.columns[left : left + across], board.rows[top : top + down]
    part = Board(board.cells, columns, rows, board.glyphs, board.plain)
    return Window(
        part.drawn(margin, wide, high),
        frozenset(x for x, _ in columns),
        frozenset(rows),
        sum(weights.values()) - best,
    )


def _weight(cell: Cell) -> int:
    """How much a space has to be in sight."""
    weight = 1 if cell.words or cell.ways is not None else 0
    if cell.mine:
        weight += 40
    if cell.mark:
        weight += 8
    return weight + 6 * len(cell.guests) + 3 * cell.fresh


def bands(board: Board, width: int) -> list[Line]:
    """The whole board, some columns at a time, one band under the other."""
    wide, high = SIZES[-1]
    across = max(1, (width - board.margin) // wide)
    out: list[Line] = []
    for start in range(0, len(board.columns), across):
        part = Board(
            board.cells, board.columns[start : start + across], board.rows, board.glyphs, board.plain
        )
        out += part.drawn(board.margin, wide, high)
    return out


def overview(board: Board, seen: Window) -> list[Line]:
    """The whole board with a character for each space; what the window shows is underlined by its frame."""
    return [_row(board, seen, y) for y in board.rows]


def _row(board: Board, seen: Window, y: int) -> Line:
    return Line(*_characters(board, seen, y))


def _characters(board: Board, seen: Window, y: int) -> Iterator[tuple[str, str]]:
    for x, _ in board.columns:
        inside = "" if x in seen.columns and y in seen.rows else "dim"
        yield _character(board, (x, y), inside)


def _character(board: Board, spot: Spot, style: str) -> tuple[str, str]:
    cell = board.cells.get(spot)
    if cell is None:
        return " ", ""
    if cell.guests:
        names = [guest.plain.strip("*") for guest in cell.guests]
        letter = names[0] if len(names) == 1 else ""
        shown = letter[-1] if letter[-1:].isdigit() else letter[:1]
        return (shown or "+"), "bold"
    if cell.mark:
        return "?", MARK
    return board.glyphs.tile, style
