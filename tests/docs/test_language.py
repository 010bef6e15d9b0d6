"""docs/language.md: every example is loaded, its scenarios are run, it is played; every word is there.

A block ```dragon game=NAME is a whole game; ```dragon in=NAME is laid on the
game of that name, each such block by itself; `variant="Title"` plays it with
that variant. A ```python block is a session in which `load(NAME)` is at hand.
"""

from __future__ import annotations

import doctest
import os
import re
from pathlib import Path
from random import Random
from typing import Any

import dragonrules as dr
import pytest
from attrs import frozen
from dragonrules.grammar import wording
from dragonrules.interpreter.check.built_ins import BUILTINS, GIVES
from dragonrules.interpreter.check.functions import LANGUAGE_NAMES, REDUCTIONS
from dragonrules.interpreter.play.scenarios import run_scenarios

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "language.md").read_text(encoding="utf-8")


@frozen
class Example:
    name: str
    title: str  # how the test is called
    text: str
    variants: tuple[str, ...]


def examples() -> list[Example]:
    found: list[Example] = []
    games: dict[str, str] = {}
    for match in re.finditer(r"^```dragon ([^\n]*)\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL):
        info, body = match.groups()
        given = dict(re.findall(r'(\w+)="?([^"]*?)"?(?= \w+=|$)', info))
        line = TEXT[: match.start()].count("\n") + 1
        if "game" in given:
            games[given["game"]] = body
            found.append(Example(given["game"], given["game"], body, ()))
        else:
            variants = (given["variant"],) if "variant" in given else ()
            found.append(
                Example(given["in"], f"{given['in']}:{line}", games[given["in"]] + "\n" + body, variants)
            )
    return found


EXAMPLES = {example.title: example for example in examples()}


def load(example: Example, folder: Path, **options: Any) -> dr.Game:
    path = folder / f"{example.name}.dragon"
    path.write_text(example.text, encoding="utf-8")
    return dr.load(path, variants=example.variants, **options)


@pytest.mark.parametrize("title", EXAMPLES)
def test_scenarios(title: str, tmp_path: Path) -> None:
    outcomes = run_scenarios(load(EXAMPLES[title], tmp_path))
    assert [f"{o.scenario.name}: {o.problem}" for o in outcomes if not o.ok] == []


@pytest.mark.parametrize("title", EXAMPLES)
def test_random_games(title: str, tmp_path: Path) -> None:
    game = load(EXAMPLES[title], tmp_path)
    for players in {game.players[0], game.players[-1]}:
        for seed in range(3):
            random = Random(seed)
            match = game.start(players, seed=seed, check=True)
            steps = 0
            while not match.over and steps < 3000:
                assert match.decision is not None
                match.choose(random.randrange(len(match.decision.options)))
                steps += 1
            assert match.over


def test_everything_ruled_is_played(tmp_path: Path) -> None:
    """An action in an example that no random game takes would show nothing."""
    for title, example in EXAMPLES.items():
        game = load(example, tmp_path)
        wanted = {name for menu in game.checked.menus.values() for name in menu}
        for seed in range(12):
            if not wanted:
                break
            random = Random(seed)
            match = game.start(game.players[0], seed=seed)
            while not match.over:
                assert match.decision is not None
                option = match.decision.options[random.randrange(len(match.decision.options))]
                wanted.discard(option.key[-1])
                match.choose(option)
        assert wanted == set(), title


def test_sessions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    def at_hand(name: str, fragment: str | None = None, **options: Any) -> dr.Game:
        example = next(
            e for e in EXAMPLES.values() if e.name == name and (fragment is None or fragment in e.text)
        )
        return load(example, Path(), **options)

    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    count = 0
    for match in re.finditer(r"^```python\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL):
        line = TEXT[: match.start()].count("\n") + 1
        test = doctest.DocTestParser().get_doctest(
            match[1], {"load": at_hand, "dr": dr}, "language.md", "language.md", line
        )
        runner.run(test)
        count += 1
    assert count > 3
    assert runner.summarize(verbose=False).failed == 0


# ---------------------------------------------------------------- nothing is left out
@pytest.mark.parametrize("name", [*BUILTINS, *REDUCTIONS])
def test_every_function_is_listed_and_used(name: str) -> None:
    assert f"`{name}(" in TEXT
    assert any(re.search(rf"\b{name}\(", example.text) for example in EXAMPLES.values())


def test_the_table_of_functions_comes_from_the_code() -> None:
    """In the order in which the checker has them; `DRAGONRULES_UPDATE=1` writes it."""
    start, end = "<!-- functions -->\n", "<!-- end of functions -->\n"
    before, rest = TEXT.split(start)
    rows = "".join(
        f"| {', '.join(f'`{form}`' for form in re.findall(r'[a-z_]+[(][^)]*[)]', written))} | {GIVES[name]} |\n"
        for name, written in BUILTINS.items()
    )
    table = f"\n| function | gives |\n|---|---|\n{rows}\n"
    text = f"{before}{start}{table}{end}{rest.split(end, 1)[1]}"
    if os.environ.get("DRAGONRULES_UPDATE"):
        (ROOT / "docs" / "language.md").write_text(text, encoding="utf-8")
    assert text == TEXT or os.environ.get("DRAGONRULES_UPDATE")


@pytest.mark.parametrize("word", sorted(wording.DECLARATION_WORDS))
def test_every_declaration_has_an_example(word: str) -> None:
    assert any(re.search(rf"^(    )?{word}\b", example.text, re.MULTILINE) for example in EXAMPLES.values())
    assert f"`{word}" in TEXT


@pytest.mark.parametrize("word", sorted(wording.STATEMENT_WORDS - {"else"}))
def test_every_statement_has_an_example(word: str) -> None:
    start = rf"(^ +|: ){word}\b"
    assert any(re.search(start, example.text, re.MULTILINE) for example in EXAMPLES.values()) or word in {
        "note"
    }
    assert f"`{word}" in TEXT


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ("unfit", wording.UNFIT_AS_NAMES),
        ("statements", wording.STATEMENT_WORDS),
        ("names", LANGUAGE_NAMES),
    ],
)
def test_lists_of_words(part: str, words: frozenset[str]) -> None:
    text = TEXT.split(f"<!-- {part} -->")[1].split(f"<!-- /{part} -->")[0]
    assert set(re.findall(r"`(\w+)`", text)) == words


def test_every_question_names_its_test() -> None:
    rows = dict(re.findall(r"^\| P(\d+) \|.*\| (test_p\d+_\w+\.py) \|$", TEXT, re.MULTILINE))
    assert sorted(map(int, rows)) == list(range(1, 25))
    for number, name in rows.items():
        assert name.startswith(f"test_p{int(number):02d}_")
        assert (ROOT / "tests" / "semantics" / name).exists()


def test_links_lead_somewhere() -> None:
    headings = re.findall(
        r"^#+ (.*)$", re.sub(r"^```.*?^```", "", TEXT, flags=re.MULTILINE | re.DOTALL), re.MULTILINE
    )
    anchors = {re.sub(r"[^a-z0-9 -]", "", h.lower()).replace(" ", "-") for h in headings}
    for link in re.findall(r"\]\(#([^)]*)\)", TEXT):
        assert link in anchors, link
