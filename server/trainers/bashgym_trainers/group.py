"""One run by several processes: each has a share of every step, on a GPU of its own or on a share of the processor.

The process that was started lets accelerate's launcher start the others, and reports how they ended. Of those, only the first
writes events and files and takes actions. Why another one failed is in a file until all have ended.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

from .checkpoints import newest_whole, remove_torn
from .config import Config
from .control import CANCELLED, PAUSED
from .errors import TrainerError, is_disk_full
from .events import Events
from .ranks import COUNT

DISK_FULL = 74  # EX_IOERR of sysexits.h
OWN_DEFAULTS = Path(__file__).with_name("launch.yaml")  # otherwise the user's own accelerate config would apply
GRACE_SEC = 0.5  # the server forces the end 0.8 s after it has asked for it
PARENT_DEATH_SIGNAL = 1  # linux/prctl.h
LOOK_SEC = 0.2
# Error texts of gloo and NCCL when another process has ended.
LOST = ("closed by peer", "Connection reset", "Connection refused", "Broken pipe", "NCCL", "ProcessGroup", "Gloo", "gloo")


def lead(config: Config, file: Path) -> int:
    """Trains in ``config.processes`` processes. Returns the exit code of the run."""
    log = config.output / "events.jsonl"
    before = log.stat().st_size if log.exists() else 0
    for left in config.output.glob("failed-*.json"):
        left.unlink()
    launcher = subprocess.Popen(
        _command(config, file),
        env={**os.environ, COUNT: str(config.processes), "OMP_NUM_THREADS": str(_threads(config))},
        preexec_fn=_die_with_parent if sys.platform == "linux" else None,
    )
    cancelled = threading.Event()

    def cancel(*_: object) -> None:
        cancelled.set()
        threading.Timer(GRACE_SEC, launcher.kill).start()

    signal.signal(signal.SIGTERM, cancel)
    signal.signal(signal.SIGUSR1, lambda *_: _ask(config.output, "pause"))
    launcher.wait()
    events = Events(log)
    try:
        return _end(config, events, _since(log, before), cancelled=cancelled.is_set())
    except OSError as error:
        if not is_disk_full(error):
            raise
        return DISK_FULL
    finally:
        events.close()


def follow() -> None:
    """Makes a process of a group end when the launcher ends."""
    if sys.platform == "linux":
        _die_with_parent()
    parent = os.getppid()
    if parent == 1:
        os._exit(1)
    if sys.platform != "linux":
        threading.Thread(target=_watch, args=(parent,), daemon=True).start()


def fail(error: TrainerError, output: Path, number: int) -> None:
    """Writes the reason to a file and ends the whole group, including this process."""
    file = output / f"failed-{number}.json"
    part = file.with_suffix(".part")
    with contextlib.suppress(OSError):  # the disk is full, which the leading process sees
        part.write_text(json.dumps({"code": error.code, "message": str(error)[:2000], "row": error.row, "field": error.field}))
        part.replace(file)
    end()


def end() -> None:
    """Ends the whole group at once: all end with their launcher."""
    sys.stderr.flush()
    os.kill(os.getppid(), signal.SIGKILL)
    os._exit(1)


def is_lost(error: BaseException) -> bool:
    """Whether another process of the group has ended."""
    return isinstance(error, RuntimeError) and any(mark in str(error) for mark in LOST)


def _command(config: Config, file: Path) -> list[str]:
    launch = [sys.executable, "-m", "accelerate.commands.launch", "--config_file", str(OWN_DEFAULTS), "--multi_gpu"]
    count = ["--num_processes", str(config.processes), "--num_cpu_threads_per_process", str(_threads(config))]
    return [*launch, *count, "--main_process_port", "0", "-m", __package__, "train", "--config", str(file)]


def _threads(config: Config) -> int:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return config.threads or max(1, cores // config.processes)


def _ask(output: Path, action: str) -> None:
    part = output / "control.json.part"
    part.write_text(json.dumps({"action": action}))
    part.replace(output / "control.json")


def _since(log: Path, before: int) -> list[dict[str, Any]]:
    """Whole events of this group."""
    if not log.exists():
        return []
    text = log.read_bytes()[before:].decode(errors="replace")
    return [json.loads(line) for line in text.split("\n")[:-1]]


def _end(config: Config, events: Events, since: list[dict[str, Any]], *, cancelled: bool) -> int:
    last = since[-1] if since else {}
    if last.get("type") == "complete":
        return 0
    if last.get("type") == "stopped":
        return PAUSED if last["how"] == "paused" else CANCELLED
    remove_torn(config.output)
    if cancelled:
        step = next((event["step"] for event in reversed(since) if event["type"] == "progress"), 0)
        checkpoint, _ = newest_whole(config.output)
        events.emit("stopped", how="cancelled", step=step, checkpoint=checkpoint and checkpoint.name)
        return CANCELLED
    reason = _reason(config)
    events.emit("failed", **reason)
    return DISK_FULL if reason["code"] == "disk_full" else 1


def _reason(config: Config) -> dict[str, Any]:
    """Why the group failed: the first reason other than that another process ended."""
    files = sorted(config.output.glob("failed-*.json"), key=lambda file: file.stat().st_mtime)
    reasons = [json.loads(file.read_text()) for file in files]
    for file in files:
        file.unlink()
    own = [reason for reason in reasons if reason["code"] != "group_ended"]
    if own:
        return own[0]
    why = f"One of the {config.processes} processes of the run ended without an error message, most often because memory ran out."
    todo = "Lower the micro-batch size, max length or number of processes, or resume from the last checkpoint."
    return {"code": "group_ended", "message": f"{why} {todo}", "row": None, "field": None}


def _die_with_parent() -> None:
    ctypes.CDLL(None).prctl(PARENT_DEATH_SIGNAL, signal.SIGKILL)


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(LOOK_SEC)
    os._exit(1)
