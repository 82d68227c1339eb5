"""Loads model and adapter with Unsloth instead of Transformers and PEFT.

Unsloth patches these libraries when it is imported, so it must be imported before them. Settings that it does not support are
refused (``refusals.py``), and so is a machine without a GPU or the package (``needs.py``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .config import Config
from .errors import TrainerError, first_line
from .precision import Precision

if TYPE_CHECKING:
    from transformers import PreTrainedModel

ALL_LINEAR = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
"""Unsloth's target modules for all linear layers."""


def uses_unsloth(config: Config) -> bool:
    return bool(config.knobs["backend"] == "unsloth")


def import_unsloth() -> None:
    """Call it before the libraries are imported. Raises ``TrainerError`` (unsloth_failed)."""
    try:
        import unsloth  # noqa: F401
    except Exception as error:  # it checks the GPU, the driver and the versions of all libraries
        other = "Fix its environment, or choose transformers as the backend."
        raise TrainerError("unsloth_failed", f"Unsloth cannot be loaded: {first_line(error)} {other}", field="backend") from error


def load_with_unsloth(config: Config, precision: Precision) -> PreTrainedModel:
    """The base model with its adapter. Raises ``TrainerError`` (model_invalid)."""
    import torch
    from unsloth import FastLanguageModel

    try:
        model, _ = FastLanguageModel.from_pretrained(**_model_options(config, getattr(torch, precision.compute)))
        return FastLanguageModel.get_peft_model(model, **_adapter_options(config))
    except (MemoryError, torch.OutOfMemoryError):
        raise
    except Exception as error:
        raise TrainerError("model_invalid", f"Unsloth cannot load the model in {config.model}: {first_line(error)}") from error


def _model_options(config: Config, dtype: Any) -> dict[str, Any]:  # noqa: ANN401
    return {
        "model_name": str(config.model),
        "max_seq_length": config.max_length,
        "dtype": dtype,
        "load_in_4bit": bool(config.method["quantized"]),
        "fix_tokenizer": False,  # our code renders rows and saves the tokenizer
        "trust_remote_code": False,
        "use_gradient_checkpointing": _checkpointing(config),
    }


def _adapter_options(config: Config) -> dict[str, Any]:
    method = config.method
    return {
        "r": method["rank"],
        "lora_alpha": method["alpha"],
        "lora_dropout": method["dropout"],
        "target_modules": ALL_LINEAR if method["targets"] == "all-linear" else method["targets"],
        "bias": "none",
        "use_rslora": method["useRslora"],
        "modules_to_save": method["modulesToSave"] or None,
        "random_state": config.seed,
        "use_gradient_checkpointing": _checkpointing(config),
    }


def _checkpointing(config: Config) -> str | bool:
    return False if config.knobs["activation_checkpointing"] == "off" else "unsloth"
