"""``train``: one training run.

Events go to ``events.jsonl`` in the run's folder, everything that libraries print to stderr. A run that has checkpoints
goes on from the newest. Exit code 0 complete, 75 paused, 76 cancelled, else failed.
"""

from __future__ import annotations

import os
import sys
import traceback
from pathlib import Path

from .config import load_config
from .control import Control
from .errors import TrainerError
from .events import Events


def main(file: Path) -> int:
    os.dup2(2, 1)  # whatever libraries and their children print is no event
    sys.stdout = sys.stderr
    try:
        config = load_config(file)
    except TrainerError as error:
        print(error, file=sys.stderr)
        return 1
    config.output.mkdir(mode=0o700, parents=True, exist_ok=True)
    events = Events(config.output / "events.jsonl")
    control = Control(config.output)
    try:
        from .core import run

        return run(config, events, control)
    except TrainerError as error:
        events.tell("failed", code=error.code, message=str(error), row=error.row, field=error.field)
    except OSError as error:
        message = f"{error.strerror or error}: {error.filename or ''}".strip()
        events.tell("failed", code="io", message=message, row=None, field=None)
        traceback.print_exc()
    except Exception as error:
        events.tell("failed", code="internal", message=f"{type(error).__name__}: {error}"[:2000], row=None, field=None)
        traceback.print_exc()
    return 1
