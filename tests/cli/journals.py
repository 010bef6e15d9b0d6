"""Journals to try things on: a small match, and what a file must tell of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from dragonrules.interpreter.core.errors import UsageError
from dragonrules.interpreter.table.journal import Journal
from dragonrules.interpreter.table.stories import checksum

from .paper import loaded

SEATS = ["human", "random", "random"]


def played(path: Path, decisions: int) -> tuple[Journal, list[list[object]]]:
    """A match of Dragon Keeper with a journal."""
    match = loaded("dragon_keeper").start(3, seed=6)
    journal = Journal(path, match, SEATS)
    for n in range(decisions):
        match.choose(n % len(match.state.options))
        journal.record(match)
    journal.close()
    return journal, match.log


def small(path: Path) -> list[list[Any]]:
    """A few decisions at tic-tac-toe, one of them taken back; what the journal should tell."""
    match = loaded("tic_tac_toe").start(2, seed=1)
    journal = Journal(path, match, ["human", "human"])
    before = match.fork()
    match.choose(0)
    journal.record(match)
    match = before
    for choice in (4, 0, 3):
        match.choose(choice)
        journal.record(match)
    journal.close()
    log: list[list[Any]] = json.loads(json.dumps(match.log))
    return log


def signed(*lines: Any) -> bytes:
    """Lines as a journal has them."""
    out, total = [], ""
    for line in lines:
        text = json.dumps(line, separators=(",", ":")).encode()
        total = checksum(total, text)
        out.append(text + b"\t" + total.encode() + b"\n")
    return b"".join(out)


def said_of(path: Path, log: list[list[Any]]) -> str:
    """What reading a journal comes to: `same`, `told` when anything is said, `silent` when it is another match
    without a word."""
    from dragonrules.interpreter.table.stories import read_journal

    try:
        story = read_journal(path)
    except UsageError:
        return "told"
    if story is None or story.problem is not None:
        return "told"
    return "same" if story.log == log and not story.over else "silent"
