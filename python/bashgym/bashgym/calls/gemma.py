"""Reads the arguments of Gemma's calls: ``{key:<|"|>text<|"|>,other:[1,true]}``."""

from __future__ import annotations

import re
from typing import Any

from .values import DECODER, loaded, past_space

_TEXT = '<|"|>'
_WORDS = {"None": None, "True": True, "False": False, "null": None}
_MAX_DEPTH = 100


class _Unreadable(ValueError):
    pass


def gemma_arguments(text: str, at: int, key: re.Pattern[str], plain: re.Pattern[str]) -> tuple[dict[str, Any], int] | None:
    """The object that begins at an offset, and its end; None if it cannot be read."""
    try:
        value, end = _Reader(text, key, plain).value(at, 0)
    except ValueError:
        return None
    return (value, end) if isinstance(value, dict) else None


class _Reader:
    def __init__(self, text: str, key: re.Pattern[str], plain: re.Pattern[str]) -> None:
        self.text, self.key_pattern, self.plain_pattern = text, key, plain

    def value(self, at: int, depth: int) -> tuple[Any, int]:
        at = past_space(self.text, at)
        if depth > _MAX_DEPTH:
            raise _Unreadable
        if self.text.startswith(_TEXT, at):
            return self.quoted(at)
        if self.text.startswith("{", at):
            return self.items(at + 1, "}", depth)
        if self.text.startswith("[", at):
            return self.items(at + 1, "]", depth)
        if self.text.startswith('"', at):
            return DECODER.raw_decode(self.text, at)
        plain = self.plain_pattern.match(self.text, at)
        if plain is None:
            raise _Unreadable
        word = plain.group()
        value = _WORDS[word] if word in _WORDS else loaded(word)
        if value is None and word not in _WORDS:
            raise _Unreadable
        return value, plain.end()

    def quoted(self, at: int) -> tuple[str, int]:
        end = self.text.find(_TEXT, at + len(_TEXT))
        if end < 0:
            raise _Unreadable
        return self.text[at + len(_TEXT) : end], end + len(_TEXT)

    def key(self, at: int) -> tuple[str, int]:
        at = past_space(self.text, at)
        if self.text.startswith((_TEXT, '"'), at):
            key, at = self.value(at, 0)
            at = past_space(self.text, at)
            if not self.text.startswith(":", at):
                raise _Unreadable
            return key, at + 1
        plain = self.key_pattern.match(self.text, at)
        if plain is None:
            raise _Unreadable
        return plain.group(1), plain.end()

    def items(self, at: int, end: str, depth: int) -> tuple[dict[str, Any] | list[Any], int]:
        fields: dict[str, Any] = {}
        values: list[Any] = []
        at = past_space(self.text, at)
        while not self.text.startswith(end, at):
            key, at = self.key(at) if end == "}" else ("", at)
            value, at = self.value(at, depth + 1)
            at = past_space(self.text, at)
            fields[key] = value
            values.append(value)
            if self.text.startswith(",", at):
                at = past_space(self.text, at + 1)
            elif not self.text.startswith(end, at):
                raise _Unreadable
        return fields if end == "}" else values, at + 1
