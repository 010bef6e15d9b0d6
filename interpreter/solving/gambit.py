"""A game's tree as a Gambit file (`.efg`), which most programs that solve games read.

One line a node, children behind their parent: `c` chance, `p` a player's decision, `t` an
end. Information sets are numbered for each player from 1 without gaps.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from .trees import CHANCE, END, Tree


def to_efg(tree: Tree) -> str:
    return "\n".join(_lines(tree)) + "\n"


def _lines(tree: Tree) -> Iterator[str]:
    seats = " ".join(_quoted(f"player {seat + 1}") for seat in range(tree.players))
    yield f"EFG 2 R {_quoted(tree.title)} {{ {seats} }}"
    yield _quoted(f"payoffs by {tree.by}")
    ends = chances = 0
    for node in tree.nodes:
        if node.player == END:
            ends += 1
            payoffs = ", ".join(map(_number, node.payoffs))
            yield f't "" {ends} "" {{ {payoffs} }}'
        elif node.player == CHANCE:
            chances += 1
            moves = " ".join(
                f"{_quoted(m)} {c}" for m, c in zip(_apart(node.moves), node.chances, strict=True)
            )
            yield f'c "" {chances} "" {{ {moves} }} 0'
        else:
            moves = " ".join(map(_quoted, _apart(node.moves)))
            yield f'p "" {node.player + 1} {node.infoset + 1} "" {{ {moves} }} 0'


def _number(value: float) -> str:
    return str(Fraction(value).limit_denominator(10_000))


def _apart(moves: tuple[str, ...]) -> list[str]:
    """Moves of one name are told apart: the format wants it."""
    seen: dict[str, int] = {}
    out = []
    for move in moves:
        seen[move] = seen.get(move, 0) + 1
        out.append(move if seen[move] == 1 else f"{move} ({seen[move]})")
    return out


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
