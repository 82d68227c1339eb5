"""Rows of DPO and KTO as token ids. Only assistant messages carry loss.

The library would also train on results of calls, and would silently drop rows whose prompt alone fills the length.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from .adapt import CALLS, SYSTEM, one_after_another
from .core import Prepared
from .data import Rows, messages_of
from .errors import TrainerError
from .ids import Rendered
from .loading import reference
from .refusals import check_rows
from .render import Message, Piece, RenderedRow, RenderError, Template, answer_alone, write
from .rendering import RenderingCounts
from .templates import thinks
from .tokens import Size
from .windows import EncodedTurn, Window, encoded_turns, fewer_tools, joined_row, pair_windows, row_of, shorter, split

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
    """The rows to train on, each with its sides by name. A row of the file may become several, each with its own columns."""

    rows: Rows
    sides: list[dict[str, Side]]
    size: Size
    rendering: RenderingCounts


@dataclass(frozen=True)
class Cut:
    """The rows that a row of the file becomes. ``left_out``: answers that do not fit; ``needed``: the length that keeps them."""

    rows: list[dict[str, Side]]
    left_out: int
    length: int
    needed: float
    written: RenderedRow


def sides_of(rows: Rows, tokenizer: PreTrainedTokenizerBase, names: Sequence[str], max_length: int) -> Sides:
    """Renders rows ``{prompt, SIDE…}``. Rows that are too long are split or end earlier, between turns, like for SFT.

    Raises ``TrainerError`` (row_invalid, rows_too_long).
    """
    kept: list[int] = []
    sides: list[dict[str, Side]] = []
    longest = left_out = split_count = unused = 0
    needed = 0.0
    rendering = RenderingCounts()
    for at, (number, row) in enumerate(rows):
        for name in names:
            if not any(message["role"] == "assistant" for message in row[name]):
                raise TrainerError("row_invalid", f"Row {number}: {name} has no assistant message with content.", number, name)
        try:
            cut = _pair(tokenizer, row, names, max_length) if len(names) > 1 else _single(tokenizer, row, names[0], max_length)
        except RenderError as error:
            rendering.refuse(error, number, names[0])
            continue
        rendering.count(cut.written)
        longest, needed = max(longest, cut.length), max(needed, cut.needed)
        left_out += cut.left_out
        split_count += len(cut.rows) > 1
        unused += not cut.rows
        kept += [at] * len(cut.rows)
        sides += cut.rows
    rendering.check()
    if not kept:
        keep = "" if math.isinf(needed) else f" Set the max length to {needed:.0f} to keep all of them."
        raise TrainerError("rows_too_long", f"All {len(rows)} rows are longer than {max_length} tokens.{keep}")
    every = [side for row in sides for side in row.values()]
    tokens, trained = sum(side.length for side in every), sum(sum(side.mask) for side in every)
    size = Size(
        len(kept),
        tokens,
        trained,
        left_out,
        longest,
        split_count,
        None if math.isinf(needed) else int(needed),
        unused + rendering.unwritten,
    )
    return Sides(rows.chosen(kept), sides, size, rendering)


def _as_side(row: Rendered, prompt: int) -> Side:
    return Side(row.ids[:prompt], row.ids[prompt:], row.mask[prompt:])


def _single(tokenizer: PreTrainedTokenizerBase, row: dict[str, Any], name: str, limit: int) -> Cut:
    """A row of KTO: its completion is split like a conversation, with the prompt as context."""
    result = split(tokenizer, [*_context_only(row["prompt"]), *row[name]], row.get("tools"), limit)
    made = [{name: _as_side(one, one.mask.index(1))} for one in result.rows]
    return Cut(made, len(result.left_out), result.length, result.needed, result.written)


def _context_only(messages: Sequence[Message]) -> list[Message]:
    return [{**message, "weight": 0} if message["role"] == "assistant" else message for message in messages]


def _pair(tokenizer: PreTrainedTokenizerBase, row: dict[str, Any], names: Sequence[str], limit: int) -> Cut:
    """A row of DPO: both sides with the same context, each up to the last turn that fits."""
    cut = _pair_with(tokenizer, row, names, limit, row.get("tools"))
    fewer = fewer_tools(messages_of(row), row.get("tools"), limit)
    return cut if fewer is None or cut.length <= limit else replace(_pair_with(tokenizer, row, names, limit, fewer), length=cut.length)


def _pair_with(tokenizer: PreTrainedTokenizerBase, row: dict[str, Any], names: Sequence[str], limit: int, tools: list[Any] | None) -> Cut:
    prompt = _context_only(row["prompt"])
    thinking = thinks(messages_of(row))
    written = [write(tokenizer, [*prompt, *row[name]], tools, thinking=thinking) for name in names]
    firsts = [len(one_after_another(prompt) if CALLS in one.changes else prompt) - (SYSTEM in one.changes) for one in written]
    if any(one.method == "answers" for one in written):
        return _decision(tokenizer, written, firsts, names, tools, limit, thinking=thinking)
    turns = [encoded_turns(tokenizer, one, tools, limit, thinking=thinking) for one in written]
    loss_starts = [sum(turn.message < first for turn in side) for side, first in zip(turns, firsts, strict=True)]
    sizes = [[turn.size for turn in side] for side in turns]
    answers = sum(turn.size.trained for side, start in zip(turns, loss_starts, strict=True) for turn in side[start:])
    length = max(sum(size.before + size.answer for size in side) for side in sizes)
    windows = pair_windows(sizes, loss_starts[0], limit)
    if windows is None:
        return Cut([], answers, length, length, written[0])
    made = {name: row_of(side, window) for name, side, window in zip(names, turns, windows, strict=True)}
    trained = sum(len(spans) for _, spans in made.values())
    starts = [_ids_before(side, window) for side, window in zip(turns, windows, strict=True)]
    sides = {name: _as_side(one, start) for (name, (one, _)), start in zip(made.items(), starts, strict=True)}
    return Cut([_with_same_prompt(sides)], answers - trained, length, length if trained < answers else 0, written[0])


def _ids_before(turns: Sequence[EncodedTurn], window: Window) -> int:
    """Tokens of a row before its first answer that is not context."""
    row, _ = row_of(turns, Window(window.first, window.loss_start, window.loss_start + 1))
    return len(row.ids) - len(turns[window.loss_start].answer)


def _decision(
    tokenizer: PreTrainedTokenizerBase,
    written: Sequence[RenderedRow],
    firsts: Sequence[int],
    names: Sequence[str],
    tools: list[Any] | None,
    limit: int,
    *,
    thinking: bool,
) -> Cut:
    """The first answers of both sides, for a template that changes earlier turns: it can have one answer in a row only."""
    template = Template(tokenizer, tools, thinking=thinking)
    variants: list[list[Rendered]] = []
    answers = 0
    for one, first in zip(written, firsts, strict=True):
        places = [at for at, message in enumerate(one.messages) if at >= first and message["role"] == "assistant"]
        answers += len(places)
        *before, answer = answer_alone(template, one.messages[: places[0] + 1])
        parts = [*before, Piece(answer.text, trained=True, answer=places[0])]
        whole_row = joined_row(tokenizer, parts)
        variants.append([whole_row, *shorter(template, one, parts)] if len(whole_row.ids) > limit else [whole_row])
    length = max(len(side[0].ids) for side in variants)
    count = max(map(len, variants))
    fitted = next((rows for rows in _aligned(variants, count) if all(len(row.ids) <= limit for row in rows)), None)
    if fitted is None:
        return Cut([], answers, length, min(max(len(row.ids) for row in rows) for rows in _aligned(variants, count)), written[0])
    sides = {name: _as_side(row, len(row.ids) - sum(row.mask)) for name, row in zip(names, fitted, strict=True)}
    return Cut([_with_same_prompt(sides)], answers - len(names), length, 0, written[0])


def _aligned(variants: Sequence[Sequence[Rendered]], count: int) -> Iterator[list[Rendered]]:
    """The sides with the same context: whole, then shorter and shorter."""
    for at in range(count):
        if all(len(side) > at for side in variants):
            yield [side[at] for side in variants]


def _with_same_prompt(sides: dict[str, Side]) -> dict[str, Side]:
    first, *others = sides.values()
    if any(side.prompt != first.prompt for side in others):
        raise RenderError("The chat template writes the prompt of the two sides differently. Use a template with generation marks.")
    return sides


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
        answers = "1 answer does" if size.left_out == 1 else f"{size.left_out} answers do"
        keep = "" if size.needed is None else f" Set the max length to {size.needed} to keep them."
        message = f"{answers} not fit into {materials.config.max_length} tokens and were left out.{keep}"
        materials.events.emit("warning", code="left_out", message=message)
