"""Which of the processes of a run this is, and what they agree on. Alone, each of these is the plain thing."""

from __future__ import annotations

import os
from typing import TypeVar

Value = TypeVar("Value")

COUNT = "BASHGYM_PROCESSES"
"""Set by the process that leads a group, for those of the group."""


def grouped() -> bool:
    return COUNT in os.environ


def rank() -> int:
    """0 is the first, which speaks for all."""
    return int(os.environ["RANK"]) if grouped() else 0


def is_first() -> bool:
    return rank() == 0


def gpu() -> int:
    """Which of the GPUs in sight is this process's."""
    return int(os.environ["LOCAL_RANK"]) if grouped() else 0


def wait() -> None:
    """Until all are here."""
    if grouped():
        from accelerate.utils import wait_for_everyone

        wait_for_everyone()


def agreed(value: Value) -> Value:
    """What the first one has, for all."""
    if not grouped():
        return value
    from accelerate.utils import broadcast_object_list

    return broadcast_object_list([value])[0]
