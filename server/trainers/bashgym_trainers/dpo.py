"""Direct preference optimisation: the chosen answer becomes more likely than the rejected one."""

from __future__ import annotations

from datasets import Dataset
from trl import DPOConfig, DPOTrainer
from trl.trainer.dpo_trainer import DataCollatorForPreference

from .core import Materials, Prepared
from .preference import Sides, TokenisedRows, prepare_sides

SIDES = ("chosen", "rejected")
MASKS = {"completion_mask": ("chosen_mask", "rejected_mask")}


class Trainer(TokenisedRows, DPOTrainer):
    mask_columns = MASKS["completion_mask"]


def prepare(materials: Materials) -> Prepared:
    """Rows ``{prompt, chosen, rejected, tools?}``, each a list of messages."""
    return prepare_sides(materials, Trainer, DPOConfig, DataCollatorForPreference, names=SIDES, masks=MASKS, columns=_columns)


def _columns(found: Sides) -> Dataset:
    return Dataset.from_dict(
        {
            "prompt_ids": [row["chosen"].prompt for row in found.sides],
            **{f"{name}_ids": [row[name].answer for row in found.sides] for name in SIDES},
            **{f"{name}_mask": [row[name].mask for row in found.sides] for name in SIDES},
        }
    )
