"""`dragonrules experiment`: what is to be simulated, compared, tuned or played off, kept in a file.

Each table of the file is a command of the laboratory, and its keys are the options of that command. So there is
nothing to learn twice, and what a command can do an experiment can do.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from contextlib import chdir
from pathlib import Path
from typing import Any

import attrs
import click

from ...grammar import did_you_mean
from ...interpreter.core.errors import DragonError, UsageError
from ..options.helping import WORDS, examples
from .compare import command as compare
from .simulate import command as simulate
from .tournament import command as tournament
from .tune import command as tune

EPILOG = examples(
    "dragonrules experiment goals.toml",
    "dragonrules experiment goals.toml length draws",
)

JOBS: dict[str, click.Command] = {
    "simulate": simulate,
    "compare": compare,
    "tune": tune,
    "tournament": tournament,
}
OWN = ("command", "game", "with")


@attrs.frozen
class Job:
    name: str
    command: str
    words: tuple[str, ...]


@click.command("experiment", epilog=EPILOG, short_help="Carry out experiments that a file describes.")
@click.argument("file", metavar="FILE.toml", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("names", metavar="[NAME]...", nargs=-1)
@click.pass_context
def command(ctx: click.Context, file: Path, names: tuple[str, ...]) -> None:
    """Carry out experiments that a file describes, all or those named.

    Each table is an experiment: its `command` (simulate, compare, tune or tournament), the `game`, `with` what
    comes behind it on the command line, and every other key an option of that command; a list repeats it. What
    stands above the tables holds for all of them. Files are looked for and written beside the experiment's file.

    \b
        game = "drakon"
        seed = 1
    \b
        [length]
        command = "compare"
        with = ["goal=8", "restless"]
        seconds = 60
        report = "length.html"
    """
    jobs = list(read_jobs(file))
    for name in names:
        if name not in [job.name for job in jobs]:
            hint = did_you_mean(name, [job.name for job in jobs])
            raise UsageError("D0704", f"there is no experiment `{name}` in {file.name}", hint)
    chosen = [job for job in jobs if not names or job.name in names]
    worst = 0
    with chdir(file.parent):
        made = [
            _parsed(ctx, job, file) for job in chosen
        ]  # mistakes in any of them are told before the first is played
        for number, (job, parsed) in enumerate(zip(chosen, made, strict=True)):
            ctx.meta[WORDS] = (job.command, *job.words)
            click.echo(f"{'' if number == 0 else chr(10)}== {job.name}", err=True)
            worst = max(worst, _carried_out(job, parsed))
    ctx.exit(worst)


def read_jobs(file: Path) -> Iterator[Job]:
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise UsageError("D0704", f"{file.name} is not TOML: {problem}") from None
    shared = {key: value for key, value in data.items() if not isinstance(value, dict)}
    tables = {key: value for key, value in data.items() if isinstance(value, dict)}
    if not tables:
        raise UsageError(
            "D0704", f"{file.name} describes no experiment", 'begin with `[name]` and `command = "compare"`'
        )
    for name, table in tables.items():
        yield _job(name, {**shared, **table}, table)


def _job(name: str, keys: Mapping[str, Any], own: Mapping[str, Any]) -> Job:
    kind = keys.get("command")
    if kind not in JOBS:
        hint = did_you_mean(str(kind), list(JOBS)) if kind else f"one of {', '.join(JOBS)}"
        raise UsageError(
            "D0704", f"[{name}] needs a `command`" if kind is None else f"[{name}]: no command `{kind}`", hint
        )
    if not isinstance(keys.get("game"), str):
        raise UsageError("D0704", f"[{name}] needs a `game`", 'such as `game = "drakon"`')
    options = {
        opt.removeprefix("--"): param
        for param in JOBS[kind].params
        if isinstance(param, click.Option)
        for opt in param.opts
        if opt.startswith("--")
    }
    words: list[str] = []
    for key, value in keys.items():
        if key in OWN:
            continue
        option = options.get(key.replace("_", "-"))
        if option is None:
            if key not in own:
                continue  # what holds for all goes to those that know it
            hint = did_you_mean(key, options) or f"known: {', '.join(sorted(options))}"
            raise UsageError("D0704", f"[{name}]: `{kind}` has no option `{key}`", hint)
        words += _words(name, key.replace("_", "-"), value, option)
    rest = keys.get("with", [])
    words += [
        "--",
        keys["game"],
        *(_text(name, "with", v) for v in (rest if isinstance(rest, list) else [rest])),
    ]
    return Job(name, kind, tuple(words))


def _words(name: str, key: str, value: Any, option: click.Option) -> list[str]:
    if option.is_flag:
        if not isinstance(value, bool):
            raise UsageError("D0704", f"[{name}]: `{key}` is true or false")
        return [f"--{key}"] if value else []
    values = value if isinstance(value, list) else [value]
    return [word for v in values for word in (f"--{key}", _text(name, key, v))]


def _text(name: str, key: str, value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise UsageError("D0704", f"[{name}]: `{key}` is a text, a number or a list of them")
    return str(value)


def _parsed(ctx: click.Context, job: Job, file: Path) -> click.Context:
    try:
        return JOBS[job.command].make_context(job.command, list(job.words), parent=ctx)
    except click.UsageError as problem:
        raise UsageError("D0704", f"[{job.name}] in {file.name}: {problem.format_message()}") from None


def _carried_out(job: Job, parsed: click.Context) -> int:
    try:
        with parsed:
            JOBS[job.command].invoke(parsed)
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.UsageError as problem:
        click.echo(f"[{job.name}]: {problem.format_message()}", err=True)
        return 2
    except DragonError as problem:
        click.echo(f"[{job.name}]: {problem}", err=True)
        return 2
    return 0
