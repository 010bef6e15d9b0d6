"""More small games that leak in one way each, beside each the same game with the leak mended.

These are about who is meant and what was shown: names that may be one player, cells
of one declaration, what was read before a change, what was jumped over. `FATES` are
numbers that nobody sees, not even their owner.
"""

from __future__ import annotations

from .leaks import DEAL, SECRETS

FATES = """
each player has: state fate: 0..2 = 0, seen by nobody
state spot[1..2]: 0..2 = 0, seen by nobody
state chosen: player = player(1)
setup:
    for p in players:
        roll s in 1..2 seen by nobody
        set p.fate = s
    for i in 1..2:
        roll s in 1..2 seen by nobody
        set spot[i] = s
"""
CHESTS = """
component Chest count 2
place hall: row of Chest
each Chest has: state worth: 0..2 = 0, seen by nobody
setup:
    for c in Chest:
        move c to hall
        roll s in 1..2 seen by nobody
        set c.worth = s
"""
PACKS = """
component Leaf:
    mark: 1..2
rows Leaf:
    | mark | count |
    | 1..2 |     2 |
place pack[1..2]: deck of Leaf, seen by nobody
setup:
    move all from box(Leaf) to pack[1]
    draw 1 from pack[1] to pack[2]
"""


def asks(most: str, who: str = "two") -> str:
    """Somebody is asked for a number up to another."""
    return f"    as {who}:\n        choose n in 1..{most}\n        mark(n)\n"


def play(*lines: str) -> str:
    return "\nphase Play:\n" + "".join(line if line.endswith("\n") else f"    {line}\n" for line in lines)


def value(text: str) -> str:
    """Player 2 may choose 2 only if something holds."""
    return play(f"    as two:\n        choose n in 1..2 where n = 1 or {text}\n        mark(n)\n")


MORE: dict[str, tuple[str, str, str]] = {
    "the others of somebody who may be me": (
        "setup: mark(1)\n",
        play(
            "as one:",
            "    choose q in players",
            "    roll d in 1..2 seen by others(q)",
            "    choose n in 1..d",
        ),
        play(
            "as one:",
            "    choose q in others(me)",
            "    roll d in 1..2 seen by others(q)",
            "    choose n in 1..d",
        ),
    ),
    "each one's own, shown to the others": (
        FATES,
        play("for p in players: reveal p.fate to others(p)", asks("two.fate")),
        play("for p in players: reveal p.fate to others(p)", asks("one.fate")),
    ),
    "another cell": (
        FATES,
        play("reveal spot[1] to all", asks("spot[2]")),
        play("reveal spot[2] to all", asks("spot[2]")),
    ),
    "another cell in a block": (
        FATES,
        play("show spot[1] to two:", "    as two: choose n in 1..spot[2]"),
        play("show spot[2] to two:", "    as two: choose n in 1..spot[2]"),
    ),
    "not all cells": (
        FATES,
        play("for i in 1..1: reveal spot[i] to all", asks("spot[2]")),
        play("for i in 1..2: reveal spot[i] to all", asks("spot[2]")),
    ),
    "another component's": (
        CHESTS,
        play(
            "as two:",
            "    choose a in hall, b in hall where a != b",
            "    show a.worth to me:",
            "        choose n in 1..b.worth",
        ),
        play(
            "as two:",
            "    choose a in hall, b in hall where a != b",
            "    show b.worth to me:",
            "        choose n in 1..b.worth",
        ),
    ),
    "another deck": (
        PACKS,
        play(
            "as two:",
            "    peek 1 of pack[1] to me",
            "    choose n in 1..2 where n = 1 or any(c.mark = 1 for c in pack[2])",
        ),
        play(
            "as two:",
            "    show pack[2] to me: choose n in 1..2 where n = 1 or any(c.mark = 1 for c in pack[2])",
        ),
    ),
    "read before it was changed": (
        FATES,
        play("let x = one.fate", "set one.fate = 1", "reveal one.fate to all", asks("x")),
        play("let x = one.fate", "reveal one.fate to all", "set one.fate = 1", asks("x")),
    ),
    "tested before it was changed": (
        FATES,
        play(
            "let high = one.fate = 2",
            "set one.fate = 1",
            "reveal one.fate to all",
            "if high: as two: choose n in 1..2",
            "mark(3)",
        ),
        play(
            "reveal one.fate to all",
            "let high = one.fate = 2",
            "set one.fate = 1",
            "if high: as two: choose n in 1..2",
            "mark(3)",
        ),
    ),
    "a reveal that was jumped over": (
        FATES,
        "\nrule open_up():\n    if told = 0: return\n    reveal one.fate to all\n"
        + play("open_up()", asks("one.fate")),
        "\nrule open_up():\n    reveal one.fate to all\n    if told = 0: return\n    mark(4)\n"
        + play("open_up()", asks("one.fate")),
    ),
    "a reveal that was skipped for one": (
        FATES,
        play("for p in players:", "    if p = one: skip", "    reveal p.fate to all", asks("one.fate")),
        play("for p in players:", "    reveal p.fate to all", "    if p = one: skip", asks("one.fate")),
    ),
    "a reveal of some": (
        FATES,
        play("for p in players where p != one: reveal p.fate to all", asks("one.fate")),
        play("for p in players: reveal p.fate to all", asks("one.fate")),
    ),
    "a reveal in one branch": (
        FATES,
        play("if told = 1: reveal one.fate to all", asks("one.fate")),
        play("if told = 1: reveal one.fate to all", "else: reveal one.fate to all", asks("one.fate")),
    ),
    "a state that names somebody else now": (
        FATES,
        play("reveal chosen.fate to all", "set chosen = two", asks("chosen.fate")),
        play("set chosen = two", "reveal chosen.fate to all", asks("chosen.fate")),
    ),
    "a name for whom a state meant": (
        FATES,
        play("let c = chosen", "set chosen = two", "reveal chosen.fate to all", asks("c.fate")),
        play("let c = chosen", "reveal chosen.fate to all", "set chosen = two", asks("c.fate")),
    ),
    "set in a rule": (
        FATES,
        "\nrule turn_over(): set chosen = two\n"
        + play("reveal chosen.fate to all", "turn_over()", asks("chosen.fate")),
        "\nrule turn_over(): set chosen = two\n"
        + play("turn_over()", "reveal chosen.fate to all", asks("chosen.fate")),
    ),
    "the neighbour's neighbour": (
        FATES,
        play("as two:", "    show left(me).fate to me: choose n in 1..left(left(me)).fate"),
        play("as two:", "    show left(me).fate to me: choose n in 1..right(me).fate"),
    ),
    "a rule that names another each time": (
        FATES,
        "\nrule look_at():\n    as two:\n        choose q in players\n        if told = 1: choose n in 1..q.fate\n        reveal q.fate to all\n        mark(1)\n"
        + play("look_at()", "look_at()"),
        "\nrule look_at():\n    as two:\n        choose q in players\n        reveal q.fate to all\n        if told = 1: choose n in 1..q.fate\n        mark(1)\n"
        + play("look_at()", "look_at()"),
    ),
    "an audience that may leave one out": (
        FATES + SECRETS.replace("setup:", "phase Before:"),
        play(
            "show one.fate to {p for p in players where p.secret = 2}:", "    as two: choose n in 1..one.fate"
        ),
        play("show one.fate to {two}:", "    as two: choose n in 1..one.fate"),
    ),
    "the hands of some": (
        DEAL,
        play("show {two}.hand to two:", "    as two: choose n in 1..2 where n <= the(one.hand).value"),
        play("show {one}.hand to two:", "    as two: choose n in 1..2 where n <= the(one.hand).value"),
    ),
    "a branch for one player": (
        SECRETS,
        value("any((p.secret = 2 if p = one else no) for p in players)"),
        value("any((p.secret = 2 if p = two else no) for p in players)"),
    ),
    "the other branch": (
        SECRETS,
        value("any((no if p = two else p.secret = 2) for p in players)"),
        value("any((no if p = one else p.secret = 2) for p in players)"),
    ),
    "all but one": (
        SECRETS,
        value("every(p = two or p.secret = 2 for p in players)"),
        value("every(p = one or p.secret = 2 for p in players)"),
    ),
    "a sum over all": (
        SECRETS,
        value("sum(p.secret for p in players) > 3"),
        value("sum(p.secret for p in {two}) > 1"),
    ),
    "the best of all": (
        SECRETS,
        play("let best = most(p by p.secret for p in players)", asks("count(best)")),
        play("let best = most(p by p.secret for p in players)", "set told = count(best)", asks("told")),
    ),
    "a value that depends on a condition": (
        SECRETS,
        value("2 = (2 if one.secret = 2 else 1)"),
        value("2 = (2 if two.secret = 2 else 1)"),
    ),
    "who is asked": (
        SECRETS,
        play("let who = (one if one.secret = 2 else two)", "as who: choose n in 1..2"),
        play("set told = one.secret", "let who = (one if told = 2 else two)", "as who: choose n in 1..2"),
    ),
    "how often a loop runs": (
        SECRETS,
        play("for i in 1..one.secret: as two: choose n in 1..2"),
        play("for i in 1..two.secret: as two: choose n in 1..2"),
    ),
    "how often it is repeated": (
        SECRETS,
        play("repeat Asking up to one.secret:", "    as two: choose n in 1..2"),
        play("repeat Asking up to two.secret:", "    as two: choose n in 1..2"),
    ),
    "the else of a condition": (
        SECRETS,
        play("if one.secret = 2: nothing", "else:", "    as two: choose n in 1..2"),
        play("if two.secret = 2: nothing", "else:", "    as two: choose n in 1..2"),
    ),
    "a copy that nobody sees": (
        "state copy: 0..2 = 0, seen by nobody\n" + SECRETS,
        play("set copy = one.secret", asks("copy")),
        play("set told = one.secret", asks("told")),
    ),
    "seen by the other alone": (
        "state pact: 0..2 = 0, seen by {player(1)}\n" + SECRETS,
        play("set pact = one.secret", asks("pact")),
        play("set pact = one.secret", asks("pact", "one")),
    ),
    "asked at the same time": (
        SECRETS,
        play("together p in players:", "    choose n in 1..one.secret"),
        play("together p in players:", "    choose n in 1..my.secret"),
    ),
    "a name for a place": (
        DEAL,
        play("let h = one.hand", "as two:", "    choose n in 1..2 where n <= the(h).value"),
        play("let h = two.hand", "as two:", "    choose n in 1..2 where n <= the(h).value"),
    ),
    "a set made of what may be chosen": (
        SECRETS,
        play("as two:", "    choose n in {k for k in 1..2 where k <= one.secret}"),
        play("as two:", "    choose n in {k for k in 1..2 where k <= two.secret}"),
    ),
    "an option in words": (
        SECRETS,
        play(
            "as two:",
            "    offer:",
            '        "strike":',
            "            require one.secret = 2",
            "            mark(1)",
            '        "wait": mark(2)',
        ),
        play(
            "as two:",
            "    offer:",
            '        "strike":',
            "            require two.secret = 2",
            "            mark(1)",
            '        "wait": mark(2)',
        ),
    ),
    "a stop inside a rule": (
        SECRETS,
        "\nrule perhaps():\n    if one.secret = 1: stop Asking\n"
        + play("repeat Asking up to 2:", "    as two: choose n in 1..2", "    perhaps()", "mark(3)"),
        "\nrule perhaps():\n    if two.secret = 1: stop Asking\n"
        + play("repeat Asking up to 2:", "    as two: choose n in 1..2", "    perhaps()", "mark(3)"),
    ),
    "something else instead": (
        SECRETS,
        "\nrule ask():\n    as two: choose n in 1..2\ntrigger hush instead of ask() where one.secret = 1: nothing\n"
        + play("ask()", "mark(3)"),
        "\nrule ask():\n    as two: choose n in 1..2\ntrigger hush instead of ask() where two.secret = 1: nothing\n"
        + play("ask()", "mark(3)"),
    ),
    "what enters a place": (
        DEAL + "    for p in players:\n        roll s in 1..2 seen by {p}\n        set p.secret = s\n",
        "\ntrigger laid after entering line for two where one.secret = 2: choose n in 1..2\n"
        + play("as one:", "    move the(my.hand) to line"),
        "\ntrigger laid after entering line for two where my.secret = 2: choose n in 1..2\n"
        + play("as one:", "    move the(my.hand) to line"),
    ),
    "moved or not": (
        "setup: move all from box(Gem) to bag\n",
        "\ntrigger laid after entering player.screen for two: choose n in 1..2\n"
        + play("roll g in 0..1 seen by {one}", "move g of ruby from bag to one.screen", "mark(3)"),
        "\ntrigger laid after entering player.screen for two: choose n in 1..2\n"
        + play("roll g in 0..1", "move g of ruby from bag to one.screen", "mark(3)"),
    ),
}
