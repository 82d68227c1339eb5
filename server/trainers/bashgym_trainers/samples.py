"""Sample answers during training: answers to fixed prompts at each evaluation, and rollouts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from .answering import answers
from .data import Rows, answer_of, prompt_of
from .errors import TrainerError
from .events import Events, finite
from .tokens import render_prompts

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

SAMPLE_TOKENS = 128
SHOWN = 8  # rollouts per log
LONGEST = 4000  # characters of a text in an event


class Samples:
    """Greedy answers to the first prompts of the held-out rows, or of the training rows if there are none."""

    def __init__(self, rows: Rows, tokenizer: PreTrainedTokenizerBase, *, count: int, max_length: int, max_tokens: int) -> None:
        self._tokenizer = tokenizer
        self._tokens = min(max_tokens, SAMPLE_TOKENS)
        self._rows: list[dict[str, Any]] = []
        self._texts: list[str] = []
        for at in range(min(len(rows), 20 * count)):
            if len(self._texts) == count:
                break
            try:
                rendered = render_prompts(rows.chosen([at]), tokenizer, max_length)
            except TrainerError:
                continue  # too long, or it cannot be rendered
            self._rows += rendered.rows.values
            self._texts += rendered.texts

    def emit(self, model: PreTrainedModel, events: Events, step: int) -> None:
        if not self._texts:
            return
        for index, text in enumerate(answers(model, self._tokenizer, self._texts, self._tokens)):
            events.emit("sample", step=step, source="evaluation", index=index, rewards={}, **_shown(self._rows[index], text))


class RolloutLog(Protocol):
    """Keeps the newest rollouts, and emits them at a log."""

    def emit(self, events: Events, step: int) -> None: ...

    def clear(self) -> None: ...


class Rollouts:
    """The newest answers that were rewarded, kept until the next log."""

    def __init__(self, rows: Sequence[dict[str, Any]]) -> None:
        self._rows = rows
        self._last: tuple[list[int], list[str]] = ([], [])
        self._rewards: dict[str, list[float]] = {}

    def note(self, reward: str, indices: list[int], texts: list[str], values: list[float]) -> None:
        if self._last != (indices, texts):
            self._last, self._rewards = (indices, texts), {}
        self._rewards[reward] = values

    def clear(self) -> None:
        self._last, self._rewards = ([], []), {}

    def emit(self, events: Events, step: int) -> None:
        for at, (index, text) in enumerate(zip(*self._last, strict=True)):
            if at == SHOWN:
                break
            rewards = finite({name: values[at] for name, values in self._rewards.items()})[0]
            events.emit("sample", step=step, source="rollout", index=index, rewards=rewards, **_shown(self._rows[index], text))
        self.clear()


def _shown(row: dict[str, Any], text: str) -> dict[str, str | None]:
    prompt = next((message["content"] for message in reversed(prompt_of(row)) if message.get("content")), "")
    reference = answer_of(row)
    return {"prompt": prompt[-LONGEST:], "text": text[:LONGEST], "reference": None if reference is None else reference[:LONGEST]}
