"""Many random expressions or choices in one spec, and what the engine makes of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import dragonrules as dr
from dragonrules.interpreter.reference import ReferenceMatch

from .expressions import E, Expressions, Name
from .world import World

BEHIND = "choose a in 1..4, k in Colour"  # so that expressions have names from a frame to read
GIVEN = [Name("a", "number", 1, 4), Name("k", "colour")]


class Batch:
    """Expressions over one table; some stand in definitions, some in the middle of a rule."""

    def __init__(self, seed: int, size: int = 10) -> None:
        dice = Random(seed)
        self.world = World(dice)
        made = Expressions(dice)
        self.numbers: list[E] = []
        lines, defines = [], []
        for n in range(size):
            depth = dice.choice([1, 2, 3, 3])
            e = made.number(GIVEN, depth)
            if dice.random() < 0.3:
                truth = made.truth(GIVEN, depth)
                e = E(f"(1 if {truth.text} else 0)", lambda w, v, t=truth: int(t.value(w, v)), 0, 1)
            self.numbers.append(e)
            if dice.random() < 0.4:
                defines.append(f"define f{n}(a: 1..4, k: Colour) = {e.text}")
                lines.append(f"set out{n} = f{n}(a, k)")
            else:
                lines.append(f"set out{n} = {e.text}")
        states = [f"state out{n}: -100000..100000 = 0" for n in range(size)]
        body = ["phase Play:", "    turns Round p:", f"        {BEHIND}"]
        body += [f"        {line}" for line in lines]
        self.text = "\n".join([self.world.text, *states, *defines, *body, ""])

    def results(self, a: int, k: int) -> list[int]:
        return [int(e.value(self.world, {"a": a, "k": k})) for e in self.numbers]

    def played(self, folder: Path, answers: list[tuple[int, int]]) -> Iterator[list[list[int]]]:
        """What the engine, and then the reference interpreter, work out behind each of some answers,
        one turn after the other."""
        path = folder / "batch.dragon"
        path.write_text(self.text, encoding="utf-8")
        engine = dr.load(path).engine()
        yield self._by_engine(engine, answers)
        match = ReferenceMatch(engine.game, engine.players, engine.options)
        out = []
        for a, k in answers:
            for place in (a - 1, k):
                assert match.decision is not None
                match.choose(match.decision.keys[place])
            out.append([match.play.table.states[f"out{n}"][()] for n in range(len(self.numbers))])
        yield out

    def _by_engine(self, engine: Any, answers: list[tuple[int, int]]) -> list[list[int]]:
        state = engine.new(seed=1)
        slots = [engine.layout.states[f"out{n}"][0] for n in range(len(self.numbers))]
        out = []
        for a, k in answers:
            state.apply(a - 1)
            state.apply(k)
            out.append([state.I[slot] for slot in slots])
        return out


def answers_of(seed: int) -> list[tuple[int, int]]:
    dice = Random(seed)
    return [(dice.randint(1, 4), dice.randrange(3)) for _ in range(3)]


def difference(seed: int, folder: Path, size: int = 10) -> Any:
    """None if all is as it should be, else the seed, the expression, the two values."""
    batch = Batch(seed, size)
    answers = answers_of(seed)
    for who, played in zip(("engine", "reference"), batch.played(folder, answers), strict=True):
        for (a, k), found in zip(answers, played, strict=True):
            for e, got, wanted in zip(batch.numbers, found, batch.results(a, k), strict=True):
                if got != wanted:
                    return seed, who, (a, k), e.text, got, wanted
    return None
