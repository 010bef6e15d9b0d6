"""A game as a PettingZoo environment (AEC): one agent a seat, one option a step.

Observations are what the seat sees, as numbers, with a mask of the actions on offer, as in
PettingZoo's own classic games. Rewards come at the end. Choices that the rules seal are
asked one after the other and hidden from the others all the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv  # type: ignore[import-untyped]
from pettingzoo.utils import wrappers  # type: ignore[import-untyped]

from ..loading import load
from ..play.match import Match

RENDER = ("ansi",)


def env(spec: str, **arguments: Any) -> AECEnv:
    """The environment, with wrappers that complain of what agents do wrong.

    `players`, `variants`, `options` as in `load` and `start`; `reward` "win" or "score"; `max_steps`
    ends a match that goes on for longer; `skip_forced` takes single options by itself.
    """
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(raw_env(spec, **arguments)))


class raw_env(AECEnv):  # type: ignore[misc]
    def __init__(
        self,
        spec: str,
        *,
        players: int | None = None,
        variants: Iterable[str] = (),
        options: Mapping[str, Any] | None = None,
        reward: str = "win",
        max_steps: int = 10_000,
        skip_forced: bool = False,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.game = load(spec, variants=variants, options=options)
        self.count = self.game.players[0] if players is None else players
        self.actions = self.game.actions(self.count)
        self.encoding = self.game.encoding(self.count)
        self.reward, self.max_steps, self.skip_forced = reward, max_steps, skip_forced
        self.render_mode = render_mode
        self.metadata = {
            "name": f"dragonrules_{self.game.name}",
            "render_modes": list(RENDER),
            "is_parallelizable": False,
        }
        self.possible_agents = [f"seat_{seat}" for seat in range(1, self.count + 1)]
        space = Dict(
            {
                "observation": Box(-1.0, 1.0, (self.encoding.size,), np.float32),
                "action_mask": Box(0, 1, (self.actions.count,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {agent: Discrete(self.actions.count) for agent in self.possible_agents}
        self._seed = 0

    def observation_space(self, agent: str) -> Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        return self.action_spaces[agent]

    # ------------------------------------------------------------ playing
    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """`reset(seed=7)` is `start(seed=7)`; without a seed, the one after the last."""
        self._seed = self._seed + 1 if seed is None else seed
        self.match: Match = self.game.start(self.count, seed=self._seed)
        self.steps = 0
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._settle()

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        decision = self.match.decision
        assert decision is not None
        self.match.choose(self.actions.option(decision, int(action)))
        self.steps += 1
        self._settle()
        self._accumulate_rewards()

    def _settle(self) -> None:
        """Up to the next real question, or to the end."""
        match = self.match
        while self.skip_forced and match.decision is not None and len(match.decision.options) == 1:
            match.choose(0)
        if match.over:
            for agent, worth in zip(self.possible_agents, match.utilities(self.reward), strict=True):
                self.rewards[agent] = worth
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
            return
        decision = match.decision
        assert decision is not None
        self.agent_selection = f"seat_{decision.player}"
        if self.steps >= self.max_steps:
            self.truncations = dict.fromkeys(self.agents, True)
        numbers = self.actions.numbers(decision)
        words = [option.label for option in decision.options]
        self.infos = {agent: {} for agent in self.agents}
        self.infos[self.agent_selection] = {
            "prompt": decision.prompt,
            "options": dict(zip(numbers, words, strict=True)),
        }

    # ------------------------------------------------------------ looking
    def observe(self, agent: str) -> dict[str, Any]:
        seat = self.possible_agents.index(agent) + 1
        decision = self.match.decision
        own = decision if decision is not None and decision.player == seat else None
        mask = np.zeros(self.actions.count, np.int8)
        if own is not None:
            mask[list(self.actions.numbers(own))] = 1
        seen = self.encoding.encode(self.match.view(seat), own)
        return {"observation": np.asarray(seen, np.float32), "action_mask": mask}

    def render(self) -> str | None:
        """What a spectator sees, as plain text."""
        return None if self.render_mode is None else spectator(self.match)

    def close(self) -> None:
        pass


def spectator(match: Match) -> str:
    """A match in a few lines, without anything hidden."""
    view = match.view(None)
    lines = [f"{match.game.name}, turn {view['turn']}"]
    lines += [f"  {label}: {_shown(place)}" for label, place in view["places"].items() if _shown(place)]
    lines += [f"  {label} = {value}" for label, value in view["states"].items()]
    return "\n".join(lines)


def _shown(place: dict[str, Any]) -> str:
    if "contents" in place:
        contents = place["contents"]
        return " ".join(map(str, contents)) if isinstance(contents, tuple) else str(contents or "")
    return f"{place['size']} hidden" if place.get("size") else ""
