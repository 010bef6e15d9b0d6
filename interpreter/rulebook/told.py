"""One declaration in the words of the rulebook, line by line: to hold two versions against each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..core import CheckedGame
from .document import Paragraph, Section, Step, Steps, Targets, plain
from .english import words
from .writer import Writer

KEYS = {
    "rule": "rule",
    "action": "action",
    "trigger": "trigger",
    "ending": "ending",
    "define": "term",
    "score": "term",
    "phase": "phase",
}


def told(game: CheckedGame, word: str, name: str) -> list[str]:
    """What the rulebook says about a declaration; nothing where it has no words for it."""
    if word not in KEYS:
        return []
    key = f"{KEYS[word]}:{name or 'score'}"
    targets = Targets()
    targets.enter(key, words(name or "score"))
    writer = Writer(game, targets)
    section = _section(game, writer, word, name)
    return list(_lines(section)) if section is not None else []


def _section(game: CheckedGame, writer: Writer, word: str, name: str) -> Section | None:
    match word:
        case "rule" | "action" if name in game.rules:
            return writer.rule(game.rules[name])
        case "trigger" if name in game.triggers:
            return writer.trigger(game.triggers[name])
        case "ending" if name in game.endings:
            return writer.ending(game.endings[name])
        case "define" if name in game.defines:
            return writer.define(game.defines[name])
        case "score" if game.score is not None:
            return writer.define(game.score, "score")
        case "phase":
            found = [p for p in game.phases if p.name == name]
            return writer.phase(found[0]) if found else None
    return None


def _lines(section: Section) -> Iterator[str]:
    for block in section.blocks:
        if isinstance(block, Paragraph):
            yield plain(block.text)
        elif isinstance(block, Steps):
            yield from _steps(block.steps, "")


def _steps(steps: Sequence[Step], indent: str) -> Iterator[str]:
    for step in steps:
        yield indent + plain(step.text)
        yield from _steps(step.steps, indent + "  ")
