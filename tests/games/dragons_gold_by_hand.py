"""Dragon's Gold a second time, in plain Python, to compare with: both editions and every mode.

`play` is a generator: it yields who decides and the keys of all options, and is
sent the key that was chosen. What chance brings it gets from `drawn`. The cells
of a division into heaps are yielded without options (None): what may be offered
there is the business of the tests of vectors.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator
from typing import Any

Key = tuple[Any, ...]
Asked = tuple[int, set[Key] | None]
Deciding = Generator[Asked, Key, Any]

COLOURS = ("silver", "gold", "red", "blue", "green", "purple", "yellow", "white", "black")
AMOUNTS = (35, 20, 16, 12, 12, 12, 12, 6, 1)
GEMS = ("white", "blue", "green", "yellow", "purple")
DRAGONS = [
    (5, 3, 2), (5, 5, 0), (6, 3, 3), (6, 6, 0), (6, 1, 5), (7, 4, 3), (7, 5, 2), (7, 2, 5), (7, 7, 1),
    (8, 5, 3), (8, 4, 4), (8, 0, 9), (8, 6, 1), (9, 6, 3), (9, 3, 6), (9, 8, 1), (10, 11, 0), (10, 4, 5),
]  # fmt: skip
TEAM = (("knight", 4), ("knight", 3), ("thief", 2), ("wizard", 1))
CARDS = (
    ("ring_of_confusion", 1), ("swap_powder", 1), ("trickster_stone", 1), ("light_fingers", 1), ("recall_horn", 2),
    ("banishing_scroll", 2), ("flame_blade", 2), ("scale_balm", 1), ("seers_glass", 1), ("ward_amulet", 2),
    ("haste_boots", 2), ("alchemist_flask", 1),
)  # fmt: skip
TALK_WORDS = 12
MOST_TRADED = 3


class Adventurer:
    def __init__(self, number: int, owner: int, role: str, value: int) -> None:
        self.name, self.owner, self.role, self.value = f"Adventurer#{number}", owner, role, value
        self.blade = 0


class Dragon:
    def __init__(self, number: int) -> None:
        self.name = f"Card#{number}"
        self.strength, self.known, self.hidden = DRAGONS[number - 1]
        self.hoard: Counter[str] = Counter()
        self.fighters: list[Adventurer] = []

    def party(self) -> list[int]:
        return sorted({a.owner for a in self.fighters})

    def has_wizard(self, player: int) -> bool:
        return any(a.owner == player and a.role == "wizard" for a in self.fighters)


class Player:
    def __init__(self) -> None:
        self.ready: list[Adventurer] = []
        self.spent: list[Adventurer] = []
        self.screen: Counter[str] = Counter()
        self.share: Counter[str] = Counter()
        self.magic: list[int] = []


class Over(Exception):
    pass


class Hunt:
    def __init__(
        self, players: int, drawn: Callable[[], Any], *, advanced: bool, strategic: bool, first_edition: bool
    ) -> None:
        self.drawn = drawn
        self.advanced, self.strategic, self.first_edition = advanced, strategic, first_edition
        self.size = players
        self.players = {seat: Player() for seat in range(1, players + 1)}
        self.bag = Counter(dict(zip(COLOURS, AMOUNTS, strict=True)))
        self.lair: list[Dragon] = []
        self.left_in_deck = 18
        self.objects: dict[int, str] = {}
        self.pile: list[int] = []
        self.discard: list[int] = []
        self.lost = 0
        self.active = 0

    # ------------------------------------------------------------ helpers
    def clockwise(self, first: int) -> list[int]:
        return [(first - 1 + n) % self.size + 1 for n in range(self.size)]

    def draw_tokens(self, amount: int, source: Counter[str], dest: Counter[str]) -> None:
        for _ in range(min(amount, source.total())):
            colour = self.drawn()
            assert source[colour] > 0
            source[colour] -= 1
            dest[colour] += 1

    def reveal(self) -> None:
        dragon = Dragon(int(self.drawn().removeprefix("Card#")))
        self.left_in_deck -= 1
        self.lair.append(dragon)
        self.draw_tokens(dragon.known, self.bag, dragon.hoard)

    def holds(self, player: int, name: str) -> bool:
        return any(self.objects[card] == name for card in self.players[player].magic)

    def use(self, player: int, name: str) -> None:
        card = min(c for c in self.players[player].magic if self.objects[c] == name)
        self.players[player].magic.remove(card)
        self.discard.append(card)
        self.lost = 0

    def draw_card(self, player: int) -> None:
        if not self.pile:
            self.pile, self.discard = self.discard, []
        if self.pile:
            card = int(self.drawn().removeprefix("Magic#"))
            self.pile.remove(card)
            self.players[player].magic.append(card)

    def maybe(self, player: int, names: list[str]) -> Generator[Asked, Key, str | None]:
        """One of the things that are possible, or none of them."""
        if not names:
            return None
        key = yield player, {("offer", name) for name in (*names, "no")}
        return None if key[1] == "no" else key[1]

    # ------------------------------------------------------------ the course of the game
    def play(self) -> Generator[Asked, Key, tuple[set[int], dict[int, int]]]:
        seat = self.drawn()
        number = 0
        for role, value in TEAM:
            for owner in range(1, 7):
                number += 1
                if owner <= self.size:
                    self.players[owner].ready.append(Adventurer(number, owner, role, value))
        for _ in range(4):
            self.reveal()
        if self.advanced:
            number = 0
            for name, in_2001 in CARDS:
                for _ in range(in_2001 if self.first_edition else 2):
                    number += 1
                    self.objects[number] = name
            self.pile = list(self.objects)
            for player in self.players:
                self.draw_card(player)
        try:
            while self.lost < self.size:
                self.active = seat
                yield from self.turn(seat)
                seat = seat % self.size + 1
        except Over:
            pass
        scores = {player: self.score(player) for player in self.players}
        return {p for p, points in scores.items() if points == max(scores.values())}, scores

    def turn(self, me: int) -> Deciding:
        mine = self.players[me]
        if self.advanced:
            yield from self.start_of_turn(me)
        if not mine.ready:
            mine.ready, mine.spent = mine.spent, []
        if not mine.ready:
            self.lost += 1
        else:
            yield from self.send(me)
            # the count is set back as soon as somebody is sent
        if self.advanced:
            name = yield from self.maybe(
                me, ["haste_boots"] if self.holds(me, "haste_boots") and mine.ready else []
            )
            if name:
                yield from self.send(me, name)
            yield from self.between_turns(me)

    def send(self, me: int, card: str | None = None) -> Deciding:
        mine = self.players[me]
        key = yield me, {("a", a.name) for a in mine.ready}
        adventurer = next(a for a in mine.ready if a.name == key[1])
        dragon = yield from self.choose_dragon(me, "d", self.lair)
        if card:
            self.use(me, card)
        self.lost = 0
        mine.ready.remove(adventurer)
        dragon.fighters.append(adventurer)
        balm = 0
        if self.advanced:
            for player in self.clockwise(me):
                wanted = "flame_blade" if player == me else "scale_balm"
                name = yield from self.maybe(player, [wanted] if self.holds(player, wanted) else [])
                if name:
                    self.use(player, name)
                    if player == me:
                        adventurer.blade = 2
                    else:
                        balm += 2
        yield from self.check(dragon, me, balm)

    def choose_dragon(self, me: int, name: str, dragons: list[Dragon]) -> Generator[Asked, Key, Dragon]:
        key = yield me, {(name, d.name) for d in dragons}
        return next(d for d in dragons if d.name == key[1])

    def check(self, dragon: Dragon, killer: int, balm: int = 0) -> Deciding:
        if sum(a.value + a.blade for a in dragon.fighters) >= dragon.strength + balm:
            yield from self.kill(dragon, killer)

    def kill(self, dragon: Dragon, killer: int) -> Deciding:
        self.draw_tokens(dragon.hidden, self.bag, dragon.hoard)
        wizards = [a for a in dragon.fighters if a.role == "wizard"]
        if not self.advanced and len(wizards) == 1:
            self.players[wizards[0].owner].screen["red"] += dragon.hoard.pop("red", 0)
        if dragon.hoard.total():
            yield from self.share(dragon, killer)
        yield from self.thefts(dragon)
        for adventurer in dragon.fighters:
            adventurer.blade = 0
            self.players[adventurer.owner].spent.append(adventurer)
        dragon.fighters = []
        self.lair.remove(dragon)
        if self.bag.total() and self.left_in_deck:
            self.reveal()
            if self.left_in_deck == 7:
                yield from self.market()
        if not self.lair:
            raise Over

    # ------------------------------------------------------------ sharing
    def share(self, dragon: Dragon, killer: int) -> Deciding:
        party = dragon.party()
        if len(party) == 1:
            self.players[party[0]].share = dragon.hoard
        elif self.strategic:
            yield from self.divide_and_choose(dragon, party)
        else:
            yield from self.talk(dragon, party, killer)
        dragon.hoard = Counter()
        if self.advanced:
            yield from self.rings(party, killer)
            for adventurer in dragon.fighters:
                if adventurer.role == "wizard":
                    for _ in range(self.players[adventurer.owner].share["red"]):
                        self.draw_card(adventurer.owner)
        for player in party:
            self.players[player].screen += self.players[player].share
            self.players[player].share = Counter()

    def talk(self, dragon: Dragon, party: list[int], killer: int) -> Deciding:
        plans: list[dict[tuple[int, str], int]] = []
        backs: dict[int, int | None] = dict.fromkeys(party)
        given_up = dict.fromkeys(party, False)
        order = [p for p in self.clockwise(killer) if p in party]
        for word in range(TALK_WORDS):
            me = order[word % len(order)]
            others = [n for n in range(len(plans)) if n != backs[me]]
            key = yield (
                me,
                {("offer", w) for w in ("propose", "pass", "give up", *(["accept"] if others else []))},
            )
            if key[1] == "propose":
                plan = yield from self.proposal(me, dragon, party)
                if plan not in plans:
                    plans.append(plan)
                backs[me] = plans.index(plan)
                given_up[me] = False
            elif key[1] == "accept":
                key = yield me, {("i", f"Plan#{n + 1}") for n in others}
                backs[me] = int(key[1].removeprefix("Plan#")) - 1
                given_up[me] = False
            elif key[1] == "give up":
                backs[me] = None
                given_up[me] = True
            if all(given_up.values()):
                return
            agreed = backs[me]
            if agreed is not None and all(plan == agreed for plan in backs.values()):
                for (player, colour), amount in plans[agreed].items():
                    self.players[player].share[colour] += amount
                return

    def proposal(
        self, me: int, dragon: Dragon, party: list[int]
    ) -> Generator[Asked, Key, dict[tuple[int, str], int]]:
        plan = {}
        left = Counter(dragon.hoard)
        colours = [c for c in COLOURS if dragon.hoard[c]]
        for player in party:
            for colour in colours:
                least = left[colour] if player == party[-1] else 0
                key = yield me, {("n", n) for n in range(least, left[colour] + 1)}
                plan[player, colour] = key[1]
                left[colour] -= key[1]
        return plan

    def divide_and_choose(self, dragon: Dragon, party: list[int]) -> Deciding:
        force = {p: sum(a.value + a.blade for a in dragon.fighters if a.owner == p) for p in party}
        came = [a.owner for a in dragon.fighters]
        order = sorted(party, key=lambda p: (-force[p], came.index(p)))
        colours = [c for c in COLOURS if dragon.hoard[c]]
        heaps: dict[int, Counter[str]] = {}
        for number in range(1, len(order) + 1):
            heaps[number] = Counter()
            for colour in colours:
                key = yield order[-1], None
                heaps[number][colour] = key[1]
        assert sum(heaps.values(), Counter()) == dragon.hoard
        enough = dragon.hoard.total() >= len(order)
        assert all(heap.total() >= 1 if enough else heap.total() <= 1 for heap in heaps.values())
        for player in order:
            key = yield player, {("s", number) for number in heaps}
            self.players[player].share = heaps.pop(key[1])

    def rings(self, party: list[int], killer: int) -> Deciding:
        for me in self.clockwise(killer):
            pairs = [
                (a, b)
                for a in party
                for b in party
                if a < b and me not in (a, b) and any(self.players[p].share.total() for p in party)
            ]
            name = yield from self.maybe(
                me, ["ring_of_confusion"] if pairs and self.holds(me, "ring_of_confusion") else []
            )
            if name:
                first = yield me, {("a", a) for a, _ in pairs}
                second = yield me, {("b", b) for a, b in pairs if a == first[1]}
                self.use(me, name)
                one, other = self.players[first[1]], self.players[second[1]]
                one.share, other.share = other.share, one.share

    # ------------------------------------------------------------ thieves
    def thefts(self, dragon: Dragon) -> Deciding:
        for adventurer in list(dragon.fighters):
            if adventurer.role != "thief":
                continue
            me = adventurer.owner
            victims = [p for p in dragon.party() if p != me and self.players[p].screen.total()]
            if not victims:
                continue
            key = yield me, {("v", p) for p in victims}
            victim: int = key[1]
            colour: str | None = None
            if dragon.has_wizard(me):
                key = yield me, {("offer", "look behind the screen"), ("offer", "no")}
                if key[1] != "no":
                    colour = yield from self.choose_own(me, victim)
            yield from self.rob(me, victim, colour)

    def choose_own(self, me: int, owner: int) -> Generator[Asked, Key, str]:
        screen = self.players[owner].screen
        key = yield me, {("k", c) for c in COLOURS if screen[c]}
        return str(key[1])

    def rob(self, me: int, victim: int, colour: str | None) -> Deciding:
        source, dest = self.players[victim].screen, self.players[me].screen
        if self.advanced:
            cards = [c for c in ("trickster_stone", "ward_amulet") if self.holds(victim, c)]
            name = yield from self.maybe(victim, cards)
            if name == "trickster_stone":
                colour = yield from self.choose_own(victim, victim)
            if name:
                self.use(victim, name)
            if name == "ward_amulet":
                return
        if colour is None:
            self.draw_tokens(1, source, dest)
        else:
            source[colour] -= 1
            dest[colour] += 1

    # ------------------------------------------------------------ cards of one's turn and between turns
    def start_of_turn(self, me: int) -> Deciding:
        mine = self.players[me]
        rich = [d for d in self.lair if d.hoard.total()]
        own = [d for d in self.lair if any(a.owner == me for a in d.fighters)]
        possible = {
            "light_fingers": bool(rich),
            "recall_horn": bool(own),
            "seers_glass": True,
            "alchemist_flask": bool(mine.screen.total()),
        }
        name = yield from self.maybe(
            me, [card for card, can in possible.items() if can and self.holds(me, card)]
        )
        if name == "light_fingers":
            dragon = yield from self.choose_dragon(me, "d", rich)
            key = yield me, {("k", c) for c in COLOURS if dragon.hoard[c]}
            dragon.hoard[key[1]] -= 1
            mine.screen[key[1]] += 1
        elif name == "recall_horn":
            dragon = yield from self.choose_dragon(me, "d", own)
            key = yield me, {("a", a.name) for a in dragon.fighters if a.owner == me}
            self.go_home(dragon, key[1], ready=True)
        elif name == "seers_glass":
            yield me, {("q", p) for p in self.players if p != me}
        elif name == "alchemist_flask":
            colour = yield from self.choose_own(me, me)
            mine.screen[colour] -= 1
            self.draw_tokens(1, self.bag, mine.screen)
        if name:
            self.use(me, name)

    def go_home(self, dragon: Dragon, name: str, *, ready: bool) -> None:
        adventurer = next(a for a in dragon.fighters if a.name == name)
        dragon.fighters.remove(adventurer)
        adventurer.blade = 0
        owner = self.players[adventurer.owner]
        (owner.ready if ready else owner.spent).append(adventurer)

    def between_turns(self, active: int) -> Deciding:
        for me in self.clockwise(active):
            names = []
            if len(self.lair) > 1 and self.holds(me, "swap_powder"):
                names.append("swap_powder")
            foes = [d for d in self.lair if any(a.owner != me for a in d.fighters)]
            if foes and self.holds(me, "banishing_scroll"):
                names.append("banishing_scroll")
            name = yield from self.maybe(me, names)
            if name == "banishing_scroll":
                dragon = yield from self.choose_dragon(me, "d", foes)
                key = yield me, {("a", a.name) for a in dragon.fighters if a.owner != me}
                self.use(me, name)
                self.go_home(dragon, key[1], ready=False)
            elif name == "swap_powder":
                first = yield from self.choose_dragon(me, "a", self.lair)
                second = yield from self.choose_dragon(me, "b", [d for d in self.lair if d is not first])
                self.use(me, name)
                first.fighters, second.fighters = second.fighters, first.fighters
                for adventurer in (*first.fighters, *second.fighters):
                    adventurer.blade = 0
                yield from self.check(first, me)
                yield from self.check(second, me)

    # ------------------------------------------------------------ the market
    def market(self) -> Deciding:
        deals: list[list[Any]] = []  # maker, taker, give, want, open
        passes = 0
        order = self.clockwise(self.active % self.size + 1)
        for word in range(TALK_WORDS):
            me = order[word % self.size]
            screen = self.players[me].screen
            mine = [n for n, deal in enumerate(deals) if deal[4] and deal[0] == me]
            for_me = [n for n, deal in enumerate(deals) if deal[4] and deal[1] == me and deal[3] <= screen]
            names = ["show_screen", "pass_by"]
            names += ["make_offer"] if screen.total() else []
            names += ["accept_offer"] if for_me else []
            names += ["withdraw_offer"] if mine else []
            key = yield me, {("offer", name) for name in names}
            passes = passes + 1 if key[1] == "pass_by" else 0
            if key[1] == "make_offer":
                deal = yield from self.offer(me)
                if deal not in deals:
                    deals.append(deal)
            elif key[1] == "withdraw_offer":
                number = yield me, {("i", f"Deal#{n + 1}") for n in mine}
                deals[int(number[1].removeprefix("Deal#")) - 1][4] = False
            elif key[1] == "accept_offer":
                number = yield me, {("i", f"Deal#{n + 1}") for n in for_me}
                deal = deals[int(number[1].removeprefix("Deal#")) - 1]
                deal[4] = False
                maker = self.players[deal[0]].screen
                if deal[2] <= maker:
                    for colour in COLOURS:
                        maker[colour] += deal[3][colour] - deal[2][colour]
                        screen[colour] += deal[2][colour] - deal[3][colour]
            if passes == self.size:
                return

    def offer(self, me: int) -> Generator[Asked, Key, list[Any]]:
        key = yield me, {("q", p) for p in self.players if p != me}
        screen = self.players[me].screen
        give = yield from self.some(
            me, "give", {c: min(MOST_TRADED, screen[c]) for c in COLOURS if screen[c]}
        )
        want = yield from self.some(me, "want", {c: MOST_TRADED for c in COLOURS if not give[c]})
        return [me, key[1], give, want, True]

    def some(self, me: int, name: str, limits: dict[str, int]) -> Generator[Asked, Key, Counter[str]]:
        """One to three tokens, colour by colour."""
        taken: Counter[str] = Counter()
        colours = list(limits)
        for place, colour in enumerate(colours):
            most = min(limits[colour], MOST_TRADED - taken.total())
            least = 1 if place == len(colours) - 1 and not taken.total() else 0
            key = yield me, {(name, n) for n in range(least, most + 1)}
            taken[colour] = key[1]
        return taken

    # ------------------------------------------------------------ points
    def score(self, player: int) -> int:
        screen = self.players[player].screen
        points = screen["silver"] + 3 * screen["gold"] + screen["red"]
        if not self.advanced:
            points += 7 * screen["black"]
            bonus = {3: 15, 4: 12, 5: 12, 6: 10}[self.size]
            return points + sum(bonus for gem in GEMS if player in self.leaders(gem))
        if screen["black"]:
            return points + (15 if self.first_edition else 19)
        bonus = {3: 12, 4: 10, 5: 10, 6: 8}[self.size]
        for gem in GEMS:
            leaders = self.leaders(gem)
            if player in leaders:
                points += {1: bonus, 2: bonus // 2}.get(len(leaders), 0)
        sets = min(screen[gem] for gem in GEMS)
        return points + 5 * (min(1, sets) if self.first_edition else sets)

    def leaders(self, gem: str) -> set[int]:
        most = max(p.screen[gem] for p in self.players.values())
        return {n for n, p in self.players.items() if p.screen[gem] == most and most}
