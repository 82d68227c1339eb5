"""A run from its config to its result: the same for every strategy."""

from __future__ import annotations

import hashlib
import importlib
import json
import os
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .config import Config
from .control import Control
from .data import read_rows
from .errors import TrainerError
from .events import Events

if TYPE_CHECKING:
    from peft import LoraConfig
    from transformers import PreTrainedModel, PreTrainedTokenizerBase, Trainer, TrainingArguments

COMPLETE, PAUSED, CANCELLED = 0, 75, 76


@dataclass(frozen=True)
class Prepared:
    """What a strategy hands back: a Trainer that is ready, and what is known of its data."""

    trainer: Trainer
    rows: int
    val_rows: int
    tokens: int
    trained: int | None
    truncated: int
    longest: int


@dataclass(frozen=True)
class Materials:
    """What every strategy starts from."""

    config: Config
    events: Events
    rows: list[dict[str, Any]]
    val: list[dict[str, Any]]
    model: PreTrainedModel
    tokenizer: PreTrainedTokenizerBase
    peft: LoraConfig | None
    arguments: Callable[..., dict[str, Any]]


def run(config: Config, events: Events, control: Control) -> int:
    """Trains. Returns the exit code: 0 complete, 75 paused, 76 cancelled. Raises ``TrainerError``."""
    started = time.monotonic()
    checkpoint = _latest_checkpoint(config.output)
    rows, val = _checked(config)  # what is cheap to refuse is refused before the libraries are loaded
    _hold_to_inputs(config, resuming=checkpoint is not None)
    events.tell("phase", phase="loading", detail=str(config.model))

    import torch
    from transformers import set_seed

    from .callbacks import Reporter, memory, peak

    if config.threads is not None:
        torch.set_num_threads(config.threads)
    if config.device == "cuda" and not torch.cuda.is_available():
        raise TrainerError("no_cuda", "CUDA was asked for, and PyTorch finds no GPU. Check the driver with nvidia-smi, or choose cpu.")
    set_seed(config.seed)
    device = "cpu" if config.device == "cpu" or not torch.cuda.is_available() else "cuda"
    materials = _load(config, events, rows, val, device)
    events.tell("phase", phase="tokenising", detail=None)
    strategy = importlib.import_module(f".{config.strategy}", __package__)
    prepared: Prepared = strategy.prepare(materials)
    trainer = prepared.trainer
    reporter = Reporter(events, control)
    _replace_printers(trainer, reporter)
    _tell_plan(events, trainer, prepared, device)
    if control.asked() is not None:
        return _stopped(events, control, 0, None)

    events.tell("phase", phase="training", detail=None if checkpoint is None else f"from {checkpoint.name}")
    memory()  # fails here rather than in the first step where the figures cannot be had
    try:
        trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
    except (torch.OutOfMemoryError, MemoryError) as error:
        raise TrainerError("out_of_memory", _advice(config)) from error
    step = trainer.state.global_step
    wish = control.asked()
    if wish in ("pause", "cancel"):
        return _stopped(events, control, step, reporter.checkpoint)

    events.tell("phase", phase="saving", detail=None)
    artifact = _save(trainer, materials, config.output / "final")
    events.tell("complete", step=step, artifact=artifact, trainSec=time.monotonic() - started, peakMb=peak(), stoppedEarly=False)
    return COMPLETE


def _stopped(events: Events, control: Control, step: int, checkpoint: str | None) -> int:
    paused = control.taken == "pause"
    how = "paused" if paused else "cancelled"
    events.tell("stopped", how=how, step=step, checkpoint=checkpoint)
    return PAUSED if paused else CANCELLED


def _checked(config: Config) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    if not (config.model / "config.json").exists():
        raise TrainerError("model_missing", f"There is no model in {config.model}: it has no config.json.")
    if config.batch_size % config.micro_batch:
        raise TrainerError("config_invalid", f"batchSize {config.batch_size} is no multiple of microBatch {config.micro_batch}.")
    return read_rows(config.train, config.strategy), read_rows(config.val, config.strategy) if config.val else []


def _load(config: Config, events: Events, rows: list[dict[str, Any]], val: list[dict[str, Any]], device: str) -> Materials:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    dtype = torch.bfloat16 if device == "cuda" and torch.cuda.is_bf16_supported() else torch.float32
    options: dict[str, Any] = {"dtype": dtype, "local_files_only": True, "trust_remote_code": False}
    if config.method.get("quantized"):
        options |= _quantized(device)
    try:
        tokenizer = AutoTokenizer.from_pretrained(config.model, local_files_only=True, trust_remote_code=False)
        model = AutoModelForCausalLM.from_pretrained(config.model, **options)
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        raise TrainerError("model_invalid", f"The model in {config.model} cannot be loaded: {error}") from error
    if not tokenizer.chat_template:
        raise TrainerError(
            "no_template",
            f"The tokenizer in {config.model} has no chat template. Choose the instruct version of the model.",
        )
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    return Materials(config, events, rows, val, model, tokenizer, _lora(config), lambda **more: _arguments(config, device, more))


def _quantized(device: str) -> dict[str, Any]:
    if device != "cuda":
        raise TrainerError("no_cuda", "4-bit base weights need CUDA. Switch `quantized` off.")
    import torch
    from transformers import BitsAndBytesConfig

    return {"quantization_config": BitsAndBytesConfig(load_in_4bit=True, bnb_4bit_quant_type="nf4", bnb_4bit_compute_dtype=torch.bfloat16)}


def _lora(config: Config) -> LoraConfig | None:
    if config.method["kind"] != "lora":
        return None
    from peft import LoraConfig

    method = config.method
    return LoraConfig(
        r=method["rank"],
        lora_alpha=method["alpha"],
        lora_dropout=method["dropout"],
        target_modules=method["targets"],
        task_type="CAUSAL_LM",
    )


def _arguments(config: Config, device: str, more: dict[str, Any]) -> dict[str, Any]:
    """Arguments that every trainer of the library takes."""
    micro = config.micro_batch
    return {
        "output_dir": str(config.output),
        "seed": config.seed,
        "data_seed": config.seed,
        "learning_rate": config.learning_rate,
        "num_train_epochs": config.epochs,
        "max_steps": config.max_steps or -1,
        "per_device_train_batch_size": micro,
        "per_device_eval_batch_size": micro,
        "gradient_accumulation_steps": config.batch_size // micro,
        "lr_scheduler_type": config.schedule,
        "warmup_steps": config.warmup_steps,
        "weight_decay": config.weight_decay,
        "max_grad_norm": config.max_grad_norm,
        "logging_steps": config.logging_steps,
        "logging_first_step": True,
        "eval_strategy": "steps" if config.val and config.eval_steps else "no",
        "eval_steps": config.eval_steps or 1,
        "save_strategy": "steps" if config.save_steps else "no",
        "save_steps": config.save_steps or 1,
        "save_total_limit": config.keep_checkpoints,
        "include_num_input_tokens_seen": "all",
        "use_cpu": device == "cpu",
        "bf16": False,
        "gradient_checkpointing": device == "cuda",
        "dataloader_pin_memory": device == "cuda",
        "report_to": "none",
        "disable_tqdm": True,
        **more,
    }


def _replace_printers(trainer: Trainer, reporter: Any) -> None:  # noqa: ANN401
    from transformers import PrinterCallback, ProgressCallback

    for printer in (PrinterCallback, ProgressCallback):
        trainer.remove_callback(printer)
    trainer.add_callback(reporter)


def _tell_plan(events: Events, trainer: Trainer, prepared: Prepared, device: str) -> None:
    arguments: TrainingArguments = trainer.args
    batches = -(-prepared.rows // arguments.per_device_train_batch_size)
    steps = -(-batches // arguments.gradient_accumulation_steps)
    total = arguments.max_steps if arguments.max_steps > 0 else int(-(-steps * arguments.num_train_epochs // 1))
    weights = list(trainer.model.parameters())
    events.tell(
        "plan",
        rows=prepared.rows,
        valRows=prepared.val_rows,
        tokens=prepared.tokens,
        trainedTokens=prepared.trained,
        truncated=prepared.truncated,
        longest=prepared.longest,
        totalSteps=total,
        parameters=sum(weight.numel() for weight in weights),
        trainable=sum(weight.numel() for weight in weights if weight.requires_grad),
        device=device,
    )


def _advice(config: Config) -> str:
    micro = config.micro_batch
    if micro > 1:
        return f"The memory ran out. Set microBatch to {max(1, micro // 2)}: the result is the same, only slower."
    if config.max_length > 512:
        return f"The memory ran out with one row at a time. Lower maxLength from {config.max_length} to {config.max_length // 2}."
    return "The memory ran out with one short row at a time. Choose a smaller base model, LoRA, or 4-bit base weights."


def _save(trainer: Trainer, materials: Materials, folder: Path) -> str:
    """Whole or not at all: written beside, then renamed."""
    part = folder.with_name(f"{folder.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    trainer.save_model(str(part))
    materials.tokenizer.save_pretrained(part)
    shutil.rmtree(folder, ignore_errors=True)
    os.replace(part, folder)
    return folder.name


def _latest_checkpoint(folder: Path) -> Path | None:
    """The newest checkpoint that is whole: its trainer state is written last."""
    found = [path for path in folder.glob("checkpoint-*") if (path / "trainer_state.json").exists()]
    return max(found, key=lambda path: int(path.name.rsplit("-", 1)[1]), default=None)


def _hold_to_inputs(config: Config, *, resuming: bool) -> None:
    """Writes what the run is made of; a resumed run is refused when any of it has changed, by name."""
    now = {
        "data": {str(file): _sha256(file) for file in (config.train, config.val) if file is not None and file.exists()},
        "model": _model_hash(config.model),
        "trainer": hashlib.sha256(b"".join(file.read_bytes() for file in sorted(Path(__file__).parent.glob("*.py")))).hexdigest(),
    }
    manifest = config.output / "inputs.json"
    if resuming and manifest.exists():
        before = json.loads(manifest.read_text())
        changed = [name for name in now if now[name] != before.get(name)]
        if changed:
            raise TrainerError(
                "changed",
                f"Since the run was paused its {' and '.join(changed)} changed, so it would not be the same run. Start a new one.",
            )
        return
    part = manifest.with_suffix(".part")
    part.write_text(json.dumps(now, indent=2))
    os.replace(part, manifest)


def _sha256(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _model_hash(folder: Path) -> str:
    files = sorted(path for path in folder.glob("*") if path.suffix in (".json", ".safetensors", ".jinja"))
    return hashlib.sha256("\n".join(f"{path.name} {_sha256(path)}" for path in files).encode()).hexdigest()
