"""A run from its config to its result: the part that all strategies share."""

from __future__ import annotations

import importlib
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import vram
from .base import is_gguf, save_tokenizer
from .checkpoints import newest_complete, remove_partial, save_complete_only, step_of
from .config import Config
from .control import Control
from .data import NO_ROWS, Rows, messages_of, read_rows
from .errors import TrainerError
from .events import Events
from .inputs import check_inputs
from .libraries import loading
from .loading import check_device, check_model, load_model, load_tokenizer, lora
from .needs import check_needs
from .precision import native_bf16, precision_of
from .probe import problem_of_cuda
from .ranks import agreed, is_first
from .refusals import REWARDED, check_rows, check_settings
from .reports import open_reports
from .rewards import NEEDS
from .sandbox import Sandbox
from .selection import chosen_rows, learned_parts
from .system import Monitor, gpus
from .templates import store_thinking, thinks
from .tokens import Size
from .unsloth_backend import import_unsloth, load_with_unsloth, uses_unsloth

if TYPE_CHECKING:
    from peft import LoraConfig
    from transformers import PreTrainedModel, PreTrainedTokenizerBase, Trainer

    from .callbacks import Reporter
    from .nextcalls import NextCalls
    from .samples import RolloutLog
    from .shell import HeldOut

COMPLETE = 0
DRY_STEPS = 2


@dataclass(frozen=True)
class Prepared:
    """What a strategy returns: a trainer that is ready to start, and the sizes of its data."""

    trainer: Trainer
    size: Size
    val_rows: int
    rollouts: RolloutLog | None = None
    heldout: HeldOut | None = None


@dataclass(frozen=True)
class Materials:
    """Input of every strategy. ``arguments``: merges the common arguments of library trainers with the given ones.
    ``metric``: the evaluation figure that selects the best step."""

    config: Config
    events: Events
    rows: Rows
    val: Rows
    model: PreTrainedModel
    tokenizer: PreTrainedTokenizerBase
    peft: LoraConfig | None
    device: str
    sandbox: Sandbox | None
    arguments: Callable[..., dict[str, Any]]
    next_calls: NextCalls
    metric: str


def run(config: Config, events: Events, control: Control) -> int:
    """Trains. Returns the exit code: 0 complete, 75 paused, 76 cancelled. Raises ``TrainerError``."""
    started = time.monotonic()
    if is_first():
        remove_partial(config.output)
    checkpoint, incomplete = (None, []) if config.dry_run else newest_complete(config.output)
    control.checkpoint = checkpoint.name if checkpoint else None
    rows, val = _read_and_check(config)  # cheap checks come before loading the libraries
    if config.dry_run:
        config, rows, val = _dry_run(config, rows, val)
    else:
        check_inputs(config, resuming=checkpoint is not None or bool(incomplete))
        if is_first():
            _remove_incomplete(events, checkpoint, incomplete)
    sandbox = _sandbox(config)
    monitor = Monitor(events, control, cuda=config.device != "cpu")
    try:
        with _memory_errors(config):
            return _run(config, events, control, rows, val, sandbox, checkpoint, started)
    finally:
        monitor.close()
        if sandbox is not None:
            sandbox.close()


def _remove_incomplete(events: Events, checkpoint: Path | None, incomplete: list[tuple[Path, str]]) -> None:
    """Removes checkpoints that the run cannot resume from, because it repeats their steps."""
    instead = f"the run resumes from {checkpoint.name}" if checkpoint else "the run starts over"
    for path, problem in incomplete:
        message = f"{path.name} is incomplete ({problem}), so {instead}."
        events.emit("warning", code="checkpoint_left", message=message)
        shutil.rmtree(path, ignore_errors=True)


def _run(
    config: Config,
    events: Events,
    control: Control,
    rows: Rows,
    val: Rows,
    sandbox: Sandbox | None,
    checkpoint: Path | None,
    started: float,
) -> int:
    events.emit("phase", phase="loading", detail=str(config.model))
    if config.patience and not (config.val and config.eval_steps):
        message = "Early stopping needs held-out rows and evaluations, so the run takes all its steps."
        events.emit("warning", code="no_early_stopping", message=message)
    if config.group_by_length and config.strategy != "sft":
        events.emit("warning", code="not_grouped", message="groupByLength works only with sft, so the rows are not grouped.")
    materials = _load(config, events, rows, val, sandbox)
    from .arguments import scheduler_arguments
    from .callbacks import memory, peak

    events.emit("phase", phase="tokenising", detail=None)
    prepared: Prepared = importlib.import_module(f".{config.strategy}", __package__).prepare(materials)
    trainer = prepared.trainer
    save_complete_only(trainer)
    reporter = _reporter(materials, prepared, control, checkpoint)
    total = _emit_plan(events, prepared, materials.device, len(rows))
    trainer.args.lr_scheduler_kwargs = scheduler_arguments(config, total)
    rows.values.clear()  # the library has its own copy of the rows by now
    val.values.clear()
    if agreed(control.begin()) is not None:
        return _stopped(events, control)

    events.emit("phase", phase="warming", detail=None if checkpoint is None else f"from {checkpoint.name}")
    memory()  # fails here instead of in the first step if memory cannot be measured
    if checkpoint and step_of(checkpoint) >= total:
        _restore(trainer, checkpoint)  # the library would take one more step
    else:
        trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
    if reporter.stopped_for is not None and agreed(control.requested()) != "save_stop":
        return _stopped(events, control)

    if not trainer.args.load_best_model_at_end:  # otherwise these are the weights of an earlier step
        reporter.measure(trainer.state)
    reporter.sample(trainer.state.global_step)
    artifact = None
    if not config.dry_run:
        events.emit("phase", phase="saving", detail=None)
        artifact = _save(trainer, materials, control)
    control.finish()
    events.emit(
        "complete",
        step=trainer.state.global_step,
        artifact=artifact,
        trainSec=time.monotonic() - started,
        peakMb=peak(),
        stoppedEarly=reporter.out_of_patience or reporter.stopped_for is not None,
    )
    return COMPLETE


def _stopped(events: Events, control: Control) -> int:
    how, code = control.end
    events.emit("stopped", how=how, step=control.step, checkpoint=control.checkpoint)
    return code


def _read_and_check(config: Config) -> tuple[Rows, Rows]:
    check_model(config.model)
    if config.strategy == "distillation":
        if config.teacher is None:
            raise TrainerError("config_invalid", "teacher: distillation needs one.")
        check_model(config.teacher)
    check_settings(config)
    if uses_unsloth(config) and is_gguf(config.model):
        message = "Unsloth cannot train a GGUF file here. Choose transformers as the backend, or a model folder."
        raise TrainerError("config_invalid", message)
    check_needs(config, cuda=config.device != "cpu")
    needs = ["messages"] if config.strategy == "distillation" and config.distill == "logits" else []
    if config.strategy in REWARDED:
        if config.beta and config.method["kind"] == "full" and is_gguf(config.model):
            raise TrainerError("config_invalid", "Beta needs a second copy of the base model, which a GGUF provides only with LoRA.")
        needs = sorted({NEEDS[reward["kind"]] for reward in config.rewards if reward["kind"] in NEEDS})
        needs += ["environment"] if config.environment else []
    rows = chosen_rows(config, read_rows(config.train, config.strategy, needs, weights=config.knobs["row_weights"]))
    check_rows(config, rows)
    if config.val is None:
        return rows, NO_ROWS
    try:
        return rows, learned_parts(config, read_rows(config.val, config.strategy, needs))
    except TrainerError as error:
        raise TrainerError(error.code, f"In the held-out rows: {error}", error.row, error.field) from error


def _sandbox(config: Config) -> Sandbox | None:
    if not any(reward["kind"] == "tests" for reward in config.rewards) or config.sandbox is None:
        return None
    sandbox = Sandbox(config.sandbox)
    try:
        sandbox.check()
    except TrainerError:
        sandbox.close()
        raise
    return sandbox


def _dry_run(config: Config, rows: Rows, val: Rows) -> tuple[Config, Rows, Rows]:
    """Config and rows for two steps on the longest rows, which need the most memory. Nothing is saved."""
    small = replace(
        config,
        max_steps=DRY_STEPS,
        logging_steps=1,
        eval_steps=DRY_STEPS,
        save_steps=None,
        patience=None,
        samples=0,
        next_calls=0,
        group_by_length=False,
    )
    return small, _longest(rows, DRY_STEPS * config.batch_size), _longest(val, config.micro_batch)


def _longest(rows: Rows, count: int) -> Rows:
    """The rows with the longest text, repeated if there are too few."""
    if not len(rows):
        return rows
    order = sorted(range(len(rows)), key=lambda at: len(str(rows.values[at])), reverse=True)
    return rows.chosen([order[at % len(order)] for at in range(count)])


def _load(config: Config, events: Events, rows: Rows, val: Rows, sandbox: Sandbox | None) -> Materials:
    if uses_unsloth(config):
        import_unsloth()
    with loading():
        import datasets
        import torch
        from transformers import set_seed
        from transformers.utils import logging

        from .arguments import own_arguments, reporters, training_arguments

        importlib.import_module(f".{config.strategy}", __package__)

    logging.disable_progress_bar()
    datasets.disable_progress_bars()
    if config.threads is not None:
        torch.set_num_threads(config.threads)
    device = "cpu" if config.device == "cpu" or not torch.cuda.is_available() else "cuda"
    if device == "cpu" and config.device != "cpu" and (config.device == "cuda" or gpus()):
        raise TrainerError("no_cuda", f"PyTorch {torch.__version__} can use no GPU: {problem_of_cuda()}. Fix that, or set device to cpu.")
    if device == "cuda" and config.processes > torch.cuda.device_count():
        seen = f"{torch.cuda.device_count()} GPU{'' if torch.cuda.device_count() == 1 else 's'}"
        raise TrainerError("no_cuda", f"{config.processes} processes need one GPU each, but PyTorch sees {seen}. Lower processes.")
    check_device(config, device)
    check_needs(config, cuda=device == "cuda")
    open_reports(config, reporters(config))
    if device == "cuda":
        vram.begin()
    set_seed(config.seed)
    tokenizer = load_tokenizer(config.model, config.template)
    store_thinking(tokenizer, thinking=any(thinks(messages_of(row)) for row in rows.values))
    precision = precision_of(config.method, cuda=device == "cuda", bf16=native_bf16())
    if uses_unsloth(config):
        model = load_with_unsloth(config, precision)
    else:
        model = load_model(config.model, device, precision, attention=config.knobs["attn_implementation"])
    next_calls = _next_calls(config, val, tokenizer, events)
    metric = _metric(config, next_calls, events)
    common = {**training_arguments(config, device, metric=metric, precision=precision), **own_arguments(config)}
    return Materials(
        config,
        events,
        rows,
        val,
        model,
        tokenizer,
        None if uses_unsloth(config) else lora(config),
        device,
        sandbox,
        lambda **more: {**common, **more},
        next_calls,
        metric,
    )


def _next_calls(config: Config, val: Rows, tokenizer: PreTrainedTokenizerBase, events: Events) -> NextCalls:
    from .nextcalls import choose

    chosen = choose(config, val, tokenizer)
    events.emit(
        "next_calls",
        answers=len(chosen.recorded_answers),
        withCalls=chosen.with_calls,
        maxTokens=chosen.max_tokens,
        leftOut=chosen.left_out,
        reason=chosen.reason,
        digest=chosen.digest,
    )
    return chosen


def _metric(config: Config, next_calls: NextCalls, events: Events) -> str:
    if config.strategy in REWARDED:
        return "eval_reward"
    if config.best_by == "loss":
        return "eval_loss"
    if next_calls.reason is None:
        from .nextcalls import RANK

        return RANK
    message = f"The best step is chosen by the loss, because held-out calls are not measured: {next_calls.reason}"
    events.emit("warning", code="best_by_loss", message=message)
    return "eval_loss"


def _reporter(materials: Materials, prepared: Prepared, control: Control, checkpoint: Path | None) -> Reporter:
    from transformers import PrinterCallback, ProgressCallback

    from .callbacks import Reporter
    from .samples import Samples

    config, events, trainer = materials.config, materials.events, prepared.trainer
    heldout = prepared.heldout
    if heldout is None:
        source = materials.val if len(materials.val) else materials.rows
        samples = Samples(source, materials.tokenizer, count=config.samples, max_length=config.max_length, max_tokens=config.max_completion)
    reporter = Reporter(
        events,
        control,
        trainer,
        metric=materials.metric,
        patience=config.patience,
        sample=lambda step: heldout.emit(events, step) if heldout else samples.emit(trainer.model, events, step),
        measured="held-out tasks" if heldout else "held-out calls",
        figures=heldout.measure
        if heldout
        else lambda on_progress: materials.next_calls.measure(trainer.model, materials.tokenizer, on_progress),
        rollouts=prepared.rollouts,
        resumed=checkpoint,
    )
    for printer in (PrinterCallback, ProgressCallback):
        trainer.remove_callback(printer)
    trainer.add_callback(reporter)
    return reporter


def _emit_plan(events: Events, prepared: Prepared, device: str, file_rows: int) -> int:
    """Returns the total number of steps."""
    trainer, size = prepared.trainer, prepared.size
    arguments = trainer.args
    steps = max(1, -(-len(trainer.get_train_dataloader()) // arguments.gradient_accumulation_steps))
    total = arguments.max_steps if arguments.max_steps > 0 else int(-(-steps * arguments.num_train_epochs // 1))
    weights = list(trainer.model.parameters())
    events.emit(
        "plan",
        rows=size.rows,
        fileRows=file_rows,
        unused=size.unused,
        valRows=prepared.val_rows,
        tokens=size.tokens,
        trainedTokens=size.trained,
        truncated=size.left_out,
        split=size.split,
        longest=size.longest,
        totalSteps=total,
        parameters=sum(weight.numel() for weight in weights),
        trainable=sum(weight.numel() for weight in weights if weight.requires_grad),
        device=device,
    )
    return total


def _restore(trainer: Trainer, checkpoint: Path) -> None:
    """Restores a run that took all its steps but failed to save the result."""
    from transformers import TrainerState

    trainer._load_from_checkpoint(str(checkpoint))
    trainer.state = TrainerState.load_from_json(str(checkpoint / "trainer_state.json"))


@contextmanager
def _memory_errors(config: Config) -> Iterator[None]:
    """Turns out-of-memory errors into a ``TrainerError`` (out_of_memory) that names the setting to lower and its value."""
    try:
        yield
    except MemoryError as error:
        raise TrainerError("out_of_memory", _advice(config)) from error
    except RuntimeError as error:  # PyTorch's error, on the GPU and on the CPU
        text = str(error)
        if type(error).__name__ != "OutOfMemoryError" and "allocate memory" not in text and "not enough memory" not in text:
            raise
        raise TrainerError("out_of_memory", _advice(config)) from error


def _advice(config: Config) -> str:
    micro = config.micro_batch
    least = 2 if config.strategy == "kto" else 1
    half = next((size for size in range(micro // 2, least - 1, -1) if config.batch_size % size == 0), None)
    if half is not None:
        return f"The memory ran out. Set microBatch to {half} instead of {micro}: the result is the same, only slower."
    if config.strategy in REWARDED and config.max_completion > 64:
        half = config.max_completion // 2
        return f"The memory ran out with one answer at a time. Lower maxCompletion from {config.max_completion} to {half}."
    if config.max_length > 512:
        at_once = "one row" if micro == 1 else f"{micro} rows"
        return f"The memory ran out with {at_once} at a time. Lower maxLength from {config.max_length} to {config.max_length // 2}."
    return "The memory ran out with one short row at a time. Choose a smaller base model, LoRA, or 4-bit base weights."


def _save(trainer: Trainer, materials: Materials, control: Control) -> str:
    """Saves the result under a temporary name. The final rename completes the run."""
    config = materials.config
    folder = config.output / "final"
    if not is_first():
        return folder.name
    part = folder.with_name(f"{folder.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    trainer.save_model(str(part))
    save_tokenizer(materials.tokenizer, config.model, part)
    shutil.rmtree(folder, ignore_errors=True)
    control.finish()
    os.replace(part, folder)
    return folder.name
