"""What README.md and the other pages show works as it is written there."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner
from dragonrules.cli.main import COMMANDS, cli

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "CHANGELOG.md",
    *sorted((ROOT / "docs").glob("*.md")),
]


def blocks(*languages: str, text: str = README) -> list[str]:
    """The code blocks of a page in these languages; those without one if none is given."""
    found = re.findall(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [block for language, block in found if language in (languages or ("",))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", re.sub(r"```.*?```", "", text, flags=re.DOTALL)):
        assert re.match(r"https?://", target) or (page.parent / target).exists(), target


def test_the_house_rule_can_be_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (rule,) = blocks("dragon")
    assert len(rule.splitlines()) == 5
    monkeypatch.chdir(tmp_path)
    Path("generous.dragon").write_text(rule, encoding="utf-8")
    (command,) = [
        line
        for block in blocks()
        for line in block.splitlines()
        if line.startswith("dragonrules run drakon --variant")
    ]
    args = [*shlex.split(command)[1:], "--auto", "--seed", "1"]
    result = CliRunner().invoke(cli, args, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("Drakon with generous for 2 players")
    assert CliRunner().invoke(cli, ["validate", "--strict", "generous.dragon"]).exit_code == 0
    assert CliRunner().invoke(cli, ["fmt", "--check", "generous.dragon"]).exit_code == 0


def test_the_python_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = blocks("python")
    exec(compile(example, "README.md", "exec"), {})
    assert "frozenset" in capsys.readouterr().out


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_and_option_that_is_shown_exists(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    shown = [line.strip("$ ") for block in blocks("", "yaml", text=text) for line in block.splitlines()]
    for line in shown:
        for call in re.findall(r"(?:^|run: |/)dragonrules ([a-z]+)([^#&|]*)", line):
            name, rest = call
            assert name in COMMANDS, line
            command = cli.get_command(None, name)  # type: ignore[arg-type]
            assert command is not None
            known = {option for parameter in command.params for option in parameter.opts} | {"--help"}
            assert set(re.findall(r"(?<!\S)--[a-z]+", rest)) <= known, line


def test_the_set_up_is_two_commands() -> None:
    install, tests = (block.strip() for block in blocks()[:2])
    first, second = install.splitlines()
    assert first == "python3 -m venv .venv && . .venv/bin/activate && pip install ."
    assert second == "dragonrules run drakon"  # found, as the environment is active
    assert tests == 'pip install -e ".[dev]" && pytest -n 2'
    assert "pytest -n 2" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
