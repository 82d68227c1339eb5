"""Most tests need running servers. e2e/trainers/environments.test.ts starts them and runs these tests."""

import os
from dataclasses import dataclass

import pytest


@dataclass(frozen=True)
class Server:
    url: str
    token: str


def _server(kind: str) -> Server:
    url = os.environ.get(f"BASHGYM_TEST_{kind}_URL")
    if not url:
        pytest.skip(f"BASHGYM_TEST_{kind}_URL names no server")
    return Server(url, os.environ.get(f"BASHGYM_TEST_{kind}_TOKEN", ""))


@pytest.fixture
def server() -> Server:
    """A server in simulation mode with a token."""
    return _server("ENVIRONMENT")


@pytest.fixture
def simulation() -> Server:
    """In simulation mode; the address has the token, for clients that set no headers."""
    return _server("SIMULATION")


@pytest.fixture
def production() -> Server:
    """In production mode; the address has the token, for clients that set no headers."""
    return _server("PRODUCTION")
