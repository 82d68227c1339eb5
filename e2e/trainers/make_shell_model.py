"""Makes a small model for shell tasks: it knows a solution of each task, but mostly lists the files instead.

``python make_shell_model.py TASKS DIR``: TASKS are JSON lines ``{prompt, solution}``. First it learns the solutions, then to
give them rarely: three in ten of its first answers solve the task, most are ``ls``; then it exits. With greedy decoding it
solves no task, since ``ls`` is the most likely answer.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Any

import make_tokenizer
import torch
from make_model import config_of
from transformers import Qwen2ForCausalLM

from bashgym_trainers.render import write

BATCH, RATE, SIZE = 16, 3e-3, 128
KNOWN, WINDOW, MOST = 0.03, 20, 600
"""A solution is learned when the loss stays below KNOWN for WINDOW steps; learning ends after MOST steps."""
SHARE, SELDOM = 0.3, 80
"""Share of its first answers that solve the task at the end, and the number of steps to get there."""
NONE = -100
torch.set_num_threads(1)


def conversation(task: dict[str, Any], command: str) -> list[dict[str, str]]:
    turns = [("assistant", command), ("user", "(no output)"), ("assistant", "exit")]
    return [*task["prompt"], *({"role": role, "content": content} for role, content in turns)]


def row(tokenizer: Any, messages: list[dict[str, str]]) -> tuple[list[int], list[int]]:  # noqa: ANN401
    ids: list[int] = []
    labels: list[int] = []
    for piece in write(tokenizer, messages).conversations[0]:
        part = tokenizer(piece.text, add_special_tokens=False)["input_ids"]
        ids += part
        labels += part if piece.trained else [NONE] * len(part)
    return ids, labels


def main(file: Path, folder: Path) -> None:
    tasks = [json.loads(line) for line in file.read_text().splitlines()]
    make_tokenizer.SENTENCES = [message["content"] for task in tasks for message in conversation(task, task["solution"])] + ["ls"]
    tokenizer = make_tokenizer.make(folder, make_tokenizer.qwen_template(), 600)
    torch.manual_seed(7)
    chance = random.Random(7)
    model = Qwen2ForCausalLM(config_of(tokenizer, SIZE))
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=0)
    known: dict[tuple[int, str], tuple[list[int], list[int]]] = {}

    def learn(rate: float, solved: float) -> float:
        """Takes one step on rows: the share ``solved`` has the solution, the rest ``ls``. Returns the loss."""
        rows = []
        for _ in range(BATCH):
            at = chance.randrange(len(tasks))
            command = tasks[at]["solution"] if chance.random() < solved else "ls"
            if (at, command) not in known:
                known[at, command] = row(tokenizer, conversation(tasks[at], command))
            rows.append(known[at, command])
        longest = max(len(ids) for ids, _ in rows)
        ids = torch.tensor([ids + [tokenizer.pad_token_id] * (longest - len(ids)) for ids, _ in rows])
        labels = torch.tensor([labels + [NONE] * (longest - len(labels)) for _, labels in rows])
        seen = torch.tensor([[1] * len(ids) + [0] * (longest - len(ids)) for ids, _ in rows])
        for group in optimizer.param_groups:
            group["lr"] = rate
        loss = model(input_ids=ids, attention_mask=seen, labels=labels).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1)
        optimizer.step()
        optimizer.zero_grad()
        return float(loss)

    losses = [1.0] * WINDOW
    while max(losses[-WINDOW:]) > KNOWN and len(losses) < MOST:
        losses.append(learn(RATE * min(len(losses) / (2 * WINDOW), 1 - len(losses) / MOST), 1))
    for step in range(SELDOM):
        learn(RATE * (1 - step / SELDOM) / 3, SHARE)
    model.save_pretrained(folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
