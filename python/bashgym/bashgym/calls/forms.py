"""Reads the tool-call formats of model families. Where a call begins is recognised by a mark; where it ends, by its own grammar:
JSON is read to its end, and a parameter closes where its form closes it, so that arguments may contain any mark as text.

The marks are data that the server reads too (``forms.json``). How a form is read is code, here and in ``server/src/calls``,
because neither may start the other's interpreter for a message; ``tests/calls.json`` is read by the tests of both.

``tagged`` ``<tool_call>``: JSON (Qwen2.5 and 3, Hermes), ``<function=NAME><parameter=KEY>`` (Qwen3-Coder, Qwen3.5 and later,
Nemotron 3), ``NAME<arg_key>…`` (GLM). ``function``: the same without ``<tool_call>``. ``mistral`` ``[TOOL_CALLS]``. ``channels``
``to=functions.NAME`` (gpt-oss). ``gemma`` ``<|tool_call>call:NAME{…}``. ``python`` ``<|tool_call_start|>[NAME(key='value')]``
(LFM2). ``deepseek`` ``<｜tool▁call▁begin｜>``. ``invoke`` ``<atem:invoke>`` (Muse Glimmer). ``listed``: JSON between two marks
(Phi-4, Granite, Command, older Nemotron). ``sections``: Kimi K2. ``_bare``: Llama 3, whose whole answer is JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .argtypes import typed
from .gemma import gemma_arguments
from .python import python_calls
from .values import loaded_at, past_space

DATA: dict[str, Any] = json.loads((Path(__file__).parent / "forms.json").read_text(encoding="utf-8"))


def compiled(source: str) -> re.Pattern[str]:
    return re.compile(source, re.DOTALL | re.ASCII)


@dataclass(frozen=True)
class Call:
    name: str
    arguments: dict[str, Any]


Tools = Sequence[Any] | None


class _Torn:
    """Stands for a call that begins but cannot be read."""


TORN = _Torn()
# What a model wrote as its calls, in order: JSON values, or TORN.
Written = list[Any]
# Reads the call whose mark ends at an offset: what is written, and where it ends.
Reader = Callable[[str, int, Tools], tuple[Written, int]]
# A text may be long and made to be slow: nothing is looked for after so many calls that cannot be read.
MOST_TORN = 64


def call_of(value: Any) -> Call | None:
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


def _named(name: str, arguments: Any) -> Any:
    return {"name": name, "arguments": arguments}


def _all_of(value: Any) -> Written:
    return value if isinstance(value, list) else [value]


def _past(text: str, at: int, mark: str) -> int | None:
    """The offset behind a mark that follows after white space."""
    at = past_space(text, at)
    return at + len(mark) if text.startswith(mark, at) else None


def _torn(text: str, at: int, end: str | None) -> tuple[Written, int]:
    """A call that cannot be read; what follows its end mark is read again."""
    found = -1 if end is None else text.find(end, at)
    return [TORN], len(text) if found < 0 else found + len(end or "")


_PARTS = {name: compiled(source) for name, source in DATA["parts"].items()}


@dataclass(frozen=True)
class _Pairs:
    """Keys and values between marks. ``close``: the end of a value as templates write it; ``loose``: as models may write it. Both
    only before the next pair or the end of the call."""

    open: re.Pattern[str]
    close: re.Pattern[str]
    loose: re.Pattern[str]


_PAIRS = {name: _Pairs(**{key: compiled(source) for key, source in pairs.items()}) for name, pairs in DATA["pairs"].items()}


def _tagged(text: str, at: int, tools: Tools) -> tuple[Written, int]:
    function = _PARTS["function"].match(text, at)
    if function is not None:
        return _function_at(text, function, tools, ("</function>", "</tool_call>"))
    keyed = _PARTS["keyed"].match(text, at)
    if keyed is not None:
        return _with_pairs(text, keyed.end(), keyed.group(1), tools, _PAIRS["keyed"], ("</tool_call>",))
    found = loaded_at(text, at)
    end = None if found is None else _past(text, found[1], "</tool_call>")
    return _torn(text, at, "</tool_call>") if found is None or end is None else ([found[0]], end)


def _function(text: str, at: int, tools: Tools) -> tuple[Written, int]:
    opened = _PARTS["function"].match(text, at)
    return _torn(text, at, "</function>") if opened is None else _function_at(text, opened, tools, ("</function>",))


def _function_at(text: str, opened: re.Match[str], tools: Tools, ends: Sequence[str]) -> tuple[Written, int]:
    """Parameters between marks, or JSON as Llama 3 writes it."""
    if not text.startswith("{", opened.end()):
        return _with_pairs(text, opened.end(), opened.group(1), tools, _PAIRS["parameters"], ends)
    found = loaded_at(text, opened.end())
    at = None if found is None else found[1]
    for mark in ends:
        at = None if at is None else _past(text, at, mark)
    return _torn(text, opened.end(), ends[-1]) if found is None or at is None else ([_named(opened.group(1), found[0])], at)


def _with_pairs(text: str, at: int, name: str, tools: Tools, form: _Pairs, ends: Sequence[str]) -> tuple[Written, int]:
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
    return [_named(name, typed(name, pairs, tools))], at


def _mistral(text: str, at: int, _: Tools) -> tuple[Written, int]:
    """A JSON list, or since 2025 a name and its arguments for each call."""
    named = _PARTS["mistral"].match(text, at)
    found = loaded_at(text, at if named is None else named.end())
    if found is None:
        return _torn(text, at, "[TOOL_CALLS]" if named else None)
    value, end = found
    return _all_of(value) if named is None else [_named(named.group(1), value)], end


def _channels(text: str, at: int, _: Tools) -> tuple[Written, int]:
    opened = _PARTS["channel"].match(text, at)
    found = opened and loaded_at(text, opened.end())
    if not opened or not found:
        return [TORN], opened.end() if opened else len(text)
    return [_named(opened.group(1), found[0])], found[1]


def _gemma(text: str, at: int, _: Tools) -> tuple[Written, int]:
    named = _PARTS["gemma"].match(text, at)
    found = named and gemma_arguments(text, named.end(), _PARTS["gemmaKey"], _PARTS["gemmaPlain"])
    end = found and _past(text, found[1], "<tool_call|>")
    if not named or not found or not end:
        return _torn(text, at, "<tool_call|>")
    return [_named(named.group(1), found[0])], end


def _python(text: str, at: int, _: Tools) -> tuple[Written, int]:
    """An end mark inside an argument leaves its list unfinished, so that the first end with a complete list counts."""
    mark = "<|tool_call_end|>"
    end = text.find(mark, at)
    for _try in range(MOST_TORN):
        if end < 0:
            break
        read = python_calls(text[at:end].strip(), _PARTS)
        if read is not None:
            return [_named(name, arguments) for name, arguments in read], end + len(mark)
        end = text.find(mark, end + 1)
    return _torn(text, at, mark)


def _deepseek(text: str, at: int, _: Tools) -> tuple[Written, int]:
    """V3: kind, name and fenced JSON; V3.1: name and JSON."""
    mark = "<｜tool▁call▁end｜>"
    opened = _PARTS["deepseek"].match(text, at)
    found = opened and loaded_at(text, opened.end())
    if not opened or not found:
        return _torn(text, at, mark)
    end = _past(text, _past(text, found[1], "```") or found[1], mark)
    name = (opened.group(2) or opened.group(1)).strip()
    return _torn(text, at, mark) if end is None else ([_named(name, found[0])], end)


def _invoke(text: str, at: int, tools: Tools) -> tuple[Written, int]:
    opened = _PARTS["invoke"].match(text, at)
    if opened is None:
        return _torn(text, at, "</atem:invoke>")
    return _with_pairs(text, opened.end(), opened.group(1), tools, _PAIRS["invoked"], ("</atem:invoke>",))


def _sections(text: str, at: int, _: Tools) -> tuple[Written, int]:
    mark = "<|tool_call_end|>"
    opened = _PARTS["section"].match(text, at)
    found = opened and loaded_at(text, opened.end())
    end = found and _past(text, found[1], mark)
    if not opened or not found or not end:
        return _torn(text, at, mark)
    return [_named(opened.group(1), found[0])], end


def _listed(end: str | None) -> Reader:
    def read(text: str, at: int, _: Tools) -> tuple[Written, int]:
        found = loaded_at(text, at)
        if found is None:
            return _torn(text, at, end)
        return _all_of(found[0]), (_past(text, found[1], end) if end else None) or found[1]

    return read


def _stray(text: str, at: int, _: Tools) -> tuple[Written, int]:
    """The end of a call without its beginning."""
    return [TORN], at


_READERS: dict[str, Reader] = {
    "tagged": _tagged,
    "function": _function,
    "stray": _stray,
    "mistral": _mistral,
    "channels": _channels,
    "gemma": _gemma,
    "python": _python,
    "deepseek": _deepseek,
    "invoke": _invoke,
    "sections": _sections,
}
# Where each format begins a call, with its reader. Of several in an answer, the first counts.
_FORMS = [(compiled(one["mark"]), _listed(one["end"]) if one["read"] == "listed" else _READERS[one["read"]]) for one in DATA["forms"]]


@dataclass(frozen=True)
class Found:
    """What an answer has as its calls, and the offsets where the first begins and the last ends."""

    written: Written
    start: int
    end: int

    @property
    def calls(self) -> list[Call | None]:
        """None: a call that begins but cannot be read."""
        return [call_of(one) for one in self.written]


def find_calls(text: str, tools: Tools = None) -> Found | None:
    """The calls of the format that begins first; None if there is none."""
    bare = _bare(text)
    if bare is not None:
        return bare
    begun_forms = [(begun, at) for at, (mark, _) in enumerate(_FORMS) if (begun := mark.search(text)) is not None]
    first = min(((begun.start(), -begun.end(), at) for begun, at in begun_forms), default=None)
    if first is None:
        return None
    mark, read = _FORMS[first[2]]
    written: Written = []
    at = torn = 0
    while torn < MOST_TORN and (begun := mark.search(text, at)) is not None:
        some, end = read(text, begun.end(), tools)
        torn += some == [TORN]
        written += some
        at = max(end, begun.start() + 1)
    return Found(written, first[0], at)


def _bare(text: str) -> Found | None:
    """Llama 3: the whole answer is one call or several, with ``;`` between them."""
    start = past_space(text, 0)
    marked = text.startswith("<|python_tag|>", start)
    at = start + len("<|python_tag|>") if marked else start
    written: Written = []
    while text.startswith("{", past_space(text, at)):
        found = loaded_at(text, at)
        is_call = found and isinstance(found[0], dict) and "name" in found[0] and ("parameters" in found[0] or "arguments" in found[0])
        if not found or not is_call:
            break
        written.append(found[0])
        at = found[1]
        if (after := _past(text, at, ";")) is not None:
            at = after
    if text[at:].strip() or not written:
        return Found([TORN], start, len(text)) if marked else None
    return Found(written, start, at)
