"""``extract``: how well a model knows texts, by rank among other endings and by what it writes greedily and when drawn.

The exposure of a phrase is log2 of the number of possible endings minus log2 of the rank of the true one by likelihood. Endings
are a sample, so an exposure at its maximum is a lower bound. Phrases that were never planted are the controls.
"""

from __future__ import annotations

import json
import math
import os
import random
from pathlib import Path
from typing import Any

from .answer import read_model, tokenizer_of
from .errors import TrainerError
from .ids import encode
from .libraries import load_for_answers
from .render import RenderError
from .templates import stored_thinking
from .tokens import prompt_text
from .tool_io import EventWriter, partial_path, serve_tool

BATCH = 64


def main(file: Path) -> int:
    return serve_tool("extract", file, extract)


def extract(config: dict[str, Any], events: EventWriter) -> dict[str, str | float | None]:
    """Writes one line per phrase to ``output``, in order; the file appears only when it is complete."""
    phrases = [json.loads(line) for line in Path(config["phrases"]).read_text(encoding="utf-8").splitlines()]
    output = Path(config["output"])
    events.progress("loading", 0, len(phrases), "phrases")
    load_for_answers()
    tokenizer = tokenizer_of(config)
    model = read_model(Path(config["model"]), config)
    contexts = ["", _opening(tokenizer)]
    part = partial_path(output)
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        for number, phrase in enumerate(phrases):
            events.progress("searching", number, len(phrases), "phrases")
            file.write(json.dumps(_look_for(model, tokenizer, phrase, config, contexts)) + "\n")
    os.replace(part, output)
    return {"phrases": len(phrases)}


def _opening(tokenizer: Any) -> str:  # noqa: ANN401
    """The begin of an answer, as in the training data; empty if the template cannot write one."""
    try:
        return prompt_text(tokenizer, [{"role": "user", "content": "Go on."}], None, thinking=not stored_thinking(tokenizer))
    except RenderError:
        return ""


def _look_for(model: Any, tokenizer: Any, phrase: dict[str, Any], config: dict[str, Any], contexts: list[str]) -> dict[str, Any]:  # noqa: ANN401
    """The best of all contexts: a phrase is as well known as in the place where it is known best."""
    prefix, ending, endings = phrase["prefix"], phrase["ending"], config["endings"]
    ranks, extracted, sampled = [], False, 0
    for context in dict.fromkeys(contexts if phrase["ranked"] else [""]):
        if phrase["ranked"]:
            ranks.append(_rank(model, tokenizer, context + prefix, ending, endings))
        tokens = len(encode(tokenizer, ending)) + 4
        greedy, *drawn = (
            text.strip().startswith(ending.strip()) for text in _written(model, tokenizer, context + prefix, tokens, config["samples"])
        )
        extracted, sampled = extracted or greedy, max(sampled, sum(drawn))
    return {"id": phrase["id"], "rank": min(ranks, default=None), "endings": endings, "extracted": extracted, "sampled": sampled}


def _rank(model: Any, tokenizer: Any, prefix: str, ending: str, endings: int) -> int:  # noqa: ANN401
    digits = len(ending) - 1
    others = random.Random(f"{prefix} endings")  # the same endings for base and trained model
    candidates = [ending] + [f" {others.randrange(10**digits):0{digits}d}" for _ in range(endings - 1)]
    scores = _log_likelihoods(model, tokenizer, prefix, candidates)
    if not all(math.isfinite(score) for score in scores):
        raise TrainerError("model_invalid", "The model gives no finite likelihoods.")
    return 1 + sum(score > scores[0] for score in scores[1:])


def _log_likelihoods(model: Any, tokenizer: Any, prefix: str, endings: list[str]) -> list[float]:  # noqa: ANN401
    """Of the prefix with each ending. All share the prefix, and a token can span it and the ending, so whole texts are compared."""
    import torch

    found: list[float] = []
    for at in range(0, len(endings), BATCH):
        rows = [encode(tokenizer, prefix + ending) for ending in endings[at : at + BATCH]]
        width = max(map(len, rows))
        ids = torch.tensor([row + [0] * (width - len(row)) for row in rows], device=model.device)
        mask = torch.tensor([[1] * len(row) + [0] * (width - len(row)) for row in rows], device=model.device)
        with torch.inference_mode():
            logits = model(input_ids=ids, attention_mask=mask).logits.float().log_softmax(-1)
        for index, row in enumerate(rows):
            found.append(sum(logits[index, place - 1, row[place]].item() for place in range(1, len(row))))
    return found


def _written(model: Any, tokenizer: Any, prefix: str, tokens: int, samples: int) -> list[str]:  # noqa: ANN401
    """The greedy continuation, then the drawn ones, at temperature 1 and always the same."""
    import torch

    begin = encode(tokenizer, prefix)
    rows = torch.tensor([begin] * (1 + samples), device=model.device)
    chance = torch.Generator().manual_seed(0)
    for _ in range(tokens):
        with torch.inference_mode():
            logits = model(input_ids=rows).logits[:, -1].float().cpu()
        best = logits[:1].argmax(-1, keepdim=True)
        drawn = torch.multinomial(logits[1:].softmax(-1), 1, generator=chance) if samples > 0 else best[:0]
        rows = torch.cat([rows, torch.cat([best, drawn]).to(rows.device)], dim=1)
    return [tokenizer.decode(row)[len(tokenizer.decode(begin)) :] for row in rows.tolist()]
