"""Renders the rows on stdin with every chat template of TRL, to compare them with the TypeScript renderer.

``python tests/render_all.py DIR < rows.jsonl``: DIR has a tokenizer. Prints one JSON line per template and row:
``{"template", "source", "row", "prompt": text, "method", "changes", "conversations": [[[text, trained], …], …]}`` or ``{…, "error"}``.
``prompt`` is the prompt for generating an answer.
"""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from pathlib import Path

import trl
from transformers import AutoTokenizer

from bashgym_trainers.data import Rows
from bashgym_trainers.errors import TrainerError
from bashgym_trainers.render import RenderError, write
from bashgym_trainers.tokens import render_prompts

tokenizer = AutoTokenizer.from_pretrained(sys.argv[1], local_files_only=True)
rows = [json.loads(line) for line in sys.stdin]
for file in sorted((Path(trl.__file__).parent / "chat_templates").glob("*.jinja")):
    tokenizer.chat_template = file.read_text()
    for index, row in enumerate(rows):
        answer = {"template": file.stem, "source": tokenizer.chat_template, "row": index}
        try:
            written = write(tokenizer, row["messages"], row.get("tools"))
            cut = [[[piece.text, piece.trained] for piece in parts] for parts in written.conversations]
            answer |= {"method": written.method, "changes": written.changes, "conversations": cut}
        except RenderError as error:
            answer["error"] = str(error)
        with suppress(TrainerError):
            answer["prompt"] = render_prompts(Rows([row], [1]), tokenizer, 1_000_000).texts[0]
        print(json.dumps(answer))
