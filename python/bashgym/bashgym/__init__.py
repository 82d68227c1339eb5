"""Thin clients of Bash Gym. Each module names its extra packages; only `websockets` is always installed."""

from bashgym.verifiers import load_environment  # here, the loader of verifiers finds it by the name of the package

__all__ = ["load_environment"]
__version__ = "0.1.0"
