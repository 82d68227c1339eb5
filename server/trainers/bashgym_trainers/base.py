"""A base model on the disk: a Hugging Face folder, or one GGUF file that Transformers can read."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

MAGIC = b"GGUF"
SENTENCEPIECE_FILE = "tokenizer.model"


def is_gguf(base: Path) -> bool:
    """Whether the name is that of a GGUF file. Ollama names its files by their hash."""
    return base.suffix.lower() == ".gguf" or re.fullmatch(r"sha256-[0-9a-f]{64}", base.name) is not None


def missing(base: Path) -> str | None:
    """An error message if there is no model at this path, otherwise None."""
    if not is_gguf(base):
        return None if (base / "config.json").exists() else f"There is no model in {base}: it has no config.json."
    if not base.is_file():
        return f"There is no model in {base}: the file is missing."
    with base.open("rb") as file:
        return None if file.read(len(MAGIC)) == MAGIC else f"{base} is not a GGUF file."


@contextmanager
def opened(base: Path) -> Iterator[dict[str, Any]]:
    """Arguments of ``from_pretrained``, valid inside the context. Nothing is downloaded, and no code of a model runs."""
    trusted = {"local_files_only": True, "trust_remote_code": False}
    if not is_gguf(base):
        yield {"pretrained_model_name_or_path": base, **trusted}
        return
    with tempfile.TemporaryDirectory(prefix="bashgym-base-") as alone:  # other files in its folder may belong to another model
        os.symlink(base.resolve(), Path(alone) / "model.gguf")
        yield {"pretrained_model_name_or_path": alone, "gguf_file": "model.gguf", **trusted}


def read_tokenizer(base: Path) -> PreTrainedTokenizerBase:
    from transformers import AutoTokenizer

    with opened(base) as place:
        return AutoTokenizer.from_pretrained(**place)


def save_tokenizer(tokenizer: PreTrainedTokenizerBase, base: Path, folder: Path) -> None:
    """Copies the SentencePiece model too, if the base has one: the library omits it, and the llama.cpp converter needs it."""
    tokenizer.save_pretrained(folder)
    if (base / SENTENCEPIECE_FILE).is_file():
        shutil.copyfile(base / SENTENCEPIECE_FILE, folder / SENTENCEPIECE_FILE)


def read_weights(base: Path, **options: Any) -> PreTrainedModel:
    """Loads a causal model; GGUF weights are unpacked. Raises the libraries' errors, and ValueError if a GGUF lacks weights."""
    from transformers import AutoModelForCausalLM

    with opened(base) as place:
        if not is_gguf(base):
            return AutoModelForCausalLM.from_pretrained(**place, **options)
        from transformers import GgufConfig

        unpacked = GgufConfig(dequantize=True)
        model, found = AutoModelForCausalLM.from_pretrained(**place, **options, quantization_config=unpacked, output_loading_info=True)
    missing_weights = sorted(found["missing_keys"])
    if missing_weights:  # the library would initialise them randomly
        raise ValueError(
            f"the file lacks {len(missing_weights)} of the weights that this architecture has, among them {missing_weights[0]}."
        )
    model.name_or_path = str(base)
    model.config._name_or_path = str(base.parent)
    return model


def rows_of_vocabulary(base: Path) -> int:
    from transformers import AutoConfig

    with opened(base) as place:
        return int(AutoConfig.from_pretrained(**place).get_text_config().vocab_size)
