"""Who sees what: all of it follows from `seen by`, `show`, `reveal` and `peek`.

A view is what lies open now. Observations are what a seat has noticed since the
start. Behind the seal of `together`, others notice nothing, and see everything
as it was, until all are done. One more viewer, behind the last seat, is a
spectator, who sees what every seat sees and notices what every seat notices.

Components go by their numbers here. A seat's own names for copies (handles) are
left out: they change what things are called, not what is seen.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, assert_never

from ...grammar import Span
from ..core import Audience, Choice, SeenBy, SeenByAll, SeenByNobody, SeenByOwner
from ..core import value_types as t
from ..core.privacy import Privacy
from .names import component_name, key_of_value, place_name, state_name
from .play import Asked, Drawn, Frame
from .table import LINES, WHOLE, Place, Table

if TYPE_CHECKING:
    from .play import Play

Event = tuple[Any, ...]


class Seeing:
    play: Play

    def __init__(self, players: int) -> None:
        self.seats = set(range(players))
        self.everyone = set(range(players + 1))
        self.noticed: list[list[Event]] = [[] for _ in self.everyone]
        self.later: list[tuple[int, Event]] = []  # what is noticed when the seal is taken off
        self.held: list[
            tuple[Event, set[int]]
        ] = []  # parts of a choice that is not complete, and who sees them
        self.privacy: Privacy | None = None
        self.sealed: Table | None = None  # the table as it was when the seal was put on
        self.quiet = 0

    # ------------------------------------------------------------ who sees
    def public(self, viewers: set[int]) -> set[int]:
        """What every seat sees a spectator sees, too."""
        return set(self.everyone) if viewers >= self.seats else viewers

    def audience(self, who: Audience | None, place: Place | None, owner: int | None) -> set[int]:
        match who:
            case SeenByAll():
                return set(self.everyone)
            case SeenByNobody() | None:
                return set()
            case SeenByOwner():
                if place is not None and place.decl.per:
                    groups = self.play.table.groups[place.decl.per]
                    return {p for p in self.seats if groups[p] == place.keys[0]}
                return set() if owner is None else {owner}
            case SeenBy():
                return set(self.play.value(who.players, Frame("")))
            case _:
                assert_never(who)

    def place_viewers(self, place: Place, what: str = "seen") -> set[int]:
        return self.public(self.audience(getattr(place.decl, what), place, place.owner) | place.shown_to)

    def state_viewers(self, key: str, index: tuple[Any, ...], table: Table | None = None) -> set[int]:
        """What is written on a component is seen by those who see the state and the component."""
        table = table or self.play.table
        decl = self.play.game.states[key]
        shown = table.shown_states.get((key, index), set())
        viewers = self.public(self.audience(decl.seen, None, self.state_owner(key, index)) | shown)
        if decl.owner in table.things:
            viewers = viewers & self.viewers_of(decl.owner, index[0], table)
        return viewers

    def state_owner(self, key: str, index: tuple[Any, ...]) -> int | None:
        return index[0] if self.play.game.states[key].owner == "player" else None

    def viewers_of(self, comp: str, c: int, table: Table | None = None) -> set[int]:
        """Who knows which component this is, where it lies now."""
        place = (table or self.play.table).thing(comp, c).place
        if place is None:
            return set(self.everyone)
        viewers = self.place_viewers(place)
        for known in place.known():
            if known.card == c:
                viewers = viewers | known.viewers
        on_top = place.decl.shape in LINES and place.items[-1:] == [c]
        if place.decl.top_seen is not None and on_top:
            viewers = viewers | self.place_viewers(place, "top_seen")
        return self.public(viewers)

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
        self.held.append((event, self.who_sees(asked, value)))
        if asked.last:
            others = set.intersection(self.everyone - {asked.player}, *(seen for _, seen in self.held))
            for part, _ in self.held:
                self.tell(part, others)
            self.held = []

    def who_sees(self, asked: Asked, value: Any) -> set[int]:
        """Those who see what was chosen: of a component, where it lies now."""
        type_ = t.plain(asked.type) if asked.kind == "choose" and asked.type is not None else None
        if isinstance(type_, t.Comp) and value is not None:
            return self.viewers_of(type_.name, value)
        return set(self.everyone)

    def drawn(self, drawn: Drawn, value: Any) -> None:
        if drawn.audience is not None:
            viewers = self.public(drawn.audience)
            self.tell(("roll", key_of_value(self.play, value, drawn.type)), viewers)
            self.tell(("roll",), self.everyone - viewers)

    # ------------------------------------------------------------ effects
    def before_move(self, comp: str, c: int) -> tuple[Place, set[int]]:
        place = self.play.table.thing(comp, c).place
        assert place is not None
        return place, self.viewers_of(comp, c)

    def moved(
        self, comp: str, c: int, before: tuple[Place, set[int]], place: Place, end: str, at: Any
    ) -> None:
        source, knew = before
        know = self.public(knew | self.viewers_of(comp, c))
        notice = self.public(
            know | self.place_viewers(source, "size_seen") | self.place_viewers(place, "size_seen")
        )
        ends: Event = (place_name(self.play, source), place_name(self.play, place))
        turned: Event = ()
        if end and place.decl.shape in ("deck", *LINES):
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
        know = self.public(self.place_viewers(source) | self.place_viewers(place))
        notice = self.public(
            know | self.place_viewers(source, "size_seen") | self.place_viewers(place, "size_seen")
        )
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
        word = ("secretly",) if only is not None else ()
        event = ("set", state_name(self.play, key, index), value, *word)
        viewers = self.state_viewers(key, index) if only is None else self.public(only)
        self.tell(event, viewers, (self.state_owner(key, index),))

    def noted(self, record: str, row: int) -> None:
        self.everybody(("note", f"{record}#{row + 1}", tuple(self.row(record, row).items())))

    def stands(self, comp: str, c: int) -> None:
        """A piece on a component tells which one to those who see that."""
        on = self.play.game.components[comp].on
        there = self.play.table.thing(comp, c).on
        know = set(self.everyone)
        if isinstance(on, t.Comp) and there is not None:
            know = self.viewers_of(on.name, there)
        name, owners = component_name(self.play, comp, c), (self.piece_owner(comp, c),)
        self.tell(("stands", name, key_of_value(self.play, there, on or t.NOTHING)), know, owners)
        self.tell(("stands", name, str(on)), self.everyone - know, owners)

    def piece_owner(self, comp: str, c: int) -> int | None:
        return c if comp.startswith("player.") else None

    def swapped(self, a: Place, b: Place) -> None:
        self.everybody(("swap", place_name(self.play, a), place_name(self.play, b)))

    def exchanged(self, comp: str, a: int, b: int) -> None:
        know = self.public(self.viewers_of(comp, a) | self.viewers_of(comp, b))
        self.tell(("exchange", *(component_name(self.play, comp, c) for c in (a, b))), know)
        self.tell(("exchange", comp, comp), self.everyone - know)

    def shuffled(self, deck: Place) -> None:
        self.everybody(("shuffle", place_name(self.play, deck)))

    def shown(self, place: Place, viewers: set[int], *, secretly: bool = False) -> None:
        name, viewers = place_name(self.play, place), self.public(viewers)
        word = ("secretly",) if secretly else ()
        self.tell(("shown", name, self.contents(place, self.play.table), *word), viewers)
        if not secretly:
            self.tell(("shown", name), self.everyone - viewers)

    def peeked(self, deck: Place, cards: list[int], viewers: set[int], *, secretly: bool = False) -> None:
        name, viewers, owners = place_name(self.play, deck), self.public(viewers), (deck.owner,)
        names = tuple(component_name(self.play, deck.decl.of, c) for c in cards)
        word = ("secretly",) if secretly else ()
        self.tell(("peek", name, names, *word), viewers, owners)
        if not secretly:
            self.tell(("peek", name, len(names)), self.everyone - viewers, owners)

    # ------------------------------------------------------------ private choices
    def is_private(self, choice: Choice, span: Span) -> bool:
        """A choice among things that not everybody sees. What a name may stand for is looked up over the
        whole game, so it is known before play (privacy.py)."""
        if self.privacy is None:
            self.privacy = Privacy(self.play.game)
        return self.privacy.hides(choice, span)

    # ------------------------------------------------------------ views
    def contents(self, place: Place, table: Table) -> Any:
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
            things = table.things[decl.of]
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

    def table_for(self, viewer: int, owner: int | None) -> Table:
        """Behind a seal, what is not one's own looks as it did before."""
        return self.sealed if self.sealed is not None and owner != viewer else self.play.table

    def view(self, viewer: int) -> dict[str, Any]:
        """What one seat sees now, or a spectator."""
        table = self.table_for(viewer, None)
        places = {
            place_name(self.play, place): self.place_view(place, viewer)
            for place in self.play.table.all_places()
            if not place.key.startswith("box of ")
        }
        return {
            "player": viewer + 1 if viewer in self.seats else None,
            "active": None if table.active is None else table.active + 1,
            "turn": table.turn,
            "places": places,
            "states": self.state_views(viewer),
            "pieces": self.piece_views(viewer),
            "records": {
                name: tuple(self.row(name, row, table) for row in range(len(record.rows)))
                for name, record in table.records.items()
            },
            "over": self.play.over,
        }

    def state_views(self, viewer: int) -> dict[str, Any]:
        shown = {}
        for key, decl in self.play.game.states.items():
            for index in self.play.table.states[key]:
                table = self.table_for(viewer, self.state_owner(key, index))
                if viewer in self.state_viewers(key, index, table):
                    value = key_of_value(self.play, table.states[key][index], decl.type)
                    shown[state_name(self.play, key, index)] = value
        return shown

    def piece_views(self, viewer: int) -> dict[str, Any]:
        """What each piece stands on; of a component that is not in sight, only what sort it is."""
        shown = {}
        for name, things in self.play.table.things.items():
            on = self.play.game.components[name].on
            for c in range(len(things) if on is not None else 0):
                table = self.table_for(viewer, self.piece_owner(name, c))
                there = table.thing(name, c).on
                hidden = there is not None and isinstance(on, t.Comp)
                if hidden and isinstance(on, t.Comp):
                    hidden = viewer not in self.viewers_of(on.name, there, table)
                where = str(on) if hidden else key_of_value(self.play, there, on or t.NOTHING)
                shown[component_name(self.play, name, c)] = where
        return shown

    def place_view(self, place: Place, viewer: int) -> dict[str, Any]:
        table = self.table_for(viewer, place.owner)
        now = table.places[place.key][place.keys]
        if viewer in self.place_viewers(now):
            return {"contents": self.contents(now, table)}
        shown: dict[str, Any] = {}
        of = place.decl.of
        if viewer in self.place_viewers(now, "size_seen"):
            shown["size"] = now.size()
        if place.decl.top_seen is not None and viewer in self.place_viewers(now, "top_seen") and now.items:
            shown["top"] = component_name(self.play, of, now.items[-1])
        if place.decl.shape == "deck":
            shown |= self.order_known_to(now, viewer, sized="size" in shown)
        return shown

    def order_known_to(self, deck: Place, viewer: int, *, sized: bool) -> dict[str, Any]:
        """Known cards at both ends of a deck, and between them each below so many unknown ones. Who does not
        know how many there are does not know how far the ends are apart."""
        cards = [
            component_name(self.play, deck.decl.of, known.card)
            if known is not None and viewer in self.public(known.viewers)
            else None
            for known in (*deck.top, *deck.middle, *deck.bottom)
        ]
        ends = len(cards) if sized else len(deck.top) + len(deck.middle)
        unknown = [at for at, card in enumerate(cards) if card is None]
        first = min([at for at in unknown if at < ends], default=ends)
        if sized:
            last = max(unknown, default=len(cards) - 1) + 1
        else:
            last = min((at for at in range(ends, len(cards)) if cards[at] is not None), default=len(cards))
        between = range(first, min(last, ends))
        deep = tuple((cards[:at].count(None), cards[at]) for at in between if cards[at] is not None)
        found = {"top": tuple(cards[:first]), "bottom": tuple(cards[last:]), "deep": deep}
        return {word: names for word, names in found.items() if names}
