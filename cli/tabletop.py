"""The table as a seat sees it, drawn as text.

Works from a view, which is plain data that holds only what the seat may see,
and from what is printed on components. Grids are drawn north up: compactly when
a word in each space says all, as tiles with their exits when there is more.
"""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterator
from typing import Any

from attrs import Factory, define

from ..interpreter import types as t
from .narrate import Narrator
from .words import Words

EMPTY = "."
TILE_WIDTH, TILE_LINES = 15, 3
MOST_STATES = 12


@define
class Cell:
    """What one space of a grid shows: words, exits as indices of N E S W, and what stands there."""

    text: str = ""
    exits: frozenset[int] = frozenset()
    guests: list[str] = Factory(list)


class Tabletop:
    def __init__(self, words: Words) -> None:
        self.words = words
        self.narrator = Narrator(words)
        self.layout = words.layout

    def lines(self, view: dict[str, Any], width: int | None = None) -> list[str]:
        """All that the seat sees, grids first, then the common places, then each player's."""
        room = width or shutil.get_terminal_size((100, 24)).columns
        out: list[str] = []
        common: list[str] = []
        players: dict[str, list[str]] = {}
        for label, shown in view["places"].items():
            key = self.words.place_keys[label]
            if key in self.layout.geometries and "contents" in shown:
                out += [*self._grid(label, key, shown["contents"], view, room), ""]
                continue
            text = self._place(shown)
            if text == "empty" and ("[" in label or (": " in label and not label.startswith("player "))):
                continue  # one of many alike
            owner, name = _owner(label)
            if owner:
                players.setdefault(owner, []).append(f"{self.words.place(name)}: {text}")
            else:
                common.append(f"{self.words.place(label)}: {text}")
        for owner, text in self._states(view):
            (players.setdefault(owner, []) if owner else common).append(text)
        common += self._records(view)
        out += [line for text in common for line in _wrapped(text, room, "")]
        for owner in sorted(players, key=_seat):
            you = " (you)" if owner == f"player {view['player']}" else ""
            out += _wrapped(f"{owner}{you}: {'; '.join(players[owner])}", room, "    ")
        return out

    def _place(self, shown: dict[str, Any]) -> str:
        if "contents" in shown:
            return self.narrator.contents(shown["contents"]) if shown["contents"] else "empty"
        if shown.get("size") == 0:
            return "empty"
        parts = [f"{shown['size']} face down"] if "size" in shown else []
        for end in ("top", "bottom"):
            if end in shown:
                names = shown[end] if isinstance(shown[end], tuple) else (shown[end],)
                known = ", ".join(self.words.thing(n) if n else "?" for n in names)
                parts.append(f"{end} {known}")
        return ", ".join(parts) or "hidden"

    # ------------------------------------------------------------ states and records
    def _states(self, view: dict[str, Any]) -> Iterator[tuple[str, str]]:
        """Owner (empty for the table) and text of each state that says something: not those of many alike,
        nor a `no` or a `none`, that are still as they were at the start."""
        hidden = 0
        for label, value in view["states"].items():
            key = self.words.state_keys[label]
            decl = self.words.game.states[key]
            one_of_many = bool(decl.indices) or decl.owner not in ("", "player")
            first = self.layout.initial[self.layout.states[key][0]]
            if value == self.words.values.encode(first, decl.type) and (
                one_of_many or value is None or value is False
            ):
                continue
            hidden += one_of_many
            if hidden <= MOST_STATES or not one_of_many:
                owner, name = _owner(label)
                yield owner, f"{self.words.place(name)}: {self.words.state(label, value)}"
        if hidden > MOST_STATES:
            yield "", f"and {hidden - MOST_STATES} more"

    def _records(self, view: dict[str, Any]) -> Iterator[str]:
        for name, rows in view["records"].items():
            for number, row in enumerate(rows, start=1):
                yield f"{name} {number}: " + ", ".join(f"{field} {value}" for field, value in row.items())

    # ------------------------------------------------------------ grids
    def _grid(self, label: str, key: str, contents: Any, view: dict[str, Any], room: int) -> list[str]:
        geometry = self.layout.geometries[key]
        cells = self._cells(key, contents)
        self._seat_guests(key, contents, cells, view)
        if geometry.ring:
            return [f"{label}:", *self._ring(geometry.size, cells)]
        if geometry.grows:
            if not cells:
                return [f"{label}: empty"]
            xs = range(min(x for x, _ in cells), max(x for x, _ in cells) + 1)
            ys = range(min(y for _, y in cells), max(y for _, y in cells) + 1)
        else:
            xs, ys = range(1, geometry.width + 1), range(1, geometry.height + 1)
        columns = [str(x) if geometry.grows else self.words.space(key, (x, 1))[:-1] for x in xs]
        plain = all(not cell.exits for cell in cells.values())
        widest = max((len(_brief(cell)) for cell in cells.values()), default=1)
        if plain and (widest + 1) * len(xs) <= room - 4:
            rows = [(y, [[_brief(cells.get((x, y))).ljust(widest)] for x in xs]) for y in reversed(ys)]
            wide = widest
        else:
            wide = max(7, min(TILE_WIDTH, (room - 5) // len(xs) - 1))
            rows = [(y, [_tile(cells.get((x, y)), wide) for x in xs]) for y in reversed(ys)]
        margin = max(len(str(y)) for y in ys)
        out = [f"{label}:"]
        for y, tiles in rows:
            height = len(tiles[0])
            for line in range(height):
                number = str(y) if line == height // 2 else ""
                out.append(f"{number:>{margin}} " + " ".join(tile[line] for tile in tiles))
        out.append(
            " " * (margin + 1) + " ".join(f"{c:^{wide}}" if wide > 7 else f"{c:<{wide}}" for c in columns)
        )
        return [line.rstrip() for line in out]

    def _cells(self, key: str, contents: Any) -> dict[tuple[int, int], Cell]:
        cells: dict[tuple[int, int], Cell] = {}
        for item in contents:
            match item:
                case ((x, y), str() as kind):
                    cells[x, y] = Cell(self.words.kind(kind))
                case (str() as name, (x, y), int() as turned):
                    cells[x, y] = self._component(name, turned)
        return cells

    def _component(self, name: str, turned: int) -> Cell:
        comp, _, number = name.partition("#")
        if not number.isdigit():
            return Cell(name)
        layout = self.layout.comps[comp]
        fields = layout.decl.fields
        ways = [f for f, type_ in fields.items() if type_ == t.SetOf(t.DIRECTION)]
        if len(ways) != 1:
            return Cell(self.words.thing(name).removeprefix(f"{comp} "))
        mask = layout.columns[ways[0]][int(number) - 1]
        exits = frozenset((i // 2 + turned) % 4 for i in range(0, 8, 2) if mask >> i & 1)
        printed = {
            field: "" if field == ways[0] else self.words.values.label(column[int(number) - 1], fields[field])
            for field, column in layout.columns.items()
        }
        look = self.words.game.looks.get(comp)
        template = look if isinstance(look, str) else " ".join(f"{{{field}}}" for field in printed)
        for field, word in printed.items():
            template = template.replace("{" + field + "}", "" if word == "none" else word)
        return Cell(" ".join(template.split()) or comp, exits)

    def _seat_guests(
        self, key: str, contents: Any, cells: dict[tuple[int, int], Cell], view: dict[str, Any]
    ) -> None:
        """Pieces and components that stand on spaces of this grid or on what lies there."""
        lying = {item[0]: tuple(item[1]) for item in contents if isinstance(item[0], str)}
        for name, where in view["pieces"].items():
            spot = lying.get(where) if isinstance(where, str) else where
            if spot is None or not self._stands_here(name, where, key):
                continue
            short = self.words.thing(name).replace(" of player ", " ").replace("player ", "")
            cells.setdefault(tuple(spot), Cell()).guests.append(short)

    def _stands_here(self, name: str, where: Any, key: str) -> bool:
        if isinstance(where, str):
            return True
        comp = name.partition("#")[0].partition(" of player")[0]
        decls = self.words.game.components
        decl = decls.get(comp) or decls.get(f"player.{comp}")
        return decl is not None and decl.on == t.Space(key)

    def _ring(self, size: int, cells: dict[tuple[int, int], Cell]) -> Iterator[str]:
        for x in range(1, size + 1):
            cell = cells.get((x, 1))
            guests = f"  <- {', '.join(cell.guests)}" if cell is not None and cell.guests else ""
            yield f"  {x:>2} {cell.text if cell is not None and cell.text else EMPTY}{guests}"


def _brief(cell: Cell | None) -> str:
    """A cell of a compact grid: one word, or what stands there."""
    if cell is None:
        return EMPTY
    return "/".join([*([cell.text] if cell.text else []), *cell.guests]) or EMPTY


def _tile(cell: Cell | None, width: int) -> list[str]:
    """A tile as lines of text: a frame that is open where an exit leads out."""
    height = TILE_LINES + 2
    if cell is None:
        return (
            [" " * width] * (height // 2) + [EMPTY.center(width)] + [" " * width] * (height - height // 2 - 1)
        )
    inner = width - 2
    guests = [",".join(cell.guests)] if cell.guests else []
    body = textwrap.wrap(cell.text, inner)[: TILE_LINES - len(guests)]
    body += [""] * (TILE_LINES - len(body) - len(guests)) + guests
    north, east, south, west = (way in cell.exits for way in range(4))
    middle = len(body) // 2
    lines = ["+" + (" ^ " if north else "").center(inner, "-") + "+"]
    for number, text in enumerate(body):
        left, right = ("<" if west else "|", ">" if east else "|") if number == middle else ("|", "|")
        lines.append(left + text[:inner].center(inner) + right)
    lines.append("+" + (" v " if south else "").center(inner, "-") + "+")
    return lines


def _wrapped(text: str, room: int, indent: str) -> list[str]:
    return textwrap.wrap(text, room, subsequent_indent=indent or "  ") or [""]


def _owner(label: str) -> tuple[str, str]:
    """`player 1: hand` in two; the first is empty for what is not a player's."""
    owner, colon, name = label.partition(": ")
    return (owner, name) if colon and owner.startswith("player ") else ("", label)


def _seat(owner: str) -> int:
    number = owner.rpartition(" ")[2]
    return int(number) if number.isdigit() else 0
