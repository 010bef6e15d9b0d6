"""Why is a choice not offered? The first requirement that fails, with its words and its line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from ...grammar import Span
from ..core import Choose, Ex, Gen, Let, Local, Require, St, Var, as_binders, header
from ..core import value_types as t
from ..program.terminators import AskCase, AskCell, Asking, AskValue, Binding, DecisionPoint
from ..python.context import Context
from .whynot_domains import CannotTell, Known, outside, where

if TYPE_CHECKING:
    from .match import Match


@frozen
class Refusal:
    """Why a choice is not offered: `words` alone, the place in the rules, and the `rule` it stands in."""

    words: str
    span: Span | None = None
    rule: str | None = None

    def __str__(self) -> str:
        return self.words if self.span is None else f"{self.words} ({where(self.span)})"


def why_not(match: Match, choice: str | Sequence[Any]) -> Refusal | None:
    """None if the choice is offered."""
    found = _why_not(match, choice)
    if found is None or found.span is None:
        return found
    return evolve(found, rule=_rule_around(match, found.span))


def _rule_around(match: Match, span: Span) -> str | None:
    """The rule, action, phase or definition that a line of the rules belongs to."""
    game = match.game.checked
    groups = (game.rules, game.triggers, game.endings, game.defines)
    decls = [*(decl for group in groups for decl in group.values()), *game.phases]
    above = [d for d in decls if d.span.source == span.source and d.span.start <= span.start]
    return str(max(above, key=lambda d: d.span.start).name) if above else None


def _why_not(game: Match, choice: str | Sequence[Any]) -> Refusal | None:
    state = game.state
    if state.over or state.player < 0:
        return Refusal("nobody is asked at the moment")
    engine = state.engine
    point, values = engine.points[state.pc], engine.watcher.values_for(state, state.player)
    offered = {_norm(values.option_key(point, v)) for v in state.options}
    labels = {values.option_label(point, v) for v in state.options}
    key = choice = _norm(choice)
    if key in offered or choice in labels:
        return None
    term = engine.program.blocks[engine.generated.askers[state.pc]].term
    match term:
        case AskCase():
            name = choice if isinstance(choice, str) else str(choice[-1]) if choice else ""
            return _why_not_case(game, term, name)
        case AskCell():
            return _why_not_cell(game, term, choice)
        case AskValue():
            return _why_not_value(game, term, choice)
    raise AssertionError(f"nothing is asked by {term}")


def _why_not_case(match: Match, term: AskCase, name: str) -> Refusal | None:
    for case in term.cases:
        if name not in (case.key, case.label):
            continue
        if case.action is not None:
            rule = match.game.checked.rules[case.action]
            checks = header(rule.body)
            params = dict(zip(rule.params, case.args, strict=True))
        else:
            checks, params = header(case.body), {}
        return _first_failing(match, term, checks, params)
    return Refusal(f"there is no option called `{name}` here")


def _first_failing(match: Match, term: AskCase, checks: tuple[St, ...], params: dict[Any, Any]) -> Refusal:
    """Try longer and longer parts of a header; the first part that cannot be completed is to blame."""
    for count in range(1, len(checks) + 1):
        st = checks[count - 1]
        if isinstance(st, Let):
            continue
        if not _holds(match, term, checks[:count], params):
            return _blamed(match, term, st, params)
    return Refusal("it is possible")


def _blamed(match: Match, term: Asking, st: St, params: dict[Any, Any]) -> Refusal:
    """The words of the line of a header that cannot be met."""
    if isinstance(st, Require):
        return _words(st.because, st.span)
    assert isinstance(st, Choose)
    for guard in st.choice.guards:
        if guard.because:
            return Refusal(f"nothing to choose: {_words(guard.because, guard.span).words}", guard.span)
    gen = st.choice.gens[0]
    return Refusal(
        outside(match.game.checked, gen.domain, gen.var.type, _known(match, term, params)), st.span
    )


def _behind(
    match: Match, term: Asking, binding: Binding, possible: Callable[[tuple[Gen, ...]], bool]
) -> Refusal | None:
    """The first line of the header behind a choice that could not be met any more, if that is why."""
    own = binding.own_rest
    if possible(own):
        for count, st in enumerate(binding.behind, start=1):
            if not possible((*own, *as_binders(binding.behind[:count]))):
                return _blamed(match, term, st, {})
    return None


def _holds(match: Match, term: AskCase, checks: tuple[St, ...], params: dict[Any, Any]) -> bool:
    emitter = _emitter(match)
    emitter.me = emitter.env.get(term.me.uid) if term.me is not None else None
    for param, arg in params.items():
        code = emitter.emit(arg)
        emitter.line(f"{emitter.name_of(param)} = {code}")
    emitter.offers.possible(checks)
    emitter.line("return False")
    return bool(_call(match, emitter))


def _why_not_value(match: Match, term: AskValue, choice: str | Sequence[Any]) -> Refusal | None:
    state = match.state
    engine = state.engine
    binding = term.binding
    values = engine.watcher.values_for(state, state.player)
    point = engine.points[state.pc]
    emitter = _emitter(match)
    emitter.me = emitter.env.get(term.me.uid) if term.me is not None else None
    emitter.line(f"return list({emitter.sets.iterable(binding.gen.domain)})")
    wanted = _norm(choice)
    for value in _call(match, emitter):
        if wanted != _norm(values.option_key(point, value)) and choice != values.option_label(point, value):
            continue
        for guard in binding.guards:
            emitter = _emitter(match)
            emitter.me = emitter.env.get(term.me.uid) if term.me is not None else None
            emitter.env[binding.gen.var.uid] = "value"
            later = tuple(_bare(g) for g in binding.own_rest)

            def test(emitter: Context = emitter, guard: Any = guard) -> None:
                emitter.line(f"if {emitter.condition(guard.condition)}: return True")

            emitter.offers.nested(later, test)
            emitter.line("return False")
            if not _call(match, emitter, value):
                return _words(guard.because, guard.span)

        def possible(rest: tuple[Gen, ...], value: Any = value) -> bool:
            emitter = _emitter(match)
            emitter.me = emitter.env.get(term.me.uid) if term.me is not None else None
            emitter.env[binding.gen.var.uid] = "value"
            emitter.offers.nested(rest, lambda: emitter.line("return True"))
            emitter.line("return False")
            return bool(_call(match, emitter, value))

        found = _behind(match, term, binding, possible)
        return found or Refusal("the rest of the choice could not be completed")
    return _not_in_domain(match, term, binding.gen, point, choice)


def _not_in_domain(match: Match, term: AskValue, gen: Gen, point: DecisionPoint, choice: Any) -> Refusal:
    """The rules' own words for what can be chosen, if the choice is something of that sort at all."""
    value = _value_named(match, point, choice)
    if value is None:
        return Refusal("it is not an option here", term.span)
    reason = outside(match.game.checked, gen.domain, gen.var.type, _known(match, term, {}), value)
    return Refusal(reason, term.span)


def _value_named(match: Match, point: DecisionPoint, choice: Any) -> Any:
    """What a key or a label means, of all that the type has; None if it is nothing of that sort."""
    engine = match.state.engine
    values, layout = engine.watcher.values, engine.layout
    wanted = _norm(choice)
    if not wanted or point.type is None:
        return None
    universe: Iterable[int]
    match t.plain(point.type):
        case t.Comp(name):
            universe = range(layout.comps[name].count)
        case t.Kind(name):
            universe = range(len(match.game.checked.kinds[name].values))
        case t.Player():
            universe = range(match.players)
        case t.Space(of):
            universe = range(layout.geometries[of].size)
        case t.Num():
            text = str(wanted if isinstance(wanted, str) else wanted[-1])
            return int(text) if text.lstrip("-").isdigit() else None
        case _:
            return None
    for value in universe:
        if wanted == _norm(values.option_key(point, value)) or choice == values.option_label(point, value):
            return value
    return None


def _known(match: Match, term: Asking, params: dict[Any, Any]) -> Known:
    """Works out expressions where the pending decision stands."""

    def ask(ex: Ex, given: dict[str, Any]) -> Any:
        emitter = _emitter(match)
        emitter.me = emitter.env.get(term.me.uid) if term.me is not None else None
        try:
            for param, arg in params.items():
                code = emitter.emit(arg)
                emitter.line(f"{emitter.name_of(param)} = {code}")
            for uid in given:
                emitter.env[uid] = f"value[{uid!r}]"
            code = emitter.condition(ex) if isinstance(ex.type, t.YesNo) else emitter.emit(ex)
        except KeyError:  # a name that is bound only later
            raise CannotTell from None
        emitter.line(f"return {code}")
        return _call(match, emitter, given)

    def label(var: Var) -> str | None:
        try:
            value = ask(Local(var.type, term.span, var), {})
        except CannotTell:
            return None
        return match.state.engine.watcher.values.label(value, var.type)

    return Known(ask, label)


def _why_not_cell(match: Match, term: AskCell, choice: str | Sequence[Any]) -> Refusal:
    """Try the conditions one after the other; the first with which the vector cannot be completed is to blame."""
    state = match.state
    binding = term.binding
    text = choice if isinstance(choice, str) else str(choice[-1])
    cells, filled = (state.st[slot] for slot in state.engine.generated.vectors[state.pc])
    known = {**dict(cells[3]), **dict(zip(cells[0], filled, strict=False))}
    asked = cells[0][len(filled)]
    emitter = _emitter(match)
    emitter.me = emitter.env.get(term.me.uid) if term.me is not None else None
    emitter.line(f"return {emitter.vectors.vector_parts(_bare(binding.gen))[0]}")
    low, high = next((low, high) for index, low, high in _call(match, emitter) if index == asked)
    if not text.lstrip("-").isdigit() or not low <= int(text) <= high:
        return Refusal(f"it is a number from {low} to {high}", term.span)
    known[asked] = int(text)
    for count in range(1, len(binding.guards) + 1):
        conditions = tuple(g.condition for g in binding.guards[:count] if g.condition in binding.gen.where)
        emitter = _emitter(match)
        emitter.me = emitter.env.get(term.me.uid) if term.me is not None else None
        gen = Gen(binding.gen.var, binding.gen.domain, conditions, binding.gen.cells)
        emitter.line(f"return {emitter.vectors.vector_with(gen, 'value')}")
        if not _call(match, emitter, known):
            return _words(binding.guards[count - 1].because, binding.guards[count - 1].span)

    def possible(rest: tuple[Gen, ...]) -> bool:
        emitter = _emitter(match)
        emitter.me = emitter.env.get(term.me.uid) if term.me is not None else None
        fits = emitter.vectors.fits(binding.gen, rest)
        emitter.line(f"return {emitter.vectors.vector_with(binding.gen, 'value', fits)}")
        return bool(_call(match, emitter, known))

    if found := _behind(match, term, binding, possible):
        return found
    if binding.alike:
        return Refusal("what is alike is told in one order, the larger first", term.span)
    return Refusal("with this number the rest could not be completed", term.span)


def _bare(gen: Any) -> Any:
    return Gen(gen.var, gen.domain, (), gen.cells)


def _emitter(match: Match) -> Context:
    """An emitter that sees the variables in the frame of the pending decision."""
    engine = match.state.engine
    pool = engine.pool
    emitter = pool.emitter()
    block = engine.program.blocks[match.state.pc]
    emitter.proc = engine.program.procs[block.proc]
    emitter.dirty = set()
    for uid in block.live:
        emitter.env[uid] = f"v_{uid}"
        emitter.line(f"v_{uid} = {emitter.blocks.slot(uid)}")
    return emitter


def _call(match: Match, emitter: Context, value: Any = None) -> Any:
    engine = match.state.engine
    lines = ["def ask(S, value):", "    I = S.I; L = S.L; st = S.st; G = S.G", *emitter.lines]
    space = dict(engine.namespace)
    space.update(engine.pool.consts)
    exec("\n".join([*engine.pool.functions[engine.pool.written :], *lines]), space)
    return space["ask"](match.state, value)


def _words(because: str | None, span: Any) -> Refusal:
    text = because or f"`{' '.join(span.text.split())}` does not hold"
    return Refusal(text, span)


def _norm(value: Any) -> Any:
    return tuple(_norm(v) for v in value) if isinstance(value, tuple | list) else value
