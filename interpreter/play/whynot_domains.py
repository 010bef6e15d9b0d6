"""Why something is not among the things to choose from, in the words of the rules.

What a `choose` runs over is often a definition that calls others: where a hero may go
depends on the chamber it stands in. Such a domain is followed down to the definition that
decides in this position: calls are opened, of an `if` the branch is taken that holds now.
The answer is the sentence that the rules have for it (`look ends: says "..."`), or its name
with the words that stand under the definition. If the domain picks those for which
something holds, what fails is told instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from attrs import frozen

from ..core import (
    OPERATORS,
    Apply,
    CallDefine,
    CheckedGame,
    Conditional,
    DefineDecl,
    Ex,
    Local,
    Reduction,
    Var,
    changed,
    operands,
)
from ..core import value_types as t
from ..program.passes.inline_conditions import substituted

DEEPEST = 12

Ask = Callable[[Ex, dict[str, Any]], Any]
"""Works out an expression in the present position, with values for some locals."""


@frozen
class Known:
    """What can be found out where a decision stands: values of expressions, labels of locals."""

    ask: Ask
    label: Callable[[Var], str | None]


class CannotTell(Exception):
    """An expression speaks of what is not known yet."""


@frozen
class Decided:
    """What decides about a domain: the expression, and the call it comes from, if any."""

    by: Ex
    call: Ex | None = None


def deciding(domain: Ex, ask: Ask) -> Decided:
    """The part of a domain that decides in this position."""
    ex, found = domain, Decided(domain)
    for _ in range(DEEPEST):
        ex = _bare(ex)
        try:
            if isinstance(ex, CallDefine) and isinstance(ex.define, DefineDecl):
                args = tuple(_settled(arg, ask) for arg in ex.args)
                call = changed(ex, args=args)
                found = Decided(call, call)
                put = {param.uid: arg for param, arg in zip(ex.define.params, args, strict=True)}
                ex = substituted(ex.define.body, put)
            elif isinstance(ex, Conditional):
                ex = ex.then if ask(ex.condition, {}) else ex.otherwise
            else:
                break
        except CannotTell:
            return found
    return Decided(ex, found.call) if _picks(ex) is not None or found.call is None else found


def _bare(ex: Ex) -> Ex:
    while isinstance(ex, Apply) and OPERATORS[ex.op].same:
        ex = ex.args[0]
    return ex


def _settled(ex: Ex, ask: Ask) -> Ex:
    """An argument with the branch that holds."""
    bare = _bare(ex)
    while isinstance(bare, Conditional):
        bare = _bare(bare.then if ask(bare.condition, {}) else bare.otherwise)
        ex = bare
    return ex


def _picks(ex: Ex) -> Any:
    """The generator of `{x for x in ... where ...}`; None for any other expression."""
    if not isinstance(ex, Reduction) or ex.kind != "set" or len(ex.gens) != 1:
        return None
    (gen,), value = ex.gens, ex.value
    simple = isinstance(value, Local) and value.var.uid == gen.var.uid
    return gen if simple and gen.where and not gen.cells else None


def outside(game: CheckedGame, domain: Ex, type_: t.Type, known: Known, value: Any = None) -> str:
    """Why a value is not in a domain; without a value, why there is nothing in it."""
    found = deciding(domain, known.ask)
    gen = _picks(found.by)
    if gen is not None and value is not None:
        try:
            for condition in gen.where:
                if not known.ask(condition, {gen.var.uid: value}):
                    return f"it is not an option here: {_clause(game, condition, gen.var, known)}"
        except CannotTell:
            pass
    told = _things(game, found.call or found.by, type_, known)
    return (
        f"it is not an option here, only {told}" if value is not None else f"nothing to choose from: {told}"
    )


# ---------------------------------------------------------------- words
def _phrases(game: CheckedGame, ex: Ex, known: Known) -> Any:
    """Words in which locals go by their values: "direction 1" for "direction mark"."""
    from ..rulebook.document import Targets
    from ..rulebook.phrases import Phrases
    from ..rulebook.voice import Voice

    voice = Voice(game, Targets())
    for var in _locals(ex):
        label = known.label(var)
        if label is not None:
            voice.call(var, label)
    return Phrases(voice)


def _locals(ex: Ex) -> Iterator[Var]:
    if isinstance(ex, Local):
        yield ex.var
    for part in operands(ex):
        yield from _locals(part)


def _things(game: CheckedGame, ex: Ex, type_: t.Type, known: Known) -> str:
    from ..rulebook.document import plain

    text = plain(_phrases(game, ex, known).members(ex, type_))
    if isinstance(ex, CallDefine) and ex.define.doc and game.looks.get(ex.define.name) is None:
        return f"{text}. {ex.define.doc.rstrip('.')}"
    return text


def _clause(game: CheckedGame, condition: Ex, var: Any, known: Known) -> str:
    """What does not hold, in words."""
    from ..rulebook.document import plain

    phrases = _phrases(game, condition, known)
    phrases.voice.call(var, "it")
    return plain(phrases.clause(condition, True))


def where(span: Any) -> str:
    """`drakon.dragon:212`: the file by its name, wherever it lies."""
    return f"{Path(span.source.name).name}:{span.line}"
