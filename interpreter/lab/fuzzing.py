"""Playing to find what is wrong with rules.

A *setting* is a rule set with its options and a number of players. Game after
game is played in one setting after the other: some at random, some with a liking
for what has been done least, some from a position at which something new had
happened (a line that was never reached, a value or a size of a place that was
never seen). Whenever somebody is asked, the invariants are tested; at the end
the score is worked out. Whatever goes wrong on the way is a *failure*: an error
at play, an invariant, a loop without end, a mistake of the interpreter itself.

Everything follows from the seed: a game from its number and from the games
before it, so a run that is cut short has found what the whole run would have
found up to there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from attrs import Factory, define, frozen

from ..core import CheckedGame
from ..core import value_types as t
from ..core.errors import DragonError, PlayError, SpecError, UsageError
from ..core.randomness import Generator
from ..play.coverage import Coverage
from ..play.engine import Engine
from ..play.game import Game
from ..play.scenarios import MOST_OUTCOMES
from ..play.state import State
from .playing import seed_of

LIMIT = 1000
"""Decisions after which a game is left as it is."""
ARCHIVE = 256  # positions kept to go on from
EXPIRE = "time is up"
"""Stands for a value where the clock runs out instead of anybody choosing."""

Step = tuple[int, Any]
"""Where a match waits (`State.pc`), and the value that it goes on with."""
Signature = tuple[str, str, int]


@define(eq=False)
class Setting:
    """A rule set, its options, a number of players."""

    game: Game
    players: int
    variants: tuple[str, ...] = ()
    """The titles of the variants over the game."""
    changed: dict[str, Any] = Factory(dict)
    """The options that are not as the rules or whoever asked would have them."""

    @cached_property
    def engine(self) -> Engine:
        return self.game.engine(self.players, covered=True)

    @property
    def name(self) -> str:
        options = "".join(f", {name} = {plain(value)}" for name, value in self.game.given_options.items())
        return f"{' + '.join([self.game.name, *self.variants])}, {self.players} players{options}"


@define(eq=False)
class Failure:
    """Something that went wrong, and the way there: the last step is the one that failed."""

    setting: Setting
    error: Exception
    steps: tuple[Step, ...]
    scoring: int | None = None
    """The player whose score could not be worked out when it was over."""

    @property
    def by_itself(self) -> bool:
        """Does chance alone go on without end, so that the last outcomes do not matter?"""
        return self.code == "D0914" and len(self.steps) > MOST_OUTCOMES // 2

    @property
    def signature(self) -> Signature:
        """Two failures with the same signature are taken for the same mistake."""
        return signature(self.error)

    @property
    def code(self) -> str:
        return self.signature[0]

    @property
    def message(self) -> str:
        if isinstance(self.error, PlayError):
            return self.error.diagnostic.message
        if isinstance(self.error, DragonError):
            return str(self.error)
        return f"{type(self.error).__name__}: {self.error}"


def signature(error: Exception) -> Signature:
    if isinstance(error, PlayError):
        span = error.diagnostic.span
        return error.diagnostic.code, span.source.name, span.start
    if isinstance(error, SpecError):
        first = error.diagnostics[0]
        return first.code, first.span.source.name, first.span.start
    if isinstance(error, UsageError):
        return error.code, error.message, 0
    return "internal error", f"{type(error).__name__}: {str(error)[:60]}", 0


class Failed(Exception):
    """Raised on a walk; `scoring` as in a failure."""

    def __init__(self, error: Exception, scoring: int | None = None) -> None:
        super().__init__(str(error))
        self.error = error
        self.scoring = scoring


# ---------------------------------------------------------------- one step
@define(eq=False)
class Walk:
    """A match under way, step by step."""

    state: State
    row: int = 0
    """Outcomes of chance since somebody last decided."""

    @classmethod
    def begin(cls, engine: Engine) -> Walk:
        """At the first chance point or decision. Raises Failed, as `take` does."""
        try:
            state = engine.new(settle=False)
        except Exception as error:
            raise Failed(error) from None
        examine(state)
        return cls(state)

    def take(self, value: Any) -> None:
        """Go on with a choice, an outcome or the end of the time."""
        state = self.state
        self.row = self.row + 1 if state.player < 0 else 0
        try:
            if value is EXPIRE:
                state.expire()
            else:
                state.step(value)
        except Exception as error:
            raise Failed(error) from None
        examine(state)
        if self.row >= MOST_OUTCOMES and state.player < 0 and not state.over:
            raise Failed(state.engine.endless(state, state.pc))

    def fork(self) -> Walk:
        return Walk(self.state.fork(), self.row)


def examine(state: State) -> None:
    """Test what must hold whenever somebody is asked, and at the end."""
    if state.player < 0 and not state.over:
        return
    engine = state.engine
    for name, decl in engine.game.invariants.items():
        try:
            holds = engine.work_out(state, f"i_{name}")
        except Exception as error:
            raise Failed(error) from None
        if not holds:
            message = f"`{name}` does not hold"
            raise Failed(engine.error("D0907", message, decl.span, engine.chain(state)))
    if state.over and engine.game.score is not None:
        for seat in range(engine.players):
            try:
                engine.work_out(state, "d_score", seat)
            except Exception as error:
                raise Failed(error, seat + 1) from None


# ---------------------------------------------------------------- many games
@define
class Archive:
    """What has been seen in one setting, and positions at which it was seen for the first time."""

    missing: list[int]
    taken: Counter[Step] = Factory(Counter)
    features: set[int] = Factory(set)
    kept: list[tuple[Walk, tuple[Step, ...]]] = Factory(list)
    visits: list[int] = Factory(list)

    def note(self, walk: Walk, steps: Sequence[Step]) -> None:
        """Keep a position that has shown something new."""
        state = walk.state
        assert state.engine.counts is not None
        hits = state.engine.counts.hits
        found = _features(state) - self.features
        reached = [number for number in self.missing if hits[number]]
        if not found and not reached:
            return
        self.features |= found
        self.missing = [number for number in self.missing if not hits[number]]
        if not state.over and len(self.kept) < ARCHIVE:
            self.kept.append((walk.fork(), tuple(steps)))
            self.visits.append(0)

    def choose(self, dice: Generator) -> tuple[Walk, list[Step]]:
        """One of the positions, rather one that was rarely gone on from."""
        draws = [dice.below(len(self.kept)) for _ in range(3)]
        number = min(draws, key=lambda n: (self.visits[n], -n))
        self.visits[number] += 1
        walk, steps = self.kept[number]
        return walk.fork(), list(steps)


def _features(state: State) -> set[int]:
    """Rough marks of a position: where it waits, the size of each value and of each place."""
    found = {state.pc}
    for slot, kept in enumerate(state.I[:600]):
        value = len(kept) if isinstance(kept, tuple) else kept  # of a set its size
        found.add((slot << 12 | 1 << 11) + (value.bit_length() if value > 3 else value & 7))
    for slot, things in enumerate(state.L[:300]):
        found.add((slot << 12 | 1 << 10) + (len(things).bit_length() + 4 if len(things) > 3 else len(things)))
    return found


class Fuzzer:
    """Plays; `failures` are what was found, each mistake once."""

    def __init__(self, settings: Sequence[Setting], seed: int = 0, limit: int = LIMIT) -> None:
        self.settings = list(settings)
        self.seed = seed
        self.limit = limit
        self.failures: list[Failure] = []
        self.games = self.steps = self.unfinished = 0
        self.wide = 0  # games in machine code that only looked for what goes wrong
        self.refused: dict[str, str] = {}  # settings that the rules do not allow, and why
        self._archives: dict[int, Archive] = {}
        self._known: set[Signature] = set()

    def play(self, number: int) -> Failure | None:
        """Play one game; a failure that is new is also added to the list."""
        if not self.settings:
            return None
        place = number % len(self.settings)
        setting = self.settings[place]
        failure = self._play(setting, place, number)
        if failure is None and setting.name not in self.refused:
            failure = self._play_wide(setting, number)
        if failure is None or failure.signature in self._known:
            return None
        self._known.add(failure.signature)
        self.failures.append(failure)
        return failure

    def _play_wide(self, setting: Setting, number: int) -> Failure | None:
        from .wide_fuzzing import WIDE, native_for, sweep

        native = native_for(setting, number // len(self.settings))
        if native is None:
            return None
        self.wide += WIDE
        return sweep(setting, native, self.seed, number, self.limit)

    def _play(self, setting: Setting, place: int, number: int) -> Failure | None:
        try:
            engine = setting.engine
        except UsageError as refusal:
            self.refused[setting.name] = refusal.message
            return None
        except SpecError as error:
            return Failure(setting, error, ())
        assert engine.counts is not None
        self.games += 1
        dice = Generator(seed_of(self.seed, number))
        if place not in self._archives:
            self._archives[place] = Archive(list(range(len(engine.counts.hits))))
        archive = self._archives[place]
        manner = (number // len(self.settings)) % 3
        steps: list[Step] = []
        try:
            if manner == 2 and archive.kept:
                walk, steps = archive.choose(dice)
            else:
                walk = Walk.begin(engine)
            self._go_on(walk, steps, dice, archive, manner)
        except Failed as failed:
            return Failure(setting, failed.error, tuple(steps), failed.scoring)
        return None

    def _go_on(self, walk: Walk, steps: list[Step], dice: Generator, archive: Archive, manner: int) -> None:
        state = walk.state
        clocks = _has_clock(state.engine)
        decisions = 0
        while not state.over:
            decisions += state.player >= 0
            if decisions > self.limit:
                self.unfinished += 1
                return
            value = _pick(state, dice, archive, manner)
            if clocks and state.player >= 0 and dice.below(40) == 0 and state.fork().expire():
                value = EXPIRE
            step = (state.pc, value)
            archive.taken[step] += 1
            steps.append(step)
            self.steps += 1
            walk.take(value)
            archive.note(walk, steps)

    def coverage(self) -> Coverage:
        """Which rules all these games have used."""
        total = Coverage()
        for place in self._archives:
            total.add(Coverage.of(self.settings[place].engine))
        return total


def _pick(state: State, dice: Generator, archive: Archive, manner: int) -> Any:
    options = state.options
    if len(options) == 1:
        return options[0]
    if manner == 0 or dice.below(3) == 0:
        if state.player < 0 and manner == 0:
            return dice.settle(options, state.weights)
        return options[dice.below(len(options))]
    pc, taken = state.pc, archive.taken
    few = options if len(options) <= 12 else [options[dice.below(len(options))] for _ in range(12)]
    possible = [v for v in few if state.player >= 0 or state.weights[list(options).index(v)]]
    least = min(taken[pc, v] for v in possible)
    rare = [v for v in possible if taken[pc, v] == least]
    return rare[dice.below(len(rare))]


def _has_clock(engine: Engine) -> bool:
    return any(
        (label or "").startswith("clock ") for _, scopes in engine.frames.values() for label, _, _ in scopes
    )


# ---------------------------------------------------------------- settings
@frozen
class Rules:
    """A rule set to be tried: a loaded game, and the titles of the variants over it."""

    game: Game
    variants: tuple[str, ...] = ()


def settings_of(
    rules: Sequence[Rules], players: Sequence[int] = (), *, vary_options: bool = True, seed: int = 0
) -> list[Setting]:
    """Every rule set with every number of players; then with every option at its ends.

    In the order in which they are worth trying: the plain ones first.
    """
    plain_ones, varied = [], []
    dice = Generator(seed)
    for each in rules:
        counts = [n for n in each.game.players if not players or n in players]
        plain_ones += [Setting(each.game, count, each.variants) for count in counts]
        if not vary_options or not counts:
            continue
        for name, value in _other_values(each.game.checked, each.game.options, each.game.given_options):
            options = {**each.game.given_options, name: value}
            count = counts[dice.below(len(counts))]
            varied.append(Setting(each.game.variation(options), count, each.variants, {name: value}))
    return plain_ones + varied


def simpler(setting: Setting, settings: Sequence[Setting]) -> list[Setting]:
    """The settings in which a failure would be easier to understand: fewer variants, then options as
    they were, then fewer players."""

    def weight(each: Setting) -> tuple[int, int, int]:
        return len(each.variants), len(each.changed), each.players

    less = [s for s in settings if weight(s) < weight(setting) and set(s.variants) <= set(setting.variants)]
    return sorted(less, key=weight)


def _other_values(
    checked: CheckedGame, now: Mapping[str, Any], given: Mapping[str, Any]
) -> Iterator[tuple[str, Any]]:
    for name, option in checked.options.items():
        if name in given:
            continue
        match option.type:
            case t.Num(low, high):
                values: list[Any] = sorted({low, high})
            case t.YesNo():
                values = ["yes", "no"]
            case t.Kind(kind):
                values = list(checked.kinds[kind].values)
            case _:
                values = []
        current = plain(now[name])
        yield from ((name, value) for value in values if value != current)


def plain(value: Any) -> Any:
    """An option as rule files write it."""
    return ("yes" if value else "no") if isinstance(value, bool) else value
