"""Checks that a model's tool calls can be read, by reading back a call that its template writes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bashgym.calls import Call, parse

from .errors import TrainerError
from .render import RenderError, write

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

_CALL = Call("look_up", {"place": "Bergen in 'Norway'", "days": 3, "exact": True})
_TYPES = {"place": "string", "days": "integer", "exact": "boolean"}
_PROPERTIES = {key: {"type": kind, "description": key} for key, kind in _TYPES.items()}
_TOOL = {
    "type": "function",
    "function": {"name": _CALL.name, "description": "Looks it up.", "parameters": {"type": "object", "properties": _PROPERTIES}},
}
_MAX_SHOWN = 200


def why_unreadable(tokenizer: PreTrainedTokenizerBase) -> str | None:
    """Why the calls of a model with this tokenizer and template cannot be read, or None."""
    function = {"name": _CALL.name, "arguments": _CALL.arguments}
    messages: list[dict[str, Any]] = [
        {"role": "user", "content": "How will the weather be?"},
        {"role": "assistant", "content": "", "tool_calls": [{"id": "call00001", "type": "function", "function": function}]},
    ]
    try:
        parts = write(tokenizer, messages, [_TOOL]).conversations[0]
    except RenderError as error:
        return f"Its chat template writes no tool calls: {error}"
    text = "".join(part.text for part in parts if part.trained)
    parsed = parse(text, [_TOOL])
    if parsed.calls == [_CALL] and not parsed.torn:
        return None
    return f"Its chat template writes tool calls in a form that Bash Gym does not know: {text[:_MAX_SHOWN]!r}."


def require_readable(tokenizer: PreTrainedTokenizerBase, what: str) -> None:
    """``what``: the thing to score, as the subject of the error message. Raises ``TrainerError`` (calls_unreadable)."""
    why = why_unreadable(tokenizer)
    if why is not None:
        advice = "Choose a base model whose calls are known, or a chat template that writes them as <tool_call>{json}</tool_call>."
        raise TrainerError("calls_unreadable", f"{what} cannot be scored for this model. {why} {advice}")
