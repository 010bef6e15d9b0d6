"""`dragonrules history`: the figures of a design over its versions in git."""

from __future__ import annotations

import functools
import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import attrs
import click

from ...interpreter.core.errors import DragonError, UsageError
from ...interpreter.lab.comparing import Comparison, chosen_figures, compare, is_about
from ...interpreter.lab.experiments import Entrant
from ...interpreter.lab.measures import shown_interval, summarise
from ...interpreter.lab.scoring import counted_alike
from ...interpreter.play.game import Game
from ..formats.figures import summary_data
from ..options.engine import engine_option
from ..options.helping import examples, plural
from ..options.laboratory import Effort, columns, effort_options, exit_code, lineup_words, play
from ..options.rule_set import Choice, game_options
from ..rules.files import SUFFIX

EPILOG = examples(
    "dragonrules history my_game.dragon",
    "dragonrules history my_game.dragon --last 8 --about length,start --players 3",
    "dragonrules history my_game.dragon --variant quick --rest mcts:50 --seconds 120 --format json",
)
NOW = "now"


@attrs.frozen
class Version:
    """A commit that has changed the rules; `now` is what lies in the folder, if that is not the last commit."""

    name: str
    date: str
    subject: str


@click.command("history", epilog=EPILOG, short_help="Tell the figures of a design over its versions in git.")
@game_options
@engine_option
@functools.partial(effort_options, seconds=60.0, usual="greedy")
@click.option(
    "--last", type=click.IntRange(min=2), default=5, show_default=True, metavar="N", help="So many versions."
)
@click.option(
    "--about",
    default="length,score,start,draws",
    show_default=True,
    metavar="FIGURES",
    help="Figures, as in `compare`.",
)
@click.pass_context
def command(ctx: click.Context, choice: Choice, effort: Effort, last: int, about: str) -> None:
    """Tell the figures of a design over its versions in git.

    FILE lies in a git repository. The last versions of it play the games of the same
    seeds, and each is compared with the one before. Versions that cannot be played are
    named and left out.
    """
    if effort.out is not None or effort.report is not None or effort.stories or effort.moves:
        raise click.UsageError("--out, --report, --stories and --moves go with `compare` and `simulate`")
    wanted = chosen_figures(about)
    path = choice.path.resolve()
    versions = versions_of(path, last)
    entrants: list[tuple[Version, Entrant]] = []
    failed: list[tuple[Version, str]] = []
    with tempfile.TemporaryDirectory() as folder:
        games: list[tuple[Version, Game]] = []
        for version in versions:
            try:
                file = str(taken_out(path, version, Path(folder)))
                games.append((version, attrs.evolve(choice, file=file).load()))
            except DragonError as problem:
                failed.append((version, str(problem).splitlines()[0]))
        for version, words in failed:
            click.echo(f"{version.name} ({version.date}) cannot be played: {words}", err=True)
        if not games:
            ctx.exit(1)
        lineup = effort.lineup(games[-1][1], "greedy", [game for _, game in games])
        for version, game in games:
            entrants.append((version, Entrant(version.name, effort.series(game, lineup))))
        outcome = play(effort, [entrant for _, entrant in entrants])
    if outcome.played < 2:
        click.echo("fewer than two games were finished by all versions", err=True)
        ctx.exit(exit_code(outcome) or 1)
    found = [
        compare(
            outcome.games[at - 1],
            [(entrants[at][1].title, outcome.games[at])],
            lineup,
            alpha=0.05 / (len(entrants) - 1),
            rescored=[] if counted_alike(games[at - 1][1], games[at][1]) else [entrants[at][1].title],
            about=wanted,
        )[0]
        for at in range(1, len(entrants))
    ]
    summaries = [summarise(some, lineup) for some in outcome.games]
    if effort.style == "json":
        data = [
            {
                "version": version.name,
                "date": version.date,
                "subject": version.subject,
                "fingerprint": entrant.series.game.fingerprint,
                **summary_data(summary),
                "since_the_one_before": comparison.sentence if comparison is not None else None,
            }
            for (version, entrant), summary, comparison in zip(
                entrants, summaries, [None, *found], strict=True
            )
        ]
        click.echo(json.dumps({"game": path.stem, "seed": effort.seed, "versions": data}, indent=2))
    else:
        click.echo(
            f"{path.stem} for {plural(len(lineup), 'player')} ({lineup_words(lineup)}), "
            f"{plural(outcome.played, 'game')} of each version, seed {effort.seed}\n"
        )
        click.echo("\n".join(_table([v for v, _ in entrants], summaries, wanted)))
        click.echo("\n".join(_changes([v for v, _ in entrants], found)))
    ctx.exit(exit_code(outcome) or int(bool(failed)))


def _table(versions: list[Version], summaries: list[Any], wanted: tuple[str, ...]) -> list[str]:
    measures = {
        f.measure.key: f.measure
        for summary in summaries
        for f in summary.figures
        if is_about(f.measure.key, wanted)
    }
    rows = [("", "", *(m.title for m in measures.values()))]
    for version, summary in zip(versions, summaries, strict=True):
        cells = [
            shown_interval(m, figure.interval) if (figure := summary.figure(key)) is not None else ""
            for key, m in measures.items()
        ]
        rows.append((version.name, version.date, *cells))
    return columns(rows, left=2)


def _changes(versions: list[Version], found: list[Comparison]) -> list[str]:
    out = [""]
    for version, comparison in zip(versions[1:], found, strict=True):
        out.append(f"{version.name} {version.subject}:")
        out.append(f"  {comparison.sentence}.")
    return out


# ---------------------------------------------------------------- git
def versions_of(path: Path, last: int) -> list[Version]:
    """The last commits that changed the file, the oldest first, and what lies there now if that is different."""
    lines = _git(path.parent, "log", f"-n{last}", "--format=%h\t%ad\t%s", "--date=short", "--", path.name)
    found = [Version(*line.split("\t", 2)) for line in lines.splitlines()][::-1]
    if not found:
        raise UsageError("D0704", f"{path.name} has no versions in git", "commit it first")
    if _git(path.parent, "status", "--porcelain", "--", path.name).strip():
        found = [*found[-last + 1 :], Version(NOW, "", "not committed")]
    return found


def taken_out(path: Path, version: Version, folder: Path) -> Path:
    """The rule files beside a file and below, as they were; where the file then lies."""
    if version.name == NOW:
        return path
    root = folder / version.name
    names = _git(path.parent, "ls-tree", "-r", "-z", "--name-only", version.name, "--", ".").split("\0")
    for name in names:
        if name.endswith(SUFFIX):
            target = root / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(_git(path.parent, "show", f"{version.name}:./{name}"), encoding="utf-8")
    return root / path.name


def _git(folder: Path, *words: str) -> str:
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *words], capture_output=True, text=True, encoding="utf-8", check=False
        )
    except FileNotFoundError:
        raise UsageError("D0704", "there is no git on this machine") from None
    if done.returncode:
        raise UsageError("D0704", f"git: {(done.stderr.strip().splitlines() or ['it failed'])[0]}")
    return done.stdout
