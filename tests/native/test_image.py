"""Machine code as an image: put together without LLVM, and the same code when LLVM loads it."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

import dragonrules as dr
import pytest
from dragonrules.interpreter.native import compile as compiling
from dragonrules.interpreter.native.compile import Loaded, object_code
from dragonrules.interpreter.native.image import MAGIC, Image, NotAnImage, image_of, native_here, of_process

from .side_by_side import native_of

here = pytest.mark.skipif(not native_here(), reason="images are made for other machines")

TEXT = """
@table = private unnamed_addr constant [5 x i64] [i64 3, i64 1, i64 4, i64 1, i64 5]
@COUNTER = global [4 x i64] zeroinitializer
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare i64 @outside(i64)
define i64 @look(i64 %i) { %p = getelementptr i64, ptr @table, i64 %i
 %x = load i64, ptr %p
 %q = getelementptr i64, ptr @COUNTER, i64 2
 %n = load i64, ptr %q
 %m = add i64 %n, %x
 store i64 %m, ptr %q
 ret i64 %m }
define i64 @carry(ptr %to, ptr %from, i64 %n) { call void @llvm.memmove.p0.p0.i64(ptr %to, ptr %from, i64 %n, i1 false)
 ret i64 %n }
define i64 @ask(i64 %i) { %x = call i64 @outside(i64 %i)
 %y = add i64 %x, 1
 ret i64 %y }
"""
ADDED = "define i64 @outside(i64 %i) { %x = mul i64 %i, 10\n ret i64 %x }\n"


def function(address: int, *args: Any) -> Any:
    return ctypes.CFUNCTYPE(ctypes.c_int64, *args)(address)


@here
def test_code_constants_words_and_what_comes_from_outside() -> None:
    code = object_code(TEXT)
    assert code.startswith(MAGIC)
    other = Image(object_code(ADDED), of_process)
    image = Image(code, lambda name: other.address(name) or of_process(name))
    addresses = {name: image.address(name) for name in ("look", "carry", "ask", "COUNTER")}
    assert all(addresses.values())
    look = function(addresses["look"] or 0, ctypes.c_int64)
    assert [look(i) for i in range(5)] == [3, 4, 8, 9, 14]
    assert list((ctypes.c_int64 * 4).from_address(addresses["COUNTER"] or 0)) == [0, 0, 14, 0]
    into, source = ctypes.create_string_buffer(8), ctypes.create_string_buffer(b"dragons")
    function(addresses["carry"] or 0, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_int64)(into, source, 8)
    assert into.value == b"dragons"
    assert function(addresses["ask"] or 0, ctypes.c_int64)(7) == 71
    assert image.address("table") is None


@here
def test_code_is_never_writable() -> None:
    image = Image(object_code(TEXT.replace("@outside", "@memset")), of_process)
    kinds = {}
    for line in Path("/proc/self/maps").read_text().splitlines():
        start, _, end = line.split()[0].partition("-")
        for name in ("look", "COUNTER"):
            if int(start, 16) <= (image.address(name) or 0) < int(end, 16):
                kinds[name] = line.split()[1][:3]
    assert kinds == {"look": "r-x", "COUNTER": "rw-"}


@here
def test_what_comes_from_nowhere_is_refused() -> None:
    with pytest.raises(ValueError, match="outside"):
        Image(object_code(TEXT), of_process)


@here
def test_what_is_no_image_stays_an_object_file(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NotAnImage):
        image_of(b"\x7fELF" + bytes(60))
    far = "@far = external global i64\ndefine ptr @where() { ret ptr @far }\n@kept = global ptr @far\n"
    code = object_code(far)  # an address that is written into the data
    assert code[:4] == b"\x7fELF"


@pytest.mark.parametrize("name", ["leduc_poker", "drakon"])
def test_llvm_loads_the_same_code(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game, players = dr.load(name), 2
    one = native_of(game, players)
    monkeypatch.setattr(compiling, "native_here", lambda: False)
    other = native_of(game, players)
    assert other._made.code[:4] != MAGIC[:4]
    assert one.playouts(10, seed=4) == other.playouts(10, seed=4)


@here
def test_llvm_adds_to_an_image(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = Loaded(object_code(ADDED))
    monkeypatch.setattr(compiling, "native_here", lambda: False)
    loaded.add(object_code(TEXT))
    assert function(loaded.address("ask"), ctypes.c_int64)(7) == 71
