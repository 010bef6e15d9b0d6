"""Rules that certainly set themselves off again, although somebody decides on the way.

`trigger again after bump(): ... bump()` never comes to an end: each `bump` has
the next inside. If nobody decides on the way, D0402 and D0406 say so. A choice
between does not help unless it is a way out: so only calls are looked at that
always happen: not those under an `if`, in a loop that may be empty or in an
option of an offer, nor what stands behind something that may leave.
"""

from __future__ import annotations

from collections.abc import Iterator

import networkx as nx

from ...grammar import Report, Span
from ..core import As, Atomic, CallRule, CheckedGame, RuleDecl, Show, St
from ..core.facts import LEAVES
from .trees import statements


def recurring(game: CheckedGame, report: Report) -> None:
    network: nx.DiGraph[str] = nx.DiGraph()
    spans: dict[tuple[str, str], Span] = {}
    for rule in (*game.rules.values(), *game.triggers.values()):
        for call in _certain(rule.body):
            spans.setdefault((_id(rule), call.rule), call.span)
    for trigger in game.triggers.values():
        if trigger.where is None:
            for kind, name in trigger.events:
                if kind == "rule" and not _replaced(game, trigger, name):
                    spans.setdefault((name, _id(trigger)), trigger.span)
    network.add_edges_from(spans)
    told = {d.span for d in report.found.values() if d.code in ("D0402", "D0406")}
    for group in nx.strongly_connected_components(network):
        inside = [(edge, span) for edge, span in spans.items() if group.issuperset(edge)]
        if not inside or told.intersection(span for _, span in inside):
            continue
        calls = [(edge, span) for edge, span in inside if not edge[1].startswith("trigger ")]
        (source, target), span = min(calls, key=lambda call: call[1].start)
        report.add(
            "D0515",
            f"`{target}` always happens again inside itself: `{_shown(source)}` calls it without a condition",
            span,
            severity="warning",
            help="put it under an `if`, a `may` or a `where`, so that it can end",
        )


def _certain(body: tuple[St, ...]) -> Iterator[CallRule]:
    """The calls of a body that are made whenever it runs."""
    for st in body:
        if isinstance(st, CallRule):
            yield st
        elif isinstance(st, As | Atomic | Show):
            yield from _certain(st.body)
        if any(isinstance(part, LEAVES) for part in statements((st,))):
            return


def _replaced(game: CheckedGame, trigger: RuleDecl, name: str) -> bool:
    """May something else take the place of this event before the trigger runs?"""
    return any(
        other is not trigger and ("rule", name) in other.events and other.timing in ("before", "instead")
        for other in game.triggers.values()
    )


def _id(rule: RuleDecl) -> str:
    return f"trigger {rule.name}" if rule.kind == "trigger" else rule.name


def _shown(name: str) -> str:
    return name.removeprefix("trigger ")
