"""Chess against python-chess: how many positions there are, and what is legal in those of random games.

A position is set up by writing other men into the `setup` of the rules.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import chess
import dragonrules as dr
import pytest

from .adapters import ADAPTERS, chess_move

FILE = ADAPTERS["chess"].file

POSITIONS = {  # well-known positions for tests of move generators, with the number of moves to depth 1, 2, 3
    "kiwipete": ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", (48, 2_039, 97_862)),
    "rooks and pawns": ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", (14, 191, 2_812)),
    "promotions": ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", (6, 264, 9_467)),
    "check by discovery": ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", (44, 1_486, 62_379)),
    "middle game": (
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        (46, 2_079, 89_890),
    ),
}


def rules(folder: Path, board: chess.Board | None = None) -> Any:
    """The game, from its own beginning or from another position."""
    text = FILE.read_text(encoding="utf-8")
    if board is not None:
        before, rest = text.split("setup:\n")
        after = rest[rest.index("phase Play") :]
        turns = f"turns Round p from player({1 if board.turn else 2}):"
        text = before + setup(board) + "\n" + after.replace("turns Round p:", turns)
    file = folder / "chess.dragon"
    file.write_text(text, encoding="utf-8")
    return dr.load(file)


def setup(board: chess.Board) -> str:
    lines = ["setup:"]
    for square, man in board.piece_map().items():
        x, y = chess.square_file(square) + 1, chess.square_rank(square) + 1
        side = chess.COLOR_NAMES[man.color]
        lines.append(f"    put({side}, {chess.piece_name(man.piece_type)}, space_at(board, {x}, {y}))")
        if man.piece_type == chess.ROOK and not board.castling_rights & chess.BB_SQUARES[square]:
            lines.append(f"    for m in {{board[space_at(board, {x}, {y})]}}: set m.moved = yes")
    return "\n".join(lines) + "\n"


def moves(match: Any) -> dict[tuple[Any, ...], Any]:
    """Every whole move from here, with the match behind it."""
    out = {}
    for option in match.decision.options:
        man = match.fork()
        man.choose(option)
        for target in man.decision.options:
            moved = man.fork()
            moved.choose(target)
            keys = option.key, target.key
            if moved.over or moved.decision.options[0].key[0] != "k":
                out[keys] = moved
                continue
            for rank in moved.decision.options:
                promoted = moved.fork()
                promoted.choose(rank)
                out[(*keys, rank.key)] = promoted
    return out


def perft(match: Any, depth: int) -> int:
    """The number of ways to play so many moves."""
    if match.over:
        return 0
    following = moves(match)
    return len(following) if depth == 1 else sum(perft(twin, depth - 1) for twin in following.values())


def count(folder: Path, depth: int, fen: str | None = None) -> int:
    board = None if fen is None else chess.Board(fen)
    return perft(rules(folder, board).start(seed=1, watch=False), depth)


@pytest.mark.parametrize(("depth", "positions"), [(1, 20), (2, 400), (3, 8_902)])
def test_from_the_beginning(depth: int, positions: int, tmp_path: Path) -> None:
    assert count(tmp_path, depth) == positions


@pytest.mark.parametrize("name", POSITIONS)
def test_from_well_known_positions(name: str, tmp_path: Path) -> None:
    fen, positions = POSITIONS[name]
    assert [count(tmp_path, depth, fen) for depth in (1, 2)] == list(positions[:2])


@pytest.mark.long
@pytest.mark.parametrize("name", POSITIONS)
def test_deeper_from_well_known_positions(name: str, tmp_path: Path) -> None:
    fen, positions = POSITIONS[name]
    assert count(tmp_path, 3, fen) == positions[2]


def natively(folder: Path, depth: int, fen: str | None = None) -> int:
    """The same by machine code, a man and its target being two steps: only where nothing is promoted so soon."""
    pytest.importorskip("llvmlite")
    engine = rules(folder, None if fen is None else chess.Board(fen)).native(2)
    histories = engine.histories(2 * depth)
    assert histories.trouble == 0
    return histories.at_depth[-1]


def test_four_moves_from_the_beginning(tmp_path: Path) -> None:
    assert natively(tmp_path, 4) == 197_281


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "depth", "positions"),
    [("kiwipete", 3, 97_862), ("rooks and pawns", 5, 674_624), ("middle game", 4, 3_894_594)],
)
def test_deeper_by_machine_code(name: str, depth: int, positions: int, tmp_path: Path) -> None:
    assert natively(tmp_path, depth, POSITIONS[name][0]) == positions


def play_beside(rules_: Any, seed: int) -> str:
    """One random game on both boards, to its end or until python-chess sees a draw by other rules."""
    rng, board = Random(seed), chess.Board()
    match = rules_.start(seed=seed, watch=False)
    while not board.is_checkmate() and not board.is_stalemate():
        if board.halfmove_clock >= 100:
            assert match.over
            assert not match.winners
            return "quiet"
        assert not match.over
        theirs = {tuple(chess_move(move).items()): move for move in board.legal_moves}
        ours = moves(match)
        assert ours.keys() == theirs.keys(), board.fen()
        picked = rng.choice(sorted(ours, key=str))
        match = ours[picked]
        board.push(theirs[picked])
    assert match.over
    assert match.winners == ({2 if board.turn else 1} if board.is_checkmate() else set()), board.fen()
    return "mate" if board.is_checkmate() else "stalemate"


@pytest.mark.parametrize("seed", range(2))
def test_random_games_beside_python_chess(seed: int, tmp_path: Path) -> None:
    play_beside(rules(tmp_path), seed)


@pytest.mark.long
def test_many_random_games_beside_python_chess(tmp_path: Path) -> None:
    game = rules(tmp_path)
    assert {play_beside(game, seed) for seed in range(200)} == {"mate", "stalemate", "quiet"}
