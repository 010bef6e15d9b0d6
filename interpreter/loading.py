"""Loading: from files, texts and saves to games and matches."""

from __future__ import annotations

import copyreg
import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from .core.errors import UsageError
from .driver import DRIVER, Driver
from .files.carrying import carried, from_json, laid_out, still_there
from .files.find_specs import SUFFIX, Pathlike, find_spec
from .files.find_variants import files_of, whose
from .files.texts import reading_once
from .play.crossing import crossed
from .play.game import Game, accept_save
from .play.match import Match

ENGINES = ("auto", "python", "native")

IN_MEMORY = "<text>"
"""The folder in which rules lie that were handed over as text."""

_TITLE = re.compile(r'^\ufeff?(?:game|variant)\s+"((?:[^"\\\n]|\\.)*)"', re.MULTILINE)


def load(
    spec: Pathlike,
    *,
    variants: Iterable[Pathlike] = (),
    options: Mapping[str, Any] | None = None,
    engine: str = "auto",
    driver: Driver = DRIVER,
) -> Game:
    """Read, check and make ready a game.

    `spec` is a path or the name of a game that ships with dragonrules; `variants`
    are paths or names; `options` values by name. Raises `SpecError` with all
    diagnostics when the rules do not hold together. `engine` says what plays
    random games by the thousand: `native` code, `python`, or `auto`, which is native
    where that is possible. A `driver` of one's own has texts that lie over the files.
    """
    if engine not in ENGINES:
        raise UsageError("D0704", f'engine is {", ".join(ENGINES[:-1])} or {ENGINES[-1]}, not "{engine}"')
    chosen = tuple(str(v) for v in variants)
    with driver.world(), reading_once() as texts:
        found = find_spec(spec)
        path, chosen = whose(found, chosen)
        spec = spec if path == found else path
        rules = driver.rules(spec, chosen, files_of(spec, chosen), texts)
        to_carry = carried(spec, chosen, texts.read)
    return Game(
        driver,
        rules.checked,
        str(spec),
        chosen,
        dict(options or {}),
        rules.digest,
        rules.fingerprint,
        to_carry if to_carry.files else None,
        engine,
    )


def loads(
    text: str,
    *,
    variants: Iterable[str] = (),
    options: Mapping[str, Any] | None = None,
    engine: str = "auto",
) -> Game:
    """A game from the text of its rules.

    `variants` are texts of variants too, or names of variants that the text itself
    holds. A text that is a variant of a shipped game stands for that game with it.
    """
    name = _file_name(text, "game")
    texts, chosen = {f"{IN_MEMORY}/{name}{SUFFIX}": text}, []
    for number, variant in enumerate(variants, 1):
        if "\n" in variant:
            path = f"{IN_MEMORY}/variants/{_file_name(variant, 'variant')}_{number}{SUFFIX}"
            texts[path] = variant
            chosen.append(path)
        else:
            chosen.append(variant)
    return load(next(iter(texts)), variants=chosen, options=options, engine=engine, driver=Driver(texts))


def _file_name(text: str, otherwise: str) -> str:
    """What the file of such a game would be called: its variants name it by that."""
    found = _TITLE.search(text)
    return re.sub(r"\W+", "_", found[1].lower()).strip("_") or otherwise if found else otherwise


def game_of(head: Mapping[str, Any]) -> Game:
    """The game of a save or a journal: from the files that it names or, if those are gone, from the texts
    that it carries."""
    spec, variants = head["spec"], tuple(head["variants"])
    rules = from_json(head.get("carried"))
    if rules is not None and not still_there(head, rules):
        spec, variants = laid_out(rules)
    return load(spec, variants=variants, options=head["options"])


def rules_then(head: Mapping[str, Any]) -> Game:
    """The same, by the rules as they were: where the files have been edited since, by the texts it carries."""
    game, rules = game_of(head), from_json(head.get("carried"))
    if game.fingerprint != head["fingerprint"] and rules is not None:
        spec, variants = laid_out(rules)
        game = load(spec, variants=variants, options=head["options"])
    if game.fingerprint != head["fingerprint"]:
        raise UsageError(
            "D0701",
            f"the match was played by other rules of {head['game']} than there are now",
            game.changed_since(head) or "the rules were edited",
        )
    return game


def origin_of(head: Mapping[str, Any]) -> Match | None:
    """The match by other rules that a save or journal goes on from, at the end of its log."""
    told = head.get("before")
    return None if told is None else as_it_was(rules_then(told), told, told["log"])


def as_it_was(game: Game, head: Mapping[str, Any], log: Iterable[Any]) -> Match:
    """A match played again as its log tells it; the log decides for chance, too."""
    match = first_of(game, head, chance="ask")
    match.replay([list(entry) for entry in log])
    return match


def first_of(game: Game, head: Mapping[str, Any], *, chance: str = "auto") -> Match:
    """The match of a save or journal before anything that its log tells."""
    origin = origin_of(head)
    if origin is None:
        return game.start(head["players"], seed=head["seed"], chance=chance)
    match, _ = crossed(origin, game)
    match.ask_chance = chance == "ask"
    match._after()
    return match


def read_save(path: Pathlike) -> dict[str, Any]:
    """What a save holds, refused if it is none or was changed."""
    source = Path(path)
    try:
        data = json.loads(source.read_text(encoding="utf-8"))
        if not isinstance(data, dict) or "state" not in data:
            raise ValueError
    except FileNotFoundError:
        raise UsageError("D0702", f"there is no file `{source}`") from None
    except (OSError, ValueError, RecursionError):
        raise UsageError("D0702", f"`{source}` is not a save of dragonrules") from None
    accept_save(data)
    return data


def resume(path: Pathlike, *, game: Game | None = None) -> Match:
    """A match from a save, refused if the rules are not those it was made with."""
    data = read_save(path)
    try:
        game = game or game_of(data)
        return Match.from_json(game, data, origin_of(data))
    except (KeyError, TypeError, IndexError, AttributeError):
        raise UsageError("D0702", f"the save `{path}` is damaged") from None


def revive(data: dict[str, Any]) -> Match:
    """A match from its own data, as `pickle` needs it."""
    return Match.from_json(game_of(data), data, origin_of(data))


def _reduced(match: Match) -> tuple[Any, ...]:
    return revive, (match.to_json(),)


copyreg.pickle(Match, _reduced)
