"""Each setting reaches the library, and settings of the training change the losses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from conftest import NewRun, Run
from rows import label_rows, preference_rows, say, sft_rows

from bashgym_trainers import core
from bashgym_trainers.errors import TrainerError

LORA = {"kind": "lora", "rank": 4, "alpha": 8, "dropout": 0}
PROMPTS = [{"prompt": [say("user", f"Name a colour{mark}")], "answer": "blue"} for mark in ("", ".")]
GROUPED = {"batchSize": 4, "generations": 2, "maxCompletion": 4, "rewards": [{"kind": "exact"}]}

# Settings, and the library's arguments that result from them.
ALL = (
    {"optim": "adafactor", "adamBeta1": 0.8, "adamBeta2": 0.95, "warmupRatio": 0.1, "neftuneNoiseAlpha": 5, "activationCheckpointing": "on"}
    | {"schedule": "cosine_with_min_lr", "minLrRate": 0.2},
    {"optim": "adafactor", "adam_beta1": 0.8, "adam_beta2": 0.95, "warmup_steps": 0.1, "neftune_noise_alpha": 5}
    | {"activation_checkpointing": True, "lr_scheduler_type": "cosine_with_min_lr", "report_to": []},
)
STRATEGIES: dict[str, tuple[list[dict[str, Any]], dict[str, Any], dict[str, Any]]] = {
    "sft": (sft_rows(), {"sftLossType": "dft"}, {"loss_type": "dft"}),
    "dpo": (
        preference_rows(),
        {"dpoLossType": ["robust", "sft"], "lossWeights": [1, 0.2], "labelSmoothing": 0.1, "ldAlpha": 0.5, "disableDropout": False}
        | {"precomputeRefLogProbs": True},
        {"loss_type": ["robust", "sft"], "loss_weights": [1, 0.2], "label_smoothing": 0.1, "ld_alpha": 0.5, "disable_dropout": False}
        | {"precompute_ref_log_probs": True},
    ),
    "kto": (
        label_rows(),
        {"ktoLossType": "apo_zero_unpaired", "desirableWeight": 2, "undesirableWeight": 0.5},
        {"loss_type": "apo_zero_unpaired", "desirable_weight": 2, "undesirable_weight": 0.5},
    ),
    "grpo": (
        PROMPTS,
        {**GROUPED, "grpoLossType": "dr_grpo", "epsilon": 0.1, "epsilonHigh": 0.3, "numIterations": 2, "scaleRewards": "none"}
        | {"importanceSamplingLevel": "sequence", "maskTruncatedCompletions": True, "topP": 0.9, "topK": 5, "minP": 0.05},
        {"loss_type": "dr_grpo", "epsilon": 0.1, "epsilon_high": 0.3, "num_iterations": 2, "scale_rewards": "none"}
        | {"importance_sampling_level": "sequence", "mask_truncated_completions": True, "top_p": 0.9, "top_k": 5, "min_p": 0.05},
    ),
    "objective": (
        PROMPTS,
        {**GROUPED, "strategy": "grpo", "objective": "gspo"},
        {"loss_type": "grpo", "epsilon": 3e-4, "epsilon_high": 4e-4, "importance_sampling_level": "sequence", "scale_rewards": "group"},
    ),
    "stored before there was an objective": (
        PROMPTS,
        {**GROUPED, "strategy": "grpo", "grpoLossType": "cispo", "epsilon": 0.2, "epsilonHigh": None, "scaleRewards": "group"}
        | {"importanceSamplingLevel": "token"},
        {"loss_type": "cispo", "epsilon": 0.2, "epsilon_high": 5, "scale_rewards": "group", "importance_sampling_level": "token"},
    ),
    "rlvr": (PROMPTS, GROUPED, {"loss_type": "dapo", "epsilon_high": 0.28, "mask_truncated_completions": False}),
}


class TrainerReady(Exception):
    """Ends a run once its trainer is ready."""


@pytest.fixture
def trainer_of(monkeypatch: pytest.MonkeyPatch) -> Callable[[Run], Any]:
    """Returns the library's trainer that a run would start."""

    def capture(run: Run) -> Any:  # noqa: ANN401
        found: list[Any] = []

        def emit(_events: object, prepared: core.Prepared, _device: str, _rows: int) -> int:
            found.append(prepared.trainer)
            raise TrainerReady

        monkeypatch.setattr(core, "_emit_plan", emit)
        assert run.in_process() == 1
        assert found, run.events[-1]["message"]
        return found[0]

    return capture


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_each_setting_reaches_the_library(new_run: NewRun, trainer_of: Callable[[Run], Any], strategy: str) -> None:
    rows, own, expected = STRATEGIES[strategy]
    arguments = trainer_of(new_run(rows, **{"strategy": strategy, "method": LORA, **ALL[0], **own})).args
    for name, value in {**ALL[1], **expected}.items():
        assert getattr(arguments, name) == value, name


def test_an_adapter_has_its_settings(new_run: NewRun, trainer_of: Callable[[Run], Any]) -> None:
    method = {**LORA, "useRslora": True, "useDora": True, "modulesToSave": ["lm_head"]}
    adapter = trainer_of(new_run(sft_rows(), method=method)).model.peft_config["default"]
    assert (adapter.use_rslora, adapter.use_dora, adapter.modules_to_save) == (
        True,
        True,
        ["model.embed_tokens"],
    )  # its head is tied to them


def first_losses(new_run: NewRun, name: str, **more: Any) -> list[float | None]:
    run = new_run(sft_rows(), name, **{"maxSteps": 3, **more})
    assert run.in_process() == 0, run.events[-1]
    return [value for _, value in run.curve("loss")]


@pytest.mark.parametrize(
    "change",
    [
        {"method": {**LORA, "useDora": True}},
        {"method": {**LORA, "useRslora": True}},
        {"neftuneNoiseAlpha": 5},
        {"optim": "adafactor"},
        {"sftLossType": "dft"},
    ],
    ids=lambda change: "+".join(str(value) for value in change),
)
def test_a_setting_changes_what_is_learned(new_run: NewRun, change: dict[str, Any]) -> None:
    base = {"method": LORA, "learningRate": 0.05}
    assert first_losses(new_run, "usual", **base) != first_losses(new_run, "changed", **{**base, **change})


def test_only_the_last_turn_carries_loss(new_run: NewRun) -> None:
    conversation = {"messages": [say("user", "Say it"), say("assistant", "red"), say("user", "Again"), say("assistant", "blue blue")]}
    weighted = {"messages": [{**message, "weight": 0} if message["content"] == "red" else message for message in conversation["messages"]]}
    by_setting = new_run([conversation] * 4, "asked", maxSteps=2, lastTurnOnly=True)
    by_weight = new_run([weighted] * 4, "marked", maxSteps=2)
    assert by_setting.in_process() == 0 and by_weight.in_process() == 0, by_setting.events[-1]
    assert by_setting.curve("loss") == by_weight.curve("loss")
    assert by_setting.of("plan")[0]["trainedTokens"] == by_weight.of("plan")[0]["trainedTokens"] > 0


def test_rows_are_repeated_by_their_weight(new_run: NewRun) -> None:
    rows = [{**row, "weight": weight} for row, weight in zip(sft_rows(4), (2, 0, 0.5, 0.5), strict=True)]
    run = new_run([*rows, *sft_rows(1)], maxSteps=1, rowWeights=True)
    assert run.in_process() == 0, run.events[-1]
    assert run.of("plan")[0]["rows"] == 2 + 0 + 1 + 1
    wrong = new_run([{**rows[0], "weight": -1}], "wrong", rowWeights=True)
    assert wrong.in_process() == 1 and (wrong.events[-1]["code"], wrong.events[-1]["field"]) == ("row_invalid", "weight")


def test_activation_checkpointing_on_the_cpu_does_not_change_the_loss(new_run: NewRun) -> None:
    assert first_losses(new_run, "kept") == pytest.approx(first_losses(new_run, "computed", activationCheckpointing="on"), rel=1e-4)


def test_a_schedule_warms_up_holds_and_decays(new_run: NewRun) -> None:
    shape = {"schedule": "warmup_stable_decay", "warmupRatio": 0.2, "decayRatio": 0.3, "minLrRate": 0.1, "learningRate": 1e-3}
    run = new_run(sft_rows(), maxSteps=10, **shape)
    assert run.in_process() == 0, run.events[-1]
    rates = [value or 0 for _, value in run.curve("learning_rate")]
    assert rates[:2] == pytest.approx([1e-4, 5.5e-4], rel=0.1)
    assert rates[2:8] == pytest.approx([1e-3] * 6)
    assert 1e-4 <= rates[9] < rates[8] < 1e-3


def test_packing_reports_its_gain(new_run: NewRun) -> None:
    run = new_run(sft_rows(32), maxSteps=2, batchSize=2, packing=True)
    assert run.in_process() == 0, run.events[-1]
    (detail,) = [event["detail"] for event in run.of("phase") if event["phase"] == "tokenising" and event["detail"]]
    assert detail.startswith("32 rows packed into ") and "times fewer" in detail and detail.endswith("% full")


@pytest.mark.parametrize(
    ("settings", "code", "words"),
    [
        ({"optim": "paged_adamw_8bit"}, "no_cuda", "optim .paged_adamw_8bit. needs a GPU"),
        ({"attnImplementation": "flash_attention_2"}, "no_cuda", "attnImplementation"),
        ({"paddingFree": True}, "no_cuda", "paddingFree needs a GPU.*Turn it off"),
        ({"optim": "schedule_free_adamw"}, "no_package", "-m pip install schedulefree"),
        ({"reportTo": {"mlflow": True}}, "no_package", "reportTo.mlflow needs the package mlflow"),
    ],
)
def test_missing_packages_and_hardware_are_reported_before_anything_is_loaded(
    new_run: NewRun, settings: dict[str, Any], code: str, words: str
) -> None:
    run = new_run(sft_rows(), **settings)
    assert run.in_process() == 1
    assert run.events[-1]["code"] == code and not run.of("phase")
    with pytest.raises(TrainerError, match=words):
        raise TrainerError(code, run.events[-1]["message"])


def test_a_reporter_writes_only_if_it_is_switched_on(new_run: NewRun) -> None:
    pytest.importorskip("tensorboard")
    reported = new_run(sft_rows(), "reported", maxSteps=2, reportTo={"tensorboard": True})
    silent = new_run(sft_rows(), "silent", maxSteps=2)
    assert reported.in_process() == 0 and silent.in_process() == 0, reported.events[-1]
    assert [path.name for path in (reported.output / "reports").iterdir()] == ["tensorboard"]
    (file,) = (reported.output / "reports" / "tensorboard").iterdir()
    assert b"train/loss" in file.read_bytes()
    assert sorted(path.name for path in silent.output.iterdir()) == ["events.jsonl", "final", "inputs.json"]
