"""A connection to an OpenEnv server: one episode at a time, one reply to each request, over a WebSocket of our own."""

from __future__ import annotations

import base64
import json
import os
import socket
import ssl
import struct
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import urlsplit

CONNECT_SEC, REPLY_SEC = 10.0, 180.0
"""The server's own limits for a command and a check are below the second."""
LONGEST = 100_000_000
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


class EnvironmentLost(Exception):
    """The connection ended or never came about: the episode is gone, and what it was worth is not known."""


class EnvironmentRefused(Exception):
    """The server answered that it cannot. ``code``: as OpenEnv names it."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class Observed:
    """``reward``: None where the server gave none."""

    text: str
    reward: float | None
    done: bool
    metadata: dict[str, Any]


class Environment(Protocol):
    """What an episode is played in. Its calls raise ``EnvironmentLost`` and ``EnvironmentRefused``."""

    def reset(self, **told: Any) -> Observed: ...

    def step(self, command: str) -> Observed: ...

    def close(self) -> None: ...


class OpenEnv:
    def __init__(self, url: str, token: str | None = None) -> None:
        self._socket = _Socket(url, token)

    def reset(self, **told: Any) -> Observed:
        return self._ask("reset", told)

    def step(self, command: str) -> Observed:
        return self._ask("step", {"type": "call_tool", "tool_name": "terminal", "arguments": {"command": command}})

    def close(self) -> None:
        """Ends the episode: the server removes its sandbox."""
        self._socket.close(json.dumps({"type": "close"}))

    def _ask(self, kind: str, data: dict[str, Any]) -> Observed:
        self._socket.send(json.dumps({"type": kind, "data": data}))
        try:
            reply = json.loads(self._socket.receive())
            told = reply["data"]
            if reply["type"] == "error":
                raise EnvironmentRefused(str(told.get("code")), str(told.get("message")))
            observation = told["observation"]
            metadata = {**(observation.get("metadata") or {}), **(told.get("metadata") or {})}
            problem = observation.get("error")
            if problem:
                raise EnvironmentRefused(str(problem.get("error_type")), str(problem.get("message")))
            result = observation.get("result") or {}
            reward = told.get("reward")
            return Observed(
                text=str(result.get("data", "")),
                reward=float(reward) if isinstance(reward, int | float) and not isinstance(reward, bool) else None,
                done=bool(told.get("done")),
                metadata=metadata,
            )
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise EnvironmentLost(f"The environment gave an answer that cannot be read: {error!r}.") from error


class _Socket:
    """RFC 6455, the client's side: text frames, pings answered."""

    def __init__(self, url: str, token: str | None) -> None:
        parts = urlsplit(url)
        is_secure = parts.scheme in ("https", "wss")
        self._where = f"{parts.hostname}:{parts.port or (443 if is_secure else 80)}"
        try:
            self._socket = socket.create_connection((parts.hostname, parts.port or (443 if is_secure else 80)), CONNECT_SEC)
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if is_secure:
                self._socket = ssl.create_default_context().wrap_socket(self._socket, server_hostname=parts.hostname)
            self._in = self._socket.makefile("rb")
            self._open(f"{parts.path.rstrip('/')}/ws", token)
            self._socket.settimeout(REPLY_SEC)
        except OSError as error:
            raise EnvironmentLost(f"The environment at {self._where} cannot be reached: {error.strerror or error}.") from error

    def _open(self, path: str, token: str | None) -> None:
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [f"GET {path} HTTP/1.1", f"Host: {self._where}", "Upgrade: websocket", "Connection: Upgrade"]
        lines += [f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13"]
        lines += [f"Authorization: Bearer {token}"] if token else []
        self._socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        status = self._in.readline(4096).decode(errors="replace").strip()
        while self._in.readline(65536).strip():
            pass
        if " 101 " not in f"{status} ":
            raise EnvironmentLost(f"The environment at {self._where} does not take the connection: {status or 'no answer'}.")

    def send(self, text: str) -> None:
        self._frame(TEXT, text.encode(errors="replace"))

    def receive(self) -> str:
        """The next whole message."""
        whole = b""
        try:
            while True:
                first, second = self._read(2)
                length = second & 127
                if length > 125:
                    (length,) = struct.unpack("!H" if length == 126 else "!Q", self._read(2 if length == 126 else 8))
                if len(whole) + length > LONGEST:
                    raise EnvironmentLost(f"The environment at {self._where} sent more than {LONGEST} bytes at once.")
                content = self._read(length)
                kind = first & 15
                if kind == PING:
                    self._frame(PONG, content)
                elif kind == CLOSE:
                    reason = content[2:].decode(errors="replace")
                    raise EnvironmentLost(f"The environment at {self._where} closed the connection{f': {reason}' if reason else ''}.")
                elif kind != PONG:
                    whole += content
                    if first & 128:
                        return whole.decode(errors="replace")
        except OSError as error:
            raise EnvironmentLost(f"The environment at {self._where} was lost: {error.strerror or error}.") from error

    def close(self, last: str) -> None:
        """Says so, and waits for the other side to close."""
        try:
            self.send(last)
            while True:
                self.receive()
        except EnvironmentLost:
            pass
        finally:
            self._in.close()
            self._socket.close()

    def _read(self, count: int) -> bytes:
        content = self._in.read(count)
        if len(content) < count:
            raise EnvironmentLost(f"The environment at {self._where} ended the connection.")
        return content

    def _frame(self, kind: int, content: bytes) -> None:
        size = len(content)
        head = bytes([128 | kind, 128 | (size if size < 126 else 126 if size < 65536 else 127)])
        head += b"" if size < 126 else struct.pack("!H" if size < 65536 else "!Q", size)
        mask = os.urandom(4)
        keys = (mask * (size // 4 + 1))[:size]
        masked = (int.from_bytes(content, "big") ^ int.from_bytes(keys, "big")).to_bytes(size, "big")
        try:
            self._socket.sendall(head + mask + masked)
        except OSError as error:
            raise EnvironmentLost(f"The environment at {self._where} was lost: {error.strerror or error}.") from error
