"""The libraries' own tests on our games, and their solvers on our rules."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from pathlib import Path

import dragonrules as dr
import numpy as np
import pytest

from .test_numbers import library, tables

pytest.importorskip("pettingzoo")
pyspiel = pytest.importorskip("pyspiel")

import dragonrules.gymnasium  # noqa: E402
import dragonrules.openspiel  # noqa: E402
import dragonrules.pettingzoo  # noqa: E402
from gymnasium.utils.env_checker import check_env  # noqa: E402
from open_spiel.python.algorithms import cfr, exploitability  # noqa: E402
from pettingzoo.test import api_test, seed_test  # noqa: E402


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """The libraries warn of what all their own games do too."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.mark.parametrize(("spec", "variants"), tables(), ids=lambda value: str(value))
def test_pettingzoo(spec: str, variants: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    for players in sorted({dr.load(spec, variants=variants).players[n] for n in (0, -1)}):
        api_test(
            dragonrules.pettingzoo.env(spec, players=players, variants=variants, max_steps=40),
            num_cycles=25,
            verbose_progress=False,
        )


@pytest.mark.long
@pytest.mark.parametrize(("spec", "variants"), [*tables(), *library()], ids=lambda value: str(value))
def test_pettingzoo_at_length(spec: str, variants: tuple[str, ...]) -> None:
    for players in dr.load(spec, variants=variants).players:
        arguments = {"players": players, "variants": variants}
        api_test(dragonrules.pettingzoo.env(spec, **arguments), num_cycles=1_000, verbose_progress=False)
        seed_test(lambda a=arguments: dragonrules.pettingzoo.env(spec, **a), num_cycles=200)


def test_pettingzoo_gives_the_same_episode_for_the_same_seed() -> None:
    seed_test(lambda: dragonrules.pettingzoo.env("dragon_keeper", players=3), num_cycles=40)


def test_pettingzoo_masks_are_the_options() -> None:
    env = dragonrules.pettingzoo.env("leduc_poker")
    env.reset(seed=4)
    raw = env.unwrapped
    for agent in env.agent_iter():
        seen, _, over, cut, info = env.last()
        if over or cut:
            env.step(None)
            continue
        legal = np.flatnonzero(seen["action_mask"]).tolist()
        assert legal == sorted(raw.actions.numbers(raw.match.decision)) == sorted(info["options"])
        other = next(one for one in env.agents if one != agent)
        assert not env.observe(other)["action_mask"].any()
        env.step(legal[0])
    assert raw.match.over


@pytest.mark.parametrize("spec", ["kuhn_poker", "tic_tac_toe", "dragon_keeper"])
def test_gymnasium(spec: str) -> None:
    check_env(dragonrules.gymnasium.Solo(spec), skip_render_check=True)


def test_games_are_registered() -> None:
    import gymnasium

    env = gymnasium.make("dragonrules/LeducPoker-v0", seat=2)
    _, info = env.reset(seed=1)
    assert info["action_mask"].any() and env.unwrapped.seat == 2


def test_solo_takes_the_seat_it_is_given() -> None:
    env = dragonrules.gymnasium.Solo("leduc_poker", seat=2, others="random", reward="score")
    env.reset(seed=1)
    while True:
        assert env.match.decision.player == 2
        _, reward, over, _, info = env.step(int(np.flatnonzero(env.action_masks())[0]))
        assert (info["action_mask"] == env.action_masks()).all()
        if over:
            assert reward == env.match.scores[2]
            break
    env.reset(seed=2)
    wrong = int(np.flatnonzero(~env.action_masks())[0])
    assert env.step(wrong)[1:4] == (-1.0, True, False)
    with pytest.raises(dr.UsageError, match="there is no seat 3"):
        dragonrules.gymnasium.Solo("leduc_poker", seat=3)


@pytest.mark.parametrize("spec", ["kuhn_poker", "tic_tac_toe", "goofspiel", "connect_four"])
def test_openspiel_plays_it(spec: str) -> None:
    game = pyspiel.load_game(f"dragon(spec={spec})")
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@pytest.mark.long
@pytest.mark.parametrize(("spec", "variants"), [*tables(), *library()], ids=lambda value: str(value))
def test_openspiel_plays_all(spec: str, variants: tuple[str, ...]) -> None:
    for players in dr.load(spec, variants=variants).players:
        joined = "+".join(variants)
        game = pyspiel.load_game(f"dragon(spec={spec},players={players},variants={joined})")
        pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)


@pytest.mark.parametrize("spec", ["kuhn_poker", pytest.param("leduc_poker", marks=pytest.mark.long)])
def test_their_solver_finds_the_same_on_our_rules_and_theirs(spec: str) -> None:
    found = []
    for name in (f"dragon(spec={spec})", spec):
        game = pyspiel.load_game(name)
        solver = cfr.CFRPlusSolver(game)
        for _ in range(10):
            solver.evaluate_and_update_policy()
        found.append(exploitability.exploitability(game, solver.average_policy()))
    assert found[0] == pytest.approx(found[1], abs=1e-9)


def test_openspiel_knows_what_kind_of_game_it_is() -> None:
    kuhn = pyspiel.load_game("dragon(spec=kuhn_poker)")
    assert (kuhn.min_utility(), kuhn.max_utility(), kuhn.max_game_length()) == (-2, 2, 3)
    assert kuhn.get_type().information == pyspiel.GameType.Information.IMPERFECT_INFORMATION
    four = pyspiel.load_game("dragon(spec=connect_four,options=columns:4+rows:4)")
    assert four.get_type().chance_mode == pyspiel.GameType.ChanceMode.DETERMINISTIC
    assert four.num_distinct_actions() == 7 or four.num_distinct_actions() == 4


@pytest.mark.parametrize("spec", ["kuhn_poker", pytest.param("leduc_poker", marks=pytest.mark.long)])
def test_histories_as_numbers_tell_apart_what_a_seat_can_tell_apart(spec: str) -> None:
    game = pyspiel.load_game(f"dragon(spec={spec})")
    assert game.get_type().provides_information_state_tensor
    numbers: dict[tuple[int, str], bytes] = {}
    pending = [game.new_initial_state()]
    while pending:
        state = pending.pop()
        if state.is_terminal():
            continue
        if not state.is_chance_node():
            for player in (0, 1):
                known = np.asarray(state.information_state_tensor(player), np.float32)
                assert known.shape == tuple(game.information_state_tensor_shape())
                text = state.information_state_string(player)
                assert numbers.setdefault((player, text), known.tobytes()) == known.tobytes()
        pending += [state.child(action) for action in state.legal_actions()]
    assert len(set(numbers.values())) == len(numbers) > 12


def test_the_page_on_learning_runs(capsys: pytest.CaptureFixture[str]) -> None:
    page = Path(__file__).parents[2] / "docs" / "howto" / "learning.md"
    for block in re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
        exec(block, {})
    assert "after learning" in capsys.readouterr().out
