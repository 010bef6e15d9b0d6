"""Who knows what, in games too large to walk through: two histories that part at one point, side by side.

Both tables play the same, except that at one point chance brings something else to the second;
from there on it follows the first as far as it can. Whatever a player cannot tell apart in
OpenSpiel, its information states being the same, must be the same in our observations, and
the other way round. Where a game of OpenSpiel has observations only, what a player knows is all of
them, one behind the other.
"""

from __future__ import annotations

from random import Random
from typing import Any

from ..openspiel.compare import Adapter, Table, pick, start


def play_twins(adapter: Adapter, rules: Any, seed: int, parting: int) -> int:
    """Plays a pair that parts at the chance point of this number; how often a player could not tell them apart."""
    rng = Random(seed)
    spiel = adapter.spiel()
    first, second = (start(adapter, rules, spiel, seed) for _ in range(2))
    apart: set[int] = set()
    compared = [0, 0]
    instead: dict[int, int] = {}
    points = alike = 0
    while True:
        kinds = first.kind(), second.kind()
        if kinds[0] != kinds[1] or kinds[0] == "over":
            return alike
        if kinds[0] == "chance":
            ours = [{action: outcome for outcome, action, _ in table.chances()} for table in (first, second)]
            action = pick(rng, sorted(ours[0]))
            other = action if action in ours[1] else instead.get(action, action)
            if points == parting:
                other = pick(rng, sorted(ours[1]))
                instead = {action: other, other: action}
            if other not in ours[1]:
                return alike
            points += 1
            for table, outcomes, taken in zip((first, second), ours, (action, other), strict=True):
                table.match.resolve(outcomes[taken])
                table.state.apply_action(taken)
        else:
            alike += compare(first, second, apart, compared)
            player = first.state.current_player()
            legal = [table.state.legal_actions() for table in (first, second)]
            action = pick(rng, legal[0])
            other = action if action in legal[1] else instead.get(action, action)
            if other not in legal[1]:
                return alike
            for table, actions, taken in zip((first, second), legal, (action, other), strict=True):
                table.follow(player, taken, actions)
                table.state.apply_action(taken)
        first.settle()
        second.settle()


def compare(first: Table, second: Table, apart: set[int], compared: list[int]) -> int:
    """The number of players who cannot tell two different histories apart, in both games the same ones.

    `apart` are those who could tell them apart in OpenSpiel when both histories were as long as `compared` says.
    """
    if position(first.state) == position(second.state):
        return 0  # the same cards came to the same hand in another order, which OpenSpiel forgets
    alike = 0
    for player in range(first.state.num_players()):
        ours = first.match.observations(player + 1) == second.match.observations(player + 1)
        news = [
            told(table.state, player, since) for table, since in zip((first, second), compared, strict=True)
        ]
        theirs = news[0] == news[1] and player not in apart
        if not theirs:
            apart.add(player)
        first.expect(ours == theirs, f"player {player + 1} sees no difference: {ours}", theirs)
        alike += ours and first.state.history() != second.state.history()
    compared[:] = len(first.state.history()), len(second.state.history())
    return alike


def position(state: Any) -> list[str]:
    return [line for line in str(state).splitlines() if " is dealt " not in line]


def told(state: Any, player: int, since: int) -> list[str]:
    """The information state, or the observations of all decisions behind so many moves, also of forced ones."""
    game = state.get_game()
    if game.get_type().provides_information_state_string:
        return [state.information_state_string(player)]
    again, out = game.new_initial_state(), []
    for number, action in enumerate(state.history()):
        if number >= since and not again.is_chance_node():
            out.append(again.observation_string(player))
        again.apply_action(action)
    return [*out, again.observation_string(player)]
