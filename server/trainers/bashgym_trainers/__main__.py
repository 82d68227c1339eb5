"""``python -m bashgym_trainers COMMAND --config FILE``: one command, configured by one JSON file."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from pathlib import Path

# Each command is a module of this package with ``main(config: Path) -> int``, the exit code.
COMMANDS = {
    "answer": "answer",
    "extract": "extract",
    "gguf": "to_gguf",
    "merge": "merge",
    "read": "read",
    "serve": "serve",
    "train": "train",
}
QUIET = {
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "OMP_WAIT_POLICY": "PASSIVE",
    "GOMP_SPINCOUNT": "0",
}
OFFLINE = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"}


def main() -> int:
    parser = argparse.ArgumentParser(prog="bashgym_trainers", description="Trains, exports and serves models.")
    parser.add_argument("command", choices=sorted(COMMANDS))
    parser.add_argument("--config", required=True, type=Path)
    options = parser.parse_args()
    os.environ.update(QUIET | OFFLINE)
    return importlib.import_module(f".{COMMANDS[options.command]}", __package__).main(options.config)


if __name__ == "__main__":
    sys.exit(main())
