"""The same three games once more, the way they are usually written: a board as a list, no tricks.

`handwritten.py` shows what Python can do; this shows what one would write in an
afternoon. Same names: `over`, `options`, `apply(index)`, `fork()`, `winner`.
"""

from __future__ import annotations

import copy


class Board:
    __slots__ = ("board", "options", "over", "seat", "winner")

    def fork(self) -> Board:
        twin = copy.copy(self)
        twin.board = self.board.copy()
        return twin

    def run(self, x: int, y: int, dx: int, dy: int, width: int, height: int) -> int:
        """How many of the same stand in one direction."""
        board = self.board
        mine = board[y * width + x]
        count = 0
        x += dx
        y += dy
        while 0 <= x < width and 0 <= y < height and board[y * width + x] == mine:
            count += 1
            x += dx
            y += dy
        return count

    def in_line(self, x: int, y: int, width: int, height: int) -> int:
        """The longest line through a space."""
        run = self.run
        return 1 + max(
            run(x, y, dx, dy, width, height) + run(x, y, -dx, -dy, width, height)
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
        )


class TicTacToe(Board):
    def __init__(self) -> None:
        self.board = [0] * 9
        self.seat = 1
        self.winner = 0
        self.over = False
        self.options = list(range(9))

    def apply(self, index: int) -> None:
        square = self.options[index]
        self.board[square] = self.seat
        y, x = divmod(square, 3)
        if self.in_line(x, y, 3, 3) >= 3:
            self.winner = self.seat
            self.over = True
            return
        self.options = [s for s in range(9) if not self.board[s]]
        self.over = not self.options
        self.seat = 3 - self.seat


class ConnectFour(Board):
    def __init__(self) -> None:
        self.board = [0] * 42
        self.seat = 1
        self.winner = 0
        self.over = False
        self.options = list(range(7))

    def apply(self, index: int) -> None:
        column = self.options[index]
        board = self.board
        row = 0
        while board[row * 7 + column]:
            row += 1
        board[row * 7 + column] = self.seat
        if self.in_line(column, row, 7, 6) >= 4:
            self.winner = self.seat
            self.over = True
            return
        self.options = [c for c in range(7) if not board[35 + c]]
        self.over = not self.options
        self.seat = 3 - self.seat


class Breakthrough(Board):
    def __init__(self) -> None:
        self.board = [1] * 16 + [0] * 32 + [2] * 16
        self.seat = 1
        self.winner = 0
        self.over = False
        self.options = self.moves()

    def moves(self) -> list[tuple[int, int]]:
        board, seat = self.board, self.seat
        ahead = 8 if seat == 1 else -8
        out = []
        for square in range(64):
            if board[square] == seat:
                for side in (-1, 0, 1):
                    target = square + ahead + side
                    if 0 <= square % 8 + side < 8 and board[target] != seat and (side or not board[target]):
                        out.append((square, target))
        return out

    def apply(self, index: int) -> None:
        origin, target = self.options[index]
        board, seat = self.board, self.seat
        board[origin] = 0
        board[target] = seat
        if target // 8 == (7 if seat == 1 else 0) or 3 - seat not in board:
            self.winner = seat
            self.over = True
            return
        self.seat = 3 - seat
        self.options = self.moves()


GAMES = {"tic_tac_toe": TicTacToe, "connect_four": ConnectFour, "breakthrough": Breakthrough}
