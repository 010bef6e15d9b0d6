"""The pytest plugin, in runs of pytest of its own."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from .command import COINS, GREEDY, dragonrules, written

pytest_plugins = "pytester"
ROOT = Path(__file__).parents[2]
PLUGIN = ("-p", "dragonrules.cli.pytest_plugin", "-p", "no:cacheprovider")
"""By its module: no entry points are looked at, neither ours nor those of others."""
FAILING = COINS.replace("check count(player(1).purse) = 1", "check count(player(1).purse) = 2")
INSIDE = COINS + "\n" + GREEDY.replace("    scenario", "\n    scenario")


@pytest.fixture(scope="module", autouse=True)
def loaded(tmp_path_factory: pytest.TempPathFactory) -> None:
    """All modules that take part are there before: a run of pytester forgets those that it has loaded."""
    dragonrules("test", written(tmp_path_factory.mktemp("loaded"), coins=FAILING))


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")


@pytest.fixture
def project(pytester: pytest.Pytester) -> pytest.Pytester:
    written(pytester.path, coins=FAILING, plain="nothing that could be read", variants__coins_greedy=GREEDY)
    pytester.makepyfile(test_other="def test_other(): pass")
    return pytester


def test_scenarios_run_beside_other_tests(project: pytest.Pytester) -> None:
    result = project.runpytest(*PLUGIN, "-v")
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines_random(
        [
            "coins.dragon::a coin goes to the purse FAILED*",
            "variants/coins_greedy.dragon::two coins at once PASSED*",
            "test_other.py::test_other PASSED*",
        ]
    )


def test_a_failure_shows_the_game_and_no_python(project: pytest.Pytester) -> None:
    result = project.runpytest(*PLUGIN, "coins.dragon")
    result.stdout.fnmatch_lines(
        [
            "*coins: a coin goes to the purse*",
            "coins.dragon:35:9: check count(player(1).purse) = 2",
            "*expected*count(player(1).purse) = 2",
            "*found*1",
            "*player 1 chooses take*",
            "*the position*",
        ]
    )
    assert "scenario_runs" not in result.stdout.str()
    assert "Traceback" not in result.stdout.str()


def test_by_node_and_by_words(project: pytest.Pytester) -> None:
    project.runpytest(*PLUGIN, "variants/coins_greedy.dragon::two coins at once").assert_outcomes(passed=1)
    for words in ("C-2", "coins and not Greedy"):
        project.runpytest(*PLUGIN, "-k", words).assert_outcomes(failed=1, deselected=2)


def test_several_processes(project: pytest.Pytester) -> None:
    project.runpytest(*PLUGIN, "-p", "xdist", "-n", "1").assert_outcomes(passed=2, failed=1)


def test_switched_off_or_for_some_variants(project: pytest.Pytester) -> None:
    project.makeini("[pytest]\ndragonrules_scenarios = false")
    project.runpytest(*PLUGIN).assert_outcomes(passed=1)
    project.makeini("[pytest]\ndragonrules_variants =\n    gree*")
    project.runpytest(*PLUGIN).assert_outcomes(passed=2)
    project.makeini("[pytest]\ndragonrules_variants = -")
    project.runpytest(*PLUGIN).assert_outcomes(passed=1, failed=1)


def test_variants_in_the_file_of_the_game(pytester: pytest.Pytester) -> None:
    written(pytester.path, coins=INSIDE)
    result = pytester.runpytest(*PLUGIN, "-v")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["coins.dragon::two coins at once ?Greedy? PASSED*"])


def test_rules_with_errors_are_errors(pytester: pytest.Pytester) -> None:
    written(pytester.path, coins=COINS.replace("pile != {}", "count(pil) > 0"))
    result = pytester.runpytest(*PLUGIN)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*error[[]D0201]: *", "*23 | *count(pil)*"])
    assert "Traceback" not in result.stdout.str()


def test_the_entry_point_is_declared_and_this_suite_does_without_it() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["entry-points"]["pytest11"] == {"dragonrules": "dragonrules.cli.pytest_plugin"}
    assert "-p no:dragonrules" in project["tool"]["pytest"]["ini_options"]["addopts"]


def test_nothing_is_imported_before_there_is_a_scenario() -> None:
    code = (
        "import sys, dragonrules.cli.pytest_plugin\n"
        "print(sorted(m for m in sys.modules if m.startswith('dragonrules')))"
    )
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['dragonrules', 'dragonrules.cli', 'dragonrules.cli.pytest_plugin']"
