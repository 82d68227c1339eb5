"""Garbage collection is off while libraries load, skips their objects, and is on again afterwards."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from bashgym_trainers.libraries import loading


@pytest.fixture(autouse=True)
def as_at_the_start() -> Iterator[None]:
    gc.unfreeze()
    yield
    assert gc.isenabled()


def test_objects_made_while_libraries_load_are_never_collected() -> None:
    with loading():
        assert not gc.isenabled()
    assert gc.get_freeze_count() > 0


def test_only_the_first_loading_turns_garbage_collection_off() -> None:
    for is_first in (True, False):
        with loading():
            assert gc.isenabled() is not is_first


def test_garbage_collection_is_on_after_a_failed_import() -> None:
    with pytest.raises(ImportError), loading():
        raise ImportError
