"""Turns rows and prompts into token ids, by the rule of ``render``."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from .adapt import adapted
from .complete import missing
from .data import Rows, messages_of, prompt_of
from .errors import TrainerError
from .ids import encode
from .render import SPELLED, Message, NoTrainedToken, RenderError, Template, left_out
from .rendering import RenderingCounts
from .spelled import as_text, spells_mark
from .templates import thinks
from .windows import split

if TYPE_CHECKING:
    from datasets import Dataset
    from transformers import PreTrainedTokenizerBase


@dataclass(frozen=True)
class Size:
    """Numbers of rows to train on and of their tokens. ``trained``: tokens with loss. ``left_out``: answers (SFT) or rows that do
    not fit. ``longest``: tokens of the longest row in the data file. ``split``: rows of the file that became several rows.
    ``needed``: the max length that leaves nothing out; None if there is none. ``unused``: rows of the file of which nothing is trained."""

    rows: int
    tokens: int
    trained: int | None
    left_out: int
    longest: int
    split: int = 0
    needed: int | None = None
    unused: int = 0


@dataclass(frozen=True)
class Tokenised:
    """``data`` has input_ids and labels (-100: no loss). ``unlearnable``: rows of the file without a trained token."""

    data: Dataset
    size: Size
    unlearnable: int
    rendering: RenderingCounts


def tokenise(rows: Rows, tokenizer: PreTrainedTokenizerBase, max_length: int) -> Tokenised:
    """Ids and loss masks of rows ``{messages, tools?}``. Long rows are split, and rows that cannot be rendered are left out.

    Raises ``TrainerError`` (row_invalid, no_trained_tokens).
    """
    import numpy as np
    from datasets import Dataset, Features, List, Value

    ids: list[np.ndarray] = []
    labels: list[np.ndarray] = []
    tokens = trained = left_out = longest = split_count = unlearnable = 0
    needed = 0.0
    rendering = RenderingCounts()
    marks = set(tokenizer.get_added_vocab().values()) | {tokenizer.eos_token_id}
    for number, row in rows:
        try:
            result = split(tokenizer, row["messages"], row.get("tools"), max_length)
        except NoTrainedToken:
            unlearnable += 1
            continue
        except RenderError as error:
            rendering.refuse(error, number, "messages")
            continue
        rendering.count(result.written, ends=all(one.ids[-1] in marks for one in result.rows))
        longest = max(longest, result.length)
        left_out += len(result.left_out)
        needed = max(needed, result.needed)
        split_count += len(result.rows) > 1
        unlearnable += not result.rows
        for one in result.rows:
            ids.append(np.array(one.ids, dtype=np.int32))
            labels.append(np.where(np.array(one.mask, dtype=bool), ids[-1], np.int32(-100)))
            tokens += len(one.ids)
            trained += sum(one.mask)
    rendering.check()
    if not ids:
        why = f" within {max_length} tokens. {_keep_hint(needed)}" if left_out else ". Choose rows with assistant messages."
        raise TrainerError("no_trained_tokens", f"None of the {len(rows)} rows has a trained token{why}")
    features = Features({"input_ids": List(Value("int32")), "labels": List(Value("int32"))})
    data = Dataset.from_dict({"input_ids": ids, "labels": labels}, features=features)
    size = Size(
        len(ids),
        tokens,
        trained,
        left_out,
        longest,
        split_count,
        None if math.isinf(needed) else int(needed),
        unlearnable + rendering.unwritten,
    )
    return Tokenised(data, size, unlearnable, rendering)


def _keep_hint(needed: float) -> str:
    return "Shorten the rows." if math.isinf(needed) else f"Set the max length to {needed:.0f}, or shorten the rows."


@dataclass(frozen=True)
class Prompts:
    """The texts of prompts that are short enough, and their rows. ``size`` counts the others as left out."""

    rows: Rows
    texts: list[str]
    size: Size
    rendering: RenderingCounts


def render_prompts(rows: Rows, tokenizer: PreTrainedTokenizerBase, limit: int) -> Prompts:
    """Renders the prompts with the tools of their rows. Prompts longer than ``limit`` are left out, never cut.

    Raises ``TrainerError`` (row_invalid, prompts_too_long).
    """
    texts: list[str] = []
    kept: list[int] = []
    tokens = longest = 0
    rendering = RenderingCounts()
    for at, (number, row) in enumerate(rows):
        try:
            prompt = prompt_of(row)
            if (mark := spells_mark(tokenizer, [prompt, row.get("tools")])) is not None:
                raise RenderError(SPELLED, f"It spells {mark}.")
            text = prompt_text(tokenizer, prompt, row.get("tools"), thinking=thinks(messages_of(row)))
        except RenderError as error:
            rendering.refuse(error, number, "prompt")
            continue
        rendering.rows += 1
        length = len(encode(tokenizer, text))
        longest = max(longest, length)
        if length <= limit:
            kept.append(at)
            texts.append(text)
            tokens += length
    rendering.check()
    if not kept:
        message = f"All prompts are longer than {limit} tokens (max length minus max answer length)."
        raise TrainerError("prompts_too_long", f"{message} Raise the max length, or lower the max answer length.")
    unused = len(rows) - len(kept)
    size = Size(len(kept), tokens, None, unused - rendering.unwritten, longest, unused=unused)
    return Prompts(rows.chosen(kept), texts, size, rendering)


def prompt_text(tokenizer: PreTrainedTokenizerBase, messages: list[Message], tools: list[Any] | None, *, thinking: bool) -> str:
    """The prompt for generating an answer, with the template that the model is served with. Raises ``RenderError``."""
    template = Template(tokenizer, tools, thinking=thinking)
    first_error: RenderError | None = None
    for _, changed in adapted([{**message, "content": message.get("content") or ""} for message in messages]):
        try:
            text = template.text(changed, prompt=True)
        except RenderError as error:
            first_error = first_error or error
            continue
        missing_part = missing(text, {}, changed, partial(template.drops_later, changed))
        if missing_part is None:
            return text
        first_error = first_error or left_out(missing_part)
    raise first_error or RenderError("The chat template writes nothing.")


def prompt_ids(tokenizer: PreTrainedTokenizerBase, messages: list[Message], tools: list[Any] | None) -> list[int]:
    """The prompt for generating an answer, as token ids."""
    return encode(tokenizer, prompt_text(tokenizer, as_text(tokenizer, messages), as_text(tokenizer, tools), thinking=thinks(messages)))
