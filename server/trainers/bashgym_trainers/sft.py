"""Supervised fine-tuning: the model learns what the assistant said, and nothing else of a row."""

from __future__ import annotations

from trl import SFTConfig, SFTTrainer

from .core import Materials, Prepared
from .data import Tokenised, tokenise


def prepare(materials: Materials) -> Prepared:
    """Rows ``{messages, tools?}``. Text, ids and loss mask are made by ``render``, as the preview shows them."""
    config, tokenizer = materials.config, materials.tokenizer
    train = tokenise(materials.rows, tokenizer, config.max_length)
    val = tokenise(materials.val, tokenizer, config.max_length) if materials.val else None
    _warn(materials, train)
    trainer = SFTTrainer(
        model=materials.model,
        args=SFTConfig(**materials.arguments(max_length=None, packing=False)),
        train_dataset=train.data,
        eval_dataset=val.data if val else None,
        processing_class=tokenizer,
        peft_config=materials.peft,
    )
    return Prepared(
        trainer,
        rows=len(train.data),
        val_rows=len(val.data) if val else 0,
        tokens=train.tokens,
        trained=train.trained,
        truncated=train.truncated,
        longest=train.longest,
    )


def _warn(materials: Materials, train: Tokenised) -> None:
    limit = materials.config.max_length
    if train.unlearnable:
        message = f"{train.unlearnable} rows have no token that carries loss within {limit} tokens and are left out."
        materials.events.tell("warning", code="unlearnable", message=message)
    if train.truncated:
        rows = len(train.data) + train.unlearnable
        message = f"{train.truncated} of {rows} rows are longer than {limit} tokens and are cut off there."
        materials.events.tell("warning", code="truncated", message=message)
