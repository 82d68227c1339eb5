"""Distillation: the model learns to answer as its teacher does.

``on-policy``: the model answers, and learns the teacher's probabilities for its own answers. ``logits``: the same for the
answers of the data set. ``text``: the teacher answers once, and the model learns what it wrote; all that is left where
the two do not share a vocabulary.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trl import DistillationConfig, DistillationTrainer, SFTConfig, SFTTrainer
from trl.experimental.gkd import GKDConfig, GKDTrainer
from trl.trainer.sft_trainer import DataCollatorForLanguageModeling

from .answering import answers
from .base import rows_of_vocabulary
from .core import Materials, Prepared
from .data import Rows, prompt_of
from .errors import TrainerError
from .grpo import prompts_with_index, room_for_prompts, tell_left_out
from .loading import load_teacher, load_tokenizer
from .refusals import check_enough
from .sampling import EpochRepeatSampler, by_epoch
from .sft import warn
from .tokens import Prompts, render_prompts, tokenise
from .toolcalls import parse

if TYPE_CHECKING:
    from datasets import Dataset
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

TEXT_BATCH = 8
ANY_LENGTH = 10_000_000
REVERSE_KL, FORWARD_KL = 1.0, 0.0


class OnPolicyTrainer(DistillationTrainer):
    """Takes prompts as rendered text, each with the tools of its own row."""

    def _get_train_sampler(self, dataset: Dataset | None = None) -> EpochRepeatSampler:
        return by_epoch(super()._get_train_sampler(dataset))

    def _tokenize_prompts(self, prompts: list[str]) -> tuple[list[list[int]], None, dict[str, Any]]:
        return self._tokenizer(prompts, add_special_tokens=False)["input_ids"], None, {}


def prepare(materials: Materials) -> Prepared:
    """Rows ``{prompt, tools?}`` or ``{messages, tools?}``; ``logits`` needs the latter."""
    config = materials.config
    if config.teacher is None:
        raise TrainerError("config_invalid", "teacher: distillation needs one.")
    teacher_tokenizer = load_tokenizer(config.teacher)
    difference = _difference(materials, config.teacher, teacher_tokenizer)
    way = config.distill
    if way == "auto":
        way = "text" if difference else "on-policy"
        if difference:
            materials.events.tell("warning", code="teacher_text", message=f"{difference} So the teacher's text is learned from.")
    elif way != "text" and difference:
        raise TrainerError("teacher_differs", f"{difference} Choose `text`, or another teacher.")
    if way == "text":
        return _text(materials, teacher_tokenizer)
    teacher = load_teacher(config.teacher, materials.device)
    teacher.requires_grad_(False)
    return _on_policy(materials, teacher) if way == "on-policy" else _logits(materials, teacher)


def _difference(materials: Materials, folder: Path, tokenizer: PreTrainedTokenizerBase) -> str | None:
    """Why the teacher's probabilities cannot be compared with the model's, or None."""
    if _vocabulary(tokenizer) != _vocabulary(materials.tokenizer):
        return "Teacher and model have different tokenizers."
    theirs = rows_of_vocabulary(folder)
    ours = materials.model.config.get_text_config().vocab_size
    return None if theirs == ours else f"The teacher has {theirs} rows of vocabulary, the model {ours}."


def _vocabulary(tokenizer: PreTrainedTokenizerBase) -> str:
    return hashlib.sha256(json.dumps(sorted(tokenizer.get_vocab().items())).encode()).hexdigest()


def _beta(materials: Materials, default: float) -> float:
    beta = materials.config.beta
    return default if beta is None else beta


def _on_policy(materials: Materials, teacher: PreTrainedModel) -> Prepared:
    config, tokenizer = materials.config, materials.tokenizer
    limit = room_for_prompts(materials)
    train = render_prompts(materials.rows, tokenizer, limit)
    tell_left_out(materials, train, limit)
    check_enough(config, train.size.rows)
    val = render_prompts(materials.val, tokenizer, limit) if len(materials.val) else None
    arguments: dict[str, Any] = {
        "include_num_input_tokens_seen": "no",  # counted by the trainer itself
        "max_completion_length": config.max_completion,
        "temperature": config.temperature,
    }
    if config.dry_run:
        arguments["generation_kwargs"] = {"min_new_tokens": config.max_completion}
    trainer = OnPolicyTrainer(
        model=materials.model,
        teacher_model=teacher,
        args=DistillationConfig(**materials.arguments(beta=_beta(materials, REVERSE_KL), **arguments)),
        train_dataset=prompts_with_index(train, 0),
        eval_dataset=prompts_with_index(val, train.size.rows) if val else None,
        processing_class=tokenizer,
        peft_config=materials.peft,
    )
    return Prepared(trainer, train.size, val.size.rows if val else 0)


def _logits(materials: Materials, teacher: PreTrainedModel) -> Prepared:
    config, tokenizer = materials.config, materials.tokenizer
    train = tokenise(materials.rows, tokenizer, config.max_length)
    val = tokenise(materials.val, tokenizer, config.max_length) if len(materials.val) else None
    warn(materials, train)
    trainer = GKDTrainer(
        model=materials.model,
        teacher_model=teacher,
        args=GKDConfig(
            **materials.arguments(lmbda=0.0, beta=_beta(materials, FORWARD_KL), temperature=config.temperature, max_length=None)
        ),
        data_collator=DataCollatorForLanguageModeling(pad_token_id=tokenizer.pad_token_id),
        train_dataset=train.data,
        eval_dataset=val.data if val else None,
        processing_class=tokenizer,
        peft_config=materials.peft,
    )
    return Prepared(trainer, train.size, len(val.data) if val else 0)


def _text(materials: Materials, tokenizer: PreTrainedTokenizerBase) -> Prepared:
    config = materials.config
    teacher: PreTrainedModel | None = None

    def answered(rows: Rows, name: str) -> Rows:
        nonlocal teacher
        prompts = render_prompts(rows, tokenizer, ANY_LENGTH)
        prompts.ways.tell(materials.events)
        rows = prompts.rows
        file = config.output / name
        known = _known(file)
        if len(known) < len(rows):
            if teacher is None:
                teacher = load_teacher(config.teacher, materials.device)  # type: ignore[arg-type]
                teacher.to(materials.device)  # type: ignore[arg-type]
            known = _ask(materials, teacher, tokenizer, prompts, file, known)
        return Rows([_with_answer(row, text) for row, text in zip(rows.values, known, strict=True)], rows.lines)

    rows = answered(materials.rows, "teacher-answers.jsonl")
    val = answered(materials.val, "teacher-answers-val.jsonl") if len(materials.val) else materials.val
    teacher = None
    learned = replace(materials, rows=rows, val=val)
    train = tokenise(rows, materials.tokenizer, config.max_length)
    held_out = tokenise(val, materials.tokenizer, config.max_length) if len(val) else None
    warn(learned, train)
    trainer = SFTTrainer(
        model=materials.model,
        args=SFTConfig(**materials.arguments(max_length=None, packing=False)),
        train_dataset=train.data,
        eval_dataset=held_out.data if held_out else None,
        processing_class=materials.tokenizer,
        peft_config=materials.peft,
    )
    return Prepared(trainer, train.size, len(held_out.data) if held_out else 0)


def _known(file: Path) -> list[str]:
    """Answers that the teacher has given in this run before, whole lines only."""
    if not file.exists():
        return []
    whole, _, torn = file.read_text(encoding="utf-8").rpartition("\n")
    if torn:
        file.write_text(whole + "\n" if whole else "", encoding="utf-8")
    return [json.loads(line)["text"] for line in whole.split("\n") if line]


def _ask(
    materials: Materials, teacher: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, prompts: Prompts, file: Path, known: list[str]
) -> list[str]:
    texts = list(known)
    lines_of = prompts.rows.lines
    with file.open("a", encoding="utf-8") as lines:
        for start in range(len(known), len(lines_of), TEXT_BATCH):
            materials.events.tell("phase", phase="tokenising", detail=f"the teacher answers, {start} of {len(lines_of)}")
            batch = slice(start, start + TEXT_BATCH)
            said = answers(teacher, tokenizer, prompts.texts[batch], materials.config.max_completion)
            lines.writelines(
                json.dumps({"row": row, "text": text}, ensure_ascii=False) + "\n" for row, text in zip(lines_of[batch], said, strict=True)
            )
            lines.flush()
            texts += said
    return texts


def _with_answer(row: dict[str, Any], text: str) -> dict[str, Any]:
    """The row as a conversation that the teacher ends; its calls are structured, for the model's template to write its own way."""
    said = parse(text, row.get("tools"))
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if said.calls and not said.torn:
        calls = [{"type": "function", "function": {"name": call.name, "arguments": call.arguments}} for call in said.calls]
        message = {"role": "assistant", "content": said.text, "tool_calls": calls}
    return {"messages": [*prompt_of(row), message], **({"tools": row["tools"]} if "tools" in row else {})}
