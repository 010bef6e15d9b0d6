"""Plays a game of ours and OpenSpiel's game of the same name in lock-step.

One action of OpenSpiel may be several decisions of ours: in Breakthrough, first
the man, then its direction. An adapter therefore says what an action *means*:
the value of every name our rules ask for, `{"s": (1, 2), "d": "NE"}`. Walking
through our decisions, the actions still possible must show, for the name now
asked, exactly the values that we offer; the one picked narrows them down, and
when a single action is left, OpenSpiel plays it.

A point with one option or one outcome is no decision. Either side may ask
there or go on silently, so both are taken past it before they are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import dragonrules as dr
import pyspiel

CLASSICS = Path(__file__).parents[2] / "games" / "classics"

Meaning = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Adapter:
    """How the words of OpenSpiel's game translate into ours."""

    name: str
    meaning: Callable[..., Meaning]
    """What OpenSpiel's player (from 0) means by an action."""
    outcome: Callable[[Any], int] | None = None
    """The chance action that the last part of an outcome's key stands for."""
    scored: bool = False
    """Are the returns our scores? If not: 1 to the only winner, -1 to the other."""
    folder: Path = CLASSICS
    options: Mapping[str, Any] = field(default_factory=dict)
    """Options of ours under which the rules are OpenSpiel's."""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """Parameters of OpenSpiel's game."""
    by_position: bool = False
    """Does the meaning of an action depend on the position? Then `meaning` is given OpenSpiel's state first."""
    paths: Callable[[Any, int], Sequence[Sequence[Any]]] | None = None
    """Where a chance point of OpenSpiel is several of ours: what these may bring, one behind the other, if it
    takes this action in this state."""
    returns: Callable[[Any], Sequence[float]] | None = None
    """The returns of a finished match, where they are neither its scores nor its winners."""

    seats: tuple[int, ...] | None = None
    """Our seats of OpenSpiel's players; without a word the first is the first."""
    sensible: Callable[[Any, list[int]], Sequence[int]] | None = None
    """Which of the legal actions to pick among, where play at random hardly ever comes to what a game is about."""
    longest: int | None = None
    """After so many moves a game is broken off: OpenSpiel then ends it by rules that ours does not have."""

    def seat(self, player: int) -> int:
        return player + 1 if self.seats is None else self.seats[player]

    @property
    def file(self) -> Path:
        return self.folder / f"{self.name}.dragon"

    def rules(self, file: Path | None = None) -> Any:
        return dr.load(file or self.file, options=dict(self.options))

    def spiel(self) -> Any:
        return pyspiel.load_game(self.name, dict(self.parameters))


class Mismatch(AssertionError):
    """The two games disagree; the message ends with OpenSpiel's history."""


@dataclass(slots=True)
class Table:
    """One match of ours beside one state of OpenSpiel's."""

    adapter: Adapter
    match: Any
    state: Any
    meanings: dict[tuple[int, int], Meaning]
    """Those already worked out; many tables share them."""

    def fork(self) -> Table:
        return replace(self, match=self.match.fork(), state=self.state.clone())

    def expect(self, holds: bool, ours: object, theirs: object) -> None:
        if not holds:
            raise Mismatch(
                f"{self.adapter.name}: ours {ours}, OpenSpiel {theirs}, after {self.state.history()}\n{self.state}"
            )

    def long_enough(self) -> bool:
        longest = self.adapter.longest
        return longest is not None and self.state.move_number() >= longest

    # ------------------------------------------------------------ past what is forced
    def settle(self) -> None:
        settle_ours(self.match)
        settle_theirs(self.state)

    # ------------------------------------------------------------ comparing one point
    def kind(self) -> str:
        """What comes next, on which both must agree: over, chance, or whose move."""
        match, state = self.match, self.state
        if match.over:
            ours = "over"
        elif match.decision is None:
            ours = "chance"
        else:
            ours = f"player {match.decision.player}"
        if state.is_terminal():
            theirs = "over"
        elif state.is_chance_node():
            theirs = "chance"
        elif state.is_simultaneous_node():
            theirs = ours if ours.startswith("player") else "all players"
        else:
            theirs = f"player {self.adapter.seat(state.current_player())}"
        self.expect(ours == theirs, ours, theirs)
        return ours

    def chances(self) -> list[tuple[Any, int, Fraction]]:
        """Our outcome, OpenSpiel's action and the probability of each chance outcome."""
        assert self.adapter.outcome is not None, f"{self.adapter.name} has no chance"
        outcomes = self.match.chance.outcomes
        total = sum(weight for _, weight in outcomes)
        ours = {}
        for outcome, weight in outcomes:
            action = self.adapter.outcome(last_part(outcome.key))
            self.expect(action not in ours, f"lists {outcome.key} twice", "does not")
            ours[action] = outcome, Fraction(weight, total)
        theirs = {a: Fraction(p).limit_denominator(10_000) for a, p in self.state.chance_outcomes()}
        odds = {a: p for a, (_, p) in ours.items()}
        self.expect(odds == theirs, odds, theirs)
        return [(outcome, action, p) for action, (outcome, p) in sorted(ours.items())]

    def take_a_chance(self, rng: Random) -> None:
        """One random outcome on both sides."""
        if self.adapter.paths is None:
            outcome, action, _ = pick(rng, self.chances())
            self.match.resolve(outcome)
        else:
            action, odds = pick(rng, self.state.chance_outcomes())
            ways = [self.roll(keys) for keys in self.adapter.paths(self.state, action)]
            ours = sum(p for _, p in ways)
            self.expect(ours == Fraction(odds).limit_denominator(10_000), ours, odds)
            self.match = pick(rng, ways)[0]
        self.state.apply_action(action)

    def roll(self, keys: Sequence[Any]) -> tuple[Any, Fraction]:
        """A copy of our match in which chance brings these, and how likely that is."""
        twin, odds = self.match.fork(), Fraction(1)
        for key in keys:
            self.expect(twin.decision is None and not twin.over, "asks", f"rolls {keys}")
            outcomes = twin.chance.outcomes
            found = {last_part(outcome.key): (outcome, weight) for outcome, weight in outcomes}
            self.expect(key in found, list(found), key)
            odds *= Fraction(found[key][1], sum(weight for _, weight in outcomes))
            twin.resolve(found[key][0])
        return twin, odds

    def offers(
        self, player: int, possible: Sequence[int], asked: int = 0
    ) -> dict[Any, tuple[Any, list[int]]]:
        """Our options now, each with the OpenSpiel actions that it leaves possible."""
        decision = self.match.decision
        self.expect(decision is not None, "has no decision", possible)
        seat = self.adapter.seat(player)
        self.expect(decision.player == seat, f"asks player {decision.player}", f"player {seat}")
        name = decision.options[0].key[0]
        split: dict[Any, list[int]] = {}
        for action in possible:
            split.setdefault(self.value(player, action, name, asked), []).append(action)
        offered = {option.key[1]: option for option in decision.options}
        if len(offered) != len(decision.options) or offered.keys() != split.keys():
            words = [self.state.action_to_string(player, a) for a in possible]
            self.expect(False, f"asks {name} in {sorted(offered, key=str)}", words)
        return {value: (option, split[value]) for value, option in offered.items()}

    def meaning(self, player: int, action: int) -> Meaning:
        if self.adapter.by_position:
            return self.adapter.meaning(self.state, player, action)
        known = self.meanings.get((player, action))
        if known is None:
            known = self.meanings[player, action] = self.adapter.meaning(player, action)
        return known

    def value(self, player: int, action: int, name: str, asked: int) -> Any:
        """What an action means for a name; a list has a value for each cell, asked one behind the other."""
        value = self.meaning(player, action).get(name)
        return value[asked] if isinstance(value, list) and asked < len(value) else value

    def check_returns(self) -> None:
        match = self.match
        seats = [self.adapter.seat(player) for player in range(self.state.num_players())]
        if self.adapter.returns is not None:
            ours = list(self.adapter.returns(match))
        elif self.adapter.scored:
            ours = [match.scores[seat] for seat in seats]
        elif len(match.winners) == 1:
            ours = [1 if seat in match.winners else -1 for seat in seats]
        else:
            ours = [0 for _ in seats]
        self.expect(ours == self.state.returns(), ours, self.state.returns())

    # ------------------------------------------------------------ moving on
    def follow(self, player: int, wanted: int, possible: Sequence[int]) -> None:
        """Makes the decisions of ours that mean the wanted action."""
        possible = list(possible)
        asked: dict[Any, int] = {}
        while len(possible) > 1:
            name = self.match.decision.options[0].key[0] if self.match.decision else None
            before = asked.get(name, 0)
            value = self.value(player, wanted, name, before)
            option, possible = self.offers(player, possible, before)[value]
            asked[name] = before + 1
            self.match.choose(option)

    def check_every_path(self, player: int, possible: Sequence[int], asked: tuple[str, ...] = ()) -> None:
        """Each action of OpenSpiel is one complete path through our decisions, not only the one played."""
        if len(possible) > 1:
            before = hash(self.match)
            name = self.match.decision.options[0].key[0] if self.match.decision else ""
            for option, rest in self.offers(player, possible, asked.count(name)).values():
                twin = self.match.fork()
                assert twin == self.match
                assert hash(twin) == before
                twin.choose(option)
                assert twin != self.match
                if len(rest) > 1:
                    replace(self, match=twin).check_every_path(player, rest, (*asked, name))
            assert hash(self.match) == before

    def step(self, rng: Random, thorough: bool) -> bool:
        """Compares, then plays one random action on both sides. No: the game is over."""
        state = self.state
        kind = self.kind()
        if kind == "over":
            self.check_returns()
            return False
        if kind == "chance":
            self.take_a_chance(rng)
        elif state.is_simultaneous_node():
            legal = {p: state.legal_actions(p) for p in range(state.num_players())}
            actions = {p: only[0] for p, only in legal.items() if len(only) == 1}
            while len(actions) < state.num_players():
                player = self.match.decision.player - 1
                self.expect(player not in actions, f"asks player {player + 1} twice", "all players once")
                actions[player] = self.play(player, rng, thorough)
                settle_ours(self.match)
            state.apply_actions([actions[p] for p in range(state.num_players())])
        else:
            state.apply_action(self.play(state.current_player(), rng, thorough))
        self.settle()
        return True

    def play(self, player: int, rng: Random, thorough: bool) -> int:
        legal = self.state.legal_actions(player)
        if thorough:
            self.check_every_path(player, legal)
        sensible = self.adapter.sensible
        action = pick(rng, legal if sensible is None else sensible(self.state, legal))
        self.follow(player, action, legal)
        return action


def settle_ours(match: Any) -> None:
    while not match.over:
        decision = match.decision
        if decision is None:
            outcomes = match.chance.outcomes
            if len(outcomes) > 1:
                return
            match.resolve(outcomes[0][0])
        elif len(decision.options) > 1:
            return
        else:
            match.choose(decision.options[0])


def settle_theirs(state: Any) -> None:
    while not state.is_terminal():
        if state.is_simultaneous_node():
            legal = [state.legal_actions(player) for player in range(state.num_players())]
            if any(len(actions) > 1 for actions in legal):
                return
            state.apply_actions([actions[0] for actions in legal])
        else:
            (action, *others) = state.legal_actions()
            if others:
                return
            state.apply_action(action)


def start(adapter: Adapter, rules: Any, spiel: Any, seed: int = 1, meanings: dict | None = None) -> Table:
    match = rules.start(players=spiel.num_players(), seed=seed, chance="ask")
    table = Table(adapter, match, spiel.new_initial_state(), {} if meanings is None else meanings)
    table.settle()
    return table


def play_random_games(adapter: Adapter, rules: Any, games: int, seed: int, thorough: int = 0) -> int:
    """Compares so many random games, the first few on every path; the number of steps played."""
    rng = Random(seed)
    spiel = adapter.spiel()
    meanings: dict[tuple[int, int], Meaning] = {}
    steps = 0
    for number in range(games):
        table = start(adapter, rules, spiel, seed + number, meanings)
        length = 0
        while not table.long_enough() and table.step(rng, number < thorough):
            length += 1
        steps += length
    return steps


def walk(table: Table) -> Iterator[Table]:
    """Every history of the game, each once, compared on the way."""
    yield table
    state = table.state
    kind = table.kind()
    if kind == "over":
        table.check_returns()
    elif kind == "chance":
        for outcome, action, _ in table.chances():
            child = table.fork()
            child.match.resolve(outcome)
            child.state.apply_action(action)
            child.settle()
            yield from walk(child)
    else:
        player = state.current_player()
        legal = state.legal_actions()
        for action in legal:
            child = table.fork()
            child.follow(player, action, legal)
            child.state.apply_action(action)
            child.settle()
            yield from walk(child)


def pick(rng: Random, things: Sequence[Any]) -> Any:
    return things[int(rng.random() * len(things))]


def last_part(key: Any) -> Any:
    return key[-1] if isinstance(key, tuple) else key
