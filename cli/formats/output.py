"""Where a command's text goes: to a file that was named, or to standard output."""

from __future__ import annotations

from pathlib import Path

import click


def write_text(text: str, output: Path | None) -> None:
    """Write to the file and say so on standard error; without a file, print."""
    if output is None:
        click.echo(text, nl=False)
        return
    if output.is_dir():
        raise click.UsageError(f"`{output}` is a directory; -o needs a file")
    output.write_text(text, encoding="utf-8", newline="\n")
    click.echo(f"wrote {output}", err=True)
