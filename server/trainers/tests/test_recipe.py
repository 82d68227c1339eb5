"""The mixtures give each tensor the same type as llama.cpp."""

from __future__ import annotations

from collections import Counter

from bashgym_trainers.recipe import Mixture, Shape, types_of


def shapes(layers: int, hidden: int = 576, feed: int = 1536, tied: bool = True) -> list[Shape]:
    """Shapes of a Llama, with the names of a GGUF."""
    found = [Shape("token_embd.weight", 2, hidden), Shape("output_norm.weight", 1, hidden)]
    if not tied:
        found.append(Shape("output.weight", 2, hidden))
    for layer in range(layers):
        columns = {"attn_norm": 0, "ffn_norm": 0, "ffn_down": feed, "ffn_up": hidden, "ffn_gate": hidden}
        columns |= {f"attn_{part}": hidden for part in ("q", "k", "v", "output")}
        for name, width in columns.items():
            found.append(Shape(f"blk.{layer}.{name}.weight", 2 if width else 1, width or hidden))
    return found


def test_rows_that_are_not_a_multiple_of_256_fall_back_like_in_llama_cpp() -> None:
    """SmolLM2-135M: 180 of 272 tensors fall back, as llama-quantize reports."""
    kinds = types_of(shapes(30), Mixture.Q4_K_M, "llama", 30, 0)
    counted = Counter(kinds.values())
    assert counted == {None: 61, "Q5_0": 166, "Q8_0": 15, "Q4_K": 16, "Q6_K": 14}
    assert counted["Q5_0"] + counted["Q8_0"] - 1 == 180  # the embedding is Q8_0 by rule, not by falling back


def test_the_first_and_last_eighth_and_every_third_get_more_bits() -> None:
    kinds = types_of(shapes(32, 4096, 11008, tied=False), Mixture.Q4_K_M, "llama", 32, 0)
    more = [layer for layer in range(32) if kinds[f"blk.{layer}.attn_v.weight"] == "Q6_K"]
    assert more == [0, 1, 2, 3, 6, 9, 12, 15, 18, 21, 24, 27, 28, 29, 30, 31]
    assert more == [layer for layer in range(32) if kinds[f"blk.{layer}.ffn_down.weight"] == "Q6_K"]
    assert kinds["output.weight"] == "Q6_K"
    assert kinds["token_embd.weight"] == "Q4_K"
    assert kinds["blk.5.attn_v.weight"] == "Q4_K"


def test_q5_k_m_does_not_quantize_norms() -> None:
    kinds = types_of(shapes(8, 256, 512), Mixture.Q5_K_M, "qwen2", 8, 0)
    assert kinds["blk.3.attn_q.weight"] == "Q5_K"
    assert kinds["token_embd.weight"] == "Q6_K"
    assert kinds["blk.0.attn_norm.weight"] is None
    assert kinds["output_norm.weight"] is None


def test_a_row_that_fits_no_block_becomes_16_bit() -> None:
    assert types_of([Shape("blk.0.attn_q.weight", 2, 40)], Mixture.Q4_K_M, "llama", 1, 0) == {"blk.0.attn_q.weight": "F16"}


def test_eight_experts_and_eighty_layers_have_special_rules() -> None:
    experts = types_of(shapes(8, 256, 512), Mixture.Q4_K_M, "llama", 8, 8)
    assert experts["blk.1.attn_v.weight"] == experts["blk.1.attn_k.weight"] == "Q8_0"
    assert experts["blk.1.attn_output.weight"] == "Q5_K"
    large = types_of(shapes(80, 256, 512), Mixture.Q4_K_M, "llama", 80, 0)
    assert large["blk.10.attn_v.weight"] == "Q5_K"
