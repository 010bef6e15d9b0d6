"""Many matches stepped at once, against single matches: actions a CPU second, observations and masks included.

    python benchmarks/batches.py [MATCHES]

Players pick evenly among what the mask allows, without a line of Python for each match. Beside
it, where it is installed, OpenSpiel from Python: the same picks through its own states and tensors.
"""

from __future__ import annotations

import sys
from time import process_time

import dragonrules as dr
import numpy as np

GAMES = ("connect_four", "leduc_poker", "tic_tac_toe", "breakthrough")
SECONDS = 2.0


def batched(spec: str, count: int) -> float:
    batch, luck = dr.batch(spec, count, seed=1, again=True), np.random.default_rng(1)
    begun, steps = process_time(), batch.steps
    while process_time() - begun < SECONDS:
        batch.observations()
        batch.step((batch.masks() * luck.random((count, batch.actions.count))).argmax(1))
    return (batch.steps - steps) / (process_time() - begun)


def single(spec: str) -> float:
    game, luck = dr.load(spec), np.random.default_rng(1)
    actions, encoding = game.actions(), game.encoding()
    begun, steps, seed = process_time(), 0, 0
    while process_time() - begun < SECONDS:
        match, seed = game.start(seed=seed), seed + 1
        while (decision := match.decision) is not None:
            encoding.encode(match.view(decision.player), decision)
            match.choose(int(luck.integers(len(actions.numbers(decision)))))
            steps += 1
    return steps / (process_time() - begun)


def openspiel(spec: str) -> float | None:
    try:
        import pyspiel
    except ImportError:
        return None
    game, luck = pyspiel.load_game(spec), np.random.default_rng(1)
    begun, steps = process_time(), 0
    while process_time() - begun < SECONDS:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[luck.integers(len(outcomes))][0])
                continue
            state.observation_tensor(state.current_player())
            legal = state.legal_actions()
            state.apply_action(legal[luck.integers(len(legal))])
            steps += 1
    return steps / (process_time() - begun)


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1024
    print(f"{'':14}{'batch':>12}{'single':>12}{'OpenSpiel':>12}   batch : single, : OpenSpiel")
    for spec in GAMES:
        many, one, other = batched(spec, count), single(spec), openspiel(spec)
        beside = (
            f"{other:12,.0f}   {many / one:.0f}, {many / other:.1f}"
            if other
            else f"{'-':>12}   {many / one:.0f}"
        )
        print(f"{spec:14}{many:12,.0f}{one:12,.0f}{beside}")


if __name__ == "__main__":
    main()
