"""Who names operators one by one, and what becomes there of one that is not named.

A pass asks for a property of an operator (core/operators.py). Where it names two or more in one breath all the
same, it stands here with what happens to the others, so that a new operator is nowhere overlooked in silence.
Tables with a method for each (core/dispatch.py) are compared with all operators where they are tested.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from dragonrules.interpreter.core import OPERATORS

ROOT = Path(__file__).parents[2] / "interpreter"

DOUBT = "of others nothing is known, which is the careful answer"
WALK = "others are looked into all the same, or handed to a table that has all of them"
ASKED = "the caller has asked before whether it is one of these"
ERROR = "others are told as an error"
HINT = "a hint in a message; others get another one"
NO_OPERATORS = "words for the ends of a deck, a row or a box, which only sound like operators"
HONEST = {
    "check/certainty.py _ENDS": NO_OPERATORS,
    "check/comprehensions.py _members": WALK,
    "check/constants.py _FIXED": ERROR,
    "check/fitting.py in_slot": DOUBT,
    "check/operators.py arithmetic": WALK,
    "check/paths.py attribute": HINT,
    "check/paths.py nearest": HINT,
    "check/statements.py _LYING": HINT,
    "check/together.py own": ERROR,
    "core/privacy.py _reads": DOUBT,
    "native/arithmetic.py _ARITHMETIC": ASKED,
    "native/builder.py _FOLDS": "names of instructions of machine code; others are not worked out beforehand",
    "native/comprehensions.py _count": WALK,
    "native/decks.py write_deck_end": NO_OPERATORS,
    "native/expressions.py _ARITHMETIC": DOUBT,
    "native/expressions.py _ORDER": ASKED,
    "native/lists.py list_value": WALK,
    "native/loops.py each": WALK,
    "native/sets.py set_value": WALK,
    "native/vector_tests.py _has_interval": DOUBT,
    "native/vector_tests.py _interval": ASKED,
    "play/seen_scores.py _read": DOUBT,
    "play/views.py known_order": NO_OPERATORS,
    "program/known_cards.py look": NO_OPERATORS,
    "program/passes/folding.py evaluate": DOUBT,
    "program/passes/inline_conditions.py _is_name": "others are worked out once and get a name",
    "program/passes/worth.py _distance": "an ending of another form says nothing of how far it is",
    "program/printing.py _INFIX": "others are printed as functions",
    "program/printing.py _expression": "others are printed as functions",
    "program/vector_bounds.py _bound": DOUBT,
    "python/expressions.py _INFIX": "a table of code: others have methods of their own",
    "python/expressions.py x_in_range": WALK,
    "python/known.py repeated": "others repeat none of their operands' code",
    "python/known.py simple": WALK,
    "python/loops.py _shared": DOUBT,
    "python/loops.py worth_hoisting": DOUBT,
    "python/sets.py set_value": WALK,
    "python/statements.py _for": "of others a copy is gone through, which is the careful way",
    "python/vectors.py _could": ASKED,
    "python/vectors.py _interval": DOUBT,
    "reference/expressions.py _GEOMETRY": "a table of meanings: others have functions of their own",
    "reference/expressions.py _NUMBERS": "a table of meanings: others have functions of their own",
    "reference/seeing.py order_known_to": NO_OPERATORS,
    "reference/vectors.py _bounds_a_sum": DOUBT,
    "reference/vectors.py _truth": DOUBT,
    "review/conditions.py _narrow": DOUBT,
    "review/conditions.py range": DOUBT,
    "review/counts.py _evaluate": WALK,
    "review/empty_choices.py _holds": DOUBT,
    "review/empty_choices.py _one_each": DOUBT,
    "review/empty_choices.py _size": DOUBT,
    "review/empty_choices.py _spaces_asked_about": DOUBT,
    "review/endlessness.py _direction": DOUBT,
    "review/endlessness.py _raises": DOUBT,
    "review/secrecy.py _of_all": DOUBT,
    "review/secrets.py _asks_for_room": DOUBT,
    "review/secrets.py _players": DOUBT,
    "review/secrets.py label": WALK,
    "review/secrets.py narrowed": DOUBT,
    "review/secrets.py viewers": NO_OPERATORS,
    "review/secrets.py who": DOUBT,
    "review/shortages.py _LOOKS": DOUBT,
    "review/walks.py _PARTS": DOUBT,
    "review/walks.py _hidden": NO_OPERATORS,
    "rulebook/clauses.py _COMPARED": ASKED,
    "rulebook/clauses.py _absence": NO_OPERATORS,
    "rulebook/clauses.py _comparison": ASKED,
    "rulebook/clauses.py _part": "others are clauses of their own",
    "rulebook/clauses.py clause": WALK,
    "rulebook/clauses.py _owned_amount": "another way to say it fits everything",
    "rulebook/moves.py _end": NO_OPERATORS,
    "rulebook/phrases.py _SIGNS": "a table of words: others have theirs in their rows",
    "rulebook/phrases.py _operand": "others need no brackets",
    "table/scene.py _heap": NO_OPERATORS,
    "table/text.py pad": "sides of a line of text",
}


@cache
def lists() -> dict[str, list[tuple[int, list[str]]]]:
    found: dict[str, list[tuple[int, list[str]]]] = {}
    for path in sorted(ROOT.rglob("*.py")):
        if path.relative_to(ROOT).as_posix() != "core/operators.py":
            for where, line, names in _lists(ast.parse(path.read_text(encoding="utf-8")), ""):
                key = f"{path.relative_to(ROOT).as_posix()} {where}".strip()
                found.setdefault(key, []).append((line, names))
    return found


def _lists(tree: ast.AST, where: str) -> Iterator[tuple[str, int, list[str]]]:
    known = tree.decorator_list if isinstance(tree, ast.FunctionDef) else []  # entries of a table by operator
    for node in ast.iter_child_nodes(tree):
        if node in known:
            continue
        inside = where
        if isinstance(node, ast.FunctionDef):
            inside = node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign) and not where:
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            inside = target.id if isinstance(target, ast.Name) else where
        names = _strings(node)
        operators = [name for name in names if name in OPERATORS]
        if len(operators) > 1 and 2 * len(operators) >= len(names):
            yield inside, node.lineno, names  # type: ignore[attr-defined]
        yield from _lists(node, inside)


def _strings(node: ast.AST) -> list[str]:
    match node:
        case ast.Set() | ast.Tuple() | ast.List():
            parts: list[ast.expr | None] = [*node.elts]
        case ast.Dict():
            parts = [*node.keys]
        case ast.MatchOr():
            parts = [p.value for p in node.patterns if isinstance(p, ast.MatchValue)]
        case ast.Call():
            parts = [*node.args]
        case _:
            return []
    return [p.value for p in parts if isinstance(p, ast.Constant) and isinstance(p.value, str)]


def test_a_pass_asks_for_properties_or_it_is_known_what_becomes_of_the_others() -> None:
    assert sorted(lists()) == sorted(HONEST), "a property in core/operators.py?"


def test_a_list_is_found() -> None:
    """This test looks for what it says it looks for."""
    text = "X = {'add', 'sub'}\ndef f(ex):\n    match ex:\n        case Apply(op='row_of' | 'line'): pass\n"
    assert [(where, names) for where, _, names in _lists(ast.parse(text), "")] == [
        ("X", ["add", "sub"]),
        ("f", ["row_of", "line"]),
    ]
