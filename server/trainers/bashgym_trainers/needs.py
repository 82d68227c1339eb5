"""Checks that the machine has what the settings need: packages, CUDA, environment variables.

The server's plan checks the same (``plan/needs.ts``), with the same table of the contract.
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
            raise TrainerError("no_cuda", f"{what} needs a GPU with CUDA. {_alternative(value).capitalize()}.", field=setting)
        if need["module"] is not None and importlib.util.find_spec(need["module"]) is None:
            install = f"{sys.executable} -m pip install {need['package']}"
            message = f"{what} needs the package {need['package']}, which is not installed."
            raise TrainerError("no_package", f"{message} Install it: {install}. Or {_alternative(value)}.", field=setting)
        variable = need.get("variable")
        if variable is not None and not os.environ.get(variable):
            message = f"{what} needs the variable {variable} in the environment that Bash Gym is started in."
            raise TrainerError("no_key", f"{message} {_alternative(value).capitalize()}.", field=setting)


def _alternative(value: str | bool) -> str:
    return "turn it off" if value is True else "choose another value"


def _value(knobs: dict[str, Any], setting: str) -> Any:  # noqa: ANN401
    name, _, part = setting.partition(".")
    value = knobs[snake(name)]
    return value[part] if part else value
