"""Makes a tiny model with random weights and its tokenizer, as a Hugging Face folder: hidden size 64, two layers unless told otherwise."""

from __future__ import annotations

import sys
from pathlib import Path

import torch
from make_tokenizer import make, qwen_template
from transformers import PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM


def config_of(tokenizer: PreTrainedTokenizerFast, hidden: int = 64, layers: int = 2) -> Qwen2Config:
    return Qwen2Config(
        vocab_size=len(tokenizer),
        hidden_size=hidden,
        intermediate_size=2 * hidden,
        num_hidden_layers=layers,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=1024,
        tie_word_embeddings=True,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )


def make_model(folder: Path, vocabulary: int = 600, layers: int = 2) -> Path:
    tokenizer = make(folder, qwen_template(), vocabulary)
    torch.manual_seed(7)
    Qwen2ForCausalLM(config_of(tokenizer, layers=layers)).save_pretrained(folder)
    return folder


if __name__ == "__main__":
    make_model(Path(sys.argv[1]))
