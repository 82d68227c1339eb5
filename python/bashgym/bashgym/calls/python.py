"""Reads a list of Python calls, as LFM2 writes its calls: ``[NAME(key='value', other=[1, true])]``."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import Any

from .values import fraction, whole_number

PythonCall = tuple[str, dict[str, Any]]
_AFTER_VALUE = re.compile(r"\s*\)|\s*,\s*\w+=", re.ASCII)


def python_calls(body: str, parts: Mapping[str, re.Pattern[str]]) -> list[PythonCall] | None:
    """Tries Python's parser first. Some models quote texts without escaping them, so that complex ones need the second parser.
    None if there is no complete list."""
    try:
        tree = ast.parse(body, mode="eval").body
        calls = tree.elts if isinstance(tree, ast.List) else [tree]
        return [(ast.unparse(one.func), {key.arg: _value(key.value, body) for key in one.keywords}) for one in calls]  # type: ignore
    except (SyntaxError, ValueError, AttributeError, RecursionError, MemoryError):
        pass
    read: list[PythonCall] = []
    is_list = body.startswith("[")
    at = 1 if is_list else 0
    while (opened := parts["pythonCall"].match(body, at)) is not None:
        at, arguments = opened.end(), {}
        while (key := parts["pythonArgument"].match(body, at)) is not None:
            at = key.end()
            value, at = _python_value(body, at, parts["pythonClosed"])
            arguments[key.group(1)] = value
        if not body.startswith(")", at):
            return None
        read.append((opened.group(1), arguments))
        at += 1
    return read if read and body[at:].strip() == ("]" if is_list else "") else None


def _value(node: ast.expr, source: str) -> Any:
    if isinstance(node, ast.Name):
        return {"true": True, "false": False, "null": None}.get(node.id, node.id)
    if isinstance(node, ast.Dict):
        return {_value(key, source): _value(value, source) for key, value in zip(node.keys, node.values, strict=True) if key is not None}
    if isinstance(node, ast.List | ast.Tuple):
        return [_value(one, source) for one in node.elts]
    value = ast.literal_eval(node)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    literal = ast.get_source_segment(source, node) or str(value)
    return whole_number(str(value)) if isinstance(value, int) else fraction(literal.replace("_", "").replace(" ", ""))


def _python_value(body: str, at: int, closing: re.Pattern[str]) -> tuple[Any, int]:
    if body.startswith("'", at):
        closed = closing.search(body, at + 1)
        return (body[at + 1 : closed.start()], closed.end()) if closed else (None, len(body))
    end = at
    for end in range(at + 1, len(body) + 1):
        if not _AFTER_VALUE.match(body, end):
            continue
        literal = body[at:end].strip()
        try:
            return _value(ast.parse(literal, mode="eval").body, literal), end
        except (SyntaxError, ValueError):
            continue
    return None, end
