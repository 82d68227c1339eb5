"""Complete checkpoints only: each is written under a temporary name, synced, listed, and then renamed.

``whole.json`` lists every file with its size, and small files also with their SHA-256. A resume takes the newest checkpoint that
matches its list, and reports which ones it skipped and why.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .ranks import is_first, wait
from .window import save_window

if TYPE_CHECKING:
    from transformers import Trainer

FILE_LIST = "whole.json"
STATE = "trainer_state.json"
SMALL = 1 << 20
"""Files up to this many bytes are checked by hash, larger ones by size, so that a resume does not read them twice."""


def newest_complete(folder: Path) -> tuple[Path | None, list[tuple[Path, str]]]:
    """The checkpoint to resume from, and newer ones that are incomplete with the reason, newest first."""
    incomplete: list[tuple[Path, str]] = []
    for checkpoint in sorted(_checkpoints_in(folder), key=step_of, reverse=True):
        problem = problem_of(checkpoint)
        if problem is None:
            return checkpoint, incomplete
        incomplete.append((checkpoint, problem))
    return None, incomplete


def problem_of(checkpoint: Path) -> str | None:
    """How the checkpoint differs from its list, or None."""
    try:
        listed: dict[str, dict[str, Any]] = json.loads((checkpoint / FILE_LIST).read_text())["files"]
        for name, entry in listed.items():
            problem = _file_problem(checkpoint / name, entry)
            if problem is not None:
                return f"{name} {problem}"
    except FileNotFoundError:
        return f"{FILE_LIST} is missing"
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return f"{FILE_LIST} cannot be read"
    return None if STATE in listed else f"{FILE_LIST} does not name {STATE}"


def step_of(checkpoint: Path) -> int:
    return int(checkpoint.name.rsplit("-", 1)[1])


def remove_partial(folder: Path) -> None:
    """Removes partial files of a process that ended while saving."""
    for path in (*folder.glob("checkpoint-*.tmp"), folder / "final.part"):
        shutil.rmtree(path, ignore_errors=True)


def save_complete_only(trainer: Trainer) -> None:
    """Makes the trainer write complete checkpoints, and delete older ones only afterwards."""
    from transformers.trainer_utils import rotate_checkpoints

    write, output_dir_of = trainer._save_checkpoint, trainer._get_output_dir
    output = Path(trainer.args.output_dir)

    def save(model: Any, trial: Any) -> None:  # noqa: ANN401
        state = trainer.state
        name = f"checkpoint-{state.global_step}"
        temporary = output / f"{name}.tmp"
        if is_first():
            shutil.rmtree(temporary, ignore_errors=True)
        wait()
        trainer._get_output_dir = lambda trial: str(temporary)
        try:
            write(model, trial)
        finally:
            trainer._get_output_dir = output_dir_of
        best = state.best_global_step and output / f"checkpoint-{state.best_global_step}"
        state.best_model_checkpoint = str(best) if best and (best.exists() or best.name == name) else None
        save_window(trainer, temporary / name)
        wait()  # the other processes write parts of it
        if is_first():
            state.save_to_json(str(temporary / name / STATE))  # replaces the library's file, which contains the temporary path
            finish(temporary / name, output / name)
            temporary.rmdir()
            rotate_checkpoints(str(output), trainer.args.save_total_limit, state.best_model_checkpoint)
        wait()

    trainer._save_checkpoint = save


def finish(part: Path, folder: Path) -> None:
    """Syncs all files, lists them, and renames the folder; after that the checkpoint survives a power loss."""
    files = sorted(path for path in part.rglob("*") if path.is_file())
    listed = {path.relative_to(part).as_posix(): _entry_of(path) for path in files}
    (part / FILE_LIST).write_text(json.dumps({"format": 1, "files": listed}, indent=1))
    folders = [path for path in part.rglob("*") if path.is_dir()]
    for path in (*files, part / FILE_LIST, *folders, part):
        _sync(path)
    shutil.rmtree(folder, ignore_errors=True)  # from a run that resumed from an earlier checkpoint
    os.rename(part, folder)
    _sync(folder.parent)


def _checkpoints_in(folder: Path) -> list[Path]:
    return [path for path in folder.glob("checkpoint-*") if path.name.rsplit("-", 1)[1].isdigit()]


def _entry_of(file: Path) -> dict[str, Any]:
    size = file.stat().st_size
    return {"bytes": size, "sha256": sha256_of(file) if size <= SMALL else None}


def _file_problem(file: Path, entry: dict[str, Any]) -> str | None:
    if not file.is_file():
        return "is missing"
    size = file.stat().st_size
    if size != entry["bytes"]:
        return f"has {size} of {entry['bytes']} bytes"
    if entry["sha256"] is not None and sha256_of(file) != entry["sha256"]:
        return "has other content than was written"
    if file.suffix == ".safetensors" and not _has_header(file, size):
        return "has a damaged header"
    return None


def _has_header(file: Path, size: int) -> bool:
    with file.open("rb") as stream:
        length = int.from_bytes(stream.read(8), "little")
        if length > size - 8:
            return False
        tensors = json.loads(stream.read(length))
    ends = [tensor["data_offsets"][1] for name, tensor in tensors.items() if name != "__metadata__"]
    return 8 + length + max(ends, default=0) == size


def sha256_of(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
