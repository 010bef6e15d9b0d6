"""The strict operators as data: what `Apply` may apply.

An operator works on the values of its operands, all of them worked out first.
Each is a row: name, group, signature, printed form, the sentence of the
reference; whether it may fail at play; how constants are folded; whether it tells
no more than its operands do, or at what of a place it looks; what it is among
comparisons. A pass asks for a property and not for names. A new one is a row here, an alternative of the grammar
or a name among the built-in functions, and a line of each back end.
"""

from __future__ import annotations

import operator
from collections.abc import Callable

from attrs import evolve, frozen

Fold = Callable[..., int]


@frozen
class Operator:
    name: str
    group: str
    signature: str  # operands -> result; `T?` may be none, `T...` any number
    form: str  # how it is written; "" when the checker or lowering puts it in
    sentence: str
    words: str = ""  # in the rulebook, where no more than its operands is needed: {0}, {1}; {n} its type
    fails: bool = False  # may it fail at play?
    reads: tuple[str, ...] = ()  # of the state, besides its operands (names as in facts.py)
    fold: Fold | None = None  # on constants
    plain: bool = False  # does the value follow from the operands, and from nothing else that may be hidden?
    told: bool = False  # is the value no secret, whatever it is about?
    looks: str = ""  # at what of the place that is its first operand: its size, its ends, all that lies there
    part: bool = False  # is the value (part of) its first operand, or what lies in it?
    recast: bool = False  # the same things as in its operand, in another form
    same: bool = False  # would a reader take it for its first operand?
    narrow: bool = False  # may the value leave the width of a number or set in machine code?
    negation: str = ""  # of a comparison: what holds when it does not
    mirror: str = ""  # of a comparison: the same with its sides exchanged

    @property
    def compares(self) -> bool:
        return bool(self.mirror)

    @property
    def sign(self) -> str:
        """Of a comparison: how it is written between its sides."""
        return self.form.split()[1] if self.compares else ""


def _rows(group: str, *rows: tuple[str, str, str, str]) -> list[Operator]:
    return [Operator(name, group, signature, form, sentence) for name, signature, form, sentence in rows]


_ALL: list[Operator] = [
    *_rows(
        "names",
        ("players", "-> set of player", "players", "everybody at the table"),
        ("player_count", "-> number", "player_count", "how many players there are"),
        ("active", "-> player", "active", "whose turn it is"),
        ("turn_number", "-> number", "turn_number", "the number of the turn, from 1"),
        ("revealed", "T -> T", "revealed(x)", "the value itself, which the rules tell"),
    ),
    *_rows(
        "logic",
        ("not", "yes/no -> yes/no", "not a", "yes when it is not so"),
        ("eq", "T, T -> yes/no", "a = b", "are they the same?"),
        ("ne", "T, T -> yes/no", "a != b", "are they different?"),
        ("lt", "T, T -> yes/no", "a < b", "is the first less?"),
        ("le", "T, T -> yes/no", "a <= b", "is the first at most the second?"),
        ("gt", "T, T -> yes/no", "a > b", "is the first more?"),
        ("ge", "T, T -> yes/no", "a >= b", "is the first at least the second?"),
        ("in", "T, set of T -> yes/no", "a in s", "is it one of them?"),
        ("is_at", "component?, place -> yes/no", "c in place", "does it lie there?"),
    ),
    *_rows(
        "numbers",
        ("add", "number, number -> number", "a + b", "the sum"),
        ("sub", "number, number -> number", "a - b", "the difference"),
        ("mul", "number, number -> number", "a * b", "the product"),
        ("div", "number, number -> number", "a / b", "the quotient, rounded down"),
        ("mod", "number, number -> number", "a mod b", "what a division leaves"),
        ("neg", "number -> number", "-a", "the number with its sign changed"),
        ("abs", "number -> number", "abs(n)", "the number without its sign"),
        ("min_of", "number... -> number", "min(a, b)", "the least"),
        ("max_of", "number... -> number", "max(a, b)", "the greatest"),
        ("number", "kind -> number", "number(k)", "the position of a value in its kind, from 1"),
    ),
    *_rows(
        "sets and lists",
        ("set", "T... -> set of T", "{a, b}", "the set of these"),
        ("range", "number, number -> set of number", "a..b", "all numbers from one to the other"),
        ("union", "set of T, set of T -> set of T", "s + r", "what is in either"),
        ("difference", "set of T, set of T -> set of T", "s - r", "what is in the first and not the second"),
        ("concat", "list of T, list of T -> list of T", "a + b", "one list behind the other"),
        ("items", "place -> set or list of component", "place", "what lies in a place"),
        ("as_set", "set of T -> set of T", "", "the same set in the form that is wanted"),
        ("snapshot", "set or list of T -> list of T", "", "what is in it now, in order"),
        ("length", "list of T -> number", "", "how many there are"),
        ("foremost", "list of T, number -> list of T", "", "so many from its front, which must be there"),
        ("element", "list of T, number -> T", "", "the one at a position, from 0"),
        ("list_at", "list of T, number -> T?", "list[n]", "the one at a position, from 1"),
        ("subsets", "set of T, number, number -> list of sets", "choose 1..2 x in s", "its parts of so many"),
        (
            "subsets_from",
            "set of T, number, number, set of T, T? -> list of sets",
            "",
            "its parts of so many that begin with these and this; with none: these alone",
        ),
        (
            "next_members",
            "set of T, set of T, number -> list of T?",
            "",
            "what may come behind these in a part of so many; none is last, if these are enough",
        ),
    ),
    *_rows(
        "seats",
        ("seat", "player -> number", "p.seat", "the number of a seat, from 1"),
        ("player", "number -> player", "player(n)", "who sits at a seat"),
        ("left", "player -> player", "left(p)", "who sits to the left"),
        ("right", "player -> player", "right(p)", "who sits to the right"),
        ("others", "player -> set of player", "others(p)", "everybody else"),
        ("clockwise", "player -> list of player", "clockwise(p)", "all players, clockwise from one"),
    ),
    *_rows(
        "vectors",
        ("array_at", "vector of T, index -> T", "v[k]", "a cell of a vector"),
        ("tuple_append", "cells, number -> cells", "", "one more cell filled"),
    ),
    *_rows(
        "places",
        ("size", "place -> number", "count(place)", "how many things lie there"),
        ("empty", "place -> yes/no", "place = {}", "does nothing lie there?"),
        ("tally", "place of tokens, kind -> number", "place[k]", "how many of a kind lie there"),
        ("slot_kind", "slot of tokens -> kind?", "slot", "the kind of the token in a slot"),
        ("top", "place -> component?", "top(stack)", "the topmost; the last of a row"),
        ("bottom", "place -> component?", "bottom(stack)", "the lowest; the first of a row"),
        ("nth", "row or stack, number -> component?", "row[n]", "the one at a position, from 1"),
        ("peek_need", "deck, number -> number", "", "how many of its top cards are not known yet"),
    ),
    *_rows(
        "components",
        ("some", "T? -> T", "", "the value, which must not be none"),
    ),
    *_rows(
        "spaces",
        ("cell", "grid, space? -> component or kind?", "board[s]", "what lies on a space"),
        ("neighbour", "space?, direction -> space?", "s + d", "the space next to it in a direction"),
        ("ring_step", "space, number -> space", "s + n", "the space so many steps on"),
        ("line", "space, direction -> list of space", "line(s, d)", "the spaces from one on, in a direction"),
        ("lines", "space, number -> list of lists", "lines(s, n)", "the lines of a length through a space"),
        ("row_of", "space -> set of space", "row_of(s)", "the spaces of its row"),
        ("column_of", "space -> set of space", "column_of(s)", "the spaces of its column"),
        ("distance", "space, space -> number", "distance(a, b)", "how many steps it is"),
        ("rotate", "directions, rotation -> directions", "rotate(ds, r)", "directions turned"),
        ("opposite", "direction -> direction", "opposite(d)", "the direction back"),
        ("beside", "grid, space -> set of direction", "beside(board, s)", "where something lies next to it"),
        (
            "beyond",
            "component, direction, grid -> component?",
            "beyond(c, d)",
            "what lies next to a component",
        ),
        (
            "frontier",
            "grid, component? -> set of space",
            "frontier(board)",
            "the free spaces beside what lies there",
        ),
    ),
]

_WORDS = {
    "frontier": "the empty spaces next to {0}",
    "neighbour": "the space next to {0} in {1}",
    "beyond": "the neighbour of {0} in {1}",
    "distance": "the number of steps from {0} to {1}",
    "rotate": "{0} turned by {1}",
    "opposite": "the opposite of {0}",
    "row_of": "the row of {0}",
    "column_of": "the column of {0}",
    "line": "the line from {0} in {1}",
    "lines": "the lines of {1} spaces through {0}",
    "clockwise": "all players clockwise, beginning with {0}",
    "seat": "{0}'s seat number",
    "player": "the player in seat {0}",
    "bottom": "the bottom {n} of {0}",
    "nth": "number {1} in {0}",
    "list_at": "number {1} of {0}",
    "abs": "{0} without its sign",
    "number": "the number of {0} in the list",
    "neg": "minus {0}",
    "ring_step": "the space {1} steps on from {0}",
    "beside": "the directions in which something lies next to {1}",
    "length": "the number of {0}",
    "foremost": "{1} of {0}",
    "union": "{0} together with {1}",
    "difference": "{0} without {1}",
    "concat": "{0}, then {1}",
    "range": "{0} to {1}",
    "slot_kind": "what lies in {0}",
}
_PLAIN = frozenset(
    """abs add sub mul div mod neg lt le gt ge eq ne in not min_of max_of number
    array_at list_at subsets subsets_from next_members as_set snapshot items some element length concat foremost set range union difference
    player left right others clockwise seat
    beyond column_of row_of distance line lines neighbour opposite ring_step rotate""".split()
)
_TOLD = frozenset("players player_count active turn_number revealed".split())
_LOOKS = {
    **dict.fromkeys(("size", "empty"), "size"),
    "top": "top",
    "bottom": "bottom",
    **dict.fromkeys(("tally", "cell", "nth", "slot_kind", "is_at", "frontier", "beside"), "contents"),
}
_PART = frozenset("top bottom nth cell items some element list_at foremost as_set snapshot revealed".split())
_RECAST = frozenset("items as_set snapshot".split())
_SAME = _RECAST | {"revealed", "some", "element"}
_NARROW = frozenset("player set range mul as_set".split())
_NEGATIONS = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "gt": "le", "le": "gt"}
_MIRRORS = {"eq": "eq", "ne": "ne", "lt": "gt", "gt": "lt", "le": "ge", "ge": "le"}
_READS = {"active": ("active",), "turn_number": ("active",)}
_FAILING = frozenset(("some", "foremost", "as_set", "div", "mod", "element", "array_at"))
_FOLDED: dict[str, Fold] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": operator.floordiv,
    "mod": operator.mod,
    "eq": lambda a, b: int(a == b),
    "ne": lambda a, b: int(a != b),
    "lt": lambda a, b: int(a < b),
    "le": lambda a, b: int(a <= b),
    "gt": lambda a, b: int(a > b),
    "ge": lambda a, b: int(a >= b),
    "neg": operator.neg,
    "not": lambda a: int(not a),
    "abs": abs,
    "player": lambda n: n - 1,
    "seat": lambda p: p + 1,
    "number": lambda k: k + 1,
    "opposite": lambda d: (d + 4) % 8,
    "min_of": lambda *several: min(several),
    "max_of": lambda *several: max(several),
}

OPERATORS: dict[str, Operator] = {
    row.name: evolve(
        row,
        words=_WORDS.get(row.name, ""),
        fails=row.name in _FAILING,
        reads=_READS.get(row.name, ()),
        fold=_FOLDED.get(row.name),
        plain=row.name in _PLAIN,
        told=row.name in _TOLD,
        looks=_LOOKS.get(row.name, ""),
        part=row.name in _PART,
        recast=row.name in _RECAST,
        same=row.name in _SAME,
        narrow=row.name in _NARROW,
        negation=_NEGATIONS.get(row.name, ""),
        mirror=_MIRRORS.get(row.name, ""),
    )
    for row in _ALL
}
