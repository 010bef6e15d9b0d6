"""Coverage: which parts of the rules were used, as plain data that can be added up.

A covered engine counts (counters.py). `Coverage.of(engine)` gives what it has
counted, under names that mean the same for every number of players, in every
process and, for what a variant leaves as it is, in every variant:

    engine = game.engine(3, covered=True)
    ...                                           # play
    coverage = Coverage.of(engine, reset=True)    # coverages are added with +
    coverage.declarations()                       # each rule: run, offered, taken
    coverage.lines("my_game.dragon")              # each line: how often

`to_data` and `from_data` turn it into JSON and back. `coverage_reports.py` writes
it as text, HTML and LCOV.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from attrs import Factory, define, frozen

from ..core import value_types as t
from ..program.passes.counters import Asking, Sites
from .engine import Engine
from .labels import Values

FEW = 24  # so many values of a number are listed one by one, whether they came up or not
BRANCHES = ("branch", "arm")


@frozen(order=True)
class Spot:
    """A counted place: `kind` is run, line, branch or arm (see counters.Site); `label` is its text,
    of a branch whether the condition held."""

    file: str
    line: int
    column: int
    end: int  # the offset at which it ends, so that two that start alike are told apart
    kind: str
    owner: str
    label: str = ""


@frozen(order=True)
class Question:
    """A decision (offer, choose, vector) or something left to chance (chance)."""

    file: str
    line: int
    column: int
    end: int
    kind: str
    owner: str
    name: str


@define
class Answers:
    """For each answer how often it was offered and taken; of chance, how often it came up.

    `closed`: the answers listed are all there can be, so one that is missing is worth a word.
    """

    closed: bool = False
    offered: Counter[str] = Factory(Counter)
    taken: Counter[str] = Factory(Counter)
    actions: dict[str, str] = Factory(dict)  # of an offer: the action that an answer leads to

    @property
    def values(self) -> list[str]:
        """All answers, those that never came up too."""
        return list(dict.fromkeys((*self.offered, *self.taken)))


@frozen
class Line:
    """A line of a file: how often it was reached, and what on it never was."""

    number: int
    hits: int
    missed: tuple[str, ...] = ()

    @property
    def state(self) -> str:
        return "missed" if not self.hits else "partial" if self.missed else "hit"


@frozen
class Declaration:
    """A declaration with its figures. `offered` and `taken` count an action in the offers that list it;
    None for what is never offered to anybody."""

    kind: str
    name: str
    file: str
    line: int
    runs: int
    lines: int
    lines_hit: int
    branches: int
    branches_hit: int
    offered: int | None = None
    taken: int | None = None


@define(eq=True)
class Coverage:
    hits: dict[Spot, int] = Factory(dict)
    answers: dict[Question, Answers] = Factory(dict)

    # ------------------------------------------------------------ from an engine
    @classmethod
    def of(cls, engine: Engine, *, reset: bool = False) -> Coverage:
        """What a covered engine has counted so far; `reset` lets it start again."""
        counts = engine.counts
        if counts is None:
            raise ValueError("the engine does not count; make it with covered=True")
        found = cls._named(counts.sites, counts.hits)
        values = engine.watcher.values
        askings = zip(counts.sites.askings, counts.offered, counts.taken, strict=True)
        for asking, offered, taken in askings:
            answers = found.answers[_question(asking)]
            for source, named in ((offered, answers.offered), (taken, answers.taken)):
                for value, times in source.items():
                    named[_word(asking, value, values)] += times
            for word in _all_words(asking, values):
                answers.offered[word] += 0
        if reset:
            counts.reset()
        return found

    @classmethod
    def nothing(cls, sites: Sites) -> Coverage:
        """The coverage of a game that has not been played."""
        return cls._named(sites, [0] * len(sites.sites))

    @classmethod
    def _named(cls, sites: Sites, hits: Iterable[int]) -> Coverage:
        found = cls()
        for site, times in zip(sites.sites, hits, strict=True):
            span = site.span
            label = _short(span.text) if site.kind in ("line", "arm") else site.label
            spot = Spot(span.source.name, span.line, span.column, span.end, site.kind, site.owner, label)
            found.hits[spot] = found.hits.get(spot, 0) + times
        for asking in sites.askings:
            actions = {k: a for k, a in zip(asking.cases, asking.actions, strict=True) if a is not None}
            answers = Answers(closed=_closed(asking), actions=actions)
            answers.offered.update(dict.fromkeys(asking.cases, 0))
            found.answers[_question(asking)] = answers
        return found

    # ------------------------------------------------------------ arithmetic
    def __add__(self, other: Coverage) -> Coverage:
        out = Coverage()
        out.add(self)
        out.add(other)
        return out

    def add(self, other: Coverage, sign: int = 1) -> None:
        """Add another one's figures to these."""
        for spot, times in other.hits.items():
            self.hits[spot] = self.hits.get(spot, 0) + sign * times
        for question, theirs in other.answers.items():
            mine = self.answers.setdefault(question, Answers(theirs.closed))
            mine.actions.update(theirs.actions)
            for total, more in ((mine.offered, theirs.offered), (mine.taken, theirs.taken)):
                for word, times in more.items():
                    total[word] += sign * times

    def __sub__(self, other: Coverage) -> Coverage:
        """What was counted since `other` was taken."""
        out = Coverage()
        out.add(self)
        out.add(other, -1)
        return out

    def __bool__(self) -> bool:
        return bool(self.hits)

    # ------------------------------------------------------------ looking at it
    @property
    def files(self) -> tuple[str, ...]:
        return tuple(sorted({spot.file for spot in self.hits}))

    def lines(self, file: str) -> dict[int, Line]:
        """The lines of a file that hold something to cover."""
        found: dict[int, list[tuple[Spot, int]]] = {}
        for spot, times in self.hits.items():
            if spot.file == file:
                found.setdefault(spot.line, []).append((spot, times))
        out = {}
        for number in sorted(found):
            reached = max((times for spot, times in found[number] if spot.kind != "branch"), default=0)
            missed = tuple(_missed(spot) for spot, times in sorted(found[number]) if not times)
            out[number] = Line(number, reached, missed)
        return out

    def branches(self, file: str) -> list[tuple[Spot, int]]:
        """The ways on from `if` and the arms of conditional expressions."""
        return sorted((s, n) for s, n in self.hits.items() if s.file == file and s.kind in BRANCHES)

    def declarations(self) -> list[Declaration]:
        """Every rule, action, trigger, phase, ending and definition, in the order of the files."""
        inside: dict[tuple[str, str], list[tuple[Spot, int]]] = {}
        for spot, times in self.hits.items():
            inside.setdefault((spot.file, spot.owner), []).append((spot, times))
        offers = self._offers()
        out = []
        for (file, owner), spots in inside.items():
            kind, _, name = owner.partition(" ")
            heads = [(spot, times) for spot, times in spots if spot.kind == "run"]
            first = min(spot.line for spot, _ in heads or spots)
            lines: dict[int, int] = {}
            for spot, times in spots:
                if spot.kind != "branch":
                    lines[spot.line] = max(lines.get(spot.line, 0), times)
            branches = [times for spot, times in spots if spot.kind in BRANCHES]
            offered, taken = offers.get(name, (None, None)) if kind == "action" else (None, None)
            out.append(
                Declaration(
                    kind, name or kind, file, first, sum(n for _, n in heads),
                    len(lines), sum(n > 0 for n in lines.values()),
                    len(branches), sum(n > 0 for n in branches), offered, taken,
                )
            )  # fmt: skip
        return sorted(out, key=lambda d: (d.file, d.line))

    def _offers(self) -> dict[str, tuple[int, int]]:
        """Of each action how often it was offered and taken."""
        out: dict[str, tuple[int, int]] = {}
        for answers in self.answers.values():
            for word, action in answers.actions.items():
                offered, taken = out.get(action, (0, 0))
                out[action] = (offered + answers.offered[word], taken + answers.taken[word])
        return out

    def never_possible(self) -> list[Declaration]:
        """The actions that some offer lists, and that nobody was ever able to take."""
        return [d for d in self.declarations() if d.offered == 0 and not d.taken]

    def never_offered(self) -> list[tuple[Question, tuple[str, ...]]]:
        """Decisions that were made, with the answers nobody ever had."""
        return self._answers(lambda a, word: not a.offered[word] and not a.taken[word])

    def never_taken(self) -> list[tuple[Question, tuple[str, ...]]]:
        """Decisions with answers that were on offer and that nobody took."""
        return self._answers(lambda a, word: a.offered[word] and not a.taken[word])

    def _answers(self, wanted: Any) -> list[tuple[Question, tuple[str, ...]]]:
        out = []
        for question, answers in sorted(self.answers.items(), key=lambda item: item[0]):
            if answers.closed and question.kind != "chance" and any(answers.offered.values()):
                words = tuple(word for word in answers.values if wanted(answers, word))
                if words:
                    out.append((question, words))
        return out

    # ------------------------------------------------------------ as data
    def to_data(self) -> dict[str, Any]:
        """Plain data, the same for the same counts."""
        return {
            "hits": [[*_fields(spot), times] for spot, times in sorted(self.hits.items())],
            "answers": [
                {
                    "question": _fields(question),
                    "closed": a.closed,
                    "offered": dict(sorted(a.offered.items())),
                    "taken": dict(sorted(a.taken.items())),
                    "actions": dict(sorted(a.actions.items())),
                }
                for question, a in sorted(self.answers.items(), key=lambda item: item[0])
            ],
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Coverage:
        found = cls()
        for *fields, times in data["hits"]:
            found.hits[Spot(*fields)] = times
        for entry in data["answers"]:
            found.answers[Question(*entry["question"])] = Answers(
                entry["closed"], Counter(entry["offered"]), Counter(entry["taken"]), dict(entry["actions"])
            )
        return found


def _fields(item: Spot | Question) -> list[Any]:
    names = [a.name for a in item.__attrs_attrs__]
    return [getattr(item, name) for name in names]


def _missed(spot: Spot) -> str:
    """What was never reached, in words."""
    match spot.kind:
        case "run":
            return f"{spot.owner} never ran"
        case "branch":
            return "the condition never held" if spot.label == "yes" else "the condition always held"
        case "arm":
            return f"never the value `{spot.label}`"
    return f"never reached `{spot.label}`"


def _short(text: str) -> str:
    """The first line of a stretch of text."""
    line = " ".join(text.split("\n", 1)[0].split())
    return line if len(line) <= 50 else line[:47] + "..."


# ---------------------------------------------------------------- answers in words
def _question(asking: Asking) -> Question:
    span = asking.span
    return Question(
        span.source.name, span.line, span.column, span.end, asking.kind, asking.owner, asking.name
    )


def _closed(asking: Asking) -> bool:
    """Can all answers be listed, and should every one of them be possible?"""
    if asking.kind == "offer":
        return True
    match asking.type:
        case t.Kind() | t.YesNo() | t.Player():
            return True
        case t.Num(low, high):
            return high - low < FEW
        case t.Opt(of):
            return isinstance(of, t.Kind | t.Player)
    return False


def _word(asking: Asking, value: Any, values: Values) -> str:
    if asking.kind == "offer":
        return asking.cases[int(value)]
    match asking.type:
        case None:
            return str(value)
        case t.Rec(name):
            return f"a {name}"
        case t.Space(of) if values.layout.geometries[of].grows:
            return "a space"
    return values.label(value, asking.type)


def _all_words(asking: Asking, values: Values) -> list[str]:
    """The answers that are known before any is given."""
    if asking.among is not None and asking.type is not None:
        return [values.label(value, asking.type) for value in asking.among]
    match asking.type:
        case t.Kind() | t.YesNo() | t.Player() | t.Comp():
            universe = values.layout.universe(asking.type)
        case t.Num(low, high) if high - low < FEW:
            universe = range(low, high + 1)
        case _:
            return []
    return [values.label(value, asking.type) for value in universe]
