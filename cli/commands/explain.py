"""`dragonrules explain`: what a diagnostic code means, with an example."""

from __future__ import annotations

import importlib

import click

from ...grammar import did_you_mean
from ...grammar.codes import CODES
from ..options.helping import examples

EPILOG = examples("dragonrules explain D0201", "dragonrules explain")


@click.command("explain", epilog=EPILOG, short_help="Explain a diagnostic code.")
@click.argument("code", required=False)
def command(code: str | None) -> None:
    """Explain a diagnostic code with an example; without one, list all codes."""
    if code is None:
        for known, title in CODES.items():
            click.echo(f"{known}  {title}")
        return
    name = code.strip("[]").upper()
    if name not in CODES:
        hint = did_you_mean(name, CODES) or "`dragonrules explain` lists them all"
        raise click.UsageError(f"there is no diagnostic `{code}`; {hint}")
    click.echo(_page(name))


def _page(code: str) -> str:
    """The page of a code; its title where there is no page."""
    title = f"{code}: {CODES[code]}"
    try:
        pages = importlib.import_module("...interpreter.pages.explain", __package__)
    except ModuleNotFoundError:
        return title
    text = str(pages.explain(code))
    return text if code in text.split("\n", 1)[0] else f"{title}\n\n{text}"
