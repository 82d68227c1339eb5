"""What settings need of the machine: packages, CUDA, environment variables. Checked before anything is loaded.

The plan of the server checks the same (``plan/needs.ts``), with the same table of the contract.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from typing import Any

from .config import SCHEMA, Config, snake
from .errors import TrainerError


def check_needs(config: Config, *, cuda: bool) -> None:
    """``cuda``: there may be a GPU. Raises ``TrainerError`` (no_cuda, no_package, no_key) with what to do."""
    if config.environment is not None and importlib.util.find_spec("websockets") is None:
        install = f"{sys.executable} -m pip install websockets"
        raise TrainerError("no_package", f"Shell tasks need the package websockets, which is not installed. Install it: {install}.")
    for need in SCHEMA["needs"]:
        setting = need["setting"]
        value = _value(config.knobs, setting)
        if value not in need["values"] or (setting.startswith("reportTo") and config.dry_run):
            continue
        what = f"The setting {setting}" if value is True else f"The setting {setting} ({value})"
        if need["cuda"] and not cuda:
            raise TrainerError("no_cuda", f"{what} needs a GPU with CUDA. {_other(value)}", field=setting)
        if need["module"] is not None and importlib.util.find_spec(need["module"]) is None:
            install = f"{sys.executable} -m pip install {need['package']}"
            message = f"{what} needs the package {need['package']}, which is not installed. Install it: {install}. {_other(value)}"
            raise TrainerError("no_package", message, field=setting)
        variable = need.get("variable")
        if variable is not None and not os.environ.get(variable):
            message = f"{what} needs the variable {variable} in the environment that Bash Gym is started in. {_other(value)}"
            raise TrainerError("no_key", message, field=setting)


def _other(value: str | bool) -> str:
    return "Or turn it off." if value is True else "Or choose another value."


def _value(knobs: dict[str, Any], setting: str) -> Any:  # noqa: ANN401
    name, _, part = setting.partition(".")
    value = knobs[snake(name)]
    return value[part] if part else value
