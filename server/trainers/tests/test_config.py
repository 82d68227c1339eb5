"""A config is validated by the schema of the contract, and an error names its field."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bashgym_trainers.config import load_config
from bashgym_trainers.errors import TrainerError

MINIMAL = {
    "format": 1,
    "runId": "r1",
    "strategy": "sft",
    "model": "/m",
    "data": {"train": "/t.jsonl"},
    "output": "/o",
    "learningRate": 1.2e-05,
}


def write(folder: Path, value: Any) -> Path:  # noqa: ANN401
    file = folder / "config.json"
    file.write_text(value if isinstance(value, str) else json.dumps(value))
    return file


def test_defaults_come_from_the_contract(tmp_path: Path) -> None:
    config = load_config(write(tmp_path, MINIMAL))
    assert config.learning_rate == 1.2e-05
    assert (config.epochs, config.batch_size, config.max_length, config.seed) == (3, 4, 2048, 42)
    defaults = {"kind": "lora", "rank": 16, "alpha": 32, "dropout": 0.05, "targets": "all-linear", "quantized": False}
    assert defaults.items() <= config.method.items()
    assert config.val is None


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"learningRate": "2e-4"}, "learningRate"),
        ({"epochs": 0}, "epochs"),
        ({"strategy": "magic"}, "strategy"),
        ({"method": {"kind": "lora", "rank": 0}}, "method"),
        ({"code": "import os"}, "code"),
        ({"format": 2}, "format"),
    ],
)
def test_an_error_names_its_field(tmp_path: Path, change: dict[str, Any], words: str) -> None:
    with pytest.raises(TrainerError, match=words):
        load_config(write(tmp_path, {**MINIMAL, **change}))


def test_an_integer_temperature_becomes_a_float(tmp_path: Path) -> None:
    assert isinstance(load_config(write(tmp_path, {**MINIMAL, "temperature": 2})).temperature, float)


def test_an_incomplete_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(TrainerError, match="cannot be read"):
        load_config(write(tmp_path, '{"format"'))
