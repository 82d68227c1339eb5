"""Reads tool calls from the answers of all model families, for rewards, figures and comparisons.

``callforms`` reads the formats with a mark. Llama 3 uses none: its whole answer is ``{"name", "parameters"}``.
``calling.require_readable`` checks before any scoring that a model writes one of the formats.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .callforms import FORMS, Call, call_of, loaded

__all__ = ["Call", "ParsedAnswer", "parse"]

# Thoughts and the marks around a turn are neither text nor calls.
_THOUGHT = re.compile(
    r"<\|channel>thought.*?(?:<channel\|>|$)|<\|START_THINKING\|>.*?(?:<\|END_THINKING\|>|$)|\[THINK\].*?(?:\[/THINK\]|$)", re.DOTALL
)
_ANALYSIS = re.compile(r"<\|channel\|>analysis<\|message\|>.*?(?:<\|end\|>|$)(?:<\|start\|>assistant)?", re.DOTALL)
_MESSAGE = re.compile(r"(?:<\|start\|>assistant)?(?:<\|channel\|>\w+| ?to=\w+)?<\|message\|>|(?:<｜tool▁outputs▁end｜>|<｜Assistant｜>)+")
_END_MARKS = (
    "end",
    "return",
    "call",
    "eot",
    "eom",
    "im_end",
    "eot_id",
    "eom_id",
    "END_OF_TURN_TOKEN",
    "END_RESPONSE",
    "user",
    "observation",
)
_OTHER_ENDS = ("<|tool_response>", "<turn|>", "<end_of_turn>", "</s>", "<｜tool▁calls▁end｜>", "<｜end▁of▁sentence｜>")
_ENDS = re.compile(rf"(?:\s*(?:{'|'.join(re.escape(one) for one in (*(f'<|{mark}|>' for mark in _END_MARKS), *_OTHER_ENDS))}))+\s*$")


@dataclass(frozen=True)
class ParsedAnswer:
    """``text``: everything except calls. ``torn``: a call is incomplete or cannot be read."""

    text: str
    calls: list[Call]
    torn: bool


def parse(written: str, tools: Sequence[Any] | None = None) -> ParsedAnswer:
    """Reads an answer with its special tokens; it may end with an end mark."""
    answer = _ANALYSIS.sub("", _THOUGHT.sub("", written.rpartition("</think>")[2]))
    answer = _ENDS.sub("", answer).strip()
    for mark, read in FORMS:
        if mark in answer:
            text, calls = read(answer, tools)
            return ParsedAnswer(_plain(text), [call for call in calls if call], torn=None in calls)
    bare = answer.removeprefix("<|python_tag|>")
    value = loaded(bare) if bare.startswith("{") else None
    if isinstance(value, dict) and "name" in value and ("parameters" in value or "arguments" in value):
        call = call_of(value)
        return ParsedAnswer("", [call] if call else [], torn=call is None)
    return ParsedAnswer(_plain(answer), [], torn=answer.startswith("<|python_tag|>"))


def _plain(text: str) -> str:
    """The text without the marks of its channel."""
    opened = _MESSAGE.match(text.strip())
    text = text.strip()[opened.end() :] if opened else text
    return "" if text.strip() == "<|start|>assistant" else _ENDS.sub("", text).strip()
