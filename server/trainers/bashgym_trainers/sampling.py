"""Row orders that depend only on seed and epoch, so that a resumed run has the same order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import torch
from torch.utils.data import Sampler
from transformers.trainer_pt_utils import get_length_grouped_indices
from trl.trainer.utils import RepeatSampler

if TYPE_CHECKING:
    from datasets import Dataset


class EpochRepeatSampler(RepeatSampler):
    """Seeds the generator by epoch. The library's sampler continues it from the previous epoch, so a resumed run would differ."""

    def set_epoch(self, epoch: int) -> None:
        self.generator.manual_seed(self.seed + epoch)


class ByLength(Sampler[int]):
    """Orders rows of similar length together, shuffled by epoch. The library's sampler depends on the global random state."""

    def __init__(self, lengths: Sequence[int], batch_size: int, seed: int) -> None:
        self._lengths = list(lengths)
        self._batch_size = batch_size
        self._seed = seed
        self._epoch = 0

    def set_epoch(self, epoch: int) -> None:
        self._epoch = epoch

    def __len__(self) -> int:
        return len(self._lengths)

    def __iter__(self) -> Iterator[int]:
        generator = torch.Generator().manual_seed(self._seed + self._epoch)
        return iter(get_length_grouped_indices(self._lengths, self._batch_size, generator=generator))


class RenderedPrompts:
    """Mixin for a library trainer: takes rendered prompts, since each row has its own tools, and orders them by epoch."""

    def _get_train_sampler(self, dataset: Dataset | None = None) -> EpochRepeatSampler:
        sampler: RepeatSampler = super()._get_train_sampler(dataset)  # type: ignore[misc]
        return EpochRepeatSampler(
            data_source=sampler.data_source,
            mini_repeat_count=sampler.mini_repeat_count,
            batch_size=sampler.batch_size,
            repeat_count=sampler.repeat_count,
            shuffle=True,
            seed=sampler.seed,
        )

    def _tokenize_prompts(self, prompts: list[str]) -> tuple[list[list[int]], None, dict[str, Any]]:
        return self._tokenizer(prompts, add_special_tokens=False)["input_ids"], None, {}
