"""`dragonrules debug`: what each stage of the pipeline makes of a game, as text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs
import click

from ..grammar import Report, Span, syntax
from ..interpreter.core import Comp, Decl, Ex, Gen, St, Var
from ..interpreter.errors import SpecError
from ..interpreter.game import Game, load
from ..interpreter.program import Block, Program, Term
from ..interpreter.sources import read_game
from ..interpreter.types import Type
from .files import game_file
from .helping import examples

EPILOG = examples(
    "dragonrules debug tree my_game.dragon",
    "dragonrules debug python tic_tac_toe --players 2",
)


# ---------------------------------------------------------------- the syntax tree
def tree_lines(node: Any, depth: int = 0, label: str = "") -> Iterator[str]:
    """A part of the syntax tree, one node a line, with the line it stands in."""
    start = "  " * depth + (f"{label}: " if label else "")
    if isinstance(node, tuple):
        if not node:
            yield f"{start}-"
        elif not isinstance(node[0], syntax.Node):
            yield start + ", ".join(map(repr, map(str, node)))
        else:
            yield start.rstrip()
            for part in node:
                yield from tree_lines(part, depth + 1)
    elif isinstance(node, syntax.Node):
        parts = [(f.name, getattr(node, f.name)) for f in attrs.fields(type(node)) if f.name != "span"]
        words = [f"{name}={str(value)!r}" for name, value in parts if isinstance(value, str)]
        yield f"{start}{type(node).__name__} {' '.join(words)}".rstrip() + f"  # line {node.span.line}"
        for name, value in parts:
            if value is not None and value != () and not isinstance(value, str):
                yield from tree_lines(value, depth + 1, name)
    else:
        yield f"{start}{node}"


# ---------------------------------------------------------------- expressions and statements
def shown(value: Any) -> str:
    """An expression, a type, or whatever else an operation carries, on one line."""
    match value:
        case None:
            return "-"
        case Ex():
            inner = [shown(a) for a in value.args]
            if value.data is not None:
                inner.append(shown(value.data))
            return f"{value.op}({', '.join(inner)})" if inner else value.op
        case Var():
            return value.uid
        case Gen():
            where = "".join(f" where {shown(w)}" for w in value.where)
            return f"{value.var.uid} in {shown(value.domain)}{where}"
        case Comp():
            return f"{value.kind} {shown(value.value)} for {', '.join(map(shown, value.gens))}"
        case Decl():
            return value.name
        case St():
            return "; ".join(line.strip() for line in statement_lines(value, 0))
        case tuple() | list():
            return f"[{', '.join(map(shown, value))}]"
        case Type() | int() | str() | bool():
            return str(value)
        case Span():
            return f"line {value.line}"
    if attrs.has(type(value)):
        fields = [(f.name, getattr(value, f.name)) for f in attrs.fields(type(value)) if f.name != "span"]
        return f"{type(value).__name__}({', '.join(f'{n}={shown(v)}' for n, v in fields if v not in (None, ()))})"
    return str(value)


def statement_lines(st: St, depth: int) -> Iterator[str]:
    parts = [shown(a) for a in st.args] + ([shown(st.data)] if st.data is not None else [])
    yield "  " * depth + " ".join([st.op, *parts]) + f"  # line {st.span.line}"
    for inner in st.body:
        yield from statement_lines(inner, depth + 1)
    if st.orelse:
        yield "  " * depth + "else"
        for inner in st.orelse:
            yield from statement_lines(inner, depth + 1)


def checked_lines(game: Game) -> Iterator[str]:
    """Every declaration of the checked game with what the checker has found out about it."""
    for field in attrs.fields(type(game.checked)):
        value = getattr(game.checked, field.name)
        if not value:
            continue
        yield f"{field.name}:"
        if isinstance(value, dict):
            members = list(value.items())
        elif isinstance(value, list):
            members = [(getattr(v, "name", ""), v) for v in value]
        else:
            members = [("", value)]
        for name, member in members:
            if isinstance(member, Decl):
                yield from _decl_lines(str(name), member)
            else:
                yield f"  {name} {shown(member)}".rstrip()
        yield ""


def _decl_lines(name: str, decl: Decl) -> Iterator[str]:
    cites = f"  [{', '.join(decl.cites)}]" if decl.cites else ""
    yield f"  {name}  # line {decl.span.line}{cites}"
    for field in attrs.fields(type(decl)):
        value = getattr(decl, field.name)
        if field.name in ("name", "span", "cites", "doc") or value in (None, (), "", {}, []):
            continue
        if isinstance(value, tuple) and value and isinstance(value[0], St):
            yield f"    {field.name}:"
            for st in value:
                yield from statement_lines(st, 3)
        elif isinstance(value, dict):
            yield f"    {field.name}: " + ", ".join(f"{key}: {shown(v)}" for key, v in value.items())
        else:
            yield f"    {field.name}: {shown(value)}"


# ---------------------------------------------------------------- the rule program
def program_lines(program: Program) -> Iterator[str]:
    for name, proc in program.procs.items():
        params = ", ".join(p.uid for p in proc.params)
        slots = f"  slots {' '.join(proc.slots)}" if proc.slots else ""
        yield f"{name}({params}){' plain' if proc.plain else ''}{slots}"
        if proc.plain:
            for st in proc.body:
                yield from statement_lines(st, 1)
        for number in proc.blocks:
            yield from _block_lines(program.blocks[number])
        yield ""


def _block_lines(block: Block) -> Iterator[str]:
    yield f"  b{block.id}:" + (f"  live {' '.join(block.live)}" if block.live else "")
    for instruction in block.code:
        yield from statement_lines(instruction.st, 2)
    if block.term is not None:
        yield f"    {_term(block.term)}"


def _term(term: Term) -> str:
    targets = " ".join(f"b{n}" for n in term.targets)
    binds = f"{term.binds.uid} = " if term.binds is not None else ""
    args = " ".join(shown(a) for a in term.args)
    return f"-> {binds}{term.op} {args} {targets}".rstrip() + f"  # line {term.span.line}"


# ---------------------------------------------------------------- the command
@click.command("debug", epilog=EPILOG, short_help="Print what a stage of the pipeline makes.")
@click.argument("stage", type=click.Choice(["tree", "checked", "program", "python"]))
@click.argument("file", metavar="FILE")
@click.option("--players", type=int, help="For how many players; needed from `program` on.")
@click.option(
    "--variant", "variants", multiple=True, metavar="NAME_OR_FILE", help="A variant to lay over; repeatable."
)
def command(stage: str, file: str, players: int | None, variants: tuple[str, ...]) -> None:
    """Print what a stage of the pipeline makes of a game.

    \b
    tree     the syntax tree, with variants laid over
    checked  declarations with types, names resolved
    program  the rule program, split at decisions
    python   the generated code
    """
    path = game_file(file)
    if stage == "tree":
        report = Report()
        root = read_game(path, variants, report)
        if report.errors:
            raise SpecError(report.errors)
        _print(tree_lines(root))
        return
    game = load(path, variants=variants)
    if stage == "checked":
        _print(checked_lines(game))
        return
    engine = game.engine(players)
    if stage == "program":
        _print(program_lines(engine.program))
    else:
        click.echo(engine.generated.source)


def _print(lines: Iterator[str]) -> None:
    for line in lines:
        click.echo(line)
