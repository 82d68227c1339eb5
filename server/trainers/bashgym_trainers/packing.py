"""Checks that rows packed into one sequence do not influence each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .answering import undisturbed
from .errors import TrainerError

if TYPE_CHECKING:
    from transformers import PreTrainedModel

TOLERANCE = {"float32": 1e-3, "bfloat16": 5e-2}  # of the largest logit


def check_isolated(model: PreTrainedModel, device: str) -> None:
    """Compares a row alone with the same row packed after another one. Raises ``TrainerError`` (packing_unavailable)."""
    import torch

    model.to(device)  # type: ignore[arg-type]
    vocabulary = int(model.get_input_embeddings().weight.shape[0])
    first, second = (torch.arange(start, start + 6, device=model.device)[None] % vocabulary for start in (5, 17))
    positions = torch.arange(6, device=model.device)[None]
    with undisturbed(model):
        alone = model(input_ids=second, position_ids=positions, use_cache=False).logits
        both = model(
            input_ids=torch.cat([first, second], dim=1), position_ids=torch.cat([positions, positions], dim=1), use_cache=False
        ).logits[:, 6:]
    apart = float((alone - both).abs().max())
    largest = float(alone.abs().max())
    if apart > TOLERANCE.get(str(alone.dtype).removeprefix("torch."), 5e-2) * largest:
        raise TrainerError(
            "packing_unavailable",
            f"On {device} this model lets packed rows see each other (a logit moves by {apart:.3g}). Turn off packing.",
        )
