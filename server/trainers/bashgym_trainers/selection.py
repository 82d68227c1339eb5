"""Selects by the settings how often each row is used, and which of its answers carry loss.

The same rule is implemented here and in ``server/src/stages/gym/plan/selection.ts``. A test compares both.
"""

from __future__ import annotations

import math
from typing import Any

from .config import Config
from .data import Row, Rows
from .errors import TrainerError


def chosen_rows(config: Config, rows: Rows) -> Rows:
    """Rows to train on. Raises ``TrainerError`` (empty_data)."""
    if config.knobs["row_weights"]:
        rows = _weighted(rows)
    return learned_parts(config, rows)


def learned_parts(config: Config, rows: Rows) -> Rows:
    """The rows with loss only on the answers that the settings select."""
    if config.strategy != "sft" or not config.knobs["last_turn_only"]:
        return rows
    return Rows([{**row, "messages": last_turn(row["messages"])} for row in rows.values], rows.lines)


def last_turn(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Excludes answers before the last user message from the loss."""
    last = max((at for at, message in enumerate(messages) if message["role"] == "user"), default=-1)
    return [{**message, "weight": 0} if message["role"] == "assistant" and at < last else message for at, message in enumerate(messages)]


def times_of(weights: list[float]) -> list[int]:
    """How often each row is used: by its weight, with the fraction carried over to the following rows."""
    times: list[int] = []
    total = 0.0
    for weight in weights:
        before = math.floor(total)
        total += weight
        times.append(math.floor(total) - before)
    return times


def _weighted(rows: Rows) -> Rows:
    times = times_of([_weight(row) for row in rows.values])
    chosen = [at for at, count in enumerate(times) for _ in range(count)]
    if not chosen:
        raise TrainerError("empty_data", "Every row has weight 0. Turn off row weights, or raise the column weight.", field="weight")
    return rows.chosen(chosen)


def _weight(row: Row) -> float:
    return float(row.get("weight", 1))
