"""The rule sets that rule files hold.

A rule set is what can be checked or played as a whole: a game, or a game with a
variant laid over it. A file with a `game` header holds the game itself and one
rule set for each variant written in it. A file without one builds on a game
elsewhere: its variants name it (`variant "X" of base`); a file of scenarios
alone belongs to the game whose name its own name starts with.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from attrs import define, field

from ..grammar import Report, Span, syntax
from .core import CheckedGame, Scenario
from .driver import DRIVER, Checked, Driver, Overlaid, Parsed, lay
from .files.find_variants import base_file, companions, same_file, whose
from .files.sources import Reader, is_a_game
from .in_spite import in_spite
from .overlay.stacking import Stack
from .play.game import Game


@define(eq=False)
class RuleSet:
    """A game, perhaps with variants over it. `own` are the stretches of text it adds to its base."""

    path: Path
    base: Path
    variants: tuple[str, ...]
    file: syntax.File
    own: tuple[Span, ...]
    report: Report = field(factory=Report)
    options: dict[str, str] = field(factory=dict)
    ground: syntax.File | None = None
    """The tree of the base, with the variants over it and what stands beside them: for a rule set of variants."""
    layers: tuple[syntax.Variant, ...] = ()
    beside: tuple[syntax.Decl, ...] = ()

    @property
    def title(self) -> str:
        return " + ".join([self.base.stem, *self.variants])

    @cached_property
    def _checked(self) -> Checked | None:
        if self.report.errors:
            for told in in_spite(self, DRIVER):
                self.report.add_found(told)
            return None
        found = DRIVER.checked(self.file, self.report)
        self.report.take(found.report)
        return found

    @property
    def checked(self) -> CheckedGame | None:
        """The checked game, or None when it has errors, which are in the report."""
        return None if self._checked is None else self._checked.game

    def review(self) -> None:
        """Have a rule set without errors looked at as a whole; what is found is in the report then."""
        if self._checked is not None and self._checked.game is not None:
            DRIVER.review(self._checked, self.report)

    def with_layers(self, layers: Sequence[syntax.Variant], beside: Sequence[syntax.Decl]) -> RuleSet:
        """Other variants over the same game."""
        assert self.ground is not None
        report = Report()
        file, _ = lay(self.ground, layers, beside, report)
        report.found.clear()  # they were told of the whole
        names = tuple(str(v.name) for v in layers)
        return RuleSet(self.path, self.base, names, file, self.own, report)

    @property
    def game(self) -> Game | None:
        if self.checked is None:
            return None
        return Game(DRIVER, self.checked, str(self.base), self.variants, self.options, "")

    def owns(self, scenario: Scenario) -> bool:
        """Is this scenario written here, rather than taken over from the base game?"""
        here = scenario.span
        return any(s.source.name == here.source.name and s.start <= here.start < s.end for s in self.own)


class Library:
    """Rule files, each read once."""

    def __init__(self, driver: Driver = DRIVER) -> None:
        self.driver = driver
        self._parsed: dict[Path, Parsed] = {}
        self._sets: dict[Path, tuple[list[RuleSet], set[Path]]] = {}
        self.asked: set[Path] = set()
        """The files that had a say in what was asked for since this was last emptied."""

    def parsed(self, path: Path) -> Parsed:
        self.asked.add(path)
        if path not in self._parsed:
            self._parsed[path] = self.driver.parsed(path)
        return self._parsed[path]

    # ------------------------------------------------------------ of one file
    def rule_sets(self, path: Path) -> list[RuleSet]:
        """The rule sets that a file holds: its game, and each of its variants by itself."""
        if path not in self._sets:
            before, self.asked = self.asked, set()
            with self.driver.world():
                self._sets[path] = self._read_sets(path), self.asked
            self.asked = before
        sets, asked = self._sets[path]
        self.asked |= asked
        return sets

    def _read_sets(self, path: Path) -> list[RuleSet]:
        here = self.parsed(path)
        variants = here.variants
        if here.is_game or not (variants or here.is_scenarios):
            own = tuple(d.span for d in here.others)
            return [
                RuleSet(path, path, (), self._alone(path).file, own, _copy(here.report)),
                *(self._variant(path, v, []) for v in variants),
            ]
        alone = here.others if len(variants) == 1 else []
        sets = [self._variant(path, v, alone) for v in variants]
        if here.others and len(variants) != 1:
            sets.append(self._additions(path, here))
        return sets

    def _alone(self, game: Path) -> Overlaid:
        """A game with nothing over it."""
        return self.driver.laid(Stack(game, lambda path: self.parsed(path).file, Report()))

    def _base(self, path: Path, variant: syntax.Variant) -> Path | None:
        return base_file(path, str(variant.base))

    def _variant(self, path: Path, variant: syntax.Variant, extra: Sequence[syntax.Decl]) -> RuleSet:
        report = _copy(self.parsed(path).report)
        own = (variant.span, *(d.span for d in extra))
        game = path if self.parsed(path).is_game else whose(path, ())[0]
        read = self._reader(report)
        if not is_a_game(game, read, report):
            return RuleSet(path, path, (str(variant.name),), self.parsed(path).file, own, report)
        stack = Stack(game, read, report)
        stack.add_variant(path, variant)
        return self._overlaid(path, stack, (str(variant.name),), own, extra)

    def chosen(self, path: Path, variants: tuple[str, ...], options: dict[str, str]) -> RuleSet:
        """A game with the variants that somebody has asked for, all at once."""
        game, names = whose(path, variants)
        report = _copy(self.parsed(game).report)
        stack = Stack(game, self._reader(report), report)
        for name in names:
            stack.add(name)
        own = (*(v.span for v in stack.overlays), *(d.span for d in stack.extra))
        rules = self._overlaid(path, stack, (), own, ())
        rules.options = options
        return rules

    def _overlaid(
        self,
        path: Path,
        stack: Stack,
        otherwise: tuple[str, ...],
        own: tuple[Span, ...],
        extra: Sequence[syntax.Decl],
    ) -> RuleSet:
        laid = self.driver.laid(stack, extra)
        names = tuple(str(v.name) for v in laid.layers) or otherwise
        return RuleSet(
            path,
            stack.game,
            names,
            laid.file,
            own,
            stack.report,
            ground=laid.ground,
            layers=laid.layers,
            beside=laid.beside,
        )

    def _reader(self, report: Report) -> Reader:
        def read(file: Path) -> syntax.File:
            report.found.update(self.parsed(file).report.found)
            return self.parsed(file).file

        return read

    def _additions(self, path: Path, here: Parsed) -> RuleSet:
        """Declarations outside any variant, on top of the game that the file's name points to."""
        own = tuple(d.span for d in here.others)
        report = _copy(here.report)
        base = self._named_base(path, here)
        if base is None:
            return RuleSet(path, path, (), syntax.File(tuple(here.others), span=here.file.span), own, report)
        report.found.update(self.parsed(base).report.found)
        file = self._alone(base).file
        return RuleSet(path, base, (), syntax.File((*file.decls, *here.others), span=file.span), own, report)

    def _named_base(self, path: Path, here: Parsed) -> Path | None:
        if here.variants:
            return self._base(path, here.variants[0])
        parts = path.stem.split("_")
        for size in range(len(parts), 0, -1):
            base = base_file(path, "_".join(parts[:size]))
            if base is not None and self.parsed(base).is_game:
                return base
        return None

    # ------------------------------------------------------------ of one game
    def family(self, path: Path) -> list[RuleSet]:
        """The rule sets of a file and, when it is a game, those of the files that build on it."""
        sets = list(self.rule_sets(path))
        if self.parsed(path).is_game:
            with self.driver.world():
                files = companions(path)
            for file in files:
                sets += [s for s in self.rule_sets(file) if s.path != path and same_file(s.base, path)]
        return sets


class Laying(Library):
    """As if each game came with variants laid over it and options set: for `--variant` and `--set`."""

    def __init__(self, variants: tuple[str, ...], options: dict[str, str], driver: Driver = DRIVER) -> None:
        super().__init__(driver)
        self.variants = variants
        self.options = options

    def _read_sets(self, path: Path) -> list[RuleSet]:
        rules = self.chosen(path, self.variants, self.options)
        _ = rules.game  # complains of options that do not exist
        return [rules]

    def family(self, path: Path) -> list[RuleSet]:
        """With a game go all that build on it; with variants, the files of scenarios that need just these."""
        plain = Library()
        if not self.variants:
            sets = plain.family(path)
        else:
            (rules,) = self.rule_sets(path)
            others = [other for file in companions(rules.base) for other in plain.rule_sets(file)]
            sets = [rules, *(o for o in others if same_file(o.base, rules.base) and _needs_just(o, rules))]
        for rules in sets:
            rules.options = self.options
        return sets


def _needs_just(scenarios: RuleSet, rules: RuleSet) -> bool:
    return set(scenarios.variants[:-1]) == set(rules.variants)


def library_for(variants: tuple[str, ...], options: dict[str, str], driver: Driver = DRIVER) -> Library:
    return Laying(variants, options, driver) if variants or options else Library(driver)


def _copy(report: Report) -> Report:
    return Report(dict(report.found))
