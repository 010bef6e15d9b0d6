"""Better machine code, made beside the play by a process of its own.

The first code of a game is made with a short list of passes, because somebody waits
for it. Who then plays for long gets the code of a whole level of optimisation, which
takes some seconds to make and is half as fast again in a large game; it is kept,
and so the next run begins with it. If that process dies, the first code stays.
"""

from __future__ import annotations

import contextlib
import subprocess
import tempfile
import weakref
from typing import TYPE_CHECKING

from .made import Made
from .object_cache import BETTER, LONGEST, Died, command, keep, keep_death, kept, request, surroundings

if TYPE_CHECKING:
    from ..play.engine import Engine


class Improvement:
    def __init__(self, engine: Engine, made: Made) -> None:
        from .module import Module  # late: as rarely needed as this

        self.engine = engine
        self.made = made
        self._files = contextlib.ExitStack()
        self._process: subprocess.Popen[bytes] | None = None
        try:
            self._found = kept(engine, BETTER)
        except Died:
            self._found = None
            return
        if self._found is not None:
            return
        out = self._files.enter_context(tempfile.TemporaryFile())  # noqa: SIM115 (it is one)
        with tempfile.TemporaryFile() as text:
            text.write(request(Module(engine).text(), BETTER))
            text.seek(0)
            try:
                self._process = subprocess.Popen(
                    command(),
                    stdin=text,
                    stdout=out,
                    stderr=subprocess.DEVNULL,
                    env=surroundings(),
                )
            except OSError:
                return
        self._out = out
        weakref.finalize(self, self._process.kill)

    def wait(self) -> None:
        if self._process is not None:
            try:
                self._process.wait(LONGEST)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()

    def take(self) -> bytes | None:
        """The code, once, when it is there."""
        if self._found is not None:
            code, self._found = self._found.code, None
            return code
        if self._process is None or self._process.poll() is None:
            return None
        process, self._process = self._process, None
        if process.returncode != 0:
            keep_death(self.engine, "the compiler died", BETTER)
            self._files.close()
            return None
        self._out.seek(0)
        code = self._out.read()
        self._files.close()
        keep(self.engine, self.made._replace(code=code), BETTER)
        return code
