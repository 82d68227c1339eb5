"""Input and output of the tools other than training: a validated config in, JSON events out."""

from __future__ import annotations

import json
import os
import signal
import stat
import sys
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from .config import SCHEMA
from .errors import TrainerError, is_disk_full


class EventWriter:
    """Writes events as JSON lines to the original stdout. From then on, output of libraries goes to stderr."""

    def __init__(self) -> None:
        self._fd = os.dup(1)
        os.set_inheritable(self._fd, False)
        os.dup2(2, 1)
        sys.stdout = sys.stderr

    def emit(self, kind: str, **fields: Any) -> None:
        os.write(self._fd, (json.dumps({"type": kind, **fields}, allow_nan=False, ensure_ascii=False) + "\n").encode())

    def progress(self, phase: str, done: float, total: float | None, unit: str) -> None:
        self.emit("progress", phase=phase, done=done, total=total, unit=unit)


def serve_tool(command: str, file: Path, work: Callable[[dict[str, Any], EventWriter], dict[str, str | float | None]]) -> int:
    """Runs one tool, and returns its exit code. ``work`` gets the config with its defaults, and returns the facts of the event ``done``."""
    events = EventWriter()
    _end_with_parent()
    try:
        facts = work(_config(command, file), events)
    except TrainerError as error:
        events.emit("failed", code=error.code, message=str(error))
        return 1
    except MemoryError:
        events.emit("failed", code="out_of_memory", message="The memory ran out. Close other programs, or do this on a larger machine.")
        return 1
    except Exception as error:
        traceback.print_exc()
        if is_disk_full(error):
            events.emit(
                "failed",
                code="disk_full",
                message=f"The disk of {file.parent} is full, so the result could not be written. Free some space, then try again.",
            )
        elif isinstance(error, OSError):
            events.emit("failed", code="io", message=": ".join(str(part) for part in (error.strerror or error, error.filename) if part))
        else:
            events.emit("failed", code="internal", message=f"{type(error).__name__}: {error}"[:2000])
        return 1
    events.emit("done", facts=facts)
    return 0


def _end_with_parent() -> None:
    """Ends this process when its parent ends, which closes the pipe on stdin. Does nothing if stdin is not a pipe."""
    if not any(is_kind(os.fstat(0).st_mode) for is_kind in (stat.S_ISFIFO, stat.S_ISSOCK)):
        return

    def watch() -> None:
        while os.read(0, 4096):
            pass
        if os.getpgrp() == os.getpid():
            os.killpg(0, signal.SIGKILL)  # including a running converter
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _config(command: str, file: Path) -> dict[str, Any]:
    try:
        raw = json.loads(file.read_text())
    except (OSError, ValueError) as error:
        raise TrainerError("config_invalid", f"The config {file} cannot be read: {error}") from error
    if not isinstance(raw, dict) or raw.get("command") != command:
        raise TrainerError("config_invalid", f"The config {file} is not for the command {command}.")
    kinds = SCHEMA["export"]["$defs"]["ExportConfig"]["oneOf"]
    schema = next(one for one in kinds if one["properties"]["command"]["const"] == command)
    problem = best_match(Draft202012Validator(schema).iter_errors(raw))
    if problem is not None:
        where = "/".join(str(part) for part in problem.absolute_path) or "the config"
        raise TrainerError("config_invalid", f"{where}: {problem.message}")
    return {name: part["default"] for name, part in schema["properties"].items() if "default" in part} | raw


def partial_path(path: Path) -> Path:
    """The temporary path for writing ``path``, after removing leftovers of a killed process."""
    import shutil

    part = path.with_name(f"{path.name}.part")
    if part.is_dir():
        shutil.rmtree(part)
    else:
        part.unlink(missing_ok=True)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    return part


def make_private(path: Path) -> None:
    """Sets mode 0600 for files and 0700 for folders."""
    for one in (path, *path.rglob("*")) if path.is_dir() else (path,):
        one.chmod(0o700 if one.is_dir() else 0o600)
