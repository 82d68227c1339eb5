"""A llama.cpp server in this process (xllamacpp), on a free port of loopback."""

from __future__ import annotations

import json
import os
import secrets
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import TrainerError

SEED = 42
BATCH = 2048


@dataclass(frozen=True)
class LlamaServer:
    """The server ends when this object is deleted. ``device``: the GPU with layers; None if all layers are on the CPU."""

    server: Any
    key: str
    gpu_layers: int
    device: str | None

    @property
    def address(self) -> str:
        return str(self.server.listening_address)

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """Returns the server's answer. Raises ``TrainerError`` (answer_failed)."""
        request = urllib.request.Request(
            self.address + path,
            json.dumps(body).encode(),
            {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"},
        )
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # ignores proxy variables
        try:
            with opener.open(request) as reply:
                return json.load(reply)
        except urllib.error.HTTPError as error:
            raise TrainerError("answer_failed", f"llama.cpp did not answer: {_reason(error.read())}") from error
        except OSError as error:
            raise TrainerError("answer_failed", f"llama.cpp did not answer: {error}") from error


def open_server(
    model: Path, *, context: int, threads: int | None, gpu_layers: int | None = 0, key: str | None = None, thinking: bool = True
) -> LlamaServer:
    """Loads ``model``. ``gpu_layers`` None: as many as fit. ``thinking`` False: the template's option turns thinking off.

    Raises ``TrainerError`` (model_missing, model_invalid).
    """
    if not model.is_file():
        raise TrainerError("model_missing", f"There is no file {model}.")
    from xllamacpp import CommonParams, Server

    layers, device = fitting_layers(model, context) if gpu_layers is None else (gpu_layers, None)
    key = key or secrets.token_hex(32)  # the server always listens, so it always needs a key
    params = CommonParams()
    params.model.path = str(model)
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_ctx = context
    params.n_parallel = 1
    params.n_gpu_layers = layers
    params.cpuparams.n_threads = threads or os.cpu_count() or 1
    params.sampling.seed = SEED
    params.use_jinja = True
    params.ui = False
    params.endpoint_slots = False
    params.endpoint_props = False
    params.offline = True
    params.api_keys = [key]
    if not thinking:
        params.default_template_kwargs = {"enable_thinking": "false"}
    try:
        return LlamaServer(Server(params), key, layers, device)
    except RuntimeError as error:
        raise TrainerError("model_invalid", f"llama.cpp cannot load {model}: {error}") from error


def fitting_layers(model: Path, context: int) -> tuple[int, str | None]:
    """How many layers fit into the free memory of the GPUs that llama.cpp can use, and the GPU's name; None without a GPU."""
    from xllamacpp import estimate_gpu_layers, get_device_info

    gpus = [one for one in get_device_info() if getattr(one["type"], "name", str(one["type"])).endswith("_GPU")]
    if not gpus:
        return 0, None
    try:
        layers = int(estimate_gpu_layers(gpus, str(model), [], context, BATCH, 1, "f16").layers)
    except Exception:  # the estimate does not know every architecture that llama.cpp can run
        return 0, None
    return layers, gpus[0]["description"] if layers else None


def _reason(body: bytes) -> str:
    try:
        return str(json.loads(body)["error"]["message"])
    except (ValueError, KeyError, TypeError):
        return body.decode(errors="replace")[:300]
