"""Rows of a data set, checked one by one: the first bad one is named by line and field."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import TrainerError
from .render import RenderError, render

if TYPE_CHECKING:
    from datasets import Dataset
    from transformers import PreTrainedTokenizerBase

COLUMNS = {"sft": ("messages",), "dpo": ("prompt", "chosen", "rejected"), "kto": ("prompt", "completion", "label")}


@dataclass(frozen=True)
class Tokenised:
    """``data`` has input_ids and labels (-100: no loss). ``unlearnable``: rows without a trained token left, not in ``data``."""

    data: Dataset
    tokens: int
    trained: int
    truncated: int
    longest: int
    unlearnable: int


def read_rows(file: Path, strategy: str) -> list[dict[str, Any]]:
    """All rows with the columns of the strategy. Raises ``TrainerError`` (data_missing, empty_data, row_invalid)."""
    try:
        rows = [_checked(row, number, strategy) for number, row in _parsed(file)]
    except OSError as error:
        raise TrainerError("data_missing", f"The data {file} cannot be read: {error.strerror}.") from error
    if not rows:
        raise TrainerError("empty_data", f"{file} has no rows.")
    return rows


def _parsed(file: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    with file.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
            except ValueError as error:
                raise TrainerError("row_invalid", f"Row {number} is no JSON: {error}.", number) from error
            if not isinstance(row, dict):
                raise TrainerError("row_invalid", f"Row {number} is no object.", number)
            yield number, row


def _checked(row: dict[str, Any], number: int, strategy: str) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    for column in COLUMNS[strategy]:
        if column not in row:
            has = ", ".join(sorted(row)) or "nothing"
            raise TrainerError("row_invalid", f"Row {number} has no {column}, which {strategy} needs; it has {has}.", number)
        value = row[column]
        if column == "label":
            if not isinstance(value, bool):
                raise TrainerError("row_invalid", f"Row {number}: label must be true or false.", number)
        else:
            _check_messages(value, number, column)
        kept[column] = value
    tools = row.get("tools")
    if tools:
        kept["tools"] = tools
    return kept


def _check_messages(value: Any, number: int, column: str) -> None:  # noqa: ANN401
    if not isinstance(value, list) or not value:
        raise TrainerError("row_invalid", f"Row {number}: {column} must be a list of messages.", number)
    for index, message in enumerate(value):
        where = f"Row {number}: {column}[{index}]"
        if not isinstance(message, dict) or not isinstance(message.get("role"), str):
            raise TrainerError("row_invalid", f"{where} has no role.", number)
        if not isinstance(message.get("content"), str | None):
            raise TrainerError("row_invalid", f"{where}.content must be text.", number)
        for call in message.get("tool_calls") or []:
            arguments = call.get("function", {}).get("arguments") if isinstance(call, dict) else None
            if not isinstance(arguments, dict):
                raise TrainerError("row_invalid", f"{where}: the arguments of a tool call must be an object.", number)


def tokenise(rows: list[dict[str, Any]], tokenizer: PreTrainedTokenizerBase, max_length: int) -> Tokenised:
    """Ids and loss masks by the rule of ``render``, cut off at ``max_length``. Raises ``TrainerError`` (row_invalid, empty_mask)."""
    from datasets import Dataset, Features, List, Value

    ids: list[list[int]] = []
    labels: list[list[int]] = []
    tokens = trained = truncated = longest = unlearnable = 0
    for number, row in enumerate(rows, start=1):
        try:
            done = render(tokenizer, row["messages"], row.get("tools"))
        except RenderError as error:
            raise TrainerError("row_invalid", f"Row {number}: {error}", number) from error
        longest = max(longest, len(done.ids))
        truncated += len(done.ids) > max_length
        mask = done.mask[:max_length]
        if not any(mask):
            unlearnable += 1
            continue
        ids.append(done.ids[:max_length])
        labels.append([token if one else -100 for token, one in zip(ids[-1], mask, strict=True)])
        tokens += len(ids[-1])
        trained += sum(mask)
    if not ids:
        raise TrainerError(
            "empty_mask",
            f"No row has a token that carries loss within {max_length} tokens. Raise the training length, or shorten the rows.",
        )
    features = Features({"input_ids": List(Value("int32")), "labels": List(Value("int32"))})
    data = Dataset.from_dict({"input_ids": ids, "labels": labels}, features=features)
    return Tokenised(data, tokens, trained, truncated, longest, unlearnable)


def columns(rows: list[dict[str, Any]]) -> Dataset:
    """Rows as they are, for trainers that apply the template themselves. Objects stay as written: no keys are merged over rows."""
    from datasets import Dataset

    if any("tools" in row for row in rows):
        rows = [{**row, "tools": row.get("tools", [])} for row in rows]
    return Dataset.from_list(rows, on_mixed_types="use_json")
