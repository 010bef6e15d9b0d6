"""A game as a Gymnasium environment for one seat; bots hold the others.

`action_masks()` is what MaskablePPO of sb3-contrib asks for; the mask is in `info` too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

from ..core.errors import UsageError
from ..files.find_specs import shipped_games
from ..loading import load
from ..play.match import Match
from ..players import player

ILLEGAL = -1.0


class Solo(gymnasium.Env[Any, Any]):
    """One seat plays; an action that is not offered loses the match at once."""

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012  (Gymnasium's way)

    def __init__(
        self,
        spec: str,
        *,
        seat: int = 1,
        others: str = "random",
        players: int | None = None,
        variants: Iterable[str] = (),
        options: Mapping[str, Any] | None = None,
        reward: str = "win",
        max_steps: int = 10_000,
        skip_forced: bool = True,
        render_mode: str | None = None,
    ) -> None:
        self.game = load(spec, variants=variants, options=options)
        self.count = self.game.players[0] if players is None else players
        if not 1 <= seat <= self.count:
            raise UsageError("D0705", f"there is no seat {seat}; seats are 1 to {self.count}")
        self.seat, self.others = seat, others
        self.actions = self.game.actions(self.count)
        self.encoding = self.game.encoding(self.count)
        self.reward, self.max_steps, self.skip_forced = reward, max_steps, skip_forced
        self.render_mode = render_mode
        self.observation_space = Box(-1.0, 1.0, (self.encoding.size,), np.float32)
        self.action_space = Discrete(self.actions.count)
        self._last = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self._last = self._last + 1 if seed is None else seed
        self.match: Match = self.game.start(self.count, seed=self._last)
        self.bots = {
            seat: player(self.others, seed=self._last, seat=seat)
            for seat in range(1, self.count + 1)
            if seat != self.seat
        }
        self.steps = 0
        self._others_play()
        return self._seen(), self._info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        decision = self.match.decision
        if decision is None:
            raise UsageError("D0905", "the match is over: call reset")
        try:
            option = self.actions.option(decision, int(action))
        except UsageError:
            return self._seen(), ILLEGAL, True, False, self._info()
        self.match.choose(option)
        self.steps += 1
        self._others_play()
        over = self.match.over
        worth = self.match.utilities(self.reward)[self.seat - 1] if over else 0.0
        return self._seen(), worth, over, not over and self.steps >= self.max_steps, self._info()

    def _others_play(self) -> None:
        match = self.match
        while (decision := match.decision) is not None:
            if decision.player != self.seat:
                match.choose(self.bots[decision.player].choose(match))
            elif self.skip_forced and len(decision.options) == 1:
                match.choose(0)
            else:
                return

    def action_masks(self) -> Any:
        mask = np.zeros(self.actions.count, np.bool_)
        if (decision := self.match.decision) is not None:
            mask[list(self.actions.numbers(decision))] = True
        return mask

    def _seen(self) -> Any:
        view = self.match.view(self.seat)
        return np.asarray(self.encoding.encode(view, self.match.decision), np.float32)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks().astype(np.int8)}

    def render(self) -> Any:
        from .pettingzoo import spectator

        return spectator(self.match)


def name_of(spec: str) -> str:
    """`dragonrules/DragonKeeper-v0` for `dragon_keeper`."""
    return f"dragonrules/{''.join(part.capitalize() for part in spec.split('_'))}-v0"


for _spec in shipped_games():
    if name_of(_spec) not in gymnasium.registry:
        gymnasium.register(name_of(_spec), entry_point=f"{__name__}:Solo", kwargs={"spec": _spec})
