"""Statements in words: each becomes a step, a sentence with smaller steps below it.

`_s_<op>` says one operation. Sentences are spoken to whoever decides: in the
imperative to "you", in the third person inside `as somebody:`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..core import (
    OPERATORS,
    Apply,
    As,
    Atomic,
    Attribute,
    CallRule,
    Cancel,
    Choice,
    Choose,
    Const,
    Ex,
    Expire,
    Finish,
    For,
    Gen,
    If,
    InPhase,
    Local,
    May,
    Me,
    Near,
    Offer,
    Offering,
    Option,
    PlaceRef,
    Repeat,
    Require,
    Return,
    Rounds,
    Rows,
    Skip,
    St,
    Stop,
    Together,
    Turns,
    Universe,
    applies,
    bodies,
    operands,
    several,
)
from ..core import value_types as t
from .clauses import is_nothing
from .document import Step, capital, em, plain, strong
from .english import a, agree, listed, plural, words
from .moves import Moves, saying

_SHORT = 110
"""Up to so many characters a condition and its only consequence stand in one sentence."""


_STARTS = frozenset(
    "a add all an as at chance choose do draw each every everybody everything exactly for from go having if in it "
    "lower move no nobody nothing one open otherwise players put raise remember roll round show shuffle some "
    "something swap that the there this turn when you your".split()
)


class Sentences(Moves):
    """Words for statements, in one voice."""

    def steps(self, body: Sequence[St]) -> list[Step]:
        """A block; names that it binds stay known to its end."""
        out: list[Step] = []
        for st in body:
            out += saying[st](self, st)
        return out

    def block(self, body: Sequence[St], me: str | None = None) -> list[Step]:
        """A block of its own."""
        voice = self.voice.inside() if me is None else self.voice.speaking_as(me)
        return Sentences(voice).steps(body)

    # ------------------------------------------------------------ deciding
    @saying(Require)
    def _s_require(self, st: Require) -> list[Step]:
        return [Step(f"This needs: {self.say.clause(st.condition)}{_quoted(st.because)}.")]

    def requirement(self, st: Require) -> Step:
        """A requirement as an entry of a list."""
        return Step(f"{capital(self.say.clause(st.condition))}{_quoted(st.because)}.")

    @saying(Choose)
    def _s_choose(self, st: Choose) -> list[Step]:
        choice: Choice = st.choice
        text = self._binders(choice.gens)
        prompt = f"{em(capital(choice.prompt))}: " if choice.prompt else ""
        chosen = (
            f"{capital(self.voice.me)} may choose {text}" if choice.decline else self.actor("choose", text)
        )
        if prompt:
            chosen = (
                prompt + chosen[:1].lower() + chosen[1:] if plain(self.voice.me) == "you" else prompt + chosen
            )
        guards = [
            (self.say.clause(guard.condition), guard.because)
            for guard in choice.guards
            if not self._goes_without_saying(guard.condition)
        ]
        if choice.decline:
            done, otherwise = self.block(st.body), self.block(st.orelse)
            otherwise = self._joined("If not", otherwise) if otherwise else []
            otherwise = [*(self._joined("If so", done) if done else []), *otherwise]
        else:
            otherwise = self._otherwise(st.orelse)
        if len(guards) == 1 and len(plain(chosen)) + len(plain(guards[0][0])) < 2 * _SHORT:
            clause, because = guards[0]
            clause = f"the chosen{clause[4:]}" if clause.startswith("that ") else clause
            step = Step(f"{chosen} so that {clause}{_quoted(because)}.")
        elif guards:
            step = Step(f"{chosen}, so that:", [Step(f"{c}{_quoted(b)}") for c, b in guards])
        else:
            step = Step(f"{chosen}.")
        return [step, *otherwise]

    def _goes_without_saying(self, ex: Ex) -> bool:
        """A test that a component is on the board at all, which is there for the checker's sake."""
        return (
            applies(ex, "ne")
            and (isinstance(ex.args[0], Attribute) and ex.args[0].name == "space")
            and isinstance(ex.args[1].type, t.Nothing)
        )

    def _otherwise(self, orelse: Sequence[St]) -> list[Step]:
        if not orelse:
            return []
        if isinstance(orelse[0], Return) and orelse[0].value is None:
            return [Step("If that is not possible, nothing happens.")]
        steps = self.block(orelse)
        return self._joined("If that is not possible", steps)

    def _binders(self, gens: Sequence[Gen]) -> str:
        domains = [self._one_of(gen, index) for index, gen in enumerate(gens)]
        return listed(domains)

    def _one_of(self, gen: Gen, index: int) -> str:
        """One binder of a choice: "a chamber from your hand"."""
        var = gen.var
        if gen.cells:
            cells = []
            for cell, domain in gen.cells:
                many = self.say.members(domain, cell.type)
                self.voice.introduce([cell])
                cells.append(f"each of {many}")
            low_high = self._numbers(gen.domain)
            name = em(words(var.name))
            self.voice.call(var, name)
            return f"for {listed(cells)} a number {name} ({low_high})"
        if several(gen):
            return self._several(gen)
        domain_words = self.domain(gen.domain, var.type)
        self.voice.introduce([var])
        reference = self.voice.names[var.uid]
        bare = plain(reference)
        noun = self.voice.noun(var.type)
        is_kind = self.voice.is_token_kind(var.type) and bare == "that kind"
        if (
            is_kind
            or t.plain(var.type) == t.ROTATION
            or (bare.startswith(("the ", "that ")) and bare.partition(" ")[2] == noun)
        ):
            return domain_words
        if bare.startswith("the "):
            return f"{a(em(bare[4:]))}: {domain_words}"
        letter = em(var.name)
        if domain_words.startswith(("a ", "an ")) and noun in domain_words:
            return domain_words.replace(noun, f"{noun} {letter}", 1)
        return f"{domain_words} ({letter})"

    def _several(self, gen: Gen) -> str:
        """A set that is chosen: "1 or 2 cards from your hand"."""
        within, low, high = operands(gen.domain)
        assert isinstance(gen.var.type, t.SetOf)
        of = gen.var.type.of
        amount = self._how_many(low, high)
        one = isinstance(high, Const) and high.value == 1
        noun = self.voice.noun(of) if one else plural(self.voice.noun(of))
        while isinstance(within, Apply) and OPERATORS[within.op].recast:
            within = within.args[0]
        match within:
            case PlaceRef():
                form = within.place_type.form
                joint = "in" if form.spaces or form.spread else "from"
                text = f"{amount} {noun} {joint} {self.say.thing(within)}"
            case Universe() | Apply(op="players"):
                text = f"{amount} {noun}"
            case _:
                text = f"{amount.removesuffix(' of')} of {self.say.members(within, of)}"
        if gen.var.name == "picked":
            self.voice.call(gen.var, "it" if one else "them")
            return text
        name = em(words(gen.var.name))
        self.voice.call(gen.var, name)
        return f"{text} ({name})"

    def _how_many(self, low: Ex, high: Ex) -> str:
        least, most = self.say.thing(low), self.say.thing(high)
        if low == high:
            return least
        if isinstance(high, Const) and high.value >= t.MANY:
            return "any number of" if least == "0" else f"at least {least}"
        if least == "0":
            return f"up to {most}"
        near = isinstance(low, Const) and isinstance(high, Const) and high.value == low.value + 1
        return f"{least} {'or' if near else 'to'} {most}"

    def _numbers(self, domain: Ex) -> str:
        if applies(domain, "range"):
            return f"from {self.say.thing(domain.args[0])} to {self.say.thing(domain.args[1])}"
        return f"one of {self.say.thing(domain)}"

    def domain(self, domain: Ex, type_: t.Type) -> str:
        bare = domain
        while isinstance(bare, Apply) and OPERATORS[bare.op].recast:
            bare = bare.args[0]
        noun = self.voice.noun(type_)
        match bare:
            case PlaceRef():
                form = bare.place_type.form
                joint = "in" if form.spaces or form.spread else "from"
                return f"{a(noun)} {joint} {self.say.thing(bare)}"
            case Universe():
                if t.plain(type_) == t.ROTATION:
                    return "how to turn it"
                return f"{a(noun)}"
            case Apply(op="players"):
                return "a player"
            case Apply(op="others") if isinstance(bare.args[0], Me):
                return "another player"
            case Apply(op="range"):
                return f"a number from {self.say.thing(bare.args[0])} to {self.say.thing(bare.args[1])}"
            case Apply(op="frontier"):
                return f"an empty space next to {self.say.thing(bare.args[0])}"
            case Near():
                return f"a space up to {self.say.thing(bare.reach)} steps from {self.say.thing(bare.of)}"
            case Const() | Apply(op="set"):
                return self.say.thing(bare).replace(" and ", " or ")
            case Rows():
                return a(words(bare.record.name))
        return f"one of {self.say.thing(bare)}"

    # ------------------------------------------------------------ offers
    @saying(Offer)
    def _s_offer(self, st: Offer) -> list[Step]:
        offering: Offering = st.offering
        prompt = f"{em(capital(offering.prompt))}: " if offering.prompt else ""
        steps = self._cases(offering)
        otherwise = self._joined("If nothing is possible", self.block(st.orelse)) if st.orelse else []
        if len(steps) == 1 and offering.menu is None:
            return [Step(self.actor("do", f"this: {steps[0].text}"), steps[0].steps), *otherwise]
        lead = self.actor("do", "one of these") if plain(self.voice.me) != "you" else "Do one of these"
        return [Step(f"{prompt}{lead}:", steps), *otherwise]

    def _cases(self, offering: Offering) -> list[Step]:
        out = []
        for case in offering.cases:
            if case.action is not None:
                out.append(Step(self.action(case.action, case.args)))
            else:
                inner = self.block(case.body)
                label = strong(capital(case.label))
                if not inner:
                    out.append(Step(f"{label}."))
                elif len(inner) == 1 and not inner[0].steps:
                    out.append(Step(f"{label}: {lower(inner[0].text)}"))
                else:
                    out.append(Step(f"{label}:", inner))
        if offering.menu is not None and not offering.cases:
            out = [Step(self.action(name, ())) for name in self.voice.game.menus.get(offering.menu, ())]
        return out

    def action(self, name: str, args: Sequence[Ex]) -> str:
        """An action to choose from, as a link."""
        return self.voice.targets.link(f"action:{name}", capital(self.voice.name(name)))

    @saying(May)
    def _s_may(self, st: May) -> list[Step]:
        offering: Offering = st.offering
        steps = self._cases(offering)
        me = self.voice.me
        may = f"{capital(me)} may"
        done = self.block(st.body)
        if offering.menu is None and len(offering.cases) == 1:
            case = offering.cases[0]
            if case.action is not None:
                lead = Step(f"{may} do this: {steps[0].text}.")
            else:
                inner = self.block(case.body)
                if done and not inner:
                    inner, done = done, []
                decision = f"{may} decide: {em(case.label)}."
                lead = Step(decision if not inner else f"{decision} If so:", inner)
        else:
            lead = Step(f"{may} do one of these:", steps)
        out = [lead]
        if done:
            out += self._joined("Having done so", done)
        if st.orelse:
            out += self._joined("If not", self.block(st.orelse))
        return out

    # ------------------------------------------------------------ branching and loops
    @saying(If)
    def _s_if(self, st: If) -> list[Step]:
        condition = self.say.clause(st.condition)
        out = self._joined(f"If {condition}", self.block(st.body))
        rest = list(st.orelse)
        while len(rest) == 1 and isinstance(rest[0], If):
            inner = rest[0]
            out += self._joined(f"Otherwise, if {self.say.clause(inner.condition)}", self.block(inner.body))
            rest = list(inner.orelse)
        if rest:
            out += self._joined("Otherwise", self.block(rest))
        return out

    def _joined(self, lead: str, steps: list[Step]) -> list[Step]:
        """A condition with what follows: one sentence if there is little of it."""
        if not steps:
            return []
        if (
            len(steps) == 1
            and not steps[0].steps
            and len(plain(lead)) + len(plain(steps[0].text)) < 2 * _SHORT
        ):
            return [Step(f"{lead}, {lower(steps[0].text)}")]
        return [Step(f"{lead}:", steps)]

    @saying(For)
    def _s_for(self, st: For) -> list[Step]:
        gens: tuple[Gen, ...] = st.gens
        who = st.who
        inner = Sentences(self.voice.inside())
        window = _window(st)
        if window is not None:
            start, offering = window
            steps = inner._cases(offering)
            return [
                Step(
                    f"In turn, beginning with {self.say.thing(start)}, each player may do one of these:",
                    steps,
                )
            ]
        if who is not None and isinstance(who, Local) and len(gens) == 1:
            lead = inner._each(gens[0])
            if self.voice.addressed:
                inner.voice.call(gens[0].var, "that player")
                condition = inner.say.conditions(gens[0].where, ", if ")
                steps = Sentences(inner.voice.speaking_as("that player")).steps(st.body)
            else:
                inner = Sentences(self.voice.speaking_as("you"))
                inner.voice.call(gens[0].var, "you")
                condition = inner.say.conditions(gens[0].where, ", if ")
                steps = inner.steps(st.body)
            return [Step(f"{capital(lead)}{condition}, in turn:", steps)]
        parts = []
        for gen in gens:
            parts.append(inner._each(gen))
            inner.voice.introduce([gen.var])
            reference = inner.voice.names[gen.var.uid]
            letter = f" ({em(gen.var.name)})" if em(gen.var.name) in reference else ""
            which = ", if " if isinstance(t.plain(gen.var.type), t.Player) else " for which "
            parts[-1] += letter + inner.say.conditions(gen.where, which)
        lead = f"For {listed(parts)}"
        if who is not None:
            lead += f", {inner.say.thing(who)} does this"
            inner = Sentences(inner.voice.speaking_as("you"))
            steps = inner.steps(st.body)
            return [Step(f"{lead}:", steps)]
        return self._joined(lead, inner.steps(st.body))

    def _each(self, gen: Gen) -> str:
        bare = gen.domain
        while isinstance(bare, Apply) and OPERATORS[bare.op].recast:
            bare = bare.args[0]
        noun = self.voice.noun(gen.var.type)
        match bare:
            case Apply(op="players"):
                return "each player"
            case Universe():
                return f"each {noun}"
            case PlaceRef():
                return f"each {noun} in {self.say.thing(bare)}"
            case Apply(op="clockwise"):
                return f"each player clockwise, beginning with {self.say.thing(bare.args[0])}"
            case Apply(op="range"):
                return f"each number from {self.say.thing(bare.args[0])} to {self.say.thing(bare.args[1])}"
        return f"each of {self.say.thing(bare)}"

    @saying(Repeat)
    def _s_repeat(self, st: Repeat) -> list[Step]:
        limit = st.limit
        if limit is None:
            label = f" ({em(words(st.label))})" if st.label else ""
            return [
                Step(f"Do this again and again, until something below ends it{label}:", self.block(st.body))
            ]
        if isinstance(limit, Const) and limit.value == 1 and st.label in self.voice.game.rules:
            return self.steps(st.body)  # for what lasts until the rule ends
        times = self.say.thing(limit)
        times = f"{times} times" if isinstance(limit, Const | Local | Option) else f"as often as {times}"
        label = f" ({em(words(st.label))})" if st.label else ""
        steps = self.block(st.body)
        return [
            Step(f"Do this up to {times}{label}:" if _stops(st.body) else f"Do this {times}{label}:", steps)
        ]

    @saying(Turns)
    def _s_turns(self, st: Turns) -> list[Step]:
        start, where = (st.start, st.where)
        var = st.var
        begin = (
            f", beginning with {self.say.thing(start)}"
            if start is not None
            else ", beginning with the first seat"
        )
        inner = Sentences(self.voice.addressing())
        inner.voice.call(var, "you")
        skipped = ""
        if where is not None:
            outside = Sentences(self.voice.inside())
            outside.voice.call(var, "a player")
            skipped = f" A turn is skipped if {outside._they(where)}."
        lead = f"Players take turns clockwise{begin}"
        if st.order is not None and not applies(st.order, "clockwise"):
            lead = f"These players take turns, in this order: {self.say.thing(st.order)}"
        if st.then is not None:
            beside = Sentences(self.voice.inside())
            beside.voice.call(var, "that player")
            lead = f"Players take turns{begin}; behind a turn the next is had by {beside.say.thing(st.then)}"
        if st.once:
            lead += ", each once"
        return [Step(f"{lead}.{skipped} In your turn:", inner.steps(st.body))]

    def _they(self, where: Ex) -> str:
        """Who is skipped: the opposite of who has a turn."""
        return agree(self.say.clause(where, True))

    @saying(Rounds)
    def _s_rounds(self, st: Rounds) -> list[Step]:
        order, where, clock, _ = (st.order, st.where, st.clock, st.tick)
        label, var = (st.label, st.var)
        inner = Sentences(self.voice.addressing())
        inner.voice.call(var, "you")
        who = self.say.thing(order)
        only = inner.say.conditions((where,), ", if ") if where is not None else ""
        name = f" ({em(words(label))})" if label else ""
        lead = f"Round after round{name}, {who}{only} take part, each in turn"
        if clock is not None:
            lead += f"; there are {self.say.thing(clock)} seconds for all of it"
        out = [Step(f"{lead}. When you are asked:", inner.steps(st.body))]
        if st.orelse:
            out += self._joined("If the time runs out", self.block(st.orelse))
        return out

    @saying(Together)
    def _s_together(self, st: Together) -> list[Step]:
        gen = st.gen
        who = self._each(gen).removeprefix("each of ")
        who = "All players" if who == "each player" else capital(who)
        inner = Sentences(self.voice.speaking_as("you"))
        inner.voice.call(gen.var, "you")
        condition = inner.say.conditions(gen.where, ", if ")
        return [
            Step(
                f"{who}{condition} do this at the same time and in secret; then all see it:",
                inner.steps(st.body),
            )
        ]

    @saying(As)
    def _s_as(self, st: As) -> list[Step]:
        return self.block(st.body, self.say.thing(st.who))

    @saying(InPhase)
    def _s_scope(self, st: InPhase) -> list[Step]:
        return self.block(st.body)

    @saying(Atomic)
    def _s_atomic(self, st: Atomic) -> list[Step]:
        return [Step("All at once:", self.block(st.body))]

    # ------------------------------------------------------------ calls and jumps
    @saying(CallRule)
    def _s_call(self, st: CallRule) -> list[Step]:
        name, _, var = (st.rule, st.type, st.var)
        text = self.happening(name, st.args)
        if var is not None:
            self.voice.introduce([var])
            result = plain(self.voice.names[var.uid]).removeprefix("the ")
            return [Step(f"{capital(text)}: this gives the {em(result)}.")]
        return [Step(f"{capital(text)}.")]

    def happening(self, name: str, args: Sequence[Ex], *, linked: bool = True) -> str:
        """A rule that is carried out, as a clause: by its `look`, or by its name."""
        decl = self.voice.game.rules[name]
        template = self.voice.sentence(name)
        key = f"{decl.kind}:{name}"
        given = {var.name: self.say.thing(arg) for var, arg in zip(decl.params, args, strict=False)}
        if template is not None:
            template = self._with_amounts(
                template, dict(zip((p.name for p in decl.params), args, strict=False))
            )
            text = self.voice.filled(self.say.decided(template, decl.params, args), given)
        else:
            told = f" ({listed(list(given.values()))})" if given else ""
            text = f"{words(name)}{told}"
        return self.voice.targets.link(key, text) if linked else text

    def _with_amounts(self, template: str, args: dict[str, Ex]) -> str:
        """`{n} {k}` of a sentence as an amount of tokens: "2 yellow cubes"."""

        def amount(found: re.Match[str]) -> str:
            number, kind = args.get(found[1]), args.get(found[2])
            if number is None or kind is None or not isinstance(t.plain(kind.type), t.Kind):
                return found[0]
            return self.say.amount(number, kind, "").replace("{", "").replace("}", "")

        return re.sub(r"\{(\w+)\} \{(\w+)\}", amount, template)

    @saying(Return)
    def _s_return(self, st: Return) -> list[Step]:
        if st.value is not None:
            return [Step(f"The result is {self.say.thing(st.value)}.")]
        return [Step("That is all.")]

    @saying(Stop)
    def _s_stop(self, st: Stop) -> list[Step]:
        return [Step(f"{capital(em(words(st.label)))} is over.")]

    @saying(Skip)
    def _s_skip(self, st: Skip) -> list[Step]:
        return [Step("Go on with the next one.")]

    @saying(Cancel)
    def _s_cancel(self, st: Cancel) -> list[Step]:
        return [Step("It does not happen.")]

    @saying(Expire)
    def _s_expire(self, st: Expire) -> list[Step]:
        return [Step("The time counts as run out.")]

    @saying(Finish)
    def _s_finish(self, st: Finish) -> list[Step]:
        because = f" ({st.because})" if st.because else ""
        winners = st.winners
        if self.voice.game.together and (is_nothing(winners) or applies(winners, "players")):
            return [
                Step(f"The game is over{because}; all players {'lose' if is_nothing(winners) else 'win'}.")
            ]
        if is_nothing(winners):
            return [Step(f"The game is over{because}; nobody wins.")]
        who = self.say.thing(winners)
        many = not (applies(winners, "set") and len(winners.args) == 1)
        return [Step(f"The game is over{because}. The winner{'s' if many else ''}: {who}.")]


def _window(st: For) -> tuple[Ex, Offering] | None:
    """Of `window Menu from p`: who is asked first, and what."""
    match st:
        case For(gens=(Gen(domain=Apply(op="clockwise", args=(start,)) as order),), body=(May() as may,)):
            if st.who is not None and order.span == st.span:
                return start, may.offering
    return None


def _quoted(because: str | None) -> str:
    return f" (if not: {em(because)})" if because else ""


def lower(text: str) -> str:
    """The first letter in lower case, if a common word stands there: names keep their capitals."""
    first = plain(text).split(" ", 1)[0].strip(",:.")
    if first.lower() not in _STARTS:
        return text
    return text.replace(first, first.lower(), 1)


def _stops(body: Sequence[St]) -> bool:
    """Can something in the block end a loop around it?"""
    return any(isinstance(st, Stop) or any(map(_stops, bodies(st))) for st in body)
