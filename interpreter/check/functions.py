"""Words that stand for functions: reductions, and what other languages say."""

from __future__ import annotations

LANGUAGE_NAMES = frozenset(
    ("me", "my", "yes", "no", "none", "players", "player_count", "active", "turn_number")
    + ("directions", "diagonals", "all_directions", "rotations")
)
# name -> how it is written
REDUCTIONS = {
    "count": "count(x for x in s where c), count(place)",
    "sum": "sum(e for x in s)",
    "max": "max(a, b), max(e for x in s)",
    "min": "min(a, b), min(e for x in s)",
    "any": "any(c for x in s)",
    "every": "every(c for x in s)",
    "none": "none(c for x in s)",
    "most": "most(x by e for x in s)",
    "least": "least(x by e for x in s)",
    "the": "the(x for x in s where c)",
    "sort": "sort(x by e for x in s)",
    "first": "first(x for x in s where c)",
    "last": "last(list)",
    "spread": "spread(t from s to u for u in around(t) where c)",
}
FOREIGN = {
    "size": "count(...)",
    "len": "count(...)",
    "length": "count(...)",
    "amount": "count(...)",
    "exists": "any(c for x in s)",
    "some": "any(c for x in s)",
    "forall": "every(c for x in s)",
    "random": "roll n in 1..6",
    "dice": "roll n in 1..6",
    "neighbours": "near(s, 1)",
    "neighbors": "near(s, 1)",
    "adjacent": "near(s, 1)",
    "opponent": "left(me)",
    "opponents": "others(me)",
    "next": "left(p)",
    "next_player": "left(p)",
    "previous": "right(p)",
    "true": "yes",
    "false": "no",
    "null": "none",
    "nil": "none",
    "nobody": "none",
    "self": "me",
    "current_player": "active",
    "turn": "turn_number",
    "North": "N",
    "East": "E",
    "South": "S",
    "West": "W",
    "Up": "N",
    "Right": "E",
    "Down": "S",
    "Left": "W",
}
"""Words of other languages, and what is written here."""
FOREIGN_STATEMENTS = {
    "pass": "`nothing`, or `skip` to go on with the next",
    "break": "`stop Name` with the name of the loop",
    "continue": "`skip`",
    "end": "`finish {...}` with the winners",
    "end_turn": "`skip`",
}
