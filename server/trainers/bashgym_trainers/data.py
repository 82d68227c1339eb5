"""Reads and checks the rows of a data set. An error names the line and field of the first bad row."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bashgym.calls.values import DECODER

from .errors import TrainerError

Row = dict[str, Any]
# A check of a column: why its value cannot be used, or None.
Check = Callable[[Any], str | None]


@dataclass(frozen=True)
class Rows:
    """``lines``: the line of each row in its file, from 1."""

    values: list[Row]
    lines: list[int]

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[tuple[int, Row]]:
        return zip(self.lines, self.values, strict=True)

    def chosen(self, indices: Sequence[int]) -> Rows:
        return Rows([self.values[at] for at in indices], [self.lines[at] for at in indices])


MAX_WEIGHT = 1000
NO_ROWS = Rows([], [])


def read_rows(file: Path, strategy: str, required: Sequence[str] = (), *, weights: bool = False) -> Rows:
    """All rows with the columns of the strategy and the ``required`` ones. Other columns are dropped.

    ``weights``: whether to read the optional column ``weight``.

    Raises ``TrainerError`` (data_missing, empty_data, row_invalid with line and field).
    """
    values: list[Row] = []
    lines: list[int] = []
    try:
        for number, row in _parsed(file):
            values.append(_checked(row, number, strategy, [*required, *(["weight"] if weights and "weight" in row else [])]))
            lines.append(number)
    except OSError as error:
        raise TrainerError("data_missing", f"The data {file} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise TrainerError("row_invalid", f"{file} is not UTF-8 text: {error}.") from error
    if not values:
        raise TrainerError("empty_data", f"{file} has no rows.")
    return Rows(values, lines)


def _parsed(file: Path) -> Iterator[tuple[int, Row]]:
    with file.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                row = DECODER.decode(line)
            except ValueError as error:
                raise TrainerError("row_invalid", f"Row {number} is not valid JSON: {error}.", number) from error
            if not isinstance(row, dict):
                raise TrainerError("row_invalid", f"Row {number} is not a JSON object.", number)
            yield number, row


def _checked(row: Row, number: int, strategy: str, required: Sequence[str]) -> Row:
    columns: Row = {}
    for column in (*_columns(row, strategy), *required):
        if column not in row:
            has = ", ".join(sorted(row)) or "nothing"
            raise TrainerError("row_invalid", f"Row {number} has no {column}, which {strategy} needs; it has {has}.", number, column)
        problem = CHECKS[column](row[column])
        if problem:
            raise TrainerError("row_invalid", f"Row {number}: {problem}.", number, column)
        columns[column] = row[column]
    if row.get("tools"):
        if not isinstance(row["tools"], list) or not all(isinstance(tool, dict) for tool in row["tools"]):
            raise TrainerError("row_invalid", f"Row {number}: tools must be a list of objects.", number, "tools")
        columns["tools"] = row["tools"]
    return columns


def _columns(row: Row, strategy: str) -> tuple[str, ...]:
    if strategy == "distillation":  # a recorded conversation has a prompt too
        return ("messages",) if "messages" in row and "prompt" not in row else ("prompt",)
    return COLUMNS[strategy]


def _messages(column: str) -> Check:
    def check(value: Any) -> str | None:  # noqa: ANN401
        if not isinstance(value, list) or not value:
            return f"{column} must be a list of messages"
        return next((problem for index, message in enumerate(value) if (problem := _message(message, f"{column}[{index}]"))), None)

    return check


def _message(message: Any, where: str) -> str | None:  # noqa: ANN401
    if not isinstance(message, dict) or not isinstance(message.get("role"), str):
        return f"{where} has no role"
    if not isinstance(message.get("content"), str | None):
        return f"{where}.content must be text"
    calls = message.get("tool_calls") or []
    if not isinstance(calls, list):
        return f"{where}.tool_calls must be a list"
    for call in calls:
        function = call.get("function") if isinstance(call, dict) else None
        if not isinstance(function, dict) or not isinstance(function.get("arguments"), dict):
            return f"{where}: the arguments of a tool call must be an object"
    return None


def _label(value: Any) -> str | None:  # noqa: ANN401
    return None if isinstance(value, bool) else "label must be true or false"


def _weight(value: Any) -> str | None:  # noqa: ANN401
    is_valid = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= MAX_WEIGHT
    return None if is_valid else f"weight must be a number from 0 to {MAX_WEIGHT}"


def _text(column: str) -> Check:
    return lambda value: None if isinstance(value, str) and value.strip() else f"{column} must be text"


def _calls(value: Any) -> str | None:  # noqa: ANN401
    is_valid = isinstance(value, list) and all(
        isinstance(call, dict) and isinstance(call.get("name"), str) and isinstance(call.get("arguments"), dict) for call in value
    )
    return None if is_valid else "reference_calls must be a list of {name, arguments}"


def _environment(value: Any) -> str | None:  # noqa: ANN401
    return None if isinstance(value, dict) and value else "environment must be an object with the arguments of the task's reset"


COLUMNS = {
    "sft": ("messages",),
    "dpo": ("prompt", "chosen", "rejected"),
    "kto": ("prompt", "completion", "label"),
    "grpo": ("prompt",),
    "rlvr": ("prompt",),
}
CHECKS: dict[str, Check] = {
    **{column: _messages(column) for column in ("messages", "prompt", "chosen", "rejected", "completion")},
    "label": _label,
    "weight": _weight,
    "answer": _text("answer"),
    "tests": _text("tests"),
    "reference_calls": _calls,
    "environment": _environment,
}


def prompt_of(row: Row) -> list[dict[str, Any]]:
    """The messages before the first answer."""
    if "prompt" in row:
        return list(row["prompt"])
    messages = row["messages"]
    first = next((at for at, message in enumerate(messages) if message["role"] == "assistant"), len(messages))
    return list(messages[:first])


def messages_of(row: Row) -> list[dict[str, Any]]:
    """All messages of a row, of both sides if it has two."""
    return [message for column in ("messages", "prompt", "chosen", "rejected", "completion") for message in row.get(column) or []]


def answer_of(row: Row) -> str | None:
    """The recorded answer to the prompt as text."""
    if "answer" in row:
        return str(row["answer"])
    if "reference_calls" in row:
        return "\n".join(json.dumps(call, ensure_ascii=False) for call in row["reference_calls"]) or None
    answers = row.get("chosen") or row.get("completion") or row.get("messages", [])[len(prompt_of(row)) :]
    if not answers or row.get("label") is False:
        return None
    message = answers[0]
    calls = [json.dumps(call["function"], ensure_ascii=False) for call in message.get("tool_calls") or []]
    return "\n".join([part for part in (message.get("content"), *calls) if part]) or None
