"""Reads the tool-call formats of model families. Where a call begins is recognised by a mark; where it ends, by its own grammar:
JSON is read to its end, and a parameter closes where its form closes it, so that arguments may contain any mark as text.

``tagged`` ``<tool_call>``: JSON (Qwen2.5 and 3, Hermes), ``<function=NAME><parameter=KEY>`` (Qwen3-Coder, Qwen3.5 and later,
Nemotron 3), ``NAME<arg_key>…`` (GLM). ``mistral`` ``[TOOL_CALLS]``. ``channels`` ``to=functions.NAME`` (gpt-oss).
``gemma`` ``<|tool_call>call:NAME{…}``. ``python`` ``<|tool_call_start|>[NAME(key='value')]`` (LFM2). ``deepseek``
``<｜tool▁call▁begin｜>``. ``invoke`` ``<atem:invoke>`` (Muse Glimmer). ``listed``: a JSON list between two marks (Phi-4,
Granite, Command, older Nemotron). ``sections``: Kimi K2. ``bare``: Llama 3, whose whole answer is JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from .argtypes import typed
from .gemmacalls import gemma_arguments
from .pythoncalls import python_calls


@dataclass(frozen=True)
class Call:
    name: str
    arguments: dict[str, Any]


Tools = Sequence[Any] | None
# The calls in order, with None for one that begins but cannot be read.
Calls = list[Call | None]
# Reads the call whose mark ends at an offset: its calls, and where they end.
Reader = Callable[[str, int, Tools], tuple[Calls, int]]
_JSON = json.JSONDecoder()
_SPACE = re.compile(r"\s*")


def loaded_at(text: str, at: int) -> tuple[Any, int] | None:
    """The JSON value that begins after white space at an offset, and its end."""
    try:
        return _JSON.raw_decode(text, _past_space(text, at))
    except (ValueError, RecursionError):
        return None


def call_of(value: Any) -> Call | None:  # noqa: ANN401
    """A call from JSON with the key names of any family. Null and empty arguments are none."""
    if not isinstance(value, dict):
        return None
    value = value.get("function") if isinstance(value.get("function"), dict) else value
    name = value.get("name", value.get("tool_name"))
    arguments = value.get("arguments", value.get("parameters"))
    if isinstance(arguments, str) and arguments.strip():
        found = loaded_at(arguments, 0)
        arguments = found[0] if found and not arguments[found[1] :].strip() else False
    arguments = {} if arguments is None or arguments == "" else arguments
    return Call(name, arguments) if isinstance(name, str) and isinstance(arguments, dict) else None


def calls_of(value: Any) -> Calls:  # noqa: ANN401
    return [call_of(one) for one in (value if isinstance(value, list) else [value])]


def _past_space(text: str, at: int) -> int:
    return _SPACE.match(text, at).end()  # type: ignore[union-attr]


def _past(text: str, at: int, mark: str) -> int | None:
    """The offset behind a mark that follows after white space."""
    at = _past_space(text, at)
    return at + len(mark) if text.startswith(mark, at) else None


def _torn(text: str, at: int, end: str) -> tuple[Calls, int]:
    """A call that cannot be read; what follows its end mark is read again."""
    found = text.find(end, at)
    return [None], len(text) if found < 0 else found + len(end)


_NAMED = re.compile(r"\s*([\w.:-]+)\s*(?=<arg_key>|</tool_call>)")
_FUNCTION = re.compile(r"\s*<function=([^>\s]+)>\s*")


def _tagged(text: str, at: int, tools: Tools) -> tuple[Calls, int]:
    function = _FUNCTION.match(text, at)
    if function is not None:
        return _with_pairs(text, function.end(), function.group(1), tools, _PARAMETERS, ("</function>", "</tool_call>"))
    named = _NAMED.match(text, at)
    if named is not None:
        return _with_pairs(text, named.end(), named.group(1), tools, _KEYED, ("</tool_call>",))
    found = loaded_at(text, at)
    end = None if found is None else _past(text, found[1], "</tool_call>")
    return _torn(text, at, "</tool_call>") if found is None or end is None else ([call_of(found[0])], end)


@dataclass(frozen=True)
class _Pairs:
    """Keys and values between marks. ``close``: the end of a value as templates write it; ``loose``: as models may write it. Both
    only before the next pair or the end of the call."""

    open: re.Pattern[str]
    close: re.Pattern[str]
    loose: re.Pattern[str]


_PARAMETERS = _Pairs(
    re.compile(r"\s*<parameter=([^>\s]+)>\n?"),
    re.compile(r"\n</parameter>\n(?=<parameter=[^>\s]+>\n|</function>\n</tool_call>)"),
    re.compile(r"\n?</parameter>(?=\s*(?:<parameter=[^>\s]+>|</function>))"),
)
_KEYED = _Pairs(
    re.compile(r"\s*<arg_key>(.*?)</arg_key>\s*<arg_value>", re.DOTALL),
    re.compile(r"</arg_value>\n?(?=<arg_key>|</tool_call>)"),
    re.compile(r"</arg_value>(?=\s*(?:<arg_key>|</tool_call>))"),
)
_INVOKED = _Pairs(
    re.compile(r'\s*<atem:parameter name="([^"]*)">'),
    re.compile(r"</atem:parameter>\n(?=<atem:parameter name=|</atem:invoke>)"),
    re.compile(r"</atem:parameter>(?=\s*(?:<atem:parameter name=|</atem:invoke>))"),
)


def _with_pairs(text: str, at: int, name: str, tools: Tools, form: _Pairs, ends: Sequence[str]) -> tuple[Calls, int]:
    pairs: list[tuple[str, str]] = []
    while (opened := form.open.match(text, at)) is not None:
        closed = form.close.search(text, opened.end()) or form.loose.search(text, opened.end())
        if closed is None:
            return _torn(text, opened.end(), ends[-1])
        pairs.append((opened.group(1), text[opened.end() : closed.start()]))
        at = closed.end()
    for mark in ends:
        end = _past(text, at, mark)
        if end is None:
            return _torn(text, at, ends[-1])
        at = end
    return [Call(name, typed(name, pairs, tools))], at


_MISTRAL_NAME = re.compile(r"\s*([\w.-]+)(?:\[CALL_ID\][\w-]*)?\[ARGS\]")


def _mistral(text: str, at: int, _: Tools) -> tuple[Calls, int]:
    """A JSON list, or since 2025 a name and its arguments for each call."""
    named = _MISTRAL_NAME.match(text, at)
    found = loaded_at(text, at if named is None else named.end())
    if found is None:
        return _torn(text, at, "[TOOL_CALLS]" if named else "\0")
    value, end = found
    return calls_of(value) if named is None else [call_of({"name": named.group(1), "arguments": value})], end


_CHANNEL = re.compile(r"([\w.-]+)(?:(?!<\|message\|>|<\|start\|>).)*<\|message\|>", re.DOTALL)


def _channels(text: str, at: int, _: Tools) -> tuple[Calls, int]:
    opened = _CHANNEL.match(text, at)
    found = opened and loaded_at(text, opened.end())
    if not opened or not found:
        return [None], opened.end() if opened else len(text)
    return [call_of({"name": opened.group(1), "arguments": found[0]})], found[1]


_GEMMA = re.compile(r"\s*call:([\w.:-]+)(?=\{)")


def _gemma(text: str, at: int, _: Tools) -> tuple[Calls, int]:
    named = _GEMMA.match(text, at)
    found = named and gemma_arguments(text, named.end())
    end = found and _past(text, found[1], "<tool_call|>")
    if not named or not found or not end:
        return _torn(text, at, "<tool_call|>")
    return [Call(named.group(1), found[0])], end


def _python(text: str, at: int, _: Tools) -> tuple[Calls, int]:
    """An end mark inside an argument leaves its list unfinished, so that the first end with a complete list counts."""
    mark = "<|tool_call_end|>"
    end = text.find(mark, at)
    while end >= 0:
        read = python_calls(text[at:end].strip())
        if read is not None:
            return [Call(name, arguments) for name, arguments in read], end + len(mark)
        end = text.find(mark, end + 1)
    return _torn(text, at, mark)


_DEEPSEEK = re.compile(r"\s*([^<\n]*)<｜tool▁sep｜>(?:([^\n`{]+)\n```json\n)?")


def _deepseek(text: str, at: int, _: Tools) -> tuple[Calls, int]:
    """V3: kind, name and fenced JSON; V3.1: name and JSON."""
    mark = "<｜tool▁call▁end｜>"
    opened = _DEEPSEEK.match(text, at)
    found = opened and loaded_at(text, opened.end())
    if not opened or not found:
        return _torn(text, at, mark)
    end = _past(text, _past(text, found[1], "```") or found[1], mark)
    call = call_of({"name": (opened.group(2) or opened.group(1)).strip(), "arguments": found[0]})
    return _torn(text, at, mark) if end is None else ([call], end)


_INVOKE = re.compile(r'\s*name="?([^">]+)"?>')


def _invoke(text: str, at: int, tools: Tools) -> tuple[Calls, int]:
    opened = _INVOKE.match(text, at)
    if opened is None:
        return _torn(text, at, "</atem:invoke>")
    return _with_pairs(text, opened.end(), opened.group(1), tools, _INVOKED, ("</atem:invoke>",))


_SECTION = re.compile(r"\s*(?:functions\.)?([\w.-]+)(?::\d+)?\s*<\|tool_call_argument_begin\|>")


def _sections(text: str, at: int, _: Tools) -> tuple[Calls, int]:
    mark = "<|tool_call_end|>"
    opened = _SECTION.match(text, at)
    found = opened and loaded_at(text, opened.end())
    end = found and _past(text, found[1], mark)
    if not opened or not found or not end:
        return _torn(text, at, mark)
    return [call_of({"name": opened.group(1), "arguments": found[0]})], end


def _listed(end: str) -> Reader:
    def read(text: str, at: int, _: Tools) -> tuple[Calls, int]:
        found = loaded_at(text, at)
        return _torn(text, at, end) if found is None else (calls_of(found[0]), _past(text, found[1], end) or found[1])

    return read


def _stray(text: str, at: int, _: Tools) -> tuple[Calls, int]:
    """The end of a call without its beginning."""
    return [None], at


# A mark that only ever begins a call begins one at the start of a line; within a line, text may be about it.
_AT_START = r"(?:^|(?<=[\n>]))[ \t]*"
_TAG_BODY = r"\s*(?:\{|<function=|[\w.:-]+\s*<arg_key>|[\w.:-]+\s*</tool_call>|\Z)"
# Where each format begins a call, with its reader. Of several in an answer, the first counts.
FORMS: list[tuple[re.Pattern[str], Reader]] = [
    (re.compile(rf"{_AT_START}<tool_call>|<tool_call>(?={_TAG_BODY})"), _tagged),
    (re.compile(rf"{_AT_START}</tool_call>|(?<=[}}>])\s*</tool_call>"), _stray),
    (re.compile(r"\[TOOL_CALLS\](?=\s*(?:\[|\{|[\w.-]+\[(?:ARGS|CALL_ID)\]|\Z))"), _mistral),
    (re.compile(r"(?:^|assistant|<\|channel\|>\w+)\s*to=functions\."), _channels),
    (re.compile(rf"{_AT_START}<\|tool_call>|<\|tool_call>(?=\s*(?:call:|\Z))"), _gemma),
    (re.compile(r"<\|tool_call_start\|>(?=\s*(?:\[|[\w.]+\(|\Z))"), _python),
    (re.compile(r"<｜tool▁call▁begin｜>"), _deepseek),
    (re.compile(r"<atem:invoke(?=\s*name=|\Z)"), _invoke),
    (re.compile(r"<\|tool_call_begin\|>"), _sections),
    (re.compile(r"<\|tool_call\|>(?=\s*(?:\[|\{|\Z))"), _listed("<|/tool_call|>")),
    (re.compile(r"functools(?=\[)"), _listed("\0")),
    (re.compile(r"<\|START_ACTION\|>"), _listed("<|END_ACTION|>")),
    (re.compile(r"<TOOLCALL>(?=\s*(?:\[|\{|\Z))"), _listed("</TOOLCALL>")),
]


@dataclass(frozen=True)
class Found:
    """The calls of an answer, and the offsets where the first begins and the last ends."""

    calls: Calls
    start: int
    end: int


def find_calls(text: str, tools: Tools) -> Found | None:
    """The calls of the format that begins first; None if there is none."""
    bare = _bare(text)
    if bare is not None:
        return bare
    first = min(
        ((begun.start(), -begun.end(), at) for at, (mark, _) in enumerate(FORMS) if (begun := mark.search(text)) is not None), default=None
    )
    if first is None:
        return None
    mark, read = FORMS[first[2]]
    calls: Calls = []
    at = 0
    while (begun := mark.search(text, at)) is not None:
        some, at = read(text, begun.end(), tools)
        calls += some
    return Found(calls, first[0], at)


def _bare(text: str) -> Found | None:
    """Llama 3: the whole answer is one call or several, with ``;`` between them."""
    start = _past_space(text, 0)
    marked = text.startswith("<|python_tag|>", start)
    at = start + len("<|python_tag|>") if marked else start
    calls: Calls = []
    while text.startswith("{", _past_space(text, at)):
        found = loaded_at(text, at)
        is_call = found and isinstance(found[0], dict) and "name" in found[0] and ("parameters" in found[0] or "arguments" in found[0])
        if not found or not is_call:
            break
        calls.append(call_of(found[0]))
        at = found[1]
        if (after := _past(text, at, ";")) is not None:
            at = after
    if text[at:].strip() or not calls:
        return Found([None], start, len(text)) if marked else None
    return Found(calls, start, at)
