"""Which files can have a say in what a rule file means, and what they hold now.

A variant's game is looked for beside it, in the folder above and among the shipped games;
with a game go its variants and scenarios. What was found out about a file holds as long as
none of these has changed, gone or been added.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

from attrs import Factory, define

from ...interpreter.files.find_specs import SUFFIX, shipped, shipped_folders
from ...interpreter.files.find_variants import bases_of

PARTS = ("", "variants", "scenarios")


@define
class Texts:
    """Fingerprints of the rule files in folders, each as it was when it was first asked for."""

    folders: dict[Path, str] = Factory(dict)

    def about(self, file: Path) -> tuple[object, ...]:
        """A key for what is found out about a file."""
        return ("findings", str(file), tuple(map(self._in, _folders(file))))

    def _in(self, folder: Path) -> str:
        if folder not in self.folders:
            digest = sha256(str(folder).encode())
            for file in sorted(folder.glob(f"*{SUFFIX}")):
                try:
                    text = sha256(file.read_bytes()).digest()
                except OSError:
                    text = b"cannot be read"
                digest.update(f"\0{file.name}\0".encode() + text)
            self.folders[folder] = digest.hexdigest()
        return self.folders[folder]


def covers(file: Path, read: Iterable[Path]) -> bool:
    """Are all files that were read among those around a file, and does none name another by a path?"""
    about = {os.path.abspath(folder) for folder in _folders(file)}
    return all(
        os.path.dirname(os.path.abspath(path)) in about
        and all(Path(base).name == base for base in bases_of(path))
        for path in read
    )


def _folders(file: Path) -> list[Path]:
    above = Path(os.path.normpath(file.parent / ".."))
    around = [folder / name for folder in (file.parent, above) for name in PARTS]
    return [*around, *(shipped() / name for name in PARTS), *shipped_folders().values()]
