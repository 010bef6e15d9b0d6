"""Where players negotiate: found in the rule program alone, without a word from the spec.

A negotiation is a `rounds` in which rows of a record are noted, proposals, and in which a row of the same record can be
chosen, agreement: `offer: "propose": ... note Plan(...)`, `"accept": choose i in Plan`. Of a decision inside one it is
told what it is: an offer, whose cases lead to a proposal or to the choice of a row; the choice of a row; or a part of
what is being proposed. The case that does the least is for those who wait.
"""

from __future__ import annotations

from attrs import frozen

from ...core import Case, CheckedGame, Choose, Note, St, bodies, header
from ...core import value_types as t
from ..ir import Program
from ..layout import Layout
from ..terminators import AskCase, AskCell, AskValue, Call, targets

OFFER, ROW, PART = 1, 2, 3


@frozen
class Talk:
    """One decision inside a negotiation, by the block that its answer goes on with."""

    region: int
    kind: int
    record: str
    count: int
    """Where it is kept how many rows there are."""
    backs: int
    """Where it is kept which row the first seat stands for, the others behind it; -1 if nowhere."""
    accepts: tuple[int, ...] = ()
    proposes: tuple[int, ...] = ()
    idle: int = -1


def talks(program: Program, game: CheckedGame, layout: Layout) -> dict[int, Talk]:
    regions = _regions(program)
    found: dict[str, dict[int, AskValue | AskCell | AskCase]] = {}
    for block in program.blocks:
        term = block.term
        region = regions.get(block.id)
        if region is not None and isinstance(term, AskValue | AskCell | AskCase):
            found.setdefault(region, {})[targets(term)[0]] = term
    out: dict[int, Talk] = {}
    for number, asked in enumerate(found.values(), 1):
        for record in game.records:
            made = _in_region(number, asked, record, game, layout)
            if any(talk.kind == OFFER for talk in made.values()):
                out |= made
                break
    return out


def _regions(program: Program) -> dict[int, str]:
    """Blocks inside `rounds`, and in procedures that are called from there, by the name of the innermost."""
    regions: dict[int, str] = {}
    todo: list[tuple[str, str]] = []
    for block in program.blocks:
        inside = [
            scope.label
            for scope in block.scopes
            if scope.label and scope.label.startswith(("clock ", "expire "))
        ]
        if inside:
            regions[block.id] = inside[-1]
            if isinstance(block.term, Call):
                todo.append((block.term.proc, inside[-1]))
    while todo:
        name, region = todo.pop()
        for number in program.procs[name].blocks:
            if number not in regions:
                regions[number] = region
                term = program.blocks[number].term
                if isinstance(term, Call):
                    todo.append((term.proc, region))
    return regions


def _in_region(
    number: int,
    asked: dict[int, AskValue | AskCell | AskCase],
    record: str,
    game: CheckedGame,
    layout: Layout,
) -> dict[int, Talk]:
    count = layout.records[record][0]
    backs = next(
        (
            layout.states[key][0]
            for key, decl in game.states.items()
            if decl.owner == "player"
            and t.plain(decl.type) == t.Rec(record)
            and len(layout.states[key][1]) == 1
        ),
        -1,
    )
    out: dict[int, Talk] = {}
    for pc, term in asked.items():
        if isinstance(term, AskCase):
            accepts = tuple(n for n, case in enumerate(term.cases) if _takes(case, record, game))
            proposes = tuple(n for n, case in enumerate(term.cases) if _notes(_body(case, game), record))
            others = [n for n in range(len(term.cases)) if n not in accepts and n not in proposes]
            if accepts and proposes and others:
                idle = min(others, key=lambda n: _size(_body(term.cases[n], game)))
                out[pc] = Talk(number, OFFER, record, count, backs, accepts, proposes, idle)
            else:
                out[pc] = Talk(number, PART, record, count, backs)
        elif isinstance(term, AskValue) and term.point.type == t.Rec(record):
            out[pc] = Talk(number, ROW, record, count, backs)
        else:
            out[pc] = Talk(number, PART, record, count, backs)
    return out


def _body(case: Case, game: CheckedGame) -> tuple[St, ...]:
    return game.rules[case.action].body if case.action is not None else case.body


def _takes(case: Case, record: str, game: CheckedGame) -> bool:
    """Does it begin with the choice of a row?"""
    return any(
        isinstance(st, Choose) and any(gen.var.type == t.Rec(record) for gen in st.choice.gens)
        for st in header(_body(case, game))
    )


def _notes(body: tuple[St, ...], record: str) -> bool:
    return any(
        (isinstance(st, Note) and st.record.name == record)
        or any(_notes(inner, record) for inner in bodies(st))
        for st in body
    )


def _size(body: tuple[St, ...]) -> int:
    return sum(1 + sum(map(_size, bodies(st))) for st in body)
