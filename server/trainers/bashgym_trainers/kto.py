"""Learning from single answers that were wanted or not (KTO)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from datasets import Dataset
from trl import KTOConfig, KTOTrainer
from trl.trainer.kto_trainer import DataCollatorForUnpairedPreference

from .core import Materials, Prepared
from .loading import reference
from .preference import Side, Sides, dataset_of, sides_of, with_masks
from .refusals import check_rows
from .sft import tell_left_out

SIDES = ("completion",)
MASKS = {"completion_mask": ("completion_mask",), "KL_completion_mask": ("KL_completion_mask",)}


class Trainer(KTOTrainer):
    """Takes rows that are tokenized, with the loss mask of their answer."""

    def _prepare_dataset(self, dataset: Dataset, *_: Any) -> Dataset:
        return dataset

    def _set_signature_columns_if_needed(self) -> None:
        super()._set_signature_columns_if_needed()
        self._signature_columns = [*dict.fromkeys([*self._signature_columns, *MASKS])]


def prepare(materials: Materials) -> Prepared:
    """Rows ``{prompt, completion, label, tools?}``."""
    config = materials.config
    train = sides_of(materials.rows, materials.tokenizer, SIDES, config.max_length)
    val = sides_of(materials.val, materials.tokenizer, SIDES, config.max_length) if len(materials.val) else None
    check_rows(config, train.rows)
    train.ways.tell(materials.events)
    tell_left_out(materials, train.size)
    pad: int = materials.tokenizer.pad_token_id  # type: ignore[assignment]
    trainer = Trainer(
        model=materials.model,
        ref_model=reference(config, materials.device),
        args=KTOConfig(**materials.arguments(beta=config.beta, max_length=config.max_length)),
        train_dataset=_columns(train, config.micro_batch),
        eval_dataset=_columns(val, config.micro_batch) if val else None,
        processing_class=materials.tokenizer,
        peft_config=materials.peft,
        # given from the start: the reference may be asked about all rows before the first step
        data_collator=with_masks(DataCollatorForUnpairedPreference(pad_token_id=pad, max_length=config.max_length), MASKS),
    )
    return Prepared(trainer, train.size, val.size.rows if val else 0)


def _columns(found: Sides, batch: int) -> Dataset:
    sides = [row["completion"] for row in found.sides]
    others = [side for at in range(0, len(sides), batch) for side in _rotated(sides[at : at + batch])]
    return dataset_of(
        {
            "prompt_ids": [side.prompt for side in sides],
            "completion_ids": [side.answer for side in sides],
            "completion_mask": [side.mask for side in sides],
            "KL_completion_ids": [side.answer for side in others],
            "KL_completion_mask": [side.mask for side in others],
            "label": [row["label"] for row in found.rows.values],
        }
    )


def _rotated(items: Sequence[Side]) -> list[Side]:
    """Each prompt of a batch with the answer to another one: the library estimates the divergence from them."""
    return [*items[-1:], *items[:-1]]
