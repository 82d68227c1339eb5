"""Small data sets that a tiny model can learn."""

from __future__ import annotations

from typing import Any

WORDS = ["red", "green", "blue", "white"]
TOOLS = [{"type": "function", "function": {"name": "Bash", "description": "Runs it.", "parameters": {"type": "object"}}}]
CALL = {"id": "c1", "type": "function", "function": {"name": "Bash", "arguments": {"command": "ls"}}}


def say(role: str, content: str) -> dict[str, Any]:
    return {"role": role, "content": content}


def sft_rows(count: int = 16) -> list[dict[str, Any]]:
    plain = [{"messages": [say("user", f"Say {word}"), say("assistant", f"{word} {word}")], "tools": []} for word in WORDS]
    with_tool = {
        "messages": [
            say("user", "List the files"),
            {**say("assistant", ""), "tool_calls": [CALL]},
            {**say("tool", "calc.py"), "tool_call_id": "c1", "name": "Bash"},
            say("assistant", "One file."),
        ],
        "tools": TOOLS,
    }
    rows = [*plain, with_tool]
    return [rows[at % len(rows)] for at in range(count)]


def preference_rows(count: int = 16) -> list[dict[str, Any]]:
    pairs = [
        {"prompt": [say("user", f"Say {word}")], "chosen": [say("assistant", f"{word} yes")], "rejected": [say("assistant", "no no no")]}
        for word in WORDS
    ]
    return [pairs[at % len(pairs)] for at in range(count)]


def label_rows(count: int = 8) -> list[dict[str, Any]]:
    return [
        {"prompt": row["prompt"], "completion": row[side], "label": side == "chosen"}
        for row in preference_rows(count)
        for side in ("chosen", "rejected")
    ]


def colour_rows() -> list[dict[str, Any]]:
    """One prompt with each colour as an answer, to train the model that GRPO starts from."""
    return [{"messages": [say("user", "Name a colour"), say("assistant", word)]} for word in WORDS]


def code_rows() -> list[dict[str, Any]]:
    """As many correct as wrong programs."""
    return [{"messages": [say("user", "Write it"), say("assistant", f"```py\n{body}\n```")]} for body in ("x = 1", "x = 2")]
