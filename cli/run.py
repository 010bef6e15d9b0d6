"""`dragonrules run`: plays a game, at the terminal or by itself."""

from __future__ import annotations

import json
import secrets
import sys
from pathlib import Path
from typing import Any

import click

from ..interpreter.errors import UsageError
from ..interpreter.game import Game, load, resume
from ..interpreter.match import Match
from ..interpreter.players import KINDS, Player, player
from .files import SUFFIX, game_file
from .helping import examples, plural
from .narrate import Chronicle, Event, Narrator
from .words import Words

EPILOG = examples(
    "dragonrules run tic_tac_toe",
    "dragonrules run leduc_poker --seat human --seat human",
    "dragonrules run games/drakon.dragon --players 4 --auto --seed 7",
    'dragonrules run drakon --variant "Fixed Gold" --set goal=8 --auto --format json',
    "dragonrules run --resume table.json",
)
HUMAN = "human"


@click.command("run", epilog=EPILOG, short_help="Play a game, or watch it being played.")
@click.argument("file", metavar="[FILE]", required=False)
@click.option(
    "--players", type=click.IntRange(min=1), metavar="N", help="How many play; the fewest if not given."
)
@click.option(
    "--seat",
    "seats",
    multiple=True,
    metavar="|".join([HUMAN, *KINDS]),
    help="Who sits in the first seat, the second, ...; repeatable. By default you and programs.",
)
@click.option("--seed", type=int, help="Fixes chance and what programs do; a new one each time if not given.")
@click.option(
    "--variant", "variants", multiple=True, metavar="NAME_OR_FILE", help="A variant to play; repeatable."
)
@click.option("--set", "settings", multiple=True, metavar="OPTION=VALUE", help="Set an option; repeatable.")
@click.option("--auto", is_flag=True, help="Programs in every seat.")
@click.option(
    "--save",
    "save_as",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Save the match here at the end.",
)
@click.option(
    "--resume",
    "resume_from",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Go on with a saved match.",
)
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=100_000,
    show_default=True,
    help="Give up after so many decisions.",
)
@click.option(
    "--format", "style", type=click.Choice(["text", "json"]), default="text", help="How to print the outcome."
)
@click.pass_context
def command(
    ctx: click.Context,
    file: str | None,
    players: int | None,
    seats: tuple[str, ...],
    seed: int | None,
    variants: tuple[str, ...],
    settings: tuple[str, ...],
    auto: bool,
    save_as: Path | None,
    resume_from: Path | None,
    limit: int,
    style: str,
) -> None:
    """Play a game, or watch it being played.

    FILE is a rule file or the name of a game that comes with dragonrules. At a
    terminal you sit in the first seat; without one, or with --auto, programs play
    and the log and the result are printed. The same seed gives the same match.
    """
    if auto and HUMAN in seats:
        raise click.UsageError("--auto leaves no seat for a human")
    game = load_game(file, variants, read_settings(settings)) if file is not None else None
    if resume_from is not None:
        match = resume_match(resume_from, game, players, seed)
    elif game is not None:
        seed = secrets.randbelow(1_000_000) if seed is None else seed
        match = game.start(players or _fitting(game, len(seats)), seed=seed)
    else:
        raise click.UsageError("which game? `dragonrules games` lists those that come with dragonrules")
    kinds = seat_kinds(match, seats, people=not auto and sys.stdin.isatty() and sys.stdout.isatty())
    _play(ctx, match, kinds, limit, save_as, style)


def _play(
    ctx: click.Context, match: Match, kinds: list[str], limit: int, save_as: Path | None, style: str
) -> None:
    seated = [
        None if kind == HUMAN else player(kind, seed=match.seed, seat=n) for n, kind in enumerate(kinds, 1)
    ]
    code = 0
    if HUMAN in kinds:
        match, code = at_the_terminal(match, seated, kinds, limit, save_as, to_stderr=style == "json")
    else:
        by_themselves(match, seated, kinds, limit, quiet=style == "json")
    if save_as is not None:
        match.save(save_as)
    if style == "json":
        click.echo(json.dumps(outcome(match, kinds), indent=2))
    elif not match.over:
        click.echo(f"The match is not over{f'; saved as {save_as}' if save_as else ''}.")
    ctx.exit(code)


# ---------------------------------------------------------------- what to play
def load_game(file: str, variants: tuple[str, ...], options: dict[str, str]) -> Game:
    """The game, with files named in full, so that a save can be resumed from anywhere."""
    path = game_file(file)
    game = load(path if Path(file).exists() else file, variants=variants, options=options)
    game.spec = str(path.resolve()) if Path(file).exists() else file
    game.variants = tuple(str(Path(v).resolve()) if v.endswith(SUFFIX) else v for v in game.variants)
    return game


def read_settings(settings: tuple[str, ...]) -> dict[str, str]:
    out: dict[str, str] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals or not name.strip():
            raise click.UsageError(f"`--set {setting}` should read like `--set goal=8`")
        out[name.strip()] = value.strip()
    return out


def resume_match(path: Path, game: Game | None, players: int | None, seed: int | None) -> Match:
    if players is not None or seed is not None:
        raise click.UsageError("a saved match has its players and its seed already")
    return resume(path, game=game)


def _fitting(game: Game, seats: int) -> int:
    """The fewest players that leave nobody without a seat."""
    return next((n for n in game.players if n >= seats), game.players[0])


def seat_kinds(match: Match, given: tuple[str, ...], *, people: bool) -> list[str]:
    """Who sits in each seat: those named first, then you at a terminal, then programs."""
    for kind in given:
        if kind != HUMAN:
            player(kind, seed=0, seat=1)  # complains of what does not exist
    if len(given) > match.players:
        raise click.UsageError(f"there are {len(given)} --seat but only {plural(match.players, 'player')}")
    kinds = list(given) if given else [HUMAN] if people else []
    return kinds + ["random"] * (match.players - len(kinds))


# ---------------------------------------------------------------- playing
def headline(match: Match, kinds: list[str]) -> str:
    game = match.game
    variants = f" with {', '.join(Path(v).stem for v in game.variants)}" if game.variants else ""
    return (
        f"{game.name}{variants} for {plural(match.players, 'player')} ({', '.join(kinds)}), seed {match.seed}"
    )


def by_themselves(
    match: Match, seated: list[Player | None], kinds: list[str], limit: int, *, quiet: bool
) -> None:
    """Programs play; the log and the result are printed unless `quiet`."""
    teller = None if quiet else Teller(match)
    if teller is not None:
        click.echo(headline(match, kinds))
        teller.go_on(1)
    start = len(match.log)
    while not match.over:
        if len(match.log) - start >= limit:
            raise UsageError("D0905", f"the match is not over after {plural(limit, 'decision')}")
        seat = match.state.player + 1
        mover = seated[seat - 1]
        assert mover is not None
        match.choose(mover.choose(match))
        if teller is not None:
            teller.go_on(seat)
    if teller is not None:
        _print_scores(match)


class Teller:
    """Prints what happens in a match, for somebody who sees everything."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.chronicle = Chronicle(match.players)
        self.narrator = Narrator(Words(match.state.engine))
        self.held: list[Event] = []

    def go_on(self, seat: int) -> None:
        """After a decision of a seat. Choices are held back until something comes of them,
        so that those which belong together are told together."""
        state = self.match.state
        if not (state.over or self.match.state.engine.points[state.pc].first):
            return
        self.held += self.chronicle.news(self.match, seat)
        end = len(self.held)
        while not state.over and state.player == seat - 1 and end > 0 and self.held[end - 1][0] == "choice":
            end -= 1
        for sentence in self.narrator.sentences(self.held[:end]):
            click.echo(sentence if sentence.endswith("'s turn.") else f"  {sentence}")
        self.held = self.held[end:]


def at_the_terminal(
    match: Match,
    seated: list[Player | None],
    kinds: list[str],
    limit: int,
    save_as: Path | None,
    *,
    to_stderr: bool,
) -> tuple[Match, int]:
    """People and programs play. The exit code tells an end, or leaving at a terminal, from input that ran out."""
    from rich.console import Console

    from .session import Left, Session

    console = Console(stderr=to_stderr, highlight=False, markup=False, emoji=False)
    session = Session(match, seated, console, save_as=save_as)
    session.say(headline(match, kinds), "bold")
    session.say("Type a number to choose, ? to learn what is asked, help for more.", "dim")
    try:
        session.play(limit)
    except Left:
        return session.match, int(not sys.stdin.isatty())
    except KeyboardInterrupt:
        session.say()
        return session.match, 130
    if not to_stderr:
        _print_scores(session.match)
    return session.match, 0


def _print_scores(match: Match) -> None:
    if match.scores:
        click.echo("Scores: " + ", ".join(f"player {seat} {score}" for seat, score in match.scores.items()))


def outcome(match: Match, kinds: list[str]) -> dict[str, Any]:
    """The match as one JSON document."""
    game = match.game
    return {
        "game": game.name,
        "fingerprint": game.fingerprint,
        "variants": [Path(v).stem if v.endswith(SUFFIX) else v for v in game.variants],
        "options": game.options,
        "players": match.players,
        "seed": match.seed,
        "seats": kinds,
        "over": match.over,
        "winners": sorted(match.winners),
        "reason": match.reason,
        "scores": {str(seat): score for seat, score in match.scores.items()},
        "turns": match.turn,
        "decisions": sum(entry[0] == "choose" for entry in match.log),
        "log": match.log,
    }
