"""``python -m bashgym_trainers.probe [--import] NAME…``: describes this interpreter and its packages in one JSON line.

``missing`` lists the named packages that are not installed. With ``--import`` they are imported if none is missing.

No syntax newer than Python 3.6, so that it can also report an interpreter that is too old to train.
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
    "torchao",
    "schedulefree",
    "flash-attn",
    "flash-attn-3",
    "liger-kernel",
    "tensorboard",
    "trackio",
    "wandb",
    "mlflow",
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
        "gpuProblem": None,
        "compiler": None,
        "bitsandbytes": None,
    }
    _versions(out)
    if "--import" in sys.argv and not out["missing"]:
        gc.disable()  # objects of the libraries live on, so skipping garbage collection saves a sixth of the CPU time
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
    except ImportError:  # Python before 3.8, which is too old to train
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
    out["gpuProblem"] = problem_of_cuda()
    if out["gpuProblem"] is not None:
        return
    for index in range(torch.cuda.device_count()):
        free, total = torch.cuda.mem_get_info(index)
        major, minor = torch.cuda.get_device_capability(index)
        out["devices"].append(
            {
                "name": torch.cuda.get_device_name(index),
                "freeBytes": free,
                "totalBytes": total,
                "capability": f"{major}.{minor}",
                "bf16": major >= 8,
            }
        )
    out["compiler"] = problem_of_compiler()
    out["bitsandbytes"] = problem_of_bitsandbytes()


def problem_of_cuda():  # noqa: ANN201
    """Why this PyTorch cannot use a GPU, or None."""
    import torch

    if torch.version.cuda is None:
        return "it is a build without CUDA"
    if not torch.cuda.is_available():
        try:
            torch.cuda.init()
        except Exception as error:
            return str(error).split("\n")[0][:300]
        return "it finds none"
    built = [name for name in torch.cuda.get_arch_list() if "_" in name]
    for index in range(torch.cuda.device_count()):
        capability = torch.cuda.get_device_capability(index)
        if not _is_built_for(capability, built):
            name = torch.cuda.get_device_name(index)
            return "{} has the compute capability {}.{}, and it is built for {}".format(name, *capability, ", ".join(built))
    return None


def _is_built_for(capability, built) -> bool:  # noqa: ANN001
    """Code for one capability (sm_) runs on later ones with the same major number; intermediate code (compute_) on all later ones."""
    for name in built:
        kind, _, digits = name.partition("_")
        digits = digits.rstrip("af")  # suffixes for features of a single chip
        major, minor = int(digits[:-1]), int(digits[-1])
        if kind == "compute" and (major, minor) <= tuple(capability):
            return True
        if kind == "sm" and major == capability[0] and minor <= capability[1]:
            return True
    return not built


def problem_of_compiler():  # noqa: ANN201
    """What is missing for Triton to compile its launcher, or None. The trainers' loss uses Triton on a GPU."""
    import shutil
    import sysconfig

    lacks = []
    if not any(shutil.which(name) for name in ("cc", "gcc", "clang")) and not os.environ.get("CC"):
        lacks.append("a C compiler (package gcc)")
    include = sysconfig.get_paths().get("include", "")
    if not os.path.exists(os.path.join(include, "Python.h")):
        lacks.append("the headers of Python {}.{} (package python{}.{}-dev)".format(*sys.version_info[:2] * 2))
    return " and ".join(lacks) or None


def problem_of_bitsandbytes():  # noqa: ANN201
    """Why bitsandbytes does not work, or None. Tries to quantize a small matrix."""
    if not _is_there("bitsandbytes"):
        return "the package bitsandbytes is not installed"
    try:
        import torch
        from bitsandbytes.functional import quantize_4bit

        quantize_4bit(torch.zeros(64, 64, dtype=torch.float16, device="cuda"), quant_type="nf4")
    except Exception as error:
        return "bitsandbytes does not work: {}: {}".format(type(error).__name__, str(error).split("\n")[0][:200])
    return None


if __name__ == "__main__":
    sys.exit(main())
