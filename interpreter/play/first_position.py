"""The position in which the first player is asked, made and looked at: does it keep the invariants?

The game is cut down to its opening: wherever somebody would be asked, the match
ends, and what can only come later is left out. Such a game is small, so it is
compiled and started in a moment, for every number of players and a few seeds.
A set-up that fails is told too: with six players the cards may not go round.
"""

from __future__ import annotations

from time import monotonic

import attrs

from ...grammar import Diagnostic, Report, Span
from ..core import (
    Apply,
    As,
    Atomic,
    CallRule,
    Can,
    CanMenu,
    CheckedGame,
    Choose,
    EndingDecl,
    Finish,
    May,
    Offer,
    Pick,
    Repeat,
    RuleDecl,
    St,
    Together,
    Turns,
    map_bodies,
)
from ..core import value_types as t
from ..core.errors import PlayError, SpecError, UsageError
from ..core.work import TooMuch, steps_of_generated_code
from ..review.chains import longest_chain
from ..review.trees import expressions, statements
from .engine import Maker
from .game import Game

SEEDS = (1, 2, 3)
SECONDS = 3.0
"""After so long no further number of players is tried."""

CHAIN = 60
"""Where definitions or rules lean on each other further than this, the whole game is compiled, not only its
opening: it may be more than can be made into a program."""

_ASKS = (Choose, Offer, May, Pick, Together)


def first_position(game: CheckedGame, report: Report, maker: Maker) -> None:
    small = Game(maker, _without_told(opening(game), report), game.name, (), {}, "")
    started = monotonic()
    told: set[Span] = set()
    if longest_chain(game) > CHAIN:
        whole = Game(maker, game, game.name, (), {}, "")
        try:
            whole.engine(game.players[0])
        except TooMuch as problem:
            _too_much(problem, report)
            return
        except (SpecError, UsageError):
            pass  # told below, if it shows in the opening
    for players in _by_interest(game.players):
        if monotonic() - started > SECONDS:
            break
        for seed in SEEDS:
            try:
                small.engine(players)
            except TooMuch as problem:
                _too_much(problem, report)
                return
            except (SpecError, UsageError):
                pass  # told below
            try:
                with steps_of_generated_code(game.phases[0].span):
                    small.start(players=players, seed=seed, watch=False, check=True)
            except TooMuch as problem:
                for found in problem.diagnostics:
                    report.add(found.code, found.message, found.span, severity="warning", help=found.help)
                return
            except PlayError as problem:
                _tell(problem.diagnostic, f"{players} players, seed {seed}", told, report)
                break
            except SpecError as problem:
                for diagnostic in problem.diagnostics:
                    _tell(diagnostic, f"{players} players", told, report)
                break
            except UsageError:  # these options do not go with this number of players
                break


def _too_much(problem: TooMuch, report: Report) -> None:
    """Nobody could play this."""
    for found in problem.diagnostics:
        report.add(found.code, found.message, found.span, help=found.help)


def _without_told(game: CheckedGame, report: Report) -> CheckedGame:
    """Without the invariants of which it is known already that they cannot hold (D0509)."""
    told = [d.span for d in report.found.values() if d.code == "D0509"]
    left = {
        name: decl
        for name, decl in game.invariants.items()
        if not any(_within(span, decl.condition.span) for span in told)
    }
    return attrs.evolve(game, invariants=left)


def _within(inner: Span, outer: Span) -> bool:
    return inner.source == outer.source and outer.start <= inner.start and inner.end <= outer.end


def _by_interest(players: tuple[int, ...]) -> list[int]:
    """The fewest and the most first: that is where things run out."""
    ends = [players[-1], players[0]] if len(players) > 1 else list(players)
    return [*ends, *(n for n in players if n not in ends)]


def _tell(found: Diagnostic, when: str, told: set[Span], report: Report) -> None:
    if found.span in told:
        return
    told.add(found.span)
    broken = found.code == "D0907"
    message = (
        f"{found.message} when the first player is asked ({when})"
        if broken
        else f"the set-up fails here ({when}): {found.message}"
    )
    help_line = "whoever is asked first must find it true: finish the set-up before" if broken else found.help
    report.add("D0508", message, found.span, severity="warning", help=help_line)


# ---------------------------------------------------------------- the opening of a game
def opening(game: CheckedGame) -> CheckedGame:
    """The same game, over as soon as somebody would be asked."""
    asking: set[str] = set()
    while True:  # what is sure to ask ends whatever calls it, too
        cut = {name: _cut(rule.body, asking) for name, rule in game.rules.items()}
        found = {name for name, body in cut.items() if _ends(body)}
        if found == asking:
            break
        asking = found
    rules = {name: attrs.evolve(rule, body=cut[name]) for name, rule in game.rules.items()}
    triggers = {
        name: attrs.evolve(trigger, body=_cut(trigger.body, asking))
        for name, trigger in game.triggers.items()
    }
    phases: list[RuleDecl] = []
    for phase in game.phases:
        phases.append(attrs.evolve(phase, body=_cut(phase.body, asking)))
        if _ends(phases[-1].body):
            break
    kept = _reached(game, phases, rules, triggers)
    return attrs.evolve(
        game,
        phases=phases,
        rules={name: rule for name, rule in rules.items() if name in kept},
        menus={name: actions for name, actions in game.menus.items() if kept.issuperset(actions)},
        triggers={name: trigger for name, trigger in triggers.items() if f"trigger {name}" in kept},
        scenarios=[],
    )


def _cut(body: tuple[St, ...], asking: set[str]) -> tuple[St, ...]:
    """A body up to the first question; `asking` are the rules that are sure to ask."""
    out: list[St] = []
    for st in body:
        if isinstance(st, _ASKS) or (isinstance(st, CallRule) and st.rule in asking):
            nobody = Apply(t.SetOf(t.PLAYER), st.span, "set")
            out.append(Finish(st.span, nobody))
            break
        st = map_bodies(lambda inner: _cut(inner, asking), st)
        out.append(st)
        if isinstance(st, Turns | As | Repeat | Atomic) and _ends(st.body):
            break
    return tuple(out)


def _ends(body: tuple[St, ...]) -> bool:
    """Is somebody sure to be asked? Of turns it is taken for granted that somebody has one."""
    last = body[-1] if body else None
    if last is None:
        return False
    return isinstance(last, Finish) or (isinstance(last, Turns | As | Repeat | Atomic) and _ends(last.body))


def _reached(
    game: CheckedGame,
    phases: list[RuleDecl],
    rules: dict[str, RuleDecl],
    triggers: dict[str, RuleDecl],
) -> set[str]:
    """The rules, and `trigger X`, that can be reached before anybody is asked."""
    kept: set[str] = set()
    todo: list[RuleDecl | EndingDecl] = [*phases, *game.endings.values()]
    while todo:
        procedure = todo.pop()
        names = {str(st.rule) for st in statements(procedure.body) if isinstance(st, CallRule)}
        for ex in expressions(procedure.body):
            if isinstance(ex, Can | CanMenu):
                names |= _questioned(game, ex)
        names = {name for name in names if name in rules and name not in kept}
        kept |= names
        todo += [rules[name] for name in names]
        for name, trigger in triggers.items():
            wanted = any(kind != "rule" or event in kept for kind, event in trigger.events)
            if wanted and f"trigger {name}" not in kept:
                kept.add(f"trigger {name}")
                todo.append(trigger)
    return kept


def _questioned(game: CheckedGame, ex: Can | CanMenu) -> set[str]:
    """The actions that a `can` is about."""
    return {ex.action} if isinstance(ex, Can) else set(game.menus[ex.menu])
