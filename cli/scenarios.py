"""`dragonrules test`: the scenarios of rule files."""

from __future__ import annotations

import json
from typing import Any

import click
from attrs import frozen

from ..grammar import Diagnostic, Span, render
from ..interpreter.core import Scenario
from ..interpreter.game import Game
from ..interpreter.scenarios import run_scenario
from .diagnostics import place, plain
from .files import spec_files
from .helping import examples, plural
from .specs import Library, RuleSet

EPILOG = examples(
    "dragonrules test my_game.dragon",
    "dragonrules test games",
    'dragonrules test my_game.dragon -k "last coin" -v',
)


@frozen
class Result:
    """A scenario that was run; `problem` is None when it holds."""

    rules: RuleSet
    scenario: Scenario
    problem: str | None
    span: Span

    def __str__(self) -> str:
        return f"{self.rules.title}: {self.scenario.name}"


def run_all(paths: tuple[str, ...], wanted: str | None) -> tuple[list[Result], list[Diagnostic], int]:
    """The results, what is wrong with rule files that cannot be tested, and how many scenarios there are."""
    library = Library()
    sets: dict[tuple[str, tuple[str, ...]], RuleSet] = {}
    for file in spec_files(paths):
        for rules in library.family(file):
            sets.setdefault((str(rules.path), rules.variants), rules)
    results: list[Result] = []
    wrong: dict[tuple[str, str, int, str], Diagnostic] = {}
    total = 0
    for rules in sets.values():
        game = rules.game
        if game is None:
            wrong.update({k: d for k, d in rules.report.found.items() if d.severity == "error"})
            continue
        for number, scenario in enumerate(game.checked.scenarios):
            if rules.owns(scenario):
                total += 1
                if wanted is None or wanted.lower() in scenario.name.lower():
                    results.append(_run(rules, game, number, scenario))
    return results, sorted(wrong.values(), key=Diagnostic.sort_key), total


def _run(rules: RuleSet, game: Game, number: int, scenario: Scenario) -> Result:
    try:
        outcome = run_scenario(game, number, scenario)
    except Exception as crash:  # one scenario that trips the interpreter does not hide the others
        return Result(rules, scenario, f"internal error: {type(crash).__name__}: {crash}", scenario.span)
    return Result(rules, scenario, outcome.problem, outcome.span or scenario.span)


@click.command("test", epilog=EPILOG, short_help="Run the scenarios of rule files.")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("-k", "wanted", metavar="WORDS", help="Only scenarios with these words in their title.")
@click.option("-v", "--verbose", is_flag=True, help="Also list the scenarios that hold.")
@click.option(
    "--format", "style", type=click.Choice(["text", "json"]), default="text", help="How to print the results."
)
@click.pass_context
def command(
    ctx: click.Context, paths: tuple[str, ...], wanted: str | None, verbose: bool, style: str
) -> None:
    """Run the scenarios of rule files, directories and patterns.

    With a game go the scenarios of its variants and of the files in the folders
    `variants` and `scenarios` beside it that build on it. Exit code 1 if one fails.
    """
    results, wrong, total = run_all(paths, wanted)
    failed = [r for r in results if r.problem is not None]
    if style == "json":
        click.echo(json.dumps(_document(results, wrong), indent=2))
    else:
        _print(results, wrong, verbose)
        if not results and not wrong:
            click.echo(
                f"none of {plural(total, 'scenario')} has `{wanted}` in its title"
                if total
                else "no scenarios"
            )
    ctx.exit(int(bool(failed or wrong or (total and not results))))


def _document(results: list[Result], wrong: list[Diagnostic]) -> dict[str, Any]:
    return {
        "passed": sum(r.problem is None for r in results),
        "failed": sum(r.problem is not None for r in results),
        "scenarios": [
            {
                "game": r.rules.base.stem,
                "variants": list(r.rules.variants),
                "title": r.scenario.name,
                "cites": list(r.scenario.cites),
                "ok": r.problem is None,
                **place(r.span),
                "problem": r.problem,
            }
            for r in results
        ],
        "diagnostics": [plain(d) for d in wrong],
    }


def _print(results: list[Result], wrong: list[Diagnostic], verbose: bool) -> None:
    for result in results:
        if result.problem is not None:
            click.echo(f"FAILED {result}\n{_at(result)}\n")
        elif verbose:
            click.echo(f"ok     {result}")
    for diagnostic in wrong:
        click.echo(render(diagnostic) + "\n")
    failed = sum(r.problem is not None for r in results)
    if results or wrong:
        counts = [plural(len(results) - failed, "scenario") + " held"]
        counts += [f"{failed} failed"] if failed else []
        counts += [f"{plural(len(wrong), 'error')} in the rules"] if wrong else []
        click.echo(", ".join(counts))


def _at(result: Result) -> str:
    """The place with its line, and what was found there."""
    line = result.span.source.line(result.span.line).strip()
    problem = "\n".join(f"    {text}" for text in (result.problem or "").splitlines())
    return f"  {result.span}: {line}\n{problem}"
