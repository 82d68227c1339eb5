"""Stands in for an OpenEnv server with the tool ``terminal``: nothing is run. Its reset is told what wins.

An episode is solved by a command that is ``wins``. Another one gets an answer, and a second chance; ``exit`` ends it.
"""

from __future__ import annotations

import base64
import hashlib
import json
import struct
import threading
from socketserver import StreamRequestHandler, ThreadingTCPServer
from typing import Any

GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
CLOSE = 8


class FakeEnvironment(ThreadingTCPServer):
    """``places``: connections it takes. ``loses_at``: the step, of all, at which it drops every connection for good."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self, places: int = 64, loses_at: int | None = None) -> None:
        super().__init__(("127.0.0.1", 0), Session)
        self.places, self.loses_at = places, loses_at
        self.open = self.most = self.steps = 0
        self.is_lost = False
        self.lock = threading.Lock()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, *_: object) -> None:
        """A client that is gone is none."""


class Session(StreamRequestHandler):
    server: FakeEnvironment

    def handle(self) -> None:
        server = self.server
        headers = list(iter(lambda: self.rfile.readline().decode().strip(), ""))
        key = next(line.split(": ")[1] for line in headers if line.startswith("Sec-WebSocket-Key"))
        accept = base64.b64encode(hashlib.sha1((key + GUID).encode()).digest()).decode()
        answer = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
        self.wfile.write(f"{answer}{accept}\r\n\r\n".encode())
        with server.lock:
            if server.is_lost:
                return
            has_place = server.open < server.places
            server.open += has_place
            server.most = max(server.most, server.open)
        if not has_place:
            self.tell("error", message="No place is free.", code="CAPACITY_REACHED")
            self.frame(CLOSE, b"")
            return
        try:
            self.serve()
        finally:
            with server.lock:
                server.open -= 1

    def serve(self) -> None:
        wins, commands = "", 0
        while True:
            request = json.loads(self.read())
            data = request.get("data", {})
            if request["type"] == "close":
                self.frame(CLOSE, struct.pack("!H", 1000))
                return
            if request["type"] == "reset":
                wins, commands = data["wins"], 0
                broken = data.get("breaks", False)
                said = {"status": "error", "error": "mkdir failed"} if broken else {"status": "ready"}
                self.observe({}, None, broken, said)
                continue
            with self.server.lock:
                self.server.steps += 1
                self.server.is_lost |= self.server.steps == self.server.loses_at
                if self.server.is_lost:
                    return
            command = data["arguments"]["command"].strip()
            commands += 1
            result = {"result": {"data": f"no {command}"}, "error": None}
            if command == wins or commands == 2 or command == "exit":
                solved = command == wins
                terms = {"success": int(solved), "turns": commands, "fail_penalty": 0.0 if solved else 0.01 * commands}
                self.observe(result, 1.0 if solved else -0.01 * commands, True, {"success": solved, "reward_terms": terms, "exit_code": 0})
            else:
                self.observe(result, 0.0, False, {"exit_code": 127})

    def observe(self, observation: dict[str, Any], reward: float | None, done: bool, metadata: dict[str, Any]) -> None:
        self.tell("observation", observation={**observation, "metadata": metadata}, reward=reward, done=done, metadata=metadata)

    def tell(self, kind: str, **data: Any) -> None:
        self.frame(1, json.dumps({"type": kind, "data": data}).encode())

    def frame(self, kind: int, content: bytes) -> None:
        size = len(content)
        self.wfile.write(bytes([128 | kind, size if size < 126 else 126]) + (b"" if size < 126 else struct.pack("!H", size)) + content)

    def read(self) -> bytes:
        _, second = self.rfile.read(2)
        size = second & 127
        if size == 126:
            (size,) = struct.unpack("!H", self.rfile.read(2))
        mask = self.rfile.read(4)
        return bytes(byte ^ mask[at % 4] for at, byte in enumerate(self.rfile.read(size)))
