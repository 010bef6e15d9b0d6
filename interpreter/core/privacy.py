"""Which choices are private: made among things that not everybody sees.

A choice is announced unless what is chosen from, or a condition of the choice,
reads something that not everybody sees. What is read is followed through
definitions, and through names: what a `let`, a loop, an earlier choice, a roll, a
parameter or the result of a rule may stand for is looked up over the whole game,
from whichever line it may come. So it makes no difference whether a hand is
written down at the choice, named before, or given to a rule that asks.

A component that is chosen is announced only to those who see it where it lies;
that is settled at play, in watch.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, assert_never

from ...grammar import Span
from . import (
    OPERATORS,
    Apply,
    CallDefine,
    CheckedGame,
    Choice,
    Ex,
    Gen,
    Local,
    PlaceRef,
    SeenByAll,
    St,
    StateRef,
    applies,
    children,
)
from .statements import (
    As,
    Atomic,
    CallRule,
    Cancel,
    Choose,
    Draw,
    Expire,
    Finish,
    For,
    If,
    Let,
    May,
    Move,
    MoveAll,
    MoveCell,
    MoveOn,
    MoveSet,
    MoveTokens,
    Note,
    Nothing,
    Offer,
    Offering,
    Peek,
    Pick,
    Repeat,
    Require,
    Return,
    Reveal,
    Roll,
    Rounds,
    Set,
    Show,
    Shuffle,
    Skip,
    Stop,
    Swap,
    Together,
    Turns,
    as_checked,
)
from .traversal import bodies


class _Secret:
    """Stands for a value that not everybody sees."""


class Privacy:
    def __init__(self, game: CheckedGame) -> None:
        self.game = game
        self.origins: dict[str, list[Any]] = {}
        """By uid of a name: what it may stand for."""
        self.results: dict[str, list[Ex]] = {}
        self.asking: list[tuple[St, Any]] = []
        for rule in (*game.rules.values(), *game.triggers.values(), *game.phases):
            self._walk(rule.body, rule.name)
        self._hiding: dict[int, tuple[Choice, bool]] = {}
        self.hidden_at = {place_of(st.span) for st, what in self.asking if self._hidden(what, set())}

    def hides(self, choice: Choice, span: Span) -> bool:
        if place_of(span) in self.hidden_at:
            return True
        if id(choice) not in self._hiding:
            self._hiding[id(choice)] = choice, any(self._hidden(gen, set()) for gen in choice.gens)
        return self._hiding[id(choice)][1]

    # ------------------------------------------------------------ what names stand for
    def _walk(self, body: Iterable[St], rule: str) -> None:
        for st in body:
            stated = as_checked(st)
            match stated:
                case Let():
                    self._stands(stated.var.uid, stated.value)
                case For():
                    for gen in stated.gens:
                        self._stands(gen.var.uid, gen)
                case Choose():
                    self.asking.append((stated, stated.choice.gens))
                    for gen in stated.choice.gens:
                        self._stands(gen.var.uid, gen)
                case Pick():
                    self.asking.append((stated, stated.source))
                case Roll():
                    self._stands(stated.var.uid, stated.domain)
                    if not isinstance(stated.audience, SeenByAll):
                        self._stands(stated.var.uid, _Secret())
                case Draw() if stated.var is not None:
                    self._stands(stated.var.uid, stated.source)
                    self._stands(stated.var.uid, stated.place)
                case CallRule():
                    self._given(stated.rule.removesuffix("!"), stated.args)
                    if stated.var is not None:
                        self._stands(stated.var.uid, (stated.rule.removesuffix("!"),))
                case Return():
                    if stated.value is not None:
                        self.results.setdefault(rule, []).append(stated.value)
                case (
                    Set() | Note() | Nothing() | Move() | MoveSet() | MoveAll() | MoveTokens() | MoveCell()
                    | MoveOn() | Swap() | Shuffle() | Draw() | Offer() | May() | Peek() | Turns() | Rounds()
                    | Together() | Show() | Reveal() | If() | Repeat() | As() | Atomic() | Require() | Stop()
                    | Skip() | Cancel() | Expire() | Finish()
                ):  # fmt: skip
                    pass  # names nothing, or somebody whose turn it is, which all know
                case _:
                    assert_never(stated)
            offering = getattr(st, "offering", None)
            if isinstance(offering, Offering):
                for action in self.game.menus.get(offering.menu or "", ()):
                    self._given(action, offering.menu_args)
                for case in offering.cases:
                    if case.action is not None:
                        self._given(case.action, case.args)
            for inner in bodies(st):
                self._walk(inner, rule)

    def _stands(self, uid: str, what: Any) -> None:
        self.origins.setdefault(uid, []).append(what)

    def _given(self, rule: str, args: Iterable[Ex]) -> None:
        decl = self.game.rules.get(rule)
        for param, arg in zip(decl.params if decl is not None else (), args, strict=False):
            self._stands(param.uid, arg)

    # ------------------------------------------------------------ what an expression reads
    def _hidden(self, node: Any, seen: set[str]) -> bool:
        """Does it read something that not everybody sees? `seen` are the names that have been looked up."""
        match node:
            case _Secret():
                return True
            case (str() as rule,):
                return self._once(f"result of {rule}", self.results.get(rule, ()), seen)
            case tuple() | list():
                return any(self._hidden(part, seen) for part in node)
            case Gen():
                return self._hidden(list(children(node)), seen)
            case Ex():
                return self._reads(node, seen)
        return False

    def _once(self, name: str, what: Any, seen: set[str]) -> bool:
        if name in seen:
            return False
        seen.add(name)
        return self._hidden(list(what), seen)

    def _reads(self, ex: Ex, seen: set[str]) -> bool:
        if applies(ex, "revealed"):
            return False
        looks = OPERATORS[ex.op].looks if isinstance(ex, Apply) else ""
        if isinstance(ex, Apply) and looks in ("size", "top") and isinstance(place := ex.args[0], PlaceRef):
            told = isinstance(place.place.size_seen if looks == "size" else place.place.top_seen, SeenByAll)
            if told or looks == "size":
                return not told or self._hidden(list(place.indices), seen)
        if (
            isinstance(ex, PlaceRef)
            and not isinstance(ex.place.seen, SeenByAll)
            and not ex.place.name.startswith("box of")
        ):
            return True
        if isinstance(ex, StateRef) and not isinstance(ex.state.seen, SeenByAll):
            return True
        if isinstance(ex, Local) and self._once(ex.var.uid, self.origins.get(ex.var.uid, ()), seen):
            return True
        if isinstance(ex, CallDefine) and self._once(f"define {ex.define.name}", [ex.define.body], seen):
            return True
        return self._hidden(list(children(ex)), seen)


def place_of(span: Span) -> tuple[str, int]:
    return span.source.name, span.start
