"""The numbers of what can be chosen, in many matches at once: the same as `Actions` gives.

Matches that stand at one point of the program ask the same question, so they are
answered together: a table from values to numbers for each point. Of like components the
first takes the first number, as in a single match.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..core import value_types as t
from ..native.states import Shape
from ..play.engine import Engine
from ..program.representations import Plan
from ..program.terminators import DecisionPoint
from .columns import Array, Columns, coordinates
from .domains import Domain, Faces, Maybe, Numbers, Torus
from .numbering import OFFER, Actions, Block, block_name

Number = Callable[[Array, Array], Array]
"""From values (a row for each match) and which of them count, to numbers of the domain."""


class BatchNumbers:
    def __init__(self, engine: Engine, actions: Actions, shape: Shape) -> None:
        self.actions, self._engine, self._shape = actions, engine, shape
        self._layout = engine.layout
        self._known: dict[int, Callable[[Columns, Array, Array, Array], Array]] = {}

    def numbers(self, states: Columns) -> tuple[Array, Array]:
        """For each match the number of each option, and which entries are options; none where it is over."""
        asked = np.where((states.head("over") == 0) & (states.head("player") >= 0), states.head("options"), 0)
        width = int(asked.max(initial=0))
        counts = np.arange(width) < asked[:, None]
        out = np.zeros((states.count, width), np.int64)
        places = states.head("pc")
        for pc in np.unique(places[asked > 0]).tolist():
            rows = np.flatnonzero((places == pc) & (asked > 0))
            if pc not in self._known:
                self._known[pc] = self._at(pc)
            most = int(asked[rows].max())
            values = states.options[rows, :most].astype(np.int64)
            out[rows, :most] = self._known[pc](states, rows, values, counts[rows, :most])
        return out, counts

    def _at(self, pc: int) -> Callable[[Columns, Array, Array, Array], Array]:
        point = self._engine.points[pc]
        block = self.actions.blocks[block_name(point)]
        domain, type_ = block.domain, point.type
        if isinstance(type_, t.Array):
            number = self._domain(domain, type_.of)
            cell = self._cell(pc)

            def in_cell(states: Columns, rows: Array, values: Array, counts: Array) -> Array:
                first = block.start + cell(states, rows) * domain.size
                return first[:, None] + number(values, counts)

            return in_cell
        number = self._cases(point, block) if block.name == OFFER else self._domain(domain, type_)
        return lambda states, rows, values, counts: block.start + number(values, counts)

    def _cases(self, point: DecisionPoint, block: Block) -> Number:
        table = np.array(block.domain.places([name for name, _ in point.cases]))
        return lambda values, counts: table[np.where(counts, values, 0)]

    def _cell(self, pc: int) -> Callable[[Columns, Array], Array]:
        """Which cell of a vector is asked: of the plan in the frame, the one behind those that are filled."""
        frame = self._shape.frames[pc]
        plan = next(slot for slot in frame.slots if isinstance(slot.rep, Plan) and slot.uid in frame.live)
        filled = next(slot for slot in frame.slots if slot.uid == frame.plans[plan.uid])

        def cell(states: Columns, rows: Array) -> Array:
            base = states.head("sp")[rows] - frame.words
            done = states.stack[rows, base + filled.at]
            return states.stack[rows, base + plan.at + Plan.HEAD + done].astype(np.int64)

        return cell

    def _domain(self, domain: Domain, type_: t.Type | None) -> Number:
        match domain:
            case Maybe(inner=inner):
                assert isinstance(type_, t.Opt)
                of = self._domain(inner, type_.of)

                def maybe(values: Array, counts: Array) -> Array:
                    some = values >= 0
                    return np.where(some, of(values, counts & some), domain.size - 1)

                return maybe
            case Numbers(low=low):
                return lambda values, counts: values - low
            case Torus(side=side):
                assert isinstance(type_, t.Space)
                geometry = self._layout.geometries[type_.of]

                def rolled(values: Array, counts: Array) -> Array:
                    x, y = coordinates(geometry, values)
                    return x % side * side + y % side

                return rolled
            case Faces():
                return self._faces(domain, type_)
        return lambda values, counts: np.where(counts, values, 0)

    def _faces(self, domain: Faces, type_: t.Type | None) -> Number:
        assert isinstance(type_, t.Comp)
        face = face_of(domain, self._layout.comps[type_.name].count)
        first = np.array(domain.firsts)

        def numbers(values: Array, counts: Array) -> Array:
            safe = np.where(counts, values, 0)
            faces = np.where(counts, face[safe], len(first))
            order = np.argsort(faces * (len(face) + 1) + safe, axis=1, kind="stable")
            sorted_faces = np.take_along_axis(faces, order, 1)
            places = np.broadcast_to(np.arange(values.shape[1]), values.shape)
            begins = np.ones(values.shape, bool)
            begins[:, 1:] = sorted_faces[:, 1:] != sorted_faces[:, :-1]
            since = places - np.maximum.accumulate(np.where(begins, places, 0), axis=1)
            rank = np.empty_like(since)
            np.put_along_axis(rank, order, since, 1)
            return first[np.where(counts, faces, 0)] + rank

        return numbers


def face_of(domain: Faces, count: int) -> Array:
    """The face of each component, by its number."""
    return np.array(list(domain.faces.values()) if count else [0])
