"""Arguments for the library's trainers."""

from __future__ import annotations

from typing import Any

from .config import SCHEMA, Config, snake
from .precision import Precision
from .unsloth_backend import uses_unsloth

# Arguments that only one trainer has, each with the setting that has its value.
OWN: dict[str, dict[str, str]] = {
    "sft": {
        "loss_type": "sft_loss_type",
        "padding_free": "padding_free",
        "use_liger_kernel": "use_liger_kernel",
        "activation_offloading": "activation_offloading",
    },
    "dpo": {
        "loss_type": "dpo_loss_type",
        "label_smoothing": "label_smoothing",
        "ld_alpha": "ld_alpha",
        "precompute_ref_log_probs": "precompute_ref_log_probs",
        "disable_dropout": "disable_dropout",
        "activation_offloading": "activation_offloading",
    },
    "kto": {
        "loss_type": "kto_loss_type",
        "desirable_weight": "desirable_weight",
        "undesirable_weight": "undesirable_weight",
        "precompute_ref_log_probs": "precompute_ref_log_probs",
        "disable_dropout": "disable_dropout",
        "activation_offloading": "activation_offloading",
    },
    "grpo": {
        "num_iterations": "num_iterations",
        "mask_truncated_completions": "mask_truncated_completions",
        "top_p": "top_p",
        "top_k": "top_k",
        "min_p": "min_p",
    },
}
OBJECTIVES: dict[str, dict[str, Any]] = SCHEMA["objectives"]
EPSILON = 0.2
"""Of a loss that replaces that of the objective."""


DEFAULT_OPTIM = "adamw_torch_fused"
PATIENCE_SEC = 86_400
"""How long processes wait for each other while the first one alone measures held-out calls. An ended process is noticed at once."""


def _is_half(config: Config, precision: Precision) -> bool:
    """Whether all weights are trained and stored in 16 bits."""
    return config.method["kind"] == "full" and precision.weights == "bfloat16"


def own_arguments(config: Config) -> dict[str, Any]:
    """Arguments that only the trainer of this strategy accepts."""
    strategy = "grpo" if config.strategy == "rlvr" else config.strategy
    knobs = config.knobs
    found = {argument: knobs[setting] for argument, setting in OWN.get(strategy, {}).items()}
    if strategy == "dpo":
        found["loss_weights"] = knobs["loss_weights"] or None
    if strategy == "grpo":
        found |= objective_arguments(knobs)
    return found


def objective_arguments(knobs: dict[str, Any]) -> dict[str, Any]:
    """The values of the objective, replaced by those that are set themselves."""
    own = {snake(name): value for name, value in OBJECTIVES[knobs["objective"]].items()}
    loss = knobs["grpo_loss_type"] or own["grpo_loss_type"]
    if loss != own["grpo_loss_type"]:
        own |= {"grpo_loss_type": loss, "epsilon": EPSILON, "epsilon_high": SCHEMA["lossEpsilonHigh"].get(loss)}
    values = {name: value if knobs[name] is None else knobs[name] for name, value in own.items()}
    return {"loss_type": values.pop("grpo_loss_type"), **values}


def scheduler_arguments(config: Config, total: int) -> dict[str, Any]:
    """Arguments of the schedule. ``total``: number of steps of the run."""
    least = config.knobs["min_lr_rate"]
    if config.schedule == "cosine_with_min_lr":
        return {"min_lr_rate": least}
    if config.schedule == "warmup_stable_decay":
        return {"num_decay_steps": max(1, round(total * config.knobs["decay_ratio"])), "min_lr_ratio": least}
    return {}


def reporters(config: Config) -> list[str]:
    """Programs that receive the progress of the run. A dry run is not reported."""
    return [] if config.dry_run else [name for name, on in config.knobs["report_to"].items() if on]


def training_arguments(config: Config, device: str, *, metric: str, precision: Precision) -> dict[str, Any]:
    """``metric``: the evaluation figure that selects the best step; higher is better, except for a loss."""
    evaluates = bool(config.val and config.eval_steps)
    # The best weights can be restored at the end only if each evaluation has a checkpoint.
    save_steps = config.eval_steps if config.patience and evaluates else config.save_steps
    knobs = config.knobs
    checkpointing = "off" if uses_unsloth(config) else knobs["activation_checkpointing"]  # Unsloth has its own
    return {
        "output_dir": str(config.output),
        "seed": config.seed,
        "data_seed": config.seed,
        "learning_rate": config.learning_rate,
        "num_train_epochs": config.epochs,
        "max_steps": config.max_steps or -1,
        "per_device_train_batch_size": config.micro_batch,
        "per_device_eval_batch_size": config.micro_batch,
        "gradient_accumulation_steps": config.batch_size // (config.micro_batch * config.processes),
        "ddp_timeout": PATIENCE_SEC,
        "lr_scheduler_type": config.schedule,
        # a value below 1 is a share of all steps
        "warmup_steps": knobs["warmup_ratio"] if config.warmup_steps is None else config.warmup_steps,
        # 16-bit moments would lose small updates; this optimiser stores them in 8 bits with a scale for each block
        "optim": "adamw_8bit" if knobs["optim"] == DEFAULT_OPTIM and _is_half(config, precision) else knobs["optim"],
        "adam_beta1": knobs["adam_beta1"],
        "adam_beta2": knobs["adam_beta2"],
        "neftune_noise_alpha": knobs["neftune_noise_alpha"],
        "weight_decay": config.weight_decay,
        "max_grad_norm": config.max_grad_norm,
        "logging_steps": config.logging_steps,
        "logging_first_step": True,
        "logging_nan_inf_filter": False,  # it would replace a NaN by the mean
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
        "activation_checkpointing": device == "cuda" if checkpointing == "auto" else checkpointing == "on",
        "dataloader_pin_memory": device == "cuda",
        "report_to": reporters(config) or "none",
        "run_name": config.run_id,
        "project": "bashgym",
        "disable_tqdm": True,
    }
