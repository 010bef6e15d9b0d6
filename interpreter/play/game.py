"""A game: rules, checked and ready to be started."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..check.constants import Constants
from ..check.options import option_values, shown_option
from ..core import CheckedGame
from ..core.errors import NotNative, UsageError
from ..files.carrying import Carried
from .engine import Engine, Maker, Wanted
from .match import SAVE_FORMAT, Match
from .saving import checksum
from .table_data import Table
from .traits import Traits, traits

if TYPE_CHECKING:
    from ..adapters.encoding import Encoding
    from ..adapters.numbering import Actions
    from ..native.engine import NativeEngine

MOST_NAMED = 6
"""More changed rules than this are counted, not named."""


class Game:
    """Rules, checked and ready. Made by `load` and `loads`.

    `players` are the numbers of players it is for, `options` what can be set
    before a match (name to value in force), `fingerprint` tells rule sets apart.
    """

    def __init__(
        self,
        maker: Maker,
        checked: CheckedGame,
        spec: str,
        variants: tuple[str, ...],
        options: dict[str, Any],
        digest: str,
        texts: str | None = None,
        carried: Carried | None = None,
        engine: str = "auto",
    ) -> None:
        self.engine_choice = engine
        """`auto`, `python` or `native`: what plays where nobody looks."""
        self._native: dict[tuple[int, bool], NativeEngine | NotNative] = {}
        self.maker = maker
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
        self._tables: dict[int, Table] = {}
        self._actions: dict[int, Actions] = {}
        self._encodings: dict[int, Encoding] = {}

    def __getstate__(self) -> dict[str, Any]:
        """For worker processes; machine code is found again in the cache there."""
        return {**self.__dict__, "_native": {}}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        for engine in self._engines.values():
            engine.maker = self.maker

    def variation(self, options: dict[str, Any]) -> Game:
        """The same rules with other options; made once, so that its engines are too."""
        key = json.dumps(options, sort_keys=True)
        if key not in self._variations:
            self._variations[key] = Game(
                self.maker,
                self.checked,
                self.spec,
                self.variants,
                options,
                self._digest,
                self._texts,
                self.carried,
                self.engine_choice,
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
            out[name] = shown_option(self.checked, value, type_)
        return out

    def engine(
        self,
        players: int | None = None,
        *,
        watched: bool = False,
        anew: bool = False,
        covered: bool = False,
    ) -> Engine:
        """The generated code for a number of players: the fast way to play many matches.

        A covered engine counts which rules are used (`counts`; `dragonrules.interpreter.play.coverage`
        makes reports of them).
        """
        count = self._count(players)
        key = (count, watched, anew, covered)
        if key not in self._engines:
            self._demand(count)
            wanted = Wanted(count, self._option_values, self.fingerprint, watched, anew, covered)
            self._engines[key] = self.maker.engine(self.checked, wanted, self._texts)
        return self._engines[key]

    def native(
        self, players: int | None = None, *, make: bool = True, covered: bool = False
    ) -> NativeEngine | None:
        """The native engine for a number of players, for games by the thousand; None if this game
        is to be played, or can only be played, by the Python back end. A game that was loaded with
        `engine="native"` says why it cannot be. With make=False only what is there already. A covered one counts which rules are used."""
        if self.engine_choice == "python":
            return None
        count = self._count(players)
        key = (count, covered)
        if key not in self._native:
            try:
                made = self.maker.native(self.engine(count, covered=covered), make=make)
                if made is None:
                    return None
                self._native[key] = made
            except NotNative as problem:
                self._native[key] = problem
        found = self._native[key]
        if isinstance(found, NotNative):
            if self.engine_choice == "native":
                raise UsageError("D0704", f"{self.name} cannot run natively: {found}")
            return None
        return found

    def table(self, players: int | None = None) -> Table:
        """What there is on the table with so many players, as data: places, boards, things and looks."""
        count = self._count(players)
        if count not in self._tables:
            self._tables[count] = Table(self.engine(count, watched=True))
        return self._tables[count]

    def actions(self, players: int | None = None) -> Actions:
        """Numbers for all actions with so many players: stable, with a fingerprint."""
        count = self._count(players)
        if count not in self._actions:
            self._actions[count] = self.maker.actions(self.engine(count, watched=True))
        return self._actions[count]

    def encoding(self, players: int | None = None) -> Encoding:
        """The layout of what a seat sees as numbers, with a fingerprint."""
        count = self._count(players)
        if count not in self._encodings:
            self._encodings[count] = self.maker.encoding(
                self.engine(count, watched=True), self.actions(count)
            )
        return self._encodings[count]

    def traits(self, players: int | None = None) -> Traits:
        """What kind of game it is: chance, hidden things, sealed choices."""
        return traits(self.engine(self._count(players), watched=True))

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        from ..notebooks.bundles import game

        return game(self)

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


def _counts(players: tuple[int, ...]) -> str:
    if len(players) > 2 and players == tuple(range(players[0], players[-1] + 1)):
        return f"{players[0]} to {players[-1]}"
    return " or ".join(map(str, players))
