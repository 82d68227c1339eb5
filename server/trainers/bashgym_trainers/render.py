"""What the model sees of a row, and which tokens it learns from.

One rule, written twice: here, and in ``server/src/stages/factory/preview/render.ts``. A test compares both.

1. A template with ``{% generation %}`` marks says itself where the assistant speaks.
2. Without marks, an assistant message is what the template adds for it after the generation prompt; white space behind
   its end mark is the template's, not the model's.
   A message with ``weight`` 0 is context: it carries no loss.
3. A template that writes earlier turns differently once later ones follow cannot be trained on this way: refused.
4. So is one that writes the same without the tool calls of a row.

The text is cut where speakers change and each piece is tokenized alone, as at inference: there the prompt is given
first, and the model continues behind it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

Message = dict[str, Any]
_MARK = re.compile(r"{%-?\s*generation\b")


class RenderError(ValueError):
    """A row, or a template, that cannot be trained on; the message says why and what to do."""


class NothingLearned(RenderError):
    """A row in which the assistant says nothing."""


@dataclass(frozen=True)
class Piece:
    """A stretch of the rendered text. ``answer``: the message of the assistant that it is; ``trained``: it carries loss."""

    text: str
    trained: bool
    answer: int | None


@dataclass(frozen=True)
class Rendered:
    """``ids`` and ``mask`` have the same length; mask 1: the token carries loss."""

    ids: list[int]
    mask: list[int]


def render(tokenizer: PreTrainedTokenizerBase, messages: Sequence[Message], tools: Sequence[Any] | None = None) -> Rendered:
    """Token ids and loss mask of one conversation. Raises ``RenderError``."""
    parts = pieces(tokenizer, messages, tools)
    done = joined([(encode(tokenizer, part.text), part.trained) for part in parts])
    if not any(done.mask):
        raise NothingLearned("No token of this row carries loss: it has no assistant message with content.")
    return done


def encode(tokenizer: PreTrainedTokenizerBase, text: str) -> list[int]:
    return tokenizer(text, add_special_tokens=False)["input_ids"]  # type: ignore[return-value]


def joined(parts: Sequence[tuple[list[int], bool]]) -> Rendered:
    """Pieces as one row, each with whether it carries loss."""
    return Rendered([token for ids, _ in parts for token in ids], [int(trained) for ids, trained in parts for _ in ids])


def pieces(tokenizer: PreTrainedTokenizerBase, messages: Sequence[Message], tools: Sequence[Any] | None = None) -> list[Piece]:
    """The rendered text, cut where speakers change; joined it is the whole text. Raises ``RenderError``."""
    trained = [message.get("weight") != 0 for message in messages]
    messages = [{name: value for name, value in message.items() if name != "weight"} for message in messages]
    if not tokenizer.chat_template:
        raise RenderError("The tokenizer has no chat template. Choose the instruct version of the model.")
    template = tokenizer.get_chat_template(tools=list(tools) if tools else None)
    find = _marked if _MARK.search(template) else _by_prefix
    text, spans = find(tokenizer, template, messages, tools)
    if any(message.get("tool_calls") for message in messages) and _without_calls(tokenizer, template, messages, tools) == text:
        raise RenderError(
            "The chat template leaves tool calls out: the model would learn to say nothing in their place. "
            "Use a template that writes them, or rows without tool calls."
        )
    answers = [index for index, message in enumerate(messages) if message["role"] == "assistant"]
    if len(spans) != len(answers):
        raise RenderError(
            f"The chat template marks {len(spans)} answers in a row with {len(answers)}. Use a template that marks each answer once."
        )
    return _cut(text, [(start, end, answer, trained[answer]) for (start, end), answer in zip(spans, answers, strict=True)])


def _without_calls(
    tokenizer: PreTrainedTokenizerBase, template: str, messages: Sequence[Message], tools: Sequence[Any] | None
) -> str | None:
    silent = [{name: value for name, value in message.items() if name != "tool_calls"} for message in messages]
    try:
        return _text_of(tokenizer, template, silent, tools, prompt=False)
    except RenderError:
        return None  # it cannot do without them


def _marked(
    tokenizer: PreTrainedTokenizerBase, template: str, messages: Sequence[Message], tools: Sequence[Any] | None
) -> tuple[str, list[tuple[int, int]]]:
    from transformers.utils.chat_template_utils import render_jinja_template

    try:
        texts, spans = render_jinja_template(
            conversations=[list(messages)],
            tools=list(tools) if tools else None,
            chat_template=template,
            return_assistant_tokens_mask=True,
            **tokenizer.special_tokens_map,
        )
    except Exception as error:  # a template may raise anything
        raise RenderError(f"The chat template refused the row: {error}") from error
    return texts[0], list(spans[0])


def _by_prefix(
    tokenizer: PreTrainedTokenizerBase, template: str, messages: Sequence[Message], tools: Sequence[Any] | None
) -> tuple[str, list[tuple[int, int]]]:
    def text_of(some: Sequence[Message], *, prompt: bool) -> str:
        return _text_of(tokenizer, template, some, tools, prompt=prompt)

    whole = text_of(messages, prompt=False)
    spans: list[tuple[int, int]] = []
    for index, message in enumerate(messages):
        if message["role"] != "assistant":
            continue
        if index == 0:
            raise RenderError("The row begins with the assistant; a prompt must come first.")
        before = text_of(messages[:index], prompt=True)
        after = text_of(messages[: index + 1], prompt=False).rstrip()
        if not whole.startswith(before) or not whole.startswith(after):
            raise RenderError(
                f"The chat template writes message {index + 1} differently once later ones follow, so its tokens are "
                "not those the model would produce. Use a template with generation marks, or rows with one user turn."
            )
        spans.append((len(before), max(len(before), len(after))))
    return whole, spans


def _text_of(
    tokenizer: PreTrainedTokenizerBase, template: str, messages: Sequence[Message], tools: Sequence[Any] | None, *, prompt: bool
) -> str:
    try:
        return tokenizer.apply_chat_template(  # type: ignore[no-any-return]
            list(messages),
            tools=list(tools) if tools else None,
            chat_template=template,
            tokenize=False,
            add_generation_prompt=prompt,
        )
    except Exception as error:
        raise RenderError(f"The chat template refused the row: {error}") from error


def _cut(text: str, spans: Sequence[tuple[int, int, int, bool]]) -> list[Piece]:
    cut: list[Piece] = []
    at = 0
    for start, end, answer, trained in spans:
        cut += [Piece(text[at:start], trained=False, answer=None), Piece(text[start:end], trained, answer)]
        at = end
    cut.append(Piece(text[at:], trained=False, answer=None))
    return [piece for piece in cut if piece.text]
