"""Small games that leak in one way each, and beside each the same game with the leak mended.

Every pair stands on the same table. `LEAKS` has for each way: what is dealt,
the rules that leak, the rules that do not.
"""

from __future__ import annotations

TABLE = """
game "Leak" for 2 players
component Card:
    value: 1..4
rows Card:
    | value |
    | 1..4  |
token Gem: ruby 2
place deck: deck of Card, seen by nobody
place line: row of Card, seen by all
place bag: bag of Gem, seen by nobody, size seen by nobody
each player has:
    place hand: bag of Card, seen by owner
    place pile: stack of Card, seen by nobody, top seen by all
    place screen: bag of Gem, seen by owner, size seen by owner
    state secret: 0..2 = 0, seen by owner
state told: 0..9 = 0
define one = player(1)
define two = player(2)
rule mark(n: 0..9): set told = n
"""

DEAL = """
setup:
    move all from box(Card) to deck
    for p in players: draw 1 from deck to p.hand
"""
SECRETS = """
setup:
    for p in players:
        roll s in 1..2 seen by {p}
        set p.secret = s
"""
GEMS = """
setup:
    move all from box(Gem) to bag
    roll g in 0..1 seen by {player(1)}
    move g of ruby from bag to player(1).screen
"""

LEAKS: dict[str, tuple[str, str, str]] = {
    "the guard of a choice": (
        DEAL,
        """
phase Play:
    as two:
        choose n in 1..2 where n <= the(one.hand).value
        mark(n)
""",
        """
phase Play:
    as two:
        choose n in 1..2 where n <= the(two.hand).value
        mark(n)
""",
    ),
    "what is chosen from": (
        GEMS,
        """
phase Play:
    as two:
        choose n in 0..count(one.screen)
        mark(n)
""",
        """
phase Play:
    as one:
        choose n in 0..count(one.screen)
        mark(n)
""",
    ),
    "an action's requirement": (
        GEMS,
        """
phase Play:
    as two: offer deed
action take in deed:
    require bag[ruby] = 2 because "the bag is not full"
    mark(1)
action wait in deed: mark(2)
""",
        """
phase Play:
    as two: offer deed
action take in deed:
    if bag[ruby] = 2: mark(1)
action wait in deed: mark(2)
""",
    ),
    "a name for a secret": (
        SECRETS,
        """
phase Play:
    let most = one.secret
    as two:
        choose n in 1..most
        mark(n)
""",
        """
phase Play:
    let most = one.secret
    as one:
        choose n in 1..most
        mark(n)
""",
    ),
    "a definition": (
        SECRETS,
        """
define strong(p: player) = p.secret = 2
phase Play:
    as two:
        choose n in 1..2 where n = 1 or strong(left(me))
        mark(n)
""",
        """
define strong(p: player) = p.secret = 2
phase Play:
    as two:
        choose n in 1..2 where n = 1 or strong(me)
        mark(n)
""",
    ),
    "a parameter": (
        SECRETS,
        """
rule ask(most: 0..2):
    choose n in 1..most
    mark(n)
phase Play:
    for p in players as p: ask(left(me).secret)
""",
        """
rule ask(most: 0..2):
    choose n in 1..most
    mark(n)
phase Play:
    for p in players as p: ask(my.secret)
""",
    ),
    "the result of a rule": (
        SECRETS,
        """
rule limit(p: player) -> 1..2:
    if p.secret = 2: return 2
    return 1
phase Play:
    let most = limit(one)
    as two:
        choose n in 1..most
        mark(n)
""",
        """
rule limit(p: player) -> 1..2:
    if p.secret = 2: return 2
    return 1
phase Play:
    let most = limit(two)
    as two:
        choose n in 1..most
        mark(n)
""",
    ),
    "whether it is asked": (
        SECRETS,
        """
phase Play:
    if one.secret = 2:
        as two:
            choose n in 1..2
            mark(n)
    mark(3)
""",
        """
phase Play:
    set told = one.secret
    if told = 2:
        as two:
            choose n in 1..2
            mark(n)
    mark(3)
""",
    ),
    "a way out before the question": (
        SECRETS,
        """
rule ask():
    if one.secret = 1: return
    as two:
        choose n in 1..2
        mark(n)
phase Play:
    ask()
    mark(3)
""",
        """
rule ask():
    if two.secret = 1: return
    as two:
        choose n in 1..2
        mark(n)
phase Play:
    ask()
    mark(3)
""",
    ),
    "a loop that is stopped": (
        SECRETS,
        """
phase Play:
    repeat Asking up to 2:
        as two: choose n in 1..2
        if one.secret = 1: stop Asking
    mark(3)
""",
        """
phase Play:
    repeat Asking up to 2:
        as two: choose n in 1..2
        if two.secret = 1: stop Asking
    mark(3)
""",
    ),
    "a trigger's condition": (
        SECRETS,
        """
rule knock(): nothing
trigger open_up after knock() for two where one.secret = 2:
    choose n in 1..2
    mark(n)
phase Play:
    knock()
    mark(3)
""",
        """
rule knock(): nothing
trigger open_up after knock() for two where my.secret = 2:
    choose n in 1..2
    mark(n)
phase Play:
    knock()
    mark(3)
""",
    ),
    "an event that is cancelled": (
        SECRETS,
        """
rule ask():
    as two:
        choose n in 1..2
        mark(n)
trigger hush before ask() where one.secret = 1: cancel
phase Play:
    ask()
    mark(3)
""",
        """
rule ask():
    as two:
        choose n in 1..2
        mark(n)
trigger hush before ask() where two.secret = 1: cancel
phase Play:
    ask()
    mark(3)
""",
    ),
    "who has a turn": (
        SECRETS,
        """
phase Play:
    for p in {two} where left(p).secret = 2 as p:
        choose n in 1..2
        mark(n)
    mark(3)
""",
        """
phase Play:
    for p in {two} where p.secret = 2 as p:
        choose n in 1..2
        mark(n)
    mark(3)
""",
    ),
    "a choice made in secret": (
        DEAL,
        """
phase Play:
    as one:
        choose n in 1..2 where n <= the(my.hand).value
        if n = 2:
            as two:
                choose m in 1..2
                mark(m)
    mark(3)
""",
        """
phase Play:
    as one:
        choose n in 1..2 where n <= the(my.hand).value
        set told = n
        if n = 2:
            as two:
                choose m in 1..2
                mark(m)
    mark(3)
""",
    ),
    "a card before it is laid open": (
        DEAL,
        """
phase Play:
    as one:
        let card = the(my.hand)
        let worth = card.value
        if worth > 2:
            as two: choose n in 1..2
        move card to line
""",
        """
phase Play:
    as one:
        let card = the(my.hand)
        let worth = card.value
        move card to line
        if worth > 2:
            as two: choose n in 1..2
""",
    ),
    "a card laid where nobody looks": (
        DEAL,
        """
phase Play:
    as one:
        let card = the(my.hand)
        let worth = card.value
        move card to deck
        if worth > 2:
            as two: choose n in 1..2
    mark(3)
""",
        """
phase Play:
    as one:
        let card = the(my.hand)
        let worth = card.value
        move card to two.hand
        if worth > 2:
            as two: choose n in 1..2
    mark(3)
""",
    ),
    "a question that all have noticed": (
        SECRETS,
        """
phase Play:
    if one.secret = 2:
        as two: choose n in 1..2
        as one: choose m in 1..2
    mark(3)
""",
        """
phase Play:
    if one.secret = 2:
        as one: choose m in 1..2
        as two: choose n in 1..2
    mark(3)
""",
    ),
    "among all players, only oneself": (
        SECRETS,
        """
phase Play:
    as two:
        choose n in 1..2 where n = 1 or any(p != me and p.secret = 2 for p in players)
        mark(n)
""",
        """
phase Play:
    as two:
        choose n in 1..2 where n = 1 or any(p = me and p.secret = 2 for p in players)
        mark(n)
""",
    ),
    "what lies below the top": (
        """
setup:
    move all from box(Card) to deck
    draw 1 from deck to one.pile
    draw 1 from deck to one.hand
    move the(one.hand) to bottom of one.pile
""",
        """
phase Play:
    as two:
        choose n in 1..2 where n <= the({bottom(one.pile)}).value
        mark(n)
""",
        """
phase Play:
    as two:
        choose n in 1..2 where n <= the({top(one.pile)}).value
        mark(n)
""",
    ),
    "a secret roll": (
        "setup: mark(1)\n",
        """
phase Play:
    roll d in 1..2 seen by {one}
    as two:
        choose n in 1..d
        mark(n)
""",
        """
phase Play:
    roll d in 1..2
    as two:
        choose n in 1..d
        mark(n)
""",
    ),
    "a card that one player has seen": (
        "setup: move all from box(Card) to deck\n",
        """
phase Play:
    peek 1 of deck to {one}
    let card = top(deck)
    as two:
        choose n in 1..2 where card = none or n <= card.value
        mark(n)
""",
        """
phase Play:
    peek 1 of deck to {two}
    let card = top(deck)
    as two:
        choose n in 1..2 where card = none or n <= card.value
        mark(n)
""",
    ),
    "a screen that is not lifted": (
        GEMS,
        """
phase Play:
    as two:
        choose n in 0..one.screen[ruby]
        mark(n)
""",
        """
phase Play:
    show one.screen to two:
        as two:
            choose n in 0..one.screen[ruby]
            mark(n)
""",
    ),
    "revealed too late": (
        SECRETS,
        """
phase Play:
    as two:
        choose n in 1..one.secret
        mark(n)
    reveal one.secret to all
""",
        """
phase Play:
    reveal one.secret to all
    as two:
        choose n in 1..one.secret
        mark(n)
""",
    ),
    "a menu that nobody may know": (
        SECRETS,
        """
phase Play:
    as two:
        may strike
    mark(3)
action strike:
    require one.secret = 1 because "too strong"
    mark(1)
""",
        """
phase Play:
    as two:
        may strike
    mark(3)
action strike:
    require my.secret = 1 because "too weak"
    mark(1)
""",
    ),
    "where a card is": (
        """
setup:
    move all from box(Card) to deck
    draw 1 from deck to player(1).hand
""",
        """
define low = the(c for c in Card where c.value = 1)
phase Play:
    as two:
        choose n in 1..2 where n = 1 or low.owner = none
        mark(n)
""",
        """
define low = the(c for c in Card where c.value = 1)
phase Play:
    as one:
        choose n in 1..2 where n = 1 or low in my.hand
        mark(n)
""",
    ),
}
