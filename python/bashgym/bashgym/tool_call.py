"""Reads the call of the tool `terminal` in a model's message, without evaluating it as code.

The server has the same rules in TypeScript. One file of cases tests both.
"""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from bashgym import call_text
from bashgym.call_text import WHITE, Found, Refused
from bashgym.calls.reader import begins_with_mark, split_thoughts, without_ends, without_message, without_opened_thoughts
from bashgym.calls.values import loaded_at, past_space

RawText = Literal["plain", "never", "always"]

TOOL = "terminal"
SHELL_WORDS = frozenset(json.loads((Path(__file__).parent / "shell_words.json").read_text()))
"""First words by which a model's message is recognised as a shell command. The server reads the same file."""
MAX_DEPTH = 8
MAX_BYTES = 256 * 1024
FENCE = re.compile(r"```([A-Za-z0-9_+.-]*)[ \t]*\r?\n(.*)```\Z", re.DOTALL)
ONE_LINE_FENCE = re.compile(r"```([^\n]*)```\Z")
LANGUAGE = re.compile(r"(bash|sh|shell|zsh|console|json)[ \t]+", re.IGNORECASE)
"""On one line these are the language of a block, not its first word."""
UNREADABLE_FENCE = (
    "The message has a code block that is not the whole message, or one without an end, so nothing was run. Send only the command."
)
SYNTAX = re.compile(r"[|<>;&$`()\[\]{}=~\\*]|(?:^|[ \t])-{1,2}[A-Za-z0-9]")
WITHOUT_REASONING = "the reasoning before the call is left out"
TWO_CALLS = "The message holds more than one call. Send one call at a time."
UNREADABLE = {
    "json": "The message begins like JSON, but is not valid JSON.",
    "call": "The message begins with terminal(, but is not one call with quoted strings.",
    "tag": "The message begins with the mark of a tool call, but holds none that can be read.",
}


class ToolCallError(ValueError):
    """The message is refused, so nothing is run."""

    def __init__(self, message: str, format: str = "plain") -> None:
        super().__init__(message)
        self.format = format


@dataclass(frozen=True)
class ToolCall:
    """`arguments` has exactly one of `command` and `final_answer`."""

    arguments: dict[str, str]
    format: str
    warnings: list[str] = field(default_factory=list)
    tool: str = TOOL


def build_terminal_tool_call(text: str, raw: RawText = "plain") -> ToolCall:
    """The call in a message, or the message itself as a command. Raises ToolCallError for an invalid call."""
    warnings: list[str] = []
    given = text.strip(WHITE)
    rest, is_open = split_thoughts(given)
    whole = given if is_open else rest.strip(WHITE)
    if whole != given:
        warnings.append(WITHOUT_REASONING)
    is_readable, fence = _fence(whole)
    inner = fence[1].strip(WHITE) if fence else whole
    is_json_fence = fence is not None and fence[0] == "json"

    def format_of(plain_format: str) -> str:
        return "fence" if fence else plain_format

    try:
        if not is_readable:
            raise Refused(UNREADABLE_FENCE, "fence")
        if is_open:
            raise Refused("The message ends within its reasoning.", "plain")
        found, command = _read_calls(inner, is_json_fence, warnings)
        if len(found) > 1:
            raise Refused(TWO_CALLS, format_of(found[0].format))
        if found:
            return ToolCall(_unwrapped(found[0], warnings, format_of(found[0].format)), format_of(found[0].format), warnings)
        if raw == "never":
            raise Refused("The message holds no call of the tool terminal.", format_of("plain"))
        return ToolCall({"command": command}, format_of("plain"), warnings)
    except Refused as refusal:
        if raw == "always":
            return ToolCall({"command": inner}, "plain", [*warnings, f"taken as a command: {refusal}"])
        raise ToolCallError(str(refusal), format_of(refusal.format)) from None


def _fence(text: str) -> tuple[bool, tuple[str, str] | None]:
    """Language and content of the code block around a message. False: the marks are not where they must be."""
    if not text.startswith("```"):
        return not text.startswith("~~~") and re.search(r"\n[ \t]*```\Z", text) is None, None
    block = FENCE.match(text)
    if block:
        if re.search(r"^```", block[2], re.MULTILINE) or block[2].endswith("`"):
            return False, None
        return True, (block[1].lower(), block[2])
    line = ONE_LINE_FENCE.match(text)
    if not line or "```" in line[1] or line[1].startswith("`") or line[1].endswith("`"):
        return False, None
    language = LANGUAGE.match(line[1])
    return True, (language[1].lower(), line[1][language.end() :]) if language else ("", line[1])


def _read_calls(text: str, is_json_fence: bool, warnings: list[str]) -> tuple[list[Found], str]:
    """The calls, and the text as a command for a message without a call."""
    is_marked = begins_with_mark(text)
    opening = "tag" if is_marked else call_text.opening(text)
    if opening is None and not is_json_fence and _opens_as_shell(text):
        return [], text
    if len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        if opening is None and not is_json_fence:
            return [], text
        raise Refused(f"The call is longer than {MAX_BYTES // 1024} KiB.", opening or "json")
    ended = without_ends(text)
    rest = without_opened_thoughts(ended).strip(WHITE) if opening is None else ended
    is_call_after_thoughts = rest != ended and (begins_with_mark(rest) or call_text.opening(rest) is not None)
    if is_call_after_thoughts:
        warnings.append(WITHOUT_REASONING)
    found = call_text.find(rest if is_call_after_thoughts else ended)
    if opening is None and not is_json_fence:
        return found, text
    if is_marked and not found and without_message(text) != ended:
        return found, without_message(text)
    if not found or (not is_marked and opening is not None and found[0].start != 0):
        raise Refused(UNREADABLE[opening or "json"], opening or "json")
    return found, text


def _unwrapped(found: Found, warnings: list[str], format: str) -> dict[str, str]:
    level = found.value
    for _ in range(MAX_DEPTH + 1):
        if isinstance(level, str):
            read = loaded_at(level, 0)
            if read is None or past_space(level, read[1]) != len(level):
                raise Refused("The arguments of the call are not valid JSON.", format)
            level = read[0]
        if isinstance(level, list):
            if len(level) > 1:
                raise Refused(TWO_CALLS, format)
            level = level[0] if level else None
        if not isinstance(level, dict):
            raise Refused("The call is not an object.", format)
        name = next((level[key] for key in ("name", "tool_name", "tool", "function") if isinstance(level.get(key), str)), None)
        if name is not None and name != TOOL:
            raise Refused(f'There is no tool "{name}"; the one tool is terminal.', format)
        if "command" in level or "final_answer" in level:
            return _arguments_of(level, warnings, format)
        nested = level.get(
            "tool_calls", next((level[key] for key in ("arguments", "parameters", "function") if _is_nested(level.get(key))), None)
        )
        if nested is None:
            raise Refused("The object has neither command nor final_answer.", format)
        level = nested
    raise Refused(f"The call is wrapped in more than {MAX_DEPTH} objects.", format)


def _is_nested(value: Any) -> bool:
    return isinstance(value, (dict, list)) or (isinstance(value, str) and re.match(r"\s*[{\[]", value) is not None)


def _arguments_of(level: dict[str, Any], warnings: list[str], format: str) -> dict[str, str]:
    """If both keys are given, the command runs and the answer is ignored. A blank value does not count if the other is given."""
    for key in ("command", "final_answer"):
        if level.get(key) is not None and not isinstance(level[key], str):
            raise Refused(f"{key} must be a string.", format)
    command, answer = level.get("command"), level.get("final_answer")
    if command is None and answer is None:
        raise Refused("command must be a string.", format)
    has_command, has_answer = bool((command or "").strip(WHITE)), bool((answer or "").strip(WHITE))
    if has_command and has_answer:
        warnings.append("final_answer is ignored: command is given too")
    if has_command or answer is None or (not has_answer and command is not None):
        return {"command": command}
    return {"final_answer": answer}


def _opens_as_shell(text: str) -> bool:
    """Whether the first line that is not a comment looks like a shell command. Then JSON in the text is part of the command."""
    line = next((one for one in (line.strip(WHITE) for line in text.split("\n")) if one and not one.startswith("#")), None)
    if line is None:
        return True
    if call_text.opening(line) is not None or line.startswith("```"):
        return False
    lead = call_text.lead(line)
    word = re.split(r"[ \t]+", lead)[0]
    if word in SHELL_WORDS or re.sub(r"[;:]\Z", "", word) in SHELL_WORDS or re.match(r"[.~]?/|\.\.?\Z", word):
        return True
    if re.match(r"[A-Z]", lead) and not re.match(r"[A-Za-z_][A-Za-z0-9_]*\+?=", lead):
        return False
    return SYNTAX.search(lead) is not None or not call_text.is_prose(lead)
