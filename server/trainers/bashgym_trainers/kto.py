"""Learning from single answers that were wanted or not (KTO)."""

from __future__ import annotations

from trl import KTOConfig, KTOTrainer

from .core import Materials, Prepared
from .data import columns
from .errors import TrainerError
from .measure import longest_of


def prepare(materials: Materials) -> Prepared:
    """Rows ``{prompt, completion, label, tools?}``."""
    config, rows, val = materials.config, materials.rows, materials.val
    if len({row["label"] for row in rows}) < 2:
        label = "wanted" if rows[0]["label"] else "unwanted"
        raise TrainerError("one_label", f"All rows are {label}; KTO needs both kinds.")
    trainer = KTOTrainer(
        model=materials.model,
        args=KTOConfig(**materials.arguments(beta=config.beta, max_length=config.max_length)),
        train_dataset=columns(rows),
        eval_dataset=columns(val) if val else None,
        processing_class=materials.tokenizer,
        peft_config=materials.peft,
    )
    size = longest_of(materials, rows, ("completion",))
    return Prepared(trainer, len(rows), len(val), size.tokens, None, size.truncated, size.longest)
