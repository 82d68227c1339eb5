#!/usr/bin/env python3
"""The same hook in Python, as a baseline for bench/hook.ts."""
import os
import shutil
import sys

os.umask(0o077)
spool = os.path.join(os.environ["BASHGYM_HOME"], "spool")
with open(os.path.join(spool, f"{os.getpid()}.{os.environ.get('CLAUDE_PID', '0')}"), "ab") as file:
    shutil.copyfileobj(sys.stdin.buffer, file)
