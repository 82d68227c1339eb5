"""Rows of DPO and KTO as token ids: of a side, only what the assistant says carries loss; results of its calls do not.

The library would tokenize by itself, give everything behind the prompt loss, and leave rows whose prompt alone fills the
length out without a word.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .data import Rows
from .errors import TrainerError
from .render import Message, RenderError, encode, joined, pieces
from .tokens import Size

if TYPE_CHECKING:
    from datasets import Dataset
    from transformers import PreTrainedTokenizerBase

Batch = dict[str, Any]


@dataclass(frozen=True)
class Side:
    """An answer with what it is given to; ``mask`` is that of the answer."""

    prompt: list[int]
    answer: list[int]
    mask: list[int]

    @property
    def length(self) -> int:
        return len(self.prompt) + len(self.answer)


@dataclass(frozen=True)
class Sides:
    """Rows that fit, each with its sides by name. ``rows`` are those they belong to."""

    rows: Rows
    sides: list[dict[str, Side]]
    size: Size


def sides_of(rows: Rows, tokenizer: PreTrainedTokenizerBase, names: Sequence[str], max_length: int) -> Sides:
    """Rows ``{prompt, SIDE…}``; longer ones are left out. Raises ``TrainerError`` (row_invalid, rows_too_long)."""
    kept: list[int] = []
    sides: list[dict[str, Side]] = []
    tokens = trained = longest = 0
    for at, (number, row) in enumerate(rows):
        found = {name: _side(tokenizer, row, number, name) for name in names}
        length = max(side.length for side in found.values())
        longest = max(longest, length)
        if length > max_length:
            continue
        kept.append(at)
        sides.append(found)
        tokens += sum(side.length for side in found.values())
        trained += sum(sum(side.mask) for side in found.values())
    if not kept:
        message = f"All {len(rows)} rows are longer than {max_length} tokens. Set the max length to {longest} to keep all of them."
        raise TrainerError("rows_too_long", message)
    return Sides(rows.chosen(kept), sides, Size(len(kept), tokens, trained, len(rows) - len(kept), longest))


def _side(tokenizer: PreTrainedTokenizerBase, row: dict[str, Any], number: int, name: str) -> Side:
    prompt: list[Message] = row["prompt"]
    try:
        parts = pieces(tokenizer, [*prompt, *row[name]], row.get("tools"))
    except RenderError as error:
        raise TrainerError("row_invalid", f"Row {number}: {error}", number, name) from error
    answers = [at for at, part in enumerate(parts) if part.answer is not None and part.answer >= len(prompt)]
    if not answers:
        raise TrainerError("row_invalid", f"Row {number}: the assistant says nothing in {name}.", number, name)
    encoded = [(encode(tokenizer, part.text), part.trained) for part in parts[: answers[-1] + 1]]
    before, after = joined(encoded[: answers[0]]), joined(encoded[answers[0] :])
    return Side(before.ids, after.ids, after.mask)


def dataset_of(columns: dict[str, list[Any]]) -> Dataset:
    from datasets import Dataset

    return Dataset.from_dict(columns)


def with_masks(collate: Callable[[list[Batch]], Batch], masks: dict[str, Sequence[str]]) -> Callable[[list[Batch]], Batch]:
    """The library's batches with our masks. ``masks``: which columns make each mask of a batch, one after the other."""

    def masked(examples: list[Batch]) -> Batch:
        batch = collate(examples)
        for name, columns in masks.items():
            if name not in batch:
                continue
            mask = batch[name].zero_()
            values = [(example["prompt_ids"], example[column]) for column in columns for example in examples]
            for row, (prompt, ours) in enumerate(values):
                mask[row, len(prompt) : len(prompt) + len(ours)] = mask.new_tensor(ours)
        return batch

    return masked
