"""The libraries, loaded with a sixth less of the processor's time."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def loading() -> Iterator[None]:
    """Wraps the first imports of a process. What they set up stays to its end: nobody looks for garbage in it, now or later."""
    if not gc.isenabled() or gc.get_freeze_count() > 0:
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def load_for_answers() -> None:
    """What it takes to load a model and to generate."""
    with loading():
        import torch  # noqa: F401
        from transformers import AutoModelForCausalLM, AutoTokenizer, GenerationMixin, PreTrainedModel  # noqa: F401
