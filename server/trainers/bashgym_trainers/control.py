"""How a running trainer is controlled: by a file, or by a signal."""

from __future__ import annotations

import json
import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Literal

Action = Literal["pause", "save_stop", "cancel"]
PAUSED, CANCELLED = 75, 76


class Control:
    """The requested action. SIGUSR1 pauses, SIGTERM cancels; ``control.json`` (written by rename) can request any action.

    A cancel does not wait for the end of a step: ``on_stop`` is called at once, and does not return. The same is true of
    every action before the first step (``begin``), when there is nothing to save. Save and stop takes precedence over
    pause. ``step`` and ``checkpoint`` are how far the run has come. Without a folder nothing is read: of several
    processes only one takes actions, and a signal ends the others as it ends any process.
    """

    def __init__(self, folder: Path | None) -> None:
        self._file = folder and folder / "control.json"
        self._reading = threading.Lock()
        self.taken: Action | None = None
        self.by_signal = False
        self.step = 0
        self.checkpoint: str | None = None
        self.on_stop: Callable[[], None] = lambda: None
        self._takes_steps = False
        if folder is not None:
            signal.signal(signal.SIGUSR1, self._on_pause)
            signal.signal(signal.SIGTERM, self._on_cancel)

    def _on_pause(self, _number: int, _frame: FrameType | None) -> None:
        self.taken = self.taken or "pause"
        if not self._takes_steps:
            self.on_stop()

    def _on_cancel(self, _number: int, _frame: FrameType | None) -> None:
        self.by_signal = self.taken != "cancel"  # else the file requested it, and this signal is our own
        self.taken = "cancel"
        self.on_stop()

    def begin(self) -> Action | None:
        """From now on an action waits for the end of a step. Returns what is requested already, else None."""
        self._takes_steps = True
        return self.requested()

    def finish(self) -> None:
        """From now on the run is complete, and an action comes too late."""
        self.on_stop = lambda: None

    @property
    def end(self) -> tuple[Literal["paused", "cancelled"], int]:
        """How the run ends for the action, and its exit code."""
        return ("paused", PAUSED) if self.taken == "pause" else ("cancelled", CANCELLED)

    def requested(self) -> Action | None:
        """The requested action or None; a control file is removed when it is read. From any thread."""
        with self._reading:
            action = self._from_file()
            if action == "cancel" or (action == "save_stop" and self.taken == "pause"):
                self.taken = action
            else:
                self.taken = self.taken or action
            if action == "cancel":
                os.kill(os.getpid(), signal.SIGTERM)
            elif action is not None and not self._takes_steps:
                os.kill(os.getpid(), signal.SIGUSR1)  # the main thread ends it, also within a library
        return self.taken

    def _from_file(self) -> Action | None:
        if self._file is None:
            return None
        try:
            text = self._file.read_text()
        except FileNotFoundError:
            return None
        self._file.unlink(missing_ok=True)
        try:
            action = json.loads(text)["action"]
        except (ValueError, KeyError, TypeError):
            return None
        return action if action in ("pause", "save_stop", "cancel") else None
