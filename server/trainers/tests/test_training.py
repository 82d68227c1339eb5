"""Real training of a tiny model on the CPU, in processes as the server starts them."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Run

WORDS = ["red", "green", "blue", "white"]
TOOLS = [{"type": "function", "function": {"name": "Bash", "description": "Runs it.", "parameters": {"type": "object"}}}]

TORN_CALL = {"role": "assistant", "content": "", "tool_calls": [{"function": {"arguments": "{}"}}]}


def say(role: str, content: str) -> dict[str, Any]:
    return {"role": role, "content": content}


def sft_rows(count: int = 16) -> list[dict[str, Any]]:
    call = {"id": "c1", "type": "function", "function": {"name": "Bash", "arguments": {"command": "ls"}}}
    plain = [{"messages": [say("user", f"Say {word}"), say("assistant", f"{word} {word}")], "tools": []} for word in WORDS]
    with_tool = {
        "messages": [
            say("user", "List the files"),
            {**say("assistant", ""), "tool_calls": [call]},
            {**say("tool", "calc.py"), "tool_call_id": "c1", "name": "Bash"},
            say("assistant", "One file."),
        ],
        "tools": TOOLS,
    }
    rows = [*plain, with_tool]
    return [rows[at % len(rows)] for at in range(count)]


def preference_rows(count: int = 16) -> list[dict[str, Any]]:
    pairs = [
        {"prompt": [say("user", f"Say {word}")], "chosen": [say("assistant", f"{word} yes")], "rejected": [say("assistant", "no no no")]}
        for word in WORDS
    ]
    return [pairs[at % len(pairs)] for at in range(count)]


def first_and_last(curve: list[tuple[int, float | None]], width: int = 5) -> tuple[float, float]:
    values = [value for _, value in curve if value is not None]
    return sum(values[:width]) / width, sum(values[-width:]) / width


def test_sft_learns_and_tells_what_it_does(new_run: Callable[..., Run]) -> None:
    run = new_run(sft_rows())
    assert run.finish() == 0, run.stderr
    before, after = first_and_last(run.curve("loss"))
    assert after < 0.7 * before
    (plan,) = run.of("plan")
    assert plan["rows"] == 16 and plan["totalSteps"] == 30 and plan["truncated"] == 0
    assert 0 < plan["trainedTokens"] < plan["tokens"]
    assert [event["phase"] for event in run.of("phase")] == ["loading", "tokenising", "training", "saving"]
    assert (run.output / "final" / "model.safetensors").exists()
    assert run.events[-1]["type"] == "complete" and run.events[-1]["peakMb"]["rss"] > 100
    assert run.of("progress")[-1]["tokens"] > 0


def test_the_same_inputs_give_the_same_losses_and_lora_leaves_an_adapter(new_run: Callable[..., Run]) -> None:
    lora = {"kind": "lora", "rank": 8, "alpha": 16, "dropout": 0.1}
    runs = [new_run(sft_rows(), name, method=lora, maxSteps=4) for name in ("one", "two")]
    assert [run.finish() for run in runs] == [0, 0], runs[0].stderr
    assert runs[0].curve("loss") == runs[1].curve("loss")
    assert runs[0].of("plan")[0]["trainable"] < runs[0].of("plan")[0]["parameters"] / 2
    assert (runs[0].output / "final" / "adapter_model.safetensors").exists()


def test_dpo_prefers_the_chosen(new_run: Callable[..., Run]) -> None:
    run = new_run(preference_rows(), strategy="dpo", learningRate=5e-4)
    assert run.finish() == 0, run.stderr
    before, after = first_and_last(run.curve("rewards/accuracies"))
    assert after > 0.9 > before
    assert run.curve("rewards/margins")[-1][1] > 0.1


def test_kto_runs_on_single_labels(new_run: Callable[..., Run]) -> None:
    rows = [
        {"prompt": row["prompt"], "completion": row[side], "label": side == "chosen"}
        for row in preference_rows(8)
        for side in ("chosen", "rejected")
    ]
    run = new_run(rows, strategy="kto", learningRate=5e-4)
    assert run.finish() == 0, run.stderr
    before, after = first_and_last(run.curve("loss"))
    assert after < before


def until(condition: Callable[[], bool], process: Any) -> None:  # noqa: ANN401
    while not condition():
        assert process.poll() is None, "the trainer ended early"
        time.sleep(0.02)


def step_of(run: Run) -> int:
    file = run.output / "events.jsonl"
    whole = file.read_text().rpartition("\n")[0].splitlines() if file.exists() else []
    return max((json.loads(line).get("step", 0) for line in whole), default=0)


def test_paused_and_resumed_is_the_same_run(new_run: Callable[..., Run]) -> None:
    whole = new_run(sft_rows(), "whole", maxSteps=24)
    assert whole.finish() == 0, whole.stderr
    paused = new_run(sft_rows(), "paused", maxSteps=24)
    process = paused.start()
    until(lambda: step_of(paused) >= 5, process)
    os.kill(process.pid, signal.SIGUSR1)
    assert paused.finish() == 75, paused.stderr
    (stopped,) = paused.of("stopped")
    assert stopped["how"] == "paused" and stopped["checkpoint"] == f"checkpoint-{stopped['step']}"
    assert paused.finish() == 0, paused.stderr
    assert dict(paused.curve("loss")) == dict(whole.curve("loss"))
    weights = [run.output / "final" / "model.safetensors" for run in (whole, paused)]
    assert weights[0].read_bytes() == weights[1].read_bytes()
    assert paused.of("progress")[-1]["tokens"] == whole.of("progress")[-1]["tokens"]


def test_a_killed_run_goes_on_from_its_checkpoint(new_run: Callable[..., Run]) -> None:
    run = new_run(sft_rows(), maxSteps=24, saveSteps=5)
    process = run.start()
    until(lambda: step_of(run) >= 11, process)
    process.kill()
    process.communicate()
    run.process = None
    with (run.output / "events.jsonl").open("a") as file:
        file.write('{"seq": 999, "torn')
    assert run.finish() == 0, run.stderr
    assert run.of("phase")[-2]["detail"] in ("from checkpoint-10", "from checkpoint-15", "from checkpoint-20")
    assert run.of("complete")[0]["step"] == 24


def test_a_run_whose_data_changed_is_not_resumed(new_run: Callable[..., Run], tmp_path: Path) -> None:
    run = new_run(sft_rows(), maxSteps=40)
    process = run.start()
    until(lambda: step_of(run) >= 2, process)
    (run.output / "control.part").write_text('{"action": "pause"}')
    os.replace(run.output / "control.part", run.output / "control.json")
    assert run.finish() == 75, run.stderr
    with (tmp_path / "run" / "train.jsonl").open("a") as file:
        file.write(json.dumps(sft_rows(1)[0]) + "\n")
    assert run.finish() == 1
    assert run.events[-1]["code"] == "changed" and "data changed" in run.events[-1]["message"]


def test_cancel_leaves_no_checkpoint_and_ends_with_its_own_code(new_run: Callable[..., Run]) -> None:
    run = new_run(sft_rows(), maxSteps=400)
    process = run.start()
    until(lambda: step_of(run) >= 2, process)
    os.kill(process.pid, signal.SIGTERM)
    assert run.finish() == 76, run.stderr
    assert run.events[-1]["how"] == "cancelled" and run.events[-1]["checkpoint"] is None
    assert not list(run.output.glob("checkpoint-*"))


@pytest.mark.parametrize(
    ("rows", "more", "code", "words"),
    [
        ("", {}, "empty_data", "has no rows"),
        ('{"text": "x"}\n', {}, "row_invalid", "Row 1 has no messages, which sft needs; it has text"),
        ('{"messages": [{"role": "user", "content": "x"}]}\nnot json\n', {}, "row_invalid", "Row 2 is no JSON"),
        ([{"messages": [say("user", "x"), TORN_CALL]}], {}, "row_invalid", "arguments of a tool call must be an object"),
        ([{"messages": [say("user", "x " * 600), say("assistant", "y")]}], {}, "empty_mask", "Raise the training length"),
        (sft_rows(4), {"model": "/nowhere"}, "model_missing", "no config.json"),
        (sft_rows(4), {"batchSize": 4, "microBatch": 3}, "config_invalid", "no multiple"),
        (sft_rows(4), {"device": "cuda"}, "no_cuda", "finds no GPU"),
    ],
    ids=["empty", "columns", "json", "arguments", "mask", "model", "batch", "cuda"],
)  # fmt: skip
def test_what_cannot_be_trained_says_why(new_run: Callable[..., Run], rows: Any, more: dict[str, Any], code: str, words: str) -> None:  # noqa: ANN401
    run = new_run(rows, **more)
    assert run.finish() == 1
    assert run.events[-1]["type"] == "failed" and run.events[-1]["code"] == code
    assert words in run.events[-1]["message"]
