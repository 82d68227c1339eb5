"""The program that decides about a solution, in the sandbox, beside ``solution.py`` and ``tests.py``.

That a process ended with 0 says little: the solution itself may have ended it. So the tests have passed only where they
ran to their end and a word was printed that the solution does not know.
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
    """Python source of ``check.py``. It writes ``word`` last where ``tests.py`` ran to its end, or left with 0 itself."""
    return _CHECK.replace("{word!r}", repr(word))
