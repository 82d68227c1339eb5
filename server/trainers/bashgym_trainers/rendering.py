"""Counts and reports how the rows of a data set were rendered; refuses the data set if too many could not be."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from .adapt import APART, CALLS, SYSTEM, TEXTS
from .config import SCHEMA
from .errors import TrainerError
from .render import RenderedRow, RenderError, TemplateTimeout
from .templates import thinks

if TYPE_CHECKING:
    from .events import Events

MAX_UNRENDERED: float = SCHEMA["maxUnwritten"]
REASONS_SHOWN = 3


class RenderingCounts:
    """Call ``count`` for each rendered row, ``refuse`` for each other one, and ``check`` at the end."""

    def __init__(self) -> None:
        self.rows = 0
        self.unwritten = 0
        self.endless = 0
        self._several: Counter[str] = Counter()
        self._reasons: Counter[str] = Counter()
        self._first: tuple[int, str, RenderError] | None = None

    def count(self, written: RenderedRow, *, ends: bool = True) -> None:
        """``ends``: the answers end with a mark that is a single token."""
        self.rows += 1
        self.endless += not ends
        self._several["answers"] += written.method == "answers"
        self._several["thoughts"] += thinks(written.messages)
        for change in written.changes:
            self._several[change] += 1

    def refuse(self, error: RenderError, row: int, field: str) -> None:
        """Raises ``TrainerError`` (row_invalid) if no other row can be rendered either."""
        if isinstance(error, TemplateTimeout):
            raise TrainerError("row_invalid", f"Row {row}: {error}", row, field) from error
        self.rows += 1
        self.unwritten += 1
        self._reasons[error.reason] += 1
        self._first = self._first or (row, field, error)

    def check(self) -> None:
        """Raises ``TrainerError`` (row_invalid) if too many rows cannot be rendered."""
        if self._first is None or self.unwritten <= MAX_UNRENDERED * self.rows:
            return
        row, field, error = self._first
        which = f"Row {row}: {error}"
        if self.unwritten > 1:
            many = f"{self.unwritten} of {self.rows} rows cannot be written with this chat template."
            which = f"{many} {self._largest()} First, row {row}: {error}"
        raise TrainerError("row_invalid", which, row, field) from error

    def emit(self, events: Events) -> None:
        if self.unwritten:
            message = f"{self.unwritten} of {self.rows} rows cannot be written with this chat template and were left out. {self._largest()}"
            events.emit("warning", code="unwritten", message=message)
        if self.endless:
            message = f"{self.endless} of {self.rows} rows have answers without an end mark in this chat template, so that the model"
            events.emit("warning", code="no_end_mark", message=f"{message} may not learn to stop. Choose a template that writes one.")
        several = {
            CALLS: ("calls_parted", "had parallel calls, which were written one after another: this chat template takes one at a time"),
            SYSTEM: ("system_moved", "have their system prompt in the first prompt: this chat template has no system role"),
            APART: (
                "texts_apart",
                "have the text beside their calls as messages of its own, as context: this chat template writes calls alone",
            ),
            TEXTS: ("texts_left_out", "lost the text next to their calls: this chat template leaves it out or moves it"),
            "answers": ("answers_alone", "became one row per answer: this chat template changes earlier turns"),
        }
        for change, (code, words) in several.items():
            if count := self._several[change]:
                events.emit("warning", code=code, message=f"{count} of {self.rows} rows {words}.")

    @property
    def thinking(self) -> bool:
        """Whether any row has thinking."""
        return self._several["thoughts"] > 0

    def _largest(self) -> str:
        return " ".join(f"{count} times: {reason}" for reason, count in self._reasons.most_common(REASONS_SHOWN))
