"""Where things that can be made again are kept between runs."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path | None:
    """`DRAGONRULES_CACHE` (`off` for none), else the user's cache folder; None if there is none."""
    named = os.environ.get("DRAGONRULES_CACHE")
    if named:
        return None if named == "off" else Path(named)
    base = os.environ.get("XDG_CACHE_HOME")
    try:
        return (Path(base) if base else Path.home() / ".cache") / "dragonrules"
    except RuntimeError:  # no home
        return None
