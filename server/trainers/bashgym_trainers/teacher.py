"""Answers of a teacher to recorded conversations, and which of them are learned.

The teacher answers every assistant turn, with the recorded messages before it as the prompt. An answer is learned only if it
ended with its end mark, its calls can be read, and the row has their tools. Calls are stored as calls, so that the model's
template writes them. The teacher's thoughts are not learned.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bashgym.calls import parse

from .answering import continued, end_marks
from .data import Row, Rows
from .errors import TrainerError
from .render import RenderError, TemplateTimeout
from .tokens import prompt_ids

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

BATCH = 8
LEFT_OUT = ("unwritten", "prompt_too_long", "too_long", "unreadable", "unknown_tool", "empty")
Load = Callable[[], tuple["PreTrainedModel", "PreTrainedTokenizerBase"]]


@dataclass(frozen=True)
class Turn:
    """An answer to ask the teacher for. ``row``: line in the data file. ``message``: index of the answer in the conversation."""

    row: int
    message: int
    past: list[dict[str, Any]]
    tools: list[Any] | None


@dataclass(frozen=True)
class TeacherAnswer:
    """``ended``: with an end mark, not at the limit. ``reason``: why the teacher could not be asked and there is no text."""

    text: str | None
    ended: bool
    reason: str | None = None


@dataclass(frozen=True)
class TeacherRows:
    """The rows to learn, and the number of left-out turns by reason."""

    rows: Rows
    asked: int
    left_out: dict[str, int]


def turns_of(rows: Rows) -> list[Turn]:
    return [turn for number, row in rows for turn in _turns(number, row)]


def learnable_rows(turns: list[Turn], answers: list[TeacherAnswer]) -> TeacherRows:
    """One conversation per usable answer, which ends with it. Only this answer carries loss."""
    values: list[Row] = []
    lines: list[int] = []
    dropped: Counter[str] = Counter()
    for turn, one in zip(turns, answers, strict=True):
        message = message_or_reason(one, turn.tools)
        if isinstance(message, str):
            dropped[message] += 1
            continue
        past = [{**before, "weight": 0} if before["role"] == "assistant" else before for before in turn.past]
        values.append({"messages": [*past, message], **({"tools": turn.tools} if turn.tools else {})})
        lines.append(turn.row)
    return TeacherRows(Rows(values, lines), len(turns), {reason: dropped[reason] for reason in LEFT_OUT})


def message_or_reason(one: TeacherAnswer, tools: list[Any] | None) -> dict[str, Any] | str:
    """The answer as a message, or the reason why it is left out."""
    if one.text is None:
        return one.reason or "empty"
    if not one.ended:
        return "too_long"
    parsed = parse(one.text, tools)
    if parsed.torn:
        return "unreadable"
    stored_answers = {tool.get("function", tool).get("name") for tool in tools or []}
    if any(call.name not in stored_answers for call in parsed.calls):
        return "unknown_tool"
    if not parsed.calls:
        return {"role": "assistant", "content": parsed.text} if parsed.text else "empty"
    calls = [{"type": "function", "function": {"name": call.name, "arguments": call.arguments}} for call in parsed.calls]
    return {"role": "assistant", "content": parsed.text, "tool_calls": calls}


def ask(turns: list[Turn], file: Path, max_tokens: int, load: Load, on_progress: Callable[[int, int], None]) -> list[TeacherAnswer]:
    """Greedy answers, appended to ``file``; answers already in the file are not generated again."""
    collected = stored_answers(file)
    if len(collected) >= len(turns):
        return collected
    model, tokenizer = load()
    ends = end_marks(model, tokenizer)
    context = getattr(model.config.get_text_config(), "max_position_embeddings", None)
    with file.open("a", encoding="utf-8") as lines:
        for start in range(len(collected), len(turns), BATCH):
            on_progress(start, len(turns))
            batch = turns[start : start + BATCH]
            prompts = [_prompt(tokenizer, turn) for turn in batch]
            answers = [TeacherAnswer(None, ended=False, reason="unwritten" if ids is None else "prompt_too_long") for ids in prompts]
            for max_answer, group in _by_max_answer([None if ids is None else len(ids) for ids in prompts], context, max_tokens):
                found = continued(model, tokenizer, [prompts[at] or [] for at in group], max_answer, ends)
                for at, answer in zip(group, found, strict=True):
                    answers[at] = TeacherAnswer(answer.text, answer.ended)
            lines.writelines(_line(turn, answer) for turn, answer in zip(batch, answers, strict=True))
            lines.flush()
            collected += answers
    return collected


def _prompt(tokenizer: PreTrainedTokenizerBase, turn: Turn) -> list[int] | None:
    """None if the template cannot write the prompt."""
    try:
        return prompt_ids(tokenizer, turn.past, turn.tools)
    except TemplateTimeout as error:
        raise TrainerError("row_invalid", f"Row {turn.row}, for the teacher: {error}", turn.row) from error
    except RenderError:
        return None


def _by_max_answer(lengths: list[int | None], context: int | None, max_tokens: int) -> Iterator[tuple[int, list[int]]]:
    """Groups prompts by the maximum length of their answer: one group for the full length, and a group for each other prompt."""
    max_answers = [0 if length is None else max_tokens if context is None else min(max_tokens, context - length) for length in lengths]
    whole = [at for at, max_answer in enumerate(max_answers) if max_answer == max_tokens]
    if whole:
        yield max_tokens, whole
    yield from ((max_answer, [at]) for at, max_answer in enumerate(max_answers) if 0 < max_answer < max_tokens)


def stored_answers(file: Path) -> list[TeacherAnswer]:
    """Answers that the teacher already gave in this run, from complete lines only."""
    if not file.exists():
        return []
    whole, _, torn = file.read_text(encoding="utf-8").rpartition("\n")
    if torn:
        file.write_text(whole + "\n" if whole else "", encoding="utf-8")
    rows = (json.loads(line) for line in whole.split("\n") if line)
    return [TeacherAnswer(row["text"], row["ended"], row["reason"]) for row in rows]


def _line(turn: Turn, answer: TeacherAnswer) -> str:
    line = {"row": turn.row, "message": turn.message, "text": answer.text, "ended": answer.ended, "reason": answer.reason}
    return json.dumps(line, ensure_ascii=False) + "\n"


def _turns(number: int, row: Row) -> Iterator[Turn]:
    tools = row.get("tools")
    if "prompt" in row:
        yield Turn(number, len(row["prompt"]), list(row["prompt"]), tools)
        return
    messages = [{name: value for name, value in message.items() if name != "weight"} for message in row["messages"]]
    for at, message in enumerate(messages):
        if message["role"] == "assistant" and at > 0:
            yield Turn(number, at, messages[:at], tools)
