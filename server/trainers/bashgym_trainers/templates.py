"""Chat templates: training templates, the template for models without one, and the option for thinking.

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
    """Hash of a template without the line break at its end."""
    return hashlib.sha256(template.strip().encode()).hexdigest()


@cache
def training_template_of(template: str) -> str | None:
    """TRL's training template for a known template: it renders the same text, but marks assistant messages and keeps earlier turns."""
    family = json.loads((TRAINING_TEMPLATES / "index.json").read_text()).get(hash_of(template))
    return None if family is None else (TRAINING_TEMPLATES / f"{family}.jinja").read_text(encoding="utf-8")


def chatml() -> str:
    """The template for a base model without one: ChatML with tools and the model's end mark."""
    return (TRAINING_TEMPLATES.parent / "chatml.jinja").read_text(encoding="utf-8")


def thinks(messages: Sequence[dict[str, Any]]) -> bool:
    """Whether an answer contains thoughts."""
    return any(
        message.get("reasoning_content") or "</think>" in (message.get("content") or "")
        for message in messages
        if message.get("role") == "assistant"
    )


def knows_thinking(template: str) -> bool:
    """Whether a template has the option for thinking."""
    return _THINKING in template


def store_thinking(tokenizer: PreTrainedTokenizerBase, *, thinking: bool) -> None:
    """Stores the template's option for thinking in the tokenizer, so that the trained model and its exports use it."""
    tokenizer.init_kwargs.pop(_THINKING, None)
    if not thinking and tokenizer.chat_template and knows_thinking(str(tokenizer.chat_template)):
        tokenizer.init_kwargs[_THINKING] = False


def stored_thinking(tokenizer: PreTrainedTokenizerBase) -> dict[str, Any]:
    """The option for thinking that was stored with a tokenizer."""
    return {_THINKING: False} if tokenizer.init_kwargs.get(_THINKING) is False else {}


def options(template: str, *, thinking: bool) -> dict[str, Any]:
    """Options of a template. A model trained on rows without thoughts is always prompted without thinking."""
    return {_THINKING: False} if knows_thinking(template) and not thinking else {}
