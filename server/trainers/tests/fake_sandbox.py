"""Stands in for `bashgym sandbox worker`: answers requests on stdin, running nothing but what the tests of this package write.

``python fake_sandbox.py [MODE]``: MODE ``refuse`` answers that nothing can be isolated, ``die`` ends at the second request,
``reverse`` answers pairs in reverse order.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

mode = sys.argv[1] if len(sys.argv) > 1 else ""
held: list[dict[str, Any]] = []


def answer(request: dict[str, Any]) -> dict[str, Any]:
    base = {"id": request["id"], "exitCode": None, "signal": None, "timedOut": False, "stdout": "", "stderr": "", "ms": 0, "error": None}
    if mode == "refuse":
        return {**base, "error": {"code": "no_isolation", "message": "bwrap is not installed"}}
    with tempfile.TemporaryDirectory() as folder:
        for name, text in request["files"].items():
            (Path(folder) / name).write_text(text)
        argv = [sys.executable, *request["argv"][1:]]
        done = subprocess.run(argv, cwd=folder, capture_output=True, text=True, timeout=request["timeoutMs"] / 1000, check=False)
    return {**base, "exitCode": done.returncode, "stdout": done.stdout, "stderr": done.stderr}


def tell(value: dict[str, Any]) -> None:
    print(json.dumps(value), flush=True)


for number, line in enumerate(sys.stdin, start=1):
    if mode == "die" and number == 2:
        sys.exit(7)
    request = json.loads(line)
    if mode == "reverse" and request["files"]:
        held.append(answer(request))
        if len(held) == 2:
            tell(held.pop())
            tell(held.pop())
    else:
        tell(answer(request))
