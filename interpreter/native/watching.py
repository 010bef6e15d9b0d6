"""Native code: reports of what happens to those who keep books (search/book_library.py), in states that are watched.

A state that nobody watches, as in random games and in the worlds of a search, passes by with one test each.
"""

from __future__ import annotations

from collections.abc import Callable

from .builder import Value
from .part import Part
from .search.books import REPORTS, REPORTS_AT


class Watching(Part):
    def _kept(self, sort: str) -> bool:
        """Are books kept of a sort of components or tokens?"""
        books = self.module.books
        return books is not None and (sort in books.sorts or sort in books.token_sorts)

    def _number(self, sort: str) -> int:
        assert self.module.books is not None
        return self.module.books.sorts.index(sort)

    def when_watched(self, tell: Callable[[], None]) -> None:
        self.c.when(self.c.compare("ne", self.c.head("watch"), 0), tell)

    def _tell(self, function: str, *args: Value | int) -> None:
        """Through an address that the books hold."""
        books = self.c.let(f"inttoptr i64 {self.c.head('watch')} to ptr")
        report = self.c.load(self.c.at(books, 8 * (REPORTS_AT + REPORTS.index(function))), "ptr")
        given = ", ".join(["ptr %S", *(f"i64 {arg}" for arg in args)])
        self.c.let(f"call i64 {report}({given})")

    # ------------------------------------------------------------ components
    def before_move(self, comp: Value, sort: str) -> tuple[Value, Value] | None:
        """Who knows which one it is, and where it lies."""
        if not self._kept(sort):
            return None
        knew, source = self.c.room(), self.c.room()

        def look() -> None:
            self.c.store(self.c.call(self.module.viewers(sort), "ptr %S", f"i64 {comp}"), knew)
            self.c.store(self.c.number_at(self.c.add(comp, self.layout.comps[sort].where)), source)

        self.when_watched(look)
        return knew, source

    def moved(
        self, before: tuple[Value, Value] | None, comp: Value, sort: str, dest: Value, spot: Value
    ) -> None:
        """`spot` is a number from the top, -1 the top, -2 the bottom."""
        if before is not None:
            knew, source = before
            number = self._number(sort)
            self.when_watched(
                lambda: self._tell(
                    "saw_move", number, comp, self.c.load(source), self.c.load(knew), dest, spot
                )
            )

    def all_moved(self, sort: str, source: Value, dest: Value) -> None:
        if self._kept(sort):
            self.when_watched(lambda: self._tell("saw_all", source, dest))

    # ------------------------------------------------------------ tokens and both
    def tokens(self, sort: str, amount: Value, kind: Value, source: Value, dest: Value) -> None:
        if self._kept(sort):
            self.when_watched(lambda: self._tell("saw_tokens", amount, kind, source, dest))

    def swapped(self, sort: str, left: Value, right: Value) -> None:
        if self._kept(sort):
            tokens = int(sort in self.game.tokens)
            self.when_watched(lambda: self._tell("saw_swap", left, right, tokens))

    def shown(self, key: str, slot: Value, viewers: Value) -> None:
        """A place, by the slot that says who was shown it."""
        sort = self.game.places[key].of
        if self._kept(sort):
            refs = [instance.ref for instance in self.layout.instances[key]]
            function = "saw_shown_tokens" if sort in self.game.tokens else "saw_shown"
            ref = self.c.table(refs, self.c.op("sub", slot, self.layout.grants[key]))
            self.when_watched(lambda: self._tell(function, ref, viewers))

    # ------------------------------------------------------------ seals and writing
    def sealed(self) -> None:
        if self.module.books is not None:
            self.when_watched(lambda: self._tell("saw_seal"))

    def unsealed(self) -> None:
        if self.module.books is not None:
            self.when_watched(lambda: self._tell("saw_unseal"))

    def written(self, owner: str | None, slot: Value) -> None:
        """Something was written on a component."""
        if owner is not None and owner in self.layout.comps and self._kept(owner):
            self.when_watched(lambda: self._tell("saw_written", slot))
