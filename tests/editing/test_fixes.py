"""Each fix of each example of a mistake makes its finding go away, and adds none."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner
from dragonrules.cli.main import cli
from dragonrules.grammar import Report, Source, Span, parse
from dragonrules.grammar.diagnostics import Diagnostic
from dragonrules.grammar.fixes import Edit, Fix, apply
from dragonrules.interpreter.check.game import check

TESTS = Path(__file__).parents[1]
MISTAKES = sorted(
    [*(TESTS / "grammar" / "bad").glob("*.dragon"), *(TESTS / "errors" / "checks").glob("*.dragon")]
)


def found(text: str) -> list[Diagnostic]:
    report = Report()
    file = parse(Source("spec.dragon", text), report)
    if not report.errors:
        check(file, report)
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
    assert len(fixes) > 60
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
