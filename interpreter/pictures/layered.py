"""Layout of a directed graph in layers, from left to right.

The method is that of Sugiyama, Tagawa and Toda, in four steps:

1. Circles are opened: an edge that leads back to a node on the way to it is
   turned round for the layout, and drawn against the stream.
2. Every node gets a layer, as far left as its predecessors allow; one that
   nothing leads to is drawn to the right, towards what it leads to.
3. Edges over several layers get a stand-in in each layer between. The order
   within layers is found by sweeping to and fro: each node goes to the mean
   place of its neighbours, and neighbours in a layer are swapped as long as
   that saves crossings.
4. Positions: each layer in turn moves as near as it can to the places its
   neighbours ask for, while keeping order and distance. For one layer the best
   positions are found exactly by pooling neighbours that get in each other's
   way, as in isotonic regression.

Nothing is random, so the same graph always looks the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from statistics import mean

from attrs import Factory, define

Node = str
Edge = tuple[str, str]

_SWEEPS = 24


@define
class Layout:
    """Where everything goes: `layer` and `y` of each node, and the `route` of each edge as (layer, y)
    points strictly between its ends. `against` are the edges that run from right to left."""

    layer: dict[Node, int]
    y: dict[Node, float]
    route: dict[Edge, list[tuple[int, float]]]
    against: set[Edge]
    layers: int


def lay_out(
    nodes: Sequence[Node],
    edges: Sequence[Edge],
    heights: Mapping[Node, float],
    gap: float,
    first: Sequence[Node] = (),
) -> Layout:
    """A layout of a graph; `heights` are those of the nodes, `gap` the space between two of a layer.

    The nodes of `first` stand in the first layer, in their order; what leads to one runs against the stream.
    """
    own = [(a, b) for a, b in dict.fromkeys(edges) if a != b]
    level = {(a, b) for a, b in own if a in first and b in first}
    into = {(a, b) for a, b in own if b in first} - level
    others = [e for e in own if e not in into and e not in level]
    against = into | _backward(nodes, [*others, *((b, a) for a, b in into)])
    forward = list(
        dict.fromkeys((b, a) if (a, b) in against else (a, b) for a, b in own if (a, b) not in level)
    )
    layer = _layers(nodes, forward, first)
    net = _Net([*first, *(n for n in nodes if n not in first)], forward, layer, heights, gap, first)
    net.order()
    net.place()
    route: dict[Edge, list[tuple[int, float]]] = {}
    for edge in own:
        if edge in level:
            route[edge] = []
            continue
        turned = (edge[1], edge[0]) if edge in against else edge
        points = [(net.layer[d], net.y[d]) for d in net.chains[turned]]
        route[edge] = points[::-1] if edge in against else points
    real = {n: net.y[n] for n in nodes}
    return Layout({n: layer[n] for n in nodes}, real, route, against, max(layer.values(), default=0) + 1)


# ---------------------------------------------------------------- circles and layers
def _backward(nodes: Sequence[Node], edges: Sequence[Edge]) -> set[Edge]:
    """The edges that close a circle, found depth first from the nodes in their order."""
    out: dict[Node, list[Node]] = {n: [] for n in nodes}
    entered = {b for _, b in edges}
    for a, b in edges:
        out[a].append(b)
    back: set[Edge] = set()
    state: dict[Node, int] = {}
    for start in sorted(nodes, key=lambda n: n in entered):
        if start in state:
            continue
        stack = [(start, iter(out[start]))]
        state[start] = 1
        while stack:
            node, rest = stack[-1]
            following = next(rest, None)
            if following is None:
                state[node] = 2
                stack.pop()
            elif state.get(following) == 1:
                back.add((node, following))
            elif following not in state:
                state[following] = 1
                stack.append((following, iter(out[following])))
    return back


def _layers(nodes: Sequence[Node], edges: Sequence[Edge], first: Sequence[Node]) -> dict[Node, int]:
    before: dict[Node, list[Node]] = {n: [] for n in nodes}
    behind: dict[Node, list[Node]] = {n: [] for n in nodes}
    for a, b in edges:
        before[b].append(a)
        behind[a].append(b)
    order = _topological(nodes, before, behind)
    layer: dict[Node, int] = {}
    for node in order:
        layer[node] = max((layer[p] + 1 for p in before[node]), default=0)
    for node in reversed(order):  # what nothing leads to stands near what it leads to
        if behind[node] and not before[node] and node not in first:
            layer[node] = max(layer[node], min(layer[s] for s in behind[node]) - 1)
    return layer


def _topological(
    nodes: Sequence[Node], before: Mapping[Node, list[Node]], behind: Mapping[Node, list[Node]]
) -> list[Node]:
    waiting = {n: len(before[n]) for n in nodes}
    ready = [n for n in nodes if not waiting[n]]
    order = []
    while ready:
        node = ready.pop(0)
        order.append(node)
        for following in behind[node]:
            waiting[following] -= 1
            if not waiting[following]:
                ready.append(following)
    return order


# ---------------------------------------------------------------- order and positions
@define
class _Net:
    """The graph with stand-ins, layer by layer."""

    nodes: Sequence[Node]
    edges: Sequence[Edge]
    layer: dict[Node, int]
    heights: Mapping[Node, float]
    gap: float
    first: Sequence[Node] = ()
    rows: list[list[Node]] = Factory(list)
    before: dict[Node, list[Node]] = Factory(dict)
    behind: dict[Node, list[Node]] = Factory(dict)
    chains: dict[Edge, list[Node]] = Factory(dict)
    y: dict[Node, float] = Factory(dict)

    def __attrs_post_init__(self) -> None:
        self.layer = dict(self.layer)
        self.rows = [[] for _ in range(max(self.layer.values(), default=0) + 1)]
        for node in self.nodes:
            self._enter(node, self.layer[node])
        for a, b in self.edges:
            chain = []
            last = a
            for between in range(self.layer[a] + 1, self.layer[b]):
                stand_in = f"\0{a}\0{b}\0{between}"
                self._enter(stand_in, between)
                chain.append(stand_in)
                self._join(last, stand_in)
                last = stand_in
            self._join(last, b)
            self.chains[(a, b)] = chain

    def _enter(self, node: Node, layer: int) -> None:
        self.layer[node] = layer
        self.rows[layer].append(node)
        self.before[node] = []
        self.behind[node] = []

    def _join(self, a: Node, b: Node) -> None:
        self.behind[a].append(b)
        self.before[b].append(a)

    def height(self, node: Node) -> float:
        return self.heights.get(node, self.gap * 0.4)

    # ------------------------------------------------------------ order
    def order(self) -> None:
        best = [list(row) for row in self.rows]
        fewest = self.crossings()
        for sweep in range(_SWEEPS):
            right = sweep % 2 == 0
            numbers = range(1, len(self.rows)) if right else range(len(self.rows) - 2, -1, -1)
            for number in numbers:
                self._sort(number, self.before if right else self.behind)
            self._swap_neighbours()
            count = self.crossings()
            if count < fewest:
                best, fewest = [list(row) for row in self.rows], count
        self.rows = best

    def _sort(self, number: int, neighbours: Mapping[Node, list[Node]]) -> None:
        place = {node: index for row in self.rows for index, node in enumerate(row)}
        row = self.rows[number]

        def wish(node: Node) -> tuple[float, int]:
            near = [place[n] for n in neighbours[node]]
            return (mean(near) if near else place[node], place[node])

        row.sort(key=wish)
        kept = iter(self.first)
        row[:] = [next(kept) if node in self.first else node for node in row]

    def _swap_neighbours(self) -> None:
        for number, row in enumerate(self.rows):
            left = {n: i for i, n in enumerate(self.rows[number - 1])} if number else {}
            right = {n: i for i, n in enumerate(self.rows[number + 1])} if number + 1 < len(self.rows) else {}
            improved = True
            while improved:
                improved = False
                for i in range(len(row) - 1):
                    a, b = row[i], row[i + 1]
                    as_is = self._between(a, b, left, right)
                    swapped = self._between(b, a, left, right)
                    if swapped < as_is and not (a in self.first and b in self.first):
                        row[i], row[i + 1] = b, a
                        improved = True

    def _between(self, a: Node, b: Node, left: Mapping[Node, int], right: Mapping[Node, int]) -> int:
        """Crossings of the edges of two neighbours, a above b."""
        count = 0
        for places, near in ((left, self.before), (right, self.behind)):
            for x in near[a]:
                count += sum(places[x] > places[y] for y in near[b])
        return count

    def crossings(self) -> int:
        total = 0
        for upper, lower in pairwise(self.rows):
            place = {n: i for i, n in enumerate(lower)}
            ends = [place[b] for a in upper for b in sorted(self.behind[a], key=place.__getitem__)]
            total += sum(x > y for i, x in enumerate(ends) for y in ends[i + 1 :])
        return total

    # ------------------------------------------------------------ positions
    def place(self) -> None:
        for row in self.rows:
            at = 0.0
            for node in row:
                self.y[node] = at + self.height(node) / 2
                at += self.height(node) + self.gap
        for sweep in range(_SWEEPS):
            rows = self.rows if sweep % 2 == 0 else self.rows[::-1]
            for row in rows:
                self._settle(row, both=sweep > _SWEEPS // 3)
        top = min((self.y[n] - self.height(n) / 2 for row in self.rows for n in row), default=0.0)
        for node in self.y:
            self.y[node] -= top

    def _settle(self, row: list[Node], *, both: bool) -> None:
        """Move a layer towards its neighbours, keeping its order and its distances."""
        offsets = []
        at = 0.0
        for index, node in enumerate(row):
            if index:
                at += (self.height(row[index - 1]) + self.height(node)) / 2 + self.gap
            offsets.append(at)
        wishes, weights = [], []
        for node, offset in zip(row, offsets, strict=True):
            near = self.before[node] + self.behind[node] if both else self.before[node] or self.behind[node]
            wishes.append((mean(self.y[n] for n in near) if near else self.y[node]) - offset)
            weights.append(8.0 if node.startswith("\0") else 1.0 + len(near))
        for node, offset, base in zip(row, offsets, _rising(wishes, weights), strict=True):
            self.y[node] = base + offset


def _rising(wishes: list[float], weights: list[float]) -> list[float]:
    """The rising sequence nearest to the wishes: neighbours that fall are pooled at their mean."""
    pools: list[tuple[float, float, int]] = []
    for wish, weight in zip(wishes, weights, strict=True):
        pools.append((wish, weight, 1))
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            (a, wa, na), (b, wb, nb) = pools[-2:]
            pools[-2:] = [((a * wa + b * wb) / (wa + wb), wa + wb, na + nb)]
    return [value for value, _, count in pools for _ in range(count)]
