"""The table as a seat sees it, set for a screen of a given size.

Works from a view, which is plain data that holds only what the seat may see,
and from what is printed on components. The table is made of sections: boards,
cards with what lies on them, the seat's own things, the players, the rest. Each
section knows several manners of being drawn, from roomy to terse; the roomiest
that fit together are taken, with boards above the rest or beside it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import Factory, define

from ...interpreter.core import value_types as t
from ...interpreter.table.changes import Changes, changes
from ...interpreter.table.dress import ASCII, seat_style
from ...interpreter.table.text import Line, beside, joined, width_of
from ...interpreter.table.words import View, Words, split_label
from .boards import FRESH, MARK, Board, Cell, card, ring
from .windows import bands, overview, window

MOST_STATES = 12
NARROWEST_SIDE = 28
TALL = 200
WINDOW = 8
"""What it costs to show a part of a board instead of all of it."""
OVERVIEW = 12
"""What it is worth to see the rest in small."""
NO_BOARD = 1_000_000
Manners = list[list[Line]]
Marks = Mapping[Any, str]


@define
class Section:
    """A part of the table in all its manners; `level` is the one in use."""

    manners: Manners
    level: int = 0

    @property
    def lines(self) -> list[Line]:
        return self.manners[self.level]


@define
class Entry:
    """A place or a state of somebody, in words."""

    name: str
    text: Line
    brief: Line
    fresh: bool = False
    nothing: bool = False
    labels: list[str] = Factory(list)


class Tabletop:
    def __init__(self, words: Words, *, plain: bool = False) -> None:
        self.words = words
        self.dress = words.dress
        self.plain = plain
        """Are there no styles to show what is new?"""

    # ------------------------------------------------------------ the whole table
    def lines(
        self,
        view: View,
        width: int,
        height: int = TALL,
        *,
        marks: Marks | None = None,
        before: View | None = None,
    ) -> list[Line]:
        """The table in at most `height` lines, none of them wider."""
        return self.laid(view, width, height, marks=marks, before=before)[0]

    def laid(
        self,
        view: View,
        width: int,
        height: int = TALL,
        *,
        marks: Marks | None = None,
        before: View | None = None,
    ) -> tuple[list[Line], int]:
        """The table, and what had to be given up for want of room."""
        table = Table(self, view, marks or {}, changes(before, view))
        boards = list(table.boards(width))
        best, cost = self._arranged([Section(m) for m in boards] + table.others(width), height)
        cost += 3 * len(boards)
        board = table.board if len(boards) == 1 else None
        if board is not None and board.tiled:
            cost = NO_BOARD
            for lines, more in self._windowed(table, board, width, height):
                if more < cost:
                    best, cost = lines, more
        drawings = [*enumerate(boards[0])] if len(boards) == 1 else []
        if drawings and len(drawings[-1][1]) > height - 5 and board is not None and not board.tiled:
            least = min(height, max(6, height - 6))
            drawings.append((len(drawings) + 1, board.window(width, least)))
        for level, drawn in drawings:
            if len(drawn) > height:
                continue
            below, more = self._arranged(table.others(width), height - len(drawn))
            if 3 * level + more < cost:
                gap = [Line()] if len(drawn) + len(below) < height else []
                best, cost = [*drawn, *gap, *below], 3 * level + more
            side = width - width_of(drawn) - 3
            if side >= NARROWEST_SIDE:
                right, more = self._arranged(table.others(side), height)
                if 3 * level + more < cost:
                    best, cost = beside(drawn, right, 3), 3 * level + more
        return [line.cut(width, self.words.glyphs.more) for line in best[:height]], cost

    def _windowed(
        self, table: Table, board: Board, width: int, height: int
    ) -> Iterator[tuple[list[Line], int]]:
        """A board of tiles in part: above the rest, or with the rest beside it."""
        if height >= TALL:
            below, cost = self._arranged(table.others(width), height)
            yield [*bands(board, width), Line(), *below], cost + WINDOW
            return
        least, _ = self._arranged(table.others(width), 0)
        for room in {height - len(least), height - len(least) - 3, 3 * height // 5}:
            found = window(board, width, room)
            if found is None:
                continue
            below, more = self._arranged(table.others(width), height - len(found.lines))
            small = overview(board, found)
            lines = found.lines
            if not found.whole and width_of(lines) + 3 + width_of(small) <= width:
                lines = beside(lines, small[: len(lines)], 3)
                more -= OVERVIEW
            yield [*lines, *below], WINDOW + more + found.missing // 4
        for side in {NARROWEST_SIDE, width * 2 // 5}:
            found = window(board, width - side - 3, height)
            if found is None:
                continue
            right, more = self._arranged(table.others(side), height)
            yield beside(found.lines, right, 3), WINDOW + more + found.missing // 4
            small = overview(board, found)
            if not found.whole and len(small) < height - 4 and width_of(small) <= side:
                right, more = self._arranged(table.others(side), height - len(small) - 1)
                yield (
                    beside(found.lines, [*right, Line(), *small], 3),
                    WINDOW + more + found.missing // 4 - OVERVIEW,
                )

    def _arranged(self, sections: Sequence[Section], height: int) -> tuple[list[Line], int]:
        """Sections one under the other, in the roomiest manners that fit, and what they had to give up."""
        sections = [section for section in sections if any(section.manners)]
        cost = 0
        while sum(len(s.lines) for s in sections) > height:
            savings = [
                (len(s.lines) - len(s.manners[s.level + 1]), n)
                for n, s in enumerate(sections)
                if s.level + 1 < len(s.manners)
            ]
            if not savings:
                break
            chosen = sections[max(savings)[1]]
            chosen.level += 1
            cost += 2
        blocks = [section.lines for section in sections if section.lines]
        over = sum(map(len, blocks)) - height
        while over > 0 and blocks:
            tallest = max(range(len(blocks)), key=lambda n: len(blocks[n]))
            keep = max(1, len(blocks[tallest]) - over - 1)
            cost += 5 + 3 * over
            over -= len(blocks[tallest]) - keep - 1
            note = Line((f"{self.words.glyphs.more} `look` shows it all", "dim"))
            if keep + 1 >= len(blocks[tallest]):
                break
            blocks[tallest] = [*blocks[tallest][:keep], note]
        spare = height - sum(map(len, blocks))
        out: list[Line] = []
        for block in blocks:
            if out and spare > 0 and (len(block) > 1 or len(blocks) < 4):
                out.append(Line())
                spare -= 1
            out += block
        return out, cost


class Table:
    """One view on its way to the screen."""

    def __init__(self, tabletop: Tabletop, view: View, marks: Marks, fresh: Changes) -> None:
        self.words, self.dress = tabletop.words, tabletop.dress
        self.glyphs, self.plain = self.words.glyphs, tabletop.plain
        self.view, self.marks, self.fresh = view, marks, fresh
        self.board: Board | None = None  # the one that was drawn
        self._drawn: dict[int, list[Manners]] = {}
        self.owned = self._owned()
        self.carded = {
            label
            for label, shown in view["places"].items()
            if self._has_belongings(self.words.place_keys[label]) and isinstance(shown.get("contents"), tuple)
        }

    def _owned(self) -> dict[str, list[Entry]]:
        """What belongs to components: their places and states, where there is something to say."""
        out: dict[str, list[Entry]] = {}
        for entry in [*self._place_entries(components=True), *self._state_entries(components=True)]:
            out.setdefault(split_label(entry.labels[0])[0], []).append(entry)
        return out

    def _has_belongings(self, key: str) -> bool:
        """Do things of this row have places of their own, so that they are drawn as cards?"""
        decl = self.words.game.places[key]
        owns = any(place.owner == decl.of for place in self.words.game.places.values())
        return not decl.tokens and (decl.form.spread or decl.form.single) and not decl.owner and owns

    # ------------------------------------------------------------ boards
    def boards(self, width: int) -> Iterator[Manners]:
        for label, shown in self.view["places"].items():
            key = self.words.place_keys[label]
            if self.words.is_board(key) and "contents" in shown and not self.dress.is_hidden(key):
                yield self._board(label, key, shown["contents"], width)

    def _board(self, label: str, key: str, contents: Any, width: int) -> Manners:
        geometry = self.words.board(key)
        found = self._cells(label, key, contents)
        many = self.words.boards > 1 or ":" in label
        title = [Line((self.words.place(label), "bold"))] if many else []
        if geometry.ring:
            spaces = [found.get((x, 1), Cell()) for x in range(1, geometry.size + 1)]
            return [[*title, *lines] for lines in ring(spaces, width, self.glyphs, self.plain)]
        if geometry.grows:
            if not found:
                return [[Line((f"{self.words.place(label)}: empty", "dim"))]]
            xs = range(min(x for x, _ in found), max(x for x, _ in found) + 1)
            ys = range(min(y for _, y in found), max(y for _, y in found) + 1)
            columns = [(x, str(x)) for x in xs]
        else:
            ys = range(1, geometry.height + 1)
            columns = [(x, self.words.space(key, (x, 1))[:-1]) for x in range(1, geometry.width + 1)]
        board = Board(found, columns, list(reversed(ys)), self.glyphs, self.plain)
        board.framed = not self.words.game.places[key].tokens
        self.board = board
        return [[*title, *lines] for lines in board.manners(width)]

    def _cells(self, label: str, key: str, contents: Any) -> dict[tuple[int, int], Cell]:
        found: dict[tuple[int, int], Cell] = {}
        lying: dict[str, tuple[int, int]] = {}
        for item in contents:
            if isinstance(item[0], str):
                name, spot, turned = item
                found[tuple(spot)] = self._tile(name, turned)
                lying[name] = tuple(spot)
            else:
                spot, kind = item
                attire = self.words.token(kind)
                found[tuple(spot)] = Cell(attire.words, attire.short, attire.symbol, attire.style)
            found[tuple(spot)].fresh = (label, spot) in self.fresh.spots
        for name, where in self.view["pieces"].items():
            at = lying.get(where) if isinstance(where, str) else where
            if at is None or not self.words.stands_on(name, where, key):
                continue
            cell = found.setdefault(tuple(at), Cell())
            cell.guests.append(self._guest(name))
            cell.mine = cell.mine or name.endswith(f" of player {self.view['player']}")
        for target, number in self.marks.items():
            if isinstance(target, str) and target in lying:
                found[lying[target]].mark = number
            elif isinstance(target, tuple) and target[0] == key:
                found.setdefault(tuple(target[1]), Cell()).mark = number
        return found

    def _tile(self, name: str, turned: int) -> Cell:
        identity = self.words.identity(name)
        attire = self.words.attire(name)
        if identity is None or attire is None:
            return Cell(name, name, name[:3])
        ways = self.dress.ways(*identity, turned)
        long, brief = self.dress.without_ways(*identity) if ways is not None else (attire.words, attire.short)
        notes = [
            entry.name if not entry.text else f"{entry.name} {entry.brief.plain}"
            for entry in self.owned.get(name, ())
        ]
        return Cell(long, brief, attire.symbol, attire.style, ways, [], notes)

    def _guest(self, name: str) -> Line:
        attire = self.words.attire(name)
        if attire is None:
            return Line(name)
        mine = name.endswith(f" of player {self.view['player']}")
        moved = name in self.fresh.pieces
        style = f"{attire.style} {'bold underline' if mine else ''} {FRESH if moved else ''}"
        star = "*" if moved and self.plain else ""
        return Line((f"{self.words.symbol(name)}{star}", " ".join(style.split())))

    # ------------------------------------------------------------ everything else
    def others(self, width: int) -> list[Section]:
        """All but the boards, ready to be fitted; what was drawn once for a width is kept."""
        if width not in self._drawn:
            self._drawn[width] = [section.manners for section in self._others(width)]
        return [Section(manners) for manners in self._drawn[width]]

    def _others(self, width: int) -> list[Section]:
        yours = f"player {self.view['player']}"
        players: dict[str, list[Entry]] = {}
        common: list[Entry] = []
        for entry in [*self._score_entries(), *self._place_entries(), *self._state_entries()]:
            owner = split_label(entry.labels[0])[0]
            if owner.startswith("player "):
                players.setdefault(owner, []).append(entry)
            else:
                common.append(entry)
        sections = [Section(m) for m in self._cards(width)]
        if yours in players:
            sections.append(Section(self._yours(players[yours], width)))
        rest = {owner: entries for owner, entries in players.items() if owner != yours}
        if rest:
            sections.append(Section(self._players(rest, width)))
        sections += [Section(self._records(width)), Section(self._common(common, width))]
        return sections

    def _cards(self, width: int) -> Iterator[Manners]:
        """Rows of cards that have places of their own: each with what lies on it."""
        for label in self.carded:
            names = self.view["places"][label]["contents"]
            if names:
                yield [m for m in self._card_manners(label, names, width) if m]

    def _card_manners(self, label: str, names: Sequence[str], width: int) -> Iterator[list[Line]]:
        wide = max(16, min(30, width // max(1, min(len(names), width // 17))))
        across = max(1, width // wide)
        bodies = []
        for name in names:
            body: list[Line] = []
            for entry in self.owned.get(name, ()):
                for line in Line((f"{entry.name} ", "dim"), entry.text).wrap(wide - 2, " "):
                    body.append(line)
            bodies.append(body)
        rows: list[list[Line]] = []
        for start in range(0, len(names), across):
            height = max(3, 2 + max(len(body) for body in bodies[start : start + across]))
            drawn = [
                card(
                    self.words.shown(name),
                    body,
                    wide,
                    height,
                    self.glyphs,
                    self._style(name),
                    self.marks.get(name, ""),
                )
                for name, body in zip(
                    names[start : start + across], bodies[start : start + across], strict=True
                )
            ]
            rows.append([Line(*(box[n] for box in drawn)) for n in range(height)])
        yield [line for row in rows for line in row]
        lines: list[Line] = []
        for name in names:
            mark = Line((f"[{self.marks[name]}] ", MARK)) if name in self.marks else Line()
            parts = [Line((f"{e.name} ", "dim"), e.brief) for e in self.owned.get(name, ())]
            line = Line(
                mark,
                self.words.shown(name).styled("bold"),
                ": " if parts else "",
                joined(parts, f" {self.glyphs.dot} "),
            )
            lines.append(line)
        yield [part for line in lines for part in line.wrap(width, "   ")]
        yield [line.cut(width, self.glyphs.more) for line in lines]

    def _style(self, name: str) -> str:
        attire = self.words.attire(name)
        return attire.style if attire is not None else ""

    def _yours(self, entries: list[Entry], width: int) -> Manners:
        shown = [e for e in entries if not e.nothing]
        head = Line(("You", f"bold {seat_style(self.view['player'])}"), self._active(self.view["player"]))
        held = [(e, tiles) for e in shown if (tiles := self._as_tiles(e, width))]
        rest = [e for e in shown if not any(e is entry for entry, _ in held)]
        told = joined(
            [self._said(e) for e in [*rest, *(entry for entry, _ in held[1:])]],
            f" {self.glyphs.dot} ",
        )
        roomy = Line(head, "  ", told).wrap(width, "  ") + [line for _, tiles in held[:1] for line in tiles]
        flat = Line(head, "  ", joined([self._said(e) for e in shown], f" {self.glyphs.dot} "))
        brief = Line(head, "  ", joined([self._said(e, brief=True) for e in shown], f" {self.glyphs.dot} "))
        listed = [head] + [part for e in shown for part in Line("  ", self._said(e)).wrap(width, "    ")]
        manners = [listed, flat.wrap(width, "  "), brief.wrap(width, "  "), brief.wrap(width, "  ")[:3]]
        return [roomy, *manners] if held else manners

    def _as_tiles(self, entry: Entry, width: int) -> list[Line]:
        """Tiles with exits that somebody holds, side by side."""
        shown = self.view["places"].get(entry.labels[0], {}).get("contents") or ()
        names = [name for name in shown if isinstance(name, str)]
        found = [self.words.identity(name) for name in names]
        if not names or any(f is None or self.dress.ways(*f) is None for f in found):
            return []
        wide = min(15, width // len(names))
        if wide < 9:
            return []
        drawn = {}
        for n, name in enumerate(names):
            drawn[n, 0] = self._tile(name, 0)
            drawn[n, 0].mark = self.marks.get(name, "")
        board = Board(drawn, [(n, "") for n in range(len(names))], [0], self.glyphs, self.plain)
        tiles = [board._tile(drawn[n, 0], wide, 4) for n in range(len(names))]
        return [Line(*(tile[row] for tile in tiles)) for row in range(4)]

    def _players(self, players: dict[str, list[Entry]], width: int) -> Manners:
        roomy: list[Line] = []
        terse: list[Line] = []
        for owner in sorted(players, key=_seat):
            seat = _seat(owner)
            head = Line((f"{owner.capitalize()}", f"bold {seat_style(seat)}"), self._active(seat), " ")
            shown = [e for e in players[owner] if not e.nothing]
            between = f" {self.glyphs.dot} "
            full = Line(head, joined([self._said(e) for e in shown], between))
            roomy += full.wrap(width, "   ")
            short = Line(head, joined([self._said(e, brief=True) for e in shown], between))
            terse.append(short.cut(width, self.glyphs.more))
        two: list[Line] = []
        for owner in sorted(players, key=_seat):
            head = Line(
                (f"{owner.capitalize()}", f"bold {seat_style(_seat(owner))}"), self._active(_seat(owner)), " "
            )
            shown = [e for e in players[owner] if not e.nothing]
            two += Line(
                head, joined([self._said(e, brief=True) for e in shown], f" {self.glyphs.dot} ")
            ).wrap(width, "   ")
        return [roomy, two, terse] if len(two) > len(terse) else [roomy, terse]

    def _active(self, seat: int) -> Line:
        return Line((f" {self.glyphs.here}", "bold")) if self.view.get("active") == seat else Line()

    def _common(self, entries: list[Entry], width: int) -> Manners:
        shown = [e for e in entries if not e.nothing]
        if not shown:
            return [[]]
        between = f" {self.glyphs.dot} "
        full = joined([self._said(e) for e in shown], between)
        brief = joined([self._said(e, brief=True) for e in shown], between)
        return [full.wrap(width, "  "), brief.wrap(width, "  "), [brief.cut(width, self.glyphs.more)]]

    def _said(self, entry: Entry, *, brief: bool = False) -> Line:
        text = entry.brief if brief else entry.text
        amount, _, what = text.plain.partition(" ")
        if amount.isdigit() and entry.name in (
            what,
            f"{what}s",
        ):  # "treasures 4", not "treasures 4 treasures"
            text = Line(amount)
        return Line(self._named(entry), " ", text) if text else self._named(entry)

    def _named(self, entry: Entry) -> Line:
        star = "*" if entry.fresh and self.plain else ""
        return Line((entry.name + star, "bold" if entry.fresh else "dim"))

    def _records(self, width: int) -> Manners:
        lines: list[Line] = []
        for name, rows in self.view["records"].items():
            for number, row in enumerate(rows, start=1):
                mark = self.marks.get(f"{name}#{number}", "")
                head = Line((f"[{mark}] " if mark else "", MARK), (f"{name} {number} ", "bold"))
                lines += Line(head, self.words.row(name, row)).wrap(width, "   ")
        return [lines, lines[-4:]] if len(lines) > 4 else [lines]

    # ------------------------------------------------------------ entries
    def _score_entries(self) -> Iterator[Entry]:
        """What players have so far, as far as this seat can count it; nothing before anybody has anything."""
        scores = {seat: score for seat, score in (self.view.get("scores") or {}).items() if score is not None}
        if any(scores.values()) and not self.view.get("over"):
            for seat, score in scores.items():
                yield Entry("score", Line(str(score)), Line(str(score)), labels=[f"player {seat}: score"])

    def _place_entries(self, *, components: bool = False) -> Iterator[Entry]:
        """Places as entries; those of one declaration and owner that differ in an index become one."""
        merged: dict[tuple[str, str], Entry] = {}
        for label, shown in self.view["places"].items():
            key = self.words.place_keys[label]
            owner, name = split_label(label)
            if bool(owner) and not owner.startswith("player ") and not components:
                continue
            if components and (not owner or owner.startswith("player ")):
                continue
            if self.dress.is_hidden(key) or (self.words.is_board(key) and "contents" in shown):
                continue
            if not components and self._has_belongings(key) and "contents" in shown:
                continue
            text, brief = self._contents(shown), self._contents(shown, short=True)
            if self.words.game.places[key].form.single and shown.get("size") == 1 and "contents" not in shown:
                text = brief = Line(("face down", "dim"))
            fresh = label in self.fresh.places
            if "[" not in name:
                if text is not None and brief is not None and not (components and not text):
                    yield Entry(
                        self.dress.name(key),
                        text or Line(("empty", "dim")),
                        brief or Line(("empty", "dim")),
                        fresh,
                        not text,
                        [label],
                    )
                continue
            entry = merged.setdefault((owner, key), Entry(self.dress.name(key), Line(), Line(), nothing=True))
            entry.labels.append(label)
            if text and brief:
                index = self.words.place_name(label).replace(self.dress.name(key), "").strip()
                said = index and index.lower() not in text.plain.lower()
                first = "" if entry.nothing else ", "
                head = f"{first}{index} " if said else first
                entry.text = Line(entry.text, head, text)
                entry.brief = Line(entry.brief, head, brief)
                entry.nothing = False
                entry.fresh = entry.fresh or fresh
        yield from (entry for entry in merged.values() if not (components and entry.nothing))

    def _contents(self, shown: Mapping[str, Any], *, short: bool = False) -> Line | None:
        """What a seat sees of a place; empty if it is, None if nothing at all is seen of it."""
        if "contents" in shown:
            return self.contents(shown["contents"], short=short)
        if not shown.keys() & {"size", "top", "bottom", "deep"}:
            return None
        if shown.get("size") == 0:
            return Line()
        parts = [Line(str(shown["size"]))] if "size" in shown else []
        for end in ("top", "bottom"):
            if end in shown:
                names = shown[end] if isinstance(shown[end], tuple) else (shown[end],)
                known = [self.words.shown(n, short=short) if n else Line("?") for n in names]
                word = "" if end == "top" and short else f"{end} "
                parts.append(Line(f"({word}", joined(known), ")"))
        for depth, name in shown.get("deep", ()):
            parts.append(Line("(", self.words.shown(name, short=short), f" below {depth})"))
        return joined(parts, " ")

    def contents(self, contents: Any, *, short: bool = False) -> Line:
        """Things and kinds with amounts, in their colours."""
        if not contents:
            return Line()
        if isinstance(contents, str):
            contents = ((contents, 1),) if self.words.identity(contents) is None else (contents,)
        amounts: Counter[Any] = Counter()
        names: dict[Any, Line] = {}
        tokens = False
        for item in contents:
            if isinstance(item, str) or (len(item) == 3 and isinstance(item[0], str)):
                name = item if isinstance(item, str) else item[0]
                line = self.words.shown(name, short=short)
                mark = self.marks.get(name, "")
                key = (line.plain, mark)
                names[key] = Line((f"[{mark}]", MARK), line) if mark else line
                amounts[key] += 1
            else:
                kind, amount = (item[1], 1) if not isinstance(item[0], str) else item
                attire = self.words.token(kind)
                amounts[kind] += amount
                called = attire.short if short else self.words.counted(amounts[kind], kind)
                names[kind] = Line((called, attire.style))
                tokens = True
        times = " " if tokens else "x " if self.glyphs is ASCII else "× "
        parts = [Line(f"{n}{times}" if n > 1 or tokens else "", names[what]) for what, n in amounts.items()]
        return joined(parts, " " if short and tokens else ", ")

    def _state_entries(self, *, components: bool = False) -> Iterator[Entry]:
        """States that say something: not those that are hidden, nor of many alike those still as at the start,
        nor a `no`, a `none` or an empty set."""
        told = 0
        for label, value in self.view["states"].items():
            key = self.words.state_keys[label]
            decl = self.words.game.states[key]
            if self.dress.is_hidden(key) or (decl.owner not in ("", "player")) != components:
                continue
            many = bool(decl.indices) or components
            if (
                value is None
                or value is False
                or value == ()
                or (many and value == self.words.first_value(key))
            ):
                continue
            told += many
            if told > MOST_STATES and many and not components:
                continue
            text = Line() if value is True else self._state_value(value, decl.type)
            yield Entry(self.words.place_name(label), text, text, label in self.fresh.states, False, [label])

    def _state_value(self, value: Any, type_: t.Type) -> Line:
        inner = type_.of if isinstance(type_, t.Opt) else type_
        if isinstance(inner, t.Kind) and inner.name in self.words.game.kinds and isinstance(value, str):
            attire = self.dress.kind(inner.name, value)
            return Line((attire.words, attire.style))
        if isinstance(inner, t.Comp):
            return self.words.shown(str(value), short=True)
        return Line(self.words.value(value, type_))


def _seat(owner: str) -> int:
    number = owner.rpartition(" ")[2]
    return int(number) if number.isdigit() else 0
