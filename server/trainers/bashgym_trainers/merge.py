"""``merge``: merges an adapter with its base model into one 16-bit model, with the tokenizer and chat template of the training."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

from .base import is_gguf, missing, read_tokenizer, read_weights, save_tokenizer
from .errors import TrainerError
from .libraries import load_for_answers
from .tool_io import EventWriter, make_private, partial_path, serve_tool


def main(file: Path) -> int:
    return serve_tool("merge", file, merge)


def merge(config: dict[str, Any], events: EventWriter) -> dict[str, str | float | None]:
    """Writes the folder ``output``, which appears only when it is complete."""
    model_path, adapter, output = Path(config["model"]), config["adapter"] and Path(config["adapter"]), Path(config["output"])
    problem = missing(model_path)
    if problem is not None:
        raise TrainerError("model_missing", problem)
    if adapter and not (adapter / "adapter_config.json").exists():
        raise TrainerError("adapter_missing", f"There is no adapter in {adapter}: it has no adapter_config.json.")
    events.progress("merge", 0, None, "steps")

    load_for_answers()
    import torch

    try:
        model = read_weights(model_path, dtype=torch.float32 if is_gguf(model_path) else "auto", low_cpu_mem_usage=True)
        tokenizer = read_tokenizer(_tokenizer_folder(model_path, adapter))
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        raise TrainerError("model_invalid", f"The model in {model_path} cannot be loaded: {error}") from error
    if adapter:
        model = _merged(model, adapter)
    dtype = torch.bfloat16 if model.dtype == torch.bfloat16 else torch.float16
    if dtype is torch.float16 and _largest(model) > torch.finfo(torch.float16).max:
        dtype = torch.bfloat16  # it has the range of float32
    model = model.to(dtype)
    model.config.dtype = dtype
    part = partial_path(output)
    model.save_pretrained(part, safe_serialization=True)
    save_tokenizer(tokenizer, model_path, part)
    make_private(part)
    shutil.rmtree(output, ignore_errors=True)
    os.replace(part, output)
    return {"dtype": str(dtype).removeprefix("torch."), "parameters": sum(weight.numel() for weight in model.parameters())}


def _tokenizer_folder(model: Path, adapter: Path | None) -> Path:
    """The tokenizer of the training, since the model learned its chat template."""
    return adapter if adapter and (adapter / "tokenizer_config.json").exists() else model


def _merged(model: Any, adapter: Path) -> Any:  # noqa: ANN401
    from peft import PeftModel

    vocabulary = _rows_of_embedding(adapter)
    if vocabulary is not None and vocabulary != model.get_input_embeddings().weight.shape[0]:
        model.resize_token_embeddings(vocabulary)
    try:
        return PeftModel.from_pretrained(model, str(adapter), local_files_only=True).merge_and_unload(safe_merge=True)
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        raise TrainerError("adapter_invalid", f"The adapter in {adapter} does not fit this base model: {error}") from error


def _rows_of_embedding(adapter: Path) -> int | None:
    """Number of rows of an embedding that was trained with the adapter, or None."""
    from safetensors import safe_open

    file = adapter / "adapter_model.safetensors"
    if not file.exists():
        raise TrainerError("adapter_missing", f"There is no adapter in {adapter}: it has no adapter_model.safetensors.")
    with safe_open(file, framework="pt") as tensors:
        names = [name for name in tensors.keys() if name.endswith("embed_tokens.weight")]  # noqa: SIM118
        return tensors.get_slice(names[0]).get_shape()[0] if names else None


def _largest(model: Any) -> float:  # noqa: ANN401
    return max(weight.detach().abs().max().item() for weight in model.parameters())
