"""Runs programs in isolation through a child process: JSON lines in both directions, several at once.

The child (``sandbox.argv`` of the config) isolates the programs. If it cannot, it answers with ``error``, and the run fails with
that reason. No program is run without isolation.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from .errors import TrainerError

ANSWER_SEC = 60.0  # allowed in addition to a program's time limit, for queueing and starting it


@dataclass(frozen=True)
class Program:
    """``files`` are written to an otherwise empty folder, which is the working directory."""

    files: dict[str, str]
    argv: list[str]
    timeout_sec: float


class Sandbox:
    """One child for the whole run. Raises ``TrainerError`` (no_sandbox, sandbox_failed)."""

    def __init__(self, argv: Sequence[str]) -> None:
        try:
            self._child = subprocess.Popen(
                list(argv), stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", errors="replace", close_fds=True
            )
        except OSError as error:
            raise TrainerError("no_sandbox", f"The sandbox {argv[0]} cannot be started: {error.strerror}.") from error
        self._lock = threading.Lock()
        self._waiting: dict[str, Future[dict[str, Any]]] = {}
        self._broken: TrainerError | None = None
        self._number = 0
        threading.Thread(target=self._read, name="sandbox", daemon=True).start()

    def check(self) -> None:
        """Runs an empty program, so that missing isolation is known before a model is loaded."""
        (answer,) = self.run([Program({}, ["python3", "-c", ""], 30)])
        if answer["exitCode"] != 0:
            raise TrainerError("no_sandbox", f"The sandbox cannot run python3: {answer['stderr'].strip()[-500:] or 'no reason given'}.")

    def run(self, programs: Sequence[Program]) -> list[dict[str, Any]]:
        """Runs all programs at once, and returns the answers (``SandboxResponse``) in their order."""
        asked = [self._ask(program) for program in programs]
        longest = sum(program.timeout_sec for program in programs) + ANSWER_SEC
        answers = []
        for future in asked:
            try:
                answer = future.result(timeout=longest)
            except TimeoutError as error:
                raise TrainerError("sandbox_failed", f"The sandbox did not answer within {longest:.0f} s.") from error
            if answer["error"] is not None:
                raise TrainerError("no_sandbox", f"Nothing was run, because it cannot be isolated: {answer['error']['message']}")
            answers.append(answer)
        return answers

    def close(self) -> None:
        """Closes the child's input, which ends it."""
        if self._child.stdin:
            self._child.stdin.close()
        try:
            self._child.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()

    def _ask(self, program: Program) -> Future[dict[str, Any]]:
        future: Future[dict[str, Any]] = Future()
        with self._lock:
            if self._broken:
                raise self._broken
            self._number += 1
            name = str(self._number)
            self._waiting[name] = future
        request = {"id": name, "files": program.files, "argv": program.argv, "timeoutMs": int(program.timeout_sec * 1000)}
        with contextlib.suppress(OSError):  # the child has ended; the other thread reads its last output
            self._child.stdin.write(json.dumps(request) + "\n")  # type: ignore[union-attr]
            self._child.stdin.flush()  # type: ignore[union-attr]
        return future

    def _read(self) -> None:
        for line in self._child.stdout:  # type: ignore[union-attr]
            try:
                answer = json.loads(line)
                name = answer["id"]
                if name is None:
                    raise ValueError(answer["error"]["message"])
            except (ValueError, KeyError, TypeError) as error:
                self._fail(f"The answer of the sandbox cannot be read: {error}.")
                return
            with self._lock:
                future = self._waiting.pop(name, None)
            if future:
                future.set_result(answer)
        self._fail(f"The sandbox ended with {_ending(self._child.wait())}.")

    def _fail(self, reason: str) -> None:
        with self._lock:
            self._broken = self._broken or TrainerError("sandbox_failed", reason)
            waiting, self._waiting = list(self._waiting.values()), {}
        for future in waiting:
            future.set_exception(self._broken)


def _ending(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit code {code}"
