"""Load of CPU, memory and GPUs, emitted every few seconds by a thread."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from typing import Any

import psutil

from .control import Control
from .events import Events
from .limits import memory
from .ranks import grouped

EVERY_SEC = 5.0
CONTROL_SEC = 0.2
_FIELDS = ("name", "utilization.gpu", "memory.used", "memory.total", "temperature.gpu", "power.draw")
_QUERY = ["nvidia-smi", f"--query-gpu={','.join(_FIELDS)}", "--format=csv,noheader,nounits"]
_BY_ID = "GPU-"  # only ids, since CUDA and nvidia-smi may number GPUs in a different order


class Monitor:
    """Emits ``system`` events until ``close``, and reads the control file while the main thread is busy."""

    def __init__(self, events: Events, control: Control, *, cuda: bool, every_sec: float = EVERY_SEC) -> None:
        self._events, self._control, self._cuda, self._every = events, control, cuda, every_sec
        self._ended = threading.Event()
        self._before = (time.monotonic(), _tree()[0])
        self._thread = threading.Thread(target=self._watch, name="system", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._ended.set()
        self._thread.join(timeout=5)

    def _watch(self) -> None:
        due = time.monotonic()
        while not self._ended.wait(CONTROL_SEC):
            self._control.requested()
            if time.monotonic() >= due:
                due = time.monotonic() + self._every
                try:
                    self._events.emit("system", **self._figures())
                except OSError:
                    return  # the disk is full; the main thread reports it

    def _figures(self) -> dict[str, Any]:
        spent, rss = _tree()
        now = time.monotonic()
        since, before = self._before
        self._before = (now, spent)
        used, total = memory()
        return {
            "cpuPercent": max(0.0, spent - before) / max(now - since, 1e-6) * 100,
            "rssMb": rss / 1e6,
            "ramUsedMb": used / 1e6,
            "ramTotalMb": total / 1e6,
            "gpus": gpus() if self._cuda else [],
        }


def _tree() -> tuple[float, int]:
    """CPU seconds and resident bytes of all processes of the run."""
    seconds, resident = 0.0, 0
    own = psutil.Process(os.getppid() if grouped() else os.getpid())
    for process in [own, *own.children(recursive=True)]:
        try:
            times = process.cpu_times()
            resident += process.memory_info().rss
        except psutil.Error:
            continue
        seconds += times.user + times.system
    return seconds, resident


def gpus() -> list[dict[str, Any]]:
    """One entry per GPU of this process; none if the driver does not answer."""
    chosen = os.environ.get("CUDA_VISIBLE_DEVICES", "")
    id_option = [f"--id={chosen}"] if chosen.startswith(_BY_ID) else []
    try:
        done = subprocess.run([*_QUERY, *id_option], capture_output=True, text=True, timeout=3, check=True)
    except (OSError, subprocess.SubprocessError):
        return []
    return [_gpu(line.split(", ")) for line in done.stdout.splitlines() if line.count(", ") == len(_FIELDS) - 1]


def _gpu(cells: list[str]) -> dict[str, Any]:
    percent, used, total, temperature, power = (_number(cell) for cell in cells[1:])
    mib = 1.048576
    return {
        "name": cells[0],
        "percent": percent,
        "usedMb": None if used is None else used * mib,
        "totalMb": None if total is None else total * mib,
        "temperatureC": temperature,
        "powerW": power,
    }


def _number(cell: str) -> float | None:
    try:
        return float(cell)
    except ValueError:
        return None  # [N/A]
