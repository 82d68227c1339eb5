"""The run's events: JSON lines appended to one file, which is the truth about the run."""

from __future__ import annotations

import json
import math
import os
import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import Any


class Events:
    """Appends events, each in one write, from any thread. Goes on counting where a former process of the run ended."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._fd = os.open(file, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        self._lock = threading.RLock()
        self._seq = self._take_up()

    def _take_up(self) -> int:
        """Number of whole events so far; a last line that was torn by a kill or a full disk is cut off."""
        content = self._file.read_bytes()
        whole = content.rfind(b"\n") + 1
        if whole < len(content):
            os.truncate(self._file, whole)
        return content.count(b"\n", 0, whole)

    def emit(self, kind: str, **fields: Any) -> None:
        """Writes one event. Values must be finite: see ``finite``. Raises ``OSError`` with nothing written."""
        with self._lock:
            event = {"seq": self._seq + 1, "at": datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")}
            line = (json.dumps({**event, "type": kind, **fields}, allow_nan=False, ensure_ascii=False) + "\n").encode(errors="replace")
            try:
                written = os.write(self._fd, line)
                while written < len(line):  # a disk that is nearly full takes a part
                    written += os.write(self._fd, line[written:])
            except OSError:
                self._take_up()
                raise
            self._seq += 1

    def emit_last(self, kind: str, **fields: Any) -> None:
        """As ``emit``, from a signal handler: the main thread may be within ``emit``, so the file says how far it came."""
        with self._lock:
            self._seq = self._take_up()
            self.emit(kind, **fields)

    def close(self) -> None:
        os.close(self._fd)


class Unheard(Events):
    """Of a process that does not speak."""

    def __init__(self) -> None:
        pass

    def emit(self, kind: str, **fields: Any) -> None:
        pass

    def emit_last(self, kind: str, **fields: Any) -> None:
        pass

    def close(self) -> None:
        pass


def finite(metrics: dict[str, Any]) -> tuple[dict[str, float | None], list[str]]:
    """Figures as JSON can hold them, and the names of those that are NaN or infinite."""
    numbers = {name: float(value) for name, value in metrics.items() if isinstance(value, int | float)}
    broken = sorted(name for name, value in numbers.items() if not math.isfinite(value))
    return {name: (None if name in broken else value) for name, value in numbers.items()}, broken
