"""What a seat sees, as numbers between -1 and 1: a list of pieces, each with its meaning.

Made of `match.view(seat)` and the pending question alone, so it cannot tell more
than the view does: positions that look the same are encoded alike.

- Components count by their faces (what is printed on them), divided by how many there
  are; a bounded grid has a plane for each face. Of a row, a stack or a deck the top is told too,
  and of a deck that is out of sight the cards whose place in it is known.
- Of a grid that grows, each tile has its coordinates and how it is turned.
- Tokens count by kind, divided by how many there are.
- Numbers are scaled by their range, kinds, players and spaces are one-hot, none is a
  place of its own.
- What can be out of sight has a piece that says whether it is seen. "Not seen" and
  "empty" are not the same.
- Of a record the last four rows are told.
- What is written on like components is told in an order of its own (that of the numbers, largest
  first), so that it does not matter which of them it is.

The order is that of the names, so it does not depend on how a rule file is arranged.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from typing import Any

from attrs import define, frozen

from ..core import value_types as t
from ..core.shapes import Shape
from ..play.engine import Engine
from ..play.match import Decision
from ..program.layout import PlaceInstance
from .domains import Domains, Torus
from .numbering import Actions

VERSION = 2
ROWS = 4
"""So many rows of a record are told, the last ones."""
TURNS = 32
"""After so many turns the number of the turn is half of what it will ever be."""

Array = list[float]
Write = Callable[[Array, int, Any], None]


@frozen
class Piece:
    """The numbers from `offset` on, `size` of them, and what they mean."""

    name: str
    offset: int
    size: int
    meaning: str


@define
class Part:
    """A piece under way: how it is written into the numbers, and what of the position it tells."""

    name: str
    size: int
    meaning: str
    write: Write
    source: tuple[str, str, int] = ("", "", 0)


class Encoding:
    """The layout of what a seat sees. Made by `Game.encoding`."""

    def __init__(self, engine: Engine, actions: Actions) -> None:
        self._layout, self._game = engine.layout, engine.game
        self._domains = Domains(engine.layout)
        self._actions = actions
        self._labels = engine.watcher.labels
        self.players = engine.players
        self.parts: list[tuple[str, Part]] = [*self._about_the_match()]
        self.parts += sorted(
            (*self._places(), *self._states(), *self._pieces(), *self._records()),
            key=lambda found: (found[0], found[1].name),
        )
        self.pieces: list[Piece] = []
        self.size = 0
        for group, part in self.parts:
            self.pieces.append(
                Piece(f"{group}: {part.name}" if group else part.name, self.size, part.size, part.meaning)
            )
            self.size += part.size
        self.alike = self._alike(engine)
        told = [(piece.name, piece.size, piece.meaning) for piece in self.pieces]
        text = json.dumps([VERSION, actions.fingerprint, told])
        self.fingerprint = hashlib.sha256(text.encode()).hexdigest()[:16]

    def encode(self, view: dict[str, Any], decision: Decision | None = None) -> Array:
        """A view as numbers; `decision` is what the seat is asked, if it is."""
        out = [0.0] * self.size
        for (group, part), piece in zip(self.parts, self.pieces, strict=True):
            if group == "":
                part.write(out, piece.offset, (view, decision))
            elif part.name in view[group]:
                part.write(out, piece.offset, view[group][part.name])
        for group_of_copies in self.alike:
            rows = sorted(([out[at] for at in copy] for copy in group_of_copies), reverse=True)
            for copy, row in zip(group_of_copies, rows, strict=True):
                for at, value in zip(copy, row, strict=True):
                    out[at] = value
        return out

    def _alike(self, engine: Engine) -> list[list[list[int]]]:
        """For each face with copies on which something is written: for each copy, where that is told."""
        owned: dict[str, dict[int, list[int]]] = {}
        for (_, part), piece in zip(self.parts, self.pieces, strict=True):
            kind, key, index = part.source
            if kind == "state" and (comp := self._game.states[key].owner) in self._layout.comps:
                copy = owned.setdefault(comp, {}).setdefault(engine.watcher.member_of(key, index), [])
                copy += range(piece.offset, piece.offset + piece.size)
        found = []
        for comp, by_number in owned.items():
            groups: dict[int, list[list[int]]] = {}
            for c, face in enumerate(self._domains.faces(comp).faces.values()):
                groups.setdefault(face, []).append(by_number[c])
            found += [copies for copies in groups.values() if len(copies) > 1]
        return found

    def encode_some(self, view: dict[str, Any], names: set[str], out: Any) -> None:
        """Of a view only the places, states, pieces and records with these names, into numbers that are 0 there."""
        for (group, part), piece in zip(self.parts, self.pieces, strict=True):
            if group and part.name in names and part.name in view[group]:
                part.write(out, piece.offset, view[group][part.name])

    def piece(self, name: str) -> Piece:
        return next(piece for piece in self.pieces if piece.name == name)

    def width(self, type_: t.Type) -> int:
        """How many numbers a value of a type takes."""
        return self._value(type_)[0]

    # ------------------------------------------------------------ the match
    def _about_the_match(self) -> Iterable[tuple[str, Part]]:
        seats = self.players

        def seat(key: str) -> Write:
            def write(out: Array, at: int, given: Any) -> None:
                if isinstance(given[0][key], int):
                    out[at + given[0][key] - 1] = 1.0

            return write

        def turn(out: Array, at: int, given: Any) -> None:
            out[at] = given[0]["turn"] / (given[0]["turn"] + TURNS)

        def scores(out: Array, at: int, given: Any) -> None:
            for own, score in (given[0].get("scores") or {}).items():
                if score is not None:
                    out[at + own - 1] = score / (abs(score) + TURNS)

        def question(out: Array, at: int, given: Any) -> None:
            if given[1] is not None:
                blocks = list(self._actions.blocks.values())
                out[at + blocks.index(self._actions.block(given[1]))] = 1.0

        yield "", Part("player", seats, "whose view it is", seat("player"))
        yield "", Part("active", seats, "whose turn it is", seat("active"))
        yield "", Part("waiting_for", seats, "who is asked, if that is known", seat("waiting_for"))
        yield "", Part("turn", 1, f"t / (t + {TURNS})", turn)
        if self._game.score is not None:
            yield "", Part("scores", seats, f"s / (|s| + {TURNS}), 0 if not seen", scores)
        names = ", ".join(f"{b.rule}.{b.name}" for b in self._actions.blocks.values())
        yield "", Part("question", len(self._actions.blocks), f"what is asked: {names}", question)

    # ------------------------------------------------------------ places
    def _places(self) -> Iterable[tuple[str, Part]]:
        for key, instances in self._layout.instances.items():
            if not key.startswith("box of "):
                for index, instance in enumerate(instances):
                    yield "places", self._place(key, index, instance)

    def _place(self, key: str, index: int, instance: PlaceInstance) -> Part:
        decl = instance.decl
        geometry = self._layout.geometries.get(key)
        if decl.tokens:
            kinds = self._game.kinds[decl.of].values
            amounts = [max(1, self._layout.constants.evaluate(a)) for a in self._game.tokens[decl.of].amounts]
            total = sum(amounts)
            if geometry is not None:
                size, meaning, write = self._token_grid(key, kinds)
            elif decl.form.single:
                size, meaning, write = self._token_slot(kinds)
            else:
                size, meaning, write = self._pool(kinds, amounts)
        else:
            total = max(1, self._layout.comps[decl.of].count)
            if geometry is not None and geometry.grows:
                size, meaning, write = self._growing(key, decl.of)
            elif geometry is not None:
                size, meaning, write = self._grid(key, decl.of)
            else:
                size, meaning, write = self._heap(decl.of, decl.form)

        def place(out: Array, at: int, shown: Any) -> None:
            if "contents" in shown:
                out[at] = 1.0
                contents = shown["contents"]
                out[at + 1] = _amount(contents) / total
                write(out, at + 2, (*contents, None) if decl.form.hidden else contents)
                return
            out[at + 1] = shown.get("size", 0) / total
            if not decl.tokens and (known := _known(shown)) != (None,):
                write(out, at + 2, known)

        label = self._labels[key, index]
        return Part(label, size + 2, f"seen, size / {total}, {meaning}", place, ("place", key, index))

    def _pool(self, kinds: tuple[str, ...], amounts: list[int]) -> tuple[int, str, Write]:
        order = {kind: n for n, kind in enumerate(kinds)}

        def write(out: Array, at: int, contents: Any) -> None:
            for kind, amount in contents:
                out[at + order[kind]] = amount / amounts[order[kind]]

        return len(kinds), f"share of all {', '.join(kinds)}", write

    def _token_slot(self, kinds: tuple[str, ...]) -> tuple[int, str, Write]:
        def write(out: Array, at: int, contents: Any) -> None:
            if contents is not None:
                out[at + kinds.index(contents)] = 1.0

        return len(kinds), f"one of {', '.join(kinds)}", write

    def _token_grid(self, key: str, kinds: tuple[str, ...]) -> tuple[int, str, Write]:
        geometry = self._layout.geometries[key]

        def write(out: Array, at: int, contents: Any) -> None:
            for (x, y), kind in contents:
                out[at + kinds.index(kind) * geometry.size + geometry.space(x, y)] = 1.0

        size = len(kinds) * geometry.size
        return size, f"planes of {geometry.width} by {geometry.height} for {', '.join(kinds)}", write

    def _heap(self, comp: str, form: Shape) -> tuple[int, str, Write]:
        faces = self._domains.faces(comp)
        copies = [b - a for a, b in zip(faces.firsts, (*faces.firsts[1:], faces.size), strict=True)]

        def write(out: Array, at: int, contents: Any) -> None:
            """The last one is on top; None is a card that is not known."""
            for name in contents:
                if name is not None:
                    out[at + faces.faces[name]] += 1 / copies[faces.faces[name]]
            if form.ends and contents and contents[-1] is not None:
                out[at + len(copies) + faces.faces[contents[-1]]] = 1.0

        size = len(copies) * (2 if form.ends else 1)
        return size, f"share of each of {len(copies)} faces{', face of the top' if form.ends else ''}", write

    def _grid(self, key: str, comp: str) -> tuple[int, str, Write]:
        geometry, faces = self._layout.geometries[key], self._domains.faces(comp)
        planes = len(faces.firsts)

        def write(out: Array, at: int, contents: Any) -> None:
            for name, (x, y), turned in contents:
                space = geometry.space(x, y)
                out[at + faces.faces[name] * geometry.size + space] = 1.0
                out[at + (planes + turned) * geometry.size + space] = 1.0

        size = (planes + 4) * geometry.size
        return size, f"planes of {geometry.width} by {geometry.height}, {planes} faces and 4 turns", write

    def _growing(self, key: str, comp: str) -> tuple[int, str, Write]:
        faces, torus = self._domains.faces(comp), self._domains.of(t.Space(key))
        assert isinstance(torus, Torus)
        each = 7

        def write(out: Array, at: int, contents: Any) -> None:
            lying = sorted(contents, key=lambda item: item[1])
            used = [0] * len(faces.firsts)
            for name, (x, y), turned in lying:
                face = faces.faces[name]
                here = at + (faces.firsts[face] + used[face]) * each
                used[face] += 1
                out[here : here + 3] = [1.0, x / torus.side, y / torus.side]
                out[here + 3 + turned] = 1.0

        return faces.size * each, "for each tile: lies there, x, y, turned by 0 to 3", write

    # ------------------------------------------------------------ states, pieces, records
    def _states(self) -> Iterable[tuple[str, Part]]:
        for key, decl in self._game.states.items():
            size, meaning, write = self._value(decl.type)
            for index, label in enumerate(self._state_labels(key)):
                source = ("state", key, index)
                yield "states", Part(label, size + 1, f"seen, {meaning}", _seen(write), source)

    def _state_labels(self, key: str) -> list[str]:
        count = 1
        for size in self._layout.states[key][1]:
            count *= size
        return [self._domains.values.state_label(key, n) for n in range(count)]

    def _pieces(self) -> Iterable[tuple[str, Part]]:
        for comp, layout in self._layout.comps.items():
            on = layout.decl.on
            if on is None:
                continue
            size, meaning, write = self._value(t.Opt(on))
            for c in range(layout.count):
                name = self._domains.values.comp_name(comp, c)
                seen = _seen(write, unknown=str(on))
                yield "pieces", Part(name, size + 1, f"seen, {meaning}", seen, ("piece", comp, c))

    def _records(self) -> Iterable[tuple[str, Part]]:
        for name, record in self._game.records.items():
            limit = max(1, self._layout.records[name][1])
            fields = [(f, self._field(indices, type_)) for f, (indices, type_) in record.fields.items()]
            width = sum(size for _, (size, _, _) in fields)
            meaning = "; ".join(f"{f}: {m}" for f, (_, m, _) in fields)

            def write(out: Array, at: int, rows: Any, *, fields: Any = fields, limit: int = limit) -> None:
                out[at] = len(rows) / limit
                at += 1
                for row in rows[-ROWS:]:
                    for field, (size, _, cell) in fields:
                        cell(out, at, row[field])
                        at += size

            told = f"rows / {limit}, the last {ROWS}: {meaning}"
            yield "records", Part(name, 1 + ROWS * width, told, write, ("record", name, 0))

    def _field(self, indices: tuple[t.Type, ...], type_: t.Type) -> tuple[int, str, Write]:
        if not indices:
            return self._value(type_)
        domains = [self._domains.of(index) for index in indices]
        size, meaning, write = self._value(type_)
        cells = 1
        for domain in domains:
            cells *= domain.size

        def field(out: Array, at: int, given: Any) -> None:
            for *keys, value in given:
                place = 0
                for domain, key in zip(domains, keys, strict=True):
                    place = place * domain.size + domain.places([key])[0]
                write(out, at + place * size, value)

        return cells * size, f"{meaning} for each {', '.join(map(str, indices))}", field

    # ------------------------------------------------------------ values
    def _value(self, type_: t.Type) -> tuple[int, str, Write]:
        match type_:
            case t.Num(low, high):
                last = high if high < t.MANY else low + max(1, self._domains.most_tokens)
                scale = max(abs(low), abs(last), 1)

                def number(out: Array, at: int, value: Any) -> None:
                    out[at] = max(-1.0, min(1.0, value / scale))

                return 1, f"number / {scale}", number
            case t.YesNo():

                def yes(out: Array, at: int, value: Any) -> None:
                    out[at] = float(value)

                return 1, "yes or no", yes
            case t.SetOf(of) | t.ListOf(of):
                size, meaning, write = self._value(of)

                def every(out: Array, at: int, values: Any) -> None:
                    for value in values:
                        write(out, at, value)

                return size, f"all of: {meaning}", every
            case t.Opt(of):
                size, meaning, write = self._value(of)

                def maybe(out: Array, at: int, value: Any) -> None:
                    if value is None:
                        out[at + size] = 1.0
                    else:
                        write(out, at, value)

                return size + 1, f"{meaning}, or none", maybe
            case t.Comp(name):
                faces = self._domains.faces(name)

                def face(out: Array, at: int, value: Any) -> None:
                    out[at + faces.faces[value]] = 1.0

                return len(faces.firsts), f"one of {len(faces.firsts)} faces of {name}", face
            case t.Space(of) if self._layout.geometries[of].grows:
                torus = self._domains.of(type_)
                assert isinstance(torus, Torus)
                side = torus.side

                def spot(out: Array, at: int, value: Any) -> None:
                    out[at : at + 2] = [value[0] / side, value[1] / side]

                return 2, "x, y", spot
        domain = self._domains.of(type_)

        def one(out: Array, at: int, value: Any) -> None:
            out[at + domain.places([value])[0]] = 1.0

        return domain.size, f"one of {domain.size} for {type_}", one


def _seen(write: Write, unknown: str | None = None) -> Write:
    def seen(out: Array, at: int, value: Any) -> None:
        if unknown is None or value != unknown:
            out[at] = 1.0
            write(out, at + 1, value)

    return seen


def _known(shown: dict[str, Any]) -> tuple[str | None, ...]:
    """Of a place whose contents are out of sight: the components that are known to lie there, the top one last."""
    top = shown.get("top") or ()
    if isinstance(top, str):
        return (top,)
    deep = (card for _, card in shown.get("deep", ()))
    return (*shown.get("bottom", ()), *deep, *(top[::-1] or (None,)))


def _amount(contents: Any) -> int:
    """How much lies in a place, of whatever form its contents are."""
    if contents is None:
        return 0
    if isinstance(contents, str):
        return 1
    return sum(
        item[1] if isinstance(item, tuple) and len(item) == 2 and isinstance(item[1], int) else 1
        for item in contents
    )
