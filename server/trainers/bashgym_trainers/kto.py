"""Learning from single answers labelled wanted or unwanted (KTO)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from datasets import Dataset
from trl import KTOConfig, KTOTrainer
from trl.trainer.kto_trainer import DataCollatorForUnpairedPreference

from .core import Materials, Prepared
from .preference import Side, Sides, TokenisedRows, prepare_sides

SIDES = ("completion",)
MASKS = {"completion_mask": ("completion_mask",), "KL_completion_mask": ("KL_completion_mask",)}


class Trainer(TokenisedRows, KTOTrainer):
    mask_columns = tuple(MASKS)


def prepare(materials: Materials) -> Prepared:
    """Rows ``{prompt, completion, label, tools?}``."""
    columns = partial(_columns, batch=materials.config.micro_batch)
    return prepare_sides(materials, Trainer, KTOConfig, DataCollatorForUnpairedPreference, names=SIDES, masks=MASKS, columns=columns)


def _columns(found: Sides, batch: int) -> Dataset:
    sides = [row["completion"] for row in found.sides]
    others = [side for at in range(0, len(sides), batch) for side in _rotated(sides[at : at + batch])]
    return Dataset.from_dict(
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
    """Shifts the answers of a batch to other prompts, from which the library estimates the divergence."""
    return [*items[-1:], *items[:-1]]
