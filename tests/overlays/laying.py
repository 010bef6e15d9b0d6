"""A small game to lay variants over, and how to do it."""

from __future__ import annotations

from pathlib import Path

import dragonrules as dr
from dragonrules.cli.options.overlaid import Laid, laid
from dragonrules.cli.options.rule_set import Choice
from dragonrules.grammar import Report
from dragonrules.interpreter.driver import DRIVER

BASE = """\
# A game with one of everything that a variant may want to change.
game "Stall" for 2 to 4 players:
    "Cards and coins change hands."

option goal: 2..9 = 5
option long: yes/no = no

kinds Colour: red, green, blue

component Card:
    colour: Colour
    value: 1..3
    doors: set of direction

rows Card:
    | colour     | value | doors | count |
    | red, green | 1..3  | N S   |     2 |
    | blue       | 1     |       |     1 |
    | blue       | 2..3  | N E S |     4 |

token Coin: copper 20, gold 6

define wage = 2

table price(colour: Colour, value: 1..3) -> 0..9:
    | colour      | 1 | 2 | 3 |
    | red         | 1 | 2 | 4 |
    | green, blue | 3 | 3 | 3 |

table toll(coins: 0..20) -> 0..3:
    | coins | due |
    | 0..4  |   0 |
    | 5..   |   1 |

place stock: bag of Card
place till: bag of Coin

each player has:
    place purse: bag of Coin, seen by owner
    state served: yes/no = no until turn ends

setup:
    move all from box(Card) to stock
    step deal: move all from box(Coin) to till

phase Market:
    turns Day p:
        step open: nothing
        step trade: offer deal  # the heart of it
        step close: pay_toll(me)

action earn in deal:                                            [ST-3]
    "Wages."
    require till[copper] >= wage because "the till is empty"
    move wage of copper from till to my.purse

action rest in deal: nothing

rule pay_toll(p: player):
    let due = toll(count(p.purse))
    if due > 0 and count(p.purse) >= due: collect(p)

rule collect(p: player): draw 1 at random from p.purse to till

ending rich for p in players when count(p.purse) >= goal: finish {p} because "rich"
ending late before turn when turn_number >= (60 if long else 30): finish {}

always cards: total(Card) = 21

scenario "wages":
    when:
        player(1) chooses earn
    then:
        check count(player(1).purse) = 2

look Card: "{colour} {value}"
look player.served: "served"
"""


def stall(folder: Path, *bodies: str) -> Path:
    """The game in a folder with variants `v1`, `v2`, ... of it."""
    (folder / "variants").mkdir(parents=True, exist_ok=True)
    (folder / "stall.dragon").write_text(BASE, encoding="utf-8")
    for number, body in enumerate(bodies, 1):
        text = body if body.startswith(("variant", "define")) else f'variant "V{number}" of stall:\n{body}'
        (folder / "variants" / f"stall_v{number}.dragon").write_text(text, encoding="utf-8")
    return folder / "stall.dragon"


def loaded(folder: Path, *bodies: str) -> dr.Game:
    game = stall(folder, *bodies)
    return dr.load(game, variants=[f"v{n}" for n in range(1, len(bodies) + 1)])


def codes_of(game: Path, *variants: str) -> set[str]:
    """What laying variants over a game finds, whether or not it can be played."""
    report = Report()
    DRIVER.laid(DRIVER.stack(game, variants, report))
    return {d.code for d in report}


def put(folder: Path, *bodies: str, **options: str) -> Laid:
    game = stall(folder, *bodies)
    return laid(Choice(str(game), tuple(f"v{n}" for n in range(1, len(bodies) + 1)), options), check=False)


def told(folder: Path, *bodies: str, **options: str) -> list[str]:
    """The sentences for what variants change."""
    return [sentence for change in put(folder, *bodies, **options).changes for sentence in change.sentences]
