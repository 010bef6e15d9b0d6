"""What can be reached from where: all that most games ask of a graph, without a library for graphs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

Ways = Mapping[str, Iterable[str]]
"""What leads where."""


def reached(ways: Ways, start: str) -> set[str]:
    """What lies behind a node; the node itself only if a way leads back to it."""
    found: set[str] = set()
    open_ends = [start]
    while open_ends:
        for there in ways.get(open_ends.pop(), ()):
            if there not in found:
                found.add(there)
                open_ends.append(there)
    return found


def circles(ways: Ways) -> list[set[str]]:
    """The largest groups in which every node is reached from every node, each node in one of them:
    Tarjan's algorithm, with a stack of its own."""
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    pending: list[str] = []
    groups: list[set[str]] = []
    grouped: set[str] = set()
    for first in ways:
        if first in number:
            continue
        number[first] = lowest[first] = len(number)
        pending.append(first)
        path = [(first, iter(ways[first]))]
        while path:
            node, rest = path[-1]
            for there in rest:
                if there not in number:
                    number[there] = lowest[there] = len(number)
                    pending.append(there)
                    path.append((there, iter(ways.get(there, ()))))
                    break
                if there not in grouped:
                    lowest[node] = min(lowest[node], number[there])
            else:
                path.pop()
                if path:
                    above = path[-1][0]
                    lowest[above] = min(lowest[above], lowest[node])
                if lowest[node] == number[node]:
                    group: set[str] = set()
                    while node not in group:
                        group.add(pending.pop())
                    groups.append(group)
                    grouped |= group
    return groups


def has_a_circle(ways: Ways) -> bool:
    """Does some way lead back to where it starts?"""
    return any(len(group) > 1 for group in circles(ways)) or any(node in ways[node] for node in ways)
