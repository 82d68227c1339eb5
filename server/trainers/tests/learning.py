"""Whether models learn what is rewarded, judged over several seeds, because with one seed the processor decides.

A model begins with a wrong greedy answer and gives the right one sometimes. With shuffled rewards, the control, it must not learn.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterable
from statistics import median
from typing import TypeVar

from conftest import Run

SEEDS = [int(seed) for seed in os.environ.get("BASHGYM_TEST_SEEDS", "0,1,2,3,4").split(",")]
FEW_SEEDS = SEEDS[:3]
"""For controls, and where a run takes long."""
END = 4
"""Steps at the end of a run that are judged. A step has few answers, so one alone says little."""
MOSTLY = 0.6
Value = TypeVar("Value")


def shuffler(seed: int) -> Callable[[Iterable[Value]], list[Value]]:
    order = random.Random(seed)

    def shuffle(values: Iterable[Value]) -> list[Value]:
        all_values = list(values)
        order.shuffle(all_values)
        return all_values

    return shuffle


def right_at_end(run: Run, curve: str) -> float:
    """Share of right answers in the last steps, sampled."""
    values = [value for _, value in run.curve(curve) if value is not None]
    return sum(values[-END:]) / END


def is_learned(runs: Iterable[Run], curve: str, is_right: Callable[[Run], bool]) -> bool:
    """Whether most runs end with the right answer: sampled, and greedily by ``is_right``."""
    ended = list(runs)
    return median(right_at_end(run, curve) for run in ended) > MOSTLY and median(is_right(run) for run in ended) == 1
