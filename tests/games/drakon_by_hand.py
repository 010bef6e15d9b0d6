"""Drakon once more, written straight from the rulebook, as a generator that says what it asks.

It shares nothing with the spec but the names under which questions are asked. A
question is `Ask(player, name, options)`, a draw is `Chance(outcomes)`; the answer
is sent back. `Over` ends it. Nested effects are nested generators.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable
from typing import Any, NamedTuple

SIDES = "NESW"
STEPS = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}
TURNS = ("r0", "r90", "r180", "r270")
HEROES = ("amazon", "barbarian", "dwarf", "knight", "thief", "wizard")
WORTH = {"one": 1, "two": 2, "three": 3}
ONE_TO_THREE = ("N", "NS", "NE", "NEW")
MIX: dict[str, dict[str, int]] = {
    "start": {"NES": 1},
    "blank": {"N": 3, "NS": 2, "NE": 3, "NEW": 4},
    "find_a_coin": {"N": 3, "NS": 2, "NE": 3, "NEW": 2},
    "lose_a_gold": dict.fromkeys(ONE_TO_THREE, 1),
    "steal_clockwise": dict.fromkeys(ONE_TO_THREE, 1),
    "steal_counterclockwise": dict.fromkeys(ONE_TO_THREE, 1),
    "destroy_a_chamber": dict.fromkeys(ONE_TO_THREE, 1),
    "drakon_moves": dict.fromkeys(ONE_TO_THREE, 1),
    "escape": {"NE": 1, "NEW": 1},
    "floating_room": {"NS": 1, "NEW": 1},
    "magic_harp": {"NS": 1, "NE": 1},
    "magical_shift": {"N": 1, "NS": 1, "NE": 1},
    "map_chamber": {"N": 1, "NE": 1, "NEW": 1},
    "master_key": {"": 3},
    "mind_control": dict.fromkeys(ONE_TO_THREE, 1),
    "rotate_a_chamber": dict.fromkeys(ONE_TO_THREE, 1),
    "strong_wind": {"NS": 1, "NE": 1, "NEW": 1},
    "teleport": {"": 3},
}
CHAMBERS = [
    (effect, arrows) for effect, counts in MIX.items() for arrows, n in counts.items() for _ in range(n)
]
EFFECT = {f"Chamber#{number}": effect for number, (effect, _) in enumerate(CHAMBERS, 1)}
ARROWS = {f"Chamber#{number}": arrows for number, (_, arrows) in enumerate(CHAMBERS, 1)}
ORDER = {name: number for number, name in enumerate(EFFECT)}
START = "Chamber#1"
Space = tuple[int, int]


class Ask(NamedTuple):
    player: int
    name: str
    options: list[Any]


class Chance(NamedTuple):
    outcomes: dict[Any, int]


class Over(Exception):
    def __init__(self, winners: Iterable[int], reason: str) -> None:
        super().__init__(reason)
        self.winners = frozenset(winners)
        self.reason = reason


Play = Generator[Ask | Chance, Any, Any]


def turned(arrows: str, turn: str) -> frozenset[str]:
    return frozenset(SIDES[(SIDES.index(a) + TURNS.index(turn)) % 4] for a in arrows)


def opposite(side: str) -> str:
    return SIDES[(SIDES.index(side) + 2) % 4]


def one_of_each(chambers: Iterable[str]) -> list[str]:
    """Copies that look the same count as one; the first stands for all."""
    seen: dict[tuple[str, str], str] = {}
    for name in sorted(chambers, key=ORDER.__getitem__):
        seen.setdefault((EFFECT[name], ARROWS[name]), name)
    return list(seen.values())


class Drakon:
    def __init__(self, players: int, variants: Iterable[str] = (), *, turn_limit: int) -> None:
        chosen = set(variants)
        self.seats = list(range(1, players + 1))
        self.with_heroes = "heroes" in chosen
        self.escaping, self.fixed = "escape" in chosen, "fixed_gold" in chosen
        half = players // 2
        self.side = {
            p: {q for q in self.seats if "teams" in chosen and q % half == p % half} | {p} for p in self.seats
        }
        self.goal = 20 if "teams" in chosen else 8 if self.escaping else 5 if self.fixed else 10
        self.turn_limit = turn_limit
        self.lair: dict[Space, str] = {(0, 0): START}
        self.turn_of = {START: "r0"}
        self.pile = set(EFFECT) - {START}
        self.under: list[str] = []  # seen at the bottom of the pile, in the order of drawing
        self.hands: dict[int, set[str]] = {p: set() for p in self.seats}
        purses = {min(self.side[p]): Counter[str]() for p in self.seats}
        self.purse = {p: purses[min(self.side[p])] for p in self.seats}
        self.hoard = Counter({"one": 10, "two": 9, "three": 9})
        self.on: dict[int, str] = {}
        self.drakon: str | None = None
        self.role: dict[int, str] = {}
        self.used: set[int] = set()
        self.declined: set[int] = set()
        self.acted: set[tuple[int, str]] = set()
        self.met: set[int] = set()
        self.turns = self.quiet = self.bare = 0
        self.coin_moved = False

    # ------------------------------------------------------------ the table
    def where(self, chamber: str) -> Space:
        return next(space for space, name in self.lair.items() if name == chamber)

    def beyond(self, chamber: str, side: str) -> str | None:
        (x, y), (dx, dy) = self.where(chamber), STEPS[side]
        return self.lair.get((x + dx, y + dy))

    def exits(self, chamber: str) -> frozenset[str]:
        return turned(ARROWS[chamber], self.turn_of[chamber])

    def free_spaces(self, lifted: str | None = None) -> list[Space]:
        taken = {space for space, name in self.lair.items() if name != lifted}
        return sorted({(x + dx, y + dy) for x, y in taken for dx, dy in STEPS.values()} - taken)

    def fitting_turns(self, chamber: str, space: Space) -> list[str]:
        looks: dict[frozenset[str], str] = {}
        for turn in TURNS:
            arrows = turned(ARROWS[chamber], turn)
            if all(self._no_clash(chamber, space, side) for side in arrows):
                looks.setdefault(arrows, turn)
        return list(looks.values())

    def _no_clash(self, chamber: str, space: Space, side: str) -> bool:
        dx, dy = STEPS[side]
        other = self.lair.get((space[0] + dx, space[1] + dy))
        return other is None or other == chamber or opposite(side) not in self.exits(other)

    def empty_of_heroes(self) -> list[str]:
        return [c for c in self.lair.values() if c not in self.on.values()]

    def removable(self) -> list[str]:
        return [c for c in self.empty_of_heroes() if c not in (START, self.drakon)]

    def rivals(self, p: int) -> list[int]:
        return [q for q in self.seats if q not in self.side[p]]

    # ------------------------------------------------------------ where a hero may go
    def ends(self, p: int, *, wizard: bool = False) -> set[str]:
        here = self.on[p]
        if EFFECT[here] == "teleport":
            return set(self.lair.values()) - {here}
        any_door = wizard or EFFECT[here] == "master_key"
        first = self._steps(here, self.exits(here), any_door)
        if EFFECT[here] != "strong_wind":
            return first
        return {end for passed in first for end in self._steps(passed, self._passing(passed), False)}

    def _steps(self, chamber: str, arrows: Iterable[str], any_door: bool) -> set[str]:
        ahead = {x for side in arrows if (x := self.beyond(chamber, side))}
        harps = {x for x in ahead if EFFECT[x] == "magic_harp"}
        if harps:
            return harps
        return {x for side in SIDES if (x := self.beyond(chamber, side))} if any_door else ahead

    def _passing(self, chamber: str) -> set[str]:
        if EFFECT[chamber] not in ("teleport", "master_key"):
            return set(self.exits(chamber))
        return {s for s in SIDES if (x := self.beyond(chamber, s)) and opposite(s) not in self.exits(x)}

    def can_place(self, p: int) -> bool:
        return any(self.fitting_turns(c, s) for c in self.hands[p] for s in self.free_spaces())

    def stuck(self, p: int) -> bool:
        if self.can_place(p) or self.ends(p):
            return False
        helped = self.with_heroes and p not in self.used and p not in self.declined
        by_dwarf = self.role[p] == "dwarf" and bool(self.pile or self.under)
        return not (helped and (by_dwarf or (self.role[p] == "wizard" and bool(self.ends(p, wizard=True)))))

    # ------------------------------------------------------------ coins
    def wealth(self, p: int) -> int:
        return sum(n * (1 if self.fixed else WORTH[k]) for k, n in self.purse[p].items())

    def coin(self, source: Counter[str], dest: Counter[str], *, judge: bool = True) -> Play:
        if sum(source.values()) == 0:
            return
        kind = yield Chance({k: n for k, n in source.items() if n})
        source[kind] -= 1
        dest[kind] += 1
        self.coin_moved = True
        if judge:
            self.judge()

    def judge(self) -> None:
        if not self.escaping:
            for p in self.seats:
                if self.wealth(p) >= self.goal:
                    raise Over(self.side[p], "free")

    def coin_lost(self, p: int, dest: Counter[str]) -> Play:
        if self.with_heroes and self.role[p] == "knight" and p not in self.used and self.purse[p].total():
            answer = yield Ask(p, "offer", ["the Knight keeps the coin", "no"])
            if answer != "no":
                self.used.add(p)
                return
        yield from self.coin(self.purse[p], dest)

    def most_wealth(self, reason: str) -> Over:
        best = max(self.wealth(p) for p in self.seats)
        return Over({p for p in self.seats if self.wealth(p) == best}, reason)

    # ------------------------------------------------------------ the pile
    def draw(self, p: int) -> Play:
        if self.pile:
            weights = Counter((EFFECT[c], ARROWS[c]) for c in self.pile)
            got = yield Chance({c: weights[EFFECT[c], ARROWS[c]] for c in one_of_each(self.pile)})
            self.pile.discard(got)
        elif self.under:
            got = yield Chance({self.under[0]: 1})
            self.under.remove(got)
        else:
            return
        self.hands[p].add(got)

    def take_chamber(self, taker: int, victim: int) -> Play:
        hand = self.hands[victim]
        if hand:
            weights = Counter((EFFECT[c], ARROWS[c]) for c in hand)
            got = yield Chance({c: weights[EFFECT[c], ARROWS[c]] for c in one_of_each(hand)})
            hand.discard(got)
            self.hands[taker].add(got)

    # ------------------------------------------------------------ the course of the game
    def play(self) -> Play:
        for p in self.seats:
            for _ in range(4):
                yield from self.draw(p)
        for p in self.seats:
            left = [h for h in HEROES if h not in self.role.values()]
            question = Chance(dict.fromkeys(left, 1)) if self.with_heroes else Ask(p, "h", left)
            self.role[p] = yield question
            self.on[p] = START
        p = yield Chance(dict.fromkeys(self.seats, 1))
        while True:
            if all(self.stuck(q) for q in self.seats):
                raise self.most_wealth("nobody_can_act")
            if self.turns >= self.turn_limit:
                raise Over((), "unfinished")
            if not self.stuck(p):
                self.turns += 1
                yield from self.turn(p)
                self.acted.clear()
                self.met.clear()
                self.coin_moved = False
            p = p % len(self.seats) + 1

    def turn(self, p: int) -> Play:
        bare = not any(self.hands.values())
        helped = p not in self.used
        if self.with_heroes:
            yield from self.ability(p)
        helped = helped and p in self.used
        normal = self.can_place(p) or bool(self.ends(p))
        options = [name for name, can in self.actions(p) if can]
        if normal or not helped:  # else an ability has left nothing to do
            answer = "no"
            if normal:
                answer = yield Ask(p, "offer", options)
            elif options:
                answer = yield Ask(p, "offer", [*options, "no"])
            if answer == "no":
                self.declined.add(p)
                return
            yield from self.action(p, answer)
            self.declined.clear()
        if self.with_heroes:
            yield from self.ability(p)
        yield from self.drakon_feeds(p)
        empty = bare and not any(self.hands.values())
        self.bare = self.bare + 1 if empty else 0
        self.quiet = self.quiet + 1 if empty and not self.coin_moved else 0
        if self.quiet >= 10 * len(self.seats):
            raise self.most_wealth("nothing_happens")
        if self.bare >= 50 * len(self.seats):
            raise self.most_wealth("long_enough")

    def actions(self, p: int) -> list[tuple[str, bool]]:
        magic = self.with_heroes and self.role[p] == "wizard" and p not in self.used
        more = magic and bool(self.ends(p, wizard=True) - self.ends(p))
        return [("place_chamber", self.can_place(p)), ("move_hero", bool(self.ends(p))), ("wizard", more)]

    def action(self, p: int, name: str) -> Play:
        if name == "place_chamber":
            able = [c for c in self.hands[p] if any(self.fitting_turns(c, s) for s in self.free_spaces())]
            c = yield Ask(p, "c", one_of_each(able))
            s = yield Ask(p, "s", [s for s in self.free_spaces() if self.fitting_turns(c, s)])
            r = yield Ask(p, "r", self.fitting_turns(c, s))
            yield from self.put(p, c, s, r)
            yield from self.draw(p)
            return
        ends = self.ends(p)
        if name == "wizard":
            ends = self.ends(p, wizard=True) - ends
        x = yield Ask(p, "x", list(ends))
        if name == "wizard":
            self.used.add(p)
        yield from self.enter(p, x)

    def put(self, p: int, c: str, s: Space, r: str) -> Play:
        self.hands[p].discard(c)
        self.lair[s] = c
        self.turn_of[c] = r
        if EFFECT[c] == "drakon_moves" and self.drakon is None:
            self.drakon = yield Ask(p, "x", self.empty_of_heroes())
        if EFFECT[c] == "escape":
            answer = yield Ask(p, "offer", ["put your hero on it", "no"])
            if answer != "no":
                self.on[p] = c
                self.arrived(p)

    def arrived(self, p: int) -> None:
        if self.escaping and EFFECT[self.on[p]] in ("escape", "teleport") and self.wealth(p) >= self.goal:
            raise Over(self.side[p], "escaped")

    def enter(self, p: int, c: str) -> Play:
        self.on[p] = c
        if c == self.drakon:
            self.met.add(p)
            self.on[p] = START
            yield from self.coin(self.purse[p], self.hoard)
            return
        if (p, c) not in self.acted:
            self.acted.add((p, c))
            act = getattr(self, f"act_{EFFECT[c]}", None)
            if act is not None:
                yield from act(p, c)
        if self.on[p] == c:
            self.arrived(p)

    def drakon_feeds(self, active: int) -> Play:
        order = self.seats[active - 1 :] + self.seats[: active - 1]
        for q in [q for q in order if self.on[q] == self.drakon]:
            self.on[q] = START
            if q not in self.met:
                yield from self.coin(self.purse[q], self.hoard)

    # ------------------------------------------------------------ chambers
    def act_destroy_a_chamber(self, p: int, c: str) -> Play:
        if self.removable():
            x = yield Ask(p, "x", self.removable())
            del self.lair[self.where(x)]
            self.under.append(x)

    def act_drakon_moves(self, p: int, c: str) -> Play:
        assert self.drakon is not None
        reach = {self.drakon}
        for _ in range(3):
            reach |= {x for r in reach for side in SIDES if (x := self.beyond(r, side))}
        self.drakon = yield Ask(p, "x", list(reach))

    def act_find_a_coin(self, p: int, c: str) -> Play:
        yield from self.coin(self.hoard, self.purse[p])

    def act_lose_a_gold(self, p: int, c: str) -> Play:
        yield from self.coin_lost(p, self.hoard)

    def act_steal_clockwise(self, p: int, c: str) -> Play:
        yield from self.coin_lost(p % len(self.seats) + 1, self.purse[p])

    def act_steal_counterclockwise(self, p: int, c: str) -> Play:
        yield from self.coin_lost((p - 2) % len(self.seats) + 1, self.purse[p])

    def act_floating_room(self, p: int, c: str) -> Play:
        spaces = [s for s in self.free_spaces(c) if s != self.where(c) and self.fitting_turns(c, s)]
        if not spaces or (yield Ask(p, "offer", ["float", "no"])) == "no":
            return
        s = yield Ask(p, "s", spaces)
        r = yield Ask(p, "r", self.fitting_turns(c, s))
        del self.lair[self.where(c)]
        self.lair[s] = c
        self.turn_of[c] = r

    def act_magical_shift(self, p: int, c: str) -> Play:
        pairs = [
            (h, x) for h in self.hands[p] for x in self.removable() if self.fitting_turns(h, self.where(x))
        ]
        if not pairs or (yield Ask(p, "offer", ["shift_chamber", "no"])) == "no":
            return
        new = yield Ask(p, "c", one_of_each(h for h, _ in pairs))
        old = yield Ask(p, "x", [x for h, x in pairs if h == new])
        space = self.where(old)
        r = yield Ask(p, "r", self.fitting_turns(new, space))
        self.hands[p].add(old)
        yield from self.put(p, new, space, r)

    def act_map_chamber(self, p: int, c: str) -> Play:
        able = [q for q in self.rivals(p) if self.hands[q]]
        if able:
            q = yield Ask(p, "q", able)
            yield from self.take_chamber(p, q)

    def act_mind_control(self, p: int, c: str) -> Play:
        able = [q for q in self.rivals(p) if self.ends(q)]
        if able:
            q = yield Ask(p, "q", able)
            x = yield Ask(p, "x", list(self.ends(q)))
            yield from self.enter(q, x)

    def act_rotate_a_chamber(self, p: int, c: str) -> Play:
        turns = {x: self._other_turns(x, s) for s, x in self.lair.items()}
        able = [x for x, found in turns.items() if found]
        if able:
            x = yield Ask(p, "x", able)
            self.turn_of[x] = yield Ask(p, "r", turns[x])

    def _other_turns(self, chamber: str, space: Space) -> list[str]:
        """Three ways to turn it; of those that look alike, the first."""
        looks: dict[frozenset[str], str] = {}
        for turn in TURNS:
            arrows = turned(ARROWS[chamber], turn)
            if turn != self.turn_of[chamber] and all(self._no_clash(chamber, space, side) for side in arrows):
                looks.setdefault(arrows, turn)
        return list(looks.values())

    # ------------------------------------------------------------ abilities
    def ability(self, p: int) -> Play:
        role, here = self.role[p], self.on[p]
        if p in self.used:
            return
        near = [q for q in self.rivals(p) if self.on[q] == here]
        shoved = [q for q in near if self.ends(q)]
        robbed = [q for q in near if self.purse[q].total()]
        owned = [k for k, n in self.purse[p].items() if n]
        possible = {
            "amazon": role == "amazon" and bool(self.ends(p)),
            "barbarian": role == "barbarian" and bool(shoved),
            "dwarf": role == "dwarf",
            "thief_steals": role == "thief" and bool(robbed),
            "thief_swaps": role == "thief" and bool(owned) and bool(self.hoard.total()),
        }
        names = [name for name, can in possible.items() if can]
        if not names:
            return
        answer = yield Ask(p, "offer", [*names, "no"])
        if answer == "no":
            return
        if answer == "amazon":
            x = yield Ask(p, "x", list(self.ends(p)))
            self.used.add(p)
            yield from self.enter(p, x)
        elif answer == "barbarian":
            q = yield Ask(p, "q", shoved)
            x = yield Ask(p, "x", list(self.ends(q)))
            self.used.add(p)
            yield from self.enter(q, x)
            yield from self.take_chamber(p, q)
        elif answer == "dwarf":
            self.used.add(p)
            yield from self.dwarf(p)
        elif answer == "thief_steals":
            q = yield Ask(p, "q", robbed)
            self.used.add(p)
            yield from self.coin_lost(q, self.purse[p])
        else:
            k = yield Ask(p, "k", owned)
            self.used.add(p)
            yield from self.coin(self.hoard, self.purse[p], judge=False)
            self.purse[p][k] -= 1
            self.hoard[k] += 1
            self.judge()

    def dwarf(self, p: int) -> Play:
        hand = self.hands[p]
        had = len(hand)
        for _ in range(had):
            if (yield Ask(p, "offer", ["discard_chamber", "no"])) == "no":
                break
            c = yield Ask(p, "c", one_of_each(hand))
            hand.discard(c)
            self.under.append(c)
        for _ in range(had - len(hand)):
            yield from self.draw(p)
        left = len(self.pile) + len(self.under)
        if len(hand) < 4 and left:
            n = yield Ask(p, "n", list(range(min(4 - len(hand), left) + 1)))
            for _ in range(n):
                yield from self.draw(p)
