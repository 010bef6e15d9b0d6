"""Going through the log of a match, and following it under other rules.

A *step* is a decision, or time running out, with all that chance brought after
it. Position 0 is the first decision of the match. Going back is going through
the log again from the start: that is quick, and nothing has to be kept.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from typing import Any

from attrs import frozen

from .game import Game
from .match import Match

Entry = Sequence[Any]
MOST_NAMED = 5


class Replay:
    """A match as its log tells it. `at(n)` is the match after n steps."""

    def __init__(
        self, game: Game, players: int, seed: int, log: Sequence[Entry], first: Match | None = None
    ) -> None:
        """`first` is the match before the log, where that is not the start of a match."""
        self.game = game
        self.first = first
        self.players = players
        self.seed = seed
        self.log = log
        self.ends = _ends(log)
        self._match = self._start()

    @property
    def steps(self) -> int:
        return len(self.ends) - 1

    def at(self, step: int) -> Match:
        """The match after so many steps; it belongs to the replay and moves with it."""
        wanted = self.ends[max(0, min(step, self.steps))]
        if len(self._match.log) > wanted:
            self._match = self._start()
        self._match.replay(self.log[len(self._match.log) : wanted])
        return self._match

    def as_seen_by(self, seat: int | None) -> Replay:
        """The same with the steps that a seat notices, or with None a spectator. Parts of another's choice, and questions that are
        nobody else's business, are no steps of their own, so that they cannot be counted."""
        seen = Replay(self.game, self.players, self.seed, self.log, self.first)
        ends, before = [self.ends[0]], None
        for step in range(self.steps + 1):
            match = self.at(step)
            now = match.view(seat), match.observations(seat)
            if step and now != before:
                ends.append(self.ends[step])
            before = now
        seen.ends = ends
        return seen

    def entry(self, step: int) -> Entry | None:
        """What is done at the position after so many steps."""
        return self.log[self.ends[step]] if step < self.steps else None

    def step_of_turn(self, turn: int) -> int:
        """The first position in that turn, or behind it."""
        for step in range(self.steps + 1):
            if self.at(step).turn >= turn:
                return step
        return self.steps

    def _start(self) -> Match:
        if self.first is not None:
            return self.first.fork()
        return self.game.start(self.players, seed=self.seed, chance="ask")


def _ends(log: Sequence[Entry]) -> list[int]:
    """How many entries of the log belong to the first n steps, for each n."""
    starts = [i for i, entry in enumerate(log) if entry[0] != "chance"]
    return [*starts, len(log)]


# ---------------------------------------------------------------- under other rules
@frozen
class Difference:
    """Where other rules lead elsewhere: after so many steps, and how."""

    step: int
    turn: int
    words: str


def first_difference(replay: Replay, other: Game, *, same_game: bool = True) -> Difference | None:
    """The first position at which a log cannot be followed, or would have been another decision.

    Where the log's own rules are at hand (`same_game`), the decisions themselves
    are compared; otherwise a log is followed for as long as it is possible. What is
    alike in print is the same thing: copies are not told apart, and a component that has
    another number under the other rules is known by what is printed on it.
    """
    there = _under(replay, other)
    here = replay._start() if same_game else None
    for number, entry in enumerate(replay.log):
        words = _differs(entry, there, here)
        if words is not None:
            return Difference(max(0, bisect_right(replay.ends[:-1], number) - 1), there.turn, words)
        there.replay_one(translated(entry, there, here))
        if here is not None:
            here.replay_one(entry)
    if here is not None and here.over != there.over:
        ended, other_one = ("over", "goes on") if here.over else ("not over", "is")
        return Difference(replay.steps, there.turn, f"the match is {ended}, under these rules it {other_one}")
    if here is not None and here.winners != there.winners:
        words = f"{_winners(here)}, under these rules {_winners(there)}"
        return Difference(replay.steps, there.turn, words)
    return None


def _under(replay: Replay, other: Game) -> Match:
    """The match before the log, by other rules."""
    if replay.first is None or replay.first.origin is None:
        return other.start(replay.players, seed=replay.seed, chance="ask")
    from .crossing import crossed  # late: it needs the compiler

    there, _ = crossed(replay.first.origin, other)
    there.ask_chance = True
    return there


def _differs(entry: Entry, there: Match, here: Match | None) -> str | None:
    """How the pending decision under other rules is not the one that the log answers."""
    if there.over:
        return f"the match is over: {_winners(there)}" + (f" ({there.reason})" if there.reason else "")
    if entry[0] == "expire":
        return None if there.state.fork().expire() else "no clock is running"
    if entry[0] == "chance":
        return _chance_differs(entry, there, here)
    decision = there.decision
    if decision is None:
        return f"chance decides something, where player {entry[1]} decided"
    if decision.player != entry[1]:
        return f"player {decision.player} decides ({decision.prompt}), not player {entry[1]}"
    now = _asked(there)
    if here is not None and here.decision is not None:
        gained, lost = _apart(Counter(now.values()), Counter(_asked(here).values()))
        if gained or lost:
            parts = [f"may now also choose {_few(gained)}"] * bool(gained)
            parts += [f"can no longer choose {_few(lost)}"] * bool(lost)
            return f"player {entry[1]} ({decision.prompt}) {' and '.join(parts)}"
    elif _text(entry[2]) not in now:
        reason = there.why_not(tuple(entry[2])) or "it is not offered"
        return f"player {entry[1]} chose {_said(entry[2])}, which is not possible: {reason}"
    return None


def _chance_differs(entry: Entry, there: Match, here: Match | None) -> str | None:
    if there.chance is None:
        return "a player decides, where chance did"
    now = _odds(there)
    if here is not None and here.chance is not None:
        then = _odds(here)
        gained, lost = [label for label in now if label not in then], [lab for lab in then if lab not in now]
        if gained or lost or not _in_proportion(now, then):
            what = f"also {_few(gained)}" if gained else f"no longer {_few(lost)}" if lost else "other odds"
            return f"chance has {what}"
    elif _text(entry[1]) not in _raw(there):
        return f"chance brought {_said(entry[1])}, which cannot happen"
    return None


# ---------------------------------------------------------------- what is alike in print
def _asked(match: Match) -> dict[str, str]:
    """The options of the pending decision: key to label."""
    assert match.decision is not None
    return {_text(option.key): option.label for option in match.decision.options}


def _raw(match: Match) -> dict[str, tuple[Any, str, int]]:
    """What chance may bring, every copy by itself: key as text to key, label and weight."""
    state = match.state
    type_ = state.engine.generated.chances[state.pc]
    values = state.engine.watcher.values
    keys = {v: (_lists(values.encode(v, type_)), values.label(v, type_)) for v in state.options}
    return {
        _text(keys[v][0]): (*keys[v], weight)
        for v, weight in zip(state.options, state.weights, strict=True)
        if weight > 0
    }


def _odds(match: Match) -> Counter[str]:
    """What chance may bring, copies taken together: label to weight."""
    odds: Counter[str] = Counter()
    for _, label, weight in _raw(match).values():
        odds[label] += weight
    return odds


def _in_proportion(now: Counter[str], then: Counter[str]) -> bool:
    return all(now[label] * then.total() == weight * now.total() for label, weight in then.items())


def translated(entry: Entry, there: Match, here: Match | None) -> Entry:
    """An entry of the log in terms of other rules, where a component may have another number."""
    if here is None or entry[0] == "expire":
        return entry
    if entry[0] == "chance":
        known, new = ({k: (key, label) for k, (key, label, _) in _raw(m).items()} for m in (here, there))
    else:
        known, new = (
            {_text(o.key): (_lists(o.key), o.label) for o in m.decision.options} if m.decision else {}
            for m in (here, there)
        )
    text = _text(entry[-1])
    if text in known and text in new and new[text][1] == known[text][1]:
        return entry
    same = [key for key, label in new.values() if text in known and label == known[text][1]]
    return [*entry[:-1], same[0]] if same else entry


def _apart(now: Counter[str], then: Counter[str]) -> tuple[list[str], list[str]]:
    """What is only now, and what was only then."""
    return list(now - then), list(then - now)


def _text(key: Any) -> str:
    return str(_lists(key))


def _lists(value: Any) -> Any:
    return [_lists(v) for v in value] if isinstance(value, tuple | list) else value


def _said(key: Any) -> str:
    return " ".join(_said(part) for part in key) if isinstance(key, tuple | list) else str(key)


def _few(labels: Sequence[str]) -> str:
    shown = list(labels[:MOST_NAMED])
    if len(labels) > MOST_NAMED:
        shown.append(f"{len(labels) - MOST_NAMED} more")
    return ", ".join(shown)


def _winners(match: Match) -> str:
    if not match.winners:
        return "nobody wins"
    return (
        "player"
        + "s" * (len(match.winners) > 1)
        + " "
        + " and ".join(map(str, sorted(match.winners)))
        + (" win" if len(match.winners) > 1 else " wins")
    )
