"""On the path of a Python that trains, this lets the trainer stand still: no test has to be quicker than it.

``BASHGYM_TEST_HOLD`` names a file with the number of a step. While the file is there, a step of that number or a later one
ends only for a wish; what was logged of the steps before is told by then.
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
    from bashgym_trainers.control import Control, Wish

    asked = Control.asked

    def asked_again(self: Control) -> Wish | None:
        wish = asked(self)
        while wish is None and self.step >= hold_at():
            time.sleep(0.01)
            wish = asked(self)
        return wish

    Control.asked = asked_again  # type: ignore[method-assign]


if PLACE and "bashgym_trainers" in sys.orig_argv and "train" in sys.orig_argv:
    hold()
