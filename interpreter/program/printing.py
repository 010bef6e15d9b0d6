"""The stages as text: the checked game and the rule program, one thing a line.

The text depends on nothing but the game (and the number of players), so it can
be kept beside a test and compared. Expressions are written much as in a spec
where a reader would know the form, and as `operation(operands)` otherwise;
variables carry the number that tells two of the same name apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, assert_never

import attrs

from ...grammar import Span
from ..core import (
    And,
    Apply,
    As,
    CallDefine,
    CallRule,
    Case,
    CheckedGame,
    Choice,
    Conditional,
    Const,
    Decl,
    Ex,
    Field,
    Finish,
    Gen,
    Guard,
    If,
    Let,
    Local,
    Lookup,
    May,
    Me,
    Offer,
    Offering,
    Option,
    Or,
    PeekOne,
    PlaceRef,
    Reduction,
    Require,
    Return,
    RuleDecl,
    Set,
    Shuffle,
    St,
    StateRef,
    Swap,
    Universe,
    Var,
)
from ..core import value_types as t
from ..core.facts import secretly
from .ir import Block, Proc, Program
from .terminators import (
    AskCase,
    AskCell,
    AskValue,
    Back,
    Binding,
    Branch,
    Call,
    ChanceDraw,
    ChanceRoll,
    DecisionPoint,
    Finished,
    Jump,
    Switch,
    Terminator,
    Unwind,
    answered,
    targets,
)

_INFIX = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "div": "/",
    "mod": "mod",
    "eq": "=",
    "ne": "!=",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
    "in": "in",
    "range": "..",
}
_INDENT = "    "


def print_program(program: Program) -> str:
    """Every procedure: its frame, its blocks, how each ends."""
    return _text(_program_lines(program))


def print_checked(game: CheckedGame) -> str:
    """Every declaration with what the checker has found out about it."""
    return _text(_checked_lines(game))


def _text(lines: Iterator[str]) -> str:
    return "\n".join(line.rstrip() for line in lines) + "\n"


# ---------------------------------------------------------------- expressions
def print_value(value: Any) -> str:
    """An expression, a type, or whatever else an operation carries, on one line."""
    match value:
        case None:
            return "-"
        case Ex():
            return _expression(value)
        case Var():
            return value.uid
        case Gen():
            cells = ", ".join(f"{var.uid} in {print_value(domain)}" for var, domain in value.cells)
            where = "".join(f" where {print_value(w)}" for w in value.where)
            return f"{value.var.uid}{f'[{cells}]' if cells else ''} in {print_value(value.domain)}{where}"
        case Binding():
            rest = f" then {_listed(value.rest)}" if value.rest else ""
            distinct = f" distinct by {_listed(value.distinct)}" if value.distinct else ""
            alike = f" alike {_listed(value.alike)}" if value.alike else ""
            return f"{print_value(value.gen)}{rest}{distinct}{alike}"
        case Choice():
            return f"{_quoted(value.prompt)}{_listed(value.gens)}{''.join(map(print_value, value.guards))}"
        case Guard():
            return f" | {print_value(value.condition)}{_because(value.because)}"
        case Offering():
            return f"{_quoted(value.prompt)}{value.menu or ''}{' or no' if value.decline else ''}{' always' if value.always else ''}"
        case Case():
            return f"{value.key}({_listed(value.args)})" if value.action else f'"{value.label}"'
        case DecisionPoint():
            return f"#{value.id}"
        case Decl():
            return _name(value)
        case tuple() | list():
            return f"({_listed(value)})"
        case dict():
            return ", ".join(f"{key}: {print_value(item)}" for key, item in value.items())
        case Span():
            return f"line {value.line}"
    return str(value)


def _expression(ex: Ex) -> str:
    args = [print_value(arg) for arg in ex.args]
    match ex:
        case Const():
            return "none" if isinstance(ex.type, t.Nothing) else f"{ex.value}"
        case Local():
            return print_value(ex.var)
        case Me() | Apply(op="players" | "active" | "player_count" | "turn_number"):
            return ex.op
        case Option():
            return f"option {ex.name}"
        case Universe():
            return f"all {ex.of}"
        case Reduction():
            by = f" by {_listed(ex.by)}" if ex.by else ""
            stop = f" while {print_value(ex.while_)}" if ex.while_ is not None else ""
            return f"{ex.kind}({print_value(ex.value)}{by} for {_listed(ex.gens)}{stop})"
        case StateRef() | PlaceRef():
            return _name(ex.data) + "".join(f"[{arg}]" for arg in args)
        case CallDefine() | Lookup():
            return f"{_name(ex.data)}({', '.join(args)})"
        case Field():
            return f"{args[0]}.{ex.name}"
        case Apply(op="not"):
            return f"not {args[0]}"
        case Conditional():
            return f"({args[1]} if {args[0]} else {args[2]})"
        case Apply(op="set"):
            return f"{{{', '.join(args)}}}"
        case And() | Or():
            return f"({args[0]} {'and' if isinstance(ex, And) else 'or'} {args[1]})"
        case Apply(op=op) if op in _INFIX and len(args) == 2:
            return f"({args[0]} {_INFIX[op]} {args[1]})"
    more = [print_value(ex.data)] if ex.data is not None else []
    return f"{ex.op}({', '.join([*args, *more])})"


def _name(decl: Any) -> str:
    owner = getattr(decl, "owner", "")
    return f"{owner}.{decl.name}" if owner else str(decl.name)


def _listed(values: Any) -> str:
    return ", ".join(print_value(value) for value in values)


def _quoted(words: str | None) -> str:
    return f'"{words}" ' if words else ""


def _because(words: str | None) -> str:
    return f' because "{words}"' if words else ""


# ---------------------------------------------------------------- statements
def _statement_lines(st: St, depth: int) -> Iterator[str]:
    yield _INDENT * depth + _statement(st)
    if isinstance(st, Offer | May):
        for case in st.offering.cases:
            yield _INDENT * (depth + 1) + f"{print_value(case)}:"
            yield from _body_lines(case.body, depth + 2)
    yield from _body_lines(st.body, depth + 1)
    if st.orelse:
        yield _INDENT * depth + "else"
        yield from _body_lines(st.orelse, depth + 1)


def _body_lines(body: tuple[St, ...], depth: int) -> Iterator[str]:
    for st in body:
        yield from _statement_lines(st, depth)


def _statement(st: St) -> str:
    match st:
        case Let():
            return f"let {print_value(st.var)} = {print_value(st.value)}"
        case Set():
            return f"set {print_value(st.args[0])} = {print_value(st.args[1])}"
        case CallRule():
            name, _, var = (st.rule, st.type, st.var)
            return f"{f'let {var.uid} = ' if var is not None else ''}call {name}({_listed(st.args)})"
        case If() | Return() | As() | Swap() | Shuffle() | PeekOne():
            return f"{st.op} {_listed(st.args)}"
        case Require():
            return f"require {_listed((st.condition,))}{_because(st.because)}"
        case Finish():
            return f"finish {_listed((st.winners,))}{_because(st.because)}"
    parts = [_listed(st.args)] if st.args else []
    if st.data not in (None, "", ()):
        parts.append(f"| {print_value(st.data)}" if parts else print_value(st.data))
    if secretly(st):
        parts.append("secretly")
    return " ".join([st.op, *parts])


# ---------------------------------------------------------------- the checked game
def _checked_lines(game: CheckedGame) -> Iterator[str]:
    counts = " or ".join(map(str, game.players))
    yield f'game "{game.name}" for {counts} players'
    for field in attrs.fields(CheckedGame):
        value = getattr(game, field.name)
        if field.name in ("name", "players", "doc", "digests") or not value:
            continue
        yield ""
        yield f"{field.name}:"
        items = value.items() if isinstance(value, dict) else [("", item) for item in _as_list(value)]
        for name, item in items:
            if isinstance(item, Decl):
                yield from _declaration_lines(str(name) or item.name, item)
            else:
                yield f"{_INDENT}{f'{name}: ' if name else ''}{print_value(item)}"


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _declaration_lines(name: str, decl: Decl) -> Iterator[str]:
    kind = f"{decl.kind} " if isinstance(decl, RuleDecl) else ""
    yield f"{_INDENT}{kind}{name}"
    for field in attrs.fields(type(decl)):
        value = getattr(decl, field.name)
        if field.name in ("name", "span", "doc", "kind", "cites") or value in (None, (), "", {}, [], False):
            continue
        if isinstance(value, tuple) and isinstance(value[0], St):
            yield f"{_INDENT * 2}{field.name}:"
            yield from _body_lines(value, 3)
        elif isinstance(value, tuple) and isinstance(value[0], Var):
            yield f"{_INDENT * 2}{field.name}: {', '.join(f'{v.uid}: {v.type}' for v in value)}"
        elif field.name == "parts":
            yield f"{_INDENT * 2}{len(value)} parts"
        else:
            yield f"{_INDENT * 2}{field.name}: {print_value(value)}"


# ---------------------------------------------------------------- the rule program
def _program_lines(program: Program) -> Iterator[str]:
    for name, proc in program.procs.items():
        yield from _procedure_lines(program, name, proc)
        yield ""
    for point in program.decisions:
        marks = [word for word in ("first", "last", "private", "sealed", "quiet") if getattr(point, word)]
        cases = f" of {', '.join(key for key, _ in point.cases)}" if point.cases else ""
        type_ = f": {point.type}" if point.type is not None else ""
        yield f"#{point.id} {point.kind} {point.name}{type_}{cases} in {point.rule}, group {point.group} {' '.join(marks)}"


def _procedure_lines(program: Program, name: str, proc: Proc) -> Iterator[str]:
    params = ", ".join(f"{p.uid}: {p.type}" for p in proc.params)
    me = f" me {proc.me.uid}" if proc.me is not None else ""
    slots = f" slots {' '.join(proc.slots)}" if proc.slots else ""
    yield f"{name}({params}){me}{slots}{' plain' if proc.plain else ''}"
    if proc.plain:
        yield from _body_lines(proc.body, 1)
    for number in proc.blocks:
        yield from _block_lines(program.blocks[number])


def _block_lines(block: Block) -> Iterator[str]:
    inside = f" in {' > '.join(s.label or '.' for s in block.scopes)}" if block.scopes else ""
    live = f" live {' '.join(block.live)}" if block.live else ""
    yield f"  b{block.id}:{inside}{live}"
    for instruction in block.code:
        yield from _statement_lines(instruction.st, 1)
    if block.term is not None:
        yield f"{_INDENT}{_terminator(block.term)}"


def _terminator(term: Terminator) -> str:
    entered = answered(term)
    binds = f"{entered[1].uid} <- " if entered is not None else ""
    asked = isinstance(term, AskValue | AskCell | AskCase)
    who = f"{term.me.uid}: " if term.me is not None and asked else ""
    blocks = " ".join(f"b{n}" for n in targets(term))
    parts = [term.word, *_ending(term), f"-> {blocks}" if blocks else ""]
    return f"{who}{binds}{' '.join(part for part in parts if part)}"


def _ending(term: Terminator) -> list[str]:
    """What a terminator says beside the blocks it leads to."""
    match term:
        case Branch():
            return [print_value(term.condition)]
        case Switch():
            return [print_value(term.which)]
        case Call():
            return [term.proc, _listed(term.args)]
        case Back():
            return [print_value(term.value)]
        case AskValue():
            return [print_value(term.point), print_value(term.binding)]
        case AskCell():
            return [print_value(term.point), _listed((term.binding, term.cells, term.filled))]
        case AskCase():
            marks = [word for word in ("decline", "always", "has_else") if getattr(term, word)]
            return [print_value(term.point), *marks, print_value(term.cases)]
        case ChanceDraw():
            return [term.how, print_value(term.source)]
        case ChanceRoll():
            return [print_value(term.audience), _listed((term.domain, term.weight))]
        case Unwind():
            return [term.label]
        case Jump() | Finished():
            return []
        case _:
            assert_never(term)
