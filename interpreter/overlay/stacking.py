"""Which variants are laid over a game, and in which order.

A variant is named by its title, by the name of its file beside the game, or by a
path. It may build on another variant instead of a game (`variant "B" of "a.dragon"`);
that one then goes below it. The order is that in which they are asked for, except
where `after`, `needs` or `of` say otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import attrs
from attrs import Factory, define

from ...grammar import Report, Word, syntax
from ..files.find_specs import base_file, find_variant, same_file

Reader = Callable[[Path], syntax.File]


@define
class Stack:
    """What is to be laid over a game: variants in order, and what stands beside them in their files."""

    game: Path
    read: Reader
    report: Report
    overlays: list[syntax.Variant] = Factory(list)
    extra: list[syntax.Decl] = Factory(list)
    _files: dict[int, Path] = Factory(dict)
    _below: dict[str, dict[str, Word]] = Factory(dict)

    def add(self, name: str) -> None:
        """A variant by title, name or path."""
        file, title = find_variant(self.game, name)
        if title is None:
            self.add_file(file)
        for variant in self.read(file).decls:
            if isinstance(variant, syntax.Variant) and variant.name == title:
                self.add_variant(file, variant)

    def add_file(self, file: Path, above: tuple[syntax.Variant, ...] = ()) -> list[syntax.Variant]:
        """All that a file of variants holds."""
        decls = self.read(file).decls
        variants = [d for d in decls if isinstance(d, syntax.Variant)]
        for decl in decls:
            if isinstance(decl, syntax.Game) and not same_file(file, self.game):
                help_line = f'a variant starts with `variant "Name" of {self.game.stem}:`'
                self.report.add(
                    "D0601", "this file is a game of its own, not a variant", decl.span, help=help_line
                )
            elif not isinstance(decl, syntax.Variant | syntax.Game) and all(
                decl is not e for e in self.extra
            ):
                self.extra.append(decl)
        for variant in variants:
            self._lay(file, variant, above)
        return variants

    def add_variant(self, file: Path, variant: syntax.Variant) -> None:
        """One variant; what stands beside it in a file of its own belongs to it."""
        alone = [d for d in self.read(file).decls if isinstance(d, syntax.Variant | syntax.Game)]
        if len(alone) == 1:
            self.add_file(file)
        else:
            self._lay(file, variant, ())

    def _lay(self, file: Path, variant: syntax.Variant, above: tuple[syntax.Variant, ...]) -> None:
        if any(variant is v for v in self.overlays):
            return
        if not self._is_of_game(file, variant):
            base = base_file(file, str(variant.base))
            if base is None or not self._is_variants(base):
                self.report.add(
                    "D0601",
                    f"this variant is for `{variant.base}`, not for `{self.game.stem}`",
                    variant.base.span,
                    help=None if base is not None else f"and there is no `{variant.base}` beside it",
                )
            elif any(same_file(base, self._files[id(v)]) for v in above):
                lower = next(v for v in above if same_file(base, self._files[id(v)]))
                self.report.add(
                    "D0608",
                    f'"{variant.name}" builds on "{lower.name}", which builds on it',
                    variant.base.span,
                    related=[(lower.base.span, f'what "{lower.name}" builds on')],
                    help=f"one of them is a variant of `{self.game.stem}`",
                )
            else:
                self._files[id(variant)] = file
                lower_ones = self.add_file(base, (*above, variant))
                self._below[str(variant.name)] = {str(v.name): variant.base for v in lower_ones}
        self._files[id(variant)] = file
        self.overlays.append(variant)

    def _is_of_game(self, file: Path, variant: syntax.Variant) -> bool:
        return same_file(file, self.game) or Path(str(variant.base)).stem == self.game.stem

    def _is_variants(self, file: Path) -> bool:
        decls = self.read(file).decls
        return any(isinstance(d, syntax.Variant) for d in decls) and not any(
            isinstance(d, syntax.Game) for d in decls
        )

    # ------------------------------------------------------------ the order
    def in_order(self) -> list[syntax.Variant]:
        """Each variant behind those it comes after or needs, which it then says in full; a circle is reported."""
        chosen = {str(v.name): v for v in self.overlays}
        placed: dict[str, set[str]] = {}
        out: list[syntax.Variant] = []
        open_: list[str] = []

        def place(variant: syntax.Variant) -> set[str]:
            """The names of all that come before."""
            name = str(variant.name)
            if name in placed:
                return placed[name] | {name}
            open_.append(name)
            lower: set[str] = set()
            for other, word in self._before(variant).items():
                if other in open_:
                    self._circle(variant, chosen[other], word)
                elif other in chosen:
                    lower |= place(chosen[other])
            open_.pop()
            placed[name] = lower
            span = variant.name.span
            after = tuple(Word(n, span) for n in sorted(lower))
            needs = tuple(Word(n, span) for n in sorted(self._known_to(variant, chosen)))
            clauses = (syntax.ComesAfter(after, span=span), syntax.Needs(needs, span=span))
            out.append(attrs.evolve(variant, clauses=(*variant.clauses, *clauses)))
            return lower | {name}

        for variant in self.overlays:
            place(variant)
        return [] if any(d.code == "D0608" for d in self.report) else out

    def _before(self, variant: syntax.Variant) -> dict[str, Word]:
        """The variants that this one comes after, and where it says so."""
        out = self._needed(variant)
        for clause in variant.clauses:
            if isinstance(clause, syntax.ComesAfter):
                out |= {str(name): name for name in clause.names}
        return out

    def _needed(self, variant: syntax.Variant) -> dict[str, Word]:
        """The variants that this one needs or builds on, and where it says so."""
        out = dict(self._below.get(str(variant.name), {}))
        for clause in variant.clauses:
            if isinstance(clause, syntax.Needs):
                out |= {str(name): name for name in clause.names}
        return out

    def _known_to(self, variant: syntax.Variant, chosen: dict[str, syntax.Variant]) -> set[str]:
        """All that a variant needs, and all that these need: it was written with them in mind."""
        known: set[str] = set()
        waiting = [variant]
        while waiting:
            fresh = self._needed(waiting.pop()).keys() & chosen.keys() - known
            known |= fresh
            waiting += [chosen[name] for name in fresh]
        return known

    def _circle(self, variant: syntax.Variant, other: syntax.Variant, word: Word) -> None:
        says_so = self._before(other)
        back = says_so.get(str(variant.name)) or next(iter(says_so.values()))
        self.report.add(
            "D0608",
            f'"{variant.name}" comes after "{other.name}", and that one after it',
            word.span,
            related=[(back.span, f'what "{other.name}" says')],
            help="only one of them can come last",
        )
