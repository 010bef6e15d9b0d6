"""What decides whether an action, or a case of an offer, is possible."""

from __future__ import annotations

from .instructions import Count
from .statements import Choose, Let, Require, St


def header(body: tuple[St, ...]) -> tuple[St, ...]:
    """The leading statements without effects: what decides whether an action or a case is possible.

    A `choose` with an `else` is no part of it, for it never stands in the way: what is done if there
    is nothing to choose may be anything. So what stands behind it decides nothing either. A `pick` is
    a choice and its moves: a line with an effect."""
    size = 0
    while size < len(body) and isinstance(body[size], Require | Let | Choose | Count):
        st = body[size]
        if isinstance(st, Choose) and (st.orelse or st.choice.pick):
            break
        size += 1
    return tuple(st for st in body[:size] if not isinstance(st, Count))  # which only a covered engine has
