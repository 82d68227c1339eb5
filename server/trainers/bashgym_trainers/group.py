"""One run with several processes: each computes a share of every step, on its own GPU or on a share of the CPU.

The process that the server started leads: it starts accelerate's launcher, which starts the others, and reports how they ended.
Only the first of the others writes events and files and takes actions. A failing process writes its reason to a file.
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

from .checkpoints import newest_complete, remove_partial
from .config import SCHEMA, Config
from .control import CANCELLED, PAUSED
from .errors import TrainerError, is_disk_full
from .events import Events
from .ranks import COUNT

DISK_FULL: int = SCHEMA["diskFullExit"]
LAUNCH_CONFIG = Path(__file__).with_name("launch.yaml")  # used instead of the user's accelerate config
GRACE_SEC = 0.5  # the server kills the process 0.8 s after its request
PARENT_DEATH_SIGNAL = 1  # linux/prctl.h
POLL_SEC = 0.2
# Error texts of gloo and NCCL when another process has ended.
PEER_ENDED_MARKS = ("closed by peer", "Connection reset", "Connection refused", "Broken pipe", "NCCL", "ProcessGroup", "Gloo", "gloo")


def lead(config: Config, file: Path) -> int:
    """Trains in ``config.processes`` processes. Returns the exit code of the run."""
    log = config.output / "events.jsonl"
    before = log.stat().st_size if log.exists() else 0
    for old_reason in config.output.glob("failed-*.json"):
        old_reason.unlink()
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
    signal.signal(signal.SIGUSR1, lambda *_: _request(config.output, "pause"))
    launcher.wait()
    events = Events(log)
    try:
        return _end(config, events, _events_since(log, before), cancelled=cancelled.is_set())
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
    with contextlib.suppress(OSError):  # the leading process notices a full disk itself
        part.write_text(json.dumps({"code": error.code, "message": str(error)[:2000], "row": error.row, "field": error.field}))
        part.replace(file)
    end()


def end() -> None:
    """Ends the whole group at once by killing its launcher."""
    sys.stderr.flush()
    os.kill(os.getppid(), signal.SIGKILL)
    os._exit(1)


def is_peer_ended(error: BaseException) -> bool:
    """Whether another process of the group has ended."""
    return isinstance(error, RuntimeError) and any(mark in str(error) for mark in PEER_ENDED_MARKS)


def _command(config: Config, file: Path) -> list[str]:
    launch = [sys.executable, "-m", "accelerate.commands.launch", "--config_file", str(LAUNCH_CONFIG), "--multi_gpu"]
    count = ["--num_processes", str(config.processes), "--num_cpu_threads_per_process", str(_threads(config))]
    return [*launch, *count, "--main_process_port", "0", "-m", __package__, "train", "--config", str(file)]


def _threads(config: Config) -> int:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return config.threads or max(1, cores // config.processes)


def _request(output: Path, action: str) -> None:
    part = output / "control.json.part"
    part.write_text(json.dumps({"action": action}))
    part.replace(output / "control.json")


def _events_since(log: Path, before: int) -> list[dict[str, Any]]:
    """Complete events that were written after the file had ``before`` bytes."""
    if not log.exists():
        return []
    text = log.read_bytes()[before:].decode(errors="replace")
    return [json.loads(line) for line in text.split("\n")[:-1]]


def _end(config: Config, events: Events, events_so_far: list[dict[str, Any]], *, cancelled: bool) -> int:
    last = events_so_far[-1] if events_so_far else {}
    if last.get("type") == "complete":
        return 0
    if last.get("type") == "stopped":
        return PAUSED if last["how"] == "paused" else CANCELLED
    remove_partial(config.output)
    if cancelled:
        step = next((event["step"] for event in reversed(events_so_far) if event["type"] == "progress"), 0)
        checkpoint, _ = newest_complete(config.output)
        events.emit("stopped", how="cancelled", step=step, checkpoint=checkpoint and checkpoint.name)
        return CANCELLED
    reason = _reason(config)
    events.emit("failed", **reason)
    return DISK_FULL if reason["code"] == "disk_full" else 1


def _reason(config: Config) -> dict[str, Any]:
    """Why the group failed. A process that only noticed the end of another one does not count."""
    files = sorted(config.output.glob("failed-*.json"), key=lambda file: file.stat().st_mtime)
    reasons = [json.loads(file.read_text()) for file in files]
    for file in files:
        file.unlink()
    real_reasons = [reason for reason in reasons if reason["code"] != "group_ended"]
    if real_reasons:
        return real_reasons[0]
    why = f"One of the {config.processes} processes of the run ended without an error message, most often because memory ran out."
    todo = "Lower the micro-batch size, max length or number of processes, or resume from the last checkpoint."
    return {"code": "group_ended", "message": f"{why} {todo}", "row": None, "field": None}


def _die_with_parent() -> None:
    ctypes.CDLL(None).prctl(PARENT_DEATH_SIGNAL, signal.SIGKILL)


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(POLL_SEC)
    os._exit(1)
