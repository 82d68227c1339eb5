"""The inputs of a run: written when it starts, and compared when it resumes."""

from __future__ import annotations

import hashlib
import json
import os
import re
from importlib import metadata
from pathlib import Path
from typing import Any

from .base import is_gguf
from .config import Config
from .errors import TrainerError
from .ranks import is_first
from .templates import hash_of

LIBRARIES = ("torch", "transformers", "trl", "peft")
"""Another version of these libraries would give other results."""
_IMPORT = re.compile(r"^\s*from \.(\w+) import", re.MULTILINE)


def check_inputs(config: Config, *, resuming: bool) -> None:
    """Writes ``inputs.json``; refuses to resume a run if one of its inputs has changed, and names it."""
    if not is_first():
        return
    now: dict[str, Any] = {
        "data": {str(file): _sha256(file) for file in (config.train, config.val) if file is not None and file.exists()},
        "model": _model_hash(config.model),
        "trainer": _code_hash(config.strategy),
        "libraries": {name: metadata.version(name) for name in LIBRARIES},
    }
    if config.template is not None:
        now["template"] = hash_of(config.template)
    if config.teacher is not None:
        now["teacher"] = _model_hash(config.teacher)
    manifest = config.output / "inputs.json"
    if resuming and manifest.exists():
        before = json.loads(manifest.read_text())
        changed = [
            name if name != "libraries" else _versions(before.get(name) or {}, now[name]) for name in now if now[name] != before.get(name)
        ]
        if changed:
            raise TrainerError(
                "changed",
                f"Since the run was paused its {' and '.join(changed)} changed, so it would not be the same run. Start a new one.",
            )
        return
    part = manifest.with_suffix(".part")
    part.write_text(json.dumps(now, indent=2))
    os.replace(part, manifest)


def _versions(before: dict[str, str], now: dict[str, str]) -> str:
    """Libraries whose version has changed."""
    others = [f"{name} {before.get(name, 'unknown')} then, {now[name]} now" for name in now if now[name] != before.get(name)]
    return f"libraries ({'; '.join(others)})"


def code_of(strategy: str) -> list[Path]:
    """The modules that train with the strategy: ``train``, the strategy, and everything that they import."""
    folder = Path(__file__).parent
    found: dict[str, Path] = {}
    left = ["train", strategy]
    while left:
        file = folder / f"{left.pop()}.py"
        if file.stem not in found:
            found[file.stem] = file
            left += _IMPORT.findall(file.read_text(encoding="utf-8"))
    return [found[name] for name in sorted(found)]


def _code_hash(strategy: str) -> str:
    return hashlib.sha256(b"".join(file.read_bytes() for file in code_of(strategy))).hexdigest()


def _sha256(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _model_hash(base: Path) -> str:
    kinds = (".json", ".safetensors", ".bin", ".jinja")
    files = [base] if is_gguf(base) else sorted(path for path in base.glob("*") if path.suffix in kinds)
    return hashlib.sha256("\n".join(f"{path.name} {_sha256(path)}" for path in files).encode()).hexdigest()
