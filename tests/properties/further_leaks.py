"""Further small games that leak in one way each, beside each the same game with the leak mended.

These read what is hidden through comprehensions, sets, lists, results of rules, triggers, loops and
turns, vectors, definitions that ask `can`, and through who is asked at all.
"""

from __future__ import annotations

from .leaks import DEAL, GEMS, SECRETS
from .more_leaks import CHESTS, FATES

FURTHER: dict[str, tuple[str, str, str]] = {
    "a comprehension counts what is hidden": (
        DEAL,
        """
phase Play:
    as two: choose n in 1..2 where n <= count(c for c in one.hand where c.value > 2) + 1
""",
        """
phase Play:
    as two: choose n in 1..2 where n <= count(c for c in two.hand where c.value > 2) + 1
""",
    ),
    "which player holds the most": (
        DEAL,
        """
phase Play:
    as two: choose q in most(p by sum(c.value for c in p.hand) for p in players)
""",
        """
phase Play:
    as two: choose q in most(p by count(p.hand) for p in players)
""",
    ),
    "sorted by a secret": (
        SECRETS,
        """
phase Play:
    as two: choose q in {first(p by p.secret for p in players)}
""",
        """
phase Play:
    as two: choose q in {first(p by p.seat for p in players)}
""",
    ),
    "tokens of a hidden bag": (
        GEMS,
        """
phase Play:
    as two: choose k in Gem, n in 0..bag[k]
""",
        """
phase Play:
    as two: choose k in Gem, n in 0..2
""",
    ),
    "the size of a hidden bag": (
        GEMS,
        """
phase Play:
    as two:
        choose n in 1..count(bag)
        mark(n)
""",
        """
phase Play:
    as two:
        choose n in 1..count(line) + 1
        mark(n)
""",
    ),
    "a trigger that asks": (
        SECRETS,
        """
phase Play:
    poke(one)
rule poke(p: player): nothing
trigger t after poke(p) where p.secret = 2: as two: choose n in 1..2
""",
        """
phase Play:
    poke(one)
rule poke(p: player): nothing
trigger t after poke(p) where p.seat = 2: as two: choose n in 1..2
""",
    ),
    "a loop as long as a secret": (
        SECRETS,
        """
phase Play:
    repeat again up to one.secret:
        as two: choose n in 1..2
""",
        """
phase Play:
    repeat again up to 2:
        as two: choose n in 1..2
""",
    ),
    "an early stop": (
        SECRETS,
        """
phase Play:
    repeat again up to 2:
        if one.secret = 1: stop again
        as two: choose n in 1..2
""",
        """
phase Play:
    repeat again up to 2:
        if told = 1: stop again
        as two: choose n in 1..2
""",
    ),
    "a slot state through a player state": (
        SECRETS
        + """state who: player = player(1), seen by nobody
""",
        """
phase Play:
    if one.secret = 2: set who = two
    as two: choose q in {who}
""",
        """
phase Play:
    if told = 1: set who = two
    as two: choose q in {revealed(who)}
""",
    ),
    "a set of players by secrets": (
        SECRETS,
        """
phase Play:
    let s = {p for p in players where p.secret = 2}
    as two: choose n in 1..2 where n = 1 or one in s
""",
        """
phase Play:
    let s = {p for p in players where p.seat = 2}
    as two: choose n in 1..2 where n = 1 or one in s
""",
    ),
    "a list by secrets": (
        SECRETS,
        """
phase Play:
    let s = sort(p by p.secret for p in players)
    as two: choose q in {first(s)}
""",
        """
phase Play:
    let s = sort(p by p.seat for p in players)
    as two: choose q in {first(s)}
""",
    ),
    "who is asked": (
        SECRETS,
        """
phase Play:
    as (one if one.secret = 1 else two): choose n in 1..2
""",
        """
phase Play:
    as (one if told = 1 else two): choose n in 1..2
""",
    ),
    "a condition with the place of a card": (
        DEAL,
        """
phase Play:
    as two: choose n in 1..2 where n = 1 or any(c in one.hand and c.value = 1 for c in Card)
""",
        """
phase Play:
    as two: choose n in 1..2 where n = 1 or any(c in two.hand and c.value = 1 for c in Card)
""",
    ),
    "a range with a secret below": (
        SECRETS,
        """
phase Play:
    as two: choose n in one.secret..2
""",
        """
phase Play:
    as two: choose n in two.secret..2
""",
    ),
    "a conditional value": (
        SECRETS,
        """
phase Play:
    as two:
        choose n in 1..(2 if one.secret = 2 else 1)
        mark(n)
""",
        """
phase Play:
    as two:
        choose n in 1..(2 if two.secret = 2 else 1)
        mark(n)
""",
    ),
    "can": (
        SECRETS,
        """
phase Play:
    as two: choose n in 1..2 where n = 1 or can grab(one)
action grab(p: player):
    require p.secret = 2
    mark(1)
""",
        """
phase Play:
    as two: choose n in 1..2 where n = 1 or can grab(two)
action grab(p: player):
    require p.secret = 2
    mark(1)
""",
    ),
    "a vector bounded by a secret": (
        SECRETS,
        """
phase Play:
    as two: choose n[p in players] in 0..1 where sum(n[q] for q in players) <= one.secret
""",
        """
phase Play:
    as two: choose n[p in players] in 0..1 where sum(n[q] for q in players) <= two.secret
""",
    ),
    "an else": (
        DEAL,
        """
phase Play:
    as two:
        choose c in one.hand where c.value > 2 else return
        mark(1)
""",
        """
phase Play:
    as two:
        choose c in two.hand where c.value > 2 else return
        mark(1)
""",
    ),
    "cards in the box": (
        DEAL,
        """
phase Play:
    as two: choose c in deck
""",
        """
phase Play:
    as two: choose c in two.hand
""",
    ),
    "together reads another's fresh choice": (
        SECRETS,
        """
phase Play:
    together p in players: choose n in 1..left(p).secret
""",
        """
phase Play:
    together p in players: choose n in 1..p.secret
""",
    ),
    "a rounds order": (
        SECRETS,
        """
phase Play:
    rounds R p in sort(q by q.secret for q in players):
        as p: choose n in 1..2
        stop R
""",
        """
phase Play:
    rounds R p in sort(q by q.seat for q in players):
        as p: choose n in 1..2
        stop R
""",
    ),
    "the least by a secret": (
        SECRETS,
        """
phase Play:
    as two: choose q in least(p by p.secret for p in players)
""",
        """
phase Play:
    as two: choose q in least(p by p.seat for p in players)
""",
    ),
    "a card by its place": (
        DEAL,
        """
phase Play:
    as two: choose c in Card where c in one.hand
""",
        """
phase Play:
    as two: choose c in Card where c in two.hand
""",
    ),
    "a state of a trigger's making": (
        SECRETS
        + """state hint: 0..2 = 0, seen by nobody
rule poke(p: player): nothing
trigger t after poke(p): set hint = p.secret
""",
        """
phase Play:
    poke(one)
    as two:
        choose n in 1..(hint + 0)
        mark(n)
""",
        """
phase Play:
    poke(one)
    as two:
        choose n in 1..2
        mark(n)
""",
    ),
    "a returned player": (
        SECRETS
        + """rule found() -> player:
    if one.secret = 2: return one
    return two
""",
        """
phase Play:
    let q = found()
    as two: choose n in 1..2 where n = 1 or q = one
""",
        """
phase Play:
    let q = found()
    as one: choose n in 1..2 where n = 1 or q = one
""",
    ),
    "any of all": (
        SECRETS,
        """
phase Play:
    as two: choose n in 1..2 where n = 1 or any(p.secret = 2 for p in players)
""",
        """
phase Play:
    as two: choose n in 1..2 where n = 1 or any(p.secret = 2 for p in {two})
""",
    ),
    "every of all": (
        SECRETS,
        """
phase Play:
    as two: choose n in 1..2 where n = 1 or every(p.secret = 2 for p in players)
""",
        """
phase Play:
    as two: choose n in 1..2 where n = 1 or every(p.secret = 2 for p in {two})
""",
    ),
    "a let inside a loop": (
        SECRETS,
        """
phase Play:
    for p in players:
        let s = p.secret
        as left(p): choose n in 1..s
""",
        """
phase Play:
    for p in players:
        let s = p.secret
        as p: choose n in 1..s
""",
    ),
    "a rule's default return": (
        SECRETS
        + """rule test_() -> yes/no:
    for p in players where p.secret = 2: return yes
    return no
""",
        """
phase Play:
    let y = test_()
    as two: choose n in 1..2 where n = 1 or y
""",
        """
phase Play:
    let y = test_()
    as two: choose n in 1..2 where n = 1 or told = 0
""",
    ),
    "a set of numbers": (
        SECRETS,
        """
phase Play:
    as two: choose n in {p.secret for p in players}
""",
        """
phase Play:
    as two: choose n in {p.secret for p in {two}}
""",
    ),
    "a difference of sets": (
        DEAL,
        """
phase Play:
    as two: choose c in Card where c not in one.hand and c not in two.hand
""",
        """
phase Play:
    as two: choose c in Card where c in two.hand
""",
    ),
    "the sum of two secrets": (
        SECRETS,
        """
phase Play:
    as two: choose n in 1..2 where n = 1 or one.secret + two.secret = 3
""",
        """
phase Play:
    as two: choose n in 1..2 where n = 1 or two.secret + two.secret = 2
""",
    ),
    "hidden worth of a chest": (
        CHESTS,
        """
phase Play:
    as two: choose c in hall where c.worth = 2 else return
""",
        """
phase Play:
    as two: choose c in hall
""",
    ),
    "most by a hidden worth": (
        CHESTS,
        """
phase Play:
    as two: choose c in most(d by d.worth for d in hall)
""",
        """
phase Play:
    as two: choose c in hall
""",
    ),
    "two calls deep": (
        SECRETS
        + """rule outer(p: player): inner(p.secret)
rule inner(n: 0..2):
    as two: choose m in 1..2 where m <= n
""",
        """
phase Play:
    outer(one)
""",
        """
phase Play:
    outer(two)
""",
    ),
    "shown in secret to somebody else": (
        FATES,
        """
phase Play:
    show one.fate to one secretly:
        as two: choose n in 1..one.fate
""",
        """
phase Play:
    show one.fate to two secretly:
        as two: choose n in 1..one.fate
""",
    ),
}
