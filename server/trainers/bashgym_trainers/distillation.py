"""Distillation: the model learns to answer like its teacher.

``on-policy``: the model generates answers, and learns the teacher's probabilities for them. ``logits``: the same for the
answers in the data set. ``text``: the teacher answers every turn once, and the model learns this text. Only ``text`` works if
model and teacher have different vocabularies.
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

from .base import rows_of_vocabulary
from .calling import require_readable
from .config import Config
from .core import Materials, Prepared
from .data import Rows
from .errors import TrainerError
from .grpo import emit_left_out, max_prompt_tokens, prompts_with_index
from .loading import load_teacher, load_tokenizer
from .refusals import check_enough
from .sampling import RenderedPrompts
from .sft import emit_warnings
from .teacher import TeacherAnswer, TeacherRows, ask, learnable_rows, turns_of
from .tokens import render_prompts, tokenise

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

DRY_TOKENS = 32
# Reasons why answers of a teacher are left out, written after the count.
REASON_TEXTS = {
    "unwritten": "whose prompt the teacher's chat template cannot write",
    "prompt_too_long": "whose prompt does not fit into the teacher's context",
    "too_long": "that did not end within the limit",
    "unreadable": "with a call that cannot be read",
    "unknown_tool": "that call a tool the row does not have",
    "empty": "that are empty",
}
REVERSE_KL, FORWARD_KL = 1.0, 0.0


class OnPolicyTrainer(RenderedPrompts, DistillationTrainer):
    """Learns the teacher's probabilities for answers that the model generates."""


def prepare(materials: Materials) -> Prepared:
    """Rows ``{prompt, tools?}`` or ``{messages, tools?}``; ``logits`` needs the latter."""
    config = materials.config
    if config.teacher is None:
        raise TrainerError("config_invalid", "teacher: distillation needs one.")
    teacher_tokenizer = load_tokenizer(config.teacher)
    difference = _difference(materials, config.teacher, teacher_tokenizer)
    signal = config.distill
    if signal == "auto":
        signal = "text" if difference else "on-policy"
        if difference:
            materials.events.emit("warning", code="teacher_text", message=f"{difference} So the model learns from the teacher's text.")
    elif signal != "text" and difference:
        raise TrainerError("teacher_differs", f"{difference} Choose `text`, or another teacher.")
    if signal == "text":
        return _text(materials)
    teacher = load_teacher(config.teacher, materials.device)
    teacher.requires_grad_(False)
    return _on_policy(materials, teacher) if signal == "on-policy" else _logits(materials, teacher)


def _difference(materials: Materials, folder: Path, tokenizer: PreTrainedTokenizerBase) -> str | None:
    """Why the teacher's probabilities cannot be compared with the model's, or None."""
    if _vocabulary(tokenizer) != _vocabulary(materials.tokenizer):
        return "Teacher and model have different tokenizers."
    teacher_size = rows_of_vocabulary(folder)
    model_size = materials.model.config.get_text_config().vocab_size
    return None if teacher_size == model_size else f"The teacher has {teacher_size} rows of vocabulary, the model {model_size}."


def _vocabulary(tokenizer: PreTrainedTokenizerBase) -> str:
    return hashlib.sha256(json.dumps(sorted(tokenizer.get_vocab().items())).encode()).hexdigest()


def _beta(materials: Materials, default: float) -> float:
    beta = materials.config.beta
    return default if beta is None else beta


def _on_policy(materials: Materials, teacher: PreTrainedModel) -> Prepared:
    config, tokenizer = materials.config, materials.tokenizer
    limit = max_prompt_tokens(materials)
    train = render_prompts(materials.rows, tokenizer, limit)
    emit_left_out(materials, train, limit)
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
    emit_warnings(materials, train)
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


def _text(materials: Materials) -> Prepared:
    config = materials.config
    train = _teacher_rows(materials, materials.rows, "train")
    if not len(train.rows):
        raise TrainerError("no_teacher_answers", f"None of the teacher's {train.asked} answers can be learned from. {_why(train, config)}")
    val = _teacher_rows(materials, materials.val, "val") if len(materials.val) else None
    rows = replace(materials, rows=train.rows)
    tokenised = tokenise(train.rows, materials.tokenizer, config.max_length)
    held_out = tokenise(val.rows, materials.tokenizer, config.max_length) if val and len(val.rows) else None
    emit_warnings(rows, tokenised)
    no_evaluation = {} if held_out or not val else {"eval_strategy": "no", "load_best_model_at_end": False, "metric_for_best_model": None}
    if no_evaluation:
        message = (
            f"None of the teacher's answers to held-out rows can be learned from, so nothing is evaluated. {_why(val or train, config)}"
        )
        materials.events.emit("warning", code="no_teacher_answers", message=message)
    trainer = SFTTrainer(
        model=materials.model,
        args=SFTConfig(**materials.arguments(max_length=None, packing=False, **no_evaluation)),
        train_dataset=tokenised.data,
        eval_dataset=held_out.data if held_out else None,
        processing_class=materials.tokenizer,
        peft_config=materials.peft,
    )
    return Prepared(trainer, tokenised.size, len(held_out.data) if held_out else 0)


def _teacher_rows(materials: Materials, rows: Rows, split: str) -> TeacherRows:
    config, events = materials.config, materials.events

    def load() -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
        folder: Path = config.teacher  # type: ignore[assignment]
        tokenizer = load_tokenizer(folder)
        if any(turn.tools for turn in turns):
            require_readable(tokenizer, "What the teacher calls")
        return load_teacher(folder, materials.device).to(materials.device), tokenizer  # type: ignore[arg-type]

    def on_progress(done: int, of: int) -> None:
        events.emit("phase", phase="tokenising", detail=f"the teacher answers, {done} of {of}")

    turns = turns_of(rows)
    if config.dry_run:
        turns = turns[-config.batch_size :]
    name = "teacher-answers.jsonl" if split == "train" else "teacher-answers-val.jsonl"
    answers = ask(turns, config.output / name, DRY_TOKENS if config.dry_run else config.teacher_tokens, load, on_progress)
    if config.dry_run:  # a dry run tests the memory, so any answer will do
        answers = [TeacherAnswer(one.text or "-", ended=True) for one in answers]
    found = learnable_rows(turns, answers)
    left_out = found.left_out
    events.emit(
        "teacher",
        split=split,
        asked=found.asked,
        kept=len(found.rows),
        tooLong=left_out["too_long"],
        promptTooLong=left_out["prompt_too_long"],
        unwritten=left_out["unwritten"],
        unreadable=left_out["unreadable"],
        unknownTool=left_out["unknown_tool"],
        empty=left_out["empty"],
        sampling={"temperature": 0, "maxTokens": config.teacher_tokens},
    )
    return found


def _why(found: TeacherRows, config: Config) -> str:
    counts = [f"{count} {REASON_TEXTS[reason]}" for reason, count in found.left_out.items() if count]
    more = f" Raise teacherTokens above {config.teacher_tokens}." if found.left_out["too_long"] else ""
    return f"Left out: {', '.join(counts)}.{more}"
