"""A server from which tests fork processes. It has loaded the libraries of a run, but run nothing."""

from __future__ import annotations

import multiprocessing
import os
import sys
from functools import cache
from multiprocessing import forkserver
from pathlib import Path

import pytest

from bashgym_trainers import __main__ as entry
from bashgym_trainers.libraries import load_for_answers, loading

with loading():
    from transformers.models.qwen2 import modeling_qwen2  # noqa: F401

    from bashgym_trainers import callbacks, core, grpo, samples, sft  # noqa: F401

    load_for_answers()

_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload([__name__])


@cache
def _server() -> None:
    """Starts the fork server, which finds this module only through PYTHONPATH, not ``sys.path``."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("PYTHONPATH", os.pathsep.join(sys.path))
        forkserver.ensure_running()


class Forked:
    """``python -m bashgym_trainers ARGUMENTS`` without the time of its imports. Has methods of ``subprocess.Popen``."""

    def __init__(self, arguments: list[str], out: Path, err: Path) -> None:
        _server()
        self._process = _FORKS.Process(target=_command, args=(arguments, out, err), daemon=True)
        self._process.start()
        self.pid = self._process.pid

    def poll(self) -> int | None:
        return self._process.exitcode

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int | None:
        self._process.join(timeout)
        return self._process.exitcode


def _command(arguments: list[str], out: Path, err: Path) -> None:
    for number, file in ((1, out), (2, err)):
        with file.open("ab") as stream:
            os.dup2(stream.fileno(), number)
    sys.argv[1:] = arguments
    sys.exit(entry.main())
