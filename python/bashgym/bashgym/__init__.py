"""Thin clients of Bash Gym. Each module says what it needs; only `websockets` is always there."""

from bashgym.verifiers import load_environment  # here, the loader of verifiers finds it by the name of the package

__all__ = ["load_environment"]
__version__ = "0.1.0"
