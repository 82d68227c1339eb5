"""Thin clients of Bash Gym. Each module says what it needs; only `websockets` is always there."""

__version__ = "0.1.0"
