"""Do two games hide the same things? Compares what each player can tell apart, history by history."""

from __future__ import annotations

from random import Random
from typing import Any

from .compare import Adapter, Table, start, walk


def compare_whole_tree(adapter: Adapter, rules: Any) -> tuple[int, int]:
    """Compares every history; the number of histories and of the mover's information sets."""
    spiel = adapter.spiel()
    knowledge = Knowledge(spiel.num_players())
    histories = 0
    for table in walk(start(adapter, rules, spiel)):
        histories += 1
        if table.state.current_player() >= 0:
            knowledge.compare(table)
    return histories, len(knowledge.movers_sets)


def compare_random_games(adapter: Adapter, rules: Any, games: int, seed: int) -> int:
    """Compares the histories of random games; how often a player could not tell one from an earlier, other one."""
    rng = Random(seed)
    spiel = adapter.spiel()
    knowledge = Knowledge(spiel.num_players())
    for number in range(games):
        table = start(adapter, rules, spiel, seed + number)
        while not table.long_enough():
            if not table.state.is_terminal() and not table.state.is_chance_node():
                knowledge.compare(table)
            if not table.step(rng, thorough=False):
                break
    return knowledge.alike


class Knowledge:
    """Pairs our observations with OpenSpiel's information states: each must always meet the same other one."""

    def __init__(self, players: int) -> None:
        self.theirs: list[dict[Any, str]] = [{} for _ in range(players)]
        self.ours: list[dict[str, Any]] = [{} for _ in range(players)]
        self.movers_sets: set[tuple[int, str]] = set()
        self.first: dict[tuple[int, str], list[int]] = {}
        self.alike = 0

    def compare(self, table: Table) -> None:
        """At one decision, for every player, whoever is to move."""
        for player, (theirs, ours) in enumerate(zip(self.theirs, self.ours, strict=True)):
            seen = table.match.observations(table.adapter.seat(player))
            told = table.state.information_state_string(player)
            same_told = theirs.setdefault(seen, told)
            table.expect(
                same_told == told, f"shows player {player + 1} no difference", f"{same_told} / {told}"
            )
            same_seen = ours.setdefault(told, seen)
            table.expect(
                same_seen == seen, f"shows player {player + 1} {same_seen} / {seen}", "no difference"
            )
            history = table.state.history()
            self.alike += self.first.setdefault((player, told), history) != history
        mover = table.state.current_player()
        if mover >= 0:
            self.movers_sets.add((mover, table.state.information_state_string(mover)))
