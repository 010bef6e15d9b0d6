"""A table that is being played: its room, its journal, who looks on, and the bots that think.

All of it runs in one event loop; only bots think elsewhere, on copies of the match, and what
they found counts if the match still stands where they began.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ...interpreter.core.errors import DragonError
from ...interpreter.play.match import Match
from ...interpreter.players import advice, player
from ...interpreter.table.journal import Journal
from ...interpreter.table.room import HUMAN, Reply, Room
from ...interpreter.table.seat_page import Sections
from .analysis import BY_HAND, Analysis
from .wire import Bucket, Gone, Wire

PACE = 0.5
"""Seconds between the moves of bots, so that people can follow."""
ADVISER = "greedy"
LINKS = ".links"


class Guest:
    """Somebody who looks at a page: what was sent there already is not sent again."""

    def __init__(self, wire: Wire, viewer: int | None, *, everybody: bool = False) -> None:
        self.wire, self.viewer = wire, viewer
        self.everybody = everybody
        """Does this one play for whoever is asked?"""
        self.bucket = Bucket()
        self.sent: dict[str, str] = {}
        self.past = False
        """Is it the past that is on the page?"""

    async def show(self, sections: Sections, question: int, *, seat: int | None) -> None:
        changed = {name: text for name, text in sections.items() if self.sent.get(name) != text}
        self.sent.update(changed)
        if changed:
            await self.tell({"t": "page", "q": question, "seat": seat, "sections": changed})

    async def tell(self, message: dict[str, Any]) -> None:
        with contextlib.suppress(Gone):
            await self.wire.send(json.dumps(message, separators=(",", ":")))


class Hosted:
    def __init__(
        self,
        room: Room,
        journal: Journal | None = None,
        *,
        pace: float = PACE,
        now: Callable[[], float] = time.monotonic,
        keep: Callable[[], None] = lambda: None,
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        self.room, self.journal, self.pace, self.now = room, journal, pace, now
        self.guests: set[Guest] = set()
        self.keep, self.changed = keep, changed
        self.drawn: list[float] = []
        """How much work the latest pages were, in seconds of processor time."""
        self.problem: str | None = None
        self.analysis: Analysis | None = None
        """Of a board of analysis: what is done by hand there."""
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    # ------------------------------------------------------------ running
    def start(self) -> None:
        self._task = asyncio.get_running_loop().create_task(self._run())

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        self._task = None
        self._write(safely=True)
        if self.journal is not None:
            self.journal.close()
            self.journal = None

    def wake(self) -> None:
        self._wake.set()

    async def _run(self) -> None:
        await self.broadcast()
        while not self.room.match.over:
            deadline = self.room.deadline(self.now())
            if deadline is not None and self.now() >= deadline:
                await self._ran_out()
                continue
            due = self.room.bot_due
            if due is not None:
                await self._bot(due)
                continue
            wait = None if deadline is None else max(0.0, deadline - self.now())
            self._wake.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), wait)
        self._write(safely=True)

    async def _ran_out(self) -> None:
        reply = self.room.run_out(self.now())
        if reply.changed:
            self._write(safely=False)
            await self.broadcast()
            for guest in list(self.guests):
                await guest.tell({"t": "note", "text": reply.words})

    async def _bot(self, seat: int) -> None:
        room = self.room
        position, match, kind = room.position, room.match, room.chairs[seat - 1].kind
        began = self.now()
        try:
            index = await think(match, kind, seat)
        except DragonError as problem:
            self.problem = str(problem).split("\n")[0]
            room.pause(self.now(), on=True)
            await self.broadcast()
            return
        rest = self.pace - (self.now() - began)
        if rest > 0 and room.people:
            await asyncio.sleep(rest)
        else:
            await asyncio.sleep(0)
        if room.decided(seat, position, index).changed:
            self._write(safely=False)
            await self.broadcast()

    # ------------------------------------------------------------ what people do
    async def do(self, guest: Guest, message: dict[str, Any]) -> None:
        """A message from somebody at this table."""
        room, seat, word = self.room, guest.viewer, message["t"]
        if guest.everybody and word in ("undo", "back"):
            steps = room.forms.last(whole=word == "undo")
            seat = steps[0].seat if steps else seat
        if guest.everybody and self.analysis is not None and word in BY_HAND:
            await self.analysis.do(guest, message)
            return
        if word == "replay":
            await self._past(guest, message.get("step"))
            return
        if seat is None:
            return
        reply = await self._did(seat, word, message)
        if reply.changed:
            self._write(safely=True)
            self.changed()
            await self.broadcast()
            self.wake()
        elif reply.hint is not None:
            await self.show(guest)
        else:
            guest.sent.pop("ask", None)
            await self.show(guest)  # an old answer gets the present question
        if reply.words:
            await guest.tell({"t": "note", "text": reply.words})
        if room.match.over:
            await guest.tell({"t": "clock", "left": None})

    async def _did(self, seat: int, word: str, message: dict[str, Any]) -> Reply:
        room, question = self.room, message.get("q")
        number = question if isinstance(question, int) else -1
        match word:
            case "choose":
                return room.choose(seat, number, message.get("i"))
            case "cells":
                return room.fill(seat, number, message.get("values"))
            case "back":
                return room.undo(seat, whole=False)
            case "undo":
                return room.undo(seat, whole=True)
            case "why":
                return room.why_not(seat, message.get("at"))
            case "explain":
                return room.explain(seat)
            case "hint":
                return await self._hint(seat)
            case "name":
                reply = room.rename(seat, message.get("name"))
                if reply.changed:
                    self.keep()
                return reply
        return Reply()

    async def _hint(self, seat: int) -> Reply:
        room = self.room
        if room.match.asked != seat:
            return Reply(words="You are not asked at the moment.")
        position, twin = room.position, room.match.fork()
        try:
            found = await asyncio.to_thread(advice, twin, ADVISER, seed=twin.seed)
        except DragonError:
            return Reply(words="There is no advice for this.")
        return room.advised(seat, position, found[0].index)

    async def _past(self, guest: Guest, step: object) -> None:
        sections = self.room.past(guest.viewer, step)
        if sections is not None:
            guest.past = True
            await guest.show(sections, 0, seat=guest.viewer)

    # ------------------------------------------------------------ pages
    async def broadcast(self) -> None:
        """Everybody's page as it is now. Each viewer's is made once."""
        made: dict[int | None, Sections] = {}
        for guest in list(self.guests):
            self._turn(guest)
            if guest.past:
                continue
            if guest.viewer not in made:
                made[guest.viewer] = self.page(guest.viewer)
                await asyncio.sleep(0)
            await self._show(guest, made[guest.viewer])

    def _turn(self, guest: Guest) -> None:
        """On a board of analysis one looks with the eyes of whoever is asked."""
        if guest.everybody and self.room.match.asked is not None:
            guest.viewer = self.room.match.asked

    async def show(self, guest: Guest) -> None:
        self._turn(guest)
        await self._show(guest, self.page(guest.viewer))

    def page(self, viewer: int | None) -> Sections:
        began = time.thread_time()
        sections = self.room.page(viewer)
        self.drawn.append(time.thread_time() - began)
        del self.drawn[:-1000]
        return sections

    async def _show(self, guest: Guest, sections: Sections) -> None:
        if self.analysis is not None and guest.everybody:
            sections = {**sections, "byhand": str(self.analysis.section())}
        await guest.show(sections, self.room.question(guest.viewer), seat=guest.viewer)
        deadline = self.room.deadline(self.now())
        left = None if deadline is None else max(0.0, deadline - self.now())
        await guest.tell({"t": "clock", "left": left})

    async def enter(self, guest: Guest) -> None:
        self.guests.add(guest)
        if guest.viewer is not None and not guest.everybody:
            chair = self.room.chairs[guest.viewer - 1]
            chair.present += 1
        self.changed()
        await self.broadcast()

    async def leave(self, guest: Guest) -> None:
        if guest not in self.guests:
            return
        self.guests.discard(guest)
        if guest.viewer is not None and not guest.everybody:
            self.room.chairs[guest.viewer - 1].present -= 1
        self.changed()
        await self.broadcast()

    # ------------------------------------------------------------ keeping
    def _write(self, *, safely: bool) -> None:
        if self.journal is not None:
            self.journal.record(self.room.match, safely=safely)
            self.problem = self.journal.problem

    @property
    def links(self) -> Path | None:
        """Where it is kept who may sit where."""
        if self.journal is None:
            return None
        return self.journal.path.with_name(self.journal.path.name + LINKS)


async def think(match: Match, kind: str, seat: int) -> int:
    """What a bot does. Those that search think in a process of their own, the others are quick."""
    if kind.partition(":")[0] == "mcts":
        from .thinking import search

        return await search(match, kind, seat)
    twin = match.fork()
    bot = player(kind, seed=match.seed, seat=seat)
    if kind == "random":
        return bot.choose(twin)
    return await asyncio.to_thread(bot.choose, twin)


__all__ = ["HUMAN", "PACE", "Guest", "Hosted", "think"]
