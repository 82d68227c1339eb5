"""Rewards of an answer. Each is a pure function of the answer and its row, except ``tests``, which uses the sandbox.

An answer that did not end has no reward of any kind: otherwise never ending one would cost nothing, and the end mark would be lost.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Sequence
from typing import Any

from bashgym.calls import Call, parse

from .answering import Answer
from .check import check_source
from .errors import TrainerError
from .sandbox import Program, Sandbox

Row = dict[str, Any]
Reward = dict[str, Any]
# The column that each kind of reward needs.
NEEDS = {"tool_call": "reference_calls", "exact": "answer", "tests": "tests"}
# Kinds that read tool calls.
READ_CALLS = ("tool_call", "format")
VERIFIERS = ("tests", "tool_call", "exact")
_BLOCK = re.compile(r"```[^\n`]*\n(.*?)```", re.DOTALL)


def name_of(reward: Reward) -> str:
    """The reward's name in the figures: ``rewards/NAME/mean``."""
    return "tool_call_name" if reward.get("level") == "name" else str(reward["kind"])


def score(reward: Reward, answers: Sequence[Answer], rows: Sequence[Row], sandbox: Sandbox | None) -> list[float]:
    """0 or 1 for each answer to its row."""
    ended = [(answer.text, row) for answer, row in zip(answers, rows, strict=True) if answer.ended]
    values = iter(_score(reward, [text for text, _ in ended], [row for _, row in ended], sandbox))
    return [next(values) if answer.ended else 0.0 for answer in answers]


def _score(reward: Reward, texts: Sequence[str], rows: Sequence[Row], sandbox: Sandbox | None) -> list[float]:
    if reward["kind"] == "tests":
        return tests(texts, rows, reward["timeoutSec"], sandbox)
    if reward["kind"] == "tool_call":
        return [tool_call(text, row, reward["level"]) for text, row in zip(texts, rows, strict=True)]
    one = {"format": well_formed, "exact": exact}[reward["kind"]]
    return [one(text, row) for text, row in zip(texts, rows, strict=True)]


def tool_call(answer: str, row: Row, level: str) -> float:
    """1 if the answer's calls are the first calls of the reference, or if both have no calls.

    The reference may have more calls, because an answer is only one turn.
    """
    parsed = parse(answer, row.get("tools"))
    wanted = [Call(call["name"], call["arguments"]) for call in row["reference_calls"]]
    if parsed.torn or bool(parsed.calls) != bool(wanted):
        return 0.0
    return float(_keys(parsed.calls, level) == _keys(wanted[: len(parsed.calls)], level))


def well_formed(answer: str, row: Row) -> float:
    """1 if the answer is not empty, and every call is readable, complete and names a tool of the row."""
    tools = row.get("tools") or []
    known = {tool.get("function", tool).get("name") for tool in tools}
    parsed = parse(answer, tools)
    if parsed.torn or not (parsed.calls or parsed.text):
        return 0.0
    return float(all(call.name in known for call in parsed.calls))


def exact(answer: str, row: Row) -> float:
    """1 if the answer equals the row's answer, ignoring white space around both."""
    return float(parse(answer).text == row["answer"].strip())


def tests(answers: Sequence[str], rows: Sequence[Row], timeout_sec: float, sandbox: Sandbox | None) -> list[float]:
    """1 if the row's tests pass with the last code block of the answer as ``solution.py``."""
    if sandbox is None:
        raise TrainerError("no_sandbox", "Tests run only in a sandbox, and none is available.")
    codes = [code_of(answer) for answer in answers]
    word = secrets.token_hex(16)
    programs = [
        Program({"solution.py": code, "tests.py": row["tests"], "check.py": check_source(word)}, ["python3", "check.py"], timeout_sec)
        for code, row in zip(codes, rows, strict=True)
        if code is not None
    ]
    passed = (float(one["exitCode"] == 0 and not one["timedOut"] and one["stdout"].endswith(word)) for one in sandbox.run(programs))
    return [0.0 if code is None else next(passed) for code in codes]


def code_of(answer: str) -> str | None:
    """The last fenced block."""
    blocks = _BLOCK.findall(answer)
    return blocks[-1] if blocks else None


def _keys(calls: Sequence[Call], level: str) -> list[str]:
    if level == "name":
        return [call.name for call in calls]
    return [json.dumps([call.name, call.arguments], sort_keys=True) for call in calls]
