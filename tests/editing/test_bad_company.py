"""What a server meets in real life: a file that goes away, a folder that is not there, far too much of everything,
and mistakes of our own. There is always an answer, and the server lives on."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from dragonrules.grammar.fixes import Edit
from dragonrules.interpreter.editing import asking, colours, completing, edits, outline
from dragonrules.interpreter.editing.workspace import LONGEST, MOST_RELATED, Analysis, Workspace

from .frames import Wire
from .test_editing import SOME

GAME = """\
game "Coins 🎲" for 2 players
option goal: 1..9 = 3
token Coin: gold 30
place bank: bag of Coin, seen by all
setup: move all from box(Coin) to bank
each player has:
\tplace purse: bag of Coin, seen by all
phase Play:
    turns Round p:
        offer:
            "🎲🎲": take(me)
rule take(p: player):
    move 1 of gold from bank to p.purse
ending rich for p in players when count(p.purse) >= goal: finish {p}
"""
SPOILED = """\
import os
from dragonrules.cli.lsp import server as made

@made.server.feature("test/talks")
def talks(ls, params):
    print("stray")
    os.system("echo stray")
    return 1

@made.server.feature("test/fails")
def fails(ls, params):
    raise ValueError("on purpose")

made.serve()
"""


@pytest.fixture
def wire() -> Any:
    pytest.importorskip("pygls")
    made = Wire([sys.executable, "-c", SPOILED])
    yield made
    made.end()


def test_the_wire(wire: Wire, tmp_path: Path) -> None:
    """A folder that is not there, UTF-16 with a byte order mark, CRLF and tabs; prints and failures of our own;
    a document that has no file, a file that vanishes."""
    path = tmp_path / "coins.dragon"
    uri, here = path.as_uri(), {"textDocument": {"uri": path.as_uri()}}
    started = wire.start((tmp_path / "nowhere").as_uri())
    assert started["result"]["capabilities"]["positionEncoding"] == "utf-16"
    wire.open(uri, "\ufeff" + GAME.replace("\n", "\r\n").replace("to p.purse", "to p.prse"))
    (slip,) = wire.findings(uri, "D0205")
    line = next(number for number, text in enumerate(GAME.split("\n")) if "to p.purse" in text)
    column = GAME.split("\n")[line].index("purse")
    assert slip["range"]["start"] == {"line": line, "character": column}
    assert slip["range"]["end"] == {"line": line, "character": column + len("prse")}
    # behind two dice, each of which is two units wide
    line = next(number for number, text in enumerate(GAME.split("\n")) if "take(me)" in text)
    before = GAME.split("\n")[line].partition("ake(me)")[0]
    look = {**here, "position": {"line": line, "character": len(before.encode("utf-16-le")) // 2}}
    assert "**rule** `take`" in wire.ask("textDocument/hover", look)["result"]["contents"]["value"]

    assert wire.ask("test/talks", None)["result"] == 1
    failed = wire.ask("test/fails", None)
    assert "on purpose" in failed["error"]["message"]
    assert "error" in wire.ask("textDocument/nonsense", {})
    assert "error" in wire.ask("textDocument/hover", {"position": "nowhere"})
    assert "**rule** `take`" in wire.ask("textDocument/hover", look)["result"]["contents"]["value"]

    wire.open("untitled:Untitled-1", GAME)
    nameless = {"textDocument": {"uri": "untitled:Untitled-1"}, "position": {"line": 1, "character": 8}}
    assert wire.ask("textDocument/hover", nameless)["result"] is None
    gone = tmp_path / "gone.dragon"
    gone.write_text(GAME)
    wire.open(gone.as_uri(), GAME)
    wire.findings(gone.as_uri())
    gone.unlink()
    wire.tell("textDocument/didClose", {"textDocument": {"uri": gone.as_uri()}})
    away = {"textDocument": {"uri": gone.as_uri()}, "position": {"line": 1, "character": 8}}
    for question in (
        "hover",
        "definition",
        "documentSymbol",
        "foldingRange",
        "codeLens",
        "semanticTokens/full",
    ):
        assert "error" not in wire.ask(f"textDocument/{question}", away)
    assert wire.stop() == 0


def ask_all(workspace: Workspace, path: Path, offset: int) -> None:
    workspace.quick(path)
    workspace.meaning(path)
    asking.hover(workspace, path, offset)
    asking.definition(workspace, path, offset)
    completing.completions(workspace, path, offset)
    colours.tokens(workspace, path)
    outline.symbols(workspace, path)
    outline.folding(workspace, path)
    outline.lenses(workspace, path)
    outline.links(workspace, path)
    edits.formatted(workspace.analysis(path).source)


def test_ten_megabytes(tmp_path: Path) -> None:
    """Said at the beginning of the file; nothing else is tried, open or on the disk."""
    path = tmp_path / "long.dragon"
    text = GAME + "# nothing but words\n" * (10_000_000 // 20)
    workspace = Workspace([tmp_path])
    workspace.open(path, text)
    for _ in ("open", "on the disk"):
        (told,) = workspace.quick(path)
        assert told.code == "D0114" and f"more than {LONGEST:,}" in told.message and told.span.start == 0
        assert workspace.meaning(path) == [told]
        ask_all(workspace, path, 8)
        path.write_text(text)
        workspace.close(path)
    assert outline.found(workspace, "goal") == []


def test_ten_thousand_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that do not hold a name are not looked at; where too many do, a rename says so."""
    game = tmp_path / "coins.dragon"
    game.write_text(GAME)
    for number in range(10_000):
        text = f'variant "V{number}" of coins:\n    set goal = {number % 9 + 1}\n'
        (tmp_path / f"v{number}.dragon").write_text(text)
    workspace = Workspace([tmp_path])
    workspace.open(game, GAME)
    analysed: list[Path] = []
    real = Workspace._analyse

    def noted(self: Workspace, path: Path) -> Analysis:
        analysed.append(path)
        return real(self, path)

    monkeypatch.setattr(Workspace, "_analyse", noted)
    assert len(workspace.files()) == 10_001
    bank = GAME.index("bank")
    found = asking.rename(workspace, game, bank, "vault")
    assert (
        isinstance(found, list)
        and len(found) == GAME.count("bank")
        and all(isinstance(e, Edit) for e in found)
    )
    assert len(asking.references(workspace, game, bank)) == GAME.count("bank")
    refused = asking.rename(workspace, game, GAME.index("goal"), "aim")
    assert isinstance(refused, asking.Refused) and str(MOST_RELATED) in refused.reason
    assert analysed == [game]
    assert [entry.name for _, entry in outline.found(workspace, "bank")] == ["bank"]


def test_files_and_folders_that_go_away(tmp_path: Path) -> None:
    workspace = Workspace([tmp_path / "nowhere", tmp_path])
    path = tmp_path / "coins.dragon"
    path.write_text(GAME)
    workspace.analysis(path)
    path.unlink()
    assert [d.code for d in workspace.quick(path)] == ["D0106"]
    ask_all(workspace, path, 30)
    path.mkdir()
    ask_all(workspace, path, 30)
    assert outline.found(workspace, "goal") == []


def test_several_texts_at_once(tmp_path: Path) -> None:
    """A variant over a base that is broken, gone, and there again."""
    base, variant = tmp_path / "four.dragon", tmp_path / "mine.dragon"
    text = SOME[0].read_text(encoding="utf-8")
    workspace = Workspace([tmp_path])
    workspace.open(variant, 'variant "Mine" of four:\n    define seven = 7\n')
    assert [d.code for d in workspace.meaning(variant)] == ["D0707"]
    workspace.open(base, text)
    assert workspace.meaning(variant) == []
    workspace.open(base, text.replace("phase", "phase )", 1))
    assert all(d.span.source.name == str(base) for d in workspace.meaning(variant))
    ask_all(workspace, variant, 20)
