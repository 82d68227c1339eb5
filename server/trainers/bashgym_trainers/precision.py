"""The types in which a run stores its weights and computes. The plan uses the same rule; tests/precision.json tests both."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Precision:
    """``weights``: type of the base weights in memory. ``compute``: type of activations."""

    weights: str
    compute: str


def precision_of(method: dict[str, Any], *, cuda: bool, bf16: bool) -> Precision:
    """``bf16``: whether the GPU computes in it natively. Emulated bf16 is slower than float16."""
    if not cuda:
        return Precision("float32", "float32")
    half = "bfloat16" if bf16 else "float16"
    if method["kind"] == "full":
        # AdamW loses small updates in 16 bits, so full training uses 32 bits unless bf16 with an 8-bit optimiser is chosen
        return Precision("bfloat16" if method.get("weights") == "bf16" and bf16 else "float32", half)
    return Precision("nf4" if method.get("quantized") else half, half)


def native_bf16() -> bool:
    """Whether the GPU of this process computes in bf16."""
    import torch

    return torch.cuda.is_available() and torch.cuda.is_bf16_supported(including_emulation=False)
