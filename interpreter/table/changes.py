"""What is different between two views of one seat."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from .words import View


@frozen
class Changes:
    """What is different since a seat last looked: places, spaces, pieces and states by their labels."""

    places: frozenset[str] = frozenset()
    spots: frozenset[tuple[str, Any]] = frozenset()
    pieces: frozenset[str] = frozenset()
    states: frozenset[str] = frozenset()


def changes(before: View | None, now: View) -> Changes:
    if before is None:
        return Changes()
    places, spots = set(), set()
    for label, shown in now["places"].items():
        old = before["places"].get(label)
        if old == shown or old is None:
            continue
        places.add(label)
        if "contents" in shown and "contents" in old:
            was = set(old["contents"] or ())
            for item in shown["contents"] or ():
                if item not in was and isinstance(item, tuple):
                    spots.add((label, item[1] if isinstance(item[0], str) else item[0]))
    pieces = {name for name, where in now["pieces"].items() if before["pieces"].get(name, where) != where}
    states = {name for name, value in now["states"].items() if before["states"].get(name, value) != value}
    return Changes(frozenset(places), frozenset(spots), frozenset(pieces), frozenset(states))
