"""The memory is the machine's or that of a control group, whichever is closest to full."""

from __future__ import annotations

from pathlib import Path

import psutil
import pytest

from bashgym_trainers.limits import memory

MB = 1_000_000
V1 = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
V2 = ("memory.max", "memory.current", "inactive_file")


def group(root: Path, place: str, names: tuple[str, str, str], limit: str, used: int, idle: int = 0) -> None:
    folder = root / "sys/fs/cgroup" / place
    folder.mkdir(parents=True, exist_ok=True)
    (folder / names[0]).write_text(f"{limit}\n")
    (folder / names[1]).write_text(f"{used}\n")
    (folder / "memory.stat").write_text(f"cache 5\n{names[2]} {idle}\n")


@pytest.mark.parametrize(
    ("line", "mount", "names", "none"),
    [("0::/box/run", "", V2, "max"), ("4:memory:/box/run", "memory/", V1, "9223372036854771712")],
)
def test_the_limits_of_the_group_and_of_its_parents_count(
    tmp_path: Path, line: str, mount: str, names: tuple[str, str, str], none: str
) -> None:
    (tmp_path / "proc/self").mkdir(parents=True)
    (tmp_path / "proc/self/cgroup").write_text(f"3:cpuset:/\n{line}\n")
    total = psutil.virtual_memory().total
    group(tmp_path, f"{mount}box/run", names, none, 90 * MB)
    assert memory(tmp_path)[1] == total
    group(tmp_path, f"{mount}box", names, str(100 * MB), 99 * MB, idle=2 * MB)
    assert memory(tmp_path) == (97 * MB, 100 * MB)
    (tmp_path / "sys/fs/cgroup" / mount / "box/memory.stat").write_text("torn")
    assert memory(tmp_path)[1] == total


def test_without_control_groups_the_machine_counts(tmp_path: Path) -> None:
    used, total = memory(tmp_path)
    assert 0 < used < total == psutil.virtual_memory().total
