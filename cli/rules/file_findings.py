"""What is wrong with one rule file, looked at as the rule sets that it holds (rule_sets.py).

A variant is checked as a whole game, of whose base only errors are told and what the
variant causes there (caused.py), unless that file was asked for too.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from ...grammar import Diagnostic, Report
from ...grammar.allowing import allowances, settle
from ...interpreter.files.cache import kept
from ...interpreter.files.sources import digest
from ...interpreter.rule_sets import Library, RuleSet
from .caused import caused
from .findings import Findings, Key

UNUSED, UNREACHED = "D0403", "D0409"


def of_file(file: Path, library: Library) -> Findings:
    """What the rule sets of one file have to say. Scenarios alone leave nothing to review."""
    here = library.parsed(file)
    sets = library.rule_sets(file)
    found: dict[Key, Diagnostic] = {}
    from_variants: list[Diagnostic] = []
    look = partial(_looked_at, thoroughly=bool(here.variants) or not here.is_scenarios)
    for rules in sets:
        of_rules = look(rules)
        from_variants += caused(rules, of_rules, look)
        found |= of_rules
    codes = {key[0] for key in found} & {UNUSED, UNREACHED}
    used = _used_elsewhere(library, file, thoroughly=UNREACHED in codes) if codes else set()
    mine = {str(file), *(span.source.name for rules in sets for span in rules.own)}
    own = [d for key, d in found.items() if key[1] in mine and key not in used]
    own += from_variants
    others = [d for key, d in found.items() if key[1] not in mine and d.severity == "error"]
    about_comments = Report()
    complete = not any(d.severity == "error" for d in found.values())
    remains, allowed = settle(own, allowances(here.file.span.source), about_comments, complete=complete)
    return Findings((*remains, *others, *about_comments), tuple(allowed), 1)


def _looked_at(rules: RuleSet, *, thoroughly: bool) -> dict[Key, Diagnostic]:
    """What checking a rule set finds and, when it holds together, reviewing it. Kept between runs
    under what the rules say (with variants laid over) and where they say it."""
    sources = {decl.span.source.name: decl.span.source.text for decl in rules.file.decls}
    known = tuple(rules.report.found)  # by the parser and the overlays
    key = ("found", thoroughly, rules.title, digest(rules.file), tuple(sources.items()), known)
    return kept(key, lambda: _look_at(rules, thoroughly))


def _look_at(rules: RuleSet, thoroughly: bool) -> dict[Key, Diagnostic]:
    if rules.checked is not None and thoroughly:
        rules.review()
    return dict(rules.report.found)


def _used_elsewhere(library: Library, file: Path, *, thoroughly: bool) -> set[Key]:
    """What is unused or never reached in the game by itself, but used by a variant of it."""
    sets = [_looked_at(rules, thoroughly=thoroughly) for rules in library.family(file)]
    fine = [found for found in sets if not any(d.severity == "error" for d in found.values())]
    unused = [{key for key in found if key[0] in (UNUSED, UNREACHED)} for found in fine]
    return {
        key for keys in unused for key in keys if key[1] == str(file) and not all(key in k for k in unused)
    }
