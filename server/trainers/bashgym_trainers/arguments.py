"""Arguments that every trainer of the library takes."""

from __future__ import annotations

from typing import Any

from .config import Config
from .precision import Precision


def training_arguments(config: Config, device: str, *, metric: str, precision: Precision) -> dict[str, Any]:
    """``metric``: the figure of an evaluation that says which step is best; of all but a loss, more is better."""
    evaluates = bool(config.val and config.eval_steps)
    # The best weights can be taken at the end only where each evaluation has its checkpoint.
    save_steps = config.eval_steps if config.patience and evaluates else config.save_steps
    return {
        "output_dir": str(config.output),
        "seed": config.seed,
        "data_seed": config.seed,
        "learning_rate": config.learning_rate,
        "num_train_epochs": config.epochs,
        "max_steps": config.max_steps or -1,
        "per_device_train_batch_size": config.micro_batch,
        "per_device_eval_batch_size": config.micro_batch,
        "gradient_accumulation_steps": config.batch_size // config.micro_batch,
        "lr_scheduler_type": config.schedule,
        "warmup_steps": config.warmup_steps,
        "weight_decay": config.weight_decay,
        "max_grad_norm": config.max_grad_norm,
        "logging_steps": config.logging_steps,
        "logging_first_step": True,
        "logging_nan_inf_filter": False,  # it would put the mean in the place of a NaN
        "eval_strategy": "steps" if evaluates else "no",
        "eval_steps": config.eval_steps or 1,
        "save_strategy": "steps" if save_steps else "no",
        "save_steps": save_steps or 1,
        "save_total_limit": config.keep_checkpoints,
        "load_best_model_at_end": bool(config.patience and evaluates),
        "metric_for_best_model": metric if evaluates else None,
        "greater_is_better": metric != "eval_loss" if evaluates else None,
        "include_num_input_tokens_seen": "non_padding",
        "use_cpu": device == "cpu",
        "bf16": precision.compute == "bfloat16",
        "fp16": precision.compute == "float16",
        # 16-bit moments would lose small updates; this one keeps its own in 8 bits with a scale for each block
        **({"optim": "adamw_8bit"} if config.method["kind"] == "full" and precision.weights == "bfloat16" else {}),
        "gradient_checkpointing": device == "cuda",
        "dataloader_pin_memory": device == "cuda",
        "report_to": "none",
        "disable_tqdm": True,
    }
