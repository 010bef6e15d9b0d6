"""Results of scenarios as JUnit XML, which every CI service reads."""

from __future__ import annotations

import re
import socket
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from xml.etree import ElementTree as xml

from ...grammar import Diagnostic, render
from ..rules.scenario_runs import Result
from .scenario_text import explained

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write(path: Path, results: Sequence[Result], wrong: Sequence[Diagnostic]) -> None:
    tree = xml.ElementTree(document(results, wrong))
    xml.indent(tree)
    tree.write(path, encoding="utf-8", xml_declaration=True)


def document(results: Sequence[Result], wrong: Sequence[Diagnostic]) -> xml.Element:
    """One suite for each rule set, and one for files with errors, each of which counts as an error."""
    root = xml.Element("testsuites")
    groups: dict[str, list[Result]] = {}
    for result in results:
        groups.setdefault(result.item.rules.title, []).append(result)
    for number, (title, group) in enumerate(groups.items()):
        suite = _suite(root, number, title, len(group))
        for result in group:
            _case(suite, result)
        _finish(suite, sum(r.seconds for r in group))
    if wrong:
        suite = _suite(root, len(groups), "rule files", len(wrong))
        for diagnostic in wrong:
            case = xml.SubElement(
                suite, "testcase", classname=diagnostic.span.source.name, name=str(diagnostic.span), time="0"
            )
            problem = xml.SubElement(case, "error", type=diagnostic.code, message=_safe(diagnostic.message))
            problem.text = _safe(render(diagnostic))
        _finish(suite, 0.0)
    return root


def _suite(root: xml.Element, number: int, title: str, tests: int) -> xml.Element:
    suite = xml.SubElement(
        root,
        "testsuite",
        id=str(number),
        package="dragonrules",
        name=_safe(title),
        timestamp=datetime.now().replace(microsecond=0).isoformat(),
        hostname=socket.gethostname() or "localhost",
        tests=str(tests),
    )
    xml.SubElement(suite, "properties")
    return suite


def _case(suite: xml.Element, result: Result) -> None:
    item = result.item
    case = xml.SubElement(
        suite,
        "testcase",
        classname=_safe(item.path),
        name=_safe(item.title),
        time=f"{result.seconds:.3f}",
    )
    if not result.ok:
        problem = (result.problem or "").splitlines()
        found = xml.SubElement(
            case,
            "error" if result.internal else "failure",
            type="internal error" if result.internal else "scenario",
            message=_safe(problem[0] if problem else "failed"),
        )
        found.text = _safe("\n".join(explained(result)))


def _finish(suite: xml.Element, seconds: float) -> None:
    suite.set("failures", str(len(suite.findall("testcase/failure"))))
    suite.set("errors", str(len(suite.findall("testcase/error"))))
    suite.set("time", f"{seconds:.3f}")
    xml.SubElement(suite, "system-out")
    xml.SubElement(suite, "system-err")


def _safe(text: str) -> str:
    """Without the characters that XML cannot hold."""
    return _FORBIDDEN.sub("?", text)
