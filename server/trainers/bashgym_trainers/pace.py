"""Speed and remaining time of a run."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

WARM_UP_STEPS = 3


@dataclass(frozen=True)
class _Mark:
    seconds: float
    step: int
    tokens: int


class Pace:
    """Ignores the first steps, which are slow. Evaluating and saving count only in the remaining time."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._steps = 0
        self._interrupted_sec = 0.0
        self._interrupted_since: float | None = None
        self._first_mark: _Mark | None = None
        self._window: _Mark | None = None

    def step_ended(self, step: int, tokens: int, *, is_interrupted: bool) -> None:
        """``aside``: an evaluation or a save follows."""
        self._steps += 1
        now = self._clock()
        if self._steps == WARM_UP_STEPS:
            self._first_mark = _Mark(now, step, tokens)
            self._window = _Mark(now - self._interrupted_sec, step, tokens)
        if is_interrupted:
            self._interrupted_since = now

    def interruption_ended(self) -> None:
        if self._interrupted_since is not None:
            self._interrupted_sec += self._clock() - self._interrupted_since
            self._interrupted_since = None

    def at_log(self, step: int, tokens: int, total: int) -> tuple[float | None, float | None]:
        """Tokens per second since the last log, and the remaining seconds; None if not known yet."""
        if self._first_mark is None or self._window is None or step <= self._first_mark.step:
            return None, None
        now = self._clock()
        seconds, learned = now - self._interrupted_sec - self._window.seconds, tokens - self._window.tokens
        self._window = _Mark(now - self._interrupted_sec, step, tokens)
        remaining = (total - step) * (now - self._first_mark.seconds) / (step - self._first_mark.step)
        return (learned / seconds if seconds > 0 and learned > 0 else None), remaining
