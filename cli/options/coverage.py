"""The options of commands that can tell which parts of the rules were used."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import click
from attrs import frozen

from ...interpreter.core import CheckedGame
from ...interpreter.lab import coverage_reports as reports
from ...interpreter.play.coverage import Coverage

Command = TypeVar("Command", bound=Callable[..., Any])
_FILE = click.Path(dir_okay=False, path_type=Path)


@frozen
class Wanted:
    """Which reports were asked for. True if any was."""

    text: bool = False
    html: Path | None = None
    lcov: Path | None = None
    data: Path | None = None
    least: int | None = None

    def __bool__(self) -> bool:
        return self.text or self.least is not None or any((self.html, self.lcov, self.data))


def coverage_options(command: Command) -> Command:
    """Adds `--coverage`, `--coverage-html` and so on; the command gets them as one `coverage: Wanted`."""

    def gather(ctx: click.Context, parameter: click.Parameter, value: Any) -> None:
        if value:
            ctx.params["coverage"] = _evolved(ctx.params.get("coverage"), parameter.name or "", value)
        else:
            ctx.params.setdefault("coverage", Wanted())

    for name, help_text, settings in reversed(_OPTIONS):
        command = click.option(name, help=help_text, callback=gather, expose_value=False, **settings)(command)
    return command


_OPTIONS: list[tuple[str, str, dict[str, Any]]] = [
    ("--coverage", "Print which lines, branches, rules and options were used.", {"is_flag": True}),
    ("--coverage-html", "Write it as a page.", {"type": _FILE, "metavar": "FILE"}),
    ("--coverage-lcov", "Write it as an LCOV trace file.", {"type": _FILE, "metavar": "FILE"}),
    ("--coverage-json", "Write the counts as JSON.", {"type": _FILE, "metavar": "FILE"}),
    (
        "--coverage-min",
        "Fail (exit code 1) if fewer lines than this were reached.",
        {"type": click.IntRange(1, 100), "metavar": "PERCENT"},
    ),
]
_FIELDS = {
    "coverage": "text",
    "coverage_html": "html",
    "coverage_lcov": "lcov",
    "coverage_json": "data",
    "coverage_min": "least",
}


def _evolved(wanted: Wanted | None, parameter: str, value: Any) -> Wanted:
    from attrs import evolve

    return evolve(wanted or Wanted(), **{_FIELDS[parameter]: value})


def report(wanted: Wanted, coverage: Coverage, games: Iterable[CheckedGame], *, quiet: bool = False) -> bool:
    """Write what was asked for; False if too little was covered. `quiet` prints nothing that was not asked for."""
    whole = reports.total(reports.summaries(coverage))
    if wanted.html is not None:
        wanted.html.write_text(reports.html(coverage, reports.sources_of(*games)), encoding="utf-8")
    if wanted.lcov is not None:
        wanted.lcov.write_text(reports.lcov(coverage), encoding="utf-8")
    if wanted.data is not None:
        wanted.data.write_text(json.dumps(coverage.to_data(), indent=1) + "\n", encoding="utf-8")
    if wanted.text:
        click.echo("\n" + reports.text(coverage).rstrip())
    if not quiet:
        for path in (wanted.html, wanted.lcov, wanted.data):
            if path is not None:
                click.echo(f"coverage is in {path}")
    if wanted.least is not None and whole.lines.percent < wanted.least:
        words = f"coverage: {whole.lines.percent} % of the lines, less than {wanted.least} %"
        click.echo(words, err=True)
        return False
    return True


__all__ = ["Wanted", "coverage_options", "report"]
