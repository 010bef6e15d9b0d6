"""The pages beside the language reference: Python examples run, the page of commands is current, links lead somewhere."""

from __future__ import annotations

import doctest
import os
import re
from pathlib import Path

import click
import pytest
from dragonrules.cli.main import COMMANDS, cli

DOCS = Path(__file__).parents[2] / "docs"
PAGES = sorted(path for path in DOCS.rglob("*.md") if "_build" not in path.parts)
WITH_PYTHON = [p for p in PAGES if p.name != "language.md" and ">>> " in p.read_text(encoding="utf-8")]
LINK = re.compile(r"\]\(([^)#\s]+)(#[^)\s]*)?\)")


def named(path: Path) -> str:
    return str(path.relative_to(DOCS))


@pytest.mark.parametrize("page", WITH_PYTHON, ids=named)
def test_python_examples(page: Path) -> None:
    failed, tried = doctest.testfile(
        str(page), module_relative=False, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    )
    assert tried and not failed


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_links_lead_somewhere(page: Path) -> None:
    for target, _ in LINK.findall(page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), target


def test_every_page_is_in_the_table_of_contents() -> None:
    listed = {"index"}
    for page in PAGES:
        for block in re.findall(r"```\{toctree\}\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
            entries = [line for line in block.splitlines() if line and not line.startswith(":")]
            listed |= {str((page.parent / e).relative_to(DOCS)) for e in entries}
    assert {named(p)[: -len(".md")] for p in PAGES} == listed


def page_of_commands() -> str:
    """What `--help` says of each command."""
    parts = [
        "# The commands",
        "What `dragonrules COMMAND --help` says. Exit codes: 0 all is well, 1 the input was found wanting, "
        "2 wrong usage, 3 a mistake in dragonrules itself.",
    ]
    overview = click.Context(
        cli,
        info_name="dragonrules",
        terminal_width=100,
        max_content_width=100,
        help_option_names=["-h", "--help"],
    )
    for name in COMMANDS:
        command = cli.get_command(overview, name)
        assert command is not None
        context = click.Context(
            command, info_name=name, parent=overview, terminal_width=100, max_content_width=100
        )
        parts.append(f"## {name}\n\n```text\n{command.get_help(context).rstrip()}\n```")
    return "\n\n".join(parts) + "\n"


def test_the_page_of_commands_is_current() -> None:
    page = DOCS / "commands.md"
    if os.environ.get("DRAGONRULES_UPDATE"):
        page.write_text(page_of_commands(), encoding="utf-8")
    assert page.read_text(encoding="utf-8") == page_of_commands(), "run the tests with DRAGONRULES_UPDATE=1"
