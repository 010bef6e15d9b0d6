"""The cache believes only what this user has written, runs nothing, and keeps what was parsed."""

from __future__ import annotations

import hashlib
import os
import pickle
import stat
import subprocess
import sys
from pathlib import Path

import dragonrules as dr
import pytest
from dragonrules.grammar import cache_folder, parser_tables, parsing
from dragonrules.grammar.cache_folder import keep_bytes, kept_bytes, private_folder
from dragonrules.grammar.parser_tables import as_text, build, parser_from, version
from dragonrules.interpreter import driver
from dragonrules.interpreter.files import cache, texts
from lark import Lark

GAME = 'game "Coins" for 2 players\n\nphase Play: finish {player(1)}\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DRAGONRULES_CACHE", str(tmp_path / "deep" / "cache"))
    return tmp_path / "deep" / "cache"


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_folder_is_for_its_owner_alone(folder: Path) -> None:
    keep_bytes("a", b"one")
    assert mode_of(folder) == 0o700
    folder.chmod(0o755)  # as older versions made it
    assert kept_bytes("a") == b"one"
    assert mode_of(folder) == 0o700


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o1777])
def test_a_folder_that_others_can_write_to_is_not_used(folder: Path, mode: int) -> None:
    keep_bytes("a", b"one")
    folder.chmod(mode)
    assert private_folder() is None
    assert kept_bytes("a") is None
    keep_bytes("b", b"two")
    assert [path.name for path in folder.iterdir()] == ["a"]


def test_what_belongs_to_somebody_else_is_not_used(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep_bytes("a", b"one")
    nobody = os.geteuid() + 1
    monkeypatch.setattr(cache_folder.os, "geteuid", lambda: nobody)
    assert private_folder() is None
    assert kept_bytes("a") is None


def test_a_file_that_others_can_write_to_a_link_and_a_folder_are_not_read(folder: Path) -> None:
    keep_bytes("a", b"one")
    (folder / "link").symlink_to(folder / "a")
    (folder / "inside").mkdir()
    assert (kept_bytes("link"), kept_bytes("inside"), kept_bytes("absent")) == (None, None, None)
    (folder / "a").chmod(0o666)
    assert kept_bytes("a") is None


def test_every_changed_or_missing_byte_is_noticed(folder: Path) -> None:
    keep_bytes("a", b"one and two")
    whole = (folder / "a").read_bytes()
    for at in range(len(whole)):
        (folder / "a").write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert kept_bytes("a") is None
        (folder / "a").write_bytes(whole[:at])
        assert kept_bytes("a") is None


class Trap:
    """Runs a command when it is read."""

    def __init__(self, sprung: Path) -> None:
        self.sprung = sprung

    def __reduce__(self) -> tuple[object, ...]:
        return os.mkdir, (str(self.sprung),)


def test_nothing_in_the_cache_is_run_when_it_is_read(folder: Path, tmp_path: Path) -> None:
    cache.kept(("key",), lambda: [1])
    (file,) = folder.iterdir()
    for name, trap in (("function", Trap(tmp_path / "sprung")), ("of ours", cache.kept), ("class", Trap)):
        keep_bytes(file.name, pickle.dumps(trap))
        assert cache.kept(("key",), lambda name=name: name) == name
    assert not (tmp_path / "sprung").exists()


@pytest.fixture(scope="module")
def built() -> Lark:
    """A parser made from the grammar, which takes a second."""
    return build(parsing._Blocks())


def test_parser_tables_are_data_and_read_back_as_the_same_parser(folder: Path, built: Lark) -> None:
    made = built
    again = parser_from(as_text(made), version(), postlex=parsing._Blocks())
    assert as_text(again) == as_text(made)
    text = GAME.splitlines()[2] + "\n"
    assert again.parse(text) == made.parse(text)


def test_parser_tables_are_the_same_bytes_each_time_they_are_made(built: Lark) -> None:
    """In whatever order Python goes through a set of names that day: here, elsewhere, and when they were shipped."""
    make = "from dragonrules.grammar.parser_tables import as_text, build; print(as_text(build()), end='')"
    other = {**os.environ, "PYTHONHASHSEED": "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"}
    elsewhere = subprocess.run(
        [sys.executable, "-c", make], env=other, capture_output=True, check=True
    ).stdout
    made = [hashlib.sha256(text).hexdigest() for text in (as_text(built).encode(), elsewhere)]
    assert made[0] == made[1]
    shipped = hashlib.sha256(parser_tables.SHIPPED.read_bytes()).hexdigest()
    assert shipped == made[0], "python -m dragonrules.grammar.parser_tables"


def test_tables_of_some_other_make_are_made_anew(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, built: Lark
) -> None:
    makings = []
    monkeypatch.setattr(parser_tables, "build", lambda postlex: makings.append(postlex) or built)
    other = tmp_path / "tables.json"
    other.write_text(parser_tables.SHIPPED.read_text().replace(version(), "another grammar"))
    monkeypatch.setattr(parser_tables, "SHIPPED", other)
    assert parser_tables.parser(parsing._Blocks()).parse(GAME.splitlines()[2] + "\n")
    assert len(makings) == 1
    assert parser_tables.parser(parsing._Blocks()).parse(GAME.splitlines()[2] + "\n")
    assert len(makings) == 1, "it has been kept"
    (file,) = folder.glob("parser-*")
    keep_bytes(file.name, b'{"data": {}, "memo": {}}')
    assert parser_tables.parser(parsing._Blocks()).parse(GAME.splitlines()[2] + "\n")
    assert len(makings) == 2


def test_the_shipped_tables_are_those_of_the_grammar(built: Lark) -> None:
    """State for state, whatever their numbers are. After a change of the grammar:
    `python -m dragonrules.grammar.parser_tables`."""
    texts = parser_tables.SHIPPED.read_text(), as_text(built)
    ours, new = (parser_from(text, version(), postlex=parsing._Blocks()) for text in texts)
    assert {str(t) for t in ours.terminals} == {str(t) for t in new.terminals}
    assert {repr(r) for r in ours.rules} == {repr(r) for r in new.rules}
    tables = [parser.parser.parser._parse_table for parser in (ours, new)]
    pairs = {tuple(table.start_states["declaration"] for table in tables)}
    open_ends = [*pairs]
    while open_ends:
        one, other = (table.states[number] for table, number in zip(tables, open_ends.pop(), strict=True))
        assert one.keys() == other.keys()
        for token, (action, target) in one.items():
            assert action == other[token][0]
            if action.name == "Reduce":
                assert repr(target) == repr(other[token][1])
            elif (pair := (target, other[token][1])) not in pairs:
                pairs.add(pair)
                open_ends.append(pair)
    assert len(pairs) == len(tables[0].states) == len(tables[1].states)


def test_what_is_kept_is_what_was_parsed(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file is saved anew while it is being loaded: between the fingerprint and the parser."""
    spec = tmp_path / "coins.dragon"
    spec.write_text(GAME, encoding="utf-8")
    fingerprint = driver._fingerprint

    def and_then_somebody_saves(*args: object) -> str | None:
        found = fingerprint(*args)  # type: ignore[arg-type]
        spec.write_text(GAME.replace("player(1)", "player(2)"), encoding="utf-8")
        return found

    monkeypatch.setattr(driver, "_fingerprint", and_then_somebody_saves)
    dr.load(spec)
    monkeypatch.undo()
    driver.forget()  # another process
    monkeypatch.setenv("DRAGONRULES_CACHE", str(folder))
    spec.write_text(GAME, encoding="utf-8")
    assert dr.load(spec).start().winners == {1}
    spec.write_text(GAME.replace("player(1)", "player(2)"), encoding="utf-8")
    assert dr.load(spec).start().winners == {2}


def test_within_one_load_a_file_is_read_once(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"one")
    with texts.reading_once():
        assert texts.bytes_of(path) == b"one"
        path.write_bytes(b"two")
        assert texts.bytes_of(path) == b"one"
    assert texts.bytes_of(path) == b"two"


def test_parts_of_files_that_were_left_behind_go(folder: Path) -> None:
    keep_bytes("a", b"one")
    old, new = folder / ".a.0123abcd.part", folder / ".b.0123abcd.part"
    for path in (old, new):
        path.write_bytes(b"")
    os.utime(old, (0, 0))
    cache_folder._swept.clear()
    keep_bytes("c", b"three")
    assert sorted(path.name for path in folder.iterdir()) == [".b.0123abcd.part", "a", "c"]
