"""On the path of a Python that trains, this pauses the trainer at a step, so that no test depends on its speed.

``BASHGYM_TEST_HOLD`` names a file with the number of a step. While the file is there, a step of that number or a later one
ends only for a requested action; the events of the steps before are written by then.
"""

from __future__ import annotations

import math
import os
import sys
import time
from pathlib import Path

PLACE = os.environ.get("BASHGYM_TEST_HOLD", "")


def hold_at() -> float:
    try:
        return int(Path(PLACE).read_text())
    except FileNotFoundError:
        return math.inf


def hold() -> None:
    from bashgym_trainers.control import Action, Control

    requested = Control.requested

    def wait_at_step(self: Control) -> Action | None:
        action = requested(self)
        while action is None and self.step >= hold_at():
            time.sleep(0.01)
            action = requested(self)
        return action

    Control.requested = wait_at_step  # type: ignore[method-assign]


if PLACE and "bashgym_trainers" in sys.orig_argv and "train" in sys.orig_argv:
    hold()
