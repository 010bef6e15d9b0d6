"""`dragonrules serve`: a table in the browser, with a link for each seat."""

from __future__ import annotations

import contextlib
import secrets
import socket
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from ...interpreter.play.match import Match
from ...interpreter.players import KINDS
from ..options.helping import examples
from ..options.rule_set import Choice, game_options
from ..table.seating import HUMAN, check_kinds, filled, fitting

if TYPE_CHECKING:
    from ..web.hall import Hall

EPILOG = examples(
    "dragonrules serve",
    "dragonrules serve drakon --seat human --seat human --seat greedy",
    "dragonrules serve dragon_keeper --players 3 --lan",
    "dragonrules serve --resume",
)
PORT = 8642
LAST = "last"
LOCAL = "127.0.0.1"


@click.command("serve", epilog=EPILOG, short_help="Host a table in the browser.")
@game_options(required=False)
@click.option(
    "--players", type=click.IntRange(min=1), metavar="N", help="Number of players; default: the seats."
)
@click.option(
    "--seat",
    "seats",
    multiple=True,
    metavar="|".join([HUMAN, *KINDS]),
    help="Who sits in the first seat, the second, ...; repeatable. By default people.",
)
@click.option("--seed", type=int, help="Fixes chance and what bots do; default: a new one each time.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="0: any that is free."
)
@click.option(
    "--lan",
    is_flag=True,
    help="Open to the home network, not only to this machine. Nothing is encrypted, so only where you know everybody.",
)
@click.option(
    "--resume",
    "resume_from",
    is_flag=False,
    flag_value=LAST,
    metavar="[FILE]",
    help="Resume a match that was kept.",
)
@click.option(
    "--pace",
    type=click.FloatRange(0, 60),
    default=0.5,
    show_default=True,
    help="Seconds that a bot takes at least.",
)
@click.option("--no-clock", is_flag=True, help="Limit talks by number of messages instead of time.")
def command(
    choice: Choice | None,
    players: int | None,
    seats: tuple[str, ...],
    seed: int | None,
    port: int,
    lan: bool,
    resume_from: str | None,
    pace: float,
    no_clock: bool,
) -> None:
    """Host a table in the browser, for people on this machine or, with --lan, in the home network.

    Prints the host's link, and with FILE a link for each seat: whoever opens a link sits there.
    The host's page opens more tables, hands out new links, lets bots take over, pauses and saves.
    Every decision is written down at once, as at the terminal; `--resume` goes on after a
    crash, and links that were handed out stay good. Needs `pip install dragonrules[web]`.
    """
    need_web()
    check_kinds(seats)
    from ..web.hall import Hall

    with listening(port, lan=lan) as listener:
        address = address_of(listener, lan=lan)
        hall = Hall(address, clock=not no_clock, pace=pace)
        opened = None
        if resume_from is not None:
            from .run import resumed

            match, story = resumed(resume_from, choice.load() if choice is not None else None, people=False)
            kinds = story.seats if story is not None else filled(seats, match.players, people=True)
            opened = hall.open(match, kinds, story=story)
        elif choice is not None:
            match, kinds = seated(choice, players, seats, seed)
            opened = hall.open(match, kinds)
        elif players or seats or seed is not None:
            raise click.UsageError("--players, --seat and --seed need a game")
        tell(hall, opened, lan=lan)
        run_server(hall, listener, lan=lan)


def need_web() -> None:
    """Complain, with what to do, where the packages for the browser are not installed."""
    try:
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
        import websockets  # noqa: F401
    except ImportError as missing:
        raise click.UsageError(
            f"the table in the browser needs `{missing.name}`: pip install 'dragonrules[web]'"
        ) from None


def seated(
    choice: Choice, players: int | None, seats: Sequence[str], seed: int | None
) -> tuple[Match, list[str]]:
    """A new match, and who sits where: people, unless it is said otherwise."""
    game = choice.load()
    count = players or fitting(game, len(seats))
    given = [*seats, *([HUMAN] * max(0, count - len(seats)))] if not seats else list(seats)
    kinds = filled(given, count, people=True)
    match = game.start(count, seed=secrets.randbelow(1_000_000) if seed is None else seed)
    return match, kinds


def listening(port: int, *, lan: bool) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("0.0.0.0" if lan else LOCAL, port))
    except OSError as problem:
        listener.close()
        raise click.UsageError(
            f"port {port} cannot be used: {problem.strerror}; try another with --port, or --port 0"
        ) from None
    return listener


def address_of(listener: socket.socket, *, lan: bool) -> str:
    return f"http://{own_address() if lan else LOCAL}:{listener.getsockname()[1]}"


def own_address() -> str:
    """The address of this machine in the home network. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return LOCAL


def hosts_of(listener: socket.socket, *, lan: bool) -> list[str]:
    """The names by which browsers may call this server."""
    port = listener.getsockname()[1]
    names = [LOCAL, "localhost"] + (
        [own_address(), socket.gethostname(), f"{socket.gethostname()}.local"] if lan else []
    )
    return [f"{name}:{port}" for name in names]


def tell(hall: Hall, opened: str | None, *, lan: bool) -> None:
    from ..web.doors import SEAT, WATCH

    where = "to everybody in your network" if lan else "to this machine only"
    click.echo(f"The table is open {where}. Ctrl-C ends it.")
    click.echo(f"Host:   {hall.link(hall.host)}")
    if opened is None:
        return
    for seat, chair in enumerate(hall.tables[opened].room.chairs, start=1):
        door = hall.doors.get(SEAT, opened, seat) if chair.kind == HUMAN else None
        link = hall.link(door) if door is not None else None
        click.echo(f"Seat {seat}: {link or ('a link from before' if chair.kind == HUMAN else chair.kind)}")
    watch = hall.doors.get(WATCH, opened)
    if watch is not None and watch.token:
        click.echo(f"Watch:  {hall.link(watch)}")


def open_browser(hall: Hall, opened: str) -> None:
    """At the first seat of a person that has a link, or at the host's page."""
    import webbrowser

    from ..web.doors import SEAT

    seats = (hall.doors.get(SEAT, opened, seat) for seat in hall.tables[opened].room.people)
    door = next((found for found in seats if found is not None and found.token), hall.host)
    with contextlib.suppress(webbrowser.Error):
        webbrowser.open(hall.link(door) or hall.address)


def run_server(hall: Hall, listener: socket.socket, *, lan: bool) -> None:
    import uvicorn

    from ..web import thinking
    from ..web.app import application
    from ..web.wire import LARGEST_TEXT

    config = uvicorn.Config(
        application(hall, hosts_of(listener, lan=lan)),
        log_level="warning",
        access_log=False,
        server_header=False,
        date_header=False,
        ws="websockets-sansio",
        ws_max_size=LARGEST_TEXT,
        ws_max_queue=8,
        timeout_graceful_shutdown=2,
    )
    try:
        uvicorn.Server(config).run(sockets=[listener])
    except KeyboardInterrupt:
        pass
    finally:
        thinking.shut()
