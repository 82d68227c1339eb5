"""A llama.cpp server in this process, from xllamacpp: on loopback, on a port of its own choice."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Any

from .errors import TrainerError

ANY_SEED = 42


def open_server(model: Path, *, context: int, threads: int | None, gpu_layers: int = 0, key: str | None = None) -> Any:  # noqa: ANN401
    """Loads ``model``. The server is gone when the object is. Raises ``TrainerError`` (model_missing, model_invalid)."""
    if not model.is_file():
        raise TrainerError("model_missing", f"There is no file {model}.")
    from xllamacpp import CommonParams, Server

    params = CommonParams()
    params.model.path = str(model)
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_ctx = context
    params.n_parallel = 1
    params.n_gpu_layers = gpu_layers
    params.cpuparams.n_threads = threads or os.cpu_count() or 1
    params.sampling.seed = ANY_SEED
    params.use_jinja = True
    params.ui = False
    params.endpoint_slots = False
    params.endpoint_props = False
    params.offline = True
    params.api_keys = [key or secrets.token_hex(32)]  # it listens in any case
    try:
        return Server(params)
    except RuntimeError as error:
        raise TrainerError("model_invalid", f"llama.cpp cannot load {model}: {error}") from error
