"""Three games by hand: the speed that plain Python reaches when the rules are written straight into it.

Each class has the same four names as a compiled game: `over`, `options` (a
list), `apply(index)` and `fork()`. `winner` is 0 for a draw or an unfinished
game, else the seat. One move is one option. The boards are bit masks where
that is faster than lists, and whatever does not change is a table.
"""

from __future__ import annotations


def masks_through(lines: list[int], squares: int) -> list[tuple[int, ...]]:
    return [tuple(line for line in lines if line >> s & 1) for s in range(squares)]


class TicTacToe:
    """Square 0 is the top left one, 8 the bottom right one."""

    LINES = masks_through([0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124], 9)

    __slots__ = ("mine", "options", "over", "seat", "theirs", "winner")

    def __init__(self) -> None:
        self.mine = self.theirs = 0
        self.seat = 1
        self.options = list(range(9))
        self.over = False
        self.winner = 0

    def apply(self, index: int) -> None:
        square = self.options.pop(index)
        mine = self.mine | 1 << square
        for line in self.LINES[square]:
            if mine & line == line:
                self.winner = self.seat
                self.over = True
                return
        if not self.options:
            self.over = True
        self.mine = self.theirs
        self.theirs = mine
        self.seat = 3 - self.seat

    def fork(self) -> TicTacToe:
        twin = TicTacToe.__new__(TicTacToe)
        twin.mine, twin.theirs, twin.seat = self.mine, self.theirs, self.seat
        twin.options, twin.over, twin.winner = self.options.copy(), self.over, self.winner
        return twin


class ConnectFour:
    """A column is seven bits, the highest always empty, so that a shift never wraps into the next column."""

    COLUMN = 7
    FULL = tuple(column * 7 + 6 for column in range(7))

    __slots__ = ("mine", "options", "over", "seat", "theirs", "tops", "winner")

    def __init__(self) -> None:
        self.mine = self.theirs = 0
        self.seat = 1
        self.tops = [0, 7, 14, 21, 28, 35, 42]
        self.options = [0, 1, 2, 3, 4, 5, 6]
        self.over = False
        self.winner = 0

    def apply(self, index: int) -> None:
        column = self.options[index]
        top = self.tops[column]
        mine = self.mine | 1 << top
        upright = mine & mine >> 1
        level = mine & mine >> 7
        rising = mine & mine >> 8
        falling = mine & mine >> 6
        if upright & upright >> 2 or level & level >> 14 or rising & rising >> 16 or falling & falling >> 12:
            self.winner = self.seat
            self.over = True
            return
        top += 1
        self.tops[column] = top
        if top == self.FULL[column]:
            del self.options[index]
            if not self.options:
                self.over = True
        self.mine = self.theirs
        self.theirs = mine
        self.seat = 3 - self.seat

    def fork(self) -> ConnectFour:
        twin = ConnectFour.__new__(ConnectFour)
        twin.mine, twin.theirs, twin.seat = self.mine, self.theirs, self.seat
        twin.tops, twin.options = self.tops.copy(), self.options.copy()
        twin.over, twin.winner = self.over, self.winner
        return twin


class Breakthrough:
    """Square 0 is seat 1's left corner, and seat 1 moves up; a move is a pair of squares.

    `MOVES[seat][square]` has the moves ahead of each square: straight, then slantwise.
    """

    EMPTY = 0
    MOVES = (
        (),
        *(
            tuple(
                (
                    (square, square + ahead) if 0 <= square + ahead < 64 else None,
                    tuple(
                        (square, square + ahead + side)
                        for side in (-1, 1)
                        if 0 <= square + ahead < 64 and 0 <= square % 8 + side < 8
                    ),
                )
                for square in range(64)
            )
            for ahead in (8, -8)
        ),
    )
    FAR_ROW = (frozenset(), frozenset(range(56, 64)), frozenset(range(8)))

    __slots__ = ("board", "men", "options", "over", "seat", "winner")

    def __init__(self) -> None:
        self.board = [1] * 16 + [0] * 32 + [2] * 16
        self.men = [[], list(range(16)), list(range(48, 64))]
        self.seat = 1
        self.over = False
        self.winner = 0
        self.list_options()

    def list_options(self) -> None:
        board = self.board
        seat = self.seat
        moves = self.MOVES[seat]
        options = []
        for square in self.men[seat]:
            straight, slantwise = moves[square]
            if not board[straight[1]]:
                options.append(straight)
            for move in slantwise:
                if board[move[1]] != seat:
                    options.append(move)
        self.options = options

    def apply(self, index: int) -> None:
        origin, target = self.options[index]
        board = self.board
        seat = self.seat
        men = self.men[seat]
        rivals = self.men[3 - seat]
        if board[target]:
            rivals.remove(target)
        board[origin] = 0
        board[target] = seat
        men[men.index(origin)] = target
        if target in self.FAR_ROW[seat] or not rivals:
            self.winner = seat
            self.over = True
            return
        self.seat = 3 - seat
        self.list_options()

    def fork(self) -> Breakthrough:
        twin = Breakthrough.__new__(Breakthrough)
        twin.board, twin.men = self.board.copy(), [men.copy() for men in self.men]
        twin.seat, twin.over, twin.winner = self.seat, self.over, self.winner
        twin.options = self.options
        return twin


GAMES = {"tic_tac_toe": TicTacToe, "connect_four": ConnectFour, "breakthrough": Breakthrough}
