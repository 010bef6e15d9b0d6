"""Rule files as an editor has them: open texts over the disk, and what is known of each file.

A file is looked at as each rule set that it holds: its game, or each of its variants on top of their base.
Everything is worked out by the driver, which keeps results by content; a text that is open is parsed
declaration by declaration, so that after a key press only one is read anew (`grammar.parsing.Memo`).
Where a text cannot be read in places, the rest is checked all the same (in_spite.py).
"""

from __future__ import annotations

import re
from pathlib import Path

from attrs import Factory, define, field, frozen

from ...grammar import Diagnostic, Report, Source, Span, syntax
from ...grammar.allowing import allowances, settle
from ...grammar.parsing import Memo
from ..check.index import Index, Symbol, Use
from ..core import CheckedGame
from ..core.errors import UsageError
from ..driver import Driver, Parsed
from ..files.find_specs import SUFFIX
from ..files.sources import read_source
from ..in_spite import in_spite
from ..rule_sets import Library, RuleSet
from .structure import read_names

AT_REST = ("D0403", "D0409")
LONGEST = 1_000_000
"""Characters; a longer text is not looked at while it is being written."""


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
    _good: dict[Path, list[Known]] = Factory(dict)
    _read: dict[Path, tuple[tuple[float, int], str]] = Factory(dict)
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
        if not made.syntax and any(known.game is not None for known in made.known):
            self._good[path] = made.known
        return made

    def good(self, path: Path) -> list[Known]:
        """The rule sets of a file when it last held together."""
        return self._good.get(path, [])

    def last(self, path: Path) -> Analysis:
        """The last look at a file in which names were known: what hovers and jumps go by while somebody types."""
        return self._last.get(path) or self.analysis(path)

    def parsed(self, path: Path) -> Parsed:
        """The tree of a file; of one that is too long, nothing but that it is."""
        length = self._length(path)
        if length <= LONGEST:
            return self.driver.parsed(path)
        source = Source(str(path), "")
        return Parsed(syntax.File((), span=Span(source, 0, 0)), _too_long(source, length))

    def _length(self, path: Path) -> int:
        if (text := self.texts.get(path)) is not None:
            return len(text)
        stamp = _stamp(path)
        return 0 if stamp is None else stamp[1]

    def quick(self, path: Path) -> list[Diagnostic]:
        """What is wrong with the syntax, and nothing else."""
        if self._length(path) > LONGEST:
            return list(self.parsed(path).report)
        return list(self.driver.complaints(path))

    def meaning(self, path: Path, *, leaks: bool = True) -> list[Diagnostic]:
        """What can be said of names, types and leaks soon after a key press. Whether something is never used
        other files have a say in, so that is told at rest."""
        look = self.driver.checked if leaks else self.driver.named
        now = self.analysis(path)
        found = Report()
        for diagnostic in (*now.syntax, *now.meaning):
            found.add_found(diagnostic)
        for known in now.known:
            mine = {str(path), *(span.source.name for span in known.rules.own)}
            report = known.rules.report
            told = [*report] if report.errors else [*report, *look(known.file, report).report]
            for diagnostic in told:
                if diagnostic.severity == "error" or diagnostic.span.source.name in mine:
                    found.add_found(diagnostic)
        fresh = [d for d in found if d.code not in AT_REST]
        return list(settle(fresh, allowances(now.source), Report(), complete=False)[0])

    def _analyse(self, path: Path) -> Analysis:
        if self._length(path) > LONGEST:
            alone = self.parsed(path)
            return Analysis(path, alone.file.span.source, [], tuple(alone.report), ())
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
    def text(self, path: Path) -> str:
        """What a file holds now; nothing if it has gone or cannot be read. Files of a folder are read once."""
        if path in self.texts:
            return self.texts[path]
        stamp = _stamp(path)
        if stamp is None or stamp[1] > LONGEST:
            return ""
        if self._read.get(path, (None, ""))[0] != stamp:
            try:
                self._read[path] = stamp, read_source(path).text
            except UsageError:
                self._read[path] = stamp, ""
        return self._read[path][1]

    def related(self, path: Path, name: str) -> list[Analysis] | None:
        """The file itself, and those of the folders that share a base with it and hold a name. None if so many
        hold it that nobody would wait for the answer."""
        own = self.last(path)
        bases = {known.rules.base.resolve() for known in own.known} | {path.resolve()}
        word = re.compile(rf"\b{re.escape(name)}\b")
        others = [file for file in self.files() if file != path and word.search(self.text(file))]
        if len(others) > MOST_RELATED:
            others = [file for file in others if self._may_share(file, bases)]
        if len(others) > MOST_RELATED:
            return None
        out = [own]
        for file in others:
            other = self.last(file)
            if any(known.rules.base.resolve() in bases for known in other.known):
                out.append(other)
        return out

    def _may_share(self, file: Path, bases: set[Path]) -> bool:
        """Does a file say a word about one of these games?"""
        text, names = self.text(file), {base.stem for base in bases}
        return file.resolve() in bases or any(name in text or name in file.stem for name in names)


def _below(folder: Path) -> list[Path]:
    found: list[Path] = []
    for path in folder.rglob(f"*{SUFFIX}"):
        found.append(path)
        if len(found) >= MOST_FILES:
            break
    return found


MOST_FILES, MOST_RELATED = 20_000, 300
"""A workspace that is larger is looked at as far as this; files that are open always are."""


def _too_long(source: Source, length: int) -> Report:
    report = Report()
    message = f"this file has {length:,} characters; what has more than {LONGEST:,} is not looked at here"
    report.add(
        "D0114", message, Span(source, 0, 0), help="put variants and scenarios into files of their own"
    )
    return report


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
