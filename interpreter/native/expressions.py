"""Native code: arithmetic, logic, names, tables and calls."""

from __future__ import annotations

from ..core import (
    And,
    Apply,
    CallDefine,
    Can,
    CanMenu,
    Conditional,
    Const,
    Ex,
    InRange,
    Local,
    Lookup,
    Me,
    Option,
    Or,
    PartitionOf,
    Reduction,
    Universe,
    applies,
    changed,
)
from ..core import value_types as t
from ..core.value_types import is_mask
from ..program.representations import Bits, Listed, Representation, Vector
from .builder import Value
from .code import LARGE, NONE, RANGE, ZERO, Code, Unsupported, gives, llvm_type, tells

_FOLDED = (
    "add", "sub", "mul", "div", "mod", "neg", "eq", "ne", "lt", "le", "gt", "ge", "not",
    "opposite", "seat", "player", "number", "abs", "min_of", "max_of",
)  # fmt: skip
_ARITHMETIC = {"add": "add", "sub": "sub"}
_ORDER = {"lt": "slt", "le": "sle", "gt": "sgt", "ge": "sge"}
_SAFE = 1 << 31
QUANTIFIERS = ("any", "every", "none")


class ExpressionCode(Code):
    # ------------------------------------------------------------ what is known
    def known(self, ex: Ex) -> int | None:
        """The value of an expression that is constant for this number of players and these options."""
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
            case InRange():
                value = self.known(ex.of)
                return value if value is not None and ex.low <= value <= ex.high else None
            case And() | Or():
                a, b = self.known(ex.left), self.known(ex.right)
                if isinstance(ex, And):
                    return 0 if a == 0 or b == 0 else 1 if a == 1 and b == 1 else None
                return 1 if a == 1 or b == 1 else 0 if a == 0 and b == 0 else None
            case Conditional():
                condition = self.known(ex.condition)
                return None if condition is None else self.known(ex.then if condition else ex.otherwise)
        if isinstance(ex, Lookup) or applies(ex, *_FOLDED):
            if any(isinstance(a.type, t.SetOf | t.ListOf | t.Array) for a in ex.args):
                return None
            values = [self.known(a) for a in ex.args]
            if all(v is not None for v in values):
                fixed = [Const(a.type, a.span, v or 0) for a, v in zip(ex.args, values, strict=True)]
                return self.layout.constants.try_evaluate(changed(ex, args=tuple(fixed)))
        if applies(ex, "set") and isinstance(ex.type, t.SetOf) and is_mask(ex.type.of):
            members = [self.known(a) for a in ex.args]
            if all(v is not None and v >= 0 for v in members):
                return sum(1 << v for v in {v for v in members if v is not None})
        return None

    # ------------------------------------------------------------ entry points
    def value(self, ex: Ex) -> Value:
        """A number."""
        fixed = self.known(ex)
        if fixed is not None:
            return str(fixed)
        if ex in self.hoisted:
            return self.hoisted[ex]
        if tells.find(ex) is not None or (isinstance(ex, Reduction) and ex.kind in QUANTIFIERS):
            return self.number(self.test(ex))
        write = gives.find(ex)
        if write is None:
            raise Unsupported(f"the expression {type(ex).__name__} {getattr(ex, 'op', '')}".strip())
        made: Value = write(self, ex)
        return made

    def test(self, ex: Ex) -> Value:
        """Yes or no."""
        fixed = self.known(ex)
        if fixed is not None:
            return "true" if fixed else "false"
        write = tells.find(ex)
        if ex not in self.hoisted and write is not None:
            made: Value = write(self, ex)
            return made
        if ex not in self.hoisted and isinstance(ex, Reduction) and ex.kind in QUANTIFIERS:
            return self.quantified(ex)
        return self.compare("ne", self.value(ex), 0)

    def quantified(self, ex: Reduction) -> Value:
        raise NotImplementedError

    def as_type(self, ex: Ex, type_: t.Type) -> Value:
        """A value in the form that a type asks for: a number, bits, or the address of words."""
        if isinstance(type_, t.SetOf) and isinstance(ex.type, t.SetOf):
            return self.set_value(ex, self.reps.bits(type_.of))
        if isinstance(type_, t.ListOf):
            return self.list_value(ex)
        if isinstance(type_, t.Array):
            return self.vector_value(ex)
        return self.value(ex)

    def vector_value(self, ex: Ex) -> Value:
        return self.value(ex)

    def argument(self, ex: Ex, type_: t.Type) -> str:
        """A value with its type, as an argument."""
        if isinstance(ex.type, t.Place):
            return f"i64 {self.value(ex)}"
        return f"{llvm_type(self.reps.of(type_))} {self.as_type(ex, type_)}"

    # ------------------------------------------------------------ logic
    @tells(And)
    def _and(self, ex: And) -> Value:
        return self._one_then_other(ex, True)

    @tells(Or)
    def _or(self, ex: Or) -> Value:
        return self._one_then_other(ex, False)

    def _one_then_other(self, ex: And | Or, wanted: bool) -> Value:
        first = self.test(ex.left)
        if first in ("true", "false"):
            return self.test(ex.right) if (first == "true") == wanted else first
        answer = self.room("i1")
        self.store(first, answer, "i1")
        more, done = self.new_label(), self.new_label()
        self.branch(first, *((more, done) if wanted else (done, more)))
        self.label(more)
        with_it = dict(self.hoisted)
        self.store(self.test(ex.right), answer, "i1")
        self.hoisted = with_it
        self.label(done)
        return self.load(answer, "i1")

    @tells("not")
    def _not(self, ex: Apply) -> Value:
        return self.negate(self.test(ex.args[0]))

    @tells("eq", "ne")
    def _equal(self, ex: Apply) -> Value:
        a, b = ex.args
        if isinstance(a.type, t.SetOf) and isinstance(b.type, t.SetOf):
            rep = self.wider(a.type, b.type)
            return self.compare(ex.op, self.set_value(a, rep), self.set_value(b, rep), llvm_type(rep))
        if isinstance(a.type, t.ListOf):
            same = self.same_list(self.list_value(a), self.list_value(b))
            return same if ex.op == "eq" else self.negate(same)
        if isinstance(a.type, t.Array):
            raise Unsupported("vectors that are compared")
        return self.compare(ex.op, self.value(a), self.value(b))

    def wider(self, a: t.SetOf, b: t.SetOf) -> Bits:
        """A form in which the elements of both have room."""
        if isinstance(a.of, t.Unknown) or isinstance(b.of, t.Unknown):
            return self.reps.bits(b.of if isinstance(a.of, t.Unknown) else a.of)
        one, other = self.reps.bits(a.of), self.reps.bits(b.of)
        low = min(one.low, other.low)
        return Bits(max(one.low + one.width, other.low + other.width) - low, low)

    def same_list(self, a: Value, b: Value) -> Value:
        raise NotImplementedError

    @tells("lt", "le", "gt", "ge")
    def _order(self, ex: Apply) -> Value:
        return self.compare(_ORDER[ex.op], self.value(ex.args[0]), self.value(ex.args[1]))

    # ------------------------------------------------------------ numbers
    @gives("add", "sub")
    def _sum(self, ex: Apply) -> Value:
        return self.op(_ARITHMETIC[ex.op], self.value(ex.args[0]), self.value(ex.args[1]))

    @gives("mul")
    def _product(self, ex: Apply) -> Value:
        a, b = (self.value(x) for x in ex.args)
        if _bounded(ex.type):
            return self.op("mul", a, b)
        both = self.let(f"call {{i64, i1}} @llvm.smul.with.overflow.i64(i64 {a}, i64 {b})")
        self.fail_if(self.let(f"extractvalue {{i64, i1}} {both}, 1"), LARGE)
        made = self.let(f"extractvalue {{i64, i1}} {both}, 0")
        self._not_huge(made)
        return made

    def _not_huge(self, value: Value) -> None:
        shifted = self.op("add", value, 1 << 52)
        self.fail_if(self.compare("ugt", shifted, 1 << 53), LARGE)

    @gives("div", "mod")
    def _quotient(self, ex: Apply) -> Value:
        """Rounded down."""
        a, b = (self.value(x) for x in ex.args)
        positive = _not_negative(ex.args[0].type) and _positive(ex.args[1].type)
        if not _positive(ex.args[1].type):
            self.fail_if(self.compare("eq", b, 0), ZERO)
        if positive:
            return self.let(f"{'udiv' if ex.op == 'div' else 'urem'} i64 {a}, {b}")
        quotient, left = self.let(f"sdiv i64 {a}, {b}"), self.let(f"srem i64 {a}, {b}")
        other_way = self.both(self.compare("ne", left, 0), self.compare("slt", self.op("xor", left, b), 0))
        if ex.op == "div":
            return self.op("sub", quotient, self.number(other_way))
        return self.add(left, self.select(other_way, b, "0"))

    @gives("neg")
    def _neg(self, ex: Apply) -> Value:
        return self.op("sub", 0, self.value(ex.args[0]))

    @gives("abs")
    def _abs(self, ex: Apply) -> Value:
        value = self.value(ex.args[0])
        return self.most(value, self.op("sub", 0, value))

    @gives("min_of", "max_of")
    def _extreme(self, ex: Apply) -> Value:
        choose = self.least if ex.op == "min_of" else self.most
        best = self.value(ex.args[0])
        for arg in ex.args[1:]:
            best = choose(best, self.value(arg))
        return best

    @gives("some")
    def _some(self, ex: Apply) -> Value:
        value = self.value(ex.args[0])
        self.fail_if(self.compare("slt", value, 0), NONE)
        return value

    @gives(InRange)
    def _in_range(self, ex: InRange) -> Value:
        value = self.value(ex.of)
        bad = self.outside(value, ex.low, ex.high)
        if isinstance(ex.type, t.Opt):
            bad = self.both(bad, self.compare("ne", value, -1))
        self.fail_if(bad, RANGE)
        return value

    def outside(self, value: Value, low: int, high: int) -> Value:
        return self.compare("ugt", self.op("sub", value, low), high - low)

    # ------------------------------------------------------------ names and seats
    @gives(Const)
    def _const(self, ex: Const) -> Value:
        return str(int(ex.value))

    @gives(Option)
    def _option(self, ex: Option) -> Value:
        return str(self.layout.options[ex.name])

    @gives(Local)
    def _local(self, ex: Local) -> Value:
        return self.local(ex.var)

    @gives(Me)
    def _me(self, ex: Me) -> Value:
        assert self.me is not None
        return self.me

    @gives("active")
    def _active(self, ex: Apply) -> Value:
        return self.number_at(self.layout.ACTIVE)

    @gives("turn_number")
    def _turn(self, ex: Apply) -> Value:
        return self.number_at(self.layout.TURN)

    @gives("player_count")
    def _player_count(self, ex: Apply) -> Value:
        return str(self.layout.players)

    @gives("players")
    def _players(self, ex: Apply) -> Value:
        return str((1 << self.layout.players) - 1)

    @gives("revealed")
    def _revealed(self, ex: Apply) -> Value:
        return self.as_type(ex.args[0], ex.type)

    @gives("seat", "number")
    def _from_one(self, ex: Apply) -> Value:
        return self.add(self.value(ex.args[0]), 1)

    @gives("player")
    def _player(self, ex: Apply) -> Value:
        value = self.value(ex.args[0])
        self.fail_if(self.outside(value, 1, self.layout.players), RANGE)
        return self.op("sub", value, 1)

    @gives("left")
    def _left(self, ex: Apply) -> Value:
        value, players = self.value(ex.args[0]), self.layout.players
        if players == 2:
            return self.op("sub", 1, value)
        following = self.add(value, 1)
        return self.select(self.compare("eq", following, players), "0", following)

    @gives("right")
    def _right(self, ex: Apply) -> Value:
        value, players = self.value(ex.args[0]), self.layout.players
        if players == 2:
            return self.op("sub", 1, value)
        return self.select(self.compare("eq", value, 0), str(players - 1), self.op("sub", value, 1))

    @gives("others")
    def _others(self, ex: Apply) -> Value:
        everybody = (1 << self.layout.players) - 1
        return self.op("xor", self.op("shl", 1, self.value(ex.args[0])), everybody)

    @gives(PartitionOf)
    def _partition(self, ex: PartitionOf) -> Value:
        groups = self.layout.groups[ex.partition.name]
        masks = [sum(1 << q for q, g in enumerate(groups) if g == groups[p]) for p in range(len(groups))]
        return self.table(masks, self.value(ex.player))

    # ------------------------------------------------------------ conditionals and calls
    @gives(Conditional)
    def _conditional(self, ex: Conditional) -> Value:
        return self.conditional(ex, self.reps.of(ex.type), lambda arm: self.as_type(arm, ex.type))

    def conditional(self, ex: Conditional, rep: Representation, write: object) -> Value:
        assert callable(write)
        fixed = self.known(ex.condition)
        if fixed is not None:
            made: Value = write(ex.then if fixed else ex.otherwise)
            return made
        type_ = llvm_type(rep)
        answer = self.room(f"[{max(1, rep.words)} x i32]" if type_ == "ptr" else type_)
        yes, no, done = self.new_label(), self.new_label(), self.new_label()
        self.branch(self.test(ex.condition), yes, no)
        before = self.hoisted
        for where, arm in ((yes, ex.then), (no, ex.otherwise)):
            self.label(where)
            self.hoisted = dict(before)
            value = write(arm)
            if type_ == "ptr":
                self.copy(answer, value, 4 * rep.words)
            else:
                self.store(value, answer, type_)
            self.jump(done)
        self.hoisted = before
        self.label(done)
        return answer if type_ == "ptr" else self.load(answer, type_)

    @gives(CallDefine)
    def _call(self, ex: CallDefine) -> Value:
        decl = ex.define
        values = self.module.tabled(decl)
        if values is not None:
            return self.table(values, self.linear(ex.args, tuple(p.type for p in decl.params)))
        function = self.module.definition(decl)
        args = ["ptr %S"]
        if decl.uses_me:
            args.append(f"i64 {self.me}")
        args += [self.argument(a, p.type) for a, p in zip(ex.args, decl.params, strict=True)]
        return self.called(function.name, args, self.reps.of(decl.type), self.module.may_fail(function))

    def called(
        self, name: str, args: list[str], rep: Representation, fails: bool, stops: bool = False
    ) -> Value:
        """A call; what is words comes back in a buffer of ours."""
        if isinstance(rep, Listed | Vector):
            buffer = self.room(f"[{rep.words} x i32]")
            self.call(name, *args, f"ptr {buffer}")
            if fails:
                self.after_call(stops)
            return buffer
        made = self.call(name, *args, result=llvm_type(rep))
        if fails:
            self.after_call(stops)
        return made

    def linear(self, args: tuple[Ex, ...], types: tuple[t.Type, ...]) -> Value:
        sizes = tuple(self.layout.size(type_) for type_ in types)
        lows = tuple(self.layout.low(type_) for type_ in types)
        return self.offset(0, args, sizes, lows)

    def offset(
        self,
        base: int,
        args: tuple[Ex | Value, ...],
        sizes: tuple[int, ...],
        lows: tuple[int, ...],
        stride: int = 1,
    ) -> Value:
        """`base` plus the place of the indices."""
        fixed, made = base, "0"
        for arg, size, low in zip(reversed(args), reversed(sizes), reversed(lows), strict=True):
            value = self.value(arg) if isinstance(arg, Ex) else arg
            if self.checked and isinstance(arg, Ex):
                self.within(self.op("sub", value, low), size)
            made = self.add(made, self.op("mul", value, stride))
            fixed -= low * stride
            stride *= size
        return self.add(made, fixed)

    @gives(Lookup)
    def _lookup(self, ex: Lookup) -> Value:
        params = tuple(p.type for p in ex.table.params)
        sizes, lows = [self.layout.size(p) for p in params], [self.layout.low(p) for p in params]
        total = 1
        for size in sizes:
            total *= size
        values = [0] * total
        for key, value in ex.table.rows:
            index = 0
            for k, size, low in zip(key, sizes, lows, strict=True):
                index = index * size + k - low
            values[index] = value
        index_at = self.linear(ex.args, params)
        self.fail_if(self.compare("uge", index_at, total), RANGE)
        return self.table(values, index_at)

    @tells(Can)
    def _can(self, ex: Can) -> Value:
        return self.can_do(ex.action, ex.args)

    def can_do(self, action: str, given: tuple[Ex, ...]) -> Value:
        function = self.module.can(action)
        args = ["ptr %S", f"i64 {self.me}"]
        params = self.game.rules[action].params
        args += [self.argument(a, p.type) for a, p in zip(given, params, strict=True)]
        made = self.call(function.name, *args)
        if self.module.may_fail(function):
            self.after_call(False)
        return self.compare("ne", made, 0)

    @tells(CanMenu)
    def _can_menu(self, ex: CanMenu) -> Value:
        answer, done = self.room("i1"), self.new_label("any")
        self.store("false", answer, "i1")
        for action in self.game.menus[ex.menu]:
            yes, no = self.new_label(), self.new_label()
            self.branch(self.can_do(action, ex.args), yes, no)
            self.label(yes)
            self.store("true", answer, "i1")
            self.jump(done)
            self.label(no)
        self.label(done)
        return self.load(answer, "i1")


def _bounded(type_: t.Type) -> bool:
    return (
        isinstance(type_, t.Num)
        and type_.low > -_SAFE
        and type_.high < _SAFE
        and not (type_.low <= -t.MANY or type_.high >= t.MANY)
    )


def _not_negative(type_: t.Type) -> bool:
    return isinstance(type_, t.Num) and type_.low >= 0


def _positive(type_: t.Type) -> bool:
    return isinstance(type_, t.Num) and type_.low > 0
