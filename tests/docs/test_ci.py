"""The jobs of docs/ci.md work as written: what they run is run here, on a small project."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml

from ..cli.command import COINS, GREEDY, dragonrules, written

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs/ci.md").read_text(encoding="utf-8")
BLOCKS: list[Any] = [yaml.safe_load(block) for block in re.findall(r"```yaml\n(.*?)```", TEXT, re.DOTALL)]
HOOKS: list[Any] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))


def commands(block: Any) -> list[str]:
    """The commands of a GitHub workflow or a GitLab job."""
    if "jobs" in block:
        return [step["run"] for job in block["jobs"].values() for step in job["steps"] if "run" in step]
    return [line for job in block.values() if isinstance(job, dict) for line in job.get("script", ())]


JOBS = [block for block in BLOCKS if "repos" not in block]


@pytest.mark.parametrize("block", JOBS, ids=("github", "code_scanning", "gitlab"))
def test_jobs(block: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, coins=COINS, variants__coins_greedy=GREEDY)
    lines = commands(block)
    assert lines[0] == "pip install dragonrules"
    for line in lines[1:]:
        command, _, target = line.partition(" > ")
        words = shlex.split(command)
        assert words[0] == "dragonrules"
        result = dragonrules(*words[1:])
        assert result.exit_code == 0, result.output
        if target:
            Path(target).write_text(result.stdout)
    for wanted in re.findall(r"(?:junit|sarif_file)': '([^']+)'", str(block)):
        assert (tmp_path / wanted).exists()


def test_a_job_fails_where_it_should(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, coins=COINS.replace("pile != {}", "count(pil)  > 0"))
    for line in commands(JOBS[0])[1:]:
        assert dragonrules(*shlex.split(line)[1:]).exit_code == 1, line


def test_hooks_are_those_of_the_page(tmp_path: Path) -> None:
    (config,) = [block for block in BLOCKS if "repos" in block]
    assert [hook["id"] for hook in config["repos"][0]["hooks"]] == [hook["id"] for hook in HOOKS]
    path = written(tmp_path, coins=COINS)
    for hook in HOOKS:
        assert re.search(hook["files"], str(path))
        words = [*shlex.split(hook["entry"]), *hook.get("args", ())]
        assert dragonrules(*words[1:], path).exit_code == 0


def test_the_document_shown_has_the_right_parts() -> None:
    (shown,) = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", TEXT, re.DOTALL)]
    schema = json.loads((ROOT / "docs/schemas/validate.schema.json").read_text(encoding="utf-8"))
    assert set(shown) == set(schema["required"])
