"""Trainers of Bash Gym. They know files and libraries, never the database or the API."""

import sys
from pathlib import Path

# The reader of calls and the client of environments are in the package for other people's trainers, which lies beside this one.
sys.path.append(str(Path(__file__).parents[3] / "python" / "bashgym"))
