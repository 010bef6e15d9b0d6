"""Who sits where: said on the command line, or asked for at the table."""

from __future__ import annotations

import os
import stat
import sys
from typing import TYPE_CHECKING, Any

import click

from ...grammar import did_you_mean
from ...interpreter.core.errors import UsageError
from ...interpreter.files.find_specs import shipped_games
from ...interpreter.play.game import Game
from ...interpreter.players import KINDS, player
from ...interpreter.table.text import Line, in_columns
from ..options.helping import plural

if TYPE_CHECKING:
    from .screen import Screen

HUMAN = "human"
PREFERRED = 4
"""The company that is offered, if the game is for so many."""


def programs() -> str:
    """The kind of bot that fills seats."""
    return "greedy" if "greedy" in KINDS else "random"


def check_kinds(given: tuple[str, ...]) -> None:
    """Complain of players that do not exist."""
    for kind in given:
        if kind != HUMAN:
            player(kind, seed=0, seat=1)


def fitting(game: Game, seats: int) -> int:
    """The fewest players that leave nobody without a seat."""
    return next((n for n in game.players if n >= seats), game.players[0])


def filled(given: tuple[str, ...] | list[str], players: int, *, people: bool) -> list[str]:
    """Who sits in each seat: those named first, then you at a terminal, then bots."""
    if len(given) > players:
        raise click.UsageError(f"there are {len(given)} --seat but only {plural(players, 'player')}")
    kinds = list(given) if given else [HUMAN] if people else []
    return kinds + [programs()] * (players - len(kinds))


def answers_piped() -> bool:
    """Does somebody send lines to standard input, from a pipe or a file? An empty one is nobody."""
    try:
        mode = os.fstat(sys.stdin.fileno()).st_mode
        if not (stat.S_ISFIFO(mode) or stat.S_ISREG(mode)):
            return False
        source: Any = sys.stdin.buffer
        return bool(source.peek(1))
    except (OSError, ValueError, AttributeError):
        return False


def usual(game: Game) -> int:
    """How many sit down if nobody says otherwise: as near to four as the game allows."""
    return min(game.players, key=lambda n: (abs(n - PREFERRED), n))


# ---------------------------------------------------------------- asking
def asked_game(screen: Screen) -> str:
    """One of the included games, by its number or its name."""
    names = shipped_games()
    titles = [name.replace("_", " ") for name in names]
    entries = [Line((f" {n:>2} ", "bold green"), title) for n, title in enumerate(titles, start=1)]
    screen.clear()
    screen.show([Line(("Which game?", "bold")), *in_columns(entries, screen.width, down=8)])
    while True:
        text = screen.read(Line(("Game> ", "bold"))).lower().replace("_", " ")
        if text.isdigit() and 1 <= int(text) <= len(names):
            return names[int(text) - 1]
        found = [n for n, title in enumerate(titles) if text and text in (title, title[: len(text)])]
        if len(found) == 1:
            return names[found[0]]
        hint = did_you_mean(text, titles) or f"type a number from 1 to {len(names)}, or a name"
        screen.show([Line((f"There is no game `{text}`; {hint}.", "red"))])


def asked_seats(game: Game, screen: Screen) -> list[str]:
    """One question, and Enter answers it: you against bots."""
    count = usual(game)
    others = count - 1
    against = f"you against {_counted(others)} {'bot' if others == 1 else 'bots'}"
    offer = against if others else "you alone"
    numbers = _numbers(game.players)
    screen.clear()
    head: list[Line] = [Line((f" {game.name} ", "bold reverse")), Line()]
    doc = getattr(game.checked, "doc", None)
    if doc:
        head += Line(doc).wrap(min(screen.width, 88))
        head.append(Line())
    head += [
        Line(f"For {numbers} players. Who plays?"),
        Line(("  Enter      ", "bold green"), offer),
        Line((f"  {_example(game, count):<11}", "bold green"), "number of players; you take the first seat"),
        Line(
            ("  human human", "bold green"),
            f" and so on: who sits in each seat ({', '.join([HUMAN, *KINDS])})",
        ),
    ]
    screen.show(head)
    while True:
        text = screen.read(Line(("Players> ", "bold")))
        try:
            return seats_from(game, text)
        except (UsageError, click.UsageError) as problem:
            told = (
                problem.message if isinstance(problem, click.UsageError) else str(problem).partition(": ")[2]
            )
            screen.show([Line((told.split("\n")[0], "red"))])


def seats_from(game: Game, text: str) -> list[str]:
    """What was typed when the seats were asked for."""
    words = text.lower().replace(",", " ").split()
    if not words:
        return filled((), usual(game), people=True)
    if words[0].isdigit() and len(words) == 1:
        count = int(words[0])
        if count not in game.players:
            raise click.UsageError(f"{game.name} is for {_numbers(game.players)} players, not {count}")
        return filled((), count, people=True)
    kinds = [HUMAN if word in ("you", "me", "i", "person") else word for word in words]
    for kind in kinds:
        if kind != HUMAN:
            known = [HUMAN, *KINDS]
            if kind.partition(":")[0] not in KINDS:
                hint = did_you_mean(kind, known) or f"known are {', '.join(known)}"
                raise click.UsageError(f"there is no player `{kind}`; {hint}")
            player(kind, seed=0, seat=1)
    if len(kinds) > game.players[-1]:
        raise click.UsageError(f"{game.name} is for {_numbers(game.players)} players, not {len(kinds)}")
    return filled(kinds, fitting(game, len(kinds)), people=True)


def _example(game: Game, usual_count: int) -> str:
    return str(next((n for n in game.players if n != usual_count), usual_count))


def _numbers(players: tuple[int, ...]) -> str:
    if len(players) > 2 and players == tuple(range(players[0], players[-1] + 1)):
        return f"{players[0]} to {players[-1]}"
    return " or ".join(map(str, players))


def _counted(number: int) -> str:
    return (
        ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")[number]
        if number < 10
        else str(number)
    )
