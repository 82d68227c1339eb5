"""Text of a row that spells a special token, such as ``<|im_end|>`` in an answer about chat templates.

A tokenizer would read it as the token itself, and the model would learn to end its answer there. So the first character of each
such text is parted from the rest by ``BREAK``, at which ``ids.encode`` cuts: it is encoded as text, and the break is not encoded.
The same rule is implemented here and in ``server/src/stages/factory/preview/spelled.ts``.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

# A noncharacter of Unicode, which no text contains.
BREAK = "\ufdd0"
# Marks of thoughts are part of what an answer says.
_THOUGHTS = re.compile("think", re.IGNORECASE)


@lru_cache(maxsize=8)
def _marks(tokenizer: PreTrainedTokenizerBase, _size: int) -> re.Pattern[str] | None:
    added = [str(token.content) for token in tokenizer.added_tokens_decoder.values() if token.special]
    marks = {mark for mark in (*added, *tokenizer.all_special_tokens) if len(mark.strip()) > 1 and not _THOUGHTS.search(mark)}
    return re.compile("|".join(re.escape(mark) for mark in sorted(marks, key=len, reverse=True))) if marks else None


def spells_mark(tokenizer: PreTrainedTokenizerBase, value: Any) -> str | None:  # noqa: ANN401
    """The first special token that a text in the value spells."""
    marks = _marks(tokenizer, len(tokenizer))
    if marks is None:
        return None
    if isinstance(value, str):
        found = marks.search(value)
        return None if found is None else found.group()
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return next((mark for mark in (spells_mark(tokenizer, one) for one in inner) if mark), None)


def as_text(tokenizer: PreTrainedTokenizerBase, value: Any) -> Any:  # noqa: ANN401
    """The value with a break in every text that spells a special token."""
    marks = _marks(tokenizer, len(tokenizer))
    return value if marks is None else _parted(marks, value)


def _parted(marks: re.Pattern[str], value: Any) -> Any:  # noqa: ANN401
    if isinstance(value, str):
        return marks.sub(lambda found: f"{found.group()[0]}{BREAK}{found.group()[1:]}", value) if marks.search(value) else value
    if isinstance(value, list):
        return [_parted(marks, one) for one in value]
    return {name: _parted(marks, one) for name, one in value.items()} if isinstance(value, dict) else value
