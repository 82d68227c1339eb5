"""What can go wrong in a way that a user can do something about."""

from __future__ import annotations


class TrainerError(Exception):
    """Ends the run with a ``failed`` event. ``row``: line of the data file, from 1; ``field``: what is wrong there."""

    def __init__(self, code: str, message: str, row: int | None = None, field: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.row = row
        self.field = field
