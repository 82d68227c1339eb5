"""Reads a list of Python calls, as LFM2 writes its calls: ``[NAME(key='value', other=[1, true])]``."""

from __future__ import annotations

import ast
import re
from typing import Any

PythonCall = tuple[str, dict[str, Any]]
_ARGUMENT = re.compile(r"\s*,?\s*(\w+)=")
_CLOSED = re.compile(r"'(?=\s*\)|\s*,\s*\w+=)")
_OPENED = re.compile(r"\s*,?\s*([\w.-]+)\(")


def python_calls(body: str) -> list[PythonCall] | None:
    """Tries Python's parser first. Some models quote texts without escaping them, so that complex ones need the second parser.
    None if there is no complete list."""
    try:
        tree = ast.parse(body, mode="eval").body
        calls = tree.elts if isinstance(tree, ast.List) else [tree]
        return [(ast.unparse(one.func), {key.arg: _value(key.value) for key in one.keywords}) for one in calls]  # type: ignore
    except (SyntaxError, ValueError, AttributeError, RecursionError, MemoryError):
        pass
    read: list[PythonCall] = []
    is_list = body.startswith("[")
    at = 1 if is_list else 0
    while (opened := _OPENED.match(body, at)) is not None:
        at, arguments = opened.end(), {}
        while (key := _ARGUMENT.match(body, at)) is not None:
            at = key.end()
            value, at = _python_value(body, at)
            arguments[key.group(1)] = value
        if not body.startswith(")", at):
            return None
        read.append((opened.group(1), arguments))
        at += 1
    return read if read and body[at:].strip() == ("]" if is_list else "") else None


def _value(node: ast.expr) -> Any:  # noqa: ANN401
    if isinstance(node, ast.Name):
        return {"true": True, "false": False, "null": None}.get(node.id, node.id)
    if isinstance(node, ast.Dict):
        return {_value(key): _value(value) for key, value in zip(node.keys, node.values, strict=True) if key is not None}
    if isinstance(node, ast.List):
        return [_value(one) for one in node.elts]
    return ast.literal_eval(node)


def _python_value(body: str, at: int) -> tuple[Any, int]:
    if body.startswith("'", at):
        closed = _CLOSED.search(body, at + 1)
        return (body[at + 1 : closed.start()], closed.end()) if closed else (None, len(body))
    end = at
    for end in range(at + 1, len(body) + 1):
        try:
            value = _value(ast.parse(body[at:end].strip(), mode="eval").body)
        except (SyntaxError, ValueError):
            continue
        if re.match(r"\s*\)|\s*,\s*\w+=", body[end:]):
            return value, end
    return None, end
