"""The root of the syntax tree's classes.

Each class of the tree carries the concrete syntax it stands for in its
docstring. Fields follow the order of the grammar rule of the same name; every
node has a span, which does not take part in comparison.
"""

from __future__ import annotations

from attrs import field, frozen

from .spans import Span


@frozen(kw_only=True)
class Node:
    span: Span = field(eq=False, repr=False)
