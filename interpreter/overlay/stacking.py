"""Which variants are laid over a game, and in which order.

A variant is named by its title, by the name of its file or by a path (find_variants.py). What
it needs, or builds on instead of a game (`variant "B" of "A"`), is brought along and goes below
it. The order is that in which they are asked for, except where `after`, `needs` or `of` say
otherwise.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import attrs
from attrs import Factory, define

from ...grammar import Report, Word, syntax
from ..core.errors import UsageError
from ..files.find_variants import Found, alike, base_of, find_variant, is_name_of, same_file
from ..files.sources import Reader


@define
class Stack:
    """What is to be laid over a game: variants in order, and what stands beside them in their files."""

    game: Path
    read: Reader
    report: Report
    overlays: list[syntax.Variant] = Factory(list)
    extra: list[syntax.Decl] = Factory(list)
    _files: dict[int, Path] = Factory(dict)
    _below: dict[int, dict[str, Word]] = Factory(dict)
    """By variant, the titles of those that it builds on or needs, and where it says so."""

    def add(self, name: str) -> None:
        """A variant by title, name or path."""
        self._add_found(find_variant(self.game, name))

    def _add_found(self, found: Found, above: tuple[syntax.Variant, ...] = ()) -> list[syntax.Variant]:
        file, title = found
        if title is None:
            return self.add_file(file, above)
        named = [v for v in self.read(file).decls if isinstance(v, syntax.Variant) and v.name == title]
        for variant in named:
            self.add_variant(file, variant, above)
        return named

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

    def add_variant(
        self, file: Path, variant: syntax.Variant, above: tuple[syntax.Variant, ...] = ()
    ) -> None:
        """One variant; what stands beside it in a file of its own belongs to it."""
        alone = [d for d in self.read(file).decls if isinstance(d, syntax.Variant | syntax.Game)]
        if len(alone) == 1:
            self.add_file(file, above)
        else:
            self._lay(file, variant, above)

    def _lay(self, file: Path, variant: syntax.Variant, above: tuple[syntax.Variant, ...]) -> None:
        if any(variant is v for v in (*self.overlays, *above)):
            return
        self._files[id(variant)] = file
        below = self._below[id(variant)] = {}
        higher = (*above, variant)
        if not self._is_of_game(file, variant):
            below |= self._base(file, variant, higher)
        for clause in variant.clauses:
            for name in clause.names if isinstance(clause, syntax.Needs) else ():
                found = self._found(file, name)
                for lower in self._add_found(found, higher) if found is not None else ():
                    below[str(lower.name)] = name
        self.overlays.append(variant)

    def _base(
        self, file: Path, variant: syntax.Variant, above: tuple[syntax.Variant, ...]
    ) -> dict[str, Word]:
        """The variants that this one says it is a variant `of`."""
        found = base_of(file, str(variant.base))
        if found is None or not self._is_variants(found[0]):
            self.report.add(
                "D0601",
                f"this variant is for `{variant.base}`, not for `{self.game.stem}`",
                variant.base.span,
                help=None if found is not None else f"and there is no `{variant.base}` beside it",
            )
            return {}
        base, title = found
        lower = next(
            (v for v in above if same_file(base, self._files[id(v)]) and title in (None, v.name)), None
        )
        if lower is None:
            return {str(v.name): variant.base for v in self._add_found(found, above)}
        self.report.add(
            "D0608",
            f'"{variant.name}" builds on "{lower.name}", which builds on it',
            variant.base.span,
            related=[(lower.base.span, f'what "{lower.name}" builds on')],
            help=f"one of them is a variant of `{self.game.stem}`",
        )
        return {}

    def _found(self, file: Path, name: Word) -> Found | None:
        """What is needed, or a complaint that it is nowhere."""
        try:
            return find_variant(self.game, str(name), file)
        except UsageError as problem:
            message = f"there is no variant `{name}` of {self.game.stem}, which this one needs"
            self.report.add("D0607", message, name.span, help=problem.help)
            return None

    def _is_of_game(self, file: Path, variant: syntax.Variant) -> bool:
        if same_file(file, self.game):
            others = [d for d in self.read(file).decls if isinstance(d, syntax.Variant) and d is not variant]
            return not any(alike(str(variant.base), str(d.name)) for d in others)
        return is_name_of(str(variant.base), self.game)

    def _is_variants(self, file: Path) -> bool:
        decls = self.read(file).decls
        is_game = any(isinstance(d, syntax.Game) for d in decls)
        return any(isinstance(d, syntax.Variant) for d in decls) and (
            not is_game or same_file(file, self.game)
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
            told = (clause for clause in map(self._by_title, variant.clauses) if clause is not None)
            out.append(attrs.evolve(variant, clauses=(*told, *clauses)))
            return lower | {name}

        for variant in self.overlays:
            place(variant)
        return [] if any(d.code == "D0608" for d in self.report) else out

    def _by_title(self, clause: Any) -> Any:
        """What a variant says of others, under their titles. What it needs is said elsewhere, as it was found."""
        if isinstance(clause, syntax.Needs):
            return None
        return attrs.evolve(clause, names=tuple(Word(self._title(n), n.span) for n in clause.names))

    def _title(self, name: str) -> str:
        """The title of the variant that goes by a name, if it is among these."""
        titles = [str(v.name) for v in self.overlays]
        if name in titles:
            return name
        stems = (Path(name).stem, f"{self.game.stem}_{name}")
        near = (
            str(v.name) for v in self.overlays if alike(str(v.name), name) or self._files[id(v)].stem in stems
        )
        return next(near, str(name))

    def _before(self, variant: syntax.Variant) -> dict[str, Word]:
        """The variants that this one comes after, and where it says so."""
        out = dict(self._below[id(variant)])
        for clause in variant.clauses:
            if isinstance(clause, syntax.ComesAfter):
                out |= {self._title(str(name)): name for name in clause.names}
        return out

    def _known_to(self, variant: syntax.Variant, chosen: dict[str, syntax.Variant]) -> set[str]:
        """All that a variant needs, and all that these need: it was written with them in mind."""
        known: set[str] = set()
        waiting = [variant]
        while waiting:
            fresh = self._below[id(waiting.pop())].keys() & chosen.keys() - known
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
