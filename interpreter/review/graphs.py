"""The rules as a graph: what leads to what, each edge with the line that says so.

`rule_graph` gives plain data; the checks of graph_checks.py and pictures are
made from it. A node is something with a name that can happen or hold things:

    phase Play, loop Round, rule pay, action build, menu deed,
    trigger tax, ending rich, place player.purse

An edge says how control, or a thing, gets from one to the other:

| kind | from | to | |
|---|---|---|---|
| `next` | phase | phase | the order of the phases |
| `opens` | anything with a body | loop | a named or unnamed `turns` or `rounds` |
| `calls` | anything with a body | rule, action | by name |
| `offers` | anything with a body | menu, action | `offer`, `may`, `window`; `mode` says which |
| `lists` | menu | action | `action build in deed` |
| `before`, `instead`, `after` | what happens | trigger | the trigger hangs on it |
| `stops` | anything with a body | loop, phase | `stop`, `expire` |
| `takes`, `puts` | anything with a body | place | moves, draws, picks |
| `tests` | ending | place | the place is in its condition |

An edge out of a loop starts at the loop and not at the rule around it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from attrs import Factory, define, frozen

from ...grammar import Span
from ..core import (
    OPERATORS,
    Apply,
    CallDefine,
    CallRule,
    CheckedGame,
    Choose,
    EndingDecl,
    Ex,
    Expire,
    For,
    Let,
    Local,
    May,
    Offer,
    PlaceRef,
    Reduction,
    Rounds,
    RuleDecl,
    St,
    Stop,
    Turns,
    bodies,
)
from ..core.facts import ASKS, Transfer, transfers
from .trees import inner, name_of

if TYPE_CHECKING:
    import networkx as nx

FLOW = frozenset(("next", "opens", "calls", "offers", "lists", "before", "instead", "after"))
"""The kinds of edges along which control goes."""


@frozen
class Node:
    """`id` is the kind and the name, or for a loop without a name its place in the text."""

    id: str
    kind: str
    name: str
    span: Span
    doc: str | None = None
    cites: tuple[str, ...] = ()
    decides: bool = False
    """Somebody is asked in its own body."""


@frozen
class Edge:
    source: str
    target: str
    kind: str
    span: Span
    """The line that makes the connection."""
    mode: str = ""
    """Of an offer: `offer`, `may` or `window`. Of a trigger on a place: `entering` or `leaving`."""


@define
class Graph:
    nodes: dict[str, Node] = Factory(dict)
    edges: list[Edge] = Factory(list)

    def of_kind(self, *kinds: str) -> list[Node]:
        return [node for node in self.nodes.values() if node.kind in kinds]

    def out_of(self, node: str, *kinds: str) -> list[Edge]:
        return [edge for edge in self.edges if edge.source == node and (not kinds or edge.kind in kinds)]

    def into(self, node: str, *kinds: str) -> list[Edge]:
        return [edge for edge in self.edges if edge.target == node and (not kinds or edge.kind in kinds)]

    def network(self, *kinds: str) -> nx.MultiDiGraph[str]:
        """The same for networkx; nodes have `node`, edges `edge` as attribute."""
        import networkx

        network: nx.MultiDiGraph[str] = networkx.MultiDiGraph()
        for node in self.nodes.values():
            network.add_node(node.id, node=node)
        for edge in self.edges:
            if not kinds or edge.kind in kinds:
                network.add_edge(edge.source, edge.target, edge=edge)
        return network


def rule_graph(game: CheckedGame) -> Graph:
    """The graph of a checked game."""
    return _Maker(game).run()


class _Maker:
    def __init__(self, game: CheckedGame) -> None:
        self.game = game
        self.graph = Graph()
        self.known: set[tuple[str, str, str, int]] = set()
        self.origins: dict[str, Ex] = {}  # of a local name: what it was chosen from

    def run(self) -> Graph:
        game = self.game
        for place in game.places.values():
            if not place.name.startswith("box of"):
                key = name_of(place)
                self.graph.nodes[f"place {key}"] = Node(
                    f"place {key}", "place", key, place.span, place.doc, place.cites
                )
        for rule in (*game.phases, *game.rules.values(), *game.triggers.values()):
            self._node(rule.kind, rule)
        for menu, actions in game.menus.items():
            first = game.rules[actions[0]]
            self.graph.nodes[f"menu {menu}"] = Node(f"menu {menu}", "menu", menu, first.span)
            for action in actions:
                self._edge(f"menu {menu}", f"action {action}", "lists", game.rules[action].span)
        for ending in game.endings.values():
            self._node("ending", ending)
        self._phases()
        for rule in (*game.phases, *game.rules.values(), *game.triggers.values()):
            self._body(f"{rule.kind} {rule.name}", rule.body)
        for ending in game.endings.values():
            self._body(f"ending {ending.name}", ending.body)
            for ex in self._read((ending.domain, ending.when), set()):
                self._edge(f"ending {ending.name}", f"place {name_of(ex.place)}", "tests", ex.span)
        for trigger in game.triggers.values():
            self._hang(trigger)
        return self.graph

    # ------------------------------------------------------------ nodes and edges
    def _node(self, kind: str, decl: RuleDecl | EndingDecl) -> None:
        key = f"{kind} {decl.name}"
        decides = any(_decides(st) for st in decl.body)
        self.graph.nodes[key] = Node(key, kind, decl.name, decl.span, decl.doc, decl.cites, decides)

    def _edge(self, source: str, target: str, kind: str, span: Span, mode: str = "") -> None:
        key = (source, target, kind + mode, span.start)
        if source in self.graph.nodes and target in self.graph.nodes and key not in self.known:
            self.known.add(key)
            self.graph.edges.append(Edge(source, target, kind, span, mode))

    def _rule_id(self, name: str) -> str:
        rule = self.game.rules.get(name)
        return f"{rule.kind} {name}" if rule is not None else name

    def _phases(self) -> None:
        for one, other in zip(self.game.phases, self.game.phases[1:], strict=False):
            self._edge(f"phase {one.name}", f"phase {other.name}", "next", other.span)

    # ------------------------------------------------------------ bodies
    def _body(self, at: str, body: tuple[St, ...]) -> None:
        for st in body:
            self._statement(at, st)

    def _statement(self, at: str, st: St) -> None:
        self._note_origins(st)
        match st:
            case CallRule():
                self._edge(at, self._rule_id(st.rule), "calls", st.span)
            case Offer() | May():
                self._offer(at, st)
            case Turns() | Rounds():
                loop = self._loop(st)
                self._edge(at, loop, "opens", st.span)
                self._body(loop, st.body)
                self._body(at, st.orelse if isinstance(st, Rounds) else ())
                return
            case Stop():
                self._edge(at, self._scope(st.label), "stops", st.span)
            case Expire():
                self._edge(at, self._scope(st.label), "stops", st.span)
        for carried in transfers(st):
            self._carry(at, carried, st.span)
        for body in bodies(st):
            self._body(at, body)

    def _offer(self, at: str, st: Offer | May) -> None:
        window = isinstance(st, May) and st.span.text.startswith("window")
        mode = "window" if window else "may" if isinstance(st, May) else "offer"
        if st.offering.menu:
            self._edge(at, f"menu {st.offering.menu}", "offers", st.span, mode)
        for case in st.offering.cases:
            if case.action is not None:
                self._edge(at, self._rule_id(case.action), "offers", case.span, mode)

    def _loop(self, st: Turns | Rounds) -> str:
        word = "turns" if isinstance(st, Turns) else "rounds"
        name = str(st.label) if st.label else f"{word} in line {st.span.line}"
        key = f"loop {name}"
        if key not in self.graph.nodes:
            decides = any(_decides(inner_st) for inner_st in st.body)
            head = Span(st.span.source, st.span.start, st.span.start + len(word))
            self.graph.nodes[key] = Node(key, "loop", name, head, decides=decides)
        return key

    def _scope(self, label: str) -> str:
        phase = f"phase {label}"
        return phase if phase in self.graph.nodes else f"loop {label}"

    # ------------------------------------------------------------ places
    def _carry(self, at: str, carried: Transfer, span: Span) -> None:
        source = carried.source
        if source is None and carried.things is not None:
            source = self._origin(carried.things)
        if source is not None:
            self._touch(at, source, "takes", span)
        self._touch(at, carried.target, "puts", span)

    def _touch(self, at: str, place: Ex, kind: str, span: Span) -> None:
        if isinstance(place, PlaceRef):
            self._edge(at, f"place {name_of(place.place)}", kind, span)

    def _note_origins(self, st: St) -> None:
        gens: tuple[Any, ...] = ()
        if isinstance(st, Choose):
            gens = st.choice.gens
        elif isinstance(st, For):
            gens = st.gens
        elif isinstance(st, Let):
            self.origins[st.var.uid] = st.value
        for gen in gens:
            self.origins[gen.var.uid] = gen.domain

    def _origin(self, ex: Ex, depth: int = 0) -> Ex | None:
        """The place that a component is said to come from, where the text says so."""
        if isinstance(ex, PlaceRef):
            return ex
        if depth > 8:
            return None
        if isinstance(ex, Local) and ex.var.uid in self.origins:
            return self._origin(self.origins[ex.var.uid], depth + 1)
        if isinstance(ex, Apply) and OPERATORS[ex.op].part:
            return self._origin(ex.args[0], depth + 1)
        if isinstance(ex, Reduction) and isinstance(ex.value, Local):
            for gen in ex.gens:
                if gen.var.uid == ex.value.var.uid:
                    return self._origin(gen.domain, depth + 1)
        return None

    def _read(self, node: Any, seen: set[str]) -> Iterator[PlaceRef]:
        for ex in inner(node):
            if isinstance(ex, PlaceRef):
                yield ex
            elif isinstance(ex, CallDefine) and ex.define.name not in seen:
                seen.add(ex.define.name)
                for found in self._read(ex.define.body, seen):
                    yield PlaceRef(found.type, ex.span, found.place)

    # ------------------------------------------------------------ triggers
    def _hang(self, trigger: RuleDecl) -> None:
        target = f"trigger {trigger.name}"
        for kind, name in trigger.events:
            match kind:
                case "rule":
                    self._edge(self._rule_id(name), target, trigger.timing, trigger.span)
                case "menu":
                    self._edge(f"menu {name}", target, trigger.timing, trigger.span)
                case "turn":
                    for loop in self.graph.of_kind("loop"):
                        if self._gives_turns(loop):
                            self._edge(loop.id, target, trigger.timing, trigger.span)
                case "scope":
                    self._edge(self._scope(name), target, trigger.timing, trigger.span)
                case "entering" | "leaving":
                    self._edge(f"place {name}", target, trigger.timing, trigger.span, kind)

    def _gives_turns(self, loop: Node) -> bool:
        return loop.span.text == "turns"


def _decides(st: St) -> bool:
    """Is somebody asked in this statement, loops with a node of their own left aside?"""
    if isinstance(st, ASKS):
        return True
    if isinstance(st, Turns | Rounds):
        return isinstance(st, Rounds) and any(_decides(inner_st) for inner_st in st.orelse)
    return any(_decides(inner_st) for body in bodies(st) for inner_st in body)


__all__ = ["FLOW", "Edge", "Graph", "Node", "rule_graph"]
