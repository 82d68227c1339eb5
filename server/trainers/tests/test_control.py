"""Requested actions: which one wins, and which ends the run at once."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from bashgym_trainers.control import Control


@pytest.fixture
def control(tmp_path: Path) -> Iterator[Control]:
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGUSR1)}
    yield Control(tmp_path)
    for number, handler in before.items():
        signal.signal(number, handler)


def ask(folder: Path, action: str) -> None:
    (folder / "control.json").write_text(json.dumps({"action": action}))


@pytest.mark.parametrize(("action", "end"), [("pause", ("paused", 75)), ("save_stop", ("cancelled", 76)), ("cancel", ("cancelled", 76))])
def test_before_the_first_step_every_request_ends_the_run_at_once(
    control: Control, tmp_path: Path, action: str, end: tuple[str, int]
) -> None:
    ended: list[object] = []
    control.on_stop = lambda: ended.append(control.end)
    ask(tmp_path, action)
    control.requested()
    assert ended == [end]


def test_before_the_first_step_a_pause_by_signal_ends_the_run_at_once(control: Control) -> None:
    ended: list[object] = []
    control.on_stop = lambda: ended.append(control.end)
    os.kill(os.getpid(), signal.SIGUSR1)
    assert ended == [("paused", 75)]


def test_during_steps_only_a_cancel_ends_the_run_at_once(control: Control, tmp_path: Path) -> None:
    ended: list[object] = []
    control.on_stop = lambda: ended.append(control.end)
    assert control.begin() is None
    for action, expected in (("pause", "pause"), ("save_stop", "save_stop"), ("pause", "save_stop")):
        ask(tmp_path, action)
        assert control.requested() == expected
    assert ended == []
    ask(tmp_path, "cancel")
    control.requested()
    assert ended == [("cancelled", 76)]


def test_a_request_just_before_the_first_step_is_not_lost(control: Control, tmp_path: Path) -> None:
    ask(tmp_path, "pause")
    assert control.begin() == "pause"
