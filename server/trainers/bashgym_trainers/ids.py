"""Tokenizes the pieces of a text.

The same rule is implemented here and in ``server/src/stages/factory/preview/ids.ts``. Each piece is tokenized separately, like at
inference, where the prompt is tokenized without the answer. But a tokenizer that adds a space at the beginning (SentencePiece)
would add one to each piece. With such a tokenizer, the whole text is tokenized, and a token belongs to the piece in which it
begins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .spelled import BREAK

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

_SPACE = "▁"


@dataclass(frozen=True)
class Rendered:
    """``ids`` and ``mask`` have the same length; mask 1: the token carries loss."""

    ids: list[int]
    mask: list[int]


def encode(tokenizer: PreTrainedTokenizerBase, text: str) -> list[int]:
    """The ids of a text; what stands around a ``BREAK`` is encoded by itself."""
    return [token for part in text.split(BREAK) for token in tokenizer(part, add_special_tokens=False)["input_ids"]]


def joined(parts: Sequence[tuple[list[int], bool]]) -> Rendered:
    """Joins pieces into one row. Each piece comes with whether it carries loss."""
    return Rendered([token for ids, _ in parts for token in ids], [int(trained) for ids, trained in parts for _ in ids])


def adds_space(tokenizer: PreTrainedTokenizerBase) -> bool:
    first = tokenizer.convert_ids_to_tokens(encode(tokenizer, "b"))[:1]
    return bool(tokenizer.is_fast) and any(str(token).startswith(_SPACE) for token in first)


def encode_pieces(tokenizer: PreTrainedTokenizerBase, texts: Sequence[str]) -> list[list[int]]:
    """The ids of each piece."""
    if not adds_space(tokenizer):
        return [encode(tokenizer, text) for text in texts]
    whole = tokenizer("".join(texts), add_special_tokens=False, return_offsets_mapping=True)
    ids, starts = whole["input_ids"], [start for start, _ in whole["offset_mapping"]]
    found: list[list[int]] = []
    at = end = 0
    for number, text in enumerate(texts, start=1):
        end += len(text)
        first = at
        while at < len(ids) and (starts[at] < end or number == len(texts)):
            at += 1
        found.append(list(ids[first:at]))
    return found
