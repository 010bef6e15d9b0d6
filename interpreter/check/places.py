"""Checking where things lie and what is kept: places, states, records, partitions."""

from __future__ import annotations

import math

from ...grammar import Span, Word, did_you_mean, syntax
from ..core import (
    Audience,
    Const,
    PartitionDecl,
    PlaceDecl,
    PlaceRef,
    RecordDecl,
    SeenBy,
    SeenByAll,
    SeenByNobody,
    StateDecl,
)
from ..core import value_types as t
from ..core.shapes import SHAPES
from .constants import not_constant
from .names import cites_of, doc_of, grows
from .part import Part
from .scope import Body, Scope
from .wording import highest

MOST_CELLS = 1_000_000


class Places(Part):
    """Where it lies, and what is kept about it."""

    def places_and_states(self) -> None:
        for owner, member in self.c.names.members():
            if owner and owner != "player" and owner not in self.game.components:
                continue
            clash = (
                self.game.components[owner].fields
                if owner in self.game.components
                else ("seat",)
                if owner
                else ()
            )
            if member.name in clash:  # type: ignore[attr-defined]
                name: Word = member.name  # type: ignore[attr-defined]
                self.error(
                    "D0209", f"a {owner} already has a `{name}`", name.span, help="choose another name"
                )
            if isinstance(member, syntax.Place):
                self._place(owner, member)
            elif isinstance(member, syntax.State):
                decl = StateDecl(
                    name=str(member.name),
                    span=member.name.span,
                    owner=owner,
                    indices=self._indices(member.indices),
                    type=self._kept(member.type, "a state"),
                    initial=Const(t.UNKNOWN, member.span, 0),
                    until=self._until(member.until, owner),
                    cites=cites_of(member),
                    doc=doc_of(member),
                )
                self.game.states[f"{owner}.{decl.name}" if owner else decl.name] = decl
        for node in self.c.names.each(syntax.Record):
            claimed: dict[str, Span] = {}
            for fld in node.fields:
                self.c.names.claim(claimed, fld.name)
            fields = {
                str(f.name): (self._indices(f.indices), self._kept(f.type, "a record")) for f in node.fields
            }
            limit = self.c.exprs.fixed_number(node.limit, str(node.name), "the limit", low=1)
            self.game.records[str(node.name)] = RecordDecl(
                name=str(node.name), span=node.name.span, limit=limit, fields=fields, cites=cites_of(node)
            )

    def owners(self) -> None:
        for decl in self.c.names.each(syntax.EachHas, syntax.EachHasOne):
            if decl.owner != "player" and decl.owner not in self.game.components:
                self.error(
                    "D0206",
                    f"there is no component `{decl.owner}`",
                    decl.owner.span,
                    help=did_you_mean(decl.owner, [*self.game.components, "player"]),
                )

    def _indices(self, nodes: tuple[syntax.TypeNode, ...]) -> tuple[t.Type, ...]:
        """The types between brackets: each must have a known number of values."""
        out = []
        for node in nodes:
            type_ = self.c.types.type(node)
            unbounded = isinstance(type_, t.Space) and any(
                key == type_.of and grows(place) for key, place in self.c.names.place_nodes()
            )
            if unbounded:
                type_ = self.error(
                    "D0316",
                    "a grid that grows has no fixed number of spaces, so they cannot be an index",
                    node.span,
                ).type
            elif not isinstance(
                type_, t.Num | t.Kind | t.Player | t.YesNo | t.Comp | t.Space | t.Rec | t.Unknown
            ):
                type_ = self.error("D0316", f"{t.a(type_)} cannot be an index", node.span).type
            out.append(type_)
        return tuple(out)

    def _kept(self, node: syntax.TypeNode, where: str) -> t.Type:
        """A type whose values can be kept from one decision to the next."""
        type_ = self.c.types.type(node)
        if isinstance(t.plain(type_), t.Place | t.ListOf):
            return self.error(
                "D0316",
                f"{where} cannot hold {t.a(type_)}",
                node.span,
                help="a `place` holds components and tokens; a `set of` holds values",
            ).type
        return type_

    def sizes(self) -> None:
        """Everything at the table must fit into a state of a reasonable size."""
        sized: list[StateDecl | PlaceDecl | RecordDecl]
        sized = [*self.game.states.values(), *self.game.places.values(), *self.game.records.values()]
        for decl in sized:
            if isinstance(decl, RecordDecl):
                cells = sum(self.cells(indices) for indices, _ in decl.fields.values()) * max(
                    1, highest(decl.limit.type)
                )
            else:
                own = (self.c.paths.owner_type(decl.owner),) if decl.owner else ()
                cells = self.cells((*own, *decl.indices))
                if isinstance(decl, PlaceDecl) and decl.width is not None:
                    cells *= self.c.fit.size_of(t.Space(self.c.paths.place_key(decl)))
            if cells > MOST_CELLS:
                self.error(
                    "D0303", f"`{decl.name}` would have {cells} cells; the most is {MOST_CELLS}", decl.span
                )

    def cells(self, indices: tuple[t.Type, ...]) -> int:
        return math.prod(self.c.fit.size_of(i) for i in indices if not isinstance(i, t.Unknown))

    def _until(
        self, node: syntax.UntilEnds | syntax.UntilMoved | syntax.UntilNext | None, owner: str
    ) -> str | None:
        if node is None:
            return None
        if isinstance(node, syntax.UntilMoved):
            return "moved"
        loops = self.c.names.loops
        if isinstance(node, syntax.UntilNext):
            if node.scope == "turn" and owner != "player":
                self.error(
                    "D0207",
                    "the next turn is somebody's, and this belongs to no player",
                    node.span,
                    help="say `until turn ends`, or declare it under `each player has:`",
                )
            elif node.scope != "turn" and node.scope not in loops:
                self.error(
                    "D0207",
                    f"there is no loop `{node.scope}`",
                    node.scope.span,
                    help=did_you_mean(node.scope, [*loops, "turn"]),
                )
            return f"next {node.scope}"
        rules = [str(rule.name) for rule in self.c.names.each(syntax.Rule)]
        known = {"turn", "phase", "action", *self.c.names.labels, *rules}
        if node.scope not in known:
            self.error(
                "D0207",
                f"there is no scope `{node.scope}`",
                node.scope.span,
                help=did_you_mean(node.scope, known),
            )
        elif node.scope in rules:
            self.c.bodies.lasting.setdefault(str(node.scope), node.scope.span)
        return str(node.scope)

    def _place(self, owner: str, node: syntax.Place) -> None:
        of = node.of
        tokens = of in self.game.tokens
        if not tokens and of not in self.game.components:
            known = [*self.game.components, *self.game.tokens]
            if of in self.c.names.all:
                here = [(self.c.names.all[of], "declared here")]
                self.error(
                    "D0204",
                    f"`{of}` is neither a component nor a token",
                    of.span,
                    related=here,
                    help=f"write `token {of}: ...` or `component {of}: ...`",
                )
            else:
                self.error(
                    "D0206", f"there is no component or token `{of}`", of.span, help=did_you_mean(of, known)
                )
            return
        shape = SHAPES[str(node.shape.word)]
        key = f"{owner}.{node.name}" if owner else str(node.name)
        decl = PlaceDecl(
            name=str(node.name),
            span=node.name.span,
            owner=owner,
            indices=self._indices(node.indices),
            shape=shape.name,
            of=str(of),
            tokens=tokens,
            cites=cites_of(node),
            doc=doc_of(node),
        )
        self.game.places[key] = decl
        if isinstance(node.shape, syntax.ShapeGrid) and node.shape.width is not None:
            assert node.shape.height is not None
            decl.width = self.c.exprs.fixed_number(node.shape.width, decl.name, "the width", low=1)
            decl.height = self.c.exprs.fixed_number(node.shape.height, decl.name, "the height", low=1)
        if isinstance(node.shape, syntax.ShapeRing):
            if node.shape.size is not None:
                decl.width = self.c.exprs.fixed_number(node.shape.size, decl.name, "the size", low=1)
            else:
                self.error("D0315", "how many spaces has the ring?", node.shape.span, help="write `ring 9`")
        if tokens and shape.ends:
            self.error(
                "D0314",
                f"tokens have no order, so a {shape} cannot hold them",
                node.shape.span,
                help=f"make it a `bag`, or `{of}` a component",
            )
        if tokens and grows(node):
            self.error(
                "D0314",
                "tokens cannot make a grid grow",
                node.shape.span,
                help="give it a size: `grid 5 by 5`",
            )
        if not tokens and self.game.components[str(of)].on is not None:
            standing = self.game.components[str(of)]
            self.error(
                "D0314",
                f"{t.a(t.Comp(str(of)))} stands on {t.a(standing.on) if standing.on else 'something'}, so it cannot lie in a place",
                of.span,
                related=[(standing.span, "declared here")],
            )
        explicit_size = False
        clauses: dict[type, Span] = {}
        for clause in node.clauses:
            if type(clause) in clauses:
                self.error(
                    "D0202",
                    "this is said twice",
                    clause.span,
                    related=[(clauses[type(clause)], "first here")],
                )
            clauses.setdefault(type(clause), clause.span)
            match clause:
                case syntax.SeenBy(who=who):
                    decl.seen = self._member_audience(who, owner)
                case syntax.SizeSeenBy(who=who):
                    decl.size_seen = self._member_audience(who, owner)
                    explicit_size = True
                case syntax.TopSeenBy(who=who):
                    decl.top_seen = self._member_audience(who, owner)
                    if not shape.top_open:
                        help_line = "`peek` shows the top of a deck" if shape.hidden else None
                        self.error(
                            "D0315",
                            f"the top of a {shape} is not something to see",
                            clause.span,
                            help=help_line,
                        )
                case syntax.AtMost(limit=limit):
                    if not shape.limited:
                        self.error(
                            "D0315",
                            f"`at most` is for a bag, a row or a stack, not for a {shape}",
                            clause.span,
                        )
                    decl.cap = self.c.exprs.fixed_number(limit, decl.name, "the limit", high=t.MANY)
                case syntax.PerGroup(name=name):
                    decl.per = str(name)
                    if owner != "player":
                        self.error("D0316", "`per` is for a place that each player has", clause.span)
        if not explicit_size:
            decl.size_seen = SeenByAll()

    def _member_audience(self, node: syntax.Audience, owner: str) -> Audience:
        if isinstance(node, syntax.AudienceOwner) and owner != "player":
            self.error(
                "D0308", "this has no owner: only what each player has is seen by its owner", node.span
            )
            return SeenByNobody()
        audience = self.c.moves.audience(node, self.c.exprs.constants("audience"), owner=True)
        if not isinstance(audience, SeenBy):
            return audience
        return SeenBy(self.c.exprs.fixed(audience.players, "who sees it"))

    def initial_values(self) -> None:
        for owner, member in self.c.names.members():
            key = f"{owner}.{member.name}" if owner else str(member.name)  # type: ignore[attr-defined]
            if isinstance(member, syntax.State) and key in self.game.states:
                decl = self.game.states[key]
                first = self.c.exprs.value(
                    member.initial, self.c.exprs.constants(key), decl.type, "the first value"
                )
                decl.initial = self.c.exprs.fixed(first, "the first value")
                if member.seen is not None:
                    decl.seen = self._member_audience(member.seen, owner)
                if decl.until == "moved" and (not owner or owner == "player"):
                    assert member.until is not None
                    self.error(
                        "D0207",
                        "`until moved` is for what a component has",
                        member.until.span,
                        help="write `each Card has:`, say",
                    )
            if isinstance(member, syntax.Place) and key in self.game.places:
                for clause in member.clauses:
                    if isinstance(clause, syntax.AtMost) and clause.rest is not None:
                        rest = self.c.exprs.expr(
                            clause.rest, Scope(Body(key, "constant"), has_me=owner == "player")
                        )
                        if isinstance(rest.type, t.Place):
                            self.game.places[key].rest = rest
                        elif not isinstance(rest.type, t.Unknown):
                            self.error(
                                "D0314",
                                f"the rest goes to a place, not to {t.a(rest.type)}",
                                clause.rest.span,
                            )
                        if isinstance(rest.type, t.Place) and not self.c.fit.passable(rest.type):
                            self.error(
                                "D0315",
                                f"the rest cannot go to {t.a(rest.type)}",
                                clause.rest.span,
                                related=self.c.paths.where(rest),
                            )
                        elif isinstance(rest.type, t.Place) and rest.type.of != self.game.places[key].of:
                            self.error(
                                "D0314",
                                f"this holds {rest.type.of}, not {self.game.places[key].of}",
                                clause.rest.span,
                            )
                    if (
                        isinstance(clause, syntax.PerGroup)
                        and owner == "player"
                        and clause.name not in self.game.partitions
                    ):
                        self.error(
                            "D0201",
                            f"there is no partition `{clause.name}`",
                            clause.name.span,
                            help=did_you_mean(clause.name, self.game.partitions),
                        )

    def rests(self) -> None:
        """What is too much must come to lie somewhere in the end."""
        for place in self.game.places.values():
            way = [place]
            while (
                way[-1].rest is not None
                and isinstance(way[-1].rest, PlaceRef)
                and way[-1].rest.place not in way
            ):
                way.append(way[-1].rest.place)
            last = way[-1].rest
            if last is not None and isinstance(last, PlaceRef) and last.place is place:
                self.error("D0318", f"the rest of `{place.name}` comes back to `{place.name}`", place.span)

    def partitions(self) -> None:
        for node in self.c.names.each(syntax.Partition):
            scope = self.c.exprs.constants(str(node.name))
            var = scope.bind("seat", t.Num(1, max(self.game.players)))
            by = self.c.exprs.number(node.by, scope, "what the groups go by")
            found = not_constant(by, frozenset((var.uid,)))
            if found is not None:
                by = self.error(
                    "D0317", "groups go by `seat` and what is fixed before the game starts", found[0]
                )
            self.game.partitions[str(node.name)] = PartitionDecl(
                name=str(node.name), span=node.name.span, by=by, var=var, cites=cites_of(node)
            )
