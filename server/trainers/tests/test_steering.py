"""Runs that are paused, resumed, cancelled, killed or stopped early leave the right files and events."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import PACKAGE, NewRun, Run, request
from rows import preference_rows, say, sft_rows

from bashgym_trainers.errors import TrainerError
from bashgym_trainers.packing import check_isolated

LORA = {"kind": "lora", "rank": 8, "alpha": 16, "dropout": 0.1}


def until(condition: Callable[[], bool], process: Any) -> None:  # noqa: ANN401
    while not condition():
        assert process.poll() is None, "the trainer ended early"
        time.sleep(0.02)


def events_of(run: Run) -> list[dict[str, Any]]:
    """Events while the trainer writes, so only complete lines."""
    file = run.output / "events.jsonl"
    uninterrupted = file.read_text().rpartition("\n")[0].splitlines() if file.exists() else []
    return [json.loads(line) for line in uninterrupted]


def step_of(run: Run) -> int:
    return max((event.get("step", 0) for event in events_of(run)), default=0)


def phase_of(run: Run) -> str:
    return next((event["phase"] for event in reversed(events_of(run)) if event["type"] == "phase"), "")


def pause_at(run: Run, step: int) -> Run:
    """Runs in this process, and pauses at the end of a step."""
    events = run.output / "events.jsonl"
    run.output.mkdir(parents=True, exist_ok=True)
    from bashgym_trainers import control

    requested = control.Control.requested

    def at_step(self: control.Control) -> Any:  # noqa: ANN401
        if self.step == step:
            self.action_taken = "pause"
        return requested(self)

    control.Control.requested = at_step  # type: ignore[method-assign]
    try:
        assert run.in_process() == 75, events.read_text()[-2000:]
    finally:
        control.Control.requested = requested  # type: ignore[method-assign]
    return run


def grpo_settings(speaker: Path) -> dict[str, Any]:
    more = {"batchSize": 8, "generations": 4, "maxCompletion": 6, "rewards": [{"kind": "exact"}]}
    return {"strategy": "grpo", "model": speaker, **more}


def blue_rows() -> list[dict[str, Any]]:
    return [{"prompt": [say("user", f"Name a colour{mark}")], "answer": "blue"} for mark in ("", ".", "!", "?")]


@pytest.mark.parametrize("strategy", ["sft", "dpo", "grpo"])
def test_a_paused_and_resumed_run_equals_an_uninterrupted_one(new_run: NewRun, speaker: Path, strategy: str) -> None:
    """Compares them bit by bit, with a pause between two logs, with evaluations, and with samples in only one of them."""
    rows, val, more = {
        "sft": (sft_rows(), sft_rows(4), {"groupByLength": True}),
        "dpo": (preference_rows(), preference_rows(4), {"strategy": "dpo", "method": LORA}),
        "grpo": (blue_rows(), blue_rows(), grpo_settings(speaker)),
    }[strategy]
    shared = {**more, "val": val, "maxSteps": 12, "loggingSteps": 3, "evalSteps": 4}
    uninterrupted = new_run(rows, "whole", samples=0, **shared)
    assert uninterrupted.in_process() == 0, uninterrupted.events[-1]
    paused = pause_at(new_run(rows, "paused", samples=2, **shared), 5)
    (stopped,) = paused.of("stopped")
    assert (stopped["how"], stopped["step"], stopped["checkpoint"]) == ("paused", 5, "checkpoint-5")
    assert paused.in_process() == 0, paused.events[-1]
    for name in ("loss", "grad_norm", "learning_rate", "eval_loss", *(["rewards/exact/mean", "reward_std"] if strategy == "grpo" else [])):
        assert paused.curve(name) == uninterrupted.curve(name) != []
    (name,) = [path.name for path in (uninterrupted.output / "final").glob("*.safetensors")]
    assert (paused.output / "final" / name).read_bytes() == (uninterrupted.output / "final" / name).read_bytes()
    assert paused.of("progress")[-1]["tokens"] == uninterrupted.of("progress")[-1]["tokens"] > 0


def test_the_same_inputs_give_the_same_losses_and_lora_leaves_an_adapter(new_run: NewRun) -> None:
    runs = [new_run(sft_rows(), name, method=LORA, maxSteps=4, samples=1) for name in ("one", "two")]
    runs[1].fork()
    assert runs[0].in_process() == 0 and runs[1].finish() == 0, runs[0].events[-1]
    assert runs[0].curve("loss") == runs[1].curve("loss")
    assert [event["step"] for event in runs[0].of("sample")] == [0, 4]
    assert runs[0].of("plan")[0]["trainable"] < runs[0].of("plan")[0]["parameters"] / 2
    assert (runs[0].output / "final" / "adapter_model.safetensors").exists()


def test_a_pause_by_signal_has_its_exit_code_and_changed_data_prevent_a_resume(new_run: NewRun) -> None:
    run = new_run(sft_rows(), maxSteps=100_000)
    process = run.fork()
    until(lambda: step_of(run) >= 2, process)
    os.kill(process.pid, signal.SIGUSR1)
    assert run.finish() == 75, run.stderr
    assert run.events[-1]["checkpoint"] == f"checkpoint-{run.events[-1]['step']}"
    with (run.file.parent / "train.jsonl").open("a") as file:
        file.write(json.dumps(sft_rows(1)[0]) + "\n")
    assert run.in_process() == 1
    assert run.events[-1]["code"] == "changed" and "data changed" in run.events[-1]["message"]


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV])
def test_a_killed_run_resumes_from_its_checkpoint(new_run: NewRun, number: signal.Signals) -> None:
    run = new_run(sft_rows(), maxSteps=100_000, saveSteps=5)
    process = run.fork()
    until(lambda: step_of(run) >= 11, process)
    os.kill(process.pid, number)
    assert run.finish() == -number
    last = step_of(run) // 5 * 5  # earlier checkpoints are complete, a later one may be
    run.file.write_text(json.dumps({**json.loads(run.file.read_text()), "maxSteps": last + 10}))
    with (run.output / "events.jsonl").open("a") as file:
        file.write('{"seq": 999, "torn')
    (run.output / "checkpoint-9999").mkdir()
    assert run.in_process() == 0, run.events[-1]
    details = [event["detail"] for event in run.of("phase") if event["phase"] == "warming"]
    assert details[0] is None and details[1] in [f"from checkpoint-{step}" for step in (last - 5, last, last + 5) if step >= 10]
    assert run.of("complete")[0]["step"] == last + 10
    assert not (run.output / "checkpoint-9999").exists()


def test_save_and_stop_leaves_a_model(new_run: NewRun) -> None:
    run = new_run(sft_rows(), maxSteps=100_000)
    process = run.fork()
    until(lambda: step_of(run) >= 2, process)
    request(run, "save_stop")
    assert run.finish() == 0, run.stderr
    complete = run.events[-1]
    assert complete["stoppedEarly"] and complete["artifact"] == "final" and (run.output / "final" / "model.safetensors").exists()
    assert not (run.output / "control.json").exists()


@pytest.mark.parametrize(
    ("phase", "way"),
    [("imports", "signal"), ("imports", "file"), ("tokenising", "signal"), ("generating", "signal"), ("saving", "file")],
)
def test_a_cancel_ends_the_process_at_once_in_every_phase(new_run: NewRun, coder: Path, phase: str, way: str) -> None:
    run = {
        "imports": lambda: new_run(sft_rows(), maxSteps=400),
        "tokenising": lambda: new_run(sft_rows(40_000), maxSteps=400),
        "generating": lambda: new_run(
            [{"prompt": [say("user", "Write it")], "answer": "x"}] * 8,
            **{**grpo_settings(coder), "batchSize": 64, "generations": 8, "maxLength": 1000, "maxCompletion": 900, "temperature": 3},
        ),
        "saving": lambda: new_run(sft_rows(), maxSteps=100_000, saveSteps=1),
    }[phase]()
    process = run.start() if phase == "imports" else run.fork()
    reached = {
        "imports": lambda: phase_of(run) == "loading",
        "tokenising": lambda: phase_of(run) == "tokenising",
        "generating": lambda: phase_of(run) == "warming",
        "saving": lambda: step_of(run) >= 2 and phase_of(run) == "saving",
    }[phase]
    until(reached, process)
    began = time.monotonic()
    if way == "signal":
        os.kill(process.pid, signal.SIGTERM)
    else:
        request(run, "cancel")
    assert run.finish() == 76, run.stderr
    assert (
        time.monotonic() - began < 10
    )  # takes a tenth of a second on an idle machine; none of these runs would end so soon without the cancel
    assert run.events[-1]["type"] == "stopped" and run.events[-1]["how"] == "cancelled"
    assert phase == "saving" or run.events[-1]["step"] == 0
    assert not (run.output / "final.part").exists()
    uninterrupted = [path for path in run.output.glob("checkpoint-*") if (path / "trainer_state.json").exists()]
    assert list(run.output.glob("checkpoint-*")) == uninterrupted
    assert bool(run.events[-1]["checkpoint"]) == (phase == "saving")


CANCELLED_AT_ITS_END = """import os, signal, sys
from pathlib import Path
from bashgym_trainers import core, train
from bashgym_trainers.events import Events

def cancelled_after(does, holds):
    def done(*given, **named):
        does(*given, **named)
        if holds(given):
            os.kill(os.getpid(), signal.SIGTERM)
    return done

if sys.argv[2] == "saved":
    core.os.replace = cancelled_after(os.replace, lambda given: Path(given[1]).name == "final")
else:
    Events.emit = cancelled_after(Events.emit, lambda given: given[1] == "complete")
sys.exit(train.main(Path(sys.argv[1])))"""


@pytest.mark.parametrize("result", ["saved", "reported"])
def test_a_cancel_has_no_effect_once_the_result_is_renamed(new_run: NewRun, result: str) -> None:
    run = new_run(sft_rows(), maxSteps=2)
    done = subprocess.run(
        [sys.executable, "-c", CANCELLED_AT_ITS_END, str(run.file), result], cwd=PACKAGE, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert run.events[-1]["type"] == "complete" and (run.output / "final" / "model.safetensors").exists()


def test_training_stops_early_and_keeps_the_best_weights(new_run: NewRun) -> None:
    rows = [{"messages": [say("user", f"Say {word}"), say("assistant", word)]} for word in ("red", "green")]
    other = [{"messages": [say("user", f"Say {word}"), say("assistant", "white " + word)]} for word in ("red", "green")]
    run = new_run(rows, val=other, maxSteps=200, evalSteps=2, earlyStopping={"patience": 2}, learningRate=5e-3, loggingSteps=2)
    assert run.in_process() == 0, run.events[-1]
    complete = run.events[-1]
    assert complete["stoppedEarly"] and complete["step"] < 200
    curve = run.curve("eval_loss")
    best = min(curve, key=lambda point: point[1] or 0)
    assert complete["step"] == best[0] + 4
    assert [event["step"] for event in run.of("checkpoint") if event["best"]][-1] == best[0]
    kept = run.output / f"checkpoint-{best[0]}" / "model.safetensors"
    assert kept.read_bytes() == (run.output / "final" / "model.safetensors").read_bytes()


def test_a_dry_run_takes_two_steps_on_the_longest_rows_and_keeps_nothing(new_run: NewRun, speaker: Path) -> None:
    long = {"messages": [say("user", "Say it " * 60), say("assistant", "yes")]}
    run = new_run([*sft_rows(12), long], val=sft_rows(4), dryRun=True, evalSteps=50, saveSteps=1, batchSize=2)
    assert run.in_process() == 0, run.events[-1]
    assert run.events[-1]["artifact"] is None and run.events[-1]["step"] == 2 and run.events[-1]["peakMb"]["rss"] > 100
    assert run.of("plan")[0]["longest"] > 100 and run.of("plan")[0]["rows"] == 4
    assert run.curve("eval_loss") and not run.of("checkpoint")
    assert sorted(path.name for path in run.output.iterdir()) == ["events.jsonl"]
    rewarded = new_run(blue_rows(), "rewarded", dryRun=True, **grpo_settings(speaker))
    assert rewarded.in_process() == 0, rewarded.events[-1]
    assert rewarded.curve("completions/min_length")[0][1] == 6


def test_packed_rows_do_not_see_each_other_and_take_fewer_steps(new_run: NewRun) -> None:
    plain = new_run(sft_rows(32), "plain", maxSteps=None, epochs=1, batchSize=2, maxLength=512)
    packed = new_run(sft_rows(32), "packed", maxSteps=None, epochs=1, batchSize=2, maxLength=512, packing=True)
    assert plain.in_process() == 0 and packed.in_process() == 0, packed.events[-1]
    steps = [run.events[-1]["step"] for run in (plain, packed)]
    assert steps[0] == 16 and steps[1] <= 8
    assert packed.of("progress")[-1]["tokens"] == plain.of("progress")[-1]["tokens"]


def test_packing_is_refused_if_rows_influence_each_other(model: Path) -> None:
    import torch
    from transformers import AutoModelForCausalLM

    uninterrupted = AutoModelForCausalLM.from_pretrained(model)
    check_isolated(uninterrupted, "cpu")
    forward = uninterrupted.forward

    def blind_to_positions(input_ids: torch.Tensor, position_ids: torch.Tensor, **more: Any) -> Any:  # noqa: ANN401
        return forward(input_ids=input_ids, position_ids=torch.arange(position_ids.shape[1])[None], **more)

    uninterrupted.forward = blind_to_positions
    with pytest.raises(TrainerError, match="see each other"):
        check_isolated(uninterrupted, "cpu")
