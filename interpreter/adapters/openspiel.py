"""A game as an OpenSpiel game: `pyspiel.load_game("dragon(spec=kuhn_poker)")`.

Importing this module registers the type `dragon` with the parameters `spec`, `players`,
`variants` (joined by `+`) and `options` (`goal:8+rounds:3`). Chance points are explicit, with
copies merged; actions have the numbers of `Game.actions`; information states are those of
`Match.information_state` and, where the game is small enough to be written down whole, histories as
numbers; observations are views as numbers.

OpenSpiel copies a state by making a new one and deep-copying its attributes. So a
state holds a match and nothing else, and a match is copied by forking it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel  # type: ignore[import-not-found]

from ..core.errors import UsageError
from ..loading import load
from ..play.game import Game
from ..play.match import Match
from ..solving.trees import LIMIT, Tree, estimated_nodes, whole_tree
from .histories import LARGEST, Histories

SMALL = 4.5
"""Up to so many nodes, as a power of ten, the whole tree is looked at, for exact bounds."""
LONGEST = 100_000
"""Decisions and chance points, where nothing better is known."""

_PARAMETERS = {"spec": "tic_tac_toe", "players": 0, "variants": "", "options": ""}


def _game_type(
    game: Game | None = None, players: int = 2, tree: Tree | None = None, *, recalled: bool = False
) -> pyspiel.GameType:
    traits = None if game is None else game.traits(players)
    hidden = traits is None or traits.hidden
    chance = traits is None or traits.chance
    zero = traits is None or (not traits.together and (tree is None or tree.zero_sum))
    return pyspiel.GameType(
        short_name="dragon",
        long_name="dragonrules" if game is None else game.name,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
        if chance
        else pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION
        if hidden
        else pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=_utility(zero, traits is not None and traits.together),
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=10 if game is None else players,
        min_num_players=1 if game is None else players,
        provides_information_state_string=True,
        provides_information_state_tensor=recalled,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_PARAMETERS,
    )


def _utility(zero: bool, together: bool) -> Any:
    if together:
        return pyspiel.GameType.Utility.IDENTICAL
    return pyspiel.GameType.Utility.ZERO_SUM if zero else pyspiel.GameType.Utility.GENERAL_SUM


class DragonGame(pyspiel.Game):  # type: ignore[misc]
    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {**_PARAMETERS, **(params or {})}
        variants = [v for v in str(given["variants"]).split("+") if v]
        options = dict(_setting(part) for part in str(given["options"]).split("+") if part)
        self.rules = load(str(given["spec"]), variants=variants, options=options)
        self.count = int(given["players"]) or self.rules.players[0]
        self.actions = self.rules.actions(self.count)
        self.encoding = self.rules.encoding(self.count)
        tree = None
        if estimated_nodes(self.rules, self.count) <= SMALL:
            try:
                tree = whole_tree(self.rules, self.count, limit=LIMIT // 10, recall=True)
            except UsageError:  # it was larger than it looked
                tree = None
        histories = None if tree is None else Histories(tree)
        self.histories = histories if histories is not None and histories.size <= LARGEST else None
        self.by = "win" if tree is None else tree.by
        ends = [(-1.0, 1.0)] if tree is None else [(min(e.payoffs), max(e.payoffs)) for e in tree.ends]
        chances = _most_outcomes(self.rules, self.count)
        longest = LONGEST if tree is None else max(1, tree.depth())
        info = pyspiel.GameInfo(
            num_distinct_actions=self.actions.count,
            max_chance_outcomes=chances,
            num_players=self.count,
            min_utility=min(low for low, _ in ends),
            max_utility=max(high for _, high in ends),
            max_game_length=longest,
            **({"utility_sum": 0.0} if _zero(self.rules, self.count, tree) else {}),
        )
        kind = _game_type(self.rules, self.count, tree, recalled=self.histories is not None)
        super().__init__(kind, info, given)

    def new_initial_state(self) -> DragonState:
        return DragonState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> DragonObserver:
        return DragonObserver(self, recalls=iig_obs_type is not None and iig_obs_type.perfect_recall)


def _zero(game: Game, players: int, tree: Tree | None) -> bool:
    return not game.traits(players).together and (tree is None or tree.zero_sum)


def _setting(text: str) -> tuple[str, str]:
    name, colon, value = text.partition(":")
    if not colon:
        raise UsageError("D0704", f"options are written `name:value`, not `{text}`")
    return name, value


def _most_outcomes(game: Game, players: int) -> int:
    """No chance point has more outcomes than the largest sort of component, kinds of token, or faces."""
    layout = game.engine(players, watched=True).layout
    sizes = [comp.count for comp in layout.comps.values()]
    sizes += [len(kinds.values) for kinds in game.checked.kinds.values()]
    sizes += [geometry.size for geometry in layout.geometries.values()]
    return max([players, 128, *sizes])


class DragonState(pyspiel.State):  # type: ignore[misc]
    def __init__(self, game: DragonGame) -> None:
        super().__init__(game)
        self._match: Match | None = None

    @property
    def match(self) -> Match:
        """Started late: OpenSpiel makes states only to fill them with copies."""
        if self._match is None:
            game = self.get_game()
            self._match = game.rules.start(game.count, chance="ask")
        return self._match

    # ------------------------------------------------------------ playing
    def current_player(self) -> int:
        match = self.match
        if match.over:
            return int(pyspiel.PlayerId.TERMINAL)
        decision = match.asked
        return int(pyspiel.PlayerId.CHANCE) if decision is None else decision - 1

    def _legal_actions(self, player: int) -> list[int]:
        decision = self.match.decision
        if decision is None or decision.player != player + 1:
            return []
        return sorted(self.get_game().actions.numbers(decision))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        chance = self.match.chance
        assert chance is not None
        total = sum(weight for _, weight in chance.outcomes)
        return [(n, weight / total) for n, (_, weight) in enumerate(chance.outcomes)]

    def _apply_action(self, action: int) -> None:
        match = self.match
        if match.chance is not None:
            match.resolve(action)
            return
        decision = match.decision
        assert decision is not None
        match.choose(self.get_game().actions.option(decision, action))

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            chance = self.match.chance
            return (
                f"chance: {chance.outcomes[action][0].label}" if chance is not None else f"chance: {action}"
            )
        return str(self.get_game().actions.describe(action))

    def is_terminal(self) -> bool:
        return self.match.over

    def returns(self) -> list[float]:
        return list(self.match.utilities(self.get_game().by))

    def __str__(self) -> str:
        return " ".join(_word(entry) for entry in self.match.log) or "start"


def _word(entry: list[Any]) -> str:
    return " ".join(map(str, entry))


class DragonObserver:
    """Views as numbers and words; one that recalls everything has the information state as its words,
    and the history as its numbers where there are any."""

    def __init__(self, game: DragonGame, *, recalls: bool) -> None:
        self.game, self.recalls = game, recalls
        self.histories = game.histories if recalls else None
        size = game.encoding.size if self.histories is None else self.histories.size
        self.tensor = np.zeros(size, np.float32)
        self.dict = {"observation" if self.histories is None else "info_state": self.tensor}

    def set_from(self, state: DragonState, player: int) -> None:
        match = state.match
        if self.histories is not None:
            self.tensor[:] = self.histories.encode(match, player + 1)
            return
        decision = match.decision
        own = decision if decision is not None and decision.player == player + 1 else None
        self.tensor[:] = self.game.encoding.encode(match.view(player + 1), own)

    def string_from(self, state: DragonState, player: int) -> str:
        if self.recalls:
            return state.match.information_state(player + 1)
        return str(state.match.view(player + 1))


pyspiel.register_game(_game_type(), DragonGame)
