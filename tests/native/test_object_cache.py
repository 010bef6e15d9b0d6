"""Kept machine code is believed only if it is ours, whole and of this game; a compiler that dies costs nothing else."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import dragonrules as dr
import pytest
from dragonrules.grammar import cache_folder
from dragonrules.interpreter.native import compile as compile_module
from dragonrules.interpreter.native import engine as native
from dragonrules.interpreter.native import improvement, object_cache
from dragonrules.interpreter.native.compile import object_code

GAME = 'game "Cached" for 2 players\nstate a: 0..9 = 0\nphase Play:\n    turns p:\n        choose n in 1..2\n        set a = n\n'


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DRAGONRULES_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that were compiled, in their order."""
    texts: list[str] = []

    def compiled(text: str) -> bytes:
        texts.append(text)
        return object_code(text)

    monkeypatch.setattr(native, "compiled", compiled)
    return texts


def engine(text: str = GAME) -> Any:
    return dr.loads(text).engine(2)


def kept_file() -> Path:
    folder = cache_folder.cache_folder()
    assert folder is not None
    (found,) = folder.glob("*.native")
    return found


def test_kept_code_is_used_again(made: list[str]) -> None:
    first = native.native_engine(engine())
    again = native.native_engine(engine())
    assert len(made) == 1
    assert first.playouts(5, seed=1, limit=20) == again.playouts(5, seed=1, limit=20)
    assert oct(kept_file().parent.stat().st_mode)[-3:] == "700"


def _truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def _tampered(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(bytes(data))


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _writable(path: Path) -> None:
    path.chmod(0o666)


def _link(path: Path) -> None:
    other = path.with_name("elsewhere")
    path.rename(other)
    path.symlink_to(other)


@pytest.mark.skipif(os.name != "posix", reason="owners and modes")
@pytest.mark.parametrize("spoil", [_truncated, _tampered, _empty, _writable, _link])
def test_what_is_not_as_it_was_written_is_made_anew(spoil: Any, made: list[str]) -> None:
    native.native_engine(engine())
    spoil(kept_file())
    again = native.native_engine(engine())
    assert len(made) == 2
    assert again.playouts(3, seed=1, limit=9).games == 3


@pytest.mark.skipif(os.name != "posix", reason="owners and modes")
def test_what_belongs_to_somebody_else_is_made_anew(made: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    native.native_engine(engine())
    uid = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: uid + 1)
    native.native_engine(engine())
    assert len(made) == 2, "folder and file belong to another user now"


def test_other_rules_players_processors_and_versions_have_code_of_their_own(
    made: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    native.native_engine(engine())
    native.native_engine(engine(GAME.replace("1..2", "1..3")))
    assert len(made) == 2
    game = dr.loads(GAME.replace("for 2 players", "for 2 to 3 players"))
    native.native_engine(game.engine(2))
    native.native_engine(game.engine(3))
    assert len(made) == 4
    monkeypatch.setattr(object_cache, "machine_name", lambda: "another processor")
    native.native_engine(engine())
    assert len(made) == 5
    monkeypatch.setattr(object_cache.cache, "version", lambda: "another version")
    native.native_engine(engine())
    assert len(made) == 6


def test_what_is_kept_must_be_data(made: list[str]) -> None:
    """A file with the right digest that asks for a function when it is read is as good as absent."""
    native.native_engine(engine())
    name = kept_file().name
    cache_folder.keep_bytes(name, b"cposix\nsystem\n(S'true'\ntR.")
    native.native_engine(engine())
    assert len(made) == 2


# ---------------------------------------------------------------- the process that compiles
def test_new_code_comes_from_a_process_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DRAGONRULES_COMPILE")
    text = "define i64 @three() { ret i64 3 }"
    assert compile_module.Loaded(object_cache.compiled(text)).address("three")


@pytest.fixture
def dying(monkeypatch: pytest.MonkeyPatch) -> None:
    """LLVM aborts."""
    monkeypatch.delenv("DRAGONRULES_COMPILE")
    abort = ["-c", "import os, sys; sys.stdin.read(); os.abort()"]
    python = object_cache.sys.executable
    for module in (object_cache, improvement):
        monkeypatch.setattr(module, "command", lambda: [python, *abort])


@pytest.mark.usefixtures("dying")
def test_a_compiler_that_aborts_leaves_the_game_to_python(monkeypatch: pytest.MonkeyPatch) -> None:
    game = dr.loads(GAME)
    assert game.native(2) is None, "auto"
    assert game.start(players=2, seed=1).decision is not None
    with pytest.raises(dr.UsageError, match="cannot run natively: the compiler failed"):
        dr.loads(GAME, engine="native").native(2)
    monkeypatch.setattr(native, "compiled", lambda text: pytest.fail("it is known that this dies"))
    assert dr.loads(GAME).native(2) is None


def test_better_code_that_cannot_be_made_leaves_the_first(
    monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    found = native.native_engine(engine())
    before = found.functions
    request.getfixturevalue("dying")
    assert not found.improve()
    assert found.functions is before
    assert found.playouts(2, seed=1, limit=9).games == 2


def test_better_code_plays_the_same_and_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    found = native.native_engine(engine())
    rows = found.series(1, range(20), 30)
    monkeypatch.delenv("DRAGONRULES_COMPILE")
    assert found.improve()
    assert found.series(1, range(20), 30) == rows
    monkeypatch.setattr(native, "compiled", lambda text: pytest.fail("there is better code"))
    again = native.native_engine(engine())
    assert again.size == found.size and not again.improves
    assert again.series(1, range(20), 30) == rows


def test_who_plays_for_long_gets_better_code(monkeypatch: pytest.MonkeyPatch) -> None:
    found = native.native_engine(engine())
    monkeypatch.delenv("DRAGONRULES_COMPILE")
    monkeypatch.setattr(native, "HOT", 0.0)
    found.improves = True
    first = found.functions
    found.series(1, range(2), 9)
    assert found._improvement is not None
    found._improvement.wait()
    found.series(1, range(2), 9)
    assert found.functions is not first
