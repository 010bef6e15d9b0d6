"""What the seat that is asked sees, as numbers, in many matches at once: the same as `Encoding` gives.

Who sees what is a column of masks, worked out as visibility.py does it for one position:
what is declared, and the seats to whom something is shown. Behind a seal, things of others
are read as they were when it was put on. What has no form for columns (lists,
sets of numbers, rows with sets) is read from each position by itself; `slow` names
these pieces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import prod

import numpy as np

from ..core import value_types as t
from ..native.states import NativeState
from ..play.engine import Engine
from ..program.layout import PlaceInstance
from .batch_numbers import face_of
from .columns import Array, Columns, coordinates
from .domains import Domains, Torus
from .encoding import ROWS, TURNS, Encoding, Piece

Fill = Callable[[Array, Columns, Array], None]
"""Writes a piece: where to (a row for each match), the states, and the seat that looks, from 0."""
Put = Callable[[Array, Array, Array], None]
"""Writes values: where to, the values, and in which matches they count."""


class BatchEncoding:
    def __init__(self, watched: Engine, encoding: Encoding) -> None:
        self.encoding = encoding
        self._layout, self._game, self._watcher = watched.layout, watched.game, watched.watcher
        self._domains = Domains(watched.layout)
        self._fills: list[tuple[Piece, Fill, int]] = []
        self._by_itself: list[tuple[str, Piece]] = []
        for (group, part), piece in zip(encoding.parts, encoding.pieces, strict=True):
            fill = self._piece(part.name, *part.source)
            if fill is None:
                self._by_itself.append((group, piece))
            else:
                self._fills.append((piece, fill, self._owner(*part.source)))

    @property
    def slow(self) -> tuple[str, ...]:
        """Pieces that are read from each position by itself."""
        return tuple(piece.name for _, piece in self._by_itself)

    def encode(self, states: Columns, questions: Array) -> Array:
        """A row of numbers for each match, all 0 where it is over. `questions` says which block of actions
        is asked."""
        out = np.zeros((states.count, self.encoding.size), np.float32)
        looking = np.maximum(states.head("player"), 0)
        for piece, fill, _ in self._fills:
            fill(out[:, piece.offset : piece.offset + piece.size], states, looking)
        self._behind_seal(out, states, looking)
        asked = self.encoding.piece("question")
        _one_hot(out[:, asked.offset : asked.offset + asked.size], questions, questions >= 0)
        if self._by_itself:
            self._one_by_one(out, states)
        for copies in self.encoding.alike:
            _largest_first(out, np.array(copies))
        out[states.head("over") != 0] = 0
        return out

    def _behind_seal(self, out: Array, states: Columns, looking: Array) -> None:
        """What belongs to others, as it was."""
        sealed = states.head("sealed") != 0
        if not sealed.any():
            return
        for piece, fill, owner in self._fills:
            told = out[:, piece.offset : piece.offset + piece.size]
            before = np.zeros_like(told)
            if piece.name != "scores":  # behind a seal nobody works them out
                fill(before, states.sealed, looking)
            others = sealed & (looking != owner)
            told[others] = before[others]

    def _owner(self, kind: str, key: str, index: int) -> int:
        """The seat whose thing it is, or -1."""
        match kind:
            case "place":
                return self._layout.instances[key][index].owner
            case "state":
                return self._watcher.state_owner(key, index)
            case "piece":
                return self._watcher.piece_owner(key, index)
        return -1

    def _one_by_one(self, out: Array, states: Columns) -> None:
        names = {name.partition(": ")[2] for name in self.slow}
        for row in np.flatnonzero(states.head("over") == 0).tolist():
            state = NativeState(states.native.shape)
            states.native.functions.copy_state(state.address, states.address + row * states.size)
            plain = states.native.to_python(state)
            seen = self._watcher.view(plain, max(0, plain.player))
            self.encoding.encode_some(seen, names, out[row])

    def _piece(self, name: str, kind: str, key: str, index: int) -> Fill | None:
        if kind == "place":
            return self._place(key, index)
        if kind == "state":
            return self._state(key, index)
        if kind == "piece":
            return self._standing(key, index)
        if kind == "record":
            return self._record(key)
        return self._about(name)

    # ------------------------------------------------------------ the match
    def _about(self, name: str) -> Fill:
        layout, players = self._layout, self._layout.players

        def player(out: Array, states: Columns, looking: Array) -> None:
            _one_hot(out, looking)

        def active(out: Array, states: Columns, looking: Array) -> None:
            _one_hot(out, states.I[:, layout.ACTIVE], states.I[:, layout.ACTIVE] >= 0)

        def turn(out: Array, states: Columns, looking: Array) -> None:
            now = states.I[:, layout.TURN].astype(np.float64)
            out[:, 0] = now / (now + TURNS)

        def scores(out: Array, states: Columns, looking: Array) -> None:
            found = np.zeros((states.count, players), np.int64)
            many_scores = states.native.functions.many_scores
            many_scores(states.address, states.size, states.count, found.ctypes.data)
            for seat in range(players):
                score = found[:, seat].astype(np.float64)
                seen = self._sees(self._score_mask(states, seat), looking)
                out[:, seat] = np.where(seen, score / (np.abs(score) + TURNS), 0)

        def question(out: Array, states: Columns, looking: Array) -> None:
            """Written by `encode`, which knows what is asked."""

        return {
            "player": player, "waiting_for": player, "active": active, "turn": turn, "scores": scores,
            "question": question,
        }[name]  # fmt: skip

    # ------------------------------------------------------------ who sees what
    def _sees(self, mask: Array | int, looking: Array) -> Array:
        return (np.asarray(mask) >> looking & 1).astype(bool)

    def _place_mask(self, states: Columns, key: str, index: int, what: str = "seen") -> Array:
        mask = np.full(states.count, self._watcher.declared_mask(key, index, what), np.int64)
        if key in self._layout.grants:
            mask |= states.I[:, self._layout.grants[key] + index]  # -1 is everybody
        return mask

    def _state_mask(self, states: Columns, key: str, index: int) -> Array:
        declared = self._watcher.state_audience(key, index)
        mask = np.full(states.count, declared, np.int64)
        if key in self._layout.grants:
            mask |= states.I[:, self._layout.grants[key] + index]
        owner = self._game.states[key].owner
        if owner in self._layout.comps:
            mask &= self._viewers_of(states, owner, self._watcher.member_of(key, index))
        return mask

    def _viewers_of(self, states: Columns, comp: str, which: int | Array) -> Array:
        """Who knows which component this is, where it lies now; the component may differ from match to match."""
        layout = self._layout.comps[comp]
        mask = np.full(states.count, self._watcher.everyone, np.int64)
        if layout.decl.on is not None:
            return mask
        cards = np.broadcast_to(np.asarray(which, np.int64), (states.count,))
        rows = np.arange(states.count)
        where = states.I[rows, layout.where + np.maximum(cards, 0)]
        for ref, (key, index, instance) in self._watcher.comp_places.items():
            if instance.decl.of != comp:
                continue
            here = self._place_mask(states, key, index)
            form = instance.decl.form
            if form.hidden:
                for known, masks in ((ref + 1, ref + 3), (ref + 2, ref + 4), (ref + 5, ref + 7)):
                    for rows_here, card, seen in _known_cards(states, known, masks):
                        same = card == cards[rows_here]
                        here[rows_here[same]] |= seen[same]
            if instance.decl.top_seen is not None and form.top_open:
                on_top = states.top(ref) == cards
                here = np.where(on_top, here | self._place_mask(states, key, index, "top_seen"), here)
            mask = np.where(where == ref, here, mask)
        return mask

    def _score_mask(self, states: Columns, seat: int) -> Array:
        mask = np.full(states.count, self._watcher.everyone, np.int64)
        for what, key, index in self._watcher.seen_scores.needs[seat]:
            if what == "nothing":
                return np.zeros(states.count, np.int64)
            if what == "state":
                mask &= self._state_mask(states, key, index)
            else:
                mask &= self._place_mask(states, key, index, what)
        return mask

    # ------------------------------------------------------------ places
    def _place(self, key: str, index: int) -> Fill | None:
        instance = self._layout.instances[key][index]
        if instance.decl.form.hidden:
            return self._deck(key, index, instance)
        return (
            self._tokens(key, index, instance) if instance.decl.tokens else self._things(key, index, instance)
        )

    def _deck(self, key: str, index: int, instance: PlaceInstance) -> Fill:
        total, faces, copies = self._of_faces(instance.decl.of)

        ref, body = instance.ref, 2 + len(copies)

        def fill(out: Array, states: Columns, looking: Array) -> None:
            unknown = states.held(ref)
            inside = unknown.copy()
            known = np.zeros_like(inside)
            for cards, masks in ((ref + 1, ref + 3), (ref + 2, ref + 4), (ref + 5, ref + 7)):
                for rows, card, mask in _known_cards(states, cards, masks):
                    inside[rows, card] = True
                    known[rows, card] = mask >> looking[rows] & 1
            seen = self._sees(self._place_mask(states, key, index), looking)
            sized = seen | self._sees(self._place_mask(states, key, index, "size_seen"), looking)
            out[:, 0] = seen
            out[:, 1] = np.where(sized, inside.sum(1) / total, 0)
            _count_faces(out[:, 2:body], np.where(seen[:, None], inside, known), faces, copies)
            _top_face(out[:, body:], self._top_card(states, ref, looking, sized, unknown), faces, ~seen)

        return fill

    def _top_card(self, states: Columns, ref: int, looking: Array, sized: Array, unknown: Array) -> Array:
        """The uppermost card of a deck if its place is known to the seat, else -1."""
        top = np.full(states.count, -1)
        open_ = np.ones(states.count, bool)  # nothing lies above what is looked at next
        if states.list_at(ref + 1).kind == "array":
            sizes, _ = states.sequence(ref + 1)
            self._look(states, top, (ref + 1, ref + 3), sizes - 1, looking, open_ & (sizes > 0))
            open_ &= sizes == 0
        if states.list_at(ref + 5).kind == "array":
            sizes, _ = states.sequence(ref + 5)
            first = states.sequence(ref + 6)[1][:, 0]
            here = open_ & (sizes > 0) & (first == 0)
            self._look(states, top, (ref + 5, ref + 7), np.zeros(states.count, int), looking, here)
            open_ &= ~here
        if states.list_at(ref + 2).kind == "array":
            sizes, _ = states.sequence(ref + 2)
            here = open_ & sized & (sizes > 0) & ~unknown.any(1)
            self._look(states, top, (ref + 2, ref + 4), np.zeros(states.count, int), looking, here)
        return top

    def _look(
        self, states: Columns, top: Array, lists: tuple[int, int], at: Array, looking: Array, where: Array
    ) -> None:
        rows = np.flatnonzero(where)
        cards, masks = (states.sequence(ref)[1][rows, at[rows]].astype(np.int64) for ref in lists)
        seen = (masks >> looking[rows] & 1).astype(bool)
        top[rows[seen]] = cards[seen]

    def _of_faces(self, comp: str) -> tuple[int, Array, Array]:
        domain, count = self._domains.faces(comp), self._layout.comps[comp].count
        ends = (*domain.firsts[1:], domain.size)
        return max(1, count), face_of(domain, count), np.array(ends) - np.array(domain.firsts)

    def _things(self, key: str, index: int, instance: PlaceInstance) -> Fill:
        comp, form, ref = instance.decl.of, instance.decl.form, instance.ref
        total, faces, copies = self._of_faces(comp)
        geometry, layout = self._layout.geometries.get(key), self._layout.comps[comp]

        def fill(out: Array, states: Columns, looking: Array) -> None:
            inside = states.lying(ref, layout.count)
            seen = self._sees(self._place_mask(states, key, index), looking)
            sized = seen | self._sees(self._place_mask(states, key, index, "size_seen"), looking)
            out[:, 0] = seen
            out[:, 1] = np.where(sized, inside.sum(1) / total, 0)
            body = out[:, 2:]
            if geometry is not None:
                rows, cards = np.nonzero(inside & seen[:, None])
                cells = states.I[rows, layout.cell + cards]
                turned = states.I[rows, layout.turned + cards]
                if geometry.grows:
                    self._grown(body, key, rows, cards, cells, turned)
                else:
                    body[rows, faces[cards] * geometry.size + cells] = 1
                    body[rows, (len(copies) + turned) * geometry.size + cells] = 1
                return
            _count_faces(body, inside & seen[:, None], faces, copies)
            if not form.ends:
                return
            top = states.top(ref)
            _top_face(body[:, len(copies) :], top, faces, seen)
            if instance.decl.top_seen is not None:
                peeped = ~seen & self._sees(self._place_mask(states, key, index, "top_seen"), looking)
                peeped &= top >= 0
                rows = np.flatnonzero(peeped)
                body[rows, faces[top[rows]]] += 1 / copies[faces[top[rows]]]
                _top_face(body[:, len(copies) :], top, faces, peeped)

        return fill

    def _grown(self, body: Array, key: str, rows: Array, cards: Array, cells: Array, turned: Array) -> None:
        """Tiles of one face are told in the order of their coordinates."""
        domain = self._domains.faces(self._game.places[key].of)
        torus = self._domains.of(t.Space(key))
        assert isinstance(torus, Torus)
        x, y = coordinates(self._layout.geometries[key], cells)
        faces = face_of(domain, domain.size)[cards]
        order = np.lexsort((y, x, faces, rows))
        rows, faces, x, y, turned = rows[order], faces[order], x[order], y[order], turned[order]
        fresh = np.ones(len(rows), bool)
        fresh[1:] = (rows[1:] != rows[:-1]) | (faces[1:] != faces[:-1])
        places = np.arange(len(rows))
        rank = places - np.maximum.accumulate(np.where(fresh, places, 0)) if len(rows) else places
        here = (np.array(domain.firsts)[faces] + rank) * 7
        body[rows, here] = 1
        body[rows, here + 1] = x / torus.side
        body[rows, here + 2] = y / torus.side
        body[rows, here + 3 + turned] = 1

    def _tokens(self, key: str, index: int, instance: PlaceInstance) -> Fill:
        decl, ref = instance.decl, instance.ref
        kinds = len(self._game.kinds[decl.of].values)
        amounts = [max(1, self._layout.constants.evaluate(a)) for a in self._game.tokens[decl.of].amounts]
        total, geometry = sum(amounts), self._layout.geometries.get(key)
        cells = geometry.size if geometry is not None else 1 if decl.form.single else 0

        def fill(out: Array, states: Columns, looking: Array) -> None:
            seen = self._sees(self._place_mask(states, key, index), looking)
            sized = seen | self._sees(self._place_mask(states, key, index, "size_seen"), looking)
            out[:, 0] = seen
            if cells:
                held = states.I[:, ref : ref + cells]
                out[:, 1] = np.where(sized, (held >= 0).sum(1) / total, 0)
                rows, spaces = np.nonzero((held >= 0) & seen[:, None])
                out[rows, 2 + held[rows, spaces] * cells + spaces] = 1
            else:
                held = states.I[:, ref : ref + kinds]
                out[:, 1] = np.where(sized, held.sum(1) / total, 0)
                out[:, 2:] = np.where(seen[:, None], held / np.array(amounts), 0)

        return fill

    # ------------------------------------------------------------ states, pieces, records
    def _state(self, key: str, index: int) -> Fill | None:
        type_ = self._game.states[key].type
        at = self._layout.states[key][0] + index
        if isinstance(type_, t.SetOf):
            return self._set(key, index, type_.of, at)
        put = self._put(type_)
        if put is None:
            return None

        def fill(out: Array, states: Columns, looking: Array) -> None:
            seen = self._sees(self._state_mask(states, key, index), looking)
            out[:, 0] = seen
            put(out[:, 1:], states.I[:, at], seen)

        return fill

    def _set(self, key: str, index: int, element: t.Type, at: int) -> Fill | None:
        """A set whose members each have a number of their own: in a word, or beside the words."""
        if not isinstance(element, t.Kind | t.Player | t.Comp | t.Space):
            return None
        if isinstance(element, t.Space) and self._layout.geometries[element.of].grows:
            return None
        members = np.arange(self._layout.size(element))
        if isinstance(element, t.Comp):
            members = face_of(self._domains.faces(element.name), len(members))

        def fill(out: Array, states: Columns, looking: Array) -> None:
            seen = self._sees(self._state_mask(states, key, index), looking)
            out[:, 0] = seen
            rows, found = np.nonzero(states.members(at, len(members)) & seen[:, None])
            out[rows, 1 + members[found]] = 1

        return fill

    def _standing(self, comp: str, c: int) -> Fill | None:
        layout = self._layout.comps[comp]
        on = layout.decl.on
        assert on is not None
        put = self._put(t.Opt(on))
        if put is None:
            return None

        def fill(out: Array, states: Columns, looking: Array) -> None:
            there = states.I[:, layout.on + c]
            seen = np.ones(states.count, bool)
            if isinstance(on, t.Comp):
                seen = (there < 0) | self._sees(self._viewers_of(states, on.name, there), looking)
            out[:, 0] = seen
            put(out[:, 1:], there, seen)

        return fill

    def _record(self, name: str) -> Fill | None:
        count, limit, places = self._layout.records[name]
        puts = []
        for field, (indices, type_) in self._game.records[name].fields.items():
            put = self._put(type_)
            if put is None:
                return None
            base, sizes, _ = places[field]
            puts.append((base, prod(sizes), bool(indices), put, self._width(type_)))

        def fill(out: Array, states: Columns, looking: Array) -> None:
            rows = states.I[:, count]
            out[:, 0] = rows / max(1, limit)
            first = np.maximum(rows - ROWS, 0)
            at = 1
            for told in range(ROWS):
                row = first + told
                there = row < rows
                safe = np.where(there, row, 0)
                for base, cells, indexed, put, width in puts:
                    for cell in range(cells):
                        values = states.I[np.arange(states.count), base + safe * cells + cell]
                        put(out[:, at : at + width], values, there & (values != 0) if indexed else there)
                        at += width

        return fill

    # ------------------------------------------------------------ values
    def _width(self, type_: t.Type) -> int:
        return self.encoding.width(type_)

    def _put(self, type_: t.Type) -> Put | None:
        """How values of a type are written; None if there is no form for columns."""
        match type_:
            case t.Num(low, high):
                last = high if high < t.MANY else low + max(1, self._domains.most_tokens)
                scale = max(abs(low), abs(last), 1)
                return lambda out, values, where: _plain(out, np.clip(values / scale, -1, 1), where)
            case t.YesNo():
                return lambda out, values, where: _plain(out, values, where)
            case t.SetOf() | t.ListOf():
                return None
            case t.Opt(of):
                inner, size = self._put(of), self._width(of)
                if inner is None:
                    return None

                def maybe(out: Array, values: Array, where: Array) -> None:
                    inner(out[:, :size], values, where & (values != -1))
                    out[:, size] = where & (values == -1)

                return maybe
            case t.Comp(name):
                faces = face_of(self._domains.faces(name), self._layout.comps[name].count)
                return lambda out, values, where: _one_hot(out, faces[np.where(where, values, 0)], where)
            case t.Space(of) if self._layout.geometries[of].grows:
                geometry, torus = self._layout.geometries[of], self._domains.of(type_)
                assert isinstance(torus, Torus)
                side = torus.side

                def spot(out: Array, values: Array, where: Array) -> None:
                    x, y = coordinates(geometry, values)
                    _plain(out[:, :1], x / side, where)
                    _plain(out[:, 1:2], y / side, where)

                return spot
        return lambda out, values, where: _one_hot(out, np.where(where, values, 0), where)


def _one_hot(out: Array, values: Array, where: Array | None = None) -> None:
    rows = np.arange(len(values)) if where is None else np.flatnonzero(where)
    out[rows, values[rows]] = 1


def _largest_first(out: Array, copies: Array) -> None:
    """The rows of like components, each match's by itself in descending order of their numbers."""
    told = out[:, copies]
    order = np.broadcast_to(np.arange(len(copies)), told.shape[:2])
    for column in range(copies.shape[1] - 1, -1, -1):
        values = -np.take_along_axis(told[:, :, column], order, 1)
        order = np.take_along_axis(order, np.argsort(values, axis=1, kind="stable"), 1)
    out[:, copies] = np.take_along_axis(told, order[:, :, None], 1)


def _plain(out: Array, values: Array, where: Array) -> None:
    out[:, 0] = np.where(where, values, 0)


def _count_faces(out: Array, inside: Array, faces: Array, copies: Array) -> None:
    rows, cards = np.nonzero(inside)
    np.add.at(out, (rows, faces[cards]), 1 / copies[faces[cards]])


def _top_face(out: Array, top: Array, faces: Array, where: Array) -> None:
    rows = np.flatnonzero(where & (top >= 0))
    out[rows, faces[top[rows]]] = 1


def _known_cards(states: Columns, cards: int, masks: int) -> Iterator[tuple[Array, Array, Array]]:
    """Of cards with a known place, for each position: the matches that have one there, the card, and who knows it."""
    if states.list_at(cards).kind != "array":
        return
    sizes, found = states.sequence(cards)
    _, seen = states.sequence(masks)
    for place in range(int(sizes.max(initial=0))):
        rows = np.flatnonzero(place < sizes)
        yield rows, found[rows, place], seen[rows, place].astype(np.int64)
