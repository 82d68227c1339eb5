"""Turns the progress of a trainer into events, and stops it."""

from __future__ import annotations

import resource
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from transformers import TrainerCallback, TrainerControl, TrainerState, TrainingArguments

from .control import Action, Control
from .errors import TrainerError
from .events import Events, finite
from .nextcalls import RANK, RANKED, rank
from .pace import Pace
from .ranks import agreed, is_first
from .samples import RolloutLog
from .vram import now as vram_now
from .vram import peak as vram_peak
from .window import restore_window

if TYPE_CHECKING:
    from transformers import Trainer

DIVERGED_LOGS = 3
# Left out of the metrics: they are other fields of the event, or describe the process instead of the model.
NO_METRICS = ("epoch", "step", "total_flos", "num_tokens", "num_input_tokens_seen", "train_runtime", "train_tokens_per_second", RANK)
NO_METRICS += ("frac_reward_zero_std",)  # 0 if nothing has a reward; ``zero_variance_share`` is our own


def memory() -> dict[str, float | None]:
    """Megabytes in use: resident, and on the GPU if there is one."""
    pages = int(Path("/proc/self/statm").read_text().split()[1]) if Path("/proc/self/statm").exists() else 0
    rss = pages * resource.getpagesize() / 1e6 if pages else peak()["rss"]
    return {"rss": rss, "vram": vram_now()}


def peak() -> dict[str, float | None]:
    """The highest megabytes in use so far."""
    return {"rss": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6, "vram": vram_peak()}


class Reporter(TrainerCallback):
    """Progress, samples, checkpoints and evaluations as events; stops the run between two steps.

    ``metric``: the evaluation figure that selects the best step. ``sample``: emits sample answers of the model at a step.
    ``figures``: measures held-out rows and reports progress; the base model is measured before the first step. ``measured``: what
    it measures, for messages. ``resumed``: the checkpoint that the run resumes from. ``stopped_for``: the action that ended training.
    """

    def __init__(
        self,
        events: Events,
        control: Control,
        trainer: Trainer,
        *,
        metric: str,
        patience: int | None,
        sample: Callable[[int], None],
        measured: str,
        figures: Callable[[Callable[[int, int], None]], dict[str, float]],
        rollouts: RolloutLog | None,
        resumed: Path | None,
    ) -> None:
        self._events, self._control, self._trainer = events, control, trainer
        self._metric, self._patience = metric, patience
        self._emit_sample, self._rollouts, self._resumed = sample, rollouts, resumed
        self._measured, self._figures = measured, figures
        self._sampled_at: int | None = None
        self._measured_at: int | None = None
        self._pace = Pace()
        self._phase = "warming"
        self._not_finite = 0
        self._was_finite = False
        self._best: float | None = None
        self._best_step: int | None = None
        self._worse = 0
        self.stopped_for: Action | None = None
        self.out_of_patience = False

    def on_train_begin(self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **_: Any) -> None:
        for logs in state.log_history:
            if self._metric in logs:
                self._record_evaluation(logs[self._metric], logs["step"])
        if self._resumed is not None:
            restore_window(self._trainer, self._resumed)
        else:
            self.measure(state)
            self.sample(0)

    def sample(self, step: int) -> None:
        """Emits sample answers of the model, once per step."""
        if self._sampled_at != step and is_first():
            self._sampled_at = step
            self._emit_sample(step)

    def measure(self, state: TrainerState, evaluation: dict[str, float] | None = None) -> dict[str, float]:
        """Measures held-out rows once per step, and adds the figures to the log of the evaluation."""
        if self._measured_at == state.global_step:
            return {}
        self._measured_at = state.global_step
        # only one process measures: small differences could make processes disagree about the best step
        figures = agreed(self._figures(self._on_measured) if is_first() else {})
        if not figures:
            return {}
        if evaluation is not None and RANKED in figures:
            figures[RANK] = rank(figures, evaluation.get("eval_loss"))
        state.log_history.append({**figures, "step": state.global_step})
        self._emit_progress(state, figures, None, None)
        return figures

    def _on_measured(self, done: int, of: int) -> None:
        self._phase = "evaluating"
        self._events.emit("phase", phase="evaluating", detail=f"{self._measured}, {done} of {of} answered")

    def on_step_end(self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **_: Any) -> TrainerControl:
        self._control.step = state.global_step
        action = agreed(self._control.requested())
        if not is_first():
            self._control.action_taken = action
        if action is not None:
            self.stopped_for = action
            control.should_training_stop = True
            control.should_evaluate = False
            control.should_save = action != "cancel"
        is_interrupted = control.should_evaluate or control.should_save
        self._pace.step_ended(state.global_step, int(state.num_input_tokens_seen), is_interrupted=is_interrupted)
        self._enter("evaluating" if control.should_evaluate else "saving" if control.should_save else "training")
        return control

    def _enter(self, phase: str) -> None:
        if phase != self._phase:
            self._phase = phase
            self._events.emit("phase", phase=phase, detail=None)

    def on_log(
        self,
        args: TrainingArguments,
        state: TrainerState,
        control: TrainerControl,
        logs: dict[str, Any] | None = None,
        **_: Any,
    ) -> None:
        if logs is None or "train_loss" in logs:
            return  # the summary at the end, which the event `complete` contains
        learning = "loss" in logs
        tokens = int(state.num_input_tokens_seen)
        rate, remaining = self._pace.at_log(state.global_step, tokens, state.max_steps) if learning else (None, None)
        not_finite_names = self._emit_progress(state, logs, rate, remaining)
        if self._rollouts is not None:
            if learning:
                self._rollouts.emit(self._events, state.global_step)
            else:
                self._rollouts.clear()
        if learning:
            self._watch_numbers(not_finite_names, state.global_step, control)

    def _emit_progress(self, state: TrainerState, logs: dict[str, Any], rate: float | None, remaining: float | None) -> list[str]:
        """Returns the names of figures that are not finite."""
        metrics, not_finite_names = finite({name: value for name, value in logs.items() if name not in NO_METRICS})
        self._events.emit(
            "progress",
            step=state.global_step,
            totalSteps=state.max_steps,
            epoch=state.epoch or 0.0,
            tokens=int(state.num_input_tokens_seen),
            tokensPerSec=rate,
            etaSec=remaining,
            metrics=metrics,
            notFinite=not_finite_names,
            memoryMb=memory(),
        )
        return not_finite_names

    def on_evaluate(
        self,
        args: TrainingArguments,
        state: TrainerState,
        control: TrainerControl,
        metrics: dict[str, float] | None = None,
        **_: Any,
    ) -> None:
        metrics = {} if metrics is None else metrics
        metrics.update(self.measure(state, metrics))  # the library reads its best metric here
        self._record_evaluation(metrics.get(self._metric), state.global_step)
        if self._patience is not None and self._worse >= self._patience:
            self.out_of_patience = True
            control.should_training_stop = True
        self.sample(state.global_step)
        self._enter("saving" if control.should_save else "training")
        if not control.should_save:
            self._pace.interruption_ended()

    def on_save(self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **_: Any) -> None:
        name = f"checkpoint-{state.global_step}"
        self._control.checkpoint = name
        self._events.emit("checkpoint", step=state.global_step, path=name, best=self._best_step == state.global_step)
        self._enter("training")
        self._pace.interruption_ended()

    def _record_evaluation(self, value: float | None, step: int) -> None:
        """Stores the best evaluation, and counts later ones that were not better."""
        if value is None or value != value:
            return
        better = self._best is None or (value < self._best if self._metric == "eval_loss" else value > self._best)
        if better:
            self._best, self._best_step, self._worse = value, step, 0
        else:
            self._worse += 1

    def _watch_numbers(self, not_finite_names: list[str], step: int, control: TrainerControl) -> None:
        """Skips the checkpoint if figures are not finite. After several logs in a row, raises ``TrainerError`` (diverged)."""
        if not not_finite_names:
            self._not_finite = 0
            self._was_finite = True
            return
        names = ", ".join(not_finite_names)
        self._events.emit("warning", code="not_finite", message=f"Not a finite number at step {step}: {names}.")
        self._not_finite += 1
        control.should_save = False
        if self._not_finite >= DIVERGED_LOGS:
            kept = self._control.checkpoint
            checkpoint_text = f"The previous checkpoint is kept: {kept}." if kept else "There is no earlier checkpoint."
            cause = (
                "Lower the learning rate, or warm up longer."
                if self._was_finite or kept
                else "It was not finite from the first step: check the base model and the rows."
            )
            raise TrainerError("diverged", f"No finite number for {names} in {DIVERGED_LOGS} logs in a row. {cause} {checkpoint_text}")
