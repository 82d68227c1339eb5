"""A checkpoint is complete or missing, and a run resumes only with unchanged inputs."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from conftest import NewRun, Run
from rows import sft_rows

from bashgym_trainers import checkpoints
from bashgym_trainers.checkpoints import newest_complete

LORA = {"kind": "lora", "rank": 4, "alpha": 8, "dropout": 0}


def run_with_checkpoints(new_run: NewRun, max_steps: int, **more: Any) -> Run:
    """A run with checkpoints at steps 2 and 4, whose config now has ``maxSteps`` = ``max_steps``."""
    run = new_run(sft_rows(), maxSteps=4, saveSteps=2, method=LORA, **more)
    assert run.in_process() == 0, run.events[-1]
    run.file.write_text(json.dumps({**json.loads(run.file.read_text()), "maxSteps": max_steps}))
    return run


def resumed_from(run: Run) -> tuple[list[str], str | None]:
    """Resumes the run. Returns its warnings, and the checkpoint that it resumed from."""
    (run.output / "events.jsonl").unlink(missing_ok=True)
    assert run.in_process() == 0, run.events[-1]
    warming = next(event for event in run.of("phase") if event["phase"] == "warming")
    return [event["message"] for event in run.of("warning")], warming["detail"]


def test_if_any_file_of_the_newest_checkpoint_is_cut_the_run_resumes_from_the_previous_one(new_run: NewRun, tmp_path: Path) -> None:
    run = run_with_checkpoints(new_run, 5)
    backup = tmp_path / "kept"
    shutil.copytree(run.output, backup)
    files = [path.relative_to(backup / "checkpoint-4") for path in (backup / "checkpoint-4").rglob("*") if path.is_file()]
    assert {"whole.json", "optimizer.pt", "adapter_model.safetensors", "trainer_state.json", "rng_state.pth"} <= {
        str(file) for file in files
    }
    for file in files:
        shutil.rmtree(run.output)
        shutil.copytree(backup, run.output)
        torn = run.output / "checkpoint-4" / file
        torn.write_bytes(torn.read_bytes()[: torn.stat().st_size // 2])
        (warning,), detail = resumed_from(run)
        assert warning.startswith(f"checkpoint-4 is incomplete ({file} ") and warning.endswith("the run resumes from checkpoint-2."), (
            warning
        )
        assert detail == "from checkpoint-2"
    shutil.rmtree(run.output)
    shutil.copytree(backup, run.output)
    assert resumed_from(run) == ([], "from checkpoint-4")


def test_a_run_whose_only_checkpoint_is_incomplete_starts_over(new_run: NewRun) -> None:
    run = run_with_checkpoints(new_run, 5, keepCheckpoints=1)
    (run.output / "checkpoint-4" / "optimizer.pt").unlink()
    (warning,), detail = resumed_from(run)
    assert "optimizer.pt is missing" in warning and warning.endswith("the run starts over.") and detail is None


def test_an_older_checkpoint_is_kept_until_the_newer_one_is_complete(new_run: NewRun, monkeypatch: pytest.MonkeyPatch) -> None:
    run = new_run(sft_rows(), maxSteps=6, saveSteps=2, keepCheckpoints=1, method=LORA)
    rename, checkpoints_at_rename = checkpoints.os.rename, []

    def failing_rename(part: Path, folder: Path) -> None:
        checkpoints_at_rename.append([path.name for path in sorted(run.output.glob("checkpoint-*")) if path.suffix != ".tmp"])
        if len(checkpoints_at_rename) == 3:
            raise OSError(28, "No space left on device")
        rename(part, folder)

    monkeypatch.setattr(checkpoints.os, "rename", failing_rename)
    assert run.in_process() == 1 and run.events[-1]["code"] == "disk_full"
    assert checkpoints_at_rename == [[], ["checkpoint-2"], ["checkpoint-4"]]
    assert newest_complete(run.output) == (run.output / "checkpoint-4", [])
    assert not list(run.output.glob("*.tmp"))


def test_a_run_does_not_resume_with_another_version_of_a_library(new_run: NewRun) -> None:
    run = run_with_checkpoints(new_run, 5)
    manifest = run.output / "inputs.json"
    inputs = json.loads(manifest.read_text())
    inputs["libraries"]["trl"] = "1.15.0"
    manifest.write_text(json.dumps(inputs))
    assert run.in_process() == 1
    failed = run.events[-1]
    assert (
        failed["code"] == "changed"
        and "libraries (trl 1.15.0 then, " in failed["message"]
        and failed["message"].endswith("Start a new one.")
    )
