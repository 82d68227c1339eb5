"""Makes a small byte-level tokenizer of the Qwen2 kind, with a chat template, as a Hugging Face folder.

``python tests/make_tokenizer.py DIR [TEMPLATE]``: the template is a file; without it, TRL's copy of Qwen2.5's. ``spaced`` in its
place makes a tokenizer that puts a space before whatever it is given, as those of Llama 2, Mistral and Phi-3 do.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast

SPLIT = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
SENTENCES = [
    "You are a coding agent. Use the tools to finish the task, and say what you did.",
    "List the files of this folder and run the tests. They fail; mend the function add in calc.py.",
    '{"name": "Bash", "arguments": {"command": "ls -la src && npm test", "description": "Runs the tests"}}',
    "Naïve café — größer, δοκιμή, проверка, 検査, 🙂.",
    "system\nYou are Qwen, created by Alibaba Cloud. You are a helpful assistant.",  # what the template adds: short rows train sooner
    "# Tools\n\nYou may call one or more functions to assist with the user query.\n\nYou are provided with function signatures",
    'within <tools></tools> XML tags:\n<tools>\n{"type": "function", "function": {"name": "Bash", "parameters": {"type": "object"}}}',
    "\n\nFor each function call, return a json object with function name and arguments within <tool_call></tool_call> XML tags:\n",
    '<tool_call>\n{"name": <function-name>, "arguments": <args-json-object>}\n</tool_call>\n<tool_response>\nuser\nassistant',
    "def add(a, b):\n    return a + b\n\n\nif __name__ == '__main__':\n    print(add(1, 2))\n",
]


def make(folder: Path, template: str, vocabulary: int = 600) -> PreTrainedTokenizerFast:
    raw = Tokenizer(models.BPE())
    raw.normalizer = normalizers.NFC()
    raw.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(SPLIT), behavior="isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    raw.decoder = decoders.ByteLevel()
    specials = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=specials,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    raw.train_from_iterator(SENTENCES * 4, trainer)
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=raw, eos_token="<|im_end|>", pad_token="<|endoftext|>")
    tokenizer.chat_template = template
    tokenizer.save_pretrained(folder)
    return tokenizer


def make_spaced(folder: Path) -> PreTrainedTokenizerFast:
    raw = Tokenizer(models.BPE(unk_token="<unk>", byte_fallback=True))
    raw.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    raw.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)])
    specials = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256))]
    trainer = trainers.BpeTrainer(vocab_size=600, special_tokens=specials, show_progress=False)
    raw.train_from_iterator(["[INST] Say it. [/INST] I say it, and once more: said.", *SENTENCES[:3]] * 4, trainer)
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=raw, bos_token="<s>", eos_token="</s>", unk_token="<unk>")
    one = "{% if m.role == 'assistant' %}{{ m.content + eos_token }}{% else %}{{ '[INST] ' + m.content + ' [/INST]' }}{% endif %}"
    tokenizer.chat_template = "{% for m in messages %}" + one + "{% endfor %}"
    tokenizer.save_pretrained(folder)
    return tokenizer


def qwen_template() -> str:
    import trl

    return (Path(trl.__file__).parent / "chat_templates" / "qwen2_5.jinja").read_text()


if __name__ == "__main__":
    target, *template = sys.argv[1:]
    if template == ["spaced"]:
        make_spaced(Path(target))
    else:
        make(Path(target), Path(template[0]).read_text() if template else qwen_template())
