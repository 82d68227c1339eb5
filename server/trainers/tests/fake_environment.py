"""An OpenEnv server with a fake tool ``terminal``. An episode is solved by the command ``wins`` of its reset, within two commands.

A message that was cut off fails it, with the penalty of both commands. The command ``breaks`` breaks the environment.
"""

from __future__ import annotations

import json
import threading
from typing import Any

from websockets.sync.server import ServerConnection, serve


class FakeEnvironment:
    """``places``: maximum number of connections. ``loses_at``: after this many steps, it drops every connection for good."""

    def __init__(self, places: int = 64, loses_at: int | None = None) -> None:
        self.places, self.loses_at = places, loses_at
        self.open = self.max_open = self.steps = 0
        self.is_lost = False
        self._lock = threading.Lock()
        self._server = serve(self._handle, "127.0.0.1", 0)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.socket.getsockname()[1]}"

    def close(self) -> None:
        self._server.shutdown()

    def _handle(self, connection: ServerConnection) -> None:
        with self._lock:
            if self.is_lost:
                return
            has_place = self.open < self.places
            self.open += has_place
            self.max_open = max(self.max_open, self.open)
        if not has_place:
            _send(connection, "error", message="No place is free.", code="CAPACITY_REACHED")
            return
        try:
            self._serve(connection)
        finally:
            with self._lock:
                self.open -= 1

    def _serve(self, connection: ServerConnection) -> None:
        wins, commands = "", 0
        for text in connection:
            request = json.loads(text)
            data = request.get("data", {})
            if request["type"] == "close":
                return
            if request["type"] == "reset":
                wins, commands = data["wins"], 0
                broken = data.get("breaks", False)
                metadata = {"status": "error", "error": "mkdir failed"} if broken else {"status": "ready"}
                _observe(connection, {}, None, broken, metadata)
                continue
            with self._lock:
                self.steps += 1
                self.is_lost |= self.steps == self.loses_at
                if self.is_lost:
                    return
            is_ended, is_cut_off = data["type"] == "end_episode", data.get("cut_off", False)
            command = "" if is_ended else data["arguments"]["command"].strip()
            commands += not is_ended or is_cut_off
            result = {"result": {"data": f"no {command}"}, "error": None}
            if command == "breaks":
                _observe(connection, {"result": None, "error": {"message": "The sandbox is gone."}}, None, True, {"error": "gone"})
                continue
            if command == wins or commands == 2 or is_ended:
                solved = command == wins
                penalty = 0.0 if solved else 0.01 * (2 if is_cut_off else commands)
                terms = {"success": int(solved), "turns": commands, "fail_penalty": penalty}
                reward = 1.0 if solved else -penalty
                _observe(connection, result, reward, True, {"success": solved, "reward_terms": terms, "exit_code": 0})
            else:
                _observe(connection, result, 0.0, False, {"exit_code": 127})


def _observe(connection: ServerConnection, observation: dict[str, Any], reward: float | None, done: bool, metadata: dict[str, Any]) -> None:
    _send(connection, "observation", observation={**observation, "metadata": metadata}, reward=reward, done=done, metadata=metadata)


def _send(connection: ServerConnection, kind: str, **data: Any) -> None:
    connection.send(json.dumps({"type": kind, "data": data}))
