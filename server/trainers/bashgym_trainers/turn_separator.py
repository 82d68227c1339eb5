"""The text that a chat template writes between two answers: the end of one, the user message, and the start of the next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .ids import encode
from .render import RenderError, Template

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

ANSWER, NEXT_MESSAGE = "the-previous-answer", "the-next-user-message"


class TurnSeparator:
    """Computed once, because rendering the whole conversation again might change earlier turns. Raises ``RenderError``."""

    def __init__(self, tokenizer: PreTrainedTokenizerBase, ends: set[int]) -> None:
        self._tokenizer = tokenizer
        messages = [{"role": "user", "content": "?"}, {"role": "assistant", "content": ANSWER}, {"role": "user", "content": NEXT_MESSAGE}]
        text = Template(tokenizer, None, thinking=False).text(messages, prompt=True)
        _, found, rest_text = text.partition(ANSWER)
        middle, found_next, self._tail = rest_text.partition(NEXT_MESSAGE)
        if not found or not found_next:
            raise RenderError("The chat template does not write an answer before the user message that follows it.")
        first, *others = encode(tokenizer, middle)
        # the model has already written the end mark
        self._head = others if first in ends else [first, *others]

    def ids(self, message: str) -> list[int]:
        return self._head + encode(self._tokenizer, message + self._tail)
