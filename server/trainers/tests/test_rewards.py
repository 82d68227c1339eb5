"""Rewards are 0 or 1, and calls are parsed in several formats."""

from __future__ import annotations

from typing import Any

import pytest
from bashgym.calls import Call, parse
from rows import TOOLS

from bashgym_trainers.answering import Answer
from bashgym_trainers.errors import TrainerError
from bashgym_trainers.rewards import code_of, exact, score, tool_call, well_formed

LS = '<tool_call>\n{"name": "Bash", "arguments": {"command": "ls"}}\n</tool_call>'
CODER = (
    "<tool_call>\n<function=Bash>\n<parameter=command>\nls\n</parameter>\n<parameter=timeout>\n5\n</parameter>\n</function>\n</tool_call>"
)
TYPED = [{"function": {"name": "Bash", "parameters": {"properties": {"command": {"type": "string"}, "timeout": {"type": "integer"}}}}}]


@pytest.mark.parametrize(
    ("text", "calls", "expected_text", "torn"),
    [
        ("Done.", [], "Done.", False),
        (f"I look.\n{LS}", [Call("Bash", {"command": "ls"})], "I look.", False),
        (f"<think>{LS}</think>\nNo.", [], "No.", False),
        (LS + LS.replace("ls", "pwd"), [Call("Bash", {"command": "ls"}), Call("Bash", {"command": "pwd"})], "", False),
        (LS[:-12], [], "", True),
        ('<tool_call>{"name": "Bash", "arguments": {</tool_call>', [], "", True),
        ('<tool_call>["Bash"]</tool_call>', [], "", True),
        (CODER, [Call("Bash", {"command": "ls", "timeout": 5})], "", False),
        ('[TOOL_CALLS][{"name": "Bash", "arguments": {"command": "ls"}}]', [Call("Bash", {"command": "ls"})], "", False),
        ("[TOOL_CALLS][{", [], "", True),
        ('{"name": "Bash", "parameters": {"command": "ls"}}', [Call("Bash", {"command": "ls"})], "", False),
        ('{"command": "ls"}', [], '{"command": "ls"}', False),
    ],
)
def test_calls_are_parsed(text: str, calls: list[Call], expected_text: str, torn: bool) -> None:
    parsed = parse(text, TYPED)
    assert (parsed.calls, parsed.text, parsed.torn) == (calls, expected_text, torn)


def reference(*commands: str) -> dict[str, Any]:
    return {"reference_calls": [{"name": "Bash", "arguments": {"command": command}} for command in commands], "tools": TOOLS}


@pytest.mark.parametrize(
    ("answer", "row", "by_name", "by_arguments"),
    [
        (LS, reference("ls"), 1, 1),
        (LS, reference("ls", "pwd"), 1, 1),
        (LS, reference("pwd"), 1, 0),
        (LS + LS, reference("ls"), 0, 0),
        ("No.", reference("ls"), 0, 0),
        ("No.", reference(), 1, 1),
        (LS, reference(), 0, 0),
        (LS + "<tool_call>", reference("ls"), 0, 0),
    ],
)
def test_calls_must_be_the_first_of_the_reference(answer: str, row: dict[str, Any], by_name: float, by_arguments: float) -> None:
    assert tool_call(answer, row, "name") == by_name
    assert tool_call(answer, row, "arguments") == by_arguments


def test_numbers_and_texts_are_different_arguments() -> None:
    row = {"reference_calls": [{"name": "f", "arguments": {"n": 1, "m": True}}]}
    assert tool_call('<tool_call>{"name": "f", "arguments": {"m": true, "n": 1}}</tool_call>', row, "arguments") == 1
    assert tool_call('<tool_call>{"name": "f", "arguments": {"m": true, "n": "1"}}</tool_call>', row, "arguments") == 0
    assert tool_call('<tool_call>{"name": "f", "arguments": {"m": 1, "n": 1}}</tool_call>', row, "arguments") == 0


@pytest.mark.parametrize(
    ("answer", "reward"), [("Hello.", 1), (LS, 1), ("", 0), (LS.replace("Bash", "Rm"), 0), (LS[:-4], 0), ("<tool_call>x</tool_call>", 0)]
)
def test_the_format_reward_needs_text_or_known_calls(answer: str, reward: float) -> None:
    assert well_formed(answer, {"tools": TOOLS}) == reward


def test_exact_answers_and_code_blocks() -> None:
    assert exact("<think>why</think> 42\n", {"answer": " 42"}) == 1
    assert exact("It is 42", {"answer": "42"}) == 0
    assert code_of("Say:\n```python\nx = 1\n```\nor\n```\nx = 2\n```\n") == "x = 2\n"
    assert code_of("`x = 1`") is None
    with pytest.raises(TrainerError, match="sandbox"):
        score({"kind": "tests", "timeoutSec": 1}, [Answer("x", True)], [{"tests": ""}], None)


def test_an_answer_that_was_cut_off_has_no_reward_of_any_kind() -> None:
    row = {"answer": "42", "reference_calls": []}
    for reward in ({"kind": "exact"}, {"kind": "format"}, {"kind": "tool_call", "level": "name"}):
        assert score(reward, [Answer("42", True), Answer("42", False), Answer("42", True)], [row] * 3, None) == [1, 0, 1]
