"""Information flow: what a player is asked, and whether, follows from what that player sees.

The rules are walked from the phases on, through calls, menus and triggers, as
play would go; a rule is looked at again for everybody who may decide in it.
secrets.py tells what an expression gives away; walks.py, walk_seeing.py and
walk_calls.py are parts of the walk. On the way it knows

- `me`: a token for who decides;
- for each local name, the secrets in its value: a card chosen out of a hand is
  one, until it is moved to where all see it;
- `pc`: the secrets on which it depends that play gets here at all: those in
  the conditions around, and in the conditions of a `return`, `stop` or `skip`
  that might have jumped over this line. Behind the end of an `if` its condition
  no longer matters; and once somebody has been asked, everybody knows where play
  stands, because who is being asked is in sight.

What is written to a state that all see is known from then on, and so is what
the rules `reveal`: so nothing has to be followed through states and places.
Endings are left aside: that a match is over is no secret.

The walk is repeated until nothing new is found, for rules that call themselves and for decks
in which somebody comes to know a card. Without either of them one walk has found all.

The check fails closed. A statement or an operation that it does not know, or a walk
that does not settle, is an error (D0411): silence means that nothing leaks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...grammar import Report, Span
from ...grammar.fixes import Edit, Fix
from ..check.returns import statements
from ..core import (
    Apply,
    As,
    Atomic,
    CallRule,
    Cancel,
    CheckedGame,
    Choose,
    Const,
    Draw,
    EndingDecl,
    Expire,
    Finish,
    For,
    Gen,
    If,
    InPhase,
    Let,
    Local,
    May,
    Move,
    MoveAll,
    MoveCell,
    MoveOn,
    MoveSet,
    MoveTokens,
    Note,
    Nothing,
    Offer,
    Peek,
    Pick,
    RecordField,
    Repeat,
    Require,
    Return,
    Reveal,
    Roll,
    Rounds,
    SeenByAll,
    Set,
    Show,
    Shuffle,
    Skip,
    St,
    StateRef,
    Stop,
    Swap,
    Together,
    Turns,
    Universe,
    applies,
    free_vars,
    word_of,
)
from ..core import value_types as t
from .people import ALL, EVERYBODY, OWNER, UNKNOWN, AllBut, Viewer, Who
from .sights import NOTHING, Binding, Grant, Label, Sight, evolve, knowing, owner_of
from .trees import header_of, procedures
from .walk_calls import Calling
from .walks import Exit, Exits, Finding, Walked, label_of, merged, written

MOST_PASSES = 60
MOST_WAYS = 20_000
"""Rules are walked through once for each way of calling them."""
MOST_EFFECTS = 3
"""Named in one note."""
SEVERITY = {"D0401": "error", "D0411": "error", "D0414": "note"}
CELLS = "who has no choice is not asked: choose something else with it, or write `revealed(...)` if the rules tell it"
SAY = "let it follow from what all can see, or write `revealed(...)` if the rules tell it"


def information_flow(game: CheckedGame, report: Report) -> None:
    """Reports decisions that depend on what their player cannot see."""
    for finding in findings_of(game):
        effects = [(span, "seen by others") for span in finding.effects[:MOST_EFFECTS]]
        report.add(
            finding.code,
            finding.message,
            finding.span,
            help=finding.help,
            related=[*effects, *finding.related],
            severity=SEVERITY.get(finding.code, "warning"),
            fixes=_revealed(finding.reveals),
        )


def _revealed(span: Span | None) -> tuple[Fix, ...]:
    """Says that the rules tell it; whether they do, only their author knows."""
    if span is None:
        return ()
    return (Fix(f"write `revealed({span.text})`", (Edit(span, f"revealed({span.text})"),), safe=False),)


def findings_of(game: CheckedGame) -> list[Finding]:
    return _Walker(game).findings() if _has_secrets(game) else []


def _has_secrets(game: CheckedGame) -> bool:
    """Most small games hide nothing."""
    return (
        any(
            not isinstance(p.seen, SeenByAll) or not isinstance(p.size_seen, SeenByAll)
            for p in game.places.values()
        )
        or any(not isinstance(s.seen, SeenByAll) for s in game.states.values())
        or any(
            isinstance(st, Roll) and not isinstance(st.audience, SeenByAll)
            for rule in procedures(game)
            for st in statements(rule.body)
        )
    )


class _Walker(Calling):
    def findings(self) -> list[Finding]:
        """Walk until nothing new is found; say so if that does not come to an end."""
        for _ in range(MOST_PASSES):
            before = (dict(self.summaries), set(self.reader.private_decks))
            try:
                self.run()
            except RecursionError:
                return [self._unfinished("rules call each other too deep for it")]
            if len(self.summaries) > MOST_WAYS:
                break
            same_decks = before[1] == self.reader.private_decks
            if same_decks and (not self.circular or before[0] == self.summaries):
                unknown = [
                    self._unfinished(f"it does not know {what}", span)
                    for what, span in self.reader.unknown.items()
                ]
                return [*self.found.values(), *unknown]
        return [self._unfinished("rules that call each other give it no end"), *self.found.values()]

    def _unfinished(self, why: str, span: Span | None = None) -> Finding:
        return Finding(
            "D0411",
            f"whether this game leaks secrets could not be found out: {why}",
            span or self.game.phases[0].span,
            [],
            "call fewer rules inside each other" if span is None else "",
        )

    def run(self) -> None:
        self.done.clear()
        self.found.clear()
        self.circular = False
        self.reader.forget()
        s = Sight(self.people)
        for phase in self.game.phases:
            s = evolve(s, me=None, active=None, vars={}, pc=NOTHING, told=False)
            s, _ = self.ahead("scope", phase.name, (), s)
            s, _ = self.body(phase.body, s)
            s, _ = self.behind("scope", phase.name, (), s)
        for ending in self.game.endings.values():
            self._ending(ending)

    def _ending(self, ending: EndingDecl) -> None:
        """It is tested behind every effect, and all see whether the match goes on."""
        s, label = Sight(self.people), NOTHING
        if ending.var is not None and ending.domain is not None:
            label, s = self.reader.generators((Gen(ending.var, ending.domain),), s)
        s = evolve(s, pc=label | self.reader.label(ending.when, s))
        for st in ending.body:
            self.in_sight(st, s, ALL)

    # ------------------------------------------------------------ statements
    def statement(self, st: St, s: Sight) -> Walked:
        handler = HANDLED.get(type(st))
        if handler is None:
            self.reader.unknown.setdefault(f"the statement `{word_of(st)}`", st.span)
            return s, {}
        return handler(self, st, s)

    def _inside(self, st: Atomic | InPhase, s: Sight) -> Walked:
        return self.body(st.body, s)

    def _nothing(self, st: Nothing | Require, s: Sight) -> Walked:
        """It shows nothing to anybody."""
        return s, {}

    # ------------------------------------------------------------ names and values
    def _let(self, st: Let, s: Sight) -> Walked:
        (value,) = (st.value,)
        binding = self.reader.binding(value, s)
        hidden = [uid for uid in free_vars(value) if uid in s.vars and s.vars[uid].label]
        if len(hidden) == 1 and binding.label:
            without = s.bind(hidden[0], evolve(s.vars[hidden[0]], label=NOTHING))
            if not self.reader.label(value, without):
                binding = evolve(binding, of=hidden[0])
        if binding.who == UNKNOWN:
            s, who = s.fresh(st.var.uid)
            binding = evolve(binding, who=who)
        return s.bind(st.var.uid, binding), {}

    def _set(self, st: Set, s: Sight) -> Walked:
        target, value = st.target, st.value
        if isinstance(target, RecordField):
            viewers = ALL
        else:
            assert isinstance(target, StateRef)
            decl, cell = target.state, self.reader.cell(target, s)
            viewers = self.reader.audience(decl.seen, owner_of(decl, cell), s) | s.shown(decl, cell)
            self.in_sight(st, s, self.may_look(decl, s))
        self.in_sight(st, s, viewers)
        for part in (*target.indices, value):
            s = self.learn(part, viewers, s)
        return self.changed(self.writing.of_statement(st), s, st.span), {}

    def _note(self, st: Note, s: Sight) -> Walked:
        self.in_sight(st, s, ALL)
        for _, value in st.fields:
            s = self.learn(value, ALL, s)
        if st.var is not None:
            s = s.bind(st.var.uid, Binding())
        return s, {}

    # ------------------------------------------------------------ deciding
    def _choose(self, st: Choose, s: Sight) -> Walked:
        label, after = self.reader.generators(st.choice.gens, s)
        label |= self.reader.labels(st.choice.distinct, after)
        self.decides(st, s, label)
        if all(gen.cells for gen in st.choice.gens):
            self.tells(st, s, label, CELLS)
        private = self.privacy.hides(st.choice, st.span)
        me = frozenset[Viewer]((s.me,)) if s.me is not None else frozenset[Viewer]()
        chosen = knowing(label, me, self.people) if private else NOTHING
        for gen in st.choice.gens:
            after = after.bind(gen.var.uid, evolve(after.vars[gen.var.uid], label=chosen))
        after = self.asked(after)
        if st.choice.decline:
            if not st.choice.always and not st.choice.able:
                self.tells(st, s, label)
            here, early = self.body(st.body, after)
            other, late = self.branch(st.orelse, s)
            names = {gen.var.uid: after.vars[gen.var.uid] for gen in st.choice.gens}
            joined = self.join(s, here, other)
            return evolve(joined, vars={**joined.vars, **names}), merged(early, late)
        if not st.orelse:
            return after, {}
        other, exits = self.branch(st.orelse, s)
        if exits:
            return after, exits
        joined = self.join(s, after, other)
        return evolve(
            joined, vars={**joined.vars, **{g.var.uid: after.vars[g.var.uid] for g in st.choice.gens}}
        ), {}

    def _pick(self, st: Pick, s: Sight) -> Walked:
        label = self.reader.labels((st.low, st.high, st.source), s)
        self.decides(st, s, label)
        self.tells(st, s, label, CELLS)
        return self.moved(st, self.asked(s))

    def _offer(self, st: Offer | May, s: Sight) -> Walked:
        offering = st.offering
        label = self.headers(st, s)
        self.decides(st, s, label)
        if offering.decline and not offering.always and not offering.able:
            self.tells(st, s, self.headers(st, s, possible=True))
        self.announced(st, s)
        told = evolve(self.asked(s), told=False)
        ways: list[Walked] = []
        names = [(case.action, case.args, case.body) for case in offering.cases]
        names += [(action, offering.menu_args, ()) for action in self.game.menus.get(offering.menu or "", ())]
        for action, args, body in names:
            if action is not None:
                here, exits = self.offered(offering.menu, action, args, told)
            else:
                here, exits = self.body(body, told)
            here, more = self.body(st.body if isinstance(st, May) else (), here)
            ways.append((evolve(here, told=True), merged(exits, more)))
        if offering.decline or st.orelse:
            ways.append(self.branch(st.orelse, s))
        if not ways:
            return s, {}
        after = self.join(s, *(way for way, _ in ways))
        return after, merged(*(exits for _, exits in ways))

    def headers(self, st: Offer | May, s: Sight, *, possible: bool = False) -> Label:
        """What it depends on which cases are offered; `possible`: whether any is."""
        offering = st.offering
        found = NOTHING
        for case in offering.cases:
            if case.action is not None:
                found |= self.reader.header(case.action, case.args, s, possible=possible)
            else:
                found |= self.reader.header_of(header_of(case.body), s, possible=possible)
        for action in self.game.menus.get(offering.menu, ()) if offering.menu else ():
            found |= self.reader.header(action, offering.menu_args, s, possible=possible)
        return found

    def announced(self, st: Offer | May, s: Sight) -> None:
        """All hear which action was taken, and so that what it requires was there."""
        offering = st.offering
        for case in offering.cases:
            if case.action is None:
                self._requires(st, case.body, s, case.label)
        actions = [(case.action, case.args) for case in offering.cases if case.action is not None]
        actions += [(name, offering.menu_args) for name in self.game.menus.get(offering.menu or "", ())]
        for name, args in actions:
            rule = self.game.rules.get(name)
            if rule is not None:
                self._requires(st, rule.body, self._bound(rule, args, s), name)

    def _requires(self, st: Offer | May, body: tuple[St, ...], s: Sight, name: str) -> None:
        label = NOTHING
        for part in header_of(body):
            if isinstance(part, Require):
                label |= self.reader.label(part.condition, s)
            elif isinstance(part, Let):
                s = s.bind(part.var.uid, self.reader.binding(part.value, s))
            else:
                break
        played = self.writing.brought_to_light(body)  # a card that is played in sight is no secret then
        kept = frozenset(x for x in label if x.what == "roll" or not written(x.decl, played))
        if not st.offering.decline:
            self.tells(st, s, kept, SAY, f"taking `{name}`")

    def offered(self, menu: str | None, action: str, args: tuple[Any, ...], s: Sight) -> Walked:
        if menu is None:
            return self.invoke(action, args, s)[:2]
        s, early = self.ahead("menu", menu, args, s)
        s, exits, _ = self.invoke(action, args, s)
        s, late = self.behind("menu", menu, args, s)
        return s, merged(early, exits, late)

    def asked(self, s: Sight) -> Sight:
        """The sight behind a decision: who is asked is in sight, so all know where play stands,
        except behind a seal."""
        if not s.sealed:
            return evolve(s, pc=NOTHING, told=True)
        return evolve(s, pc=knowing(s.pc, frozenset((s.me,)), self.people)) if s.me is not None else s

    # ------------------------------------------------------------ branching and loops
    def _if(self, st: If, s: Sight) -> Walked:
        (condition,) = (st.condition,)
        inner = evolve(s, pc=s.pc | self.reader.label(condition, s))
        yes, left = self.branch(st.body, self.reader.narrowed(condition, inner))
        no, right = self.branch(st.orelse, self.reader.narrowed(condition, inner, holds=False))
        ways = [way for way, exits, body in ((yes, left, st.body), (no, right, st.orelse)) if not _left(body)]
        return self.join(s, *(ways or [yes, no])), merged(left, right)

    def _draw(self, st: Draw, s: Sight) -> Walked:
        """A draw with an `else` is also a question: was there enough?"""
        enough = self.reader.label(st.amount, s) | self.reader.look(st.source, "size", s)
        s, exits = self.moved(st, s)
        if all(isinstance(part, Nothing) for part in st.orelse):
            return s, exits
        inner = evolve(s, pc=s.pc | enough)
        short, more = self.branch(st.orelse, inner)
        ways = [inner] if _left(st.orelse) else [inner, short]
        return self.join(s, *ways), merged(exits, more)

    def _for(self, st: For, s: Sight) -> Walked:
        s = self.changed(self.writing.of(st.body), s, st.span)
        label, inner = self.reader.generators(st.gens, s)
        inner = evolve(inner, pc=inner.pc | label)
        name, who = (st.label, st.who)
        if who is not None:
            inner, me = self.player(who, inner)
            inner = evolve(inner, me=me)
        after, exits = self.loop(st.body, inner, name)
        names = {uid: after.vars.get(uid, binding) for uid, binding in s.vars.items()}
        gained = self._of_all(st, after.grants - s.grants, inner)
        kept = frozenset(g for g in s.grants if not g.top or g in after.grants)
        return evolve(s, grants=kept | gained, vars=names), exits

    def _of_all(self, st: For, gained: frozenset[Grant], s: Sight) -> frozenset[Grant]:
        """What has been opened of each that a loop runs over is open of all; if it may have left
        out some, it is open of none."""
        if len(st.gens) != 1 or st.gens[0].where:
            return frozenset()
        (gen,) = st.gens
        who = s.vars[gen.var.uid].who
        match gen.domain:
            case Apply(op="players" | "clockwise"):
                everyone: Viewer = EVERYBODY
            case Apply(op="others"):
                everyone = AllBut(self.reader.who(gen.domain.args[0], s))
            case Universe() | Const() | Apply(op="range"):
                everyone = EVERYBODY
            case _:
                return frozenset()
        if who == UNKNOWN or everyone == AllBut(UNKNOWN):
            return frozenset()
        made = (opened_of_all(g, who, everyone) for g in gained if self._whole(gen, g, who))
        return frozenset(g for g in made if g is not None)

    def _whole(self, gen: Gen, grant: Grant, who: Who) -> bool:
        """Does a loop over numbers or kinds run over all that an index can be?"""
        if isinstance(gen.var.type, t.Player):
            return True
        if who not in grant.cell:
            return False  # there may be nothing to run over
        number = grant.cell.index(who) - bool(grant.decl.owner)
        if number < 0:
            return bool(isinstance(gen.domain, Universe))
        index = grant.decl.indices[number]
        if isinstance(gen.domain, Universe):
            return bool(gen.domain.of == index)
        if not (applies(gen.domain, "range") and isinstance(index, t.Num)):
            return False
        ends = tuple(arg.value for arg in gen.domain.args if isinstance(arg, Const))
        return ends == (index.low, index.high)

    def loop(self, body: tuple[St, ...], s: Sight, name: str | None) -> Walked:
        """A body again and again: what stops it decides whether there is another pass."""
        after, exits = self.body(body, s)
        stops = label_of(exits, f"stop {name}", "return")
        if stops - s.pc:
            after, exits = self.body(body, evolve(s, pc=s.pc | stops))
        for way in (f"stop {name}", "skip"):
            if way in exits:
                after = after.meet(exits[way].sight)
        if f"stop {name}" in exits:  # what was opened of some was not opened of all
            after = evolve(after, grants=after.grants & s.grants)
        return after, {way: out for way, out in exits.items() if way not in (f"stop {name}", "skip")}

    def _repeat(self, st: Repeat, s: Sight) -> Walked:
        s = self.changed(self.writing.of(st.body), s, st.span)
        inner = evolve(s, pc=s.pc | self.reader.label(st.limit, s)) if st.limit is not None else s
        return s, self.loop(st.body, inner, st.label)[1]

    def _turns(self, st: Turns, s: Sight) -> Walked:
        start, where = (st.start, st.where)
        name, var = (st.label, st.var)
        s = self.changed(self.writing.of(st.body) | self.writing.of_statement(st), s, st.span)
        inner, token = s.fresh(var.uid)
        inner = evolve(inner.bind(var.uid, Binding(token)), me=token, active=token)
        picked = self.reader.labels((start, st.order), s) | self.reader.labels((where, st.then), inner)
        self.tells(st, evolve(inner, me=None), picked, SAY, "having a turn")
        inner = evolve(inner, pc=inner.pc | picked)
        player = (Local(t.PLAYER, st.span, var),)
        ways: list[Exits] = []
        for kind, event in (("turn", "turn"), ("scope", str(name))):
            inner, early = self.ahead(kind, event, player, inner)
            ways.append(early)
        after, exits = self.loop(st.body, inner, name)
        for kind, event in (("turn", "turn"), ("scope", str(name))):
            after, late = self.behind(kind, event, player, after)
            ways.append(late)
        exits = merged(exits, *ways)
        exits.pop(f"stop {name}", None)
        return s, exits

    def _rounds(self, st: Rounds, s: Sight) -> Walked:
        order, where, clock, tick = (st.order, st.where, st.clock, st.tick)
        name, var = (st.label, st.var)
        s = self.changed(self.writing.of(st.body), s, st.span)
        inner, token = s.fresh(var.uid)
        inner = evolve(inner.bind(var.uid, Binding(token)), me=token)
        picked = self.reader.labels((order, where), inner)
        self.tells(st, evolve(inner, me=None), picked, SAY, "being asked in it")
        label = picked | self.reader.labels((clock, tick), inner)
        _, exits = self.loop(st.body, evolve(inner, pc=inner.pc | label), name)
        expires = label_of(exits, f"expire {name}")
        exits.pop(f"expire {name}", None)
        after, more = self.branch(st.orelse, evolve(s, pc=s.pc | expires))
        return self.join(s, s, after), merged(exits, more)

    def _together(self, st: Together, s: Sight) -> Walked:
        s = self.changed(self.writing.of(st.body), s, st.span)
        label, inner = self.reader.generators((st.gen,), s)
        self.tells(st, evolve(inner, me=None), label, SAY, "being asked in it")
        who = inner.vars[st.gen.var.uid].who
        self.body(st.body, evolve(inner, me=who, pc=inner.pc | label, sealed=True))
        return s, {}

    def _as(self, st: As, s: Sight) -> Walked:
        inner, who = self.player(st.who, s)
        label = self.reader.label(st.who, s)
        after, exits = self.body(st.body, evolve(inner, me=who, pc=s.pc | label))
        return evolve(after, me=s.me, pc=after.pc if after.told else s.pc | (after.pc - label)), exits

    # ------------------------------------------------------------ leaving
    def _return(self, st: Return, s: Sight) -> Walked:
        self.result |= self.reader.label(st.value, s) | s.pc
        return s, {"return" if not s.told else "return told": Exit(s.pc, s)}

    def _stop(self, st: Stop, s: Sight) -> Walked:
        return s, {f"stop {st.label}": Exit(s.pc, s)}

    def _expire(self, st: Expire, s: Sight) -> Walked:
        return s, {f"expire {st.label}": Exit(s.pc, s), f"stop {st.label}": Exit(s.pc, s)}

    def _skip(self, st: Skip, s: Sight) -> Walked:
        return s, {"skip": Exit(s.pc, s)}

    def _cancel(self, st: Cancel, s: Sight) -> Walked:
        return s, {"cancel": Exit(s.pc, s)}

    def _finish(self, st: Finish, s: Sight) -> Walked:
        return s, {}


HANDLED: dict[type[St], Callable[[Any, Any, Sight], Walked]] = {
    Let: _Walker._let,
    Set: _Walker._set,
    Note: _Walker._note,
    Choose: _Walker._choose,
    Pick: _Walker._pick,
    Offer: _Walker._offer,
    May: _Walker._offer,
    If: _Walker._if,
    Draw: _Walker._draw,
    For: _Walker._for,
    Repeat: _Walker._repeat,
    Turns: _Walker._turns,
    Rounds: _Walker._rounds,
    Together: _Walker._together,
    As: _Walker._as,
    Return: _Walker._return,
    Stop: _Walker._stop,
    Expire: _Walker._expire,
    Skip: _Walker._skip,
    Cancel: _Walker._cancel,
    Finish: _Walker._finish,
    Show: _Walker._show,
    Reveal: _Walker._reveal,
    Peek: _Walker._peek,
    Roll: _Walker._roll,
    CallRule: _Walker._call,
    Move: _Walker.moved,
    MoveSet: _Walker.moved,
    MoveAll: _Walker.moved,
    MoveTokens: _Walker.moved,
    MoveCell: _Walker.moved,
    Swap: _Walker.moved,
    MoveOn: _Walker.moved,
    Shuffle: _Walker.moved,
    Nothing: _Walker._nothing,
    Require: _Walker._nothing,
    Atomic: _Walker._inside,
    InPhase: _Walker._inside,
}
"""What is done at each statement; at one that is not here the check is not complete."""


def opened_of_all(grant: Grant, who: Who, everyone: Viewer) -> Grant | None:
    """What was opened in a loop, of the one that it was at, for all that it runs over."""

    def mentions(v: Viewer) -> bool:
        return (v.who if isinstance(v, AllBut) else v) is not None and _base(v) == who.base

    if not any(mentions(v) for v in (*grant.cell, *grant.viewers)):
        return grant if everyone == EVERYBODY else None
    if any(mentions(v) and v != who for v in grant.cell) or grant.cell.count(who) > 1:
        return None
    if who not in grant.cell:  # the same thing, to one after the other
        viewers = frozenset(everyone if v == who else v for v in grant.viewers if v == who or not mentions(v))
        return evolve(grant, viewers=viewers)
    cell = tuple(everyone if v == who else v for v in grant.cell)
    if owner_of(grant.decl, grant.cell) != who:
        return evolve(grant, cell=cell, viewers=frozenset(v for v in grant.viewers if not mentions(v)))
    return evolve(grant, cell=cell, viewers=frozenset(_of_owner(v, who) for v in grant.viewers))


def _base(viewer: Viewer) -> str:
    who = viewer.who if isinstance(viewer, AllBut) else viewer
    return who.base if who is not None else ""


def _of_owner(viewer: Viewer, who: Who) -> Viewer:
    """A viewer as seen from whoever owns the thing."""
    if isinstance(viewer, Who):
        return Who(OWNER.base, viewer.steps - who.steps) if viewer.base == who.base else viewer
    if viewer.who is not None and viewer.who.base == who.base:
        return AllBut(Who(OWNER.base, viewer.who.steps - who.steps))
    return viewer


def _left(body: tuple[St, ...]) -> bool:
    """Does a branch certainly not come back?"""
    return bool(body) and isinstance(body[-1], Return | Stop | Skip | Finish | Cancel | Expire)
