"""The search for circles among objects, put off while many are made that will stay.

Python looks for what is no longer reachable whenever some hundred more objects are there than
before. Trees, checked games and engines are tens of thousands, none of them garbage, and the
search goes through all of them again and again: a fifth of the time of reading one.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def building() -> Iterator[None]:
    """In here nothing is collected, unless that was so before."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
