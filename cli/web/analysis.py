"""A board of analysis: one plays for everybody, moves things by hand, takes back, and saves a scenario.

The position is that of a scenario that grows (`staging`), so what is saved is what was seen.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...interpreter.core.errors import DragonError
from ...interpreter.pages.html_page import Html, tag
from ...interpreter.table.by_hand import Grip, line_for
from ...interpreter.table.html import button
from ...interpreter.table.staging import NotSet, Stage, going_on, staged

if TYPE_CHECKING:
    from ...interpreter.play.match import Match
    from .hosted import Guest, Hosted

BY_HAND = ("given", "byhand", "unset", "scenario")
LONGEST_LINE = 1000
LONGEST_ADDRESS = 200


class Analysis:
    """What is done by hand on one board."""

    def __init__(
        self, hosted: Hosted, stage: Stage | None = None, texts: Mapping[str, str] | None = None
    ) -> None:
        self.hosted, self.stage, self.texts = hosted, stage, texts or {}

    async def do(self, guest: Guest, message: dict[str, Any]) -> None:
        """Carry out one of: `given` a line, `byhand` from here to there, `unset` the last line, `scenario`."""
        room = self.hosted.room
        position, match = room.position, room.match.fork()
        try:
            stage = await asyncio.to_thread(self._so_far, match)
            if message["t"] == "scenario":
                await guest.tell({"t": "file", "name": "position.dragon", "text": stage.text(match.asked)})
                return
            if message["t"] == "unset":
                if not stage.lines:
                    raise NotSet("nothing has been done here")
                stage = await asyncio.to_thread(stage.back)
            else:
                line = self._line(guest, message)
                if line is None:
                    return
                stage = await asyncio.to_thread(stage.given, line)
        except DragonError as problem:
            await guest.tell({"t": "note", "text": _sentence(problem)})
            return
        if room.position != position:
            return
        assert stage.start is not None
        self.stage = stage
        room.set_up(going_on(stage.start))
        await self.hosted.broadcast()
        self.hosted.wake()

    def _so_far(self, match: Match) -> Stage:
        """The stage with all that has been played on it."""
        if self.stage is None:
            return staged(match, self.texts)
        return self.stage.played(match)

    def _line(self, guest: Guest, message: dict[str, Any]) -> str | None:
        if message["t"] == "given":
            text = message.get("text")
            return text if isinstance(text, str) and 0 < len(text.strip()) <= LONGEST_LINE else None
        taken, put = _grip(message.get("taken")), _grip(message.get("put"))
        if taken is None or put is None:
            return None
        match = self.hosted.room.match
        return line_for(match.game.table(match.players), match.view(guest.viewer), taken, put)

    def section(self) -> Html:
        """What was done by hand, and how to do more."""
        lines = self.stage.lines if self.stage is not None else ()
        by_hand = [line.partition("\n")[2].strip() for line in lines if line.startswith("given:")]
        return tag(
            "div",
            tag("h3", "Set up by hand"),
            tag(
                "p",
                button("Move by hand", "byhand", title="Press on a thing, then on where it goes"),
                button("Take the last line back", "unset"),
                button("Save as a scenario", "scenario"),
                class_="tools",
            ),
            tag(
                "form",
                tag(
                    "label",
                    "Or say it: ",
                    tag("input", name="given", placeholder="set gold = 3", autocomplete="off"),
                ),
                button("Do it", "given"),
                id="setting",
            ),
            tag("ul", *(tag("li", tag("code", line)) for line in by_hand[-8:])) if by_hand else None,
            class_="panel",
        )


def _grip(told: object) -> Grip | None:
    if not isinstance(told, list) or len(told) != 2 or not isinstance(told[0], str):
        return None
    address, place = told
    if len(address) > LONGEST_ADDRESS or not (place is None or isinstance(place, str)):
        return None
    return Grip(address, place)


def _sentence(problem: DragonError) -> str:
    text = str(problem).split("\n")[0]
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."
