"""Taking the advice of findings: the fixes that are safe, made in the files that were asked for.

One fix may bring up what another can mend (a word that could not be read hides the rest of its
declaration), so files are looked at again until nothing more can be done.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Sequence
from pathlib import Path

from attrs import frozen

from ...grammar import Diagnostic
from ...grammar.fixes import apply
from ...grammar.writing import write_whole
from ...interpreter.driver import Driver
from ...interpreter.files.sources import read_source
from ...interpreter.rule_sets import Library
from .findings import Findings, findings

ROUNDS = 10


@frozen
class Mended:
    """What is left to tell, the new texts of files that change, and how many fixes were made."""

    left: Findings
    texts: dict[Path, str]
    fixes: int


def mended(files: Sequence[Path], codes: Collection[str] | None = None) -> Mended:
    """The files with all safe fixes made (or only those of some codes), nothing written yet."""
    texts: dict[Path, str] = {}
    made = 0
    for _ in range(ROUNDS):
        found = findings(files, 1, Library(Driver(texts)))
        before = dict(texts)
        told = [d for d in found.told if codes is None or d.code in codes]
        made += _round(files, told, texts)
        if texts == before:
            break
    return Mended(found, texts, made)


def _round(files: Sequence[Path], told: Sequence[Diagnostic], texts: dict[Path, str]) -> int:
    made = 0
    for file in files:
        own = [d for d in told if d.span.source.name == str(file)]
        fixes = [next(f for f in d.fixes if f.safe) for d in own if any(f.safe for f in d.fixes)]
        if fixes:
            texts[file] = apply(own[0].span.source, fixes)
            made += len(fixes)
    return made


def write(texts: dict[Path, str]) -> None:
    for path, text in texts.items():
        write_whole(path, text.encode())


def difference(texts: dict[Path, str]) -> str:
    """What would change, as a patch."""
    lines: list[str] = []
    for path, text in texts.items():
        before = read_source(path).text
        lines += difflib.unified_diff(
            before.splitlines(keepends=True),
            text.splitlines(keepends=True),
            f"{path} (as it is)",
            f"{path} (fixed)",
        )
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )
