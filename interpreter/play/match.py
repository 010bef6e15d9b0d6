"""A match: decisions with options, chance, views, a log, forks and saves."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from ...grammar import Span
from ...grammar.writing import write_whole
from ..core import value_types as t
from ..core.errors import UsageError
from ..core.events import Observation
from ..core.randomness import Generator
from ..program.passes.interchangeable import copies_of
from ..program.terminators import DecisionPoint
from ..python.runtime import alike_now
from .outcomes import utilities
from .saving import checksum, decode_state, encode_state
from .state import ENDLESS, State
from .table_data import Table
from .targets import Target, targets
from .undoing import before_last_choice, kept_from_undoing

if TYPE_CHECKING:
    from ..notebooks.bundles import Seen
    from .game import Game
    from .whynot import Refusal

SAVE_FORMAT = 1
REACTIONS = "reactions"
"""Whom others wait for while a window asks those who can do something."""


@frozen
class Option:
    """One thing that the player may choose.

    `key` is stable plain data, the same in every process, and what logs store:
    `("c", "Card#3")`, `("s", (2, 1))`, `("offer", "bet")`. `label` is for people.
    """

    key: tuple[Any, ...]
    label: str
    index: int
    _point: DecisionPoint | None = field(default=None, repr=False, eq=False)

    @property
    def targets(self) -> tuple[Target, ...]:
        """What it points at on the table: things, spaces, players, amounts, an action."""
        point, value = self._point, self.key[-1]
        if point is None or point.kind == "offer":
            return (Target("action", str(value)),)
        if point.kind == "vector" or point.type is None:
            return (Target("amount", number=value),)
        return targets(value, point.type)


@frozen
class Decision:
    """Who is asked what. Decisions of one `group` belong to one sentence of the rules; of a vector,
    `cell` says for what: `("player 2", "silver")`."""

    player: int
    prompt: str
    options: tuple[Option, ...]
    group: int
    rule: str
    span: Span
    name: str
    first: bool
    last: bool
    sealed: bool
    cell: tuple[str, ...] = ()

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        from ..notebooks.bundles import decision

        return decision(self)


@frozen
class Pending:
    """Who is asked, in which rule and for what, without the options: cheap, for whoever only wants to know
    whose turn it is. `kind` is "choose", "offer" or "vector"."""

    player: int
    rule: str
    name: str
    kind: str
    span: Span
    group: int
    first: bool
    last: bool
    sealed: bool


@frozen
class Outcome:
    """One thing that chance may bring, with its weight among the others."""

    key: Any
    label: str
    weight: int
    index: int


@frozen
class ChancePoint:
    outcomes: tuple[tuple[Outcome, int], ...]


class Match:
    """A game under way. Made by `Game.start`."""

    def __init__(self, game: Game, state: State, *, seed: int, ask_chance: bool, check: bool) -> None:
        self.game = game
        self.state = state
        self.seed = seed
        self.ask_chance = ask_chance
        self.check = check
        self.log: list[list[Any]] = []
        self.decisions = 0
        """How many choices have been made so far."""
        self.opening: tuple[State, int] | None = None
        """Behind a seal: the state when it was put on, and the length of the log then."""
        self.origin: Match | None = None
        """The match by other rules that this one goes on from (crossing.py); the log begins there."""

    # ------------------------------------------------------------ where it stands
    @property
    def players(self) -> int:
        return self.state.engine.players

    @property
    def over(self) -> bool:
        return self.state.over

    @property
    def winners(self) -> frozenset[int]:
        """Seats, counted from 1; empty while the match goes on, and for a draw or what all have lost."""
        return frozenset(p + 1 for p in range(self.players) if self.state.winners >> p & 1)

    @property
    def reason(self) -> str | None:
        """Which ending it was, or the words of `finish ... because`."""
        return self.state.reason

    @property
    def scores(self) -> dict[int, int | None]:
        """The `score` of each seat, if the game declares one; before the end None for one that not all can see."""
        return self._scores(self.players)

    def _scores(self, viewer: int) -> dict[int, int | None]:
        state = self.state
        if "d_score" not in state.engine.namespace:
            return {}
        watcher = state.engine.watcher
        return {
            seat + 1: int(state.engine.work_out(state, "d_score", seat))
            if state.over or watcher.sees_score(state, viewer, seat)
            else None
            for seat in range(self.players)
        }

    @property
    def turn(self) -> int:
        return self.state.I[self.state.engine.layout.TURN]

    @property
    def _point(self) -> DecisionPoint:
        return self.state.engine.points[self.state.pc]

    @property
    def asked(self) -> int | None:
        """The seat that decides now; None at a chance point or when the match is over."""
        return None if self.state.over or self.state.player < 0 else self.state.player + 1

    @property
    def pending(self) -> Pending | None:
        """What is asked now, without its options; None at a chance point or when the match is over."""
        state = self.state
        if state.over or state.player < 0:
            return None
        point = self._point
        return Pending(
            state.player + 1,
            point.rule,
            point.name,
            point.kind,
            point.span,
            point.group,
            point.first,
            point.last,
            point.sealed or state.sealed is not None,
        )

    @property
    def decision(self) -> Decision | None:
        """The pending decision; None at a chance point or when the match is over."""
        state = self.state
        if state.over or state.player < 0:
            return None
        point, values = self._point, state.engine.watcher.values_for(state, state.player)
        options = tuple(
            Option(values.option_key(point, v), values.option_label(point, v), i, point)
            for i, v in enumerate(self.offered)
        )
        cell = state.engine.watcher.cell(state)
        return Decision(
            state.player + 1,
            f"{self._prompt(point)} ({', '.join(cell)})" if cell else self._prompt(point),
            options,
            point.group,
            point.rule,
            point.span,
            point.name,
            point.first,
            point.last,
            point.sealed or state.sealed is not None,
            cell,
        )

    @property
    def order(self) -> Sequence[int]:
        """Of each option, as the one who is asked sees them, the position among those of the state."""
        return self.state.engine.watcher.handles.order_of(self.state, self._point.type)

    @property
    def offered(self) -> list[Any]:
        """What each option stands for, as the one who is asked sees them."""
        return [self.state.options[n] for n in self.order]

    def _behind(self, index: int) -> Any:
        """What the option at a position stands for."""
        state = self.state
        return state.options[index if state.names is None else self.order[index]]

    def _prompt(self, point: DecisionPoint) -> str:
        if point.prompt:
            return point.prompt
        rule = point.rule.replace("_", " ")
        return rule if point.kind == "offer" else f"{rule}: {point.name}"

    @property
    def chance(self) -> ChancePoint | None:
        """The pending chance point, in matches started with `chance="ask"`."""
        state = self.state
        if state.over or state.player >= 0:
            return None
        type_ = state.engine.generated.chances[state.pc]
        values = state.engine.watcher.values
        outcomes = []
        for i, (value, weight) in enumerate(self._possible().items()):
            outcome = Outcome(values.encode(value, type_), values.label(value, type_), weight, i)
            outcomes.append((outcome, weight))
        return ChancePoint(tuple(outcomes))

    @property
    def odds(self) -> tuple[int, ...]:
        """The weights of the outcomes of the pending chance point, without their words; else nothing."""
        return () if self.state.over or self.state.player >= 0 else tuple(self._possible().values())

    def _possible(self) -> dict[Any, int]:
        """What chance may bring, with weights; the first of several copies stands for all of them."""
        state = self.state
        weighed = {v: weight for v, weight in zip(state.options, state.weights, strict=True) if weight > 0}
        rows = self._rows()
        if rows is None:
            return weighed
        first: dict[int, int] = {}
        merged: dict[Any, int] = {}
        for value, weight in weighed.items():
            one = first.setdefault(rows[value], value)
            merged[one] = merged.get(one, 0) + weight
        return merged

    def _rows(self) -> Sequence[int] | None:
        """What tells the components apart that chance may bring, where there are copies."""
        engine = self.state.engine
        type_ = engine.generated.chances[self.state.pc]
        if not isinstance(type_, t.Comp):
            return None
        copies = copies_of(self.game.checked, engine.layout, type_.name)
        if copies is None:
            return None
        return alike_now(self.state.I, self.state.options, copies.rows, copies.marks)

    def outcome_of(self, value: Any) -> int:
        """The position of the outcome that stands for something that chance may bring."""
        possible, rows = list(self._possible()), self._rows()
        if value in possible or rows is None:
            return possible.index(value)
        return next(i for i, one in enumerate(possible) if rows[one] == rows[value])

    def outcome_in_log(self, entry: Sequence[Any]) -> int:
        """The position of the outcome that an entry of a log tells."""
        return self.outcome_of(self._brought(entry))

    def _brought(self, entry: Sequence[Any]) -> Any:
        """What chance brings here, as an entry of a log names it."""
        state = self.state
        type_ = state.engine.generated.chances[state.pc]
        values = state.engine.watcher.values
        for value, weight in zip(state.options, state.weights, strict=True):
            if weight > 0 and _plain(values.encode(value, type_)) == entry[1]:
                return value
        raise UsageError("D0904", f"the log's chance outcome `{entry[1]}` cannot happen here")

    # ------------------------------------------------------------ going on
    def choose(self, choice: Option | int | str | Sequence[Any]) -> None:
        """Take an option: the `Option`, its key, its label or its position."""
        state = self.state
        if state.over or state.player < 0:
            raise UsageError("D0905", "nobody is asked at the moment")
        self._take(self._index(choice))
        self._after()

    def _take(self, index: int) -> None:
        """The log has the true numbers of copies, whatever the seat calls them."""
        state, value = self.state, self._behind(index)
        key = state.engine.watcher.values.option_key(self._point, value)
        self.log.append(["choose", state.player + 1, _plain(key)])
        self.decisions += 1
        self._step(value)

    def key_in_log(self, index: int) -> tuple[Any, ...]:
        """What a log says of the option at a position."""
        state = self.state
        return state.engine.watcher.values.option_key(self._point, self._behind(index))

    def index_in_log(self, key: Sequence[Any]) -> int:
        """The position of the option that an entry of a log names; an error if it is not offered."""
        state = self.state
        if state.over or state.player < 0:
            raise UsageError("D0905", "the log has a choice where nobody is asked")
        point, values = self._point, state.engine.watcher.values
        wanted = _plain(key)
        for index, value in enumerate(self.offered):
            if _plain(values.option_key(point, value)) == wanted:
                return index
        reason = self.why_not(tuple(key)) if isinstance(key, list | tuple) else None
        raise UsageError("D0904", f"`{_shown(key)}` is not among the options", reason)

    def _index(self, choice: Option | int | str | Sequence[Any]) -> int:
        state = self.state
        if isinstance(choice, Option):
            choice = choice.key
        if isinstance(choice, int):
            if 0 <= choice < len(state.options):
                return choice
            raise UsageError("D0904", f"there is no option number {choice}; there are {len(state.options)}")
        if not isinstance(choice, str | tuple | list):
            raise UsageError(
                "D0904", f"a choice is an option, its key, its label or its position, not `{choice!r}`"
            )
        point, values = self._point, state.engine.watcher.values_for(state, state.player)
        wanted = _plain(choice)
        for index, value in enumerate(self.offered):
            if isinstance(choice, str):
                if values.option_label(point, value) == choice:
                    return index
            elif _plain(values.option_key(point, value)) == wanted:
                return index
        reason = self.why_not(choice if isinstance(choice, str) else tuple(choice))
        raise UsageError("D0904", f"`{_shown(choice)}` is not among the options", reason)

    def resolve(self, outcome: Outcome | int) -> None:
        """Say what chance brings."""
        state = self.state
        if state.over or state.player >= 0:
            raise UsageError("D0905", "there is no chance point at the moment")
        possible = list(self._possible())
        index = outcome.index if isinstance(outcome, Outcome) else outcome
        if not 0 <= index < len(possible):
            raise UsageError("D0904", f"there is no outcome number {index}; there are {len(possible)}")
        self.bring(possible[index])

    def bring(self, value: Any) -> None:
        """Chance brings this one of the state's options."""
        self._settle(value)
        self._after()

    def _settle(self, value: Any) -> None:
        state = self.state
        type_ = state.engine.generated.chances[state.pc]
        self.log.append(["chance", _plain(state.engine.watcher.values.encode(value, type_))])
        self._step(value)

    def _step(self, value: Any) -> None:
        """Called with the entry of the log already written."""
        state = self.state
        if state.sealed is not None and self.opening is None:
            self.opening = state.fork(), len(self.log) - 1
        state.step(value)
        self._close_opening()

    def _close_opening(self) -> None:
        """The seal is off, or another one is on."""
        if self.opening is not None and self.opening[0].sealed is not self.state.sealed:
            self.opening = None

    def _after(self) -> None:
        state = self.state
        if not self.ask_chance:
            for _ in ENDLESS:
                if state.player >= 0 or state.over:
                    break
                self._settle(state.rng.settle(state.options, state.weights))
            else:
                raise state.engine.endless(state, state.pc)
        if self.check and (state.player >= 0 or state.over):
            self.check_invariants()

    def expire(self) -> None:
        """Time is up in the `rounds` around the pending decision."""
        if self.state.over or not self.state.expire():
            raise UsageError("D0905", "no clock is running")
        self.log.append(["expire"])
        self._close_opening()
        self._after()

    def check_invariants(self) -> None:
        state = self.state
        for name, decl in self.game.checked.invariants.items():
            if not state.engine.work_out(state, f"i_{name}"):
                raise state.engine.error(
                    "D0907", f"`{name}` does not hold", decl.span, state.engine.chain(state)
                )

    def why_not(self, choice: str | Sequence[Any]) -> str | None:
        """The first requirement that forbids a choice, in words, or None if it is allowed."""
        refusal = self.refusal(choice)
        return None if refusal is None else str(refusal)

    def refusal(self, choice: str | Sequence[Any]) -> Refusal | None:
        """The same as data: the words, the line of the rules, the rule it stands in."""
        from .whynot import why_not  # late: it needs the compiler

        return why_not(self, choice)

    # ------------------------------------------------------------ taking back
    def undoable(self) -> str | None:
        """Why the last choice cannot be taken back, in words; None if it can."""
        before = before_last_choice(self)
        return "nothing was chosen yet" if before is None else kept_from_undoing(before, self)

    def undo(self) -> str | None:
        """Take back the last choice, as if it had not been made, and give None; or say why that cannot
        be, in words: something hidden came to light, chance or others have had their say."""
        before = before_last_choice(self)
        reason = "nothing was chosen yet" if before is None else kept_from_undoing(before, self)
        if before is not None and reason is None:
            self.state, self.log = before.state, before.log
            self.decisions, self.opening = before.decisions, before.opening
        return reason

    # ------------------------------------------------------------ seeing
    @property
    def table(self) -> Table:
        """What there is on the table, as data: places, boards, things and looks."""
        return self.game.table(self.players)

    def view(self, player: int | None) -> dict[str, Any]:
        """What a seat sees now, as plain data; None is a spectator, who has no seat.

        `waiting_for` is the seat that is asked, `"reactions"` in a window that asks only those who
        can do something, and None behind a seal.
        """
        viewer = self._viewer(player)
        view = self.state.engine.watcher.view(self.state, viewer)
        view["scores"] = self._scores(viewer)
        state = self.state
        view["decision"] = view["waiting_for"] = None
        if state.over or state.player < 0:
            return view
        if state.player == viewer:
            decision = self.decision
            assert decision is not None
            view["decision"] = {
                "prompt": decision.prompt,
                "options": tuple(o.key for o in decision.options),
            }
            view["waiting_for"] = player
        elif not self._point.sealed and state.sealed is None:
            view["waiting_for"] = REACTIONS if self._point.unnamed else state.player + 1
        return view

    def everything(self) -> dict[str, Any]:
        """The whole position in the form of a view, with all that is hidden: for referees, tests and replays."""
        return self.state.engine.watcher.view(self.state, None)

    def observations(self, player: int | None) -> tuple[Observation, ...]:
        """All that a seat has noticed since the start, or with None a spectator; equal tuples mean equal information.
        The `cause` of each is the rule that made it happen."""
        viewer = self._viewer(player)
        if self.state.seen is None:
            raise UsageError("D0905", "this match was started with watch=False")
        return tuple(self.state.seen[viewer])

    def information_state(self, player: int) -> str:
        """A short text that is the same if, and only if, the seat cannot tell two matches apart: its own
        choices, then a digest of all that it has noticed."""
        noticed = self.observations(player)
        own = [_shown(event[3]) for event in noticed if event[:2] == ("choice", player)]
        digest = hashlib.sha256(repr(noticed).encode()).hexdigest()[:24]
        return f"{', '.join(own)} #{digest}".strip()

    def utilities(self, by: str = "win") -> tuple[float, ...]:
        """What the end is worth to each seat, from seat 1 on: `"win"` or `"score"` (see outcomes.py)."""
        return utilities(self, by)

    def _viewer(self, player: int | None) -> int:
        """The column of a seat, or of a spectator, in what is kept for each."""
        if player is None:
            return self.players
        if not 1 <= player <= self.players:
            raise UsageError("D0705", f"there is no seat {player}; seats are 1 to {self.players}")
        return player - 1

    # ------------------------------------------------------------ as data
    def show(self, seat: int | None = None) -> Seen:
        """For a notebook: the table as a seat sees it, or as somebody without a seat."""
        from ..notebooks.bundles import Seen

        return Seen(self, seat)

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        from ..notebooks.bundles import match

        return match(self)

    def fork(self) -> Match:
        twin = Match(
            self.game, self.state.fork(), seed=self.seed, ask_chance=self.ask_chance, check=self.check
        )
        twin.log = self.log.copy()
        twin.decisions = self.decisions
        twin.opening = self.opening  # never changed, so it can be shared
        twin.origin = self.origin  # as little
        return twin

    def beginning(self, *, chance: str = "auto", watch: bool = True, check: bool = False) -> Match:
        """The match before anything that its log tells: at the start, or where it came from other rules."""
        if self.origin is None:
            return self.game.start(self.players, seed=self.seed, chance=chance, watch=watch, check=check)
        from .crossing import crossed  # late: it needs the compiler

        twin, _ = crossed(self.origin, self.game)
        twin.ask_chance, twin.check = chance == "ask", check
        if not watch:
            twin.state = twin.state.without_history()
            twin.state.names = None
        twin._after()
        return twin

    def __copy__(self) -> Match:
        return self.fork()

    def __deepcopy__(self, memo: dict[int, Any]) -> Match:
        """Rules are never copied."""
        return self.fork()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Match) and self.state == other.state

    def __hash__(self) -> int:
        return hash(self.state)

    @cached_property
    def _identity(self) -> dict[str, Any]:
        return {
            "dragonrules": SAVE_FORMAT,
            "game": self.game.name,
            "spec": _findable(self.game.spec),
            "variants": [_findable(name) for name in self.game.variants],
            "options": self.game.given_options,
            "fingerprint": self.game.fingerprint,
            "rules": self.game.checked.digests,
            "players": self.players,
            "seed": self.seed,
            **({"carried": self.game.carried.to_json()} if self.game.carried is not None else {}),
            **({"before": self.origin.as_told()} if self.origin is not None else {}),
        }

    def as_told(self) -> dict[str, Any]:
        """Which match it is and what has happened: enough to play it again."""
        return {**self._identity, "log": [list(entry) for entry in self.log]}

    def to_json(self) -> dict[str, Any]:
        """The whole match as plain data; `resume` takes it back."""
        data = {
            **self._identity,
            "ask_chance": self.ask_chance,
            "shape": self.state.engine.shape,
            "log": [list(entry) for entry in self.log],
            "generator": self.state.rng.state,
            "state": encode_state(self.state),
            "opening": [encode_state(self.opening[0]), self.opening[1]] if self.opening else None,
        }
        data["checksum"] = checksum(data)
        return data

    def save(self, path: str | PathLike[str]) -> None:
        """Write the match down, as a whole or not at all: an older save stays until this one is on the disk."""
        text = json.dumps(self.to_json(), separators=(",", ":"))
        write_whole(Path(path), text.encode(), safely=True)

    @classmethod
    def from_json(cls, game: Game, data: dict[str, Any], origin: Match | None = None) -> Match:
        """`origin` is the match by other rules that it came from, if it did."""
        game.accept(data)
        watched = data["state"]["seen"] is not None
        engine = game.engine(data["players"], watched=watched)
        if data["shape"] != engine.shape or "names" not in data["state"]:
            # saved by another version of dragonrules: the log still tells the match
            match = _first(game, data, origin, watched)
            match.replay(data["log"])
        else:
            match = cls(
                game, decode_state(engine, data["state"]), seed=data["seed"], ask_chance=True, check=False
            )
            match.log = [list(entry) for entry in data["log"]]
            match.decisions = sum(entry[0] == "choose" for entry in match.log)
            if data.get("opening"):
                match.opening = decode_state(engine, data["opening"][0]), data["opening"][1]
                match.opening[0].sealed = match.state.sealed
        match.origin = origin
        match.state.rng = Generator(data["generator"])
        match.ask_chance = data["ask_chance"]
        return match

    def replay(self, log: Sequence[Sequence[Any]]) -> None:
        """Go through the entries of a log; needs no generator."""
        for entry in log:
            self.replay_one(entry)

    def replay_one(self, entry: Sequence[Any]) -> None:
        state = self.state
        if entry[0] == "expire":
            self.expire()
        elif entry[0] == "chance":
            if state.over or state.player >= 0:
                raise UsageError("D0905", "the log has a chance outcome where a player decides")
            self._settle(self._brought(entry))
        else:
            self._take(self.index_in_log(entry[2]))


def _first(game: Game, data: dict[str, Any], origin: Match | None, watched: bool) -> Match:
    if origin is None:
        return game.start(data["players"], seed=data["seed"], chance="ask", watch=watched)
    from .crossing import crossed  # late: it needs the compiler

    match, _ = crossed(origin, game)
    match.ask_chance = True
    return match


def _findable(name: str) -> str:
    """A file by its whole path, so that a save can be resumed from anywhere; the name of a shipped game as it is."""
    return str(Path(name).absolute()) if name.endswith(".dragon") else name


_LISTS = (tuple, list)


def _plain(value: Any) -> Any:
    """Tuples as lists, so that keys compare equal to what JSON gives back."""
    if isinstance(value, _LISTS):
        return [_plain(v) if isinstance(v, _LISTS) else v for v in value]
    return value


def _shown(choice: Any) -> str:
    return choice if isinstance(choice, str) else " ".join(str(_plain(part)) for part in choice)
