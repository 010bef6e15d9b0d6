"""From the small part of Python that the run-time library is written in to native functions.

Whole numbers are 64 bits; a parameter or local with an address for its annotation
is an address, and `p[i]` and `p + i` count in the numbers it points at. Control is
`if`, `while`, `break`, `return`; everything else is a call: of another function of
the library, or of one of the operations of machine.py. Fractions are IEEE doubles, and
nothing is turned into one, or back, but by `real` and `whole`.
"""

from __future__ import annotations

import ast
import struct
from functools import lru_cache
from pathlib import Path

from attrs import frozen

from .builder import Builder, Value

_BITS = {"I64": (64, True), "I32": (32, True), "U8": (8, False), "Raw": (8, False), "F64": (64, True)}
_LLVM = {"int": "i64", "float": "double"}
_REAL_OPS: dict[type[ast.AST], str] = {ast.Add: "fadd", ast.Sub: "fsub", ast.Mult: "fmul", ast.Div: "fdiv"}
_OPS: dict[type[ast.AST], str] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor",
    ast.LShift: "shl", ast.RShift: "lshr", ast.FloorDiv: "sdiv", ast.Mod: "srem",
}  # fmt: skip
_COMPARES: dict[type[ast.AST], str] = {
    ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "slt", ast.LtE: "sle", ast.Gt: "sgt", ast.GtE: "sge",
}  # fmt: skip
SMALL = frozenset(("next_number", "kth_bit", "grown_cell", "one_of"))


@frozen
class Typed:
    """A value, or where one is kept, with its sort: "int", or the class of an address."""

    value: Value
    sort: str = "int"


@lru_cache(maxsize=1)
def spreads_bits() -> bool:
    """Has the processor an instruction that finds the n-th bit, and is it quick?"""
    import llvmlite.binding as llvm

    slow = ("znver1", "znver2", "bdver4")
    return bool(llvm.get_host_cpu_features().get("bmi2")) and llvm.get_host_cpu_name() not in slow


@lru_cache(maxsize=64)
def library(name: str, entry: int = 0, constants: tuple[tuple[str, int], ...] = ()) -> tuple[str, ...]:
    """The functions of a module of the library as text; with `entry` those about ordered places, for
    entries of so many bits, and without it all others."""
    tree = ast.parse((Path(__file__).parent / f"{name}.py").read_text(encoding="utf-8"))
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    chosen = [f for f in functions if f.name.startswith("array_") == bool(entry)]
    reals = frozenset(f.name for f in functions if result_of(f) == "float")
    return tuple(Translation(f, entry, dict(constants), reals).text(1000) for f in chosen)


def result_of(function: ast.FunctionDef) -> str:
    """The sort of what a function gives."""
    return function.returns.id if isinstance(function.returns, ast.Name) else "int"


class Translation(Builder):
    def __init__(
        self,
        function: ast.FunctionDef,
        entry: int = 0,
        constants: dict[str, int] | None = None,
        reals: frozenset[str] = frozenset(),
    ) -> None:
        params = [(a.arg, a.annotation.id) for a in function.args.args if isinstance(a.annotation, ast.Name)]
        assert len(params) == len(function.args.args), function.name
        super().__init__(
            f"{function.name}_{entry}" if entry else function.name,
            [(f"%p_{n}", self.llvm(sort)) for n, sort in params],
            self.llvm(result_of(function)),
        )
        self.reals = reals  # functions that give fractions
        self.entry = entry
        self.constants = constants or {}
        self.exported = constants is not None and bool(constants)
        self.in_place = function.name in SMALL
        self.names: dict[str, Typed] = {}
        self.out: list[str] = []
        for name, sort in params:
            self.keep(name, Typed(f"%p_{name}", sort))
        self.body(function.body)
        self.give("0" if self.result == "i64" else "0.0")

    def llvm(self, sort: str) -> str:
        return _LLVM.get(sort, "ptr")

    def size(self, sort: str) -> tuple[int, bool]:
        return (self.entry, self.entry == 32) if sort == "Entry" else _BITS[sort]

    def keep(self, name: str, given: Typed) -> None:
        if name not in self.names:
            self.names[name] = Typed(self.room(self.llvm(given.sort)), given.sort)
        self.store(given.value, self.names[name].value, self.llvm(given.sort))

    # ------------------------------------------------------------ statements
    def body(self, lines: list[ast.stmt]) -> None:
        for line in lines:
            self.line(line)

    def line(self, line: ast.stmt) -> None:
        match line:
            case ast.Expr(value=ast.Constant()):
                pass
            case ast.Expr(value=value):
                self.number_of(value)
            case ast.AnnAssign(target=ast.Name(id=name), value=value, annotation=ast.Name(id=sort)):
                assert value is not None
                self.keep(name, Typed(self.number_of(value).value, sort))
            case ast.Assign(targets=[target], value=value):
                self.assign(target, self.number_of(value))
            case ast.AugAssign(target=target, op=op, value=value):
                self.assign(target, self.number_of(ast.BinOp(left=target, op=op, right=value)))
            case ast.Return(value=value):
                assert value is not None
                self.give(self.number_of(value).value)
                self.label(self.new_label("past"))
            case ast.If():
                yes, no, done = (self.new_label() for _ in range(3))
                self.condition(line.test, yes, no)
                self.label(yes)
                self.body(line.body)
                self.jump(done)
                self.label(no)
                self.body(line.orelse)
                self.label(done)
            case ast.While():
                top, go, end = (self.new_label() for _ in range(3))
                self.label(top)
                self.condition(line.test, go, end)
                self.label(go)
                self.out.append(end)
                self.body(line.body)
                self.out.pop()
                self.jump(top)
                self.label(end)
            case ast.Break():
                self.jump(self.out[-1])
                self.label(self.new_label("past"))
            case _:
                raise AssertionError(ast.dump(line))

    def assign(self, target: ast.expr, given: Typed) -> None:
        if isinstance(target, ast.Name):
            self.keep(target.id, given)
            return
        assert isinstance(target, ast.Subscript)
        pointer, bits, _ = self.place(target)
        if given.sort == "float":
            self.store(given.value, pointer, "double")
        else:
            self.store_int(given.value, pointer, bits)

    def place(self, target: ast.Subscript) -> tuple[Value, int, bool]:
        base, index = self.number_of(target.value), self.number_of(target.slice)
        bits, signed = self.size(base.sort)
        return self.at(base.value, index.value, f"i{bits}"), bits, signed

    def condition(self, test: ast.expr, yes: str, no: str) -> None:
        if isinstance(test, ast.BoolOp):
            for part in test.values[:-1]:
                more = self.new_label()
                self.condition(part, *((more, no) if isinstance(test.op, ast.And) else (yes, more)))
                self.label(more)
            self.condition(test.values[-1], yes, no)
            return
        if isinstance(test, ast.Compare):
            self.branch(self.compared(test), yes, no)
            return
        self.branch(self.compare("ne", self.number_of(test).value, 0), yes, no)

    def compared(self, test: ast.Compare) -> Value:
        a, b = self.number_of(test.left), self.number_of(test.comparators[0])
        how = _COMPARES[type(test.ops[0])]
        if a.sort == "float":
            return self.let(f"fcmp o{how[-2:]} double {a.value}, {b.value}")
        return self.compare(how, a.value, b.value)

    # ------------------------------------------------------------ expressions
    def number_of(self, ex: ast.expr) -> Typed:
        match ex:
            case ast.Constant(value=int(value)):
                return Typed(str(value))
            case ast.Constant(value=float(value)):
                return Typed(f"0x{struct.pack('>d', value).hex().upper()}", "float")
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return Typed(self.op("sub", 0, self.number_of(operand).value))
            case ast.Name(id=name) if name in self.constants:
                return Typed(str(self.constants[name]))
            case ast.Name(id=name):
                kept = self.names[name]
                return Typed(self.load(kept.value, self.llvm(kept.sort)), kept.sort)
            case ast.Subscript():
                if self.sort_of(ex.value) == "F64":
                    return Typed(self.load(self.place(ex)[0], "double"), "float")
                return Typed(self.load_int(*self.place(ex)))
            case ast.Compare():
                return Typed(self.number(self.compared(ex)))
            case ast.BinOp(left=left, op=op, right=right):
                a, b = self.number_of(left), self.number_of(right)
                if a.sort == "float":
                    return Typed(self.op(_REAL_OPS[type(op)], a.value, b.value, "double"), "float")
                if a.sort != "int":
                    return Typed(self.at(a.value, b.value, f"i{self.size(a.sort)[0]}"), a.sort)
                return Typed(self.op(_OPS[type(op)], a.value, b.value))
            case ast.Call(func=ast.Name(id=name), args=args):
                return self.called(name, args)
        raise AssertionError(ast.dump(ex))

    def sort_of(self, ex: ast.expr) -> str:
        """Of what is indexed: a name."""
        return self.names[ex.id].sort if isinstance(ex, ast.Name) else "int"

    def called(self, name: str, args: list[ast.expr]) -> Typed:
        if name == "array":
            assert isinstance(args[0], ast.Constant)
            return Typed(self.room(f"[{args[0].value!r} x i32]"), "I32")
        given = [self.number_of(arg) for arg in args]
        values = [part.value for part in given]
        first = values[0]
        match name:
            case "min" | "max":
                return Typed(self.let(f"call i64 @llvm.s{name}.i64(i64 {first}, i64 {values[1]})"))
            case "popcount":
                return Typed(self.let(f"call i64 @llvm.ctpop.i64(i64 {first})"))
            case "lowest_bit":
                return Typed(self.let(f"call i64 @llvm.cttz.i64(i64 {first}, i1 false)"))
            case "highest_bit":
                found = self.let(f"call i64 @llvm.ctlz.i64(i64 {first}, i1 false)")
                return Typed(self.op("sub", 63, found))
            case "nth_bit" if spreads_bits():
                spread = self.let(
                    f"call i64 @llvm.x86.bmi.pdep.64(i64 {self.op('shl', 1, values[1])}, i64 {first})"
                )
                return Typed(self.let(f"call i64 @llvm.cttz.i64(i64 {spread}, i1 false)"))
            case "nth_bit":
                name = "nth_bit_by_halves"
            case "turn_right":
                return Typed(self.let(f"call i64 @llvm.fshr.i64(i64 {first}, i64 {first}, i64 {values[1]})"))
            case "shift_right":
                return Typed(self.op("lshr", first, values[1]))
            case "wrapped":
                return given[0]
            case "below_unsigned":
                return Typed(self.number(self.compare("ult", first, values[1])))
            case "rest_unsigned":
                return Typed(self.let(f"urem i64 {first}, {values[1]}"))
            case "real":
                return Typed(self.let(f"sitofp i64 {first} to double"), "float")
            case "whole":
                return Typed(self.let(f"fptosi double {first} to i64"))
            case "root":
                return Typed(self.let(f"call double @llvm.sqrt.f64(double {first})"), "float")
            case "bytes_at" | "words_at" | "halves_at" | "reals_at":
                sort = {"bytes_at": "U8", "words_at": "I64", "halves_at": "I32", "reals_at": "F64"}[name]
                return Typed(self.at(first, values[1]), sort)
            case "there":
                return Typed(self.let(f"inttoptr i64 {first} to ptr"), "I64")
            case "entries_of":
                return Typed(self.at(first, 4), "Entry")
            case "move":
                self.copy(first, values[1], values[2])
                return Typed("0")
            case "read64":
                return Typed(self.load(first, align=4))
            case "write64":
                self.store(values[1], first, align=4)
                return Typed("0")
            case "ask":
                typed = ", ".join(f"{self.llvm(part.sort)} {part.value}" for part in given[1:])
                return Typed(self.let(f"call i64 {first}({typed})"))
        typed = ", ".join(f"{self.llvm(part.sort)} {part.value}" for part in given)
        if name.startswith("array_") and self.entry:
            name = f"{name}_{self.entry}"
        if name in self.reals:
            return Typed(self.let(f"call double @{name}({typed})"), "float")
        return Typed(self.let(f"call i64 @{name}({typed})"))
