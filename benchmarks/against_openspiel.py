"""Our `mcts` against the search of OpenSpiel, with as many iterations each.

    python benchmarks/against_openspiel.py                       # all of it: some minutes
    python benchmarks/against_openspiel.py --games 20 hex

OpenSpiel's `MCTSBot` (in leduc_poker, where something is hidden, `ISMCTSBot`) has random rollouts, one for each
evaluation, and its own default for exploration, 1.4. The seats are changed from game to game. Moves are carried
over by the adapters of the tests, which show that both play by the same rules. A draw is half a win; in
Leduc poker, where stakes count, whoever has won chips has won.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1]))

import pyspiel
from dragonrules.interpreter.players import player as bot_of
from dragonrules.interpreter.players.machine import thinker

from tests.library.adapters import ADAPTERS as LIBRARY
from tests.openspiel.adapters import ADAPTERS as CLASSICS
from tests.openspiel.compare import Table, start

CONTESTS = (
    ("connect_four", 1000, 40),
    ("breakthrough", 200, 40),
    ("leduc_poker", 200, 200),
    ("hex", 500, 40),
)
FIRST_SEED = 5000


def theirs(spiel: object, hidden: bool, budget: int, seed: int) -> object:
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    if hidden:
        final = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
        return pyspiel.ISMCTSBot(seed, evaluator, 1.4, budget, -1, final, True, True)
    return pyspiel.MCTSBot(spiel, evaluator, 1.4, budget, 1000, True, seed, False)


def our_move(table: Table, player: int, mover: object) -> int:
    """What our bot chooses, as OpenSpiel's action."""
    possible, asked = list(table.state.legal_actions(player)), {}
    while len(possible) > 1:
        name = table.match.decision.options[0].key[0]
        before = asked.get(name, 0)
        offers = table.offers(player, possible, before)
        option = table.match.decision.options[mover.choose(table.match)]
        asked[name] = before + 1
        possible = offers[option.key[1]][1]
        table.match.choose(option)
    return possible[0]


def play(name: str, budget: int, seed: int) -> tuple[float, float, float]:
    """Our share of a win, and the seconds of both."""
    adapter = (CLASSICS | LIBRARY)[name]
    rules, spiel = RULES.setdefault(name, adapter.rules()), adapter.spiel()
    table, rng = start(adapter, rules, spiel, seed), Random(seed)
    mine = seed % 2
    hidden = spiel.get_type().information != pyspiel.GameType.Information.PERFECT_INFORMATION
    bot = theirs(spiel, hidden, budget, seed)
    mover = bot_of(f"mcts:{budget}", seed=seed, seat=adapter.seat(mine))
    ours = other = 0.0
    while (kind := table.kind()) != "over":
        begin = time.process_time()
        if kind == "chance":
            table.take_a_chance(rng)
        elif table.state.current_player() == mine:
            table.state.apply_action(our_move(table, mine, mover))
            ours += time.process_time() - begin
        else:
            action = bot.step(table.state)
            table.follow(1 - mine, action, table.state.legal_actions())
            table.state.apply_action(action)
            other += time.process_time() - begin
        table.settle()
    returned = table.state.returns()[mine]
    return (1.0 if returned > 0 else 0.5 if returned == 0 else 0.0), ours, other


RULES: dict[str, object] = {}


def main() -> None:
    parser = argparse.ArgumentParser(description="our search against OpenSpiel's")
    parser.add_argument("names", nargs="*", help="games; all if not given")
    parser.add_argument("--games", type=int, default=None)
    parser.add_argument("--seed", type=int, default=FIRST_SEED, help="of the first game")
    args = parser.parse_args()
    for name, budget, games in CONTESTS:
        if args.names and name not in args.names:
            continue
        count = args.games or games
        adapter = (CLASSICS | LIBRARY)[name]
        RULES[name] = adapter.rules()
        RULES[name].native(2)  # as machine code: the same choices, sooner
        thinker(RULES[name].start(2))
        found = [play(name, budget, args.seed + number) for number in range(count)]
        won = sum(f[0] for f in found)
        p, z = won / count, 1.96
        centre = (p + z * z / 2 / count) / (1 + z * z / count)
        half = z * math.sqrt(p * (1 - p) / count + z * z / 4 / count**2) / (1 + z * z / count)
        print(
            f"{name}, {budget} iterations each: won {won:g} of {count}, {100 * p:.0f} % "
            f"({100 * (centre - half):.0f} to {100 * (centre + half):.0f}); seconds a game "
            f"{sum(f[1] for f in found) / count:.2f} : {sum(f[2] for f in found) / count:.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
