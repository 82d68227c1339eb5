"""Finds calls in a text: those between the marks of chat templates, JSON objects, and `terminal(...)`."""

import re
from dataclasses import dataclass
from typing import Any

from bashgym.calls.forms import TORN, find_calls
from bashgym.calls.reader import WHITE, without_openings
from bashgym.calls.values import loaded_at

OBJECT = re.compile(r"""\{[ \t\r\n]*["'][^"'\n]*["'][ \t\r\n]*:""")
ARRAY = re.compile(r"""\[[ \t\r\n]*\{[ \t\r\n]*["'][^"'\n]*["'][ \t\r\n]*:""")
CALL = re.compile(r"terminal[ \t]*\(")
NAMED = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)[ \t]*=(?!=)")
QUOTE = re.compile(r"\"\"\"|'''|\"|'")
CODE = re.compile(r"x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})")
ESCAPES = {"f": "\f", "v": "\v", "b": "\b", "a": "\a", "n": "\n", "t": "\t", "r": "\r", "\\": "\\", '"': '"', "'": "'", "0": "\0", "\n": ""}
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


def opening(text: str) -> str | None:
    """The format without marks that a text seems to begin with, or None."""
    if OBJECT.match(text) or ARRAY.match(text):
        return "json"
    return "call" if CALL.match(text) else None


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
            found.extend(self.in_line(at, line_end))
            at = line_end + 1
        return found

    def at_line_start(self, start: int) -> Found | None:
        if CALL.match(self.text, start):
            return call_at(self.text, start)
        if not OBJECT.match(self.text, start) and not ARRAY.match(self.text, start):
            return None
        return self.json(start, len(self.text), "json")

    def in_line(self, start: int, end: int) -> list[Found]:
        text, found, around, before, at = self.text, [], [], None, start
        while at < end:
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
        found = loaded_at(self.text[:limit], start)
        return Found(start, found[1], format, found[0]) if found else None


def find(text: str) -> list[Found]:
    """All calls in order. Raises Refused for a mark without a valid call."""
    marked = find_calls(text)
    if marked is None or text.startswith("{", marked.start):
        return _Finder(text).find()
    if TORN in marked.written:
        raise Refused(BROKEN, "tag")
    calls = [Found(marked.start, marked.end, "tag", value) for value in marked.written]
    return [*_Finder(without_openings(text[: marked.start])).find(), *calls, *_Finder(text[marked.end :]).find()]


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
            value.append(chr(min(0x10FFFF, int(code[1] or code[2] or code[3], 16))))
            at = code.end()
        elif at >= len(text):
            return None
        else:
            value.append(ESCAPES.get(text[at], "\\" + text[at]))
            at += 1
    return None
