"""Rule files that nobody would write, in families that grow with a number."""

from __future__ import annotations

from collections.abc import Callable

HEAD = 'game "Hostile" for 2 players\n\n'
END = "\nphase Play:\n    finish {player(1)}\n"


def asked(value: str) -> str:
    return f"\nphase Play:\n    if {value} > 3: finish {{player(1)}}\n    finish {{}}\n"


def squares(n: int) -> str:
    return (
        HEAD
        + "define a0 = 3\n"
        + "".join(f"define a{i + 1} = a{i} * a{i}\n" for i in range(n))
        + asked(f"a{n}")
    )


def doubling(n: int) -> str:
    return (
        HEAD
        + "state s: 0..3 = 1\n\ndefine a0 = s\n"
        + "".join(f"define a{i + 1} = a{i} + a{i}\n" for i in range(n))
        + asked(f"a{n}")
    )


def nested_sums(n: int) -> str:
    text = "1"
    for i in range(n):
        text = f"sum({text} + x{i} for x{i} in 1..9)"
    return HEAD + f"define deep = {text}\n" + asked("deep")


def side_by_side(n: int) -> str:
    binders = ", ".join(f"x{i} in 1..9" for i in range(n))
    return (
        HEAD
        + f"define wide = count({binders} where x0 > 1)\n".replace("count(", "count(x0 for ")
        + asked("wide")
    )


def called_twice(n: int) -> str:
    rules = "".join(f"rule r{i + 1}():\n    r{i}()\n    r{i}()\n\n" for i in range(n))
    return (
        HEAD
        + f"state n: 0..9 = 0\n\nrule r0(): change n by 0\n\n{rules}phase Play:\n    r{n}()\n    finish {{}}\n"
    )


def chain_of_rules(n: int) -> str:
    rules = "".join(f"rule r{i + 1}(): r{i}()\n\n" for i in range(n))
    return (
        HEAD
        + f"state n: 0..9 = 0\n\nrule r0(): change n by 0\n\n{rules}phase Play:\n    r{n}()\n    finish {{}}\n"
    )


def chain_up(n: int) -> str:
    return (
        HEAD + "define a0 = 3\n" + "".join(f"define a{i + 1} = a{i} + 1\n" for i in range(n)) + asked(f"a{n}")
    )


def chain_down(n: int) -> str:
    return (
        HEAD + "".join(f"define a{i} = a{i + 1} + 1\n" for i in range(n)) + f"define a{n} = 3\n" + asked("a0")
    )


def chain_behind_a_question(n: int) -> str:
    """What only comes when somebody has been asked: the first position does not need it."""
    chain = "".join(f"define a{i + 1} = a{i} + 0\n" for i in range(n))
    return HEAD + (
        f"state n: 0..9 = 0\n\ndefine a0 = n\n{chain}\nphase Play:\n    as player(1): choose j in 1..2\n"
        f"    as player(1): choose k in 1..2 where k > a{n} or k = 2\n    finish {{player(1)}}\n"
    )


def chain_of_rules_behind_a_question(n: int) -> str:
    return chain_of_rules(n).replace("phase Play:\n", "phase Play:\n    as player(1): choose k in 1..2\n")


def long_cite(n: int) -> str:
    return HEAD + f"phase Play: finish {{player(1)}}   [A-1..{10**n}]\n"


def far(n: int) -> str:
    board = f"token Stone: black 9\n\nplace board: grid {n} by {n} of Stone, seen by all\n"
    return HEAD + board + asked(f"count(s for s in spaces(board) where count(near(s, {2 * n})) > 3)")


def triggers(n: int) -> str:
    each = "".join(f"trigger t{i} after go: set n = {i % 9}\n\n" for i in range(n))
    return (
        HEAD
        + f"state n: 0..9 = 0\n\nrule go(): change n by 1\n\n{each}phase Play:\n    go()\n    finish {{}}\n"
    )


def brackets(n: int) -> str:
    return HEAD + f"define a = {'(' * n}1{')' * n}\n" + asked("a")


def ifs(n: int) -> str:
    lines = "".join(f"{'    ' * (i + 1)}if s > 0:\n" for i in range(n))
    return HEAD + f"state s: 0..3 = 1\n\nphase Play:\n{lines}{'    ' * (n + 1)}finish {{}}\n    finish {{}}\n"


def long_sum(n: int) -> str:
    return HEAD + f"define a = {' + '.join(['1'] * n)}\n" + asked("a")


def choices(n: int) -> str:
    binders = ", ".join(f"x{i} in 1..9" for i in range(n))
    return HEAD + f"phase Play:\n    turns p:\n        choose {binders} where x0 > 9\n        finish {{}}\n"


def many_options(n: int) -> str:
    return HEAD + "".join(f"option o{i}: 0..9 = {f'o{i - 1}' if i else 0}\n" for i in range(n)) + END


def loops(n: int) -> str:
    lines = "".join(f"{'    ' * (i + 1)}for x{i} in 1..1000:\n" for i in range(n))
    return (
        HEAD
        + f"state s: 0..3 = 1\n\nphase Play:\n{lines}{'    ' * (n + 1)}change s by 0\n    finish {{player(1)}}\n"
    )


FAMILIES: dict[Callable[[int], str], tuple[int, ...]] = {
    squares: (6, 10, 20, 40, 80, 200, 400),
    doubling: (5, 10, 20, 30, 40, 60, 90, 150, 400),
    nested_sums: (2, 4, 6, 8, 10, 15, 20, 25, 30, 40),
    side_by_side: (2, 4, 6, 8, 10, 15, 20, 40),
    called_twice: (5, 10, 15, 20, 25, 30, 40, 60, 100, 200),
    chain_of_rules: (50, 100, 150, 200, 242, 300, 500, 1000, 2000),
    chain_up: (50, 100, 127, 150, 200, 300, 500, 1000, 2000),
    chain_down: (50, 100, 127, 150, 200, 300, 500, 1000, 2000),
    long_cite: (2, 4, 5, 6, 9, 18, 100, 1000, 4000),
    far: (5, 20, 40, 60, 100, 200, 500, 1000),
    triggers: (10, 50, 100, 200, 400, 800),
    brackets: (10, 50, 99, 100, 200, 1000, 4000),
    ifs: (5, 20, 33, 34, 50, 99, 100, 150, 400),
    long_sum: (10, 100, 1000, 2000),
    choices: (2, 5, 10, 20, 40),
    many_options: (10, 100, 200, 500, 1000),
    loops: (1, 2, 3, 5, 10, 20),
}
