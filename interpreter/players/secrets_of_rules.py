"""What the rules say about a number that somebody does not see: from which values it is drawn.

`roll d in 1..6 seen by me` followed by `set my.die = d` says that a hidden `die`
is one of six faces, although the state may also be 0, before the roll.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from weakref import WeakKeyDictionary

from ..check.constants import not_constant
from ..core import CheckedGame, Ex, InRange, Local, Roll, SeenByNobody, Set, St, StateRef, bodies
from ..core import value_types as t
from ..program.layout import Layout


def drawn_from(layout: Layout, key: str) -> tuple[int, ...]:
    """The values that a hidden state may have, for all that somebody who does not see it knows.
    Nothing if it is to be left as it is: a note that the rules make of what all have seen."""
    decl = layout.game.states[key]
    rolls = _rolls_for(layout.game).get(key, [])
    faces: list[int] = []
    for domain in rolls:
        if not_constant(domain) is None:
            faces += _listed(layout.constants.evaluate(domain))
    if faces:
        return tuple(faces)
    if isinstance(decl.seen, SeenByNobody) and not rolls:
        return ()
    type_ = decl.type
    if isinstance(type_, t.Opt):
        return (-1, *layout.universe(type_.of))
    return tuple(layout.universe(type_))


def _listed(value: Any) -> list[int]:
    if isinstance(value, int):
        return [n for n in range(value.bit_length()) if value >> n & 1]
    return list(value)


_FOUND: WeakKeyDictionary[CheckedGame, dict[str, list[Ex]]] = WeakKeyDictionary()


def _rolls_for(game: CheckedGame) -> dict[str, list[Ex]]:
    """The domains of the rolls whose result is set as a state, by state."""
    if game not in _FOUND:
        found: dict[str, list[Ex]] = {}
        for rule in (*game.rules.values(), *game.triggers.values(), *game.phases):
            statements = list(_all(rule.body))
            rolled = {st.var.uid: st.domain for st in statements if isinstance(st, Roll)}
            for st in statements:
                if isinstance(st, Set):
                    target, value = st.target, st.value
                    value = value.of if isinstance(value, InRange) else value
                    if isinstance(value, Local) and value.var.uid in rolled and isinstance(target, StateRef):
                        decl = target.state
                        name = f"{decl.owner}.{decl.name}" if decl.owner else decl.name
                        found.setdefault(name, []).append(rolled[value.var.uid])
        _FOUND[game] = found
    return _FOUND[game]


def _all(body: tuple[St, ...]) -> Iterator[St]:
    for st in body:
        yield st
        for inner in bodies(st):
            yield from _all(inner)
