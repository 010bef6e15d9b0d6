"""What the actions of OpenSpiel's games mean in ours.

Rows and columns of OpenSpiel count from the top left corner; our spaces from
the bottom left one, from 1.
"""

from __future__ import annotations

from collections.abc import Callable

from .compare import Adapter, Meaning

CARDS = 13
PASS = 64
LIAR = 12
STEPS = ("NW", "N", "NE", "SW", "S", "SE")


def tic_tac_toe(_player: int, action: int) -> Meaning:
    row, column = divmod(action, 3)
    return {"s": (column + 1, 3 - row)}


def connect_four(_player: int, action: int) -> Meaning:
    return {"c": action + 1}


def breakthrough(_player: int, action: int) -> Meaning:
    """OpenSpiel's first player sits at the top and ours at the bottom: the board is turned over."""
    square, way = divmod(action, 2 * len(STEPS))
    row, column = divmod(square, 8)
    return {"s": (column + 1, row + 1), "d": STEPS[way // 2]}


def othello(_player: int, action: int) -> Meaning:
    if action == PASS:
        return {}
    row, column = divmod(action, 8)
    return {"s": (column + 1, 8 - row)}


def kuhn_poker(_player: int, action: int) -> Meaning:
    return {"offer": ("pass", "bet")[action]}


def leduc_poker(_player: int, action: int) -> Meaning:
    return {"offer": ("fold", "call", "raise")[action]}


def goofspiel(player: int, action: int) -> Meaning:
    return {"c": f"Card#{player * CARDS + action + 1}"}


def liars_dice(_player: int, action: int) -> Meaning:
    if action == LIAR:
        return {"offer": "liar"}
    quantity, face = divmod(action, 6)
    return {"offer": "bid", "q": quantity + 1, "f": face + 1}


def card(first: int) -> Callable[[str], int]:
    """`Card#3` is the third card of our rows; OpenSpiel counts from 0, ours from `first`."""
    return lambda name: int(name.removeprefix("Card#")) - first


def face(value: int) -> int:
    return value - 1


ADAPTERS = {
    adapter.name: adapter
    for adapter in (
        Adapter("tic_tac_toe", tic_tac_toe),
        Adapter("connect_four", connect_four),
        Adapter("breakthrough", breakthrough),
        Adapter("othello", othello),
        Adapter("kuhn_poker", kuhn_poker, outcome=card(1), scored=True),
        Adapter("leduc_poker", leduc_poker, outcome=card(1), scored=True),
        Adapter("goofspiel", goofspiel, outcome=card(2 * CARDS + 1)),
        Adapter("liars_dice", liars_dice, outcome=face),
    )
}
