"""The type of each tensor in a K-quant file, by the mixtures Q4_K_M and Q5_K_M of llama.cpp (``src/llama-quant.cpp``)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

# Parts of the names of tensors that no mixture quantizes.
UNQUANTIZED = (
    "_norm.weight",
    "ffn_gate_inp.weight",
    "ffn_gate_tid2eid.weight",
    "altup",
    "laurel",
    "per_layer_model_proj",
    "ssm_conv1d",
    "shortconv.conv.weight",
    "indexer.k_proj.weight",
    "indexer.q_proj.weight",
    "attn_rel_b.weight",
    "position_embd",
    "token_types",
    "time_mix_first.weight",
    "time_mix_lerp_fused.weight",
)
UNQUANTIZED_TIME_MIX = re.compile(r"time_mix_((w|v|a)[0-2]|g[12]|decay_w[12])\.weight")
EMBEDDINGS = ("token_embd.weight", "per_layer_token_embd.weight")
BLOCK = {"Q4_K": 256, "Q5_K": 256, "Q6_K": 256, "Q5_0": 32, "Q5_1": 32, "Q8_0": 32}
# Used if the length of a row is not a multiple of the block size.
FALLBACK = {"Q4_K": "Q5_0", "Q5_K": "Q5_1", "Q6_K": "Q8_0"}
LARGEST_LAYERS = 80  # of models that share one value head among eight query heads


class Mixture(StrEnum):
    Q4_K_M = "q4_k_m"
    Q5_K_M = "q5_k_m"


@dataclass(frozen=True)
class Shape:
    """Shape of a tensor. ``columns``: the length of its rows."""

    name: str
    dimensions: int
    columns: int


def types_of(shapes: Sequence[Shape], mixture: Mixture, architecture: str, layers: int, experts: int) -> dict[str, str | None]:
    """The type by tensor name; None if the tensor is not quantized. ``experts``: 0 for dense models."""
    values = sorted((shape.name for shape in shapes if _is_value(shape.name)), key=_layer)
    downs = sorted((shape.name for shape in shapes if "ffn_down" in shape.name and _quantizable(shape)), key=_layer)
    tied = all(shape.name != "output.weight" for shape in shapes)
    default = "Q4_K" if mixture is Mixture.Q4_K_M else "Q5_K"

    def type_of(shape: Shape) -> str:
        name = shape.name
        if name == "output.weight" or (tied and name in EMBEDDINGS):
            return "Q8_0" if architecture == "falcon" or shape.columns % BLOCK[default] else "Q6_K"
        if _is_value(name):
            kind = "Q6_K" if _gets_more_bits(values.index(name), len(values)) else default
            if layers == LARGEST_LAYERS and kind == "Q4_K":
                kind = "Q5_K"
            return "Q8_0" if experts == 8 else kind
        if "attn_k.weight" in name:
            return "Q8_0" if experts == 8 else default
        if "ffn_down" in name:
            return _down(name)
        if "attn_output.weight" in name and experts == 8 and mixture is Mixture.Q4_K_M:
            return "Q5_K"
        return default

    def _down(name: str) -> str:
        at, count = (_layer(name), layers) if experts > 1 else (downs.index(name), len(downs))
        if architecture == "falcon" and mixture is Mixture.Q4_K_M:
            return "Q6_K" if at < count // 16 else "Q5_K" if _gets_more_bits(at, count) else "Q4_K"
        return "Q6_K" if _gets_more_bits(at, count) else default

    return {shape.name: _fitting(type_of(shape), shape.columns) if _quantizable(shape) else None for shape in shapes}


def _quantizable(shape: Shape) -> bool:
    name = shape.name
    return (
        shape.dimensions >= 2
        and name.endswith("weight")
        and not any(part in name for part in UNQUANTIZED)
        and not UNQUANTIZED_TIME_MIX.search(name)
    )


def _is_value(name: str) -> bool:
    return any(part in name for part in ("attn_v.weight", "attn_qkv.weight", "attn_kv_b.weight"))


def _gets_more_bits(at: int, layers: int) -> bool:
    """Whether a layer gets more bits: the first and last eighth of the layers, and every third one between."""
    eighth = layers // 8
    return at < eighth or at >= 7 * layers // 8 or (at - eighth) % 3 == 2


def _layer(name: str) -> int:
    found = re.match(r"blk\.(\d+)\.", name)
    return int(found[1]) if found else -1


def _fitting(kind: str, columns: int) -> str:
    if columns % BLOCK[kind] == 0:
        return kind
    fallback = FALLBACK.get(kind)
    return fallback if fallback and columns % BLOCK[fallback] == 0 else "F16"
