"""Reads tool calls from the answers of all model families: for rewards, figures, comparisons and environments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .forms import DATA, Call, compiled, find_calls

# Thoughts and the marks around a turn are neither text nor calls. Thoughts are only at the beginning of an answer, and before its
# calls: an argument may contain the same marks as text.
_THOUGHTS = compiled(DATA["thoughts"])
# The end of thoughts that the prompt opened. In quotes, it is text about the mark.
_THOUGHT_END = compiled(DATA["thoughtEnd"])
_MESSAGE = compiled(DATA["message"])
# What opens a list of calls.
_OPENINGS = compiled(DATA["openings"])
_LONGEST_OPENING = 400

WHITE = " \t\r\n\f\v"


@dataclass(frozen=True)
class ParsedAnswer:
    """``text``: everything except calls. ``torn``: a call is incomplete or cannot be read."""

    text: str
    calls: list[Call]
    torn: bool


def parse(written: str, tools: Sequence[Any] | None = None) -> ParsedAnswer:
    """Reads an answer with its special tokens; it may end with an end mark."""
    answer = without_ends(written)
    rest, _ = split_thoughts(answer)
    answer = without_ends(without_opened_thoughts(answer, tools) if rest == answer else rest).strip()
    found = find_calls(answer, tools)
    if found is None:
        return ParsedAnswer(without_message(answer), [], torn=False)
    text = without_openings(answer[: found.start])
    return ParsedAnswer(without_message(text), [call for call in found.calls if call], torn=None in found.calls)


def begins_with_mark(text: str) -> bool:
    """Whether a text begins with a mark that only an answer of a model has."""
    return text.startswith(tuple(DATA["begins"])) or _MESSAGE.match(text) is not None


def without_ends(text: str) -> str:
    """Without the marks at its end, and the white space before them."""
    cut = text.rstrip(WHITE)
    is_cut = False
    while mark := next((mark for mark in DATA["ends"] if cut.endswith(mark)), None):
        cut, is_cut = cut[: -len(mark)].rstrip(WHITE), True
    return cut if is_cut else text


def split_thoughts(answer: str) -> tuple[str, bool]:
    """What follows the thoughts at the beginning; and whether they have no end, so that nothing is left."""
    at, is_open = 0, False
    while not is_open and (thoughts := _THOUGHTS.match(answer, at)) is not None:
        at = thoughts.end()
        is_open = not thoughts.group().endswith(tuple(DATA["thoughtEnds"]))
    return answer[at:], is_open


def without_opened_thoughts(answer: str, tools: Sequence[Any] | None = None) -> str:
    """Without thoughts that the prompt opened, unless their end comes after a call."""
    end = _THOUGHT_END.search(answer)
    if end is None:
        return answer
    found = find_calls(answer, tools)
    comes_later = found is not None and found.start < end.start() and None not in found.calls
    return answer if comes_later else answer[end.end() :]


def without_openings(before: str) -> str:
    """The text before calls without what opens their list."""
    cut = max(0, len(before) - _LONGEST_OPENING)
    return before[:cut] + _OPENINGS.sub("", before[cut:])


def without_message(text: str) -> str:
    """The text without the marks of its channel."""
    opened = _MESSAGE.match(text.strip())
    text = text.strip()[opened.end() :] if opened else text
    return "" if text.strip() == "<|start|>assistant" else without_ends(text).strip()
