"""Expressions in words: `thing` gives a noun phrase; clauses.py says conditions.

Each operation of the checked game has its words in a table or in a method
`_x_<op>`; a definition is said by its `look` if it has one, else by its name,
and links to its own entry.
"""

from __future__ import annotations

from typing import Any

from .. import types as t
from ..core import Comp, Ex, Gen
from .clauses import PAIRS, THROUGH, Clauses, look_key, tells
from .document import em, plain, unlinked, without_article
from .english import agree, is_are, listed, plural, possessive, words

_SIGNS = {"add": "+", "sub": "−", "mul": "×", "div": "divided by", "mod": "modulo"}


class Phrases(Clauses):
    """Words for expressions, in one voice."""

    # ------------------------------------------------------------ noun phrases
    def thing(self, ex: Ex) -> str:
        """A definite noun phrase: "the chamber", "your purse", "3"."""
        if ex.op in THROUGH:
            return self.thing(ex.args[0])
        method = getattr(self, f"_x_{ex.op}", None)
        if method is not None:
            return str(method(ex))
        if isinstance(ex.type, t.YesNo):
            return f"whether {self.clause(ex)}"
        if ex.op in _SIGNS:
            return self._arithmetic(ex)
        if ex.op in PAIRS:
            args = [self._operand_words(arg) for arg in ex.args if isinstance(arg, Ex)]
            text = PAIRS[ex.op]
            for index, arg in enumerate(args):
                text = text.replace(f"{{{index}}}'s", possessive(arg)).replace(f"{{{index}}}", arg)
            return text.replace("{n}", self.voice.noun(ex.type))
        return em(" ".join(ex.span.text.split()))

    def _operand_words(self, ex: Ex) -> str:
        text = self.thing(ex)
        return f"direction {text}" if ex.op == "const" and ex.type == t.DIRECTION else text

    def of(self, ex: Ex) -> str:
        """The possessive of a noun phrase."""
        return possessive(self.thing(ex))

    def _x_const(self, ex: Ex) -> str:
        match ex.type:
            case t.SetOf(of) | t.ListOf(of):
                values = ex.data if isinstance(ex.data, tuple) else _bits(ex.data)
                if of == t.DIRECTION and len(values) == 4:
                    return "the four directions"
                return listed([self.voice.value(v, of) for v in values]) or "nothing"
            case t.Kind(name) if name in self.voice.game.tokens:
                return self.voice.token(name, self.voice.game.kinds[name].values[ex.data])
        return self.voice.value(ex.data, ex.type)

    def _x_local(self, ex: Ex) -> str:
        return self.voice.names.get(ex.data.uid) or em(words(ex.data.name))

    def _x_me(self, ex: Ex) -> str:
        return self.voice.me

    def _x_option(self, ex: Ex) -> str:
        decl = self.voice.game.options[ex.data]
        default = decl.default
        shown = ""
        if isinstance(default, Ex) and default.op == "const":
            shown = f" ({self.voice.value(default.data, default.type)})"
        return self.voice.targets.link("chapter:options", em(words(ex.data))) + shown

    def _x_player_count(self, ex: Ex) -> str:
        return "the number of players"

    def _x_players(self, ex: Ex) -> str:
        return "all players"

    def _x_active(self, ex: Ex) -> str:
        return "the player whose turn it is"

    def _x_turn_number(self, ex: Ex) -> str:
        return "the number of turns so far"

    def _x_universe(self, ex: Ex) -> str:
        if isinstance(ex.type, t.SetOf | t.ListOf) and isinstance(ex.type.of, t.Space):
            return f"the spaces of the {words(ex.type.of.of)}"
        return f"all {self.voice.noun(ex.type)}" if isinstance(ex.type, t.SetOf) else "everything"

    def _x_left(self, ex: Ex) -> str:
        who = self.thing(ex.args[0])
        return f"the player to your {ex.op}" if plain(who) == "you" else f"the player to the {ex.op} of {who}"

    _x_right = _x_left

    def _x_others(self, ex: Ex) -> str:
        if ex.args[0].op == "me":
            return "the other players"
        return f"all players but {self.thing(ex.args[0])}"

    def _x_partition(self, ex: Ex) -> str:
        return f"{self.of(ex.args[0])} {words(ex.data.name)}"

    # ------------------------------------------------------------ places, states, components
    def _x_place(self, ex: Ex) -> str:
        decl = ex.data
        if decl.name.startswith("box of ") or decl.name == "box":
            return "the box"
        template = self.voice.sentence(look_key(decl))
        if template is not None:
            return self.voice.filled(template, self.member_words(ex))
        return self.member(ex, "the ")

    def _x_state(self, ex: Ex) -> str:
        template = self.voice.sentence(look_key(ex.data))
        if template is not None:
            return self.voice.filled(template, self.member_words(ex))
        return self.member(ex, "the ")

    def member_words(self, ex: Ex) -> dict[str, str]:
        args = [self.thing(arg) for arg in ex.args]
        given = {"owner": args[0]} if ex.data.owner and args else {}
        for number, arg in enumerate(args[1:] if ex.data.owner else args, 1):
            given["index" if number == 1 else f"index{number}"] = arg
        return given

    def member(self, ex: Ex, article: str) -> str:
        decl = ex.data
        name = words(decl.name)
        args = list(ex.args)
        owner = self.of(args.pop(0)) + " " if decl.owner and args else article
        index = ""
        for arg in args:
            constant = arg.op == "const" and isinstance(t.plain(arg.type), t.Kind)
            if constant:
                name = f"{plain(self.voice.value(arg.data, arg.type))} {name}"
            else:
                index += (
                    f" for {self.thing(arg)}" if not isinstance(arg.type, t.Num) else f" {self.thing(arg)}"
                )
        key = f"place:{f'{decl.owner}.{decl.name}' if decl.owner else decl.name}"
        return f"{owner}{self.voice.targets.link(key, name)}{index}"

    def _x_owned_piece(self, ex: Ex) -> str:
        return f"{self.of(ex.args[0])} {self.voice.name(ex.data.name)}"

    def _x_field(self, ex: Ex) -> str:
        return f"{self.of(ex.args[0])} {words(ex.data[1])}"

    def _x_on(self, ex: Ex) -> str:
        return f"the {self.voice.noun(ex.type)} of {self.piece_on(ex)}"

    def piece_on(self, ex: Ex) -> str:
        """What stands on something: an owned piece, or the only one of its kind."""
        of = ex.args[0]
        return self.voice.the(ex.data.name) if of.op == "const" else self.thing(of)

    def piece(self, ex: Ex) -> str:
        """A piece that is moved."""
        if ex.op == "const" and isinstance(ex.type, t.Comp):
            return self.voice.the(ex.type.name)
        return self.thing(ex)

    def _x_rec_rows(self, ex: Ex) -> str:
        return f"the {plural(words(ex.data.name))}"

    def _x_rec_field(self, ex: Ex) -> str:
        row, *indices = ex.args
        rest = f" for {listed([self.thing(i) for i in indices])}" if indices else ""
        return f"{em(words(ex.data[1]))} of {self.thing(row)}{rest}"

    def _x_array_at(self, ex: Ex) -> str:
        indices = []
        at: Ex = ex
        while at.op == "array_at":
            indices.append(self.thing(at.args[1]))
            at = at.args[0]
        return f"{em(words(at.data.name))} for {listed(indices[::-1])}"

    def _x_cell(self, ex: Ex) -> str:
        return f"what lies on {self.thing(ex.args[1])}"

    def _x_top(self, ex: Ex) -> str:
        place = ex.args[0]
        noun = self.voice.noun(ex.type)
        if isinstance(place.type, t.Place) and place.type.shape == "slot":
            return self.thing(place)
        return f"the top {noun} of {self.thing(place)}"

    # ------------------------------------------------------------ amounts
    def _x_size(self, ex: Ex) -> str:
        place = ex.args[0]
        if isinstance(place.type, t.Place):
            return f"the number of {plural(self.voice.held(place.type))} in {self.thing(place)}"
        return f"the number of {self.thing(place)}"

    def _x_tally(self, ex: Ex) -> str:
        place, kind = ex.args
        return f"the number of {self.tokens(kind)} in {self.thing(place)}"

    def tokens(self, kind: Ex, many: bool = True) -> str:
        """Tokens of one kind, without a number."""
        assert isinstance(t.plain(kind.type), t.Kind)
        name = t.plain(kind.type).name  # type: ignore[attr-defined]
        if kind.op == "const":
            return self.voice.token(name, self.voice.game.kinds[name].values[kind.data], many)
        noun = self.voice.noun_of(name)
        reference = self.thing(kind)
        return f"{plural(noun) if many else noun} of {reference}"

    def amount(self, number: Ex, kind: Ex | None, noun: str) -> str:
        """So many tokens or things: "2 yellow cubes", "as many chambers as ..."."""
        if number.op == "const":
            many = number.data != 1
            what = self.tokens(kind, many) if kind is not None else (plural(noun) if many else noun)
            return f"{number.data} {what}"
        what = self.tokens(kind) if kind is not None else plural(noun)
        if number.op == "tally":
            return f"all {what}"
        text = self.thing(number)
        if number.op in ("local", "option"):
            return f"{text} {what}"
        return f"as many {what} as {text}"

    def _arithmetic(self, ex: Ex) -> str:
        left, right = (self._operand(arg, ex.op) for arg in ex.args)
        return f"{left} {_SIGNS[ex.op]} {right}"

    def _operand(self, ex: Ex, op: str) -> str:
        text = self.thing(ex)
        loose = ex.op in ("add", "sub", "if") and op in ("mul", "div", "mod", "sub")
        wide = ex.op == "if" or (ex.op == "comp" and ex.data.kind == "sum" and not self._is_total(ex.data))
        return f"({text})" if loose or wide else text

    def _x_min_of(self, ex: Ex) -> str:
        return f"the smallest of {listed([self.thing(arg) for arg in ex.args])}"

    def _x_max_of(self, ex: Ex) -> str:
        return f"the largest of {listed([self.thing(arg) for arg in ex.args])}"

    def _x_if(self, ex: Ex) -> str:
        if isinstance(ex.type, t.YesNo):
            return f"whether {self.clause(ex)}"
        condition, yes, no = ex.args
        return f"{self.thing(yes)} if {self.clause(condition)}, otherwise {self.thing(no)}"

    def _x_set(self, ex: Ex) -> str:
        return listed([self.thing(arg) for arg in ex.args]) or "nothing"

    # ------------------------------------------------------------ definitions and tables
    def _x_call(self, ex: Ex) -> str:
        if isinstance(ex.type, t.YesNo):
            return f"whether {self.clause(ex)}"
        return self.voice.targets.link(f"term:{ex.data.name}", self.defined(ex.data, ex.args))

    def defined(self, decl: Any, args: tuple[Ex, ...]) -> str:
        """A definition applied to something, by its `look` or by its name."""
        given = {var.name: self.thing(arg) for var, arg in zip(decl.params, args, strict=True)}
        template = self.voice.sentence(decl.name)
        if template is not None:
            return self.voice.filled(template, given)
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

    def _x_table(self, ex: Ex) -> str:
        given = {var.name: self.thing(arg) for var, arg in zip(ex.data.params, ex.args, strict=True)}
        template = self.voice.sentence(ex.data.name)
        if template is not None:
            text = self.voice.filled(template, given)
        else:
            text = f"the {words(ex.data.name)} of {listed(list(given.values()))}"
        return self.voice.targets.link(f"table:{ex.data.name}", text)

    # ------------------------------------------------------------ comprehensions
    def _x_comp(self, ex: Ex) -> str:
        return self._comprehension(ex, ex.data)

    def _comprehension(self, ex: Ex, comp: Comp) -> str:
        inner = Phrases(self.voice.inside())
        if comp.kind in ("any", "every", "none"):
            return f"whether {self.clause(ex)}"
        if self._is_whole(comp):
            return self._of_whole(comp)
        simple = comp.value.op == "local" and comp.value.data.uid == comp.gens[-1].var.uid
        if comp.kind == "set" and (len(comp.gens) > 1 or not simple):
            earlier = [inner.one(gen, "every") for gen in (comp.gens[:-1] if simple else comp.gens)]
            last = inner.generators(comp.gens[-1:]) if simple else inner.thing(comp.value)
            return f"{last}, for {listed(earlier)}"
        who = inner.generators(comp.gens)
        if comp.while_ is not None:
            who += f", as long as {inner.clause(comp.while_)}"
        if comp.kind == "sum" and self._is_total(comp):
            return inner.total(comp)
        by = listed([inner.thing(key) for key in comp.by])
        one = inner.thing(comp.value)
        if comp.value.op == "if":
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

    def _is_total(self, comp: Comp) -> bool:
        """`sum(n[k] for k in D)`: the cells of a vector, added up."""
        return comp.value.op == "array_at" and len(comp.gens) == 1 and not comp.gens[0].where

    def total(self, comp: Comp) -> str:
        rest = []
        at: Ex = comp.value
        while at.op == "array_at":
            index = at.args[1]
            if not (index.op == "local" and index.data.uid == comp.gens[0].var.uid):
                rest.append(self.thing(index))
            at = at.args[0]
        name = em(words(at.data.name))
        return f"the total of {name}" + (f" for {listed(rest[::-1])}" if rest else "")

    def _leading(self, who: str, best: str, by: str, inner: Phrases, comp: Comp) -> str:
        """Those with the most of something: "the players with the highest wealth"."""
        reference = inner.voice.names.get(comp.gens[-1].var.uid, "")
        among = any(gen.where for gen in comp.gens) or len(comp.gens) > 1
        for lead in (f"{possessive(reference)} ", f"the {reference} "):
            if unlinked(by).startswith(lead):
                by = by.replace(lead, "", 1)
                return f"those with the {best} {by}, among {who}" if among else f"{who} with the {best} {by}"
        best = f"with the {best} value of {by}"
        return f"those {best}, among {who}" if among else f"{who} {best}"

    def _is_whole(self, comp: Comp) -> bool:
        """`count(heap)` and the like: one generator that is the value itself, without conditions."""
        return (
            len(comp.gens) == 1
            and not comp.gens[0].where
            and not comp.by
            and comp.while_ is None
            and comp.value.op == "local"
            and comp.value.data.uid == comp.gens[0].var.uid
        )

    def _of_whole(self, comp: Comp) -> str:
        domain = comp.gens[0].domain
        text = self.thing(domain)
        match comp.kind:
            case "count":
                return f"the number of {without_article(text)}"
            case "the":
                if domain.op == "set" and len(domain.args) == 1:
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
        bare = domain
        while bare.op in THROUGH:
            bare = bare.args[0]
        noun = plural(self.voice.noun(type_))
        if bare.op == "players":
            return "all players"
        if bare.op == "universe":
            return f"all {noun}" if not isinstance(type_, t.Space) else self.thing(bare)
        if bare.op == "place":
            return f"the {noun} in {self.thing(bare)}"
        if bare.op == "range":
            return f"the numbers from {self.thing(bare)}"
        return self.thing(bare)

    def conditions(self, where: tuple[Ex, ...], opening: str = " for which ") -> str:
        return opening + listed([self._part(c, "and", False) for c in where]) if where else ""


def _bits(mask: int) -> list[int]:
    return [bit for bit in range(mask.bit_length()) if mask >> bit & 1]
