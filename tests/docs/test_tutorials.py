"""docs/tutorial, and the page on testing: every file is written, every command is run, and prints what the page says.

A block ```dragon file=NAME is a whole file; `add=NAME` goes to its end;
`change=NAME` puts each declaration in the place of the one with its name, or at
the end. In a ```console block the lines behind `$` are commands, and what
follows is what they print, where `...` stands for anything. `exit=1` says that
the last of them finds something wanting.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from attrs import frozen
from click.testing import CliRunner
from dragonrules.cli.main import cli
from dragonrules.grammar import Report, Source, parse
from dragonrules.interpreter.overlay.lay import name_of, word_for

FOLDER = Path(__file__).parents[2] / "docs" / "tutorial"
PAGES = [*sorted(path.name for path in FOLDER.glob("*.md")), "../howto/testing.md"]


@frozen
class Block:
    line: int
    language: str
    settings: dict[str, str]
    text: str


def blocks(page: str) -> list[Block]:
    text = (FOLDER / page).read_text(encoding="utf-8")
    found = []
    for match in re.finditer(r"^```(\w+) ?([^\n]*)\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        settings = dict(pair.split("=", 1) for pair in match[2].split())
        found.append(Block(text[: match.start()].count("\n") + 1, match[1], settings, match[3]))
    return found


def declarations(text: str) -> dict[str, tuple[int, int]]:
    """Each declaration of a file, by its word and name, with where its text begins and ends."""
    report = Report()
    file = parse(Source("page", text), report)
    assert not report.errors, report.errors
    starts = [text.rfind("\n", 0, decl.span.start) + 1 for decl in file.decls]
    ends = [*starts[1:], len(text)]
    return {_name(decl): (start, end) for decl, start, end in zip(file.decls, starts, ends, strict=True)}


def _name(decl: object) -> str:
    owner = getattr(decl, "owner", None)
    title = getattr(decl, "title", None)
    try:
        return f"{word_for(decl)} {name_of(decl)}"
    except (AttributeError, KeyError):
        return f"{type(decl).__name__} {owner or title or ''}"


def changed(text: str, change: str) -> str:
    for name, (start, end) in declarations(change).items():
        new = change[start:end].strip("\n") + "\n\n"
        old = declarations(text).get(name)
        if old is None:
            text = text.rstrip("\n") + "\n\n" + new.rstrip("\n") + "\n"
        else:
            text = (text[: old[0]] + new + text[old[1] :]).rstrip("\n") + "\n"
    return text


def fits(printed: str, wanted: str) -> bool:
    pattern = ".*".join(re.escape(part) for part in wanted.strip("\n").split("..."))
    return re.fullmatch(pattern, printed.strip("\n"), re.DOTALL) is not None


@pytest.mark.parametrize("page", PAGES)
def test_a_page(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for block in blocks(page):
        where = f"{page}:{block.line}"
        if block.language == "dragon":
            ((how, name),) = block.settings.items()
            path = tmp_path / name
            if how == "file":
                path.write_text(block.text, encoding="utf-8")
            elif how == "add":
                path.write_text(path.read_text(encoding="utf-8") + block.text, encoding="utf-8")
            else:
                assert how == "change", where
                path.write_text(changed(path.read_text(encoding="utf-8"), block.text), encoding="utf-8")
        elif block.language == "console":
            commands = re.findall(r"^\$ dragonrules ([^\n]*)\n((?:(?!\$ ).*\n)*)", block.text, re.MULTILINE)
            assert commands, where
            for command, wanted in commands:
                result = CliRunner().invoke(cli, command.split())
                assert result.exit_code == int(block.settings.get("exit", 0)), (
                    f"{where}: {command}\n{result.output}"
                )
                assert fits(result.output, wanted), f"{where}: {command}\n{result.output}"


def test_that_other_words_are_noticed() -> None:
    assert fits("a\nb\nc\n", "a\n...\nc\n")
    assert not fits("a\nb\nc\n", "a\n...\nd\n")
    assert not fits("a\nb\n", "a\n")


def test_the_house_rule_matters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The scenario of the first page fails without its rule."""
    monkeypatch.chdir(tmp_path)
    texts = [b.text for b in blocks("first-house-rule.md") if "thrift.dragon" in b.settings.values()]
    Path("thrift.dragon").write_text(
        "".join(texts).replace("> 1: coin_lost", "> 0: coin_lost"), encoding="utf-8"
    )
    assert CliRunner().invoke(cli, ["test", "thrift.dragon"]).exit_code == 1
