"""Held-out calls that are measured while a tiny model trains."""

from __future__ import annotations

import json
from typing import Any

import pytest
from conftest import NewRun, Run
from rows import TOOLS, say, sft_rows

FIGURES = ["call_parse", "tool_name", "exact_call", "arg_f1", "text_or_call", "stopped"]
COMMANDS = {"List the files": "ls", "Where am I": "pwd", "Print the date": "date"}


def call(command: str, number: str = "c1") -> dict[str, Any]:
    return {"id": number, "type": "function", "function": {"name": "Bash", "arguments": {"command": command}}}


def call_rows(count: int = 6) -> list[dict[str, Any]]:
    """Rows with a prompt, a call, its result and a final word."""
    rows = [
        {
            "messages": [
                say("user", prompt),
                {**say("assistant", ""), "tool_calls": [call(command)]},
                {**say("tool", "fine"), "tool_call_id": "c1", "name": "Bash"},
                say("assistant", "Done."),
            ],
            "tools": TOOLS,
        }
        for prompt, command in COMMANDS.items()
    ]
    return [rows[at % len(rows)] for at in range(count)]


def figures_of(run: Run) -> dict[int, dict[str, float]]:
    steps: dict[int, dict[str, float]] = {}
    for name in FIGURES:
        for step, value in run.curve(f"eval_{name}"):
            steps.setdefault(step, {})[name] = value or 0.0
    return steps


def test_a_model_that_memorises_the_rows_makes_their_calls_and_its_best_step_is_kept(new_run: NewRun) -> None:
    settings = {"learningRate": 5e-3, "evalSteps": 30, "nextCalls": 50, "bestBy": "next_call", "earlyStopping": {"patience": 9}}
    run = new_run(call_rows(12), val=call_rows(3), maxSteps=90, **settings)
    assert run.in_process() == 0, run.events[-1]
    (event,) = run.of("next_calls")
    assert (event["answers"], event["withCalls"], event["leftOut"], event["reason"]) == (6, 3, 0, None)
    figures = figures_of(run)
    assert list(figures) == [0, 30, 60, 90]
    assert all(list(one) == FIGURES for one in figures.values())
    assert figures[0]["exact_call"] == 0
    assert figures[90] == dict.fromkeys(FIGURES, 1.0)
    losses = dict(run.curve("eval_loss"))
    best = max((step for step in figures if step > 0), key=lambda step: (figures[step]["arg_f1"], -(losses[step] or 0)))
    assert [one["step"] for one in run.of("checkpoint") if one["best"]][-1] == best
    state = json.loads((run.output / run.of("checkpoint")[-1]["path"] / "trainer_state.json").read_text())
    assert state["best_global_step"] == best
    again = new_run(call_rows(12), name="again", val=call_rows(3), maxSteps=30, **settings)
    assert again.in_process() == 0, again.events[-1]
    assert figures_of(again) == {step: figures[step] for step in (0, 30)} and again.curve("loss") == run.curve("loss")[:30]


def test_measuring_held_out_calls_does_not_change_the_training(new_run: NewRun) -> None:
    settings = {"maxSteps": 6, "evalSteps": 3, "method": {"kind": "lora", "rank": 4, "dropout": 0.3}}
    measured = new_run(call_rows(), val=call_rows(3), nextCalls=4, **settings)
    silent = new_run(call_rows(), name="silent", val=call_rows(3), **settings)
    assert measured.in_process() == 0 and silent.in_process() == 0
    assert measured.curve("loss") == silent.curve("loss")
    assert sorted(figures_of(measured)) == [0, 3, 6] and figures_of(silent) == {}
    assert silent.of("next_calls")[0]["reason"] == "It is turned off: the setting nextCalls is 0."


@pytest.mark.parametrize(
    ("val", "more", "reason"),
    [
        (None, {}, "The run has no held-out rows."),
        (sft_rows(4), {}, "None of 4 held-out answers calls a tool."),
        (call_rows(2), {"evalSteps": None}, "The run makes no evaluations."),
    ],
)
def test_the_reason_why_nothing_is_measured_is_reported(
    new_run: NewRun, val: list[dict[str, Any]] | None, more: dict[str, Any], reason: str
) -> None:
    run = new_run(sft_rows(4), val=val, **{"maxSteps": 1, "evalSteps": 1, "nextCalls": 50, "bestBy": "next_call", **more})
    assert run.in_process() == 0, run.events[-1]
    assert run.of("next_calls")[0]["reason"] == reason
    assert figures_of(run) == {}
    assert [one["code"] for one in run.of("warning")] == ["best_by_loss"]


def test_training_stops_early_if_calls_do_not_improve(new_run: NewRun) -> None:
    settings = {"maxSteps": 20, "learningRate": 1e-12, "evalSteps": 2, "nextCalls": 50, "earlyStopping": {"patience": 2}}
    run = new_run(call_rows(), val=call_rows(3), bestBy="next_call", **settings)
    assert run.in_process() == 0, run.events[-1]
    assert run.events[-1]["stoppedEarly"] and run.events[-1]["step"] == 6
    assert [one["step"] for one in run.of("checkpoint") if one["best"]] == [2]


def test_preferences_measure_the_chosen_answers(new_run: NewRun) -> None:
    rows = [
        {
            "prompt": row["messages"][:1],
            "chosen": [row["messages"][1]],
            "rejected": [{**say("assistant", ""), "tool_calls": [call("rm")]}],
            "tools": TOOLS,
        }
        for row in call_rows()
    ]
    labels = [
        {"prompt": row["prompt"], "completion": row[side], "label": side == "chosen", "tools": TOOLS}
        for row in rows
        for side in ("chosen", "rejected")
    ]
    for strategy, data in (("dpo", rows), ("kto", labels)):
        run = new_run(data, name=strategy, strategy=strategy, val=data, maxSteps=1, evalSteps=1, nextCalls=50)
        assert run.in_process() == 0, run.events[-1]
        assert (run.of("next_calls")[0]["answers"], run.of("next_calls")[0]["withCalls"]) == (6, 6)
        assert sorted(figures_of(run)) == [0, 1]
