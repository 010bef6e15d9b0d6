"""What a notebook shows of a game, a match, a decision or a result.

Each is a dictionary of what it is in several forms, of which the notebook takes the best that
it can show; plain text is always among them. A match is shown as somebody sees it who has no
seat: what is hidden at a table stays hidden here. HTML has no `<style>` and no script: the first would
reach the whole notebook, the second is taken out of notebooks that are not trusted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from attrs import frozen

from ..lab.plots import histogram
from ..pages.html_page import Html, join, tag
from ..table.dress import UNICODE
from ..table.marks import Marks
from ..table.scene import Heap, Panel, Setter
from ..table.svg import board
from ..table.words import Words

if TYPE_CHECKING:
    from ..lab.notebook import Compared, Simulated
    from ..lab.playing import Played
    from ..play.game import Game
    from ..play.match import Decision, Match

Bundle = dict[str, str]
WIDTH = "max-width:42em"


def _bundle(text: str, *parts: Html | None) -> Bundle:
    return {"text/plain": text, "text/html": tag("div", *parts, style=WIDTH)}


def _said(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> Html:
    top = tag("tr", *(tag("th", word) for word in head))
    body = (tag("tr", *(tag("td", cell) for cell in row)) for row in rows)
    return tag("table", tag("thead", top), tag("tbody", *body))


# ---------------------------------------------------------------- games
def game(shown: Game) -> Bundle:
    counts = ", ".join(map(str, shown.players))
    doc = shown.checked.doc or ""
    options = [
        (name, getattr(o, "doc", None) or "", _said(shown.options[name]))
        for name, o in shown.checked.options.items()
    ]
    text = f"{shown.name}, for {counts} players" + (f"\n{doc}" if doc else "")
    lines = [f"  {name} = {value}" for name, _, value in options]
    return _bundle(
        "\n".join([text, *lines]),
        tag("h3", shown.name),
        tag("p", doc) if doc else None,
        tag("p", f"For {counts} players."),
        _table(("option", "", "value"), ((name, what, value) for name, what, value in options))
        if options
        else None,
    )


# ---------------------------------------------------------------- matches
def match(shown: Match, seat: int | None = None) -> Bundle:
    """A match as a seat sees it, or with None as somebody who has none."""
    words = Words(shown.state.engine, UNICODE)
    words.you = seat
    view = shown.view(seat)
    scene = Setter(words, shown.table).scene(view)
    closed = Marks(open=False)
    drawn = [
        _named(ground.title if ground.named else "", _sized(board(ground, closed)))
        for ground in scene.grounds
    ]
    head = _state_of(shown, view)
    text = [f"{shown.game.name}: {head}"]
    panels: list[Html] = []
    for number, panel in ((None, scene.common), *scene.panels.items()):
        title = "On the table" if number is None else "You" if number == seat else f"Player {number}"
        lines = _lines(panel)
        if lines:
            text += [title, *(f"  {name}: {what}" for name, what in lines)]
            panels.append(
                tag(
                    "p",
                    tag("b", title),
                    join(tag("br") + Html(join((name, ": ", what))) for name, what in lines),
                )
            )
    return _bundle("\n".join(text), tag("p", tag("b", shown.game.name), f": {head}"), *drawn, *panels)


def _state_of(shown: Match, view: dict[str, Any]) -> str:
    if shown.over:
        winners = ", ".join(f"player {seat}" for seat in shown.winners) or "nobody"
        return f"over after {shown.decisions} decisions; won by {winners}"
    waiting = view.get("waiting_for")
    asked = f", player {waiting} decides" if isinstance(waiting, int) else ""
    return f"turn {view['turn']}, {shown.decisions} decisions so far{asked}"


def _sized(drawn: Html) -> Html:
    """A drawing by itself: with its namespace, and no wider than it needs to be."""
    return Html(drawn.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" style="max-width:32em" ', 1))


def _named(title: str, drawn: Html) -> Html:
    return tag("div", tag("p", title) if title else None, drawn)


def _lines(panel: Panel) -> list[tuple[str, str]]:
    found = [(heap.title, _inside(heap)) for heap in panel.heaps if not heap.empty]
    found += [(fact.name, fact.text.plain) for fact in panel.facts]
    if panel.score is not None:
        found.append(("score", str(panel.score)))
    return found


def _inside(heap: Heap) -> str:
    parts = [item.face.words for item in heap.items]
    parts += [f"{amount} {face.words}" for _, face, amount in heap.tokens]
    if heap.hidden:
        parts.append(f"{heap.hidden} face down")
    if not parts and heap.size:
        parts.append(str(heap.size))
    return ", ".join(parts)


@frozen
class Seen:
    """A match as one seat sees it: what `match.show(2)` gives."""

    match: Match
    seat: int | None

    def _repr_mimebundle_(self, **_: object) -> Bundle:
        return match(self.match, self.seat)

    def __repr__(self) -> str:
        return match(self.match, self.seat)["text/plain"]


def decision(shown: Decision) -> Bundle:
    head = f"Player {shown.player}: {shown.prompt}"
    lines = [f"  {n}  {option.label}" for n, option in enumerate(shown.options)]
    listed = tag("ol", *(tag("li", option.label) for option in shown.options), start=0)
    return _bundle("\n".join([head, *lines]), tag("p", tag("b", head)), listed)


# ---------------------------------------------------------------- results
def simulated(shown: Simulated) -> Bundle:
    rows = [
        (f.measure.title, f"{f.interval.estimate:.4g}", f"{f.interval.low:.4g} to {f.interval.high:.4g}")
        for f in shown.summary.figures
    ]
    text = [f"{len(shown.games)} games", *(f"  {name}: {mean} ({between})" for name, mean, between in rows)]
    head = tag("p", f"{len(shown.games)} games")
    return _bundle(
        "\n".join(text), head, _table(("figure", "mean", "95 %"), rows), _lengths({"": shown.games})
    )


def compared(shown: Compared) -> Bundle:
    rows = [
        (r["rules"], r["figure"], _number(r["base"]), _number(r["other"]), _number(r["change"]), r["verdict"])
        for r in shown.rows
    ]
    told = (tag("p", f"{c.title}: {c.sentence}.") for c in shown.comparisons)
    head = ("rules", "figure", "base", "other", "change", "verdict")
    return _bundle(str(shown), *told, _table(head, rows), _lengths(shown.played))


def _lengths(played: Mapping[str, Sequence[Played]]) -> Html:
    """How long games last, as a picture."""
    samples = [(name, [game.turns for game in games if game.error is None]) for name, games in played.items()]
    return histogram("Length of a game", samples, unit="turns")


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.4g}"
