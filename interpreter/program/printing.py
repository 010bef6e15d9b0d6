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
    Attribute,
    CallDefine,
    CallRule,
    Case,
    CheckedGame,
    Choice,
    Conditional,
    Const,
    Coordinate,
    Decl,
    Ex,
    Field,
    Finish,
    Gen,
    Guard,
    Let,
    Local,
    Lookup,
    May,
    Me,
    Node,
    Offer,
    Offering,
    Option,
    Or,
    PlaceRef,
    RecordField,
    Reduction,
    Require,
    RuleDecl,
    SeenBy,
    SeenByAll,
    SeenByNobody,
    SeenByOwner,
    Set,
    St,
    StateRef,
    Universe,
    Var,
    operands,
    word_of,
)
from ..core import value_types as t
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
            marks = "".join(f" {word}" for word in ("decline", "always", "able") if getattr(value, word))
            return f"{_quoted(value.prompt)}{_listed(value.gens)}{''.join(map(print_value, value.guards))}{marks}"
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
        case SeenByAll() | SeenByNobody() | SeenByOwner():
            return value.word
        case SeenBy():
            return print_value(value.players)
        case Span():
            return f"line {value.line}"
    return str(value)


def _expression(ex: Ex) -> str:
    args = [print_value(arg) for arg in operands(ex)]
    match ex:
        case Const():
            return "none" if isinstance(ex.type, t.Nothing) else f"{ex.value}"
        case Local():
            return print_value(ex.var)
        case Me():
            return "me"
        case Apply(op="players" | "active" | "player_count" | "turn_number"):
            return ex.op
        case Option():
            return f"option {ex.name}"
        case Universe():
            return f"all {ex.of}"
        case Reduction():
            by = f" by {_listed(ex.by)}" if ex.by else ""
            stop = f" while {print_value(ex.while_)}" if ex.while_ is not None else ""
            return f"{ex.kind}({print_value(ex.value)}{by} for {_listed(ex.gens)}{stop})"
        case StateRef():
            return _name(ex.state) + "".join(f"[{arg}]" for arg in args)
        case PlaceRef():
            return _name(ex.place) + "".join(f"[{arg}]" for arg in args)
        case CallDefine():
            return f"{_name(ex.define)}({', '.join(args)})"
        case Lookup():
            return f"{_name(ex.table)}({', '.join(args)})"
        case Field() | Attribute() | RecordField():
            return f"{args[0]}.{ex.name}"
        case Coordinate():
            return f"{args[0]}.{ex.axis}"
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
        case Apply(op=op):
            return f"{op}({', '.join(args)})"
    return f"{word_of(ex)}({', '.join(_fields(ex))})"


def _fields(node: Node) -> Iterator[str]:
    """What a node is made of, with the names of the fields that are not always given."""
    for name in type(node).__own__:
        value, usual = getattr(node, name), type(node).__defaults__.get(name, ...)
        if name in ("body", "orelse") or (usual is not ... and value == usual):
            continue
        named = name if value is True else f"{name} {print_value(value)}"
        yield print_value(value) if usual is ... else named


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
    yield from _body_lines(getattr(st, "body", ()), depth + 1)
    if otherwise := getattr(st, "orelse", ()):
        yield _INDENT * depth + "else"
        yield from _body_lines(otherwise, depth + 1)


def _body_lines(body: tuple[St, ...], depth: int) -> Iterator[str]:
    for st in body:
        yield from _statement_lines(st, depth)


def _statement(st: St) -> str:
    match st:
        case Let():
            return f"let {print_value(st.var)} = {print_value(st.value)}"
        case Set():
            return f"set {print_value(st.target)} = {print_value(st.value)}"
        case CallRule():
            into = f"let {st.var.uid} = " if st.var is not None else ""
            return f"{into}call {st.rule}({_listed(st.args)})"
        case Require():
            return f"require {_listed((st.condition,))}{_because(st.because)}"
        case Finish():
            return f"finish {_listed((st.winners,))}{_because(st.because)}"
    return f"{word_of(st)} {', '.join(_fields(st))}"


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
        cases += f" or {point.none}" if point.none else ""
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
            marks = [word for word in ("decline", "always") if getattr(term, word)]
            return [print_value(term.point), *marks, print_value(term.binding)]
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
