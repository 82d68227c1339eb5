"""Available memory of the machine, or of the control group that limits this process further."""

from __future__ import annotations

from pathlib import Path

import psutil

# Files of a control group with its limit and usage, and the line of memory.stat with memory that the kernel can free.
_V1 = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
_V2 = ("memory.max", "memory.current", "inactive_file")


def memory(root: Path = Path("/")) -> tuple[int, int]:
    """Bytes in use and in total, for the limit that is closest to full."""
    machine = psutil.virtual_memory()
    found = [(int(machine.total - machine.available), int(machine.total))]
    for group, names in _groups(root):
        one = _read(group, names)
        if one is not None and 0 < one[1] < machine.total:
            found.append(one)
    return max(found, key=lambda one: one[0] / one[1])


def _groups(root: Path) -> list[tuple[Path, tuple[str, str, str]]]:
    """Folders of the control groups of this process and of their parents. In a container the process's group is the root."""
    try:
        lines = (root / "proc/self/cgroup").read_text().splitlines()
    except OSError:
        return []
    groups = []
    for line in lines:
        _, controllers, place = line.split(":", 2)
        if controllers != "" and "memory" not in controllers.split(","):
            continue
        mount = root / "sys/fs/cgroup" / controllers
        parts = [part for part in place.split("/") if part not in ("", "..")]
        groups += [(mount.joinpath(*parts[:depth]), _V1 if controllers else _V2) for depth in range(len(parts) + 1)]
    return groups


def _read(group: Path, names: tuple[str, str, str]) -> tuple[int, int] | None:
    limit, usage, idle = names
    try:
        total = int((group / limit).read_text())
        used = int((group / usage).read_text())
        stat = dict(line.split(" ", 1) for line in (group / "memory.stat").read_text().splitlines())
        return max(0, used - int(stat.get(idle, 0))), total
    except (OSError, ValueError):  # no such group here, or no limit ("max")
        return None
