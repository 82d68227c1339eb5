"""JSON inside a model's answer. A number that a double cannot hold stays text, so that no digit is lost; the server does the same."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import Any

LARGEST = 2**53 - 1
DIGITS = 17
LONGEST_INTEGER = 22
LONGEST_LITERAL = 400
_SPACE = re.compile(r"[ \t\r\n\f\v]*")


def whole_number(literal: str) -> int | str:
    """A double's shortest digits must be those of the literal, as JavaScript would write them again."""
    if len(literal) > LONGEST_INTEGER:
        return literal
    value = int(literal)
    is_short = abs(value) < 10**21  # JavaScript writes larger ones with an exponent
    is_exact = abs(value) <= LARGEST or (is_short and format(Decimal(repr(float(value))), "f").removesuffix(".0") == literal)
    return value if is_exact else literal


def fraction(literal: str) -> float | str:
    """The text of a number that is too large, too small, or has more digits than a double."""
    if len(literal) > LONGEST_LITERAL:
        return literal
    value = float(literal)
    digits = re.sub(r"[eE].*|[-.]", "", literal).strip("0")
    is_exact = abs(value) != float("inf") and len(digits) <= DIGITS and (value != 0 or digits == "")
    return value if is_exact else literal


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


DECODER = json.JSONDecoder(parse_int=whole_number, parse_float=fraction, parse_constant=_no_number)


def past_space(text: str, at: int) -> int:
    return _SPACE.match(text, at).end()  # type: ignore[union-attr]


def loaded_at(text: str, at: int) -> tuple[Any, int] | None:
    """The JSON value that begins after white space at an offset, and its end."""
    try:
        return DECODER.raw_decode(text, past_space(text, at))
    except (ValueError, RecursionError):
        return None


def loaded(text: str) -> Any:
    """The JSON value that a text is; None if it is none."""
    found = loaded_at(text, 0)
    return found[0] if found and past_space(text, found[1]) == len(text) else None
