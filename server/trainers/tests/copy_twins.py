"""Copies the training templates that TRL carries into ``bashgym_trainers/twins``: ``python tests/copy_twins.py``.

A twin writes what its original writes, with marks where the assistant speaks. Both renderers read the copies, so that the
preview knows them before any Python is there; ``test_families.py`` holds them to the installed TRL.
"""

from __future__ import annotations

import json
from pathlib import Path

import trl

from bashgym_trainers.templates import TWINS, hash_of

CARRIED = Path(trl.__file__).parent / "chat_templates"
# They take the content of a message as a list of texts and pictures, which our rows never are.
PICTURES = ("idefics3", "llava_next", "smolvlm", "diffusion_gemma")


def pairs() -> dict[str, tuple[str, str]]:
    """Original and twin of each family."""
    found = {}
    for file in sorted(CARRIED.glob("*_training.jinja")):
        family = file.stem.removesuffix("_training")
        if family not in PICTURES:
            found[family] = ((CARRIED / f"{family}.jinja").read_text(encoding="utf-8"), file.read_text(encoding="utf-8"))
    return found


if __name__ == "__main__":
    index = {}
    for family, (original, twin) in pairs().items():
        (TWINS / f"{family}.jinja").write_text(twin, encoding="utf-8")
        index[hash_of(original)] = family
    (TWINS / "index.json").write_text(json.dumps(index, indent=2) + "\n")
