"""What of a rule graph is drawn: its nodes with names for people, and each connection once."""

from __future__ import annotations

from attrs import Factory, define, frozen

from ..core import CheckedGame
from ..review.graphs import Graph, Node, rule_graph

KINDS = {
    "phase": "phase",
    "loop": "turns and rounds",
    "menu": "menu: choose one",
    "action": "action",
    "rule": "rule",
    "trigger": "trigger",
    "ending": "ending",
    "place": "place",
}
"""The kinds of nodes in the order of the legend, with their words."""

LINES = {
    "next": "then",
    "opens": "runs",
    "calls": "calls",
    "offers": "asks",
    "lists": "lists",
    "before": "before it",
    "instead": "instead of it",
    "after": "after it",
    "takes": "takes from",
    "puts": "puts into",
    "tests": "tests",
}
"""The kinds of lines, with their words."""


@frozen
class Box:
    """A node: `title` is what to read in it, `note` what to read when pointing at it."""

    id: str
    kind: str
    title: str
    note: str
    line: int
    file: str
    decides: bool


@frozen
class Line:
    """A connection; `mode` is `offer`, `may` or `window` where somebody is asked."""

    source: str
    target: str
    kind: str
    mode: str = ""


@define
class Picture:
    """A game's graph, ready to be laid out."""

    title: str
    boxes: dict[str, Box] = Factory(dict)
    lines: list[Line] = Factory(list)


def picture(game: CheckedGame, *, places: bool = False) -> Picture:
    """The picture of a game; with `places` also where things are taken from and put."""
    graph = rule_graph(game)
    kinds = {"phase", "loop", "menu", "action", "rule", "trigger", "ending"} | (
        {"place"} if places else set()
    )
    lines = {"next", "opens", "calls", "offers", "lists", "before", "instead", "after"}
    lines |= {"takes", "puts", "tests"} if places else set()
    out = Picture(game.name)
    for node in graph.of_kind(*kinds):
        out.boxes[node.id] = _box(node, game)
    known: set[tuple[str, str, str]] = set()
    for edge in graph.edges:
        key = (edge.source, edge.target, edge.kind)
        inside = edge.source in out.boxes and edge.target in out.boxes
        if edge.kind in lines and inside and key not in known:
            known.add(key)
            out.lines.append(Line(edge.source, edge.target, edge.kind, edge.mode))
    _drop_idle(out, graph)
    return out


def _box(node: Node, game: CheckedGame) -> Box:
    name = node.name.rpartition(".")[2].replace("_", " ").strip()
    if node.kind == "loop" and (not name or ":" in name):
        name = "turns"
    look = game.looks.get(node.name)
    if look is not None and look.words and "{" not in look.words and node.kind in ("action", "phase"):
        name = look.words
    cites = f" [{', '.join(node.cites)}]" if node.cites else ""
    note = f"{node.kind} {name}{cites}" + (f"\n{node.doc}" if node.doc else "")
    return Box(node.id, node.kind, name, note, node.span.line, node.span.source.name, node.decides)


def _drop_idle(out: Picture, graph: Graph) -> None:
    """An empty set-up says nothing; everything else stays, also what nothing leads to."""
    touched = {line.source for line in out.lines} | {line.target for line in out.lines}
    setup = "phase setup"
    if setup in out.boxes and setup not in touched and not graph.nodes[setup].decides:
        del out.boxes[setup]
