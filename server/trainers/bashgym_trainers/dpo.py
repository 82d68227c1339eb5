"""Direct preference optimisation: the chosen answer becomes likelier than the rejected one."""

from __future__ import annotations

from trl import DPOConfig, DPOTrainer

from .core import Materials, Prepared
from .data import columns
from .measure import longest_of


def prepare(materials: Materials) -> Prepared:
    """Rows ``{prompt, chosen, rejected, tools?}``, each a list of messages."""
    config, rows, val = materials.config, materials.rows, materials.val
    trainer = DPOTrainer(
        model=materials.model,
        args=DPOConfig(**materials.arguments(beta=config.beta, max_length=config.max_length)),
        train_dataset=columns(rows),
        eval_dataset=columns(val) if val else None,
        processing_class=materials.tokenizer,
        peft_config=materials.peft,
    )
    size = longest_of(materials, rows, ("chosen", "rejected"))
    return Prepared(trainer, len(rows), len(val), size.tokens, None, size.truncated, size.longest)
