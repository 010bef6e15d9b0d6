"""The options of a game: what each is set to before a match."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...grammar import did_you_mean
from ..core import CheckedGame
from ..core import value_types as t
from ..core.errors import UsageError
from .constants import Constants, options_in


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


def shown_option(checked: CheckedGame, value: int, type_: t.Type) -> Any:
    if isinstance(type_, t.YesNo):
        return bool(value)
    return checked.kinds[type_.name].values[value] if isinstance(type_, t.Kind) else value
