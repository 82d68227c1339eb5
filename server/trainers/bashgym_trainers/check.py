"""The program that runs the tests of a solution in the sandbox, next to ``solution.py`` and ``tests.py``.

Exit code 0 is not enough, because the solution itself may end the process. So tests pass only if they ran to their end, after
which this program prints a word that the solution does not know.
"""

from __future__ import annotations

_CHECK = """\
import os, runpy, sys

os.remove("check.py")
sys.path.insert(0, os.getcwd())
try:
    runpy.run_path("tests.py", run_name="__main__")
except SystemExit as error:
    at = error.__traceback__
    while at is not None:
        if os.path.basename(at.tb_frame.f_code.co_filename) == "solution.py":
            sys.exit("the solution ended the tests")
        at = at.tb_next
    if error.code not in (None, 0):
        raise
sys.stdout.write({word!r})
sys.stdout.flush()
"""


def check_source(word: str) -> str:
    """Source of ``check.py``. It prints ``word`` last if ``tests.py`` ran to its end or exited with 0 itself."""
    return _CHECK.replace("{word!r}", repr(word))
