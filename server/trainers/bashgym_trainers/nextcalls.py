"""Measures whether the model makes the calls of the user's sessions, by greedy answers to held-out prompts.

Rows are split into prompts and answers like for SFT. The prompts are the same at each evaluation and for the base model.
"""

from __future__ import annotations

import hashlib
import json
import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bashgym.calls import Call, parse

from .answering import continued, end_marks
from .calling import why_unreadable
from .callscore import means, score
from .config import Config
from .data import Row, Rows
from .render import RenderError, TemplateTimeout
from .windows import split

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

MEASURED_STRATEGIES = ("sft", "distillation", "dpo", "kto")
PREFIX = "eval_"
# Ranks evaluations by argument F1, then by the lower loss.
RANK = "eval_next_call"
RANKED = f"{PREFIX}arg_f1"
LOSS_WEIGHT = 1e-6
CANDIDATES_PER_ANSWER = 4  # how many times more answers are considered than measured, to choose from several sessions
LARGEST_BATCH = 16
COVERED = 0.95  # quantile of recorded answer lengths that limits the answers of the model


@dataclass(frozen=True)
class RecordedAnswer:
    """An answer in a held-out row: the text before it, its tokens and its calls."""

    prompt: list[int]
    answer: list[int]
    calls: list[Call]
    tools: list[Any] | None
    message: dict[str, Any]


@dataclass(frozen=True)
class NextCalls:
    """``reason``: why nothing is measured; then there are no places. ``left_out``: answers seen so far that do not fit."""

    recorded_answers: list[RecordedAnswer]
    max_tokens: int | None
    left_out: int
    reason: str | None
    batch: int = 1

    @property
    def digest(self) -> str | None:
        """Identifies the answers, whatever the tokenizer: figures of other answers are not comparable. None: nothing is measured."""
        if self.reason is not None:
            return None
        texts = sorted(
            json.dumps([one.message.get("content") or "", one.message.get("tool_calls") or []], sort_keys=True)
            for one in self.recorded_answers
        )
        return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]

    @property
    def with_calls(self) -> int:
        return sum(bool(one.calls) for one in self.recorded_answers)

    def measure(
        self, model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, on_progress: Callable[[int, int], None] = lambda done, of: None
    ) -> dict[str, float]:
        """Figures by their names in the log of an evaluation. ``on_progress``: receives how many are answered."""
        if not self.recorded_answers or self.max_tokens is None:
            return {}
        ends = end_marks(model, tokenizer) | _end_tokens(self.recorded_answers, tokenizer)
        order = sorted(self.recorded_answers, key=lambda one: len(one.prompt))  # similar lengths together, for less padding
        scores = []
        for start in range(0, len(order), self.batch):
            on_progress(start, len(order))
            batch = order[start : start + self.batch]
            answers = continued(model, tokenizer, [recorded_answer.prompt for recorded_answer in batch], self.max_tokens, ends)
            scores += [
                score(recorded_answer.calls, parse(answer.text, recorded_answer.tools), ended=answer.ended)
                for recorded_answer, answer in zip(batch, answers, strict=True)
            ]
        return {f"{PREFIX}{name}": value for name, value in means(scores).items()}


def choose(config: Config, val: Rows, tokenizer: PreTrainedTokenizerBase) -> NextCalls:
    """Selects the held-out answers to measure by the seed, or gives the reason why there are none."""
    reason = _reason_to_skip(config, val)
    if reason is not None:
        return _unmeasured(reason)
    try:
        return _choose(config, val, tokenizer)
    except TemplateTimeout as error:
        return _unmeasured(str(error))


def _choose(config: Config, val: Rows, tokenizer: PreTrainedTokenizerBase) -> NextCalls:
    generator = random.Random(config.seed)
    order = generator.sample(range(len(val)), len(val))
    found: list[RecordedAnswer] = []
    recorded = left_out = 0
    for at in order:
        if len(found) >= CANDIDATES_PER_ANSWER * config.next_calls:
            break
        conversation = conversation_of(val.values[at])
        if conversation is None:
            continue
        recorded += 1
        recorded_answers, too_long = _answers_of_row(conversation, val.values[at].get("tools"), tokenizer, config.max_length)
        found += recorded_answers
        left_out += too_long
    if not recorded:
        return _unmeasured("The held-out rows have prompts only, and no recorded answers to compare with.")
    if not found:
        return _unmeasured(f"No held-out answer fits into {config.max_length} tokens with its prompt.", left_out)
    recorded_answers = generator.sample(found, min(config.next_calls, len(found)))
    if not any(recorded_answer.calls for recorded_answer in recorded_answers):
        return _unmeasured(f"None of {len(recorded_answers)} held-out answers calls a tool.", left_out)
    why = why_unreadable(tokenizer)
    if why is not None:
        return _unmeasured(f"The calls of this model cannot be read. {why}", left_out)
    lengths = sorted(len(recorded_answer.answer) for recorded_answer in recorded_answers)
    longest = lengths[math.ceil(COVERED * len(lengths)) - 1]
    return NextCalls(recorded_answers, longest, left_out, None, min(LARGEST_BATCH, 2 * config.micro_batch))


def rank(figures: dict[str, float], loss: float | None) -> float:
    """Higher is better: argument F1, then the loss."""
    return figures[RANKED] + (0.0 if loss is None or loss != loss else LOSS_WEIGHT / (1 + max(0.0, loss)))


def conversation_of(row: Row) -> list[dict[str, Any]] | None:
    """A row as recorded messages: prompts have weight 0. None: it has no wanted answers."""
    if "messages" in row:
        return list(row["messages"])
    answers = row.get("chosen") or (row.get("completion") if row.get("label") else None)
    return [*({**message, "weight": 0} for message in row["prompt"]), *answers] if answers else None


def calls_of(message: dict[str, Any]) -> list[Call]:
    return [Call(call["function"]["name"], call["function"]["arguments"]) for call in message.get("tool_calls") or []]


def _reason_to_skip(config: Config, val: Rows) -> str | None:
    if config.next_calls == 0:
        return "It is turned off: the setting nextCalls is 0."
    if config.strategy not in MEASURED_STRATEGIES:
        return f"{config.strategy} runs are measured by their rewards instead."
    if not len(val):
        return "The run has no held-out rows."
    if config.eval_steps is None:
        return "The run makes no evaluations."
    return None


def _unmeasured(reason: str, left_out: int = 0) -> NextCalls:
    return NextCalls([], None, left_out, reason)


def _answers_of_row(
    messages: Sequence[dict[str, Any]], tools: list[Any] | None, tokenizer: PreTrainedTokenizerBase, limit: int
) -> tuple[list[RecordedAnswer], int]:
    try:
        done = split(tokenizer, messages, tools, limit)
    except TemplateTimeout:
        raise
    except RenderError:
        return [], 0  # training on such rows reports the error
    recorded_answers = [
        RecordedAnswer(
            row.ids[: one.start],
            row.ids[one.start : one.end],
            calls_of(done.written.messages[one.message]),
            tools,
            done.written.messages[one.message],
        )
        for row, loss_spans in zip(done.rows, done.loss_spans, strict=True)
        for one in loss_spans
    ]
    return recorded_answers, len(done.left_out)


def _end_tokens(recorded_answers: Sequence[RecordedAnswer], tokenizer: PreTrainedTokenizerBase) -> set[int]:
    """End marks of the recorded answers, since those of the template may differ from the model's."""
    marks = {number for number, token in tokenizer.added_tokens_decoder.items() if token.special}
    return set(_last_marks(recorded_answers, marks))


def _last_marks(recorded_answers: Sequence[RecordedAnswer], marks: set[int]) -> Iterator[int]:
    for recorded_answer in recorded_answers:
        yield from [token for token in recorded_answer.answer[-2:] if token in marks][-1:]  # white space may follow it
