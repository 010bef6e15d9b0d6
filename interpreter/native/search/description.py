"""The program of a deal: what a seat does not see (players/worlds.py), as words for machine code (deal_library.py)."""

from __future__ import annotations

from ...core import value_types as t
from ...play.state import State
from ...players.worlds import HiddenComponents, HiddenTokens, Worlds, mentions
from ..conversion import NoRoom
from ..memory import HEAD
from ..states import Shape
from .desk import SHARES, WEIGHTS_OF_DEAL, WORDS_OF_DEAL

MOST_PLACES = 64


def described(worlds: Worlds, shape: Shape) -> tuple[list[int], list[float]]:
    """Words and weights; `NoRoom` for what machine code cannot deal."""
    made = _Description(worlds, shape)
    if len(made.words) > WORDS_OF_DEAL or len(made.weights) > WEIGHTS_OF_DEAL:
        raise NoRoom("so much that is hidden")
    return made.words, made.weights


class _Description:
    def __init__(self, worlds: Worlds, shape: Shape) -> None:
        self.worlds = worlds
        self.shape = shape
        self.words: list[int] = [len(worlds.tokens)]
        self.weights: list[float] = []
        for tokens in worlds.tokens:
            self._tokens(tokens)
        self.words.append(len(worlds.components))
        for components in worlds.components:
            self._components(components)
        self.words.append(len(worlds.numbers))
        for slot, values in worlds.numbers:
            self.words += [slot, len(values), *values]
        self.words.append(len(worlds.writing))
        for slot, value in worlds.writing:
            self.words += [slot, self._number(value)]

    def _number(self, value: object) -> int:
        if not isinstance(value, int) or not -(1 << 31) <= value < 1 << 31:
            raise NoRoom("what is written on something")
        return value

    def _tokens(self, what: HiddenTokens) -> None:
        book = self.worlds.ledger.tokens[what.name] if self.worlds.informed else None
        kinds = len(what.totals)
        if kinds > MOST_PLACES or len(what.places) > 4 * MOST_PLACES or sum(what.totals) > 4096:
            raise NoRoom("so many tokens")
        if len(what.places) * kinds > 4096:
            raise NoRoom("so many places")
        self.words += [kinds, len(what.places), *what.totals]
        for ref, size, cell in what.places:
            self.words += [ref, -1 if size is None else size, int(cell), len(self.weights)]
            if cell or book is None:
                self.words += [0] * kinds
                self.weights += [1.0 if cell or size is None else float(size)] * kinds
            else:
                self.words += book.certain[ref]
                self.weights += book.expected[ref]

    def _components(self, what: HiddenComponents) -> None:
        worlds, base = self.worlds, self.worlds.base
        groups, count = len(what.slots), len(what.hidden)
        if groups > MOST_PLACES or groups * count > SHARES or count > 4096:
            raise NoRoom("so many hidden components")
        at = {c: h for h, c in enumerate(what.hidden)}
        names = self._names(what, base)
        lists = [self.shape.memory.lists[s.ref + s.part] for s in what.slots]
        entry = max((found.entry for found in lists if found.kind == "array"), default=8)
        head = [
            groups,
            count,
            len(what.loose),
            int(what.even),
            what.comp.where,
            len(names),
            entry,
            0,
            len(self.weights),
        ]
        self.words += [*head, *what.hidden, *(at[c] for c in what.loose)]
        if not what.even:
            for c in what.hidden:
                self.weights += what.rows[c]
        for slots, found, settled in zip(what.slots, lists, what.settled, strict=True):
            if found.kind == "none" or worlds.place_of(slots).decl.form.spaces:
                raise NoRoom("hidden things on a board")
            array = found.kind == "array"
            if array and (slots.limit is None or found.entry != entry):
                raise NoRoom("an order of unknown length")
            true = [at[base.L[slots.ref + slots.part][n]] for n in slots.positions]
            limit = -1 if slots.limit is None else slots.limit
            self.words += [
                found.at,
                int(array),
                slots.ref,
                int(slots.ordered),
                limit,
                len(settled),
                len(true),
            ]
            self.words += [*(at[c] for c in settled), *slots.positions, *true]
            self.words += self._known(what, slots, at)
        self.words += names

    def _known(self, what: HiddenComponents, slots: object, at: dict[int, int]) -> list[int]:
        known = self.worlds.known_order(what, slots)  # type: ignore[arg-type]
        return [at[c] if c is not None else -1 for c in known]

    def _names(self, what: HiddenComponents, base: State) -> list[int]:
        """Where words lie that name a component of the sort."""
        worlds, layout, name = self.worlds, self.worlds.layout, what.name
        found = []
        for key, decl in layout.game.states.items():
            if mentions(decl.type, name):
                first, sizes, _ = layout.states[key]
                count = 1
                for size in sizes:
                    count *= size
                if isinstance(t.plain(decl.type), t.SetOf | t.ListOf):
                    if any(base.I[slot] for slot in range(first, first + count)):
                        raise NoRoom("a set of hidden things")
                    continue
                found += [HEAD + 4 * slot for slot in range(first, first + count)]
        for other in layout.comps.values():
            if other.decl.on == t.Comp(name):
                found += [HEAD + 4 * slot for slot in range(other.on, other.on + other.count)]
        if worlds.referring(base, name):
            found += self._on_stack(base, name)
        return found

    def _on_stack(self, base: State, name: str) -> list[int]:
        """The same on the control stack, whose frames machine code lays out in its own way."""
        bare, found = self.worlds.bare, []
        pc, starts = base.pc, []
        top = len(base.st)
        while True:
            starts.append(pc)
            start = top - bare.frames[pc][0]
            if start <= 0:
                break
            top = start - 1
            pc = base.st[top]
        at = 0
        for number in reversed(starts):
            frame = self.shape.frames[number]
            live = bare.live[number]
            for slot, type_ in bare.generated.named.get(number, ()):
                if slot in live and mentions(type_, name):
                    held = frame.slots[slot]
                    if isinstance(t.plain(type_), t.SetOf | t.ListOf) or held.rep.words != 1:
                        raise NoRoom("a set of hidden things under way")
                    found.append(self.shape.memory.stack + 4 * (at + held.at))
            at += frame.words + 1
        return found
