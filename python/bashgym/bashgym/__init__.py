"""Thin clients of Bash Gym. Each module names its extra packages; only `websockets` is always installed."""

from bashgym.verifiers import load_environment  # verifiers looks for its loader in the package itself

__all__ = ["load_environment"]
__version__ = "0.1.0"
