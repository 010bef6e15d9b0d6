"""`dragonrules lsp`: the protocol over standard input and output.

After a key press the syntax is looked at at once, names and types after a short pause, and
everything that `dragonrules validate` would say when nobody has typed for a while: that is worked out in a
process of its own and dropped when the text has changed meanwhile. Questions are answered from
the last text that made sense. Commands of lenses run `dragonrules` in a terminal of the editor, never here.
"""

from __future__ import annotations

import asyncio
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls import uris
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol

from ... import __version__
from ...grammar import Diagnostic
from ...grammar.fixes import Edit
from ...interpreter.core.errors import DragonError
from ...interpreter.driver import Driver
from ...interpreter.editing import asking, colours, completing, edits, hints, outline
from ...interpreter.editing.workspace import LONGEST, Workspace
from ...interpreter.rule_sets import Library
from ..rules.findings import findings
from .convert import Converter, Text, uri_of

PAUSE, REST = 0.15, 0.55
"""Seconds without a key press before names are looked at, and then before everything is."""

KINDS = {
    "game": lsp.SymbolKind.Module, "variant": lsp.SymbolKind.Module, "each": lsp.SymbolKind.Object,
    "kinds": lsp.SymbolKind.Enum, "component": lsp.SymbolKind.Class, "token": lsp.SymbolKind.Class,
    "piece": lsp.SymbolKind.Object, "place": lsp.SymbolKind.Field, "state": lsp.SymbolKind.Variable,
    "option": lsp.SymbolKind.Constant, "define": lsp.SymbolKind.Function, "table": lsp.SymbolKind.Array,
    "rule": lsp.SymbolKind.Function, "action": lsp.SymbolKind.Method, "trigger": lsp.SymbolKind.Event,
    "phase": lsp.SymbolKind.Namespace, "ending": lsp.SymbolKind.Event, "scenario": lsp.SymbolKind.Event,
}  # fmt: skip
SORTS = {
    "word": lsp.CompletionItemKind.Keyword, "local": lsp.CompletionItemKind.Variable,
    "value": lsp.CompletionItemKind.EnumMember, "field": lsp.CompletionItemKind.Field,
    "place": lsp.CompletionItemKind.Field, "state": lsp.CompletionItemKind.Field,
    "rule": lsp.CompletionItemKind.Function, "define": lsp.CompletionItemKind.Function,
    "action": lsp.CompletionItemKind.Method, "kinds": lsp.CompletionItemKind.Enum,
    "component": lsp.CompletionItemKind.Class, "option": lsp.CompletionItemKind.Constant,
}  # fmt: skip


def validated(path: Path, texts: dict[Path, str]) -> list[Diagnostic]:
    """What `dragonrules validate` says of a file, with these texts over the disk. Runs in a process of its own."""
    return list(findings([path], 1, Library(Driver(texts))).told)


class Protocol(LanguageServerProtocol):
    """Also a question that cannot be understood gets an answer."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        try:
            return super().structure_message(data)
        except JsonRpcException as problem:
            if "id" in data and "method" in data:
                self._send_response(data["id"], error=problem.to_response_error())
            raise


class Server(LanguageServer):
    def __init__(self) -> None:
        super().__init__("dragonrules", __version__, protocol_cls=Protocol)
        self.rules = Workspace()
        self.told: dict[Path, set[str]] = {}
        self.last: dict[Path, list[Diagnostic]] = {}
        """What `dragonrules validate` said last."""
        self.leaks: dict[Path, list[Diagnostic]] = {}
        self.careful: dict[Path, list[Diagnostic]] = {}
        """What of it only a look at the whole finds: it stays until the next one."""
        self.running: dict[Path, asyncio.Task[None]] = {}
        self.hints = False
        """Does somebody want words between those of the text?"""
        self.tokens: dict[str, tuple[str, list[int]]] = {}
        """By document: the colours that were sent last, and under which name."""
        self._pool: ProcessPoolExecutor | None = None

    # ------------------------------------------------------------ texts
    @property
    def encoding(self) -> str:
        return str(getattr(self.workspace.position_encoding, "value", self.workspace.position_encoding))

    def path(self, uri: str) -> Path | None:
        found = uris.to_fs_path(uri)
        return None if found is None else Path(found)

    def take(self, uri: str) -> Path | None:
        """Note the text that a document has now."""
        path = self.path(uri)
        if path is not None:
            self.rules.open(path, self.workspace.get_text_document(uri).source)
        return path

    def offset(self, path: Path, position: lsp.Position) -> int:
        text = self.rules.texts.get(path)
        if text is None:
            text = self.rules.analysis(path).source.text
        return Text(text, self.encoding).offset(position)

    @property
    def pool(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(1, mp_context=get_context("spawn"))
        return self._pool

    # ------------------------------------------------------------ findings
    def look(self, path: Path) -> None:
        """Look at a text again, from the quickest look to the longest."""
        if (before := self.running.get(path)) is not None:
            before.cancel()
        self.running[path] = asyncio.get_running_loop().create_task(self._look(path))

    async def _look(self, path: Path) -> None:
        if len(self.rules.texts.get(path, "")) > LONGEST:
            self.tell(path, self.rules.quick(path))
            return
        try:
            wrong = self.rules.quick(path)
            self.tell(path, wrong or self.last.get(path, []))
            await asyncio.sleep(PAUSE)
            names = self.rules.meaning(path, leaks=False)
            self.tell(path, [*names, *self._kept(path)])
            await asyncio.sleep(0)  # somebody may have asked something meanwhile, or typed on
            quickly = self.rules.meaning(path)
            self.tell(path, [*quickly, *self.careful.get(path, [])])
            await asyncio.sleep(REST)
            texts = dict(self.rules.texts)
            loop = asyncio.get_running_loop()
            found = await loop.run_in_executor(self.pool, validated, path, texts)
            if texts == self.rules.texts:
                self.last[path] = found
                self.careful[path] = [d for d in found if d not in quickly]
                self.leaks[path] = [d for d in quickly if d not in names]
                self.tell(path, found)
        except asyncio.CancelledError:
            raise
        except DragonError as problem:
            self.window_log_message(lsp.LogMessageParams(type=lsp.MessageType.Warning, message=str(problem)))
        except Exception as problem:
            told = f"{type(problem).__name__}: {problem}"
            self.window_log_message(lsp.LogMessageParams(type=lsp.MessageType.Error, message=told))

    def _kept(self, path: Path) -> list[Diagnostic]:
        """What only longer looks find stays until the next one."""
        return [*self.leaks.get(path, []), *self.careful.get(path, [])]

    def tell(self, path: Path, found: list[Diagnostic]) -> None:
        """Findings at their places, each file's at once; what was told of other files before is taken back."""
        convert = Converter(self.encoding)
        by_file: dict[str, list[lsp.Diagnostic]] = {uri_of(str(path)): []}
        seen = set()
        for diagnostic in found:
            key = diagnostic.code, diagnostic.span.source.name, diagnostic.span.start, diagnostic.message
            if key not in seen:
                seen.add(key)
                place = by_file.setdefault(uri_of(diagnostic.span.source.name), [])
                place.append(convert.diagnostic(diagnostic))
        for uri in self.told.get(path, set()) - by_file.keys():
            by_file[uri] = []
        self.told[path] = set(by_file)
        for uri, diagnostics in by_file.items():
            self.text_document_publish_diagnostics(
                lsp.PublishDiagnosticsParams(uri=uri, diagnostics=diagnostics)
            )


server = Server()


# ---------------------------------------------------------------- the life of documents
@server.feature(lsp.INITIALIZE)
def initialize(ls: Server, params: lsp.InitializeParams) -> None:
    wishes = params.initialization_options
    ls.hints = isinstance(wishes, dict) and bool(wishes.get("inlayHints"))


@server.feature(lsp.INITIALIZED)
def initialized(ls: Server, params: lsp.InitializedParams) -> None:
    ls.rules.folders = [
        path for uri in ls.workspace.folders if (path := ls.path(uri)) is not None and path.is_dir()
    ]
    from ...grammar.parsing import lark_parser

    lark_parser()  # now, and not at the first key press


@server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
async def did_open(ls: Server, params: lsp.DidOpenTextDocumentParams) -> None:
    if (path := ls.take(params.text_document.uri)) is not None:
        ls.look(path)


@server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
async def did_change(ls: Server, params: lsp.DidChangeTextDocumentParams) -> None:
    if (path := ls.take(params.text_document.uri)) is not None:
        ls.look(path)


@server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
async def did_save(ls: Server, params: lsp.DidSaveTextDocumentParams) -> None:
    for path in list(ls.rules.texts):
        ls.look(path)


@server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
def did_close(ls: Server, params: lsp.DidCloseTextDocumentParams) -> None:
    if (path := ls.path(params.text_document.uri)) is not None:
        if (running := ls.running.pop(path, None)) is not None:
            running.cancel()
        ls.rules.close(path)
        ls.last.pop(path, None)
        ls.careful.pop(path, None)
        ls.leaks.pop(path, None)
        ls.tokens.pop(params.text_document.uri, None)
        ls.tell(path, [])


@server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
async def did_change_files(ls: Server, params: lsp.DidChangeWatchedFilesParams) -> None:
    for path in list(ls.rules.texts):
        ls.look(path)


# ---------------------------------------------------------------- questions
@server.feature(lsp.TEXT_DOCUMENT_HOVER)
def hover(ls: Server, params: lsp.HoverParams) -> lsp.Hover | None:
    if (path := ls.path(params.text_document.uri)) is None:
        return None
    found = asking.hover(ls.rules, path, ls.offset(path, params.position))
    if found is None:
        return None
    content = lsp.MarkupContent(kind=lsp.MarkupKind.Markdown, value=found.text)
    return lsp.Hover(contents=content, range=Converter(ls.encoding).range(found.span))


@server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
def definition(ls: Server, params: lsp.DefinitionParams) -> list[lsp.Location]:
    if (path := ls.path(params.text_document.uri)) is None:
        return []
    convert = Converter(ls.encoding)
    return [convert.location(s) for s in asking.definition(ls.rules, path, ls.offset(path, params.position))]


@server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
def references(ls: Server, params: lsp.ReferenceParams) -> list[lsp.Location]:
    if (path := ls.path(params.text_document.uri)) is None:
        return []
    convert = Converter(ls.encoding)
    spans = asking.references(
        ls.rules, path, ls.offset(path, params.position), declared=params.context.include_declaration
    )
    return [convert.location(span) for span in spans]


@server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
def prepare_rename(ls: Server, params: lsp.PrepareRenameParams) -> lsp.Range | None:
    if (path := ls.path(params.text_document.uri)) is None:
        return None
    found = asking.renamable(ls.rules, path, ls.offset(path, params.position))
    if isinstance(found, asking.Refused):
        raise _refused(found)
    return Converter(ls.encoding).range(found)


@server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
def rename(ls: Server, params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
    if (path := ls.path(params.text_document.uri)) is None:
        return None
    found = asking.rename(ls.rules, path, ls.offset(path, params.position), params.new_name)
    if isinstance(found, asking.Refused):
        raise _refused(found)
    return Converter(ls.encoding).workspace_edit(found)


def _refused(why: asking.Refused) -> JsonRpcException:
    """Shown where the name was asked for."""
    return JsonRpcException(message=why.reason, code=lsp.LSPErrorCodes.RequestFailed.value)


@server.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
def inlay_hints(ls: Server, params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
    if not ls.hints or (path := ls.path(params.text_document.uri)) is None:
        return []
    start, end = ls.offset(path, params.range.start), ls.offset(path, params.range.end)
    text = Text(ls.rules.analysis(path).source.text, ls.encoding)
    return [
        lsp.InlayHint(position=text.position(hint.at), label=hint.text)
        for hint in hints.hints(ls.rules, path, start, end)
    ]


@server.feature(
    lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=[".", " "], resolve_provider=False)
)
def completion(ls: Server, params: lsp.CompletionParams) -> lsp.CompletionList:
    path = ls.path(params.text_document.uri)
    found = [] if path is None else completing.completions(ls.rules, path, ls.offset(path, params.position))
    items = [
        lsp.CompletionItem(
            label=one.name,
            kind=SORTS.get(one.kind, lsp.CompletionItemKind.Reference),
            detail=one.detail or one.kind,
            sort_text=one.order,
        )
        for one in found
    ]
    return lsp.CompletionList(is_incomplete=False, items=items)


@server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
def symbols(ls: Server, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
    if (path := ls.path(params.text_document.uri)) is None:
        return []
    convert = Converter(ls.encoding)

    def made(entry: outline.Entry) -> lsp.DocumentSymbol:
        whole, name = convert.range(entry.whole), convert.range(entry.span)
        if (name.start.line, name.start.character) < (whole.start.line, whole.start.character):
            whole = lsp.Range(start=name.start, end=whole.end)
        if (name.end.line, name.end.character) > (whole.end.line, whole.end.character):
            whole = lsp.Range(start=whole.start, end=name.end)
        return lsp.DocumentSymbol(
            name=entry.name or entry.kind,
            detail=entry.kind,
            kind=KINDS.get(entry.kind, lsp.SymbolKind.Object),
            range=whole,
            selection_range=name,
            children=[made(member) for member in entry.members] or None,
        )

    return [made(entry) for entry in outline.symbols(ls.rules, path)]


@server.feature(lsp.WORKSPACE_SYMBOL)
def workspace_symbols(ls: Server, params: lsp.WorkspaceSymbolParams) -> list[lsp.SymbolInformation]:
    convert = Converter(ls.encoding)
    return [
        lsp.SymbolInformation(
            name=one.name,
            kind=KINDS.get(one.kind, lsp.SymbolKind.Object),
            location=convert.location(one.span),
            container_name=path.stem,
        )
        for path, one in outline.found(ls.rules, params.query)
    ]


@server.feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE)
def folding(ls: Server, params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
    if (path := ls.path(params.text_document.uri)) is None:
        return []
    found = outline.folding(ls.rules, path)
    return [lsp.FoldingRange(start_line=first - 1, end_line=last - 1) for first, last in found]


@server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_LINK)
def links(ls: Server, params: lsp.DocumentLinkParams) -> list[lsp.DocumentLink]:
    if (path := ls.path(params.text_document.uri)) is None:
        return []
    convert = Converter(ls.encoding)
    found = outline.links(ls.rules, path)
    return [lsp.DocumentLink(range=convert.range(span), target=uri_of(str(to))) for span, to in found]


@server.feature(lsp.TEXT_DOCUMENT_CODE_LENS)
def lenses(ls: Server, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
    if (path := ls.path(params.text_document.uri)) is None:
        return []
    convert = Converter(ls.encoding)
    return [
        lsp.CodeLens(
            range=convert.range(lens.span),
            command=lsp.Command(
                title=lens.title, command="dragonrules.terminal", arguments=[list(lens.command)]
            ),
        )
        for lens in outline.lenses(ls.rules, path)
    ]


@server.feature(
    lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL,
    lsp.SemanticTokensRegistrationOptions(
        legend=lsp.SemanticTokensLegend(token_types=list(colours.TYPES), token_modifiers=["declaration"]),
        full=lsp.SemanticTokensFullDelta(delta=True),
    ),
)
def tokens(ls: Server, params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
    name, data = _coloured(ls, params.text_document.uri)
    return lsp.SemanticTokens(data=data, result_id=name)


@server.feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA)
def tokens_changed(
    ls: Server, params: lsp.SemanticTokensDeltaParams
) -> lsp.SemanticTokens | lsp.SemanticTokensDelta:
    before, old = ls.tokens.get(params.text_document.uri, ("", []))
    name, data = _coloured(ls, params.text_document.uri)
    if before != params.previous_result_id:
        return lsp.SemanticTokens(data=data, result_id=name)
    start, old_end, new_end = colours.changed(old, data)
    edit = lsp.SemanticTokensEdit(start=start, delete_count=old_end - start, data=data[start:new_end])
    return lsp.SemanticTokensDelta(edits=[edit] if old != data else [], result_id=name)


def _coloured(ls: Server, uri: str) -> tuple[str, list[int]]:
    """All names of a document as the protocol counts them, each from the one before."""
    data: list[int] = []
    if (path := ls.path(uri)) is not None:
        text = Text(ls.rules.analysis(path).source.text, ls.encoding)
        line = column = 0
        for start, length, role, declared in colours.tokens(ls.rules, path):
            here, end = text.position(start), text.position(start + length)
            moved = here.line - line
            data += [moved, here.character - (0 if moved else column), end.character - here.character]
            data += [colours.TYPES.index(role), int(declared)]
            line, column = here.line, here.character
    name = str(int(ls.tokens.get(uri, ("0", []))[0]) + 1)
    ls.tokens[uri] = name, data
    return name, data


@server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
def formatting(ls: Server, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit] | None:
    if (path := ls.path(params.text_document.uri)) is None:
        return None
    found = edits.formatted(ls.rules.analysis(path).source)
    convert = Converter(ls.encoding)
    return None if found is None else [convert.edit(edit) for edit in found]


@server.feature(
    lsp.TEXT_DOCUMENT_CODE_ACTION,
    lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.SourceFixAll]),
)
def actions(ls: Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    if (path := ls.path(params.text_document.uri)) is None:
        return []
    convert, out = Converter(ls.encoding), []
    if params.context.only and all(kind.startswith("source") for kind in params.context.only):
        return _layout(ls, path)
    start, end = ls.offset(path, params.range.start), ls.offset(path, params.range.end)
    source = ls.rules.analysis(path).source
    now = [*ls.rules.meaning(path), *ls.last.get(path, [])]
    for found in dict.fromkeys(now):
        here = found.span
        if here.source.text != source.text or here.source.name != source.name:
            continue
        if here.start > end or max(here.end, here.start + 1) < start:
            continue
        for fix in found.fixes:
            out.append(
                lsp.CodeAction(
                    title=fix.title,
                    kind=lsp.CodeActionKind.QuickFix,
                    diagnostics=[convert.diagnostic(found)],
                    is_preferred=fix.safe,
                    edit=convert.workspace_edit(fix.edits),
                )
            )
        if found.severity != "error":
            out.append(_allow(convert, source, found))
    return out


def _layout(ls: Server, path: Path) -> list[lsp.CodeAction]:
    """What may be done at each save without a look: the layout, and nothing that could change a meaning."""
    if not (found := edits.formatted(ls.rules.analysis(path).source)):
        return []
    change = Converter(ls.encoding).workspace_edit(found)
    return [lsp.CodeAction(title="lay out the file", kind=lsp.CodeActionKind.SourceFixAll, edit=change)]


def _allow(convert: Converter, source: Any, found: Diagnostic) -> lsp.CodeAction:
    """A comment that allows one warning on one line, with a reason to fill in."""
    from ...grammar import Span

    end = source.text.find("\n", found.span.start)
    at = Span(source, end if end >= 0 else len(source.text), end if end >= 0 else len(source.text))
    edit = Edit(at, f"  # allow {found.code}: reason")
    return lsp.CodeAction(
        title=f"allow {found.code} here, with a reason",
        kind=lsp.CodeActionKind.QuickFix,
        diagnostics=[convert.diagnostic(found)],
        edit=convert.workspace_edit([edit]),
    )


def serve() -> None:
    """Speak over standard input and output; whatever else is printed goes to standard error."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    server.start_io(sys.stdin.buffer, out)
