"""Ties that no rule breaks: one is taken where several may be equal.

`most(p by gold(p) for p in players)` is a set of all who are ahead; to take
*the* one of it is a mistake when two are (an error at play), and to take the
*first* lets the seat decide without anybody having said so. A second key, a
test of how many there are, or using the whole set settles it.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...grammar import Report, Span
from ..core import (
    OPERATORS,
    Apply,
    CallDefine,
    CheckedGame,
    Const,
    Ex,
    Field,
    If,
    Let,
    Local,
    Reduction,
    Require,
    St,
    applies,
    bodies,
    own_bodies,
)
from ..core import value_types as t
from ..core.facts import LEAVES
from .trees import inner, own_expressions, procedures

_EXTREMES = frozenset(("most", "least", "sort"))


def ties(game: CheckedGame, report: Report) -> None:
    for procedure in procedures(game):
        _Body(report).look(procedure.body, frozenset())
    for define in game.defines.values():
        for ex in inner(define.body):
            _judge(ex, {}, frozenset(), report)
    for ending in game.endings.values():
        _Body(report).look(ending.body, _mentioned([ending.when]))


class _Body:
    """One body: what `let` names, and which extremes a condition has asked about on the way."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.lets: dict[str, Ex] = {}

    def look(self, body: tuple[St, ...], asked: frozenset[Ex]) -> None:
        for st in body:
            own = list(own_expressions(st))
            inside = asked | _mentioned(own) if isinstance(st, If | Require) else asked
            for ex in own:
                for part in inner(ex):
                    _judge(part, self.lets, inside, self.report)
            if isinstance(st, Let):
                self.lets[st.var.uid] = st.value
            for part_of in bodies(st):
                self.look(part_of, inside)
            if isinstance(st, Require) or any(
                part and isinstance(part[-1], LEAVES) for part in own_bodies(st)
            ):
                asked = inside  # whoever comes here has passed the question


def _mentioned(conditions: list[Ex]) -> frozenset[Ex]:
    """Everything that conditions are about: how many `best` are, for one."""
    return frozenset(
        ex
        for condition in conditions
        for ex in inner(condition)
        if isinstance(ex, Local | CallDefine | Reduction)
    )


def _judge(ex: Ex, lets: dict[str, Ex], asked: frozenset[Ex], report: Report) -> None:
    if not isinstance(ex, Reduction):
        return
    comp = ex
    if comp.kind == "the" and len(comp.gens) == 1 and not comp.gens[0].where:
        among = comp.gens[0].domain
        key = _single_key(among, lets)
        if key is not None and among not in asked:
            _tell(report, ex, key, "this is an error when several are equal")
    elif comp.kind in ("first", "last") and _is_player(comp.value.type):
        key = comp.by[0].span if len(comp.by) == 1 and not _all_different(comp.by[0]) else None
        if key is None and not comp.by and len(comp.gens) == 1:
            key = _single_key(comp.gens[0].domain, lets)
        if key is not None and not any(part in asked for part in _domains(comp)):
            _tell(report, ex, key, "of several who are equal, their seats decide")


def _domains(comp: Reduction) -> Iterator[Ex]:
    yield from (gen.domain for gen in comp.gens)


def _single_key(ex: Ex, lets: dict[str, Ex]) -> Span | None:
    """Where the only key of a `most` or `least` stands that a value comes from."""
    seen: set[str] = set()
    while True:
        if isinstance(ex, Local) and ex.var.uid in lets and ex.var.uid not in seen:
            seen.add(ex.var.uid)
            ex = lets[ex.var.uid]
        elif isinstance(ex, CallDefine):
            ex = ex.define.body
        elif isinstance(ex, Apply) and OPERATORS[ex.op].recast:
            ex = ex.args[0]
        else:
            break
    if not isinstance(ex, Reduction) or ex.kind not in _EXTREMES:
        return None
    keys = ex.by
    return keys[0].span if len(keys) == 1 and not _all_different(keys[0]) else None


def _all_different(key: Ex) -> bool:
    """No two can have the same: a seat, or what is printed differently on every component."""
    while applies(key, "neg"):
        key = key.args[0]
    if applies(key, "seat"):
        return True
    if not isinstance(key, Field):
        return False
    component, name = key.component, key.name
    values = [values.get(name) for values, count in component.rows]
    single = all((count.value if isinstance(count, Const) else count) == 1 for _, count in component.rows)
    return single and bool(values) and len(set(values)) == len(values)


def _is_player(type_: t.Type) -> bool:
    return isinstance(type_, t.Player)


def _tell(report: Report, ex: Ex, key: Span, why: str) -> None:
    report.add(
        "D0505",
        f"nothing breaks a tie here: {why}",
        ex.span,
        severity="warning",
        related=[(key, "the only key")],
        help="add a second key: `by a, b`; or use the set of all who are equal",
    )
