"""The base model and its tokenizer from a folder or a GGUF file."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .base import is_gguf, missing, read_tokenizer, read_weights
from .config import Config
from .errors import TrainerError, first_line
from .precision import Precision, native_bf16, precision_of
from .ranks import gpu
from .templates import chatml

if TYPE_CHECKING:
    from peft import LoraConfig
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

END_MARK = "<|im_end|>"
WEIGHTS = ("*.safetensors", "pytorch_model*.bin")


def check_model(folder: Path) -> None:
    """Checks what is possible without loading the model. Raises ``TrainerError`` (model_missing)."""
    problem = missing(folder)
    if problem is not None:
        raise TrainerError("model_missing", problem)
    if is_gguf(folder):
        return
    weight_files = [file.name for pattern in WEIGHTS for file in folder.glob(pattern)]
    index = folder / "model.safetensors.index.json"
    if index.exists():
        try:
            weight_files = sorted(set(json.loads(index.read_text())["weight_map"].values()))
        except (ValueError, KeyError, AttributeError) as error:
            raise TrainerError("model_invalid", f"{index} cannot be read: {error!r}.") from error
    missing_files = [name for name in weight_files if not (folder / name).exists()]
    if missing_files or not weight_files:
        what = f"{missing_files[0]} is missing" if missing_files else "it has no weights"
        raise TrainerError(
            "model_missing",
            f"The model in {folder} is incomplete: {what}. Download it again; a gated model needs its licence accepted on the Hub first.",
        )


def check_device(config: Config, device: str) -> None:
    """Refuses methods that this device or base does not support. Raises ``TrainerError`` (config_invalid, no_cuda, no_bitsandbytes)."""
    method = config.method
    quantized, half = bool(method.get("quantized")), method.get("weights") == "bf16"
    if quantized and is_gguf(config.model):
        raise TrainerError("config_invalid", "GGUF weights are unpacked for training, so 4-bit base weights cannot be used. Turn them off.")
    if device != "cuda" and quantized:
        raise TrainerError("no_cuda", "4-bit base weights need CUDA. Turn them off.")
    if half and not (device == "cuda" and native_bf16()):
        raise TrainerError("no_cuda", "Training all weights in bf16 needs a GPU that computes with it (capability 8.0 or more). Use fp32.")
    if (quantized or half) and importlib.util.find_spec("bitsandbytes") is None:
        what = "4-bit base weights" if quantized else "The 8-bit optimiser of bf16 weights"
        raise TrainerError("no_bitsandbytes", f"{what} need the package bitsandbytes, which is not installed.")


def load_tokenizer(folder: Path, template: str | None = None) -> PreTrainedTokenizerBase:
    """The tokenizer with an end mark, a padding token and a chat template: the given one, its own, or ChatML.

    Raises ``TrainerError`` (model_invalid, no_end_mark).
    """
    try:
        tokenizer = read_tokenizer(folder)
    except Exception as error:  # the libraries raise many types for invalid files
        raise TrainerError("model_invalid", f"The tokenizer in {folder} cannot be loaded: {first_line(error)}") from error
    if tokenizer.eos_token is None and END_MARK in tokenizer.get_vocab():
        tokenizer.eos_token = END_MARK
    if tokenizer.eos_token is None:
        why = f"The tokenizer in {folder} has no end mark (eos_token), so a model could not learn where an answer ends."
        raise TrainerError("no_end_mark", f"{why} Name one in its tokenizer_config.json, or choose the instruct version of the model.")
    if template is not None:
        tokenizer.chat_template = template
    elif not tokenizer.chat_template:
        tokenizer.chat_template = chatml()
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    return tokenizer


def load_model(folder: Path, device: str, precision: Precision, *, attention: str = "sdpa") -> PreTrainedModel:
    """Loads the model, if possible directly on its device. Raises ``TrainerError`` (model_invalid, no_cuda)."""
    import torch

    quantized = precision.weights == "nf4"
    options: dict[str, Any] = {"dtype": getattr(torch, precision.compute if quantized else precision.weights)}
    if attention != "sdpa":  # the library's default for models that support it
        options["attn_implementation"] = attention
    if quantized:
        options |= _quantized(precision)
    if device == "cuda" and not is_gguf(folder):
        options["device_map"] = {"": gpu()}
    try:
        return read_weights(folder, **options)
    except (MemoryError, torch.OutOfMemoryError):
        raise
    except Exception as error:
        raise TrainerError("model_invalid", f"The model in {folder} cannot be loaded: {first_line(error)}") from error


def load_teacher(folder: Path, device: str) -> PreTrainedModel:
    """Loads the teacher in 16 bits on a GPU, because it is not trained."""
    return load_model(folder, device, precision_of({"kind": "lora"}, cuda=device == "cuda", bf16=native_bf16()))


def reference(config: Config, device: str) -> PreTrainedModel | None:
    """A second copy of the base model as the reference. None: the library loads it, or disables the adapter instead."""
    if config.method["kind"] == "lora" or not is_gguf(config.model):
        return None
    return load_model(config.model, device, precision_of(config.method, cuda=device == "cuda", bf16=native_bf16()))


def _quantized(precision: Precision) -> dict[str, Any]:
    import torch
    from transformers import BitsAndBytesConfig

    config = BitsAndBytesConfig(
        load_in_4bit=True,
        bnb_4bit_quant_type="nf4",
        bnb_4bit_use_double_quant=True,
        bnb_4bit_compute_dtype=getattr(torch, precision.compute),
    )
    return {"quantization_config": config}


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
        use_rslora=method["useRslora"],
        use_dora=method["useDora"],
        modules_to_save=method["modulesToSave"] or None,
        ensure_weight_tying=bool(method["modulesToSave"]),  # the output head may share the embeddings
        target_parameters=method["targetParameters"] or None,
        task_type="CAUSAL_LM",
    )
