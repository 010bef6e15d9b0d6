"""What is added to the language must be known wherever secrets are at stake.

The check for leaks, the ledger of the searching players and the narrator each
have a list of what they know. Every statement, operation and event that the rest
of the program can make is on it, and what is not is refused.
"""

from __future__ import annotations

import pickle
from typing import get_args

import dragonrules as dr
import pytest
from dragonrules.grammar import Report, Source, parse
from dragonrules.interpreter.check.game import check
from dragonrules.interpreter.core import (
    And,
    Apply,
    Attribute,
    CallDefine,
    Can,
    CanMenu,
    Conditional,
    Expr,
    Local,
    Or,
    PlaceRef,
    PlacesOf,
    Reduction,
    Roll,
    StateRef,
    Stmt,
    VectorCells,
    VectorStart,
    VectorValue,
    events,
)
from dragonrules.interpreter.core.events import Observation
from dragonrules.interpreter.core.operators import OPERATORS
from dragonrules.interpreter.players import ledger
from dragonrules.interpreter.review import secrecy as flow
from dragonrules.interpreter.review.secrecy import information_flow
from dragonrules.interpreter.review.secrets import OPEN, PLAIN
from dragonrules.interpreter.table.forced import ForcedChoice
from dragonrules.interpreter.table.narrate import TELLS, Narrator

READ_ONE_BY_ONE = {Local, StateRef, PlaceRef, PlacesOf, Attribute, And, Or, Conditional, Reduction} | {
    CallDefine, Can, CanMenu, *(row.name for row in OPERATORS.values() if row.looks in ("size", "top", "bottom")),
}  # fmt: skip
"""Operations that secrets.py reads each in a way of its own."""
MADE_BY_LOWERING = {VectorCells, VectorStart, VectorValue, "peek_need", "tuple_append"}


def test_every_operation_is_known_to_the_check_for_leaks() -> None:
    made = ({*get_args(Expr)} - {Apply} | set(OPERATORS)) - MADE_BY_LOWERING
    assert made - PLAIN - OPEN - READ_ONE_BY_ONE == set()


def test_every_operator_says_what_it_tells() -> None:
    """No more than its operands, or nothing secret, or what of a place it looks at: one of them."""
    for row in OPERATORS.values():
        if row.name not in MADE_BY_LOWERING:
            assert [row.plain, row.told, bool(row.looks)].count(True) == 1, row.name


def test_comparisons_are_what_they_are_called() -> None:
    for row in (row for row in OPERATORS.values() if row.compares):
        negation, mirror = OPERATORS[row.negation], OPERATORS[row.mirror]
        for a, b in ((1, 2), (2, 2), (3, 2)):
            assert row.fold and negation.fold and mirror.fold
            assert row.fold(a, b) == mirror.fold(b, a) != negation.fold(a, b)


def test_every_statement_is_known_to_the_check_for_leaks() -> None:
    assert set(get_args(Stmt)) - set(flow.HANDLED) == set()


def test_a_statement_that_is_not_known_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(flow.HANDLED, Roll)
    found = {(d.code, d.severity) for d in _found()}
    assert found == {("D0411", "error")}


def test_an_operation_that_is_not_known_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dragonrules.interpreter.review.secrets.PLAIN", PLAIN - {"add"})
    (found,) = _found()
    assert (found.code, found.severity) == ("D0411", "error")
    assert "`add`" in found.message


SMALL = """
game "Small" for 2 players
state s: 0..9 = 0, seen by nobody
phase Play:
    roll d in 1..2
    set s = d
    as player(1): choose n in 1..2 where n + d > 1
"""


def _found(text: str = SMALL) -> Report:
    report = Report()
    game = check(parse(Source("t.dragon", text), report), report)
    assert not report.errors
    found = Report()
    information_flow(game, found)
    return found


def _ring(size: int) -> str:
    """Rules that call each other: what the first one returns comes to the last one step by step."""
    rules = [
        f"rule r{n}() -> 0..2:\n    if told = 0: r{n + 1}()\n    let x = r{n - 1}()\n    return x\n"
        for n in range(2, size)
    ]
    return (
        'game "Ring" for 2 players\nstate told: 0..2 = 0\nstate s: 0..2 = 0, seen by nobody\n'
        "rule r1() -> 0..2:\n    if told = 0: r2()\n    return s\n"
        + "".join(rules)
        + f"rule r{size}() -> 0..2:\n    set told = 1\n    let x = r{size - 1}()\n"
        "    as player(1): choose n in 1..2 where n > x\n    return x\n"
        "phase Play: r1()\n"
    )


@pytest.mark.parametrize("size", [3, 9, 20])
def test_a_secret_is_followed_through_rules_that_call_each_other(size: int) -> None:
    assert [d.code for d in _found(_ring(size)) if d.severity == "error"] == ["D0401"]


def test_a_check_that_does_not_settle_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flow, "MOST_PASSES", 4)
    assert [d.code for d in _found(_ring(9)) if d.severity == "error"] == ["D0411"]


# ---------------------------------------------------------------- events
def test_every_event_is_known_to_the_ledger_and_the_narrator() -> None:
    assert set(ledger._HANDLERS) == set(get_args(Observation))
    assert set(TELLS) == {*get_args(Observation), ForcedChoice}


def test_the_union_of_events_is_complete() -> None:
    classes = {c for c in vars(events).values() if isinstance(c, type) and issubclass(c, events.Event)}
    assert classes - {events.Event} == set(get_args(Observation))


@pytest.mark.parametrize("name", ["drakon", "dragons_gold", "dragon_keeper", "ryu", "kuhn_poker"])
def test_events_are_the_same_after_being_saved(name: str) -> None:
    match = dr.load(name).start(seed=1)
    for _ in range(60):
        if match.over:
            break
        match.choose(match.decision.options[0])
    for viewer in (*range(1, match.players + 1), None):
        seen = match.observations(viewer)
        assert seen and all(type(event) in get_args(Observation) for event in seen)
        again = [events.event_from(tuple(event)) for event in seen]
        assert again == list(seen) and list(map(type, again)) == list(map(type, seen))
        assert pickle.loads(pickle.dumps(seen)) == seen


def test_an_event_that_is_not_known_is_refused() -> None:
    with pytest.raises(ledger.UnknownEvent):
        _ledger().read([("teleport", "Card", "hand")])
    with pytest.raises(LookupError):
        Narrator(None).sentences([("teleport", "Card", "hand")])  # type: ignore[arg-type]


def _ledger() -> ledger.Ledger:
    made = ledger.Ledger.__new__(ledger.Ledger)
    made.read_so_far = 0
    return made
