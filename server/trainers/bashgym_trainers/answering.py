"""Greedy answers of a model, without side effects on training."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase


@contextmanager
def undisturbed(model: PreTrainedModel) -> Iterator[None]:
    """Restores the random states and the mode of the model afterwards."""
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
    """The generated text with its special tokens, up to the end mark."""
    pad = tokenizer.pad_token_id
    end = next((at for at, token in enumerate(ids) if token in ends), len(ids))
    kept = [int(token) for token in ids[:end] if token != pad]
    return str(tokenizer.decode(kept, skip_special_tokens=False))


@dataclass(frozen=True)
class Answer:
    """``ended``: with an end mark, not at the token limit."""

    text: str
    ended: bool


def read_answer(ids: Sequence[int], tokenizer: PreTrainedTokenizerBase, ends: set[int]) -> Answer:
    return Answer(text_of(ids, tokenizer, ends), any(token in ends for token in ids))


def answers(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, prompts: Sequence[str], max_tokens: int) -> list[str]:
    """One greedy answer per prompt (rendered text), all in one batch."""
    ids = tokenizer(list(prompts), add_special_tokens=False)["input_ids"]
    return [answer.text for answer in continued(model, tokenizer, ids, max_tokens, end_marks(model, tokenizer))]


def continued(
    model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, prompts: Sequence[Sequence[int]], max_tokens: int, ends: set[int]
) -> list[Answer]:
    """One greedy answer per prompt (token ids), all in one batch."""
    return [read_answer(row, tokenizer, ends) for row in written(model, tokenizer, prompts, max_tokens, ends)]


def written(
    model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, prompts: Sequence[Sequence[int]], max_tokens: int, ends: set[int]
) -> list[list[int]]:
    """Token ids of the answers, padded after the end mark; prompts are padded on the left."""
    import torch
    from transformers import GenerationConfig

    longest = max(map(len, prompts))
    fill = tokenizer.pad_token_id
    padded = torch.tensor([[fill] * (longest - len(ids)) + list(ids) for ids in prompts], device=model.device)
    seen = torch.tensor([[0] * (longest - len(ids)) + [1] * len(ids) for ids in prompts], device=model.device)
    settings = GenerationConfig(
        max_new_tokens=max_tokens, do_sample=False, use_cache=True, eos_token_id=sorted(ends), pad_token_id=tokenizer.pad_token_id
    )
    with undisturbed(model):
        whole = model.generate(input_ids=padded, attention_mask=seen, generation_config=settings)
    rows: list[list[int]] = whole[:, longest:].tolist()
    return rows
