"""Speed of a run, and its remaining time."""

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
    """Warm-up steps are not counted. Evaluating and saving count only in the remaining time."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._steps = 0
        self._aside = 0.0
        self._aside_since: float | None = None
        self._begun: _Mark | None = None
        self._window: _Mark | None = None

    def step_ended(self, step: int, tokens: int, *, aside: bool) -> None:
        """``aside``: an evaluation or a save follows."""
        self._steps += 1
        now = self._clock()
        if self._steps == WARM_UP_STEPS:
            self._begun = _Mark(now, step, tokens)
            self._window = _Mark(now - self._aside, step, tokens)
        if aside:
            self._aside_since = now

    def aside_ended(self) -> None:
        if self._aside_since is not None:
            self._aside += self._clock() - self._aside_since
            self._aside_since = None

    def at_log(self, step: int, tokens: int, total: int) -> tuple[float | None, float | None]:
        """Tokens per second since the last log, and seconds left; None if not known yet."""
        if self._begun is None or self._window is None or step <= self._begun.step:
            return None, None
        now = self._clock()
        seconds, learned = now - self._aside - self._window.seconds, tokens - self._window.tokens
        self._window = _Mark(now - self._aside, step, tokens)
        left = (total - step) * (now - self._begun.seconds) / (step - self._begun.step)
        return (learned / seconds if seconds > 0 and learned > 0 else None), left
