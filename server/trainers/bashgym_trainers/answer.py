"""``answer``: greedy answers to prompts, from a model folder, a GGUF file, or an adapter on either."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from .base import is_gguf, read_tokenizer, read_weights
from .errors import TrainerError
from .libraries import load_for_answers
from .llama import open_server
from .speak import Lines, fresh, serve_tool
from .toolcalls import parse

CONTEXT = 8192
Prompt = dict[str, Any]
Answer = tuple[str, list[dict[str, Any]]]


def main(file: Path) -> int:
    return serve_tool("answer", file, answer)


def answer(config: dict[str, Any], lines: Lines) -> dict[str, str | float | None]:
    """Writes one line a prompt to ``output``, in their order: whole or not at all."""
    prompts, output, model = list(_prompts(Path(config["prompts"]))), Path(config["output"]), Path(config["model"])
    lines.progress("loading", 0, len(prompts), "prompts")
    ask = (_from_gguf if is_gguf(model) and not config["adapter"] else _by_transformers)(model, config)
    part = fresh(output)
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        for number, prompt in enumerate(prompts):
            lines.progress("answering", number, len(prompts), "prompts")
            text, calls = ask(prompt)
            file.write(json.dumps({"text": text, "calls": calls}, ensure_ascii=False) + "\n")
    os.replace(part, output)
    return {"prompts": len(prompts)}


def _prompts(file: Path) -> Iterator[Prompt]:
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            row = json.loads(line)
            yield {"messages": row["messages"], "tools": row.get("tools") or None}
        except (ValueError, KeyError, TypeError) as error:
            raise TrainerError("prompt_invalid", f"Line {number} of {file} is not a valid prompt: {error}", number) from error


def _from_gguf(model: Path, config: dict[str, Any]) -> Callable[[Prompt], Answer]:
    server = open_server(model, context=CONTEXT, threads=config["threads"])

    def ask(prompt: Prompt) -> Answer:
        request = {"messages": [_with_text_arguments(one) for one in prompt["messages"]], "temperature": 0, "cache_prompt": False}
        tools = {"tools": prompt["tools"]} if prompt["tools"] else {}
        reply = server.handle_chat_completions({**request, **tools, "max_tokens": config["maxTokens"]})
        if "choices" not in reply:
            why = reply.get("error", {}).get("message", reply) if isinstance(reply, dict) else reply
            raise TrainerError("answer_failed", f"llama.cpp did not answer: {why}")
        message = reply["choices"][0]["message"]
        functions = [one["function"] for one in message.get("tool_calls") or []]
        calls = [{"name": one["name"], "arguments": _as_object(one["arguments"])} for one in functions]
        text = message.get("content") or ""
        return (text.strip(), calls) if calls else _split(text, prompt)

    return ask


def _split(written: str, prompt: Prompt) -> Answer:
    said = parse(written, prompt["tools"])
    return said.text, [{"name": call.name, "arguments": call.arguments} for call in said.calls]


def _as_object(arguments: Any) -> Any:  # noqa: ANN401
    """Arguments as an object, where they are one as JSON text."""
    try:
        return json.loads(arguments) if isinstance(arguments, str) else arguments
    except ValueError:
        return arguments


def _with_text_arguments(message: dict[str, Any]) -> dict[str, Any]:
    """Over the wire, the arguments of a call are JSON text."""
    calls = message.get("tool_calls")
    if not calls:
        return message
    return {**message, "tool_calls": [_as_wire(number, call) for number, call in enumerate(calls)]}


def _as_wire(number: int, call: dict[str, Any]) -> dict[str, Any]:
    function = call["function"]
    arguments = function["arguments"]
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    return {"id": call.get("id") or f"call_{number}", "type": "function", "function": {**function, "arguments": text}}


def _by_transformers(model: Path, config: dict[str, Any]) -> Callable[[Prompt], Answer]:
    load_for_answers()
    import torch

    adapter = config["adapter"] and Path(config["adapter"])
    cuda = torch.cuda.is_available()
    if config["threads"] is not None:
        torch.set_num_threads(config["threads"])
    try:
        told = adapter if adapter and (adapter / "tokenizer_config.json").exists() else model
        tokenizer = read_tokenizer(told)
        loaded = read_weights(model, dtype="auto" if cuda and not is_gguf(model) else torch.float32)
        if adapter:
            from peft import PeftModel

            loaded = PeftModel.from_pretrained(loaded, str(adapter), local_files_only=True)
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        raise TrainerError("model_invalid", f"The model in {model} cannot be loaded: {error}") from error
    loaded = loaded.to("cuda" if cuda else "cpu").eval()

    def ask(prompt: Prompt) -> Answer:
        ids = tokenizer.apply_chat_template(
            prompt["messages"],
            tools=prompt["tools"],
            add_generation_prompt=True,
            return_tensors="pt",
            return_dict=True,
        ).to(loaded.device)
        with torch.inference_mode():
            out = loaded.generate(**ids, max_new_tokens=config["maxTokens"], do_sample=False, **NO_SAMPLING)
        said = out[0, ids["input_ids"].shape[1] :]
        return _split(_decoded(tokenizer, said.tolist()), prompt)

    return ask


# What a generation config may say of sampling has no part in greedy answers.
NO_SAMPLING = {"temperature": None, "top_p": None, "top_k": None, "repetition_penalty": None}


def _decoded(tokenizer: Any, ids: list[int]) -> str:  # noqa: ANN401
    """Without the tokens that end or fill, but with those that mark calls, which some vocabularies count as special.

    A character that the limit of tokens cut in two is left out, as llama.cpp does.
    """
    ends = {tokenizer.eos_token_id, tokenizer.pad_token_id}
    kept = [one for one in ids if one not in ends]
    return tokenizer.decode(kept, skip_special_tokens=False).rstrip("\ufffd")
