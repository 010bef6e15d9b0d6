"""Specs that somebody has been at: words exchanged, lines lost, numbers changed.

Most damage is still read, because a word is exchanged for another of its sort;
so it is the checker, the compiler and play that have to cope with it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from random import Random

from dragonrules.grammar import Report, Source, parse, syntax
from dragonrules.interpreter.check.game import check
from dragonrules.interpreter.core.errors import DragonError
from dragonrules.interpreter.driver import DRIVER
from dragonrules.interpreter.play.game import Game
from dragonrules.interpreter.play.scenarios import run_scenario

ROOT = Path(__file__).parents[2]
_TOKENS = re.compile(r'"[^"\n]*"|#[^\n]*|[A-Za-z_]\w*|[0-9]+|\.\.|->|!=|<=|>=|[^\w\s]|\n[ \t]*|[ \t]+')
_NUMBERS = ("0", "1", "2", "3", "7", "64", "9999", "1000000000")


@lru_cache(maxsize=2)
def specs(*, broken: bool) -> tuple[tuple[str, str], ...]:
    """Name and text of every game that is written down in the repository, right or wrong."""
    paths = sorted({*(ROOT / "games").rglob("*.dragon"), *(ROOT / "tests").rglob("*.dragon")})
    texts = [(p.relative_to(ROOT), p.read_bytes().decode("utf-8", errors="replace")) for p in paths]
    wrong = {"bad", "checks", "overlays"}
    return tuple(
        (str(path), text)
        for path, text in texts
        if re.search(r"^game ", text, re.M) and bool(wrong & set(path.parts)) == broken
    )


def damaged_spec(random: Random) -> tuple[str, str]:
    """A game with some damage; long ones take long to check, so they come up less often."""
    pool = specs(broken=random.random() < 0.15)
    name, text = min(random.choices(pool, k=2), key=lambda spec: len(spec[1]))
    return name, damaged(random, text, random.choice(pool)[1], random.choice((1, 1, 1, 2, 3)))


def _sort(token: str) -> str:
    if token[0] == '"' or token.isspace() or token[0] == "#":
        return token[0]
    if token.isdigit():
        return "number"
    if token[0].isupper():
        return "Type"
    return "name" if token[0].isalpha() or token[0] == "_" else "sign"


@lru_cache(maxsize=256)
def _tokens(text: str) -> tuple[str, ...]:
    return tuple(_TOKENS.findall(text))


def damaged(random: Random, text: str, others: str, times: int) -> str:
    """The text with a few words or lines changed."""
    for _ in range(times):
        text = (
            _change_line(random, text, others)
            if random.random() < 0.25
            else _change_token(random, text, others)
        )
    return text


def _change_token(random: Random, text: str, others: str) -> str:
    tokens = list(_tokens(text))
    places = [i for i, token in enumerate(tokens) if not token.isspace() and token[0] != "#"]
    if not places:
        return text
    i = random.choice(places)
    sort = _sort(tokens[i])
    pool = [t for t in (tokens if random.random() < 0.8 else _tokens(others)) if _sort(t) == sort]
    what = random.random()
    if sort == "number" and what < 0.5:
        tokens[i] = random.choice(_NUMBERS)
    elif what < 0.8 and pool:
        tokens[i] = random.choice(pool)
    elif what < 0.9:
        del tokens[i]
    else:
        tokens.insert(i, random.choice(tokens))
    return "".join(tokens)


def _change_line(random: Random, text: str, others: str) -> str:
    lines = text.split("\n")
    i, j = random.randrange(len(lines)), random.randrange(len(lines))
    match random.randrange(5):
        case 0:
            del lines[i]
        case 1:
            lines.insert(i, lines[j])
        case 2:
            lines[i], lines[j] = lines[j], lines[i]
        case 3:
            lines[i] = random.choice(("    ", "")) + lines[i].removeprefix("    ")
        case 4:
            lines.insert(i, random.choice(others.split("\n")))
    return "\n".join(lines)


def survive(random: Random, name: str, text: str, decisions: int) -> str:
    """Check, compile and play a text; only errors meant for people may come out. Says how far it got."""
    report = Report()
    file = parse(Source(name, text), report)
    checked = check(file, report)
    if report.errors:
        return "refused"
    if any(isinstance(d, syntax.Variant) for d in file.decls):
        return "variant"
    try:
        game = Game(DRIVER, checked, name, (), {}, "digest")
        players = random.choice(game.players[:3])
        match = game.start(players, seed=random.randrange(99), check=True)
        for _ in range(decisions):
            if match.over:
                break
            decision = match.decision
            assert decision is not None
            assert decision.options
            match.view(decision.player)
            twin = match.fork()
            match.choose(random.randrange(len(decision.options)))
            if random.random() < 0.2:
                twin.why_not(("offer", "nothing of the kind"))
        match.scores  # noqa: B018
        match.observations(1)
        match.to_json()
        if checked.scenarios and random.random() < 0.3:
            run_scenario(game, 0, checked.scenarios[0])
    except DragonError:
        return "stopped at play"
    return "played"
