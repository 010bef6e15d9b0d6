"""Expressions in words: `thing` gives a noun phrase; clauses.py says conditions.

Each operation of the checked game has its words in a table or in a method
`_x_<op>`; a definition is said by its `look` if it has one, else by its name,
and links to its own entry.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, assert_never

from ..core import (
    OPERATORS,
    Apply,
    Attribute,
    Audience,
    CallDefine,
    Conditional,
    Const,
    Coordinate,
    Ex,
    Field,
    Gen,
    Local,
    Lookup,
    Me,
    Near,
    Option,
    OwnedPiece,
    PartitionOf,
    PlaceDecl,
    PlaceRef,
    PlacesOf,
    RecordField,
    Reduction,
    Rows,
    SeenBy,
    SeenByAll,
    SeenByNobody,
    SeenByOwner,
    SpaceAt,
    StateDecl,
    StateRef,
    TotalComponents,
    TotalTokens,
    Universe,
    Var,
    applies,
    children,
)
from ..core import value_types as t
from ..core.dispatch import Dispatch
from .clauses import Clauses, bare, look_key, tells
from .document import em, plain, unlinked, without_article
from .english import agree, belonging, is_are, listed, number_word, plural, possessive, words

_SIGNS = {"add": "+", "sub": "−", "mul": "×", "div": "divided by", "mod": "modulo"}

_ATTRIBUTES = {
    "turned": "the way {0} is turned",
    "space": "the space of {0}",
    "owner": "the owner of {0}",
    "place": "the place of {0}",
}
_thing = Dispatch()


class Phrases(Clauses):
    """Words for expressions, in one voice."""

    # ------------------------------------------------------------ noun phrases
    def thing(self, ex: Ex) -> str:
        """A definite noun phrase: "the chamber", "your purse", "3"."""
        ex = bare(ex)
        method = _thing.find(ex)
        if method is not None:
            return str(method(self, ex))
        if isinstance(ex.type, t.YesNo):
            return f"whether {self.clause(ex)}"
        if isinstance(ex, Apply) and OPERATORS[ex.op].words:
            return self._made_of(OPERATORS[ex.op].words, ex)
        return em(" ".join(ex.span.text.split()))

    def has_words(self, ex: Ex) -> bool:
        """Is there a noun phrase for it?"""
        return _thing.find(ex) is not None or (isinstance(ex, Apply) and bool(OPERATORS[ex.op].words))

    def _made_of(self, text: str, ex: Ex) -> str:
        """Words that are made of those of the operands."""
        for index, arg in enumerate(children(ex)):
            said = self._operand_words(arg)
            text = text.replace(f"{{{index}}}'s", possessive(said)).replace(f"{{{index}}}", said)
        return text.replace("{n}", self.voice.noun(ex.type))

    def _operand_words(self, ex: Ex) -> str:
        text = self.thing(ex)
        return f"direction {text}" if isinstance(ex, Const) and ex.type == t.DIRECTION else text

    def of(self, ex: Ex) -> str:
        """The possessive of a noun phrase."""
        return possessive(self.thing(ex))

    @_thing(Const)
    def _x_const(self, ex: Const) -> str:
        match ex.type:
            case t.SetOf(of) | t.ListOf(of):
                values = ex.value if isinstance(ex.value, tuple) else _bits(ex.value)
                if of == t.DIRECTION and len(values) == 4:
                    return "the four directions"
                return listed([self.voice.value(v, of) for v in values]) or "nothing"
            case t.Kind(name) if name in self.voice.game.tokens:
                return self.voice.token(name, self.voice.game.kinds[name].values[ex.value])
        return self.voice.value(ex.value, ex.type)

    @_thing(Local)
    def _x_local(self, ex: Local) -> str:
        return self.voice.names.get(ex.var.uid) or em(words(ex.var.name))

    @_thing(Me)
    def _x_me(self, ex: Me) -> str:
        return self.voice.me

    @_thing(Option)
    def _x_option(self, ex: Option) -> str:
        decl = self.voice.game.options[ex.name]
        default = decl.default
        shown = ""
        if isinstance(default, Ex) and isinstance(default, Const):
            shown = f" ({self.voice.value(default.value, default.type)})"
        return self.voice.targets.link("chapter:options", em(words(ex.name))) + shown

    @_thing("player_count")
    def _x_player_count(self, ex: Apply) -> str:
        return "the number of players"

    @_thing("players")
    def _x_players(self, ex: Apply) -> str:
        return "all players"

    @_thing("active")
    def _x_active(self, ex: Apply) -> str:
        return "the player whose turn it is"

    @_thing("turn_number")
    def _x_turn_number(self, ex: Apply) -> str:
        return "the number of turns so far"

    @_thing(Universe)
    def _x_universe(self, ex: Universe) -> str:
        if isinstance(ex.type, t.SetOf | t.ListOf) and isinstance(ex.type.of, t.Space):
            return f"the spaces of the {words(ex.type.of.of)}"
        return f"all {self.voice.noun(ex.type)}" if isinstance(ex.type, t.SetOf) else "everything"

    @_thing("left", "right")
    def _x_left(self, ex: Apply) -> str:
        who = self.thing(ex.args[0])
        return f"the player to your {ex.op}" if plain(who) == "you" else f"the player to the {ex.op} of {who}"

    @_thing("others")
    def _x_others(self, ex: Apply) -> str:
        if isinstance(ex.args[0], Me):
            return "the other players"
        return f"all players but {self.thing(ex.args[0])}"

    @_thing(PartitionOf)
    def _x_partition(self, ex: PartitionOf) -> str:
        return f"{self.of(ex.player)} {words(ex.partition.name)}"

    # ------------------------------------------------------------ places, states, components
    @_thing(PlaceRef)
    def _x_place(self, ex: PlaceRef) -> str:
        decl = ex.place
        if decl.name.startswith("box of ") or decl.name == "box":
            return "the box"
        template = self.voice.sentence(look_key(decl))
        if template is not None:
            return self.voice.filled(template, self.member_words(ex))
        return self.member(ex, "the ")

    @_thing(StateRef)
    def _x_state(self, ex: StateRef) -> str:
        template = self.voice.sentence(look_key(ex.state))
        if template is not None:
            return self.voice.filled(template, self.member_words(ex))
        return self.member(ex, "the ")

    def member_words(self, ex: PlaceRef | StateRef) -> dict[str, str]:
        args = [self.thing(arg) for arg in ex.indices]
        owner = _declared(ex).owner
        given = {"owner": args[0]} if owner and args else {}
        for number, arg in enumerate(args[1:] if owner else args, 1):
            given["index" if number == 1 else f"index{number}"] = arg
        return given

    def member(self, ex: PlaceRef | StateRef, article: str) -> str:
        decl = _declared(ex)
        name = words(decl.name)
        args = list(ex.indices)
        owner = self.of(args.pop(0)) + " " if decl.owner and args else article
        index = ""
        for arg in args:
            if isinstance(arg, Const) and isinstance(t.plain(arg.type), t.Kind):
                name = f"{plain(self.voice.value(arg.value, arg.type))} {name}"
            else:
                index += (
                    f" for {self.thing(arg)}" if not isinstance(arg.type, t.Num) else f" {self.thing(arg)}"
                )
        key = f"place:{f'{decl.owner}.{decl.name}' if decl.owner else decl.name}"
        return f"{owner}{self.voice.targets.link(key, name)}{index}"

    @_thing(OwnedPiece)
    def _x_owned_piece(self, ex: OwnedPiece) -> str:
        return f"{self.of(ex.player)} {self.voice.name(ex.piece.name)}"

    @_thing(Field)
    def _x_field(self, ex: Field) -> str:
        return belonging(self.thing(ex.of), words(ex.name))

    @_thing(Attribute)
    def _x_attribute(self, ex: Attribute) -> str:
        if ex.name == "on":
            return f"the {self.voice.noun(ex.type)} of {self.piece_on(ex)}"
        return self._made_of(_ATTRIBUTES[ex.name], ex)

    def piece_on(self, ex: Attribute) -> str:
        """What stands on something: an owned piece, or the only one of its kind."""
        return self.voice.the(ex.component.name) if isinstance(ex.of, Const) else self.thing(ex.of)

    @_thing(Coordinate)
    def _x_coordinate(self, ex: Coordinate) -> str:
        return self._made_of("the column of {0}" if ex.axis == "x" else "the row of {0}", ex)

    @_thing(Near)
    def _x_near(self, ex: Near) -> str:
        return self._made_of("the spaces up to {1} steps from {0}", ex)

    @_thing(SpaceAt)
    def _x_space_at(self, ex: SpaceAt) -> str:
        return self._made_of("the space in column {0}, row {1}", ex)

    @_thing(TotalComponents, TotalTokens)
    def _x_total(self, ex: Ex) -> str:
        return "all there are"

    @_thing(PlacesOf)
    def _x_places_of(self, ex: PlacesOf) -> str:
        return self.thing(ex.players)

    def piece(self, ex: Ex) -> str:
        """A piece that is moved."""
        if isinstance(ex, Const) and isinstance(ex.type, t.Comp):
            return self.voice.the(ex.type.name)
        return self.thing(ex)

    @_thing(Rows)
    def _x_rec_rows(self, ex: Rows) -> str:
        return f"the {plural(words(ex.record.name))}"

    @_thing(RecordField)
    def _x_rec_field(self, ex: RecordField) -> str:
        row, *indices = ex.indices
        rest = f" for {listed([self.thing(i) for i in indices])}" if indices else ""
        return f"{em(words(ex.name))} of {self.thing(row)}{rest}"

    @_thing("array_at")
    def _x_array_at(self, ex: Apply) -> str:
        indices = []
        at: Ex = ex
        while applies(at, "array_at"):
            indices.append(self.thing(at.args[1]))
            at = at.args[0]
        return f"{em(words(_called(at)))} for {listed(indices[::-1])}"

    @_thing("cell")
    def _x_cell(self, ex: Apply) -> str:
        return f"what lies on {self.thing(ex.args[1])}"

    @_thing("top")
    def _x_top(self, ex: Apply) -> str:
        place = ex.args[0]
        noun = self.voice.noun(ex.type)
        if isinstance(place.type, t.Place) and place.type.form.single:
            return self.thing(place)
        return f"the top {noun} of {self.thing(place)}"

    # ------------------------------------------------------------ amounts
    @_thing("size")
    def _x_size(self, ex: Apply) -> str:
        place = ex.args[0]
        if isinstance(place.type, t.Place):
            return f"the number of {plural(self.voice.held(place.type))} in {self.thing(place)}"
        return f"the number of {self.thing(place)}"

    @_thing("tally")
    def _x_tally(self, ex: Apply) -> str:
        place, kind = ex.args
        return f"the number of {self.tokens(kind)} in {self.thing(place)}"

    def tokens(self, kind: Ex, many: bool = True) -> str:
        """Tokens of one kind, without a number."""
        assert isinstance(t.plain(kind.type), t.Kind)
        name = t.plain(kind.type).name  # type: ignore[attr-defined]
        if isinstance(kind, Const):
            return self.voice.token(name, self.voice.game.kinds[name].values[kind.value], many)
        noun = self.voice.noun_of(name)
        reference = self.thing(kind)
        return f"{plural(noun) if many else noun} of {reference}"

    def amount(self, number: Ex, kind: Ex | None, noun: str) -> str:
        """So many tokens or things: "2 yellow cubes", "as many chambers as ..."."""
        if isinstance(number, Const):
            many = number.value != 1
            what = self.tokens(kind, many) if kind is not None else (plural(noun) if many else noun)
            return f"{number.value} {what}"
        what = self.tokens(kind) if kind is not None else plural(noun)
        if applies(number, "tally"):
            return f"all {what}"
        text = self.thing(number)
        if isinstance(number, Local | Option):
            return f"{text} {what}"
        return f"as many {what} as {text}"

    @_thing(*_SIGNS)
    def _arithmetic(self, ex: Apply) -> str:
        left, right = (self._operand(arg, ex.op) for arg in ex.args)
        return f"{left} {_SIGNS[ex.op]} {right}"

    def _operand(self, ex: Ex, op: str) -> str:
        text = self.thing(ex)
        loose = (isinstance(ex, Conditional) or applies(ex, "add", "sub")) and op in (
            "mul",
            "div",
            "mod",
            "sub",
        )
        wide = isinstance(ex, Conditional) or (
            isinstance(ex, Reduction) and ex.kind == "sum" and not self._is_total(ex)
        )
        return f"({text})" if loose or wide else text

    @_thing("min_of")
    def _x_min_of(self, ex: Apply) -> str:
        return f"the smallest of {listed([self.thing(arg) for arg in ex.args])}"

    @_thing("max_of")
    def _x_max_of(self, ex: Apply) -> str:
        return f"the largest of {listed([self.thing(arg) for arg in ex.args])}"

    @_thing(Conditional)
    def _x_if(self, ex: Conditional) -> str:
        if isinstance(ex.type, t.YesNo):
            return f"whether {self.clause(ex)}"
        condition, yes, no = (ex.condition, ex.then, ex.otherwise)
        return f"{self.thing(yes)} if {self.clause(condition)}, otherwise {self.thing(no)}"

    @_thing("set")
    def _x_set(self, ex: Apply) -> str:
        return listed([self.thing(arg) for arg in ex.args]) or "nothing"

    # ------------------------------------------------------------ definitions and tables
    @_thing(CallDefine)
    def _x_call(self, ex: CallDefine) -> str:
        if isinstance(ex.type, t.YesNo):
            return f"whether {self.clause(ex)}"
        return self.voice.targets.link(f"term:{ex.define.name}", self.defined(ex.define, ex.args))

    def defined(self, decl: Any, args: tuple[Ex, ...]) -> str:
        """A definition applied to something, by its `look` or by its name."""
        times = 1
        while (
            len(args) == 1
            and isinstance(inner := bare(args[0]), CallDefine)
            and inner.define.name == decl.name
        ):
            args, times = inner.args, times + 1
        if times > 1:
            return f"{self.defined(decl, args)}, {number_word(times)} times over"
        given = {var.name: self.thing(arg) for var, arg in zip(decl.params, args, strict=True)}
        template = self.voice.sentence(decl.name)
        if template is not None:
            return self.voice.filled(self.decided(template, decl.params, args), given)
        name, values = words(decl.name), list(given.values())
        if isinstance(decl.type, t.YesNo):
            first = values[0] if values else "it"
            if name.startswith(("can ", "has ")):
                text = f"{first} {name}"
            else:
                text = f"{first} {is_are(first)} {name}" if values else f"{name} holds"
            return agree(text) + (f" ({listed(values[1:])})" if len(values) > 1 else "")
        if not values:
            return f"the {name}"
        if len(values) == 1 and isinstance(decl.params[0].type, t.Player):
            return f"{possessive(values[0])} {name}"
        return f"the {name} of {listed(values)}"

    def decided(self, template: str, params: Sequence[Var], args: Sequence[Ex]) -> str:
        """`{magic:, without an arrow}` of a sentence: the words if it is so, nothing if it is not, else both."""
        known = {var.name: arg for var, arg in zip(params, args, strict=False)}

        def words_of(found: re.Match[str]) -> str:
            arg = known.get(found[1])
            match arg:
                case None:
                    return found[2]
                case Const():
                    return found[2] if arg.value else ""
                case Local():
                    return f"{found[2]} (if {em(words(arg.var.name))})"
            return f"{found[2]} if {self.clause(arg)}"

        return re.sub(r"\{(\w+):([^{}]*)\}", words_of, template)

    @_thing(Lookup)
    def _x_table(self, ex: Lookup) -> str:
        given = {var.name: self.thing(arg) for var, arg in zip(ex.table.params, ex.args, strict=True)}
        template = self.voice.sentence(ex.table.name)
        if template is not None:
            text = self.voice.filled(template, given)
        else:
            text = f"the {words(ex.table.name)} of {listed(list(given.values()))}"
        return self.voice.targets.link(f"table:{ex.table.name}", text)

    # ------------------------------------------------------------ comprehensions
    def printed(self, ex: Ex, amount: str) -> str | None:
        """Components by what is printed on them: "2 cards with suit hearts"."""
        if not isinstance(ex, Reduction) or not isinstance(ex.gens[0].domain, Universe):
            return None
        (gen, *more), tests = ex.gens, ex.gens[0].where
        itself = isinstance(ex.value, Local) and ex.value.var.uid == gen.var.uid
        if more or not itself or not isinstance(gen.var.type, t.Comp):
            return None
        parts = []
        for test in tests:
            if not applies(test, "eq") or not isinstance(field := test.args[0], Field):
                return None
            if not isinstance(field.of, Local) or field.of.var.uid != gen.var.uid:
                return None
            parts.append(f"{words(field.name)} {self.thing(test.args[1])}")
        noun = self.voice.noun(gen.var.type)
        noun = noun if amount in ("the", "1") else plural(noun)
        return f"{amount} {noun} with {listed(parts)}" if parts else f"{amount} {noun}"

    @_thing(Reduction)
    def _x_comp(self, ex: Reduction) -> str:
        if ex.kind in ("set", "the") and (told := self.printed(ex, "the" if ex.kind == "the" else "all")):
            return told
        return self._comprehension(ex, ex)

    def _comprehension(self, ex: Ex, comp: Reduction) -> str:
        inner = Phrases(self.voice.inside())
        if comp.kind in ("any", "every", "none"):
            return f"whether {self.clause(ex)}"
        if self._is_whole(comp):
            return self._of_whole(comp)
        simple = isinstance(comp.value, Local) and comp.value.var.uid == comp.gens[-1].var.uid
        if comp.kind == "set" and (len(comp.gens) > 1 or not simple):
            earlier = [inner.one(gen, "every") for gen in (comp.gens[:-1] if simple else comp.gens)]
            last = inner.generators(comp.gens[-1:]) if simple else inner.thing(comp.value)
            return f"{last}, for {listed(earlier)}"
        if comp.kind == "spread":
            first, *rest = comp.gens
            begun = bare(first.domain)
            start = begun.args[0] if applies(begun, "set") and len(begun.args) == 1 else begun
            text = self.thing(start)
            inner.voice.introduce([first.var])
            over = inner.generators(tuple(rest))
            itself = isinstance(comp.value, Local) and comp.value.var.uid == rest[-1].var.uid
            to = "" if itself else f" to {inner.thing(comp.value)}, for"
            each = inner.voice.names[first.var.uid]
            return f"all that hangs together with {text}, from each on ({each}){to} to {over}".replace(
                ", for to", ", for"
            )
        who = inner.generators(comp.gens)
        if comp.while_ is not None:
            who += f", as long as {inner.clause(comp.while_)}"
        if comp.kind == "sum" and self._is_total(comp):
            return inner.total(comp)
        by = listed([inner.thing(key) for key in comp.by])
        one = inner.thing(comp.value)
        if isinstance(comp.value, Conditional):
            one = f"({one})"
        match comp.kind:
            case "count":
                return f"the number of {without_article(who)}"
            case "sum":
                return f"{one}, added up over {who}"
            case "max" | "min":
                return f"the {'highest' if comp.kind == 'max' else 'lowest'} of {one} over {who}"
            case "most" | "least":
                best = "highest" if comp.kind == "most" else "lowest"
                return f"{self._leading(who, best, by, inner, comp)}"
            case "sort":
                return f"{who}, ordered by {by}, lowest first"
            case "the":
                return f"the only one of {who}"
            case "first" | "last":
                order = f", by {by}" if by else ""
                return f"the {comp.kind} of {who}{order}"
        return who

    def _is_total(self, comp: Reduction) -> bool:
        """`sum(n[k] for k in D)`: the cells of a vector, added up."""
        return applies(comp.value, "array_at") and len(comp.gens) == 1 and not comp.gens[0].where

    def total(self, comp: Reduction) -> str:
        rest = []
        at: Ex = comp.value
        while applies(at, "array_at"):
            index = at.args[1]
            if not (isinstance(index, Local) and index.var.uid == comp.gens[0].var.uid):
                rest.append(self.thing(index))
            at = at.args[0]
        name = em(words(_called(at)))
        return f"the total of {name}" + (f" for {listed(rest[::-1])}" if rest else "")

    def _leading(self, who: str, best: str, by: str, inner: Phrases, comp: Reduction) -> str:
        """Those with the most of something: "the players with the highest wealth"."""
        reference = inner.voice.names.get(comp.gens[-1].var.uid, "")
        among = any(gen.where for gen in comp.gens) or len(comp.gens) > 1
        for lead in (f"{possessive(reference)} ", f"the {reference} "):
            if unlinked(by).startswith(lead):
                by = by.replace(lead, "", 1)
                return f"those with the {best} {by}, among {who}" if among else f"{who} with the {best} {by}"
        best = f"with the {best} value of {by}"
        return f"those {best}, among {who}" if among else f"{who} {best}"

    def _is_whole(self, comp: Reduction) -> bool:
        """`count(heap)` and the like: one generator that is the value itself, without conditions."""
        return (
            len(comp.gens) == 1
            and not comp.gens[0].where
            and not comp.by
            and comp.while_ is None
            and isinstance(comp.value, Local)
            and comp.value.var.uid == comp.gens[0].var.uid
        )

    def _of_whole(self, comp: Reduction) -> str:
        domain = comp.gens[0].domain
        text = self.thing(domain)
        match comp.kind:
            case "count":
                return f"the number of {without_article(text)}"
            case "the":
                if applies(domain, "set") and len(domain.args) == 1:
                    return self.thing(domain.args[0])
                return f"the only one of {text}"
            case "first" | "last":
                return f"the {comp.kind} {self.voice.noun(comp.value.type)} in {text}"
        return text

    def generators(self, gens: tuple[Gen, ...]) -> str:
        """What a comprehension runs over: "the chambers in the lair whose ..."."""
        parts = []
        for gen in gens:
            if gen.var.name != "it" or not gen.var.uid.startswith("it_"):
                self.voice.introduce([gen.var])
            many = self.members(gen.domain, gen.var.type)
            reference = self.voice.names.get(gen.var.uid, "")
            letter = "" if tells(many, reference) else f" ({reference})"
            condition = self.conditions(gen.where, self.which(gen))
            parts.append(f"{many}{letter}{condition}")
        return listed(parts) if len(parts) > 1 else parts[0]

    def members(self, domain: Ex, type_: t.Type) -> str:
        """All that a generator runs over, in the plural."""
        domain = bare(domain)
        noun = plural(self.voice.noun(type_))
        if applies(domain, "players"):
            return "all players"
        if isinstance(domain, Universe):
            return f"all {noun}" if not isinstance(type_, t.Space) else self.thing(domain)
        if isinstance(domain, PlaceRef):
            return f"the {noun} in {self.thing(domain)}"
        if applies(domain, "range"):
            return f"the numbers from {self.thing(domain)}"
        return self.thing(domain)

    def conditions(self, where: tuple[Ex, ...], opening: str = " for which ") -> str:
        return opening + listed([self._part(c, "and", False) for c in where]) if where else ""


def _called(vector: Ex) -> str:
    """The name of a vector."""
    return vector.name if isinstance(vector, RecordField) else getattr(vector, "var").name  # noqa: B009


def _declared(ex: PlaceRef | StateRef) -> PlaceDecl | StateDecl:
    return ex.place if isinstance(ex, PlaceRef) else ex.state


def _bits(mask: int) -> list[int]:
    return [bit for bit in range(mask.bit_length()) if mask >> bit & 1]


def audience_words(audience: Audience, phrases: Phrases) -> str:
    """Who sees something."""
    match audience:
        case SeenByAll():
            return "everybody"
        case SeenByNobody():
            return "nobody"
        case SeenByOwner():
            return "its owner"
        case SeenBy():
            return phrases.thing(audience.players)
        case _:
            assert_never(audience)
