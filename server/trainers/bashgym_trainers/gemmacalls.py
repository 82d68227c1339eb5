"""Reads the arguments of Gemma's calls: ``{key:<|"|>text<|"|>,other:[1,true]}``."""

from __future__ import annotations

import json
import re
from typing import Any

_TEXT = '<|"|>'
_KEY = re.compile(r"\s*([^\s{}\[\],:\"]+)\s*:")
_PLAIN = re.compile(r"[^\s,{}\[\]]+")
_SPACE = re.compile(r"\s*")
_MAX_DEPTH = 100


class _Unreadable(ValueError):
    pass


def gemma_arguments(text: str, at: int) -> tuple[dict[str, Any], int] | None:
    """The object that begins at an offset, and its end; None if it cannot be read."""
    try:
        value, end = _value(text, at, 0)
    except (_Unreadable, ValueError):
        return None
    return (value, end) if isinstance(value, dict) else None


def _past_space(text: str, at: int) -> int:
    return _SPACE.match(text, at).end()  # type: ignore[union-attr]


def _value(text: str, at: int, depth: int) -> tuple[Any, int]:
    at = _past_space(text, at)
    if depth > _MAX_DEPTH:
        raise _Unreadable
    if text.startswith(_TEXT, at):
        return _quoted(text, at)
    if text.startswith("{", at):
        return _items(text, at + 1, "}", depth)
    if text.startswith("[", at):
        return _items(text, at + 1, "]", depth)
    if text.startswith('"', at):
        return json.JSONDecoder().raw_decode(text, at)
    plain = _PLAIN.match(text, at)
    if plain is None:
        raise _Unreadable
    word = plain.group()
    return {"None": None, "True": True, "False": False}[word] if word in ("None", "True", "False") else json.loads(word), plain.end()


def _quoted(text: str, at: int) -> tuple[str, int]:
    end = text.find(_TEXT, at + len(_TEXT))
    if end < 0:
        raise _Unreadable
    return text[at + len(_TEXT) : end], end + len(_TEXT)


def _key(text: str, at: int) -> tuple[str, int]:
    at = _past_space(text, at)
    if text.startswith((_TEXT, '"'), at):
        key, at = _value(text, at, 0)
        at = _past_space(text, at)
        if not text.startswith(":", at):
            raise _Unreadable
        return key, at + 1
    plain = _KEY.match(text, at)
    if plain is None:
        raise _Unreadable
    return plain.group(1), plain.end()


def _items(text: str, at: int, end: str, depth: int) -> tuple[dict[str, Any] | list[Any], int]:
    fields: dict[str, Any] = {}
    values: list[Any] = []
    at = _past_space(text, at)
    while not text.startswith(end, at):
        key, at = _key(text, at) if end == "}" else ("", at)
        value, at = _value(text, at, depth + 1)
        at = _past_space(text, at)
        fields[key] = value
        values.append(value)
        if text.startswith(",", at):
            at = _past_space(text, at + 1)
        elif not text.startswith(end, at):
            raise _Unreadable
    return fields if end == "}" else values, at + 1
