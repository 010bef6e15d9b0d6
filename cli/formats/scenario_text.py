"""A scenario that failed, in lines of text."""

from __future__ import annotations

from ..rules.scenario_runs import Result


def explained(result: Result, *, most_steps: int = 12) -> list[str]:
    """A failure in lines of text: the place, expected and found, the choices, the position."""
    out = [result.place]
    told = (result.problem or "").splitlines()
    out += [f"    {line}" for line in told]
    if result.expected is not None and result.found is not None:
        out += ["", f"    expected   {result.expected}", f"    found      {result.found}"]
    if result.steps:
        out += ["", "  what happened"]
        if len(result.steps) > most_steps:
            out.append(f"    (after {len(result.steps) - most_steps} more)")
        out += [f"    {step}" for step in result.steps[-most_steps:]]
    if result.decision:
        out += ["", "  the choice", *(f"    {line}" for line in result.decision)]
    elif result.match is not None and result.match.over:
        winners = ", ".join(f"player {p}" for p in sorted(result.match.winners)) or "nobody"
        out += ["", f"  over: won by {winners} ({result.match.reason})"]
    if lines := position_of(result):
        cut = "the position, where the check looks" if result.about else "the position"
        out += ["", f"  {cut}", *(f"    {line}".rstrip() for line in lines)]
    return out


def position_of(result: Result) -> list[str]:
    """The position where it went wrong, hidden things too: what the check reads, or else all of it."""
    if result.match is None:
        return []
    from ...interpreter.table.words import Words
    from ..table.tabletop import Tabletop

    table = Tabletop(Words.of(result.match), plain=True)
    view = result.match.everything()
    if result.about:
        view = {
            **view,
            "places": {label: place for label, place in view["places"].items() if label in result.about},
            "states": {label: value for label, value in view["states"].items() if label in result.about},
        }
    return [line.plain.rstrip() for line in table.lines(view, 96)]
