"""docs/architecture.md: the map names every module, the tables every operation."""

from __future__ import annotations

import re
from pathlib import Path

import dragonrules.interpreter.check.game
import dragonrules.interpreter.native.function  # (its parts fill `gives`, `tells`, `does` and `ends`)
import dragonrules.interpreter.program.lower.game  # (its parts fill `takes_apart`)
import dragonrules.interpreter.python.context  # noqa: F401  (its parts fill `writes_value`)
from dragonrules.grammar import syntax
from dragonrules.interpreter.check.part import checks
from dragonrules.interpreter.core import Expr, Instruction, Pick, Reduction, Stmt
from dragonrules.interpreter.core.facts import ALWAYS_WAIT, JUMPS
from dragonrules.interpreter.native.part import does, ends, gives, tells
from dragonrules.interpreter.program.lower.part import takes_apart
from dragonrules.interpreter.program.terminators import Terminator
from dragonrules.interpreter.python.part import writes_end, writes_lines, writes_value
from dragonrules.interpreter.python.reductions import KINDS

from . import module_map
from .operations import rewritten

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


def test_the_lists_of_operations_are_those_of_the_code() -> None:
    assert rewritten(TEXT) == TEXT, "python tests/docs/operations.py writes them"


def test_the_map_is_that_of_the_modules() -> None:
    assert sorted(module_map.ROOMS) == module_map.rooms(), "a folder is missing in tests/docs/module_map.py"
    assert module_map.rewritten(TEXT) == TEXT, "python tests/docs/module_map.py writes it"


def test_every_module_says_what_it_is_for() -> None:
    silent = [
        path
        for folder in module_map.ROOMS
        for path in (ROOT / folder).glob("*.py")
        if not module_map.sentence(path)
    ]
    assert silent == []


def test_every_statement_of_the_syntax_is_checked() -> None:
    forms = {cls for cls in vars(syntax).values() if isinstance(cls, type) and issubclass(cls, syntax.Stmt)}
    assert forms - {syntax.Stmt, syntax.SimpleLine} == set(checks.known)


def test_every_expression_has_code() -> None:
    constants = {"player_count", "players", "Option"}  # of an engine
    elsewhere = {"PlacesOf"}  # only behind `show` and `reveal`
    assert writes_value.lacking(Expr) == constants | elsewhere
    kinds = set(re.findall(r"`(\w+)`", str(Reduction.__doc__).split("by kind")[1]))
    assert KINDS.keys() == kinds


def test_every_statement_has_code_or_is_taken_apart() -> None:
    assert writes_lines.lacking(Stmt, Instruction) & takes_apart.lacking(Stmt, Instruction) == {"Pick"}
    assert all(kind in takes_apart.known for kind in (*ALWAYS_WAIT, *JUMPS) if kind is not Pick)


def test_every_end_of_a_block_has_code() -> None:
    assert writes_end.lacking(Terminator) == set()


def test_everything_has_machine_code() -> None:
    several = {"subsets", "subsets_from", "next_members"}  # games that choose sets are played in Python
    assert gives.lacking(Expr) & tells.lacking(Expr) == {"PlacesOf"} | several
    taken_apart = {cls.__name__ for cls in takes_apart.known if isinstance(cls, type)} | {"Pick"}
    assert does.lacking(Stmt, Instruction) <= taken_apart
    assert ends.lacking(Terminator) == set()
