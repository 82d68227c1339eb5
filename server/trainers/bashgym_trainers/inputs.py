"""The inputs of a run: written when it starts, and compared when it resumes."""

from __future__ import annotations

import hashlib
import json
import os
import re
from importlib import metadata
from pathlib import Path
from typing import Any

from bashgym import calls

from .base import is_gguf
from .checkpoints import sha256_of
from .config import Config
from .errors import TrainerError
from .ranks import is_first
from .templates import hash_of

LIBRARIES = ("torch", "transformers", "trl", "peft")
"""Another version of these libraries would give other results."""
_IMPORT = re.compile(r"^\s*from \.(\w+) import", re.MULTILINE)
_READS_CALLS = re.compile(r"^\s*from bashgym\.calls import", re.MULTILINE)


def check_inputs(config: Config, *, resuming: bool) -> None:
    """Writes ``inputs.json``; refuses to resume a run if one of its inputs has changed, and names it."""
    if not is_first():
        return
    current: dict[str, Any] = {
        "data": {str(file): sha256_of(file) for file in (config.train, config.val) if file is not None and file.exists()},
        "model": _model_hash(config.model),
        "trainer": _code_hash(config.strategy),
        "libraries": {name: metadata.version(name) for name in LIBRARIES},
    }
    if config.template is not None:
        current["template"] = hash_of(config.template)
    if config.teacher is not None:
        current["teacher"] = _model_hash(config.teacher)
    manifest = config.output / "inputs.json"
    if resuming and manifest.exists():
        before = json.loads(manifest.read_text())
        changed = [
            name if name != "libraries" else _versions(before.get(name) or {}, current[name])
            for name in current
            if current[name] != before.get(name)
        ]
        if changed:
            raise TrainerError(
                "changed",
                f"Since the run was paused its {' and '.join(changed)} changed, so it would not be the same run. Start a new one.",
            )
        return
    part = manifest.with_suffix(".part")
    part.write_text(json.dumps(current, indent=2))
    os.replace(part, manifest)


def _versions(before: dict[str, str], current: dict[str, str]) -> str:
    """Libraries whose version has changed."""
    version_changes = [
        f"{name} {before.get(name, 'unknown')} then, {current[name]} now" for name in current if current[name] != before.get(name)
    ]
    return f"libraries ({'; '.join(version_changes)})"


def code_of(strategy: str) -> list[Path]:
    """The modules that train with the strategy: ``train``, the strategy, and everything that they import; and the reader of calls,
    which decides about rewards and figures."""
    folder = Path(__file__).parent
    found: dict[str, Path] = {}
    pending = ["train", strategy]
    while pending:
        file = folder / f"{pending.pop()}.py"
        if file.stem not in found:
            found[file.stem] = file
            pending += _IMPORT.findall(file.read_text(encoding="utf-8"))
    reader = Path(calls.__file__).parent
    reads_calls = any(_READS_CALLS.search(file.read_text(encoding="utf-8")) for file in found.values())
    shared = sorted(file for file in reader.iterdir() if file.suffix in (".py", ".json")) if reads_calls else []
    return [*(found[name] for name in sorted(found)), *shared]


def _code_hash(strategy: str) -> str:
    return hashlib.sha256(b"".join(file.read_bytes() for file in code_of(strategy))).hexdigest()


def _model_hash(base: Path) -> str:
    kinds = (".json", ".safetensors", ".bin", ".jinja")
    files = [base] if is_gguf(base) else sorted(path for path in base.glob("*") if path.suffix in kinds)
    return hashlib.sha256("\n".join(f"{path.name} {sha256_of(path)}" for path in files).encode()).hexdigest()
