"""The events of a run: JSON lines appended to one file."""

from __future__ import annotations

import json
import math
import os
import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ENDS = {"complete", "stopped", "failed"}


class Events:
    """Appends events from any thread. Numbering continues where the previous process of the run ended."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._fd = os.open(file, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        self._lock = threading.RLock()
        self._seq = self._repair()
        self._ended = False

    def _repair(self) -> int:
        """Removes an incomplete last line after a kill or a full disk. Returns the number of complete events."""
        content = self._file.read_bytes()
        complete_bytes = content.rfind(b"\n") + 1
        if complete_bytes < len(content):
            os.truncate(self._file, complete_bytes)
        return content.count(b"\n", 0, complete_bytes)

    def emit(self, kind: str, **fields: Any) -> None:
        """Writes one event. Values must be finite: see ``finite``. If it raises ``OSError``, nothing was written."""
        with self._lock:
            if self._ended and kind == "system":
                return  # the end is the last event, also while the monitor is between its last look and its close
            event = {"seq": self._seq + 1, "at": datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")}
            line = (json.dumps({**event, "type": kind, **fields}, allow_nan=False, ensure_ascii=False) + "\n").encode(errors="replace")
            try:
                written = os.write(self._fd, line)
                while written < len(line):  # a nearly full disk may write only part of it
                    written += os.write(self._fd, line[written:])
            except OSError:
                self._repair()
                raise
            self._seq += 1
            self._ended = kind in ENDS

    def emit_last(self, kind: str, **fields: Any) -> None:
        """``emit`` for signal handlers. The main thread may be inside ``emit``, so the number is read from the file."""
        with self._lock:
            self._seq = self._repair()
            self.emit(kind, **fields)

    def close(self) -> None:
        os.close(self._fd)


class NoEvents(Events):
    """Discards all events, for processes that do not report."""

    def __init__(self) -> None:
        pass

    def emit(self, kind: str, **fields: Any) -> None:
        pass

    def emit_last(self, kind: str, **fields: Any) -> None:
        pass

    def close(self) -> None:
        pass


def finite(metrics: dict[str, Any]) -> tuple[dict[str, float | None], list[str]]:
    """Figures as valid JSON values, and the names of those that are NaN or infinite."""
    numbers = {name: float(value) for name, value in metrics.items() if isinstance(value, int | float)}
    broken = sorted(name for name, value in numbers.items() if not math.isfinite(value))
    return {name: (None if name in broken else value) for name, value in numbers.items()}, broken
