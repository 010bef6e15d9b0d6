"""The language server over standard input and output, asked by a real client with VS Code's abilities."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

pytest.importorskip("pygls")
pytest_lsp = pytest.importorskip("pytest_lsp")

from lsprotocol import types as lsp  # noqa: E402
from pygls.exceptions import JsonRpcException  # noqa: E402
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities  # noqa: E402

GAME = """\
game "Beans" for 2 players:
    "Take one or two beans; who takes the last one wins."

option goal: 1..9 = 3
    "So many beans win."

token Bean: bean 12

place heap: bag of Bean, seen by all

each player has:
    place sack: bag of Bean, seen by all

define full(p: player) = count(p.sack) >= goal

setup:
    move all from box(Bean) to heap

phase Play:
    turns Round p:
        offer deed

action take in deed:
    choose n in 1..2 where n <= count(heap)
    move n of bean from heap to my.sack
    let rich = full(me)
    if rich: nothing

ending rich for p in players when full(p): finish {p}
"""
VARIANT = """\
variant "Greed" of beans:
    "Five beans win."
    set goal = 5
    replace action take in deed:
        choose n in 1..3 where n <= count(heap)
        move n of bean from heap to my.sack
"""
COMMAND = [sys.executable, "-m", "dragonrules", "lsp"]


@pytest_lsp.fixture(config=ClientServerConfig(server_command=COMMAND))
async def client(lsp_client: LanguageClient, tmp_path: Path) -> AsyncIterator[None]:
    (tmp_path / "beans.dragon").write_text(GAME)
    (tmp_path / "greed.dragon").write_text(VARIANT)
    await lsp_client.initialize_session(
        lsp.InitializeParams(
            capabilities=client_capabilities("visual-studio-code"),
            initialization_options={"inlayHints": True},
            workspace_folders=[lsp.WorkspaceFolder(uri=tmp_path.as_uri(), name="rules")],
        )
    )
    yield
    await lsp_client.shutdown_session()


class Editor:
    """Somebody at work on one file."""

    def __init__(self, client: LanguageClient, path: Path, text: str) -> None:
        self.client, self.uri, self.text, self.version = client, path.as_uri(), text, 1
        client.text_document_did_open(
            lsp.DidOpenTextDocumentParams(
                text_document=lsp.TextDocumentItem(uri=self.uri, language_id="dragon", version=1, text=text)
            )
        )

    @property
    def document(self) -> lsp.TextDocumentIdentifier:
        return lsp.TextDocumentIdentifier(uri=self.uri)

    def write(self, text: str) -> None:
        self.text, self.version = text, self.version + 1
        self.client.text_document_did_change(
            lsp.DidChangeTextDocumentParams(
                text_document=lsp.VersionedTextDocumentIdentifier(uri=self.uri, version=self.version),
                content_changes=[lsp.TextDocumentContentChangeWholeDocument(text=text)],
            )
        )

    def at(self, around: str, name: str) -> lsp.Position:
        offset = self.text.index(around) + around.index(name)
        before = self.text[:offset]
        return lsp.Position(line=before.count("\n"), character=len(before.rpartition("\n")[2]))

    async def findings(self, *codes: str) -> list[lsp.Diagnostic]:
        """Wait until these are the codes that are told."""
        while True:
            found = self.client.diagnostics.get(self.uri, [])
            if sorted(str(d.code) for d in found) == sorted(codes):
                return list(found)
            await self.client.wait_for_notification(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)


@pytest.mark.asyncio
async def test_an_hour_of_work(client: LanguageClient, tmp_path: Path) -> None:
    game = Editor(client, tmp_path / "beans.dragon", GAME)
    here = {"text_document": game.document}
    await client.wait_for_notification(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    await game.findings()

    # a slip: told, and mended by what is offered
    game.write(GAME.replace("count(p.sack)", "count(p.sakc)"))
    (slip,) = await game.findings("D0205")
    assert slip.code_description.href.endswith("#d0205") and "did you mean `sack`" in slip.message
    actions = await client.text_document_code_action_async(
        lsp.CodeActionParams(**here, range=slip.range, context=lsp.CodeActionContext(diagnostics=[slip]))
    )
    (edit,) = actions[0].edit.changes[game.uri]
    assert actions[0].is_preferred and edit.new_text == "sack"
    # something that cannot be read: said, and names elsewhere are still known
    game.write(GAME.replace("finish {p}", "finish {p"))
    await game.findings("D0108")
    hovered = await client.text_document_hover_async(
        lsp.HoverParams(**here, position=game.at("p.sack", "sack"))
    )
    assert "**place** `sack`" in hovered.contents.value and "Seen by all" in hovered.contents.value
    game.write(GAME)
    await game.findings()

    # asking
    position = game.at(">= goal", "goal")
    (declared,) = await client.text_document_definition_async(lsp.DefinitionParams(**here, position=position))
    assert declared.range.start == game.at("option goal", "goal")
    told = await client.text_document_hover_async(lsp.HoverParams(**here, position=position))
    assert "So many beans win." in told.contents.value and "In force: 3" in told.contents.value
    told = await client.text_document_hover_async(
        lsp.HoverParams(**here, position=game.at("action take", "take"))
    )
    assert "In the rulebook:" in told.contents.value and "from the heap" in told.contents.value
    members = await client.text_document_completion_async(
        lsp.CompletionParams(**here, position=game.at("my.sack", "sack"))
    )
    assert "sack" in [item.label for item in members.items]
    words = await client.text_document_completion_async(
        lsp.CompletionParams(**here, position=game.at("    move n of", "move"))
    )
    labels = [item.label for item in words.items]
    assert {"move", "choose", "n", "full"} <= {*labels}
    assert labels.index("n") < labels.index("choose")

    # the shape of the file
    outline = await client.text_document_document_symbol_async(lsp.DocumentSymbolParams(**here))
    assert [s.name for s in outline][:3] == ["Beans", "goal", "Bean"]
    assert "sack" in [child.name for s in outline for child in s.children or []]
    folds = await client.text_document_folding_range_async(lsp.FoldingRangeParams(**here))
    assert any(f.start_line == game.at("phase Play", "phase").line for f in folds)
    lenses = await client.text_document_code_lens_async(lsp.CodeLensParams(**here))
    assert [lens.command.title for lens in lenses] == ["play"]
    hints = await client.text_document_inlay_hint_async(
        lsp.InlayHintParams(**here, range=lsp.Range(start=position, end=lsp.Position(line=99, character=0)))
    )
    assert [(h.label, h.position.line) for h in hints] == [(": yes/no", game.at("let rich", "rich").line)]
    colours = await client.text_document_semantic_tokens_full_async(lsp.SemanticTokensParams(**here))
    assert len(colours.data) > 100 and len(colours.data) % 5 == 0
    game.write(GAME.replace("option goal", "option  goal"))
    delta = await client.text_document_semantic_tokens_full_delta_async(
        lsp.SemanticTokensDeltaParams(**here, previous_result_id=colours.result_id)
    )
    (change,) = delta.edits
    now = list(colours.data)
    now[change.start : change.start + change.delete_count] = change.data
    game.write(GAME.replace("option goal", "option  goal") + " ")
    whole = await client.text_document_semantic_tokens_full_async(lsp.SemanticTokensParams(**here))
    assert now == list(whole.data) != list(colours.data) and len(change.data) < 10
    game.write(GAME)
    assert await client.workspace_symbol_async(lsp.WorkspaceSymbolParams(query="take"))
    spoiled = GAME.replace("option goal: 1..9 = 3", "option goal:   1..9 = 3")
    game.write(spoiled)
    edits = await client.text_document_formatting_async(
        lsp.DocumentFormattingParams(**here, options=lsp.FormattingOptions(tab_size=4, insert_spaces=True))
    )
    assert [e.new_text for e in edits] == ["option goal: 1..9 = 3\n"]
    at_save = await client.text_document_code_action_async(
        lsp.CodeActionParams(
            **here,
            range=slip.range,
            context=lsp.CodeActionContext(diagnostics=[], only=[lsp.CodeActionKind.SourceFixAll]),
        )
    )
    assert [action.edit.changes[game.uri] for action in at_save] == [edits]
    game.write(GAME)

    # a variant: its links, the way into its base, and a rename over both files
    variant = Editor(client, tmp_path / "greed.dragon", VARIANT)
    there = {"text_document": variant.document}
    (link,) = await client.text_document_document_link_async(lsp.DocumentLinkParams(**there))
    assert link.target == game.uri
    hints = await client.text_document_inlay_hint_async(
        lsp.InlayHintParams(
            **there, range=lsp.Range(start=link.range.start, end=lsp.Position(line=99, character=0))
        )
    )
    assert [h.label for h in hints] == [" (was 3)"]
    (base,) = await client.text_document_definition_async(
        lsp.DefinitionParams(**there, position=variant.at("action take", "take"))
    )
    assert (base.uri, base.range.start) == (game.uri, game.at("action take", "take"))
    renamed = await client.text_document_rename_async(
        lsp.RenameParams(**here, position=position, new_name="target")
    )
    assert {uri: len(edits) for uri, edits in renamed.changes.items()} == {game.uri: 2, variant.uri: 1}
    with pytest.raises(JsonRpcException, match="there is a `full` already"):
        await client.text_document_rename_async(lsp.RenameParams(**here, position=position, new_name="full"))
    word = await client.text_document_prepare_rename_async(lsp.PrepareRenameParams(**here, position=position))
    assert (word.start, word.end.character - word.start.character) == (position, len("goal"))

    # what is not there, and a client that asks nonsense: an answer, and the server lives on
    nowhere = lsp.TextDocumentIdentifier(uri=(tmp_path / "gone.dragon").as_uri())
    start = lsp.Position(line=99, character=99)
    assert (
        await client.text_document_hover_async(lsp.HoverParams(text_document=nowhere, position=start)) is None
    )
    assert await client.text_document_hover_async(lsp.HoverParams(**here, position=start)) is None
