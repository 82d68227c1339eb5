"""``answer``: greedy answers to prompts, from a model folder, a GGUF file, or an adapter on either.

All get the same prompt tokens, by the original template. No output format is enforced, because the comparison is about what
the models write by themselves.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bashgym.calls import parse

from .answering import text_of
from .base import is_gguf, read_tokenizer, read_weights
from .errors import TrainerError
from .ids import encode
from .libraries import load_for_answers
from .llama import open_server
from .render import RenderError
from .templates import stored_thinking
from .tokens import prompt_text
from .tool_io import EventWriter, partial_path, serve_tool

CONTEXT = 8192
Prompt = dict[str, Any]


@dataclass(frozen=True)
class Written:
    """Tokens without the end mark. ``alike``: whether llama.cpp tokenizes the prompt text into the same tokens."""

    ids: list[int]
    ended: bool
    alike: bool | None


def main(file: Path) -> int:
    return serve_tool("answer", file, answer)


def answer(config: dict[str, Any], events: EventWriter) -> dict[str, str | float | None]:
    """Writes one line per prompt to ``output``, in order; the file appears only when it is complete."""
    prompts, output, model = list(_prompts(Path(config["prompts"]))), Path(config["output"]), Path(config["model"])
    events.progress("loading", 0, len(prompts), "prompts")
    load_for_answers()
    tokenizer = tokenizer_of(config)
    ask = (_from_gguf if is_gguf(model) and not config["adapter"] else _by_transformers)(model, config, tokenizer)
    part = partial_path(output)
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        for number, prompt in enumerate(prompts):
            events.progress("answering", number, len(prompts), "prompts")
            text = _prompt_text(tokenizer, prompt, number + 1)
            written = ask(text, encode(tokenizer, text))
            # drops a character that the token limit cut in two
            raw = text_of(written.ids, tokenizer, set()).rstrip("\ufffd")
            parsed = parse(raw, prompt["tools"])
            row = {"text": parsed.text, "calls": [asdict(call) for call in parsed.calls], "raw": raw, "tokens": len(written.ids)}
            file.write(json.dumps({**row, "ended": written.ended, "alike": written.alike}, ensure_ascii=False) + "\n")
    os.replace(part, output)
    return {"prompts": len(prompts)}


def tokenizer_of(config: dict[str, Any]) -> Any:  # noqa: ANN401
    try:
        return read_tokenizer(_tokenizer_folder(config))
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        raise TrainerError("model_invalid", f"The tokenizer of {config['model']} cannot be loaded: {error}") from error


def _prompt_text(tokenizer: Any, prompt: Prompt, number: int) -> str:  # noqa: ANN401
    """Renders a prompt with the template that the model is served with, and the thinking option of the training."""
    try:
        return prompt_text(tokenizer, prompt["messages"], prompt["tools"], thinking=not stored_thinking(tokenizer))
    except RenderError as error:
        raise TrainerError("prompt_invalid", f"The template of the model cannot write prompt {number}: {error}", number) from error


def _tokenizer_folder(config: dict[str, Any]) -> Path:
    """Folder of the tokenizer: the configured one, otherwise the adapter's, otherwise the model's."""
    named = [Path(config[name]) for name in ("tokenizer", "adapter") if config.get(name)]
    return next((folder for folder in named if (folder / "tokenizer_config.json").exists()), Path(config["model"]))


def _prompts(file: Path) -> Iterator[Prompt]:
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            row = json.loads(line)
            yield {"messages": row["messages"], "tools": row.get("tools") or None}
        except (ValueError, KeyError, TypeError) as error:
            raise TrainerError("prompt_invalid", f"Line {number} of {file} is not a valid prompt: {error}", number) from error


def _from_gguf(model: Path, config: dict[str, Any], tokenizer: Any) -> Callable[[str, list[int]], Written]:  # noqa: ANN401
    server = open_server(model, context=CONTEXT, threads=config["threads"], gpu_layers=None)
    ends = _ends(model, config, tokenizer)

    def ask(text: str, ids: list[int]) -> Written:
        theirs = server.post("/tokenize", {"content": text, "add_special": False, "parse_special": True})["tokens"]
        request = {"temperature": 0, "n_predict": config["maxTokens"], "cache_prompt": False, "return_tokens": True}
        reply = server.post("/completion", {**request, **NO_PENALTIES, "prompt": ids})
        tokens = reply["tokens"]
        while tokens and tokens[-1] in ends:
            tokens = tokens[:-1]
        return Written(tokens, reply["stop_type"] != "limit", theirs == ids)

    return ask


# llama.cpp would apply these penalties to greedy answers too.
NO_PENALTIES = {"repeat_penalty": 1.0, "presence_penalty": 0.0, "frequency_penalty": 0.0, "dry_multiplier": 0.0}


def read_model(model: Path, config: dict[str, Any]) -> Any:  # noqa: ANN401
    """The weights with their adapter, on the GPU if there is one."""
    import torch

    adapter = config["adapter"] and Path(config["adapter"])
    cuda = torch.cuda.is_available()
    if config["threads"] is not None:
        torch.set_num_threads(config["threads"])
    try:
        loaded = read_weights(model, dtype="auto" if cuda and not is_gguf(model) else torch.float32)
        if adapter:
            from peft import PeftModel

            loaded = PeftModel.from_pretrained(loaded, str(adapter), local_files_only=True)
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        raise TrainerError("model_invalid", f"The model in {model} cannot be loaded: {error}") from error
    return loaded.to("cuda" if cuda else "cpu").eval()


def _by_transformers(model: Path, config: dict[str, Any], tokenizer: Any) -> Callable[[str, list[int]], Written]:  # noqa: ANN401
    import torch

    loaded = read_model(model, config)
    ends = _ends(model, config, tokenizer)

    def ask(_: str, ids: list[int]) -> Written:
        prompt = torch.tensor([ids], device=loaded.device)
        settings = {"max_new_tokens": config["maxTokens"], "do_sample": False, "eos_token_id": sorted(ends), **NO_SAMPLING}
        with torch.inference_mode():
            out = loaded.generate(input_ids=prompt, attention_mask=torch.ones_like(prompt), pad_token_id=tokenizer.pad_token_id, **settings)
        written = out[0, len(ids) :].tolist()
        end = next((at for at, token in enumerate(written) if token in ends), None)
        return Written(written[:end], end is not None, None)

    return ask


# Overrides the sampling settings of a generation config, since answers are greedy.
NO_SAMPLING = {"temperature": None, "top_p": None, "top_k": None, "repetition_penalty": None}


def _ends(model: Path, config: dict[str, Any], tokenizer: Any) -> set[int]:  # noqa: ANN401
    """Tokens that end an answer, from the tokenizer and from the generation configs in its folder and the model folder."""
    found = [tokenizer.eos_token_id]
    for folder in (_tokenizer_folder(config), model):
        file = folder / "generation_config.json"
        if file.exists():
            ids = json.loads(file.read_text()).get("eos_token_id")
            found += ids if isinstance(ids, list) else [ids]
    return {int(one) for one in found if one is not None}
