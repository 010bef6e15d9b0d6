"""All tables of one server: opening them, links to their seats, what the host may do."""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ...grammar.writing import write_whole
from ...interpreter.core.errors import DragonError
from ...interpreter.files.find_specs import shipped_games
from ...interpreter.loading import load
from ...interpreter.play.game import Game
from ...interpreter.play.match import Match
from ...interpreter.table.journal import Journal, look_through
from ...interpreter.table.room import HUMAN, Room
from ...interpreter.table.staging import Stage
from ...interpreter.table.stories import Story, resume_story
from .analysis import Analysis
from .designing import Designer
from .doors import BOARD, HOST, SEAT, WATCH, Door, Doors
from .hosted import PACE, Guest, Hosted
from .lobby import Seat, Shown, lobby
from .wire import Wire

MOST_TABLES = 50
MOST_RESUMABLE = 9


class Hall:
    def __init__(self, address: str, *, keep: bool = True, pace: float = PACE, clock: bool = True) -> None:
        self.address, self.keep, self.pace, self.clock = address, keep, pace, clock
        self.tables: dict[str, Hosted] = {}
        self.doors = Doors()
        self.host = self.doors.new(HOST)
        self.hosts: set[Guest] = set()
        self._stories: list[Story] = []
        self._told: asyncio.Task[None] | None = None
        self.designer = Designer(self)

    def link(self, door: Door) -> str | None:
        return f"{self.address}/#{door.token}" if door.token else None

    # ------------------------------------------------------------ opening tables
    def open(
        self, match: Match, kinds: Sequence[str], *, path: Path | None = None, story: Story | None = None
    ) -> str:
        """A table with a link for each seat. It is played once the server runs."""
        name = secrets.token_hex(4)
        journal = None
        if story is not None:
            journal = Journal(story.path, match, kinds, story)
        elif path is not None:
            journal = Journal(path, match, kinds)
        elif self.keep:
            with contextlib.suppress(OSError):
                journal = Journal.in_state_folder(match, kinds)
        room = Room(match, kinds, clock=self.clock)
        hosted = Hosted(
            room,
            journal,
            pace=self.pace,
            keep=lambda: self._keep_links(name),
            changed=self.tell_hosts,
        )
        self.tables[name] = hosted
        if story is not None:
            self._take_links(name, hosted)
        for seat, kind in enumerate(kinds, start=1):
            if kind == HUMAN and self.doors.get(SEAT, name, seat) is None:
                self.doors.new(SEAT, name, seat)
        if self.doors.get(WATCH, name) is None:
            self.doors.new(WATCH, name)
        self._keep_links(name)
        return name

    def _keep_links(self, name: str) -> None:
        hosted = self.tables[name]
        if hosted.links is not None:
            data = {
                "names": [chair.name for chair in hosted.room.chairs],
                "doors": self.doors.to_json(name),
                "host": self.host.digest,
            }
            with contextlib.suppress(OSError):
                write_whole(hosted.links, json.dumps(data).encode(), safely=False)
                hosted.links.chmod(0o600)

    def _take_links(self, name: str, hosted: Hosted) -> None:
        if hosted.links is None:
            return
        try:
            data = json.loads(hosted.links.read_text(encoding="utf-8"))
            self.doors.take(name, data.get("doors"))
            for seat, called in enumerate(data.get("names", ()), start=1):
                hosted.room.rename(seat, called)
        except (OSError, ValueError, AttributeError, TypeError, IndexError):
            return

    def start(self) -> None:
        """The server runs: everybody may play."""
        for hosted in self.tables.values():
            hosted.start()

    async def stop(self) -> None:
        for hosted in self.tables.values():
            await hosted.stop()

    def open_board(
        self, match: Match, title: str, *, stage: Stage | None = None, texts: Mapping[str, str] | None = None
    ) -> str:
        """A board of analysis: one page that plays for everybody. It is not written down. `stage` is how the
        position came about, if not by play; `texts` are rules of the game that stand in no file."""
        name = secrets.token_hex(4)
        hosted = Hosted(Room(match, [HUMAN] * match.players, clock=False), pace=0, changed=self.tell_hosts)
        hosted.room.title = title
        hosted.room.may_undo_others = True
        hosted.analysis = Analysis(hosted, stage, texts)
        self.tables[name] = hosted
        self.doors.new(BOARD, name)
        hosted.start()
        return name

    # ------------------------------------------------------------ coming in
    async def enter(self, door: Door, wire: Wire) -> Guest:
        if door.role == HOST:
            guest = Guest(wire, None)
            self.hosts.add(guest)
            await self._show(guest)
            return guest
        guest = Guest(wire, door.seat, everybody=door.role == BOARD)
        assert door.table is not None
        await self.tables[door.table].enter(guest)
        return guest

    async def leave(self, door: Door, guest: Guest) -> None:
        self.hosts.discard(guest)
        self.designer.forget(guest)
        if door.table in self.tables:
            await self.tables[door.table].leave(guest)

    async def do(self, door: Door, guest: Guest, message: dict[str, Any]) -> None:
        if door.role == HOST:
            await self._do(guest, message)
        elif door.table in self.tables:
            await self.tables[door.table].do(guest, message)

    # ------------------------------------------------------------ what the host may do
    async def _do(self, guest: Guest, message: dict[str, Any]) -> None:
        if message["t"] == "design":
            await self.designer.do(guest, message)
            return
        if message["t"] != "host":
            return
        try:
            words = await self._did(guest, message)
        except DragonError as problem:
            words = _first_line(problem)
        if words:
            await guest.tell({"t": "note", "text": words})
        self.tell_hosts()

    async def _did(self, guest: Guest, message: dict[str, Any]) -> str | None:
        what, name = message.get("do"), message.get("table")
        if what == "open":
            return await self._open(message)
        if what == "resume":
            return self._resume(message.get("number"))
        if what == "resumable":
            self._stories = (await asyncio.to_thread(look_through))[0][:MOST_RESUMABLE]
            return None if self._stories else "No unfinished match to resume."
        hosted = self.tables.get(name) if isinstance(name, str) else None
        if hosted is None or not isinstance(name, str):
            return "There is no such table."
        seat = message.get("seat")
        if what in ("bot", "human", "link"):
            if not isinstance(seat, int) or not 1 <= seat <= len(hosted.room.chairs):
                return "There is no such seat."
            return await self._seat(name, hosted, seat, str(what), message.get("kind"))
        match what:
            case "pause" | "go":
                hosted.room.pause(hosted.now(), on=what == "pause")
                await hosted.broadcast()
                hosted.wake()
            case "save":
                text = json.dumps(hosted.room.match.to_json(), separators=(",", ":"))
                await guest.tell({"t": "file", "name": f"{_slug(hosted.room.title)}.save.json", "text": text})
            case "watch":
                await self._revoke(hosted, self.doors.get(WATCH, name))
                self.doors.new(WATCH, name)
                self._keep_links(name)
            case "board":
                await self.look_into(hosted)
                self.open_board(hosted.room.match.fork(), f"{hosted.room.title}: analysis")
            case "close":
                await self._close(name, hosted)
        return None

    async def look_into(self, hosted: Hosted) -> None:
        """The host is about to see what is hidden: everybody at the table is told, and stays told."""
        if not hosted.room.looked_into and hosted.room.people:
            hosted.room.looked_into = True
            await hosted.broadcast()

    async def _seat(self, name: str, hosted: Hosted, seat: int, what: str, kind: object) -> str | None:
        if what == "link":
            await self._revoke(hosted, self.doors.get(SEAT, name, seat))
            hosted.room.seat(seat, HUMAN)
            self.doors.new(SEAT, name, seat)
        else:
            chosen = (
                kind if what == "bot" and isinstance(kind, str) else HUMAN if what == "human" else "greedy"
            )
            reply = hosted.room.seat(seat, chosen)
            if not reply.changed:
                return reply.words
            if what == "human" and self.doors.get(SEAT, name, seat) is None:
                self.doors.new(SEAT, name, seat)
        self._keep_links(name)
        await hosted.broadcast()
        hosted.wake()
        return None

    async def _revoke(self, hosted: Hosted, door: Door | None) -> None:
        """Whoever sits there by the old link has to leave."""
        if door is None:
            return
        for guest in list(hosted.guests):
            if guest.viewer == door.seat:
                await hosted.leave(guest)
                await guest.wire.close(4401)

    async def _close(self, name: str, hosted: Hosted) -> None:
        for guest in list(hosted.guests):
            await guest.wire.close(4401)
        await hosted.stop()
        del self.tables[name]
        self.doors.close_table(name)

    async def _open(self, message: dict[str, Any]) -> str | None:
        if len(self.tables) >= MOST_TABLES:
            return f"There are {MOST_TABLES} tables already."
        game, variants, settings = message.get("game"), message.get("variants"), message.get("options")
        seats = message.get("seats")
        if game not in shipped_games():
            return "There is no such game."
        if not isinstance(variants, list) or not all(isinstance(v, str) and _plain(v) for v in variants):
            return "There is no such variant."
        if not isinstance(settings, dict) or not all(isinstance(v, str) for v in settings.values()):
            return "That is no option."
        if not isinstance(seats, list) or not all(isinstance(kind, str) for kind in seats):
            return "Who plays?"
        loaded: Game = await asyncio.to_thread(load, game, variants=variants, options=settings)
        match = await asyncio.to_thread(loaded.start, len(seats), seed=secrets.randbelow(1_000_000))
        from ..table.seating import check_kinds

        check_kinds(tuple(seats))
        name = self.open(match, seats)
        self.tables[name].start()
        return None

    def _resume(self, number: object) -> str | None:
        if not isinstance(number, int) or not 0 <= number < len(self._stories):
            return "There is no such match."
        story = self._stories.pop(number)
        name = self.open(resume_story(story, None), story.seats, story=story)
        self.tables[name].start()
        return None

    # ------------------------------------------------------------ the host's page
    def tell_hosts(self) -> None:
        """Soon, and once for many changes."""
        if self.hosts and (self._told is None or self._told.done()):
            self._told = asyncio.get_running_loop().create_task(self._tell_hosts())

    async def _tell_hosts(self) -> None:
        await asyncio.sleep(0.05)
        for guest in list(self.hosts):
            await self._show(guest)

    async def _show(self, guest: Guest) -> None:
        shown = [self._shown(name, hosted) for name, hosted in self.tables.items()]
        stories = [f"{s.head['game']}, {s.decisions} decisions ({', '.join(s.seats)})" for s in self._stories]
        await guest.show({"lobby": str(lobby(shown, stories))}, 0, seat=None)

    def _shown(self, name: str, hosted: Hosted) -> Shown:
        room = hosted.room
        seats = []
        for number, chair in enumerate(room.chairs, start=1):
            door = self.doors.get(SEAT, name, number) if chair.kind == HUMAN else None
            link = self.link(door) if door is not None else None
            seats.append(Seat(number, chair.kind, chair.name, bool(chair.present), link))
        door = self.doors.get(BOARD, name) or self.doors.get(WATCH, name)
        watch = self.link(door) if door is not None else None
        state = "over" if room.match.over else "paused" if room.paused else f"turn {room.match.turn}"
        return Shown(
            name,
            room.title,
            state,
            room.paused,
            seats,
            watch,
            door is not None and door.role == BOARD,
            hosted.problem,
        )


def _plain(name: str) -> bool:
    """A variant by its name: the files of this machine are nobody's business."""
    return "/" not in name and "\\" not in name and not name.endswith(".dragon")


def _slug(text: str) -> str:
    return "".join(c if c.isalnum() else "_" for c in text.lower()).strip("_") or "match"


def _first_line(problem: DragonError) -> str:
    text = str(problem).split("\n")[0]
    return text.partition(": ")[2] or text
