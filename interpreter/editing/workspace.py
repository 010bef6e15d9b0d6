"""Rule files as an editor has them: open texts over the disk, and what is known of each file.

A file is looked at as each rule set that it holds: its game, or each of its variants on top of their base.
Everything is worked out by the driver, which keeps results by content; a text that is open is parsed
declaration by declaration, so that after a key press only one is read anew (`grammar.parsing.Memo`).
Where a text cannot be read in places, the rest is checked all the same (in_spite.py).
"""

from __future__ import annotations

from pathlib import Path

from attrs import Factory, define, field, frozen

from ...grammar import Diagnostic, Report, Source, syntax
from ...grammar.allowing import allowances, settle
from ...grammar.parsing import Memo
from ..check.index import Index, Symbol, Use
from ..core import CheckedGame
from ..driver import Driver
from ..files.find_specs import SUFFIX
from ..files.texts import rule_files
from ..in_spite import in_spite
from ..rule_sets import Library, RuleSet
from .structure import read_names

AT_REST = ("D0403", "D0409")


@frozen
class Known:
    """One rule set that a file holds: what names mean in it, its game if it holds together."""

    rules: RuleSet
    index: Index
    file: syntax.File
    game: CheckedGame | None


@define
class Analysis:
    """What is known of a file. `syntax` are complaints of the parser, `meaning` those of the checker that
    can be told although some of the text could not be read."""

    path: Path
    source: Source
    known: list[Known]
    syntax: tuple[Diagnostic, ...]
    meaning: tuple[Diagnostic, ...]

    def at(self, offset: int) -> tuple[Known, Symbol] | None:
        """The symbol that is named at an offset."""
        for known in self.known:
            found = known.index.at(self.source.name, offset) or (
                known.index.at(self.source.name, offset - 1) if offset else None
            )
            if found is not None:
                return known, found
        return None


@define
class Workspace:
    folders: list[Path] = Factory(list)
    texts: dict[Path, str] = Factory(dict)
    driver: Driver = field(init=False)
    _kept: dict[Path, tuple[object, Analysis]] = Factory(dict)
    _last: dict[Path, Analysis] = Factory(dict)
    _memo: Memo = Factory(Memo)

    def __attrs_post_init__(self) -> None:
        self.driver = Driver()
        self.driver.memo = self._memo

    # ------------------------------------------------------------ texts
    def open(self, path: Path, text: str) -> None:
        self.texts[path] = self.driver.texts[path] = text.replace("\r\n", "\n")

    def close(self, path: Path) -> None:
        self.texts.pop(path, None)
        self.driver.texts.pop(path, None)

    def files(self) -> list[Path]:
        """All rule files of the folders, and those that are open."""
        found = {path for folder in self.folders for path in _below(folder)}
        return sorted(found | {*self.texts})

    # ------------------------------------------------------------ looking
    def analysis(self, path: Path) -> Analysis:
        """What is known of a file as its texts are now."""
        state = (tuple(sorted((str(p), t) for p, t in self.texts.items())), _stamp(path))
        if path in self._kept and self._kept[path][0] == state:
            return self._kept[path][1]
        made = self._analyse(path)
        self._kept[path] = (state, made)
        if any(known.index.symbols for known in made.known):
            self._last[path] = made
        return made

    def last(self, path: Path) -> Analysis:
        """The last look at a file in which names were known: what hovers and jumps go by while somebody types."""
        return self._last.get(path) or self.analysis(path)

    def quick(self, path: Path) -> list[Diagnostic]:
        """What is wrong with the syntax, and nothing else."""
        return list(self.driver.complaints(path))

    def meaning(self, path: Path) -> list[Diagnostic]:
        """What can be said of names, types and leaks soon after a key press. Whether something is never used
        other files have a say in, so that is told at rest."""
        now = self.analysis(path)
        found = Report()
        for diagnostic in (*now.syntax, *now.meaning):
            found.add_found(diagnostic)
        for known in now.known:
            mine = {str(path), *(span.source.name for span in known.rules.own)}
            report = known.rules.report
            told = [*report] if report.errors else [*report, *self.driver.checked(known.file, report).report]
            for diagnostic in told:
                if diagnostic.severity == "error" or diagnostic.span.source.name in mine:
                    found.add_found(diagnostic)
        fresh = [d for d in found if d.code not in AT_REST]
        return list(settle(fresh, allowances(now.source), Report(), complete=False)[0])

    def _analyse(self, path: Path) -> Analysis:
        library = Library(self.driver)
        here = library.parsed(path)
        source = here.file.span.source
        known, meaning = [], Report()
        for rules in library.rule_sets(path):
            with self.driver.world():
                checked = self.driver.named(rules.file, rules.report)
            read_names(rules.file, checked.index)
            if rules.layers:
                read_names(syntax.File(rules.layers, span=rules.file.span), checked.index)
            known.append(Known(rules, checked.index, rules.file, checked.game))
            for found in in_spite(rules, self.driver):
                meaning.add_found(found)
        return Analysis(path, source, known, tuple(here.report), tuple(meaning))

    # ------------------------------------------------------------ over all files
    def related(self, path: Path) -> list[Analysis]:
        """The file itself, and those of the folders that share a base with it."""
        own = self.last(path)
        bases = {known.rules.base.resolve() for known in own.known} | {path.resolve()}
        out = [own]
        for file in self.files():
            if file != path:
                other = self.last(file)
                if any(known.rules.base.resolve() in bases for known in other.known):
                    out.append(other)
        return out


def _below(folder: Path) -> list[Path]:
    found = []
    for part in sorted({p.parent for p in folder.rglob(f"*{SUFFIX}")})[:MOST_FOLDERS]:
        found += rule_files(part, SUFFIX)
    return found[:MOST_FILES]


MOST_FOLDERS, MOST_FILES = 500, 2_000
"""A workspace that is larger is looked at as far as this; files that are open always are."""


def _stamp(path: Path) -> tuple[float, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime, found.st_size


def uses_of(analyses: list[Analysis], symbol: str) -> list[Use]:
    """Where a symbol is used in several files, each place once."""
    found: dict[tuple[str, int], Use] = {}
    for analysis in analyses:
        for known in analysis.known:
            for use in known.index.references(symbol):
                found.setdefault((use.span.source.name, use.span.start), use)
    return sorted(found.values(), key=lambda use: (use.span.source.name, use.span.start))
