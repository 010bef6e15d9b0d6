"""Do the tests notice? One-line changes, one after the other, and which of them survive.

    python tests/mutants.py --changes 40 --seed 1 interpreter/program/lower/game.py interpreter/players
    python tests/mutants.py --known

Each change is made in a copy of the tree outside of it and the tests are run there until the first one fails. A
change that no test notices is a *survivor*: either a test is missing, or the line is not needed. Some
survivors are honest (a faster way to the same answer); read them one by one.

Changes are drawn evenly over the files named (folders are searched), from the same seed always the same ones:
a comparison turned round, `and` for `or`, a condition negated, a number off by one, `min` for `max`, a
statement left out, `yes` for `no`, `break` for `continue`.

`--known` tries the changes in KNOWN, which once went unnoticed, on the tests that were written for them; only
what survives those is tried on the others.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
QUICK = ["-m", "quick"]
FOR_KNOWN = ["tests/semantics/test_one_word.py"]

COMPARISONS = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.In: "not in", ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is",
}  # fmt: skip
ARITHMETIC = {ast.Add: "-", ast.Sub: "+", ast.Mult: "+", ast.FloorDiv: "*", ast.BitAnd: "|", ast.BitOr: "&"}
CALLS = {"min": "max", "max": "min", "any": "all", "all": "any"}


@dataclass(frozen=True)
class Change:
    """`old` at this place of a file becomes `new`."""

    file: str
    line: int
    start: int
    end: int
    new: str

    def applied(self, text: str) -> str:
        return text[: self.start] + self.new + text[self.end :]

    def told(self, text: str) -> str:
        return f"{self.file}:{self.line}: `{text[self.start : self.end].strip()}` -> `{self.new.strip()}`"


KNOWN: dict[str, tuple[str, str, str]] = {
    "`or` says that both sides hold": (
        "interpreter/check/certainty.py",
        "case syntax.OrExpr(left=left, right=right) if not holds:",
        "case syntax.OrExpr(left=left, right=right):",
    ),
    "not both says neither": (
        "interpreter/check/certainty.py",
        "case syntax.AndExpr(left=left, right=right) if holds:",
        "case syntax.AndExpr(left=left, right=right):",
    ),
    "a secret is open behind an `or`": (
        "interpreter/review/secrets.py",
        "case And() | Or() if (isinstance(condition, And)) == holds:",
        "case And() | Or():",
    ),
    "the others include oneself": (
        "interpreter/python/players.py",
        "((1 << n) - 1) & ~(1 << p) for p",
        "((1 << n) - 1) for p",
    ),
    "all are told what was exchanged": (
        "interpreter/play/visibility.py",
        "self.tell(state, ThingsExchanged(*pair), know)",
        "self.tell(state, ThingsExchanged(*pair), self.everyone)",
    ),
    "a swap writes its left side": (
        "interpreter/core/facts.py",
        "return _kept(left) | _kept(right)",
        "return _kept(left)",
    ),
    "a swap carries things one way": (
        "interpreter/core/facts.py",
        "return (Transfer(of, None, left, right), Transfer(of, None, right, left))",
        "return (Transfer(of, None, left, right),)",
    ),
    "what is put back when it moves is not written": (
        "interpreter/core/facts.py",
        "case ResetOne(state=state):\n            return {state}",
        "case ResetOne(state=state):\n            return set()",
    ),
    "what is put back when a phase ends is not written": (
        "interpreter/core/facts.py",
        "case Reset(names=names):\n            return {",
        "case Reset(names=names):\n            return set() and {",
    ),
    "behind the seal, half of it being one's own is enough": (
        "interpreter/check/together.py",
        "return self.own(ex.then, at) and self.own(ex.otherwise, at)",
        "return self.own(ex.then, at) or self.own(ex.otherwise, at)",
    ),
    "behind the seal, everybody's things are one's own": (
        "interpreter/check/together.py",
        "return any(self.own(a, at) for a in ex.indices)",
        "return True",
    ),
    "a range that runs backwards, as a mask": (
        "interpreter/python/sets.py",
        "((1 << max({high} + 1, {low})) - (1 << {low}))",
        "((1 << {high} + 1) - (1 << {low}))",
    ),
    "the whole does not clash with a part": (
        "interpreter/overlay/claims.py",
        "if WHOLE not in (a.part, b.part) and a.part != b.part:",
        "if a.part != b.part:",
    ),
    "copies are told apart by their numbers": (
        "interpreter/program/passes/interchangeable.py",
        "Copies(tuple(here.rows), marks)",
        "Copies(tuple(range(here.count)), marks)",
    ),
    "another winner is no difference": (
        "interpreter/play/replay.py",
        "here is not None and here.winners != there.winners",
        "here is not None and not here.over and here.winners != there.winners",
    ),
    "the bottom of a stack is its top": (
        "interpreter/python/holdings.py",
        'return f"(L[{name}][0] if L[{name}] else -1)"',
        'return f"(L[{name}][-1] if L[{name}] else -1)"',
    ),
    "stopping an outer loop stops the inner one": (
        "interpreter/program/waiting.py",
        "return not local or not loops or loops[-1] != label",
        "return not local or not loops",
    ),
    "stopping an outer loop goes to the end of the innermost scope": (
        "interpreter/program/lower/control.py",
        "if self.c.scopes[depth].label == label:",
        "if self.c.scopes[depth].label:",
    ),
    "one branch that returns is enough": (
        "interpreter/check/returns.py",
        "return all(_sure_to_leave(c, body) for body in (st.body, st.orelse))",
        "return any(_sure_to_leave(c, body) for body in (st.body, st.orelse))",
    ),
    "the quotient by the ends of a range only": (
        "interpreter/check/operators.py",
        "for y in (b.low, -1, 1, b.high) if y",
        "for y in (b.low, b.high) if y",
    ),
    "the product of the ends only": (
        "interpreter/check/operators.py",
        "ends = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]",
        "ends = [a.low * b.low, a.high * b.high]",
    ),
}
"""What once went unnoticed, and its nearest kin: a name, the file, the text before and after."""


def changes(file: Path) -> Iterator[Change]:
    text = file.read_text(encoding="utf-8")
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line.encode()))
    raw = text.encode()
    inside = str(file.relative_to(ROOT))

    def at(line: int, column: int) -> int:
        return len(raw[: starts[line - 1] + column].decode())

    def span(node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None and node.end_col_offset is not None
        return at(node.lineno, node.col_offset), at(node.end_lineno, node.end_col_offset)

    def change(node: ast.expr | ast.stmt, new: str) -> Change:
        return Change(inside, node.lineno, *span(node), new)

    def source(node: ast.expr) -> str:
        start, end = span(node)
        return text[start:end]

    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Compare(left, [op], [right]) if type(op) in COMPARISONS:
                yield change(node, f"{source(left)} {COMPARISONS[type(op)]} {source(right)}")
            case ast.BoolOp(op, values):
                word = " or " if isinstance(op, ast.And) else " and "
                yield change(node, "(" + word.join(f"({source(v)})" for v in values) + ")")
            case ast.UnaryOp(ast.Not(), operand):
                yield change(node, f"bool({source(operand)})")
            case ast.BinOp(left, op, right) if type(op) in ARITHMETIC and not _is_type(node):
                yield change(node, f"{source(left)} {ARITHMETIC[type(op)]} {source(right)}")
            case ast.Constant(bool(value)):
                yield change(node, str(not value))
            case ast.Constant(int(value)):
                yield change(node, str(value + 1))
            case ast.Call(ast.Name(name) as called) if name in CALLS:
                yield change(called, CALLS[name])
            case ast.If(test) | ast.IfExp(test) | ast.While(test):
                yield change(test, f"not ({source(test)})")
            case ast.Break() | ast.Continue():
                yield change(node, "continue" if isinstance(node, ast.Break) else "break")
            case ast.Expr(ast.Call()):
                yield change(node, "pass")


def _is_type(node: ast.BinOp) -> bool:
    """`A | B` of types, as in an annotation: no change of meaning that a test could notice."""
    return isinstance(node.op, ast.BitOr) and any(
        (isinstance(n, ast.Name) and (n.id[:1].isupper() or n.id in {"str", "int", "bool", "None"}))
        or (isinstance(n, ast.Constant) and n.value is None)
        for n in ast.walk(node)
    )  # fmt: skip


def survives(copy: Path, change: Change, tests: list[str], limit: int) -> bool:
    """Whether no test fails with this change."""
    file = copy / change.file
    before = file.read_text(encoding="utf-8")
    file.write_text(change.applied(before), encoding="utf-8")
    try:
        return passes(copy, tests, limit)
    finally:
        file.write_text(before, encoding="utf-8")


def passes(copy: Path, tests: list[str], limit: int) -> bool:
    """Whether the tests pass; a run that does not end does not."""
    environment = os.environ | {
        "PYTHONPATH": str(copy / "tests" / "typing"),
        "DRAGONRULES_CACHE": str(copy / "cache"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    command = [sys.executable, "-P", "-m", "pytest", "-x", "-q", "-n", "2", "-p", "no:cacheprovider", *tests]
    try:
        run = subprocess.run(command, cwd=copy, env=environment, capture_output=True, timeout=limit)
        return run.returncode == 0
    except subprocess.TimeoutExpired:
        return False


def copied(place: Path) -> Path:
    leave = shutil.ignore_patterns(".git", ".venv", "__pycache__", "build", ".*_cache", "*.egg-info")
    return Path(shutil.copytree(ROOT, place / "tree", symlinks=True, ignore=leave))


def known() -> list[Change]:
    found = []
    for name, (file, old, new) in KNOWN.items():
        text = (ROOT / file).read_text(encoding="utf-8")
        if text.count(old) != 1:
            raise SystemExit(f"{name}: `{old}` stands {text.count(old)} times in {file}; it should once")
        start = text.index(old)
        found.append(Change(file, text.count("\n", 0, start) + 1, start, start + len(old), new))
    return found


def drawn(paths: list[str], number: int, seed: int) -> list[Change]:
    files = [
        f
        for path in paths
        for f in ([ROOT / path] if path.endswith(".py") else sorted((ROOT / path).rglob("*.py")))
    ]
    everything = [change for file in files for change in changes(file)]
    return random.Random(seed).sample(everything, min(number, len(everything)))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("paths", nargs="*", default=["interpreter"], help="files and folders to change")
    parser.add_argument("--changes", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--known", action="store_true", help="the changes that once went unnoticed")
    parser.add_argument("--limit", type=int, default=300, help="seconds for one run of the tests")
    parser.add_argument("--tests", nargs="*", default=QUICK, help="what pytest is given")
    options = parser.parse_args()
    tried = known() if options.known else drawn(options.paths, options.changes, options.seed)
    survivors = 0
    with tempfile.TemporaryDirectory() as place:
        copy = copied(Path(place))
        if not passes(copy, FOR_KNOWN if options.known else options.tests, options.limit):
            raise SystemExit("the tests fail without any change")
        for change in tried:
            alive = (not options.known or survives(copy, change, FOR_KNOWN, options.limit)) and survives(
                copy, change, options.tests, options.limit
            )
            survivors += alive
            text = (ROOT / change.file).read_text(encoding="utf-8")
            print("survives " if alive else "noticed  ", change.told(text), flush=True)
    print(f"{len(tried)} changes, {survivors} survived")


if __name__ == "__main__":
    main()
