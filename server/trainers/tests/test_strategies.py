"""Every strategy trains a tiny model on the CPU, which learns."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import FAKE_SANDBOX, NewRun, Run
from learning import FEW_SEEDS, is_learned, shuffler
from rows import WORDS, code_prompt, colour_rows, label_rows, preference_rows, say, sft_rows

from bashgym_trainers import grpo as module

REAL = json.loads(os.environ.get("BASHGYM_TEST_SANDBOX", "null"))
"""The command that starts the app's sandbox worker, if the caller of the tests has one."""
SANDBOXES = {"real": REAL} if REAL else {"stand-in": FAKE_SANDBOX}
"""Without the real one, the stand-in shows the same."""


def first_and_last(curve: list[tuple[int, float | None]], width: int = 5) -> tuple[float, float]:
    values = [value for _, value in curve if value is not None]
    return sum(values[:width]) / width, sum(values[-width:]) / width


def test_sft_learns_and_reports_its_progress(new_run: NewRun) -> None:
    run = new_run(sft_rows(), val=sft_rows(5), evalSteps=20, saveSteps=20, samples=2)
    run.fork()
    assert run.finish() == 0, run.stderr
    before, after = first_and_last(run.curve("loss"))
    assert after < 0.7 * before
    (plan,) = run.of("plan")
    assert plan["rows"] == 16 and plan["valRows"] == 5 and plan["totalSteps"] == 30 and plan["truncated"] == 0
    assert 0 < plan["trainedTokens"] < plan["tokens"]
    phases = [event["phase"] for event in run.of("phase")]
    assert phases[:6] == ["loading", "tokenising", "warming", "training", "evaluating", "saving"]
    assert phases[6:] == ["training", "evaluating", "saving", "training", "saving"]
    assert (run.output / "final" / "model.safetensors").exists()
    complete = run.events[-1]
    assert complete["type"] == "complete" and complete["peakMb"]["rss"] > 100 and not complete["stoppedEarly"]
    progress = [event for event in run.of("progress") if "loss" in event["metrics"]]
    assert [event["tokensPerSec"] is None for event in progress] == [True] * 3 + [False] * 27
    assert progress[-1]["tokens"] > 0 and progress[-1]["etaSec"] == 0
    assert {"mean_token_accuracy", "entropy", "grad_norm", "learning_rate"} <= set(progress[-1]["metrics"])
    assert [(event["step"], event["best"]) for event in run.of("checkpoint")] == [(20, True), (30, True)]
    samples = run.of("sample")
    assert [(event["step"], event["index"]) for event in samples] == [(0, 0), (0, 1), (20, 0), (20, 1), (30, 0), (30, 1)]
    assert samples[0]["prompt"] == "Say red" and samples[0]["reference"] == "red red" and samples[0]["source"] == "evaluation"
    assert run.of("system")[0]["rssMb"] > 10


def test_dpo_learns_to_prefer_the_chosen_answers(new_run: NewRun) -> None:
    run = new_run(preference_rows(), strategy="dpo", learningRate=5e-4)
    assert run.in_process() == 0, run.events[-1]
    before, after = first_and_last(run.curve("rewards/accuracies"))
    assert after > 0.9 > before
    assert run.curve("rewards/margins")[-1][1] > 0.1


def test_kto_runs_on_single_labels(new_run: NewRun) -> None:
    run = new_run(label_rows(), strategy="kto", learningRate=5e-4)
    assert run.in_process() == 0, run.events[-1]
    before, after = first_and_last(run.curve("loss"))
    assert after < before


def grpo(**more: Any) -> dict[str, Any]:
    settings = {"strategy": "grpo", "batchSize": 16, "generations": 8, "maxCompletion": 8, "learningRate": 2e-3}
    return {**settings, **more}


def blue_rows(count: int = 4) -> list[dict[str, Any]]:
    return [{"prompt": [say("user", "Name a colour")], "answer": "blue"}] * count


def test_grpo_reports_rewards_and_answers(new_run: NewRun, speaker: Path) -> None:
    rewards = [{"kind": "exact", "weight": 2}, {"kind": "format", "weight": 0.5}]
    run = new_run(blue_rows(), model=speaker, val=blue_rows(8), evalSteps=2, **grpo(rewards=rewards, beta=0.01, maxSteps=2))
    assert run.in_process() == 0, run.events[-1]
    figures = next(event["metrics"] for event in run.of("progress"))
    assert {"reward", "reward_std", "zero_variance_share", "kl", "completions/mean_length", "rewards/format/std"} <= set(figures)
    assert figures["reward"] == pytest.approx(2 * figures["rewards/exact/mean"] + 0.5 * figures["rewards/format/mean"], abs=1e-5)
    assert [step for step, _ in run.curve("eval_reward")] == [2]
    rollouts = [event for event in run.of("sample") if event["source"] == "rollout"]
    assert len([event for event in rollouts if event["step"] == 1]) == 8
    first = rollouts[0]
    assert (first["prompt"], first["reference"], set(first["rewards"])) == ("Name a colour", "blue", {"exact", "format"})
    assert all((event["text"].strip() == "blue") == (event["rewards"]["exact"] == 1) for event in rollouts)


@pytest.mark.parametrize("sandbox", SANDBOXES.values(), ids=SANDBOXES)
def test_rlvr_learns_to_write_code_that_passes_the_tests(new_run: NewRun, coder: Path, sandbox: list[str]) -> None:
    assert is_coding_learned([code_run(new_run, coder, sandbox, seed) for seed in FEW_SEEDS])


def test_rlvr_does_not_learn_from_shuffled_rewards(new_run: NewRun, coder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shuffled, score = shuffler(0), module.score
    monkeypatch.setattr(module, "score", lambda *of: shuffled(score(*of)))
    assert not is_coding_learned([code_run(new_run, coder, FAKE_SANDBOX, seed) for seed in FEW_SEEDS])


def code_run(new_run: NewRun, coder: Path, sandbox: list[str], seed: int) -> Run:
    rows = [{"prompt": code_prompt(), "tests": "from solution import x\nassert x == 1\n"}] * 2
    settings = grpo(strategy="rlvr", rewards=[{"kind": "tests"}], sandbox={"argv": sandbox}, maxCompletion=16, maxSteps=12)
    run = new_run(rows, f"seed-{seed}", model=coder, samples=1, seed=seed, **settings)
    assert run.in_process() == 0, run.events[-1]
    assert greedy_answers(run)[0] == "```py\nx = 2\n```"
    return run


def is_coding_learned(runs: list[Run]) -> bool:
    return is_learned(runs, "rewards/tests/mean", lambda run: "".join(greedy_answers(run)[-1].split()) == "```pyx=1```")


def greedy_answers(run: Run) -> list[str]:
    return [event["text"] for event in run.of("sample") if event["source"] == "evaluation"]


@pytest.fixture
def distilled(new_run: NewRun, speaker: Path) -> Callable[..., Run]:
    def make(rows: list[dict[str, Any]], **more: Any) -> Run:
        settings = {"strategy": "distillation", "teacher": str(speaker), "maxCompletion": 8, "learningRate": 2e-3, "beta": 0}
        return new_run(rows, **{**settings, **more})

    return make


def test_distillation_on_the_models_own_answers(distilled: Callable[..., Run]) -> None:
    run = distilled([{"prompt": [say("user", "Name a colour")]}] * 4)
    assert run.in_process() == 0, run.events[-1]
    before, after = first_and_last(run.curve("loss"))
    assert after < 0.7 * before
    assert "teacher" in json.loads((run.output / "inputs.json").read_text())


def test_distillation_on_the_answers_of_the_data_set(distilled: Callable[..., Run]) -> None:
    run = distilled(colour_rows(), distill="logits", val=colour_rows(), evalSteps=30)
    assert run.in_process() == 0, run.events[-1]
    before, after = first_and_last(run.curve("loss"))
    assert after < 0.5 * before
    assert 0 < run.of("plan")[0]["trainedTokens"] < run.of("plan")[0]["tokens"]


def test_distillation_uses_the_teachers_text_if_tokenizers_differ(distilled: Callable[..., Run], other_model: Path) -> None:
    run = distilled([{"prompt": [say("user", "Name a colour")]}] * 4, model=other_model, samples=1)
    assert run.in_process() == 0, run.events[-1]
    assert run.of("warning")[0]["code"] == "teacher_text"
    answers = [json.loads(line)["text"] for line in (run.output / "teacher-answers.jsonl").read_text().splitlines()]
    assert len(answers) == 4 and set(answers) <= set(WORDS)
    before, after = first_and_last(run.curve("loss"))
    assert after < 0.3 * before
