"""No pass overlooks a class of nodes in silence.

A `match` over four or more classes of one of the unions ends in `assert_never`, or in an error,
or stands here with what becomes of a class that it does not name. Tables by class
(core/dispatch.py) are compared with their unions where they are tested.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

from dragonrules.interpreter.core import Audience, Expr, Instruction, Stmt
from dragonrules.interpreter.core.events import Observation
from dragonrules.interpreter.program.terminators import Terminator

ROOT = Path(__file__).parents[2]
UNIONS = [
    {cls.__name__ for cls in get_args(union)}
    for union in (Expr, Stmt, Instruction, Terminator, Audience, Observation)
]
FEW = 3
MATCH = re.compile(r"^ +match .*:$", re.MULTILINE)

DOUBT = "it is not known, which is the careful answer: nothing is made shorter or called certain"
WALK = "what is inside it is looked at all the same"
TABLE = "a table that has all of them goes on with it"
WORDS = "it is said in words that fit everything"
ERROR = "it is told as an error"
HONEST = {
    "check/fitting.py in_slot": DOUBT,
    "check/index.py _symbol": "the name is not linked to a declaration",
    "check/together.py own": ERROR,
    "native/expressions.py known": DOUBT,
    "native/lists.py list_value": TABLE,
    "native/loops.py each": TABLE,
    "native/sets.py natural": "its type says it",
    "native/sets.py set_value": TABLE,
    "native/vectors.py let_vector": TABLE,
    "play/whynot.py refusal": "it is none that asks",
    "program/liveness.py _read": WALK,
    "program/passes/folding.py evaluate": DOUBT,
    "program/passes/folding.py members": DOUBT,
    "program/printing.py _expression": WORDS,
    "program/printing.py _statement": WORDS,
    "program/printing.py print_value": WORDS,
    "python/known.py known": DOUBT,
    "python/loops.py worth_hoisting": DOUBT,
    "python/sets.py iterable": TABLE,
    "review/conditions.py range": DOUBT,
    "review/empty_choices.py _size": DOUBT,
    "review/graphs.py _statement": "facts.transfers says what it carries",
    "review/secrets.py excluded": DOUBT,
    "review/secrets.py label": ERROR,
    "review/secrets.py who": DOUBT,
    "review/walk_seeing.py _at_an_end": "it is taken to be so, which is the careful answer",
    "rulebook/clauses.py _absence": WORDS,
    "rulebook/reachable.py _used_by": WALK,
    "rulebook/sentences.py domain": WORDS,
    "table/condensing.py _join": "it is told in a line of its own",
    "table/narrate.py _brief": TABLE,
    "table/narrate.py brief": "it is told in the line of whoever's turn it is",
    "table/narrate.py _run": "it stands alone",
}


def open_matches() -> Iterator[str]:
    for path in sorted((ROOT / "interpreter").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if not MATCH.search(text):
            continue
        for function in ast.walk(ast.parse(text)):
            if isinstance(function, ast.FunctionDef):
                for node in ast.walk(function):
                    if isinstance(node, ast.Match) and _over_a_union(node) and not _refuses(node):
                        yield f"{path.relative_to(ROOT / 'interpreter').as_posix()} {function.name}"


def _over_a_union(node: ast.Match) -> bool:
    patterns = (part for case in node.cases for part in ast.walk(case.pattern))
    named = {p.cls.id for p in patterns if isinstance(p, ast.MatchClass) and isinstance(p.cls, ast.Name)}
    return any(len(named & union) > FEW for union in UNIONS)


def _refuses(node: ast.Match) -> bool:
    last = node.cases[-1]
    if not isinstance(last.pattern, ast.MatchAs) or last.pattern.pattern is not None:
        return False
    words = ast.unparse(last.body[0])
    return words.startswith(("assert_never", "return _nobody_said", "raise"))


def test_what_is_not_named_is_refused_or_it_is_known_what_becomes_of_it() -> None:
    assert sorted(set(open_matches())) == sorted(HONEST)
