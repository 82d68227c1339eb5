"""``read``: splits a model's answer into text and tool calls. Loads no library."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bashgym.calls import parse

from .tool_io import EventWriter, serve_tool


def main(file: Path) -> int:
    return serve_tool("read", file, read)


def read(config: dict[str, Any], _: EventWriter) -> dict[str, str | float | None]:
    request = json.loads(Path(config["input"]).read_text(encoding="utf-8"))
    parsed = parse(request["raw"], request["tools"])
    found = {"text": parsed.text, "calls": [asdict(call) for call in parsed.calls]}
    Path(config["output"]).write_text(json.dumps(found, ensure_ascii=False), encoding="utf-8")
    return {"calls": len(parsed.calls)}
