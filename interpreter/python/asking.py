"""The Python back end: blocks that wait: choices, offers, vectors, chance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core import Ex, Gen, Rows, SeenBy, applies, bound_by, free_vars
from ..core import value_types as t
from ..program.terminators import (
    AskCase,
    AskCell,
    AskValue,
    Binding,
    ChanceDraw,
    ChanceRoll,
)
from ..program.vector_bounds import depend
from .part import Part, writes_end

if TYPE_CHECKING:
    from .context import Context


class Asking(Part):
    def __init__(self, c: Context) -> None:
        super().__init__(c)
        self.prepared: dict[str, str] = {}  # domains of later binders, worked out in advance

    # ------------------------------------------------------------ waiting
    def wait(self, target: int, options: str, who: str) -> None:
        self.c.blocks.leave(target)
        if self.pool.rerun and target in self.pool.askers:  # what the question hangs on is kept as well
            self.c.blocks.leave(self.pool.askers[target])
        asked = self.pool.asking(target)
        if asked is not None:
            self.line(f"OFFERED[{asked[0]}].update({options})")
        self.line(f"S.pc = {self.pool.wanted(target)}; S.options = {options}; S.player = {who}")
        self.line("return -1")

    def without_options(self, term: AskValue, options: str, trail: tuple[int, ...]) -> None:
        """What happens when there is nothing to choose from."""
        saved = self.c.blocks.fork_path()
        with self.c.block(f"if not {options}:"):
            self._nothing_to_choose(term, trail)
        self.c.blocks.restore(saved)

    def _nothing_to_choose(self, term: AskValue | AskCell, trail: tuple[int, ...]) -> None:
        """Go where `else` says, if there is one."""
        if term.orelse is not None:
            self.c.blocks.go(term.orelse, trail)
        else:
            self.line(self.c.fail("D0908", term.span))

    @writes_end(AskValue)
    def t_choose(self, term: AskValue, trail: tuple[int, ...]) -> None:
        self.pool.point_at(term.after, term.point, trail[-1])
        options = self.options_of(term.binding)
        if not (term.decline and term.always):
            self.without_options(term, options, trail)
        if term.decline:
            self.line(f"{options}.append(-1)")
        assert self.c.me is not None
        self.wait(term.after, options, self.c.me)

    def options_of(self, binding: Binding) -> str:
        """The name of a list with the values that the binder may take."""
        gen = self.c.loops.opened(binding.gen)
        name = self.temp("o")
        saved = dict(self.c.env), dict(self.c.consts)
        alike = self.alike(gen.domain)
        if alike is not None and not alike.isidentifier():
            alike, code = self.temp("a"), alike
            self.line(f"{alike} = {code}")
        iterable, gen = self.c.loops.narrowed(gen)
        iterable = iterable or self.c.sets.iterable(gen.domain)
        with self.c.knowing():
            self.c.loops.hoist(gen)
            self.prepare(gen, binding.rest)
            self._list_options(name, iterable, binding, gen, alike)
        self.c.env, self.c.consts, self.prepared = *saved, {}
        return name

    def _list_options(self, name: str, iterable: str, binding: Binding, gen: Gen, alike: str | None) -> None:
        """Lines that fill the list `name`."""
        var = self.c.name_of(gen.var)
        if not binding.rest and not binding.distinct and alike is None:
            if all(self.c.knows.simple(c) for c in gen.where) and not self.c.loops.shares(gen.where):
                tests = [self.emit(c) for c in gen.where if self.known(c) != 1]
                tail = f" if {' and '.join(tests)}" if tests else ""
                self.line(
                    f"{name} = [{var} for {var} in {iterable}{tail}]"
                    if tail
                    else f"{name} = list({iterable})"
                )
                return
        self.line(f"{name} = []")
        known = None
        if binding.distinct or alike is not None:
            known = self.temp("k")
            self.line(f"{known} = set()")
        with self.c.block(f"for {var} in {iterable}:"), self.c.loops.guarded(gen.where):
            if known is not None:
                keys = [self.condition(e) for e in binding.distinct]
                if alike is not None and not binding.distinct:
                    keys.append(f"{alike}[{var}]")
                if keys:
                    key = self.temp("k")
                    self.line(f"{key} = ({', '.join(keys)},)")
                    self.line(f"if {key} in {known}: continue")
            if binding.rest:
                self.completable(
                    binding.rest,
                    f"{name}.append({var})",
                    f"{known}.add({key})" if known is not None and keys else None,
                )
            else:
                if known is not None and keys:
                    self.line(f"{known}.add({key})")
                self.line(f"{name}.append({var})")

    def prepare(self, gen: Gen, rest: tuple[Gen, ...]) -> None:
        """What the search for the remaining binders needs again and again is worked out once: what
        depends on none of the binders up to there."""
        bound = bound_by(gen)
        for other in map(self.c.loops.opened, rest):
            if not (
                other.cells
                or (isinstance(other.domain, Rows) or applies(other.domain, "items"))
                or free_vars(other.domain) & bound
            ):
                if not self.pool.may_fail(other.domain):
                    code = self.c.sets.iterable(other.domain)
                    if not code.isidentifier():
                        name = self.temp("r")
                        self.line(f"{name} = {code}")
                        code = name
                    self.prepared[other.var.uid] = code
            bound = bound | bound_by(other)
            for condition in other.where:
                self.c.loops.in_front(condition, bound)

    def _rest_possible(self, rest: tuple[Gen, ...]) -> str:
        """The name of a flag that tells whether some binders can be bound."""
        flag = self.temp("z")
        self.line(f"{flag} = False")
        saved = dict(self.c.env), dict(self.c.consts)
        with self.c.knowing():
            self._search_rest(rest, flag)
        self.c.env, self.c.consts = saved
        return flag

    def completable(self, rest: tuple[Gen, ...], found: str, more: str | None) -> None:
        """Run `found` once if the remaining binders can be bound."""
        flag = self.temp("z")
        self.line(f"{flag} = False")
        self._search_rest(rest, flag)
        with self.c.block(f"if {flag}:"):
            self.line(found)
            if more:
                self.line(more)

    def _search_rest(self, rest: tuple[Gen, ...], flag: str) -> None:
        gen, *others = rest
        if gen.cells:
            dependent = depend(tuple(others), gen.var.uid)
            fits = self.c.vectors.fits(gen, tuple(others)) if dependent else None
            with self.c.block(f"if {self.c.vectors.vector_possible(gen, fits)}:"):
                if others and not dependent:
                    self._search_rest(tuple(others), flag)
                else:  # what depends on the vector has been tried with it
                    self.line(f"{flag} = True")
            return
        iterable, gen = self.c.loops.narrowed(self.c.loops.opened(gen))
        iterable = iterable or self.prepared.get(gen.var.uid) or self.c.sets.iterable(gen.domain)
        with self.c.knowing():
            self.c.loops.hoist(gen)
            var = self.c.name_of(gen.var)
            with self.c.block(f"for {var} in {iterable}:"), self.c.loops.guarded(gen.where):
                if others:
                    self._search_rest(tuple(others), flag)
                    self.line(f"if {flag}: break")
                else:
                    self.line(f"{flag} = True")
                    self.line("break")

    def alike(self, domain: Ex) -> str | None:
        """A table that tells copies apart, when the domain is an unordered place of components:
        identical ones are offered once."""
        if not applies(domain, "items"):
            return None
        place = domain.args[0]
        if not place.place_type.form.heap:
            return None
        table: str | None = self.pool.alike(place.place_type.of, self.c.holdings.contents(place))
        return table

    @writes_end(AskCase)
    def t_offer(self, term: AskCase, trail: tuple[int, ...]) -> None:
        self.pool.point_at(term.chosen, term.point, trail[-1])
        cases, decline = term.cases, term.decline
        name = self.temp("o")
        if not any(self.c.offers.header_of(case) for case in cases):
            self.line(f"{name} = {list(range(len(cases) + int(decline)))}")
        else:
            self.line(f"{name} = []")
            self.c.offers.possible_cases(cases, name)
            saved = self.c.blocks.fork_path()
            if decline and not term.always:
                with self.c.block(f"if not {name}:"):
                    self.c.blocks.go(term.otherwise, trail)
                self.c.blocks.restore(saved)
            elif not decline:
                with self.c.block(f"if not {name}:"):
                    if term.has_else:
                        self.c.blocks.go(term.otherwise, trail)
                    else:
                        self.line(self.c.fail("D0908", term.span))
                self.c.blocks.restore(saved)
            if decline:
                self.line(f"{name}.append({len(cases)})")
        assert self.c.me is not None
        self.wait(term.chosen, name, self.c.me)

    @writes_end(AskCell)
    def t_vector(self, term: AskCell, trail: tuple[int, ...]) -> None:
        binding, chosen = term.binding, term.chosen
        self.pool.point_at(chosen, term.point, trail[-1])
        self.pool.starts_at(chosen, term.start)
        slots = self.c.proc.slots
        self.pool.vectors[chosen] = (
            slots.index(term.cells.var.uid) - len(slots),
            slots.index(term.filled.var.uid) - len(slots),
        )
        done, todo = self.emit(term.filled), self.emit(term.cells)
        dependent = depend(binding.rest, binding.gen.var.uid)
        assert self.c.me is not None
        saved = self.c.blocks.fork_path()
        with self.c.block(f"if len({done}) < len({todo}[0]):"):
            options = self.c.vectors.vector_options(binding, todo, done)
            if binding.rest and not dependent:  # asked once: it does not depend on the cells
                with self.c.block(f"if not {done}:"):
                    self.line(f"if not {self._rest_possible(binding.rest)}: {options} = ()")
            with self.c.block(f"if not {options}:"):
                self._nothing_to_choose(term, trail)
            self.c.blocks.restore(saved)
            self.wait(chosen, options, self.c.me)
        self.c.blocks.restore(saved)
        with self.c.block(f"if not {todo}[0]:"):  # nothing to ask, but is it allowed as it is?
            fits = self.c.vectors.fits(binding.gen, binding.rest) if dependent else None
            test = f"{self.c.vectors.witness_of(binding.gen, todo, fits)} is None"
            if binding.rest and not dependent:
                test += f" or not {self._rest_possible(binding.rest)}"
            with self.c.block(f"if {test}:"):
                self._nothing_to_choose(term, trail)
            self.c.blocks.restore(saved)
        self.c.blocks.go(term.after, trail)

    @writes_end(ChanceDraw)
    def t_draw(self, term: ChanceDraw, trail: tuple[int, ...]) -> None:
        source = term.source
        name = source.place_type.of
        place = self.atom(source)
        if name in self.game.tokens:
            kinds = len(self.game.kinds[name].values)
            listed, direct = f"token_outcomes(I, {place}, {kinds})", f"token_draw(S.rng, I, {place}, {kinds})"
        elif term.how == "peek":
            listed = f"below_known_top(L, {place})"
            direct = f"S.rng.settle(*{listed})"
        elif term.how == "random":
            cards = self.c.holdings.contents(source)
            if not (source.place_type.form.heap or source.place_type.form.single):
                cards = f"sorted({cards})"
            listed, direct = f"some_outcomes({cards})", f"some_draw(S.rng, {cards})"
        elif source.place_type.form.hidden:
            listed, direct = f"deck_outcomes(L, {place})", f"deck_draw(S.rng, L, {place})"
        else:
            listed, direct = f"((L[{place}][-1],), (1,))", f"L[{place}][-1]"
        self.pool.chance_at(term.after, t.Kind(name) if name in self.game.tokens else t.Comp(name))
        self.chance(term, trail, listed, direct)

    def chance(
        self, term: ChanceDraw | ChanceRoll, trail: tuple[int, ...], outcomes: str, direct: str
    ) -> None:
        """Wait for chance; where the engine settles it itself, there is no need to list the outcomes
        or to stop."""
        target = term.after
        if not self.pool.watched:
            saved = self.c.blocks.fork_path()
            with self.c.block("if S.auto:"):
                if self.c.blocks.merges(target, trail):
                    self.c.bind(term.binds, direct)
                    self.c.blocks.run(self.pool.program.blocks[target], None, trail)
                else:
                    self.c.blocks.leave(target)
                    self.line(f"S.rv = {direct}")
                    self.line(f"return {self.pool.wanted(target)}")
            self.c.blocks.restore(saved)
        self.c.blocks.leave(target)
        self.line(f"S.options, S.weights = {outcomes}")
        self.line(f"S.pc = {self.pool.wanted(target)}; S.player = -1")
        self.line("return -1")

    @writes_end(ChanceRoll)
    def t_roll(self, term: ChanceRoll, trail: tuple[int, ...]) -> None:
        domain, weight, target = term.domain, term.weight, term.after
        outcomes = self.temp("o")
        self.line(f"{outcomes} = list({self.c.sets.iterable(domain)})")
        if not self.c.sets.elements(domain):
            self.line(
                f"if not {outcomes}: {self.c.fail('D0908', term.span, repr('there is nothing to roll'))}"
            )
        self.pool.chance_at(target, term.binds.type)
        depends = isinstance(term.audience, SeenBy)
        self.pool.rolls(target, None if depends else self.c.showing.audience(term.audience))
        if depends and self.pool.watched:
            self.line(f"S.rv = {self.c.showing.audience(term.audience)}")
        if weight is None:
            self.chance(term, trail, f"{outcomes}, (1,) * len({outcomes})", f"one_of(S.rng, {outcomes})")
            return
        weights = self.temp("w")
        self.line(f"{weights} = []")
        name = self.c.name_of(term.binds)
        with self.c.block(f"for {name} in {outcomes}:"):
            self.line(f"{weights}.append({self.condition(weight)})")
        self.line(f"if min({weights}) < 0 or not any({weights}): {self.c.fail('D0913', weight.span)}")
        self.chance(term, trail, f"{outcomes}, {weights}", f"S.rng.settle({outcomes}, {weights})")
