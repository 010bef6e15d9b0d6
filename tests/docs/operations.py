"""The lists of operations in docs/architecture.md, made from the classes and the table of operators.

`python tests/docs/operations.py` writes them into the page.
"""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import Any, get_args

from dragonrules.interpreter.core import OPERATORS, Audience, Expr, Instruction, Stmt
from dragonrules.interpreter.core.events import Observation
from dragonrules.interpreter.program.terminators import Terminator

PAGE = Path(__file__).parents[2] / "docs" / "architecture.md"
START = "## Operations\n"


def _sentence(cls: Any) -> str:
    return " ".join(cls.__doc__.split()).rstrip(".").replace("|", "or")


def _table(title: str, union: Any) -> str:
    rows = "\n".join(f"| {cls.__name__} | {_sentence(cls)} |" for cls in get_args(union))
    return f"### {title}\n\n| | |\n|---|---|\n{rows}\n"


def operations() -> str:
    """The text between the headings."""
    groups = groupby(OPERATORS.values(), key=lambda row: row.group)
    operators = "\n".join(
        f"| {group} | {' '.join(f'`{row.name}`' for row in rows)} |" for group, rows in groups
    )
    return "\n".join(
        [
            "Made from `interpreter/core/`; a test compares.\n",
            _table("Expr: expressions", Expr),
            f"### Operators: what `Apply` may apply\n\n| | |\n|---|---|\n{operators}\n",
            "`some` fails when its operand is none; `revealed` is its operand, and says that the rules tell it.\n",
            _table("Stmt: statements", Stmt),
            _table("Instruction: what lowering makes", Instruction),
            _table("Terminator: how a block ends", Terminator),
            _table("Audience: who sees something", Audience),
            _table("Observation: what a seat notices", Observation),
        ]
    )


def rewritten(text: str) -> str:
    before, _ = text.split(START)  # it is the last part of the page
    return f"{before}{START}\n{operations()}"


if __name__ == "__main__":
    PAGE.write_text(rewritten(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
