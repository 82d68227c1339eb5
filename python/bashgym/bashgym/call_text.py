"""Finds calls in a text: JSON objects, `terminal(...)`, and calls between the marks of chat templates."""

import json
import re
from dataclasses import dataclass
from typing import Any

WHITE = " \t\r\n\f\v"
OBJECT = re.compile(r"""\{[ \t\r\n]*["'][^"'\n]*["'][ \t\r\n]*:""")
ARRAY = re.compile(r"""\[[ \t\r\n]*\{[ \t\r\n]*["'][^"'\n]*["'][ \t\r\n]*:""")
CALL = re.compile(r"terminal[ \t]*\(")
TAG = re.compile(r"<tool_call>|<function_call>|<\|tool_call\|>|<\|python_tag\|>|\[TOOL_CALLS\]|<function=")
CLOSING = {"<tool_call>": "</tool_call>", "<function_call>": "</function_call>", "<|tool_call|>": "<|/tool_call|>"}
ENDS = re.compile(r"(?:<\|eom_id\|>|<\|eot_id\|>|</s>|<\|im_end\|>)\Z")
FUNCTION = re.compile(r"<function=([^>\n]*)>(.*?)</function>", re.DOTALL)
PARAMETER = re.compile(r"<parameter=([^>\n]*)>\n?(.*?)\n?</parameter>", re.DOTALL)
NAMED = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)[ \t]*=(?!=)")
QUOTE = re.compile(r"\"\"\"|'''|\"|'")
CODE = re.compile(r"x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})")
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", '"': '"', "'": "'", "0": "\0", "\n": ""}
MAX_TRIES = 64
"""Limits the attempts to parse JSON, for texts with many braces."""
BROKEN = "The mark of a tool call is there, but no call that can be read."


class Refused(Exception):
    """The text looks like a call, but is not a valid one."""

    def __init__(self, message: str, format: str) -> None:
        super().__init__(message)
        self.format = format


@dataclass(frozen=True)
class Found:
    start: int
    end: int
    format: str
    value: Any


def read_json(text: str) -> Any:
    """Strict JSON. Raises ValueError."""

    def refuse(name: str) -> Any:
        raise ValueError(f"{name} is no JSON")

    try:
        return json.loads(text, parse_constant=refuse)
    except RecursionError as error:
        raise ValueError("too many levels") from error


def opening(text: str) -> str | None:
    """The format that a text seems to begin with, or None."""
    if OBJECT.match(text) or ARRAY.match(text):
        return "json"
    if CALL.match(text):
        return "call"
    return "tag" if TAG.match(text) else None


def _words(text: str) -> bool:
    return all(char.isalnum() or char in ".,:!? \t" for char in text)


def is_prose(text: str) -> bool:
    """Whether a text has only words and simple punctuation, and at least two words or a colon."""
    return _words(text) and (":" in text or len(re.split(r"[ \t]+", text.strip(WHITE))) >= 2)


def lead(line: str) -> str:
    """The part of a line before its first object."""
    at = line.find("{")
    while at != -1:
        if OBJECT.match(line, at):
            return line[:at].strip(WHITE)
        at = line.find("{", at + 1)
    return line


class _Finder:
    def __init__(self, text: str) -> None:
        self.text = text
        self.tries = 0

    def end_of_line(self, start: int) -> int:
        end = self.text.find("\n", start)
        return len(self.text) if end == -1 else end

    def find(self) -> list[Found]:
        text, found, at = self.text, [], 0
        while at < len(text):
            line_end = self.end_of_line(at)
            start = at
            while start < line_end and text[start] in " \t\r\f\v":
                start += 1
            line_call = self.at_line_start(start) if start < line_end else None
            if line_call:
                end = self.end_of_line(line_call.end)
                if not text[line_call.end : end].strip(WHITE):
                    found.append(line_call)
                    at = end + 1
                    continue
                if line_call.format == "tag":
                    found.append(line_call)
                    at = line_call.end
                    continue
            found.extend(self.in_line(at, line_end))
            at = line_end + 1
        return found

    def at_line_start(self, start: int) -> Found | None:
        if TAG.match(self.text, start):
            return tagged(self.text, start)
        if CALL.match(self.text, start):
            return call_at(self.text, start)
        if not OBJECT.match(self.text, start) and not ARRAY.match(self.text, start):
            return None
        return self.json(start, len(self.text), "json")

    def in_line(self, start: int, end: int) -> list[Found]:
        text, found, around, before, at = self.text, [], [], None, start
        while at < end:
            if text[at] in "<[" and TAG.match(text, at):
                return [*found, tagged(text, at)]
            one = self.json(at, end, "prose") if text[at] == "{" and OBJECT.match(text, at, end) else None
            if one:
                before = "".join(around) if before is None else before
                found.append(one)
                at = one.end
            else:
                around.append(text[at])
                at += 1
        if before is None or not is_prose(before) or not _words("".join(around).replace("\r", "")):
            return []
        return found

    def json(self, start: int, limit: int, format: str) -> Found | None:
        self.tries += 1
        if self.tries > MAX_TRIES:
            return None
        depth, quoted, at = 0, False, start
        while at < limit:
            char = self.text[at]
            if quoted:
                if char == "\\":
                    at += 1
                elif char == '"':
                    quoted = False
            elif char == '"':
                quoted = True
            elif char in "{[":
                depth += 1
            elif char in "}]":
                depth -= 1
                if depth == 0:
                    try:
                        return Found(start, at + 1, format, read_json(self.text[start : at + 1]))
                    except ValueError:
                        return None
            at += 1
        return None


def find(text: str) -> list[Found]:
    """All calls in order. Raises Refused for a mark without a valid call."""
    return _Finder(text).find()


def tagged(text: str, start: int) -> Found:
    match = TAG.match(text, start)
    assert match
    mark = match[0]
    if mark == "<function=":
        return _function(text, start)
    closing = CLOSING.get(mark)
    close = len(text) if closing is None else text.find(closing, match.end())
    if close == -1:
        raise Refused(BROKEN, "tag")
    end = close + len(closing or "")
    body = ENDS.sub("", text[match.end() : close].strip(WHITE)).strip(WHITE)
    if body.startswith("<function="):
        return Found(start, end, "tag", _function(body, 0).value)
    try:
        return Found(start, end, "tag", read_json(body))
    except ValueError:
        raise Refused(BROKEN, "tag") from None


def _function(text: str, start: int) -> Found:
    match = FUNCTION.match(text, start)
    if not match:
        raise Refused(BROKEN, "tag")
    name, inner = match[1].strip(WHITE), match[2].strip(WHITE)
    if inner.startswith("{"):
        try:
            return Found(start, match.end(), "tag", {"name": name, "arguments": read_json(inner)})
        except ValueError:
            raise Refused(BROKEN, "tag") from None
    values = {key.strip(WHITE): value for key, value in PARAMETER.findall(inner)}
    if not values or PARAMETER.sub("", inner).strip(WHITE):
        raise Refused(BROKEN, "tag")
    return Found(start, match.end(), "tag", {"name": name, "arguments": values})


def call_at(text: str, start: int) -> Found | None:
    """`terminal("…")`, `terminal(command="…")`: names and quoted strings, nothing else."""
    match = CALL.match(text, start)
    assert match
    at, values, position = match.end(), {}, 0

    def space(at: int) -> int:
        while at < len(text) and text[at] in " \t\r\n":
            at += 1
        return at

    while True:
        at = space(at)
        if text[at : at + 1] == ")":
            return Found(start, at + 1, "call", values)
        named = NAMED.match(text, at)
        key = named[1] if named else ("command" if position == 0 else "")
        if key in values or key not in ("command", "final_answer"):
            return None
        string = _string(text, space(named.end() if named else at))
        if string is None:
            return None
        values[key], at = string
        at = space(at)
        if text[at : at + 1] == ",":
            at += 1
        elif text[at : at + 1] != ")":
            return None
        position += 1


def _string(text: str, start: int) -> tuple[str, int] | None:
    match = QUOTE.match(text, start)
    if not match:
        return None
    quote, value, at = match[0], [], match.end()
    while at < len(text):
        if text.startswith(quote, at):
            return "".join(value), at + len(quote)
        char = text[at]
        if char == "\n" and len(quote) == 1:
            return None
        if char != "\\":
            value.append(char)
            at += 1
            continue
        at += 1
        code = CODE.match(text, at)
        if code:
            value.append(chr(int(code[1] or code[2], 16)))
            at = code.end()
        elif at >= len(text):
            return None
        else:
            value.append(ESCAPES.get(text[at], "\\" + text[at]))
            at += 1
    return None
