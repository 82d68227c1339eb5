"""Tests pass only if they ran to their end. A solution cannot make them pass by ending the process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from bashgym_trainers.check import check_source

PLAIN = "from solution import x\nassert x == 1"
UNITTEST = (
    "import unittest\nimport solution\n\n\nclass Case(unittest.TestCase):\n"
    "    def test(self):\n        self.assertEqual(solution.x, 1)\n\n\nunittest.main()\n"
)


@pytest.mark.parametrize("tests", [PLAIN, UNITTEST])
@pytest.mark.parametrize(
    ("solution", "passes"),
    [
        ("x = 1", True),
        ("x = 2", False),
        ("import sys\nsys.exit(0)", False),
        ("import sys\nsys.exit()", False),
        ("raise SystemExit", False),
        ("import os\nos._exit(0)", False),
        ("import os\nprint(open('check.py').read())\nos._exit(0)", False),
    ],
)
def test_only_tests_that_ran_to_their_end_pass(tmp_path: Path, tests: str, solution: str, passes: bool) -> None:
    files = {"solution.py": solution, "tests.py": tests, "check.py": check_source("the-word")}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    done = subprocess.run([sys.executable, "check.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode == 0 and done.stdout.endswith("the-word")) is passes
