"""Errors that a user can act on."""

from __future__ import annotations

import errno
import re

_FULL = re.compile(r"No space left|os error 28|Disk quota exceeded|\d+ requested and \d+ written")  # the last is numpy's


class TrainerError(Exception):
    """Ends the run with a ``failed`` event. ``row``: line of the data file, from 1. ``field``: column or setting at fault."""

    def __init__(self, code: str, message: str, row: int | None = None, field: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.row = row
        self.field = field


def first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:500]


def reports_disk_full(text: str) -> bool:
    """Whether the output of a library or child process reports a full disk."""
    return _FULL.search(text) is not None


def is_disk_full(error: BaseException | None) -> bool:
    """Whether an error or one of its causes is a full disk."""
    while error is not None:
        if getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT) or reports_disk_full(str(error)):
            return True
        error = error.__cause__ or error.__context__
    return False
