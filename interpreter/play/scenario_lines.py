"""What has been played, as the lines of a scenario: every choice and every outcome of chance in the words that players read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from .match import Match


class Writer:
    """Gathers what one player chooses in a row, and what chance brings in a row, into one line each."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.kind = ""
        self.words: list[str] = []

    def choice(self, player: int, word: str) -> None:
        self._add(f"player({player}) chooses", word)

    def chance(self, word: str) -> None:
        self._add("chance", word)

    def expire(self) -> None:
        self._flush()
        self.lines.append("time runs out")

    def _add(self, kind: str, word: str) -> None:
        if kind != self.kind or len(self.words) >= 8:
            self._flush()
            self.kind = kind
        self.words.append(quoted(word))

    def _flush(self) -> None:
        if self.words:
            self.lines.append(f"{self.kind} {', '.join(self.words)}")
        self.kind, self.words = "", []

    def done(self) -> list[str]:
        self._flush()
        return self.lines


def quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
    return f'"{escaped}"'


def word_for(offered: Sequence[tuple[str, Any]], index: int) -> str:
    """What tells an option from the others: its label, or else its key."""
    label, key = offered[index]
    counts = Counter(word for pair in offered for word in dict.fromkeys(pair) if isinstance(word, str))
    return key if counts[label] > 1 and isinstance(key, str) else label


def lines_of(match: Match, start: Match | None = None) -> list[str]:
    """What has been played, as lines of a scenario: from the beginning, or since a match stood like `start`."""
    twin = match.game.start(match.players, seed=match.seed, chance="ask") if start is None else start.fork()
    twin.ask_chance = True
    writer = Writer()
    for entry in match.log:
        decision, chance = twin.decision, twin.chance
        if entry[0] == "expire":
            writer.expire()
        elif decision is not None:
            index = twin.index_in_log(entry[2])
            writer.choice(decision.player, word_for([(o.label, o.key[-1]) for o in decision.options], index))
        elif chance is not None:
            offered = [(o.label, o.key) for o, _ in chance.outcomes]
            writer.chance(word_for(offered, twin.outcome_in_log(entry)))
        twin.replay_one(entry)
    return writer.done()


def header_of(match: Match) -> str:
    """For whom and with what options a scenario of this match is."""
    given = match.game.given_options.items()
    return f"for {match.players} players" + "".join(f", {name} = {_written(value)}" for name, value in given)


def _written(value: Any) -> Any:
    """An option as rule files write it."""
    return ("yes" if value else "no") if isinstance(value, bool) else value
