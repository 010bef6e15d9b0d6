"""A series as plain text, for workers on other machines.

Rules travel as the text of their files; games that ship with dragonrules by
name. Whoever unpacks a parcel makes the game anew and compares fingerprints: of
the rules, and of the program that this version of dragonrules makes of them. So
two machines either play the same games or say that they do not.
"""

from __future__ import annotations

import hashlib
import json
from functools import cached_property, lru_cache
from pathlib import Path

from attrs import frozen

from ..core.errors import UsageError
from ..files.carrying import Carried, carried, laid_out
from ..loading import load
from .playing import Series


class OtherRules(UsageError):
    """This machine would not play the same games."""

    def __init__(self, what: str) -> None:
        super().__init__(
            "D0709",
            f"a worker makes {what} than this machine",
            "install the same version of dragonrules on all workers",
        )


@frozen(slots=False)
class Parcel:
    """Everything that the games of a series follow from. `files` are paths and texts; `spec` and `variants`
    say where they are: among those sent, among those that ship with dragonrules, or a plain name."""

    files: tuple[tuple[str, str], ...]
    spec: str
    variants: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    fingerprint: str
    shape: str
    lineup: tuple[str, ...]
    seed: int
    rotate: bool
    limit: int
    counted: bool
    lead: bool
    keyed: bool

    @cached_property
    def digest(self) -> str:
        """Names the parcel: equal contents, equal name."""
        data = [getattr(self, a.name) for a in self.__attrs_attrs__]
        return hashlib.sha256(json.dumps(data).encode()).hexdigest()[:32]


def pack(series: Series) -> Parcel:
    game = series.game
    rules = game.carried or carried(game.spec, game.variants, Path.read_bytes)
    return Parcel(
        files=rules.files,
        spec=rules.spec,
        variants=rules.variants,
        options=tuple(sorted((name, str(value)) for name, value in game.given_options.items())),
        fingerprint=game.fingerprint,
        shape=series.engine.shape,
        lineup=series.lineup,
        seed=series.seed,
        rotate=series.rotate,
        limit=series.limit,
        counted=series.counted,
        lead=series.lead,
        keyed=series.keyed,
    )


@lru_cache(maxsize=64)
def unpack(parcel: Parcel) -> Series:
    """The series again, made once in a process however many batches it plays."""
    rules = Carried(parcel.files, parcel.spec, parcel.variants)
    spec, variants = laid_out(rules)
    game = load(spec, variants=variants, options=dict(parcel.options))
    if game.fingerprint != parcel.fingerprint:
        raise OtherRules("other rules of the same files")
    series = Series(
        game,
        parcel.lineup,
        seed=parcel.seed,
        rotate=parcel.rotate,
        limit=parcel.limit,
        counted=parcel.counted,
        lead=parcel.lead,
        keyed=parcel.keyed,
    )
    if series.engine.shape != parcel.shape:
        raise OtherRules("another program of the same rules")
    return series
