"""The course of a game: who was ahead when, who waited how long, who did what, and where.

A `Recorder` goes along with a match and keeps a `Story`. `told` says what many of them have in common:

- **Who is ahead** is who has the most by the `value` of the spec (or what stands for it), counted at 21 moments from
  the beginning to the end. How often whoever is ahead alone then wins is the win chance over the course of a game; the
  winner's last moment of not being ahead says when it was decided.
- **Waiting** is how many real choices others make between two of one's own.
- **Deeds** are actions taken, things chosen, and the first choice of each player. For each deed it is added up in every game what
  those who did it have won beyond an equal share. If a deed has nothing to do with winning, that is zero on average,
  however often it is done and in however long games; many deeds are looked at, so Holm's correction is applied. That
  winners do something is no proof that it makes them win.
- **Spots** are the spaces that were chosen.

What is printed counts as one: two cards that look alike are one deed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from attrs import Factory, define, frozen

from ..play.engine import Engine
from ..play.match import Match
from ..players.utility import Utility
from .intervals import Interval, findings, mean_interval, paired, share_interval

if TYPE_CHECKING:
    from .playing import Played

MOMENTS = 21
"""At which it is asked who is ahead: the beginning, the end, and between them."""
ENOUGH = 10
"""Games in which somebody did a thing, and others did not, until it is spoken of."""
Spot = tuple[str, Any]


@frozen
class Story:
    """`ahead`: sets of seats, as bits; empty if nothing judges a position. `deeds`: for each seat what it has done.
    `moves`: every real choice, as `1: find a coin N`."""

    ahead: tuple[int, ...]
    waits: tuple[int, ...]
    deeds: tuple[frozenset[str], ...]
    spots: tuple[tuple[Spot, int], ...]
    moves: tuple[str, ...]


@define(eq=False)
class Recorder:
    engine: Engine
    _ahead: list[int] = Factory(list)
    _moves: list[str] = Factory(list)
    _waits: list[int] = Factory(list)
    _last: dict[int, int] = Factory(dict)
    _spots: Counter[Spot] = Factory(Counter)
    _deeds: list[set[str]] = Factory(
        lambda self: [set() for _ in range(self.engine.players)], takes_self=True
    )
    _utility: Utility = Factory(lambda self: Utility(self.engine), takes_self=True)

    def note(self, match: Match, pick: int) -> None:
        """Somebody is about to choose."""
        self._look(match)
        decision = match.decision
        if decision is None or len(decision.options) == 1:
            return
        seat, option = decision.player, decision.options[pick]
        if seat in self._last:
            self._waits.append(len(self._moves) - self._last[seat] - 1)
        name = f"{option.key[0]} = " if option.key and str(option.key[0]) != "offer" else ""
        if seat not in self._last:
            self._deeds[seat - 1].add(f"first choice: {name}{option.label}")
        self._last[seat] = len(self._moves)
        self._moves.append(f"{seat}: {option.label}")
        for target in option.targets:
            match target.kind:
                case "action":
                    self._deeds[seat - 1].add(target.name.replace("_", " "))
                case "thing":
                    self._deeds[seat - 1].add(option.label)
                case "space":
                    self._spots[target.name, target.space] += 1

    def _look(self, match: Match) -> None:
        if self._utility.function is not None:
            values = self._utility.values(match.state)
            most = max(values)
            self._ahead.append(sum(1 << p for p, value in enumerate(values) if value == most))

    def story(self, match: Match) -> Story:
        self._look(match)
        last = len(self._ahead) - 1
        ahead = [self._ahead[round(last * k / (MOMENTS - 1))] for k in range(MOMENTS)] if last >= 0 else []
        return Story(
            tuple(ahead),
            tuple(self._waits),
            tuple(frozenset(deeds) for deeds in self._deeds),
            tuple(sorted(self._spots.items(), key=lambda found: str(found[0]))),
            tuple(self._moves),
        )


# ---------------------------------------------------------------- what many have in common
@frozen
class Deed:
    """`players` did it. `gain`: what each of them has won beyond an equal share; `told`: is that more than chance,
    for all deeds together."""

    words: str
    players: int
    gain: Interval
    told: bool


@frozen
class Told:
    """`chance`: at each moment how often whoever was ahead alone has won, None where too few games had such a one.
    `decided`: the part of a game after which the winner was ahead for good, in the middle one of the games. `comebacks`:
    games whose winner was not ahead at half time. `longest`: the longest wait of a game, on average."""

    games: int
    chance: tuple[Interval | None, ...]
    decided: float | None
    comebacks: Interval | None
    wait: Interval | None
    longest: Interval | None
    deeds: tuple[Deed, ...]
    spots: tuple[tuple[Spot, int], ...]


def told(games: Sequence[Played]) -> Told | None:
    """What the stories of some games say; None if there are none."""
    known = [(game, game.story) for game in games if game.story is not None and game.error is None]
    if not known:
        return None
    won = [(sum(1 << (w - 1) for w in g.winners), s) for g, s in known if _contested(g) and s.ahead]
    waits = [s.waits for _, s in known if s.waits]
    spots: Counter[Spot] = Counter()
    for _, story in known:
        spots.update(dict(story.spots))
    return Told(
        games=len(known),
        chance=tuple(_chance(won, moment) for moment in range(MOMENTS)) if won else (),
        decided=_middle([_decided(winners, story) for winners, story in won]),
        comebacks=share_interval(
            sum(not story.ahead[MOMENTS // 2] & winners for winners, story in won), len(won)
        )
        if won
        else None,
        wait=mean_interval([sum(each) / len(each) for each in waits]) if waits else None,
        longest=mean_interval([float(max(each)) for each in waits]) if waits else None,
        deeds=_deeds(known),
        spots=tuple(spots.most_common()),
    )


def _contested(game: Played) -> bool:
    """Have some won, and others not?"""
    return not game.together and 0 < len(game.winners) < len(game.seats)


def _chance(won: Sequence[tuple[int, Story]], moment: int) -> Interval | None:
    alone = [(winners, s.ahead[moment]) for winners, s in won if s.ahead[moment].bit_count() == 1]
    if len(alone) < ENOUGH:
        return None
    return share_interval(sum(bool(winners & ahead) for winners, ahead in alone), len(alone))


def _decided(winners: int, story: Story) -> float:
    behind = [k for k, ahead in enumerate(story.ahead) if not ahead & winners]
    return min(1.0, (behind[-1] + 1) / (MOMENTS - 1)) if behind else 0.0


def _middle(values: Sequence[float]) -> float | None:
    return sorted(values)[len(values) // 2] if values else None


def _deeds(known: Sequence[tuple[Played, Story]]) -> tuple[Deed, ...]:
    contested = [(game, story) for game, story in known if _contested(game)]
    gains: dict[str, dict[int, float]] = {}
    doers: Counter[str] = Counter()
    apart: Counter[str] = Counter()
    for number, (game, story) in enumerate(contested):
        fair = 1 / len(game.seats)
        for seat, deeds in enumerate(story.deeds, 1):
            gain = (1 / len(game.winners) if seat in game.winners else 0.0) - fair
            for deed in deeds:
                mine = gains.setdefault(deed, {})
                mine[number] = mine.get(number, 0.0) + gain
                doers[deed] += 1
        for deed in set().union(*story.deeds):
            apart[deed] += not all(deed in deeds for deeds in story.deeds)
    names = [deed for deed in gains if apart[deed] >= ENOUGH]
    nothing = [0.0] * len(contested)
    found = findings([paired(nothing, [gains[d].get(n, 0.0) for n in range(len(contested))]) for d in names])
    out = []
    for name, finding in zip(names, found, strict=True):
        scale, i = len(contested) / doers[name], finding.interval
        each = Interval(i.estimate * scale, i.low * scale, i.high * scale)
        out.append(Deed(name, doers[name], each, finding.different))
    return tuple(sorted(out, key=lambda d: (not d.told, -abs(d.gain.estimate))))
