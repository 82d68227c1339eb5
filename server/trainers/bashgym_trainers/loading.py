"""The base model and its tokenizer from a folder or a GGUF file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .base import is_gguf, missing, read_tokenizer, read_weights
from .config import Config
from .errors import TrainerError

if TYPE_CHECKING:
    from peft import LoraConfig
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

WEIGHTS = ("*.safetensors", "pytorch_model*.bin")


def check_model(folder: Path) -> None:
    """What can be known without loading it. Raises ``TrainerError`` (model_missing)."""
    problem = missing(folder)
    if problem is not None:
        raise TrainerError("model_missing", problem)
    if is_gguf(folder):
        return
    wanted = [file.name for pattern in WEIGHTS for file in folder.glob(pattern)]
    index = folder / "model.safetensors.index.json"
    if index.exists():
        try:
            wanted = sorted(set(json.loads(index.read_text())["weight_map"].values()))
        except (ValueError, KeyError, AttributeError) as error:
            raise TrainerError("model_invalid", f"{index} cannot be read: {error!r}.") from error
    absent = [name for name in wanted if not (folder / name).exists()]
    if absent or not wanted:
        what = f"{absent[0]} is not there" if absent else "it has no weights"
        raise TrainerError(
            "model_missing",
            f"The model in {folder} is incomplete: {what}. Download it again; a gated model needs its licence accepted on the Hub first.",
        )


def load_tokenizer(folder: Path) -> PreTrainedTokenizerBase:
    """With a chat template and a padding token. Raises ``TrainerError`` (model_invalid, no_template)."""
    try:
        tokenizer = read_tokenizer(folder)
    except Exception as error:  # the libraries raise what the files make them stumble over
        raise TrainerError("model_invalid", f"The tokenizer in {folder} cannot be loaded: {_first_line(error)}") from error
    if not tokenizer.chat_template:
        raise TrainerError("no_template", f"The tokenizer in {folder} has no chat template. Choose the instruct version of the model.")
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    return tokenizer


def load_model(folder: Path, device: str, *, whole: bool, quantized: bool = False) -> PreTrainedModel:
    """``whole``: all its weights are trained, so they are held in full precision. Raises ``TrainerError`` (model_invalid, no_cuda)."""
    import torch

    half = device == "cuda" and torch.cuda.is_bf16_supported() and not whole
    options: dict[str, Any] = {"dtype": torch.bfloat16 if half else torch.float32}
    if quantized and is_gguf(folder):
        raise TrainerError("config_invalid", "GGUF weights are unpacked for training, so 4-bit base weights cannot be used. Turn them off.")
    if quantized:
        options |= _quantized(device)
    try:
        return read_weights(folder, **options)
    except (MemoryError, torch.OutOfMemoryError):
        raise
    except Exception as error:
        raise TrainerError("model_invalid", f"The model in {folder} cannot be loaded: {_first_line(error)}") from error


def reference(config: Config, device: str) -> PreTrainedModel | None:
    """The model as it was, for what is held against it. None: the library finds it, or switches the adapter off."""
    if config.method["kind"] == "lora" or not is_gguf(config.model):
        return None
    return load_model(config.model, device, whole=True)


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:500]


def _quantized(device: str) -> dict[str, Any]:
    if device != "cuda":
        raise TrainerError("no_cuda", "4-bit base weights need CUDA. Turn them off.")
    import importlib.util

    if importlib.util.find_spec("bitsandbytes") is None:
        raise TrainerError("no_bitsandbytes", "4-bit base weights need the package bitsandbytes, which is not installed.")
    import torch
    from transformers import BitsAndBytesConfig

    return {"quantization_config": BitsAndBytesConfig(load_in_4bit=True, bnb_4bit_quant_type="nf4", bnb_4bit_compute_dtype=torch.bfloat16)}


def lora(config: Config) -> LoraConfig | None:
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
