"""Tool calls in the answers of models: the one reader of trainers and environments."""

from .forms import Call
from .reader import ParsedAnswer, parse

__all__ = ["Call", "ParsedAnswer", "parse"]
