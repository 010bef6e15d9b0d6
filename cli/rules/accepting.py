"""Numbers in scenarios that a designer has changed on purpose: what is checked is written as it is now.

Only a number that something is compared with is written anew, in the files that were asked for. A scenario
tells its first failing check, so files are run again until nothing more can be accepted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from attrs import frozen

from ...grammar.fixes import Edit, Fix, apply
from ...interpreter.driver import Driver
from ...interpreter.rule_sets import Library
from .scenario_runs import Item, Result, find, run

ROUNDS = 40


@frozen
class Accepted:
    """The new texts of files, and a line about each number."""

    texts: dict[Path, str]
    told: list[str]


def accepted(
    files: Sequence[Path], library: Callable[[Driver], Library], wanted: Callable[[Item], bool]
) -> Accepted:
    """Nothing is written yet."""
    texts: dict[Path, str] = {}
    told: list[str] = []
    known: set[str] | None = None
    for _ in range(ROUNDS):
        items = [item for item in find(files, library=library(Driver(texts))).items if wanted(item)]
        failed = [r for r in map(run, (i for i in items if known is None or str(i) in known)) if not r.ok]
        known = {str(result.item) for result in failed}
        if not _round(files, failed, texts, told):
            break
    return Accepted(texts, told)


def _round(files: Sequence[Path], failed: Sequence[Result], texts: dict[Path, str], told: list[str]) -> bool:
    before = len(told)
    for file in files:
        mine = {
            r.instead[0].start: r.instead
            for r in failed
            if r.instead and r.instead[0].source.name == str(file)
        }
        fixes = [Fix("", (Edit(span, value),)) for span, value in mine.values() if span.text != value]
        if fixes:
            source = next(iter(mine.values()))[0].source
            texts[file] = apply(source, fixes)
            told += [
                f"{span}: {span.text} becomes {value}" for span, value in mine.values() if span.text != value
            ]
    return len(told) > before
