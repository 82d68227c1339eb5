"""How a running trainer is steered: a file, or a signal."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from types import FrameType
from typing import Literal

Wish = Literal["pause", "save_stop", "cancel"]


class Control:
    """What is asked of the run. SIGUSR1 pauses, SIGTERM cancels; ``control.json`` (written by rename) says either."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "control.json"
        self._signalled: Wish | None = None
        self.taken: Wish | None = None
        signal.signal(signal.SIGUSR1, self._on_pause)
        signal.signal(signal.SIGTERM, self._on_cancel)

    def _on_pause(self, _number: int, _frame: FrameType | None) -> None:
        self._signalled = "pause"

    def _on_cancel(self, _number: int, _frame: FrameType | None) -> None:
        self._signalled = "cancel"

    def asked(self) -> Wish | None:
        """The wish, once there is one; a control file is removed when it is read."""
        if self.taken is None:
            self.taken = self._signalled or self._from_file()
        return self.taken

    def _from_file(self) -> Wish | None:
        try:
            text = self._file.read_text()
        except FileNotFoundError:
            return None
        self._file.unlink()
        try:
            action = json.loads(text)["action"]
        except (ValueError, KeyError, TypeError):
            return None
        return action if action in ("pause", "save_stop", "cancel") else None
