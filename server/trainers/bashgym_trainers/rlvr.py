"""Learning from verifiable rewards: GRPO with only verifiers, which ``refusals.check_settings`` checks."""

from .grpo import prepare

__all__ = ["prepare"]
