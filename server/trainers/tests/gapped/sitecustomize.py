"""On the path of the training Python, this makes gaps in a run's curves.

``BASHGYM_TEST_GAPS`` lists steps, separated by commas, whose loss is reported as not finite.
"""

from __future__ import annotations

import os
import sys
from typing import Any

STEPS = {int(step) for step in os.environ.get("BASHGYM_TEST_GAPS", "").split(",") if step}


def gap() -> None:
    from bashgym_trainers.events import Events

    emit = Events.emit

    def gapped(self: Events, kind: str, **fields: Any) -> None:
        if kind == "progress" and fields["step"] in STEPS and "loss" in fields["metrics"]:
            fields = {**fields, "metrics": {**fields["metrics"], "loss": None}, "notFinite": ["loss"]}
        emit(self, kind, **fields)

    Events.emit = gapped  # type: ignore[method-assign]


if STEPS and "bashgym_trainers" in sys.orig_argv and "train" in sys.orig_argv:
    gap()
