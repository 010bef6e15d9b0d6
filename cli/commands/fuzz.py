"""`dragonrules fuzz`: play to find what is wrong with rules."""

from __future__ import annotations

import json
import os
import sys
import time
from itertools import count
from pathlib import Path
from typing import Any

import click
from attrs import define

from ...grammar import render
from ...interpreter.core.errors import PlayError, SpecError
from ...interpreter.files.find_variants import find_variant, headers_of, known_variants
from ...interpreter.lab.coverage_reports import summaries, total
from ...interpreter.lab.fuzzing import LIMIT, Failure, Fuzzer, Rules, Setting, settings_of, simpler
from ...interpreter.lab.pasting import Account, account_of, scenario_file, scenario_text, write_save
from ...interpreter.lab.shrinking import Shrunk, shrink
from ...interpreter.play.coverage import Coverage
from ..formats.colours import paint, tell
from ..formats.diagnostics import place, plain
from ..options.coverage import Wanted, coverage_options, report
from ..options.engine import engine_option
from ..options.helping import examples, plural
from ..options.rule_set import Choice, game_options
from ..rules.files import game_file
from ..rules.scenario_runs import find, run

GAMES = 200
MOST_STEPS = 40

EPILOG = examples(
    "dragonrules fuzz my_game.dragon",
    "dragonrules fuzz my_game.dragon --seconds 60 --seed 7",
    "dragonrules fuzz drakon --variant heroes --players 2 --games 1000 --coverage",
)


@define
class Report:
    """A failure made short, told, and written down."""

    shrunk: Shrunk
    account: Account
    title: str
    scenario: str
    log_file: Path | None = None
    scenario_file: Path | None = None
    reproduced: bool | None = None
    """Does the scenario fail in the same way?"""

    @property
    def failure(self) -> Failure:
        return self.shrunk.failure


@click.command("fuzz", epilog=EPILOG, short_help="Play to find what is wrong with rules.")
@game_options
@engine_option
@click.option(
    "--games", type=click.IntRange(min=1), metavar="N", help=f"How many games to play.  [default: {GAMES}]"
)
@click.option("--seconds", type=click.FloatRange(min=0.1), metavar="S", help="Stop after S seconds.")
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed plays the same games.")
@click.option(
    "--players", type=click.IntRange(min=1), multiple=True, metavar="N",
    help="Only this number of players; repeatable.",
)  # fmt: skip
@click.option("--only", is_flag=True, help="Only the rules as given: no other variants, no other options.")
@click.option("--limit", type=click.IntRange(min=1), default=LIMIT, show_default=True, metavar="N",
              help="Abandon a game after N decisions.")  # fmt: skip
@click.option("-x", "--exitfirst", is_flag=True, help="Stop at the first failure.")
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), metavar="FOLDER",
    help="Where logs and scenarios are written.  [default: beside the game]",
)  # fmt: skip
@coverage_options
@click.option(
    "--format", "style", type=click.Choice(["text", "json"]), default="text", help="How to print the results."
)
@click.pass_context
def command(
    ctx: click.Context,
    choice: Choice,
    games: int | None,
    seconds: float | None,
    seed: int,
    players: tuple[int, ...],
    only: bool,
    limit: int,
    exitfirst: bool,
    out: Path | None,
    coverage: Wanted,
    style: str,
) -> None:
    """Play a game at random, favouring unexplored states, with all invariants on.

    All numbers of players are tried, with every variant of the game (unless
    --variant says which) and every option at its ends. What goes wrong (an error
    at play, an invariant that does not hold, a loop without end, a crash) is made
    as short as possible and written twice: as a log for `dragonrules replay`, and
    as a scenario that fails in the same way, to paste into the rules. Exit code 1
    if something went wrong.
    """
    rules, wrong = rule_sets(choice, only=only)
    counts = {n for each in rules for n in each.game.players}
    if players and not counts & set(players):
        raise click.UsageError(f"--players: the game is for {', '.join(map(str, sorted(counts)))} players")
    settings = settings_of(rules, players, vary_options=not only, seed=seed)
    fuzzer = Fuzzer(settings, seed, limit)
    folder = _folder(choice, out)
    start = time.monotonic()
    interrupted = _play(fuzzer, games, seconds, exitfirst)
    took = time.monotonic() - start
    reports = [_report(failure, settings, folder, choice.path.stem) for failure in fuzzer.failures]
    used = fuzzer.coverage()
    if style == "json":
        click.echo(json.dumps(_document(fuzzer, reports, used, wrong), indent=2))
    else:
        _print(fuzzer, reports, used, took)
        for title, error in wrong.items():
            click.echo(f"not tried, because it has errors: {title}\n{_indented(str(error))}")
    enough = report(coverage, used, [each.game.checked for each in rules], quiet=style != "text")
    if interrupted and not reports:
        ctx.exit(130)
    ctx.exit(int(bool(reports or wrong) or not enough))


def rule_sets(choice: Choice, *, only: bool) -> tuple[list[Rules], dict[str, SpecError]]:
    """The rules to try: those asked for, and each variant of the game if none was asked for.
    Variants with errors are told of, and do not keep the others from being tried."""
    titles = tuple(title for name in choice.all_variants for title in _titles(choice, name))
    found = [Rules(choice.load(), titles)]
    wrong: dict[str, SpecError] = {}
    if not choice.all_variants and not only:
        for title in known_variants(choice.path):
            try:
                found.append(Rules(choice.plus(variants=[title]).load(), (title,)))
            except SpecError as error:
                wrong[title] = error
    return found, wrong


def _titles(choice: Choice, name: str) -> list[str]:
    file, title = find_variant(choice.path, name)
    return [title] if title is not None else [header.title for header in headers_of(file)]


# ---------------------------------------------------------------- playing
def _play(fuzzer: Fuzzer, games: int | None, seconds: float | None, exitfirst: bool) -> bool:
    """Play until it is enough. True if somebody has pressed Ctrl-C."""
    most = games if games is not None else None if seconds is not None else GAMES
    end = time.monotonic() + seconds if seconds is not None else None
    shows = sys.stderr.isatty()
    told = 0.0
    try:
        for number in count():
            if (most is not None and number >= most) or (end is not None and time.monotonic() >= end):
                break
            failure = fuzzer.play(number)
            if failure is not None and exitfirst:
                break
            if shows and time.monotonic() - told > 0.2:
                told = time.monotonic()
                of = f" of {most}" if most is not None else ""
                found = f", {plural(len(fuzzer.failures), 'failure')}" if fuzzer.failures else ""
                click.echo(f"\r{number + 1}{of} games, {fuzzer.steps} steps{found} ", nl=False, err=True)
    except KeyboardInterrupt:
        return True
    finally:
        if shows:
            click.echo("\r" + " " * 70 + "\r", nl=False, err=True)
    return False


# ---------------------------------------------------------------- failures
def _report(failure: Failure, settings: list[Setting], folder: Path, stem: str) -> Report:
    shrunk = shrink(failure, simpler(failure.setting, settings))
    account = account_of(shrunk.failure)
    title = f"fuzzing: {_short(shrunk.failure.message)}"
    made = Report(shrunk, account, title, scenario_text(shrunk.failure, account, title))
    if isinstance(failure.error, SpecError) and not isinstance(failure.error, PlayError):
        return made  # there is no match to write down
    name = _free(folder, stem)
    log = folder / f"{name}.json"
    made.log_file = log if write_save(log, account) else None
    made.scenario_file = folder / f"{name}.dragon"
    made.scenario_file.write_text(scenario_file(shrunk.failure, made.scenario, title), encoding="utf-8")
    made.reproduced = _fails_again(made.scenario_file, shrunk.failure)
    return made


def _fails_again(path: Path, failure: Failure) -> bool:
    found = find([path], families=False)
    if found.wrong or not found.items:
        return False
    result = run(found.items[0])
    return not result.ok and (failure.code in (result.problem or "") or result.internal)


def _folder(choice: Choice, out: Path | None) -> Path:
    """Beside the game, where its scenarios are found; here for a game that ships with dragonrules.
    Asked for before anything is played, so that nothing is found in vain."""
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        if not os.access(out, os.W_OK):
            raise click.UsageError(f"--out: nothing can be written in `{out}`")
        return out
    beside = game_file(choice.file).parent
    return beside if Path(choice.file).exists() and os.access(beside, os.W_OK) else Path()


def _free(folder: Path, stem: str) -> str:
    """A name that starts with that of the game, so that the scenario finds it."""
    return next(
        name
        for number in count(1)
        if not any(
            (folder / f"{(name := f'{stem}_fuzz_{number}')}{end}").exists() for end in (".json", ".dragon")
        )
    )


def _short(text: str) -> str:
    line = text.splitlines()[0] if text else "it fails"
    return line if len(line) <= 70 else line[:67] + "..."


# ---------------------------------------------------------------- telling
def _print(fuzzer: Fuzzer, reports: list[Report], used: Coverage, took: float) -> None:
    for number, made in enumerate(reports, start=1):
        _print_one(number, made)
    whole = total(summaries(used))
    speed = f" in {took:.1f} s" if sys.stdout.isatty() else ""
    click.echo(
        f"{plural(fuzzer.games, 'game')} in {plural(len(fuzzer.settings), 'setting')}, "
        f"{plural(fuzzer.steps, 'step')}{speed}; "
        f"{whole.lines.percent} % of the lines and {whole.branches.percent} % of the branches reached"
    )
    if fuzzer.wide:
        click.echo(f"{fuzzer.wide:,} more games in machine code, which only looked for what goes wrong")
    if fuzzer.unfinished:
        words = "was" if fuzzer.unfinished == 1 else "were"
        click.echo(
            f"{plural(fuzzer.unfinished, 'game')} {words} not over after {plural(fuzzer.limit, 'decision')}"
        )
    impossible = used.never_possible()
    if impossible:
        names = ", ".join(f"`{d.name}` ({d.file}:{d.line})" for d in impossible)
        click.echo(f"never possible in {plural(fuzzer.games, 'game')}: {names}")
    for name, reason in fuzzer.refused.items():
        click.echo(f"not tried: {name}: {reason}")
    role = "error" if reports else "good"
    tell(paint(role, plural(len(reports), "failure") if reports else "nothing went wrong"))


def _print_one(number: int, made: Report) -> None:
    failure = made.failure
    tell(paint("error", f"failure {number}: {failure.setting.name}"))
    click.echo(_indented(_told(failure)))
    before, now = len(made.shrunk.original.steps), len(failure.steps)
    if now:
        certain = ", and no shorter game fails like this" if made.shrunk.shortest else ""
        way = f"shrunk from {plural(before, 'step')} to {now}" if now < before else plural(now, "step")
        click.echo(f"  {way}{certain}:")
        hidden = now - MOST_STEPS
        if hidden > 0:
            click.echo(f"    ({hidden} more)")
        for step in made.account.steps[-MOST_STEPS:]:
            click.echo(f"    {step}")
    else:
        click.echo("  nobody has to do anything for that: it is the set-up")
    if not made.account.repeated and not isinstance(failure.error, SpecError):
        click.echo("  played again with everybody watching, it does not fail: a mistake in dragonrules")
    if made.log_file is not None:
        click.echo(f"  log:      {made.log_file}   (dragonrules replay {made.log_file})")
    if made.scenario_file is not None:
        again = "" if made.reproduced else "; it does not fail there: paste it into the rules"
        click.echo(f"  scenario: {made.scenario_file}   (dragonrules test {made.scenario_file}{again})")
        click.echo("\n" + made.scenario)


def _told(failure: Failure) -> str:
    if isinstance(failure.error, PlayError):
        return render(failure.error.diagnostic)
    if isinstance(failure.error, SpecError):
        return str(failure.error)
    return f"internal error: {failure.message}"


def _indented(text: str) -> str:
    return "\n".join(f"  {line}".rstrip() for line in text.rstrip().splitlines())


def _document(
    fuzzer: Fuzzer, reports: list[Report], used: Coverage, wrong: dict[str, SpecError]
) -> dict[str, Any]:
    whole = total(summaries(used))
    return {
        "seed": fuzzer.seed,
        "games": fuzzer.games,
        "steps": fuzzer.steps,
        "wide": fuzzer.wide,
        "unfinished": fuzzer.unfinished,
        "settings": [setting.name for setting in fuzzer.settings],
        "refused": fuzzer.refused,
        "lines": {"reached": whole.lines.hit, "of": whole.lines.total},
        "branches": {"reached": whole.branches.hit, "of": whole.branches.total},
        "never_possible": [d.name for d in used.never_possible()],
        "failures": [_plain(made) for made in reports],
        "errors": {title: [plain(d) for d in error.diagnostics] for title, error in wrong.items()},
    }


def _plain(made: Report) -> dict[str, Any]:
    failure = made.failure
    error = failure.error
    where = place(error.diagnostic.span) if isinstance(error, PlayError) else {}
    return {
        "code": failure.code,
        "message": failure.message,
        **where,
        "game": failure.setting.game.name,
        "variants": list(failure.setting.variants),
        "players": failure.setting.players,
        "options": failure.setting.game.given_options,
        "steps": made.account.steps,
        "steps_before": len(made.shrunk.original.steps),
        "shortest": made.shrunk.shortest,
        "log": str(made.log_file) if made.log_file else None,
        "scenario": made.scenario,
        "scenario_file": str(made.scenario_file) if made.scenario_file else None,
        "reproduced": made.reproduced,
    }
