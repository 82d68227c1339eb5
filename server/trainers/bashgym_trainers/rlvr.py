"""Learning from rewards that can be verified: GRPO with nothing but verifiers."""

from __future__ import annotations

from .core import Materials, Prepared
from .grpo import prepare as prepare_grpo


def prepare(materials: Materials) -> Prepared:
    """As GRPO. That only verifiers are chosen has been checked before anything was loaded (``refusals.check_settings``)."""
    return prepare_grpo(materials)
