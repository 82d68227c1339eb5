"""Rows of DPO and KTO as token ids. Only assistant messages carry loss.

The library would also train on results of calls, and would silently drop rows whose prompt alone fills the length.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .adapt import CALLS, SYSTEM, one_after_another
from .core import Prepared
from .data import Rows, messages_of
from .errors import TrainerError
from .ids import encode_pieces, joined
from .loading import reference
from .refusals import check_rows
from .render import Message, Piece, RenderedRow, RenderError, write
from .rendering import RenderingCounts
from .templates import thinks
from .tokens import Size

if TYPE_CHECKING:
    from datasets import Dataset
    from transformers import PreTrainedTokenizerBase
    from transformers import Trainer as LibraryTrainer

    from .core import Materials

Batch = dict[str, Any]
Masks = dict[str, Sequence[str]]


@dataclass(frozen=True)
class Side:
    """An answer with its prompt; ``mask`` is the loss mask of the answer."""

    prompt: list[int]
    answer: list[int]
    mask: list[int]

    @property
    def length(self) -> int:
        return len(self.prompt) + len(self.answer)


@dataclass(frozen=True)
class Sides:
    """The rows that fit, each with its sides by name."""

    rows: Rows
    sides: list[dict[str, Side]]
    size: Size
    rendering: RenderingCounts


def sides_of(rows: Rows, tokenizer: PreTrainedTokenizerBase, names: Sequence[str], max_length: int) -> Sides:
    """Renders rows ``{prompt, SIDE…}``. Rows that are too long are left out. Raises ``TrainerError`` (row_invalid, rows_too_long)."""
    kept: list[int] = []
    sides: list[dict[str, Side]] = []
    tokens = trained = longest = 0
    rendering = RenderingCounts()
    for at, (number, row) in enumerate(rows):
        try:
            found = _sides(tokenizer, row, number, names, rendering)
        except RenderError as error:
            rendering.refuse(error, number, names[0])
            continue
        length = max(side.length for side in found.values())
        longest = max(longest, length)
        if length > max_length:
            continue
        kept.append(at)
        sides.append(found)
        tokens += sum(side.length for side in found.values())
        trained += sum(sum(side.mask) for side in found.values())
    rendering.check()
    if not kept:
        message = f"All {len(rows)} rows are longer than {max_length} tokens. Set the max length to {longest} to keep all of them."
        raise TrainerError("rows_too_long", message)
    size = Size(len(kept), tokens, trained, len(rows) - rendering.unwritten - len(kept), longest)
    return Sides(rows.chosen(kept), sides, size, rendering)


def _sides(
    tokenizer: PreTrainedTokenizerBase, row: dict[str, Any], number: int, names: Sequence[str], rendering: RenderingCounts
) -> dict[str, Side]:
    thinking = thinks(messages_of(row))
    written = {name: write(tokenizer, [*row["prompt"], *row[name]], row.get("tools"), thinking=thinking) for name in names}
    found = {name: _side(tokenizer, one, row["prompt"], number, name) for name, one in written.items()}
    rendering.count(written[names[0]])
    return found


def _side(tokenizer: PreTrainedTokenizerBase, written: RenderedRow, prompt: list[Message], number: int, name: str) -> Side:
    first = len(one_after_another(prompt) if CALLS in written.changes else prompt) - (SYSTEM in written.changes)
    parts = _conversation(written, first)
    answers = [at for at, part in enumerate(parts) if part.answer is not None and part.answer >= first]
    if not answers:
        raise TrainerError("row_invalid", f"Row {number}: {name} has no assistant message with content.", number, name)
    parts = parts[: answers[-1] + 1]
    encoded = [(ids, part.trained) for ids, part in zip(encode_pieces(tokenizer, [part.text for part in parts]), parts, strict=True)]
    before, after = joined(encoded[: answers[0]]), joined(encoded[answers[0] :])
    return Side(before.ids, after.ids, after.mask)


def _conversation(written: RenderedRow, first: int) -> list[Piece]:
    """The conversation of a side. If the template needs one row per answer, a side may have only one answer."""
    if written.method != "answers":
        return written.conversations[0]
    own = [parts for parts in written.conversations if (parts[-1].answer or 0) >= first]
    if len(own) > 1:
        why = "The chat template changes earlier turns, so that a side can have one answer only."
        raise RenderError(f"{why} Use pairs of decisions, or a template with generation marks.")
    return own[0] if own else []


def with_masks(collate: Callable[..., Batch], masks: Masks) -> Callable[[list[Batch]], Batch]:
    """Replaces the masks of the library's batches. ``masks``: for each mask, the columns that are concatenated to it."""

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


class TokenisedRows:
    """Mixin for a library trainer: takes tokenized rows, and passes ``mask_columns`` to the collator."""

    mask_columns: tuple[str, ...]

    def _prepare_dataset(self, dataset: Dataset, *_: Any) -> Dataset:
        return dataset

    def _set_signature_columns_if_needed(self) -> None:
        super()._set_signature_columns_if_needed()  # type: ignore[misc]
        self._signature_columns = [*dict.fromkeys([*self._signature_columns, *self.mask_columns])]


def prepare_sides(
    materials: Materials,
    trainer: type[LibraryTrainer],
    arguments: type,
    collator: type,
    *,
    names: Sequence[str],
    masks: Masks,
    columns: Callable[[Sides], Dataset],
) -> Prepared:
    """The common part of DPO and KTO. ``columns``: converts rows to the library's columns."""
    config, tokenizer = materials.config, materials.tokenizer
    train = sides_of(materials.rows, tokenizer, names, config.max_length)
    val = sides_of(materials.val, tokenizer, names, config.max_length) if len(materials.val) else None
    check_rows(config, train.rows)
    train.rendering.emit(materials.events)
    _warn_left_out(materials, train.size)
    made = trainer(
        model=materials.model,
        ref_model=reference(config, materials.device),
        args=arguments(**materials.arguments(beta=config.beta, max_length=config.max_length)),
        train_dataset=columns(train),
        eval_dataset=columns(val) if val else None,
        processing_class=tokenizer,
        peft_config=materials.peft,
        # set from the start: reference log probabilities may be computed before the first step
        data_collator=with_masks(collator(pad_token_id=tokenizer.pad_token_id, max_length=config.max_length), masks),
    )
    return Prepared(made, train.size, val.size.rows if val else 0)


def _warn_left_out(materials: Materials, size: Size) -> None:
    if size.left_out:
        limit, rows = materials.config.max_length, len(materials.rows)
        message = f"{size.left_out} of {rows} rows are longer than {limit} tokens and were left out. Set the max length to {size.longest}."
        materials.events.emit("warning", code="left_out", message=message)
