"""Fake of `bashgym sandbox worker`: runs the programs of requests on stdin in its own process, without isolation.

``python fake_sandbox.py [MODE]``: MODE ``refuse`` answers that isolation is not available, ``die`` ends at the second request,
``reverse`` answers pairs in reverse order.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.dont_write_bytecode = True

mode = sys.argv[1] if len(sys.argv) > 1 else ""
pending: list[dict[str, Any]] = []


def answer(request: dict[str, Any]) -> dict[str, Any]:
    base = {"id": request["id"], "exitCode": None, "signal": None, "timedOut": False, "stdout": "", "stderr": "", "ms": 0, "error": None}
    if mode == "refuse":
        return {**base, "error": {"code": "no_isolation", "message": "bwrap is not installed"}}
    out = io.StringIO()
    sys.modules.pop("solution", None)
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder), contextlib.redirect_stdout(out):
        for name, text in request["files"].items():
            Path(name).write_text(text)
        importlib.invalidate_caches()
        try:
            exec(request["files"].get(request["argv"][1], ""), {})
        except BaseException as error:
            return {**base, "exitCode": 1, "stderr": repr(error), "stdout": out.getvalue()}
        finally:
            sys.path[:] = [entry for entry in sys.path if entry != os.getcwd()]
    return {**base, "exitCode": 0, "stdout": out.getvalue()}


def emit(value: dict[str, Any]) -> None:
    print(json.dumps(value), flush=True)


for number, line in enumerate(sys.stdin, start=1):
    if mode == "die" and number == 2:
        sys.exit(7)
    request = json.loads(line)
    if mode == "reverse" and request["files"]:
        pending.append(answer(request))
        if len(pending) == 2:
            emit(pending.pop())
            emit(pending.pop())
    else:
        emit(answer(request))
