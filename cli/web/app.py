"""The server: four static files and one socket, behind checks of where a request comes from.

Everything that people do goes over the socket. A request must name this server as its host, and
a socket must be opened by one of our own pages: so that no other page in the same browser, and no
name that somebody points at this machine, can reach a table.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from importlib.resources import files

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from ...interpreter.lab.plots import STYLE as PLOTS
from .doors import HOST, WATCH, Door
from .hall import Hall
from .hosted import Guest
from .wire import FOREIGN, LARGEST, LARGEST_TEXT, TOO_MUCH, UNKNOWN, Gone, Refused, read

SECONDS_TO_SAY_HELLO = 5.0
SOCKETS, SOCKETS_A_SEAT = 32, 4
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
STATIC = {
    "/": ("table.html", "text/html; charset=utf-8"),
    "/table.js": ("table.js", "text/javascript; charset=utf-8"),
    "/table.css": ("table.css", "text/css; charset=utf-8"),
    "/plots.css": ("", "text/css; charset=utf-8"),
    "/icon.svg": ("icon.svg", "image/svg+xml"),
    "/favicon.ico": ("icon.svg", "image/svg+xml"),
}


def application(
    hall: Hall, hosts: Iterable[str], *, sockets: int = SOCKETS, patience: float = SECONDS_TO_SAY_HELLO
) -> ASGIApp:
    """The server of a hall. `hosts` are the names, with ports, by which it may be called."""
    allowed = frozenset(hosts)
    open_sockets: list[Door] = []

    async def socket(ws: WebSocket) -> None:
        origin = ws.headers.get("origin", "")
        if ws.headers.get("host", "") not in allowed or origin.partition("://")[2] not in allowed:
            await ws.close(FOREIGN)
            return
        await ws.accept()
        wire = _Socket(ws)
        try:
            await _serve(hall, wire, open_sockets, sockets, patience)
        except Refused as refused:
            await wire.close(refused.code)
        except Gone:
            pass

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        hall.start()
        yield
        await hall.stop()

    routes = [Route(path, _static(*STATIC[path]), methods=["GET"]) for path in STATIC]
    app = Starlette(routes=[*routes, WebSocketRoute("/socket", socket)], lifespan=lifespan)
    return _Guarded(app, allowed)


def _static(name: str, kind: str) -> Callable[[Request], Awaitable[Response]]:
    content = files(__package__).joinpath("static", name).read_bytes() if name else PLOTS.encode()

    async def answer(_: Request) -> Response:
        return Response(content, media_type=kind)

    return answer


class _Guarded:
    """Every answer has our headers, and none is given to who calls this server by another name."""

    def __init__(self, app: ASGIApp, allowed: frozenset[str]) -> None:
        self.app, self.allowed = app, allowed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        host = next((value.decode("latin-1") for name, value in scope["headers"] if name == b"host"), "")

        async def with_headers(message: dict[str, object]) -> None:
            if message["type"] == "http.response.start":
                own = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
                message = {**message, "headers": [*message.get("headers", ()), *own]}  # type: ignore[misc]
            await send(message)

        if host not in self.allowed:
            await PlainTextResponse("this server has another name", 403)(scope, receive, with_headers)  # type: ignore[arg-type]
            return
        await self.app(scope, receive, with_headers)  # type: ignore[arg-type]


class _Socket:
    """Starlette's socket as a wire."""

    def __init__(self, ws: WebSocket) -> None:
        self.ws = ws

    async def receive(self) -> str:
        try:
            return await self.ws.receive_text()
        except (WebSocketDisconnect, RuntimeError):
            raise Gone from None
        except KeyError:  # bytes, which we never send
            raise Refused(FOREIGN) from None

    async def send(self, text: str) -> None:
        try:
            await self.ws.send_text(text)
        except (WebSocketDisconnect, RuntimeError):
            raise Gone from None

    async def close(self, code: int) -> None:
        try:
            await self.ws.close(code)
        except (WebSocketDisconnect, RuntimeError):
            return


async def _serve(hall: Hall, wire: _Socket, open_sockets: list[Door], most: int, patience: float) -> None:
    """One browser, from its first word to its last."""
    try:
        hello = read(await asyncio.wait_for(wire.receive(), patience))
    except TimeoutError:
        raise Refused(UNKNOWN) from None
    door = hall.doors.find(hello.get("token")) if hello["t"] == "hello" else None
    if door is None:
        raise Refused(UNKNOWN)
    same = sum(other is door for other in open_sockets)
    if len(open_sockets) >= most or (door.role != WATCH and same >= SOCKETS_A_SEAT):
        raise Refused(TOO_MUCH)
    open_sockets.append(door)
    guest: Guest | None = None
    largest = LARGEST_TEXT if door.role == HOST else LARGEST
    try:
        guest = await hall.enter(door, wire)
        while True:
            message = read(await wire.receive(), largest)
            if not guest.bucket.take():
                raise Refused(TOO_MUCH)
            if hall.doors.find(hello["token"]) is None:
                raise Refused(UNKNOWN)  # the link was taken back
            await hall.do(door, guest, message)
    finally:
        open_sockets.remove(door)
        if guest is not None:
            await hall.leave(door, guest)
