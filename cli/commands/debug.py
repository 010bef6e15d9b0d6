"""`dragonrules debug`: what each stage of the pipeline makes of a game, as text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs
import click

from ...grammar import syntax
from ...interpreter.core.errors import NotNative
from ...interpreter.native.engine import native_engine
from ...interpreter.play.game import Game
from ...interpreter.program.printing import print_checked, print_program
from ..options.helping import examples
from ..options.rule_set import Choice, game_options

EPILOG = examples(
    "dragonrules debug tree my_game.dragon",
    "dragonrules debug python tic_tac_toe --players 2",
    "dragonrules debug native drakon",
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


# ---------------------------------------------------------------- the command
# ---------------------------------------------------------------- machine code
def native_lines(game: Game, players: int | None) -> Iterator[str]:
    """Does a game run natively, and how large is it? If not, why?"""
    for count in game.players if players is None else (players,):
        try:
            native = native_engine(game.engine(count))
        except NotNative as problem:
            yield from (f"{count} players: not native: {reason}" for reason in problem.reasons)
            continue
        memory = native.shape.memory
        yield (
            f"{count} players: runs natively; {native.size:,} bytes of machine code, "
            f"{memory.stack:,} bytes a state and its frames"
        )


@click.command("debug", epilog=EPILOG, short_help="Print what a stage of the pipeline makes.")
@click.argument("stage", type=click.Choice(["tree", "checked", "program", "python", "native"]))
@game_options
@click.option("--players", type=int, help="For how many players; needed from `program` on.")
def command(stage: str, choice: Choice, players: int | None) -> None:
    """Print what a stage of the pipeline makes of a game.

    \b
    tree     the syntax tree, with variants laid over
    checked  declarations with types, names resolved
    program  the rule program, split at decisions
    python   the generated code
    native   whether it runs as machine code, how large that is, or why not
    """
    if stage == "tree":
        for line in tree_lines(choice.tree()):
            click.echo(line)
        return
    game = choice.load()
    if stage == "checked":
        click.echo(print_checked(game.checked), nl=False)
        return
    if stage == "native":
        for line in native_lines(game, players):
            click.echo(line)
        return
    engine = game.engine(players)
    if stage == "program":
        click.echo(print_program(engine.program), nl=False)
    else:
        click.echo(engine.generated.source)
