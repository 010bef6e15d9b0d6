"""What was replaced but is still called: old versions under names of their own."""

from __future__ import annotations

from typing import Any

import attrs

from ...grammar import Report, Span, Word, syntax
from .addresses import NAMELESS, called, name_of, word_for
from .claims import Key
from .originals import MadeWhole, Wrapping, value_with
from .own_names import slug
from .trees import Kept, Made, walk


def headed(old: Any, item: Any) -> Any:
    """The new declaration: as it is written, or with the header of the old one where it has none."""
    match item:
        case (
            syntax.ReplaceRule(body=body) | syntax.ReplaceTrigger(body=body) | syntax.ReplaceEnding(body=body)
        ):
            return attrs.evolve(old, body=body)
        case syntax.ReplaceTable():
            return attrs.evolve(old, rows=item.rows, doc=item.doc, cite=item.cite or old.cite)
        case syntax.ReplaceScore() | syntax.ReplaceValue():
            return attrs.evolve(old, value=item.value, doc=item.doc, cite=item.cite or old.cite)
    new = item.decl
    match new:
        case syntax.Define(params=None) if isinstance(old, syntax.Define) and old.params is not None:
            return attrs.evolve(
                old, value=new.value, doc=new.doc, cite=new.cite or old.cite, type=new.type or old.type
            )
        case syntax.Action(params=None, menu=None) if old.params is not None or old.menu is not None:
            return attrs.evolve(old, body=new.body)
    return new


class Keeper:
    """Old versions; `kept` are those that stand beside the new ones as declarations."""

    def __init__(self, decls: list[syntax.Decl]) -> None:
        game = next((d for d in decls if isinstance(d, syntax.Game)), None)
        self.title = str(game.name) if game is not None else "base"
        self.looks = [d for d in decls if isinstance(d, syntax.Look | syntax.LookSaying)]
        self.names = {str(getattr(n, "name", "")) for n in walk(tuple(decls))}
        self.makers: dict[Key, str] = {}
        self.kept: list[syntax.Decl] = []

    def made_by(self, key: Key, variant: syntax.Variant) -> None:
        self.makers[key] = str(variant.name)

    def name(self, key: Key) -> str:
        """The name of what stands there now, when something else takes its place."""
        plain = (key[1] or key[0]).rpartition(".")[2].lower()
        start = f"{plain}_of_{slug(self.makers.get(key, self.title))}"
        name, number = start, 2
        while name in self.names:
            name, number = f"{start}_{number}", number + 1
        self.names.add(name)
        return name

    def wrapped(self, old: Any, new: Any, key: Key, report: Report) -> Any:
        """The new declaration with the old one in place of `original`."""
        hidden = self.name(key)
        if not hasattr(new, "value"):
            wrapping = Wrapping(old, new.body, hidden, report)
            made = attrs.evolve(new, body=wrapping.body())
            if wrapping.as_rule:
                self._keep(old, hidden, key)
            return made
        if isinstance(new, syntax.Define) and (new.params is None) != (getattr(old, "params", None) is None):
            return new  # what does not fit has been told
        self._keep(old, hidden, key)
        params = _params(new)
        return attrs.evolve(new, value=value_with(new.value, hidden, params))

    def _keep(self, old: Any, hidden: str, key: Key) -> None:
        span = old.span
        if isinstance(old, syntax.Score | syntax.Value):
            word = Span(span.source, span.start, span.start + len(word_for(old)))
            kind = syntax.PlainType(
                syntax.NamedType(Word("player", old.player.span), span=old.player.span), span=old.player.span
            )
            param = syntax.Param(old.player, kind, span=old.player.span)
            name = Kept(hidden, word, f"define {hidden}")
            kept: Any = syntax.Define(name, (param,), None, old.value, old.cite, old.doc, span=span)
        else:
            kept = attrs.evolve(old, name=Kept(hidden, old.name.span))
        self.kept.append(kept)
        as_in = self.makers.get(key, self.title)
        for look in self.looks:
            if str(look.owner) == (key[1] or key[0]) and look.member is None:
                self.kept.append(_look(look, hidden, as_in))


def _look(look: Any, hidden: str, as_in: str) -> Any:
    owner = Made(hidden, look.owner.span)

    def said(text: Any) -> MadeWhole:
        new = f"{text}, as in {as_in}"
        quoted = new.replace("\\", "\\\\").replace('"', '\\"')
        return MadeWhole(new, text.span, f'"{quoted}"')

    if isinstance(look, syntax.LookSaying):
        return attrs.evolve(look, owner=owner, says=said(look.says))
    parts = tuple(
        attrs.evolve(p, text=said(p.text)) if isinstance(p, syntax.LookSays) else p for p in look.parts
    )
    return attrs.evolve(look, owner=owner, parts=parts)


def _params(decl: Any) -> tuple[str, ...] | None:
    if isinstance(decl, NAMELESS):
        return (str(decl.player),)  # type: ignore[union-attr]
    return None if decl.params is None else tuple(str(p.name) for p in decl.params)


__all__ = ["Keeper", "called", "headed", "name_of"]
