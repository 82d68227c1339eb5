"""A time limit for code from outside, such as chat templates."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from typing import Any


def with_time_limit(seconds: float, work: Callable[[], Any]) -> Any:  # noqa: ANN401
    """Returns the result of ``work``. Raises ``TimeoutError``. There is no limit outside the main thread and on Windows."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        return work()

    def stop(*_: object) -> None:
        raise TimeoutError

    previous = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        return work()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
