"""Invalid input is refused with the reason, and a failed run leaves its files as it should."""

from __future__ import annotations

import errno
import json
import os
import resource
import shutil
import subprocess
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import pytest
from conftest import FAKE_SANDBOX, NewRun, Run, fill
from rows import colour_rows, label_rows, say, sft_rows

from bashgym_trainers.data import read_rows
from bashgym_trainers.errors import TrainerError
from bashgym_trainers.events import Events
from bashgym_trainers.inputs import code_of
from bashgym_trainers.train import as_trainer_error, warn_once

TORN_CALL = {"role": "assistant", "content": "", "tool_calls": [{"function": {"arguments": "{}"}}]}
ASK = {"prompt": [say("user", "x")]}
LONG = {"prompt": [say("user", "x " * 600)]}
GOLDEN = json.loads(Path(__file__).with_name("refusals.json").read_text())
REFUSALS = [
    {**case, "rows": [GOLDEN["rows"][name] for name, times in case["rows"].items() for _ in range(times)]} for case in GOLDEN["cases"]
]
GRPO = {"strategy": "grpo", "batchSize": 8, "maxCompletion": 8}


def failed(run: Run) -> dict[str, Any]:
    assert run.in_process() == 1
    event = run.events[-1]
    assert event["type"] == "failed", event
    return event


@pytest.mark.parametrize(
    ("rows", "more", "code", "words", "place"),
    [
        ("", {}, "empty_data", "has no rows", (None, None)),
        ('{"text": "x"}\n', {}, "row_invalid", "Row 1 has no messages, which sft needs; it has text", (1, "messages")),
        ('\n{"messages": [{"role": "user", "content": "x"}]}\nnot json\n', {}, "row_invalid", "Row 3 is not valid JSON", (3, None)),
        ([{"messages": [say("user", "x"), TORN_CALL]}], {}, "row_invalid", "arguments of a tool call must be an object", (1, "messages")),
        ([{"messages": [say("user", "x")], "tools": "Bash"}], {}, "row_invalid", "tools must be a list", (1, "tools")),
        ([{"messages": [say("user", "x " * 600), say("assistant", "y")]}], {}, "no_trained_tokens", "Set the max length to", (None, None)),
        ([{"messages": [say("user", "x")]}] * 3, {}, "no_trained_tokens", "None of the 3 rows", (None, None)),
        (sft_rows(4), {"model": "/nowhere"}, "model_missing", "no config.json", (None, None)),
        (sft_rows(4), {"batchSize": 4, "microBatch": 3}, "config_invalid", "not a multiple of micro-batch size", (None, None)),
        (sft_rows(4), {"device": "cuda"}, "no_cuda", "can use no GPU", (None, None)),
        (sft_rows(4), {"method": {"kind": "lora", "quantized": True}}, "no_cuda", "4-bit", (None, None)),
        (label_rows()[::2], {"strategy": "kto"}, "one_label", "All rows are wanted", (None, "label")),
        ([ASK], {"strategy": "grpo"}, "config_invalid", "not a multiple of 8 answers per prompt", (None, None)),
        ([ASK], GRPO, "no_rewards", "at least one with a weight above 0", (None, None)),
        ([ASK], {**GRPO, "rewards": [{"kind": "exact"}]}, "row_invalid", "Row 1 has no answer", (1, "answer")),
        ([{**ASK, "answer": 4}], {**GRPO, "rewards": [{"kind": "exact"}]}, "row_invalid", "answer must be text", (1, "answer")),
        ([ASK], {**GRPO, "rewards": [{"kind": "tests"}]}, "no_sandbox", "no sandbox is available", (None, None)),
        ([ASK], {**GRPO, "strategy": "rlvr", "rewards": [{"kind": "format"}]}, "config_invalid", "verifiable rewards", (None, None)),
        ([ASK], {**GRPO, "batchSize": 16, "rewards": [{"kind": "format"}]}, "too_few_rows", "takes 2 prompts", (None, None)),
        (
            [{"prompt": [say("user", "x " * 600)]}],
            {**GRPO, "rewards": [{"kind": "format"}]},
            "prompts_too_long",
            "longer than 504 tokens",
            (None, None),
        ),
        ([ASK], {"strategy": "distillation"}, "config_invalid", "teacher", (None, None)),
        (
            [{"messages": [say("user", "x")]}],
            {"strategy": "grpo", **GRPO, "rewards": [{"kind": "format"}]},
            "row_invalid",
            "no prompt",
            (1, "prompt"),
        ),
    ],
)
def test_untrainable_input_is_refused_with_the_reason(
    new_run: NewRun, rows: list[dict[str, Any]] | str, more: dict[str, Any], code: str, words: str, place: tuple[int | None, str | None]
) -> None:
    event = failed(new_run(rows, **more))
    assert (event["code"], event["row"], event["field"]) == (code, *place)
    assert words in event["message"]


@pytest.mark.parametrize("case", REFUSALS, ids=lambda case: case["name"])
def test_refusals_have_the_messages_of_the_plan_and_come_before_loading(new_run: NewRun, model: Path, case: Any) -> None:  # noqa: ANN401
    teacher = str(model) if case["strategy"] == "distillation" else None
    run = new_run(case["rows"], strategy=case["strategy"], teacher=teacher, **case["settings"])
    event = failed(run)
    assert (event["code"], event["message"]) == (case["code"], f"{case['message']} {case['hint']}")
    assert not run.of("phase")


def test_too_few_short_prompts_for_a_step_are_refused(new_run: NewRun) -> None:
    run = new_run(
        [ASK, LONG, LONG], batchSize=16, rewards=[{"kind": "format"}], **{key: GRPO[key] for key in ("strategy", "maxCompletion")}
    )
    event = failed(run)
    assert (
        event["code"] == "too_few_rows" and "takes 2 prompts (batch size 16 with 8 answers each), but there is only 1." in event["message"]
    )
    assert run.of("warning")[0]["message"] == "2 of 3 prompts are longer than 504 tokens and are left out."


def test_a_run_trains_with_the_batch_size_that_the_refusal_suggests(new_run: NewRun, model: Path) -> None:
    few = [case for case in REFUSALS if case["code"] == "too_few_rows" and "batch size to" in case["hint"]]
    assert len(few) == 4
    for at, case in enumerate(few):
        size = int(case["hint"].split("batch size to ")[1].split(",")[0])
        teacher = str(model) if case["strategy"] == "distillation" else None
        settings = {**case["settings"], "batchSize": size, "maxSteps": 1}
        run = new_run(case["rows"], f"run-{at}", strategy=case["strategy"], teacher=teacher, **settings)
        assert run.in_process() == 0, run.events[-1]


def test_a_sandbox_that_cannot_isolate_ends_the_run_before_loading(new_run: NewRun) -> None:
    rows = [{**ASK, "tests": "assert True"}]
    run = new_run(rows, **{**GRPO, "strategy": "rlvr", "rewards": [{"kind": "tests"}], "sandbox": {"argv": [*FAKE_SANDBOX, "refuse"]}})
    assert failed(run)["code"] == "no_sandbox" and "bwrap is not installed" in run.events[-1]["message"]
    assert not run.of("phase")


def test_logits_need_recorded_answers_and_a_teacher_with_the_same_tokenizer(new_run: NewRun, speaker: Path, other_model: Path) -> None:
    more = {"strategy": "distillation", "teacher": str(speaker), "distill": "logits", "maxCompletion": 8}
    event = failed(new_run([ASK], "prompts", **more))
    assert (event["code"], event["row"], event["field"]) == ("row_invalid", 1, "messages")
    event = failed(new_run(colour_rows(), "other", model=other_model, **more))
    assert event["code"] == "teacher_differs" and "different tokenizers" in event["message"]
    event = failed(new_run(colour_rows(), "beta", beta=2, **{**more, "distill": "on-policy"}))
    assert event["code"] == "config_invalid" and "Beta" in event["message"]


def test_the_code_of_a_run_includes_only_modules_that_train_it() -> None:
    names = {file.stem for file in code_of("rlvr")}
    assert {"train", "core", "rlvr", "grpo", "rewards", "sandbox", "callbacks", "sampling", "window", "forms"} <= names
    assert not names & {"dpo", "serve", "merge", "answer", "__main__"}


def test_an_error_in_a_held_out_row_names_the_held_out_rows(new_run: NewRun) -> None:
    event = failed(new_run(sft_rows(4), val=[{"text": "x"}]))
    assert (event["row"], event["field"]) == (1, "messages") and event["message"].startswith("In the held-out rows: Row 1")


def test_one_bad_row_in_fifty_thousand_is_found_within_seconds(tmp_path: Path) -> None:
    good = json.dumps(sft_rows(5)[4])
    bad = json.dumps({"messages": [say("user", "x"), {"role": "assistant", "content": 5}]})
    file = tmp_path / "rows.jsonl"
    file.write_text("\n".join([good] * 40_000 + [bad] + [good] * 9_999))
    began = time.process_time()
    with pytest.raises(TrainerError) as caught:
        read_rows(file, "sft")
    assert (caught.value.row, caught.value.field) == (40_001, "messages")
    assert "messages[1].content must be text" in str(caught.value)
    assert time.process_time() - began < 3


def test_rows_without_a_trained_token_are_left_out_and_reported(new_run: NewRun) -> None:
    silent = {"messages": [say("user", "x")]}
    long = {"messages": [say("user", "x"), say("assistant", "y " * 600)]}
    run = new_run([silent, *sft_rows(8), long], maxSteps=1)
    assert run.in_process() == 0
    warned = {event["code"]: event["message"] for event in run.of("warning")}
    assert warned["unlearnable"].startswith("2 of 10 rows") and warned["left_out"].startswith("1 answers")
    assert run.of("plan")[0]["rows"] == 8


@pytest.fixture
def broken(tmp_path: Path, model: Path) -> Path:
    folder = tmp_path / "model"
    shutil.copytree(model, folder)
    return folder


def test_an_incomplete_model_is_reported_as_missing_or_invalid(new_run: NewRun, broken: Path) -> None:
    weights = broken / "model.safetensors"
    whole = weights.read_bytes()
    weights.write_bytes(whole[: len(whole) // 2])
    assert failed(new_run(sft_rows(4), "cut", model=broken))["code"] == "model_invalid"
    weights.unlink()
    event = failed(new_run(sft_rows(4), "gated", model=broken))
    assert event["code"] == "model_missing" and "gated" in event["message"]
    (broken / "model.safetensors.index.json").write_text('{"weight_map": {"a": "model-00001-of-00002.safetensors"}}')
    assert "model-00001-of-00002.safetensors is missing" in failed(new_run(sft_rows(4), "shard", model=broken))["message"]
    (broken / "model.safetensors.index.json").unlink()
    weights.write_bytes(whole)
    configured = json.loads((broken / "tokenizer_config.json").read_text())
    (broken / "tokenizer_config.json").write_text(json.dumps({**configured, "eos_token": None}))
    vocabulary = (broken / "tokenizer.json").read_text()
    (broken / "tokenizer.json").write_text(vocabulary.replace("<|im_end|>", "<|other|>"))
    event = failed(new_run(sft_rows(4), "endless", model=broken))
    assert event["code"] == "no_end_mark" and "eos_token" in event["message"]
    (broken / "tokenizer.json").write_text("{")
    assert failed(new_run(sft_rows(4), "tokenizer", model=broken))["code"] == "model_invalid"
    (broken / "config.json").write_text('{"model_type": "nothing-known"}')
    assert failed(new_run(sft_rows(4), "kind", model=broken))["code"] == "model_invalid"


def test_a_model_that_lora_cannot_adapt_is_refused_with_advice(new_run: NewRun, model: Path, tmp_path: Path) -> None:
    from transformers import Qwen3MoeConfig, Qwen3MoeForCausalLM

    experts = tmp_path / "experts"
    shutil.copytree(model, experts)
    shape = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "num_key_value_heads": 1, "head_dim": 16}
    counts = {"num_experts": 2, "num_experts_per_tok": 1, "moe_intermediate_size": 32}
    Qwen3MoeForCausalLM(Qwen3MoeConfig(vocab_size=600, max_position_embeddings=512, **shape, **counts)).save_pretrained(experts)
    run = new_run(sft_rows(), model=experts, method={"kind": "lora"}, maxSteps=1)
    assert run.in_process() == 1
    last = run.events[-1]
    assert last["code"] == "lora_refused"
    assert "lora_dropout" in last["message"] and "Change its targets or dropout" in last["message"]
    run = new_run(sft_rows(), "without", model=experts, method={"kind": "lora", "dropout": 0}, maxSteps=1)
    assert run.in_process() == 0, run.events[-1]


def test_a_loss_that_is_not_finite_ends_the_run_and_keeps_the_last_good_checkpoint(new_run: NewRun) -> None:
    exploding = {"learningRate": 10, "weightDecay": 10, "maxGradNorm": 1e30}
    broken = new_run(sft_rows(), maxSteps=100, saveSteps=1, keepCheckpoints=3, **exploding)
    event = failed(broken)
    assert event["code"] == "diverged" and "kept: checkpoint-" in event["message"] and "learning rate" in event["message"]
    flagged = [progress for progress in broken.of("progress") if progress["notFinite"]]
    assert len(flagged) == 3 and flagged[-1]["metrics"]["loss"] is None and "loss" in flagged[-1]["notFinite"]
    kept = event["message"].rsplit("checkpoint-", 1)[1].rstrip(".")
    assert int(kept) < flagged[0]["step"]
    assert (broken.output / f"checkpoint-{kept}" / "trainer_state.json").exists()


def test_a_full_disk_is_reported_and_keeps_the_previous_checkpoint(new_run: NewRun, small_disk: Path) -> None:
    run = new_run(sft_rows(), output=str(small_disk / "out"), saveSteps=2, keepCheckpoints=100)
    assert failed(run)["code"] == "disk_full"
    assert "Free some" in run.events[-1]["message"]
    kept = [event["path"] for event in run.of("checkpoint")]
    assert kept and sorted(path.name for path in run.output.glob("checkpoint-*")) == sorted(kept)


@pytest.mark.parametrize(
    "words",
    ["PytorchStreamWriter failed writing file data/0", "[enforce fail at inline_container.cc:672] . unexpected pos 330496 vs 330384"],
)
def test_an_incomplete_write_is_reported_as_a_full_disk_only_if_the_disk_is_full(small_disk: Path, tmp_path: Path, words: str) -> None:
    fill(small_disk, 0)
    assert [as_trainer_error(RuntimeError(words), place).code for place in (small_disk, tmp_path)] == ["disk_full", "internal"]


def test_a_disk_full_while_saving_the_result_is_reported_and_the_run_can_resume(
    new_run: NewRun, small_disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from bashgym_trainers import core

    run = new_run(sft_rows(), output=str(small_disk / "out"), maxSteps=3, saveSteps=2, keepCheckpoints=1)
    save = core._save

    def full(*arguments: Any) -> str:
        fill(small_disk, 100_000)
        return save(*arguments)

    with monkeypatch.context() as patched:
        patched.setattr(core, "_save", full)
        assert failed(run)["code"] == "disk_full"
    assert "Free some" in run.events[-1]["message"]
    assert not (run.output / "final").exists() and not (run.output / "final.part").exists()
    (small_disk / "filler").unlink()
    assert run.in_process() == 0, run.events[-1]
    assert (run.output / "final" / "model.safetensors").exists()
    assert [step for step, _ in run.curve("loss")] == [1, 2, 3]
    assert run.events[-1]["step"] == 3
    whole = new_run(sft_rows(), "whole", maxSteps=3)
    assert whole.in_process() == 0
    learned = [(one.output / "final" / "model.safetensors").read_bytes() for one in (run, whole)]
    assert learned[0] == learned[1]


def test_a_disk_too_full_for_events_ends_the_run_which_can_resume(
    new_run: NewRun, small_disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = new_run(sft_rows(), output=str(small_disk / "out"), maxSteps=40, saveSteps=2, keepCheckpoints=1)
    emit = Events.emit

    def filling(events: Events, kind: str, **fields: Any) -> None:
        if kind == "progress" and fields["step"] == 3:
            fill(small_disk, 0)
        emit(events, kind, **fields)

    with monkeypatch.context() as patched:
        patched.setattr(Events, "emit", filling)
        code = run.in_process()
    last = run.events[-1]
    assert code == 74 or (code == 1 and last["type"] == "failed" and last["code"] == "disk_full"), (code, last)
    assert 3 <= max(step for step, _ in run.curve("loss")) < 40
    (small_disk / "filler").unlink()
    assert run.in_process() == 0, run.events[-1]
    assert [step for step, _ in run.curve("loss")][-1] == 40


def test_a_disk_too_full_for_the_failed_event_sets_the_exit_code(new_run: NewRun, monkeypatch: pytest.MonkeyPatch) -> None:
    run = new_run(sft_rows())

    def full(*_: Any, **__: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Events, "emit", full)
    assert run.in_process() == 74
    assert run.events == []


def test_out_of_memory_names_the_settings_to_lower(new_run: NewRun) -> None:
    long = [{"messages": [say("user", "x"), say("assistant", "y " * 900)]}] * 16
    run = new_run(long, batchSize=16, maxLength=4096)
    process = run.fork()
    limited = False
    while process.poll() is None:
        events = (run.output / "events.jsonl").read_text() if (run.output / "events.jsonl").exists() else ""
        if not limited and '"warming"' in events:
            limited = True
            size = int(Path(f"/proc/{process.pid}/statm").read_text().split()[0]) * resource.getpagesize()
            resource.prlimit(process.pid, resource.RLIMIT_AS, (size + 30_000_000, resource.RLIM_INFINITY))
        time.sleep(0.01)
    assert run.finish() == 1, run.stderr
    assert run.events[-1]["code"] == "out_of_memory", run.events[-1]
    assert "microBatch to 8 instead of 16" in run.events[-1]["message"]
    assert os.path.exists(run.output / "inputs.json")


FULL_FOR_ALL = """import errno, sys, types
from pathlib import Path
from bashgym_trainers import events, train

def full(*_, **__):
    raise OSError(errno.ENOSPC, "No space left on device")

core = types.ModuleType("bashgym_trainers.core")
core.run = lambda *_: (train._log("x" * 10_000), full())
sys.modules[core.__name__] = core
events.Events.emit = full
sys.exit(train.main(Path(sys.argv[1])))"""


def test_a_disk_too_full_for_events_and_log_sets_the_exit_code(new_run: NewRun) -> None:
    run = new_run(sft_rows())
    with open("/dev/full", "w") as log:
        done = subprocess.run([sys.executable, "-c", FULL_FOR_ALL, str(run.file)], stderr=log, check=False)
    assert done.returncode == 74


def test_a_repeated_warning_is_logged_once_in_one_line(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        monkeypatch.setattr(warnings, "showwarning", warn_once())
        for _ in range(3):
            warnings.warn("old argument", FutureWarning, stacklevel=1)
    assert capsys.readouterr().err == "FutureWarning: old argument\n"
