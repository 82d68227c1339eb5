"""Rewrites a conversation for a chat template: parallel calls one after another, the system prompt inside the first prompt, the
text of messages with calls as messages of their own, and as a last resort without it. Ids and order stay the same.

A text of its own carries no loss: its end mark would teach the model to end its turn before the call.

The same rule is implemented here and in ``server/src/stages/factory/preview/adapt.ts``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

Message = dict[str, Any]
# Changes that a row may need.
CALLS, SYSTEM, APART, TEXTS = "calls", "system", "apart", "texts"


def adapted(messages: Sequence[Message]) -> Iterator[tuple[tuple[str, ...], list[Message]]]:
    """Yields the unchanged conversation first, then versions with as few changes as possible."""
    possible = [change for change in (CALLS, SYSTEM, APART, TEXTS) if _change(change, messages) != list(messages)]
    for count in range(len(possible) + 1):
        for changes in combinations(possible, count):
            if APART in changes and TEXTS in changes:
                continue
            changed = list(messages)
            for change in changes:
                changed = _change(change, changed)
            yield changes, changed


def _change(change: str, messages: Sequence[Message]) -> list[Message]:
    return {CALLS: one_after_another, SYSTEM: system_in_prompt, APART: texts_apart, TEXTS: without_texts}[change](messages)


def one_after_another(messages: Sequence[Message]) -> list[Message]:
    """Turns ``[a, b] → results`` into ``a → its result, b → its result``. The text stays with the first call."""
    done: list[Message] = []
    at = 0
    while at < len(messages):
        message = messages[at]
        at += 1
        calls = message.get("tool_calls") or []
        if len(calls) < 2:
            done.append(message)
            continue
        results = []
        while at < len(messages) and messages[at]["role"] == "tool":
            results.append(messages[at])
            at += 1
        for number, call in enumerate(calls):
            done.append({**message, "content": message.get("content") if number == 0 else "", "tool_calls": [call]})
            result = next((one for one in results if one.get("tool_call_id") in (None, call.get("id"))), None)
            if result is not None:
                results = [one for one in results if one is not result]
                done.append(result)
        done += results
    return done


def system_in_prompt(messages: Sequence[Message]) -> list[Message]:
    """Moves the system prompt into the first user prompt. Without one of them, returns the messages unchanged."""
    first = next((at for at, message in enumerate(messages) if message["role"] == "user"), None)
    if first is None or messages[0]["role"] != "system":
        return list(messages)
    prompt = {**messages[first], "content": f"{messages[0].get('content') or ''}\n\n{messages[first].get('content') or ''}"}
    return [*messages[1:first], prompt, *messages[first + 1 :]]


def texts_apart(messages: Sequence[Message]) -> list[Message]:
    """Turns ``text and calls`` into ``text``, then ``calls``."""
    done: list[Message] = []
    for message in messages:
        if message.get("tool_calls") and message.get("content"):
            text = {name: value for name, value in message.items() if name != "tool_calls"}
            done += [{**text, "weight": 0}, {**message, "content": ""}]
        else:
            done.append(message)
    return done


def without_texts(messages: Sequence[Message]) -> list[Message]:
    return [{**message, "content": ""} if message.get("tool_calls") and message.get("content") else message for message in messages]
