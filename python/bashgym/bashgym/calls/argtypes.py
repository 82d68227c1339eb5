"""Values of arguments from text, by the schema of their tool, for the formats that write every value as text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from .values import loaded

Schema = dict[str, Any]
_MAX_DEPTH = 20
_ANY = frozenset({"string", "integer", "number", "boolean", "null", "array", "object"})


def typed(name: str, pairs: Iterable[tuple[str, str]], tools: Sequence[Any] | None) -> dict[str, Any]:
    """The arguments of a call. A value without a schema stays text."""
    parameters: Schema = {}
    for tool in tools or []:
        function = tool.get("function", tool)
        if isinstance(function, dict) and function.get("name") == name:
            parameters = function.get("parameters") or {}
    properties = _resolved(parameters, parameters).get("properties") or {}
    return {key: _value(text, properties.get(key), parameters) for key, text in pairs}


def _value(text: str, schema: Any, root: Schema) -> Any:
    allowed = _allowed(schema, root, 0)
    if allowed is None:
        return text
    kinds, choices = allowed
    if choices:
        return next((one for one in choices if _written(one) == text), text)
    if "null" in kinds and text in ("null", "None"):
        return None
    value = loaded(text)
    if isinstance(value, dict | list) and _kind(value) in kinds:
        return value
    if "string" in kinds:
        return text
    if "boolean" in kinds and text in ("True", "False"):
        return text == "True"
    if value is not None and (_kind(value) in kinds or ("number" in kinds and _kind(value) == "integer")):
        return value
    return text if "integer" not in kinds or not isinstance(value, float) or not value.is_integer() else int(value)


def _allowed(schema: Any, root: Schema, depth: int) -> tuple[frozenset[str], list[Any]] | None:
    """The JSON types that a schema allows, and the only values that it allows if it lists them. None: it says nothing."""
    if not isinstance(schema, dict) or depth > _MAX_DEPTH:
        return None
    schema = _resolved(schema, root)
    choices = schema.get("enum") if isinstance(schema.get("enum"), list) else [schema["const"]] if "const" in schema else []
    nullable = {"null"} if schema.get("nullable") is True else set()
    kind = schema.get("type")
    if isinstance(kind, str | list):
        kinds = frozenset({kind} if isinstance(kind, str) else {one for one in kind if isinstance(one, str)}) | nullable
        return kinds, [*choices, *([None] if choices and nullable else [])]
    if choices:
        return frozenset(map(_kind, choices)) | nullable, [*choices, *([None] if nullable else [])]
    branches = [branch for key in ("anyOf", "oneOf") for branch in schema.get(key) or []]
    if branches:
        found = [one for one in (_allowed(branch, root, depth + 1) for branch in branches) if one is not None]
        if len(found) < len(branches):  # a branch takes anything
            return None
        kinds = frozenset().union(*(kinds for kinds, _ in found)) | nullable
        only = [value for _, values in found for value in values]
        return kinds, only if all(values or kinds == {"null"} for kinds, values in found) and only else []
    parts = [one for one in (_allowed(part, root, depth + 1) for part in schema.get("allOf") or []) if one is not None]
    if parts:
        kinds = _ANY.intersection(*(kinds for kinds, _ in parts)) | nullable
        return kinds, next((values for _, values in parts if values), [])
    return (frozenset({"object"}), []) if "properties" in schema else None


def _resolved(schema: Schema, root: Schema) -> Schema:
    """The schema that a ``$ref`` within the tool points to."""
    for _ in range(_MAX_DEPTH):
        reference = schema.get("$ref")
        if not isinstance(reference, str) or not reference.startswith("#/"):
            return schema
        found: Any = root
        for part in reference[2:].split("/"):
            found = found.get(part.replace("~1", "/").replace("~0", "~")) if isinstance(found, dict) else None
        if not isinstance(found, dict):
            return schema
        schema = found
    return schema


def _kind(value: Any) -> str:
    for kind, name in ((bool, "boolean"), (str, "string"), (int, "integer"), (float, "number"), (list, "array"), (dict, "object")):
        if isinstance(value, kind):
            return name
    return "null"


def _written(value: Any) -> str:
    """As templates write a value that is not JSON: ``True`` as Python does; texts without quotes."""
    return value if isinstance(value, str) else json.dumps(value) if isinstance(value, dict | list) else str(value)
