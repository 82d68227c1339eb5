"""The types in which a run stores its weights and computes. The plan uses the same rule; tests/precision.json tests both."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Precision:
    """``weights``: of the base model in memory; ``compute``: of activations. float16 takes a loss scaler."""

    weights: str
    compute: str


def precision_of(method: dict[str, Any], *, cuda: bool, bf16: bool) -> Precision:
    """``bf16``: whether the GPU computes with it natively; emulated it is slower than float16."""
    if not cuda:
        return Precision("float32", "float32")
    half = "bfloat16" if bf16 else "float16"
    if method["kind"] == "full":
        # AdamW loses small updates in 16 bits; only with bf16's range and an 8-bit optimiser of its own is that a choice
        return Precision("bfloat16" if method.get("weights") == "bf16" and bf16 else "float32", half)
    return Precision("nf4" if method.get("quantized") else half, half)


def native_bf16() -> bool:
    """Whether the GPU of this process computes in bf16."""
    import torch

    return torch.cuda.is_available() and torch.cuda.is_bf16_supported(including_emulation=False)
