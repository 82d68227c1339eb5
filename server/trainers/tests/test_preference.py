"""In DPO and KTO only assistant messages carry loss, and no row is dropped silently."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import NewRun
from rows import CALL, TOOLS, label_rows, preference_rows, say
from transformers import AutoModelForCausalLM, PreTrainedTokenizerBase

from bashgym_trainers.data import Rows
from bashgym_trainers.errors import TrainerError
from bashgym_trainers.loading import load_tokenizer
from bashgym_trainers.preference import sides_of


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


@pytest.mark.parametrize(("strategy", "make", "answers"), [("dpo", preference_rows, 4), ("kto", label_rows, 2)])
def test_answers_that_are_too_long_are_counted_and_reported(
    new_run: NewRun, strategy: str, make: Callable[[int], list[dict[str, Any]]], answers: int
) -> None:
    few = make(4)
    prompt = [say("user", "word " * 300)]
    run = new_run([*few, {**few[0], "prompt": prompt}, {**few[1], "prompt": prompt}], strategy=strategy, maxSteps=1, maxLength=128)
    assert run.in_process() == 0, run.events[-1]
    (plan,) = run.of("plan")
    assert (plan["fileRows"], plan["unused"]) == (len(few) + 2, 2)
    assert (plan["rows"], plan["truncated"]) == (len(few), answers) and 0 < plan["trainedTokens"] < plan["tokens"]
    (warning,) = run.of("warning")
    assert warning["code"] == "left_out" and warning["message"].startswith(f"{answers} answers do not fit into 128 tokens")


@pytest.fixture
def tokenizer(model: Path) -> PreTrainedTokenizerBase:
    return load_tokenizer(model)


def session(turns: int, label: str) -> list[dict[str, Any]]:
    """A long completion: calls with results, then an answer."""
    step = [{**say("assistant", ""), "tool_calls": [CALL]}, {**say("tool", "word " * 40), "tool_call_id": "c1", "name": "Bash"}]
    return [*(message for _ in range(turns) for message in step), say("assistant", label)]


def test_a_session_is_split_between_turns_for_kto_and_each_answer_is_trained_once(tokenizer: PreTrainedTokenizerBase) -> None:
    row = {"prompt": [say("user", "List the files")], "completion": session(12, "Done."), "label": True, "tools": TOOLS}
    whole = sides_of(Rows([row], [1]), tokenizer, ["completion"], 100_000)
    found = sides_of(Rows([row], [1]), tokenizer, ["completion"], 400)
    sides = [one["completion"] for one in found.sides]
    assert len(sides) > 2 and found.size.left_out == 0 and all(side.length <= 400 for side in sides)
    assert found.size.trained == whole.size.trained == sum(sum(side.mask) for side in sides)
    assert [value["label"] for value in found.rows.values] == [True] * len(sides)
    assert all(side.mask[0] == 1 for side in sides)  # the context is part of the prompt


def test_both_sides_of_a_pair_end_at_a_turn_within_the_length_and_have_the_same_prompt(tokenizer: PreTrainedTokenizerBase) -> None:
    prompt = [say("user", "List the files"), *session(6, "There are some."), say("user", "And the others?")]
    row = {"prompt": prompt, "chosen": session(8, "All listed."), "rejected": session(2, "No."), "tools": TOOLS}
    for limit in (300, 500, 900):
        found = sides_of(Rows([row], [1]), tokenizer, ["chosen", "rejected"], limit)
        (pair,) = found.sides
        assert pair["chosen"].prompt == pair["rejected"].prompt
        assert 0 < max(side.length for side in pair.values()) <= limit
        end = tokenizer.convert_tokens_to_ids("<|im_end|>")
        assert all(side.mask[0] == 1 and side.answer[-1] == end and side.mask[-1] == 1 for side in pair.values())
        assert found.size.left_out > 0


def test_rows_that_all_are_too_long_are_refused_with_the_length_that_keeps_them(tokenizer: PreTrainedTokenizerBase) -> None:
    row = {"prompt": [say("user", "word " * 300)], "completion": session(3, "Done."), "label": True, "tools": TOOLS}
    with pytest.raises(TrainerError, match=r"Set the max length to (\d+) to keep all of them") as refusal:
        sides_of(Rows([row], [1]), tokenizer, ["completion"], 128)
    needed = int(re.search(r"length to (\d+)", str(refusal.value)).group(1))  # type: ignore[union-attr]
    assert sides_of(Rows([row], [1]), tokenizer, ["completion"], needed).size.left_out == 0


@pytest.mark.parametrize("strategy", ["dpo", "kto"])
def test_a_precomputed_reference_gives_the_same_losses(new_run: NewRun, strategy: str) -> None:
    curves = []
    for name, is_precomputed in (("each-step", False), ("early", True)):
        run = new_run(rows(strategy, "calc.py", "One file."), name, strategy=strategy, maxSteps=3, precomputeRefLogProbs=is_precomputed)
        assert run.in_process() == 0, run.events[-1]
        curves.append([value for _, value in run.curve("loss")])
    assert curves[0] == pytest.approx(curves[1], rel=1e-5)
