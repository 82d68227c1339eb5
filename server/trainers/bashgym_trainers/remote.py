"""``python -I remote.py FILE``: runs a trainer on a machine of a cluster, in a folder that both machines share.

The file has the command to run: ``{"argv", "env", "folder", "log"}``. Output goes to the log, and the exit code or signal to
``exit.json`` next to the file. SIGTERM ends the trainer and its children: with SIGTERM first, with SIGKILL after 0.8 s.
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
from pathlib import Path
from types import FrameType

GRACE_SEC = 0.8
# The cluster decides which devices a job may use.
DEVICE_VARIABLES = ("CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "ASCEND_RT_VISIBLE_DEVICES")
PARENT_DEATH_SIGNAL = 1  # linux/prctl.h


def main(file: Path) -> int:
    spec = json.loads(file.read_text())
    env = {**spec["env"], **{name: os.environ[name] for name in DEVICE_VARIABLES if name in os.environ}}
    log = os.open(spec["log"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    child = subprocess.Popen(
        spec["argv"],
        cwd=spec["folder"],
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=log,
        start_new_session=True,
        preexec_fn=_die_with_parent if sys.platform == "linux" else None,
    )

    def stop(_number: int, _frame: FrameType | None) -> None:
        _kill(child, signal.SIGTERM)
        threading.Timer(GRACE_SEC, _kill, (child, signal.SIGKILL)).start()

    signal.signal(signal.SIGTERM, stop)
    code = child.wait()
    _kill(child, signal.SIGKILL)  # processes that it started
    exit_info = {"code": None, "signal": signal.Signals(-code).name} if code < 0 else {"code": code, "signal": None}
    part = file.with_name("exit.json.part")
    part.write_text(json.dumps(exit_info))
    part.replace(file.with_name("exit.json"))
    return 128 - code if code < 0 else code


def _die_with_parent() -> None:
    ctypes.CDLL(None).prctl(PARENT_DEATH_SIGNAL, signal.SIGTERM)


def _kill(child: subprocess.Popen[bytes], number: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, number)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
