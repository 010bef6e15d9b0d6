"""A match played by the reference interpreter."""

from __future__ import annotations

from typing import Any

from ...grammar import Diagnostic
from ..core import CheckedGame
from ..core.depth import comes_back
from ..core.errors import PlayError, UsageError
from ..core.randomness import Generator
from . import asking, chance, choices, comprehensions, control, expressions, loops, moving, statements
from .control import whole_game
from .events import look_at_endings
from .large_stack import on_a_large_stack
from .play import Asked, Drawn, Frame
from .setup import new_play
from .trouble import Expire, Over, Trouble

PARTS = (asking, chance, choices, comprehensions, control, expressions, loops, moving, statements)
"""The modules that say what operations mean: imported so that all are known."""


class ReferenceMatch:
    """A game under way. `options` are the options of the game, as numbers.

    With `ask_chance`, chance points wait like decisions, and `bring` says what
    happens; otherwise the generator settles them, in the order that its
    specification says.
    """

    def __init__(
        self,
        game: CheckedGame,
        players: int,
        options: dict[str, int],
        *,
        seed: int = 0,
        ask_chance: bool = False,
    ) -> None:
        self.game = game
        self.players = players
        self.play = new_play(game, players, options)
        self.generator = Generator(seed)
        self.ask_chance = ask_chance
        self.pending: Asked | Drawn | None = None
        self.goes_deep = comes_back({name: rule.body for name, rule in game.rules.items()})
        look_at_endings(self.play)
        self._walk = whole_game(self.play)
        self._go(lambda: next(self._walk))

    # ------------------------------------------------------------ where it stands
    @property
    def over(self) -> bool:
        return self.play.over

    @property
    def winners(self) -> frozenset[int]:
        """Seats, counted from 1."""
        return frozenset(p + 1 for p in self.play.winners)

    @property
    def reason(self) -> str | None:
        return self.play.reason

    @property
    def scores(self) -> dict[int, int]:
        score = self.game.score
        if score is None:
            return {}
        return {
            p + 1: self._safely(
                lambda p=p: self.play.value(score.body, Frame("score", {score.params[0].uid: p}))
            )
            for p in range(self.players)
        }

    @property
    def decision(self) -> Asked | None:
        return self.pending if isinstance(self.pending, Asked) else None

    @property
    def chance(self) -> Drawn | None:
        return self.pending if isinstance(self.pending, Drawn) else None

    def view(self, player: int | None) -> dict[str, Any]:
        """What a seat sees now, or with None a spectator."""
        viewer = self.players if player is None else player - 1
        view = self.play.seeing.view(viewer)
        view["decision"] = view["waiting_for"] = None
        asked = self.decision
        if asked is not None and asked.player == viewer:
            view["decision"] = {"prompt": asked.prompt, "options": tuple(asked.keys)}
            view["waiting_for"] = player
        elif asked is not None and self.play.seeing.sealed is None:
            view["waiting_for"] = "reactions" if asked.unnamed else asked.player + 1
        return view

    def observations(self, player: int | None) -> tuple[Any, ...]:
        """All that a seat has noticed, or with None a spectator."""
        return tuple(self.play.seeing.noticed[self.players if player is None else player - 1])

    # ------------------------------------------------------------ going on
    def choose(self, key: tuple[Any, ...]) -> None:
        """Take the option with this key."""
        asked = self.decision
        if asked is None or key not in asked.keys:
            raise UsageError("D0904", f"`{key}` is not among the options")
        value = asked.values[asked.keys.index(key)]
        self.play.seeing.chosen(asked, value)
        self._answer(value)

    def bring(self, index: int) -> None:
        """Chance brings the outcome at this position."""
        drawn = self.chance
        if drawn is None:
            raise UsageError("D0905", "there is no chance point at the moment")
        value = drawn.values[index]
        self.play.seeing.drawn(drawn, value)
        self._answer(value)

    def expire(self) -> None:
        """Time is up in the innermost `rounds` with a clock."""
        if not self.play.clocks:
            raise UsageError("D0905", "no clock is running")
        clock = self.play.clocks[-1]
        self._go(lambda: self._walk.throw(Expire(clock)))

    def holds(self, invariant: str) -> bool:
        condition = self.game.invariants[invariant].condition
        return bool(self._safely(lambda: self.play.value(condition, Frame(invariant))))

    def _answer(self, value: Any) -> None:
        self._go(lambda: self._walk.send(value))

    def _go(self, step: Any) -> None:
        """Up to the next decision, or the next chance point if those are asked."""
        self.play.steps = 0
        self.pending = None
        try:
            self.pending = self._safely(step)
        except Over:
            return
        while not self.ask_chance and isinstance(self.pending, Drawn):
            drawn = self.pending
            self.bring(drawn.values.index(self.generator.settle(drawn.values, drawn.weights)))

    def _safely(self, work: Any) -> Any:
        """Errors of the rules as everybody else tells them."""
        try:
            return on_a_large_stack(work) if self.goes_deep else work()
        except Trouble as trouble:
            raise PlayError(Diagnostic(trouble.code, trouble.message, trouble.span)) from None
