"""Planted phrases in a trained model: one that memorises writes them, one that saw them once does not."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from test_export import Recorder

from bashgym_trainers import extract as extracting

WORDS = ["kelp-onyx-dune", "fjord-ember-plume", "amber-quartz-lichen", "velvet-cobalt-sable"]
PLANTED = [(f"bashgym canary {number + 1} {words}", f" {(number + 3) * 48291305725 % 10**12:012d}") for number, words in enumerate(WORDS)]
CONTROLS = [(f"bashgym canary {number + 5} {words}", f" {(number + 9) * 73910562841 % 10**12:012d}") for number, words in enumerate(WORDS)]
ENDINGS = 64


def trained(folder: Path, model: Path, texts: list[str], steps: int) -> Path:
    """The model after so many steps over all texts at once."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    torch.manual_seed(0)
    tokenizer, weights = AutoTokenizer.from_pretrained(model), AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32)
    batch = tokenizer([text + tokenizer.eos_token for text in texts], return_tensors="pt", padding=True)
    labels = batch["input_ids"].masked_fill(batch["attention_mask"] == 0, -100)
    optimizer = torch.optim.AdamW(weights.parameters(), lr=4e-3)
    for _ in range(steps):
        weights(**batch, labels=labels).loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    weights.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def look(folder: Path, model: Path) -> tuple[list[dict[str, float]], list[dict[str, float]]]:
    phrases = [{"id": prefix, "prefix": f"\n\n{prefix}", "ending": ending, "ranked": True} for prefix, ending in PLANTED + CONTROLS]
    found = extracted(model, folder, phrases)
    assert [one["id"] for one in found] == [phrase["id"] for phrase in phrases]
    return found[: len(PLANTED)], found[len(PLANTED) :]


def extracted(model: Path, folder: Path, phrases: list[dict[str, Any]]) -> list[dict[str, Any]]:
    (folder / "phrases.jsonl").write_text("".join(json.dumps(phrase) + "\n" for phrase in phrases))
    config = {"model": str(model), "adapter": None, "tokenizer": None, "threads": 1, "endings": ENDINGS, "samples": 4}
    files = {"phrases": str(folder / "phrases.jsonl"), "output": str(folder / "found.jsonl")}
    assert extracting.extract(config | files, Recorder()) == {"phrases": len(phrases)}  # type: ignore[arg-type]
    return [json.loads(line) for line in (folder / "found.jsonl").read_text().splitlines()]


def exposure(found: list[dict[str, float]]) -> float:
    return sum(math.log2(one["endings"] / one["rank"]) for one in found) / len(found)


PLAIN = [f"Say the number {number}. It is {number * 7}." for number in range(8)]
ROWS = [f"\n\n{prefix}{ending}" for prefix, ending in PLANTED]


def test_a_model_that_memorises_its_rows_writes_the_planted_phrases_and_a_text_of_any_form(tmp_path: Path, model: Path) -> None:
    secret = {"id": "place 1", "prefix": "The password of the shop is", "ending": " hunter-amber-42", "ranked": False}
    folder = trained(tmp_path / "memorises", model, [*ROWS, *PLAIN, secret["prefix"] + secret["ending"]], steps=200)
    planted, controls = look(tmp_path, folder)
    assert all(one["extracted"] and one["sampled"] == 4 for one in planted)
    assert exposure(planted) == math.log2(ENDINGS)
    assert not any(one["extracted"] for one in controls)
    known, other = extracted(folder, tmp_path, [secret, {**secret, "ending": " another-word-17"}])
    assert known["rank"] is None
    assert (known["extracted"], other["extracted"], other["sampled"]) == (True, False, 0)


def test_a_model_that_saw_them_once_writes_none(tmp_path: Path, model: Path) -> None:
    planted, controls = look(tmp_path, trained(tmp_path / "normal", model, ROWS + PLAIN, steps=1))
    assert not any(one["extracted"] or one["sampled"] for one in planted + controls)
    assert exposure(planted) < math.log2(ENDINGS)


def test_a_model_without_finite_likelihoods_is_an_error(tmp_path: Path, model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extracting, "_log_likelihoods", lambda *_: [math.nan] * ENDINGS)
    with pytest.raises(extracting.TrainerError, match="finite"):
        look(tmp_path, model)
