"""Dragon Keeper once more, by hand and apart from the spec: what the spec is compared with.

`play` is a generator. It yields who is asked and the keys of the legal options,
takes the key that was chosen, and returns winners and scores. Chance comes from
outside: `drawn` gives the guilds, the first player and the tiles, in that order.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Any

COLOURS = ("red", "yellow", "green", "blue", "purple")
GUILDS = COLOURS[1:]
RED = [(1, "staircase", 2), (2, None, 3), (3, None, 4), (4, None, 3), (5, None, 2), (6, None, 1)]
OTHERS = [
    (1, None, 4), (1, "secret_passage", 1), (2, None, 3), (2, "release", 1), (3, None, 2),
    (3, "prisoner_exchange", 1), (4, None, 1), (4, "remote_trap", 1), (5, None, 1),
]  # fmt: skip

Key = tuple[str, Any]
Ask = tuple[int, set[Key]]
Asking = Generator[Ask, Key, Any]
Space = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Tile:
    name: str
    colour: str
    value: int
    special: str | None


def tiles() -> dict[str, Tile]:
    """All 75 by name, numbered as the rows of the spec's table lie."""
    kinds = [("red", *row) for row in RED]
    kinds += [(colour, *row) for row in OTHERS for colour in GUILDS]
    out: dict[str, Tile] = {}
    for colour, value, special, count in kinds:
        for _ in range(count):
            name = f"Adventurer#{len(out) + 1}"
            out[name] = Tile(name, colour, value, special)
    return out


TILES = tiles()


@dataclass
class Player:
    seat: int
    guild: str
    treasures: int = 4
    alive: bool = True
    stacks: dict[str, list[Tile]] = field(default_factory=lambda: {c: [] for c in COLOURS})

    def add(self, tile: Tile) -> None:
        self.stacks[tile.colour].append(tile)

    @property
    def tiles(self) -> list[Tile]:
        return [tile for stack in self.stacks.values() for tile in stack]

    @property
    def highest(self) -> set[Key]:
        height = max(map(len, self.stacks.values()))
        return {("", c) for c, stack in self.stacks.items() if len(stack) == height > 0}


class LevelOver(Exception):
    pass


def offer(p: Player, action: str) -> Asking:
    """Does the player make use of an action?"""
    chosen = yield p.seat, {("offer", action), ("offer", "no")}
    return chosen == ("offer", action)


class Keeper:
    def __init__(self, players: int, drawn: Callable[[], Any], last_toll: bool) -> None:
        self.drawn = drawn
        self.last_toll = last_toll
        names = {f"Guild#{i + 1}": colour for i, colour in enumerate(GUILDS)}
        self.players = [Player(seat, names[drawn()]) for seat in range(1, players + 1)]
        self.first: int = drawn()
        self.stock = 24 - 4 * players
        self.stairs = [tile for tile in TILES.values() if tile.special == "staircase"]
        self.board: dict[Space, Tile] = {}
        self.dragon = (3, 3)
        self.taker = 0

    @property
    def survivors(self) -> list[Player]:
        return [p for p in self.players if p.alive]

    def play(self) -> Asking:
        for level in (1, 2, 3):
            stairs = yield from self.level(level)
            if level < 3 or self.last_toll:
                self.pay_toll()
            if not self.survivors or (len(self.survivors) == 1 and level < 3):
                return self.result({p.seat for p in self.survivors})
            holders = [p.seat for p in self.players if stairs in p.tiles]
            self.first = holders[0] if holders else self.taker
        for p in self.survivors:
            yield from self.tribute(p)
        for p in self.survivors:
            yield from self.releases(p)
        best = max(self.score(p) for p in self.survivors)
        return self.result({p.seat for p in self.survivors if self.score(p) == best})

    def level(self, level: int) -> Asking:
        stairs = self.stairs.pop() if level < 3 else None
        spaces = [(x, y) for y in range(1, 6) for x in range(1, 6)]
        self.board = {s: stairs if stairs and s == (3, 3) else TILES[self.drawn()] for s in spaces}
        self.dragon = (3, 3)
        seat = self.first
        try:
            while True:
                player = self.players[seat - 1]
                if player.alive:
                    yield from self.turn(player)
                seat = seat % len(self.players) + 1
        except LevelOver:
            return stairs

    # ------------------------------------------------------------ a turn
    def turn(self, me: Player) -> Asking:
        mine = yield from self.fly(me, along=1)
        yield from self.take(me, mine)
        gift: Tile = yield from self.fly(me, along=0)
        seat = me.seat
        while seat == me.seat or not self.players[seat - 1].alive:
            seat = (seat - 2) % len(self.players) + 1
        self.players[seat - 1].add(gift)
        if gift.value >= 3 and self.stock:
            self.stock -= 1
            me.treasures += 1
        if mine.special == "secret_passage" and self.line(1):
            if not (yield from offer(me, "enter_passage")):
                return
            me.stacks[mine.colour].remove(mine)
            prey = yield from self.fly(me, along=1)
            yield from self.take(me, prey)

    def line(self, along: int) -> set[Key]:
        """Where the dragon can go; in a row (1) the second coordinate stays."""
        return {("s", s) for s in self.board if s[along] == self.dragon[along] and s != self.dragon}

    def fly(self, me: Player, along: int) -> Asking:
        line = self.line(along)
        if not line:
            raise LevelOver
        _, space = yield me.seat, line
        self.dragon = space
        return self.board.pop(space)

    def take(self, me: Player, tile: Tile) -> Asking:
        me.add(tile)
        self.taker = me.seat
        if tile.special == "prisoner_exchange":
            yield from self.exchange(me, tile)
        elif tile.special == "remote_trap" and self.board:
            if not (yield from offer(me, "spring_trap")):
                return
            _, space = yield me.seat, {("s", s) for s in self.board}
            me.stacks[tile.colour].remove(tile)
            me.add(self.board.pop(space))

    def exchange(self, me: Player, tile: Tile) -> Asking:
        others = {("q", p.seat) for p in self.survivors if p is not me and p.tiles}
        if not others or not (yield from offer(me, "exchange_prisoners")):
            return
        _, seat = yield me.seat, others
        other = self.players[seat - 1]
        _, colour = yield me.seat, {("c", c) for c in COLOURS if other.stacks[c]}
        me.stacks[tile.colour].remove(tile)
        prisoner = other.stacks[colour].pop()
        me.add(prisoner)
        other.add(tile)

    # ------------------------------------------------------------ paying and counting
    def pay_toll(self) -> None:
        left = len(self.board)
        toll = 0 if left == 0 else 1 if left <= 5 else 2 if left <= 8 else 3
        for p in self.survivors:
            due = toll + (p.seat == self.taker)
            p.alive = p.treasures >= due
            paid = min(due, p.treasures)
            p.treasures -= paid
            self.stock += paid

    def tribute(self, p: Player) -> Asking:
        for name in ("c", "d"):
            if not p.highest:
                return
            _, colour = yield p.seat, {(name, c) for _, c in p.highest}
            p.stacks[colour].clear()
            if colour != p.guild:
                return

    def releases(self, p: Player) -> Asking:
        while True:
            guild = p.stacks[p.guild]
            keys = [t for t in p.tiles if t.special == "release" and any(g is not t for g in guild)]
            if not keys or not (yield from offer(p, "release_adventurer")):
                return
            _, key = yield p.seat, {("r", t.name) for t in keys}
            _, freed = yield p.seat, {("t", t.name) for t in guild if t.name != key}
            for name in (key, freed):
                p.stacks[TILES[name].colour].remove(TILES[name])

    def score(self, p: Player) -> int:
        if not p.alive:
            return 0
        richest = max(q.treasures for q in self.survivors)
        points = sum(-t.value if t.colour == p.guild else t.value for t in p.tiles)
        return points + (2 if 0 < p.treasures == richest else 0)

    def result(self, winners: set[int]) -> tuple[set[int], dict[int, int]]:
        return winners, {p.seat: self.score(p) for p in self.players}


def play(players: int, drawn: Callable[[], Any], *, last_toll: bool = True) -> Asking:
    return Keeper(players, drawn, last_toll).play()
