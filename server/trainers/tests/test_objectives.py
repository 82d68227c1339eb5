"""How GRPO learns from given answers: what becomes more likely, and the formula of each objective. Nothing is sampled."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from conftest import NewRun, Run
from fake_environment import FakeEnvironment
from rows import letter_prompt

from bashgym_trainers import core

Ids = list[int]
PROMPT = {"prompt": letter_prompt(), "answer": "b"}
LIMIT = 4
RATE = 1e-3


class Ready(Exception):
    """Ends a run once its trainer is ready."""


class Written:
    """The trainer of a run in 64 bits, whose answers are given: one list of token ids for each answer of a step."""

    def __init__(self, trainer: Any) -> None:  # noqa: ANN401
        self.trainer, self.model = trainer, trainer.model.double()
        trainer.current_gradient_accumulation_steps = 1
        self.inputs: dict[str, torch.Tensor] = {}

    def ids(self, text: str, *, ended: bool = True) -> Ids:
        tokenizer = self.trainer.processing_class
        return [*tokenizer(text, add_special_tokens=False)["input_ids"], *([tokenizer.eos_token_id] if ended else [])]

    def prepare(self, answers: list[Ids], monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(self.trainer, "_generate_single_turn", lambda prompts, *_: (answers[: len(prompts)], None))
        monkeypatch.setattr("trl.trainer.grpo_trainer.shuffle_sequence_dict", lambda batch: batch)
        rows = [self.trainer.train_dataset[at // self.trainer.num_generations] for at in range(len(answers))]
        self.model.train()
        self.inputs = self.trainer._prepare_inputs(rows)

    def loss(self) -> torch.Tensor:
        return self.trainer.compute_loss(self.model, self.inputs)

    def logps(self) -> torch.Tensor:
        """Log probabilities of the tokens of the answers; 0 where there is none."""
        inputs = self.inputs
        ids = torch.cat([inputs["prompt_ids"], inputs["completion_ids"]], dim=1)
        seen = torch.cat([inputs["prompt_mask"], inputs["completion_mask"]], dim=1)
        width = inputs["completion_ids"].shape[1]
        logits = self.model(input_ids=ids, attention_mask=seen).logits[:, -width - 1 : -1]
        chosen = logits.log_softmax(-1).gather(-1, inputs["completion_ids"].unsqueeze(-1)).squeeze(-1)
        return chosen * self.learned

    @property
    def learned(self) -> torch.Tensor:
        """1 for each token that carries loss."""
        mask = self.inputs["completion_mask"]
        return mask * self.inputs["tool_mask"] if "tool_mask" in self.inputs else mask

    def changes(self) -> list[float]:
        """How a small step against the gradient changes the log probability of each answer."""
        before = self.logps().sum(1)
        self.loss().backward()
        with torch.no_grad():
            for weight in self.model.parameters():
                if weight.grad is not None:
                    weight -= RATE * weight.grad
        return (self.logps().sum(1) - before).tolist()


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> Callable[[Run], Written]:
    def capture(run: Run) -> Written:
        found: list[Any] = []

        def emit(_events: object, prepared: core.Prepared, _device: str, _rows: int) -> int:
            found.append(prepared.trainer)
            raise Ready

        monkeypatch.setattr(core, "_emit_plan", emit)
        assert run.in_process() == 1
        assert found, run.events[-1]["message"]
        return Written(found[0])

    return capture


def settings(**more: Any) -> dict[str, Any]:
    base = {"strategy": "grpo", "rewards": [{"kind": "exact"}], "batchSize": 4, "generations": 4, "maxCompletion": LIMIT}
    return {**base, **more}


def test_rewarded_answers_become_likelier_and_others_less_likely(
    new_run: NewRun, speller: Path, written: Callable[[Run], Written], monkeypatch: pytest.MonkeyPatch
) -> None:
    fixed = written(new_run([PROMPT], model=speller, **settings()))
    fixed.prepare([fixed.ids("b"), fixed.ids("a"), fixed.ids("b", ended=False), fixed.ids("bbbb", ended=False)], monkeypatch)
    assert fixed.inputs["advantages"].tolist() == pytest.approx([0.75 / (0.5 + 1e-4), *[-0.25 / (0.5 + 1e-4)] * 3])
    right, wrong, _, cut_off = fixed.changes()
    assert right > 0 > max(wrong, cut_off)


def test_the_end_mark_becomes_likelier_if_answers_without_it_are_lost(
    new_run: NewRun, speller: Path, written: Callable[[Run], Written], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both answers begin with the right letter, and differ only in their ends."""
    fixed = written(new_run([PROMPT], model=speller, **settings()))
    fixed.prepare([fixed.ids("b"), fixed.ids("b"), fixed.ids("bbbb", ended=False), fixed.ids("bbbb", ended=False)], monkeypatch)
    before = fixed.logps()[0, 1].item()
    fixed.changes()
    assert fixed.logps()[0, 1].item() > before


def test_masked_answers_that_were_cut_off_are_not_learned(
    new_run: NewRun, speller: Path, written: Callable[[Run], Written], monkeypatch: pytest.MonkeyPatch
) -> None:
    fixed = written(new_run([PROMPT], model=speller, **settings(maskTruncatedCompletions=True)))
    fixed.prepare([fixed.ids("b"), fixed.ids("a"), fixed.ids("a"), fixed.ids("bbbb", ended=False)], monkeypatch)
    assert fixed.learned.sum(1).tolist() == [2, 2, 2, 0]


@pytest.fixture
def environment(tmp_path: Path) -> Iterator[dict[str, Any]]:
    server = FakeEnvironment()
    file = tmp_path / "environment.json"
    file.write_text(json.dumps({"url": server.url}))
    yield {"file": str(file), "capacity": 16}
    server.close()


def test_solved_episodes_become_likelier_and_failed_ones_less_likely(
    new_run: NewRun, speller: Path, written: Callable[[Run], Written], environment: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    row = {"prompt": letter_prompt(), "environment": {"task_id": "t", "wins": "b"}}
    fixed = written(new_run([row], model=speller, **settings(rewards=[], environment=environment, maxCompletion=64, turnTokens=LIMIT)))
    b, a, cut_off, broken = fixed.ids("b"), fixed.ids("a"), fixed.ids("bbbb", ended=False), fixed.ids("breaks")
    turns = iter([[b, a, cut_off, broken], [a]])
    monkeypatch.setattr(fixed.trainer, "sampled", lambda *_: next(turns))
    fixed.prepare([b] * 4, monkeypatch)
    spread = 1.02 / math.sqrt(3) + 1e-4  # rewards of 1, -0.02 and -0.02; the error of the environment has none
    assert fixed.inputs["advantages"].tolist() == pytest.approx([0.68 / spread, -0.34 / spread, -0.34 / spread, 0], rel=1e-4)
    assert fixed.learned.sum(1).tolist() == [2, 4, 4, len(broken)]
    right, wrong, lost, _ = fixed.changes()
    assert right > 0 > max(wrong, lost)


RATIOS = [[1.5, 0.9], [0.7, 1.1, 1.0], [1.3, 0.9], [1.0, 1.0, 0.6, 1.2]]
"""Of each answer, how much likelier its tokens are than when it was sampled."""


def clipped(ratio: float, advantage: float, low: float, high: float) -> float:
    return min(ratio * advantage, min(max(ratio, 1 - low), 1 + high) * advantage)


def mean(values: list[float]) -> float:
    return sum(values) / len(values)


def dapo(advantage: list[float]) -> float:
    """All tokens have the same weight."""
    terms = [clipped(one, sign, 0.2, 0.28) for row, sign in zip(RATIOS, advantage, strict=True) for one in row]
    return -mean(terms)


def grpo(advantage: list[float]) -> float:
    """All answers have the same weight."""
    return -mean([mean([clipped(one, sign, 0.2, 0.2) for one in row]) for row, sign in zip(RATIOS, advantage, strict=True)])


def gspo(advantage: list[float]) -> float:
    """The ratio is that of a whole answer: the geometric mean of its tokens' ratios."""
    whole = [math.exp(mean([math.log(one) for one in row])) for row in RATIOS]
    return -mean([clipped(one, sign, 3e-4, 4e-4) for one, sign in zip(whole, advantage, strict=True)])


def dr_grpo(advantage: list[float]) -> float:
    """Lengths have no influence: the sum is divided by the longest possible answer."""
    terms = [clipped(one, sign, 0.2, 0.2) for row, sign in zip(RATIOS, advantage, strict=True) for one in row]
    return -sum(terms) / (len(RATIOS) * LIMIT)


DEVIATION = 0.5 + 1e-4
OBJECTIVES = {"dapo": (dapo, DEVIATION), "grpo": (grpo, DEVIATION), "gspo": (gspo, DEVIATION), "dr_grpo": (dr_grpo, 1)}
"""Formulas, and what rewards are divided by."""


@pytest.mark.parametrize("name", OBJECTIVES)
def test_an_objective_has_its_formula(
    new_run: NewRun, speller: Path, written: Callable[[Run], Written], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    _, deviation = OBJECTIVES[name]
    fixed = written(new_run([PROMPT], model=speller, **settings(objective=name, numIterations=2)))
    fixed.prepare([fixed.ids("b"), fixed.ids("aa"), fixed.ids("c"), fixed.ids("bbbb", ended=False)], monkeypatch)
    assert fixed.inputs["advantages"].tolist() == pytest.approx([0.75 / deviation, *[-0.25 / deviation] * 3])
    assert fixed.learned.sum(1).tolist() == [len(row) for row in RATIOS]
    padded = torch.tensor([[*row, *[1.0] * (LIMIT - len(row))] for row in RATIOS], dtype=torch.float64)
    fixed.inputs["old_per_token_logps"] = fixed.logps().detach() - padded.log()  # as before the first of two iterations
    losses = {other: of([rest / scale for rest in (0.75, *[-0.25] * 3)]) for other, (of, scale) in OBJECTIVES.items()}
    assert fixed.loss().item() == pytest.approx(losses[name], abs=1e-6)
    assert all(abs(losses[name] - value) > 0.005 for other, value in losses.items() if other != name), losses
