"""A little English: names as words, plurals, articles, possessives, lists."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .document import plain

_IRREGULAR = {
    "die": "dice",
    "person": "people",
    "foot": "feet",
    "thief": "thieves",
    "dwarf": "dwarves",
    "hero": "heroes",
}
_NUMBERS = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
_ORDINALS = {1: "st", 2: "nd", 3: "rd"}
_AGREEING = {"is": "are", "has": "have", "goes": "go", "does": "do", "was": "were"}


def words(name: str) -> str:
    """`place_chamber` and `PlaceChamber` as words in lower case; a letter alone stays as it is."""
    bare = name.rpartition(".")[2]
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", bare.replace("_", " ")).strip()
    return spaced if len(spaced) == 1 else spaced.lower()


def plural(noun: str) -> str:
    if " of " in noun:
        head, _, rest = noun.partition(" of ")
        return f"{plural(head)} of {rest}"
    head, _, last = noun.rpartition(" ")
    start = f"{head} " if head else ""
    if last.lower() in _IRREGULAR:
        return start + _IRREGULAR[last.lower()]
    if re.search(r"(s|x|z|ch|sh)$", last):
        return f"{noun}es"
    if re.search(r"[^aeiou]y$", last):
        return f"{noun[:-1]}ies"
    return f"{noun}s"


def counted(count: int, noun: str) -> str:
    return f"{count} {noun if count == 1 else plural(noun)}"


def a(noun: str) -> str:
    """With its indefinite article."""
    bare = plain(noun)
    sounds_open = bare[:1].lower() in "aeiou" and not bare.lower().startswith(("uni", "one", "use"))
    return f"{'an' if sounds_open else 'a'} {noun}"


def ordinal(number: int) -> str:
    ending = "th" if number % 100 in (11, 12, 13) else _ORDINALS.get(number % 10, "th")
    return f"{number}{ending}"


def number_word(number: int) -> str:
    return _NUMBERS[number] if 0 <= number < len(_NUMBERS) else str(number)


def possessive(owner: str) -> str:
    """`you` is `your`, `the host` is `the host's`."""
    bare = plain(owner)
    if bare == "you":
        return "your"
    if bare.endswith(("players", "s'")):
        return f"{owner}'"
    return f"{owner}'s"


def belonging(owner: str, noun: str) -> str:
    """`your land`, `the chamber's effect`; `the land of the island where your dragon is`."""
    if re.search(r"\b(where|which|that|who|whose) .*\b(is|are|has|have|lies|stands)$", plain(owner)):
        return f"the {noun} of {owner}"
    return f"{possessive(owner)} {noun}"


def listed(parts: Sequence[str], joint: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {joint} {parts[-1]}"


def is_are(subject: str, many: bool = False) -> str:
    return "are" if many or plain(subject) == "you" else "is"


def has_have(subject: str, many: bool = False) -> str:
    return "have" if many or plain(subject) == "you" else "has"


def third_person(text: str, subject: str) -> str:
    """A sentence about you, about somebody else instead: "you take two" is "the host takes two"."""

    def verb(found: re.Match[str]) -> str:
        word = found[1]
        for third, plain_form in _AGREEING.items():
            if word == plain_form:
                return f"{subject} {third}"
        return f"{subject} {word if word in ('can', 'may', 'must') else inflected(word, subject)}"

    text = re.sub(r"\byour\b", possessive(subject), text)
    return re.sub(r"\byou\b", subject, re.sub(r"\byou (\w+)", verb, text))


def agree(sentence: str) -> str:
    """`you enters` and `you's` as people say it, after names have been put into a sentence."""

    def verb(found: re.Match[str]) -> str:
        you, word = found.groups()
        if word in _AGREEING:
            return f"{you} {_AGREEING[word]}"
        if re.search(r"(sses|shes|ches|xes|zes)$", word):
            return f"{you} {word[:-2]}"
        if word.endswith("ies"):
            return f"{you} {word[:-3]}y"
        return f"{you} {word[:-1]}"

    sentence = re.sub(r"\b([Yy])ou's\b", r"\1our", sentence)
    return re.sub(r"\b([Yy]ou) (is|has|goes|does|was|[a-z]+[^s\W]s)\b", verb, sentence)


def inflected(verb: str, subject: str) -> str:
    """A verb for its subject: imperative for `you`, third person for anybody else."""
    if plain(subject) == "you":
        return verb
    if re.search(r"(s|x|z|ch|sh|o)$", verb):
        return f"{verb}es"
    return f"{verb[:-1]}ies" if re.search(r"[^aeiou]y$", verb) else f"{verb}s"
