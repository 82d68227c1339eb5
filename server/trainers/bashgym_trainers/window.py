"""Saves and restores metrics since the last log. The library does not, so a pause between two logs would change the curve."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .ranks import rank

if TYPE_CHECKING:
    from transformers import Trainer


def _name() -> str:
    """Each process has its own metrics."""
    return "log-window.json" if rank() == 0 else f"log-window-{rank()}.json"


def save_window(trainer: Trainer, checkpoint: Path) -> None:
    gathered = getattr(trainer, "_metrics", {}).get("train", {})
    state: dict[str, Any] = {
        "loss": float(trainer._tr_loss),
        "since": trainer._globalstep_last_logged,
        "metrics": {name: [float(value) for value in values] for name, values in gathered.items()},
    }
    (checkpoint / _name()).write_text(json.dumps(state))


def restore_window(trainer: Trainer, checkpoint: Path) -> None:
    """Call it when training begins, after the library's set-up."""
    file = checkpoint / _name()
    if not file.exists():
        return
    state = json.loads(file.read_text())
    trainer._tr_loss += state["loss"]
    trainer._globalstep_last_logged = state["since"]
    for name, values in state["metrics"].items():
        trainer._metrics["train"][name] = values  # type: ignore[attr-defined]
