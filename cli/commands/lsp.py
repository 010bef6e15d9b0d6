"""`dragonrules lsp`: what an editor starts to be told of mistakes, names and fixes while somebody writes."""

from __future__ import annotations

from importlib.util import find_spec

import click

from ..options.helping import examples

EPILOG = examples("dragonrules lsp")


@click.command("lsp", epilog=EPILOG, short_help="Serve an editor (language server).")
def command() -> None:
    """Speak the language server protocol over standard input and output.

    An editor starts this; docs/howto/editors.md says how to tell it to. It needs
    `pip install dragonrules[lsp]`.
    """
    if find_spec("pygls") is None:
        raise click.UsageError("the language server needs pygls: pip install 'dragonrules[lsp]'")
    from ..lsp.server import serve

    serve()
