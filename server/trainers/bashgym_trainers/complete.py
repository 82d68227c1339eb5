"""Whether a rendered text holds what its row says: templates leave calls, results or roles out without an error.

One rule, written twice: here, and in ``server/src/stages/factory/preview/complete.ts``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

Message = dict[str, Any]


def missing(text: str, answers: Mapping[int, str], messages: Sequence[Message]) -> str | None:
    """What of the messages the text does not say, in words, or None. ``answers``: what is written of a message, where that is known."""
    at = 0
    for index, message in enumerate(messages):
        where = answers.get(index, text)
        for number, call in enumerate(message.get("tool_calls") or [], start=1):
            function = call["function"]
            names = sum(one["function"]["name"] == function["name"] for one in message["tool_calls"])
            if where.count(function["name"]) < names or not all(_says(where, value) for value in _leaves(function["arguments"])):
                return f"tool call {number} of message {index + 1}"
        content = (message.get("content") or "").rpartition("</think>")[2].strip()
        if message["role"] == "tool":
            found = [place for form in _forms(content) if (place := text.find(form, at)) >= 0]
            if not found:
                return f"the tool result in message {index + 1}"
            at = min(found)
        elif not any(form in where for form in _forms(content)):
            return f"the text of message {index + 1} ({message['role']})"
    return None


def _says(text: str, value: Any) -> bool:  # noqa: ANN401
    return any(form in text for form in _forms(value))


def _leaves(value: Any) -> list[Any]:  # noqa: ANN401
    if isinstance(value, dict):
        return [leaf for one in value.values() for leaf in _leaves(one)]
    return [leaf for one in value for leaf in _leaves(one)] if isinstance(value, list) else [value]


def _forms(value: Any) -> list[str]:  # noqa: ANN401
    """How templates write a value: as it is, as JSON, as JSON within JSON, as Python."""
    if not isinstance(value, str):
        return [json.dumps(value), str(value)]
    value = value.strip()
    quoted = json.dumps(value, ensure_ascii=False)[1:-1]
    python = value.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")
    return [value, quoted, json.dumps(value)[1:-1], json.dumps(quoted, ensure_ascii=False)[1:-1], python]
