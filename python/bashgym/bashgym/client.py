"""A client of an environment server. A connection is one environment. Losing it is an error and never starts a new episode silently."""

import json
import os
from contextlib import suppress
from dataclasses import dataclass, field, fields
from typing import Any, Self

from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.sync.client import connect

RESET_KEYS = frozenset(
    {
        "seed",
        "episode_id",
        "setup",
        "setup_scripts",
        "verify",
        "verify_scripts",
        "task_id",
        "split",
        "index",
        "form",
        "max_turns",
        "sandbox_backend",
        "sandbox_image",
        "sandbox_flavor",
        "sandbox_timeout",
    }
)
"""Fields that `reset` sends. The server decides which of them a task may set."""


class EnvironmentError(RuntimeError):
    """The server refused a message; `code` is OpenEnv's name for the reason."""

    def __init__(self, message: str, code: str, details: dict[str, Any] | None = None) -> None:
        super().__init__(f"{message} ({code})")
        self.message = message
        self.code = code
        self.details = details or {}


class SessionLost(ConnectionError):
    """The server cannot be reached, or the connection was lost, which ended the episode and its sandbox."""


@dataclass(frozen=True)
class StepResult:
    observation: dict[str, Any]
    reward: float | None
    done: bool
    metadata: dict[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The text that the agent sees."""
        result = self.observation.get("result")
        if result:
            return result["data"]
        error = self.observation.get("error")
        return error["message"] if error else self.metadata.get("error") or self.metadata.get("message", "")


@dataclass(frozen=True)
class CommandResult:
    command: str
    output: str = ""
    error: str | None = None
    success: bool = False
    exit_code: int | None = None
    timed_out: bool = False
    duration_ms: float | None = None


@dataclass(frozen=True)
class State:
    episode_id: str | None
    step_count: int
    sandbox_id: str | None = None
    setup_results: list[CommandResult] = field(default_factory=list)
    verify_commands: list[str] = field(default_factory=list)
    verify_results: list[CommandResult] = field(default_factory=list)
    commands: list[CommandResult] = field(default_factory=list)
    submitted_answer: str | None = None
    last_reward: float | None = None
    last_error: str | None = None
    task_id: str | None = None
    backend: str | None = None
    resolved: dict[str, Any] | None = None


def _known_fields(kind: type, values: dict[str, Any]) -> dict[str, Any]:
    names = {one.name for one in fields(kind)}
    return {key: value for key, value in values.items() if key in names}


def parse_state(data: dict[str, Any]) -> State:
    """Parses a state, and ignores keys of newer servers."""
    values = _known_fields(State, data)
    for key in ("setup_results", "verify_results", "commands"):
        values[key] = [CommandResult(**_known_fields(CommandResult, one)) for one in data.get(key) or []]
    return State(**values)


class EnvironmentClient:
    """`with EnvironmentClient("http://127.0.0.1:8000") as env: env.reset(setup=[...], verify=[...])`.

    `token`: of the server; by default that of the variable BASHGYM_ENVIRONMENT_TOKEN.
    """

    def __init__(self, url: str, *, token: str | None = None, connect_timeout: float = 10, message_timeout: float = 60) -> None:
        address = url.rstrip("/")
        if address.startswith("http"):
            address = "ws" + address.removeprefix("http")
        self._address = address if address.endswith("/ws") else f"{address}/ws"
        token = token or os.environ.get("BASHGYM_ENVIRONMENT_TOKEN")
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._connect_timeout = connect_timeout
        self._message_timeout = message_timeout
        self._manager: Any = None
        self._socket: Any = None
        self._lost = False

    def __enter__(self) -> Self:
        return self.connect()

    def __exit__(self, *_: object) -> None:
        self.close()

    def connect(self) -> Self:
        if self._socket is None:
            try:
                self._manager = connect(
                    self._address,
                    additional_headers=self._headers,
                    open_timeout=self._connect_timeout,
                    max_size=100 * 1024 * 1024,
                    compression=None,
                    proxy=None,
                )
                self._socket = self._manager.__enter__()
            except (OSError, WebSocketException) as error:
                raise SessionLost(f"The environment at {self._address} cannot be reached: {error}") from error
        return self

    def close(self) -> None:
        """Ends the session and its sandbox."""
        socket, self._socket = self._socket, None
        if socket is not None:
            with suppress(ConnectionClosed):
                socket.send('{"type":"close"}')
            self._manager.__exit__(None, None, None)

    def reset(self, **values: Any) -> StepResult:
        """Begins an episode. If the set-up fails, the result has `done` and `metadata["error"]`."""
        unknown = values.keys() - RESET_KEYS
        if unknown:
            raise TypeError(f"reset takes {', '.join(sorted(RESET_KEYS))}; not {', '.join(sorted(unknown))}.")
        return self.reset_unchecked({key: value for key, value in values.items() if value is not None})

    def reset_unchecked(self, values: dict[str, Any]) -> StepResult:
        """`reset` with any keys, which only the server checks."""
        self._lost = False
        return self._observed({"type": "reset", "data": values})

    def step(self, action: dict[str, Any]) -> StepResult:
        return self._observed({"type": "step", "data": action})

    def command(self, command: str) -> StepResult:
        return self.call({"command": command})

    def answer(self, final_answer: str) -> StepResult:
        return self.call({"final_answer": final_answer})

    def call(self, arguments: dict[str, str]) -> StepResult:
        return self.step({"type": "call_tool", "tool_name": "terminal", "arguments": arguments})

    def state(self) -> State:
        return parse_state(self._ask({"type": "state"}))

    def _observed(self, message: dict[str, Any]) -> StepResult:
        data = self._ask(message)
        observation = data.get("observation") or {}
        reward = data.get("reward")
        return StepResult(
            observation,
            None if reward is None else float(reward),
            bool(data.get("done")),
            data.get("metadata") or observation.get("metadata") or {},
        )

    def _ask(self, message: dict[str, Any]) -> dict[str, Any]:
        if self._lost:
            raise SessionLost("The connection was lost, and with it the episode. Call reset() for another.")
        self.connect()
        try:
            with suppress(ConnectionClosed):  # the server's last message, which may have the reason, can still be read
                self._socket.send(json.dumps(message))
            frame = json.loads(self._socket.recv(timeout=self._message_timeout))
            kind, data = frame["type"], dict(frame["data"])
        except (ConnectionClosed, OSError) as error:
            self._drop()
            raise SessionLost(f"The connection to the environment was lost: {error or type(error).__name__}") from error
        except (ValueError, KeyError, TypeError) as error:
            self._drop()
            raise SessionLost(f"The environment sent an answer that cannot be read: {error!r}") from error
        if kind == "error":
            raise EnvironmentError(data.get("message", ""), data.get("code", "UNKNOWN"), data)
        return data

    def _drop(self) -> None:
        """Closes the connection, because a late answer would be taken for the next one."""
        socket, self._socket, self._lost = self._socket, None, True
        if socket is not None:
            self._manager.__exit__(None, None, None)
