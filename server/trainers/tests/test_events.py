"""Events are complete and numbered without a gap, with several threads, an incomplete last line or a full disk."""

from __future__ import annotations

import errno
import json
import os
import threading
from pathlib import Path

import pytest

from bashgym_trainers import system
from bashgym_trainers.control import Control
from bashgym_trainers.events import Events, finite
from bashgym_trainers.pace import Pace
from bashgym_trainers.train import as_trainer_error


def lines(file: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def test_threads_write_complete_lines_with_consecutive_numbers(tmp_path: Path) -> None:
    events = Events(tmp_path / "e.jsonl")
    threads = [threading.Thread(target=lambda: [events.emit("x", text="é" * 500) for _ in range(200)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [event["seq"] for event in lines(tmp_path / "e.jsonl")] == list(range(1, 801))


def test_an_incomplete_last_line_is_removed_and_numbering_continues(tmp_path: Path) -> None:
    file = tmp_path / "e.jsonl"
    Events(file).emit("x")
    with file.open("a") as out:
        out.write('{"seq": 2, "to')
    Events(file).emit("y")
    assert [(event["seq"], event["type"]) for event in lines(file)] == [(1, "x"), (2, "y")]
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_line_that_does_not_fit_on_the_disk_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    events = Events(tmp_path / "e.jsonl")
    events.emit("x")
    write = os.write
    writable_sizes = [10, 0]

    def full(fd: int, data: bytes) -> int:
        writable = writable_sizes.pop(0)
        if not writable:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(fd, data[:writable])

    with monkeypatch.context() as patched, pytest.raises(OSError, match="No space"):
        patched.setattr(os, "write", full)
        events.emit("y")
    events.emit("z")
    assert [(event["seq"], event["type"]) for event in lines(tmp_path / "e.jsonl")] == [(1, "x"), (2, "z")]


def test_figures_that_are_not_finite_become_null_and_are_named() -> None:
    assert finite({"a": 1, "b": float("nan"), "c": float("inf"), "d": "x"}) == ({"a": 1.0, "b": None, "c": None}, ["b", "c"])


def test_evaluations_count_in_the_remaining_time_but_not_in_the_speed() -> None:
    now = [0.0]
    pace = Pace(lambda: now[0])
    rates = []
    for step in range(1, 7):
        now[0] += 10 if step == 1 else 1  # the first step is slow
        pace.step_ended(step, step * 100, is_interrupted=step == 4)
        rates.append(pace.at_log(step, step * 100, 10))
        if step == 4:
            now[0] += 5
            pace.interruption_ended()
    assert rates[:3] == [(None, None)] * 3
    assert [rate for rate, _ in rates[3:]] == [100, 100, 100]
    assert rates[3][1] == 6 and rates[5][1] == pytest.approx(4 * 8 / 3)


SMI = "NVIDIA H200, 97, 40000, 143771, 61, 512.34\nOther, [N/A], 1, 2, 3, [N/A]\n"


def test_the_machine_is_reported_and_a_failing_driver_means_no_gpu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert system.gpus() == [] or system.gpus()[0]["name"]
    fake = tmp_path / "nvidia-smi"
    fake.write_text(f"#!/bin/sh\ncat <<'END'\n{SMI}END\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    first, second = system.gpus()
    assert (first["name"], first["percent"], first["temperatureC"], first["powerW"]) == ("NVIDIA H200", 97, 61, 512.34)
    assert first["usedMb"] == pytest.approx(41943.04) and (second["percent"], second["powerW"]) == (None, None)
    fake.write_text("#!/bin/sh\necho 'Unable to determine the device handle'\nexit 15\n")
    assert system.gpus() == []
    events = Events(tmp_path / "e.jsonl")
    monitor = system.Monitor(events, Control(tmp_path), cuda=False, every_sec=0.1)
    while not (tmp_path / "e.jsonl").read_text().count("\n") > 1:
        assert monitor._thread.is_alive()
    monitor.close()
    last = lines(tmp_path / "e.jsonl")[-1]
    assert last["rssMb"] > 10 and last["ramTotalMb"] > last["ramUsedMb"] > 0 and last["cpuPercent"] >= 0 and last["gpus"] == []


def test_errors_of_libraries_become_trainer_errors(tmp_path: Path) -> None:
    assert as_trainer_error(OSError(errno.ENOSPC, "No space left on device"), tmp_path).code == "disk_full"
    assert as_trainer_error(OSError(errno.EACCES, "Permission denied", "/x"), tmp_path).code == "io"
    assert as_trainer_error(RuntimeError("CUDA error: device lost\nmore"), tmp_path).code == "gpu_failed"
    assert as_trainer_error(ValueError("x"), tmp_path).code == "internal"


@pytest.mark.parametrize("end", ["complete", "stopped", "failed"])
def test_figures_of_the_machine_never_follow_the_end(tmp_path: Path, end: str) -> None:
    events = Events(tmp_path / "events.jsonl")
    events.emit("system", rssMb=1)
    events.emit(end)
    events.emit("system", rssMb=2)
    kinds = [json.loads(line)["type"] for line in (tmp_path / "events.jsonl").read_text().splitlines()]
    assert kinds == ["system", end]
