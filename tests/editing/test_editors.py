"""What docs/howto/editors.md tells people to write into their editors does what it says.

Neovim and Emacs run it, where they are installed. Helix and Sublime Text cannot be had everywhere: of them
the settings are read as they would read them, and the command that stands there is started.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from .frames import Wire
from .test_server import GAME, VARIANT

pytest.importorskip("pygls")
PAGE = Path(__file__).parents[2] / "docs" / "howto" / "editors.md"
LONG = 300
"""Seconds after which something hangs."""


def block(editor: str) -> str:
    """The lines for one editor."""
    found = re.search(rf"\*\*{editor}.*?```\w+\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    return found[1]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with a game and a variant, and the command where an editor finds it."""
    rules, programs = tmp_path / "rules", tmp_path / "bin"
    rules.mkdir()
    programs.mkdir()
    (rules / "beans.dragon").write_text(GAME.replace("count(p.sack)", "count(p.sakc)"))
    (rules / "greed.dragon").write_text(VARIANT)
    command = programs / "dragonrules"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m dragonrules "$@"\n')
    command.chmod(0o755)
    return tmp_path


def run(place: Path, *command: str) -> None:
    environment = {
        **os.environ,
        "PATH": f"{place / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(place),
        "XDG_STATE_HOME": str(place),
    }
    done = subprocess.run(
        command,
        cwd=place / "rules",
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=LONG,
    )
    assert done.returncode == 0, done.stderr.decode()[-2000:]


IN_NEOVIM = """\
local out = {}
local function diagnosed(number)
  return vim.wait(120000, function() return #vim.diagnostic.get(0) == number end, 50)
end
local function asked(method, line, column)
  local params = { textDocument = vim.lsp.util.make_text_document_params() }
  if line then params.position = { line = line, character = column } end
  for _, answer in pairs(vim.lsp.buf_request_sync(0, method, params, 120000) or {}) do return answer.result end
end
out.attached = vim.wait(60000, function() return #vim.lsp.buf_get_clients(0) > 0 or vim.lsp.buf_get_clients(0)[1] ~= nil end, 50)
out.slip = diagnosed(1) and vim.diagnostic.get(0)[1].message
out.filetype = vim.bo.filetype
local number = vim.fn.search("sakc")
out.line = number
vim.api.nvim_buf_set_lines(0, number - 1, number, true, { (vim.fn.getline(number):gsub("sakc", "sack")) })
out.clean = diagnosed(0)
out.symbols = {}
for _, symbol in ipairs(asked("textDocument/documentSymbol")) do table.insert(out.symbols, symbol.name) end
local column = vim.fn.getline(number):find("goal")
out.hover = asked("textDocument/hover", number - 1, column).contents.value
out.definition = asked("textDocument/definition", number - 1, column)[1].range.start.line
vim.fn.writefile({ vim.json and vim.json.encode(out) or vim.fn.json_encode(out) }, "out.json")
vim.cmd("qall!")
"""


@pytest.mark.skipif(shutil.which("nvim") is None, reason="Neovim is not installed")
def test_neovim(place: Path) -> None:
    (place / "init.lua").write_text(block("Neovim"))
    (place / "drive.lua").write_text(IN_NEOVIM)
    run(
        place, "nvim", "--headless", "--clean", "-u", str(place / "init.lua"), "beans.dragon",
        "-c", f"luafile {place / 'drive.lua'}", "-c", "qall!",
    )  # fmt: skip
    found: dict[str, Any] = json.loads((place / "rules" / "out.json").read_text())
    assert found["attached"] and found["filetype"] == "dragon"
    assert "did you mean `sack`" in found["slip"] and found["clean"]
    assert found["symbols"][:3] == ["Beans", "goal", "Bean"]
    assert "So many beans win." in found["hover"]
    assert found["definition"] == GAME[: GAME.index("option goal")].count("\n")


IN_EMACS = """\
(require 'eglot)
(setq eglot-sync-connect 120 eglot-connect-timeout 120)
(defun until (test) (let ((n 0)) (while (and (< n 1200) (not (funcall test))) (accept-process-output nil 0.1) (setq n (1+ n)))))
(find-file "beans.dragon")
(unless (eglot-current-server) (apply #'eglot (eglot--guess-contact)))
(until (lambda () (flymake-diagnostics)))
(let ((told (mapcar #'flymake-diagnostic-text (flymake-diagnostics))))
  (write-region (json-encode (list :mode (symbol-name major-mode) :told told)) nil "out.json"))
(kill-emacs 0)
"""


@pytest.mark.skipif(shutil.which("emacs") is None, reason="Emacs is not installed")
def test_emacs(place: Path) -> None:
    (place / "init.el").write_text("(ignore-errors (package-initialize))\n" + block("Emacs"))
    (place / "drive.el").write_text(IN_EMACS)
    known = subprocess.run(
        ["emacs", "--batch", "--eval", "(progn (ignore-errors (package-initialize)) (require 'eglot))"],
        stdin=subprocess.DEVNULL, capture_output=True, timeout=LONG,
    )  # fmt: skip
    if known.returncode:
        pytest.skip("this Emacs has no Eglot")
    run(place, "emacs", "--batch", "-l", str(place / "init.el"), "-l", str(place / "drive.el"))
    found: dict[str, Any] = json.loads((place / "rules" / "out.json").read_text())
    assert found["mode"] == "dragon-mode" and "did you mean `sack`" in found["told"][0]


def answers(place: Path, command: list[str]) -> None:
    """The command of some settings is one that serves an editor."""
    assert command[0] == "dragonrules"
    wire = Wire([str(place / "bin" / command[0]), *command[1:]])
    try:
        assert wire.start(place.as_uri())["result"]["serverInfo"]["name"] == "dragonrules"
        wire.open((place / "rules" / "beans.dragon").as_uri(), GAME.replace("count(p.sack)", "count(p.sakc)"))
        wire.findings((place / "rules" / "beans.dragon").as_uri(), "D0205")
        assert wire.stop() == 0
    finally:
        wire.end()


def test_helix(place: Path) -> None:
    settings = tomllib.loads(block("Helix"))
    (language,) = settings["language"]
    (server,) = (settings["language-server"][name] for name in language["language-servers"])
    assert language["file-types"] == ["dragon"] and language["comment-token"] == "#"
    answers(place, [server["command"], *server["args"]])


def test_sublime_text(place: Path) -> None:
    client = json.loads(block("Sublime Text"))["clients"]["dragonrules"]
    grammar = json.loads((PAGE.parents[1] / "editors" / "vscode" / "dragon.tmLanguage.json").read_text())
    assert client["enabled"] and client["selector"] == grammar["scopeName"]
    answers(place, client["command"])
