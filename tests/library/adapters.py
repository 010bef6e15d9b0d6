"""What the actions of OpenSpiel's games mean in the games of the library, and one changed rule for each."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import chess

from ..openspiel.adapters import face
from ..openspiel.compare import Adapter, Meaning

LIBRARY = Path(__file__).parents[2] / "games" / "library"

POINTS = (  # of nine men's morris, as OpenSpiel counts them
    "a7 d7 g7 b6 d6 f6 c5 d5 e5 a4 b4 c4 e4 f4 g4 c3 d3 e3 b2 d2 f2 a1 d1 g1"
).split()


def square(name: str) -> tuple[int, int]:
    """`b3` is column 2 of row 3."""
    return ord(name[0]) - ord("a") + 1, int(name[1:])


def pig(_player: int, action: int) -> Meaning:
    return {"offer": ("roll", "hold")[action]}


def dots_and_boxes(_player: int, action: int, rows: int = 2, columns: int = 2) -> Meaning:
    """First the horizontal lines, from the top, then the upright ones; ours stand between dots, two spaces apart."""
    across = (rows + 1) * columns
    if action < across:
        row, column = divmod(action, columns)
        return {"s": (2 * column + 2, 2 * (rows - row) + 1)}
    row, column = divmod(action - across, columns + 1)
    return {"s": (2 * column + 1, 2 * (rows - row))}


def hexes(_player: int, action: int, size: int = 11) -> Meaning:
    row, column = divmod(action, size)
    return {"s": (column + 1, size - row)}


def nine_mens_morris(state, _player: int, action: int) -> Meaning:
    if action >= len(POINTS):
        source, target = divmod(action - len(POINTS), len(POINTS))
        return {"s": square(POINTS[source]), "t": square(POINTS[target])}
    point = square(POINTS[action])
    return {"c": point} if "Capture time" in str(state) else {"t": point}


def mancala(_player: int, action: int) -> Meaning:
    return {"h": action}


def checkers(state, player: int, action: int) -> Meaning:
    words = state.action_to_string(player, action)
    (x, y), (to_x, to_y) = square(words[:2]), square(words[2:])
    way = ("N" if to_y > y else "S") + ("E" if to_x > x else "W")
    return {"s": (x, y), "d": way}


def amazons(state, player: int, action: int, size: int = 10) -> Meaning:
    """OpenSpiel asks in three parts as well: from where, to where, and where the arrow lands."""
    row, column = divmod(action, size)
    words = state.action_to_string(player, action)
    name = "s" if "From" in words else "t" if "To" in words else "a"
    return {name: (column + 1, size - row)}


def card_number(key: str | int) -> int:
    """`Card#3` is the third card of our rows, which list them as OpenSpiel does, from 0; a roll is itself."""
    return int(key.removeprefix("Card#")) - 1 if isinstance(key, str) else key


def blackjack(_player: int, action: int) -> Meaning:
    return {"offer": ("hit", "stand")[action]}


def hearts(_player: int, action: int) -> Meaning:
    return {"c": f"Card#{action + 1}"}


def spades(_player: int, action: int) -> Meaning:
    return {"n": action - 52} if action >= 52 else {"c": f"Card#{action + 1}"}


BOXES = (
    "ones twos threes fours fives sixes chance four_of_a_kind full_house small_straight large_straight yacht"
).split()


def yacht(_player: int, action: int) -> Meaning:
    """The bits of small numbers are the dice to be rolled again."""
    if action >= 32:
        return {"b": BOXES[action - 32]}
    return {"again": [action >> die & 1 for die in range(5)]}


def yacht_rolls(state, action: int) -> list[list[int]]:
    return [[int(die) for die in state.action_to_string(-1, action).removeprefix("Roll: ").split(",")]]


def oshi_zumo(_player: int, action: int) -> Meaning:
    return {"n": action}


def tiny_hanabi(_player: int, action: int) -> Meaning:
    return {"f": action + 1}


def gomoku(_player: int, action: int, size: int = 15) -> Meaning:
    row, column = divmod(action, size)
    return {"s": (column + 1, size - row)}


def quoridor(state, player: int, action: int, size: int = 9) -> Meaning:
    """`c4` is a step, `b3h` a wall that lies below and to the right of that space, `b3v` one that stands there."""
    words = state.action_to_string(player, action)
    column, row = square(words.rstrip("hv"))
    x, y = 2 * column - 1, 2 * (size - row) + 1
    if words[-1] in "hv":
        return {"offer": "build", "s": (x + 1, y - 1), "d": "E" if words[-1] == "h" else "N"}
    return {"offer": "go", "t": (x, y)}


def chess_move(move: chess.Move) -> Meaning:
    """What a move of python-chess means."""
    meaning = {
        name: (chess.square_file(s) + 1, chess.square_rank(s) + 1)
        for name, s in (("s", move.from_square), ("t", move.to_square))
    }
    return meaning | ({"k": chess.piece_name(move.promotion)} if move.promotion else {})


def chess_action(state, player: int, action: int) -> Meaning:
    return chess_move(chess.Board(str(state)).parse_san(state.action_to_string(player, action)))


def crazy_eights(_player: int, action: int) -> Meaning:
    if action < 52:
        return {"offer": "play", "c": f"Card#{action + 1}"}
    return {"offer": ("draw", "pass")[action - 52]} if action < 54 else {"k": SUITS[action - 54]}


SUITS = ("clubs", "diamonds", "hearts", "spades")


def eights_chance(key: str | int) -> int:
    return card_number(key) if isinstance(key, str) else 51 + key


def eights_returns(match) -> list[int]:
    """OpenSpiel counts an ace ten, and for cards up to ten the number of the card instead of its rank."""
    return [-sum(eights_cost(card_number(name)) for name in hand_of(match, seat)) for seat in (1, 2, 3)]


def eights_cost(card: int) -> int:
    rank = card // 4
    return 50 if rank == 6 else 10 if rank >= 9 else card + 2


def hand_of(match, seat: int) -> list[str]:
    return list(match.view(seat)["places"][f"player {seat}: hand"]["contents"])


def go(_player: int, action: int, size: int = 9) -> Meaning:
    if action == size * size:
        return {"offer": "pass"}
    row, column = divmod(action, size)
    return {"offer": "put a stone", "s": (column + 1, row + 1)}


def backgammon(state, player: int, action: int) -> Meaning:
    """Two moves in one number: where each begins, and whether the higher die comes first."""
    low, high = sorted(map(int, str(state).split("Dice: ")[1][:2]))
    high_first, action = action < 676, action % 676
    first, second = action % 26, action // 26
    meaning = {} if first == 25 else {"d": high if high_first else low, "k": to_go(player, first)}
    return meaning | ({} if second == 25 else {"j": to_go(player, second)})


def to_go(player: int, position: int) -> int:
    return 25 if position == 24 else 24 - position if player == 0 else position + 1


def backgammon_rolls(state, action: int) -> list[list[int]]:
    first, second = map(int, state.action_to_string(-1, action).split("roll: ")[1][:2])
    ordered = len(state.chance_outcomes()) in (30, 36)
    return [[first, second]] if ordered or first == second else [[first, second], [second, first]]


def gin_rummy(state, _player: int, action: int) -> Meaning:
    """Cards, then drawing the open card or from the stock, passing, knocking, and melds by their number."""
    phase = str(state).split("Phase: ")[1].split("\n")[0]
    if action >= 56:
        return {"offer": "lay", "m": f"Meld#{meld_number(action - 56)}"}
    if action < 52:
        verb = "lay off" if phase == "Layoff" else "throw away"
        return {"c": f"Card#{action + 1}"} | ({} if phase == "Knock" else {"offer": verb})
    words = {
        "FirstUpcard": ("take", "draw_from_stock", "pass", ""),
        "Draw": ("draw_the_upcard", "draw_from_stock", "", ""),
        "Discard": ("", "", "", "knock"),
        "Wall": ("", "", "end_it", "knock_with_it"),
    }
    return {"offer": words.get(phase, ("", "", "done", ""))[action - 52]}


def less_deadwood(state, legal: list[int]) -> list[int]:
    """Knock, lay and lay off where that is possible; throw away what leaves the fewest points, more or less."""
    if 55 in legal and len(legal) < 13:
        return [55]
    cards = [action for action in legal if action < 52]
    if len(cards) < 11:
        return [action for action in legal if action != 54] or legal
    player = state.current_player()

    def left(card: int) -> int:
        after = state.child(card)
        return int(str(after).split(f"Player{player}: Deadwood=")[1].split("\n")[0])

    return sorted(cards, key=left)[:2]


def meld_number(meld: int) -> int:
    """OpenSpiel lists the sets of each rank, three cards first; ours are all sets of three, then those of four."""
    if meld >= 65:
        return meld + 1
    rank, missing = divmod(meld, 5)
    return 4 * rank + missing + 1 if missing < 4 else 53 + rank


ADAPTERS = {
    adapter.name: adapter
    for adapter in (
        Adapter(
            "pig",
            pig,
            outcome=face,
            folder=LIBRARY / "dice",
            options={"goal": 20},
            parameters={"winscore": 20, "horizon": 100_000},
        ),
        Adapter("dots_and_boxes", dots_and_boxes, folder=LIBRARY / "boards"),
        Adapter(
            "hex",
            partial(hexes, size=5),
            folder=LIBRARY / "boards",
            options={"size": 5},
            parameters={"board_size": 5},
        ),
        Adapter("nine_mens_morris", nine_mens_morris, folder=LIBRARY / "boards", by_position=True),
        Adapter("mancala", mancala, folder=LIBRARY / "boards"),
        Adapter(
            "amazons",
            partial(amazons, size=6),
            folder=LIBRARY / "boards",
            by_position=True,
            options={"size": 6},
            parameters={"board_size": 6},
        ),
        Adapter("blackjack", blackjack, outcome=card_number, folder=LIBRARY / "cards", scored=True),
        Adapter("hearts", hearts, outcome=card_number, folder=LIBRARY / "cards", scored=True),
        Adapter(
            "spades",
            spades,
            outcome=card_number,
            folder=LIBRARY / "cards",
            scored=True,
            options={"breaking": False},
        ),
        Adapter("yacht", yacht, paths=yacht_rolls, folder=LIBRARY / "dice"),
        Adapter(
            "oshi_zumo",
            oshi_zumo,
            folder=LIBRARY / "secrets",
            options={"purse": 12},
            parameters={"coins": 12, "min_bid": 1},
        ),
        Adapter("tiny_hanabi", tiny_hanabi, outcome=face, folder=LIBRARY / "together", scored=True),
        Adapter(
            "gomoku",
            partial(gomoku, size=7),
            folder=LIBRARY / "boards",
            options={"size": 7},
            parameters={"size": 7},
        ),
        Adapter(
            "quoridor",
            partial(quoridor, size=5),
            folder=LIBRARY / "boards",
            by_position=True,
            options={"size": 5, "walls": 12},
            parameters={"board_size": 5, "wall_count": 6},
            longest=80,
        ),
        Adapter("chess", chess_action, folder=LIBRARY / "boards", by_position=True, seats=(2, 1), longest=60),
        Adapter(
            "crazy_eights",
            crazy_eights,
            outcome=eights_chance,
            folder=LIBRARY / "cards",
            parameters={"players": 3},
            returns=eights_returns,
        ),
        Adapter(
            "go",
            partial(go, size=5),
            folder=LIBRARY / "boards",
            options={"size": 5},
            parameters={"board_size": 5},
            longest=20,
        ),
        Adapter("backgammon", backgammon, paths=backgammon_rolls, folder=LIBRARY / "dice", by_position=True),
        Adapter("checkers", checkers, folder=LIBRARY / "boards", by_position=True),
        Adapter(
            "gin_rummy",
            gin_rummy,
            outcome=card_number,
            folder=LIBRARY / "cards",
            by_position=True,
            scored=True,
            options={"upcards": 50, "beyond_each_end": 2},
            sensible=less_deadwood,
        ),
    )
}

FOUR_AT_QUORIDOR = replace(
    ADAPTERS["quoridor"],
    seats=(1, 3, 2, 4),
    parameters={"board_size": 5, "wall_count": 3, "players": 4},
    returns=lambda match: [1 if seat in match.winners else -1 / 3 for seat in (1, 2, 3, 4)],
)
"""OpenSpiel numbers the players by the edges they start from, but lists their returns in the order of turns."""

CHANGES = {
    "gin_rummy": ("return m.missing = none or", "return m.missing != none and"),
    "quoridor": ("where loose(t)) < 2", "where loose(t)) < 1"),
    "backgammon": ("men(left(p), 25 - k) >= 2", "men(left(p), 25 - k) >= 3"),
    "crazy_eights": ("c.rank = 8 or c.suit = suit", "c.suit = suit"),
    "go": ("liberties(t) > 1", "liberties(t) > 0"),
    "gomoku": ("lines(s, 5)", "lines(s, 4)"),
    "chess": ("k = rook and d in directions", "k = rook and d in all_directions"),
    "amazons": ("reach(t)", "way(t, N)"),
    "blackjack": ("if dealers > 16", "if dealers > 17"),
    "hearts": ("not broken and not_hearts(p) != {}", "not_hearts(p) != {}"),
    "spades": ("c.rank + 20 if c.suit = spades", "c.rank + 20 if c.suit = hearts"),
    "yacht": ("in 2..6", "in 1..5"),
    "oshi_zumo": ("abs(wrestler) > size", "abs(wrestler) >= size"),
    "tiny_hanabi": ("choose f in 1..3", "choose f in 1..2"),
    "pig": ("if n = 1: stop Rolls", "if n = 2: stop Rolls"),
    "dots_and_boxes": ("if won != {}: next me", "nothing"),
    "hex": ("{N, NE, E, S, SW, W}", "{N, NW, E, S, SE, W}"),
    "nine_mens_morris": ("theirs if loose = {} else loose", "theirs"),
    "mancala": ("if last = store(me): next me", "nothing"),
    "checkers": (
        "if reaches_far_row(t): crown(t)\n    else:",
        "if reaches_far_row(t): crown(t)\n    if yes:",
    ),
}
"""One changed rule each, which must be noticed."""
