"""Makes a model that says one sentence, whatever it is asked: ``python make_saying_model.py DIR SENTENCE``.

Its weights are set, not trained: each token of the sentence has a direction of its own, which only leads to the next token, and
the newline that ends every prompt leads to the first. So its answer is known, without luck and in a second.
"""

from __future__ import annotations

import sys
from pathlib import Path

import make_tokenizer
import torch
from make_model import config_of
from transformers import Qwen2ForCausalLM

SIZE, SURE, CONTEXT = 64, 10.0, 8192


def main(folder: Path, sentence: str) -> None:
    make_tokenizer.SENTENCES = [*make_tokenizer.SENTENCES, sentence]
    tokenizer = make_tokenizer.make(folder, make_tokenizer.qwen_template(), 700)
    start = tokenizer("\n", add_special_tokens=False)["input_ids"]
    answer = tokenizer(sentence, add_special_tokens=False)["input_ids"]
    chain = [start[-1], *answer, tokenizer.eos_token_id]
    if len(set(chain)) < len(chain) or len(chain) > SIZE:
        raise SystemExit(f"Each token of the sentence must be another one: {chain}")
    config = config_of(tokenizer, SIZE)
    config.tie_word_embeddings, config.max_position_embeddings = False, CONTEXT
    torch.manual_seed(7)
    model = Qwen2ForCausalLM(config)
    with torch.no_grad():
        for layer in model.model.layers:
            layer.self_attn.o_proj.weight.zero_()
            layer.mlp.down_proj.weight.zero_()
        words, scores = model.model.embed_tokens.weight, model.lm_head.weight
        words.zero_()
        words[:, -1] = 1.0  # a token outside the sentence leads nowhere
        scores.zero_()
        for at, (token, following) in enumerate(zip(chain, chain[1:], strict=False)):
            words[token] = 0.0
            words[token, at] = 1.0
            scores[following, at] = SURE
    model.save_pretrained(folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
