"""In DPO and KTO only assistant messages carry loss, and no row is dropped silently."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import NewRun
from rows import CALL, TOOLS, label_rows, preference_rows, say
from transformers import AutoModelForCausalLM


@pytest.fixture
def blind(model: Path, tmp_path: Path) -> Path:
    """A model without attention between tokens, so that the loss of a token does not depend on earlier ones."""
    import shutil

    folder = tmp_path / "blind"
    shutil.copytree(model, folder)
    loaded = AutoModelForCausalLM.from_pretrained(folder)
    for layer in loaded.model.layers:
        for part in (layer.self_attn.v_proj, layer.self_attn.o_proj):
            part.weight.data.zero_()
            if part.bias is not None:
                part.bias.data.zero_()
    loaded.save_pretrained(folder)
    return folder


def side(result: str, end: str) -> list[dict[str, Any]]:
    call_message = {**say("assistant", ""), "tool_calls": [CALL]}
    return [call_message, {**say("tool", result), "tool_call_id": "c1", "name": "Bash"}, say("assistant", end)]


def rows(strategy: str, result: str, end: str) -> list[dict[str, Any]]:
    prompt = [say("user", "List the files")]
    good, bad = side(result, end), side(result, "Nothing.")
    if strategy == "dpo":
        return [{"prompt": prompt, "chosen": good, "rejected": bad, "tools": TOOLS}] * 4
    return [{"prompt": prompt, "completion": good, "label": True, "tools": TOOLS}, {"prompt": prompt, "completion": bad, "label": False, "tools": TOOLS}] * 2  # noqa: E501  # fmt: skip


@pytest.mark.parametrize("strategy", ["dpo", "kto"])
def test_the_loss_depends_on_the_answers_and_not_on_tool_results(new_run: NewRun, blind: Path, strategy: str) -> None:
    def curve(name: str, result: str, end: str) -> list[float | None]:
        run = new_run(rows(strategy, result, end), name, model=blind, strategy=strategy, learningRate=1e-3, maxSteps=4, loggingSteps=1)
        assert run.in_process() == 0, run.events[-1]
        return [value for figure in ("loss", "grad_norm") for _, value in run.curve(figure)]

    first = curve("first", "calc.py", "One file.")
    assert len(first) == 8
    assert curve("other-result", "calc.py\nREADME", "One file.") == pytest.approx(first, abs=1e-4)
    assert curve("other-answer", "calc.py", "No file.") != pytest.approx(first, abs=1e-4)


@pytest.mark.parametrize(("strategy", "make"), [("dpo", preference_rows), ("kto", label_rows)])
def test_rows_that_are_too_long_are_counted_and_reported(
    new_run: NewRun, strategy: str, make: Callable[[int], list[dict[str, Any]]]
) -> None:
    few = make(4)
    prompt = [say("user", "word " * 300)]
    run = new_run([*few, {**few[0], "prompt": prompt}, {**few[1], "prompt": prompt}], strategy=strategy, maxSteps=1, maxLength=128)
    assert run.in_process() == 0, run.events[-1]
    (plan,) = run.of("plan")
    assert (plan["rows"], plan["truncated"]) == (len(few), 2) and 0 < plan["trainedTokens"] < plan["tokens"]
    (warning,) = run.of("warning")
    assert warning["code"] == "left_out" and warning["message"].startswith(f"2 of {len(few) + 2} rows are longer than 128 tokens")


@pytest.mark.parametrize("strategy", ["dpo", "kto"])
def test_a_precomputed_reference_gives_the_same_losses(new_run: NewRun, strategy: str) -> None:
    curves = []
    for name, is_precomputed in (("each-step", False), ("early", True)):
        run = new_run(rows(strategy, "calc.py", "One file."), name, strategy=strategy, maxSteps=3, precomputeRefLogProbs=is_precomputed)
        assert run.in_process() == 0, run.events[-1]
        curves.append([value for _, value in run.curve("loss")])
    assert curves[0] == pytest.approx(curves[1], rel=1e-5)
