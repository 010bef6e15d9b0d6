"""`diff --example`: the smallest game in which two rule sets differ; and `games --variants`."""

from __future__ import annotations

import json
from pathlib import Path

from .command import COINS, dragonrules, written

SLOW = (
    'variant "Slow" of coins:\n    "One more is wanted."\n    set goal = 4\n\n'
    '    scenario "three are not enough":\n        given:\n'
    "            move 3 of gold from pile to player(1).purse\n"
    "        then:\n            check goal = 4\n"
)
SHY = 'variant "Shy" of coins:\n    "Taking is for the second round."\n    replace action take:\n        require turn_number > 2 because "wait"\n        original\n'
SAME = 'variant "Same" of coins:\n    "Nothing changes."\n    define spare_number = 3\n    never odd: spare_number = 4\n'


def test_a_scenario_of_the_variant_shows_it(tmp_path: Path) -> None:
    game = written(tmp_path, coins=COINS, variants__coins_slow=SLOW)
    result = dragonrules("diff", game, "slow", "--example")
    assert result.exit_code == 0
    assert 'scenario "three are not enough":' in result.stdout
    assert "coins       at `check goal = 4`: 3 instead" in result.stdout
    assert "coins+slow  as it stands here" in result.stdout


def test_games_in_lock_step_show_it(tmp_path: Path) -> None:
    game = written(tmp_path, coins=COINS, variants__coins_shy=SHY)
    told = dragonrules("diff", game, "shy", "--example").stdout
    assert "the first decision" in told
    assert "only here: take" in told


def test_no_difference(tmp_path: Path) -> None:
    game = written(tmp_path, coins=COINS, variants__coins_same=SAME)
    assert "no difference in" in dragonrules("diff", game, "same", "--example").stdout


def test_the_list_of_variants() -> None:
    told = dragonrules("games", "--variants", "ryu").stdout
    assert "Fair Tear (`fair_tear`): 6 lines\n" in told
    assert "touches step dragon_bid.winners, step dragon_bid.consolation" in told
    data = json.loads(dragonrules("games", "--variants", "ryu", "--format", "json").stdout)
    (night,) = [v for v in data["ryu"] if v["name"] == "harbour_night"]
    assert night["needs"] == ["Open Bids", "Fair Tear", "Bodyguard"]
