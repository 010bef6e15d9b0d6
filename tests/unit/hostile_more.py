"""More rule files that nobody would write: every construct inside itself, everything huge, strange texts."""

from __future__ import annotations

from collections.abc import Callable

try:
    from .hostile import END, HEAD, asked
except ImportError:  # as a file of its own, beside the other
    from hostile import END, HEAD, asked  # type: ignore[no-redef, import-not-found, unused-ignore]


def _inside(head: str, n: int, last: str = "nothing", declared: str = "state s: 0..3 = 1\n") -> str:
    """A statement inside itself so many times; `#` in it is how deep."""
    lines = "".join(f"{'    ' * (i + 2)}{head.replace('#', str(i))}\n" for i in range(n))
    return (
        HEAD
        + f"{declared}\nphase Play:\n    turns p:\n{lines}{'    ' * (n + 2)}{last}\n        finish {{p}}\n"
    )


def nested_for(n: int) -> str:
    return _inside("for x# in 1..2:", n, "change s by 0")


def nested_repeat(n: int) -> str:
    return _inside("repeat up to 2:", n, "change s by 0")


def nested_as(n: int) -> str:
    return _inside("as left(me):", n, "choose y in 1..2")


def nested_atomic(n: int) -> str:
    return _inside("atomic:", n, "change s by 0")


def nested_offer(n: int) -> str:
    lines, pad = "", "        "
    for i in range(n):
        lines += f'{pad}offer:\n{pad}    "stay {i}": nothing\n{pad}    "on {i}":\n'
        pad += "        "
    return HEAD + f"phase Play:\n    turns p:\n{lines}{pad}nothing\n        finish {{p}}\n"


def nested_may(n: int) -> str:
    return _inside('may "go on #":', n, "change s by 0")


def nested_turns(n: int) -> str:
    return _inside("turns p#:", n, "finish {me}")


def nested_show(n: int) -> str:
    card = "component Card count 4\nplace pile: bag of Card, seen by nobody\n"
    return _inside("show pile to all:", n, "nothing", card)


def nested_conditionals(n: int) -> str:
    text = "1"
    for i in range(n):
        text = f"({text} if s > {i % 3} else {i})"
    return HEAD + f"state s: 0..3 = 1\n\ndefine a = {text}\n" + asked("a")


def nested_not(n: int) -> str:
    return (
        HEAD
        + f"state s: 0..3 = 1\n\ndefine a = {'not ' * n}(s > 1)\n\nphase Play:\n    if a: finish {{}}\n    finish {{}}\n"
    )


def nested_minus(n: int) -> str:
    return HEAD + f"define a = {'-' * n}1\n" + asked("a")


def nested_sets(n: int) -> str:
    text = "1..3"
    for i in range(n):
        text = f"{{x{i} for x{i} in {text} where x{i} > 0}}"
    return HEAD + f"define a = count({text})\n" + asked("a")


def nested_any(n: int) -> str:
    text = "s > 0"
    for i in range(n):
        text = f"any({text} and x{i} > s for x{i} in 1..9)"
    return (
        HEAD
        + f"state s: 0..3 = 1\n\nphase Play:\n    if {text}: finish {{player(1)}}\n    finish {{player(2)}}\n"
    )


def wide_union(n: int) -> str:
    return HEAD + f"define a = count({' + '.join(f'{{{i}}}' for i in range(n))})\n" + asked("a")


def wide_and(n: int) -> str:
    return (
        HEAD
        + "state s: 0..3 = 1\n\nphase Play:\n    if "
        + " and ".join(f"s != {i % 4}" for i in range(n))
        + ": finish {player(1)}\n    finish {player(2)}\n"
    )


def doubling_with(n: int) -> str:
    """Definitions with parameters, each of which asks for the one before twice."""
    return (
        HEAD
        + "state s: 0..3 = 1\n\ndefine a0(x: 0..9) = x\n"
        + "".join(f"define a{i + 1}(x: 0..9) = min(9, a{i}(x) + a{i}(9 - x))\n" for i in range(n))
        + asked(f"a{n}(s)")
    )


def doubling_constants(n: int) -> str:
    """Of which the size of a place is made."""
    return (
        HEAD
        + "option o: 1..3 = 2\n\ndefine a0 = o\n"
        + "".join(f"define a{i + 1} = min(9, a{i} + a{i})\n" for i in range(n))
        + f"\ntoken Stone: black 9\n\nplace board: grid a{n} by 3 of Stone\n"
        + END
    )


def doubling_tests(n: int) -> str:
    return (
        HEAD
        + "state s: 0..3 = 1\n\ndefine a0(p: player) = s > 1\n"
        + "".join(
            f"define a{i + 1}(p: player) = a{i}(p) or any(a{i}(q) for q in players)\n" for i in range(n)
        )
        + "\nphase Play:\n    if a"
        + f"{n}(player(1)): finish {{player(1)}}\n    finish {{player(2)}}\n"
    )


def mutual_definitions(n: int) -> str:
    return (
        HEAD + "".join(f"define a{i}(x: 0..9) = a{(i + 1) % n}(x) + 1\n" for i in range(n)) + asked("a0(1)")
    )


def mutual_rules(n: int) -> str:
    return (
        HEAD
        + "state s: 0..3 = 1\n\n"
        + "".join(f"rule r{i}():\n    if s > 0: r{(i + 1) % n}()\n    set s = 0\n\n" for i in range(n))
        + "phase Play:\n    r0()\n    finish {player(1)}\n"
    )


def everybody_calls_everybody(n: int) -> str:
    rules = "".join(
        f"rule r{i}():\n    change s by 0\n" + "".join(f"    if s > 1: r{j}()\n" for j in range(n)) + "\n"
        for i in range(n)
    )
    return HEAD + f"state s: 0..3 = 1\n\n{rules}phase Play:\n    r0()\n    finish {{player(1)}}\n"


def huge_number(n: int) -> str:
    return HEAD + f"define a = {'9' * n}\n" + asked("a")


def huge_power(n: int) -> str:
    return HEAD + f"define a = {' * '.join(['999999999'] * n)}\n" + asked("a")


def huge_range(n: int) -> str:
    return HEAD + f"define a = count(x for x in 1..{10**n} where x > 3)\n" + asked("a")


def huge_state(n: int) -> str:
    return (
        HEAD
        + f"state s: 0..{10**n} = 1\n\nphase Play:\n    turns p:\n        choose x in 1..{10**n}\n        set s = x\n        finish {{p}}\n"
    )


def huge_roll(n: int) -> str:
    return (
        HEAD
        + f"phase Play:\n    roll d in 1..{10**n}\n    if d > 3: finish {{player(1)}}\n    finish {{player(2)}}\n"
    )


def huge_grid(n: int) -> str:
    return (
        HEAD
        + f"token Stone: black 9\n\nplace board: grid {10**n} by {10**n} of Stone, seen by all\n"
        + asked("count(s for s in spaces(board))")
    )


def huge_players(n: int) -> str:
    return f'game "Hostile" for 2 to {10**n} players\n\neach player has:\n    state s: 0..9 = 0\n' + END


def huge_tokens(n: int) -> str:
    return (
        HEAD
        + f"token Coin: gold {10**n}\n\nplace pile: bag of Coin\n\nsetup:\n    move all from box(Coin) to pile\n"
        + END
    )


def huge_components(n: int) -> str:
    return (
        HEAD
        + f"component Card count {10**n}\n\nplace pile: bag of Card\n\nsetup:\n    move all from box(Card) to pile\n"
        + END
    )


def huge_table(n: int) -> str:
    rows = "".join(f"    | {i} | {i % 7} |\n" for i in range(n))
    return HEAD + f"table price(k: 0..{n - 1}) -> 0..9:\n    | k | price |\n{rows}" + asked("price(3)")


def many_rows(n: int) -> str:
    rows = "".join(f"    | {i % 100} | {i % 7} |\n" for i in range(n))
    return HEAD + f"component Card:\n    a: 0..100\n    b: 0..9\nrows Card:\n    | a | b |\n{rows}" + END


def many_kinds(n: int) -> str:
    return HEAD + f"kinds Colour: {', '.join(f'c{i}' for i in range(n))}\n" + asked("count(Colour)")


def many_actions(n: int) -> str:
    actions = "".join(f"action a{i} in act:\n    require s > {i % 3}\n    set s = 0\n\n" for i in range(n))
    return (
        HEAD
        + f"state s: 0..3 = 1\n\n{actions}phase Play:\n    turns p:\n        offer act else finish {{p}}\n"
    )


def many_places(n: int) -> str:
    return (
        HEAD
        + "component Card count 3\n"
        + "".join(f"place p{i}: bag of Card, seen by nobody\n" for i in range(n))
        + END
    )


def many_endings(n: int) -> str:
    return (
        HEAD
        + "state s: 0..9 = 0\n\n"
        + "".join(f"ending e{i} when s = {i % 9 + 1}: finish {{player(1)}}\n" for i in range(n))
        + "\nphase Play:\n    turns p:\n        choose x in 0..9\n        set s = x\n"
    )


def long_name(n: int) -> str:
    name = "a" * n
    return HEAD + f"define {name} = 3\n" + asked(name) + f"# {name}\ndefine b = {name}x\n"


def long_text(n: int) -> str:
    return (
        HEAD
        + f'phase Play:\n    turns p:\n        choose "{"x" * n}" y in 1..2\n        finish {{p}} because "{"y" * n}"\n'
    )


def long_comment(n: int) -> str:
    return HEAD + f"# {'x' * n}\n" + END


def many_lines(n: int) -> str:
    return HEAD + "\n" * n + "# and on\n" * n + END


def many_complaints(n: int) -> str:
    return HEAD + "".join(f"define a{i} = nobody_knows_{i}\n" for i in range(n)) + END


def broken_lines(n: int) -> str:
    return HEAD + "phase ((( :\n" * n + END


def nul_bytes(n: int) -> str:
    return HEAD + "\0" * n + END


def strange_letters(n: int) -> str:
    accents, dragons = "\u0301" * n, "\U0001f409" * n
    return HEAD + f"define a\u202e{accents} = 3\n# \ufeff\u2028\u2066{dragons}\n" + END


def carriage_returns(n: int) -> str:
    return (HEAD + END).replace("\n", "\r") + "\r" * n


def tabs(n: int) -> str:
    return HEAD + "phase Play:\n" + "\t" * n + "finish {}\n"


def unclosed(n: int) -> str:
    return HEAD + f'define a = {"{" * n}\n\ngame "{"x" * n}\n'


MORE: dict[Callable[[int], str], tuple[int, ...]] = {
    nested_for: (5, 19, 30, 60),
    nested_repeat: (5, 19, 30, 60),
    nested_as: (5, 19, 30, 60),
    nested_atomic: (5, 19, 30, 60),
    nested_offer: (3, 8, 15, 40),
    nested_may: (5, 12, 30, 60),
    nested_turns: (3, 12, 30),
    nested_show: (5, 12, 30),
    nested_conditionals: (10, 30, 60, 500),
    nested_not: (10, 90, 1000),
    nested_minus: (10, 90, 1000),
    nested_sets: (3, 12, 30, 60),
    nested_any: (3, 6, 12, 25),
    wide_union: (10, 100, 1000),
    wide_and: (10, 100, 1000),
    doubling_with: (3, 10, 20, 30, 60),
    doubling_constants: (3, 10, 20, 40),
    doubling_tests: (3, 6, 12, 20, 40),
    mutual_definitions: (1, 2, 50, 500),
    mutual_rules: (1, 2, 50, 500),
    everybody_calls_everybody: (3, 10, 30),
    huge_number: (10, 100, 4000, 50_000),
    huge_power: (3, 50, 90),
    huge_range: (3, 6, 9, 18),
    huge_state: (3, 6, 9, 18),
    huge_roll: (3, 6, 9),
    huge_grid: (1, 2, 3, 6),
    huge_players: (1, 2, 4, 9),
    huge_tokens: (2, 9, 30),
    huge_components: (2, 4, 6, 9),
    huge_table: (100, 5_000, 50_000),
    many_rows: (100, 2_000, 20_000),
    many_kinds: (60, 600, 6_000),
    many_actions: (10, 200),
    many_places: (10, 300),
    many_endings: (10, 300),
    long_name: (10, 1_000, 100_000),
    long_text: (100, 100_000),
    long_comment: (1_000, 10_000_000),
    many_lines: (1_000, 300_000),
    many_complaints: (10, 2_000),
    broken_lines: (10, 2_000),
    nul_bytes: (1, 100_000),
    strange_letters: (1, 1_000),
    carriage_returns: (1, 1_000),
    tabs: (1, 10_000),
    unclosed: (1, 5_000),
}
