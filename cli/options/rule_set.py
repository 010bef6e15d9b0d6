"""Which rules a command is about: a game, the variants over it, the options that are set.

Every command that takes a game takes it in the same words. `@game_options` adds
FILE, `--variant` and `--set` to a command and hands it one `Choice`, which can
be loaded. Where a single argument has to say as much, for instance in a list of
things to compare, it is written `drakon+heroes+goal=8`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import attrs
import click

from ...grammar import did_you_mean
from ...interpreter.core.errors import UsageError
from ...interpreter.driver import DRIVER
from ...interpreter.files.find_specs import shipped_games
from ...interpreter.files.find_variants import bases_of, find_variant, known_variants, same_file, whose
from ..rules.files import SUFFIX, game_file

if TYPE_CHECKING:
    from ...grammar import syntax
    from ...interpreter.play.game import Game

Function = Callable[..., Any]


@attrs.frozen
class Choice:
    """A game with variants and options, as somebody has asked for it; nothing is read yet."""

    file: str
    variants: tuple[str, ...] = ()
    options: dict[str, str] = attrs.field(factory=dict, hash=False)
    engine: str = "auto"

    @classmethod
    def read(cls, text: str) -> Choice:
        """A file or the name of a game, and perhaps more: `drakon+heroes+goal=8`."""
        name, plus, more = text.partition("+")
        if not plus or Path(text).exists():
            return cls(text)
        return cls(name).other(more)

    @property
    def path(self) -> Path:
        """The file of the game itself, also where the file of a variant was given."""
        return whose(game_file(self.file), self.variants)[0]

    @property
    def all_variants(self) -> tuple[str, ...]:
        """The variants asked for, with the file itself where that is one."""
        return whose(game_file(self.file), self.variants)[1]

    @property
    def title(self) -> str:
        """As short as it can be said, in the form that `other` reads."""
        names = [Path(v).stem if v.endswith(SUFFIX) else v for v in self.variants]
        return "+".join([Path(self.file).stem, *names, *(f"{k}={v}" for k, v in self.options.items())])

    def load(self) -> Game:
        """The game, with its files named in full, so that a save can be resumed from anywhere."""
        from ...interpreter.loading import load  # late: `validate` only wants the options of this module

        path = game_file(self.file)
        shipped = not Path(self.file).exists()
        spec = self.file if shipped else path
        game = load(spec, variants=self.variants, options=self.options, engine=self.engine)
        if not shipped:
            game.spec = str(Path(game.spec).resolve())
        game.variants = tuple(
            str(Path(v).resolve()) if v.endswith(SUFFIX) and Path(v).exists() else v for v in game.variants
        )
        return game

    def tree(self) -> syntax.File:
        """The syntax tree of the game with its variants laid over. Options are left as they are."""
        return DRIVER.overlaid(self.path, self.all_variants).file

    # ------------------------------------------------------------ other rules, beside these
    def plus(self, *, variants: Iterable[str] = (), options: dict[str, str] | None = None) -> Choice:
        """The same with more variants and options."""
        return attrs.evolve(
            self, variants=(*self.variants, *variants), options={**self.options, **(options or {})}
        )

    def other(self, text: str) -> Choice:
        """What an argument means that is to be held against these rules.

        `heroes`, `goal=8` and `heroes+goal=8` are more of the same game; the name
        or file of a game is that game, and more may follow: `drakon+heroes`.
        """
        whole = self._is_variant(text) or Path(text).is_file()
        first, *rest = [text] if whole else text.split("+")
        start = self
        if "=" in first or self._is_variant(first):
            rest = [first, *rest]
        else:
            start = Choice(self._game(first), engine=self.engine)
        settings = [part for part in rest if "=" in part and not start._is_variant(part)]
        names = [part for part in rest if part not in settings]
        for name in names:
            find_variant(start.path, name)  # complains of what does not exist
        return start.plus(variants=names, options=read_settings(settings))

    def _is_variant(self, name: str) -> bool:
        if name.endswith(SUFFIX):
            return bool(bases_of(Path(name))) and same_file(whose(Path(name), ())[0], self.path)
        try:
            find_variant(self.path, name)
        except UsageError:
            return False
        return True

    def _game(self, name: str) -> str:
        """A game by file or name; what is neither may be a variant that is misspelt."""
        try:
            file = game_file(name)
        except UsageError:
            variants = known_variants(self.path)
            raise UsageError(
                "D0606",
                f"`{name}` is neither a variant of {self.path.stem} nor a game",
                did_you_mean(name, [*variants, *shipped_games()])
                or (f"known variants: {', '.join(variants)}" if variants else None),
            ) from None
        base = whose(file, ())[0]
        if bases_of(file) and base.stem != self.path.stem:
            raise UsageError(
                "D0601",
                f"`{name}` is a variant of {base.stem}, not of {self.path.stem}",
                f"to compare the two games all the same: `{base.stem}+{name}`",
            )
        return name


def read_settings(settings: Iterable[str]) -> dict[str, str]:
    """`goal=8` as name and value; whether there is such an option is for the game to say."""
    out: dict[str, str] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals or not name.strip():
            raise click.UsageError(f"`--set {setting}` should read like `--set goal=8`")
        out[name.strip()] = value.strip()
    return out


# ---------------------------------------------------------------- the options of commands
def rule_options(function: Function) -> Function:
    """`--variant` and `--set`, handed over as `variants` and `options`: for commands that take many files."""

    @functools.wraps(function)
    def with_rules(*args: Any, settings: tuple[str, ...], **rest: Any) -> Any:
        return function(*args, options=read_settings(settings), **rest)

    set_ = click.option(
        "--set",
        "settings",
        multiple=True,
        metavar="OPTION=VALUE",
        help="Set an option of the game; repeatable.",
    )
    variant = click.option(
        "--variant",
        "variants",
        multiple=True,
        metavar="NAME_OR_FILE",
        help="A variant to lay over the game; repeatable.",
    )
    return variant(set_(with_rules))


@overload
def game_options(function: Function) -> Function: ...
@overload
def game_options(*, required: bool = True) -> Callable[[Function], Function]: ...
def game_options(function: Function | None = None, *, required: bool = True) -> Any:
    """FILE, `--variant` and `--set`, handed over as one `choice` (None if there need not be a FILE)."""
    if function is None:
        return functools.partial(game_options, required=required)

    @functools.wraps(function)
    def with_choice(
        *args: Any, file: str | None, variants: tuple[str, ...], options: dict[str, str], **rest: Any
    ) -> Any:
        if file is None and (variants or options):
            raise click.UsageError("--variant and --set need a game")
        choice = None if file is None else Choice.read(file).plus(variants=variants, options=options)
        return function(*args, choice=choice, **rest)

    argument = click.argument("file", metavar="FILE" if required else "[FILE]", required=required)
    return argument(rule_options(with_choice))
