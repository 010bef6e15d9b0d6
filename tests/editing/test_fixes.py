"""Each fix of each example of a mistake makes its finding go away, and adds none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from dragonrules.cli.main import cli
from dragonrules.cli.rules.findings import findings
from dragonrules.grammar import Report, Source, Span, parse
from dragonrules.grammar.diagnostics import Diagnostic
from dragonrules.grammar.fixes import Edit, Fix, apply
from dragonrules.interpreter.check.game import check
from dragonrules.interpreter.driver import Driver
from dragonrules.interpreter.review.secrecy import information_flow
from dragonrules.interpreter.rule_sets import Library

TESTS = Path(__file__).parents[1]
MISTAKES = sorted(
    [
        *(TESTS / "grammar" / "bad").glob("*.dragon"),
        *(TESTS / "errors" / "checks").glob("*.dragon"),
        *(TESTS / "errors" / "reviews").glob("*.dragon"),
    ]
)
OVERLAYS = sorted(path for path in (TESTS / "errors" / "overlays").iterdir() if path.is_dir())


def found(text: str) -> list[Diagnostic]:
    report = Report()
    file = parse(Source("spec.dragon", text), report)
    if not report.errors:
        game = check(file, report)
        if not report.errors:
            information_flow(game, report)
    return list(report)


def kinds(diagnostics: list[Diagnostic]) -> dict[tuple[str, str], int]:
    out: dict[tuple[str, str], int] = {}
    for d in diagnostics:
        out[d.code, d.message] = out.get((d.code, d.message), 0) + 1
    return out


def all_fixes() -> list[tuple[str, Diagnostic]]:
    out = []
    for path in MISTAKES:
        text = path.read_bytes().decode("utf-8", errors="replace")
        out += [(text, d) for d in found(text) if d.fixes]
    return out


def test_each_fix_fixes() -> None:
    fixes = all_fixes()
    assert len(fixes) > 100
    assert {"D0101", "D0205", "D0403", "D0407", "D0516"} <= {diagnostic.code for _, diagnostic in fixes}
    for text, diagnostic in fixes:
        before = kinds(found(text))
        for fix in diagnostic.fixes:
            after = kinds(found(apply(diagnostic.span.source, [fix])))
            wrong = (diagnostic.code, diagnostic.message)
            where = f"{diagnostic.span.source.text[:60]!r}: {wrong}: {fix.title}"
            assert after.get(wrong, 0) < before[wrong], where
            if fix.safe and all(code < "D02" for code, _ in before):
                continue  # what could not be read hid what else is wrong
            new = {kind for kind, count in after.items() if count > before.get(kind, 0)}
            assert not fix.safe or not new, f"{where}: {new}"


def of_folder(folder: Path, texts: dict[Path, str]) -> list[Diagnostic]:
    return list(findings(sorted(texts), 1, Library(Driver(texts))).told)


@pytest.mark.parametrize("folder", OVERLAYS, ids=lambda path: path.name)
def test_each_fix_of_a_variant_fixes(folder: Path) -> None:
    texts = {
        path: path.read_text(encoding="utf-8")
        for path in (*folder.glob("*.dragon"), *folder.parent.glob("*.dragon"))
    }
    told = of_folder(folder, texts)
    before = kinds(told)
    assert folder.name != "does_not_fit" or sum(bool(d.fixes) for d in told if d.code == "D0609") == 5
    for diagnostic in told:
        for fix in diagnostic.fixes:
            source = diagnostic.span.source
            path = next(path for path in texts if str(path) == source.name)
            told_then = of_folder(folder, {**texts, path: apply(source, [fix])})
            wrong = (diagnostic.code, diagnostic.message)
            assert kinds(told_then).get(wrong, 0) < before[wrong], (wrong, fix.title)
            if fix.safe:  # of another line the same may be told now: it was measured by this one
                here = [
                    d
                    for d in told_then
                    if (d.span.source.name, d.span.line) == (source.name, diagnostic.span.line)
                ]
                new = [d for d in told_then if d.code != "D0609" or d in here]
                assert not {kind for kind in kinds(new) if kind not in before}, (wrong, fix.title, new)


def test_the_header_of_the_old_one_keeps_the_names_of_the_new_body(tmp_path: Path) -> None:
    """What the body can live with is done without asking; where it speaks of something that is gone, it is offered."""
    (tmp_path / "fixes.dragon").write_text(TEXT)
    variant = tmp_path / "mine.dragon"
    variant.write_text(
        'variant "Mine" of fixes:\n'
        "    replace rule gain(much: 1..2, more: Colour):\n        set my.points = much\n"
    )
    done = CliRunner().invoke(cli, ["validate", "--fix", str(variant)])
    assert done.exit_code == 0 and "    replace rule gain(much: 1..2):\n" in variant.read_text(), done.output
    variant.write_text(
        'variant "Mine" of fixes:\n'
        "    replace rule gain(much: 1..2, more: 1..2):\n        set my.points = more\n"
    )
    CliRunner().invoke(cli, ["validate", "--fix", str(variant)])
    assert "more: 1..2" in variant.read_text()


def test_what_is_never_used_is_taken_out_where_nobody_else_could_want_it(tmp_path: Path) -> None:
    path = tmp_path / "fixes.dragon"
    unused = TEXT.replace("    let twice = n\n", "    let twice = n\n    let thrice = n  # for later\n")
    path.write_text(unused + "define never(p: player) = 3\n")
    CliRunner().invoke(cli, ["validate", "--fix", str(path)])
    assert path.read_text() == TEXT + "define never(p: player) = 3\n"


SPOILED = {"in p.hand": "in p.hnad", "(n: 1..2):": "(n: 1..2)", "me) <= goal": "me) =< gaol"}
TEXT = """\
game "Fixes" for 2 players
kinds Colour: red, blue
option goal: 1..9 = 3
component Card:
    colour: Colour
rows Card:
    | colour | count |
    | red    | 2     |
each player has:
    place hand: bag of Card, seen by all
    state points: 0..9 = 0
define reds(p: player) = count(c for c in p.hand where c.colour = red)
rule gain(n: 1..2):
    let twice = n
    if reds(me) <= goal: set my.points = twice
phase Play:
    turns Round p:
        offer:
            "take": gain(1)
"""


def test_the_command_fixes_what_is_safe(tmp_path: Path) -> None:
    """Three slips, one of which hides another until it is mended."""
    path = tmp_path / "fixes.dragon"
    spoiled = TEXT
    for right, wrong in SPOILED.items():
        assert right in spoiled
        spoiled = spoiled.replace(right, wrong)
    path.write_text(spoiled)
    shown = CliRunner().invoke(cli, ["validate", "--fix", "--diff", str(path)])
    assert path.read_text() == spoiled and shown.exit_code == 1
    assert sum(line.startswith(("+    ", "+rule", "+define")) for line in shown.stdout.splitlines()) == 3
    done = CliRunner().invoke(cli, ["validate", "--fix", str(path)])
    assert path.read_text() == TEXT and done.exit_code == 0
    assert "error" not in done.stdout


def test_fixes_are_told_to_programs(tmp_path: Path) -> None:
    path = tmp_path / "fixes.dragon"
    path.write_text(TEXT.replace("p.hand", "p.hnad"))
    for _ in range(2):  # the second time from the cache
        told = json.loads(CliRunner().invoke(cli, ["validate", "--format", "json", str(path)]).stdout)
        (fix,) = next(d for d in told["diagnostics"] if d["severity"] == "error")["fixes"]
        assert fix["safe"] and fix["edits"][0]["text"] == "hand"
    log = json.loads(CliRunner().invoke(cli, ["validate", "--format", "sarif", str(path)]).stdout)
    (change,) = log["runs"][0]["results"][0]["fixes"][0]["artifactChanges"]
    assert change["replacements"][0]["insertedContent"] == {"text": "hand"}


def test_two_fixes_of_one_place_are_made_one_after_the_other() -> None:
    source = Source("x", "abc")
    first, second = (Fix(t, (Edit(Span(source, 0, 2), t),)) for t in ("x", "y"))
    assert apply(source, [first, second]) == "xc"
