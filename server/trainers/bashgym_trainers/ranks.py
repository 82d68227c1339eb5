"""The rank of this process in its run, and values shared by all processes. Without a group there is only rank 0."""

from __future__ import annotations

import os
from typing import TypeVar

Value = TypeVar("Value")

COUNT = "BASHGYM_PROCESSES"
"""Variable that the leading process sets for the processes of its group."""


def grouped() -> bool:
    return COUNT in os.environ


def rank() -> int:
    """0 is the first process, which reports for all."""
    return int(os.environ["RANK"]) if grouped() else 0


def is_first() -> bool:
    return rank() == 0


def gpu() -> int:
    """Index of the GPU of this process among the visible ones."""
    return int(os.environ["LOCAL_RANK"]) if grouped() else 0


def wait() -> None:
    """Waits until all processes arrive here."""
    if grouped():
        from accelerate.utils import wait_for_everyone

        wait_for_everyone()


def agreed(value: Value) -> Value:
    """Returns the value of the first process in all processes."""
    if not grouped():
        return value
    from accelerate.utils import broadcast_object_list

    return broadcast_object_list([value])[0]
