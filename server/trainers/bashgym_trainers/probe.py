"""``python -m bashgym_trainers.probe [--import] NAME…``: what this interpreter is and has, as one JSON line.

``missing`` are the named packages that are not there; with ``--import`` those that are there are imported.

Runs on interpreters that are too old to train, in order to say so: no syntax newer than Python 3.6.
"""

import gc
import importlib
import importlib.util
import json
import os
import sys

NAMED = (
    "torch",
    "transformers",
    "trl",
    "peft",
    "accelerate",
    "datasets",
    "safetensors",
    "tokenizers",
    "gguf",
    "jsonschema",
    "psutil",
    "xllamacpp",
    "unsloth",
    "bitsandbytes",
)


def main() -> int:
    needed = [name for name in sys.argv[1:] if not name.startswith("-")]
    out = {
        "version": ".".join(map(str, sys.version_info[:3])),
        "executable": sys.executable,
        "prefix": sys.prefix,
        "venv": importlib.util.find_spec("venv") is not None and importlib.util.find_spec("ensurepip") is not None,
        "packages": {},
        "stamp": {},
        "missing": [name for name in needed if not _is_there(name)],
        "problem": None,
        "cuda": None,
        "devices": [],
    }
    _versions(out)
    if "--import" in sys.argv and not out["missing"]:
        gc.disable()  # nothing of the libraries is garbage: a sixth less of the processor's time
        try:
            for name in needed:
                importlib.import_module(name)
            if "torch" in needed:
                _devices(out)
        except BaseException as error:
            out["problem"] = f"{type(error).__name__}: {str(error)[:500]}"
        gc.freeze()
    sys.stdout.write(json.dumps(out) + "\n")
    return 0


def _is_there(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):
        return False


def _versions(out: dict) -> None:
    try:
        from importlib import metadata
    except ImportError:  # before 3.8: too old anyway
        return
    for name in NAMED:
        try:
            found = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue
        out["packages"][name] = found.version
        folder = getattr(found, "_path", None)
        if folder is not None and os.path.exists(str(folder)):
            out["stamp"][name] = os.stat(str(folder)).st_mtime


def _devices(out: dict) -> None:
    import torch

    out["cuda"] = torch.version.cuda
    if not torch.cuda.is_available():
        return
    for index in range(torch.cuda.device_count()):
        free, total = torch.cuda.mem_get_info(index)
        out["devices"].append({"name": torch.cuda.get_device_name(index), "freeBytes": free, "totalBytes": total})


if __name__ == "__main__":
    sys.exit(main())
