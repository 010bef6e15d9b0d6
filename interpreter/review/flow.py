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

The walk is repeated until nothing new is found, which matters for rules that
call themselves and for decks in which somebody comes to know a card.
"""

from __future__ import annotations

from typing import Any

from attrs import evolve

from ...grammar import Report
from .. import types as t
from ..check_flow import statements
from ..core import CheckedGame, Ex, St, free_vars
from .secrets import EVERYBODY, NOTHING, Binding, Label, Sight, knowing
from .trees import TARGET, header_of, procedures
from .walk_calls import Calling
from .walks import Exits, Walked, merged

MOST_PASSES = 8


def information_flow(game: CheckedGame, report: Report) -> None:
    """Reports decisions that depend on what their player cannot see."""
    if not _has_secrets(game):
        return
    walker = _Walker(game)
    for _ in range(MOST_PASSES):
        before = (dict(walker.summaries), set(walker.reader.private_decks))
        walker.run()
        if before == (walker.summaries, walker.reader.private_decks):
            break
    for finding in walker.found.values():
        report.add(
            finding.code,
            finding.message,
            finding.span,
            help=finding.help,
            related=finding.related,
            severity="error" if finding.code == "D0401" else "warning",
        )


def _has_secrets(game: CheckedGame) -> bool:
    """Most small games hide nothing."""
    return (
        any(p.seen != "all" or p.size_seen != "all" for p in game.places.values())
        or any(s.seen != "all" for s in game.states.values())
        or any(
            st.op == "roll" and st.data[1] != "all"
            for rule in procedures(game)
            for st in statements(rule.body)
        )
    )


class _Walker(Calling):
    def run(self) -> None:
        self.done.clear()
        self.found.clear()
        self.reader.forget()
        s = Sight()
        for phase in self.game.phases:
            s = evolve(s, me=None, active=None, vars={}, pc=NOTHING, told=False)
            s, _ = self.ahead("scope", phase.name, (), s)
            s, _ = self.body(phase.body, s)
            s, _ = self.behind("scope", phase.name, (), s)

    # ------------------------------------------------------------ statements
    def statement(self, st: St, s: Sight) -> Walked:
        handler = getattr(self, f"_{st.op}", None)
        if handler is not None:
            out: Walked = handler(st, s)
            return out
        if st.op in TARGET or st.op in ("swap", "move_on"):
            return self.moved(st, s)
        return self.body(st.body, s)

    # ------------------------------------------------------------ names and values
    def _let(self, st: St, s: Sight) -> Walked:
        (value,) = st.args
        binding = self.reader.binding(value, s)
        hidden = [uid for uid in free_vars(value) if uid in s.vars and s.vars[uid].label]
        if len(hidden) == 1 and binding.label:
            without = s.bind(hidden[0], evolve(s.vars[hidden[0]], label=NOTHING))
            if not self.reader.label(value, without):
                binding = evolve(binding, of=hidden[0])
        return s.bind(st.data.uid, binding), {}

    def _set(self, st: St, s: Sight) -> Walked:
        target, value = st.args
        if target.op == "rec_field":
            return self.learn(value, frozenset((EVERYBODY,)), s), {}
        decl = target.data
        owner = self.reader.token(target.args[0], s) if decl.owner == "player" and target.args else None
        viewers = self.reader.audience(decl.seen, owner, s)
        for index in target.args:
            s = self.learn(index, viewers, s)
        return self.learn(value, viewers, s), {}

    def _note(self, st: St, s: Sight) -> Walked:
        for _, value in st.args:
            s = self.learn(value, frozenset((EVERYBODY,)), s)
        if st.data[1] is not None:
            s = s.bind(st.data[1].uid, Binding())
        return s, {}

    # ------------------------------------------------------------ deciding
    def _choose(self, st: St, s: Sight) -> Walked:
        label, after = self.reader.generators(st.data.gens, s)
        label |= self.reader.labels(st.data.distinct, after)
        self.decides(st, s, label)
        private = self.waiting.hides(st.data, None)
        me = frozenset((s.me,)) if s.me is not None else frozenset[str]()
        chosen = knowing(label, me) if private else NOTHING
        for gen in st.data.gens:
            after = after.bind(gen.var.uid, evolve(after.vars[gen.var.uid], label=chosen))
        after = self.asked(after)
        if not st.orelse:
            return after, {}
        other, exits = self.branch(st.orelse, s)
        if exits:
            return after, exits
        joined = self.join(s, after, other)
        return evolve(
            joined, vars={**joined.vars, **{g.var.uid: after.vars[g.var.uid] for g in st.data.gens}}
        ), {}

    def _pick(self, st: St, s: Sight) -> Walked:
        self.decides(st, s, self.reader.labels(st.args[:3], s))
        return self.moved(st, self.asked(s))

    def _offer(self, st: St, s: Sight) -> Walked:
        offering = st.data
        label = self.headers(st, s)
        self.decides(st, s, label)
        if offering.decline and not offering.always and not offering.able:
            self.tells(st, s, self.headers(st, s, possible=True))
        told = evolve(self.asked(s), told=False)
        ways: list[Walked] = []
        names = [(case.action, case.args, case.body) for case in offering.cases]
        names += [(action, offering.menu_args, ()) for action in self.game.menus.get(offering.menu, ())]
        for action, args, body in names:
            if action is not None:
                here, exits = self.offered(offering.menu, action, args, told)
            else:
                here, exits = self.body(body, told)
            here, more = self.body(st.body, here)
            ways.append((evolve(here, told=True), merged(exits, more)))
        if offering.decline or st.orelse:
            ways.append(self.branch(st.orelse, s))
        if not ways:
            return s, {}
        after = self.join(s, *(way for way, _ in ways))
        return after, merged(*(exits for _, exits in ways))

    _may = _offer

    def headers(self, st: St, s: Sight, *, possible: bool = False) -> Label:
        """What it depends on which cases are offered; `possible`: whether any is."""
        offering = st.data
        found = NOTHING
        for case in offering.cases:
            if case.action is not None:
                found |= self.reader.header(case.action, case.args, s, possible=possible)
            else:
                found |= self.reader.header_of(header_of(case.body), s, possible=possible)
        for action in self.game.menus.get(offering.menu, ()) if offering.menu else ():
            found |= self.reader.header(action, offering.menu_args, s, possible=possible)
        return found

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
        return evolve(s, pc=knowing(s.pc, frozenset((s.me,)))) if s.me is not None else s

    # ------------------------------------------------------------ branching and loops
    def _if(self, st: St, s: Sight) -> Walked:
        (condition,) = st.args
        inner = evolve(s, pc=s.pc | self.reader.label(condition, s))
        yes, left = self.branch(st.body, self.reader.narrowed(condition, inner))
        no, right = self.branch(st.orelse, inner)
        ways = [way for way, exits, body in ((yes, left, st.body), (no, right, st.orelse)) if not _left(body)]
        return self.join(s, *(ways or [yes, no])), merged(left, right)

    def _draw(self, st: St, s: Sight) -> Walked:
        """A draw with an `else` is also a question: was there enough?"""
        enough = self.reader.label(st.args[0], s) | self.reader.look(st.args[1], "size", s)
        s, exits = self.moved(st, s)
        if all(part.op == "nothing" for part in st.orelse):
            return s, exits
        inner = evolve(s, pc=s.pc | enough)
        short, more = self.branch(st.orelse, inner)
        ways = [inner] if _left(st.orelse) else [inner, short]
        return self.join(s, *ways), merged(exits, more)

    def _for(self, st: St, s: Sight) -> Walked:
        label, inner = self.reader.generators(st.args, s)
        inner = evolve(inner, pc=inner.pc | label)
        name, who = st.data
        if who is not None:
            inner = evolve(inner, me=self.reader.token(who, inner) or inner.fresh(f"?{who.span.start}"))
        after, exits = self.loop(st.body, inner, name)
        tokens = {after.vars[g.var.uid].token for g in st.args if g.var.uid in after.vars}
        gained = {
            evolve(g, owner=EVERYBODY) if g.owner is not None and g.owner in tokens else g
            for g in after.grants - s.grants
        }
        names = {uid: after.vars.get(uid, binding) for uid, binding in s.vars.items()}
        return evolve(s, grants=s.grants | gained, vars=names), exits

    def loop(self, body: tuple[St, ...], s: Sight, name: str | None) -> Walked:
        """A body again and again: what stops it decides whether there is another pass."""
        after, exits = self.body(body, s)
        stops = exits.get(f"stop {name}", NOTHING) | exits.get("return", NOTHING)
        if stops - s.pc:
            after, exits = self.body(body, evolve(s, pc=s.pc | stops))
        return after, {way: label for way, label in exits.items() if way not in (f"stop {name}", "skip")}

    def _repeat(self, st: St, s: Sight) -> Walked:
        inner = evolve(s, pc=s.pc | self.reader.label(st.args[0], s))
        return s, self.loop(st.body, inner, st.data)[1]

    def _turns(self, st: St, s: Sight) -> Walked:
        start, where = st.args
        name, var = st.data
        token = s.fresh(var.uid)
        inner = evolve(s.bind(var.uid, Binding(token)), me=token, active=token)
        inner = evolve(inner, pc=inner.pc | self.reader.label(start, s) | self.reader.label(where, inner))
        player = (Ex("local", t.PLAYER, st.span, data=var),)
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

    def _rounds(self, st: St, s: Sight) -> Walked:
        order, where, clock, tick = st.args
        name, var = st.data
        token = s.fresh(var.uid)
        inner = evolve(s.bind(var.uid, Binding(token)), me=token)
        label = self.reader.labels((order, where, clock, tick), inner)
        _, exits = self.loop(st.body, evolve(inner, pc=inner.pc | label), name)
        expires = exits.pop(f"expire {name}", NOTHING)
        after, more = self.branch(st.orelse, evolve(s, pc=s.pc | expires))
        return self.join(s, s, after), merged(exits, more)

    def _together(self, st: St, s: Sight) -> Walked:
        label, inner = self.reader.generators(st.args, s)
        token = inner.vars[st.args[0].var.uid].token
        inner = evolve(inner, me=token, pc=inner.pc | label, sealed=True)
        self.body(st.body, inner)
        return s, {}

    def _as(self, st: St, s: Sight) -> Walked:
        who = self.reader.token(st.args[0], s) or s.fresh(f"?{st.args[0].span.start}")
        label = self.reader.label(st.args[0], s)
        after, exits = self.body(st.body, evolve(s, me=who, pc=s.pc | label))
        return evolve(after, me=s.me, pc=after.pc if after.told else s.pc | (after.pc - label)), exits

    # ------------------------------------------------------------ leaving
    def _return(self, st: St, s: Sight) -> Walked:
        self.result |= self.reader.label(st.args[0], s) | s.pc
        return s, {"return" if not s.told else "return told": s.pc}

    def _stop(self, st: St, s: Sight) -> Walked:
        return s, {f"stop {st.data[0]}": s.pc}

    def _expire(self, st: St, s: Sight) -> Walked:
        return s, {f"expire {st.data}": s.pc, f"stop {st.data}": s.pc}

    def _skip(self, st: St, s: Sight) -> Walked:
        return s, {"skip": s.pc}

    def _cancel(self, st: St, s: Sight) -> Walked:
        return s, {"cancel": s.pc}

    def _finish(self, st: St, s: Sight) -> Walked:
        return s, {}


def _left(body: tuple[St, ...]) -> bool:
    """Does a branch certainly not come back?"""
    return bool(body) and body[-1].op in ("return", "stop", "skip", "finish", "cancel", "expire")
