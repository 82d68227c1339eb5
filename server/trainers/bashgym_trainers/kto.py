"""Learning from single answers that were wanted or not (KTO)."""

from __future__ import annotations

from trl import KTOConfig, KTOTrainer

from .core import Materials, Prepared
from .data import columns
from .loading import reference
from .tokens import size_of_sides


def prepare(materials: Materials) -> Prepared:
    """Rows ``{prompt, completion, label, tools?}``."""
    config, rows, val = materials.config, materials.rows, materials.val
    size = size_of_sides(rows, materials.tokenizer, ("completion",), config.max_length)
    trainer = KTOTrainer(
        model=materials.model,
        ref_model=reference(config, materials.device),
        args=KTOConfig(**materials.arguments(beta=config.beta, max_length=config.max_length)),
        train_dataset=columns(rows.values),
        eval_dataset=columns(val.values) if len(val) else None,
        processing_class=materials.tokenizer,
        peft_config=materials.peft,
    )
    return Prepared(trainer, size, len(val))
