"""How messages put it: types, ranges and source texts in few words."""

from __future__ import annotations

from ...grammar import Span
from ..core import value_types as t


def lowest(type_: t.Type) -> int:
    return type_.low if isinstance(type_, t.Num) else 0


def highest(type_: t.Type, default: int = 0) -> int:
    return type_.high if isinstance(type_, t.Num) else default


def range_words(type_: t.Num) -> str:
    return str(type_.low) if type_.low == type_.high else f"{type_.low}..{type_.high}"


def as_condition(type_: t.Type, text: str) -> str:
    match type_:
        case t.Num():
            return f"{text} > 0"
        case t.Place() if not type_.form.spaces:
            return f"count({text}) > 0"
        case t.SetOf() | t.ListOf():
            return f"{text} != {{}}"
        case t.Opt() | t.Nothing():
            return f"{text} != none"
    return f"{text} = ..."


def written(type_: t.Type) -> str:
    """A type as a declaration writes it."""
    return (
        f"{type_.low}..{type_.high}" if isinstance(type_, t.Num) and abs(type_.high) < t.MANY else str(type_)
    )


def brief(span: Span) -> str:
    return shortened(span.text)


def shortened(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 40 else text[:37] + "..."
