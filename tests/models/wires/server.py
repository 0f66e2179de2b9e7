"""What answers on loopback in a provider's place, and what was it sent?"""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer: a body in pieces, each sent by itself."""

    pieces: Sequence[str]
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    cut: bool = False
    """Whether the connection breaks after the last piece."""
    hangs: bool = False
    """Whether nothing comes after the last piece, until somebody gives up."""

    @classmethod
    def of_json(cls, data: Any, *, status: int = 200, **headers: str) -> "Reply":
        """A whole answer."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return cls([json.dumps(data)], status, {"Content-Type": "application/json", **named})

    @classmethod
    def of_events(cls, events: Sequence[str], *, cut: bool = False, hangs: bool = False) -> "Reply":
        """A stream of server-sent events."""
        return cls(events, headers={"Content-Type": "text/event-stream"}, cut=cut, hangs=hangs)


@dataclass(frozen=True, slots=True)
class Received:
    """One request as it came."""

    path: str
    headers: dict[str, str]
    raw: bytes

    @property
    def body(self) -> Any:
        """The JSON data in it."""
        return json.loads(self.raw)


class Server:
    """Gives these replies one after another, and keeps what it was sent. Use it as an async context manager."""

    def __init__(self, *replies: Reply) -> None:
        self.replies = list(replies)
        self.received: list[Received] = []
        self.asked = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        host, port = self._server.sockets[0].getsockname()
        self.url = f"http://{host}:{port}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.get_running_loop().create_task(self._talk(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while received := await self._read(reader):
                self.received.append(received)
                self.asked.set()
                if not await self._write(writer, self.replies.pop(0)):
                    break
        except ConnectionError:
            pass
        finally:
            writer.close()

    async def _read(self, reader: asyncio.StreamReader) -> Received | None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        except asyncio.IncompleteReadError:
            return None
        first, *lines = head.rstrip().split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        raw = await reader.readexactly(int(headers.get("content-length", "0")))
        return Received(first.split(" ")[1], headers, raw)

    async def _write(self, writer: asyncio.StreamWriter, reply: Reply) -> bool:
        """Write one reply; answers whether the connection goes on."""
        headers = "".join(f"{name}: {value}\r\n" for name, value in reply.headers.items())
        writer.write(f"HTTP/1.1 {reply.status} so\r\n{headers}Transfer-Encoding: chunked\r\n\r\n".encode())
        for piece in reply.pieces:
            data = piece.encode()
            writer.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
            await writer.drain()
        if reply.hangs:
            await asyncio.Event().wait()
        if reply.cut:
            return False
        writer.write(b"0\r\n\r\n")
        await writer.drain()
        return True
