"""Answers of a model, greedily, without a trace in what is trained."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase


@contextmanager
def undisturbed(model: PreTrainedModel) -> Iterator[None]:
    """Random states and the model's mode are afterwards what they were."""
    import numpy as np
    import torch

    python, numbers, cpu = random.getstate(), np.random.get_state(), torch.get_rng_state()
    cuda = torch.cuda.get_rng_state_all() if torch.cuda.is_available() else []
    training = model.training
    model.eval()
    try:
        with torch.no_grad():
            yield
    finally:
        model.train(training)
        random.setstate(python)
        np.random.set_state(numbers)
        torch.set_rng_state(cpu)
        if cuda:
            torch.cuda.set_rng_state_all(cuda)


def end_marks(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> set[int]:
    """Tokens that end an answer."""
    configured = model.generation_config.eos_token_id if model.generation_config else None
    several = configured if isinstance(configured, list) else [configured]
    return {int(one) for one in (*several, tokenizer.eos_token_id) if one is not None}


def text_of(ids: Sequence[int], tokenizer: PreTrainedTokenizerBase, ends: set[int]) -> str:
    """What was written, special tokens and all, up to its end mark."""
    pad = tokenizer.pad_token_id
    end = next((at for at, token in enumerate(ids) if token in ends), len(ids))
    kept = [int(token) for token in ids[:end] if token != pad]
    return str(tokenizer.decode(kept, skip_special_tokens=False))


def answers(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, prompts: Sequence[str], max_tokens: int) -> list[str]:
    """One greedy answer a prompt (rendered text), all in one batch."""
    from transformers import GenerationConfig

    batch = tokenizer(list(prompts), add_special_tokens=False, padding=True, padding_side="left", return_tensors="pt")
    ends = end_marks(model, tokenizer)
    settings = GenerationConfig(
        max_new_tokens=max_tokens, do_sample=False, use_cache=True, eos_token_id=sorted(ends), pad_token_id=tokenizer.pad_token_id
    )
    with undisturbed(model):
        written = model.generate(
            input_ids=batch["input_ids"].to(model.device),
            attention_mask=batch["attention_mask"].to(model.device),
            generation_config=settings,
        )
    start = batch["input_ids"].shape[1]
    return [text_of(row, tokenizer, ends) for row in written[:, start:].tolist()]
