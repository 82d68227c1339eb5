"""On the path of the training Python, this blocks the trainer at a step, so that no test depends on its speed.

``BASHGYM_TEST_HOLD`` names a file with the number of a step. While the file exists, the trainer waits for a requested action
at the end of this step and of later ones. The events of earlier steps are written before.
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
