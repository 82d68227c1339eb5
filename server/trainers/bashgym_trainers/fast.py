"""Unsloth in place of Transformers and PEFT: the same model and adapter by kernels of its own, behind the same settings.

Its package takes over parts of the libraries when it is imported, so it has to come before them. What it cannot do is refused
by the settings (``refusals.py``); without a GPU and the package it is refused as well (``needs.py``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .config import Config
from .errors import TrainerError
from .precision import Precision

if TYPE_CHECKING:
    from transformers import PreTrainedModel

EVERY_LINEAR = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
"""What it takes for all linear layers."""


def is_chosen(config: Config) -> bool:
    return bool(config.knobs["backend"] == "unsloth")


def take_over() -> None:
    """Before the libraries are imported. Raises ``TrainerError`` (unsloth_failed)."""
    try:
        import unsloth  # noqa: F401
    except Exception as error:  # it looks at the GPU, the driver and the versions of all libraries
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0][:300]
        other = "Fix its environment, or choose transformers as the backend."
        raise TrainerError("unsloth_failed", f"Unsloth cannot be loaded: {reason} {other}", field="backend") from error


def load(config: Config, precision: Precision) -> PreTrainedModel:
    """The base model with its adapter. Raises ``TrainerError`` (model_invalid)."""
    import torch
    from unsloth import FastLanguageModel

    try:
        model, _ = FastLanguageModel.from_pretrained(**_of_model(config, getattr(torch, precision.compute)))
        return FastLanguageModel.get_peft_model(model, **_of_adapter(config))
    except (MemoryError, torch.OutOfMemoryError):
        raise
    except Exception as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0][:500]
        raise TrainerError("model_invalid", f"Unsloth cannot load the model in {config.model}: {reason}") from error


def _of_model(config: Config, dtype: Any) -> dict[str, Any]:  # noqa: ANN401
    return {
        "model_name": str(config.model),
        "max_seq_length": config.max_length,
        "dtype": dtype,
        "load_in_4bit": bool(config.method["quantized"]),
        "fix_tokenizer": False,  # rows are written and saved by our own
        "trust_remote_code": False,
        "use_gradient_checkpointing": _checkpointing(config),
    }


def _of_adapter(config: Config) -> dict[str, Any]:
    method = config.method
    return {
        "r": method["rank"],
        "lora_alpha": method["alpha"],
        "lora_dropout": method["dropout"],
        "target_modules": EVERY_LINEAR if method["targets"] == "all-linear" else method["targets"],
        "bias": "none",
        "use_rslora": method["useRslora"],
        "modules_to_save": method["modulesToSave"] or None,
        "random_state": config.seed,
        "use_gradient_checkpointing": _checkpointing(config),
    }


def _checkpointing(config: Config) -> str | bool:
    return False if config.knobs["activation_checkpointing"] == "off" else "unsloth"
