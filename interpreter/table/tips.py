"""What is told about something when one points at it: words, what is printed, what the rules say of it."""

from __future__ import annotations

from typing import Any

from ..core import CheckedGame
from ..core import value_types as t
from ..play.match import Option
from .scene import Item, Scene
from .words import Words, capital

LONGEST = 300


class Tips:
    def __init__(self, game: CheckedGame, words: Words) -> None:
        self.game, self.words = game, words
        self._decls: dict[str, Any] = {
            decl.name: decl for decl in (*game.phases, *game.triggers.values(), *game.rules.values())
        }
        self._known: dict[tuple[str, int], str] = {}

    def rule(self, name: str | None) -> str | None:
        """A rule with its own words and where the rulebook has it."""
        decl = self._decls.get(name or "")
        if decl is None:
            return None
        doc = f": {decl.doc}" if decl.doc else ""
        return f"{capital(self.words.dress.name(decl.name))}{doc}{_cites(decl)}"

    def cite(self, name: str | None) -> str | None:
        """The name of a rule, short, for the end of a sentence."""
        decl = self._decls.get(name or "")
        if decl is None or name == "setup":
            return None
        return f"{self.words.dress.name(decl.name)}{_cites(decl)}"

    def option(self, option: Option) -> str | None:
        target = option.targets[0] if option.targets else None
        if target is None:
            return None
        if target.kind == "action":
            return self.rule(target.name)
        return self.thing(target.name) if target.kind == "thing" else None

    def thing(self, name: str) -> str:
        """What is printed on a component, and what the rules say of that."""
        found = self.words.identity(name)
        if found is None:
            return name
        if found not in self._known:
            self._known[found] = self._thing(*found)
        return self._known[found]

    def _thing(self, comp: str, number: int) -> str:
        layout = self.words.layout.comps[comp]
        attire = self.words.dress.thing(comp, number)
        parts = [capital(attire.words)]
        for field, column in layout.columns.items():
            type_ = layout.decl.fields[field]
            inner = type_.of if isinstance(type_, t.Opt) else type_
            if isinstance(inner, t.Kind) and inner.name in self.game.kinds and column[number] >= 0:
                decl = self._decls.get(self.game.kinds[inner.name].values[column[number]])
                if decl is not None and decl.doc:
                    parts.append(f"{decl.doc}{_cites(decl)}")
        if len(parts) == 1 and layout.decl.doc:
            parts.append(str(layout.decl.doc))
        text = ". ".join(part.rstrip(".") for part in parts)
        return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"

    def dress(self, scene: Scene) -> None:
        """Give every thing of a scene its tip."""
        for _, spot in scene.spaces():
            for item in [spot.item, *spot.pieces]:
                if item is not None:
                    self._item(item)
        for panel in [*scene.panels.values(), scene.common]:
            for heap in panel.heaps:
                for item in heap.items:
                    self._item(item)

    def _item(self, item: Item) -> None:
        item.tip = self.thing(item.name)
        for heap in item.heaps:
            for one in heap.items:
                one.tip = self.thing(one.name)


def _cites(decl: Any) -> str:
    return f" [{', '.join(decl.cites)}]" if getattr(decl, "cites", None) else ""
