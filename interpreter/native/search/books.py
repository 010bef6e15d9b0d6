"""The books of all seats of a match, in one block of memory for machine code (book_library.py).

    words | tables about places, sorts, copies, tokens, states, frames | the books at the start | books of each seat |
    the queue behind a seal | what is kept of when the seal was put on

A table has the words of the library's text: a place of components has eight (sort, column, who sees its size, where
it is kept who was shown it, owner, order, who sees it, lists), a sort twelve (first entry, components, places,
weights, where it is kept where they are, bits of an entry, words of a set, names, how many, places, how many, 0).

Only sorts are kept books of of which something can be out of somebody's sight. `BookPlan` is what
the compiler and the series both go by; `NoBooks` says why a game has none, and is thought over move by move then.
"""

from __future__ import annotations

import ctypes
from math import prod
from typing import TYPE_CHECKING, Any

from ...core import Reveal, Show, ShowOn, St, Swap, bodies
from ...core import value_types as t
from ...play.engine import Engine
from ...players.secrets_of_rules import drawn_from
from ...players.worlds import drawable, mentions
from ..memory import HEAD, Memory, entry_bits
from .desk import MOST_BLOCKS

if TYPE_CHECKING:
    from ..states import Shape

WORDS = (
    "K_SELF", "K_TROUBLE", "K_UNSEALS", "K_QUEUE", "K_OPEN", "K_OPEN_UNSEALS", "K_CHOSEN", "K_SEAL_LUCK",
)  # fmt: skip
REPORTS = (
    "saw_move", "saw_all", "saw_tokens", "saw_swap", "saw_shown", "saw_shown_tokens", "saw_seal", "saw_unseal", "saw_written",
)  # fmt: skip
"""Functions that generated code calls in a watched state; their addresses stand behind the words."""
QUEUE = 2048
CHOSEN = 1024
REPORTS_AT = 16  # in words


class NoBooks(Exception):
    """A game whose knowledge machine code does not keep."""


class BookPlan:
    """Where everything lies, from the engine and the memory of its states alone."""

    def __init__(self, engine: Engine, memory: Memory) -> None:
        self.engine, self.memory = engine, memory
        self.layout, self.watcher, self.game = engine.layout, engine.watcher, engine.game
        seats = self.watcher.seats
        self.sorts = [
            name
            for name, comp in self.layout.comps.items()
            if comp.decl.on is None and any(not self._open(ref) for ref in self._places(name))
        ]
        self.token_sorts = [
            name
            for name in self.game.tokens
            if any(
                place.decl.of == name and not self._open_tokens(ref)
                for ref, (_, _, place) in self._token_places()
            )
        ]
        self.seats = seats
        self.numbers = self._numbers()
        self.writing = self._writing()
        self._check_places()
        self.places = self._lay()

    # ------------------------------------------------------------ what there is
    def _places(self, sort: str) -> list[int]:
        """In the order in which worlds look through them."""
        return [
            instance.ref
            for key, place in self.game.places.items()
            if place.of == sort and not place.tokens
            for instance in self.layout.instances[key]
        ]

    def _token_places(self) -> Any:
        return self.watcher.token_places.items()

    def _open(self, ref: int) -> bool:
        key, index, _ = self.watcher.comp_places[ref]
        return self.watcher.declared_mask(key, index) & self.watcher.seats == self.watcher.seats

    def _open_tokens(self, ref: int) -> bool:
        key, index, _ = self.watcher.token_places[ref]
        return self.watcher.declared_mask(key, index) & self.watcher.seats == self.watcher.seats

    def _numbers(self) -> list[list[int]]:
        """States that somebody does not see: slot, who does, where it is kept who was shown it, values."""
        found = []
        for key, decl in self.game.states.items():
            if not drawable(decl.type):
                continue
            base, sizes, _ = self.layout.states[key]
            grants = self.layout.grants.get(key, -1)
            values: tuple[int, ...] | None = None
            for index in range(prod(sizes)):
                mask = self._state_mask(key, index)
                if mask == self.watcher.seats:
                    continue
                if values is None:
                    values = drawn_from(self.layout, key)
                if values:
                    found.append(
                        [base + index, mask, grants + index if grants >= 0 else -1, len(values), *values]
                    )
        return found

    def _state_mask(self, key: str, index: int) -> int:
        decl = self.game.states[key]
        owner = self.watcher.state_owner(key, index)
        return self.watcher.mask(decl.seen, decl, key, index, owner) & self.watcher.seats

    def _writing(self) -> list[list[int]]:
        """What is written on components: slot, value at first, sort, component, who may read it, grants."""
        found = []
        for key, decl in self.game.states.items():
            if decl.owner not in self.sorts:
                continue
            base, sizes, _ = self.layout.states[key]
            grants = self.layout.grants.get(key, -1)
            for index in range(prod(sizes)):
                first = self.layout.initial[base + index]
                if not isinstance(first, int) or self.memory.wide_of(base) is not None:
                    raise NoBooks("sets that are written on hidden things")
                sort, member = self.sorts.index(decl.owner), self.watcher.member_of(key, index)
                grant = grants + index if grants >= 0 else -1
                found.append([base + index, first, sort, member, self._state_mask(key, index), grant])
        return found

    def _check_places(self) -> None:
        for name in self.sorts:
            for ref in self._places(name):
                if self.watcher.comp_places[ref][2].decl.form.spaces and not self._open(ref):
                    raise NoBooks("hidden things on a board")
            for decl in self.game.states.values():
                if mentions(decl.type, name) and isinstance(t.plain(decl.type), t.SetOf | t.ListOf):
                    raise NoBooks("sets of things that may be hidden")
        for _, (_, _, place) in self._token_places():
            if place.decl.of in self.token_sorts and place.decl.form.cells:
                raise NoBooks("hidden tokens on a board")

    def check_rules(self) -> None:
        program = self.engine.program
        for block in program.blocks:
            for instr in block.code:
                self._check_statement(instr.st)
        for proc in program.procs.values():
            if proc.plain:
                for st in proc.body:
                    self._check_statement(st)

    def _check_statement(self, st: St) -> None:
        if isinstance(st, Swap) and isinstance(st.left.type, t.Comp) and st.left.type.name in self.sorts:
            raise NoBooks("things that change places")
        if isinstance(st, Reveal | Show | ShowOn):
            place = getattr(st.place, "place", None)
            if place is not None and place.form.hidden:
                raise NoBooks("a deck that is shown")
        for body in bodies(st):
            for inner in body:
                self._check_statement(inner)

    # ------------------------------------------------------------ where it lies
    def _lay(self) -> dict[str, int]:
        players, layout = self.layout.players, self.layout
        self.columns = {
            name: {
                ref: n
                for n, ref in enumerate(
                    r for r, x in self.watcher.comp_places.items() if x[2].decl.of == name
                )
            }
            for name in self.sorts
        }
        self.looked = {name: self._places(name) for name in self.sorts}
        weights = orders = 0
        self.weights_of: list[int] = []
        self.order_of: dict[int, int] = {}
        for name in self.sorts:
            count = layout.comps[name].count
            self.weights_of.append(weights)
            weights += count * len(self.columns[name])
            for ref in self.columns[name]:
                if self.watcher.comp_places[ref][2].decl.form.ordered:
                    self.order_of[ref] = orders
                    orders += count + 2
        self.tokens: list[int] = []
        self.expected_of: list[int] = []
        expected = 0
        for name in self.token_sorts:
            kinds = len(self.game.kinds[name].values)
            for ref, (_, _, place) in self._token_places():
                if place.decl.of == name:
                    self.tokens.append(ref)
                    self.expected_of.append(expected)
                    expected += kinds
        inside = {"EXPECTED_IN": 8 * weights}
        inside["CERTAIN_IN"] = inside["EXPECTED_IN"] + 8 * expected
        inside["SIZES_IN"] = inside["CERTAIN_IN"] + 4 * expected
        inside["ORDER_IN"] = inside["SIZES_IN"] + 4 * len(layout.lists)
        book = _round(inside["ORDER_IN"] + 4 * orders + 64)
        found = {name: number for number, name in enumerate(WORDS)} | inside
        found |= {"BOOK": book, "SORTS": len(self.sorts), "TOKEN_SORTS": len(self.token_sorts)}
        at = 8 * (REPORTS_AT + 16)
        self.components = sum(layout.comps[name].count for name in self.sorts)
        sizes = (
            ("REFS_AT", 32 * len(layout.lists)), ("SORTS_AT", 48 * len(self.sorts)), ("COPY_AT", 8 * self.components),
            ("COPIES_AT", 4 * self.components), ("PLACES_OF_SORT_AT", 4 * 32 * (len(layout.lists) + 1)),
            ("TOKEN_OF_AT", 4 * len(layout.initial)), ("TOKENS_AT", 32 * len(self.tokens)),
            ("TOKEN_SORTS_AT", 16 * len(self.token_sorts)), ("TOKENS_SORTED_AT", 4 * len(self.tokens)),
            ("NAMES_AT", 4 * len(self.sorts) * (len(layout.initial) + 1)),
            ("NUMBERS_AT", 4 + 4 * sum(map(len, self.numbers))), ("WRITING_AT", 4 + 24 * len(self.writing)),
            ("FRAME_OF_AT", 4 * MOST_BLOCKS), ("FRAMES_AT", 4 * 64 * 1024), ("ASKERS_AT", 4 * MOST_BLOCKS),
            ("WRITTEN_AT", _round(len(layout.initial))), ("INITIAL_AT", 4 * len(layout.initial)), ("QUEUE_AT", 32 * QUEUE + 8 * 256), ("CHOSEN_AT", 16 * CHOSEN),
            ("OPENING_AT", self.memory.size), ("FIRST_BOOK_AT", book), ("BOOKS_AT", players * book),
            ("OPENING_BOOKS_AT", players * book),
        )  # fmt: skip
        for name, size in sizes:
            found[name] = at
            at += _round(size)
        found["WRITTEN_SIZE"] = _round(len(layout.initial)) // 8
        self.size = at + 64
        return found


def _round(size: int) -> int:
    return (size + 7) // 8 * 8


class Books:
    """The block of memory, with its tables filled in."""

    def __init__(self, plan: BookPlan, shape: Shape, reports: list[int]) -> None:
        self.plan, self.shape = plan, shape
        self.block = (ctypes.c_char * plan.size)()
        self.address = ctypes.addressof(self.block)
        ctypes.c_int64.from_address(self.address).value = self.address
        data = (ctypes.c_int64 * len(reports))(*reports)
        ctypes.memmove(self.address + 8 * REPORTS_AT, data, 8 * len(reports))
        self._places()
        self._sorts()
        self._tokens()
        self._halves("NUMBERS_AT", [len(plan.numbers), *(x for row in plan.numbers for x in row)])
        self._halves("WRITING_AT", [len(plan.writing), *(x for row in plan.writing for x in row)])
        initial = [x if isinstance(x, int) and -(1 << 31) <= x < 1 << 31 else 0 for x in plan.layout.initial]
        self._halves("INITIAL_AT", initial)
        self._frames()
        self._first_book()

    def _halves(self, name: str, words: list[int], at: int = 0) -> None:
        data = (ctypes.c_int32 * len(words))(*words)
        ctypes.memmove(self.address + self.plan.places[name] + 4 * at, data, 4 * len(words))

    def _places(self) -> None:
        plan, watcher, seats = self.plan, self.plan.watcher, self.plan.watcher.seats
        lists: list[int] = []
        for name in plan.sorts:
            lists += plan.looked[name]
        for number, name in enumerate(plan.sorts):
            for ref, column in plan.columns[name].items():
                key, index, instance = watcher.comp_places[ref]
                grants = plan.layout.grants.get(key, -1)
                parts = [
                    n for n in instance.decl.form.lists if self.shape.memory.lists[ref + n].kind != "none"
                ]
                record = [
                    number, column, watcher.declared_mask(key, index, "size_seen") & seats,
                    grants + index if grants >= 0 else -1, instance.owner, plan.order_of.get(ref, -1),
                    watcher.declared_mask(key, index) & seats, len(lists),
                ]  # fmt: skip
                self._halves("REFS_AT", record, 8 * ref)
                lists.append(len(parts))
                for n in parts:
                    found = self.shape.memory.lists[ref + n]
                    lists += [n, found.at, int(found.kind == "array")]
        self._halves("PLACES_OF_SORT_AT", lists)

    def _sorts(self) -> None:
        plan, layout = self.plan, self.plan.layout
        first = places = 0
        names: list[int] = []
        for number, name in enumerate(plan.sorts):
            comp = layout.comps[name]
            limbs = max(1, (comp.count + 63) // 64)
            mine = self._names(name)
            self._halves("SORTS_AT", [
                first, comp.count, len(plan.columns[name]), plan.weights_of[number], comp.where, entry_bits(comp.count),
                limbs, len(names), len(mine), places, len(plan.looked[name]), 0,
            ], 12 * number)  # fmt: skip
            names += mine
            alike: dict[int, list[int]] = {}
            for c, row in enumerate(comp.rows):
                alike.setdefault(row, []).append(c)
            copies: list[int] = []
            start: dict[int, int] = {}
            for row, members in alike.items():
                start[row] = first + len(copies)
                copies += members
            self._halves("COPIES_AT", copies, first)
            pairs = [x for row in comp.rows for x in (start[row], len(alike[row]))]
            self._halves("COPY_AT", pairs, 2 * first)
            first += comp.count
            places += len(plan.looked[name])
        self._halves("NAMES_AT", names)

    def _names(self, name: str) -> list[int]:
        layout, found = self.plan.layout, []
        for key, decl in layout.game.states.items():
            if mentions(decl.type, name):
                base, sizes, _ = layout.states[key]
                found += [HEAD + 4 * slot for slot in range(base, base + prod(sizes))]
        for other in layout.comps.values():
            if other.decl.on == t.Comp(name):
                found += [HEAD + 4 * slot for slot in range(other.on, other.on + other.count)]
        return found

    def _tokens(self) -> None:
        plan, watcher, seats = self.plan, self.plan.watcher, self.plan.watcher.seats
        number_of = [-1] * len(plan.layout.initial)
        first = 0
        for sort, name in enumerate(plan.token_sorts):
            kinds = len(plan.game.kinds[name].values)
            mine = [n for n, ref in enumerate(plan.tokens) if watcher.token_places[ref][2].decl.of == name]
            for n in mine:
                ref = plan.tokens[n]
                key, index, instance = watcher.token_places[ref]
                grants = plan.layout.grants.get(key, -1)
                number_of[ref] = n
                self._halves("TOKENS_AT", [
                    ref, sort, watcher.declared_mask(key, index) & seats,
                    watcher.declared_mask(key, index, "size_seen") & seats, grants + index if grants >= 0 else -1,
                    instance.owner, plan.expected_of[n], kinds,
                ], 8 * n)  # fmt: skip
            self._halves("TOKENS_SORTED_AT", sorted(mine, key=lambda n: plan.tokens[n]), first)
            self._halves("TOKEN_SORTS_AT", [first, len(mine), kinds, mine[0]], 4 * sort)
            first += len(mine)
        self._halves("TOKEN_OF_AT", number_of)

    def _frames(self) -> None:
        """Of each block the words of its frame, and which of them name things that may be hidden."""
        engine, frames = self.plan.engine, [0]
        where = [0] * MOST_BLOCKS
        for number, frame in self.shape.frames.items():
            held = []
            live = engine.live.get(number, ())
            for slot, type_ in engine.generated.named.get(number, ()):
                for sort, name in enumerate(self.plan.sorts):
                    if slot in live and mentions(type_, name):
                        rep = frame.slots[slot]
                        if isinstance(t.plain(type_), t.SetOf | t.ListOf) or rep.rep.words != 1:
                            raise NoBooks("sets of hidden things under way")
                        held += [sort, rep.at]
            where[number] = len(frames)
            frames += [frame.words, len(held) // 2, *held]
        if len(frames) > 64 * 1024:
            raise NoBooks("so many frames")
        self._halves("FRAMES_AT", frames)
        self._halves("FRAME_OF_AT", where)
        askers = [-1] * MOST_BLOCKS
        for number, asker in self.shape.askers.items():
            askers[number] = asker
        self._halves("ASKERS_AT", askers)

    def _first_book(self) -> None:
        plan, layout = self.plan, self.plan.layout
        at = self.address + plan.places["FIRST_BOOK_AT"]
        for number, name in enumerate(plan.sorts):
            box = layout.instances[f"box of {name}"][0].ref
            width, column = len(plan.columns[name]), plan.columns[name][box]
            for c in range(layout.comps[name].count):
                place = 8 * (plan.weights_of[number] + c * width + column)
                ctypes.c_double.from_address(at + place).value = 1.0
            ctypes.c_int32.from_address(at + plan.places["SIZES_IN"] + 4 * box).value = layout.comps[
                name
            ].count
        for n, ref in enumerate(plan.tokens):
            key, _, place_ = plan.watcher.token_places[ref]
            kinds = len(plan.game.kinds[place_.decl.of].values)
            if key.startswith("box of "):
                for kind, count in enumerate(layout.initial[ref : ref + kinds]):
                    slot = plan.expected_of[n] + kind
                    ctypes.c_double.from_address(at + plan.places["EXPECTED_IN"] + 8 * slot).value = float(
                        count
                    )
                    ctypes.c_int32.from_address(at + plan.places["CERTAIN_IN"] + 4 * slot).value = count
