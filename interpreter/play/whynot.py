"""Why is a choice not offered? The first requirement that fails, with its words and its line.

The position is read into the reference interpreter (position.py), which has the pending
statement with everything around it. Longer and longer parts of it are tried: the first that
cannot be completed is to blame.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from ...grammar import Span
from ..core import (
    CheckedGame,
    Choice,
    Choose,
    Decl,
    Ex,
    Gen,
    Let,
    May,
    Offer,
    Pick,
    Require,
    St,
    Var,
    bodies,
    operands,
    several,
    taken_uid,
)
from ..core import value_types as t
from ..program.terminators import DecisionPoint
from ..reference.asking import cases_of, pick_choice
from ..reference.choices import Check, behind_in_header, completable, header, holds, possible, ways
from ..reference.play import Frame
from ..reference.several import Members
from ..reference.trouble import Trouble
from ..reference.vectors import Vector
from .position import Position
from .whynot_domains import CannotTell, Known, outside, where

if TYPE_CHECKING:
    from .match import Match


@frozen
class Refusal:
    """Why a choice is not offered: `words` alone, the place in the rules, the `rule` it stands in and the
    items of the rulebook that this rule cites."""

    words: str
    span: Span | None = None
    rule: str | None = None
    cites: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.words if self.span is None else f"{self.words} ({where(self.span)})"


def why_not(match: Match, choice: str | Sequence[Any]) -> Refusal | None:
    """None if the choice is offered."""
    found = _why_not(match, choice)
    if found is None or found.span is None:
        return found
    around = _rule_around(match, found.span)
    return found if around is None else evolve(found, rule=str(around.name), cites=around.cites)


def _rule_around(match: Match, span: Span) -> Decl | None:
    """The rule, action, phase or definition that a line of the rules belongs to."""
    game = match.game.checked
    groups = (game.rules, game.triggers, game.endings, game.defines)
    decls = [*(decl for group in groups for decl in group.values()), *game.phases]
    above = [d for d in decls if d.span.source == span.source and d.span.start <= span.start]
    return max(above, key=lambda d: d.span.start) if above else None


def _why_not(match: Match, choice: str | Sequence[Any]) -> Refusal | None:
    state = match.state
    if state.over or state.player < 0:
        return Refusal("nobody is asked at the moment")
    engine = state.engine
    point, values = engine.points[state.pc], engine.watcher.values_for(state, state.player)
    offered = {_norm(values.option_key(point, v)) for v in state.options}
    labels = {values.option_label(point, v) for v in state.options}
    key = choice = _norm(choice)
    if key in offered or choice in labels:
        return None
    try:
        return _Asked(match, point).refusal(choice)
    except Trouble as trouble:
        return Refusal(trouble.message, trouble.span)


def _statements(game: CheckedGame) -> Iterator[St]:
    todo = [rule.body for rule in (*game.rules.values(), *game.triggers.values(), *game.phases)]
    while todo:
        for st in todo.pop():
            yield st
            todo += bodies(st)


class _Asked:
    """The pending decision, and the position it stands in."""

    def __init__(self, match: Match, point: DecisionPoint) -> None:
        self.point = point
        self.engine = match.state.engine
        self.game = self.engine.game
        self.position = Position(match.state)
        self.play = self.position.play
        self.frame = self.position.frame()
        self.values = self.engine.watcher.values_for(match.state, match.state.player)
        kinds = (Offer, May) if point.kind == "offer" else (Choose, Pick)
        self.st = next(
            (st for st in _statements(self.game) if isinstance(st, kinds) and st.span == point.span), None
        )

    def refusal(self, choice: str | Sequence[Any]) -> Refusal:
        match self.st:
            case Offer() | May():
                return self._case(choice if isinstance(choice, str) else str(choice[-1]) if choice else "")
            case Choose():
                whole, behind = self.st.choice, behind_in_header(self.play, self.st)
            case Pick():
                whole, behind = pick_choice(self.st)[0], ()
            case _:  # the compiler asks for something that no line of the rules asks for
                return Refusal("it is not an option here", self.point.span)
        gens = whole.gens
        position = next(n for n, gen in enumerate(gens) if gen.var.name == self.point.name)
        rest = evolve(whole, gens=gens[position:])
        cells = self.point.kind == "vector"
        if several(gens[position]):
            return self._member(rest, behind, choice)
        return self._cell(rest, behind, choice) if cells else self._value(rest, behind, choice)

    # ------------------------------------------------------------ offers
    def _case(self, name: str) -> Refusal:
        assert isinstance(self.st, Offer | May)
        for case in cases_of(self.play, self.st.offering):
            if name not in (case.key, case.label, case.key.replace("_", " ")):
                continue
            checks, frame = header(case.body), self.frame
            if case.action is not None:
                rule = self.game.rules[case.action]
                args = self.play.values(case.args, self.frame)
                bound = {param.uid: value for param, value in zip(rule.params, args, strict=True)}
                checks, frame = header(rule.body), Frame(rule.name, bound, self.frame.me)
            return self._first_failing(checks, frame)
        return Refusal(f"there is no option called `{name}` here")

    def _first_failing(self, checks: tuple[Check, ...], frame: Frame) -> Refusal:
        """Try longer and longer parts of a header; the first part that cannot be completed is to blame."""
        for count, st in enumerate(checks, start=1):
            if not isinstance(st, Let) and not possible(self.play, checks[:count], frame):
                return self._blamed(st, frame)
        return Refusal("it is possible")

    def _blamed(self, st: Check, frame: Frame) -> Refusal:
        """The words of the line of a header that cannot be met."""
        if isinstance(st, Require):
            return _words(st.because, st.span)
        assert isinstance(st, Choose)
        for guard in st.choice.guards:
            if guard.because:
                return Refusal(f"nothing to choose: {_words(guard.because, guard.span).words}", guard.span)
        gen = st.choice.gens[0]
        return Refusal(outside(self.game, gen.domain, gen.var.type, self._known(frame)), st.span)

    def _behind(
        self, behind: tuple[Check, ...], can_be: Callable[[tuple[Check, ...]], bool]
    ) -> Refusal | None:
        """The first line of the header behind a choice that could not be met any more, if that is why."""
        if can_be(()):
            for count, st in enumerate(behind, start=1):
                if not isinstance(st, Let) and not can_be(behind[:count]):
                    return self._blamed(st, self.frame)
        return None

    # ------------------------------------------------------------ values
    def _value(self, rest: Choice, behind: tuple[Check, ...], choice: str | Sequence[Any]) -> Refusal:
        gen, *later = rest.gens
        bare = evolve(rest, gens=(gen, *map(_bare, later)))
        wanted = _norm(choice)
        for value in self.play.value(gen.domain, self.frame):
            flat = self.position.flat(value, gen.var.type)
            key, label = (of(self.point, flat) for of in (self.values.option_key, self.values.option_label))
            if wanted != _norm(key) and choice != label:
                continue
            frame = self.frame.inner({gen.var.uid: value})
            for guard in rest.guards:
                if not any(
                    holds(self.play, guard.condition, rest.gens, inner)
                    for inner in ways(self.play, bare, 1, frame)
                ):
                    return _words(guard.because, guard.span)

            def can_be(then: tuple[Check, ...], frame: Frame = frame) -> bool:
                return completable(self.play, rest, 1, frame, then)

            found = self._behind(behind, can_be)
            return found or Refusal("the rest of the choice could not be completed")
        return self._not_in_domain(gen, choice)

    def _not_in_domain(self, gen: Gen, choice: Any) -> Refusal:
        """The rules' own words for what can be chosen, if the choice is something of that sort at all."""
        value = self._value_named(choice)
        if value is None:
            return Refusal("it is not an option here", self.point.span)
        value = self.position.plain(value, t.plain(gen.var.type))
        reason = outside(self.game, gen.domain, gen.var.type, self._known(self.frame), value)
        return Refusal(reason, self.point.span)

    def _value_named(self, choice: Any) -> Any:
        """What a key or a label means, of all that the type has; None if it is nothing of that sort."""
        point, layout = self.point, self.engine.layout
        values = self.engine.watcher.values
        wanted = _norm(choice)
        if not wanted or point.type is None:
            return None
        universe: Iterable[int]
        match t.plain(point.type):
            case t.Comp() | t.Kind() | t.Player() | t.Space():
                universe = layout.universe(t.plain(point.type))
            case t.Num():
                text = str(wanted if isinstance(wanted, str) else wanted[-1])
                return int(text) if text.lstrip("-").isdigit() else None
            case _:
                return None
        for value in universe:
            if wanted == _norm(values.option_key(point, value)) or choice == values.option_label(
                point, value
            ):
                return value
        return None

    def _known(self, frame: Frame) -> Known:
        """Works out expressions where the pending decision stands."""

        def ask(ex: Ex, given: dict[str, Any]) -> Any:
            try:
                return self.play.value(ex, frame.inner(given))
            except KeyError:  # a name that is bound only later
                raise CannotTell from None

        def label(var: Var) -> str | None:
            if var.uid not in frame.vars:
                return None
            value = self.position.flat(frame.vars[var.uid], var.type)
            return self.engine.watcher.values.label(value, var.type)

        return Known(ask, label)

    # ------------------------------------------------------------ sets
    def _member(self, rest: Choice, behind: tuple[Check, ...], choice: str | Sequence[Any]) -> Refusal:
        """Of a set that is chosen member by member: the first condition that no set pleases which goes on so."""
        gen, *later = rest.gens
        span, members = self.point.span, Members(self.play, gen, self.frame)
        bare = evolve(rest, gens=(gen, *map(_bare, later)))
        taken = sorted(self.frame.vars[taken_uid(gen)], key=members.items.index)
        for value in (*members.items, None):
            flat = self.position.flat(value, members.of)
            key, label = (of(self.point, flat) for of in (self.values.option_key, self.values.option_label))
            if _norm(choice) != _norm(key) and choice != label:
                continue
            if value is None and len(taken) < members.low:
                return Refusal(f"{members.low} are needed", span)
            if value is not None and (value in taken or value not in members.behind(taken)):
                return Refusal("they are asked in their order, and its turn is over", span)
            sets = [taken] if value is None else list(members.completions([*taken, value]))
            frames = [self.frame.inner({gen.var.uid: members.whole(whole)}) for whole in sets]
            if not frames:
                return Refusal("another like it comes first, or there are too few", span)
            for guard in rest.guards:
                if not any(
                    holds(self.play, guard.condition, rest.gens, inner)
                    for frame in frames
                    for inner in ways(self.play, bare, 1, frame)
                ):
                    return _words(guard.because, guard.span)

            def can_be(then: tuple[Check, ...], frames: list[Frame] = frames) -> bool:
                return any(completable(self.play, rest, 1, frame, then) for frame in frames)

            found = self._behind(behind, can_be)
            return found or Refusal("the rest of the choice could not be completed")
        within = evolve(gen, var=evolve(gen.var, type=members.of), domain=operands(gen.domain)[0])
        return self._not_in_domain(within, choice)

    # ------------------------------------------------------------ vectors
    def _cell(self, rest: Choice, behind: tuple[Check, ...], choice: str | Sequence[Any]) -> Refusal:
        """Try the conditions one after the other; the first with which the vector cannot be completed is to blame."""
        gen, play, span = rest.gens[0], self.play, self.point.span
        text = choice if isinstance(choice, str) else str(choice[-1])
        known, asked = self.position.vector()
        may = Vector(play, _bare(gen), rest.alike, self.frame).may[asked]
        low, high = min(may), max(may)
        if not text.lstrip("-").isdigit() or not low <= int(text) <= high:
            return Refusal(f"it is a number from {low} to {high}", span)
        known[asked] = int(text)

        def can_be(where: tuple[Ex, ...], then: Callable[[Any], bool] = lambda _: True) -> bool:
            vector = Vector(play, evolve(gen, where=where), rest.alike, self.frame)
            return next(vector.ways(known, then), None) is not None

        for count, guard in enumerate(rest.guards, start=1):
            if not can_be(tuple(g.condition for g in rest.guards[:count] if g.condition in gen.where)):
                return _words(guard.because, guard.span)

        def with_lines(lines: tuple[Check, ...]) -> bool:
            def then(whole: Any) -> bool:
                return completable(play, rest, 1, self.frame.inner({gen.var.uid: whole}), lines)

            return can_be(gen.where, then)

        if found := self._behind(behind, with_lines):
            return found
        if rest.alike:
            return Refusal("what is alike is told in one order, the larger first", span)
        return Refusal("with this number the rest could not be completed", span)


def _bare(gen: Gen) -> Gen:
    return evolve(gen, where=())


def _words(because: str | None, span: Any) -> Refusal:
    text = because or f"`{' '.join(span.text.split())}` does not hold"
    return Refusal(text, span)


def _norm(value: Any) -> Any:
    return tuple(_norm(v) for v in value) if isinstance(value, tuple | list) else value
