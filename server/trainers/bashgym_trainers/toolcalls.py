"""Tool calls in what a model wrote, in the forms that the common chat templates teach.

``<tool_call>{json}</tool_call>`` (Qwen, Hermes), ``<tool_call><function=NAME><parameter=KEY>…`` (Qwen3-Coder),
``[TOOL_CALLS][{json}]`` (Mistral), and a whole answer that is ``{"name", "parameters"}`` (Llama 3).
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

_TAGGED = re.compile(r"<tool_call>(.*?)</tool_call>", re.DOTALL)
_FUNCTION = re.compile(r"\s*<function=([^>\s]+)>(.*)</function>\s*", re.DOTALL)
_PARAMETER = re.compile(r"<parameter=([^>\s]+)>\n?(.*?)\n?</parameter>", re.DOTALL)


@dataclass(frozen=True)
class Call:
    name: str
    arguments: dict[str, Any]


@dataclass(frozen=True)
class Said:
    """``text``: what is no call. ``torn``: a call begins that has no end, or cannot be read."""

    text: str
    calls: list[Call]
    torn: bool


def parse(written: str, tools: Sequence[Any] | None = None) -> Said:
    """Reads an answer without its end mark; what a model thought before ``</think>`` counts as neither text nor call."""
    answer = written.rpartition("</think>")[2].strip()
    if "<tool_call>" in answer or "</tool_call>" in answer:
        return _tagged(answer, tools)
    if "[TOOL_CALLS]" in answer:
        text, _, listed = answer.partition("[TOOL_CALLS]")
        return _from_json(text, _loaded(listed))
    bare = answer.removeprefix("<|python_tag|>")
    value = _loaded(bare) if bare.startswith("{") else None
    if isinstance(value, dict) and "name" in value and ("parameters" in value or "arguments" in value):
        return _from_json("", value)
    return Said(answer, [], torn=answer.startswith("<|python_tag|>"))


def _tagged(answer: str, tools: Sequence[Any] | None) -> Said:
    read = [_one(body, tools) for body in _TAGGED.findall(answer)]
    rest = _TAGGED.sub("", answer)
    torn = None in read or "<tool_call>" in rest or "</tool_call>" in rest
    return Said(rest.partition("<tool_call>")[0].strip(), [call for call in read if call], torn)


def _from_json(text: str, value: Any) -> Said:  # noqa: ANN401
    read = [_call(one) for one in (value if isinstance(value, list) else [value])]
    return Said(text.strip(), [call for call in read if call], torn=None in read)


def _one(body: str, tools: Sequence[Any] | None) -> Call | None:
    function = _FUNCTION.fullmatch(body)
    if function is None:
        return _call(_loaded(body))
    name, inner = function.groups()
    types = _types(name, tools)
    return Call(name, {key: _cast(value, types.get(key)) for key, value in _PARAMETER.findall(inner)})


def _call(value: Any) -> Call | None:  # noqa: ANN401
    if not isinstance(value, dict) or not isinstance(value.get("name"), str):
        return None
    arguments = value.get("arguments", value.get("parameters", {}))
    if isinstance(arguments, str):
        arguments = _loaded(arguments)
    return Call(value["name"], arguments) if isinstance(arguments, dict) else None


def _types(name: str, tools: Sequence[Any] | None) -> dict[str, Any]:
    for tool in tools or []:
        function = tool.get("function", tool)
        if function.get("name") == name:
            properties = (function.get("parameters") or {}).get("properties") or {}
            return {key: schema.get("type") for key, schema in properties.items() if isinstance(schema, dict)}
    return {}


def _cast(value: str, kind: Any) -> Any:  # noqa: ANN401
    """This form writes every value as text; the tool's schema says what it is."""
    if kind in (None, "string"):
        return value
    loaded = _loaded(value)
    return value if loaded is None else loaded


def _loaded(text: str) -> Any:  # noqa: ANN401
    try:
        return json.loads(text)
    except ValueError:
        return None
