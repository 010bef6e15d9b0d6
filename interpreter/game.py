"""Loading: from files to a game that can be started."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from importlib.resources import files
from os import PathLike
from pathlib import Path
from typing import Any

from ..grammar import Report, Source, did_you_mean, parse, syntax
from . import types as t
from .check import check
from .constants import Constants
from .core import CheckedGame
from .engine import Engine
from .errors import SpecError, UsageError
from .match import SAVE_FORMAT, Match
from .overlay import lay_over

Pathlike = str | PathLike[str]


class Game:
    """Rules, checked and ready. Made by `load`.

    `players` are the numbers of players it is for, `options` what can be set
    before a match (name to value in force), `fingerprint` tells rule sets apart.
    """

    def __init__(self, checked: CheckedGame, spec: str, variants: tuple[str, ...], options: dict[str, Any], digest: str) -> None:
        self.checked = checked
        self.spec = spec
        self.variants = variants
        self.given_options = options
        self._option_values = option_values(checked, options)
        self.fingerprint = hashlib.sha256(
            json.dumps([digest, sorted(self._option_values.items())]).encode()
        ).hexdigest()
        self._digest = digest
        self._engines: dict[tuple[int, bool, bool], Engine] = {}

    def variation(self, options: dict[str, Any]) -> Game:
        """The same rules with other options."""
        return Game(self.checked, self.spec, self.variants, options, self._digest)

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

    def engine(self, players: int | None = None, *, watched: bool = False, scenarios: bool = False) -> Engine:
        """The generated code for a number of players: the fast way to play many matches."""
        count = self._count(players)
        key = (count, watched, scenarios)
        if key not in self._engines:
            self._demand(count)
            self._engines[key] = Engine(
                self.checked, count, self._option_values, watched=watched, scenarios=scenarios, fingerprint=self.fingerprint
            )
        return self._engines[key]

    def start(
        self,
        players: int | None = None,
        *,
        seed: int = 0,
        chance: str = "auto",
        watch: bool = True,
        check: bool = False,
    ) -> Match:
        """A new match.

        `chance="ask"` stops at chance points instead of letting the generator
        decide; `watch=False` keeps no observations, which is faster; `check=True`
        tests the invariants after every step.
        """
        if chance not in ("auto", "ask"):
            raise UsageError("D0704", f'chance is "auto" or "ask", not "{chance}"')
        engine = self.engine(players, watched=watch)
        match = Match(self, engine.new(seed, settle=False), seed=seed, ask_chance=chance == "ask", check=check)
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
        if data.get("dragonrules") != SAVE_FORMAT:
            raise UsageError("D0702", "this is not a save of this version of dragonrules")
        if data.get("fingerprint") != self.fingerprint:
            saved = f"{data.get('game')} with variants {data.get('variants')} and options {data.get('options')}"
            raise UsageError(
                "D0701",
                f"the save was made with other rules ({saved})",
                "load the same spec, variants and options; the rules may also have been edited since",
            )


def option_values(checked: CheckedGame, given: Mapping[str, Any]) -> dict[str, int]:
    """The value of every option: the default, or what was given."""
    constants = Constants(checked, checked.players[0], {})
    values: dict[str, int] = {}
    for name, decl in checked.options.items():
        constants.options = values
        values[name] = constants.evaluate(decl.default)
    for name, value in given.items():
        option = checked.options.get(name)
        if option is None:
            raise UsageError("D0703", f"there is no option `{name}`", did_you_mean(name, checked.options))
        values[name] = _option_value(checked, name, value, option.type)
    return values


def _option_value(checked: CheckedGame, name: str, value: Any, type_: t.Type) -> int:
    if isinstance(type_, t.Num):
        try:
            number = int(str(value))
        except ValueError:
            number = type_.low - 1
        if not type_.low <= number <= type_.high or isinstance(value, bool):
            raise UsageError("D0704", f"`{name}` must be a number from {type_.low} to {type_.high}, not `{value}`")
        return number
    if isinstance(type_, t.YesNo):
        words = {"yes": 1, "true": 1, "1": 1, "no": 0, "false": 0, "0": 0}
        if str(value).lower() not in words:
            raise UsageError("D0704", f"`{name}` is yes or no, not `{value}`")
        return words[str(value).lower()]
    if isinstance(type_, t.Kind):
        values = checked.kinds[type_.name].values
        if value not in values:
            raise UsageError("D0704", f"`{name}` is one of {', '.join(values)}, not `{value}`", did_you_mean(str(value), values))
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


# ---------------------------------------------------------------- reading files
def read_source(path: Path) -> Source:
    try:
        raw = path.read_bytes()
        text = raw.decode("utf-8-sig")
    except FileNotFoundError:
        raise UsageError("D0106", f"there is no file `{path}`") from None
    except IsADirectoryError:
        raise UsageError("D0106", f"`{path}` is a directory") from None
    except UnicodeDecodeError as problem:
        raise UsageError("D0106", f"`{path}` is not UTF-8 text (byte {problem.start})") from None
    except OSError as problem:
        raise UsageError("D0106", f"`{path}` cannot be read: {problem.strerror}") from None
    return Source(str(path), text.replace("\r\n", "\n"))


def find_spec(name: Pathlike) -> Path:
    """A path as it is, or the name of a game that ships with dragonrules."""
    path = Path(name)
    if path.suffix == ".dragon" or path.exists():
        return path
    shipped = Path(str(files("dragonrules.games")))
    for folder in (shipped, shipped / "classics"):
        candidate = folder / f"{path.name}.dragon"
        if candidate.exists():
            return candidate
    known = [p.stem for folder in (shipped, shipped / "classics") for p in folder.glob("*.dragon")]
    raise UsageError("D0707", f"there is no game `{name}`", did_you_mean(str(name), known))


def find_variants(spec: Path, name: Pathlike, report: Report) -> list[syntax.Decl]:
    """The declarations of a variant file, or of the variant called so beside the game."""
    path = Path(name)
    if path.suffix == ".dragon":
        return list(parse(read_source(path), report).decls)
    folder = spec.parent / "variants"
    for candidate in (folder / f"{spec.stem}_{name}.dragon", folder / f"{name}.dragon"):
        if candidate.exists():
            return list(parse(read_source(candidate), report).decls)
    known: dict[str, syntax.Decl] = {}
    sources = [spec, *sorted(folder.glob("*.dragon"))] if folder.exists() else [spec]
    for file in sources:
        for decl in parse(read_source(file), Report()).decls:
            if isinstance(decl, syntax.Variant) and _base_of(decl) == spec.stem:
                known[str(decl.name)] = decl
    for title, decl in known.items():
        if _slug(title) == _slug(str(name)):
            return [decl]
    raise UsageError("D0606", f"there is no variant `{name}` of {spec.stem}", did_you_mean(str(name), known) or _list(known))


def _list(known: Iterable[str]) -> str | None:
    names = ", ".join(known)
    return f"known variants: {names}" if names else None


def _base_of(variant: syntax.Variant) -> str:
    return Path(str(variant.base)).stem


def _slug(text: str) -> str:
    return "".join(ch for ch in text.lower() if ch.isalnum())


def load(spec: Pathlike, *, variants: Iterable[Pathlike] = (), options: Mapping[str, Any] | None = None) -> Game:
    """Read, check and make ready a game.

    `spec` is a path or the name of a game that ships with dragonrules; `variants`
    are paths or names; `options` values by name. Raises `SpecError` with all
    diagnostics when the rules do not hold together.
    """
    path = find_spec(spec)
    report = Report()
    chosen = tuple(str(v) for v in variants)
    file = read_game(path, chosen, report)
    if report.errors:
        raise SpecError(report)
    checked = check(file, report)
    if report.errors:
        raise SpecError(report.errors)
    digest = _digest(file)
    return Game(checked, str(spec), chosen, dict(options or {}), digest)


def read_game(path: Path, variants: tuple[str, ...], report: Report) -> syntax.File:
    """The syntax tree of a game with its variants laid over."""
    base = parse(read_source(path), report)
    overlays: list[syntax.Variant] = []
    extra: list[syntax.Decl] = []
    for name in variants:
        for decl in find_variants(path, name, report):
            if isinstance(decl, syntax.Variant):
                if _base_of(decl) != path.stem:
                    report.add("D0601", f"this variant is for `{decl.base}`, not for `{path.stem}`", decl.base.span)
                overlays.append(decl)
            else:
                extra.append(decl)
    file = lay_over(base, overlays, report)
    return syntax.File((*file.decls, *extra), span=file.span)


def _digest(file: syntax.File) -> str:
    """A fingerprint of the rules, blind to layout, comments and scenarios."""
    decls = [d for d in file.decls if not isinstance(d, syntax.Scenario | syntax.Look | syntax.LookTable)]
    return hashlib.sha256(repr(decls).encode()).hexdigest()


def resume(path: Pathlike, *, game: Game | None = None) -> Match:
    """A match from a save, refused if the rules are not those it was made with."""
    source = Path(path)
    try:
        data = json.loads(source.read_text(encoding="utf-8"))
        if not isinstance(data, dict) or "state" not in data:
            raise ValueError
    except FileNotFoundError:
        raise UsageError("D0702", f"there is no file `{source}`") from None
    except (OSError, ValueError):
        raise UsageError("D0702", f"`{source}` is not a save of dragonrules") from None
    if game is None:
        game = load(data["spec"], variants=data["variants"], options=data["options"])
    try:
        return Match.from_json(game, data)
    except (KeyError, TypeError, IndexError, AttributeError):
        raise UsageError("D0702", f"the save `{source}` is damaged") from None
