"""Learning from verifiable rewards: GRPO with only verifiers."""

from __future__ import annotations

from .core import Materials, Prepared
from .grpo import prepare as prepare_grpo


def prepare(materials: Materials) -> Prepared:
    """Prepares like GRPO. ``refusals.check_settings`` has checked that all rewards are verifiers."""
    return prepare_grpo(materials)
