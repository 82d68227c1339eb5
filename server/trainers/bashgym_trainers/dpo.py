"""Direct preference optimisation: the chosen answer becomes likelier than the rejected one."""

from __future__ import annotations

from typing import Any

from datasets import Dataset
from trl import DPOConfig, DPOTrainer
from trl.trainer.dpo_trainer import DataCollatorForPreference

from .core import Materials, Prepared
from .loading import reference
from .preference import Sides, dataset_of, sides_of, with_masks
from .sft import tell_left_out

SIDES = ("chosen", "rejected")
MASKS = {"completion_mask": ("chosen_mask", "rejected_mask")}


class Trainer(DPOTrainer):
    """Takes rows that are tokenized, with the loss mask of each side."""

    def _prepare_dataset(self, dataset: Dataset, *_: Any) -> Dataset:
        return dataset

    def _set_signature_columns_if_needed(self) -> None:
        super()._set_signature_columns_if_needed()
        self._signature_columns = [*dict.fromkeys([*self._signature_columns, *MASKS["completion_mask"]])]


def prepare(materials: Materials) -> Prepared:
    """Rows ``{prompt, chosen, rejected, tools?}``, each a list of messages."""
    config = materials.config
    train = sides_of(materials.rows, materials.tokenizer, SIDES, config.max_length)
    val = sides_of(materials.val, materials.tokenizer, SIDES, config.max_length) if len(materials.val) else None
    train.ways.tell(materials.events)
    tell_left_out(materials, train.size)
    pad: int = materials.tokenizer.pad_token_id  # type: ignore[assignment]
    trainer = Trainer(
        model=materials.model,
        ref_model=reference(config, materials.device),
        args=DPOConfig(**materials.arguments(beta=config.beta, max_length=config.max_length)),
        train_dataset=_columns(train),
        eval_dataset=_columns(val) if val else None,
        processing_class=materials.tokenizer,
        peft_config=materials.peft,
        # given from the start: the reference may be asked about all rows before the first step
        data_collator=with_masks(DataCollatorForPreference(pad_token_id=pad, max_length=config.max_length), MASKS),
    )
    return Prepared(trainer, train.size, val.size.rows if val else 0)


def _columns(found: Sides) -> Dataset:
    return dataset_of(
        {
            "prompt_ids": [row["chosen"].prompt for row in found.sides],
            **{f"{name}_ids": [row[name].answer for row in found.sides] for name in SIDES},
            **{f"{name}_mask": [row[name].mask for row in found.sides] for name in SIDES},
        }
    )
