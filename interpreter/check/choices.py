"""Checking statements that ask: `choose`, `pick`, `offer`, `may`, windows, `require`."""

from __future__ import annotations

from typing import Any

from ...grammar import Span, Word, did_you_mean, syntax
from ..core import (
    Apply,
    CallRule,
    Case,
    Choice,
    Choose,
    Conditional,
    Const,
    Ex,
    For,
    Gen,
    Guard,
    Let,
    Local,
    May,
    MoveAll,
    MoveSet,
    Nothing,
    Offer,
    Offering,
    Pick,
    Reduction,
    Require,
    St,
    Var,
    bound_by,
    children,
    free_vars,
)
from ..core import value_types as t
from ..core.facts import LEAVES
from .part import Part, checks
from .scope import Lost, Scope
from .wording import brief


class Choices(Part):
    """Statements at which somebody decides."""

    @checks(syntax.Choose)
    def _choose(self, node: syntax.Choose, scope: Scope) -> St:
        clauses = [syntax.WhereLine(w.condition, w.because, span=w.span) for w in node.where]
        return self.choose(node.prompt, node.binders, tuple(clauses), node.otherwise, node.span, scope)

    @checks(syntax.ChooseBlock)
    def _choose_block(self, node: syntax.ChooseBlock, scope: Scope) -> St:
        return self.choose(node.prompt, node.binders, node.clauses, node.otherwise, node.span, scope)

    @checks(syntax.MayChoose)
    def _may_choose(self, node: syntax.MayChoose, scope: Scope) -> St:
        return self._declinable(node, None, node.otherwise, scope)

    @checks(syntax.MayChooseBlock)
    def _may_choose_block(self, node: syntax.MayChooseBlock, scope: Scope) -> St:
        return self._declinable(node, node.body, node.otherwise, scope)

    def _declinable(
        self,
        node: syntax.MayChoose | syntax.MayChooseBlock,
        body: syntax.Suite | None,
        otherwise: syntax.Stmt | syntax.Suite | None,
        scope: Scope,
    ) -> St:
        """`may choose c in my.hand: ...`: the first question has "no" as one more answer."""
        first = node.binders[0]
        if not isinstance(first, syntax.Binder):
            several = isinstance(first, syntax.SetBinder)
            self.error(
                "D0316",
                "what can be declined begins with one value",
                first.span,
                help="a set can be empty: `choose 0..all`"
                if several
                else 'say `may "words":`, and choose in it',
            )
        clauses = [syntax.WhereLine(w.condition, w.because, span=w.span) for w in node.where]
        made = self.choose(node.prompt, node.binders, tuple(clauses), otherwise, node.span, scope, body, True)
        assert isinstance(made, Choose)
        made.choice.decline = True
        _ask(made.choice, node.asking)
        return made

    def choose(
        self,
        prompt: Word | None,
        binders: tuple[Any, ...],
        clauses: tuple[Any, ...],
        otherwise: syntax.Stmt | syntax.Suite | None,
        span: Span,
        scope: Scope,
        body: syntax.Suite | None = None,
        may: bool = False,
    ) -> St:
        self.c.paths.me(scope, span)
        before = scope.child()
        gens = self.c.loops.generators(binders, scope, vectors=True)
        several = any(isinstance(binder, syntax.SetBinder) for binder in binders)
        guards: list[Guard] = []
        distinct: tuple[Ex, ...] = ()
        alike: list[str] = []
        inner = scope
        conditions: list[Ex] = []
        facts: frozenset[Any] = frozenset()
        for clause in clauses:
            if isinstance(clause, syntax.WhereLine):
                parts = [
                    for_every_cell(part, gens) for part in self.c.loops.conjuncts(clause.condition, inner)
                ]
                inner = inner.knowing(self.c.sure.when(clause.condition, True))
                conditions += parts
                because = str(clause.because) if clause.because is not None else None
                guards += [Guard(p, because, clause.condition.span) for p in parts]
                facts |= self.c.sure.when(clause.condition, True)
            elif isinstance(clause, syntax.DistinctLine):
                if several:
                    self.error(
                        "D0316",
                        "of a set each sort is offered once as it is",
                        clause.span,
                        help="leave out `distinct by`",
                    )
                distinct = tuple(self.c.fit.as_value(self.c.exprs.expr(e, inner)) for e in clause.by)
            else:
                alike.append(str(clause.name))
                heaps = [
                    binder.cells[0].name for binder in binders if isinstance(binder, syntax.VectorBinder)
                ]
                if clause.name not in heaps:
                    self.error(
                        "D0201",
                        f"`{clause.name}` is not the first index of a vector here",
                        clause.name.span,
                        help=did_you_mean(clause.name, heaps),
                    )
        gens = self.c.loops.place_conditions(gens, conditions)
        for gen in gens:
            if gen.cells and gen.cells[0][0].name in alike:
                self._really_alike(gen, conditions)
        cell_names = {var.name for gen in gens for var, _ in gen.cells}
        for name in cell_names:
            scope.vars.pop(name, None)
        done = self.c.stmts.suite(body, scope.knowing(facts)) if body is not None else ()
        orelse: tuple[St, ...] = ()
        if isinstance(otherwise, syntax.Suite):
            orelse = self.c.stmts.suite(otherwise, before)
        elif otherwise is not None:
            orelse = self.c.stmts.block((otherwise,), before)
        if (otherwise is None and not may) or (orelse and self.never_goes_on(orelse[-1])):
            scope.learn(facts)
        else:  # behind it nothing need have been chosen
            for gen in gens:
                scope.lose(gen.var.name, Lost(otherwise.span if otherwise is not None else span))
        choice = Choice(str(prompt) if prompt else None, gens, tuple(guards), distinct, tuple(alike))
        return Choose(span, choice, done, orelse)

    def never_goes_on(self, st: St) -> bool:
        return isinstance(st, LEAVES) or (isinstance(st, CallRule) and st.rule in self.c.ending_rules)

    def _really_alike(self, gen: Gen, conditions: list[Ex]) -> None:
        """Heaps of which one order will do must not be told apart by what is said about them."""
        heap = gen.cells[0][0]
        for ex in (gen.domain, *(domain for _, domain in gen.cells[1:]), *conditions):
            if _tells_apart(ex, gen.var, heap):
                self.error(
                    "D0316",
                    f"this tells the heaps apart, so `{heap.name}` is not alike",
                    ex.span,
                    help=f"leave out `alike {heap.name}`",
                )
                return

    @checks(syntax.Pick)
    def _pick(self, node: syntax.Pick, scope: Scope) -> St | list[St]:
        self.c.paths.me(scope, node.span)
        source, place = self.c.exprs.expr(node.source, scope), self.c.exprs.expr(node.dest, scope)
        for ex in (source, place):
            if not isinstance(ex.type, t.Place):
                if not isinstance(ex.type, t.Unknown):
                    self.error("D0314", f"this is {t.a(ex.type)}, not a place", ex.span)
                return Nothing(node.span)
            if (ex.type.of in self.game.tokens and not ex.type.form.loose) or ex.type.form.spaces:
                self.error(
                    "D0314",
                    f"`pick` takes from a place to another, and this is {t.a(ex.type)}",
                    ex.span,
                    related=self.c.paths.where(ex),
                )
                return Nothing(node.span)
        assert isinstance(source.type, t.Place) and isinstance(place.type, t.Place)
        if source.type.of != place.type.of:
            self.error(
                "D0314",
                f"`{brief(place.span)}` holds {place.type.of}, not {source.type.of}",
                place.span,
                related=self.c.paths.where(place),
            )
            return Nothing(node.span)
        if source.type.of not in self.game.tokens:
            return self._picked(node, place, scope)
        size = Apply(t.Num(0, t.MANY), node.span, "size", (source,))
        if isinstance(node.amount, syntax.RangeExpr):
            low = self.c.exprs.number(node.amount.left, scope)
            whole = isinstance(node.amount.right, syntax.Everything)
            high = size if whole else self.c.exprs.number(node.amount.right, scope)
        elif isinstance(node.amount, syntax.Everything):
            low = high = size
        else:
            low = high = self.c.exprs.number(node.amount, scope)
        return Pick(node.span, low, high, source, place)

    def _picked(self, node: syntax.Pick, place: Ex, scope: Scope) -> list[St]:
        """`pick 3 from my.hand to my.passing`: a set of components is chosen, then moved."""
        name = Word("picked", node.amount.span)
        amount: syntax.Expr | syntax.AmountRange = node.amount
        if isinstance(amount, syntax.RangeExpr):
            amount = syntax.AmountRange(amount.left, amount.right, span=amount.span)
        elif isinstance(amount, syntax.Everything):
            return [MoveAll(node.span, self.c.exprs.expr(node.source, scope), place)]
        binder = syntax.SetBinder(amount, name, node.source, span=node.span)
        gen = self.c.loops.several(binder, scope.child())
        things = Local(gen.var.type, node.span, gen.var)
        choice = Choice(None, (gen,), (), pick=True)
        return [Choose(node.span, choice), MoveSet(node.span, things, place)]

    @checks(syntax.Offer)
    def _offer(self, node: syntax.Offer, scope: Scope) -> St:
        offering = self.menu_offer(node.menu, scope, node.span)
        orelse = self.c.stmts.block((node.otherwise,), scope) if node.otherwise is not None else ()
        return Offer(node.span, offering, orelse)

    def menu_offer(
        self, node: syntax.Expr, scope: Scope, span: Span, decline: bool = False, given: Scope | None = None
    ) -> Offering:
        """The actions of a menu, or one action, as cases; `given` is where the arguments are written."""
        self.c.paths.me(scope, span)
        name, args = self.c.calls.callee(node, given or scope)
        if name is not None and name in self.c.names.menus:
            args = self.c.calls.fit_args(name, args, node.span)
            scope.body.calls.append(scope.call(f"menu {name}", span))
            return Offering(None, [], name, args, decline)
        if name is not None and name in self.c.names.action_names():
            args = self.c.calls.fit_args(name, args, node.span)
            case = Case(name, name.replace("_", " "), span, name, args)
            scope.body.calls.append(scope.call(name, span))
            return Offering(None, [case], None, (), decline)
        known = [*self.c.names.menus, *self.c.names.action_names()]
        self.error(
            "D0204",
            f"`{name or brief(node.span)}` is not an action or a menu",
            node.span,
            related=self.c.calls.where_declared(name or ""),
            help=did_you_mean(name or "", known)
            or ("declare it with `action` to offer it" if name in self.c.names.signatures else None),
        )
        return Offering(None, [], None, (), decline)

    @checks(syntax.OfferCases)
    def _offer_cases(self, node: syntax.OfferCases, scope: Scope) -> St:
        self.c.paths.me(scope, node.span)
        cases = []
        for case in node.cases:
            body = self.c.stmts.suite(case.body, scope)
            cases.append(Case(str(case.words), str(case.words), case.span, body=body))
        first: dict[str, Span] = {}
        for words in (case.words for case in node.cases):
            if words in first:
                self.error(
                    "D0202", "this case is there twice", words.span, related=[(first[words], "first here")]
                )
            first.setdefault(str(words), words.span)
        orelse = self.c.stmts.suite(node.otherwise, scope) if node.otherwise is not None else ()
        prompt = str(node.prompt) if node.prompt is not None else None
        return Offer(node.span, Offering(prompt, cases), orelse)

    @checks(syntax.May)
    def _may(self, node: syntax.May, scope: Scope) -> St:
        offering = self.menu_offer(node.what, scope, node.span, decline=True)
        _ask(offering, node.asking)
        orelse = self.c.stmts.block((node.otherwise,), scope) if node.otherwise is not None else ()
        return May(node.span, offering, orelse=orelse)

    @checks(syntax.MayBlock)
    def _may_block(self, node: syntax.MayBlock, scope: Scope) -> St:
        orelse = self.c.stmts.suite(node.otherwise, scope) if node.otherwise is not None else ()
        if isinstance(node.what, syntax.Node):
            offering = self.menu_offer(node.what, scope, node.span, decline=True)
            _ask(offering, node.asking)
            return May(node.span, offering, self.c.stmts.suite(node.body, scope), orelse)
        self.c.paths.me(scope, node.span)
        words = str(node.what)
        if words == "no":
            self.error(
                "D0202",
                "every `may` has an answer `no`, so nothing else can be called so",
                node.what.span,
                help="say what is done",
            )
        case = Case(words, words, node.span, body=self.c.stmts.suite(node.body, scope))
        offering = Offering(None, [case], decline=True)
        _ask(offering, node.asking)
        return May(node.span, offering, orelse=orelse)

    @checks(syntax.Window)
    def _window(self, node: syntax.Window, scope: Scope) -> list[St]:
        """`me` in the arguments is who opens the window, so they are worked out before anybody is asked."""
        inner = scope.as_player()
        start = (
            self.c.exprs.value(node.start, scope, t.PLAYER)
            if node.start is not None
            else self._whose_turn(node.span)
        )
        offering = self.menu_offer(node.menu, inner, node.span, decline=True, given=scope)
        lets: list[St] = []
        if offering.menu is not None:
            offering.menu_args = self._held(offering.menu_args, lets)
        for case in offering.cases:
            case.args = self._held(case.args, lets)
        _ask(offering, node.asking)
        offering.window = True
        order = Apply(t.ListOf(t.PLAYER), node.span, "clockwise", (start,))
        var = Var("asked", f"asked_{node.span.start}c", t.PLAYER)
        ask = May(node.span, offering)
        who = Local(t.PLAYER, node.span, var)
        return [*lets, For(node.span, (Gen(var, order),), who=who, body=(ask,))]

    def _whose_turn(self, span: Span) -> Ex:
        """`active`, or the first player where it is nobody's turn."""
        active = Apply(t.Opt(t.PLAYER), span, "active")
        nobody = Apply(t.YES_NO, span, "eq", (active, Const(t.NOTHING, span, -1)))
        somebody = Apply(t.PLAYER, span, "some", (active,))
        return Conditional(t.PLAYER, span, nobody, Const(t.PLAYER, span, 0), somebody)

    def _held(self, args: tuple[Ex, ...], lets: list[St]) -> tuple[Ex, ...]:
        """Arguments by the value they have here."""
        out = []
        for arg in args:
            if not isinstance(arg, Local | Const):
                var = Var("given", f"given_{arg.span.start}c", arg.type)
                lets.append(Let(arg.span, var, arg))
                arg = Local(arg.type, arg.span, var)
            out.append(arg)
        return tuple(out)

    @checks(syntax.Require)
    def _require(self, node: syntax.Require, scope: Scope) -> St:
        condition = self.c.exprs.condition(node.condition, scope)
        because = str(node.because) if node.because is not None else None
        return Require(node.span, condition, because)


def _ask(offering: Offering | Choice, asking: syntax.Asking | None) -> None:
    """Is somebody asked who can do nothing?"""
    offering.always = isinstance(asking, syntax.AskAlways)
    offering.able = isinstance(asking, syntax.AskWhenAble)


def for_every_cell(condition: Ex, gens: tuple[Gen, ...]) -> Ex:
    """A condition that names the index of a vector is meant for every cell. Where it also names a
    binder behind the vector, that has to be said."""
    needs = free_vars(condition)
    last = max((n for n, gen in enumerate(gens) if needs & bound_by(gen)), default=0)
    indices = [
        Gen(var, domain)
        for gen in gens[:last]
        for var, domain in gen.cells
        if needs & {v.uid for v, _ in gen.cells}
    ]
    if not indices:
        return condition
    return Reduction(t.YES_NO, condition.span, "every", tuple(indices), condition)


def _tells_apart(ex: Ex, vector: Var, heap: Var) -> bool:
    """Does an expression depend on which heap it is? Only cells of the vector itself may be named by it."""
    indices: list[Ex] = []
    root = ex
    while isinstance(root, Apply) and root.op == "array_at":
        indices.insert(0, root.args[1])
        root = root.args[0]
    if indices and isinstance(root, Local) and root.var == vector:
        first, *others = indices
        return not isinstance(first, Local) or any(_tells_apart(i, vector, heap) for i in others)
    if isinstance(ex, Local):
        return ex.var == heap
    return any(_tells_apart(part, vector, heap) for part in children(ex))
