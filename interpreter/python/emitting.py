"""Which method of the emitter writes which form: filled by the decorators over the methods.

The parts of the emitter are in emit*.py; a test asks here which classes and operators have no code.
"""

from __future__ import annotations

from ..core.dispatch import Dispatch

writes_value = Dispatch()
writes_lines = Dispatch()
writes_end = Dispatch()
