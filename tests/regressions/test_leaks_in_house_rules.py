"""House rules over the shipped games: a leak in one of them is refused, with both lines."""

from __future__ import annotations

from pathlib import Path

import dragonrules as dr
import pytest
from dragonrules.cli.rules.file_findings import of_file
from dragonrules.interpreter.rule_sets import Library

RULES = {
    "what another holds": (
        "ryu",
        """
    action spy in act:
        choose q in others(me) where q.screen[violet] > 0 because "no violet cube there"
        gain(smuggler, 1)
""",
        ["q.screen[violet]"],
    ),
    "who holds most": (
        "drakon",
        """
    define richest = most(q by gold(q) for q in players)
    action envy in turn_action:
        choose q in richest where q != me
        move my.hero to standing(q)
""",
        ["p.purse[k]"],
    ),
    "a card that is drawn later": (
        "dragons_gold",
        """
    trigger weather before turn(p) for p where any(c.strength > 9 for c in deck):
        may "look at the sky": nothing
""",
        ["deck"],
    ),
    "the guild of another": (
        "dragon_keeper",
        """
    trigger gossip after give(t) for left(active) where t.colour = active.guild.colour:
        may "smile": nothing
""",
        ["active.guild"],
    ),
}


@pytest.mark.parametrize("name", RULES)
def test_a_leak_is_refused(name: str, tmp_path: Path) -> None:
    base, rule, read = RULES[name]
    path = tmp_path / "house.dragon"
    path.write_text(f'variant "House" of {base}:{rule}', encoding="utf-8")
    with pytest.raises(dr.SpecError) as caught:
        dr.load(base, variants=[path])
    found = caught.value.diagnostics
    assert [d.code for d in found] == ["D0401"] * len(read)
    assert [d.span.text for d in found] == read
    assert all(len(d.related) == 2 for d in found)


def test_what_only_a_variant_reaches(tmp_path: Path) -> None:
    path = tmp_path / "base.dragon"
    path.write_text(
        """game "Base" for 2 players
state a: 0..9 = 0
phase Play:
    as player(1): offer deed
    if a = 0: finish {}
action dig in deed: set a = 1
action fly in voyage: set a = 2
action swim in lagoon: set a = 3
variant "Sea" of base:
    trigger sail after dig(): may voyage
""",
        encoding="utf-8",
    )
    found = of_file(path, Library()).told
    assert [(d.code, d.span.text) for d in found] == [("D0409", "swim")]
