"""Supervised fine-tuning: the model learns only the assistant messages of a row."""

from __future__ import annotations

from typing import Any

from datasets import Dataset
from trl import SFTConfig, SFTTrainer

from .core import Materials, Prepared
from .packing import check_isolated
from .sampling import ByLength
from .tokens import Size, Tokenised, tokenise


class GroupedTrainer(SFTTrainer):
    """Groups rows of similar length in a step, which reduces padding."""

    def _get_train_sampler(self, train_dataset: Dataset | None = None) -> ByLength:
        rows = self.train_dataset if train_dataset is None else train_dataset
        return ByLength([len(ids) for ids in rows["input_ids"]], self.args.train_batch_size, self.args.seed)


def prepare(materials: Materials) -> Prepared:
    """Rows ``{messages, tools?}``. ``render`` makes text, ids and loss mask, like the preview."""
    config, tokenizer = materials.config, materials.tokenizer
    train = tokenise(materials.rows, tokenizer, config.max_length)
    val = tokenise(materials.val, tokenizer, config.max_length) if len(materials.val) else None
    emit_warnings(materials, train)
    extra_arguments: dict[str, Any] = {"max_length": None, "packing": False}
    if config.packing or config.knobs["padding_free"]:
        check_isolated(materials.model, materials.device)
    if config.packing:
        extra_arguments = {"max_length": config.max_length, "packing": True, "eval_packing": False}
    trainer = (GroupedTrainer if config.group_by_length else SFTTrainer)(
        model=materials.model,
        args=SFTConfig(**materials.arguments(**extra_arguments)),
        train_dataset=train.data,
        eval_dataset=val.data if val else None,
        processing_class=tokenizer,
        peft_config=materials.peft,
    )
    if config.packing:
        _emit_packed(materials, train.size, len(trainer.train_dataset))
    return Prepared(trainer, train.size, len(val.data) if val else 0)


def _emit_packed(materials: Materials, size: Size, packed: int) -> None:
    filled = 100 * size.tokens / (packed * materials.config.max_length)
    gain = size.rows / packed
    detail = f"{size.rows} rows packed into {packed} sequences: {gain:.1f} times fewer, {filled:.0f} % full"
    materials.events.emit("phase", phase="tokenising", detail=detail)


def emit_warnings(materials: Materials, train: Tokenised) -> None:
    limit, size = materials.config.max_length, train.size
    train.rendering.emit(materials.events)
    if train.unlearnable:
        message = f"{train.unlearnable} of {len(materials.rows)} rows have no trained token within {limit} tokens and were left out."
        materials.events.emit("warning", code="unlearnable", message=message)
    if size.left_out:
        message = f"{size.left_out} answers are longer than {limit} tokens with their prompt and were left out. Raise the max length."
        materials.events.emit("warning", code="left_out", message=message)
