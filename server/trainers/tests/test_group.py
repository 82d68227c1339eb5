"""Several processes train the same model as one process, pause together, and all end together."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from typing import Any

import psutil
import pytest
from conftest import NewRun, Run, request
from rows import preference_rows, sft_rows

LORA = {"kind": "lora", "rank": 4, "alpha": 8, "dropout": 0}
PAIR = {"processes": 2, "batchSize": 8, "microBatch": 2}


def until(found: Callable[[], Any]) -> Any:  # noqa: ANN401
    """Polls a condition that another process makes true without an event."""
    end = time.monotonic() + 120
    while not (value := found()):
        assert time.monotonic() < end, found
        time.sleep(0.02)
    return value


def has_steps(run: Run, steps: int) -> bool:
    file = run.output / "events.jsonl"
    return file.exists() and file.read_text().count('"type": "progress"') >= steps


def processes_of(run: Run) -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter(["cmdline", "status"]):
        if str(run.file) in (process.info["cmdline"] or []) and process.info["status"] != psutil.STATUS_ZOMBIE:
            found.append(process)
    return found


def trainers_of(run: Run) -> list[psutil.Process]:
    """The processes that take steps, the first one first."""
    ranked = [process for process in processes_of(run) if "RANK" in process.environ()]
    return sorted(ranked, key=lambda process: process.environ()["RANK"])


def test_two_processes_train_like_one_with_twice_the_accumulation_even_with_a_pause(new_run: NewRun) -> None:
    more = {"maxSteps": 40, "saveSteps": 20, "evalSteps": 40, "method": LORA, "val": sft_rows(5), "nextCalls": 4, "samples": 1}
    alone = new_run(sft_rows(), name="alone", **{**more, **PAIR, "processes": 1})
    assert alone.in_process() == 0, alone.events[-1]

    pair = new_run(sft_rows(), name="pair", **more, **PAIR)
    pair.start(forks=True)
    until(lambda: has_steps(pair, 3))
    request(pair, "pause")
    assert pair.finish() == 75, pair.stderr
    assert pair.of("stopped")[0]["how"] == "paused"
    until(lambda: not processes_of(pair))
    pair.start(forks=True)
    assert pair.finish() == 0, pair.stderr

    for name in ("loss", "grad_norm", "eval_loss"):
        assert [step for step, _ in pair.curve(name)] == [step for step, _ in alone.curve(name)]
        assert pair.curve(name) == [(step, pytest.approx(value, rel=2e-3)) for step, value in alone.curve(name)], name
    assert [step for step, _ in pair.curve("eval_exact_call")] == [0, 40]
    assert [event["tokens"] for event in pair.of("progress")][-1] == [event["tokens"] for event in alone.of("progress")][-1]
    assert (pair.output / "final" / "adapter_model.safetensors").exists()
    assert {"rng_state_0.pth", "rng_state_1.pth", "whole.json"} <= {file.name for file in (pair.output / "checkpoint-40").iterdir()}


def test_two_processes_share_pairs_of_answers(new_run: NewRun) -> None:
    curves = []
    for processes in (1, 2):
        more = {**PAIR, "processes": processes, "maxSteps": 3, "method": LORA}
        run = new_run(preference_rows(), name=f"dpo{processes}", strategy="dpo", **more)
        if processes > 1:
            run.start(forks=True)
        assert (run.in_process() if processes == 1 else run.finish()) == 0, run.events[-1]
        curves.append([value for _, value in run.curve("loss")])
    assert curves[1] == pytest.approx(curves[0], rel=2e-3)


@pytest.mark.parametrize(
    ("ended", "code", "last"),
    [
        ("by an action", 76, {"type": "stopped", "how": "cancelled"}),
        ("by a signal", 76, {"type": "stopped", "how": "cancelled"}),
        ("by the death of another", 1, {"type": "failed", "code": "group_ended"}),
        ("by force", -9, {"type": "progress"}),
    ],
)
def test_no_process_of_a_group_survives_its_end(new_run: NewRun, ended: str, code: int, last: dict[str, str]) -> None:
    run = new_run(sft_rows(), maxSteps=100_000, method=LORA, **PAIR)
    leader = run.start()
    until(lambda: has_steps(run, 1))
    assert len(trainers_of(run)) == 2
    if ended == "by an action":
        request(run, "cancel")
    elif ended == "by a signal":
        leader.send_signal(signal.SIGTERM)
    elif ended == "by force":
        leader.kill()
    else:
        trainers_of(run)[1].kill()
    assert run.finish() == code, run.stderr
    until(lambda: not processes_of(run))
    event = run.events[-1]
    assert {name: event[name] for name in last} == last


def test_a_refusal_is_reported_once(new_run: NewRun) -> None:
    run = new_run([{"messages": []}], **PAIR)
    assert run.finish() == 1
    assert [event["type"] for event in run.events] == ["failed"]
    assert processes_of(run) == []
