"""The designer's page: a house rule typed at a table, checked as one types, tried in this match, compared in a process."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from typing import TYPE_CHECKING, Any

from ...interpreter.core.errors import DragonError
from ...interpreter.pages.html_page import Html, join, tag
from ...interpreter.table.design import (
    DRAFT,
    Draft,
    Finding,
    Sides,
    followed,
    read_draft,
    side_by_side,
    starter,
)
from ...interpreter.table.html import button
from ...interpreter.table.staging import going_on, scenarios_of, staged_scenario
from .comparing import MOST_GAMES, MOST_SECONDS

if TYPE_CHECKING:
    from .hall import Hall
    from .hosted import Guest, Hosted

MOST_SENTENCES = 30
MOST_OPTIONS = 40
BOTS = ("random", "greedy")


class Designer:
    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self._runs: dict[Guest, asyncio.Task[None]] = {}

    async def do(self, guest: Guest, message: dict[str, Any]) -> None:
        name, text, what = message.get("table"), message.get("text"), message.get("do")
        hosted = self.hall.tables.get(name) if isinstance(name, str) else None
        if what == "stop":
            self.forget(guest)
            await guest.show({"comparison": str(tag("p", "Stopped."))}, 0, seat=None)
            return
        if hosted is None:
            return
        if what == "open":
            await self.hall.look_into(hosted)
            game = hosted.room.match.game
            await guest.tell({"t": "draft", "table": name, "title": hosted.room.title, "text": starter(game)})
            await guest.show({"positions": str(_scenarios(hosted))}, 0, seat=None)
            return
        if what == "scenario":
            await self._scenario(guest, hosted, message.get("number"))
            return
        if not isinstance(text, str):
            return
        await self.hall.look_into(hosted)
        draft = await asyncio.to_thread(read_draft, hosted.room.match.game, text)
        await guest.show({"findings": str(_findings(draft))}, 0, seat=None)
        if draft.game is None:
            return
        match what:
            case "read":
                await self._sides(guest, hosted, draft)
            case "go on":
                await self._go_on(guest, hosted, draft)
            case "compare":
                self.forget(guest)
                run = self._compare(guest, hosted, text, message.get("games"), message.get("bot"))
                self._runs[guest] = asyncio.get_running_loop().create_task(run)

    def forget(self, guest: Guest) -> None:
        """Nobody waits for that comparison any more."""
        run = self._runs.pop(guest, None)
        if run is not None:
            run.cancel()

    # ------------------------------------------------------------ this position
    async def _sides(self, guest: Guest, hosted: Hosted, draft: Draft) -> None:
        match = hosted.room.match.fork()
        assert draft.game is not None
        try:
            found = await asyncio.to_thread(followed, match, draft.game)
        except DragonError as problem:
            words = str(problem).split("\n")[0].partition(": ")[2]
            await guest.show(
                {"sides": str(tag("p", f"This match cannot be played so: {words}"))}, 0, seat=None
            )
            return
        told = (
            tag(
                "p", f"The match can be followed {found.steps} of {found.of} steps; it stops {found.stopped}."
            )
            if found.stopped
            else None
        )
        sides = None if found.stopped else _sides(side_by_side(match, found.match))
        await guest.show({"sides": str(join((told, sides)))}, 0, seat=None)

    async def _go_on(self, guest: Guest, hosted: Hosted, draft: Draft) -> None:
        room = hosted.room
        assert draft.game is not None
        found = await asyncio.to_thread(followed, room.match.fork(), draft.game)
        name = self.hall.open_board(found.match, f"{draft.game.name}: your rule", texts={DRAFT: draft.text})
        words = f"A board is open with this match under your rule, {found.steps} of {found.of} steps in."
        if found.stopped:
            words += f" It could not be followed further: {found.stopped}."
        await guest.tell({"t": "note", "text": words})
        await guest.tell({"t": "opened", "table": name})
        self.hall.tell_hosts()

    async def _scenario(self, guest: Guest, hosted: Hosted, number: object) -> None:
        """A board with the position in which a scenario of the game ends."""
        game = hosted.room.match.game
        scenarios = scenarios_of(game)
        if not isinstance(number, int) or not 0 <= number < len(scenarios):
            return
        file, name = scenarios[number]
        try:
            stage = await asyncio.to_thread(staged_scenario, game, file, name)
        except DragonError as problem:
            text = str(problem).split("\n")[0]
            await guest.tell({"t": "note", "text": f"That scenario has no position: {text}."})
            return
        assert stage.start is not None
        self.hall.open_board(going_on(stage.start), f"{hosted.room.title}: {name}", stage=stage)
        self.hall.tell_hosts()

    # ------------------------------------------------------------ many games
    async def _compare(self, guest: Guest, hosted: Hosted, text: str, games: object, bot: object) -> None:
        game = hosted.room.match.game
        count = min(games, MOST_GAMES) if isinstance(games, int) and games > 0 else 100
        wanted = {
            "spec": game.spec,
            "variants": list(game.variants),
            "options": game.given_options,
            "text": text,
            "players": hosted.room.match.players,
            "games": count,
            "bot": bot if bot in BOTS else BOTS[0],
        }
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "dragonrules.cli.web.comparing",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            limit=8_000_000,
        )
        try:
            await asyncio.wait_for(self._follow(guest, process, wanted, 2 * count), MOST_SECONDS)
        except TimeoutError:
            words = f"It takes longer than {MOST_SECONDS} s. Fewer games, or `dragonrules compare`, will do."
            await guest.show({"comparison": str(tag("p", words))}, 0, seat=None)
        finally:
            with contextlib.suppress(ProcessLookupError):
                process.kill()

    async def _follow(
        self, guest: Guest, process: asyncio.subprocess.Process, wanted: dict[str, Any], total: int
    ) -> None:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(json.dumps(wanted).encode() + b"\n")
        await process.stdin.drain()
        played = shown = 0
        await guest.show({"comparison": str(_progress(0, total))}, 0, seat=None)
        async for line in process.stdout:
            told = json.loads(line)
            if "played" in told:
                played += told["played"]
                if played - shown >= total // 20:
                    shown = played
                    await guest.show({"comparison": str(_progress(played, total))}, 0, seat=None)
            else:
                text = told.get("html") or str(tag("p", told.get("problem", "")))
                await guest.show({"comparison": text}, 0, seat=None)
                return


# ---------------------------------------------------------------- sections
def _progress(played: int, total: int) -> Html:
    bar = tag("progress", value=played, max=total, aria_label="games played")
    return join((bar, f" {played} of {total} games ", button("Stop", "stopcompare")))


def _findings(draft: Draft) -> Html:
    if draft.game is None:
        return tag("ul", *(_finding(one) for one in draft.findings), class_="findings")
    if not draft.sentences:
        return tag("p", "It holds together, and changes nothing.")
    sentences = [tag("li", sentence) for sentence in draft.sentences[:MOST_SENTENCES]]
    return join((tag("p", "It holds together. What changes:", class_="good"), tag("ul", *sentences)))


def _finding(found: Finding) -> Html:
    where = f"line {found.line}: " if found.line else ""
    return tag(
        "li",
        tag("b", f"{where}{found.words}"),
        tag("span", f" ({found.help})", class_="soft") if found.help else None,
        tag("span", f" {found.code}", class_="soft") if found.code else None,
        class_="bad",
        data_line=found.line or None,
    )


def _sides(sides: Sides) -> Html:
    def listed(title: str, labels: list[str], class_: str) -> Html:
        shown = [tag("li", label) for label in labels[:MOST_OPTIONS]]
        return tag("div", tag("h4", f"{title} ({len(labels)})"), tag("ul", *shown), class_=class_)

    return join(
        (
            tag("h3", "This position"),
            tag("p", sides.question),
            tag("p", sides.note) if sides.note else None,
            tag(
                "div",
                listed("as before", sides.both, "soft"),
                listed("no longer", sides.lost, "bad"),
                listed("new", sides.gained, "good"),
                class_="grid",
            )
            if sides.question
            else None,
        )
    )


def _scenarios(hosted: Hosted) -> Html:
    rows = [
        tag("option", name, value=number)
        for number, (_, name) in enumerate(scenarios_of(hosted.room.match.game))
    ]
    if not rows:
        return Html("")
    return tag(
        "p",
        tag("label", "A position from a scenario ", tag("select", *rows, id="scenario")),
        button("Open a board", "boardfrom"),
    )
