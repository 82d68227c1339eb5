"""Parts of a GPU run that can be tested without a GPU."""

from __future__ import annotations

import json
import os
import stat
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from conftest import NewRun
from rows import sft_rows

from bashgym_trainers import probe, system, unsloth_backend
from bashgym_trainers.config import load_config
from bashgym_trainers.errors import TrainerError
from bashgym_trainers.loading import load_model, lora
from bashgym_trainers.precision import Precision, precision_of
from bashgym_trainers.refusals import check_settings

CASES = json.loads(Path(__file__).with_name("precision.json").read_text())


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['method']} {'GPU' if case['cuda'] else 'CPU'}")
def test_weights_are_loaded_in_the_types_that_the_plan_counts(case: dict[str, Any]) -> None:
    found = precision_of(case["method"], cuda=case["cuda"], bf16=case["bf16"])
    assert (found.weights, found.compute) == (case["weights"], case["compute"])


def test_a_model_is_loaded_in_the_type_of_its_precision(model: Path) -> None:
    half = load_model(model, "cpu", precision_of({"kind": "lora"}, cuda=True, bf16=True))
    assert {weight.dtype for weight in half.parameters()} == {torch.bfloat16}
    whole = load_model(model, "cpu", precision_of({"kind": "full"}, cuda=True, bf16=True))
    assert {weight.dtype for weight in whole.parameters()} == {torch.float32}


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH with a fake nvidia-smi that reports two GPUs, or the one that it is asked for."""
    lines = {
        "GPU-aaaa": "NVIDIA H100 80GB HBM3, 3, 1024, 81559, 34, 71.20",
        "GPU-bbbb": "NVIDIA H100 80GB HBM3, 97, 70000, 81559, 61, [N/A]",
    }
    program = tmp_path / "nvidia-smi"
    body = "".join(f'{key}) echo "{line}";;\n' for key, line in lines.items())
    calls = 'for one in "$@"; do case "$one" in --id=*) only="${one#--id=}";; esac; done'
    program.write_text(f'#!/bin/sh\n{calls}\nfor gpu in ${{only:-GPU-aaaa GPU-bbbb}}; do case "$gpu" in\n{body}esac; done\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    return tmp_path


def test_a_run_reports_only_its_gpu(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [gpu["percent"] for gpu in system.gpus()] == [3, 97]
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "GPU-bbbb")
    (only,) = system.gpus()
    assert only["percent"] == 97 and only["powerW"] is None


@pytest.mark.parametrize("device", ["auto", "cuda"])
def test_a_gpu_that_pytorch_cannot_use_is_refused(new_run: NewRun, machine: Path, device: str) -> None:
    run = new_run(sft_rows(), device=device)
    assert run.in_process() == 1
    assert run.events[-1]["code"] == "no_cuda"
    assert "build without CUDA" in run.events[-1]["message"] and "device to cpu" in run.events[-1]["message"]


@pytest.mark.parametrize("method", [{"kind": "lora", "quantized": True}, {"kind": "full", "weights": "bf16"}])
def test_settings_that_need_a_gpu_are_refused_on_the_cpu(new_run: NewRun, method: dict[str, Any]) -> None:
    run = new_run(sft_rows(), device="cpu", method=method)
    assert run.in_process() == 1
    assert run.events[-1]["code"] == "no_cuda"


@pytest.mark.parametrize(
    ("capability", "built", "fits"),
    [
        ((9, 0), ["sm_75", "sm_80", "sm_90"], True),
        ((8, 9), ["sm_75", "sm_80", "sm_90"], True),
        ((7, 0), ["sm_75", "sm_80", "sm_90"], False),
        ((12, 1), ["sm_90", "sm_120"], True),
        ((12, 0), ["sm_80", "sm_90a"], False),
        ((12, 0), ["sm_80", "compute_90"], True),
    ],
)
def test_a_gpu_needs_a_build_with_code_for_its_capability(capability: tuple[int, int], built: list[str], fits: bool) -> None:
    assert probe._is_built_for(capability, built) is fits


def test_missing_parts_of_the_compiler_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    assert "package gcc" in (probe.problem_of_compiler() or "")
    monkeypatch.setattr("sysconfig.get_paths", lambda: {"include": str(tmp_path)})
    version = f"python3.{sys.version_info[1]}-dev"
    assert version in (probe.problem_of_compiler() or "")
    (tmp_path / "Python.h").touch()
    (tmp_path / "cc").touch(mode=0o755)
    assert probe.problem_of_compiler() is None


def test_adapters_have_the_weights_that_the_plan_counts() -> None:
    """Uses the meta device, which has shapes but no numbers, so that 7 billion weights take a second."""
    from types import SimpleNamespace

    from peft import get_peft_model
    from transformers import Qwen2Config, Qwen2ForCausalLM

    shape = {"hidden_size": 3584, "intermediate_size": 18944, "num_hidden_layers": 28, "num_attention_heads": 28}
    config = Qwen2Config(**shape, num_key_value_heads=4, vocab_size=152_064, tie_word_embeddings=False)
    method = {"kind": "lora", "rank": 16, "alpha": 32, "dropout": 0.0, "targets": "all-linear"}
    method |= {"useRslora": False, "useDora": False, "modulesToSave": [], "targetParameters": []}
    with torch.device("meta"):
        model = Qwen2ForCausalLM(config)
        linear = sum(m.weight.numel() for name, m in model.named_modules() if isinstance(m, torch.nn.Linear) and name != "lm_head")
        total = sum(weight.numel() for weight in model.parameters())
        trained = get_peft_model(model, lora(SimpleNamespace(method=method)))
    count = sum(weight.numel() for weight in trained.parameters() if weight.requires_grad)
    assert (total, linear, count) == (7_615_616_512, 6_525_288_448, 40_370_176)


def test_settings_that_unsloth_does_not_support_are_refused(new_run: NewRun) -> None:
    config = load_config(new_run([], backend="unsloth", method={"kind": "full"}).file)
    with pytest.raises(TrainerError, match="Unsloth is used here for SFT with LoRA in one process, without training all weights"):
        check_settings(config)


def test_unsloth_gets_the_settings_of_model_and_adapter(new_run: NewRun, monkeypatch: pytest.MonkeyPatch) -> None:
    """Uses a fake of Unsloth, which needs a GPU. Only its two calls are tested."""
    calls: list[dict[str, Any]] = []

    class FastLanguageModel:
        @staticmethod
        def from_pretrained(**options: Any) -> tuple[str, None]:
            calls.append(options)
            return "model", None

        @staticmethod
        def get_peft_model(model: str, **options: Any) -> str:
            calls.append(options)
            return f"{model} with its adapter"

    monkeypatch.setitem(sys.modules, "unsloth", SimpleNamespace(FastLanguageModel=FastLanguageModel))
    method = {"kind": "lora", "rank": 8, "alpha": 4, "dropout": 0, "quantized": True, "useRslora": True}
    config = load_config(new_run([], backend="unsloth", method=method, maxLength=128).file)
    assert unsloth_backend.load_with_unsloth(config, Precision("nf4", "bfloat16")) == "model with its adapter"
    model, adapter = calls
    assert (model["model_name"], model["max_seq_length"], model["load_in_4bit"]) == (str(config.model), 128, True)
    assert (adapter["r"], adapter["lora_alpha"], adapter["use_rslora"], adapter["random_state"]) == (8, 4, True, config.seed)
    assert model["use_gradient_checkpointing"] == adapter["use_gradient_checkpointing"] == "unsloth"
