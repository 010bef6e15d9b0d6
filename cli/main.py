"""The `dragonrules` command: finds the sub-commands and turns every error into words and an exit code.

0: all is well. 1: the input was found wanting. 2: wrong usage. 3: a mistake in
dragonrules itself. 130: interrupted. 141: whoever was reading went away.
"""

from __future__ import annotations

import gc
import importlib
import os
import sys
import traceback
from typing import Any

import click

from .. import __version__
from ..interpreter.core.errors import DragonError, UsageError
from .options.helping import WORDS, examples

GROUPS = {
    "Play": {
        "run": ("run", "Play a game, or watch it being played."),
        "games": ("games", "List the games that are included."),
        "serve": ("serve", "Host a table in the browser."),
        "replay": ("replay", "Go through a saved match, forwards and backwards."),
        "rulebook": ("rulebook", "Write a rulebook for players."),
    },
    "Write rules": {
        "new": ("new", "Write a starter game."),
        "validate": ("validate", "Find every mistake in rule files."),
        "test": ("test", "Run the scenarios of rule files."),
        "fmt": ("fmt", "Lay rule files out in the canonical form."),
        "watch": ("watch", "Check, test and compare again at each save."),
        "fuzz": ("fuzz", "Play to find what is wrong with rules."),
        "upgrade": ("upgrade", "Rewrite older forms in the newer way."),
        "lsp": ("lsp", "Serve an editor: mistakes, names and fixes while you write."),
        "explain": ("explain", "Explain a diagnostic code."),
    },
    "Change a rule": {
        "diff": ("diff", "Show what a variant changes."),
        "compare": ("compare", "Measure what another rule set changes."),
        "tune": ("tune", "Find the value of an option that brings a figure to a target."),
        "expand": ("expand", "Print the game that a variant makes."),
        "pack": ("pack", "Put a house rule and what it needs into one file."),
    },
    "Measure": {
        "simulate": ("simulate", "Play many games and show what they were like."),
        "tournament": ("tournament", "Let bots meet, and rate them."),
        "experiment": ("experiment", "Carry out experiments that a file describes."),
        "history": ("history", "Tell the figures of a design over its versions in git."),
        "solve": ("solve", "Work out best play of a small game."),
    },
    "Look inside": {
        "graph": ("graph", "Draw phases, actions, rules and triggers."),
        "trace": ("trace_items", "Compare a rulebook's items with what cites them."),
        "export": ("export", "Write a game for other programs."),
        "debug": ("debug", "Print what a stage of the pipeline makes."),
    },
}
"""Each command by what it is for, the module of commands/ that holds it as `command`, and its line in the overview."""

COMMANDS = {name: entry for group in GROUPS.values() for name, entry in group.items()}

CONTENT_CODES = frozenset({"D0106", "D0701", "D0702", "D0905"})
"""Raised as UsageError, but about what a file holds rather than how the command was called."""


class Commands(click.Group):
    """Imports a command only when it is called, so that starting stays quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f".commands.{COMMANDS[cmd_name][0]}", __package__)
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, COMMANDS))
        for title, group in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(f"{name:<{width}}", words) for name, (_, words) in group.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        ctx.meta[WORDS] = tuple(args)
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from ..grammar import did_you_mean

            hint = did_you_mean(args[0], COMMANDS) or "`dragonrules --help` lists the commands"
            raise click.UsageError(f"there is no command `{args[0]}`; {hint}", ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except DragonError as error:
            click.echo(str(error), err=True)
            raise click.exceptions.Exit(exit_code(error)) from None
        except BrokenPipeError:
            raise ReaderGone from None


class ReaderGone(Exception):
    """Nobody reads standard output any more. Not an OSError: click would make it exit code 1."""


def exit_code(error: DragonError) -> int:
    return 2 if isinstance(error, UsageError) and error.code not in CONTENT_CODES else 1


@click.group(
    "dragonrules",
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=examples(
        "dragonrules run drakon",
        "dragonrules games",
        "dragonrules new my_game",
        "dragonrules COMMAND --help",
    ),
)
@click.version_option(__version__, "--version", message="dragonrules %(version)s")
def cli() -> None:
    """Write the rulebook of a tabletop game, play it, change a rule, see what it does."""


def main() -> None:
    """The console script: no traceback reaches whoever typed the command."""
    gc.set_threshold(50_000, 20, 50)  # most of what a command makes stays until it is done
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        code = cli.main(prog_name="dragonrules", standalone_mode=False) or 0
        sys.stdout.flush()
    except click.ClickException as problem:
        problem.show()
        code = problem.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("\ninterrupted", err=True)
        code = 130
    except (ReaderGone, BrokenPipeError):
        silence()
        code = 141
    except OSError as problem:
        click.echo(f"error: {problem.strerror or problem}: {problem.filename or ''}".rstrip(": "), err=True)
        code = 1
    except Exception as problem:
        if os.environ.get("DRAGONRULES_TRACEBACK"):
            traceback.print_exc()
        click.echo(
            f"internal error: {type(problem).__name__}: {problem}\n"
            "  This is a mistake in dragonrules. Please report it with the file that shows it;\n"
            "  set DRAGONRULES_TRACEBACK=1 to see where it happened.",
            err=True,
        )
        code = 3
    sys.exit(code)


def silence() -> None:
    """Keep the interpreter from complaining about the closed pipe once more when it exits."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())


if __name__ == "__main__":
    main()
