"""The Python back end, part 1: expressions.

An expression becomes either one Python expression or, where it needs loops, a
few lines in front of it and the name of their result. Lines are only ever
written where they are certain to run: the right side of `and`, for instance,
goes under an `if`. Definitions are inlined while they are small; loops over a
few constants are written out, so that their table look-ups become constants.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ...grammar import Span
from ..core import (
    And,
    Apply,
    Attribute,
    CallDefine,
    Can,
    CanMenu,
    Conditional,
    Const,
    DefineDecl,
    Ex,
    Field,
    InRange,
    Local,
    Lookup,
    Me,
    Near,
    Option,
    Or,
    PartitionOf,
    PlaceRef,
    Reduction,
    StateRef,
    Universe,
    Var,
    VectorCells,
    VectorStart,
    applies,
    changed,
    free_vars,
    operands,
)
from ..core import value_types as t
from ..core.value_types import is_mask
from ..program.layout import Layout
from .emitting import writes_value
from .geometry import GeometryEmitter

INLINE_SIZE = 70
INLINE_DEPTH = 5
_INFIX = {
    "add": "+", "sub": "-", "mul": "*", "div": "//", "mod": "%",
    "lt": "<", "le": "<=", "gt": ">", "ge": ">=",
}  # fmt: skip


def const_code(value: int) -> str:
    return str(value) if value >= 0 else f"({value})"


class Emitter(GeometryEmitter):
    def __init__(self, layout: Layout, pool: Any) -> None:
        self.layout = layout
        self.game = layout.game
        self.pool = pool  # constants, functions and spans of the module (generate.py)
        self.lines: list[str] = []
        self.indent = 1
        self.env: dict[str, str] = {}
        self.consts: dict[str, int] = {}  # variables whose value is known while emitting
        self.me: str | None = None
        self.temps = 0
        self.depth = 0
        self.hoisted: dict[Ex, str] = {}
        self.common: dict[str, str] = {}  # code already worked out on the way here
        self.unpacked: dict[str, list[str]] = {}  # lists of known length, element by element

    # ------------------------------------------------------------ writing lines
    def line(self, text: str) -> None:
        self.lines.append("    " * self.indent + text)

    @contextmanager
    def block(self, header: str) -> Iterator[None]:
        self.line(header)
        self.indent += 1
        before = len(self.lines)
        with self.knowing():
            yield
        if len(self.lines) == before:
            self.line("pass")
        self.indent -= 1

    @contextmanager
    def knowing(self) -> Iterator[None]:
        """What is named inside is forgotten behind it: there it need not have been worked out."""
        saved = self.common, self.hoisted
        self.common, self.hoisted = dict(saved[0]), dict(saved[1])
        yield
        self.common, self.hoisted = saved

    def forget(self, uid: str) -> None:
        """A variable gets another value: what was worked out with the old one is of no use."""
        stale = [ex for ex in self.hoisted if uid in free_vars(ex)]
        if stale:
            self.hoisted = {ex: name for ex, name in self.hoisted.items() if ex not in stale}

    def temp(self, prefix: str = "t") -> str:
        self.temps += 1
        return f"{prefix}{self.temps}"

    def name_of(self, var: Var) -> str:
        """A fresh Python name for a variable bound here."""
        self.temps += 1
        name = f"{var.name}_{self.temps}"
        self.env[var.uid] = name
        self.consts.pop(var.uid, None)
        self.forget(var.uid)
        return name

    def fail(self, code: str, span: Span, *values: str) -> str:
        extra = "".join(f", {v}" for v in values)
        return f"fail({code!r}, {self.pool.span(span)}{extra})"

    def atom(self, ex: Ex) -> str:
        """Code that may be repeated: a name or a number."""
        code = self.emit(ex)
        if code.isidentifier() or code.lstrip("-(").rstrip(")").isdigit():
            return code
        name = self.temp()
        self.line(f"{name} = {code}")
        return name

    # ------------------------------------------------------------ what is known
    def known(self, ex: Ex) -> int | None:
        """The value of an expression that is constant in this specialisation."""
        match ex:
            case Const():
                return int(ex.value)
            case Option():
                return self.layout.options[ex.name]
            case Apply(op="player_count"):
                return self.layout.players
            case Local():
                return self.consts.get(ex.var.uid)
            case Apply(op="players"):
                return (1 << self.layout.players) - 1
            case Universe() if is_mask(ex.of) and not isinstance(ex.of, t.Num):
                return (1 << self.layout.size(ex.of)) - 1
        if (isinstance(ex, Lookup) or applies(ex, "add", "sub", "mul", "div", "mod", "neg", "eq", "ne", "lt", "le", "gt", "ge", "not", "opposite", "seat", "player", "number", "abs", "min_of", "max_of")):  # fmt: skip
            values = [self.known(a) for a in ex.args]
            if all(v is not None for v in values):
                fixed = [Const(a.type, a.span, v or 0) for a, v in zip(ex.args, values, strict=True)]
                return self.layout.constants.try_evaluate(changed(ex, args=tuple(fixed)))
        if isinstance(ex, InRange):
            value = self.known(ex.of)
            return value if value is not None and ex.low <= value <= ex.high else None
        if applies(ex, "set") and isinstance(ex.type, t.SetOf) and is_mask(ex.type.of):
            values = [self.known(a) for a in ex.args]
            if all(v is not None and v >= 0 for v in values):
                mask = 0
                for v in values:
                    mask |= 1 << int(v or 0)
                return mask
        if isinstance(ex, And | Or):
            a, b = (self.known(x) for x in (ex.left, ex.right))
            if isinstance(ex, And) and (a == 0 or b == 0):
                return 0
            if isinstance(ex, Or) and (a == 1 or b == 1):
                return 1
        if isinstance(ex, Conditional):
            condition = self.known(ex.condition)
            if condition is not None:
                return self.known(ex.then if condition else ex.otherwise)
        return None

    def simple(self, ex: Ex) -> bool:
        """Can it be written as one Python expression, without lines in front?"""
        if self.known(ex) is not None or ex in self.hoisted:
            return True
        if isinstance(ex, Reduction):
            sets = self.two_sets(ex)
            if sets is not None:
                return all(self.simple(x) for x in sets[1:])
            gens = ex.gens
            return (
                len(gens) == 1
                and isinstance(gens[0].domain, Local)
                and gens[0].domain.var.uid in self.unpacked
                and (ex.kind in ("any", "every", "none") and ex.while_ is None and self.simple(ex.value))
            )
        if isinstance(ex, CallDefine):
            if not self.inlines(ex.define) or self.pool.tabled(ex.define) is not None:
                return all(self.simple(a) for a in ex.args)
            return all(self.repeatable(a) for a in ex.args) and self._simple_inside(ex.define.body)
        if (
            isinstance(ex, StateRef | Field)
            or applies(ex, "neighbour", "beside", "beyond")
            or (isinstance(ex, Attribute) and ex.name == "owner")
        ):
            return all(self.simple(a) for a in operands(ex)) and not (
                isinstance(ex, StateRef) and any(isinstance(a.type, t.Opt) for a in ex.indices)
            )
        if isinstance(ex, VectorCells | VectorStart) or applies(ex, "nth", "list_at"):
            return False
        if not all(self.repeatable(a) for a in self.repeated(ex)):
            return False
        return all(self.simple(a) for a in operands(ex))

    def _simple_inside(self, body: Ex) -> bool:
        """As `simple`, for the body of a definition, which knows nothing of what was hoisted outside."""
        saved, self.hoisted = self.hoisted, {}
        answer = self.simple(body)
        self.hoisted = saved
        return answer

    def repeated(self, ex: Ex) -> tuple[Ex, ...]:
        """The operands that the code of an expression names more than once."""
        maybe = any(isinstance(first.type, t.Opt) for first in operands(ex)[:1])
        match ex:
            case Apply(op="top" | "bottom" | "peek_need"):
                return ex.args[:1]
            case Apply(op="min_of" | "max_of"):
                return ex.args if len(ex.args) == 2 else ()
            case Apply(op="is_at" | "neighbour"):
                return ex.args[:1] if maybe else ()
            case Attribute(name="on" | "space" | "turned" | "owner"):
                return (ex.of,) if maybe else ()
            case Apply(op="in") if maybe and applies(ex.args[1], "set"):
                return ex.args[:1] if any(_optional(x) for x in ex.args[1].args) else ()
            case Apply(op="in") if maybe and (
                not isinstance(ex.args[1], Universe) and not applies(ex.args[1], "range", "players")
            ):
                return ex.args[:1]
            case Apply(op="size" | "empty" | "tally"):
                place = ex.args[0]
                many = (
                    place.place_type.of in self.game.tokens
                    and len(self.game.kinds[place.place_type.of].values) > 1
                )
                return (
                    ex.args[:1]
                    if place.place_type.form.hidden
                    or place.place_type.form.cells
                    or (many and not applies(ex, "tally"))
                    else ()
                )
            case Near() if self.known(ex.reach) is None:
                return (ex.of, ex.reach)
            case Apply(op="set" | "range"):
                return tuple(a for a in ex.args if applies(ex, "range") or isinstance(a.type, t.Opt))
        return ()

    def repeatable(self, ex: Ex) -> bool:
        """Is it written as a name or a number?"""
        fixed = isinstance(ex, Local | Me) or (
            isinstance(ex, PlaceRef) and all(self.known(a) is not None for a in ex.indices)
        )
        return fixed or ex in self.hoisted or self.known(ex) is not None

    def two_sets(self, comp: Reduction) -> tuple[str, Ex, Ex] | None:
        raise NotImplementedError

    def inlines(self, decl: DefineDecl) -> bool:
        return self.opens(decl) and not self.pool.remembers(decl)

    def opens(self, decl: DefineDecl) -> bool:
        """Is it small enough to be written out where it is called?"""
        return self.depth < INLINE_DEPTH and self.pool.weight(decl) <= INLINE_SIZE

    # ------------------------------------------------------------ entry point
    def emit(self, ex: Ex) -> str:
        fixed = self.known(ex)
        if fixed is not None:
            return const_code(fixed)
        if ex in self.hoisted:
            return self.hoisted[ex]
        if applies(ex, *_INFIX):
            a, b = (self.emit(x) for x in self.strict(ex.args))
            if applies(ex, "div") and _may_be_zero(ex.args[1].type):
                return f"divided({a}, {b}, {self.pool.span(ex.span)})"
            return f"({a} {_INFIX[ex.op]} {b})"
        handler: Callable[[Ex], str] = getattr(self, writes_value[ex].__name__)
        return handler(ex)

    def strict(self, args: tuple[Ex, ...]) -> tuple[Ex, ...]:
        return args

    def condition(self, ex: Ex) -> str:
        """As `emit`, without outer parentheses."""
        code = self.emit(ex)
        if code.startswith("(") and code.endswith(")") and _balanced(code[1:-1]):
            return code[1:-1]
        return code

    def negated(self, ex: Ex) -> str:
        opposite = {"eq": "!=", "ne": "==", "lt": ">=", "le": ">", "gt": "<=", "ge": "<"}
        if (
            applies(ex, *opposite)
            and not isinstance(ex.args[0].type, t.SetOf | t.ListOf)
            and ex not in self.hoisted
        ):
            a, b = (self.emit(x) for x in ex.args)
            return f"{a} {opposite[ex.op]} {b}"
        return f"not {self.emit(ex)}"

    # ------------------------------------------------------------ logic
    @writes_value(And)
    def x_and(self, ex: And) -> str:
        a, b = (ex.left, ex.right)
        if self.known(a) == 1:
            return self.emit(b)
        if self.simple(b):
            return f"({self.emit(a)} and {self.emit(b)})"
        name = self.temp()
        self.line(f"{name} = {self.condition(a)}")
        with self.block(f"if {name}:"):
            self.line(f"{name} = {self.condition(b)}")
        return name

    @writes_value(Or)
    def x_or(self, ex: Or) -> str:
        a, b = (ex.left, ex.right)
        if self.known(a) == 0:
            return self.emit(b)
        if self.simple(b):
            return f"({self.emit(a)} or {self.emit(b)})"
        name = self.temp()
        self.line(f"{name} = {self.condition(a)}")
        with self.block(f"if not {name}:"):
            self.line(f"{name} = {self.condition(b)}")
        return name

    @writes_value("not")
    def x_not(self, ex: Apply) -> str:
        return f"(not {self.emit(ex.args[0])})"

    @writes_value(Conditional)
    def x_if(self, ex: Conditional) -> str:
        condition, first, second = (ex.condition, ex.then, ex.otherwise)
        fixed = self.known(condition)
        if fixed is not None:
            return self.emit(first if fixed else second)
        for branch in (first, second):  # `x if x != {} else y`: x is worked out once
            if (
                isinstance(branch, CallDefine | Reduction)
                and branch in operands(condition)
                and not self.simple(branch)
            ):
                saved = self.hoisted
                name = self.temp("h")
                self.line(f"{name} = {self._same_shape(branch, branch.type)}")
                self.hoisted = {**saved, branch: name}
                code = self.x_if(ex)
                self.hoisted = saved
                return code
        if self.simple(first) and self.simple(second):
            test = self.emit(condition)  # with its parentheses: it may be an `if` itself
            return f"({self._arm(first, ex, 'yes')} if {test} else {self._arm(second, ex, 'no')})"
        name = self.temp()
        with self.block(f"if {self.condition(condition)}:"):
            self.line(f"{name} = {self._arm(first, ex, 'yes')}")
        with self.block("else:"):
            self.line(f"{name} = {self._arm(second, ex, 'no')}")
        return name

    def _arm(self, arm: Ex, whole: Ex, label: str) -> str:
        return self.counted("arm", arm.span, self._same_shape(arm, whole.type), label)

    def counted(self, kind: str, span: Span, code: str, label: str = "") -> str:
        """The code of a value, which in a covered engine is counted when it is worked out."""
        number = self.pool.site(kind, span, label)
        return code if number is None else f"(hit({number}) or ({code}))"

    def _same_shape(self, ex: Ex, wanted: t.Type) -> str:
        """A value of a set or list in the form that its type asks for."""
        if isinstance(wanted, t.SetOf) and isinstance(ex.type, t.SetOf):
            return self.set_value(ex, wanted.of)
        if isinstance(wanted, t.ListOf):
            return self.list_value(ex)
        return self.emit(ex)

    @writes_value("revealed")
    def x_revealed(self, ex: Apply) -> str:
        return self.emit(ex.args[0])

    @writes_value("neg")
    def x_neg(self, ex: Apply) -> str:
        return f"(-{self.emit(ex.args[0])})"

    @writes_value("abs")
    def x_abs(self, ex: Apply) -> str:
        return f"abs({self.emit(ex.args[0])})"

    @writes_value("min_of")
    def x_min_of(self, ex: Apply) -> str:
        return self._extreme("<", ex)

    @writes_value("max_of")
    def x_max_of(self, ex: Apply) -> str:
        return self._extreme(">", ex)

    def _extreme(self, op: str, ex: Apply) -> str:
        if len(ex.args) == 2:
            a, b = (self.atom(x) for x in ex.args)
            return f"({a} if {a} {op} {b} else {b})"
        name = "min" if op == "<" else "max"
        return f"{name}({', '.join(self.emit(a) for a in ex.args)})"

    @writes_value("eq")
    def x_eq(self, ex: Apply) -> str:
        return self._equal(ex, "==")

    @writes_value("ne")
    def x_ne(self, ex: Apply) -> str:
        return self._equal(ex, "!=")

    def _equal(self, ex: Apply, op: str) -> str:
        a, b = ex.args
        if isinstance(a.type, t.SetOf) and isinstance(b.type, t.SetOf):
            element = t.join(a.type.of, b.type.of) or a.type.of
            return f"({self.set_value(a, element)} {op} {self.set_value(b, element)})"
        if isinstance(a.type, t.ListOf):
            return f"({self.list_value(a)} {op} {self.list_value(b)})"
        return f"({self.emit(a)} {op} {self.emit(b)})"

    @writes_value("in")
    def x_in(self, ex: Apply) -> str:
        a, whole = ex.args
        maybe = isinstance(a.type, t.Opt) or (isinstance(a.type, t.Num) and a.type.low < 0)
        if applies(whole, "range"):
            low, high = whole.args
            return f"({self.emit(low)} <= {self.emit(a)} <= {self.emit(high)})"
        if applies(whole, "set"):
            if not whole.args:
                return "False"
            items = ", ".join(self.emit(x) for x in whole.args)
            if isinstance(a.type, t.Opt) and any(_optional(x) for x in whole.args):
                name = self.atom(a)
                return f"({name} != -1 and {name} in ({items},))"
            return f"({self.emit(a)} in ({items},))"
        if isinstance(whole, Universe):
            return f"({self.emit(a)} != -1)" if maybe else "True"
        if applies(whole, "players"):
            return f"({self.emit(a)} >= 0)"
        if isinstance(whole.type, t.SetOf) and is_mask(whole.type.of):
            mask = self.emit_mask(whole)
            if maybe:
                name = self.atom(a)
                return f"({name} >= 0 and {mask} >> {name} & 1)"
            return f"({mask} >> {self.emit(a)} & 1)"
        return f"({self.emit(a)} in {self.iterable(whole)})"

    # ------------------------------------------------------------ sets, by emit_sets.py
    def emit_mask(self, ex: Ex) -> str:
        raise NotImplementedError

    def set_value(self, ex: Ex, element: t.Type) -> str:
        raise NotImplementedError

    def list_value(self, ex: Ex) -> str:
        raise NotImplementedError

    def iterable(self, ex: Ex) -> str:
        raise NotImplementedError

    # ------------------------------------------------------------ names
    @writes_value(Local)
    def x_local(self, ex: Local) -> str:
        return self.env[ex.var.uid]

    @writes_value(Me)
    def x_me(self, ex: Me) -> str:
        assert self.me is not None
        return self.me

    @writes_value(Const)
    def x_const(self, ex: Const) -> str:
        return const_code(int(ex.value))

    @writes_value("active")
    def x_active(self, ex: Apply) -> str:
        return f"I[{self.layout.ACTIVE}]"

    @writes_value("turn_number")
    def x_turn_number(self, ex: Apply) -> str:
        return f"I[{self.layout.TURN}]"

    @writes_value("seat")
    def x_seat(self, ex: Apply) -> str:
        return f"({self.emit(ex.args[0])} + 1)"

    @writes_value("player")
    def x_player(self, ex: Apply) -> str:
        (number,) = ex.args
        code = self.emit(number)
        if not isinstance(number.type, t.Num) or number.type.high > self.layout.players:
            code = f"ranged({code}, 1, {self.layout.players}, {self.pool.span(ex.span)})"
        return f"({code} - 1)"

    @writes_value("number")
    def x_number(self, ex: Apply) -> str:
        return f"({self.emit(ex.args[0])} + 1)"

    @writes_value("left")
    def x_left(self, ex: Apply) -> str:
        n = self.layout.players
        who = self.emit(ex.args[0])
        return f"(1 - {who})" if n == 2 else f"(({who} + 1) % {n})"

    @writes_value("right")
    def x_right(self, ex: Apply) -> str:
        n = self.layout.players
        who = self.emit(ex.args[0])
        return f"(1 - {who})" if n == 2 else f"(({who} - 1) % {n})"

    @writes_value("others")
    def x_others(self, ex: Apply) -> str:
        n = self.layout.players
        table = tuple(((1 << n) - 1) & ~(1 << p) for p in range(n))
        return f"{self.pool.const('OTHERS', table)}[{self.condition(ex.args[0])}]"

    @writes_value("clockwise")
    def x_clockwise(self, ex: Apply) -> str:
        n = self.layout.players
        table = tuple(tuple((p + i) % n for i in range(n)) for p in range(n))
        return f"{self.pool.const('CLOCKWISE', table)}[{self.condition(ex.args[0])}]"

    @writes_value(PartitionOf)
    def x_partition(self, ex: PartitionOf) -> str:
        groups = self.layout.groups[ex.partition.name]
        table = tuple(sum(1 << q for q, g in enumerate(groups) if g == groups[p]) for p in range(len(groups)))
        return f"{self.pool.const('GROUP', table)}[{self.condition(ex.player)}]"

    @writes_value("some")
    def x_some(self, ex: Apply) -> str:
        return f"some({self.emit(ex.args[0])}, {self.pool.span(ex.span)})"

    @writes_value(InRange)
    def x_in_range(self, ex: InRange) -> str:
        low, high = (ex.low, ex.high)
        check = "ranged_or_none" if isinstance(ex.type, t.Opt) else "ranged"
        code = self.condition(ex.of)
        if applies(ex.of, "add", "sub") and check == "ranged":  # mostly inside: tested in place
            name = self.temp("w")
            return f"({name} if {low} <= ({name} := {code}) <= {high} else ranged({name}, {low}, {high}, {self.pool.span(ex.span)}))"
        return f"{check}({code}, {low}, {high}, {self.pool.span(ex.span)})"

    @writes_value("tuple_append")
    def x_tuple_append(self, ex: Apply) -> str:
        return f"({self.emit(ex.args[0])} + ({self.emit(ex.args[1])},))"

    # ------------------------------------------------------------ calls
    @contextmanager
    def inlined(self, ex: CallDefine) -> Iterator[Ex]:
        """Bind the parameters of a definition to the arguments and give its body."""
        decl = ex.define
        codes: dict[str, str] = {}
        fixed: dict[str, int] = {}
        for param, arg in zip(decl.params, ex.args, strict=True):
            value = self.known(arg)
            if value is not None:
                fixed[param.uid] = value
                codes[param.uid] = const_code(value)
            elif isinstance(param.type, t.SetOf):
                code = self.set_value(arg, param.type.of)
                if not code.isidentifier():
                    name = self.temp(f"{param.name}_")
                    self.line(f"{name} = {code}")
                    code = name
                codes[param.uid] = code
            else:
                codes[param.uid] = self.atom(arg)
        saved_env, saved_consts, saved_hoisted = dict(self.env), dict(self.consts), self.hoisted
        self.env.update(codes)
        for uid in codes:
            self.consts.pop(uid, None)
        self.consts.update(fixed)
        self.hoisted = {}
        self.depth += 1
        yield decl.body
        self.depth -= 1
        self.env, self.consts, self.hoisted = saved_env, saved_consts, saved_hoisted

    @writes_value(CallDefine)
    def x_call(self, ex: CallDefine) -> str:
        decl: DefineDecl = ex.define
        table = self.pool.tabled(decl)
        if table is not None:
            return f"{table}[{self._linear(ex.args, tuple(p.type for p in decl.params))}]"
        if self.inlines(decl):
            with self.inlined(ex) as body:
                if isinstance(decl.type, t.SetOf | t.ListOf):
                    return self.counted("run", decl.span, self._same_shape(body, decl.type))
                return self.counted("run", decl.span, self.emit(body))
        args = [self._same_shape(a, p.type) for a, p in zip(ex.args, decl.params, strict=True)]
        if decl.uses_me:
            assert self.me is not None
            args.insert(0, self.me)
        memory = self.pool.memory(decl)
        if memory is not None:
            return f"{memory}[{', '.join(args) or '()'}]"
        return f"{self.pool.function(decl)}({', '.join(['S', 'I', 'L', *args])})"

    @writes_value(Lookup)
    def x_table(self, ex: Lookup) -> str:
        table = self.pool.table(ex.table)
        index = self._linear(ex.args, tuple(p.type for p in ex.table.params))
        return f"{table}[{index}]"

    def _linear(self, args: tuple[Ex, ...], types: tuple[t.Type, ...]) -> str:
        offset, parts, stride = 0, [], 1
        for arg, type_ in zip(reversed(args), reversed(types), strict=True):
            low = self.layout.low(type_)
            value = self.known(arg)
            if value is not None:
                offset += (value - low) * stride
            else:
                code = self.emit(arg)
                parts.append(code if stride == 1 else f"{code} * {stride}")
                offset -= low * stride
            stride *= self.layout.size(type_)
        parts.reverse()
        if offset or not parts:
            parts.append(str(offset))
        return " + ".join(parts).replace("+ -", "- ")

    @writes_value(Can)
    def x_can(self, ex: Can) -> str:
        args = "".join(f", {self.emit(a)}" for a in ex.args)
        return f"{self.pool.can(ex.action)}(S, I, L, {self.me}{args})"

    @writes_value(CanMenu)
    def x_can_menu(self, ex: CanMenu) -> str:
        args = "".join(f", {self.emit(a)}" for a in ex.args)
        parts = [f"{self.pool.can(name)}(S, I, L, {self.me}{args})" for name in self.game.menus[ex.menu]]
        return f"({' or '.join(parts)})"


def _optional(ex: Ex) -> bool:
    return isinstance(ex.type, t.Opt | t.Nothing)


def _may_be_zero(type_: t.Type) -> bool:
    return not isinstance(type_, t.Num) or type_.low <= 0 <= type_.high


def _balanced(code: str) -> bool:
    depth = 0
    for ch in code:
        if ch == "(":
            depth += 1
        elif ch == ")":
            depth -= 1
            if depth < 0:
                return False
    return True
