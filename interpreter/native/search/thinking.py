"""A decision of `greedy` or `mcts`, thought over in machine code: the same choice as that of the Python players.

What a seat knows comes from Python (players/worlds.py), once a decision; worlds, look-ahead and
tree are one call. Where machine code has no form for something, the Python player thinks instead.
"""

from __future__ import annotations

import ctypes
from math import lcm
from threading import local

from ...core.errors import PlayError, UsageError
from ...play.engine import Engine
from ...play.match import Match
from ...play.rivalry import rivals
from ...players.mcts import MOST_NODES, Found, Settings, duel, logarithms
from ...players.worlds import Worlds
from ..conversion import NoRoom
from ..engine import NativeEngine
from ..states import NativeState
from .description import described
from .desk import MOST_BLOCKS, MOST_PLAYERS, MOST_TALKS, OWN_CHOICES, Desk

FULL = 21  # trouble: the tree has no room left
NODES_AT_FIRST = 20_000
MOST_ROOM = MOST_NODES + 100_000


class Thinker:
    """For one native engine; `None` as an answer means that Python has to think."""

    def __init__(self, native: NativeEngine) -> None:
        self.native = native
        self.functions = native.search
        self.desks = local()
        self.shape = native.shape
        self.engine = native.engine

    # ------------------------------------------------------------ the two kinds
    def greedy(self, worlds: Worlds, seat: int, start: int, trials: int) -> int | None:
        desk = self._desk(NODES_AT_FIRST)
        if not self._prepare(desk, worlds, seat, start, trials):
            return None
        choice = self.functions.choose_greedily(desk.address)
        return None if desk.word("TROUBLE") else choice

    def negotiate(self, worlds: Worlds, seat: int, start: int) -> int | None:
        """What is said in a negotiation (players/agreements.py)."""
        desk = self._desk(NODES_AT_FIRST)
        if not self._prepare(desk, worlds, seat, start, 0):
            return None
        choice = self.functions.negotiate(desk.address)
        return None if desk.word("TROUBLE") else choice

    def totals(self, worlds: Worlds, seat: int, start: int, trials: int) -> list[int] | None:
        """Of the look-ahead, for each option of the state."""
        if self.greedy(worlds, seat, start, trials) is None:
            return None
        return self._desk(NODES_AT_FIRST).words("TOTALS_AT", len(worlds.match.state.options))

    def mcts(
        self, worlds: Worlds, seat: int, start: int, trials: int, budget: int, settings: Settings
    ) -> Found | None:
        nodes = NODES_AT_FIRST
        while True:
            desk = self._desk(nodes)
            if not self._prepare(desk, worlds, seat, start, trials):
                return None
            desk.put("BUDGET", budget)
            put_settings(desk, settings)
            self.functions.search_tree(desk.address)
            trouble = desk.word("TROUBLE")
            if trouble != FULL:
                break
            if desk.nodes >= MOST_ROOM:
                return None
            nodes = min(8 * desk.nodes, MOST_ROOM)  # the same again, with more room: it comes to the same
        if trouble:
            return None
        count = len(worlds.match.state.options)
        tree = desk.words("TREE_AT", 10 * count)
        return Found(tree[::10], tree[1::10], desk.halves("ARMS_AT", count))

    # ------------------------------------------------------------ the desk
    def _desk(self, nodes: int) -> Desk:
        """One for each thread."""
        desk: Desk | None = getattr(self.desks, "desk", None)
        if desk is None or desk.nodes < nodes:
            desk = self.desks.desk = Desk(self.shape.memory.size, nodes)
            furnish(desk, self.engine, self.shape.players)
        return desk

    def _prepare(self, desk: Desk, worlds: Worlds, seat: int, start: int, trials: int) -> bool:
        if self.shape.players > MOST_PLAYERS or max(self.engine.points, default=0) >= MOST_BLOCKS:
            return False
        if len(self.engine.talks) > MOST_TALKS:
            return False
        match = worlds.match
        if match.opening is not None and (worlds.base.player < 0 or worlds.base.pc not in self.shape.askers):
            return False
        try:
            words, weights = described(worlds, self.shape)
            true = self.native.to_native(match.state)
            base = true if match.opening is None else self.native.to_native(worlds.base)
            mine = [] if match.opening is None else self._own_choices(match, worlds)
        except NoRoom:
            return False
        self._put_state(desk, 0, base)
        self._put_state(desk, 1, true)
        desk.put_halves("DESCRIPTION_AT", words)
        desk.put_reals("WEIGHTS_OF_DEAL_AT", weights)
        desk.put_words("MINE_AT", mine)
        desk.put("OWN", len(mine))
        desk.put("SEAT", seat)
        desk.put("START", start - (1 << 64) if start >> 63 else start)
        desk.put("TRIALS", trials)
        desk.put("TROUBLE", 0)
        desk.put("BEHIND_SEAL", int(match.opening is not None))
        desk.put("ASKER", self.shape.askers.get(worlds.base.pc, -1))
        return True

    def _put_state(self, desk: Desk, number: int, state: NativeState) -> None:
        at = desk.address + desk.places["STATES_AT"] + number * self.shape.memory.size
        ctypes.memmove(at, state.address, self.shape.memory.size)

    def _own_choices(self, match: Match, worlds: Worlds) -> list[int]:
        """What the seat has chosen behind the seal, as values of options: the log has only their names."""
        again = Match(match.game, worlds.copy(worlds.base), seed=0, ask_chance=True, check=False)
        again.state.auto = False
        mine = []
        try:
            for entry in match.log[worlds.done :]:
                if entry[0] == "choose" and entry[1] == worlds.seat + 1:
                    mine.append(again.offered[again.index_in_log(entry[2])])
                again.replay_one(entry)
        except (UsageError, PlayError):
            raise NoRoom("another course behind the seal") from None
        if len(mine) > OWN_CHOICES or not all(isinstance(value, int) for value in mine):
            raise NoRoom("choices behind a seal")
        return mine


def furnish(desk: Desk, engine: Engine, players: int) -> None:
    """What is the same for all decisions."""
    seats, against = range(players), rivals(engine.layout)
    partners = [[q for q in seats if q not in against[p]] for p in seats]
    desk.put_words("PARTS_AT", [2 * len(against[p] or partners[p]) for p in seats])
    desk.put_words("RIVALS_AT", [sum(1 << q for q in some) for some in (*against, *partners)])
    desk.put_reals("LOGARITHMS_AT", logarithms())
    secret = bytearray(MOST_BLOCKS)
    for pc, point in engine.points.items():
        secret[pc] = bool(point.private or point.sealed)
    desk.put_bytes("SECRETS_AT", bytes(secret))
    desk.put("PLAIN", int(duel(engine)))
    parts = [2 * len(against[p] or partners[p]) for p in seats]
    desk.put_words("WEIGHTS_OF_GAINS_AT", [lcm(*parts) // own for own in parts])
    where = [-1] * MOST_BLOCKS
    records: list[int] = []
    for pc, talk in engine.talks.items():
        where[pc] = len(records) // 8
        accepts, proposes = (sum(1 << n for n in cases) for cases in (talk.accepts, talk.proposes))
        records += [talk.region, talk.kind, talk.count, talk.backs, accepts, proposes, talk.idle, 0]
    desk.put_halves("TALK_OF_AT", where)
    desk.put_halves("TALKS_AT", records)


def put_settings(desk: Desk, settings: Settings) -> None:
    desk.put("TURNS", settings.turns)
    desk.put("DEPTH_OF_TREE", settings.depth)
    desk.put("PATIENCE", settings.patience)
    desk.put_real("EXPLORATION", settings.exploration)
    desk.put_real("PRIOR_WEIGHT", settings.prior)
