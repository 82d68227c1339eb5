"""A limit for work that is not ours: a chat template is a program from outside."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from typing import Any


def within(seconds: float, work: Callable[[], Any]) -> Any:  # noqa: ANN401
    """What ``work`` gives. Raises ``TimeoutError``. Without a limit beside the main thread and on Windows, where no signal can end it."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        return work()

    def stop(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        return work()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
