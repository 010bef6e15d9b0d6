"""What comes from outside: names of games, options, players, saves, choices."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import dragonrules as dr
import pytest

SPEC = """game "Coins" for 2 to 4 players
kinds Level: easy, hard
option goal: 1..20 = 3
option limit: 1..20 = goal + 2
option level: Level = easy
option quick: yes/no = no
token Coin: gold 30
require goal < limit because "nobody could win"
place board: grid goal by 3 of Coin
each player has:
    place purse: bag of Coin
action take in turn_action:
    require count(my.purse) < limit because "your purse is full"
    choose n in 1..2 where level = easy or n = 2 because "too easy"
    move n of gold from box(Coin) to my.purse
action pass in turn_action:
    require quick because "no passing in a slow game"
ending enough for p in players when count(p.purse) >= goal: finish {p}
phase Play:
    turns p:
        offer turn_action
"""


@pytest.fixture
def spec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = Path("coins.dragon")
    path.write_text(SPEC, encoding="utf-8")
    return path


def words(action: Callable[[], Any]) -> str:
    """What the error says."""
    with pytest.raises(dr.DragonError) as caught:
        action()
    return str(caught.value)


# ---------------------------------------------------------------- games and files
def test_rules_that_are_too_much(tmp_path: Path) -> None:
    path = tmp_path / "much.dragon"
    chain = "".join(f"define a{n} = a{n + 1} + 1\n" for n in range(300))
    text = f'game "Much" for 2 players\n{chain}define a300 = 1\nphase Play:\n    if a0 > 1: finish {{}}\n'
    path.write_text(text, encoding="utf-8")
    assert words(lambda: dr.load(path)).startswith(
        f"{path}:1:1: error[D0115]: these rules lean on each other too deeply to be checked\n"
    )


def test_unknown_game() -> None:
    assert words(lambda: dr.load("tic_tac_to")) == (
        "error[D0707]: there is no game `tic_tac_to`\n  help: did you mean `tic_tac_toe`?"
    )
    assert words(lambda: dr.load("qwertz")) == "error[D0707]: there is no game `qwertz`"


def test_unreadable_files(spec: Path) -> None:
    assert words(lambda: dr.load("missing.dragon")) == "error[D0106]: there is no file `missing.dragon`"
    Path("folder.dragon").mkdir()
    assert words(lambda: dr.load("folder.dragon")) == "error[D0106]: `folder.dragon` is a directory"
    Path("latin.dragon").write_bytes(b'game "Z\xfcge" for 2 players\n')
    assert words(lambda: dr.load("latin.dragon")) == "error[D0106]: `latin.dragon` is not UTF-8 text (byte 7)"
    assert words(lambda: dr.load(spec, variants=["missing.dragon"])) == (
        "error[D0106]: there is no file `missing.dragon`"
    )


# ---------------------------------------------------------------- options and players
def test_unknown_option(spec: Path) -> None:
    assert words(lambda: dr.load(spec, options={"gaol": 3})) == (
        "error[D0703]: there is no option `gaol`\n  help: did you mean `goal`?"
    )
    assert words(lambda: dr.load(spec, options={"xyz": 3})) == (
        "error[D0703]: there is no option `xyz`\n  help: known options: goal, limit, level, quick"
    )


@pytest.mark.parametrize(
    ("option", "value", "expected"),
    [
        ("goal", 21, "`goal` must be a number from 1 to 20, not `21`"),
        ("goal", "many", "`goal` must be a number from 1 to 20, not `many`"),
        ("goal", True, "`goal` must be a number from 1 to 20, not `True`"),
        ("quick", "perhaps", "`quick` is yes or no, not `perhaps`"),
        ("level", "hrad", "`level` is one of easy, hard, not `hrad`\n  help: did you mean `hard`?"),
    ],
)
def test_bad_value_of_an_option(spec: Path, option: str, value: object, expected: str) -> None:
    assert words(lambda: dr.load(spec, options={option: value})) == f"error[D0704]: {expected}"


def test_options_follow_each_other(spec: Path) -> None:
    assert dr.load(spec, options={"goal": 5}).options == {
        "goal": 5,
        "limit": 7,
        "level": "easy",
        "quick": False,
    }


def test_options_that_do_not_go_together(spec: Path) -> None:
    game = dr.load(spec, options={"goal": 9, "limit": 4})
    assert words(game.start) == (
        "error[D0706]: these options do not go together: nobody could win\n"
        "  help: required in coins.dragon:8:1"
    )


def test_options_that_leave_no_room(spec: Path) -> None:
    spec.write_text(SPEC.replace("grid goal by 3", "grid goal - 3 by 3"), encoding="utf-8")
    assert words(lambda: dr.load(spec).start()) == (
        "coins.dragon:9:19: error[D0303]: this is 0 with these options and players, outside 1..10000\n"
        "  9 | place board: grid goal - 3 by 3 of Coin\n"
        "    |                   ^^^^^^^^"
    )
    spec.write_text(SPEC.replace("grid goal by 3", "grid 12 / (goal - 3) by 3"), encoding="utf-8")
    assert words(lambda: dr.load(spec).start()) == (
        "coins.dragon:9:19: error[D0912]: with these options and players this divides by zero\n"
        "  9 | place board: grid 12 / (goal - 3) by 3 of Coin\n"
        "    |                   ^^^^^^^^^^^^^^^"
    )


def test_wrong_number_of_players(spec: Path) -> None:
    game = dr.load(spec)
    assert words(lambda: game.start(5)) == "error[D0705]: Coins is for 2 to 4 players, not 5"
    spec.write_text(SPEC.replace("2 to 4", "2 or 4"), encoding="utf-8")
    assert words(lambda: dr.load(spec).start(3)) == "error[D0705]: Coins is for 2 or 4 players, not 3"


def test_unknown_seat(spec: Path) -> None:
    match = dr.load(spec).start(3)
    assert words(lambda: match.view(4)) == "error[D0705]: there is no seat 4; seats are 1 to 3"
    assert words(lambda: match.observations(0)) == "error[D0705]: there is no seat 0; seats are 1 to 3"


def test_unknown_way_of_chance(spec: Path) -> None:
    assert words(lambda: dr.load(spec).start(chance="never")) == (
        'error[D0704]: chance is "auto" or "ask", not "never"'
    )


# ---------------------------------------------------------------- saves
def test_no_save(spec: Path) -> None:
    assert words(lambda: dr.resume("missing.json")) == "error[D0702]: there is no file `missing.json`"
    for text in ("", "{", "[]", "{}", "\x00", '"text"', "12"):
        Path("bad.json").write_text(text, encoding="utf-8")
        assert words(lambda: dr.resume("bad.json")) == "error[D0702]: `bad.json` is not a save of dragonrules"
    Path("bytes.json").write_bytes(b"\xff\xfe\x00")
    assert words(lambda: dr.resume("bytes.json")) == "error[D0702]: `bytes.json` is not a save of dragonrules"


def test_save_of_another_version(spec: Path) -> None:
    dr.load(spec).start().save("save.json")
    data = json.loads(Path("save.json").read_text(encoding="utf-8"))
    data["dragonrules"] = 999
    Path("save.json").write_text(json.dumps(data), encoding="utf-8")
    assert words(lambda: dr.resume("save.json")) == (
        "error[D0702]: this is not a save of this version of dragonrules"
    )


def test_changed_save(spec: Path) -> None:
    dr.load(spec).start().save("save.json")
    data = json.loads(Path("save.json").read_text(encoding="utf-8"))
    data["state"]["player"] = 7
    Path("save.json").write_text(json.dumps(data), encoding="utf-8")
    assert words(lambda: dr.resume("save.json")) == "error[D0702]: the save is damaged or was changed by hand"


def test_save_of_other_rules(spec: Path) -> None:
    dr.load(spec, options={"goal": 4}).start().save("save.json")
    message = "error[D0701]: the save was made with other rules: Coins; options goal=4\n  help: "
    assert words(lambda: dr.resume("save.json", game=dr.load(spec))) == (
        f"{message}set otherwise: goal was 4, is not set"
    )
    spec.write_text(SPEC.replace("1..2", "1..3") + "\noption more: yes/no = no\n", encoding="utf-8")
    assert (
        words(lambda: dr.resume("save.json"))
        == f"{message}changed since: `option goal`, `option limit`, `action take`; new: `option more`"
    )


# ---------------------------------------------------------------- choices
def test_choice_that_is_not_offered(spec: Path) -> None:
    match = dr.load(spec, options={"level": "hard"}).start()
    assert words(lambda: match.choose(7)) == "error[D0904]: there is no option number 7; there are 1"
    assert words(lambda: match.choose(("offer", "pass"))) == (
        "error[D0904]: `offer pass` is not among the options\n"
        "  help: no passing in a slow game (coins.dragon:17)"
    )
    assert words(lambda: match.choose("fly")) == (
        "error[D0904]: `fly` is not among the options\n  help: there is no option called `fly` here"
    )
    match.choose(("offer", "take"))
    assert words(lambda: match.choose(("n", 1))) == (
        "error[D0904]: `n 1` is not among the options\n  help: too easy (coins.dragon:14)"
    )
    assert words(lambda: match.choose(("n", 5))) == (
        "error[D0904]: `n 5` is not among the options\n"
        "  help: it is not an option here, only the numbers from 1 to 2 (coins.dragon:14)"
    )


def test_choice_that_is_none(spec: Path) -> None:
    match = dr.load(spec).start()
    no_choice: Any = None
    assert words(lambda: match.choose(no_choice)) == (
        "error[D0904]: a choice is an option, its key, its label or its position, not `None`"
    )
    assert words(lambda: match.choose([])) == (
        "error[D0904]: `` is not among the options\n  help: there is no option called `` here"
    )
    match.choose(["offer", "take"])
    assert words(lambda: match.choose(["n", [1, 2]])) == (
        "error[D0904]: `n [1, 2]` is not among the options\n"
        "  help: it is not an option here (coins.dragon:14)"
    )
    assert words(lambda: match.choose([])) == (
        "error[D0904]: `` is not among the options\n  help: it is not an option here (coins.dragon:14)"
    )


def test_nobody_is_asked(spec: Path) -> None:
    match = dr.load(spec, options={"goal": 1}).start()
    while not match.over:
        match.choose(0)
    assert words(lambda: match.choose(0)) == "error[D0905]: nobody is asked at the moment"
    assert words(lambda: match.resolve(0)) == "error[D0905]: there is no chance point at the moment"
    assert words(match.expire) == "error[D0905]: no clock is running"


def test_chance_that_is_asked() -> None:
    match = dr.load("kuhn_poker").start(chance="ask")
    assert words(lambda: match.choose(0)) == "error[D0905]: nobody is asked at the moment"
    assert words(lambda: match.resolve(9)) == "error[D0904]: there is no outcome number 9; there are 3"


def test_nobody_watches(spec: Path) -> None:
    match = dr.load(spec).start(watch=False)
    assert words(lambda: match.observations(1)) == "error[D0905]: this match was started with watch=False"


# ---------------------------------------------------------------- results and clusters
def test_results_that_cannot_be_written(tmp_path: Path) -> None:
    from dragonrules.interpreter.lab.results import Rows

    assert words(lambda: Rows(Path("results.txt"), 2)) == (
        "error[D0708]: `results.txt` is neither a .csv nor a .parquet file\n  help: name the file so"
    )
    nowhere = tmp_path / "missing" / "results.csv"
    assert words(lambda: Rows(nowhere, 2)) == (
        f"error[D0708]: `{nowhere}` cannot be written: No such file or directory\n  help: name another file"
    )


def test_no_address_of_a_cluster() -> None:
    from dragonrules.interpreter.lab.cluster import checked_address

    assert words(lambda: checked_address("10.0.0.5")) == (
        "error[D0709]: `10.0.0.5` is not the address of a Dask scheduler\n"
        "  help: it has a host and a port, like `tcp://10.0.0.5:8786`; `dask scheduler` prints its own"
    )


def test_a_match_that_is_played_elsewhere(tmp_path: Path) -> None:
    from dragonrules.interpreter.table.journal import Journal

    path = tmp_path / "table.jsonl"
    match = dr.load("tic_tac_toe").start()
    first = Journal(path, match, ["human", "human"])
    assert words(lambda: Journal(path, match, ["human", "human"])) == (
        f"error[D0710]: another process is writing to `{path}`\n  help: leave the match there first"
    )
    first.close()


def test_too_large_to_solve() -> None:
    from dragonrules.interpreter.solving.verdict import verdict

    assert words(lambda: verdict(dr.load("connect_four"), positions=100)) == (
        "error[D0711]: Connect Four is too large to be solved: more than 100 positions\n"
        "  help: try options that make the game smaller, or `--positions` for more"
    )


def test_other_rules_that_a_match_cannot_go_on_by() -> None:
    from dragonrules.interpreter.play.crossing import crossed

    match = dr.load("drakon").start(2, seed=1)
    assert words(lambda: crossed(match, dr.load("drakon", variants=["heroes"]))) == (
        "error[D0712]: the match cannot go on by these rules from here: the match stands in the middle of "
        "`choose_hero`, which is another now\n  help: try an earlier position"
    )
