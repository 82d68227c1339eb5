"""Copies TRL's training templates into ``bashgym_trainers/training_templates``: ``python tests/copy_templates.py``.

A training template renders the same text as its original, but marks assistant messages. Both renderers read the copies, so
that the preview needs no Python. ``test_families.py`` compares them with the installed TRL.
"""

from __future__ import annotations

import json
from pathlib import Path

import trl

from bashgym_trainers.templates import TRAINING_TEMPLATES, hash_of

TRL_TEMPLATES = Path(trl.__file__).parent / "chat_templates"
# These expect content as a list of texts and pictures, which rows never have.
PICTURES = ("idefics3", "llava_next", "smolvlm", "diffusion_gemma")


def pairs() -> dict[str, tuple[str, str]]:
    """Original and training template of each family."""
    found = {}
    for file in sorted(TRL_TEMPLATES.glob("*_training.jinja")):
        family = file.stem.removesuffix("_training")
        if family not in PICTURES:
            found[family] = ((TRL_TEMPLATES / f"{family}.jinja").read_text(encoding="utf-8"), file.read_text(encoding="utf-8"))
    return found


if __name__ == "__main__":
    index = {}
    for family, (original, training) in pairs().items():
        (TRAINING_TEMPLATES / f"{family}.jinja").write_text(training, encoding="utf-8")
        index[hash_of(original)] = family
    (TRAINING_TEMPLATES / "index.json").write_text(json.dumps(index, indent=2) + "\n")
