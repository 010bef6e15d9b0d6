"""Conditions in words: `clause` says a statement, or its opposite.

Half of `Phrases`: the other half, phrases.py, gives the noun phrases that
clauses are made of. A yes/no definition is said by its `look ... says` line; a
comparison by what is compared, so that `q.hero.on = drakon.on` is "that player's
hero and Drakon stand on the same chamber".
"""

from __future__ import annotations

from typing import Any

from .. import types as t
from ..core import Comp, Ex, Gen
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
_OPPOSITE = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "gt": "le", "le": "gt"}
THROUGH = frozenset({"revealed", "in_range", "some", "items", "as_set", "snapshot", "element"})
"""Operations that change nothing a reader would notice."""

PAIRS = {
    "frontier": "the empty spaces next to {0}",
    "neighbour": "the space next to {0} in {1}",
    "beyond": "the neighbour of {0} in {1}",
    "near": "the spaces up to {1} steps from {0}",
    "distance": "the number of steps from {0} to {1}",
    "rotate": "{0} turned by {1}",
    "opposite": "the opposite of {0}",
    "row_of": "the row of {0}",
    "column_of": "the column of {0}",
    "line": "the line from {0} in {1}",
    "lines": "the lines of {1} spaces through {0}",
    "clockwise": "all players clockwise, beginning with {0}",
    "seat": "{0}'s seat number",
    "player": "the player in seat {0}",
    "turned": "the way {0} is turned",
    "comp_space": "the space of {0}",
    "comp_owner": "the owner of {0}",
    "space_x": "the column of {0}",
    "space_y": "the row of {0}",
    "space_at": "the space in column {0}, row {1}",
    "bottom": "the bottom {n} of {0}",
    "nth": "number {1} in {0}",
    "list_at": "number {1} of {0}",
    "abs": "{0} without its sign",
    "number": "the number of {0} in the list",
    "neg": "minus {0}",
    "ring_step": "the space {1} steps on from {0}",
    "beside": "the directions in which something lies next to {1}",
    "length": "the number of {0}",
    "union": "{0} together with {1}",
    "difference": "{0} without {1}",
    "concat": "{0}, then {1}",
    "range": "{0} to {1}",
    "total_comp": "all there are",
    "total_token": "all there are",
    "slot_kind": "what lies in {0}",
    "places_of": "{0}",
}
"""Operations whose words are made of their operands alone."""


class Clauses:
    """Words for conditions, in one voice."""

    def __init__(self, voice: Voice) -> None:
        self.voice = voice

    # ------------------------------------------------------------ what phrases.py adds
    def thing(self, ex: Ex) -> str:
        raise NotImplementedError

    def tokens(self, kind: Ex, many: bool = True) -> str:
        raise NotImplementedError

    def defined(self, decl: Any, args: tuple[Ex, ...]) -> str:
        raise NotImplementedError

    def generators(self, gens: tuple[Gen, ...]) -> str:
        raise NotImplementedError

    def conditions(self, where: tuple[Ex, ...], opening: str = " for which ") -> str:
        raise NotImplementedError

    def piece_on(self, ex: Ex) -> str:
        raise NotImplementedError

    def member(self, ex: Ex, article: str) -> str:
        raise NotImplementedError

    def member_words(self, ex: Ex) -> dict[str, str]:
        raise NotImplementedError

    # ------------------------------------------------------------ clauses
    def clause(self, ex: Ex, no: bool = False) -> str:
        """A statement, or its opposite."""
        if ex.op in ("revealed", "in_range", "some", "snapshot"):
            return self.clause(ex.args[0], no)
        if ex.op == "not":
            return self.clause(ex.args[0], not no)
        if ex.op in ("and", "or"):
            joint = ex.op if not no else {"and": "or", "or": "and"}[ex.op]
            return listed([self._part(arg, joint, no) for arg in self._flat(ex, ex.op)], joint)
        if ex.op in _COMPARED:
            return self._comparison(ex, no)
        method = getattr(self, f"_c_{ex.op}", None)
        if method is not None:
            return str(method(ex, no))
        if f"_x_{ex.op}" in dir(self) or ex.op in PAIRS:
            return f"{self.thing(ex)} is {'no' if no else 'yes'}"
        return f"{em(' '.join(ex.span.text.split()))}{' does not hold' if no else ''}"

    def _part(self, ex: Ex, joint: str, no: bool) -> str:
        """A part of "and" or "or"; the other of the two inside it is marked, as both are read alike."""
        text = self.clause(ex, no)
        inner = ex
        while inner.op in ("not", "revealed"):
            inner, no = inner.args[0], no != (inner.op == "not")
        if inner.op not in ("and", "or"):
            return text
        said = inner.op if not no else {"and": "or", "or": "and"}[inner.op]
        if said == joint:
            return text
        return f"either {text}" if said == "or" else f"({text})"

    def _flat(self, ex: Ex, op: str) -> list[Ex]:
        return [part for arg in ex.args for part in (self._flat(arg, op) if arg.op == op else [arg])]

    def _c_const(self, ex: Ex, no: bool) -> str:
        return "always" if bool(ex.data) != no else "never"

    def _c_call(self, ex: Ex, no: bool) -> str:
        text = self.voice.targets.link(f"term:{ex.data.name}", self.defined(ex.data, ex.args))
        return negated(text) if no else text

    def _c_table(self, ex: Ex, no: bool) -> str:
        return f"{self.thing(ex)} is {'no' if no else 'yes'}"

    def _c_state(self, ex: Ex, no: bool) -> str:
        template = self.voice.sentence(look_key(ex.data))
        if template is not None:
            text = self.voice.filled(template, self.member_words(ex))
        elif ex.data.owner and len(ex.args) == 1:
            owner = self.thing(ex.args[0])
            text = f"{owner} {is_are(owner)} {em(words(ex.data.name))}"
        else:
            text = f"{self.member(ex, 'the ')} is set"
        return negated(text) if no else text

    def _c_local(self, ex: Ex, no: bool) -> str:
        return f"{self.thing(ex)} is {'no' if no else 'yes'}"

    def _c_option(self, ex: Ex, no: bool) -> str:
        link = self.voice.targets.link("chapter:options", em(words(ex.data)))
        return f"the option {link} is {'off' if no else 'on'}"

    def _c_empty(self, ex: Ex, no: bool) -> str:
        place = ex.args[0]
        text = self.thing(place)
        return f"{text} is {'not ' if no else ''}empty"

    def _c_in(self, ex: Ex, no: bool) -> str:
        left, right = ex.args
        subject = self.thing(left)
        verb = f"{is_are(subject)}{' not' if no else ''}"
        if right.op == "range":
            return f"{subject} {verb} between {self.thing(right.args[0])} and {self.thing(right.args[1])}"
        if right.op in ("set", "const"):
            values = self.thing(right)
            last = values.rfind(" and ")
            either = values[:last] + " or " + values[last + 5 :] if last >= 0 else values
            return f"{subject} {verb} {either}"
        return f"{subject} {verb} among {self.thing(right)}"

    def _c_is_at(self, ex: Ex, no: bool) -> str:
        return f"{self.thing(ex.args[0])} is {'not ' if no else ''}in {self.thing(ex.args[1])}"

    def _c_can(self, ex: Ex, no: bool) -> str:
        name = self.voice.targets.link(f"action:{ex.data}", em(words(ex.data)))
        return f"{name} is {'not ' if no else ''}possible"

    def _c_can_menu(self, ex: Ex, no: bool) -> str:
        return f"{'nothing' if no else 'something'} of {em(words(ex.data))} is possible"

    def _c_place_is(self, ex: Ex, no: bool) -> str:
        return f"{self.thing(ex.args[0])} is {'not ' if no else ''}{self.thing(ex.args[1])}"

    def _c_if(self, ex: Ex, no: bool) -> str:
        condition, yes, other = ex.args
        return f"if {self.clause(condition)}: {self.clause(yes, no)}; otherwise: {self.clause(other, no)}"

    def _c_rec_field(self, ex: Ex, no: bool) -> str:
        row = self.thing(ex.args[0])
        return f"{row} is {'not ' if no else ''}{em(words(ex.data[1]))}"

    def _c_comp(self, ex: Ex, no: bool) -> str:
        comp: Comp = ex.data
        inner = type(self)(self.voice.inside())
        kind = {"any": "none", "none": "any"}.get(comp.kind, comp.kind) if no else comp.kind
        value = comp.value
        certain = value.op == "const" and bool(value.data)
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
        bare = gen.domain
        while bare.op in THROUGH:
            bare = bare.args[0]
        noun = self.voice.noun(gen.var.type)
        match bare.op:
            case "players":
                text = f"{each} player"
            case "universe":
                text = f"{each} {noun}"
            case "place":
                text = f"{each} {noun} in {self.thing(bare)}"
            case "range":
                text = f"{each} number from {self.thing(bare)}"
            case _:
                lead = {"every": "each of", "some": "at least one of", "no": "none of"}[each]
                text = f"{lead} {self.thing(bare)}"
        self.voice.introduce([gen.var])
        reference = self.voice.names.get(gen.var.uid, "")
        if not tells(text, reference):
            text += f" ({reference})"
        return text + self.conditions(gen.where, self.which(gen))

    def which(self, gen: Gen) -> str:
        return " for whom " if isinstance(t.plain(gen.var.type), t.Player) else " for which "

    # ------------------------------------------------------------ comparisons
    def _comparison(self, ex: Ex, no: bool) -> str:
        op = _OPPOSITE[ex.op] if no else ex.op
        left, right = ex.args
        if op in ("eq", "ne"):
            special = self._sameness(left, right, op == "ne")
            if special is not None:
                return special
        if isinstance(left.type, t.YesNo) and right.op == "const":
            return self.clause(left, (op == "eq") != bool(right.data))
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
            if right.op in ("set", "const") and not right.args and not right.data:
                return f"there {'are no' if op == 'eq' else 'are'} {without_article(subject)}"
            verb = "are the same as" if op == "eq" else "are not the same as"
        return f"{subject} {verb} {self.thing(right)}"

    def _sameness(self, left: Ex, right: Ex, no: bool) -> str | None:
        bare = left
        while bare.op == "some":
            bare = bare.args[0]
        if isinstance(right.type, t.Nothing):
            return self._absence(bare, not no)
        if bare.op == "on":
            stands = "does not stand" if no else "stands"
            where = right.args[0] if right.op == "some" else right
            if where.op == "on":
                apart = "do not stand" if no else "stand"
                return f"{self.piece_on(bare)} and {self.piece_on(where)} {apart} on the same {self.voice.noun(bare.type)}"
            return f"{self.piece_on(bare)} {stands} on {self.thing(right)}"
        return None

    def _absence(self, ex: Ex, none: bool) -> str:
        match ex.op:
            case "on":
                return f"{self.piece_on(ex)} is {'not yet ' if none else ''}in play"
            case "cell":
                space = self.thing(ex.args[1])
                return f"nothing lies on {space}" if none else f"something lies on {space}"
            case "top" | "first" | "bottom":
                return f"there is {'no ' if none else ''}{self._indefinite(self.thing(ex), none)}"
            case "state" | "field" | "rec_field":
                of = self.thing(ex.args[0]) if ex.args else "it"
                if ex.op == "state" and not (ex.data.owner and len(ex.args) == 1):
                    return f"{self.thing(ex)} is {'nothing' if none else 'something'}"
                if ex.op == "state" and self.voice.sentence(look_key(ex.data)) is not None:
                    return f"{self.thing(ex)} is {'nothing' if none else 'something'}"
                name = words(ex.data[1] if ex.op != "state" else ex.data.name)
                return f"{of} {has_have(of)} {'no ' if none else ''}{name if none else a(name)}"
        if ex.op == "local":
            reference = plain(self.thing(ex))
            noun = reference[4:] if reference.startswith("the ") else self.voice.noun(ex.type)
            return f"there is no {noun}" if none else f"there is {a(noun)}"
        bare = without_article(self.thing(ex))
        return f"there is no {bare}" if none else f"there is {a(bare)}"

    def _indefinite(self, text: str, none: bool) -> str:
        bare = without_article(text)
        return bare if none else a(bare)

    def _owned_amount(self, left: Ex, op: str, right: Ex) -> str | None:
        """`my.screen[yellow] >= 1` as "at least 1 yellow cube is in your screen"."""
        if left.op not in ("tally", "size") or not isinstance(left.args[0].type, t.Place):
            return None
        if right.op != "const":
            return None
        place = left.args[0]
        number = int(right.data)
        if op == "gt":
            op, number = "ge", number + 1
        if op == "lt":
            op, number = "le", number - 1
        many = number != 1
        if left.op == "tally":
            what = self.tokens(left.args[1], many)
        else:
            noun = self.voice.held(place.type)
            what = plural(noun) if many else noun
        where = self.thing(place)
        lead = {"ge": "at least ", "le": "at most ", "eq": "exactly ", "ne": "not exactly "}[op]
        if number == 0 and op in ("eq", "le"):
            return f"there {'are' if many else 'is'} no {what} in {where}"
        return f"there {'are' if many else 'is'} {lead}{number_word(number)} {what} in {where}"


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
