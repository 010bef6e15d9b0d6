"""Conditions in words: `clause` says a statement, or its opposite.

Half of `Phrases`: the other half, phrases.py, gives the noun phrases that
clauses are made of. A yes/no definition is said by its `look ... says` line; a
comparison by what is compared, so that `q.hero.on = drakon.on` is "that player's
hero and Drakon stand on the same chamber".
"""

from __future__ import annotations

from typing import Any

from ..core import (
    OPERATORS,
    And,
    Apply,
    Attribute,
    CallDefine,
    Can,
    CanMenu,
    Conditional,
    Const,
    Ex,
    Field,
    Gen,
    InRange,
    Local,
    Lookup,
    Option,
    Or,
    PlaceIs,
    PlaceRef,
    RecordField,
    Reduction,
    StateRef,
    Universe,
    applies,
    children,
)
from ..core import value_types as t
from ..core.dispatch import Dispatch
from .document import em, plain, without_article
from .english import a, has_have, is_are, listed, number_word, plural, words
from .voice import Voice

_COMPARED = {
    "eq": "is",
    "ne": "is not",
    "lt": "is less than",
    "le": "is at most",
    "gt": "is more than",
    "ge": "is at least",
}

_clause = Dispatch()


class Clauses:
    """Words for conditions, in one voice."""

    def __init__(self, voice: Voice) -> None:
        self.voice = voice

    # ------------------------------------------------------------ what phrases.py adds
    def thing(self, ex: Ex) -> str:
        raise NotImplementedError

    def has_words(self, ex: Ex) -> bool:
        raise NotImplementedError

    def tokens(self, kind: Ex, many: bool = True) -> str:
        raise NotImplementedError

    def defined(self, decl: Any, args: tuple[Ex, ...]) -> str:
        raise NotImplementedError

    def generators(self, gens: tuple[Gen, ...]) -> str:
        raise NotImplementedError

    def conditions(self, where: tuple[Ex, ...], opening: str = " for which ") -> str:
        raise NotImplementedError

    def piece_on(self, ex: Attribute) -> str:
        raise NotImplementedError

    def member(self, ex: PlaceRef | StateRef, article: str) -> str:
        raise NotImplementedError

    def member_words(self, ex: PlaceRef | StateRef) -> dict[str, str]:
        raise NotImplementedError

    # ------------------------------------------------------------ clauses
    def clause(self, ex: Ex, no: bool = False) -> str:
        """A statement, or its opposite."""
        if isinstance(ex, InRange):
            return self.clause(ex.of, no)
        if applies(ex, "revealed", "some", "snapshot"):
            return self.clause(ex.args[0], no)
        if applies(ex, "not"):
            return self.clause(ex.args[0], not no)
        if isinstance(ex, And | Or):
            joint = _joint(ex, no)
            return listed([self._part(arg, joint, no) for arg in _flat(ex, type(ex))], joint)
        if applies(ex, *_COMPARED):
            return self._comparison(ex, no)
        method = _clause.find(ex)
        if method is not None:
            return str(method(self, ex, no))
        if self.has_words(ex):
            return f"{self.thing(ex)} is {'no' if no else 'yes'}"
        return f"{em(' '.join(ex.span.text.split()))}{' does not hold' if no else ''}"

    def _part(self, ex: Ex, joint: str, no: bool) -> str:
        """A part of "and" or "or"; the other of the two inside it is marked, as both are read alike."""
        text = self.clause(ex, no)
        inner = ex
        while applies(inner, "not", "revealed"):
            inner, no = inner.args[0], no != (applies(inner, "not"))
        if not isinstance(inner, And | Or):
            return text
        said = _joint(inner, no)
        if said == joint:
            return text
        return f"either {text}" if said == "or" else f"({text})"

    @_clause(Const)
    def _c_const(self, ex: Const, no: bool) -> str:
        return "always" if bool(ex.value) != no else "never"

    @_clause(CallDefine)
    def _c_call(self, ex: CallDefine, no: bool) -> str:
        text = self.voice.targets.link(f"term:{ex.define.name}", self.defined(ex.define, ex.args))
        return negated(text) if no else text

    @_clause(Lookup)
    def _c_table(self, ex: Lookup, no: bool) -> str:
        return f"{self.thing(ex)} is {'no' if no else 'yes'}"

    @_clause(StateRef)
    def _c_state(self, ex: StateRef, no: bool) -> str:
        template = self.voice.sentence(look_key(ex.state))
        if template is not None:
            text = self.voice.filled(template, self.member_words(ex))
        elif ex.state.owner and len(ex.indices) == 1:
            owner = self.thing(ex.indices[0])
            text = f"{owner} {is_are(owner)} {em(words(ex.state.name))}"
        else:
            text = f"{self.member(ex, 'the ')} is set"
        return negated(text) if no else text

    @_clause(Local)
    def _c_local(self, ex: Local, no: bool) -> str:
        return f"{self.thing(ex)} is {'no' if no else 'yes'}"

    @_clause(Option)
    def _c_option(self, ex: Option, no: bool) -> str:
        link = self.voice.targets.link("chapter:options", em(words(ex.name)))
        return f"the option {link} is {'off' if no else 'on'}"

    @_clause("empty")
    def _c_empty(self, ex: Apply, no: bool) -> str:
        place = ex.args[0]
        text = self.thing(place)
        return f"{text} is {'not ' if no else ''}empty"

    @_clause("in")
    def _c_in(self, ex: Apply, no: bool) -> str:
        left, right = ex.args
        subject = self.thing(left)
        verb = f"{is_are(subject)}{' not' if no else ''}"
        if applies(right, "range"):
            return f"{subject} {verb} between {self.thing(right.args[0])} and {self.thing(right.args[1])}"
        if isinstance(right, Const) or applies(right, "set"):
            values = self.thing(right)
            last = values.rfind(" and ")
            either = values[:last] + " or " + values[last + 5 :] if last >= 0 else values
            return f"{subject} {verb} {either}"
        return f"{subject} {verb} among {self.thing(right)}"

    @_clause("is_at")
    def _c_is_at(self, ex: Apply, no: bool) -> str:
        return f"{self.thing(ex.args[0])} is {'not ' if no else ''}in {self.thing(ex.args[1])}"

    @_clause(Can)
    def _c_can(self, ex: Can, no: bool) -> str:
        name = self.voice.targets.link(f"action:{ex.action}", em(words(ex.action)))
        return f"{name} is {'not ' if no else ''}possible"

    @_clause(CanMenu)
    def _c_can_menu(self, ex: CanMenu, no: bool) -> str:
        return f"{'nothing' if no else 'something'} of {em(words(ex.menu))} is possible"

    @_clause(PlaceIs)
    def _c_place_is(self, ex: PlaceIs, no: bool) -> str:
        return f"{self.thing(ex.of)} is {'not ' if no else ''}{em(words(ex.place.name))}"

    @_clause(Conditional)
    def _c_if(self, ex: Conditional, no: bool) -> str:
        condition, yes, other = (ex.condition, ex.then, ex.otherwise)
        return f"if {self.clause(condition)}: {self.clause(yes, no)}; otherwise: {self.clause(other, no)}"

    @_clause(RecordField)
    def _c_rec_field(self, ex: RecordField, no: bool) -> str:
        row = self.thing(ex.indices[0])
        return f"{row} is {'not ' if no else ''}{em(words(ex.name))}"

    @_clause(Reduction)
    def _c_comp(self, ex: Reduction, no: bool) -> str:
        comp = ex
        inner = type(self)(self.voice.inside())
        kind = {"any": "none", "none": "any"}.get(comp.kind, comp.kind) if no else comp.kind
        value = comp.value
        certain = isinstance(value, Const) and bool(value.value)
        if certain and comp.kind in ("any", "none"):
            who = inner.generators(comp.gens)
            return f"there are {'' if kind == 'any' else 'no '}{without_article(who)}"
        each = {"every": "every", "any": "some", "none": "no"}[kind]
        parts = [inner.one(gen, each) for gen in comp.gens]
        lead = listed(parts)
        text = inner.clause(value)
        if no and comp.kind == "every":
            return f"not for {lead} {text}" if len(comp.gens) > 1 else f"it is not so that for {lead}, {text}"
        return f"for {lead}, {text}"

    def one(self, gen: Gen, each: str) -> str:
        """A generator of a test: "every player", "no chamber in your hand"."""
        domain = bare(gen.domain)
        noun = self.voice.noun(gen.var.type)
        match domain:
            case Apply(op="players"):
                text = f"{each} player"
            case Universe():
                text = f"{each} {noun}"
            case PlaceRef():
                text = f"{each} {noun} in {self.thing(domain)}"
            case Apply(op="range"):
                text = f"{each} number from {self.thing(domain)}"
            case _:
                lead = {"every": "each of", "some": "at least one of", "no": "none of"}[each]
                text = f"{lead} {self.thing(domain)}"
        self.voice.introduce([gen.var])
        reference = self.voice.names.get(gen.var.uid, "")
        if not tells(text, reference):
            text += f" ({reference})"
        return text + self.conditions(gen.where, self.which(gen))

    def which(self, gen: Gen) -> str:
        return " for whom " if isinstance(t.plain(gen.var.type), t.Player) else " for which "

    # ------------------------------------------------------------ comparisons
    def _comparison(self, ex: Apply, no: bool) -> str:
        op = OPERATORS[ex.op].negation if no else ex.op
        left, right = ex.args
        if op in ("eq", "ne"):
            special = self._sameness(left, right, op == "ne")
            if special is not None:
                return special
        if isinstance(left.type, t.YesNo) and isinstance(right, Const):
            return self.clause(left, (op == "eq") != bool(right.value))
        amount = self._owned_amount(left, op, right)
        if amount is not None:
            return amount
        subject = self.thing(left)
        verb = _COMPARED[op]
        if isinstance(left.type, t.Player) and op not in ("eq", "ne"):
            verb = {"lt": "sits before", "le": "sits not after", "gt": "sits after", "ge": "sits not before"}[
                op
            ]
        if plain(subject) == "you":
            verb = verb.replace("is", "are", 1)
        if isinstance(left.type, t.SetOf) and isinstance(right.type, t.SetOf):
            if is_nothing(right):
                return f"there {'are no' if op == 'eq' else 'are'} {without_article(subject)}"
            verb = "are the same as" if op == "eq" else "are not the same as"
        return f"{subject} {verb} {self.thing(right)}"

    def _sameness(self, left: Ex, right: Ex, no: bool) -> str | None:
        it = left
        while applies(it, "some"):
            it = it.args[0]
        if isinstance(right.type, t.Nothing):
            return self._absence(it, not no)
        if isinstance(it, Attribute) and it.name == "on":
            stands = "does not stand" if no else "stands"
            where = right.args[0] if applies(right, "some") else right
            if isinstance(where, Attribute) and where.name == "on":
                apart = "do not stand" if no else "stand"
                return f"{self.piece_on(it)} and {self.piece_on(where)} {apart} on the same {self.voice.noun(it.type)}"
            return f"{self.piece_on(it)} {stands} on {self.thing(right)}"
        return None

    def _absence(self, ex: Ex, none: bool) -> str:
        match ex:
            case Attribute(name="on"):
                return f"{self.piece_on(ex)} is {'not yet ' if none else ''}in play"
            case Apply(op="cell"):
                space = self.thing(ex.args[1])
                return f"nothing lies on {space}" if none else f"something lies on {space}"
            case Apply(op="top" | "bottom"):
                return f"there is {'no ' if none else ''}{self._indefinite(self.thing(ex), none)}"
            case StateRef():
                owned = ex.state.owner and len(ex.indices) == 1
                if not owned or self.voice.sentence(look_key(ex.state)) is not None:
                    return f"{self.thing(ex)} is {'nothing' if none else 'something'}"
                return self._has(ex.indices[0], ex.state.name, none)
            case Field():
                return self._has(ex.of, ex.name, none)
            case RecordField():
                return self._has(ex.indices[0], ex.name, none)
            case Local():
                reference = plain(self.thing(ex))
                noun = reference[4:] if reference.startswith("the ") else self.voice.noun(ex.type)
                return f"there is no {noun}" if none else f"there is {a(noun)}"
        named = without_article(self.thing(ex))
        return f"there is no {named}" if none else f"there is {a(named)}"

    def _has(self, owner: Ex, name: str, none: bool) -> str:
        who, what = self.thing(owner), words(name)
        return f"{who} {has_have(who)} {'no ' if none else ''}{what if none else a(what)}"

    def _indefinite(self, text: str, none: bool) -> str:
        bare = without_article(text)
        return bare if none else a(bare)

    def _owned_amount(self, left: Ex, op: str, right: Ex) -> str | None:
        """`my.screen[yellow] >= 1` as "at least 1 yellow cube is in your screen"."""
        if not applies(left, "tally", "size") or not isinstance(left.args[0].type, t.Place):
            return None
        if not isinstance(right, Const):
            return None
        place = left.args[0]
        number = int(right.value)
        if op == "gt":
            op, number = "ge", number + 1
        if op == "lt":
            op, number = "le", number - 1
        many = number != 1
        if applies(left, "tally"):
            what = self.tokens(left.args[1], many)
        else:
            noun = self.voice.held(place.place_type)
            what = plural(noun) if many else noun
        where = self.thing(place)
        lead = {"ge": "at least ", "le": "at most ", "eq": "exactly ", "ne": "not exactly "}[op]
        if number == 0 and op in ("eq", "le"):
            return f"there {'are' if many else 'is'} no {what} in {where}"
        return f"there {'are' if many else 'is'} {lead}{number_word(number)} {what} in {where}"


def is_nothing(ex: Ex) -> bool:
    """Is it the empty set, as a constant or written out?"""
    return not ex.value if isinstance(ex, Const) else applies(ex, "set") and not ex.args


def bare(ex: Ex) -> Ex:
    """What a reader would notice of an expression."""
    while isinstance(ex, InRange) or (isinstance(ex, Apply) and OPERATORS[ex.op].same):
        ex = ex.of if isinstance(ex, InRange) else ex.args[0]
    return ex


def _joint(ex: And | Or, no: bool) -> str:
    """The word between the parts; the opposite of "and" is "or"."""
    return "and" if isinstance(ex, And) != no else "or"


def _flat(ex: Ex, joint: type[Ex]) -> list[Ex]:
    return [part for arg in children(ex) for part in _flat(arg, joint)] if type(ex) is joint else [ex]


def negated(text: str) -> str:
    """The opposite of a clause, by its verb if that is plain to see."""
    for verb in (
        " is ",
        " are ",
        " can ",
        " may ",
        " has ",
        " have ",
        " lies ",
        " stands ",
        " fits ",
        " holds ",
    ):
        at = text.find(verb)
        if at < 0 or plain(text).startswith("no "):
            continue
        before, after = text[:at], text[at + len(verb) :]
        owns = after.split(" ", 1)[0] in ("a", "an", "any", "the", "at") or after[:1].isdigit()
        if verb in (" is ", " are ", " can ", " may ") or (verb in (" has ", " have ") and not owns):
            return f"{before}{verb}not {after}".replace(" can not ", " cannot ", 1)
        bare = {" has ": "have", " lies ": "lie", " stands ": "stand", " fits ": "fit", " holds ": "hold"}
        helper = "do" if verb == " have " else "does"
        return f"{before} {helper} not {bare.get(verb, verb.strip())} {after}"
    return f"it is not so that {text}"


def tells(many: str, reference: str) -> bool:
    """Does a reader take the reference from these words? "all players" gives "that player"."""
    noun = plain(reference).partition(" ")[2]
    if plain(reference) in ("that player", "that kind"):
        return True
    return not reference or (bool(noun) and (noun in plain(many) or plural(noun) in plain(many)))


def look_key(decl: Any) -> str:
    """The name under which a look knows a place or state."""
    return f"{decl.owner}.{decl.name}" if decl.owner else str(decl.name)
