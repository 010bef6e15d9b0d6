"""Series of games between bots, played whole in machine code: the rows are those of lab/playing.py.

A game is a unit of work: what it comes to depends on its seed and its seats alone, so it does not matter how many threads
play. Every thread has a room of its own: a state, the books of the seats, and a desk to think at. A game that
machine code has trouble with is left to Python as a whole.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import local

from ...core.errors import NotNative
from ...players.mcts import Settings
from ..engine import ROW, NativeEngine, Row
from ..states import NativeState
from .books import BookPlan, Books, NoBooks
from .desk import Desk
from .thinking import FULL, MOST_ROOM, furnish, put_settings

AT_RANDOM, GREEDY = -1, 0
"""Who plays a seat; a larger number is a budget of iterations."""
NODES = 20_000


class Room:
    """What one thread plays in."""

    def __init__(self, native: NativeEngine, plan: BookPlan, nodes: int) -> None:
        self.state = NativeState(native.shape)
        self.books = Books(plan, native.shape, native.search.reports)
        self.desk = Desk(native.shape.memory.size, nodes)
        furnish(self.desk, native.engine, native.shape.players)
        put_settings(self.desk, Settings())


class ThinkingSeries:
    """For one native engine; raises `NotNative` if its machine code keeps no books."""

    def __init__(self, native: NativeEngine) -> None:
        if native.shape.no_books:
            raise NotNative(f"{native.shape.no_books}: what a seat knows is worked out in Python")
        self.native = native
        assert native.search.plan is not None
        self.plan = native.search.plan
        try:
            Books(self.plan, native.shape, native.search.reports)
        except NoBooks as problem:
            raise NotNative(str(problem)) from None
        self.game = native.search.thinking_game
        self.rooms = local()

    def play_many(
        self, games: Sequence[tuple[int, Sequence[int]]], limit: int, *, lead: bool, threads: int = 1
    ) -> list[Row]:
        """For each game, a seed and who plays the seats, its row; one with `trouble` is for Python to play."""
        if threads < 2 or len(games) < 2:
            return [self.play(seed, seats, limit, lead=lead) for seed, seats in games]
        with ThreadPoolExecutor(threads) as pool:
            return list(pool.map(lambda game: self.play(game[0], game[1], limit, lead=lead), games))

    def play(self, seed: int, seats: Sequence[int], limit: int, *, lead: bool) -> Row:
        nodes = NODES
        while True:
            row = self._play(self._room(nodes), seed, seats, limit, lead)
            if row.trouble != FULL or nodes >= MOST_ROOM:
                return row
            nodes = min(8 * nodes, MOST_ROOM)  # the same again, with more room for the tree

    def _room(self, nodes: int) -> Room:
        room: Room | None = getattr(self.rooms, "room", None)
        if room is None or room.desk.nodes < nodes:
            room = self.rooms.room = Room(self.native, self.plan, nodes)
        return room

    def _play(self, room: Room, seed: int, seats: Sequence[int], limit: int, lead: bool) -> Row:
        players = self.native.shape.players
        row = (ctypes.c_int64 * (ROW + players))()
        words = (ctypes.c_int64 * (3 * players + 2))(*seats)
        self.game(
            room.desk.address,
            room.books.address,
            room.state.address,
            self.native.first.address,
            seed,
            limit,
            int(lead and self.native.shape.scored),
            ctypes.addressof(row),
            ctypes.addressof(words),
        )
        return self.native.row(list(row))
