"""Checking the statements that move, draw, shuffle and show."""

from __future__ import annotations

from ...grammar import syntax
from ..core import (
    Apply,
    Audience,
    Draw,
    Ex,
    Move,
    MoveAll,
    MoveCell,
    MoveOn,
    MoveSet,
    MoveTokens,
    Nothing,
    Peek,
    PlaceRef,
    PlacesOf,
    RecordField,
    Reveal,
    Roll,
    SeenBy,
    SeenByAll,
    SeenByNobody,
    SeenByOwner,
    Show,
    Shuffle,
    St,
    StateRef,
    Swap,
    changed,
)
from ..core import value_types as t
from ..core.facts import rest_of
from .part import Part, checks
from .scope import Scope
from .wording import brief, highest


class Moves(Part):
    """Statements after which something lies elsewhere or is seen by others."""

    def dest(self, node: syntax.Dest, scope: Scope, of: str | None) -> tuple[Ex, Ex | None, Ex | None, str]:
        """Place, space, rotation and end of a destination."""
        place = self.c.exprs.expr(node.place, scope)
        end = (
            "top"
            if isinstance(node.end, syntax.EndTop)
            else "bottom"
            if isinstance(node.end, syntax.EndBottom)
            else ""
        )
        at = turned = None
        if isinstance(place.type, t.Place):
            if of is not None and place.type.of != of:
                self.error(
                    "D0314",
                    f"`{brief(place.span)}` holds {place.type.of}, not {of}",
                    node.place.span,
                    related=self.c.paths.where(place),
                )
            shape = place.type.form
            if node.at is not None:
                if shape.spaces:
                    space = (
                        t.Space(self.c.paths.place_key(place.place))
                        if isinstance(place, PlaceRef)
                        else t.UNKNOWN
                    )
                    at = self.c.exprs.value(node.at, scope, space, "the space")
                elif shape.hidden:
                    at = self.c.exprs.number(node.at, scope, "the position")
                else:
                    self.error("D0315", f"a {shape} has no positions to move to", node.at.span)
            elif shape.spaces:
                self.error(
                    "D0315",
                    f"which space of the {shape}?",
                    node.span,
                    help=f"write `to {brief(node.place.span)} at s`",
                )
            if node.turned is not None:
                turned = self.c.exprs.value(node.turned, scope, t.ROTATION, "the rotation")
                if not shape.spaces or place.type.of in self.game.tokens:
                    self.error("D0315", "only a component that lies on a grid is turned", node.turned.span)
            if end and not shape.ends:
                self.error("D0315", f"a {shape} has no {end}", node.span)
        return place, at, turned, end

    @checks(syntax.MoveThing)
    def _move_thing(self, node: syntax.MoveThing, scope: Scope) -> St:
        thing = self.c.exprs.expr(node.thing, scope)
        slot = (
            isinstance(thing.type, t.Place)
            and thing.type.form.single
            and thing.type.of in self.game.components
        )
        thing = self.c.fit.as_value(thing)
        if slot and isinstance(thing.type, t.Opt):  # what lies in it; that nothing does is an error at play
            thing = Apply(thing.type.of, thing.span, "some", (thing,))
        base = t.plain(thing.type)
        if isinstance(base, t.Unknown):
            self.dest(node.dest, scope, None)
            return Nothing(node.span)
        if isinstance(base, t.Space):
            return self._move_from_space(thing, base, node, scope)
        if isinstance(thing.type, t.SetOf | t.ListOf) and isinstance(thing.type.of, t.Comp):
            place, at, _, end = self.dest(node.dest, scope, thing.type.of.name)
            if at is not None:
                self.error("D0316", "a space holds one thing; move them one by one", node.span)
            return MoveSet(node.span, thing, place, end)
        if not isinstance(base, t.Comp):
            hint = (
                "tokens are moved by number: `move 2 of gold from a to b`"
                if isinstance(base, t.Num | t.Kind)
                else None
            )
            self.error(
                "D0314", f"this is {t.a(thing.type)}, which cannot be moved", node.thing.span, help=hint
            )
            return Nothing(node.span)
        thing = self.c.fit.expect(thing, base, node.thing.span, "what is moved")
        decl = self.game.components[base.name]
        if decl.on is not None:
            target = self.c.fit.as_value(self.c.exprs.expr(node.dest.place, scope, decl.on))
            if not isinstance(target.type, t.Place):
                gone = isinstance(target.type, t.Nothing)  # `move pawn to none` takes it off on purpose
                wanted = t.Opt(decl.on) if gone else decl.on
                if scope.body.kind == "scenario" and isinstance(target.type, t.Opt):
                    target = Apply(target.type.of, target.span, "some", (target,))  # the test tells
                target = self.c.fit.expect(target, wanted, node.dest.span, "the target")
                return MoveOn(node.span, thing, target)
            self.error(
                "D0314",
                f"{t.a(base)} stands on {t.a(decl.on)}, so it cannot lie in a place",
                node.dest.span,
                related=[(decl.span, "declared here")],
            )
            return Nothing(node.span)
        place, at, turned, end = self.dest(node.dest, scope, base.name)
        if isinstance(place.type, t.Unknown):
            return Nothing(node.span)
        if not isinstance(place.type, t.Place):
            self.error("D0314", f"{t.a(base)} cannot be moved to {t.a(place.type)}", node.dest.span)
            return Nothing(node.span)
        return Move(node.span, thing, place, at, turned, end)

    def _move_from_space(self, thing: Ex, base: t.Space, node: syntax.MoveThing, scope: Scope) -> St:
        grid = self.game.places[base.of]
        thing = self.c.fit.expect(thing, base, node.thing.span, "the space")
        if grid.owner or grid.indices:
            self.error(
                "D0315",
                f"there is more than one `{grid.name}`, and a space does not say which",
                node.thing.span,
                related=[(grid.span, "declared here")],
            )
            return Nothing(node.span)
        source = PlaceRef(grid.type, node.thing.span, grid)
        if not grid.tokens:
            self.error(
                "D0314",
                "a space cannot be moved",
                node.thing.span,
                help=f"move what lies there: `move {grid.name}[s] to ...`",
            )
        dest = self.c.exprs.expr(node.dest.place, scope)
        if isinstance(t.plain(dest.type), t.Space):
            dest = self.c.fit.expect(dest, base, node.dest.span, "the target")
            return MoveCell(node.span, source, thing, source, dest)
        place, at, _, _ = self.dest(node.dest, scope, grid.of)
        if not isinstance(place.type, t.Place):
            if not isinstance(place.type, t.Unknown):
                self.error("D0314", f"this is {t.a(place.type)}, not a place or a space", node.dest.span)
            return Nothing(node.span)
        return MoveCell(node.span, source, thing, place, at)

    @checks(syntax.MoveAmount, syntax.MoveUpTo)
    def _move_amount(self, node: syntax.MoveAmount | syntax.MoveUpTo, scope: Scope) -> St | list[St]:
        source = self.c.exprs.expr(node.source, scope)
        if not isinstance(source.type, t.Place):
            if not isinstance(source.type, t.Unknown):
                self.error("D0314", f"this is {t.a(source.type)}, not a place", node.source.span)
            return Nothing(node.span)
        of = source.type.of
        everything = isinstance(node.amount, syntax.Everything)
        place, at, _, end = self.dest(node.dest, scope, of)
        if not isinstance(place.type, t.Place):
            if not isinstance(place.type, t.Unknown):
                self.error("D0314", f"this is {t.a(place.type)}, not a place", node.dest.span)
            return Nothing(node.span)
        if of not in self.game.tokens and node.kind is not None:
            self._not_onto_one_space(at, node)
            wanted = None if everything else self.c.exprs.number(node.amount, scope, "the number")
            return self.c.printed.move_some(node, wanted, source, place, end, scope)
        if of not in self.game.tokens:
            if not everything:
                self.error(
                    "D0316",
                    f"which {of}? each is one of its kind",
                    node.amount.span,
                    help="`move c to place`, `move 2 of Card(...) from a to b`, or `draw n from a to b`",
                )
            elif source.type.form.hidden and place.type.form.top_open:
                self.error(
                    "D0316", "the order of a deck is not known", node.span, help="write `draw all from ...`"
                )
            elif source.type.form.hidden and rest_of(place) is not None:
                self.error(
                    "D0316",
                    "the order of a deck is not known, and some of it may go where the rest goes",
                    node.span,
                    related=self.c.paths.where(place),
                    help="write `draw all from ...`",
                )
            self._not_onto_one_space(at, node)
            return MoveAll(node.span, source, place, end)
        if everything and node.kind is None:
            self._not_onto_one_space(at, node)
            return MoveAll(node.span, source, place, end)
        if source.type.form.spaces:
            self.error(
                "D0316",
                f"tokens leave a {source.type.shape} space by space",
                node.source.span,
                help="write `move s to ...` for the space `s`",
            )
        elif source.type.form.single:
            self.error("D0316", "a slot holds one token", node.amount.span, help="write `move all from ...`")
        if node.kind is None:
            values = self.game.kinds[of].values
            which = (
                values[0] if len(values) == 1 else f"({' | '.join(values)})" if len(values) < 5 else "kind"
            )
            self.error(
                "D0316",
                f"which kind of {of}?",
                node.amount.span,
                help=f"write `move {brief(node.amount.span)} of {which} from ...`",
            )
            return Nothing(node.span)
        kind = self.c.exprs.value(node.kind, scope, t.Kind(of), "the kind")
        there = Apply(t.Num(0, t.MANY), node.span, "tally", (source, kind))
        amount = there if everything else self.c.exprs.number(node.amount, scope)
        if isinstance(node, syntax.MoveUpTo):
            amount = Apply(t.Num(0, highest(amount.type, t.MANY)), node.span, "min_of", (amount, there))
        return MoveTokens(node.span, amount, kind, source, place, at)

    def _not_onto_one_space(self, at: Ex | None, node: syntax.MoveAmount | syntax.MoveUpTo) -> None:
        if at is not None:
            self.error("D0316", "a space holds one thing; move them one by one", node.span)

    @checks(syntax.LetDrawn)
    def _let_drawn(self, node: syntax.LetDrawn, scope: Scope) -> list[St]:
        """The name of what was drawn; if nothing was, none."""
        draw = node.draw
        one = isinstance(draw.amount, syntax.Number) and draw.amount.text == "1"
        if not one:
            self.error(
                "D0316",
                "one is drawn at a time to have a name",
                draw.amount.span,
                help="draw one after the other, or ask the place that they are drawn to",
            )
        otherwise = draw.otherwise if isinstance(draw, syntax.Draw) else None
        before = scope.child()
        made = self._draw(
            syntax.Draw(draw.amount, draw.at_random, draw.source, draw.dest, None, span=draw.span), scope
        )
        if not isinstance(made, Draw):
            self.c.loops.bind(scope, node.name, t.UNKNOWN)
            return [made]
        of = made.source.place_type.of
        content: t.Type = t.Kind(of) if of in self.game.tokens else t.Comp(of)
        var = self.c.loops.bind(scope, node.name, t.Opt(content))
        fewer = (Nothing(node.span),)  # that there may be none is said by its name, or by the `else`
        drawn = changed(made, var=var, orelse=fewer)
        if otherwise is None:
            return [drawn]
        orelse = self.c.stmts.block((otherwise,), before)
        return [drawn, self.c.stmts.unless_found(node.name, otherwise, orelse, scope)]

    @checks(syntax.DrawUpTo)
    def _draw_up_to(self, node: syntax.DrawUpTo, scope: Scope) -> St:
        """Fewer are all right."""
        otherwise = syntax.Nothing(span=node.span)
        return self._draw(
            syntax.Draw(node.amount, node.at_random, node.source, node.dest, otherwise, span=node.span), scope
        )

    @checks(syntax.Draw)
    def _draw(self, node: syntax.Draw, scope: Scope) -> St:
        self.c.old.draw(node)
        amount = (
            self.c.exprs.number(node.amount, scope, "the number")
            if not isinstance(node.amount, syntax.Everything)
            else None
        )
        source = self.c.exprs.expr(node.source, scope)
        if not isinstance(source.type, t.Place):
            if not isinstance(source.type, t.Unknown):
                self.error("D0314", f"this is {t.a(source.type)}, not a place", node.source.span)
            return Nothing(node.span)
        place, at, _, end = self.dest(node.dest, scope, source.type.of)
        shape = source.type.form
        random = node.at_random is not None
        if not random and shape.heap:
            self.error(
                "D0316",
                "a bag has no top to draw from",
                node.source.span,
                help=f"write `draw {brief(node.amount.span)} at random from {brief(node.source.span)} ...`",
            )
        if shape.cells:
            hint = f"write `move all from {brief(node.source.span)} ...`" if shape.single else None
            self.error("D0315", f"one cannot draw from a {shape}", node.source.span, help=hint)
        if not isinstance(place.type, t.Place):
            if not isinstance(place.type, t.Unknown):
                self.error("D0314", f"this is {t.a(place.type)}, not a place", node.dest.span)
            return Nothing(node.span)
        if amount is None:
            amount = Apply(t.Num(0, t.MANY), node.span, "size", (source,))
        orelse = self.c.stmts.block((node.otherwise,), scope) if node.otherwise is not None else ()
        return Draw(node.span, amount, source, place, at, random, end, orelse)

    @checks(syntax.Shuffle)
    def _shuffle(self, node: syntax.Shuffle, scope: Scope) -> St:
        place = self.c.exprs.expr(node.place, scope)
        into = self.c.exprs.expr(node.into, scope) if node.into is not None else place
        for ex in (place, into):
            if not isinstance(ex.type, t.Place):
                if not isinstance(ex.type, t.Unknown):
                    self.error("D0314", f"this is {t.a(ex.type)}, not a place", ex.span)
                return Nothing(node.span)
        assert isinstance(into.type, t.Place) and isinstance(place.type, t.Place)
        if not into.type.form.hidden:
            self.error(
                "D0315",
                f"only a deck can be shuffled, and this is {t.a(into.type)}",
                into.span,
                related=self.c.paths.where(into),
            )
        if place.type.of != into.type.of:
            self.error(
                "D0314",
                f"`{brief(into.span)}` holds {into.type.of}, not {place.type.of}",
                into.span,
                related=self.c.paths.where(into),
            )
        elif place.type.form.spaces:
            self.error(
                "D0315",
                f"a {place.type.shape} cannot be shuffled into a deck",
                place.span,
                help="write `move all from ...`",
            )
        return Shuffle(node.span, place, into)

    @checks(syntax.Roll)
    def _roll(self, node: syntax.Roll, scope: Scope) -> St:
        domain = self.c.exprs.domain(node.outcomes, scope)
        var = self.c.loops.bind(scope, node.name, self.c.fit.element(domain))
        weight = self.c.exprs.number(node.weight, scope, "the weight") if node.weight is not None else None
        return Roll(node.span, var, domain, weight, self.audience(node.to, scope))

    def audience(self, node: syntax.Audience | None, scope: Scope, owner: bool = False) -> Audience:
        match node:
            case None:
                return SeenByAll()
            case syntax.AudienceNobody():
                return SeenByNobody()
            case syntax.AudienceOwner():
                if not owner:
                    self.error("D0308", "`owner` has no meaning here: nothing is owned", node.span)
                return SeenByOwner()
            case syntax.AudienceOf(who=syntax.Everything()):
                return SeenByAll()
            case syntax.AudienceOf(who=who):
                ex = self.c.fit.as_value(self.c.exprs.expr(who, scope))
                if isinstance(ex.type, t.Player):
                    return SeenBy(Apply(t.SetOf(t.PLAYER), ex.span, "set", (ex,)))
                if not t.fits(ex.type, t.SetOf(t.PLAYER)):
                    ex = self.error(
                        "D0301",
                        f"who sees it is a player or a set of players, and this is {t.a(ex.type)}",
                        who.span,
                    )
                return SeenBy(ex)
        raise AssertionError(type(node))

    @checks(syntax.Swap)
    def _swap(self, node: syntax.Swap, scope: Scope) -> St:
        left, right = self.c.exprs.expr(node.left, scope), self.c.exprs.expr(node.right, scope)
        if isinstance(left.type, t.Unknown) or isinstance(right.type, t.Unknown):
            return Nothing(node.span)
        if left.type != right.type:
            self.error("D0301", f"{t.a(left.type)} and {t.a(right.type)} cannot be swapped", node.span)
            return Nothing(node.span)
        kept = [isinstance(ex, StateRef | RecordField) for ex in (left, right)]
        if isinstance(left.type, t.Place) and not left.type.form.whole:
            self.error("D0315", f"a {left.type.shape or 'place'} cannot be swapped as a whole", left.span)
        elif (
            isinstance(left.type, t.Comp)
            and not any(kept)
            and self.game.components[left.type.name].on is not None
        ):
            self.error(
                "D0314",
                f"{t.a(left.type)} stands on something: only what lies in places is swapped",
                left.span,
                help="move them one after the other",
            )
        elif not all(kept) and (any(kept) or not isinstance(left.type, t.Place | t.Comp)):
            self.error("D0306", "`swap` exchanges two places, two components or two states", node.span)
        return Swap(node.span, left, right)

    @checks(syntax.Reveal)
    def _reveal(self, node: syntax.Reveal, scope: Scope) -> St:
        place = self._shown(node.place, scope)
        return Reveal(node.span, place, self.audience(node.to, scope), secretly=node.secretly is not None)

    def _shown(self, node: syntax.Expr, scope: Scope) -> Ex:
        if isinstance(node, syntax.Attribute):
            of = self.c.exprs.expr(node.of, scope)
            if isinstance(of.type, t.SetOf | t.ListOf) and isinstance(of.type.of, t.Player):
                full = f"player.{node.name}"
                if full in self.game.places and not self.game.places[full].indices:
                    decl = self.game.places[full]
                    return PlacesOf(decl.type, node.span, decl, of)
        ex = self.c.exprs.expr(node, scope)
        if not isinstance(ex, PlaceRef | StateRef) and not isinstance(ex.type, t.Unknown):
            hint = "name the place itself" if isinstance(ex.type, t.Place) else None
            return self.error(
                "D0314",
                f"only a place or a state can be shown, and this is {t.a(ex.type)}",
                node.span,
                help=hint,
            )
        return ex

    @checks(syntax.ShowTo)
    def _show_to(self, node: syntax.ShowTo, scope: Scope) -> St:
        self.c.old.empty_body(node)
        place = self._shown(node.place, scope)
        audience = self.audience(node.to, scope)
        body = self.c.stmts.suite(node.body, scope)
        return Show(node.span, place, audience, body, secretly=node.secretly is not None)

    @checks(syntax.Show)
    def _show(self, node: syntax.Show, scope: Scope) -> St:
        """A look: told, and over."""
        place = self._shown(node.place, scope)
        audience = self.audience(node.to, scope)
        looked = (Nothing(node.span),)
        return Show(node.span, place, audience, looked, secretly=node.secretly is not None)

    @checks(syntax.Peek)
    def _peek(self, node: syntax.Peek, scope: Scope) -> St:
        amount = self.c.exprs.number(node.amount, scope, "the number")
        place = self.c.exprs.expr(node.place, scope)
        if not isinstance(place.type, t.Place) or not place.type.form.hidden:
            if not isinstance(place.type, t.Unknown):
                self.error(
                    "D0315",
                    f"`peek` looks at the top of a deck, and this is {t.a(place.type)}",
                    node.place.span,
                    related=self.c.paths.where(place),
                )
            return Nothing(node.span)
        audience = self.audience(node.to, scope)
        return Peek(node.span, amount, place, audience, secretly=node.secretly is not None)
