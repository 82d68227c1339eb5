"""Selects the answers of a teacher that are learned, and reports the others."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from bashgym.calls import Call
from conftest import Run
from rows import CALL, TOOLS, say, sft_rows
from test_callscore import LIST, READ, written

from bashgym_trainers.data import Rows
from bashgym_trainers.teacher import TeacherAnswer, learnable_rows, message_or_reason, turns_of

TALK = sft_rows(5)[4]["messages"]
LS = Call("Bash", {"command": "ls"})


def test_the_teacher_is_asked_for_every_answer_with_the_recorded_messages_before_it() -> None:
    turns = turns_of(Rows([{"messages": TALK, "tools": TOOLS}, {"prompt": TALK[:1]}], [3, 8]))
    assert [(turn.row, turn.message, turn.past) for turn in turns] == [(3, 1, TALK[:1]), (3, 3, TALK[:3]), (8, 1, TALK[:1])]
    found = learnable_rows(
        turns, [TeacherAnswer(written(LS), ended=True), TeacherAnswer("A file.", ended=True), TeacherAnswer("cut", ended=False)]
    )
    first, second = found.rows.values
    call = {"type": "function", "function": {"name": "Bash", "arguments": {"command": "ls"}}}
    assert first["messages"] == [TALK[0], {"role": "assistant", "content": "", "tool_calls": [call]}]
    assert second["messages"][1] == {**say("assistant", ""), "tool_calls": [CALL], "weight": 0}
    assert second["messages"][-1] == say("assistant", "A file.") and second["tools"] == TOOLS
    assert found.rows.lines == [3, 3]
    assert found.asked == 3 and found.left_out == {
        "unwritten": 0,
        "prompt_too_long": 0,
        "too_long": 1,
        "unreadable": 0,
        "unknown_tool": 0,
        "empty": 0,
    }


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (TeacherAnswer(written(LS), ended=False), "too_long"),
        (TeacherAnswer(None, ended=False, reason="unwritten"), "unwritten"),
        (TeacherAnswer(written(LS)[:-3], ended=True), "unreadable"),
        (TeacherAnswer(written(LS) + written(READ), ended=True), "unknown_tool"),
        (TeacherAnswer(written(LIST), ended=True), "unknown_tool"),
        (TeacherAnswer("<think>Hm.</think>\n", ended=True), "empty"),
    ],
)
def test_unusable_answers_are_left_out(answer: TeacherAnswer, reason: str) -> None:
    assert message_or_reason(answer, TOOLS) == reason


def test_a_run_learns_the_calls_of_its_teacher_and_reports_left_out_answers(
    new_run: Callable[..., Run], model: Path, other_model: Path
) -> None:
    rows: list[dict[str, Any]] = [{"messages": TALK, "tools": TOOLS}]
    teacher = new_run(rows * 8, name="teacher", maxSteps=60, learningRate=5e-3)
    assert teacher.in_process() == 0
    settings = {"strategy": "distillation", "teacher": str(teacher.output / "final"), "distill": "text", "model": other_model}
    run = new_run(rows * 2, val=rows, teacherTokens=60, maxSteps=40, evalSteps=20, nextCalls=50, learningRate=5e-3, **settings)
    assert run.in_process() == 0, run.events[-1]
    events = [{name: event[name] for name in ("split", "asked", "kept", "tooLong", "sampling")} for event in run.of("teacher")]
    sampling = {"temperature": 0, "maxTokens": 60}
    assert events == [
        {"split": "train", "asked": 4, "kept": 4, "tooLong": 0, "sampling": sampling},
        {"split": "val", "asked": 2, "kept": 2, "tooLong": 0, "sampling": sampling},
    ]
    lines = [json.loads(line) for line in (run.output / "teacher-answers.jsonl").read_text().splitlines()]
    assert [(line["row"], line["message"], line["ended"]) for line in lines] == [(1, 1, True), (1, 3, True), (2, 1, True), (2, 3, True)]
    assert run.curve("eval_exact_call")[-1] == (40, 1.0)

    short = new_run(rows, name="short", teacherTokens=2, maxSteps=1, **settings)
    assert short.in_process() == 1
    failed = short.events[-1]
    assert failed["code"] == "no_teacher_answers"
    assert failed["message"].endswith("Left out: 2 that did not end within the limit. Raise teacherTokens above 2.")
