"""Running scenarios: positions, choices and expectations written in a spec.

A scenario starts a match with chance left open and walks through its parts:

- `given:` effects are carried out on the position, by the reference interpreter; the
  pending decision is then asked anew. Chance points before the first choice are settled by the seed.
- `when:` each line is one or more choices of a player, matched by value or by
  words, or what chance brings. A decision with a single option that is not
  mentioned is taken silently, and chance about other kinds of things is settled
  by the seed, so a scenario says only what matters.
- `then:` conditions on the position, who decides next, whether it is over.

Invariants hold wherever somebody decides, and at the end, or the scenario fails.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import prod
from typing import Any, assert_never

from attrs import define

from ...grammar import Span
from ..core import OPERATORS, And, Apply, Const, Ex, Scenario
from ..core import value_types as t
from ..core.errors import DragonError
from ..core.facts import reads
from ..core.scenario_parts import (
    CannotSee,
    ChanceBrings,
    Chooses,
    Decides,
    Given,
    Holds,
    IsOver,
    Part,
    Pick,
    Refused,
    Sees,
    TimeRunsOut,
)
from ..program.passes.interchangeable import copies_of
from ..program.terminators import NO_MORE
from ..reference.play import Frame
from ..reference.trouble import Over, Trouble
from .coverage import Coverage
from .game import Game
from .match import Match
from .position import Position

MOST_OUTCOMES = 2000
"""Outcomes of chance in a row, with no decision between them, that are taken for a loop without end."""


@define
class Outcome:
    """What became of a scenario; `problem` is None when it holds.

    Of one that does not: `expected` and `found` where there is something to
    compare, `steps` the choices and outcomes of chance up to there, in words, and
    `match` as it stood.
    """

    scenario: Scenario
    problem: str | None = None
    span: Span | None = None
    expected: str | None = None
    found: str | None = None
    steps: tuple[str, ...] = ()
    match: Match | None = None
    coverage: Coverage | None = None
    instead: tuple[Span, str] | None = None
    """Of a check that compares with a number: where it stands, and what it would have to be to hold."""
    about: frozenset[str] = frozenset()
    """The places and states that a failing check reads, by their labels."""

    @property
    def ok(self) -> bool:
        return self.problem is None


class Broken(Exception):
    def __init__(
        self, span: Span, problem: str, expected: str | None = None, found: str | None = None
    ) -> None:
        super().__init__(problem)
        self.span = span
        self.expected = expected
        self.found = found
        self.instead: tuple[Span, str] | None = None
        self.about: frozenset[str] = frozenset()


def run_scenarios(game: Game, *, only: str | None = None) -> list[Outcome]:
    out = []
    for number, scenario in enumerate(game.checked.scenarios):
        if only is None or only.lower() in scenario.name.lower():
            out.append(run_scenario(game, number, scenario))
    return out


def run_scenario(
    game: Game, number: int, scenario: Scenario, *, covered: bool = False, keep: bool = False
) -> Outcome:
    """Run one scenario; `covered` also tells which rules it used, whether it holds or not. `keep`: the
    position in which it ends comes along, also of one that holds."""
    runner = None
    try:
        runner = Runner(with_options(game, scenario), number, scenario, covered)
        runner.run()
        outcome = Outcome(scenario)
    except Broken as broken:
        outcome = Outcome(scenario, str(broken), broken.span, broken.expected, broken.found)
        outcome.instead, outcome.about = broken.instead, broken.about
    except DragonError as error:
        outcome = Outcome(scenario, str(error), runner.at if runner is not None else scenario.span)
    if runner is not None:
        if not outcome.ok or keep:
            outcome.steps, outcome.match = tuple(runner.steps), runner.match
        if covered:
            outcome.coverage = Coverage.of(runner.engine, reset=True)
    return outcome


def with_options(game: Game, scenario: Scenario) -> Game:
    if not scenario.options:
        return game
    from ..check.constants import Constants

    constants = Constants(game.checked, scenario.players, game._option_values)
    given = dict(game.given_options)
    for name, ex in scenario.options.items():
        value = constants.evaluate(ex)
        type_ = game.checked.options[name].type
        if isinstance(type_, t.Kind):
            given[name] = game.checked.kinds[type_.name].values[value]
        else:
            given[name] = (
                "yes"
                if isinstance(type_, t.YesNo) and value
                else "no"
                if isinstance(type_, t.YesNo)
                else value
            )
    return game.variation(given)


class Runner:
    """Walks through one scenario, part by part."""

    def __init__(self, game: Game, number: int, scenario: Scenario, covered: bool) -> None:
        self.game = game
        self.number = number
        self.scenario = scenario
        self.at = scenario.span  # the line that is being carried out
        self.steps: list[str] = []
        self.changed = 0  # how often `given` has changed the position
        self._read: tuple[tuple[int, int], Position] | None = None
        self.engine = game.engine(scenario.players, watched=True, anew=True, covered=covered)
        if self.engine.counts is not None:
            self.engine.counts.reset()
        state = self.engine.new(seed=1, settle=False)
        self.match = Match(game, state, seed=1, ask_chance=True, check=True)

    def run(self) -> None:
        parts = self.scenario.parts
        self.match._after()
        for index, part in enumerate(parts):
            self.at = part.span
            upcoming = next((p for p in parts[index:] if not isinstance(p, Given)), None)
            if not isinstance(upcoming, ChanceBrings):
                self.settle()
            self.carry_out(part)

    def carry_out(self, part: Part) -> None:
        match part:
            case Given():
                self.given(part)
            case Chooses():
                self.chooses(part)
            case Refused():
                self.refused(part)
            case ChanceBrings():
                self.chance(part)
            case TimeRunsOut():
                self.match.expire()
            case Holds():
                self.holds(part)
            case Decides():
                self.decides(part)
            case Sees():
                if not self._visible(part):
                    words = _text(part.what.span)
                    raise Broken(
                        part.span, f"`{words}` is hidden from that player", f"sees {words}", "hidden"
                    )
            case CannotSee():
                if self._visible(part):
                    words = _text(part.what.span)
                    raise Broken(
                        part.span, f"`{words}` is open to that player", f"cannot see {words}", "open"
                    )
            case IsOver():
                self.is_over(part)
            case _:
                assert_never(part)

    def choose(self, index: int) -> None:
        decision = self.match.decision
        assert decision is not None
        label = decision.options[index].label
        self.steps.append(f"player {decision.player} chooses {label} ({decision.prompt})")
        self.match.choose(index)

    def bring(self, value: Any) -> None:
        """Chance brings something."""
        type_ = self.engine.generated.chances[self.match.state.pc]
        self.steps.append(f"chance brings {self.engine.watcher.values.label(value, type_)}")
        self.match.bring(value)

    def settle(self) -> None:
        state = self.match.state
        for _ in range(MOST_OUTCOMES):
            if state.player >= 0 or state.over:
                return
            self._settle_one()
        raise state.engine.endless(state, state.pc)

    def _settle_one(self) -> None:
        state = self.match.state
        self.bring(state.rng.settle(state.options, state.weights))

    def ask(self, ex: Ex) -> Any:
        """The value of an expression in the position as it stands, as states keep it."""
        position = self.position()
        try:
            return position.flat(position.play.value(ex, Frame("")), ex.type)
        except Trouble as trouble:
            raise Broken(
                ex.span, f"`{_text(ex.span)}` cannot be worked out here: {trouble.message} ({trouble.code})"
            ) from None

    def one(self, ex: Ex) -> Any:
        """The value that a pick means; of a set, which stands for any of its members, the first."""
        value = self.ask(ex)
        if not isinstance(ex.type, t.SetOf):
            return value
        members = (
            value if isinstance(value, tuple) else [n for n in range(value.bit_length()) if value >> n & 1]
        )
        if not members:
            raise Broken(ex.span, f"`{_text(ex.span)}` is empty")
        return members[0]

    def position(self) -> Position:
        """The position as it stands, read once for all lines about it."""
        now = (len(self.match.log), self.changed)
        if self._read is None or self._read[0] != now:
            self._read = now, Position(self.match.state)
        return self._read[1]

    # ------------------------------------------------------------ given
    def given(self, part: Given) -> None:
        """Effects on the position, as if by hand: endings are not tested, then the question is put anew."""
        state = self.match.state
        if state.over:
            raise Broken(part.span, "the match is already over")
        position = Position(state)
        play = position.play
        play.atomic += 1
        try:
            for _ in play.run(part.body, Frame("given")):
                raise Broken(part.span, "`given` sets the position; choices and draws belong under `when`")
        except Trouble as trouble:
            raise Broken(trouble.span, f"{trouble.message} ({trouble.code})") from None
        except Over:
            state.finished(_bits(play.winners), play.reason)
            return
        self.changed += 1
        position.write()
        self.engine.watcher.position_set(state, play.seeing.noticed)
        if state.player >= 0:
            state.run(self.engine.generated.askers[state.pc])

    # ------------------------------------------------------------ when
    def chooses(self, part: Chooses) -> None:
        who = self.ask(part.player)
        for pick in part.picks:
            self.settle()
            self.skip_forced(who, pick)
            self.take(who, pick, part)
            while self._more_of(who, pick):
                self.take(who, pick, part)

    def _more_of(self, who: int, pick: Pick) -> bool:
        """Where several are chosen at once, a set stands for all of its members that are offered."""
        state = self.match.state
        if isinstance(pick, str) or state.over or state.player != who or not self._of_several():
            return False
        return isinstance(pick.type, t.SetOf) and self.find(pick) is not None

    def _of_several(self) -> bool:
        point = self.engine.points[self.match.state.pc]
        return point.none == NO_MORE

    def skip_forced(self, who: int, pick: Pick) -> None:
        """Take decisions with one option that the scenario does not mention."""
        state = self.match.state
        while not state.over and state.player >= 0 and len(state.options) == 1:
            if state.player == who and self.find(pick) is not None:
                return
            self.choose(0)
            self.settle()
        if not state.over and state.player == who and self._of_several() and self.find(pick) is None:
            options = self.match.offered
            if -1 in options:  # something else comes next, so there are no more
                self.choose(options.index(-1))
                self.settle()
                self.skip_forced(who, pick)

    def find(self, pick: Pick) -> int | None:
        """The option that a pick means, or None."""
        decision = self.match.decision
        assert decision is not None
        if isinstance(pick, str):
            for option in decision.options:
                if pick in (option.label, option.key[-1]):
                    return option.index
            return None
        state = self.match.state
        point = self.engine.points[state.pc]
        if point.kind == "offer" or (
            point.type is not None
            and point.kind == "choose"
            and not t.comparable(point.type, _one_of(pick.type))
        ):
            return None
        value = self.ask(pick)
        options = self.match.offered
        if isinstance(pick.type, t.SetOf):  # any that is offered
            return next((n for n, option in enumerate(options) if _holds(value, option)), None)
        if value in options:
            return options.index(value)
        if isinstance(pick.type, t.Comp):  # a copy of an offered component will do
            if copies_of(self.game.checked, self.engine.layout, pick.type.name):
                rows = self.engine.layout.comps[pick.type.name].rows
                for position, option in enumerate(options):
                    if rows[option] == rows[value]:
                        return position
        return None

    def take(self, who: int, pick: Pick, part: Chooses | Refused) -> None:
        state = self.match.state
        words = pick if isinstance(pick, str) else _text(pick.span)
        if state.over:
            raise Broken(part.span, f"the match is over before `{words}` can be chosen")
        decision = self.match.decision
        assert decision is not None
        if state.player != who:
            raise Broken(
                part.span,
                f"player {state.player + 1} decides ({decision.prompt}), not player {who + 1}",
                f"player {who + 1} decides",
                f"player {state.player + 1} decides ({decision.prompt})",
            )
        index = self.find(pick)
        if index is None:
            offered = ", ".join(o.label for o in decision.options)
            raise Broken(
                part.span,
                f"`{words}` is not among the options of {decision.prompt}: {offered}",
                f"{words} among the options of {decision.prompt}",
                offered,
            )
        self.choose(index)

    def refused(self, part: Refused) -> None:
        who = self.ask(part.player)
        *first, last = part.picks
        for pick in first:
            self.settle()
            self.skip_forced(who, pick)
            self.take(who, pick, part)
        self.settle()
        state = self.match.state
        words = last if isinstance(last, str) else _text(last.span)
        if state.over or state.player != who:
            return
        if self.find(last) is not None:
            raise Broken(part.span, f"`{words}` is allowed, but should be refused", "refused", "allowed")
        if part.because is None:
            return
        point = self.engine.points[state.pc]
        values = self.engine.watcher.values_for(state, state.player)
        key = last if isinstance(last, str) else values.option_key(point, self.one(last))
        reason = self.match.why_not(key)
        if part.because not in (reason or ""):
            raise Broken(
                part.span,
                f"`{words}` is refused because: {reason}",
                f"refused because {part.because}",
                f"refused because {reason}",
            )

    def chance(self, part: ChanceBrings) -> None:
        for pick in part.picks:
            state = self.match.state
            while not state.over and state.player >= 0 and len(state.options) == 1:
                self.choose(0)
            while not isinstance(pick, str) and self._brings_other(pick.type):
                self._settle_one()
            if state.over or state.player >= 0:
                raise Broken(part.span, "chance has nothing to decide here")
            while len(state.options) == 1 and not self._matches(pick, state.options[0]):
                self.bring(state.options[0])
                if state.over or state.player >= 0:
                    raise Broken(part.span, "chance has nothing to decide here")
            for value in state.options:
                if self._matches(pick, value):
                    self.bring(value)
                    break
            else:
                chance = self.match.chance
                assert chance is not None
                offered = ", ".join(o.label for o, _ in chance.outcomes)
                words = pick if isinstance(pick, str) else _text(pick.span)
                raise Broken(part.span, f"`{words}` cannot come up: {offered}", words, offered)

    def _brings_other(self, type_: t.Type) -> bool:
        """Is this chance point about another kind of thing, which the seed may settle?"""
        state = self.match.state
        if state.over or state.player >= 0:
            return False
        return not t.comparable(self.engine.generated.chances[state.pc], _one_of(type_))

    def _matches(self, pick: Pick, value: int) -> bool:
        type_ = self.engine.generated.chances[self.match.state.pc]
        values = self.engine.watcher.values
        if isinstance(pick, str):
            return pick in (values.label(value, type_), values.encode(value, type_))
        wanted = self.ask(pick)
        if isinstance(pick.type, t.SetOf):
            return _holds(wanted, value)
        if value == wanted:
            return True
        if isinstance(type_, t.Comp) and isinstance(pick.type, t.Comp):
            rows = self.engine.layout.comps[type_.name].rows
            return (
                copies_of(self.game.checked, self.engine.layout, type_.name) is not None
                and rows[value] == rows[wanted]
            )
        return False

    # ------------------------------------------------------------ then
    def holds(self, part: Holds) -> None:
        condition = part.condition
        if self.ask(condition):
            return
        while isinstance(condition, And):  # the part of it that does not hold
            condition = condition.right if self.ask(condition.left) else condition.left
        broken = self._broken(part, condition)
        broken.instead, broken.about = self._number(condition), self._read_by(condition)
        raise broken

    def _broken(self, part: Holds, condition: Ex) -> Broken:
        words, sides = _text(condition.span), self._sides(condition)
        problem = f"`{words}` does not hold"
        if not sides:
            return Broken(part.span, problem, words, "it does not hold")
        said = [f"{text} is {value}" for text, value in sides if text != value]
        found = sides[0][1] if len(said) == 1 and said[0].startswith(sides[0][0]) else ", ".join(said)
        both = " and ".join(value for _, value in sides)
        return Broken(part.span, f"{problem} (found {both})", words, found)

    def _number(self, condition: Ex) -> tuple[Span, str] | None:
        """The number that something is compared with, and what it is."""
        if not (isinstance(condition, Apply) and condition.op == "eq"):
            return None
        left, right = condition.args
        for number, other in ((right, left), (left, right)):
            if (
                isinstance(number, Const)
                and number.span.text.strip().isdigit()
                and isinstance(other.type, t.Num)
            ):
                value = self.ask(other)
                return (number.span, str(value)) if value >= 0 else None
        return None

    def _read_by(self, condition: Ex) -> frozenset[str]:
        """What lies or is noted where the condition looks."""
        watcher, layout = self.engine.watcher, self.engine.layout
        keys = {key.removeprefix("in ") for key in reads(condition, self.game.checked)}
        places = {
            watcher.labels[k, n]
            for k in keys & layout.instances.keys()
            for n in range(len(layout.instances[k]))
        }
        states = {
            watcher.values.state_label(k, n)
            for k in keys & self.game.checked.states.keys()
            for n in range(prod(layout.states[k][1]))
        }
        return frozenset(places | states)

    def _sides(self, ex: Ex) -> list[tuple[str, str]]:
        """For a comparison: the text and the value of both sides."""
        if not isinstance(ex, Apply) or not OPERATORS[ex.op].compares:
            return []
        values = self.engine.watcher.values
        sides = [a for a in ex.args if not isinstance(a.type, t.Place)]
        return [(_text(a.span), str(values.encode(self.ask(a), a.type))) for a in sides]

    def decides(self, part: Decides) -> None:
        who = self.ask(part.player)
        decision = self.match.decision
        if decision is None or decision.player != who + 1:
            found = "nobody" if decision is None else f"player {decision.player} ({decision.prompt})"
            raise Broken(
                part.span, f"{found} decides, not player {who + 1}", f"player {who + 1} decides", found
            )
        menu = decision.prompt.replace(" ", "_")
        if part.what is not None and part.what not in (decision.rule, decision.name, menu):
            raise Broken(
                part.span, f"the decision is {decision.rule}, not {part.what}", part.what, decision.rule
            )

    def is_over(self, part: IsOver) -> None:
        if not self.match.over:
            raise Broken(part.span, "the match goes on", "the match is over", "the match goes on")
        if part.winners is not None:
            winners = self.ask(part.winners)
            if winners != self.match.state.winners:
                names = sorted(self.match.winners)
                wanted = [p + 1 for p in range(self.match.players) if winners >> p & 1]
                raise Broken(
                    part.span,
                    f"the winners are {names or 'nobody'}",
                    f"won by {wanted or 'nobody'}",
                    f"won by {names or 'nobody'} ({self.match.reason})",
                )

    def _visible(self, part: Sees | CannotSee) -> bool:
        viewer = self.ask(part.player)
        ex = part.what
        watcher, state = self.engine.watcher, self.match.state
        if isinstance(ex.type, t.Place):
            ref = self.ask(ex)
            table = watcher.token_places if ex.type.of in self.game.checked.tokens else watcher.comp_places
            key, place, _ = table[ref]
            return bool(watcher.place_mask(state, key, place) >> viewer & 1)
        if isinstance(t.plain(ex.type), t.Comp):
            comp = t.plain(ex.type)
            assert isinstance(comp, t.Comp)
            return bool(watcher.viewers_of(state, comp.name, self.ask(ex)) >> viewer & 1)
        raise Broken(part.span, "`sees` is about a place or a component")


def _one_of(type_: t.Type) -> t.Type:
    """A set stands for any of its members."""
    return type_.of if isinstance(type_, t.SetOf) else type_


def _holds(values: Any, value: int) -> bool:
    """Is a value in a set, which is bits or a tuple?"""
    return bool(values >> value & 1) if isinstance(values, int) else value in values


def _text(span: Span) -> str:
    return " ".join(span.text.split())


def _bits(seats: Iterable[int]) -> int:
    return sum(1 << seat for seat in seats)
