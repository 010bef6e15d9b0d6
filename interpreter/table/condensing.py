"""What need not be told twice: a choice and what plainly comes of it are one happening, and so is what only
passes through a place on its way to another.

Events come in runs that are told together. A run may be left out, be told in other words, or be told
with the choice that brought it about in front; how many events it stands for does not change.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from attrs import define

from ..core.events import (
    Chosen,
    Observation,
    PieceStands,
    RowNoted,
    StateSet,
    ThingMoved,
    TokensMoved,
    TurnBegan,
)
from .forced import ForcedChoice
from .words import split_label

Run = list[Observation]


@define
class Happening:
    """A run as it came; `told` is what is said of it, nothing if something else says it, and `by` the choice
    that is told with it."""

    run: Run
    told: Run
    by: list[Chosen] | None = None


def condensed(runs: Sequence[Run]) -> list[Happening]:
    out = [Happening(run, run) for run in runs]
    for stretch in _stretches(out):
        _pass_through(stretch)
        _leave_out_what_was_chosen(stretch)
        _join(stretch)
    return out


def _stretches(all_: list[Happening]) -> Iterator[list[Happening]]:
    """What comes of one choice: it, and everything up to the next one."""
    start = 0
    for n, one in enumerate(all_):
        if n and isinstance(one.run[0], TurnBegan | Chosen):
            yield all_[start:n]
            start = n
    if all_:
        yield all_[start:]


# ---------------------------------------------------------------- on its way to another place
def _pass_through(stretch: list[Happening]) -> None:
    """Tokens that go from a to b and on from b to c go from a to c. Things are told each time: where one of
    them lay may matter."""
    for n, first in enumerate(stretch):
        start = first.told[:1]
        if not start or not isinstance(start[0], TokensMoved):
            continue
        by_way = start[0].dest
        for later in stretch[n + 1 :]:
            if not later.told or not isinstance(event := later.told[0], TokensMoved):
                continue
            if event.source == by_way and _carried(first.told) == _carried(later.told):
                if event.dest != start[0].source:
                    first.told = [_from(start[0].source, move) for move in later.told]
                    later.told = []
                break
            if by_way in (event.source, event.dest):
                break


def _carried(run: Run) -> Counter[str]:
    out: Counter[str] = Counter()
    for event in run:
        if isinstance(event, TokensMoved):
            out[event.kind] += event.amount
    return out


def _from(source: str, event: Observation) -> Observation:
    parts = list(event)
    parts[3] = source
    return event.again(parts)


# ---------------------------------------------------------------- what a choice has said
def _leave_out_what_was_chosen(stretch: list[Happening]) -> None:
    """A state of whoever chose that now holds what was chosen, or the row that was noted."""
    first = stretch[0].run[0]
    if not isinstance(first, Chosen):
        return
    known = {event.key[-1] for event in stretch[0].run if isinstance(event, Chosen)}
    known |= {event.row for one in stretch for event in one.run if isinstance(event, RowNoted)}
    own = f"player {first.seat}"

    def is_said(event: Observation) -> bool:
        if not isinstance(event, StateSet) or split_label(event.label)[0] != own:
            return False
        return _verb(split_label(event.label)[1]) in known if event.value is True else event.value in known

    for one in stretch:
        if all(map(is_said, one.run)):
            one.told = []


def _verb(state: str) -> str:
    """`gives_up` as it is chosen: `give up`."""
    first, _, rest = state.partition("_")
    return f"{first.removesuffix('s')} {rest.replace('_', ' ')}".strip()


def _join(stretch: list[Happening]) -> None:
    """A choice with what comes of it, where that says all that the choice says."""
    chosen = stretch[0].run
    if len(stretch) < 2 or not isinstance(chosen[0], Chosen) or isinstance(chosen[0], ForcedChoice):
        return
    keys = [event.key for event in chosen if isinstance(event, Chosen)]
    amounts = Counter({key[-2]: key[-1] for key in keys if len(key) > 2 and key[-1]})
    values = {key[-1] for key in keys if key[0] != "offer"}
    offered = keys[0][0] == "offer"
    for one in stretch[1:]:
        alone = len(one.told) == 1 or (one.told and isinstance(one.told[0], TokensMoved))
        event = one.told[0] if alone else None
        match event:
            case RowNoted(row=row) if offered and row not in values:
                joins = True
            case TokensMoved() if amounts:
                joins = (
                    len(amounts) == len([key for key in keys if key[-1]]) and _carried(one.told) == amounts
                )
            case TokensMoved(kind=kind):
                joins = not offered and values == {kind}
            case ThingMoved(thing=thing, dest=dest, spot=spot):
                joins = (
                    not offered and thing in values and values <= {thing, split_label(dest)[0], dest, spot}
                )
            case PieceStands(where=where) if not offered:
                joins = values == {where}
            case _:
                joins = False
        if joins:
            one.by, stretch[0].told = [e for e in chosen if isinstance(e, Chosen)], []
            return
        if event is not None and not isinstance(event, StateSet):
            return
