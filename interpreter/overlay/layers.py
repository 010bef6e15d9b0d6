"""In which order the lines of several variants are carried out.

A variant that comes after another, or needs it, lies wholly above it. Where nothing is said,
changes lie by what they do (claims.py), and within a layer as the variants are asked for. What
one variant does to one thing happens in the order in which it stands there.
"""

from __future__ import annotations

import heapq
from typing import Any

from ...grammar import syntax
from .addresses import name_of, path_name, word_for
from .claims import Does, relation
from .originals import mentions

Line = tuple[syntax.Variant, Any]
HEADLESS = {
    syntax.ReplaceRule: "rule",
    syntax.ReplaceTrigger: "trigger",
    syntax.ReplaceEnding: "ending",
    syntax.ReplaceTable: "table",
    syntax.ReplaceScore: "score",
    syntax.ReplaceValue: "value",
}
"""Replacements that leave the header of the old declaration as it is."""


def does(item: Any) -> Does:
    """The layer of a line."""
    match item:
        case syntax.Replace() | syntax.ReplaceStep():
            if mentions(item):
                return Does.WRAP
            return Does.REPLACE if isinstance(item, syntax.Replace) else Does.PART
        case syntax.Remove() | syntax.RemoveRows():
            return Does.REMOVE
        case (
            syntax.SetOption()
            | syntax.ChangeRows()
            | syntax.ChangeTable()
            | syntax.ChangeToken()
            | syntax.ChangePlace()
            | syntax.ChangeOption()
            | syntax.ChangeTurns()
            | syntax.ChangeDoc()
        ):
            return Does.PART
        case syntax.AddKinds() | syntax.AddRows() | syntax.AddToken() | syntax.AddFields():
            return Does.ADD
        case syntax.BeforeStep() | syntax.AfterStep() | syntax.BeforeDecl() | syntax.AfterDecl():
            return Does.BESIDE
    if type(item) in HEADLESS:
        return Does.WRAP if mentions(item) else Does.REPLACE
    return Does.REPLACE


def thing(item: Any) -> str:
    """The name of what a line is about, as far as its own variant could speak of it twice."""
    match item:
        case syntax.Replace(decl=decl):
            return thing(decl)
        case syntax.Remove(path=path) | syntax.RemoveRows(path=path) | syntax.ChangePlace(path=path):
            return path_name(path)
        case syntax.ReplaceStep(path=path) | syntax.BeforeStep(path=path) | syntax.AfterStep(path=path):
            return path_name(path)
        case syntax.BeforeDecl(path=path) | syntax.AfterDecl(path=path):
            return path_name(path)
        case syntax.ReplaceScore() | syntax.ReplaceValue() | syntax.Score() | syntax.Value() | syntax.Setup():
            return word_for(item)
        case syntax.ChangeDoc(path=path):
            return path_name(path) if path is not None else ""
    return name_of(item) if hasattr(item, "name") else ""


def in_layers(variants: list[syntax.Variant]) -> list[Line]:
    """The lines of all variants, each behind those that it has to come after."""
    lines: list[tuple[int, int, Any]] = [
        (v, i, item) for v, variant in enumerate(variants) for i, item in enumerate(variant.items)
    ]
    said = [[relation(upper, lower) is not None for lower in variants] for upper in variants]
    waits: list[set[int]] = [set() for _ in lines]
    for number, (v, i, item) in enumerate(lines):
        for other, (w, j, lower) in enumerate(lines):
            if said[v][w] or (v == w and j < i and thing(lower) == thing(item)):
                waits[number].add(other)
    freed: list[list[int]] = [[] for _ in lines]
    for number, others in enumerate(waits):
        for other in others:
            freed[other].append(number)
    left = [len(others) for others in waits]
    ready = [(does(item), v, i, n) for n, (v, i, item) in enumerate(lines) if not left[n]]
    heapq.heapify(ready)
    out: list[Line] = []
    while ready:
        *_, number = heapq.heappop(ready)
        v, _, item = lines[number]
        out.append((variants[v], item))
        for other in freed[number]:
            left[other] -= 1
            if not left[other]:
                w, j, lower = lines[other]
                heapq.heappush(ready, (does(lower), w, j, other))
    return out
