"""A client without any library: what the server writes is taken apart byte by byte, and nothing may be left over."""

from __future__ import annotations

import json
import subprocess
import threading
from typing import Any


class Wire:
    """A server as a process, spoken to in frames."""

    def __init__(self, command: list[str]) -> None:
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.guard = threading.Timer(
            300, self.process.kill
        )  # a server that says nothing fails, and does not hang
        self.guard.daemon = True
        self.guard.start()
        self.number = 0
        self.told: list[dict[str, Any]] = []

    def send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def tell(self, method: str, params: Any) -> None:
        self.send({"method": method, "params": params})

    def ask(self, method: str, params: Any) -> dict[str, Any]:
        """The answer, be it a result or an error."""
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        while True:
            message = self.read()
            if message.get("id") == self.number and "method" not in message:
                return message
            self.take(message)

    def take(self, message: dict[str, Any]) -> None:
        """What the server says by itself; what it asks is answered with nothing."""
        self.told.append(message)
        if "id" in message:
            self.send({"id": message["id"], "result": None})

    def read(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        length = 0
        while (line := self.process.stdout.readline()) != b"\r\n":
            name, _, value = line.partition(b": ")
            assert name in (b"Content-Length", b"Content-Type"), line
            if name == b"Content-Length":
                length = int(value)
        found: dict[str, Any] = json.loads(self.process.stdout.read(length))
        return found

    def start(self, *folders: str, **more: Any) -> dict[str, Any]:
        workspace = [{"uri": folder, "name": folder} for folder in folders]
        answer = self.ask(
            "initialize", {"processId": None, "capabilities": {}, "workspaceFolders": workspace, **more}
        )
        self.tell("initialized", {})
        return answer

    def open(self, uri: str, text: str) -> None:
        document = {"uri": uri, "languageId": "dragon", "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": document})

    def findings(self, uri: str, *codes: str) -> list[dict[str, Any]]:
        """Wait until these are the codes that are told of a document."""
        while True:
            for message in self.told:
                if message["method"] == "textDocument/publishDiagnostics" and message["params"]["uri"] == uri:
                    found = message["params"]["diagnostics"]
                    if sorted(d["code"] for d in found) == sorted(codes):
                        return list(found)
            self.told.clear()
            self.take(self.read())

    def end(self) -> None:
        self.guard.cancel()
        self.process.kill()
        self.process.wait()

    def stop(self) -> int:
        """Its exit code; nothing may stand behind the last frame."""
        assert self.ask("shutdown", None)["result"] is None
        self.tell("exit", None)
        assert self.process.stdout is not None and self.process.stdin is not None
        self.process.stdin.close()
        rest = self.process.stdout.read()
        while rest:
            head, _, body = rest.partition(b"\r\n\r\n")
            assert head.startswith(b"Content-"), rest
            length = next(
                int(x.split(b":")[1]) for x in head.split(b"\r\n") if x.startswith(b"Content-Length")
            )
            rest = body[length:]
        self.process.stdout.close()
        return self.process.wait()
