"""Makes a model of the Qwen2 kind with random weights and given widths: ``shaped_model.py DIR JSON``, JSON the widths."""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "server" / "trainers" / "tests"))

import torch
from make_tokenizer import make, qwen_template
from transformers import Qwen2Config, Qwen2ForCausalLM

folder, shape = Path(sys.argv[1]), json.loads(sys.argv[2])
tokenizer = make(folder, qwen_template())
torch.manual_seed(7)
config = Qwen2Config(
    **shape,
    max_position_embeddings=8192,
    tie_word_embeddings=True,
    eos_token_id=tokenizer.eos_token_id,
    pad_token_id=tokenizer.pad_token_id,
)
Qwen2ForCausalLM(config).save_pretrained(folder)
