"""Who sees what: all of it follows from `seen by`, `show`, `reveal` and `peek`.

A view is what lies open now. Observations are what a seat has noticed since the
start. Behind the seal of `together`, others notice nothing, and see everything
as it was, until all are done.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from .. import types as t
from ..core import Choice, Comp, Ex, Gen
from .names import component_name, key_of_value, place_name, state_name
from .play import Asked, Drawn, Frame
from .table import WHOLE, Place, Table

if TYPE_CHECKING:
    from .play import Play

Event = tuple[Any, ...]


class Seeing:
    play: Play

    def __init__(self, players: int) -> None:
        self.everyone = set(range(players))
        self.noticed: list[list[Event]] = [[] for _ in range(players)]
        self.later: list[tuple[int, Event]] = []  # what is noticed when the seal is taken off
        self.held: list[Event] = []  # parts of a choice that is not complete
        self.sealed: Table | None = None  # the table as it was when the seal was put on
        self.quiet = 0

    # ------------------------------------------------------------ who sees
    def audience(self, who: Any, place: Place | None, owner: int | None) -> set[int]:
        if who == "all":
            return set(self.everyone)
        if who is None or who == "nobody":
            return set()
        if who == "owner":
            if place is not None and place.decl.per:
                groups = self.play.table.groups[place.decl.per]
                return {p for p in self.everyone if groups[p] == place.keys[0]}
            return set() if owner is None else {owner}
        return set(self.play.value(who, Frame("")))

    def place_viewers(self, place: Place, what: str = "seen") -> set[int]:
        return self.audience(getattr(place.decl, what), place, place.owner) | place.shown_to

    def state_viewers(self, key: str, index: tuple[Any, ...]) -> set[int]:
        shown = self.play.table.shown_states.get((key, index), set())
        return self.audience(self.play.game.states[key].seen, None, self.state_owner(key, index)) | shown

    def state_owner(self, key: str, index: tuple[Any, ...]) -> int | None:
        return index[0] if self.play.game.states[key].owner == "player" else None

    def viewers_of(self, comp: str, c: int) -> set[int]:
        """Who knows which component this is, where it lies now."""
        place = self.play.table.thing(comp, c).place
        assert place is not None
        viewers = self.place_viewers(place)
        for known in place.known():
            if known.card == c:
                viewers |= known.viewers
        on_top = place.decl.shape in ("stack", "row") and place.items[-1:] == [c]
        if place.decl.top_seen is not None and on_top:
            viewers |= self.place_viewers(place, "top_seen")
        return viewers

    # ------------------------------------------------------------ noticing
    def tell(self, event: Event, seats: set[int], owners: tuple[int | None, ...] = ()) -> None:
        """Behind a seal, later, except to those whose things they are."""
        if self.quiet:
            return
        for seat in sorted(seats):
            if self.sealed is not None and seat not in owners:
                self.later.append((seat, event))
            else:
                self.noticed[seat].append(event)

    def everybody(self, event: Event) -> None:
        self.tell(event, self.everyone)

    def seal(self) -> None:
        self.sealed = copy.deepcopy(self.play.table, {id(self.play.game): self.play.game})

    def unseal(self) -> None:
        self.sealed = None
        self.tell_what_waits()

    def tell_what_waits(self) -> None:
        for seat, event in self.later:
            self.noticed[seat].append(event)
        self.later = []

    def finished(self) -> None:
        self.tell_what_waits()
        winners = tuple(p + 1 for p in sorted(self.play.winners))
        self.everybody(("over", winners, self.play.reason))

    def chosen(self, asked: Asked, value: Any) -> None:
        """Who chose notices each part; the others the whole, when its last part is made."""
        key = asked.keys[asked.values.index(value)]
        event = ("choice", asked.player + 1, asked.rule, key)
        self.tell(event, {asked.player}, (asked.player,))
        if asked.private or (asked.declined is not None and value == asked.declined):
            return
        self.held.append(event)
        if asked.last:
            for part in self.held:
                self.tell(part, self.everyone - {asked.player})
            self.held = []

    def drawn(self, drawn: Drawn, value: Any) -> None:
        if drawn.audience is not None:
            self.tell(("roll", key_of_value(self.play, value, drawn.type)), drawn.audience)
            self.tell(("roll",), self.everyone - drawn.audience)

    # ------------------------------------------------------------ effects
    def before_move(self, comp: str, c: int) -> tuple[Place, set[int]]:
        place = self.play.table.thing(comp, c).place
        assert place is not None
        return place, self.viewers_of(comp, c)

    def moved(
        self, comp: str, c: int, before: tuple[Place, set[int]], place: Place, end: str, at: Any
    ) -> None:
        source, knew = before
        know = knew | self.viewers_of(comp, c)
        notice = know | self.place_viewers(source, "size_seen") | self.place_viewers(place, "size_seen")
        ends: Event = (place_name(self.play, source), place_name(self.play, place))
        turned: Event = ()
        if end and place.decl.shape in ("deck", "stack", "row"):
            ends = (*ends, end)
        elif at is not None and place.board is None:
            ends = (*ends, f"{at} from the top")
        elif at is not None:
            ends = (*ends, at)
            turned = (self.play.table.thing(comp, c).turned,)
        owners = (source.owner, place.owner)
        self.tell(("move", component_name(self.play, comp, c), *ends, *turned), know, owners)
        self.tell(("move", comp, *ends), notice - know, owners)

    def tokens(self, amount: int, kind: int, source: Place, place: Place, at: Any) -> None:
        know = self.place_viewers(source) | self.place_viewers(place)
        notice = know | self.place_viewers(source, "size_seen") | self.place_viewers(place, "size_seen")
        ends: Event = (place_name(self.play, source), place_name(self.play, place))
        if at is not None and place.board is not None:
            ends = (*ends, at)
        owners = (source.owner, place.owner)
        token = place.decl.of
        self.tell(("move", amount, self.play.game.kinds[token].values[kind], *ends), know, owners)
        self.tell(("move", amount, token, *ends), notice - know, owners)

    @contextmanager
    def as_a_whole(self, source: Place, place: Place) -> Iterator[None]:
        """A whole deck is moved: nobody is told of single cards."""
        self.quiet += 1
        yield
        self.quiet -= 1
        self.everybody(("all", place_name(self.play, source), place_name(self.play, place)))

    def was_set(self, key: str, index: tuple[Any, ...], only: set[int] | None = None) -> None:
        value = key_of_value(self.play, self.play.table.states[key][index], self.play.game.states[key].type)
        event = ("set", state_name(self.play, key, index), value)
        viewers = self.state_viewers(key, index) if only is None else only
        self.tell(event, viewers, (self.state_owner(key, index),))

    def noted(self, record: str, row: int) -> None:
        self.everybody(("note", f"{record}#{row + 1}", tuple(self.row(record, row).items())))

    def stands(self, comp: str, c: int) -> None:
        self.everybody(("stands", component_name(self.play, comp, c), self.standing(comp, c)))

    def standing(self, comp: str, c: int) -> Any:
        thing = self.play.table.thing(comp, c)
        assert thing.decl.on is not None
        return key_of_value(self.play, thing.on, thing.decl.on)

    def swapped(self, a: Place, b: Place) -> None:
        self.everybody(("swap", place_name(self.play, a), place_name(self.play, b)))

    def exchanged(self, comp: str, a: int, b: int) -> None:
        know = self.viewers_of(comp, a) | self.viewers_of(comp, b)
        self.tell(("exchange", *(component_name(self.play, comp, c) for c in (a, b))), know)
        self.tell(("exchange", comp, comp), self.everyone - know)

    def shuffled(self, deck: Place) -> None:
        self.everybody(("shuffle", place_name(self.play, deck)))

    def shown(self, place: Place, viewers: set[int], *, secretly: bool = False) -> None:
        name = place_name(self.play, place)
        self.tell(("shown", name, self.contents(place)), viewers)
        if not secretly:
            self.tell(("shown", name), self.everyone - viewers)

    def peeked(self, deck: Place, cards: list[int], viewers: set[int], *, secretly: bool = False) -> None:
        name = place_name(self.play, deck)
        names = tuple(component_name(self.play, deck.decl.of, c) for c in cards)
        self.tell(("peek", name, names), viewers)
        if not secretly:
            self.tell(("peek", name, len(names)), self.everyone - viewers)

    # ------------------------------------------------------------ private choices
    def is_private(self, choice: Choice) -> bool:
        """A choice made among things that not everybody sees, or with a condition that reads such."""
        seen: set[str] = set()
        return any(self._hidden(gen, seen) for gen in choice.gens)

    def _hidden(self, node: Any, seen: set[str]) -> bool:
        """Does an expression read something that not everybody sees? Definitions are followed."""
        match node:
            case Gen():
                parts = (node.domain, *node.where, *(domain for _, domain in node.cells))
                return any(self._hidden(part, seen) for part in parts)
            case Comp():
                return any(
                    self._hidden(part, seen) for part in (*node.gens, node.value, *node.by, node.while_)
                )
            case Ex(op="revealed"):
                return False
            case Ex(op="size" | "empty" | "top", args=(Ex(op="place"),)):
                place = node.args[0]
                if node.op == "top":
                    closed = place.data.top_seen != "all" and place.data.seen != "all"
                else:
                    closed = place.data.size_seen != "all"
                return closed or any(self._hidden(arg, seen) for arg in place.args)
            case Ex(op="place") if node.data.seen != "all" and not node.data.name.startswith("box of"):
                return True
            case Ex(op="state") if node.data.seen != "all":
                return True
            case Ex(op="call") if node.data.name not in seen:
                seen.add(node.data.name)
                if self._hidden(node.data.body, seen):
                    return True
        if not isinstance(node, Ex):
            return False
        return any(self._hidden(arg, seen) for arg in node.args) or self._hidden(node.data, seen)

    # ------------------------------------------------------------ views
    def contents(self, place: Place) -> Any:
        """All that lies in a place, as plain data."""
        decl = place.decl
        if decl.tokens:
            kinds = self.play.game.kinds[decl.of].values
            if decl.shape == "slot":
                return kinds[place.cells[WHOLE]] if place.cells else None
            if place.board is not None:
                order = sorted(place.cells, key=place.board.order)
                return tuple((space, kinds[place.cells[space]]) for space in order)
            return tuple((kind, place.counts[n]) for n, kind in enumerate(kinds) if place.counts[n])
        if place.board is not None:
            spaces = {c: space for space, c in place.cells.items()}
            things = self.play.table.things[decl.of]
            return tuple(
                (component_name(self.play, decl.of, c), spaces[c], things[c].turned) for c in place.items
            )
        cards = sorted(place.contents()) if decl.shape == "deck" else place.items
        return tuple(component_name(self.play, decl.of, c) for c in cards)

    def row(self, record: str, row: int, table: Table | None = None) -> dict[str, Any]:
        """A row of a record; of a field with indices, the cells that are not 0, each with its indices."""
        values: dict[str, Any] = {}
        fields = (table or self.play.table).records[record].rows[row]
        for name, (indices, type_) in self.play.game.records[record].fields.items():
            if not indices:
                values[name] = key_of_value(self.play, fields[name], type_)
                continue
            values[name] = tuple(
                (
                    *(key_of_value(self.play, k, i) for k, i in zip(keys, indices, strict=True)),
                    key_of_value(self.play, value, type_),
                )
                for keys, value in fields[name].items()
                if value
            )
        return values

    def view(self, viewer: int) -> dict[str, Any]:
        """What one seat sees now."""
        play, table = self.play, self.play.table
        places: dict[str, Any] = {}
        for place in table.all_places():
            if not place.key.startswith("box of "):
                places[place_name(play, place)] = self.place_view(place, viewer)
        states = {}
        for key, decl in play.game.states.items():
            for index in table.states[key]:
                if viewer in self.state_viewers(key, index):
                    now = self.table_for(viewer, self.state_owner(key, index)).states[key][index]
                    states[state_name(play, key, index)] = key_of_value(play, now, decl.type)
        pieces = {
            component_name(play, name, c): self.standing(name, c)
            for name, things in table.things.items()
            if play.game.components[name].on is not None
            for c in range(len(things))
        }
        records = {
            name: tuple(self.row(name, row) for row in range(len(record.rows)))
            for name, record in table.records.items()
        }
        return {
            "player": viewer + 1,
            "active": None if table.active is None else table.active + 1,
            "turn": table.turn,
            "places": places,
            "states": states,
            "pieces": pieces,
            "records": records,
            "over": play.over,
        }

    def table_for(self, viewer: int, owner: int | None) -> Table:
        """Behind a seal, what is not one's own looks as it did before."""
        return self.sealed if self.sealed is not None and owner != viewer else self.play.table

    def place_view(self, place: Place, viewer: int) -> dict[str, Any]:
        now = self.table_for(viewer, place.owner).places[place.key][place.keys]
        if viewer in self.place_viewers(place):
            return {"contents": self.contents(now)}
        shown: dict[str, Any] = {}
        of = place.decl.of
        if viewer in self.place_viewers(place, "size_seen"):
            shown["size"] = now.size()
        if place.decl.top_seen is not None and viewer in self.place_viewers(place, "top_seen") and now.items:
            shown["top"] = component_name(self.play, of, now.items[-1])
        for word, part in (("top", now.top), ("bottom", now.bottom)):
            names = tuple(
                component_name(self.play, of, k.card) if viewer in k.viewers else None for k in part
            )
            if any(names):
                shown[word] = names
        deep = tuple(
            (now.middle[:depth].count(None), component_name(self.play, of, known.card))
            for depth, known in enumerate(now.middle)
            if known is not None and viewer in known.viewers
        )
        if deep:
            shown["deep"] = deep  # each below so many unknown cards
        return shown


__all__ = ["Seeing", "t"]
