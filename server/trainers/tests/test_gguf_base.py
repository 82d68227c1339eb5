"""A GGUF file as base model gives the same answers and losses as the model folder that it was converted from."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Run
from rows import preference_rows, sft_rows
from test_export import Recorder, answers

from bashgym_trainers import merge as merging
from bashgym_trainers import to_gguf
from bashgym_trainers.base import missing, read_weights


@pytest.fixture(scope="session")
def files(model: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The weights of the tiny model in 16 and 8 bits, in a folder with files of another model."""
    root = tmp_path_factory.mktemp("gguf")
    merged = root / "merged"
    merging.merge({"model": str(model), "adapter": None, "output": str(merged)}, Recorder())
    other_folder = root / "other"
    other_folder.mkdir()
    (other_folder / "config.json").write_text('{"model_type": "nothing-known"}')
    (other_folder / "tokenizer_config.json").write_text('{"tokenizer_class": "NoSuch", "chat_template": "of another model"}')
    ggufs = {}
    for kind in ("f16", "q8_0"):
        ggufs[kind] = other_folder / f"tiny-{kind}.gguf"
        config = {"model": str(merged), "output": str(ggufs[kind]), "quantization": kind, "quantizer": None, "threads": 1}
        to_gguf.make(config, Recorder())
    return ggufs


def test_a_gguf_trains_like_its_folder(new_run: Callable[..., Run], files: dict[str, Path], tmp_path: Path) -> None:
    folder = new_run(sft_rows(), "folder", maxSteps=3)
    assert folder.in_process() == 0, folder.events[-1]
    for kind, tolerance in (("f16", 2e-3), ("q8_0", 3e-2)):
        run = new_run(sft_rows(), kind, model=files[kind], maxSteps=3)
        assert run.in_process() == 0, run.events[-1]
        assert [step for step, _ in run.curve("loss")] == [1, 2, 3]
        assert [loss for _, loss in run.curve("loss")] == pytest.approx([loss for _, loss in folder.curve("loss")], abs=tolerance)
        assert run.of("plan")[0]["parameters"] == folder.of("plan")[0]["parameters"]
        assert run.of("plan")[0]["tokens"] == folder.of("plan")[0]["tokens"]
        assert (run.output / "final" / "model.safetensors").exists()
        assert (run.output / "final" / "tokenizer.json").exists()


def test_an_adapter_on_a_gguf_resumes_merges_and_answers(new_run: Callable[..., Run], files: dict[str, Path], tmp_path: Path) -> None:
    adapter = {"kind": "lora", "rank": 4, "alpha": 8, "dropout": 0}
    run = new_run(sft_rows(), model=files["q8_0"], method=adapter, maxSteps=4, saveSteps=2)
    assert run.in_process() == 0, run.events[-1]
    final = run.output / "final"
    assert json.loads((final / "adapter_config.json").read_text())["base_model_name_or_path"] == str(files["q8_0"])
    again = Run(tmp_path / "run", json.loads(run.file.read_text()) | {"maxSteps": 6})
    assert again.in_process() == 0, again.events[-1]
    assert [step for step, _ in again.curve("loss")] == [1, 2, 3, 4, 5, 6]
    merged = tmp_path / "merged"
    merging.merge({"model": str(files["q8_0"]), "adapter": str(final), "output": str(merged)}, Recorder())
    outputs = [answers(tmp_path, model=str(model), adapter=trained) for model, trained in ((files["q8_0"], str(final)), (merged, None))]
    assert outputs[0] == outputs[1]
    assert len(outputs[0]) == 2


def test_strategies_with_a_reference_load_the_gguf_again(new_run: Callable[..., Run], files: dict[str, Path]) -> None:
    run = new_run(preference_rows(), strategy="dpo", model=files["f16"], maxSteps=2)
    assert run.in_process() == 0, run.events[-1]
    assert run.curve("loss")[0][1] == pytest.approx(0.693, abs=2e-3)


def test_a_teacher_may_be_a_gguf(new_run: Callable[..., Run], files: dict[str, Path]) -> None:
    run = new_run(sft_rows(), strategy="distillation", teacher=str(files["f16"]), distill="logits", beta=0, maxSteps=2)
    assert run.in_process() == 0, run.events[-1]


@pytest.mark.parametrize(
    ("more", "code", "words"),
    [
        ({"method": {"kind": "lora", "quantized": True}}, "config_invalid", "Turn them off"),
        ({"strategy": "grpo", "beta": 0.1, "maxCompletion": 16, "rewards": [{"kind": "format"}]}, "config_invalid", "only with LoRA"),
    ],
)
def test_settings_that_a_gguf_does_not_support_are_refused(
    new_run: Callable[..., Run], files: dict[str, Path], more: dict[str, Any], code: str, words: str
) -> None:
    rows = preference_rows() if more.get("strategy") == "grpo" else sft_rows()
    run = new_run(rows, model=files["f16"], batchSize=8, **more)
    assert run.in_process() == 1
    assert run.events[-1]["code"] == code
    assert words in run.events[-1]["message"]


def test_invalid_gguf_files_are_refused(new_run: Callable[..., Run], files: dict[str, Path], tmp_path: Path) -> None:
    whole = files["f16"].read_bytes()
    cases = {
        "text": (b"# not one", "model_missing", "is not a GGUF file"),
        "torn": (whole[: len(whole) // 2], "model_invalid", "cannot be loaded"),
        "other": (whole.replace(b"qwen2", b"qwenX"), "model_invalid", "cannot be loaded"),
    }
    for name, (content, code, words) in cases.items():
        file = tmp_path / f"{name}.gguf"
        file.write_bytes(content)
        run = new_run(sft_rows(), name, model=file)
        assert run.in_process() == 1, name
        assert (run.events[-1]["code"], words in run.events[-1]["message"]) == (code, True), run.events[-1]
    run = new_run(sft_rows(), "gone", model=tmp_path / "gone.gguf")
    assert run.in_process() == 1
    assert run.events[-1]["code"] == "model_missing"


def test_a_file_that_lacks_weights_is_refused(files: dict[str, Path], tmp_path: Path) -> None:
    file = tmp_path / "holes.gguf"
    file.write_bytes(files["f16"].read_bytes().replace(b"blk.1.attn_q.weight", b"blk.9.attn_q.weight"))
    with pytest.raises(ValueError, match="lacks 1 of the weights"):
        read_weights(file)


def test_a_file_of_ollama_is_recognised_by_its_name(files: dict[str, Path], tmp_path: Path) -> None:
    file = tmp_path / f"sha256-{'0' * 64}"
    file.write_bytes(files["f16"].read_bytes())
    assert missing(file) is None
    assert read_weights(file).num_parameters() == read_weights(files["f16"]).num_parameters()
