"""The page of diagnostics: a section for each code, with a wrong and a right example that are run."""

from __future__ import annotations

import os
import re
from pathlib import Path

import dragonrules as dr
import pytest
from dragonrules.grammar import Report, Source, parse, render, syntax
from dragonrules.grammar.allowing import allowances, settle
from dragonrules.grammar.codes import CODES
from dragonrules.interpreter.driver import DRIVER
from dragonrules.interpreter.pages.explain import explain, sections
from dragonrules.interpreter.play import match as match_module
from dragonrules.interpreter.play import state as state_module

from .golden import HERE
from .test_catalogue import PLANNED
from .test_outside import SPEC

ROOT = HERE.parents[1]
SHIPPED = ROOT / "grammar/diagnostics.md"
SHOWN = ROOT / "docs/diagnostics.md"
OPEN_ENDS = ("D0403", "D0504", "D0506", "D0507")
"""A cut short example may leave something unused, may run out, may go on for ever."""
_EXAMPLE = re.compile(r"^(Wrong|Right):\n\n```(\w+)\n(.*?)```", re.MULTILINE | re.DOTALL)


@pytest.fixture(autouse=True)
def _table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with a game to talk about, and little patience with endless ones."""
    monkeypatch.chdir(tmp_path)
    short = 'variant "Short" of coins:\n    set goal = 2\n'
    Path("coins.dragon").write_text(SPEC + short, encoding="utf-8")
    monkeypatch.setattr(state_module, "ENDLESS", range(2_000))
    monkeypatch.setattr(match_module, "ENDLESS", range(2_000))


def codes_of(language: str, text: str) -> list[str]:
    """The codes that an example gives rise to."""
    try:
        if language == "python":
            exec(text, {"dr": dr})
        else:
            return read_and_play(text)
    except dr.SpecError as error:
        return [d.code for d in error.diagnostics]
    except dr.PlayError as error:
        return [error.diagnostic.code]
    except dr.UsageError as error:
        return [error.code]
    return []


def read_and_play(text: str) -> list[str]:
    """An example without a header or a phase gets some; its variants are all laid over it."""
    report = Report()
    first = parse(Source("example.dragon", text), report)
    if report.errors:
        return [d.code for d in report]
    kinds = {type(d) for d in first.decls}
    if syntax.Game not in kinds:
        text = f'game "Example" for 2 players\n{text}'
        if not kinds & {syntax.Phase, syntax.Variant}:
            text += "phase Play: finish {}\n"
    Path("example.dragon").write_text(text, encoding="utf-8")
    report = Report()
    file = parse(Source("example.dragon", text), report)
    variants = [d for d in file.decls if isinstance(d, syntax.Variant)]
    paths = []
    for number, variant in enumerate(variants):
        paths.append(f"variant_{number}.dragon")
        Path(paths[-1]).write_text(variant.span.text + "\n", encoding="utf-8")
    game = dr.load("example.dragon", variants=paths)
    if variants:
        report.take(DRIVER.overlaid(Path("example.dragon"), paths).report)
    else:
        checked = DRIVER.checked(file)
        report.found.update(checked.report.found)
        DRIVER.review(checked, report)
    comments = Report()
    told, _ = settle(report, allowances(file.span.source), comments)
    codes = [d.code for d in (*told, *comments)]  # warnings do not keep anybody from playing
    try:
        match = game.start(seed=1, check=True)
        for _ in range(50):
            if match.over:
                break
            match.choose(0)
    except dr.PlayError as error:
        codes.append(error.diagnostic.code)
    return codes


def examples(code: str) -> dict[str, tuple[str, str]]:
    return {which: (language, text) for which, language, text in _EXAMPLE.findall(sections()[code])}


def test_every_code_has_a_section() -> None:
    assert list(sections()) == list(CODES)
    for code, title in CODES.items():
        assert f"### {code}: {title}\n" in SHIPPED.read_text(encoding="utf-8")


@pytest.mark.parametrize("code", [code for code in CODES if code not in PLANNED])
def test_examples(code: str) -> None:
    found = examples(code)
    assert set(found) == {"Wrong", "Right"}
    assert code in codes_of(*found["Wrong"])
    for reported in codes_of(*found["Right"]):
        assert reported in OPEN_ENDS and reported != code, explain(code)


def test_page_is_shown() -> None:
    """The page for readers is the one that ships; `DRAGONRULES_UPDATE=1` copies it."""
    if os.environ.get("DRAGONRULES_UPDATE"):
        SHOWN.write_text(SHIPPED.read_text(encoding="utf-8"), encoding="utf-8")
    assert SHOWN.read_text(encoding="utf-8") == SHIPPED.read_text(encoding="utf-8")


def test_explanation() -> None:
    assert explain("d0313") == (
        "D0313: a condition must be yes or no\n"
        "\n"
        "Wrong:\n"
        "    state points: 0..9 = 3\n"
        "    phase Play:\n"
        "        if points: finish {}\n"
        "\n"
        "Right:\n"
        "    state points: 0..9 = 3\n"
        "    phase Play:\n"
        "        if points > 0: finish {}\n"
    )


def test_explanation_of_what_does_not_exist() -> None:
    with pytest.raises(dr.UsageError) as caught:
        explain("D9999")
    assert str(caught.value).startswith("error[D0201]: there is no diagnostic `D9999`")


def test_rendering_of_a_trail() -> None:
    assert "D0901" in read_and_play(examples("D0901")["Wrong"][1])
    with pytest.raises(dr.PlayError) as caught:
        dr.load("example.dragon").start()
    assert "\n  in Play\n" in render(caught.value.diagnostic)
