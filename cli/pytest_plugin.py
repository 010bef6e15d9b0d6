"""A pytest plugin: `pytest` runs the scenarios of `.dragon` files beside a project's other tests.

It is there as soon as dragonrules is installed; `-p no:dragonrules` leaves it
out, and the ini option `dragonrules_scenarios = false` switches it off. As every
run of pytest loads it, nothing of dragonrules is imported before there is a
scenario to collect.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from ..interpreter.rule_sets import Library
    from .rules.scenario_runs import Item, Result

_SCENARIO = re.compile(rb'^[ \t]*scenario[ \t]+"', re.MULTILINE)
_LIBRARY: pytest.StashKey[Library] = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini(
        "dragonrules_scenarios",
        "collect the scenarios of .dragon files (default: true)",
        "bool",
        default=True,
    )
    parser.addini(
        "dragonrules_variants",
        "patterns of the variants whose scenarios are collected, - for the game itself (default: all)",
        "linelist",
    )


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> SpecFile | None:
    if file_path.suffix != ".dragon" or not parent.config.getini("dragonrules_scenarios"):
        return None
    try:
        wanted = _SCENARIO.search(file_path.read_bytes()) is not None
    except OSError:
        return None
    return SpecFile.from_parent(parent, path=file_path) if wanted else None


class SpecFile(pytest.File):
    """A rule file with scenarios: those of its game, and of the variants written in it."""

    def collect(self) -> Iterator[ScenarioItem]:
        from ..grammar import render
        from ..interpreter.rule_sets import Library
        from .rules.scenario_runs import find

        library = self.config.stash.setdefault(_LIBRARY, Library())
        found = find([_shown(self.path)], families=False, library=library)
        if found.wrong:
            raise self.CollectError("\n\n".join(render(diagnostic) for diagnostic in found.wrong))
        for item in found.items:
            if self._wanted(item.rules.variants):
                yield ScenarioItem.from_parent(self, name=_name(item), scenario=item)

    def _wanted(self, variants: tuple[str, ...]) -> bool:
        patterns = [line.lower() for line in self.config.getini("dragonrules_variants")]
        names = [name.lower() for name in variants] or ["-"]
        return not patterns or any(fnmatchcase(name, pattern) for name in names for pattern in patterns)


class ScenarioItem(pytest.Item):
    def __init__(self, *, scenario: Item, **more: Any) -> None:
        super().__init__(**more)
        self.scenario = scenario
        self.extra_keyword_matches.update(
            (scenario.rules.base.stem, *scenario.rules.variants, *scenario.scenario.cites)
        )
        if scenario.scenario.cites:
            self.user_properties.append(("cites", " ".join(scenario.scenario.cites)))

    def runtest(self) -> None:
        from .rules.scenario_runs import run

        result = run(self.scenario)
        if not result.ok:
            raise ScenarioFailed(result)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The line, what was expected and found, and the position; of our code there is nothing to see."""
        if isinstance(excinfo.value, ScenarioFailed):
            from .formats.scenario_text import explained

            return "\n".join(explained(excinfo.value.result))
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.scenario.scenario.span.line - 1, str(self.scenario)


class ScenarioFailed(Exception):
    def __init__(self, result: Result) -> None:
        super().__init__(result.problem)
        self.result = result


def _name(item: Item) -> str:
    """The title, with the variants that it is about when the file does not hold a single rule set."""
    variants = ", ".join(item.rules.variants)
    return f"{item.title} [{variants}]" if variants and item.rules.path == item.rules.base else item.title


def _shown(path: Path) -> Path:
    """As short as can be, for messages."""
    try:
        return path.relative_to(Path.cwd())
    except ValueError:
        return path
