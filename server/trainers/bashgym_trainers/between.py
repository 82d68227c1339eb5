"""What a chat template writes between two answers: the end of the one, what the user says, and the opening of the next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .ids import encode
from .render import RenderError, Template

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

ANSWER, SAID = "what-was-answered-before", "what-is-said-behind-it"


class Between:
    """Found once, since a whole conversation written again might change earlier turns. Raises ``RenderError``."""

    def __init__(self, tokenizer: PreTrainedTokenizerBase, ends: set[int]) -> None:
        self._tokenizer = tokenizer
        messages = [{"role": "user", "content": "?"}, {"role": "assistant", "content": ANSWER}, {"role": "user", "content": SAID}]
        text = Template(tokenizer, None, thinking=False).text(messages, prompt=True)
        _, found, behind = text.partition(ANSWER)
        middle, also, self._tail = behind.partition(SAID)
        if not found or not also:
            raise RenderError("The chat template does not write an answer and what is said behind it in this order.")
        first, *rest = encode(tokenizer, middle)
        # the model has written the end mark itself
        self._head = rest if first in ends else [first, *rest]

    def ids(self, said: str) -> list[int]:
        return self._head + encode(self._tokenizer, said + self._tail)
