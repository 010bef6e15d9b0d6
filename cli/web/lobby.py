"""The host's page: tables with their seats and links, and a form that opens another."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from attrs import frozen

from ...interpreter.files.find_specs import find_spec, shipped_games
from ...interpreter.files.find_variants import known_variants
from ...interpreter.pages.html_page import Html, join, tag
from ...interpreter.players import KINDS
from ...interpreter.table.html import button
from ...interpreter.table.room import HUMAN
from .qr import qr

MOST_SEATS = 6


@frozen
class Seat:
    number: int
    kind: str
    name: str
    present: bool
    link: str | None


@frozen
class Shown:
    """A table as the host sees it: never a position."""

    key: str
    title: str
    state: str
    paused: bool
    seats: Sequence[Seat]
    watch: str | None
    board: bool
    problem: str | None


def lobby(tables: Sequence[Shown], stories: Sequence[str]) -> Html:
    parts = [tag("h1", "Your tables")]
    parts += [_table(table) for table in tables]
    parts.append(_opening())
    parts.append(_resuming(stories))
    return join(parts)


def _table(table: Shown) -> Html:
    rows = [_seat(table, seat) for seat in table.seats]
    tools = [
        button(
            "Go on" if table.paused else "Pause",
            "host",
            what="go" if table.paused else "pause",
            table=table.key,
        ),
        button("Save", "host", what="save", table=table.key),
        button("Designer", "design", table=table.key, title="Try a house rule at this table"),
        button(
            "Analysis board",
            "host",
            what="board",
            table=table.key,
            title="A copy of this position to try things out on",
        ),
        button("New link to watch", "host", what="watch", table=table.key),
        button("Close the table", "host", what="close", table=table.key, class_="danger"),
    ]
    return tag(
        "section",
        tag("h2", table.title, " ", tag("small", table.state)),
        tag("p", f"It cannot be written down: {table.problem}", class_="bad") if table.problem else None,
        tag("ul", *rows, class_="seats") if not table.board else None,
        tag("p", "To try things out: " if table.board else "To watch: ", _link(table.watch))
        if table.watch
        else None,
        tag("div", *tools, class_="tools"),
        class_="panel",
    )


def _seat(table: Shown, seat: Seat) -> Html:
    who = seat.name or f"Seat {seat.number}"
    state = "at the table" if seat.present else "not here yet" if seat.kind == HUMAN else f"bot: {seat.kind}"
    parts = [tag("b", who), " ", tag("span", state, class_="soft")]
    if seat.kind == HUMAN:
        parts.append(
            tag("p", _link(seat.link))
            if seat.link
            else tag("p", "The link was handed out earlier.", class_="soft")
        )
        parts.append(button("New link", "host", what="link", table=table.key, seat=seat.number))
        parts.append(
            button("Let a bot play", "host", what="bot", table=table.key, seat=seat.number, kind="greedy")
        )
    else:
        parts.append(button("Give to a person", "host", what="human", table=table.key, seat=seat.number))
    return tag("li", *parts)


def _link(link: str | None) -> Html:
    if link is None:
        return Html("")
    return join(
        (
            tag("a", "open", href=link, target="_blank", rel="noopener noreferrer"),
            " ",
            tag("input", value=link, readonly=True, aria_label="link", class_="link"),
            button("Copy", "copy", text=link),
            tag("details", tag("summary", "QR"), qr(link)),
        )
    )


def _opening() -> Html:
    games = tag(
        "select",
        *(tag("option", name.replace("_", " "), value=name) for name in shipped_games()),
        name="game",
    )
    variants = join(
        tag("fieldset", tag("legend", "variants"), *_variants(name), data_game=name, hidden=True)
        for name in shipped_games()
        if _names(name)
    )
    kinds = [HUMAN, *KINDS]
    seats = join(
        tag(
            "label",
            f"Seat {n} ",
            tag(
                "select",
                tag("option", "empty", value="", selected=n > 2),
                *(
                    tag(
                        "option",
                        "a person" if kind == HUMAN else f"bot: {kind}",
                        value=kind,
                        selected=(n == 1 and kind == HUMAN) or (n == 2 and kind == "greedy"),
                    )
                    for kind in kinds
                ),
                name="seat",
            ),
        )
        for n in range(1, MOST_SEATS + 1)
    )
    options = tag(
        "label", "Options, like goal=8 ", tag("input", name="options", placeholder="goal=8, quick_start=yes")
    )
    return tag(
        "section",
        tag("h2", "Open a table"),
        tag(
            "form",
            tag("label", "Game ", games),
            variants,
            tag("div", seats, class_="grid"),
            options,
            button("Open", "open", class_="primary"),
            id="opening",
        ),
        class_="panel",
    )


@cache
def _names(game: str) -> tuple[str, ...]:
    return tuple(known_variants(find_spec(game)))


def _variants(game: str) -> list[Html]:
    return [
        tag("label", tag("input", type="checkbox", name="variant", value=name), f" {name.replace('_', ' ')}")
        for name in _names(game)
    ]


def _resuming(stories: Sequence[str]) -> Html:
    rows = [
        tag("li", story, " ", button("Go on", "host", what="resume", number=n))
        for n, story in enumerate(stories)
    ]
    return tag(
        "section",
        tag("h2", "Go on with a match"),
        tag("ul", *rows) if rows else button("Look for matches", "host", what="resumable"),
        class_="panel",
    )
