"""`dragonrules test`: the scenarios of rule files."""

from __future__ import annotations

import contextlib
import json
import shutil
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from ...grammar import Diagnostic, render
from ...interpreter.play.coverage import Coverage
from ...interpreter.rule_sets import library_for
from ..formats.colours import paint, tell
from ..formats.diagnostics import place, plain
from ..formats.scenario_text import explained, position_of
from ..options.coverage import Wanted, coverage_options, report
from ..options.helping import examples, plural
from ..options.rule_set import rule_options
from ..rules.accepting import accepted
from ..rules.files import spec_files
from ..rules.fixing import write
from ..rules.scenario_runs import Found, Item, Result, find, run, totals
from ..rules.selecting import selector

EPILOG = examples(
    "dragonrules test my_game.dragon",
    "dragonrules test games",
    "dragonrules test my_game.dragon --accept",
    'dragonrules test my_game.dragon -k "last coin and not bid" -v',
    "dragonrules test games --junit results.xml --coverage-html coverage.html",
)


@click.command("test", epilog=EPILOG, short_help="Run the scenarios of rule files.")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@rule_options
@click.option(
    "-k", "wanted", metavar="WORDS",
    help="Only scenarios with these words in their title, file, rules or cites; `and`, `or`, `not`, brackets.",
)  # fmt: skip
@click.option("-x", "--exitfirst", is_flag=True, help="Stop at the first that fails.")
@click.option("-v", "--verbose", is_flag=True, help="A line for each scenario.")
@click.option("-q", "--quiet", is_flag=True, help="Only failures and the last line.")
@click.option(
    "--accept", is_flag=True,
    help="Write numbers that checks compare with as they are now, after a change that was meant; then run.",
)  # fmt: skip
@click.option("--list", "listing", is_flag=True, help="List the scenarios instead of running them.")
@click.option(
    "--durations", type=click.IntRange(min=0), metavar="N", help="Show the N slowest scenarios (0: all)."
)
@click.option(
    "--junit", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
    help="Write the results as JUnit XML.",
)  # fmt: skip
@click.option("--watch", is_flag=True, help="Run them again at each save, until Ctrl-C.")
@coverage_options
@click.option(
    "--format", "style", type=click.Choice(["text", "json"]), default="text", help="How to print the results."
)
@click.pass_context
def command(
    ctx: click.Context,
    paths: tuple[str, ...],
    variants: tuple[str, ...],
    options: dict[str, str],
    wanted: str | None,
    exitfirst: bool,
    verbose: bool,
    quiet: bool,
    accept: bool,
    listing: bool,
    durations: int | None,
    junit: Path | None,
    watch: bool,
    coverage: Wanted,
    style: str,
) -> None:
    """Run the scenarios of rule files, directories and patterns.

    With a game go the scenarios of its variants and of the files in the folders
    `variants` and `scenarios` beside it that build on it. With --variant, those of
    these variants, in the rules that all of them make. A failing scenario
    shows the line, what was expected and found, the choices up to there, and the
    position. Exit code 1 if one fails.
    """
    if watch:
        from ..rules.watching import at_each_save

        at_each_save(spec_files(paths), lambda: _again(ctx))
        return
    test = selector(wanted) if wanted is not None else None
    if accept:
        made = accepted(
            spec_files(paths),
            lambda driver: library_for(variants, options, driver),
            lambda item: test is None or test(item.words),
        )
        write(made.texts)
        for line in made.told:
            click.echo(line, err=style != "text")
    found = find(spec_files(paths), library=library_for(variants, options))
    items = [item for item in found.items if test is None or test(item.words)]
    if listing:
        for item in items:
            click.echo(_named(item))
        ctx.exit(0)
    shows = style == "text"
    progress = _Progress(items, verbose=verbose, silent=not shows or quiet)
    start = time.perf_counter()
    results: list[Result] = []
    total = Coverage()
    for item in items:
        result = run(item, covered=bool(coverage))
        results.append(result)
        progress.tell(result)
        if result.coverage is not None:
            total.add(result.coverage)
        if exitfirst and not result.ok:
            break
    progress.end()
    if junit is not None:
        from ..formats import junit as junit_xml

        junit_xml.write(junit, results, found.wrong)
    if shows:
        _print(results, found, wanted, durations, time.perf_counter() - start)
    else:
        click.echo(json.dumps(_document(results, found.wrong), indent=2))
    enough = True
    if coverage:
        games = [item.game.checked for item in found.items]
        enough = report(coverage, total, games, quiet=not shows)
    failed = any(not r.ok for r in results)
    ctx.exit(int(failed or bool(found.wrong) or bool(found.items and not results) or not enough))


def _again(ctx: click.Context) -> None:
    """The same once more; how it ends is for whoever watches."""
    with contextlib.suppress(click.exceptions.Exit):
        ctx.invoke(command, **{**ctx.params, "watch": False})


def _named(item: Item) -> str:
    """As pytest names tests: the file, the rules if it is about a variant, the title."""
    variants = "".join(f"[{name}]" for name in item.rules.variants)
    return f"{item.path}{variants}::{item.title}"


class _Progress:
    """A line for each file, a letter for each scenario; with `verbose`, a line for each."""

    def __init__(self, items: Sequence[Item], *, verbose: bool, silent: bool) -> None:
        self.verbose = verbose
        self.silent = silent or not items
        self.total = len(items)
        self.done = 0
        self.file: str | None = None
        self.column = 0
        self.width = min(shutil.get_terminal_size((80, 24)).columns, 100) if sys.stdout.isatty() else 80

    def tell(self, result: Result) -> None:
        self.done += 1
        if self.silent:
            return
        letter, word, role = (
            (".", "PASSED", "good") if result.ok else ("E", "ERROR", "error") if result.internal
            else ("F", "FAILED", "error")
        )  # fmt: skip
        if self.verbose:
            tell(f"{_named(result.item)} {paint(role, word)}")
            return
        if result.item.path != self.file:
            self._close(self.done - 1)
            self.file = result.item.path
            room = self.width - 30
            name = self.file if len(self.file) <= room else f"...{self.file[3 - room :]}"
            click.echo(f"{name} ", nl=False)
            self.column = len(name) + 1
        if self.column >= self.width - 7:
            self._close(self.done - 1)
        _echo(paint(role, letter))
        self.column += 1

    def _close(self, done: int) -> None:
        """The share that is done, at the right edge."""
        if self.file is not None:
            share = f"[{100 * done // self.total:>3}%]"
            click.echo(" " * max(1, self.width - self.column - len(share)) + share)
        self.column = 0

    def end(self) -> None:
        if not self.silent and not self.verbose:
            self._close(self.done)


def _echo(text: str) -> None:
    from ..formats.colours import wanted

    click.echo(text, nl=False, color=wanted())
    sys.stdout.flush()


def _document(results: list[Result], wrong: list[Diagnostic]) -> dict[str, Any]:
    return {
        "passed": sum(r.ok for r in results),
        "failed": sum(not r.ok for r in results),
        "scenarios": [
            {
                "id": _named(r.item),
                "game": r.item.rules.base.stem,
                "variants": list(r.item.rules.variants),
                "title": r.item.title,
                "cites": list(r.item.scenario.cites),
                "ok": r.ok,
                **place(r.span),
                "seconds": round(r.seconds, 4),
                "problem": r.problem,
                "expected": r.expected,
                "found": r.found,
                "steps": list(r.steps),
                "decision": r.decision,
                "position": position_of(r),
            }
            for r in results
        ],
        "diagnostics": [plain(d) for d in wrong],
    }


def _print(
    results: list[Result], found: Found, wanted: str | None, durations: int | None, seconds: float
) -> None:
    failures = [r for r in results if not r.ok]
    if failures:
        tell("\n" + _rule("failures"))
    for result in failures:
        tell(paint("error", _rule(str(result.item), "_")))
        click.echo("\n".join(explained(result)) + "\n")
    if found.wrong:
        tell("\n" + _rule("errors in the rules"))
        for diagnostic in found.wrong:
            click.echo(render(diagnostic) + "\n")
    if durations is not None and results:
        tell("\n" + _rule("slowest scenarios"))
        slow = sorted(results, key=lambda r: -r.seconds)[: durations or None]
        for result in slow:
            click.echo(f"{result.seconds:8.3f} s  {_named(result.item)}")
    if len(failures) > 1:
        tell(_rule("in short"))
        for result in failures:
            tell(f"{paint('error', 'FAILED')} {_named(result.item)}")
    if not results and not found.wrong:
        total = len(found.items)
        click.echo(f"none of {plural(total, 'scenario')} is meant by `{wanted}`" if total else "no scenarios")
        return
    passed, failed, broken = totals(results)
    counts = [f"{failed} failed"] if failed else []
    counts += [f"{plural(broken, 'internal error')}"] if broken else []
    counts += [f"{passed} passed"]
    counts += [f"{len(found.items) - len(results)} not run"] if len(results) < len(found.items) else []
    counts += [f"{plural(len(found.wrong), 'error')} in the rules"] if found.wrong else []
    took = f" in {seconds:.2f} s" if sys.stdout.isatty() else ""
    role = "error" if failed or broken or found.wrong else "good"
    tell(paint(role, ", ".join(counts)) + took)


def _rule(title: str, line: str = "=", width: int = 80) -> str:
    side = line * max(3, (width - len(title) - 2) // 2)
    return f"{side} {title} {side}"
