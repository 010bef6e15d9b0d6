"""The order of triggers: as they are declared, except where an `order` says otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...grammar import Word, did_you_mean, syntax

if TYPE_CHECKING:
    from .context import Context


def put_in_order(c: Context) -> None:
    """Each trigger behind those that an `order` names before it, and otherwise where it was."""
    triggers = c.game.triggers
    earlier: dict[str, set[str]] = {}
    named: dict[str, Word] = {}
    for node in c.names.each(syntax.Order):
        names = [name for name in node.names if _is_trigger(c, name)]
        c.game.orders.append(tuple(map(str, names)))
        for index, name in enumerate(names):
            earlier.setdefault(str(name), set()).update(map(str, names[:index]))
            named[str(name)] = name
    waiting = dict(triggers)
    triggers.clear()
    while waiting:
        free = next((name for name in waiting if not earlier.get(name, set()) & waiting.keys()), None)
        if free is None:
            _complain(c, [named[name] for name in waiting if name in named])
            triggers.update(waiting)
            return
        triggers[free] = waiting.pop(free)


def _is_trigger(c: Context, name: Word) -> bool:
    """One that a variant has taken out need not be put in order any more."""
    known = c.game.triggers
    if name not in known and name not in c.report.removed:
        c.error("D0201", f"there is no trigger `{name}`", name.span, help=did_you_mean(name, known))
    return name in known


def _complain(c: Context, circle: list[Word]) -> None:
    last = circle[-1]
    c.error(
        "D0513",
        f"`{last}` would have to come before itself",
        last.span,
        related=[(name.span, "in this order") for name in circle[:-1]][:2],
        help="take one of them out of an `order`",
    )
