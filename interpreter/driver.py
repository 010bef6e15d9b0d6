"""The driver: from files to engines, one pass after the other.

    read        the bytes of a file, or the text that lies over it   texts, sources
    parse       a text to its syntax tree                            grammar
    lay over    variants onto the tree of their game                 stacking, overlay
    check       names, types, ranges; then who may know what         check, review.secrecy
    review      what a careful referee would ask                     review
    try out     the set-up, up to the first question                 play.first_position
    lay out     where everything lies in a state                     program.layout
    lower       rules split where they wait                          program.lower
    generate    the text of a Python module                          python
    compile     its code, and with it an engine                      play.engine
    go native   the program as machine code                          native
    number      what can be done and seen, as numbers                adapters

Everybody who wants the result of a pass asks here: commands, `load`, front ends; a test
watches over it. A pass knows only what the ones before it have made. The last six belong
to a number of players and to options, so a `Game` asks for them, when a match starts.

Every result is kept by content. A tree is known by the name and the text of its file; a
game with variants by the trees that went into it; a checked game by its tree. So a rule
set that three parts of a command need is parsed, laid over and checked once, and a file
that has changed is another text. Between runs the cache keeps the costly ones.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from attrs import define, field, frozen

from .core.collecting import building
from .core.errors import SpecError, UsageError
from .core.work import bounded, within_bounds
from .files import cache
from .files.find_specs import Pathlike, find_spec
from .files.find_variants import whose
from .files.texts import Texts, lying_over

if TYPE_CHECKING:
    from ..grammar import Report, Span, syntax
    from ..grammar.parsing import Memo as ParseMemo
    from .adapters.encoding import Encoding
    from .adapters.numbering import Actions
    from .check.index import Index
    from .core import CheckedGame
    from .files.sources import Reader
    from .native.engine import NativeEngine
    from .overlay.lay import Applied
    from .overlay.stacking import Stack
    from .play.engine import Compiled, Engine, Wanted
    from .program.layout import Layout

Value = TypeVar("Value")
MOST_TREES, MOST_GAMES, MOST_ENGINES = 400, 100, 60
"""How much is remembered at a time: the oldest goes first."""


@define
class Memo(Generic[Value]):
    """What has been made, by content."""

    most: int
    kept: OrderedDict[Hashable, Value] = field(factory=OrderedDict)

    def get(self, key: Hashable, make: Callable[[], Value]) -> Value:
        if key in self.kept:
            self.kept.move_to_end(key)
            return self.kept[key]
        made = self.kept[key] = make()
        if len(self.kept) > self.most:
            self.kept.popitem(last=False)
        return made


@frozen
class Parsed:
    """A file and what is wrong with its syntax."""

    file: syntax.File
    report: Report

    @property
    def is_game(self) -> bool:
        return any(_is(d, "Game") for d in self.file.decls)

    @property
    def variants(self) -> list[syntax.Variant]:
        from ..grammar import syntax

        return [d for d in self.file.decls if isinstance(d, syntax.Variant)]

    @property
    def others(self) -> list[syntax.Decl]:
        return [d for d in self.file.decls if not _is(d, "Variant")]

    @property
    def is_scenarios(self) -> bool:
        return bool(self.others) and all(_is(d, "Scenario") for d in self.others)


def _is(decl: object, name: str) -> bool:
    return type(decl).__name__ == name


@frozen
class Overlaid:
    """A game with variants over it. `ground` is its tree as it stands in the file, `beside` what stands
    beside the variants in theirs, `report` what laying them found."""

    ground: syntax.File
    layers: tuple[syntax.Variant, ...]
    beside: tuple[syntax.Decl, ...]
    file: syntax.File
    journal: tuple[Applied, ...]
    report: Report
    made_of: tuple[object, ...] = ()
    """Held, so that nothing else can be taken for it."""


@frozen
class Checked:
    """A tree that was checked: `game` is None when there are errors. `index` is what names mean in it,
    as far as that was found out."""

    file: syntax.File
    game: CheckedGame | None
    report: Report
    index: Index


@frozen
class Rules:
    """What `load` needs of a rule set."""

    checked: CheckedGame
    digest: str
    fingerprint: str | None


_trees: Memo[Parsed] = Memo(MOST_TREES)
_overlaid: Memo[Overlaid] = Memo(MOST_GAMES)
_checked: Memo[Checked] = Memo(MOST_GAMES)
_named: Memo[Checked] = Memo(MOST_GAMES)
_reviewed: Memo[tuple[syntax.File, Report]] = Memo(MOST_GAMES)
_rules: Memo[Rules] = Memo(MOST_GAMES)
_engines: Memo[Engine] = Memo(MOST_ENGINES)


def forget() -> None:
    """As in a new process."""
    for memo in (_trees, _overlaid, _checked, _named, _reviewed, _rules, _engines):
        memo.kept.clear()


def start_of(file: syntax.File) -> Span:
    """What to point at when nothing better is known."""
    return file.decls[0].span if file.decls else file.span


class Driver:
    """The passes over files, with `texts` (path to text) lying over them. They may change from call to call."""

    def __init__(self, texts: Mapping[Any, str] | None = None) -> None:
        self.texts: MutableMapping[Pathlike, str] = {**(texts or {})}
        self.memo: ParseMemo | None = None
        """For editors: trees of declarations. What is open is then not kept between runs."""

    def world(self) -> AbstractContextManager[None]:
        """In here files are what the disk says, with the open texts over it."""
        return lying_over(self.texts)

    # ------------------------------------------------------------ read, parse
    def parsed(self, path: Path) -> Parsed:
        """The tree of a file. One that cannot be read is empty, and that is told; see `tree`."""
        from ..grammar import Report, Source, Span, syntax

        try:
            return self._parsed(path)
        except UsageError as problem:
            nowhere = Span(Source(str(path), ""), 0, 0)
            report = Report()
            report.add(problem.code, problem.message, nowhere)
            return Parsed(syntax.File((), span=nowhere), report)

    def _parsed(self, path: Path) -> Parsed:
        from ..grammar import Report
        from .files.reading import read_tree
        from .files.sources import read_source

        with self.world():
            source = read_source(path)

        def parse() -> Parsed:
            report = Report()
            if self.memo is None:
                return Parsed(read_tree(source, report), report)
            from ..grammar import parse as parse_text

            return Parsed(parse_text(source, report, self.memo), report)

        with building():
            return _trees.get((source.name, source.text), parse)

    def reader(self, report: Report) -> Reader:
        """Gives trees, and tells the report what is wrong with them. Raises if a file cannot be read."""

        def read(path: Path) -> syntax.File:
            parsed = self._parsed(path)
            report.take(parsed.report)
            return parsed.file

        return read

    def headers(self, path: Path, word: str) -> Iterator[syntax.Decl]:
        """The declarations of a file that begin with a word, without reading the others."""
        from ..grammar import Report, Source, parse
        from ..grammar.parsing import pieces
        from .files.sources import read_source

        try:
            with self.world():
                source = read_source(path)
        except UsageError:
            return
        for _, text in pieces(source, Report()):
            if text.startswith(f"{word} "):
                yield from parse(Source(str(path), text + "\n"), Report()).decls

    def complaints(self, path: Path) -> Report:
        """What is wrong with the syntax of a file, without making its tree."""
        from ..grammar import Report
        from ..grammar.parsing import complaints_of
        from .files.sources import read_source

        report = Report()
        try:
            with self.world():
                complaints_of(read_source(path), report, self.memo)
        except UsageError:
            return self.parsed(path).report
        return report

    # ------------------------------------------------------------ lay over
    def stack(self, path: Path, variants: Sequence[str], report: Report) -> Stack:
        """A game, and what is to be laid over it."""
        from .files.sources import is_a_game
        from .overlay.stacking import Stack

        with self.world():
            game, chosen = whose(path, tuple(variants))
            read = self.reader(report)
            read(game)
            is_a_game(game, read, report)
            stack = Stack(game, read, report)
            for name in chosen:
                stack.add(name)
        return stack

    def laid(self, stack: Stack, beside: Sequence[syntax.Decl] = ()) -> Overlaid:
        """A game with a stack of variants over it, and more declarations beside them. What is wrong goes
        to the report of the stack."""
        more = [*stack.extra, *(d for d in beside if all(d is not e for e in stack.extra))]
        with self.world():
            ground = stack.read(stack.game)
            parts = (ground, *stack.overlays, None, *more)
            circle = any(d.code == "D0608" for d in stack.report)
            found = _overlaid.get(
                (str(stack.game), circle, *map(id, parts)), lambda: _lay(ground, stack, more, parts)
            )
        stack.report.take(found.report)
        return found

    def overlaid(self, path: Path, variants: Sequence[str] = ()) -> Overlaid:
        """A game with variants over it; raises when that cannot be."""
        from ..grammar import Report

        report = Report()
        found = self.laid(self.stack(path, variants, report))
        if report.errors:
            raise SpecError(report.errors)
        return found

    # ------------------------------------------------------------ check, review
    def checked(self, file: syntax.File, laid: Report | None = None) -> Checked:
        """A whole tree, checked; the report of laying variants over it says what these took away."""
        return _checked.get(id(file), lambda: _watched_over(self.named(file, laid)))

    def named(self, file: syntax.File, laid: Report | None = None) -> Checked:
        """The same without the question who may know what: what an editor needs after each key press."""
        return _named.get(id(file), lambda: _check(file, laid))

    def review(self, game: Checked, report: Report) -> None:
        """What a referee would ask about a checked game; `report` has what was found before."""
        _, found = _reviewed.get(
            (id(game.file), tuple(report.found)), lambda: (game.file, _review(game, report))
        )
        report.take(found)

    def rules(self, spec: Pathlike, variants: tuple[str, ...], files: Sequence[Path], texts: Texts) -> Rules:
        """The checked rules of a game with variants, from this run, an earlier one, or made now.

        `files` are all that may have a say; what was read for it shows in `texts`.
        """
        fingerprint = _fingerprint(texts, files, variants)

        def worth() -> bool:
            return texts.parsed <= {*files}

        if fingerprint in _rules.kept:
            return _rules.kept[fingerprint]
        made = cache.kept((fingerprint, "checked"), lambda: self._rules_now(spec, variants), worth=worth)
        rules = Rules(*made, fingerprint)
        return _rules.get(fingerprint, lambda: rules) if fingerprint is not None and worth() else rules

    def _rules_now(self, spec: Pathlike, variants: tuple[str, ...]) -> tuple[CheckedGame, str]:
        from .changes.differences import digests
        from .files.sources import digest

        laid = self.overlaid(find_spec(spec), variants)
        file, checked = laid.file, self.checked(laid.file, laid.report)
        if checked.game is None:
            raise SpecError(checked.report.errors)
        checked.game.digests = digests(file)
        return checked.game, digest(file)

    # ------------------------------------------------------------ lay out, lower, generate, compile
    def engine(self, game: CheckedGame, wanted: Wanted, texts: str | None) -> Engine:
        """The rules made ready for one number of players, from this run, an earlier one, or made now.

        `texts` are the fingerprint of the files; with None nothing is kept. An engine that counts
        what is used has counts of its own, so every game gets another one.
        """
        from .play.engine import Engine

        def make() -> Engine:
            with building(), bounded(game.phases[0].span):
                return Engine(game, wanted, self.compiled(game, wanted))

        def kept() -> Engine:
            engine = cache.kept(key, make)
            engine.maker = self
            return engine

        key = (texts, *wanted.key)
        return kept() if texts is None or wanted.covered else _engines.get(key, kept)

    def native(self, engine: Engine, *, make: bool = True) -> NativeEngine | None:
        """Machine code for an engine; `NotNative` tells why there is none. With make=False, None if it has
        not been made yet."""
        with building():
            from .native.engine import is_kept, native_engine

            return native_engine(engine) if make or is_kept(engine) else None

    def actions(self, engine: Engine) -> Actions:
        """Numbers for all that can be chosen."""
        from .adapters.numbering import Actions

        return Actions(engine)

    def encoding(self, engine: Engine, actions: Actions) -> Encoding:
        """What a seat sees, as numbers."""
        from .adapters.encoding import Encoding

        return Encoding(engine, actions)

    def compiled(self, game: CheckedGame, wanted: Wanted, layout: Layout | None = None) -> Compiled:
        """All that an engine is made of; with the layout of one that is there, what belongs to that one."""
        from .play.engine import Compiled, shown_things
        from .program.layout import lay_out
        from .program.lower.game import lower
        from .program.passes.counters import Sites
        from .program.searched_grids import searched_grids
        from .python.generate import Pool, generate

        sites = Sites(game) if wanted.covered else None
        if layout is None:
            shown, searched = shown_things(game), searched_grids(game)
            layout = lay_out(game, wanted.players, wanted.options, shown, searched)
        program = lower(game, layout, sites=sites)
        pool = Pool(game, layout, program, wanted.watched, sites, rerun=wanted.anew)
        return Compiled(layout, program, pool, generate(pool), sites)


def _lay(
    ground: syntax.File, stack: Stack, more: Sequence[syntax.Decl], parts: tuple[object, ...]
) -> Overlaid:
    from ..grammar import Report

    before = stack.report
    stack.report = Report(dict(before.found))
    try:
        layers = stack.in_order()
        done = lay(ground, layers, more, stack.report)
    finally:
        found, stack.report = stack.report, before
    fresh = {key: d for key, d in found.found.items() if key not in before.found}
    report = Report(fresh, found.removed, found.changed)
    return Overlaid(ground, tuple(layers), tuple(more), *done, report, parts)


def lay(
    ground: syntax.File, layers: Sequence[syntax.Variant], beside: Sequence[syntax.Decl], report: Report
) -> tuple[syntax.File, tuple[Applied, ...]]:
    """Variants onto a tree, in this order; the result and what each of them did."""
    from .overlay.lay import lay_over

    journal: list[Applied] = []
    file = lay_over(ground, list(layers), report, journal, list(beside))
    return file, tuple(journal)


def _check(file: syntax.File, laid: Report | None) -> Checked:
    from ..grammar import Report
    from .check.game import check
    from .check.index import Index

    report = Report() if laid is None else Report(removed=laid.removed, changed=laid.changed)
    index, game = Index(), None

    def look() -> None:
        nonlocal game
        game = check(file, report, index)

    _within_bounds(file, report, look)
    return Checked(file, None if report.errors else game, report, index)


def _watched_over(named: Checked) -> Checked:
    """A game whose names and types are right: may everybody know what he is asked?"""
    from ..grammar import Report
    from .review.secrecy import information_flow

    game = named.game
    if game is None:
        return named
    report = Report(dict(named.report.found), named.report.removed, named.report.changed)
    _within_bounds(named.file, report, lambda: information_flow(game, report))
    return Checked(named.file, None if report.errors else game, report, named.index)


def _within_bounds(file: syntax.File, report: Report, look: Callable[[], None]) -> None:
    try:
        with building():
            within_bounds(start_of(file), report, look)
    except Exception:
        if not report.errors:
            raise  # else a later step has stumbled over what an earlier one has reported


def _review(checked: Checked, report: Report) -> Report:
    from ..grammar import Report
    from .play.first_position import first_position
    from .review import review

    own, game = Report(dict(report.found), report.removed, report.changed), checked.game
    own.take(checked.report)
    assert game is not None

    def look() -> None:
        review(game, own)
        first_position(game, own, DRIVER)

    within_bounds(start_of(checked.file), own, look)
    return own


def _fingerprint(texts: Texts, files: Sequence[Path], variants: tuple[str, ...]) -> str | None:
    """Of all the texts that could matter for a game; None if one cannot be read."""
    digest = hashlib.sha256()
    try:
        for path in files:
            digest.update(str(path).encode() + b"\0" + texts.read(path) + b"\0")
    except OSError:
        return None
    digest.update(repr(variants).encode())
    return digest.hexdigest()


DRIVER = Driver()
"""For whoever has no texts of his own."""
