"""What generated code calls: effects on places that are more than a line.

Generated code works on the bare state: `I`, the numbers, and `L`, the lists of places (program/layout.py says what lies
where), and hands both on. Each function here does one thing to them and keeps what hangs together in step:
a component is in one list, and its `where` names that list; a deck has beside its own list those of its known ends,
each with who has seen what. Nothing here knows a game. What the rules did not foresee is raised as `Failure` with the
number of a place in the spec, of which play/engine.py makes a diagnostic; `Over` drops whatever is under
way when the match ends.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NoReturn

from ..program.layout import DECK_LISTS, GROWN_WIDTH
from .several import next_members, subsets, subsets_from
from .vector_plans import (
    dealt_plan,
    fitting_options,
    narrowed_cells,
    plan_options,
    plan_possible,
    plan_witness,
    vector_plan,
    vector_value,
    within_sets,
)

if TYPE_CHECKING:
    from ..core.randomness import Generator


class Over(Exception):
    """Raised to drop everything when the game ends."""


class Failure(Exception):
    """Something that the rules did not foresee, at a place in the spec."""

    def __init__(self, code: str, span: int, *values: Any) -> None:
        super().__init__(code)
        self.code = code
        self.span = span
        self.values = values


def fail(code: str, span: int, *values: Any) -> NoReturn:
    raise Failure(code, span, *values)


def some(value: int, span: int) -> int:
    if value < 0:
        raise Failure("D0910", span)
    return value


def foremost(values: Sequence[int], amount: int, span: int) -> Sequence[int]:
    if not 0 <= amount <= len(values):
        raise Failure("D0901", span, amount, len(values))
    return values[:amount]


def the_one(value: int, span: int) -> int:
    if value < 0:
        raise Failure("D0909", span, 0)
    return value


def ranged(value: int, low: int, high: int, span: int) -> int:
    if not low <= value <= high:
        raise Failure("D0902", span, value, low, high)
    return value


def ranged_or_none(value: int, low: int, high: int, span: int) -> int:
    return value if value == -1 else ranged(value, low, high, span)


def mask_of(values: Iterable[int], low: int, high: int, span: int) -> int:
    mask = 0
    for value in values:
        mask |= 1 << ranged(value, low, high, span)
    return mask


def tuple_of(values: Iterable[int], low: int, high: int, span: int) -> tuple[int, ...]:
    return tuple([ranged(value, low, high, span) for value in values])


def divided(a: int, b: int, span: int) -> int:
    if b == 0:
        raise Failure("D0912", span)
    return a // b


def bits(mask: int) -> list[int]:
    out = []
    while mask:
        low = mask & -mask
        out.append(low.bit_length() - 1)
        mask ^= low
    return out


BITS = tuple(tuple(i for i in range(10) if m >> i & 1) for m in range(1024))


def _rotated(mask: int, turn: int) -> int:
    shift = 2 * turn
    return ((mask << shift) | (mask >> (8 - shift))) & 255


ROTATED = tuple(tuple(_rotated(m, r) for m in range(256)) for r in range(4))


def space_at(x: int, y: int, width: int, height: int, span: int) -> int:
    if not (1 <= x <= width and 1 <= y <= height):
        raise Failure("D0910", span, "there is no such space on the board")
    return (y - 1) * width + x - 1


# ---------------------------------------------------------------- grids
_ORTHOGONAL = ((0, 1), (2, GROWN_WIDTH), (4, -1), (6, -GROWN_WIDTH))


class Grown:
    """A grid that grows: what lies where, and the empty spaces beside something."""

    __slots__ = ("cells", "edge", "sorted_edge")

    def __init__(self, cells: dict[int, int] | None = None, edge: dict[int, int] | None = None) -> None:
        self.cells: dict[int, int] = cells if cells is not None else {}
        self.edge: dict[int, int] = edge if edge is not None else {}
        self.sorted_edge: tuple[int, ...] | None = None

    def copy(self) -> Grown:
        twin = Grown(self.cells.copy(), self.edge.copy())
        twin.sorted_edge = self.sorted_edge
        return twin

    def put(self, space: int, comp: int) -> None:
        cells, edge = self.cells, self.edge
        cells[space] = comp
        edge.pop(space, None)
        for _, step in _ORTHOGONAL:
            beside = space + step
            if beside not in cells:
                edge[beside] = edge.get(beside, 0) + 1
        self.sorted_edge = None

    def take(self, space: int) -> None:
        cells, edge = self.cells, self.edge
        del cells[space]
        around = 0
        for _, step in _ORTHOGONAL:
            beside = space + step
            if beside in cells:
                around += 1
            elif edge[beside] == 1:
                del edge[beside]
            else:
                edge[beside] -= 1
        if around:
            edge[space] = around
        self.sorted_edge = None


def frontier(grown: Grown) -> tuple[int, ...]:
    if grown.sorted_edge is None:
        grown.sorted_edge = tuple(sorted(grown.edge))
    return grown.sorted_edge


def frontier_without(grown: Grown, space: int) -> tuple[int, ...]:
    """The frontier as it would be with one thing lifted."""
    lifted = grown.copy()
    lifted.take(space)
    return tuple(sorted(lifted.edge))


def beside_grown(grown: Grown, space: int) -> int:
    cells = grown.cells
    return sum(1 << d for d, step in _ORTHOGONAL if space + step in cells)


def beside(tables: Sequence[Sequence[int]], I: list[int], base: int, space: int) -> int:
    return sum(1 << d for d in (0, 2, 4, 6) if tables[d][space] >= 0 and I[base + tables[d][space]] != -1)


def bounded_frontier(
    tables: Sequence[Sequence[int]], I: list[int], base: int, size: int, lifted: int = -1
) -> tuple[int, ...]:
    """The empty spaces beside something; `lifted` is a space that counts as empty, or -1."""
    taken = {s for s in range(size) if I[base + s] != -1 and s != lifted}
    beside_it = (
        s for s in range(size) if s not in taken and any(tables[d][s] in taken for d in (0, 2, 4, 6))
    )
    return tuple(beside_it)


def near_grown(space: int, reach: int) -> tuple[int, ...]:
    """The spaces of a grid that grows so many steps away at most."""
    if space < 0:
        return ()
    return tuple(
        space + dx * GROWN_WIDTH + dy
        for dx in range(-reach, reach + 1)
        for dy in range(abs(dx) - reach, reach - abs(dx) + 1)
    )


def grown_distance(a: int, b: int) -> int:
    return abs(a // GROWN_WIDTH - b // GROWN_WIDTH) + abs(a % GROWN_WIDTH - b % GROWN_WIDTH)


# ---------------------------------------------------------------- decks
def take_from_deck(L: list[list[int]], p: int, c: int) -> None:
    cards = L[p]
    index = bisect_left(cards, c)
    if index < len(cards) and cards[index] == c:
        del cards[index]
        if L[p + 6]:
            L[p + 6] = [max(0, depth - 1) for depth in L[p + 6]]
        return
    for known, *beside_it in ((p + 1, p + 3), (p + 2, p + 4), (p + 5, p + 6, p + 7)):
        if c in L[known]:
            index = L[known].index(c)
            for n in (known, *beside_it):
                del L[n][index]
            return


def put_at_depth(L: list[list[int]], p: int, c: int, position: int, viewers: int) -> None:
    """So that it is the card number `position` from the top; that one lies there is public."""
    top, unknown, deep = L[p + 1], L[p], L[p + 5]
    above = max(0, position - 1)
    if above <= len(top):
        place = len(top) - above
        top.insert(place, c)
        L[p + 3].insert(place, viewers)
        return
    above -= len(top)
    if above <= len(unknown) + len(deep):
        # a depth counts the cards above whose place is not known
        place = 0
        while place < len(deep) and L[p + 6][place] + place < above:
            place += 1
        deep.insert(place, c)
        L[p + 6].insert(place, above - place)
        L[p + 7].insert(place, viewers)
        return
    place = above - len(unknown) - len(deep)
    L[p + 2].insert(place, c)
    L[p + 4].insert(place, viewers)


def deck_cards(L: list[list[int]], p: int) -> list[int]:
    return [*L[p + 1][::-1], *L[p], *L[p + 5], *L[p + 2]]


def deck_top(L: list[list[int]], p: int) -> int:
    """The top card if its place is known (it was put or seen there, or put deeper and has come up), or none."""
    if L[p + 1]:
        return L[p + 1][-1]
    if L[p + 5] and (L[p + 6][0] == 0 or not L[p]):
        return L[p + 5][0]
    return L[p + 2][0] if L[p + 2] and not L[p] else -1


def deck_bottom(L: list[list[int]], p: int) -> int:
    """The bottom card if its place is known, or none."""
    if L[p + 2]:
        return L[p + 2][-1]
    if L[p + 5] and L[p + 6][-1] == len(L[p]):
        return L[p + 5][-1]
    return L[p + 1][0] if L[p + 1] and not L[p] and not L[p + 5] else -1


def clear_deck(L: list[list[int]], p: int) -> None:
    for n in range(DECK_LISTS):
        L[p + n] = []


def shuffle(I: list[int], L: list[list[int]], where: int, src: int, dest: int, deck: bool) -> None:
    """All of `src`, and what is known of `dest`, into the unknown part of `dest`."""
    cards = deck_cards(L, src) if deck else list(L[src])
    if src != dest:
        cards += deck_cards(L, dest)
        if deck:
            clear_deck(L, src)
        else:
            L[src] = []
    clear_deck(L, dest)
    L[dest] = sorted(cards)
    for c in cards:
        I[where + c] = dest


def deck_outcomes(L: list[list[int]], p: int) -> tuple[Sequence[int], Sequence[int]]:
    if L[p + 1]:
        return (L[p + 1][-1],), (1,)
    return below_known_top(L, p)


def below_known_top(L: list[list[int]], p: int) -> tuple[Sequence[int], Sequence[int]]:
    if L[p + 5] and (L[p + 6][0] == 0 or not L[p]):
        return (L[p + 5][0],), (1,)
    if L[p]:
        return some_outcomes(L[p])
    return (L[p + 2][0],), (1,)


def some_outcomes(cards: Sequence[int]) -> tuple[Sequence[int], Sequence[int]]:
    """One of these, each equally likely. Copies are each their own: if the lowest of them always came
    first, its number would tell whoever draws the next one that it is gone."""
    return sorted(cards), (1,) * len(cards)


def some_draw(rng: Generator, cards: Sequence[int]) -> int:
    """What `settle` would pick from `some_outcomes` of these sorted cards, without listing them."""
    return cards[0] if len(cards) == 1 else cards[rng.below(len(cards))]


def deck_draw(rng: Generator, L: list[list[int]], p: int) -> int:
    if L[p] and not L[p + 1] and not L[p + 5]:
        return some_draw(rng, L[p])
    options, weights = deck_outcomes(L, p)
    return int(rng.settle(options, weights))


def alike_now(
    I: list[int], cards: Sequence[int], rows: Sequence[int], marks: tuple[Any, Any]
) -> Sequence[int]:
    """The printed row of each copy, unless something tells one of these cards apart: then each is its own."""
    kept, holding = marks
    for offset, first in kept:
        if I[offset : offset + len(rows)].count(first) != len(rows):
            for c in cards:
                if I[offset + c] != first:
                    return range(len(rows))
    for held in holding:
        if I[held] in cards:
            return range(len(rows))
    return rows


def token_draw(rng: Generator, I: list[int], place: int, kinds: int) -> int:
    counts = I[place : place + kinds]
    total = sum(counts)
    if max(counts) == total:
        return counts.index(total)
    ticket = rng.below(total)
    for kind, count in enumerate(counts):
        if ticket < count:
            return kind
        ticket -= count
    raise AssertionError


def one_of(rng: Generator, options: Sequence[int]) -> int:
    return options[0] if len(options) == 1 else options[rng.below(len(options))]


def token_outcomes(I: list[int], place: int, kinds: int) -> tuple[Sequence[int], Sequence[int]]:
    options = [k for k in range(kinds) if I[place + k]]
    return options, [I[place + k] for k in options]


def peek_one(L: list[list[int]], p: int, c: int) -> None:
    """A card turns out to be the next one below those that are known to lie on top."""
    viewers = 0
    for known, masks in ((p + 5, p + 7), (p + 2, p + 4)):
        if c in L[known]:
            viewers = L[masks][L[known].index(c)]
    take_from_deck(L, p, c)
    L[p + 1].insert(0, c)
    L[p + 3].insert(0, viewers)


def peek_show(L: list[list[int]], p: int, amount: int, viewers: int) -> None:
    masks = L[p + 3]
    for index in range(max(0, len(masks) - amount), len(masks)):
        masks[index] |= viewers


# ---------------------------------------------------------------- whole places
def put_anywhere(L: list[list[int]], shapes: Sequence[str], dest: int, c: int) -> bool:
    """Into a place that is known by a name only; False if there is no room."""
    if shapes[dest] == "bag":
        insort(L[dest], c)
    elif shapes[dest] == "slot" and L[dest]:
        return False
    else:
        L[dest].append(c)
    return True


def move_everything(I: list[int], L: list[list[int]], where: int, src: int, dest: int) -> None:
    """A whole deck to another place."""
    cards = deck_cards(L, src)
    clear_deck(L, src)
    L[dest] = sorted([*L[dest], *cards])
    for c in cards:
        I[where + c] = dest


def swap_slices(I: list[int], a: int, b: int, width: int) -> None:
    I[a : a + width], I[b : b + width] = I[b : b + width], I[a : a + width]


def swap_places(I: list[int], L: list[list[int]], where: int, a: int, b: int) -> None:
    L[a], L[b] = L[b], L[a]
    for place in (a, b):
        for c in L[place]:
            I[where + c] = place


def list_with(L: list[list[int]], place: int, c: int, cells: Any) -> list[int]:
    """The list of a place in which a component is: a deck has several."""
    parts = cells.get(("lists", place), (0,))
    return next(L[place + part] for part in parts if c in L[place + part])


def swap_comps(
    I: list[int],
    L: list[list[int]],
    G: list[Grown],
    where: int,
    cell: int,
    turned: int,
    a: int,
    b: int,
    cells: Any,
) -> None:
    """Two components change places; each takes the other's position."""
    pa, pb = I[where + a], I[where + b]
    if a == b:
        return
    la, lb = (list_with(L, place, c, cells) for place, c in ((pa, a), (pb, b)))
    ia, ib = la.index(a), lb.index(b)
    la[ia], lb[ib] = b, a
    I[where + a], I[where + b] = pb, pa
    if cell >= 0:
        I[cell + a], I[cell + b] = I[cell + b], I[cell + a]
        I[turned + a], I[turned + b] = I[turned + b], I[turned + a]
        for c in (a, b):
            spot = cells.get(I[where + c])
            if spot is not None and I[cell + c] >= 0:
                kind, offset = spot
                if kind == "grown":
                    G[offset].cells[I[cell + c]] = c
                else:
                    I[offset + I[cell + c]] = c
    for place in {pa, pb}:
        if cells.get(("sorted", place)):
            L[place].sort()


def note(I: list[int], count: int, limit: int, parts: Any, span: int) -> int:
    """The row of a record that equals this one, added if there is none."""
    rows = I[count]
    for row in range(rows):
        if all(
            tuple(I[base + row * width : base + (row + 1) * width]) == tuple(value)
            for base, width, value in parts
        ):
            return row
    if rows >= limit:
        raise Failure("D0906", span, f"there is no room: the record has {limit} rows already")
    I[count] = rows + 1
    for base, width, value in parts:
        I[base + rows * width : base + (rows + 1) * width] = list(value)
    return rows


# ---------------------------------------------------------------- showing
def grant(I: list[int], slot: int, seats: int) -> tuple[int, int]:
    """These seats see something, too: where that is kept, and which of them did not before."""
    new = seats & ~I[slot]
    I[slot] |= seats
    return slot, new


def take_back(I: list[int], granted: tuple[int, ...]) -> None:
    for slot, seats in zip(granted[::2], granted[1::2], strict=True):
        I[slot] &= ~seats


# ---------------------------------------------------------------- vectors
# for each cell to be asked its index, lowest and highest value; then the cells that are fixed
Cells = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[tuple[int, int], ...]]
Maybe = Callable[[list[int], list[int], bool], bool]


def cell_columns(cells: list[tuple[int, int, int]]) -> Cells:
    """A cell that can have only one value from the start is not a question; one that can have none is
    asked, and then there is nothing to choose from."""
    fixed = tuple((index, low) for index, low, high in cells if high == low)
    open_cells = [cell for cell in cells if cell[2] != cell[1]]
    indices, lows, highs = zip(*open_cells, strict=True) if open_cells else ((), (), ())
    return tuple(indices), tuple(lows), tuple(highs), fixed


def _bounds(cells: Cells, filled: Sequence[int], size: int) -> tuple[list[int], list[int]]:
    low, high = [0] * size, [0] * size
    for index, value in cells[3]:
        low[index] = high[index] = value
    for number, index in enumerate(cells[0]):
        if number < len(filled):
            low[index] = high[index] = filled[number]
        else:
            low[index], high[index] = cells[1][number], cells[2][number]
    return low, high


def _completion(cells: Cells, number: int, low: list[int], high: list[int], maybe: Maybe, alike: int) -> bool:
    """Is there a way to fill the cells from `number` on? Leaves it in `low` when there is."""
    if number == len(cells[0]):
        return maybe(low, high, True)
    if not maybe(low, high, False):
        return False
    index = cells[0][number]
    start, stop = low[index], high[index]
    for value in range(start, stop + 1):
        low[index] = high[index] = value
        if _ordered(cells, number, low, alike) and _completion(cells, number + 1, low, high, maybe, alike):
            return True
    low[index], high[index] = start, stop
    return False


def _ordered(cells: Cells, number: int, values: list[int], alike: int) -> bool:
    """Heaps that look the same are offered in one order only: each is at most the one before it."""
    if not alike:
        return True
    index = cells[0][number]
    heap, position = divmod(index, alike)
    if heap == 0:
        return True
    mine = values[heap * alike : heap * alike + position + 1]
    before = values[(heap - 1) * alike : (heap - 1) * alike + position + 1]
    return mine <= before


def vector_options(cells: Cells, filled: tuple[int, ...], size: int, maybe: Maybe, alike: int) -> list[int]:
    number = len(filled)
    out = []
    for value in range(cells[1][number], cells[2][number] + 1):
        low, high = _bounds(cells, (*filled, value), size)
        if _ordered(cells, number, low, alike) and _completion(cells, number + 1, low, high, maybe, alike):
            out.append(value)
    return out


def vector_witness(cells: Cells, size: int, maybe: Maybe) -> tuple[int, ...] | None:
    low, high = _bounds(cells, (), size)
    return tuple(low) if _completion(cells, 0, low, high, maybe, 0) else None


class Remembered(dict[Any, Any]):
    """The values of a definition that reads nothing of the position, by its arguments."""

    MOST = 100_000

    def __init__(self, function: Callable[..., Any], params: int) -> None:
        self.function = function
        self.params = params

    def __missing__(self, key: Any) -> Any:
        value = self.function(None, None, None, *((key,) if self.params == 1 else key))
        if len(self) < self.MOST:
            self[key] = value
        return value


NAMESPACE = {
    name: value
    for name, value in globals().items()
    if (not name.startswith("_") and callable(value)) or name in ("BITS", "ROTATED")
}
