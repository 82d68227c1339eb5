"""``serve``: a GGUF file behind an OpenAI-style API on loopback, until stdin ends (see ``speak``), so that it never outlives its parent."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

from .errors import TrainerError
from .llama import open_server
from .speak import Lines, serve_tool

OTHERS = 0o077


def main(file: Path) -> int:
    return serve_tool("serve", file, serve)


def serve(config: dict[str, Any], lines: Lines) -> dict[str, str | float | None]:
    """Tells ``ready`` with the port; answers until the process is ended."""
    started = time.monotonic()
    server = open_server(
        Path(config["model"]),
        context=config["context"],
        threads=config["threads"],
        gpu_layers=config["gpuLayers"],
        key=_key(Path(config["key"])),
    )
    port = urlparse(server.listening_address).port
    if port is None:
        raise TrainerError("internal", f"llama.cpp listens at {server.listening_address}, which names no port.")
    lines.tell("ready", port=port, loadMs=round((time.monotonic() - started) * 1000))
    threading.Event().wait()
    return {}


def _key(file: Path) -> str:
    if file.stat().st_mode & OTHERS:
        raise TrainerError("key_open", f"The key file {file} can be read by others. Its mode must be 0600.")
    key = file.read_text().strip()
    if not key:
        raise TrainerError("key_open", f"The key file {file} is empty.")
    return key
