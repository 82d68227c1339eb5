"""Reads the tool-call formats of model families. A format is recognised by a mark in the answer. Each reader returns the calls
in order, with None for a call that begins but cannot be read.

``tagged`` ``<tool_call>``: JSON (Qwen2.5 and 3, Hermes), ``<function=NAME><parameter=KEY>`` (Qwen3-Coder, Qwen3.5 and later,
Nemotron 3), ``NAME<arg_key>…`` (GLM). ``mistral`` ``[TOOL_CALLS]``. ``channels`` ``to=functions.NAME`` (gpt-oss).
``gemma`` ``<|tool_call>call:NAME{…}``. ``python`` ``<|tool_call_start|>[NAME(key='value')]`` (LFM2). ``deepseek``
``<｜tool▁call▁begin｜>``. ``invoke`` ``<atem:invoke>`` (Muse Glimmer). ``listed``: a JSON list between two marks (Phi-4,
Granite, Command, older Nemotron). ``sections``: Kimi K2.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Call:
    name: str
    arguments: dict[str, Any]


Tools = Sequence[Any] | None
Calls = list[Call | None]
# Text before the first call, and the calls.
Reader = Callable[[str, Tools], tuple[str, Calls]]


def loaded(text: str) -> Any:  # noqa: ANN401
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def call_of(value: Any) -> Call | None:  # noqa: ANN401
    """A call from JSON with the key names of any family."""
    if not isinstance(value, dict):
        return None
    value = value.get("function") if isinstance(value.get("function"), dict) else value
    name = value.get("name", value.get("tool_name"))
    arguments = value.get("arguments", value.get("parameters", {}))
    if isinstance(arguments, str):
        arguments = loaded(arguments)
    return Call(name, arguments) if isinstance(name, str) and isinstance(arguments, dict) else None


def calls_of(value: Any) -> Calls:  # noqa: ANN401
    return [call_of(one) for one in (value if isinstance(value, list) else [value])]


def _between(answer: str, begin: str, end: str) -> tuple[str, list[str | None]]:
    """The text before the first mark, and between each pair of marks; None for an unpaired mark."""
    before, *parts = answer.split(begin)
    bodies = [part.partition(end)[0] if end in part else None for part in parts]
    return before, [None, *bodies] if end in before else bodies


_FUNCTION = re.compile(r"\s*<function=([^>\s]+)>(.*)</function>\s*", re.DOTALL)
_PARAMETER = re.compile(r"<parameter=([^>\s]+)>\n?(.*?)\n?</parameter>", re.DOTALL)
_KEYED = re.compile(r"<arg_key>(.*?)</arg_key>\s*<arg_value>(.*?)</arg_value>", re.DOTALL)
_NAME = re.compile(r"[\w.:-]+")


def _tagged(answer: str, tools: Tools) -> tuple[str, Calls]:
    before, bodies = _between(answer, "<tool_call>", "</tool_call>")
    return before, [None if body is None else _in_tag(body, tools) for body in bodies]


def _in_tag(body: str, tools: Tools) -> Call | None:
    function = _FUNCTION.fullmatch(body)
    if function is not None:
        name, inner = function.groups()
        return Call(name, _typed(name, _PARAMETER.findall(inner), tools))
    name = body.partition("<arg_key>")[0].strip()
    if _NAME.fullmatch(name):
        return Call(name, _typed(name, _KEYED.findall(body), tools))
    return call_of(loaded(body))


def _typed(name: str, pairs: Sequence[tuple[str, str]], tools: Tools) -> dict[str, Any]:
    """Converts values by the schema of the tool, for formats that write every value as text."""
    types: dict[str, Any] = {}
    for tool in tools or []:
        function = tool.get("function", tool)
        if function.get("name") == name:
            properties = (function.get("parameters") or {}).get("properties") or {}
            types = {key: schema.get("type") for key, schema in properties.items() if isinstance(schema, dict)}
    return {key: _cast(value, types.get(key)) for key, value in pairs}


def _cast(value: str, kind: Any) -> Any:  # noqa: ANN401
    if kind in (None, "string"):
        return value
    if kind == "boolean" and value in ("True", "False"):
        return value == "True"
    found = loaded(value)
    return value if found is None else found


def _mistral(answer: str, _: Tools) -> tuple[str, Calls]:
    """A JSON list, or since 2025 a name and its arguments for each call."""
    before, *parts = answer.split("[TOOL_CALLS]")
    read: Calls = []
    for part in parts:
        name, mark, arguments = part.partition("[ARGS]")
        if mark:
            read.append(call_of({"name": name.partition("[CALL_ID]")[0].strip(), "arguments": loaded(arguments)}))
        else:
            read += calls_of(loaded(part))
    return before, read


_CHANNEL = re.compile(
    r"to=functions\.([\w.-]+)(?:(?!<\|message\|>|<\|start\|>).)*<\|message\|>(.*?)(?:<\|call\|>|<\|end\|>|<\|start\|>|$)", re.DOTALL
)


def _channels(answer: str, _: Tools) -> tuple[str, Calls]:
    found = [call_of({"name": name, "arguments": loaded(body)}) for name, body in _CHANNEL.findall(answer)]
    missing = answer.count("to=functions.") - len(found)
    return answer.partition("to=functions.")[0], [*found, *([None] * missing)]


def _gemma(answer: str, _: Tools) -> tuple[str, Calls]:
    before, bodies = _between(answer, "<|tool_call>", "<tool_call|>")
    return before, [None if body is None else _gemma_call(body) for body in bodies]


def _gemma_call(body: str) -> Call | None:
    name, brace, rest = body.strip().removeprefix("call:").partition("{")
    if not brace or not _NAME.fullmatch(name):
        return None
    texts: list[str] = []

    def replace_text(match: re.Match[str]) -> str:
        texts.append(match.group(1))
        return json.dumps(f"\0{len(texts) - 1}")

    json_text = re.sub(r'<\|"\|>(.*?)<\|"\|>', replace_text, "{" + rest, flags=re.DOTALL)
    value = loaded(re.sub(r"([{,]\s*)([^\s{}\[\],:\"]+)\s*:", lambda found: f"{found.group(1)}{json.dumps(found.group(2))}:", json_text))

    def restored(part: Any) -> Any:  # noqa: ANN401
        if isinstance(part, str) and part.startswith("\0"):
            return texts[int(part[1:])]
        if isinstance(part, list):
            return [restored(one) for one in part]
        return {restored(key): restored(one) for key, one in part.items()} if isinstance(part, dict) else part

    return Call(name, restored(value)) if isinstance(value, dict) else None


def _python(answer: str, _: Tools) -> tuple[str, Calls]:
    before, bodies = _between(answer, "<|tool_call_start|>", "<|tool_call_end|>")
    read: Calls = []
    for body in bodies:
        read += [None] if body is None else _python_calls(body.strip())
    return before, read


_ARGUMENT = re.compile(r"\s*,?\s*(\w+)=")
_CLOSED = re.compile(r"'(?=\s*\)|\s*,\s*\w+=)")


def _python_calls(body: str) -> Calls:
    """Tries Python's parser first. Texts are quoted but not escaped, so that complex ones need the second parser."""
    try:
        tree = ast.parse(body, mode="eval").body
        calls = tree.elts if isinstance(tree, ast.List) else [tree]
        return [Call(ast.unparse(one.func), {key.arg: _value(key.value) for key in one.keywords}) for one in calls]  # type: ignore
    except (SyntaxError, ValueError, AttributeError, RecursionError):
        pass
    read: Calls = []
    at = 1 if body.startswith("[") else 0
    while (call_start := re.compile(r"\s*,?\s*([\w.-]+)\(").match(body, at)) is not None:
        at, arguments = call_start.end(), {}
        while (key := _ARGUMENT.match(body, at)) is not None:
            at = key.end()
            value, at = _python_value(body, at)
            arguments[key.group(1)] = value
        if not body.startswith(")", at):
            return [*read, None]
        read.append(Call(call_start.group(1), arguments))
        at += 1
    return read or [None]


def _value(node: ast.expr) -> Any:  # noqa: ANN401
    if isinstance(node, ast.Name):
        return {"true": True, "false": False, "null": None}.get(node.id, node.id)
    if isinstance(node, ast.Dict):
        return {_value(key): _value(value) for key, value in zip(node.keys, node.values, strict=True) if key is not None}
    if isinstance(node, ast.List):
        return [_value(one) for one in node.elts]
    return ast.literal_eval(node)


def _python_value(body: str, at: int) -> tuple[Any, int]:
    if body.startswith("'", at):
        closed = _CLOSED.search(body, at + 1)
        return (body[at + 1 : closed.start()], closed.end()) if closed else (None, len(body))
    end = at
    for end in range(at + 1, len(body) + 1):
        try:
            value = _value(ast.parse(body[at:end].strip(), mode="eval").body)
        except (SyntaxError, ValueError):
            continue
        if re.match(r"\s*\)|\s*,\s*\w+=", body[end:]):
            return value, end
    return None, end


_FENCE = re.compile(r"```json\n(.*)\n```", re.DOTALL)


def _deepseek(answer: str, _: Tools) -> tuple[str, Calls]:
    """V3: kind, name and fenced JSON; V3.1: name and JSON."""
    before, bodies = _between(answer, "<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>")
    read: Calls = []
    for body in bodies:
        first, _mark, rest = (body or "").partition("<｜tool▁sep｜>")
        fenced = _FENCE.search(rest)
        name = rest[: fenced.start()] if fenced else first
        read.append(call_of({"name": name.strip(), "arguments": loaded(fenced.group(1) if fenced else rest)}))
    return before.replace("<｜tool▁calls▁begin｜>", ""), read


_INVOKED = re.compile(r'<atem:parameter name="([^"]*)">(.*?)</atem:parameter>', re.DOTALL)


def _invoke(answer: str, tools: Tools) -> tuple[str, Calls]:
    before, bodies = _between(answer, "<atem:invoke name=", "</atem:invoke>")
    read: Calls = []
    for body in bodies:
        name, mark, inner = (body or "").partition(">")
        name = name.strip('"')
        read.append(Call(name, _typed(name, _INVOKED.findall(inner), tools)) if mark and name else None)
    return "" if " to=" in before or before.startswith("to=") else before.replace("<atem:function_calls>", ""), read


def _sections(answer: str, _: Tools) -> tuple[str, Calls]:
    before, bodies = _between(answer, "<|tool_call_begin|>", "<|tool_call_end|>")
    read: Calls = []
    for body in bodies:
        name, _mark, arguments = (body or "").partition("<|tool_call_argument_begin|>")
        name = name.strip().removeprefix("functions.").partition(":")[0]
        read.append(call_of({"name": name, "arguments": loaded(arguments)}))
    return before.replace("<|tool_calls_section_begin|>", ""), read


def _listed(begin: str, end: str) -> Reader:
    def read(answer: str, _: Tools) -> tuple[str, Calls]:
        before, _mark, rest = answer.partition(begin)
        return before, calls_of(loaded(rest.partition(end)[0]))

    return read


# The mark of each format with its reader. If an answer has several marks, the first in this list counts.
FORMS: list[tuple[str, Reader]] = [
    ("<tool_call>", _tagged),
    ("</tool_call>", _tagged),
    ("[TOOL_CALLS]", _mistral),
    ("to=functions.", _channels),
    ("<|tool_call>", _gemma),
    ("<|tool_call_start|>", _python),
    ("<｜tool▁call▁begin｜>", _deepseek),
    ("<atem:invoke", _invoke),
    ("<|tool_call_begin|>", _sections),
    ("<|tool_call|>", _listed("<|tool_call|>", "<|/tool_call|>")),
    ("functools[", _listed("functools", "\0")),
    ("<|START_ACTION|>", _listed("<|START_ACTION|>", "<|END_ACTION|>")),
    ("<TOOLCALL>", _listed("<TOOLCALL>", "</TOOLCALL>")),
]
