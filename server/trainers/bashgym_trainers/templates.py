"""Chat templates: the training template of a known one, the one for a model that has none, and their option for thinking.

The same rule is implemented here and in ``server/src/stages/factory/preview/templates.ts``. Both read the same files.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

TRAINING_TEMPLATES = Path(__file__).parent / "training_templates"
_THINKING = "enable_thinking"


def hash_of(template: str) -> str:
    """Of a template as it is compared: files end with or without a line break."""
    return hashlib.sha256(template.strip().encode()).hexdigest()


@cache
def training_template_of(template: str) -> str | None:
    """TRL's training template of a family: it writes the same text, marks the assistant messages, and does not change earlier turns."""
    family = json.loads((TRAINING_TEMPLATES / "index.json").read_text()).get(hash_of(template))
    return None if family is None else (TRAINING_TEMPLATES / f"{family}.jinja").read_text(encoding="utf-8")


def chatml() -> str:
    """For a base model without a template: ChatML with tools, each turn closed by the end mark that the model has."""
    return (TRAINING_TEMPLATES.parent / "chatml.jinja").read_text(encoding="utf-8")


def thinks(messages: Sequence[dict[str, Any]]) -> bool:
    """Whether an answer holds what the model thought before."""
    return any(
        message.get("reasoning_content") or "</think>" in (message.get("content") or "")
        for message in messages
        if message.get("role") == "assistant"
    )


def knows_thinking(template: str) -> bool:
    """Whether a template has the option for thinking."""
    return _THINKING in template


def store_thinking(tokenizer: PreTrainedTokenizerBase, *, thinking: bool) -> None:
    """Stores the template's option for thinking in the tokenizer, so that the trained model and its exports are asked with it."""
    tokenizer.init_kwargs.pop(_THINKING, None)
    if not thinking and tokenizer.chat_template and knows_thinking(str(tokenizer.chat_template)):
        tokenizer.init_kwargs[_THINKING] = False


def stored_thinking(tokenizer: PreTrainedTokenizerBase) -> dict[str, Any]:
    """The option that a tokenizer was stored with."""
    return {_THINKING: False} if tokenizer.init_kwargs.get(_THINKING) is False else {}


def options(template: str, *, thinking: bool) -> dict[str, Any]:
    """Options of a template: a model that learns rows without thoughts is asked without them, in training and when it is served."""
    return {_THINKING: False} if knows_thinking(template) and not thinking else {}
