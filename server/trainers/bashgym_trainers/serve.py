"""``serve``: serves a GGUF file with an OpenAI-style API on loopback. It ends with its parent (see ``tool_io``)."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

from .errors import TrainerError
from .llama import open_server
from .tool_io import EventWriter, serve_tool

OTHERS_MODE = 0o077
MAX_MARKS = 200


def main(file: Path) -> int:
    return serve_tool("serve", file, serve)


def serve(config: dict[str, Any], events: EventWriter) -> dict[str, str | float | None]:
    """Emits ``ready`` with the port; serves until the process ends."""
    started = time.monotonic()
    server = open_server(
        Path(config["model"]),
        context=config["context"],
        threads=config["threads"],
        gpu_layers=config["gpuLayers"],
        key=_key(Path(config["key"])),
        thinking=config["thinking"],
    )
    port = urlparse(server.address).port
    if port is None:
        raise TrainerError("internal", f"llama.cpp listens at {server.address}, which names no port.")
    load_ms = round((time.monotonic() - started) * 1000)
    events.emit("ready", port=port, loadMs=load_ms, gpuLayers=server.gpu_layers, gpu=server.device, marks=marks_of(Path(config["model"])))
    threading.Event().wait()
    return {}


def marks_of(model: Path) -> list[str]:
    """Tokens that mark calls and channels in some families. llama.cpp leaves them out of a text unless they are requested."""
    from gguf import GGUFReader, TokenType

    fields = GGUFReader(model).fields
    types, tokens = fields.get("tokenizer.ggml.token_type"), fields["tokenizer.ggml.tokens"]
    if types is None:
        return []
    ends = [fields.get(f"tokenizer.ggml.{name}_token_id") for name in ("eos", "bos", "eot", "eom", "padding")]
    without = {int(field.contents()) for field in ends if field is not None}
    control = [at for at, part in enumerate(types.data) if types.parts[part][0] == TokenType.CONTROL and at not in without]
    names = (bytes(tokens.parts[tokens.data[at]]).decode("utf-8", errors="replace") for at in control)
    return [name for name in names if "reserved" not in name and "unused" not in name][:MAX_MARKS]


def _key(file: Path) -> str:
    if file.stat().st_mode & OTHERS_MODE:
        raise TrainerError("key_open", f"The key file {file} can be read by others. Its mode must be 0600.")
    key = file.read_text().strip()
    if not key:
        raise TrainerError("key_open", f"The key file {file} is empty.")
    return key
