"""Figures of how close answers are to recorded ones, and their means. Pure.

An answer with an incomplete call scores 0 in every figure about calls.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bashgym.calls import Call, ParsedAnswer


@dataclass(frozen=True)
class Score:
    """Figures of one answer from 0 to 1. Figures about calls are None if the recorded answer has no calls.

    ``call_parse``: it has a call that can be read. ``tool_name``: its tools are the recorded ones. ``exact_call``: so are all
    arguments. ``arg_f1``: F1 over the arguments and values of calls with the right tool. ``text_or_call``: it has calls if and
    only if the recorded answer has. ``stopped``: it ended with an end mark.
    """

    call_parse: float | None
    tool_name: float | None
    exact_call: float | None
    arg_f1: float | None
    text_or_call: float
    stopped: float


NAMES = tuple(Score.__dataclass_fields__)


def score(recorded: Sequence[Call], answer: ParsedAnswer, *, ended: bool) -> Score:
    calls = [] if answer.torn else answer.calls
    right = not answer.torn and bool(calls) == bool(recorded)
    if not recorded:
        return Score(None, None, None, None, float(right), float(ended))
    names = Counter(call.name for call in calls) == Counter(call.name for call in recorded)
    exact = Counter(map(_key, calls)) == Counter(map(_key, recorded))
    return Score(float(bool(calls)), float(names), float(exact), _arguments(recorded, calls), float(right), float(ended))


def means(scores: Sequence[Score]) -> dict[str, float]:
    """Mean of each figure over the answers that have it; a figure that no answer has is omitted."""
    known = {name: [value for one in scores if (value := getattr(one, name)) is not None] for name in NAMES}
    return {name: sum(values) / len(values) for name, values in known.items() if values}


def _arguments(recorded: Sequence[Call], calls: Sequence[Call]) -> float:
    """Mean F1 over calls: each recorded call is matched to the most similar call of the same tool; missing and extra calls count 0."""
    unmatched = list(calls)
    total = 0.0
    for recorded_call in recorded:
        found = max(
            (call for call in unmatched if call.name == recorded_call.name), key=lambda call: _f1(recorded_call, call), default=None
        )
        if found is not None:
            unmatched.remove(found)
            total += _f1(recorded_call, found)
    return total / max(len(recorded), len(calls))


def _f1(recorded_call: Call, call: Call) -> float:
    expected_items, actual_items = _items(recorded_call), _items(call)
    if not expected_items and not actual_items:
        return 1.0
    return 2 * len(expected_items & actual_items) / (len(expected_items) + len(actual_items))


def _items(call: Call) -> set[tuple[str, str]]:
    return {(name, canonical(value)) for name, value in call.arguments.items()}


def _key(call: Call) -> str:
    return canonical([call.name, call.arguments])


def canonical(value: Any) -> str:  # noqa: ANN401
    """JSON text that is the same for equal values: sorted keys, and 2.0 as 2."""
    return json.dumps(_plain(value), sort_keys=True, ensure_ascii=False)


def _plain(value: Any) -> Any:  # noqa: ANN401
    if isinstance(value, dict):
        return {name: _plain(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_plain(one) for one in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value
