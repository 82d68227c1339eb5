"""Splits a conversation into rows that fit a length. Each answer carries loss in exactly one row.

The same rule is implemented here and in ``server/src/stages/factory/preview/windows.ts``. A test compares both.

1. A turn is an answer and the results of its calls. Rows are split between turns, never inside one.
2. A row that begins at a later turn starts with the system prompt, the tools, the first prompt, a line that says that steps
   are left out, and the newest prompt if it is not the first.
3. Then come complete earlier turns without loss, up to a quarter of the length, but always the previous turn if it fits.
   Then come new turns while they fit. Text after the last answer is left out.
4. An answer that is too long even without earlier turns is left out, and counted.
5. Rows shorter than ``OFFER_ALL`` offer the tools that the conversation calls and a few others, if it does not fit as it is:
   descriptions of tools would be most of each row.
6. If a template needs one row per answer (``render``), a row that is too long keeps fewer of the last turns (``CONTEXT_TURNS``).

As a program: ``python -m bashgym_trainers.windows --model DIR`` reads rows ``{"messages", "tools"?, "limit"?}`` as JSON
lines on stdin (no splitting without a limit) and writes one line ``{"rows": [{"ids", "mask"}], "leftOut"}`` or ``{"error"}`` per row.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from .ids import Rendered, encode, encode_pieces, joined
from .render import Message, NoTrainedToken, Piece, RenderedRow, RenderError, Template, answer_alone, write
from .spelled import as_text
from .templates import thinks

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

LEFT_OUT = "[Earlier steps of this task are left out here.]"
CONTEXT_SHARE = 0.25
CONTEXT_TURNS = (4, 1, 0)
OFFER_ALL = 8192
OTHER_TOOLS = 4


@dataclass(frozen=True)
class Turn:
    """Token counts. ``before``: between the previous answer and this one. ``head``: before the answer if a row begins at this
    turn; infinite if the template cannot render such a row."""

    before: int
    answer: int
    head: float
    trained: bool


@dataclass(frozen=True)
class Window:
    """Turns from ``first`` up to ``loss_start`` are context; turns from ``loss_start`` up to ``end`` carry loss."""

    first: int
    loss_start: int
    end: int


@dataclass(frozen=True)
class LossSpan:
    """The token range, within a row, of an answer that carries loss. ``message``: its index in the conversation."""

    start: int
    end: int
    message: int


@dataclass(frozen=True)
class Split:
    """Rows of one conversation. ``left_out``: tokens of each answer that does not fit. ``length``: tokens of the conversation, or
    of its longest row if each answer is a row. ``needed``: the smallest length that leaves nothing out; infinite if there is
    none. ``loss_spans``: the answers of each row that carry loss."""

    rows: list[Rendered]
    left_out: list[int]
    length: int
    needed: float
    written: RenderedRow
    loss_spans: list[list[LossSpan]]


def windows_of(turns: Sequence[Turn], limit: int) -> tuple[list[Window], list[int]]:
    """The windows of turns, and the indices of turns whose answer does not fit."""
    starts = [0]  # where each turn begins in the conversation
    for turn in turns:
        starts.append(starts[-1] + turn.before + turn.answer)

    def size(first: int, end: int) -> float:
        return turns[first].head + starts[end] - starts[first] - turns[first].before

    def context(first: int, loss_start: int) -> int:
        return starts[loss_start] - starts[first] - turns[first].before

    trained = [at for at, turn in enumerate(turns) if turn.trained]
    if trained and size(0, trained[-1] + 1) <= limit:
        return [Window(0, trained[0], trained[-1] + 1)], []
    found: list[Window] = []
    left_out: list[int] = []
    loss_start = 0
    while loss_start < len(turns):
        if not turns[loss_start].trained:
            loss_start += 1
            continue
        if size(loss_start, loss_start + 1) > limit:
            left_out.append(loss_start)
            loss_start += 1
            continue
        first = loss_start
        while (
            first > 0
            and size(first - 1, loss_start + 1) <= limit
            and (first == loss_start or context(first - 1, loss_start) <= limit * CONTEXT_SHARE)
        ):
            first -= 1
        end = loss_start + 1
        while end < len(turns) and size(first, end + 1) <= limit:
            end += 1
        after = end
        while not turns[end - 1].trained:
            end -= 1
        found.append(Window(first, loss_start, end))
        loss_start = after
    return found, left_out


def split(tokenizer: PreTrainedTokenizerBase, messages: Sequence[Message], tools: Sequence[Any] | None, limit: int) -> Split:
    """The rows that a conversation becomes. Raises ``RenderError``."""
    whole_row = _split(tokenizer, messages, tools, limit)
    fewer = fewer_tools(messages, tools, limit)
    if fewer is None or whole_row.length <= limit:
        return whole_row
    return replace(_split(tokenizer, messages, fewer, limit), length=whole_row.length)


def fewer_tools(messages: Sequence[Message], tools: Sequence[Any] | None, limit: int) -> list[Any] | None:
    """The tools that a row of this length offers if the conversation does not fit: those it calls, and the first of the others.
    None if these are all."""
    called = {call["function"]["name"] for message in messages for call in message.get("tool_calls") or []}
    others = [tool for tool in tools or [] if tool["function"]["name"] not in called]
    dropped = [id(tool) for tool in others[OTHER_TOOLS:]]
    return [tool for tool in tools or [] if id(tool) not in dropped] if limit < OFFER_ALL and dropped else None


def _split(tokenizer: PreTrainedTokenizerBase, messages: Sequence[Message], tools: Sequence[Any] | None, limit: int) -> Split:
    written = write(tokenizer, messages, tools)
    if not any(part.trained for parts in written.conversations for part in parts):
        raise NoTrainedToken("No token of this row carries loss: it has no assistant message with content.")
    return _by_answers(tokenizer, written, tools, limit) if written.method == "answers" else _by_turns(tokenizer, written, tools, limit)


@dataclass(frozen=True)
class EncodedTurn:
    """A turn as ids. ``start``: the ids before its answer in a row that begins with it; None if there is no such row."""

    size: Turn
    before: list[int]
    answer: list[int]
    start: list[int] | None
    message: int


def pair_windows(sides: Sequence[Sequence[Turn]], loss_start: int, limit: int) -> list[Window] | None:
    """One window of each side of a preference, with the same context. Both sides are whole with as much context as fits; else
    each ends at the last turn that fits. None: their first answers do not fit."""
    ends = [len(turns) for turns in sides]
    whole_first = next((first for first in range(loss_start + 1) if _all_fit(sides, first, ends, limit)), None)
    if whole_first is not None:
        return [Window(whole_first, loss_start, end) for end in ends]
    least = [loss_start + 1] * len(sides)
    if not _all_fit(sides, loss_start, least, limit):
        return None
    first = loss_start
    while first > 0 and _all_fit(sides, first - 1, least, limit) and _context(sides[0], first - 1, loss_start) <= limit * CONTEXT_SHARE:
        first -= 1
    for at, turns in enumerate(sides):
        ends[at] = loss_start + 1
        while ends[at] < len(turns) and _size(turns, first, ends[at] + 1) <= limit:
            ends[at] += 1
    return [Window(first, loss_start, end) for end in ends]


def _all_fit(sides: Sequence[Sequence[Turn]], first: int, ends: Sequence[int], limit: int) -> bool:
    return all(_size(turns, first, end) <= limit for turns, end in zip(sides, ends, strict=True))


def _size(turns: Sequence[Turn], first: int, end: int) -> float:
    return turns[first].head + _context(turns, first, end)


def _context(turns: Sequence[Turn], first: int, end: int) -> int:
    return sum(turn.before + turn.answer for turn in turns[first:end]) - turns[first].before


def whole(tokenizer: PreTrainedTokenizerBase, messages: Sequence[Message], tools: Sequence[Any] | None = None) -> list[Rendered]:
    """One conversation of any length without splitting: one row, or one row per answer. Raises ``RenderError``."""
    rows = [joined_row(tokenizer, parts) for parts in write(tokenizer, messages, tools).conversations]
    if not any(any(row.mask) for row in rows):
        raise NoTrainedToken("No token of this row carries loss: it has no assistant message with content.")
    return [row for row in rows if any(row.mask)]


def joined_row(tokenizer: PreTrainedTokenizerBase, parts: Sequence[Piece]) -> Rendered:
    ids = encode_pieces(tokenizer, [part.text for part in parts])
    return joined([(one, part.trained) for one, part in zip(ids, parts, strict=True)])


def encoded_turns(
    tokenizer: PreTrainedTokenizerBase, written: RenderedRow, tools: Sequence[Any] | None, limit: int, *, thinking: bool
) -> list[EncodedTurn]:
    """The turns of a conversation. Their row starts are only computed if the conversation is longer than ``limit``."""
    parts = written.conversations[0]
    before: list[list[int]] = [[]]
    answers: list[Piece] = []
    answer_ids: list[list[int]] = []
    for part, ids in zip(parts, encode_pieces(tokenizer, [part.text for part in parts]), strict=True):
        if part.answer is None:
            before[-1] += ids
        else:
            answers.append(part)
            answer_ids.append(ids)
            before.append([])
    row_starts: list[list[int] | None] = [before[0]] * len(answer_ids)
    if sum(map(len, before[:-1])) + sum(map(len, answer_ids)) > limit:
        row_starts = _row_starts(tokenizer, written.messages, tools, answers, before[0], thinking=thinking)
    return [
        EncodedTurn(Turn(len(gap), len(ids), math.inf if start is None else len(start), part.trained), gap, ids, start, part.answer or 0)
        for gap, ids, start, part in zip(before[:-1], answer_ids, row_starts, answers, strict=True)
    ]


def row_of(turns: Sequence[EncodedTurn], window: Window) -> tuple[Rendered, list[LossSpan]]:
    """The row of a window, and its answers that carry loss."""
    row: list[tuple[list[int], bool]] = []
    loss_spans: list[LossSpan] = []
    size = 0
    for at in range(window.first, window.end):
        turn = turns[at]
        gap = (turn.start if at == window.first else turn.before) or []
        trained = at >= window.loss_start and turn.size.trained
        row += [(gap, False), (turn.answer, trained)]
        start, size = size + len(gap), size + len(gap) + len(turn.answer)
        if trained:
            loss_spans.append(LossSpan(start, size, turn.message))
    return joined(row), loss_spans


def _by_turns(tokenizer: PreTrainedTokenizerBase, written: RenderedRow, tools: Sequence[Any] | None, limit: int) -> Split:
    turns = encoded_turns(tokenizer, written, tools, limit, thinking=thinks(written.messages))
    found, left_out = windows_of([turn.size for turn in turns], limit)
    made = [row_of(turns, window) for window in found]
    length = sum(turn.size.before + turn.size.answer for turn in turns)
    needed = max((min(length, turns[at].size.head + turns[at].size.answer) for at in left_out), default=0)
    left_out_tokens = [turns[at].size.answer for at in left_out]
    return Split([row for row, _ in made], left_out_tokens, length, needed, written, [spans for _, spans in made])


def _by_answers(tokenizer: PreTrainedTokenizerBase, written: RenderedRow, tools: Sequence[Any] | None, limit: int) -> Split:
    template = Template(tokenizer, as_text(tokenizer, list(tools or [])), thinking=thinks(written.messages))
    rows: list[Rendered] = []
    loss_spans: list[list[LossSpan]] = []
    left_out: list[int] = []
    longest = needed = 0
    for parts in written.conversations:
        if not parts[-1].trained:
            continue
        row = joined_row(tokenizer, parts)
        longest = max(longest, len(row.ids))
        variants = [row] if len(row.ids) <= limit else [row, *shorter(template, written, parts)]
        fitted = next((one for one in variants if len(one.ids) <= limit), None)
        if fitted is None:
            left_out.append(sum(row.mask))
            needed = max(needed, min(len(one.ids) for one in variants))
        else:
            rows.append(fitted)
            loss_spans.append([LossSpan(len(fitted.ids) - sum(fitted.mask), len(fitted.ids), parts[-1].answer or 0)])
    return Split(rows, left_out, longest, needed, written, loss_spans)


def shorter(template: Template, written: RenderedRow, parts: Sequence[Piece]) -> Iterator[Rendered]:
    """The same answer with fewer and fewer turns before it."""
    messages = [{name: value for name, value in message.items() if name != "weight"} for message in written.messages]
    answer = parts[-1].answer or 0
    turns = [at for at in range(answer) if messages[at]["role"] == "assistant"]
    for count in (one for one in CONTEXT_TURNS if one < len(turns)):
        first = [*turns[max(0, len(turns) - count) :], answer][0]
        opening, _ = opening_of(messages, first)
        try:
            alone = answer_alone(template, [*opening, *messages[first : answer + 1]])
        except RenderError:
            continue  # the template cannot render this opening
        if alone[-1].text == parts[-1].text:
            yield joined_row(template.tokenizer, [*alone[:-1], Piece(alone[-1].text, trained=True, answer=answer)])


def _row_starts(
    tokenizer: PreTrainedTokenizerBase,
    messages: Sequence[Message],
    tools: Sequence[Any] | None,
    answers: Sequence[Piece],
    first_start: list[int],
    *,
    thinking: bool,
) -> list[list[int] | None]:
    """For each answer, the tokens before it in a row that begins with it."""
    starts_by_prompt: dict[int, list[int] | None] = {}
    row_starts: list[list[int] | None] = [first_start]
    for part in answers[1:]:
        at = part.answer or 0
        opening, newest = opening_of(messages, at)
        if newest not in starts_by_prompt:
            text = _head_text(tokenizer, [*opening, messages[at]], tools, part.text, thinking)
            starts_by_prompt[newest] = None if text is None else encode(tokenizer, text)
        row_starts.append(starts_by_prompt[newest])
    return row_starts


def _head_text(
    tokenizer: PreTrainedTokenizerBase, messages: Sequence[Message], tools: Sequence[Any] | None, answer: str, thinking: bool
) -> str | None:
    """The text before an answer at the beginning of a row, or None if the template renders the answer differently there."""
    try:
        head, *more = write(tokenizer, messages, tools, thinking=thinking).conversations[0]
    except RenderError:
        return None
    return head.text if more and more[0].text == answer else None


def opening_of(messages: Sequence[Message], answer: int) -> tuple[list[Message], int]:
    """The opening messages of a row whose first answer is ``answer``, and the index of their newest prompt, -1 for none."""
    prompts = [at for at, message in enumerate(messages[:answer]) if message["role"] == "user"]
    if not prompts:
        return [*(message for message in messages[:answer] if message["role"] == "system"), {"role": "user", "content": LEFT_OUT}], -1
    first, newest = prompts[0], prompts[-1]
    texts = [messages[first]["content"], LEFT_OUT, *([messages[newest]["content"]] if newest > first else [])]
    return [*messages[:first], {**messages[first], "content": "\n\n".join(texts)}], newest


def _response(tokenizer: PreTrainedTokenizerBase, row: dict[str, Any]) -> dict[str, Any]:
    messages, tools = row["messages"], row.get("tools")
    if row.get("limit") is None:
        rows, left_out = whole(tokenizer, messages, tools), []
    else:
        result = split(tokenizer, messages, tools, row["limit"])
        rows, left_out = result.rows, result.left_out
    return {"rows": [{"ids": one.ids, "mask": one.mask} for one in rows], "leftOut": left_out}


def main() -> int:
    parser = argparse.ArgumentParser(prog="bashgym_trainers.windows", description="Token ids and loss masks of rows on stdin.")
    parser.add_argument("--model", required=True, help="folder with tokenizer.json and tokenizer_config.json")
    options = parser.parse_args()
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(options.model, local_files_only=True, trust_remote_code=False)
    for line in sys.stdin:
        row = json.loads(line)
        try:
            response = _response(tokenizer, row)
        except RenderError as error:
            response = {"error": str(error)}
        sys.stdout.write(json.dumps(response, ensure_ascii=False) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
