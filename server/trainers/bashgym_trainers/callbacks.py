"""What a Trainer tells while it runs, as events of ours, and how it is stopped."""

from __future__ import annotations

import resource
import time
from pathlib import Path
from typing import Any

import torch
from transformers import TrainerCallback, TrainerControl, TrainerState, TrainingArguments

from .control import Control
from .events import Events, finite

WARM_UP_STEPS = 3
# Said elsewhere in the event, or of the process rather than of the model.
NO_METRICS = ("epoch", "step", "total_flos", "num_tokens", "num_input_tokens_seen", "train_runtime", "train_tokens_per_second")


def memory() -> dict[str, float | None]:
    """Megabytes now: resident, and on the GPU where there is one."""
    pages = int(Path("/proc/self/statm").read_text().split()[1]) if Path("/proc/self/statm").exists() else 0
    rss = pages * resource.getpagesize() / 1e6 if pages else peak()["rss"]
    return {"rss": rss, "vram": torch.cuda.memory_allocated() / 1e6 if torch.cuda.is_available() else None}


def peak() -> dict[str, float | None]:
    """Megabytes at most so far."""
    vram = torch.cuda.max_memory_allocated() / 1e6 if torch.cuda.is_available() else None
    return {"rss": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3, "vram": vram}


class Reporter(TrainerCallback):
    """Progress, checkpoints and evaluations as events; pauses, ends or cancels the run between two steps."""

    def __init__(self, events: Events, control: Control) -> None:
        self._events = events
        self._control = control
        self._begun: tuple[float, int, int] | None = None
        self.checkpoint: str | None = None

    def on_step_end(self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **_: Any) -> TrainerControl:
        if self._begun is None and state.global_step >= 1:
            self._begun = (time.monotonic(), state.global_step, int(state.num_input_tokens_seen))
        wish = self._control.asked()
        if wish is not None:
            control.should_training_stop = True
            control.should_save = wish != "cancel"
        return control

    def on_log(
        self,
        args: TrainingArguments,
        state: TrainerState,
        control: TrainerControl,
        logs: dict[str, Any] | None = None,
        **_: Any,
    ) -> None:
        if logs is None or "train_loss" in logs:
            return  # the summary at the end; `complete` says it
        metrics, broken = finite({name: value for name, value in logs.items() if name not in NO_METRICS})
        rate, eta = self._rate(state)
        self._events.tell(
            "progress",
            step=state.global_step,
            totalSteps=state.max_steps,
            epoch=state.epoch or 0.0,
            tokens=int(state.num_input_tokens_seen),
            tokensPerSec=rate,
            etaSec=eta,
            metrics=metrics,
            notFinite=broken,
            memoryMb=memory(),
        )
        if broken:
            names = ", ".join(broken)
            self._events.tell("warning", code="not_finite", message=f"Not a finite number at step {state.global_step}: {names}.")

    def _rate(self, state: TrainerState) -> tuple[float | None, float | None]:
        if self._begun is None:
            return None, None
        since, step, tokens = self._begun
        seconds, steps = time.monotonic() - since, state.global_step - step
        if steps < WARM_UP_STEPS or seconds <= 0:
            return None, None
        return (int(state.num_input_tokens_seen) - tokens) / seconds, (state.max_steps - state.global_step) * seconds / steps

    def on_evaluate(self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **_: Any) -> None:
        self._events.tell("phase", phase="training", detail=None)

    def on_save(self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **_: Any) -> None:
        self.checkpoint = f"checkpoint-{state.global_step}"
        self._events.tell("checkpoint", step=state.global_step, path=self.checkpoint, best=False)
