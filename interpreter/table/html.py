"""Sections of the table as HTML: heaps of things, panels of players, the question, the log, the end.

Every text goes through `html_page.tag`, which escapes it: names of players and words of a rule file
are whatever somebody has typed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ..pages.html_page import Content, Html, join, tag
from .dress import seat_colour
from .faces import Face
from .marks import Marks
from .scene import Ground, Heap, Item, Panel, Scene
from .svg import CARD, CELL, back, board, shape, svg, tile, touch
from .text import Line

MOST_SHOWN = 24
"""Things of a heap that are drawn; of more the rest is counted."""


def pieces(line: Line) -> Html:
    """Styled text: colours and emphasis as classes."""
    return join(
        tag("span", text, class_=" ".join(_class(word) for word in style.split())) if style else text
        for text, style in line.pieces
    )


def _class(word: str) -> str:
    return f"c-{word[1:]}" if word.startswith("@") else f"t-{word}"


def button(
    words: Content, do: str, *, class_: str | None = None, title: str | None = None, **data: str | int | None
) -> Html:
    """Something to press that the page's script sends as `do`."""
    extra = {f"data_{key}": value for key, value in data.items()}
    return tag("button", words, type="button", data_do=do, class_=class_, title=title, **extra)


# ---------------------------------------------------------------- boards and heaps
def boards(scene: Scene, marks: Marks) -> Html:
    return join(_ground(ground, marks) for ground in scene.grounds)


def _ground(ground: Ground, marks: Marks) -> Html:
    title = tag("figcaption", ground.title) if ground.named else None
    return tag(
        "figure",
        title,
        tag("div", board(ground, marks), class_="field", tabindex=-1),
        class_="ground",
        data_place=ground.label,
    )


def thing(item: Item, marks: Marks, *, small: bool = False) -> Html:
    """A card or tile of its own, with what lies on it beside it."""
    width, height = (CELL, CELL) if item.face.ways is not None else CARD
    drawn = svg(
        width,
        height,
        tile(item, marks, width, height),
        class_="card small" if small else "card",
        label="thing",
    )
    if not item.heaps:
        return drawn
    inner = join(heap(one, marks, small=True) for one in item.heaps)
    return tag("div", drawn, tag("div", inner, class_="on"), class_="laden")


def heap(one: Heap, marks: Marks, *, small: bool = False) -> Html:
    """A place with what is seen of it."""
    parts: list[Html] = []
    where = f"place {one.label}"
    if one.items:
        shown = one.items[:MOST_SHOWN]
        stacked = one.place.structure == "stack" and len(shown) > 1
        classes = "things stack" if stacked else "things many" if len(shown) > 7 else "things"
        drawn = [thing(item, marks, small=small) for item in shown]
        more = len(one.items) - len(shown)
        if one.hidden and one.size is not None:
            drawn.append(_pile(one, one.hidden))
        parts.append(
            tag(
                "div",
                *drawn,
                tag("span", f"and {more} more", class_="soft") if more else None,
                class_=classes,
            )
        )
    elif one.hidden:
        parts.append(_pile(one, one.hidden))
    parts += [tag("p", note, class_="soft") for note in one.notes]
    if one.tokens:
        parts.append(
            tag("div", *(_chip(kind, face, amount) for kind, face, amount in one.tokens), class_="chips")
        )
    if one.empty:
        parts.append(tag("span", "empty", class_="soft"))
    count = f" ({one.size})" if one.size and one.items else ""
    classes = "heap" + (" fresh" if one.fresh else "") + (" none" if one.empty else "")
    head = tag("h4", one.title, count)
    return tag("div", head, *parts, class_=classes, data_place=one.label, data_at=where)


def _pile(one: Heap, count: int) -> Html:
    """Things face down, or tokens nobody has counted: a back and a number."""
    if one.place.tokens:
        return tag("div", tag("span", f"{count} × ?", class_="count"), class_="chips")
    words = f"{count} face down" if count != 1 else "one card face down"
    drawn = svg(CARD[0], CARD[1], back(*CARD), class_="card back")
    return tag(
        "span", drawn, tag("span", f"× {count}", class_="count"), class_="pile", role="img", aria_label=words
    )


def _chip(kind: str, face: Face, amount: int) -> Html:
    drawn = svg(40, 40, shape(face, 20, 20, 17), class_="chip")
    number = tag("span", f"{amount}", class_="count")
    return tag(
        "span",
        drawn,
        number,
        tag("span", face.words, class_="kind"),
        class_="token",
        data_at=f"token {kind}",
        data_tip=f"{amount} {face.words}",
    )


# ---------------------------------------------------------------- panels
def panel(one: Panel, marks: Marks, name: str, *, you: bool = False, waiting: bool = False) -> Html:
    """What belongs to a player."""
    assert one.seat is not None
    where = f"player {one.seat}"
    notes = [
        tag("span", "▸ turn", class_="badge turn") if one.active else None,
        tag("span", "is asked", class_="badge asked") if waiting else None,
        tag("span", f"{one.score} points", class_="badge score") if one.score is not None else None,
    ]
    dot = svg(
        20, 20, tag("circle", cx=10, cy=10, r=9, fill="currentColor"), class_=f"dot c-{seat_colour(one.seat)}"
    )
    attributes = touch(where, marks, name, more="who")
    if attributes["data_o"] is None:
        attributes["role"] = attributes["tabindex"] = None
    head = tag("h3", dot, tag("span", name, **attributes), *notes)
    heaps = join(
        heap(h, marks, small=not you)
        for h in one.heaps
        if not h.empty or h.place.structure in ("row", "bag", "slot")
    )
    return tag(
        "section",
        head,
        _facts(one),
        tag("div", heaps, class_="heaps"),
        class_="panel mine" if you else "panel",
        data_seat=one.seat,
    )


def _facts(one: Panel) -> Html | None:
    if not one.facts:
        return None
    inner = join(
        tag(
            "li",
            tag("b", fact.name),
            " " if fact.text else None,
            pieces(fact.text),
            class_="fresh" if fact.fresh else None,
        )
        for fact in one.facts
    )
    return tag("ul", inner, class_="facts-list")


def common(scene: Scene, marks: Marks) -> Html:
    """What is nobody's: decks, stocks, states of the table, records."""
    heaps = join(heap(h, marks) for h in scene.common.heaps if not h.empty)
    rows = [_record(name, words, marks) for name, words in scene.records]
    inner = [tag("div", heaps, class_="heaps") if heaps else None, _facts(scene.common)]
    inner.append(tag("ul", *rows, class_="records") if rows else None)
    if not any(inner):
        return Html("")
    return tag("section", tag("h3", "On the table"), *inner, class_="panel")


def _record(name: str, words: str, marks: Marks) -> Html:
    record, _, number = name.partition("#")
    return tag(
        "li",
        tag("b", f"{record} {number}: "),
        words,
        **touch(f"record {name}", marks, f"{record} {number}: {words}"),
    )


# ---------------------------------------------------------------- the question
def options(
    entries: Iterable[tuple[int, Line, int, str | None]], hint: int | None, *, numbers: bool = False
) -> Html:
    """The list: index, words, how many are alike, what the rules say of it."""
    rows = [
        tag(
            "li",
            tag(
                "button",
                pieces(words),
                tag("span", f" ({alike} alike)", class_="soft") if alike > 1 else None,
                type="button",
                data_o=index,
                data_tip=tip,
                class_="option hint" if index == hint else "option",
            ),
        )
        for index, words, alike, tip in entries
    ]
    return tag(
        "ol", *rows, class_="options numbers" if numbers else "options", aria_label="what you may choose"
    )


def shares(
    rows: Sequence[tuple[str, ...]],
    columns: Sequence[str],
    cells: Mapping[tuple[str, ...], tuple[int | None, bool]],
    bounds: tuple[int, int],
    caption: str,
) -> Html:
    """A vector as a table of number fields: what is known stands there, the rest is typed. `bounds` are
    those of the number that is asked for first; those of the others follow from what is said."""
    head = tag("tr", tag("td"), *(tag("th", column, scope="col") for column in columns))
    body = []
    for row in rows:
        inner = []
        for column in columns:
            labels = (*row, column)
            if labels not in cells:
                inner.append(tag("td"))
                continue
            value, asked = cells[labels]
            if value is not None:
                inner.append(tag("td", value, class_="number"))
                continue
            name = ", ".join(labels)
            field = tag(
                "input",
                type="number",
                min=bounds[0] if asked else 0,
                max=bounds[1] if asked else None,
                value=bounds[0] if asked else 0,
                inputmode="numeric",
                data_cell=name,
                aria_label=name,
            )
            inner.append(tag("td", field))
        body.append(tag("tr", tag("th", ", ".join(row), scope="row"), *inner))
    grid = tag("table", tag("caption", caption), tag("thead", head), tag("tbody", *body), class_="shares")
    return tag("form", grid, button("Say it", "cells", class_="primary"), data_cells=True)


# ---------------------------------------------------------------- the log and the end
def log(entries: Iterable[tuple[str, str | None, bool, bool]]) -> Html:
    """Sentences, each with the rule behind it, whether it opens a turn and whether it is new."""
    rows = [
        tag(
            "li",
            words,
            tag("span", rule, class_="rule") if rule else None,
            class_=" ".join(c for c in ("turn" if opens else "", "new" if new else "") if c) or None,
        )
        for words, rule, opens, new in entries
    ]
    return tag(
        "ol", *rows, class_="log", role="log", aria_live="polite", aria_label="what happened", tabindex=0
    )


def scores(rows: Iterable[tuple[str, int | None, bool]]) -> Html:
    """Who has won, with the scores."""
    body = [
        tag(
            "tr",
            tag("th", name, scope="row"),
            tag("td", score if score is not None else "", class_="number"),
            tag("td", "★ wins" if won else ""),
            class_="won" if won else None,
        )
        for name, score, won in rows
    ]
    return tag("table", *body, class_="scores")
