"""The body of one native function, as text of LLVM's intermediate language.

Values are strings: a name such as `%t7`, or a constant written out. Arithmetic on
constants is done here, so that what is known does not even reach LLVM. Behind a
jump nothing is written until the next label: what would stand there could never
run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

Value = str

_FOLDS: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
}
_COMPARES: dict[str, Callable[[int, int], bool]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "slt": lambda a, b: a < b,
    "sle": lambda a, b: a <= b,
    "sgt": lambda a, b: a > b,
    "sge": lambda a, b: a >= b,
}


def constant(value: Value) -> int | None:
    return int(value) if value.lstrip("-").isdigit() else None


class Builder:
    def __init__(self, name: str, params: Sequence[tuple[str, str]], result: str = "i64") -> None:
        self.name = name
        self.params = params
        self.result = result
        self.lines: list[str] = []
        self.rooms: list[str] = []
        self.count = 0
        self.open = True
        self.exported = False
        self.in_place = False  # written where it is called, if it is small

    # ------------------------------------------------------------ lines
    def let(self, code: str) -> Value:
        if not self.open:
            return "undef"
        self.count += 1
        self.lines.append(f"  %t{self.count} = {code}")
        return f"%t{self.count}"

    def do(self, code: str) -> None:
        if self.open:
            self.lines.append(f"  {code}")

    def new_label(self, hint: str = "l") -> str:
        self.count += 1
        return f"{hint}{self.count}"

    def label(self, name: str) -> None:
        self.jump(name)
        self.lines.append(f"{name}:")
        self.open = True

    def jump(self, name: str) -> None:
        if self.open:
            self.lines.append(f"  br label %{name}")
            self.open = False

    def branch(self, test: Value, yes: str, no: str) -> None:
        if test in ("true", "false"):
            self.jump(yes if test == "true" else no)
        elif self.open:
            self.lines.append(f"  br i1 {test}, label %{yes}, label %{no}")
            self.open = False

    def give(self, value: Value) -> None:
        if self.open:
            self.lines.append(f"  ret {self.result} {value}")
            self.open = False

    def room(self, type_: str = "i64") -> Value:
        """Memory of the function itself."""
        self.count += 1
        self.rooms.append(f"  %a{self.count} = alloca {type_}, align 8")
        return f"%a{self.count}"

    def text(self, small: int) -> str:
        if self.open:
            self.lines.append("  unreachable")
        params = ", ".join(f"{'ptr noalias' if n == '%S' else type_} {n}" for n, type_ in self.params)
        scope = "" if self.exported else "internal "
        inline = " alwaysinline" if self.in_place and len(self.lines) < small else ""
        lines = "\n".join(["start:", *self.rooms, *self.lines])
        return f"define {scope}{self.result} @{self.name}({params}) nounwind{inline} {{\n{lines}\n}}\n"

    # ------------------------------------------------------------ arithmetic
    def op(self, name: str, a: Value | int, b: Value | int, type_: str = "i64") -> Value:
        a, b = str(a), str(b)
        x, y = constant(a), constant(b)
        if name in _FOLDS and x is not None and y is not None and type_ == "i64":
            return str(_FOLDS[name](x, y))
        if y == 0 and name in ("add", "sub", "or", "xor", "shl", "lshr", "ashr"):
            return a
        if x == 0 and name in ("add", "or", "xor"):
            return b
        if y == 1 and name == "mul":
            return a
        if x == 1 and name == "mul":
            return b
        return self.let(f"{name} {type_} {a}, {b}")

    def add(self, a: Value | int, b: Value | int) -> Value:
        return self.op("add", a, b)

    def compare(self, how: str, a: Value | int, b: Value | int, type_: str = "i64") -> Value:
        a, b = str(a), str(b)
        x, y = constant(a), constant(b)
        if x is not None and y is not None and how in _COMPARES:
            return "true" if _COMPARES[how](x, y) else "false"
        return self.let(f"icmp {how} {type_} {a}, {b}")

    def both(self, a: Value, b: Value) -> Value:
        if "false" in (a, b):
            return "false"
        if a == "true":
            return b
        return a if b == "true" else self.let(f"and i1 {a}, {b}")

    def either(self, a: Value, b: Value) -> Value:
        if "true" in (a, b):
            return "true"
        if a == "false":
            return b
        return a if b == "false" else self.let(f"or i1 {a}, {b}")

    def negate(self, a: Value) -> Value:
        if a in ("true", "false"):
            return "false" if a == "true" else "true"
        return self.let(f"xor i1 {a}, true")

    def select(self, test: Value, a: Value | int, b: Value | int, type_: str = "i64") -> Value:
        if test in ("true", "false"):
            return str(a if test == "true" else b)
        return self.let(f"select i1 {test}, {type_} {a}, {type_} {b}")

    def number(self, test: Value) -> Value:
        """Yes or no as 1 or 0."""
        if test in ("true", "false"):
            return "1" if test == "true" else "0"
        return self.let(f"zext i1 {test} to i64")

    def least(self, a: Value, b: Value) -> Value:
        return self.let(f"call i64 @llvm.smin.i64(i64 {a}, i64 {b})")

    def most(self, a: Value, b: Value) -> Value:
        return self.let(f"call i64 @llvm.smax.i64(i64 {a}, i64 {b})")

    # ------------------------------------------------------------ memory
    def at(self, base: Value, index: Value | int, type_: str = "i8") -> Value:
        if str(index) == "0":
            return base
        return self.let(f"getelementptr {type_}, ptr {base}, i64 {index}")

    def load(self, pointer: Value, type_: str = "i64", align: int | None = None) -> Value:
        return self.let(f"load {type_}, ptr {pointer}{f', align {align}' if align else ''}")

    def store(self, value: Value | int, pointer: Value, type_: str = "i64", align: int | None = None) -> None:
        self.do(f"store {type_} {value}, ptr {pointer}{f', align {align}' if align else ''}")

    def load_int(self, pointer: Value, bits: int, signed: bool = True) -> Value:
        """A number of fewer bits, as 64."""
        if bits == 64:
            return self.load(pointer)
        value = self.load(pointer, f"i{bits}")
        return self.let(f"{'sext' if signed else 'zext'} i{bits} {value} to i64")

    def store_int(self, value: Value | int, pointer: Value, bits: int) -> None:
        value = str(value)
        if bits == 64:
            self.store(value, pointer)
            return
        fixed = constant(value)
        short = value if fixed is not None else self.let(f"trunc i64 {value} to i{bits}")
        self.store(short, pointer, f"i{bits}")

    def copy(self, to: Value, source: Value, size: Value | int) -> None:
        self.do(f"call void @llvm.memmove.p0.p0.i64(ptr {to}, ptr {source}, i64 {size}, i1 false)")

    def clear(self, to: Value, size: Value | int, byte: int = 0) -> None:
        self.do(f"call void @llvm.memset.p0.i64(ptr {to}, i8 {byte}, i64 {size}, i1 false)")

    def call(self, name: str, *args: str, result: str = "i64") -> Value:
        """`args` with their types."""
        return self.let(f"call {result} @{name}({', '.join(args)})")
