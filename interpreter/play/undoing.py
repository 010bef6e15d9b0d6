"""Taking back a choice: how a match was before it, and what has come to light since.

A match goes back by its log: the same seed and the same choices give the same match,
with the generator where it was. Whoever goes back often keeps a `Mark` of each position:
the state alone, for what had happened until then is the beginning of what has happened
by now. So many marks take little room, however long the match is.

What somebody has seen cannot be unseen, so a choice behind which anything hidden came
to light stays. Chance counts as such: where one can go back to, the generator stands as
it does now.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, assert_never

from attrs import frozen

from ..core import SeenBy, SeenByOwner
from ..core.events import (
    AllMoved,
    Chosen,
    ClockRan,
    MatchOver,
    Observation,
    PieceStands,
    PlaceShown,
    PlaceShownToOthers,
    PlacesSwapped,
    Rolled,
    RolledInSecret,
    RowNoted,
    Shuffled,
    StateSet,
    ThingMoved,
    ThingsExchanged,
    TimeIsUp,
    TokensMoved,
    TopSeen,
    TopSeenByOthers,
    TurnBegan,
)
from .state import State

if TYPE_CHECKING:
    from .match import Match


@frozen
class Moment:
    """A state without its history, and how long that was: events of each viewer, entries of the log."""

    state: State
    seen: tuple[int, ...] | None
    entries: int

    @classmethod
    def of(cls, state: State, entries: int) -> Moment:
        seen = tuple(map(len, state.seen)) if state.seen is not None else None
        return cls(state.without_history(), seen, entries)

    def restored(self, later: State) -> State:
        """The state with the history that a later one of the same match has."""
        state = self.state.fork()
        if self.seen is not None and later.seen is not None:
            state.seen = [events[:n] for events, n in zip(later.seen, self.seen, strict=True)]
        return state


@frozen
class Mark:
    """A position that a match can go back to."""

    now: Moment
    decisions: int
    opening: Moment | None

    @classmethod
    def of(cls, match: Match) -> Mark:
        opening = Moment.of(*match.opening) if match.opening is not None else None
        return cls(Moment.of(match.state, len(match.log)), match.decisions, opening)

    def restored(self, later: Match) -> Match:
        """The match as it was here; `later` is the same match further on."""
        twin = later.fork()
        twin.state = self.now.restored(later.state)
        twin.log = later.log[: self.now.entries]
        twin.decisions = self.decisions
        twin.opening = None
        if self.opening is not None:
            opened = self.opening.restored(later.state)
            opened.sealed = twin.state.sealed
            twin.opening = opened, self.opening.entries
        return twin


def has_secrets(match: Match) -> bool:
    """Is there anything that some seats see and others do not?"""
    watcher, state = match.state.engine.watcher, match.state
    mixed = (0, watcher.everyone)
    for key, instances in watcher.layout.instances.items():
        if any(watcher.place_mask(state, key, index) not in mixed for index in range(len(instances))):
            return True
    seen = (decl.seen for decl in match.game.checked.states.values())
    return any(isinstance(who, SeenByOwner | SeenBy) for who in seen)


def before_last_choice(match: Match) -> Match | None:
    """The match as it was before the last choice; None if there was none."""
    choices = [number for number, entry in enumerate(match.log) if entry[0] == "choose"]
    return earlier(match, choices[-1]) if choices else None


def earlier(match: Match, entries: int) -> Match:
    """The match as it was when its log had so many entries."""
    log = match.log[:entries]
    chance = "ask" if match.ask_chance else "auto"
    watched = match.state.seen is not None
    twin = match.beginning(chance=chance, watch=watched, check=match.check)
    if not match.ask_chance:
        for entry in log:
            if entry[0] != "chance":
                twin.replay_one(entry)
                twin._after()  # chance does what it did then
        if twin.log == log:
            return twin
        twin = match.beginning(chance="ask", watch=watched)
    twin.replay(log)  # chance went its own ways: it was told, or it was another version's
    twin.state.rng = match.state.fork().rng
    twin.ask_chance, twin.check = match.ask_chance, match.check
    return twin


def retraced(match: Match, entries: int) -> Iterator[tuple[Match, int]]:
    """The choices that a match has in its log behind so many entries: each time the match before it, which
    moves on, and the position of the option that was taken."""
    watched = match.state.seen is not None
    twin = match.beginning(chance="ask", watch=watched)
    twin.state.rng = match.state.fork().rng
    for number, entry in enumerate(match.log):
        if number >= entries and entry[0] == "choose":
            yield twin, twin.index_in_log(entry[2])
        twin.replay_one(entry)


def kept_from_undoing(before: Match, now: Match) -> str | None:
    """Why what happened since a position cannot be taken back by who was asked there; None if it can."""
    secrets = has_secrets(now)
    if now.state.seen is None and secrets:
        return "nobody has kept what was seen since"
    seat = before.state.player + 1
    reason = revealed(before, now, seat, has_secrets=secrets)
    if reason is None and secrets:
        others = (p + 1 for p in range(now.players) if p + 1 != seat)
        reason = next((r for p in others if (r := revealed(before, now, p, has_secrets=False))), None)
    return reason


def revealed(before: Match, now: Match, seat: int, *, has_secrets: bool) -> str | None:
    """What has come to light for a seat since a position, in words, or None."""
    if any(entry[0] != "choose" for entry in now.log[len(before.log) :]):
        return "chance or the clock has had its say since"
    if now.state.seen is None:
        return None
    view = before.view(seat)
    for event in now.observations(seat)[len(before.observations(seat)) :]:
        if isinstance(event, Chosen) and event.seat != seat and has_secrets:
            return f"player {event.seat} has decided since"
        if _news(event, view):
            return "something hidden was seen since"
    return None


def _news(event: Observation, view: dict[str, Any]) -> bool:
    """Does an event tell what was hidden from whoever had this view?"""
    match event:
        case ThingMoved() | TokensMoved():
            return event.recognised and _hidden(view, event.source)
        case PlaceShown() | TopSeen() | Rolled():
            return True
        case StateSet():
            return event.label not in view["states"]
        case TurnBegan() | Chosen() | RolledInSecret() | ClockRan() | TimeIsUp() | MatchOver():
            return False
        case AllMoved() | PieceStands() | PlacesSwapped() | ThingsExchanged() | Shuffled():
            return False
        case RowNoted() | PlaceShownToOthers() | TopSeenByOthers():
            return False
        case _:
            assert_never(event)


def _hidden(view: dict[str, Any], label: str) -> bool:
    return not label.startswith("box of ") and "contents" not in view["places"].get(label, {})
