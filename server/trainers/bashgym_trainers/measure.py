"""Lengths of rows whose template the library applies by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .core import Materials
from .errors import TrainerError


@dataclass(frozen=True)
class Size:
    """Tokens of all sides together; rows with a side longer than the training length; the longest side."""

    tokens: int
    truncated: int
    longest: int


def longest_of(materials: Materials, rows: Sequence[dict[str, Any]], sides: Sequence[str]) -> Size:
    """Tokenizes prompt and side of every row. Raises ``TrainerError`` (row_invalid) where the template refuses one."""
    limit = materials.config.max_length
    tokens = truncated = longest = 0
    for number, row in enumerate(rows, start=1):
        lengths = [_length(materials, [*row["prompt"], *row[side]], row.get("tools"), number) for side in sides]
        tokens += sum(lengths)
        longest = max(longest, *lengths)
        truncated += max(lengths) > limit
    return Size(tokens, truncated, longest)


def _length(materials: Materials, messages: list[dict[str, Any]], tools: list[Any] | None, number: int) -> int:
    try:
        text = materials.tokenizer.apply_chat_template(messages, tools=tools or None, tokenize=False)
    except Exception as error:  # a template may raise anything
        raise TrainerError("row_invalid", f"Row {number}: the chat template refused it: {error}", number) from error
    return len(materials.tokenizer(text, add_special_tokens=False)["input_ids"])
