"""Reads tool calls from the answers of all model families, for rewards, figures and comparisons.

``callforms`` reads the calls. ``calling.require_readable`` checks before any scoring that a model writes one of its formats.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .callforms import Call, find_calls

__all__ = ["Call", "ParsedAnswer", "parse"]

# Thoughts and the marks around a turn are neither text nor calls. Thoughts are only at the beginning of an answer, and before its
# calls: an argument may contain the same marks as text.
_THOUGHTS = re.compile(
    r"\s*(?:<\|start\|>assistant)?(?:"
    r"<think>.*?(?:</think>|$)|<\|channel>thought.*?(?:<channel\|>|$)|<\|START_THINKING\|>.*?(?:<\|END_THINKING\|>|$)"
    r"|\[THINK\].*?(?:\[/THINK\]|$)|<\|channel\|>analysis<\|message\|>.*?(?:<\|end\|>|$)(?:<\|start\|>assistant)?)",
    re.DOTALL,
)
# The end of thoughts that the prompt opened. In quotes, it is text about the mark.
_THOUGHT_END = re.compile(r"(?<![`'\"])</think>(?![`'\"])")
_MESSAGE = re.compile(r"(?:<\|start\|>assistant)?(?:<\|channel\|>\w+| ?to=\w+)?<\|message\|>|(?:<｜tool▁outputs▁end｜>|<｜Assistant｜>)+")
# What opens a list of calls.
_OPENINGS = re.compile(
    r"(?:<\|start\|>assistant)?(?:<\|channel\|>\w+)?\s*to=\w*\s*$|<｜tool▁calls▁begin｜>\s*$|<\|tool_calls_section_begin\|>\s*$|<atem:function_calls>\s*$"
)
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
    answer = _ENDS.sub("", _without_thoughts(_ENDS.sub("", written), tools)).strip()
    found = find_calls(answer, tools)
    if found is None:
        return ParsedAnswer(_plain(answer), [], torn=False)
    text = _OPENINGS.sub("", answer[: found.start])
    return ParsedAnswer(_plain(text), [call for call in found.calls if call], torn=None in found.calls)


def _without_thoughts(answer: str, tools: Sequence[Any] | None) -> str:
    at = 0
    while (thoughts := _THOUGHTS.match(answer, at)) is not None:
        at = thoughts.end()
    if at:
        return answer[at:]
    end = _THOUGHT_END.search(answer)
    if end is None:
        return answer
    found = find_calls(answer, tools)
    comes_later = found is not None and found.start < end.start() and None not in found.calls
    return answer if comes_later else answer[end.end() :]


def _plain(text: str) -> str:
    """The text without the marks of its channel."""
    opened = _MESSAGE.match(text.strip())
    text = text.strip()[opened.end() :] if opened else text
    return "" if text.strip() == "<|start|>assistant" else _ENDS.sub("", text).strip()
