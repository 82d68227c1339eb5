"""Figures of answers compared with recorded ones, with values calculated by hand."""

from __future__ import annotations

import json
from typing import Any

import pytest
from bashgym.calls import Call, parse

from bashgym_trainers.callscore import Score, means, score

READ = Call("Read", {"file_path": "a.py", "limit": 20})
EDIT = Call("Edit", {"file_path": "a.py", "old_string": "x = 1", "new_string": "x = 2"})
LIST = Call("List", {})


def written(*calls: Call) -> str:
    return "\n".join(f"<tool_call>\n{json.dumps({'name': one.name, 'arguments': one.arguments})}\n</tool_call>" for one in calls)


def scored(recorded: list[Call], text: str, *, ended: bool = True) -> Score:
    return score(recorded, parse(text), ended=ended)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(written(READ), (1, 1, 1, 1, 1), id="the same call"),
        pytest.param(written(Call("Read", {"limit": 20.0, "file_path": "a.py"})), (1, 1, 1, 1, 1), id="the same JSON, written differently"),
        pytest.param(written(Call("Read", {"file_path": "a.py", "limit": 9})), (1, 1, 0, 0.5, 1), id="one of two values"),
        pytest.param(written(Call("Read", {"file_path": "a.py"})), (1, 1, 0, 2 / 3, 1), id="one of two arguments left out"),
        pytest.param(written(Call("Write", READ.arguments)), (1, 0, 0, 0, 1), id="the same arguments, but another tool"),
        pytest.param(written(READ, EDIT), (1, 0, 0, 0.5, 1), id="one call too many"),
        pytest.param("I read it.", (0, 0, 0, 0, 0), id="text instead of a call"),
        pytest.param("", (0, 0, 0, 0, 0), id="nothing"),
        pytest.param(written(READ)[:-3], (0, 0, 0, 0, 0), id="an incomplete call"),
        pytest.param(
            written(READ) + "\n<tool_call>\n{broken\n</tool_call>", (0, 0, 0, 0, 0), id="the call and another one that cannot be read"
        ),
    ],
)
def test_an_answer_is_scored_against_one_recorded_call(text: str, expected: tuple[float, ...]) -> None:
    one = scored([READ], text, ended=False)
    assert (one.call_parse, one.tool_name, one.exact_call, one.arg_f1, one.text_or_call) == pytest.approx(expected)
    assert one.stopped == 0


def test_parallel_calls_match_in_any_order_each_once() -> None:
    other = Call("Read", {"file_path": "b.py", "limit": 20})
    assert scored([READ, other], written(other, READ)) == Score(1, 1, 1, 1, 1, 1)
    assert scored([READ, other], written(READ, READ)).arg_f1 == pytest.approx((1 + 0.5) / 2)
    assert scored([LIST, READ], written(READ)).arg_f1 == 0.5
    assert scored([LIST], written(LIST)).arg_f1 == 1


def test_without_recorded_calls_only_text_or_call_and_stopped_are_scored() -> None:
    assert scored([], "Done.") == Score(None, None, None, None, 1, 1)
    assert scored([], written(READ)).text_or_call == 0
    assert scored([], "<tool_call>").text_or_call == 0


def test_each_mean_is_over_the_answers_that_have_the_figure() -> None:
    scores = [scored([READ], written(READ)), scored([READ], "no"), scored([], "Done.", ended=False)]
    figures: dict[str, Any] = means(scores)
    assert figures == pytest.approx(
        {"call_parse": 1 / 2, "tool_name": 1 / 2, "exact_call": 1 / 2, "arg_f1": 1 / 2, "text_or_call": 2 / 3, "stopped": 2 / 3}
    )
    assert means(scores[2:]) == {"text_or_call": 1, "stopped": 0}
