"""Every family with every strategy of rows: the long part of the proof, for ``npm run soak``."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from conftest import NewRun
from rows import label_rows, preference_rows, sft_rows
from test_families import TRL_TEMPLATES, WRITTEN

pytestmark = pytest.mark.skipif(not os.environ.get("BASHGYM_SOAK"), reason="npm run soak")
ROWS = {"sft": sft_rows, "dpo": preference_rows, "kto": label_rows}


@pytest.mark.parametrize("strategy", ROWS)
@pytest.mark.parametrize("family", WRITTEN)
def test_a_family_is_trained(new_run: NewRun, model: Path, tmp_path: Path, family: str, strategy: str) -> None:
    folder = tmp_path / "model"
    shutil.copytree(model, folder)
    shutil.copyfile(TRL_TEMPLATES / f"{family}.jinja", folder / "chat_template.jinja")
    run = new_run(ROWS[strategy](), strategy=strategy, model=folder, maxSteps=2, maxLength=1024, learningRate=5e-4)
    assert run.in_process() == 0, run.events[-1]
    assert run.events[-1]["type"] == "complete" and run.events[-1]["step"] == 2
