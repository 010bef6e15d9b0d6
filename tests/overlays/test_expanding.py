"""The game that variants make, as a text of its own: it reads back as the same rules."""

from __future__ import annotations

from pathlib import Path

import dragonrules as dr
import pytest
from dragonrules.cli.options.overlaid import laid
from dragonrules.cli.options.rule_set import Choice
from dragonrules.grammar import Report, Source, parse
from dragonrules.interpreter.files.find_variants import known_variants
from dragonrules.interpreter.files.sources import digest
from hypothesis import given, settings
from hypothesis import strategies as st

from .laying import put

GAMES = Path(__file__).parents[2] / "games"
SHIPPED = [
    (name, (title,))
    for name in ("drakon", "ryu", "dragon_keeper", "dragons_gold")
    for title in known_variants(GAMES / f"{name}.dragon")
]
STACKS = [
    ("drakon", ("Soft Claws", "Restless Drakon", "Tireless Heroes", "Team Play")),
    ("drakon", ("Escape from Drakon's Lair!",)),
    ("ryu", ("Open Bids", "Light Dragons")),
    ("dragon_keeper", ("Debts", "Poisoned Gifts")),
    ("dragons_gold", ("Advanced", "2001", "Old Dragons", "Thieves First")),
    ("dragons_gold", ("Strategic",)),
]


def digest_of(text: str) -> str:
    """The fingerprint of rules as they are read from a text."""
    report = Report()
    file = parse(Source("expanded", text), report)
    assert not report.errors
    return digest(file)


@pytest.mark.parametrize(
    ("game", "variants"), [*STACKS, *(pytest.param(*one, marks=pytest.mark.long) for one in SHIPPED)]
)
def test_every_variant_reads_back_as_the_same_rules(game: str, variants: tuple[str, ...]) -> None:
    choice = Choice(str(GAMES / f"{game}.dragon"), variants)
    result = laid(choice, check=False)
    assert digest_of(result.text_with_notes) == digest(result.result)


ITEMS = [
    "set goal = 8",
    "set wage = 1",
    "change token Coin: copper = 30",
    "change rows Card where colour = red: count = 3",
    "change rows Card where value = 2: doors = {W}",
    "remove rows Card where colour = blue and value = 3",
    "rows Card:\n        | colour | value | doors | count |\n        | red    | 3     | W     |     2 |",
    "change table price where value = 2: price = 1",
    "change table toll where coins in 3..7: due = 2",
    "replace rule collect(p: player):\n        draw 2 at random from p.purse to till  # twice",
    "replace action rest in deal:\n        move 1 of copper from till to my.purse",
    "replace place player.purse: bag of Coin, seen by all",
    "remove state player.served",
    "remove ending late",
    "remove step Day.open",
    "replace step Day.close:\n        pay_toll(me)\n        pay_toll(me)",
    "before step Day.trade: nothing",
    "after step Day.trade:\n        choose k in 1..2\n        change my.luck by k",
    "before step Day.close:\n        pay_toll(me)\n        collect(me)",
    "replace step setup.deal: nothing",
    "each player has: state luck: 0..999 = 0",
    "after step Day.close: collect(me)",
    "before phase Market:\n        phase Dawn: nothing",
    "after ending rich:\n        ending broke when till = {}: finish {}",
    "each player has:\n        state hat: 0..3 = 1",
    "define bonus = 3\n    action beg in deal:\n        move bonus of copper from till to my.purse",
    'scenario "nothing happens":\n        then:\n            check yes',
]


@given(items=st.lists(st.sampled_from(ITEMS), unique=True, min_size=1, max_size=8), cut=st.integers(0, 8))
@settings(max_examples=15, deadline=None, derandomize=True)
def test_any_variants_read_back_as_the_same_rules(
    items: list[str], cut: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("stall")
    halves = [half for half in (items[:cut], items[cut:]) if half]
    bodies = [
        "".join(f"    {item}\n" for item in ["remove always cards", *half][n:])
        for n, half in enumerate(halves)
    ]
    result = put(folder, *bodies)
    assert digest_of(result.text_with_notes) == digest(result.result)


def test_all_items_at_once(tmp_path: Path) -> None:
    result = put(tmp_path, "".join(f"    {item}\n" for item in ITEMS))
    assert digest_of(result.text_with_notes) == digest(result.result)
    assert digest_of(result.text) == digest(result.result)


def test_an_expanded_game_is_a_game(tmp_path: Path) -> None:
    result = put(tmp_path, "    set goal = 8\n    remove ending late\n")
    path = tmp_path / "expanded.dragon"
    path.write_text(result.text, encoding="utf-8")
    assert dr.load(path).fingerprint == result.choice.load().fingerprint


def test_comments_tell_what_changed(tmp_path: Path) -> None:
    text = put(tmp_path, "    set goal = 8\n    remove ending late\n    define x = 3\n").text_with_notes
    assert "# V1: 5 becomes 8\noption goal: 2..9 = 8\n" in text
    assert "# V1: No ending late any more\n" in text
    assert "# V1: new\ndefine x = 3\n" in text
    assert "# A game with one of everything" in text
    assert "# the heart of it" in text
    assert "scenario" not in text


def test_options_become_defaults(tmp_path: Path) -> None:
    text = put(tmp_path, goal="7", long="yes").text
    assert "option goal: 2..9 = 7\noption long: yes/no = yes\n" in text


def test_looks_of_what_is_gone_go_too(tmp_path: Path) -> None:
    text = put(tmp_path, "    remove state player.served\n").text
    assert "look Card" in text
    assert "look player.served" not in text


def test_statements_beside_a_step_keep_their_order(tmp_path: Path) -> None:
    """Behind the last step of all, in front of the first, with a declaration behind the same block."""
    result = put(
        tmp_path,
        "    before step Day.open:\n        pay_toll(me)\n        collect(me)\n"
        "    after step Day.close:\n        choose k in 1..2\n        draw k at random from my.purse to till\n"
        "    after phase Market:\n        define one = 1\n        define two = 2\n",
    )
    for text in (result.text, result.text_with_notes):
        assert digest_of(text) == digest(result.result)
        lines = [line.strip() for line in text.splitlines()]
        assert lines.index("pay_toll(me)") + 1 == lines.index("collect(me)")
        assert lines.index("choose k in 1..2") + 1 == lines.index("draw k at random from my.purse to till")
        assert lines.index("define one = 1") < lines.index("define two = 2")
