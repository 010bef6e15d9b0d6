"""Loading: from files to a game that can be started."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from ..grammar import did_you_mean
from . import cache
from . import types as t
from .carrying import Carried, carried, from_json, laid_out, still_there
from .constants import Constants, options_in
from .core import CheckedGame
from .engine import Engine
from .errors import UsageError
from .match import SAVE_FORMAT, Match
from .places_of_specs import files_of, find_spec, whose
from .saving import checksum
from .texts import Texts, reading_once
from .work import bounded

Pathlike = str | PathLike[str]
MOST_NAMED = 6
"""More changed rules than this are counted, not named."""


class Game:
    """Rules, checked and ready. Made by `load`.

    `players` are the numbers of players it is for, `options` what can be set
    before a match (name to value in force), `fingerprint` tells rule sets apart.
    """

    def __init__(
        self,
        checked: CheckedGame,
        spec: str,
        variants: tuple[str, ...],
        options: dict[str, Any],
        digest: str,
        texts: str | None = None,
        carried: Carried | None = None,
    ) -> None:
        self.carried = carried
        """The texts of these rules, for saves; None if they come with dragonrules."""
        self._texts = texts  # tells files apart for the cache; None keeps the game out of it
        self.checked = checked
        self.spec = spec
        self.variants = variants
        self.given_options = options
        self._option_values = option_values(checked, options)
        self.fingerprint = hashlib.sha256(
            json.dumps([digest, sorted(self._option_values.items())]).encode()
        ).hexdigest()
        self._digest = digest
        self._engines: dict[tuple[int, bool, bool, bool], Engine] = {}
        self._variations: dict[str, Game] = {}

    def variation(self, options: dict[str, Any]) -> Game:
        """The same rules with other options; made once, so that its engines are too."""
        key = json.dumps(options, sort_keys=True)
        if key not in self._variations:
            self._variations[key] = Game(
                self.checked, self.spec, self.variants, options, self._digest, self._texts, self.carried
            )
        return self._variations[key]

    @property
    def name(self) -> str:
        return self.checked.name

    @property
    def players(self) -> tuple[int, ...]:
        return self.checked.players

    @property
    def options(self) -> dict[str, Any]:
        """The options in force, as people write them."""
        out = {}
        for name, value in self._option_values.items():
            type_ = self.checked.options[name].type
            out[name] = _shown(self.checked, value, type_)
        return out

    def engine(
        self,
        players: int | None = None,
        *,
        watched: bool = False,
        scenarios: bool = False,
        covered: bool = False,
    ) -> Engine:
        """The generated code for a number of players: the fast way to play many matches.

        A covered engine counts which rules are used (`counts`; `dragonrules.interpreter.lab.coverage`
        makes reports of them).
        """
        count = self._count(players)
        key = (count, watched, scenarios, covered)
        if key not in self._engines:
            self._demand(count)
            self._engines[key] = cache.kept(
                (self._texts, self.fingerprint, *key),
                lambda: self._made(count, watched=watched, scenarios=scenarios, covered=covered),
            )
        return self._engines[key]

    def _made(self, players: int, *, watched: bool, scenarios: bool, covered: bool) -> Engine:
        with bounded(self.checked.phases[0].span):
            return Engine(
                self.checked,
                players,
                self._option_values,
                watched=watched,
                scenarios=scenarios,
                covered=covered,
                fingerprint=self.fingerprint,
            )

    def start(
        self,
        players: int | None = None,
        *,
        seed: int = 0,
        chance: str = "auto",
        watch: bool = True,
        check: bool = False,
        covered: bool = False,
    ) -> Match:
        """A new match.

        `chance="ask"` stops at chance points instead of letting the generator
        decide; `watch=False` keeps no observations, which is faster; `check=True`
        tests the invariants after every step; `covered=True` counts which rules are used.
        """
        if chance not in ("auto", "ask"):
            raise UsageError("D0704", f'chance is "auto" or "ask", not "{chance}"')
        engine = self.engine(players, watched=watch, covered=covered)
        match = Match(
            self, engine.new(seed, settle=False), seed=seed, ask_chance=chance == "ask", check=check
        )
        match._after()
        return match

    def _count(self, players: int | None) -> int:
        count = self.players[0] if players is None else players
        if count not in self.players:
            raise UsageError("D0705", f"{self.name} is for {_counts(self.players)} players, not {count}")
        return count

    def _demand(self, players: int) -> None:
        constants = Constants(self.checked, players, self._option_values)
        for condition, because, span in self.checked.demands:
            if not constants.evaluate(condition):
                words = because or f"`{' '.join(span.text.split())}` does not hold"
                raise UsageError("D0706", f"these options do not go together: {words}", f"required in {span}")

    def accept(self, data: Mapping[str, Any]) -> None:
        """Refuse a save that is not of these rules."""
        accept_save(data)
        if data.get("fingerprint") != self.fingerprint:
            raise UsageError(
                "D0701",
                f"the save was made with other rules: {_described(data)}",
                self.changed_since(data) or "load the same spec, variants and options",
            )

    def changed_since(self, data: Mapping[str, Any]) -> str | None:
        """What is different from the rules that a save was made with, in one sentence."""
        then, now = data.get("rules") or {}, self.checked.digests
        given, set_now = data.get("options") or {}, self.given_options
        options = [
            f"{name} was {given.get(name, 'not set')}, is {set_now.get(name, 'not set')}"
            for name in sorted({*given, *set_now})
            if str(given.get(name)) != str(set_now.get(name))
        ]
        parts = [
            ("changed since", [f"`{name}`" for name in then if name in now and now[name] != then[name]]),
            ("new", [f"`{name}`" for name in now if then and name not in then]),
            ("gone", [f"`{name}`" for name in then if now and name not in now]),
            ("set otherwise", options),
        ]
        return "; ".join(f"{word}: {_few(names)}" for word, names in parts if names) or None


def _few(names: list[str]) -> str:
    shown = (
        names
        if len(names) <= MOST_NAMED
        else [*names[: MOST_NAMED - 1], f"{len(names) - MOST_NAMED + 1} more"]
    )
    return ", ".join(shown)


def _described(data: Mapping[str, Any]) -> str:
    """The rules of a save, as people would say it."""
    parts = [str(data.get("game"))]
    if data.get("variants"):
        parts.append(f"variants {', '.join(map(str, data['variants']))}")
    if data.get("options"):
        parts.append(f"options {', '.join(f'{name}={value}' for name, value in data['options'].items())}")
    return "; ".join(parts)


def accept_save(data: Mapping[str, Any]) -> None:
    """Refuse what is no save, or no longer as it was written."""
    if data.get("dragonrules") != SAVE_FORMAT:
        raise UsageError("D0702", "this is not a save of this version of dragonrules")
    if data.get("checksum") != checksum(data):
        raise UsageError("D0702", "the save is damaged or was changed by hand")


def option_values(checked: CheckedGame, given: Mapping[str, Any]) -> dict[str, int]:
    """The value of every option: the default, or what was given."""
    values: dict[str, int] = {}
    for name, value in given.items():
        option = checked.options.get(name)
        if option is None:
            known = (
                f"known options: {', '.join(checked.options)}"
                if checked.options
                else "the game has no options"
            )
            raise UsageError(
                "D0703", f"there is no option `{name}`", did_you_mean(name, checked.options) or known
            )
        values[name] = _option_value(checked, name, value, option.type)
    constants = Constants(checked, checked.players[0], values)

    def settle(name: str) -> None:
        if name not in values:
            for other in options_in(checked.options[name].default):
                settle(other)
            values[name] = constants.evaluate(checked.options[name].default)

    for name in checked.options:
        settle(name)
    return {name: values[name] for name in checked.options}


def _option_value(checked: CheckedGame, name: str, value: Any, type_: t.Type) -> int:
    if isinstance(type_, t.Num):
        try:
            number = int(str(value))
        except ValueError:
            number = type_.low - 1
        if not type_.low <= number <= type_.high or isinstance(value, bool):
            raise UsageError(
                "D0704", f"`{name}` must be a number from {type_.low} to {type_.high}, not `{value}`"
            )
        return number
    if isinstance(type_, t.YesNo):
        words = {"yes": 1, "true": 1, "1": 1, "no": 0, "false": 0, "0": 0}
        if str(value).lower() not in words:
            raise UsageError("D0704", f"`{name}` is yes or no, not `{value}`")
        return words[str(value).lower()]
    if isinstance(type_, t.Kind):
        values = checked.kinds[type_.name].values
        if value not in values:
            raise UsageError(
                "D0704",
                f"`{name}` is one of {', '.join(values)}, not `{value}`",
                did_you_mean(str(value), values),
            )
        return values.index(value)
    raise UsageError("D0704", f"`{name}` cannot be set from outside")


def _shown(checked: CheckedGame, value: int, type_: t.Type) -> Any:
    if isinstance(type_, t.YesNo):
        return bool(value)
    return checked.kinds[type_.name].values[value] if isinstance(type_, t.Kind) else value


def _counts(players: tuple[int, ...]) -> str:
    if len(players) > 2 and players == tuple(range(players[0], players[-1] + 1)):
        return f"{players[0]} to {players[-1]}"
    return " or ".join(map(str, players))


# ---------------------------------------------------------------- from files
def load(
    spec: Pathlike, *, variants: Iterable[Pathlike] = (), options: Mapping[str, Any] | None = None
) -> Game:
    """Read, check and make ready a game.

    `spec` is a path or the name of a game that ships with dragonrules; `variants`
    are paths or names; `options` values by name. Raises `SpecError` with all
    diagnostics when the rules do not hold together.
    """
    chosen = tuple(str(v) for v in variants)
    with reading_once() as texts:
        found = find_spec(spec)
        path, chosen = whose(found, chosen)
        spec = spec if path == found else path
        files = files_of(spec, chosen)
        fingerprint = _fingerprint(texts, files, chosen)
        checked, digest = cache.kept(
            (fingerprint, "checked"), lambda: _checked(spec, chosen), worth=lambda: texts.parsed <= {*files}
        )
        to_carry: Carried | None = carried(spec, chosen, texts.read)
    if to_carry is not None and not to_carry.files:
        to_carry = None
    return Game(checked, str(spec), chosen, dict(options or {}), digest, fingerprint, to_carry)


def _fingerprint(texts: Texts, files: list[Path], variants: tuple[str, ...]) -> str | None:
    """Of all the texts that could matter for a game; None if one cannot be read."""
    digest = hashlib.sha256()
    try:
        for path in files:
            digest.update(str(path).encode() + b"\0" + texts.read(path) + b"\0")
    except OSError:
        return None
    digest.update(repr(variants).encode())
    return digest.hexdigest()


def _checked(spec: Pathlike, variants: tuple[str, ...]) -> tuple[CheckedGame, str]:
    """The checked game and the fingerprint of its rules. Needs the parser, so imports are late."""
    from ..grammar import Report
    from .changes import digests
    from .check import check
    from .errors import SpecError
    from .review.flow import information_flow
    from .sources import digest, read_game

    report = Report()
    file = read_game(find_spec(spec), variants, report)
    if report.errors:
        raise SpecError(report.errors)
    with bounded(file.decls[0].span if file.decls else file.span):
        checked = check(file, report)
        if not report.errors:
            information_flow(checked, report)
    if report.errors:
        raise SpecError(report.errors)
    checked.digests = digests(file)
    return checked, digest(file)


def game_of(head: Mapping[str, Any]) -> Game:
    """The game of a save or a journal: from the files that it names or, if those are gone, from the texts
    that it carries."""
    spec, variants = head["spec"], tuple(head["variants"])
    rules = from_json(head.get("carried"))
    if rules is not None and not still_there(head):
        spec, variants = laid_out(rules)
    return load(spec, variants=variants, options=head["options"])


def read_save(path: Pathlike) -> dict[str, Any]:
    """What a save holds, refused if it is none or was changed."""
    source = Path(path)
    try:
        data = json.loads(source.read_text(encoding="utf-8"))
        if not isinstance(data, dict) or "state" not in data:
            raise ValueError
    except FileNotFoundError:
        raise UsageError("D0702", f"there is no file `{source}`") from None
    except (OSError, ValueError):
        raise UsageError("D0702", f"`{source}` is not a save of dragonrules") from None
    accept_save(data)
    return data


def resume(path: Pathlike, *, game: Game | None = None) -> Match:
    """A match from a save, refused if the rules are not those it was made with."""
    data = read_save(path)
    try:
        game = game or game_of(data)
        return Match.from_json(game, data)
    except (KeyError, TypeError, IndexError, AttributeError):
        raise UsageError("D0702", f"the save `{path}` is damaged") from None
