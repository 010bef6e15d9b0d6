"""Checking statements: each syntax form to one or a few `St`s."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import evolve

from ...grammar import Span, Word, did_you_mean, syntax
from ..core import (
    Apply,
    As,
    Atomic,
    CallRule,
    Cancel,
    Const,
    Ex,
    Expire,
    Field,
    Finish,
    For,
    Gen,
    If,
    Let,
    Local,
    Note,
    Nothing,
    Option,
    PlaceRef,
    RecordField,
    Repeat,
    Require,
    Return,
    Rounds,
    Set,
    Skip,
    St,
    StateRef,
    Stop,
    Together,
    Var,
    applies,
    changed,
)
from ..core import value_types as t
from ..core.facts import ANYTHING
from .built_ins import BUILTINS
from .fitting import all_or_nobody, certain, in_slot
from .functions import FOREIGN_STATEMENTS, REDUCTIONS
from .part import Part, checks
from .scope import Body, Lost, Scope
from .wording import as_condition, brief, highest, lowest

if TYPE_CHECKING:
    from .context import Context


_LYING = frozenset(("cell", "tally", "nth", "top", "size"))  # what is said of things in places


class Statements(Part):
    """Suites, values, control."""

    def __init__(self, c: Context) -> None:
        super().__init__(c)
        self.outer_stops: list[tuple[Body, str, Span]] = []  # those that leave a rule

    # ------------------------------------------------------------ suites
    def suite(self, suite: syntax.Suite, scope: Scope) -> tuple[St, ...]:
        match suite:
            case syntax.Block(body=body):
                return self.block(body, scope)
            case syntax.Line(body=body) | syntax.Nested(body=body):
                return self.block((body,), scope)
        raise AssertionError(type(suite))

    def block(self, body: tuple[syntax.Stmt, ...], scope: Scope) -> tuple[St, ...]:
        return tuple(self._in_order(body, scope.child()))

    def _in_order(self, body: tuple[syntax.Stmt, ...], scope: Scope) -> list[St]:
        """Statements one after the other, each with what is known behind those before it."""
        out: list[St] = []
        for position, node in enumerate(body):
            made = self.stmt(node, scope)
            out += made
            if made and isinstance(made[0], CallRule) and made[0].var is not None:
                self._asked_at_once(body[position:])
            self.c.sure.behind(made, scope)
            if any(isinstance(st, Require) for st in made):
                condition = _require_of(node)
                if condition is not None:
                    scope.learn(self.c.sure.when(condition, True))
        return out

    def _asked_at_once(self, body: tuple[syntax.Stmt, ...]) -> None:
        if len(body) > 1 and isinstance(body[0], syntax.SimpleLine) and isinstance(body[1], syntax.IfElse):
            let = body[0].body
            if isinstance(let, syntax.Let) and body[0].cite is None:
                self.c.old.answered(let, body[1], body[2:])

    def stmt(self, node: syntax.Stmt, scope: Scope) -> list[St]:
        if isinstance(node, syntax.SimpleLine):
            return self.stmt(node.body, scope)
        made = self.c.forms[type(node)](node, scope)
        return made if isinstance(made, list) else [made]

    # ------------------------------------------------------------ names and values
    @checks(syntax.Let)
    def _let(self, node: syntax.Let, scope: Scope) -> list[St]:
        before = scope.child()
        made = self._named(node, scope)
        if node.otherwise is None:
            return [made]
        orelse = self.block((node.otherwise,), before)
        if not self._may_be_none(node, scope, "so `else` is never done"):
            return [made]
        return [made, self.unless_found(node.name, node.otherwise, orelse, scope)]

    def unless_found(self, name: Word, otherwise: syntax.Stmt, orelse: tuple[St, ...], scope: Scope) -> St:
        """The `else` of a name; behind one that leaves, the name is certain."""
        test = _is_there(scope.vars[name], name.span, "eq")
        if orelse and self.c.choices.never_goes_on(orelse[-1]):
            scope.learn([syntax.Name(name, span=name.span)])
        else:
            scope.lose(str(name), Lost(otherwise.span, "was found"))
        return If(otherwise.span, test, orelse)

    def _may_be_none(self, node: syntax.Let | syntax.IfLet, scope: Scope, so: str) -> bool:
        type_ = scope.vars[node.name].type
        if not isinstance(type_, t.Opt | t.Unknown):
            self.c.report.warn("D0410", f"`{brief(node.value.span)}` is never none, {so}", node.value.span)
        return isinstance(type_, t.Opt)

    def _named(self, node: syntax.Let | syntax.IfLet, scope: Scope) -> St:
        self.c.loops.fresh(scope, node.name)
        call = self.effect_call(node.value, scope)
        if call is not None:
            type_ = self._result(call)
            var = scope.bind(node.name, type_)
            self.c.index.binds(node.name, var)
            return changed(call, type=type_, var=var)
        if isinstance(node.value, syntax.Note):
            st = self.note(node.value.record, node.value.args, node.span, scope)
            var = scope.bind(node.name, t.Rec(str(node.value.record)))
            self.c.index.binds(node.name, var)
            return changed(st, var=var) if isinstance(st, Note) else st
        ex = self.c.printed.one(self.c.exprs.expr(node.value, scope))
        if isinstance(ex.type, t.Place) and ex.type.form.single:
            ex = self.c.fit.as_value(ex)  # a slot is what lies in it
        elif isinstance(ex.type, t.Place) and isinstance(ex, PlaceRef) and ex.place.cap is not None:
            ex = self.error(
                "D0314",
                f"`{brief(ex.span)}` has a limit, so it cannot have another name",
                node.value.span,
                related=self.c.paths.where(ex),
                help="name it where it is used",
            )
        var = scope.bind(node.name, ex.type)
        self.c.index.binds(node.name, var)
        return Let(node.span, var, ex)

    def _result(self, call: CallRule) -> t.Type:
        """The type of what a rule returns."""
        if call.type is not None:
            return call.type
        self.error(
            "D0319",
            f"`{call.rule}` returns no value",
            call.span,
            related=self.c.calls.where_declared(call.rule),
            help="add `-> type` to its header",
        )
        return t.UNKNOWN

    def effect_call(self, node: syntax.Expr, scope: Scope) -> CallRule | None:
        """The call of a rule that stands as the whole value of `let` or `set`."""
        if isinstance(node, syntax.Invoke) and isinstance(node.of, syntax.Name):
            name = node.of.text
            if name in self.c.names.signatures and name not in scope.vars:
                return self.call_rule(node, scope)
        return None

    @checks(syntax.Set)
    def _set(self, node: syntax.Set, scope: Scope) -> St | list[St]:
        target = self.target(node.target, scope)
        call = self.effect_call(node.value, scope)
        if call is not None or isinstance(node.value, syntax.Note):
            made: St
            if call is None:
                assert isinstance(node.value, syntax.Note)
                made = self.note(node.value.record, node.value.args, node.span, scope)
                type_: t.Type = t.Rec(str(node.value.record))
            else:
                made, type_ = call, call.type or t.UNKNOWN
            var = Var("value", f"value_{node.span.start}c", type_)
            if isinstance(made, Note | CallRule):
                made = changed(made, var=var)
            local = Local(type_, node.value.span, var)
            value = self.c.fit.expect(local, target.type, node.value.span, "the value")
            return [made, Set(node.span, target, value)]
        value = self.c.exprs.value(node.value, scope, target.type, "the value")
        return Set(node.span, target, value)

    def target(self, node: syntax.Expr, scope: Scope) -> Ex:
        ex = self.c.exprs.complete(self.c.exprs.raw(node, scope), node.span)
        if isinstance(ex, StateRef) and any(isinstance(a.type, t.Opt) and in_slot(a) for a in ex.indices):
            indices = tuple(certain(a) for a in ex.indices)
            ex = changed(ex, type=t.plain(ex.type), indices=indices)
        if isinstance(ex, StateRef) and any(isinstance(a.type, t.Opt) for a in ex.indices):
            doubtful = next(a for a in ex.indices if isinstance(a.type, t.Opt))
            shown = brief(doubtful.span)
            return self.error(
                "D0304",
                f"`{shown}` may be none, so there may be nothing to change",
                doubtful.span,
                help=f"test it first: `{shown} != none`",
            )
        if isinstance(ex, StateRef | RecordField) or isinstance(ex.type, t.Unknown):
            return ex
        if isinstance(ex, PlaceRef) or (isinstance(ex, Apply) and ex.op in _LYING):
            return self.error(
                "D0306",
                "what lies in a place is moved, not set",
                node.span,
                related=self.c.paths.where(ex),
                help="nothing is made or lost: `move ... from a to b`",
            )
        shown = brief(node.span)
        if isinstance(ex, Field):
            decl = ex.component
            help_line = f"what changes is declared under `each {decl.name} has:`"
            return self.error(
                "D0306",
                f"`{shown}` is printed and never changes",
                node.span,
                related=[(decl.span, "declared here")],
                help=help_line,
            )
        if isinstance(ex, Option):
            return self.error(
                "D0306", f"`{shown}` is an option: it is fixed before the game starts", node.span
            )
        what = (
            f"`{shown}` is the name of a value"
            if isinstance(ex, Local)
            else f"`{shown}` is not something that is kept"
        )
        return self.error("D0306", f"{what}; only a `state` can be set", node.span)

    @checks(syntax.Change)
    def _change(self, node: syntax.Change, scope: Scope) -> St:
        target = self.target(node.target, scope)
        by = self.c.exprs.number(node.by, scope, "the amount")
        if not isinstance(target.type, t.Num | t.Unknown):
            self.error(
                "D0301",
                f"`change` adds to a number, but this is {t.a(target.type)}",
                node.target.span,
                related=self.c.paths.where(target),
            )
            return Nothing(node.span)
        low, high = lowest(target.type) + lowest(by.type), highest(target.type) + highest(by.type)
        value = Apply(t.Num(low, high), node.span, "add", (target, by))
        return Set(node.span, target, value)

    @checks(syntax.NoteRow)
    def _note_row(self, node: syntax.NoteRow, scope: Scope) -> St:
        return self.note(node.record, node.args, node.span, scope)

    def note(self, record: Word, args: tuple[Any, ...], span: Span, scope: Scope) -> St:
        decl = self.game.records.get(record)
        if decl is None:
            self.error(
                "D0206",
                f"there is no record `{record}`",
                record.span,
                help=did_you_mean(record, self.game.records),
            )
            return Nothing(span)
        given: dict[str, Ex] = {}
        example = ", ".join(f"{name}: ..." for name in decl.fields)
        for arg in args:
            if not isinstance(arg, syntax.NamedArg):
                self.error(
                    "D0302",
                    "each field of a row is named",
                    arg.span,
                    help=f"write `note {record}({example})`",
                )
                return Nothing(span)
            if arg.name not in decl.fields:
                self.error(
                    "D0205",
                    f"{t.a(t.Rec(decl.name))} has no `{arg.name}`",
                    arg.name.span,
                    related=[(decl.span, "declared here")],
                    help=did_you_mean(arg.name, decl.fields),
                )
                return Nothing(span)
            indices, type_ = decl.fields[arg.name]
            wanted = t.Array(indices, type_) if indices else type_
            given[str(arg.name)] = self.c.exprs.value(arg.value, scope, wanted, f"`{arg.name}`")
        missing = [f"`{f}`" for f in decl.fields if f not in given]
        if missing:
            self.error(
                "D0302",
                f"the row lacks {' and '.join(missing)}",
                span,
                related=[(decl.span, "declared here")],
            )
        return Note(span, decl, tuple(given.items()))

    # ------------------------------------------------------------ control
    @checks(syntax.IfElse)
    def _if_else(self, node: syntax.IfElse, scope: Scope) -> list[St]:
        if isinstance(node.when, syntax.IfLet):
            return self._if_let(node, node.when, scope)
        called, condition = self._condition(node.when, scope)
        body = self.suite(node.then, scope.knowing(self.c.sure.when(node.when, True)))
        otherwise = self.c.sure.when(node.when, False)
        orelse = self._else_part(node, scope.knowing(otherwise))
        if body and not orelse and self.c.choices.never_goes_on(body[-1]):
            scope.learn(otherwise)
        return [*called, If(node.span, condition, body, orelse)]

    def _condition(self, node: syntax.Expr, scope: Scope) -> tuple[list[St], Ex]:
        """What an `if` asks: an expression, or a rule with a result, or `not` of it, which runs first."""
        match node:
            case syntax.Group(inner=inner):
                return self._condition(inner, scope)
            case syntax.NotExpr(of=of) if isinstance(_innermost(of), syntax.Invoke | syntax.NotExpr):
                called, answer = self._condition(of, scope)
                return called, Apply(t.YES_NO, node.span, "not", (answer,))
        call = self.effect_call(node, scope)
        if call is None:
            return [], self.c.exprs.condition(node, scope)
        type_ = self._result(call)
        var = Var("answer", f"answer_{node.span.start}c", type_)
        if not isinstance(type_, t.YesNo | t.Unknown):
            shown = as_condition(type_, "x")
            self.error(
                "D0313",
                f"a condition is yes or no, but `{call.rule}` returns {t.a(type_)}",
                node.span,
                help=f"name it: `let x = {brief(node.span)}`, then `if {shown}:`",
            )
            return [], Const(t.YES_NO, node.span, 1)
        return [changed(call, type=type_, var=var)], Local(type_, node.span, var)

    def _else_part(self, node: syntax.IfElse, scope: Scope) -> tuple[St, ...]:
        if isinstance(node.otherwise, syntax.IfElse):
            return tuple(self.stmt(node.otherwise, scope))
        return self.suite(node.otherwise, scope) if node.otherwise is not None else ()

    def _if_let(self, node: syntax.IfElse, let: syntax.IfLet, scope: Scope) -> list[St]:
        """Named first, then tested; known in the block alone."""
        inner, outer = scope.child(), scope.child()
        made = self._named(let, inner)
        inner.learn([syntax.Name(let.name, span=let.name.span)])
        only = f"`{let.name}` is known in the block of its `if` alone"
        outer.lose(str(let.name), Lost(let.span, "was found", only, "it is sought here"))
        test: Ex = Const(t.YES_NO, node.span, 1)
        if self._may_be_none(let, inner, "so the test always holds"):
            test = _is_there(inner.vars[let.name], let.value.span, "ne")
        body = self.suite(node.then, inner)
        orelse = self._else_part(node, outer)
        return [made, If(node.span, test, body, orelse)]

    @checks(syntax.ForLoop)
    def _for_loop(self, node: syntax.ForLoop, scope: Scope) -> St:
        inner = self.opened(scope, node.label)
        gens = self.c.loops.generators(node.binders, inner)
        if len(gens) == 1 and applies(gens[0].domain, "set") and len(gens[0].domain.args) == 1:
            self.c.old.one_pass(node, gens[0].domain.args[0].type)
        inner.wrote([ANYTHING])  # in the passes before
        conditions = self.c.loops.conjuncts(node.where, inner)
        if node.where is not None:
            inner.learn(self.c.sure.when(node.where, True))
        gens = _asked_each_time(self.c.loops.place_conditions(gens, conditions), conditions)
        who = None
        if node.as_player is not None:
            who = self.c.exprs.value(node.as_player, inner, t.PLAYER, "the player")
            inner = inner.as_player()
        body = self.suite(node.body, inner)
        return For(node.span, gens, label=node.label, who=who, body=body)

    @checks(syntax.Repeat)
    def _repeat(self, node: syntax.Repeat, scope: Scope) -> St:
        limit = self.c.exprs.number(node.limit, scope, "the limit") if node.limit is not None else None
        inner = self.opened(scope, node.label)
        return Repeat(node.span, limit, label=node.label, body=self.suite(node.body, inner))

    def opened(self, scope: Scope, label: Word | None) -> Scope:
        """The scope inside a loop, which may have a name."""
        if label is not None and label in scope.labels:
            self.error(
                "D0209",
                f"`{label}` is already open here, so `stop {label}` would be a riddle",
                label.span,
                help="choose another name",
            )
        inner = scope.inside(str(label) if label else None, "loop")
        inner.wrote([ANYTHING])  # in the passes before
        return inner

    @checks(syntax.Rounds)
    def _rounds(self, node: syntax.Rounds, scope: Scope) -> St:
        order = self.c.exprs.domain(node.order, scope, t.PLAYER)
        if not t.fits(self.c.fit.element(order), t.PLAYER):
            self.error("D0301", f"`rounds` runs over players, and this is {t.a(order.type)}", node.order.span)
        inner = self.opened(scope, node.label).as_player()
        if node.label:
            inner = inner.inside(f"expire {node.label}")
        var = self.c.loops.bind(inner, node.player, t.PLAYER)
        where = self.c.exprs.condition(node.where, inner) if node.where is not None else None
        clock = self.c.exprs.number(node.clock, scope, "the clock") if node.clock is not None else None
        tick = (
            self.c.exprs.value(node.tick, scope, t.Num(1, t.MANY), "the tick")
            if node.tick is not None
            else None
        )
        body = self.suite(node.body, inner)
        orelse = self.suite(node.otherwise, scope) if node.otherwise is not None else ()
        return Rounds(node.span, node.label, var, order, where, clock, tick, body, orelse)

    @checks(syntax.Together)
    def _together(self, node: syntax.Together, scope: Scope) -> St:
        if "together" in scope.flags:
            self.error(
                "D0316",
                "`together` cannot stand inside `together`",
                Span(node.span.source, node.span.start, node.span.start + 8),
            )
        who = self.c.exprs.domain(node.who, scope, t.PLAYER)
        if not t.fits(self.c.fit.element(who), t.PLAYER):
            self.error("D0301", f"`together` runs over players, and this is {t.a(who.type)}", node.who.span)
        inner = evolve(scope.inside(None, "together").as_player(), labels=())
        var = self.c.loops.bind(inner, node.player, t.PLAYER)
        where = self.c.exprs.condition(node.where, inner) if node.where is not None else None
        gen = Gen(var, who, (where,) if where is not None else ())
        body = self.suite(node.body, inner)
        return Together(node.span, gen, body)

    @checks(syntax.AsPlayer)
    def _as_player(self, node: syntax.AsPlayer, scope: Scope) -> St:
        who = self.c.exprs.value(node.player, scope, t.PLAYER, "the player")
        return As(node.span, who, self.suite(node.body, scope.as_player()))

    @checks(syntax.Atomic)
    def _atomic(self, node: syntax.Atomic, scope: Scope) -> St:
        inner = evolve(scope.inside(None, "atomic"), labels=())
        return Atomic(node.span, self.suite(node.body, inner))

    @checks(syntax.Step)
    def _step(self, node: syntax.Step, scope: Scope) -> list[St]:
        """A step is a name for a part of a rule; it has the scope of its block."""
        return self._inline_suite(node.body, scope)

    def _inline_suite(self, suite: syntax.Suite, scope: Scope) -> list[St]:
        body = suite.body if isinstance(suite, syntax.Block) else (suite.body,)  # type: ignore[attr-defined]
        return self._in_order(body, scope)

    @checks(syntax.Stop)
    def _stop(self, node: syntax.Stop, scope: Scope) -> St:
        if node.label not in scope.labels:
            if node.label not in self.c.names.labels:
                self.error(
                    "D0207",
                    f"there is no loop or phase `{node.label}`",
                    node.label.span,
                    help=did_you_mean(node.label, self.c.names.labels),
                )
                return Nothing(node.span)
            if scope.flags & {"together", "atomic"}:
                self.error("D0405", "`stop` may not leave `together` or `atomic`", node.span)
            self.outer_stops.append((scope.body, str(node.label), node.label.span))
            return Stop(node.span, str(node.label), False)
        return Stop(node.span, str(node.label), True)

    @checks(syntax.Expire)
    def _expire(self, node: syntax.Expire, scope: Scope) -> St:
        if f"expire {node.label}" not in scope.labels:
            open_here = [name.removeprefix("expire ") for name in scope.labels if name.startswith("expire ")]
            self.error(
                "D0207",
                f"`{node.label}` is not a `rounds` around this line",
                node.label.span,
                help=did_you_mean(node.label, open_here),
            )
            return Nothing(node.span)
        return Expire(node.span, str(node.label))

    @checks(syntax.Skip)
    def _skip(self, node: syntax.Skip, scope: Scope) -> St:
        if "loop" not in scope.flags and "together" not in scope.flags:
            self.error("D0316", "`skip` goes on with the next pass of a loop, but there is none", node.span)
        return Skip(node.span)

    @checks(syntax.Return)
    def _return(self, node: syntax.Return, scope: Scope) -> St:
        wanted = scope.body.returns
        if scope.flags & {"together"}:
            self.error("D0316", "`return` may not leave `together`", node.span, help="use `skip`")
        if node.value is None:
            if wanted is not None:
                self.error(
                    "D0319",
                    f"`{scope.body.name}` returns {t.a(wanted)}, so a value must stand here",
                    node.span,
                )
            return Return(node.span)
        if wanted is None:
            hint = "add `-> type` to its header" if scope.body.kind == "rule" else None
            self.error("D0319", f"`{scope.body.name}` returns no value", node.value.span, help=hint)
            return Return(node.span)
        return Return(node.span, self.c.exprs.value(node.value, scope, wanted, "the value"))

    @checks(syntax.Cancel)
    def _cancel(self, node: syntax.Cancel, scope: Scope) -> St:
        if scope.body.kind != "trigger-before":
            self.error("D0316", "`cancel` belongs in a trigger that runs `before` something", node.span)
        return Cancel(node.span)

    @checks(syntax.Finish)
    def _finish(self, node: syntax.Finish, scope: Scope) -> St:
        winners = self.c.fit.as_value(self.c.exprs.expr(node.winners, scope, t.SetOf(t.PLAYER)))
        if isinstance(winners.type, t.Player):
            winners = Apply(t.SetOf(t.PLAYER), winners.span, "set", (winners,))
        winners = self.c.fit.expect(winners, t.SetOf(t.PLAYER), node.winners.span)
        if self.game.together and not all_or_nobody(winners):
            self.error(
                "D0316",
                "all win or lose together in this game",
                node.winners.span,
                help="write `finish players` or `finish {}`",
            )
        return Finish(node.span, winners, str(node.because) if node.because else None)

    @checks(syntax.Nothing)
    def _nothing(self, node: syntax.Nothing, scope: Scope) -> St:
        return Nothing(node.span)

    @checks(syntax.Call)
    def _call(self, node: syntax.Call, scope: Scope) -> St:
        what = node.what
        name = what.of.text if isinstance(what, syntax.Invoke) and isinstance(what.of, syntax.Name) else None
        if name is not None and name in self.c.names.signatures:
            assert isinstance(what, syntax.Invoke)
            return self.call_rule(what, scope)
        if name is None:
            bare = what.text if isinstance(what, syntax.Name) else None
            hint = (
                "a statement starts with a word such as `set`, `move`, `choose`, or calls a rule: `name(...)`"
            )
            if bare in FOREIGN_STATEMENTS:
                hint = f"write {FOREIGN_STATEMENTS[str(bare)]}"
            if bare in self.c.names.signatures:
                hint = (
                    f"write `{bare}({'...' if self.c.names.param_types(str(bare)) else ''})` to call the rule"
                )
            self.error("D0316", f"`{brief(node.span)}` alone does nothing", node.span, help=hint)
        elif name in self.c.names.menus:
            self.error(
                "D0204",
                f"`{name}` is a menu, not a rule",
                name.span,
                help=f"write `offer {brief(node.span)}`",
            )
        elif name in self.c.names.all or name in BUILTINS or name in REDUCTIONS:
            self.error(
                "D0316", f"`{name}` gives a value and has no effect, so it does nothing here", node.span
            )
        else:
            self.error(
                "D0201",
                f"there is no rule `{name}`",
                name.span,
                help=did_you_mean(name, self.c.names.signatures),
            )
        return Nothing(node.span)

    def call_rule(self, node: syntax.Invoke, scope: Scope) -> CallRule:
        name, args = self.c.calls.callee(node, scope)
        assert name is not None
        args = self.c.calls.fit_args(name, args, node.span)
        scope.body.calls.append(scope.call(name, node.span))
        return CallRule(node.span, name, args, self.c.names.return_type(name))


def _innermost(node: syntax.Expr) -> syntax.Expr:
    return _innermost(node.inner) if isinstance(node, syntax.Group) else node


def _is_there(var: Var, span: Span, op: str) -> Ex:
    """`x != none`, or `x = none`."""
    return Apply(t.YES_NO, span, op, (Local(var.type, span, var), Const(t.NOTHING, span, -1)))


def _require_of(node: syntax.Stmt) -> syntax.Expr | None:
    if isinstance(node, syntax.SimpleLine):
        node = node.body
    return node.condition if isinstance(node, syntax.Require) else None


def _asked_each_time(gens: tuple[Gen, ...], conditions: list[Ex]) -> tuple[Gen, ...]:
    """The binders of a `for` whose body may change what the conditions read: each is asked when its
    turn comes. What is asked earlier too only spares passes: as long as it fails, nothing is done
    that could make it hold."""
    *outer, last = gens
    return (*outer, Gen(last.var, last.domain, tuple(conditions), last.cells))
