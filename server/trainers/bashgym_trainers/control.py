"""How a running trainer is steered: a file, or a signal."""

from __future__ import annotations

import json
import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Literal

Wish = Literal["pause", "save_stop", "cancel"]
PAUSED, CANCELLED = 75, 76


class Control:
    """What is asked of the run. SIGUSR1 pauses, SIGTERM cancels; ``control.json`` (written by rename) says either.

    A cancel does not wait for the end of a step: ``on_stop`` is called at once, and does not return. The same holds for
    every wish before steps are taken (``begin``), when there is nothing to save. A wish to save and stop stands above one
    to pause. ``step`` and ``checkpoint`` are how far the run has come. Without a folder nothing is heard: of several
    processes one listens, and a signal ends the others as it ends any process.
    """

    def __init__(self, folder: Path | None) -> None:
        self._file = folder and folder / "control.json"
        self._reading = threading.Lock()
        self.taken: Wish | None = None
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
        self.by_signal = self.taken != "cancel"  # else the file asked for it, and this signal is our own
        self.taken = "cancel"
        self.on_stop()

    def begin(self) -> Wish | None:
        """From now on steps are taken, and a wish waits for the end of one. What is asked for already, else None."""
        self._takes_steps = True
        return self.asked()

    def finish(self) -> None:
        """From now on the run is complete: a wish comes too late."""
        self.on_stop = lambda: None

    @property
    def end(self) -> tuple[Literal["paused", "cancelled"], int]:
        """How the run ends for the wish, and its exit code."""
        return ("paused", PAUSED) if self.taken == "pause" else ("cancelled", CANCELLED)

    def asked(self) -> Wish | None:
        """The wish, once there is one; a control file is removed when it is read. From any thread."""
        with self._reading:
            wish = self._from_file()
            if wish == "cancel" or (wish == "save_stop" and self.taken == "pause"):
                self.taken = wish
            else:
                self.taken = self.taken or wish
            if wish == "cancel":
                os.kill(os.getpid(), signal.SIGTERM)
            elif wish is not None and not self._takes_steps:
                os.kill(os.getpid(), signal.SIGUSR1)  # the main thread ends it, also within a library
        return self.taken

    def _from_file(self) -> Wish | None:
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
