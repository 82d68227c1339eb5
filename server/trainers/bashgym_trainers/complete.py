"""Checks that a rendered text contains its whole row, since templates omit calls, results or roles without an error.

The same rule is implemented here and in ``server/src/stages/factory/preview/complete.ts``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Message = dict[str, Any]


def missing(
    text: str, answers: Mapping[int, str], messages: Sequence[Message], is_dropped_later: Callable[[int], bool] = lambda _: False
) -> str | None:
    """Names the part of the messages that the text lacks, or None. ``answers``: the rendered text of a message, if known.

    ``is_dropped_later``: whether the template writes the text beside the calls of a message, until the turn ends.
    """
    at = 0
    for index, message in enumerate(messages):
        where = answers.get(index, text)
        for number, call in enumerate(message.get("tool_calls") or [], start=1):
            function = call["function"]
            names = sum(one["function"]["name"] == function["name"] for one in message["tool_calls"])
            if where.count(function["name"]) < names or not all(_contains(where, value) for value in _leaves(function["arguments"])):
                return f"tool call {number} of message {index + 1}"
        content = (message.get("content") or "").rpartition("</think>")[2].strip()
        if message["role"] == "tool":
            found = [place for form in _forms(content) if (place := text.find(form, at)) >= 0]
            if not found:
                return f"the tool result in message {index + 1}"
            at = min(found)
        elif not any(form in where for form in _forms(content)):
            if index not in answers and message.get("tool_calls") and is_dropped_later(index):
                continue
            return f"the text of message {index + 1} ({message['role']})"
    return None


def _contains(text: str, value: Any) -> bool:  # noqa: ANN401
    return any(form in text for form in _forms(value))


def _leaves(value: Any) -> list[Any]:  # noqa: ANN401
    if isinstance(value, dict):
        return [leaf for one in value.values() for leaf in _leaves(one)]
    return [leaf for one in value for leaf in _leaves(one)] if isinstance(value, list) else [value]


def _forms(value: Any) -> list[str]:  # noqa: ANN401
    """The forms in which templates write a value: unchanged, JSON, JSON inside JSON, Python."""
    if not isinstance(value, str):
        return [json.dumps(value), str(value)]
    value = value.strip()
    quoted = json.dumps(value, ensure_ascii=False)[1:-1]
    python = value.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")
    return [value, quoted, json.dumps(value)[1:-1], json.dumps(quoted, ensure_ascii=False)[1:-1], python]
