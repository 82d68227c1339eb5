"""A tiny model for all tests, and runs with a config file like the server's."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from make_model import make_model
from rows import code_rows, colour_rows, letter_rows
from warm import Forked

from bashgym_trainers.config import SCHEMA
from bashgym_trainers.train import train

PACKAGE = Path(__file__).parents[1]
EVENT = Draft202012Validator(SCHEMA["event"])
FORKING = os.environ.get("BASHGYM_TEST_FORKING")  # e2e/support/forking.py
FAKE_SANDBOX = [sys.executable, str(Path(__file__).with_name("fake_sandbox.py"))]


class Run:
    """A run with its folder, config and process."""

    def __init__(self, folder: Path, config: dict[str, Any]) -> None:
        self.output = Path(config["output"])
        self.file = folder / "config.json"
        self.file.write_text(json.dumps(config))
        self.out, self.err = folder / "out.txt", folder / "err.txt"
        self.process: subprocess.Popen[bytes] | Forked | None = None

    def in_process(self) -> int:
        """Runs in this process, which takes half the time. Returns the exit code."""
        before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGUSR1)}
        try:
            return train(self.file)
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def start(self, *, forks: bool = False) -> subprocess.Popen[bytes]:
        """Starts a new process, like the server. ``forks``: those of a group may be forked from one that has loaded the libraries."""
        with self.out.open("wb") as out, self.err.open("wb") as err:
            env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
            if forks and FORKING:
                env["PYTHON_EXEC"] = FORKING  # what torch's launcher starts
            process = subprocess.Popen(
                [sys.executable, "-m", "bashgym_trainers", *self.arguments], cwd=PACKAGE, env=env, stdout=out, stderr=err
            )
        self.process = process
        return process

    def fork(self) -> Forked:
        """Starts a process that has already loaded the libraries, which is faster."""
        self.process = Forked(self.arguments, self.out, self.err)
        return self.process

    def finish(self) -> int | None:
        """Waits for the process, and returns its exit code. Asserts that stdout is empty."""
        process = self.process or self.start()
        code = process.wait(timeout=300)
        self.process = None
        assert self.out.read_text() == ""
        return code

    @property
    def arguments(self) -> list[str]:
        return ["train", "--config", str(self.file)]

    @property
    def stderr(self) -> str:
        return self.err.read_text()

    @property
    def events(self) -> list[dict[str, Any]]:
        """All events so far. Asserts that they match the contract and are numbered without a gap."""
        events = [json.loads(line) for line in (self.output / "events.jsonl").read_text().splitlines()]
        for number, event in enumerate(events, start=1):
            EVENT.validate(event)
            assert event["seq"] == number
        return events

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [event for event in self.events if event["type"] == kind]

    def curve(self, name: str) -> list[tuple[int, float | None]]:
        return [(event["step"], event["metrics"][name]) for event in self.of("progress") if name in event["metrics"]]


NewRun = Callable[..., Run]


def request(run: Run, action: str) -> None:
    """Requests an action of a running trainer."""
    part = run.output / "control.part"
    part.write_text(json.dumps({"action": action}))
    part.replace(run.output / "control.json")


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("model"))


@pytest.fixture(scope="session")
def other_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny model with another vocabulary."""
    return make_model(tmp_path_factory.mktemp("other"), vocabulary=300)


def write(file: Path, rows: list[dict[str, Any]] | str) -> str:
    file.write_text(rows if isinstance(rows, str) else "".join(json.dumps(row) + "\n" for row in rows))
    return str(file)


def make_run(folder: Path, model: Path, rows: list[dict[str, Any]] | str, val: list[dict[str, Any]] | None = None, **more: Any) -> Run:
    """Writes the rows (or a text) and a config with small defaults."""
    folder.mkdir()
    data = {"train": write(folder / "train.jsonl", rows), "val": None if val is None else write(folder / "val.jsonl", val)}
    config = {
        "format": 1,
        "runId": folder.name,
        "strategy": "sft",
        "model": str(model),
        "data": data,
        "output": str(folder / "out"),
        "method": {"kind": "full"},
        "learningRate": 2e-3,
        "maxSteps": 30,
        "batchSize": 4,
        "maxLength": 512,
        "loggingSteps": 1,
        "evalSteps": None,
        "saveSteps": None,
        "samples": 0,
        "nextCalls": 0,
        "schedule": "constant",
        "device": "cpu",
        "threads": 1,
    }
    return Run(folder, {**config, **more})


@pytest.fixture
def new_run(tmp_path: Path, model: Path) -> NewRun:
    def make(rows: list[dict[str, Any]] | str, name: str = "run", **more: Any) -> Run:
        return make_run(tmp_path / name, Path(more.pop("model", model)), rows, **more)

    return make


@pytest.fixture(scope="session")
def speaker(tmp_path_factory: pytest.TempPathFactory, model: Path) -> Path:
    """The tiny model, trained to name any colour with the same probability."""
    return _trained_model(tmp_path_factory.mktemp("speaker"), model, colour_rows(), 40)


@pytest.fixture(scope="session")
def smallest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny model with one layer, for the tests that train many times."""
    return make_model(tmp_path_factory.mktemp("smallest"), vocabulary=300, layers=1)


@pytest.fixture(scope="session")
def speller(tmp_path_factory: pytest.TempPathFactory, smallest: Path) -> Path:
    """Names mostly the letter "a", and seldom "b"."""
    return _trained_model(tmp_path_factory.mktemp("speller"), smallest, letter_rows(), 40, batchSize=8, learningRate=1e-2)


@pytest.fixture(scope="session")
def coder(tmp_path_factory: pytest.TempPathFactory, smallest: Path) -> Path:
    """Writes ``x = 2`` half of the time, and ``x = 1`` a third."""
    return _trained_model(tmp_path_factory.mktemp("coder"), smallest, code_rows(), 40, batchSize=6, learningRate=1e-2)


def _trained_model(folder: Path, model: Path, rows: list[dict[str, Any]], steps: int, **more: Any) -> Path:
    run = make_run(folder / "taught", model, rows, **{"maxSteps": steps, "learningRate": 5e-3, "loggingSteps": 10, **more})
    assert run.in_process() == 0, run.events[-1]
    return run.output / "final"


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=12m", "tmpfs", str(folder)], capture_output=True, check=False)
    if mounted.returncode:
        pytest.skip("a small file system cannot be mounted here")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(disk: Path, leave: int) -> Path:
    """Writes a file that leaves this many bytes of the disk free."""
    stats = os.statvfs(disk)
    filler = disk / "filler"
    filler.write_bytes(b"x" * max(0, stats.f_bavail * stats.f_bsize - leave))
    return filler
