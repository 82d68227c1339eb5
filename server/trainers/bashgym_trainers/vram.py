"""GPU memory of this process: PyTorch's reserved memory, and the driver's context."""

from __future__ import annotations

from .ranks import gpu
from .system import gpus

_MB = 1e6
_context = 0.0


def begin() -> None:
    """Creates the context, and measures it by the difference in used memory. Without nvidia-smi it counts as 0."""
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
    """Megabytes in use; None without a GPU."""
    import torch

    return torch.cuda.memory_reserved() / _MB + _context if _in_use() else None


def peak() -> float | None:
    """The highest megabytes so far, including reserved memory that is not allocated, because no other process can use it."""
    import torch

    return torch.cuda.max_memory_reserved() / _MB + _context if _in_use() else None


def _in_use() -> bool:
    import torch

    return torch.cuda.is_available() and torch.cuda.is_initialized()
