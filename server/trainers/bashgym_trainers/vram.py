"""Memory of the GPU that a process takes: what PyTorch has reserved, and the context that the driver keeps for it."""

from __future__ import annotations

from .ranks import gpu
from .system import gpus

_MB = 1e6
_context = 0.0


def begin() -> None:
    """Creates the context and measures it, from outside before and from inside after. Without nvidia-smi it counts as none."""
    global _context
    import torch

    visible = gpus()
    torch.cuda.init()
    torch.cuda.set_device(gpu())
    torch.cuda.reset_peak_memory_stats()
    torch.zeros(1, device="cuda")
    free, total = torch.cuda.mem_get_info()
    before = visible[0]["usedMb"] if len(visible) == 1 else None
    if before is not None:
        _context = max(0.0, (total - free - torch.cuda.memory_reserved()) / _MB - before)


def now() -> float | None:
    """Megabytes; null without a GPU."""
    import torch

    return torch.cuda.memory_reserved() / _MB + _context if _in_use() else None


def peak() -> float | None:
    """Megabytes at most so far. What is reserved and not allocated is no less taken: nobody else can have it."""
    import torch

    return torch.cuda.max_memory_reserved() / _MB + _context if _in_use() else None


def _in_use() -> bool:
    import torch

    return torch.cuda.is_available() and torch.cuda.is_initialized()
