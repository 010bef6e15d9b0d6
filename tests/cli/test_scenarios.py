"""`test`: the scenarios of a game, of its variants and of the files beside it, as text, JSON and XML."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as xml

import pytest
from dragonrules.cli.rules.selecting import selector

from .command import COINS, GREEDY, dragonrules, spawned, written

FAILING = COINS.replace("check count(player(1).purse) = 1", "check count(player(1).purse) = 2")
BROKEN = COINS.replace("pile != {}", "count(pil) > 0")
MORE = """
scenario "waiting is free":                                     [C-7]
    when:
        player(1) chooses wait
    then:
        player(2) decides
"""


def test_a_game_brings_its_variants_along(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path, coins=COINS, variants__coins_greedy=GREEDY)
    monkeypatch.chdir(tmp_path)
    result = dragonrules("test", "coins.dragon")
    assert result.exit_code == 0, result.output
    first, second, last = result.stdout.splitlines()
    assert first.split() == ["coins.dragon", ".", "[", "50%]"]
    assert second.split() == ["variants/coins_greedy.dragon", ".", "[100%]"]
    assert len(first) == len(second) == 80
    assert last == "2 passed"
    assert dragonrules("test", "-q", tmp_path).stdout == "2 passed\n"
    assert dragonrules("test", "-q", tmp_path / "variants").stdout == "1 passed\n"


def test_many_scenarios_and_long_names_keep_to_the_width(tmp_path: Path) -> None:
    names = [f'scenario "number {n}":\n    then:\n        player(1) decides\n' for n in range(120)]
    game = written(tmp_path, **{"coins_" + "x" * 90: COINS + "\n" + "\n".join(names)})
    lines = dragonrules("test", game).stdout.splitlines()
    assert len(lines) > 3
    assert {len(line) for line in lines[:-1]} == {80}
    assert lines[-2].endswith("[100%]")


def test_a_line_for_each(tmp_path: Path) -> None:
    game = written(tmp_path, coins=FAILING, variants__coins_greedy=GREEDY)
    lines = dragonrules("test", "-v", game).stdout.splitlines()
    assert lines[0] == f"{game}::a coin goes to the purse FAILED"
    assert lines[1] == f"{tmp_path}/variants/coins_greedy.dragon[Greedy]::two coins at once PASSED"
    assert lines[-1] == "1 failed, 1 passed"
    assert dragonrules("test", "--list", game).stdout.splitlines() == [
        line.rpartition(" ")[0] for line in lines[:2]
    ]


def test_a_failing_one_shows_place_expected_found_choices_and_position(tmp_path: Path) -> None:
    game = written(tmp_path, coins=FAILING)
    result = dragonrules("test", game)
    assert result.exit_code == 1
    shown = [" ".join(line.split()) for line in result.stdout.splitlines()]
    assert f"{game}:35:9: check count(player(1).purse) = 2" in shown
    assert "expected count(player(1).purse) = 2" in shown
    assert "found 1" in shown
    assert "player 1 chooses take (turn action)" in shown
    assert shown[shown.index("the choice") + 1 :][:2] == ["player 2: turn action", "take, wait"]
    position = " ".join(shown[shown.index("the position, where the check looks") :])
    assert "1 gold" in position and "8 gold" not in position
    assert shown[-1] == "1 failed, 0 passed"


def test_both_sides_are_told_when_neither_is_plain(tmp_path: Path) -> None:
    game = written(tmp_path, coins=FAILING.replace("purse) = 2", "purse) = count(pile) + 1"))
    assert "found      count(player(1).purse) is 1, count(pile) + 1 is 9" in dragonrules("test", game).stdout


def test_a_refusal_and_an_unoffered_choice_are_explained(tmp_path: Path) -> None:
    wrong = MORE.replace("chooses wait", 'chooses "fly"')
    out = dragonrules("test", written(tmp_path, coins=COINS + wrong)).stdout
    assert "expected   fly among the options of turn action" in out
    assert "found      take, wait" in out


def test_an_invariant_that_breaks_on_the_way_fails_it(tmp_path: Path) -> None:
    game = written(tmp_path, coins=COINS + "\nalways full: count(pile) = 9\n")
    result = dragonrules("test", game)
    assert result.exit_code == 1
    assert "D0907" in result.stdout
    assert f"{game}:33:9: player(1) chooses take" in result.stdout


def test_a_set_up_that_breaks_an_invariant_fails_it(tmp_path: Path) -> None:
    rules = COINS.replace("player(1) chooses take", "player(1) chooses wait", 1).partition("\nscenario")[0]
    quiet = 'scenario "nothing happens":\n    then:\n        player(1) decides\n'
    game = written(tmp_path, coins=f"{rules}\nnever full: count(pile) = 9\n\n{quiet}")
    assert "D0907" in dragonrules("test", game).stdout


def test_stop_at_the_first(tmp_path: Path) -> None:
    game = written(tmp_path, coins=FAILING + MORE)
    assert dragonrules("test", "-x", game).stdout.endswith("1 failed, 0 passed, 1 not run\n")


def test_durations(tmp_path: Path) -> None:
    game = written(tmp_path, coins=COINS + MORE)
    out = dragonrules("test", "--durations", "1", game).stdout
    assert "slowest scenarios" in out
    assert out.count(" s  ") == 1
    assert dragonrules("test", "--durations", "0", game).stdout.count(" s  ") == 2


def test_json(tmp_path: Path) -> None:
    game = written(tmp_path, coins=FAILING, variants__coins_greedy=GREEDY)
    document = json.loads(dragonrules("test", "--format", "json", game).stdout)
    assert (document["passed"], document["failed"]) == (1, 1)
    failed, held = document["scenarios"]
    assert (failed["ok"], failed["line"], failed["cites"]) == (False, 35, ["C-2"])
    assert (failed["expected"], failed["found"]) == ("count(player(1).purse) = 2", "1")
    assert failed["steps"] == ["player 1 chooses take (turn action)"]
    assert failed["position"] and failed["decision"][0] == "player 2: turn action"
    assert held["variants"] == ["Greedy"]


def test_a_file_of_scenarios_finds_its_game_past_a_file_of_its_own_name(tmp_path: Path) -> None:
    """In the folder above there is another of that name, but it is no game."""
    written(tmp_path, coins_more=MORE, inner__coins=COINS)
    assert dragonrules("test", "-q", written(tmp_path, inner__coins_more=MORE)).stdout == "1 passed\n"


# ---------------------------------------------------------------- some of them
def test_some_by_words(tmp_path: Path) -> None:
    game = written(tmp_path, coins=FAILING + MORE, variants__coins_greedy=GREEDY)

    def run(words: str) -> str:
        return dragonrules("test", game, "-q", "-k", words).stdout.splitlines()[-1]

    assert run("AT ONCE") == "1 passed, 2 not run"
    assert run("greedy or free") == "2 passed, 1 not run"
    assert run("not (purse or once)") == "1 passed, 2 not run"
    assert run("C-7") == "1 passed, 2 not run"
    result = dragonrules("test", game, "-k", "nothing like it")
    assert result.exit_code == 1
    assert "none of 3 scenarios" in result.stdout


@pytest.mark.parametrize("words", ["", "a and", "or b", "(a", "a)", "not", "a and and b"])
def test_words_that_make_no_sense(words: str) -> None:
    result = dragonrules("test", "tic_tac_toe", "-k", words)
    assert result.exit_code == 2
    assert "join words with" in result.stderr


@pytest.mark.parametrize(
    ("words", "text", "wanted"),
    [
        ("a b", "xa  b", True),
        ("a b", "b a", False),
        ("a and not b", "a c", True),
        ("a or b and c", "a", True),
        ("(a or b) and c", "a", False),
        ('"not a word"', "NOT a WORD", False),
        ("not not a", "a", True),
    ],
)
def test_the_meaning_of_words(words: str, text: str, wanted: bool) -> None:
    if words.startswith('"'):
        wanted = True  # quotes make a phrase of words that would mean something
    assert selector(words)(text) is wanted


# ---------------------------------------------------------------- what is wrong with the rules
def test_rules_with_errors_fail(tmp_path: Path) -> None:
    game = written(tmp_path, coins=BROKEN)
    result = dragonrules("test", game)
    assert result.exit_code == 1
    assert "D0201" in result.stdout


def test_a_game_without_scenarios_is_fine() -> None:
    result = dragonrules("test", "kuhn_poker")
    assert (result.exit_code, result.stdout) == (0, "no scenarios\n")


# ---------------------------------------------------------------- JUnit
CASE = {"name", "classname", "time"}
SUITE = {"id", "package", "name", "timestamp", "hostname", "tests", "failures", "errors", "time"}


def test_junit(tmp_path: Path) -> None:
    """The shape that the schema of Ant's report (JUnit.xsd) asks for, order of the parts included."""
    game = written(tmp_path, coins=FAILING, variants__coins_greedy=GREEDY)
    bad = written(tmp_path, bad=BROKEN)
    file = tmp_path / "results.xml"
    assert dragonrules("test", game, bad, "--junit", file).exit_code == 1
    root = xml.parse(file).getroot()
    assert root.tag == "testsuites"
    assert [suite.get("name") for suite in root] == ["coins", "coins + Greedy", "rule files"]
    for suite in root:
        assert set(suite.attrib) == SUITE
        tags = [part.tag for part in suite]
        assert tags == ["properties", *["testcase"] * int(suite.attrib["tests"]), "system-out", "system-err"]
        assert all(set(case.attrib) == CASE for case in suite.iter("testcase"))
        assert int(suite.attrib["failures"]) == len(list(suite.iter("failure")))
        assert int(suite.attrib["errors"]) == len(list(suite.iter("error")))
    (failure,) = root.iter("failure")
    assert set(failure.attrib) == {"type", "message"}
    assert "expected   count(player(1).purse) = 2" in (failure.text or "")
    assert {error.get("type") for error in root.iter("error")} == {"D0201"}


def test_an_unwritable_report_is_an_error_and_no_traceback(tmp_path: Path) -> None:
    game = written(tmp_path, coins=COINS)
    for option in ("--junit", "--coverage-html"):
        result = spawned("test", game, option, tmp_path / "missing" / "file")
        assert result.returncode == 1
        assert "No such file" in result.stderr
        assert "Traceback" not in result.stderr


# ---------------------------------------------------------------- coverage
def test_coverage(tmp_path: Path) -> None:
    game = written(tmp_path, coins=COINS, variants__coins_greedy=GREEDY)
    page, trace, data = (tmp_path / name for name in ("c.html", "c.info", "c.json"))
    result = dragonrules(
        "test", game, "--coverage", "--coverage-html", page, "--coverage-lcov", trace, "--coverage-json", data
    )
    assert result.exit_code == 0, result.output
    assert "ending rich" in result.stdout.split("never run:")[1]
    assert "wait" in result.stdout.split("offered, never chosen:")[1]
    assert f"SF:{game}" in trace.read_text()
    assert "require pile != {}" in page.read_text()
    assert json.loads(data.read_text())["hits"]


def test_too_little_coverage_fails(tmp_path: Path) -> None:
    game = written(tmp_path, coins=COINS)
    assert dragonrules("test", game, "--coverage-min", 10).exit_code == 0
    result = dragonrules("test", game, "--coverage-min", 99)
    assert result.exit_code == 1
    assert "less than 99 %" in result.stderr
