"""`--engine`: what plays where nobody looks, and what the extra would bring where it is missing."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import attrs
import click

from ...interpreter.loading import ENGINES

if TYPE_CHECKING:
    from ...interpreter.play.game import Game

Function = Callable[..., Any]

FASTER = (
    "random games run 20 to 100 times as fast as machine code: `pip install dragonrules[native]` "
    "(--engine python leaves this line out)"
)


def engine_option(function: Function) -> Function:
    """`--engine`, which becomes part of the `choice`, or is handed over where there is none."""

    @functools.wraps(function)
    def with_engine(*args: Any, engine: str, **rest: Any) -> Any:
        if "choice" not in rest:
            return function(*args, engine=engine, **rest)
        choice = rest.pop("choice")
        choice = None if choice is None else attrs.evolve(choice, engine=engine)
        return function(*args, choice=choice, **rest)

    option = click.option(
        "--engine",
        type=click.Choice(ENGINES),
        default="auto",
        show_default=True,
        help="What plays: native code, Python, or native code where that is possible. The games are the same.",
    )
    return option(with_engine)


def say_what_is_missing(games: Iterable[Game]) -> None:
    """One line on standard error, where native code would be taken if it could be made."""
    from ...interpreter.native.engine import available

    if not available() and any(game.engine_choice == "auto" for game in games):
        click.echo(FASTER, err=True)
