"""What happened, in sentences.

Every seat has its own list of the events that it noticed. For a seat, the tale
is told from its list alone. For whoever watches bots play, the lists of all
seats are woven into one: an event that several have noticed is told once, in
the words of the one who knows most about it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, assert_never

from ..core import value_types as t
from ..core.events import (
    AllMoved,
    Chosen,
    ClockRan,
    Event,
    MatchOver,
    Observation,
    PieceStands,
    PlaceShown,
    PlaceShownToOthers,
    PlacesSwapped,
    Rolled,
    RolledInSecret,
    RowNoted,
    Shuffled,
    StateSet,
    ThingMoved,
    ThingsExchanged,
    TimeIsUp,
    TokensMoved,
    TopSeen,
    TopSeenByOthers,
    TurnBegan,
)
from ..play.match import Match
from .condensing import Happening, condensed
from .dress import seat_style
from .forced import ForcedChoice
from .lying import Lying
from .text import Line, joined
from .words import Words, capital, listed, split_label

Moves = ThingMoved | TokensMoved
MOST_NAMED = 4
"""More things than this are counted, not named."""


class Chronicle:
    """Keeps track of how far each seat's events have been told."""

    def __init__(self, seats: int) -> None:
        self.told = [0] * seats
        self.ahead: list[Counter[Observation]] = [Counter() for _ in range(seats)]
        self.then = Lying()
        """How tiles lay before the latest news, in the words of who was `first` in them."""
        self._then = [Lying() for _ in range(seats)]
        self._followed = [0] * seats

    def news_for(self, match: Match, seat: int) -> list[Observation]:
        """What a seat has noticed since it was last told."""
        seen = match.observations(seat)
        self.then = self._before(match, seat)
        start = min(self.told[seat - 1], len(seen))
        self.told[seat - 1] = len(seen)
        return list(seen[start:])

    def news(self, match: Match, first: int) -> list[Observation]:
        """What has happened, as everybody together knows it; the events of `first` give the order."""
        self.then = self._before(match, first)
        seats = [first, *(seat for seat in range(1, match.players + 1) if seat != first)]
        tale: list[Observation] = []
        for seat in seats:
            _weave(tale, self._fresh(match, seat))
        return tale

    def _before(self, match: Match, seat: int) -> Lying:
        """How tiles lay when a seat was last told. Each seat has its own names for copies."""
        then, told = self._then[seat - 1], self.told[seat - 1]
        then.after(match.observations(seat)[self._followed[seat - 1] : told])
        self._followed[seat - 1] = told
        return then.copy()

    def _fresh(self, match: Match, seat: int) -> list[Observation]:
        """The new events of a seat, with those that it will only notice when sealed choices are opened."""
        queue = [event for p, event in match.state.queue if p == seat - 1]
        queue += [  # parts of an unfinished choice
            event for event, seen in match.state.held if event.seat != seat and seen >> (seat - 1) & 1
        ]
        seen = match.observations(seat)
        events = [*seen[self.told[seat - 1] :], *queue]
        known, new = self.ahead[seat - 1].copy(), []
        for event in events:
            if known[event] > 0:
                known[event] -= 1
            else:
                new.append(event)
        if match.state.queue or match.state.held:
            self.ahead[seat - 1].update(new)
        else:
            self.told[seat - 1] = len(seen)
            self.ahead[seat - 1].clear()
        return new


def _weave(tale: list[Observation], events: Sequence[Observation]) -> None:
    """Add what another seat has noticed."""
    at = 0
    for event in events:
        same = next((i for i in range(at, len(tale)) if _shape(tale[i]) == _shape(event)), None)
        if same is None:
            tale.insert(at, event)
            at += 1
        else:
            tale[same] = max(tale[same], event, key=_detail)
            at = same + 1


def _shape(event: Observation) -> tuple[Any, ...]:
    """What all versions of an event have in common, however much each seat knows."""
    match event:
        case TokensMoved():
            return (event.word, event.amount, event.source, event.dest, event.spot)
        case ThingMoved():  # who knows the card also sees how it is turned
            return (event.word, event.thing.partition("#")[0], event.source, event.dest, event.spot)
        case Rolled() | RolledInSecret() | ThingsExchanged():
            return (event.word,)
        case PlaceShown() | TopSeen():
            return (event.word, event.place, *event[3:])
        case PlaceShownToOthers() | TopSeenByOthers():
            return (event.word, event.place)
        case Chosen():  # each seat has its own names for copies
            return (event.word, event.seat, event.rule, *map(_sort, event.key))
        case PieceStands():
            return (event.word, event.piece, _sort(event.where))
        case TurnBegan() | ClockRan() | TimeIsUp() | MatchOver() | AllMoved():
            return event
        case PlacesSwapped() | Shuffled() | StateSet() | RowNoted():
            return event
        case _:
            assert_never(event)


def _sort(value: Any) -> Any:
    """`Card#3` without its number."""
    return value.partition("#")[0] if isinstance(value, str) else value


def _detail(event: Observation) -> int:
    """How much an event tells, compared with other versions of it."""
    match event:
        case TokensMoved():
            return int(event.recognised)
        case TopSeen() | TopSeenByOthers():
            return int(isinstance(event, TopSeen))
    return sum("#" in str(part) for part in event) + len(event)


# ---------------------------------------------------------------- sentences
class Narrator:
    def __init__(self, words: Words) -> None:
        self.words = words

    def sentences(self, events: Sequence[Observation], then: Lying | None = None) -> list[str]:
        """One sentence for each event; runs of the same kind share one.

        `then` is how tiles lay before the first of them, and afterwards how they lay behind the last.
        """
        return [sentence for _, sentence, _ in self.told(events, then)]

    def told(
        self, events: Sequence[Observation], then: Lying | None = None
    ) -> Iterator[tuple[int, str, Observation]]:
        """The same, each with the position of its first event, and that event."""
        at = 0
        for happening in self._followed(events, then):
            sentence = self._happened(happening)
            if sentence:
                yield at, sentence, happening.run[0]
            at += len(happening.run)

    def _followed(self, events: Sequence[Observation], then: Lying | None) -> Iterator[Happening]:
        """Run by run, with the words for how things lay when it happened."""
        happenings = condensed(list(_runs(events)))
        for happening in happenings:
            _teller(happening.run)
        self.words.then = then if then is not None else Lying(partly=True)
        try:
            for happening in happenings:
                self.words.then.after(happening.run)
                yield happening
        finally:
            self.words.then = None

    def _happened(self, happening: Happening) -> str | None:
        """What is said of a happening, with the choice that brought it about."""
        if happening.by is None:
            return self._sentence(happening.told) if happening.told else None
        moves = [event for event in happening.told if isinstance(event, ThingMoved | TokensMoved)]
        sentence = self._tell_move(moves, happening.by[0].seat) if moves else self._sentence(happening.told)
        if sentence is None:
            return None
        words, first = self.words, happening.by[0]
        if first.key[0] == "offer":
            about = f": {words.case(str(first.key[1]))}"
        else:
            rule = words.rule(first.rule)
            about = f" ({rule})" if rule is not None else ""
        event = happening.told[0]
        if isinstance(event, RowNoted) and words.names_a_player(event):
            return sentence
        return capital(f"{words.player(first.seat)}{about}: {self._small(sentence, happening.told)}")

    def _small(self, sentence: str, run: Sequence[Observation]) -> str:
        """A sentence behind a colon: as small as the name of what it is about is written."""
        if isinstance(run[0], PieceStands):
            subject = self.words.thing(run[0].piece)
        else:
            subject = self._moved(run)[0] if isinstance(run[0], ThingMoved | TokensMoved) else ""
        return subject + sentence[len(subject) :] if sentence.startswith(capital(subject)) else sentence

    def _sentence(self, run: list[Observation]) -> str | None:
        return _teller(run)(self, run)

    def _tell_turn(self, run: list[TurnBegan]) -> str:
        seat = run[0].seat
        return "Your turn." if seat == self.words.you else f"{capital(self.words.player(seat))}'s turn."

    def _tell_choice(self, run: list[Chosen]) -> str:
        first, words = run[0], self.words
        chosen = [words.choice(event.rule, event.key) for event in run if not words.told_by_a_row(event)]
        if not chosen:
            return capital(f"{words.player(first.seat)}: {words.rule(first.rule) or 'done'}.")
        rule = words.rule(first.rule)
        about = f" ({rule})" if rule is not None and rule != chosen[0] and first.key[0] != "offer" else ""
        return capital(f"{words.player(first.seat)}{about}: {', '.join(chosen)}.")

    def _tell_forced(self, run: list[ForcedChoice]) -> str:
        """A menu of which only this was possible."""
        event = run[0]
        named = len(event.others) <= MOST_NAMED and not {"yes", "no"} & {*event.others, event.key[1]}
        because = f"not possible: {listed([self.words.case(name) for name in event.others])}" if named else ""
        done = f"{self.words.player(event.seat)}: {self.words.case(str(event.key[1]))}"
        return capital(f"{done} ({because or 'nothing else was possible'}).")

    def _is_hidden(self, label: str) -> bool:
        key = self.words.place_keys.get(label)
        return key is not None and self.words.dress.is_hidden(key)

    def _tell_move(self, run: list[Moves], by: int | None = None) -> str | None:
        """`by`: who is named in front, from whose hand or row it goes."""
        what, many = self._moved(run)
        source, dest = run[0].source, run[0].dest
        if self._is_hidden(dest):
            if source.startswith("box of ") or self._is_hidden(source):
                return None
            return capital(f"{what} {'leave' if many else 'leaves'} {self.words.place(source)}.")
        origin = "" if source.startswith("box of ") else f" from {self.words.place(source)}"
        if source == dest or split_label(source)[0] == f"player {by}":
            origin = ""
        return capital(f"{what} {'go' if many else 'goes'}{origin} to {self._destination(run, dest)}.")

    def _moved(self, run: Sequence[Observation]) -> tuple[str, bool]:
        """What was moved, in words, and whether that is several things."""
        if isinstance(run[0], ThingMoved):
            return self._things([event.thing for event in run if isinstance(event, ThingMoved)])
        amounts: Counter[str] = Counter()
        for event in run:
            if isinstance(event, TokensMoved):
                amounts[event.kind] += event.amount
        return listed([f"{n} {self.words.counted(n, kind)}" for kind, n in amounts.items()]), sum(
            amounts.values()
        ) != 1

    def _destination(self, run: Sequence[Observation], dest: str) -> str:
        words = self.words
        moves = [event.spot for event in run if isinstance(event, ThingMoved | TokensMoved)]
        spots = [spot for spot in moves if spot is not None]
        where = words.place(dest)
        if spots and len(spots) == len(run) <= MOST_NAMED:
            key = words.place_keys[dest]
            return where + " " + listed([xy if isinstance(xy, str) else words.space(key, xy) for xy in spots])
        return where

    def _things(self, names: list[str]) -> tuple[str, bool]:
        comp = names[0].partition("#")[0]
        hidden = "#" not in names[0]
        if len(names) == 1:
            known = not (hidden and comp in self.words.layout.comps)
            return self.words.thing(names[0]) if known else self.words.type(t.Comp(comp)), False
        if hidden or len(names) > MOST_NAMED:
            return f"{len(names)} {self.words.type(t.Comp(comp)).partition(' ')[2]}s", True
        return listed([self.words.thing(name) for name in names]), True

    def _tell_set(self, run: list[StateSet]) -> str | None:
        words = self.words
        run = [e for e in run if not words.dress.is_hidden(words.state_keys.get(e.label, e.label))]
        if not run:
            return None
        if len(run) > MOST_NAMED:
            return capital(f"{words.place(run[0].label).partition('[')[0]} is set for {len(run)} cases.")
        told = listed([said for e in run if (said := self._state_said(e.label, e.value)) is not None])
        return capital(f"{_in_secret(run[0])}{told}.") if told else None

    def _state_said(self, label: str, value: Any) -> str | None:
        """`player 2: backs Plan 2`; a `no` or a `none` is what was there before anybody said a word."""
        if value is False or value is None:
            return None
        owner, name = split_label(label)[0], self.words.place_name(label)
        said = name if value is True else f"{name} {self.words.state(label, value)}"
        if not owner:
            return said if value is True else f"{name}: {self.words.state(label, value)}"
        seat = owner.removeprefix("player ")
        whose = self.words.player(int(seat)) if seat.isdigit() else self.words.thing(owner)
        return f"{whose}: {said}"

    def _tell_stands(self, run: list[PieceStands]) -> str:
        name, where = run[0].piece, run[0].where
        if where is None:
            return capital(f"{self.words.thing(name)} leaves the table.")
        return capital(f"{self.words.thing(name)} stands on {self._standing(name, where)}.")

    def _standing(self, name: str, where: Any) -> str:
        if isinstance(where, str):
            return self.words.thing(where)
        found = self.words.identity(name)
        on = self.words.layout.comps[found[0]].decl.on if found is not None else None
        return self.words.spot(on.of, where) if isinstance(on, t.Space) else str(where)

    def _tell_note(self, run: list[RowNoted]) -> str:
        if (said := self.words.spoken_row(run[0])) is not None:
            return capital(f"{said}.")
        record, _, number = run[0].row.partition("#")
        return f"{record} {number}: {self.words.row(record, dict(run[0].fields))}."

    def _tell_nothing(self, run: list[ClockRan | AllMoved]) -> None:
        return None

    def _tell_time_is_up(self, run: list[TimeIsUp]) -> str:
        return "Time is up."

    def _tell_swap(self, run: list[PlacesSwapped]) -> str:
        return capital(f"{self.words.place(run[0].left)} and {self.words.place(run[0].right)} change places.")

    def _tell_exchange(self, run: list[ThingsExchanged]) -> str:
        return capital(f"{self.words.thing(run[0].left)} and {self.words.thing(run[0].right)} change places.")

    def _tell_shuffle(self, run: list[Shuffled]) -> str:
        return capital(f"{self.words.place(run[0].place)} is shuffled.")

    def _tell_shown(self, run: list[PlaceShown]) -> str:
        told = f"{_in_secret(run[0])}{self.words.place(run[0].place)} is shown"
        return capital(f"{told}: {self.contents(run[0].contents)}.")

    def _tell_shown_to_others(self, run: list[PlaceShownToOthers]) -> str:
        return f"{capital(self.words.place(run[0].place))} is shown."

    def _tell_peek(self, run: list[TopSeen]) -> str:
        told = f"{_in_secret(run[0])}on top of {self.words.place(run[0].place)}"
        return capital(f"{told}: {self.contents(run[0].things)}.")

    def _tell_peek_of_others(self, run: list[TopSeenByOthers]) -> str:
        return f"Somebody looks at the top of {self.words.place(run[0].place)} ({run[0].amount})."

    def _tell_roll(self, run: list[Rolled]) -> str:
        words, cause = self.words, run[0].cause
        about = words.rule(cause) if cause else None
        type_ = words.rolled.get(cause or "")
        said = str(run[0].value) if type_ is None else words.value(run[0].value, type_)
        if type_ is not None and not isinstance(t.plain(type_), t.Num):
            return capital(f"chance says{f' ({about})' if about else ''}: {said}.")
        return f"The roll{f' ({about})' if about else ''} is {said}."

    def _tell_secret_roll(self, run: list[RolledInSecret]) -> str:
        return "A roll is made in secret."

    def _tell_over(self, run: list[MatchOver]) -> str:
        return result(run[0].winners, run[0].reason, self.words.you, self.words.partners)

    # ------------------------------------------------------------ in brief
    def brief(self, events: Sequence[Observation], then: Lying | None = None) -> list[Line]:
        """What happened, a line for each turn: who, what was done, and what came of it. `then` is as above."""
        lines: list[Line] = []
        parts: list[Line] = []
        seat: int | None = None
        turns = sum(isinstance(event, TurnBegan) for event in events)
        view = self.words.view
        setting_up = view is not None and view["turn"] == turns  # no turn had begun before

        def close() -> None:
            if parts:
                told = joined(parts, f" {self.words.glyphs.dot} ")
                name = Line((capital(self.words.player(seat)), seat_style(seat)), ": ") if seat else Line()
                lines.append(Line(name, told))
                parts.clear()

        for happening in self._followed(events, then):
            run = happening.run if isinstance(happening.run[0], Chosen) else happening.told
            if not run:
                continue
            match run[0]:
                case TurnBegan(seat=whose):
                    close()
                    seat, setting_up = whose, False
                case ThingMoved(source=source) | TokensMoved(source=source) if setting_up and (
                    source.startswith("box of ")
                ):
                    close()  # what is set up is nobody's doing
                    seat = None
                    if (line := self._brief(run, seat)) is not None:
                        parts.append(line)
                case MatchOver():
                    close()
                    seat = None
                    parts.append(Line((str(self._sentence(run)), "bold")))
                case Chosen(seat=whose):
                    if whose != seat:
                        close()
                        seat = whose
                    if (chosen := self._brief_choice(run)) is not None:
                        parts.append(chosen)
                case _:
                    if (line := self._brief(run, seat)) is not None:
                        parts.append(line)
        close()
        return lines

    def _brief_choice(self, run: list[Observation]) -> Line | None:
        """Menus are told; what was picked shows in what comes of it."""
        words = self.words
        keys = [event.key for event in run if isinstance(event, Chosen)]
        chosen = [words.case(str(key[1])) for key in keys if key[0] == "offer"]
        chosen = [c for c in chosen if c not in ("no", "yes")]
        forced = " (nothing else was possible)" if isinstance(run[0], ForcedChoice) else ""
        return Line(f"{', '.join(chosen)}{forced}") if chosen else None

    def _brief(self, run: list[Observation], seat: int | None) -> Line | None:
        words, to = self.words, self.words.glyphs.to
        own = f"player {seat}"
        match run[0]:
            case ThingMoved() as move if not move.recognised and words.identity(move.thing) is None:
                return None  # a card that nobody may see changes hands
            case ThingMoved(source=source, dest=dest) | TokensMoved(source=source, dest=dest):
                what = self._moved(run)[0]
                where = self._destination(run, dest)
                if seat != words.you:  # whose it is goes without saying in the line of its owner
                    where = where.removeprefix(f"{own}'s ")
                origin = split_label(str(source))[0]
                known = origin in ("", own, split_label(dest)[0])
                taken = "" if known else f" from {words.place(str(source))}"
                return Line(f"{what}{taken} {to} {where}")
            case PieceStands(piece=name, where=where) if where is not None:
                attire = words.attire(str(name))
                short = attire.words.partition(" of player ")[0] if attire is not None else str(name)
                return Line(f"{short} {to} {self._standing(str(name), where)}")
            case StateSet() as first:
                told = [self._brief_set(e.label, e.value, own) for e in run if isinstance(e, StateSet)]
                return Line(_in_secret(first) + ", ".join(filter(None, told))) if any(told) else None
            case Shuffled():
                return None
        sentence = self._sentence(run)
        return Line(sentence.rstrip(".")) if sentence else None

    def _brief_set(self, label: str, value: Any, own: str) -> str | None:
        words = self.words
        if words.dress.is_hidden(words.state_keys.get(label, label)) or value is False or value is None:
            return None
        owner, name = split_label(label)[0], words.place_name(label)
        seat = owner.removeprefix("player ")
        name_of = words.player(int(seat)) if seat.isdigit() else words.thing(owner)
        whose = "" if owner in ("", own) else f"{name_of} "
        return f"{whose}{name}" if value is True else f"{whose}{name} {words.state(label, value)}"

    def contents(self, contents: Any) -> str:
        """What lies in a place, from a view: things, kinds with amounts, or nothing."""
        if not contents:
            return "nothing"
        if isinstance(contents, str):
            return self.words.kind(contents)
        parts: Counter[str] = Counter()
        for item in contents:
            match item:
                case str():
                    parts[self.words.thing(item)] += 1
                case (str() as kind, int() as amount):
                    parts[self.words.kind(kind)] += amount
                case (str() as name, (_, _), _):
                    parts[self.words.thing(name)] += 1
                case ((_, _), str() as kind):
                    parts[self.words.kind(kind)] += 1
                case _:
                    parts[str(item)] += 1
        tokens = all(isinstance(item, tuple) for item in contents)
        return ", ".join(f"{n} {what}" if n > 1 or tokens else what for what, n in parts.items())


TELLS: dict[type[Event], Callable[[Narrator, Any], str | None]] = {
    TurnBegan: Narrator._tell_turn,
    Chosen: Narrator._tell_choice,
    ForcedChoice: Narrator._tell_forced,
    Rolled: Narrator._tell_roll,
    RolledInSecret: Narrator._tell_secret_roll,
    ClockRan: Narrator._tell_nothing,
    TimeIsUp: Narrator._tell_time_is_up,
    MatchOver: Narrator._tell_over,
    ThingMoved: Narrator._tell_move,
    TokensMoved: Narrator._tell_move,
    AllMoved: Narrator._tell_nothing,
    PieceStands: Narrator._tell_stands,
    PlacesSwapped: Narrator._tell_swap,
    ThingsExchanged: Narrator._tell_exchange,
    Shuffled: Narrator._tell_shuffle,
    StateSet: Narrator._tell_set,
    RowNoted: Narrator._tell_note,
    PlaceShown: Narrator._tell_shown,
    PlaceShownToOthers: Narrator._tell_shown_to_others,
    TopSeen: Narrator._tell_peek,
    TopSeenByOthers: Narrator._tell_peek_of_others,
}


def _teller(run: Sequence[Observation]) -> Callable[[Narrator, Any], str | None]:
    teller = TELLS.get(type(run[0]))
    if teller is None:
        raise LookupError(f"there are no words for the event `{run[0][0]}`")
    return teller


def _runs(events: Sequence[Observation]) -> Iterator[list[Observation]]:
    at = 0
    while at < len(events):
        end = at + 1
        while end < len(events) and _run(events[at]) is not None and _run(events[end]) == _run(events[at]):
            end += 1
        yield list(events[at:end])
        at = end


def _run(event: Observation) -> Any:
    """Events of one run are told together; None stands alone."""
    match event:
        case ForcedChoice():
            return None
        case Chosen():
            return (Chosen, event.seat)
        case TokensMoved():
            return (TokensMoved, event.source, event.dest, event.recognised)
        case ThingMoved():
            sort = event.thing.partition("#")[0]
            return (ThingMoved, sort, event.recognised, event.source, event.dest)
        case StateSet():
            return (StateSet, event.label.partition("[")[0], event.secretly)
    return None


def _in_secret(event: StateSet | PlaceShown | TopSeen) -> str:
    """What stands in front of what only those notice to whom it is shown."""
    return "in secret, " if event.secretly else ""


def result(winners: Sequence[int], reason: str | None, you: int | None = None, partners: int = 0) -> str:
    """Who has won, and why. `partners` is the number of players where all win or lose together."""
    players = sorted(winners)
    if not players and partners:
        text = "All of you lose" if partners > 1 else "You lose" if you == 1 else "Player 1 loses"
    elif len(players) == partners > 1:
        text = "All of you win"
    elif not players:
        text = "Nobody wins"
    elif players == [you]:
        text = "You win"
    elif len(players) == 1:
        text = f"Player {players[0]} wins"
    elif you in players:
        rest = [f"player {p}" for p in players if p != you]
        text = f"{listed(['You', *rest])} win together"
    else:
        text = f"Players {listed([str(p) for p in players])} win together"
    return f"{text}: {reason.replace('_', ' ')}." if reason else f"{text}."
