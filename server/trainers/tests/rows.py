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


def letter_prompt() -> list[dict[str, Any]]:
    return [say("system", "."), say("user", "Name a letter")]


def letter_rows() -> list[dict[str, Any]]:
    """Mostly "a", and "b" in an eighth of the rows."""
    return [{"messages": [*letter_prompt(), say("assistant", letter)]} for letter in "aaaaabcd"]


def code_prompt() -> list[dict[str, Any]]:
    return [say("system", "."), say("user", "Write it")]


def code_rows() -> list[dict[str, Any]]:
    """Mostly 2, and 1 in a third of the rows."""
    return [{"messages": [*code_prompt(), say("assistant", f"```py\nx = {value}\n```")]} for value in "222113"]
