"""The text model of a rulebook: headings, paragraphs, steps, lists and tables; renderers turn it into a file.

Inside a line of text, links and emphasis are marked with characters of a
private range of Unicode, so that sentences can be put together, capitalised and
joined like any other string; `pieces` takes such a line apart again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from attrs import Factory, define, frozen

_LINK, _TO, _END, _EM, _ME, _STRONG, _GNORTS = "\ue000\ue001\ue002\ue003\ue004\ue005\ue006"
_MARKS = f"{_LINK}{_TO}{_END}{_EM}{_ME}{_STRONG}{_GNORTS}"
_PIECE = re.compile(
    f"{_LINK}([^{_MARKS}]*){_TO}([^{_LINK}{_TO}{_END}]*){_END}|{_EM}([^{_MARKS}]*){_ME}"
    f"|{_STRONG}([^{_MARKS}]*){_GNORTS}|([^{_MARKS}]+)|."
)


def link(target: str, text: str) -> str:
    """Text that leads to a heading; a link inside it is dropped, as links do not nest."""
    return f"{_LINK}{target}{_TO}{unlinked(text)}{_END}"


def em(text: str) -> str:
    return f"{_EM}{plain(text)}{_ME}"


def strong(text: str) -> str:
    return f"{_STRONG}{plain(text)}{_GNORTS}"


def unlinked(text: str) -> str:
    return re.sub(f"{_LINK}[^{_TO}]*{_TO}|{_END}", "", text)


def plain(text: str) -> str:
    """A line without any marks."""
    return re.sub(f"[{_MARKS}]", "", unlinked(text))


def capital(text: str) -> str:
    """The first letter in upper case, wherever it stands among the marks."""
    at = 0
    while at < len(text) and text[at] in _MARKS:
        at = text.index(_TO, at) + 1 if text[at] == _LINK else at + 1
    return text[:at] + text[at : at + 1].upper() + text[at + 1 :]


def without_article(text: str) -> str:
    """A noun phrase without its first "the" or "all", also inside a link."""
    return re.sub(f"^((?:{_LINK}[^{_TO}]*{_TO})?)(?:the|all) ", r"\1", text)


def pieces(line: str) -> Iterator[tuple[str, str, str]]:
    """(kind, text, target) of a line's parts; kind is text, link, em or strong."""
    for found in _PIECE.finditer(line):
        target, label, slanted, bold, text = found.groups()
        if target is not None:
            yield "link", plain(label), target
        elif slanted is not None:
            yield "em", slanted, ""
        elif bold is not None:
            yield "strong", bold, ""
        elif text is not None:
            yield "text", text, ""


# ---------------------------------------------------------------- blocks
@frozen
class Paragraph:
    text: str


@define
class Step:
    """A sentence and what belongs below it."""

    text: str
    steps: list[Step] = Factory(list)


@frozen
class Steps:
    """A list; numbered when the order counts."""

    steps: Sequence[Step]
    numbered: bool = False


@frozen
class Grid:
    """A table; `numbers` are the columns that hold numbers."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    numbers: Sequence[int] = ()


@frozen
class Picture:
    """A drawing as SVG: `name` is for its file, `words` for who cannot see it, `width` so many pixels at most."""

    name: str
    drawing: str
    words: str
    width: int
    caption: str = ""


@frozen
class Gallery:
    """Pictures beside each other, in the order in which they are read."""

    pictures: Sequence[Picture]


@frozen
class Entry:
    """One thing of many that are alike: how it looks, what it is called, how many there are, what it does."""

    title: str
    text: str
    picture: Picture | None = None
    remark: str = ""


@frozen
class Entries:
    entries: Sequence[Entry]


Block = Paragraph | Steps | Grid | Gallery | Entries


@define
class Section:
    """A heading, what stands under it, and smaller sections. `target` is its name for links. `folded`: to be
    looked up, so it is closed at first where that can be, and not printed."""

    title: str
    target: str
    blocks: list[Block] = Factory(list)
    sections: list[Section] = Factory(list)
    folded: bool = False

    def say(self, text: str | None) -> None:
        if text:
            self.blocks.append(Paragraph(text))

    def list(self, steps: Sequence[Step], *, numbered: bool = False) -> None:
        if steps:
            self.blocks.append(Steps(tuple(steps), numbered))

    @property
    def is_empty(self) -> bool:
        return not self.blocks and not self.sections


@define
class Book:
    """A whole rulebook."""

    title: str
    lead: str
    intro: list[str]
    sections: list[Section] = Factory(list)


class Targets:
    """Names of headings for links: what a code host makes of the words, each once in a book.

    A thing asks for its target before or after its heading is written; both get
    the same one, because it depends on the thing alone.
    """

    def __init__(self) -> None:
        self._titles: dict[str, str] = {}
        self._taken: dict[str, str] = {}

    def enter(self, key: str, title: str) -> str:
        """Fix the title of a thing; if another one has it, the kind of thing is added."""
        if key not in self._titles:
            kind = key.partition(":")[0]
            for words in (title, f"{title} ({kind})", f"{title} ({key})"):
                if slug(words) not in self._taken:
                    break
            self._titles[key] = words
            self._taken[slug(words)] = key
        return self._titles[key]

    def over(self) -> Targets:
        """Headings on top of these, as a variant has them; titles stay unique over all."""
        out = Targets()
        out._titles = dict(self._titles)
        out._taken = self._taken
        return out

    def enter_again(self, key: str, title: str, owner: str) -> str:
        """A new heading for a thing that may have one already; `owner` tells the two apart."""
        words = title if slug(title) not in self._taken else f"{title} in {owner}"
        self._titles[key] = words
        self._taken[slug(words)] = key
        return words

    def title(self, key: str) -> str:
        return self._titles[key]

    def has(self, key: str) -> bool:
        return key in self._titles

    def of(self, key: str) -> str:
        return slug(self._titles[key])

    def link(self, key: str, text: str) -> str:
        """The text as a link, if there is a heading for the thing."""
        return link(self.of(key), text) if self.has(key) else text


def slug(title: str) -> str:
    """The anchor that code hosts and MyST give to a heading."""
    return re.sub(r"[^\w\- ]", "", plain(title).lower()).replace(" ", "-")
