"""Many matches at once are the same as single ones: options, observations, rewards, step by step."""

from __future__ import annotations

import dragonrules as dr
import pytest
from dragonrules.interpreter.core.randomness import Generator

from .test_numbers import library, tables

np = pytest.importorskip("numpy")
pytest.importorskip("llvmlite")


def lock_step(game: dr.Game, players: int | None, count: int, steps: int, every: int = 1) -> dr.Batch:
    """Play a batch and single matches side by side, like components by their true numbers."""
    batch = dr.batch(game, count, players, seed=5)
    seeds, luck = Generator(5), np.random.default_rng(1)
    matches = [game.start(batch.players, seed=seeds.next()) for _ in range(count)]
    for step in range(steps):
        if batch.over.all():
            break
        masks, seen = batch.masks(), batch.observations() if step % every == 0 else None
        actions = np.zeros(count, int)
        for row, match in enumerate(matches):
            assert batch.over[row] == match.over
            decision = match.decision
            if decision is None:
                assert batch.asked[row] == 0 and not masks[row].any()
                continue
            assert batch.asked[row] == decision.player
            assert np.flatnonzero(masks[row]).tolist() == sorted(batch.actions.numbers(decision))
            if seen is not None:
                own = batch.encoding.encode(match.view(decision.player), decision)
                np.testing.assert_allclose(seen[row], own, atol=1e-6)
            numbers, counts = batch._options()
            pick = luck.integers(counts[row].sum())
            actions[row] = numbers[row, pick]
            match.choose(match.offered.index(int(batch._states.options[row, pick])))
        rewards = batch.step(actions)
        for row, match in enumerate(matches):
            if rewards[row].any():
                assert match.over
                np.testing.assert_allclose(rewards[row], match.utilities(), atol=1e-6)
    return batch


@pytest.mark.parametrize("spec", ["tic_tac_toe", "leduc_poker", "liars_dice", "goofspiel", "crazy_eights"])
def test_a_batch_is_many_matches(spec: str) -> None:
    batch = lock_step(dr.load(spec), None, 5, 60, every=3)
    assert batch.slow == ()


@pytest.mark.parametrize("spec", ["drakon", "dragons_gold", "dragon_keeper"])
def test_large_games_too(spec: str) -> None:
    assert lock_step(dr.load(spec), None, 2, 45, every=9).slow == ()


@pytest.mark.long
@pytest.mark.parametrize(("spec", "variants"), [*tables(), *library()], ids=lambda value: str(value))
def test_all_games(spec: str, variants: tuple[str, ...]) -> None:
    game = dr.load(spec, variants=variants)
    for players in game.players:
        lock_step(game, players, 4, 400, every=7)


def test_matches_begin_anew() -> None:
    batch = dr.batch("tic_tac_toe", 8, seed=1, again=True)
    ends = 0
    for _ in range(30):
        rewards = batch.step(batch.masks().argmax(1))
        ends += int(rewards.any(1).sum())
        assert not batch.over.any()
        assert (rewards.sum(1) == 0).all()
    assert ends >= 8 * 3


def test_what_cannot_be_is_refused() -> None:
    batch = dr.batch("tic_tac_toe", 2)
    batch.step(np.array([4, 4]))
    with pytest.raises(dr.UsageError, match="action 4 is not among the options of match 1"):
        batch.step(np.array([0, 4]))
    with pytest.raises(dr.UsageError, match="takes 2 actions"):
        batch.step(np.array([0]))
    with pytest.raises(dr.UsageError, match="at least one match"):
        dr.batch("tic_tac_toe", 0)
    with pytest.raises(dr.UsageError, match="loaded for the Python back end"):
        dr.batch(dr.load("tic_tac_toe", engine="python"), 2)
