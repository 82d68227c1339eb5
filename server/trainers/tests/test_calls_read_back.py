"""What a family's template writes for any arguments, the reader reads back; and what only looks like a call is text."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
import trl
from bashgym.calls import Call, parse
from make_tokenizer import make, qwen_template
from test_families import WRITTEN
from transformers import PreTrainedTokenizerFast

from bashgym_trainers.render import write

TRL_TEMPLATES = Path(trl.__file__).parent / "chat_templates"
ROUNDS = 60
# Texts that could end a call, a parameter or thoughts, or be taken for another type.
PARTS = (
    *("</tool_call>", "<tool_call>", "</parameter>", "</function>", "<parameter=x>", "</arg_value>", "</think>", "<think>", "[TOOL_CALLS]"),
    *("</atem:parameter>", "<|tool_call_end|>", "<tool_call|>", "to=functions.x", "{", "}", "[", "]", '"', ",", ":", "(", ")", "; "),
    *("\n", " ", "  ", "a", "é", "検", "🙂", "42", "1.5", "null", "None", "true", "True", "=", "//", "```", "import os", "-rf"),
)
# Lfm2's first templates write quoted texts without escaping them, so that these cannot be told from the end of the text.
UNESCAPED = {"lfm2_2_5": "(),[]=", "lfm2_2_5_v2": "(),[]=", "lfm2_2_5_vl": "(),[]="}


def text(rng: random.Random) -> str:
    return "".join(rng.choice(PARTS) for _ in range(rng.randint(0, 6)))


def value(rng: random.Random, schema: dict[str, Any]) -> Any:  # noqa: ANN401
    kind = schema.get("type")
    if kind == "array":
        return [rng.choice([text(rng), rng.randint(-9, 9), True, {"k": text(rng)}]) for _ in range(rng.randint(0, 3))]
    if kind == "object":
        return {name: rng.choice([text(rng), rng.randint(-9, 9), False, [text(rng)]]) for name in ("p", "q")[: rng.randint(0, 2)]}
    some = {"string": text(rng), "integer": rng.randint(-99, 99), "number": rng.randint(-99, 99) / 4, "boolean": rng.random() < 0.5}
    return some[str(kind)]


PROPERTIES: dict[str, dict[str, Any]] = {
    "plain": {"type": "string", "description": "d"},
    "count": {"type": "integer", "description": "d"},
    "share": {"type": "number", "description": "d"},
    "flag": {"type": "boolean", "description": "d"},
    "items": {"type": "array", "description": "d"},
    "fields": {"type": "object", "description": "d"},
}
TOOL = {
    "type": "function",
    "function": {"name": "do_it", "description": "Does it.", "parameters": {"type": "object", "properties": PROPERTIES, "required": []}},
}


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> PreTrainedTokenizerFast:
    tokenizer = make(tmp_path_factory.mktemp("read-back"), qwen_template())
    tokenizer.bos_token = "<|endoftext|>"
    return tokenizer


@pytest.mark.parametrize("family", WRITTEN)
def test_any_arguments_are_read_back(tokenizer: PreTrainedTokenizerFast, family: str) -> None:
    tokenizer.chat_template = (TRL_TEMPLATES / f"{family}.jinja").read_text()
    rng = random.Random(family)
    for _ in range(ROUNDS):
        names = rng.sample(sorted(PROPERTIES), rng.randint(0, 4))
        arguments = {name: value(rng, PROPERTIES[name]) for name in names}
        if family in UNESCAPED:
            arguments = {name: one for name, one in arguments.items() if not set(UNESCAPED[family]) & set(json.dumps(one)[1:-1])}
        call = {"id": "call00001", "type": "function", "function": {"name": "do_it", "arguments": arguments}}
        row = [{"role": "user", "content": "Go."}, {"role": "assistant", "content": "", "tool_calls": [call]}]
        answer = "".join(part.text for part in write(tokenizer, row, [TOOL]).conversations[-1] if part.trained)
        read = parse(answer, [TOOL])
        assert (read.calls, read.torn) == ([Call("do_it", arguments)], False), answer


DEFINED = {"$defs": {"Mode": {"enum": ["fast", "3"]}, "Size": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}}


@pytest.mark.parametrize(
    ("schema", "written", "expected"),
    [
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "5", 5),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "None", None),
        ({"type": ["string", "null"]}, "42", "42"),
        ({"type": "string", "nullable": True}, "null", None),
        ({"type": ["integer", "string"]}, "42", "42"),
        ({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}, '["a"]', ["a"]),
        ({"anyOf": [{"type": "string"}, {"type": "array"}]}, "[a", "[a"),
        ({"enum": ["1", 2, None]}, "1", "1"),
        ({"enum": ["1", 2, None]}, "2", 2),
        ({"enum": ["1", 2, None]}, "None", None),
        ({"const": 3}, "3", 3),
        ({"$ref": "#/$defs/Mode"}, "3", "3"),
        ({"$ref": "#/$defs/Size"}, "3", 3),
        ({"allOf": [{"$ref": "#/$defs/Size"}]}, "3", 3),
        ({"$ref": "#/$defs/gone"}, "3", "3"),
        ({"type": "number"}, "5", 5),
        ({"type": "boolean"}, "True", True),
        ({"properties": {"a": {"type": "string"}}}, '{"a": "b"}', {"a": "b"}),
        ({"type": "integer"}, "many", "many"),
        ({}, "5", "5"),
    ],
)
def test_a_schema_decides_what_a_text_is(schema: dict[str, Any], written: str, expected: Any) -> None:  # noqa: ANN401
    tools = [{"type": "function", "function": {"name": "f", "parameters": {**DEFINED, "properties": {"x": schema}}}}]
    answer = f"<tool_call>\n<function=f>\n<parameter=x>\n{written}\n</parameter>\n</function>\n</tool_call>"
    (call,) = parse(answer, tools).calls
    assert call.arguments == {"x": expected} and type(call.arguments["x"]) is type(expected)


SHARED = json.loads((Path(__file__).parents[3] / "python/bashgym/tests/calls.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", SHARED["forms"], ids=lambda case: case["answer"][:40])
def test_every_form_is_read_to_its_own_end(case: dict[str, Any]) -> None:
    read = parse(case["answer"])
    assert ([[call.name, call.arguments] for call in read.calls], read.torn) == (case["calls"], case.get("torn", False))
    assert case["calls"] or read.torn or read.text == case["answer"]


@pytest.mark.parametrize("family", WRITTEN)
def test_the_answers_that_the_server_reads_too_are_those_of_the_templates(tokenizer: PreTrainedTokenizerFast, family: str) -> None:
    """Templates change: then calls.json changes, and the reader of environments has to read it."""
    tokenizer.chat_template = (TRL_TEMPLATES / f"{family}.jinja").read_text()
    function = {"name": "terminal", "arguments": {"command": SHARED["command"]}}
    call = {"id": "call00001", "type": "function", "function": function}
    row = [{"role": "user", "content": "Go."}, {"role": "assistant", "content": "", "tool_calls": [call]}]
    properties = {"command": {"type": "string", "description": "d"}, "final_answer": {"type": "string", "description": "d"}}
    tool = {**TOOL, "function": {**TOOL["function"], "name": "terminal", "parameters": {"type": "object", "properties": properties}}}
    answer = "".join(part.text for part in write(tokenizer, row, [tool]).conversations[-1] if part.trained)
    assert SHARED["families"].get(family) == answer
    assert parse(answer).calls == [Call("terminal", {"command": SHARED["command"]})]
