"""``train``: one training run.

Events go to ``events.jsonl`` in the run's folder, and output of libraries to stderr. A run with checkpoints resumes from the
newest. Exit code 0: complete, 75: paused, 76: cancelled, 74: disk too full to write the event, others: failed.
"""

from __future__ import annotations

import faulthandler
import os
import shutil
import sys
import traceback
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from .checkpoints import remove_partial
from .config import Config, load_config
from .control import Control
from .errors import TrainerError, is_disk_full
from .events import Events, NoEvents
from .group import DISK_FULL, end, fail, follow, is_peer_ended, lead
from .ranks import grouped, is_first, rank

WRITE_ERRORS = ("PytorchStreamWriter", "file write failed", "inline_container.cc", "iostream error")  # from PyTorch


def main(file: Path) -> int:
    os.dup2(2, 1)  # output of libraries and their children must not mix with events
    sys.stdout = sys.stderr
    faulthandler.enable()
    warnings.showwarning = warn_once()
    code = train(file)
    try:
        sys.stderr.flush()
    except OSError:  # the log is on a full disk; a normal exit would change the exit code
        os._exit(code)
    return code


def train(file: Path) -> int:
    """Trains the run that ``file`` describes. Returns its exit code."""
    try:
        config = load_config(file)
    except TrainerError as error:
        print(error, file=sys.stderr)
        return 1
    config.output.mkdir(mode=0o700, parents=True, exist_ok=True)
    if config.processes > 1 and not grouped():
        return lead(config, file)
    if grouped():
        follow()
    events = Events(config.output / "events.jsonl") if is_first() else NoEvents()
    control = Control(config.output if is_first() else None)
    control.on_stop = lambda: _end(config, events, control)
    try:
        from .core import run

        code = run(config, events, control)
        return 0 if grouped() else code  # the leading process reads the result from the events, so the launcher gets 0
    except Exception as error:
        if not isinstance(error, TrainerError):
            _log(traceback.format_exc())
        failure = as_trainer_error(error, config.output)
        if grouped():
            fail(failure, config.output, rank())
        if failure.code == "disk_full":
            remove_partial(config.output)  # frees space for the failed event
        try:
            events.emit("failed", code=failure.code, message=str(failure)[:2000], row=failure.row, field=failure.field)
        except OSError as not_written:
            _log(f"{failure} {not_written}\n")
            return DISK_FULL if failure.code == "disk_full" else 1
        return 1
    finally:
        events.close()


def warn_once() -> Callable[..., None]:
    """Returns a handler that logs each warning once, in one line."""
    shown: set[str] = set()

    def show(message: Warning | str, category: type[Warning], *_: object) -> None:
        text = f"{category.__name__}: {message}\n"
        if text not in shown:
            shown.add(text)
            _log(text)

    return show


def _log(text: str) -> None:
    """A full disk loses the text, but causes no error."""
    with suppress(OSError):
        sys.stderr.write(text)
        sys.stderr.flush()


def _end(config: Config, events: Events, control: Control) -> None:
    """Ends the process at once. A sandbox child ends when its input ends."""
    if grouped() and control.by_signal:
        os._exit(1)  # the launcher sent the signal because another process ended, which the leading process reports
    remove_partial(config.output)
    how, code = control.end
    events.emit_last("stopped", how=how, step=control.step, checkpoint=control.checkpoint)
    if grouped():
        end()
    os._exit(code)


def as_trainer_error(error: Exception, output: Path) -> TrainerError:
    """Turns any exception into an error message for the user."""
    if isinstance(error, TrainerError):
        return error
    if _disk_full(error, output):
        free = shutil.disk_usage(output).free / 1e6
        return TrainerError(
            "disk_full", f"The disk of {output} is full ({free:.0f} MB left). Free some, lower keepCheckpoints, or raise saveSteps."
        )
    if grouped() and is_peer_ended(error):
        return TrainerError("group_ended", f"Another process of the run ended ({str(error).splitlines()[0][:300]}).")
    if isinstance(error, OSError):
        return TrainerError("io", f"{error.strerror or error}: {error.filename or ''}".strip())
    if "CUDA error" in str(error) or "CUDA driver" in str(error):
        reason = str(error).splitlines()[0]
        return TrainerError(
            "gpu_failed", f"The GPU stopped answering ({reason}). Check it with nvidia-smi, then resume from the last checkpoint."
        )
    if isinstance(error, ValueError) and _is_of_peft(error):
        return TrainerError(
            "lora_refused", f"LoRA cannot adapt this model: {error} Change its targets or dropout, or train all weights (method full)."
        )
    return TrainerError("internal", f"{type(error).__name__}: {error}")


def _is_of_peft(error: Exception) -> bool:
    """Whether PEFT raised the error. It can check the modules to adapt only once the model is loaded."""
    frames = traceback.extract_tb(error.__traceback__)
    return bool(frames) and "peft" in Path(frames[-1].filename).parts


def _disk_full(error: BaseException | None, output: Path) -> bool:
    if is_disk_full(error):
        return True
    while error is not None:
        if any(mark in str(error) for mark in WRITE_ERRORS):
            return shutil.disk_usage(output).free < 10e6
        error = error.__cause__ or error.__context__
    return False
