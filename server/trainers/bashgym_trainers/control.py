"""Controls a running trainer by a file or by a signal."""

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

    A cancel does not wait for the end of a step: ``on_stop`` is called at once, and does not return. The same is true for
    every action before the first step (``begin``), when there is nothing to save. ``save_stop`` takes precedence over
    ``pause``. ``step`` and ``checkpoint`` are the progress of the run. Without a folder no actions are read, since only one of
    several processes takes them, and signals have their default effect.
    """

    def __init__(self, folder: Path | None) -> None:
        self._file = folder and folder / "control.json"
        self._lock = threading.Lock()
        self.action_taken: Action | None = None
        self.by_signal = False
        self.step = 0
        self.checkpoint: str | None = None
        self.on_stop: Callable[[], None] = lambda: None
        self._is_stepping = False
        if folder is not None:
            signal.signal(signal.SIGUSR1, self._on_pause)
            signal.signal(signal.SIGTERM, self._on_cancel)

    def _on_pause(self, _number: int, _frame: FrameType | None) -> None:
        self.action_taken = self.action_taken or "pause"
        if not self._is_stepping:
            self.on_stop()

    def _on_cancel(self, _number: int, _frame: FrameType | None) -> None:
        self.by_signal = self.action_taken != "cancel"  # otherwise `requested` read a cancel and sent this signal
        self.action_taken = "cancel"
        self.on_stop()

    def begin(self) -> Action | None:
        """From now on an action waits for the end of a step. Returns the action that was requested before, or None."""
        self._is_stepping = True
        return self.requested()

    def finish(self) -> None:
        """From now on the run is complete, and actions have no effect."""
        self.on_stop = lambda: None

    @property
    def end(self) -> tuple[Literal["paused", "cancelled"], int]:
        """How the run ends because of the action, and the exit code."""
        return ("paused", PAUSED) if self.action_taken == "pause" else ("cancelled", CANCELLED)

    def requested(self) -> Action | None:
        """The requested action or None. Removes the control file after reading it. May be called from any thread."""
        with self._lock:
            action = self._from_file()
            if action == "cancel" or (action == "save_stop" and self.action_taken == "pause"):
                self.action_taken = action
            else:
                self.action_taken = self.action_taken or action
            if action == "cancel":
                os.kill(os.getpid(), signal.SIGTERM)
            elif action is not None and not self._is_stepping:
                os.kill(os.getpid(), signal.SIGUSR1)  # the signal handler ends the run in the main thread, even inside a library
        return self.action_taken

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
