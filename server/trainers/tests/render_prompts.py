"""Prompts by transformers: reads ``{"source", "messages", "tools", "eos", "thinking"}`` as JSON lines, writes a text or null for each."""

from __future__ import annotations

import json
import sys

from transformers.utils.chat_template_utils import render_jinja_template

for line in sys.stdin:
    given = json.loads(line)
    try:
        texts, _ = render_jinja_template(
            conversations=[given["messages"]],
            tools=given["tools"] or None,
            chat_template=given["source"],
            add_generation_prompt=True,
            bos_token="",
            eos_token=given["eos"],
            **({} if given["thinking"] else {"enable_thinking": False}),
        )
        print(json.dumps(texts[0]))
    except Exception:  # a template may raise anything
        print("null")
