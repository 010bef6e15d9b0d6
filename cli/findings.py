"""What is wrong with rule files: gathered file by file, in several processes when there are many.

A file is checked as the rule sets that it holds (rule_sets.py): a variant as a whole
game, of whose base only errors are told and what the variant causes there (caused.py),
unless that file was asked for too.
What a file finds does not depend on which process looks at it, and findings are
sorted by place, so the output is the same however the work was divided.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache, partial
from pathlib import Path

from attrs import frozen

from ..grammar import Diagnostic, Report
from ..grammar.allowing import allowances, settle
from ..interpreter.cache import kept
from ..interpreter.rule_sets import Library, RuleSet
from ..interpreter.sources import digest
from .caused import caused
from .parallel import in_processes, workers_for

Key = tuple[str, str, int, str]
UNUSED, UNREACHED = "D0403", "D0409"


@frozen
class Findings:
    """`allowed` are those that a comment silences, each with the reason it gives."""

    told: tuple[Diagnostic, ...] = ()
    allowed: tuple[tuple[Diagnostic, str], ...] = ()
    files: int = 0

    def count(self, severity: str) -> int:
        return sum(d.severity == severity for d in self.told)

    def failed(self, *, strict: bool) -> bool:
        return any(d.severity == "error" or (strict and d.severity == "warning") for d in self.told)


def findings(files: Sequence[Path], jobs: int | None = None, library: Library | None = None) -> Findings:
    """All findings of some files, sorted by place, each once; with a library of its own, in this process."""
    told: dict[Key, Diagnostic] = {}
    allowed: dict[Key, tuple[Diagnostic, str]] = {}
    each = _each(files, jobs) if library is None else (of_file(file, library) for file in files)
    for found in each:
        told.update({_key(d): d for d in found.told if _key(d) not in told})
        allowed.update({_key(d): (d, reason) for d, reason in found.allowed})
    return Findings(
        tuple(sorted(told.values(), key=Diagnostic.sort_key)),
        tuple(sorted(allowed.values(), key=lambda pair: pair[0].sort_key())),
        len(files),
    )


def _key(d: Diagnostic) -> Key:
    return d.code, d.span.source.name, d.span.start, d.message


def _each(files: Sequence[Path], jobs: int | None) -> Iterable[Findings]:
    workers = workers_for(len(files), jobs)
    if workers > 1:
        return in_processes(_of_file, files, workers)
    library = Library()
    return (of_file(file, library) for file in files)


@lru_cache(maxsize=1)
def _library() -> Library:
    """What a process at work has read so far."""
    return Library()


def _of_file(file: Path) -> Findings:
    return of_file(file, _library())


# ---------------------------------------------------------------- one file
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
    own = [d for key, d in found.items() if key[1] == str(file) and key not in used]
    own += from_variants
    others = [d for key, d in found.items() if key[1] != str(file) and d.severity == "error"]
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


__all__ = ["Findings", "findings", "of_file"]
