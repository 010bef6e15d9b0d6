"""What sort of thing each name is, for colours over those of the words: the roles of the index."""

from __future__ import annotations

from pathlib import Path

from .workspace import Workspace

ROLES = {
    "local": "variable", "parameter": "parameter", "value": "enumMember", "kinds": "enum", "field": "property",
    "component": "class", "token": "class", "piece": "class", "record": "struct", "place": "property",
    "state": "property", "option": "variable", "define": "function", "table": "function", "rule": "function",
    "action": "method", "trigger": "event", "ending": "event", "phase": "namespace", "menu": "interface",
    "loop": "label", "step": "label", "partition": "class", "always": "event", "never": "event",
}  # fmt: skip
TYPES = tuple(dict.fromkeys(ROLES.values()))


def tokens(workspace: Workspace, path: Path) -> list[tuple[int, int, str, bool]]:
    """Start, length, role of each name of a file in order, and whether it is declared there."""
    analysis = workspace.analysis(path)
    found: dict[int, tuple[int, int, str, bool]] = {}
    name = analysis.source.name
    for known in analysis.known:
        for symbol in known.index.symbols.values():
            if symbol.span.source.name == name and (role := ROLES.get(symbol.kind)):
                found.setdefault(symbol.span.start, (symbol.span.start, len(symbol.name), role, True))
        for use in known.index.uses.values():
            meant = known.index.symbols.get(use.symbol)
            if use.span.source.name == name and meant is not None and (role := ROLES.get(meant.kind)):
                length = use.span.end - use.span.start
                found.setdefault(use.span.start, (use.span.start, length, role, False))
    return [found[start] for start in sorted(found)]


def changed(old: list[int], new: list[int]) -> tuple[int, int, int]:
    """Where two lists differ: from where on, and up to where in each."""
    most = min(len(old), len(new))
    start = next((at for at in range(most) if old[at] != new[at]), most)
    same = 0
    while same < most - start and old[-1 - same] == new[-1 - same]:
        same += 1
    return start, len(old) - same, len(new) - same
