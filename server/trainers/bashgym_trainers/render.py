"""What the model sees of a row, and which tokens it learns from.

One rule, written twice: here, and in ``server/src/stages/factory/preview/render.ts``. A test compares both.

1. A template with ``{% generation %}`` marks says itself where the assistant speaks.
2. Without marks, an assistant message is what the template adds for it after the generation prompt; white space behind
   its end mark is the template's, not the model's.
3. A template that writes earlier turns differently once later ones follow cannot be trained on this way: refused.
4. So is one that writes the same without the tool calls of a row.

The text is cut where speakers change and each piece is tokenized alone, as at inference: there the prompt is given
first, and the model continues behind it.

As a program: ``python -m bashgym_trainers.render --model DIR`` reads rows ``{"messages", "tools"?}`` as JSON lines on
stdin and writes ``{"text", "ids", "mask"}`` or ``{"error"}`` a line on stdout.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
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
    """A stretch of the rendered text; ``trained`` where the assistant speaks."""

    text: str
    trained: bool


@dataclass(frozen=True)
class Rendered:
    """``ids`` and ``mask`` have the same length; mask 1: the token carries loss."""

    text: str
    ids: list[int]
    mask: list[int]


def render(tokenizer: PreTrainedTokenizerBase, messages: Sequence[Message], tools: Sequence[Any] | None = None) -> Rendered:
    """Text, token ids and loss mask of one conversation. Raises ``RenderError``."""
    parts = pieces(tokenizer, messages, tools)
    ids: list[int] = []
    mask: list[int] = []
    for part in parts:
        encoded = tokenizer(part.text, add_special_tokens=False)["input_ids"]
        ids.extend(encoded)
        mask.extend([int(part.trained)] * len(encoded))
    if not any(mask):
        raise NothingLearned("No token of this row carries loss: it has no assistant message with content.")
    return Rendered("".join(part.text for part in parts), ids, mask)


def pieces(tokenizer: PreTrainedTokenizerBase, messages: Sequence[Message], tools: Sequence[Any] | None = None) -> list[Piece]:
    """The rendered text, cut where speakers change; joined it is the whole text."""
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
    return _cut(text, spans)


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
    return texts[0], [(start, end) for start, end in spans[0] if end > start]


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
        if len(after) > len(before):
            spans.append((len(before), len(after)))
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


def _cut(text: str, spans: list[tuple[int, int]]) -> list[Piece]:
    cut: list[Piece] = []

    def add(piece: str, trained: bool) -> None:
        if not piece:
            return
        if cut and cut[-1].trained == trained:
            piece = cut.pop().text + piece
        cut.append(Piece(piece, trained))

    at = 0
    for start, end in spans:
        add(text[at:start], trained=False)
        add(text[start:end], trained=True)
        at = end
    add(text[at:], trained=False)
    return cut


def main() -> int:
    parser = argparse.ArgumentParser(prog="bashgym_trainers.render", description="Token ids and loss mask of rows on stdin.")
    parser.add_argument("--model", required=True, help="folder with tokenizer.json and tokenizer_config.json")
    options = parser.parse_args()
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(options.model, local_files_only=True, trust_remote_code=False)
    for line in sys.stdin:
        row = json.loads(line)
        try:
            done = render(tokenizer, row["messages"], row.get("tools"))
            answer: dict[str, Any] = {"text": done.text, "ids": done.ids, "mask": done.mask}
        except RenderError as error:
            answer = {"error": str(error)}
        sys.stdout.write(json.dumps(answer, ensure_ascii=False) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
