"""While libraries load, and in what they set up, nobody looks for garbage; everywhere else it is looked for."""

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


def test_what_is_made_while_libraries_load_is_left_out_of_later_searches() -> None:
    with loading():
        assert not gc.isenabled()
    assert gc.get_freeze_count() > 0


def test_it_is_for_the_first_time_only_for_later_there_is_garbage_to_find() -> None:
    for is_first in (True, False):
        with loading():
            assert gc.isenabled() is not is_first


def test_a_library_that_does_not_load_leaves_the_search_on() -> None:
    with pytest.raises(ImportError), loading():
        raise ImportError
