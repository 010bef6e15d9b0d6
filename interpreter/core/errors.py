"""The errors that the interpreter raises for its callers; each carries its diagnostics."""

from __future__ import annotations

from collections.abc import Iterable

from ...grammar import Diagnostic, render


class DragonError(Exception):
    """The root of everything that is raised on purpose."""


class SpecError(DragonError):
    """A spec that does not hold together."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n\n".join(render(d) for d in self.diagnostics))


class PlayError(DragonError):
    """A rule that could not be carried out at play."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        self.diagnostic = diagnostic
        super().__init__(render(diagnostic))

    def __reduce__(self) -> tuple[type[PlayError], tuple[Diagnostic]]:
        return PlayError, (self.diagnostic,)


class UsageError(DragonError):
    """A bad option, a bad save, a choice that is not offered: a code and a sentence."""

    def __init__(self, code: str, message: str, help: str | None = None) -> None:
        self.code = code
        self.message = message
        self.help = help
        super().__init__(f"error[{code}]: {message}" + (f"\n  help: {help}" if help else ""))


class NotNative(Exception):
    """There is no native engine for this game here; `reasons` say why."""

    def __init__(self, *reasons: str) -> None:
        super().__init__("; ".join(reasons))
        self.reasons = reasons
