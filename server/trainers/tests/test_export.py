"""Merge, convert, quantize, answer and serve, on a tiny model with an adapter."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import PACKAGE, Run, fill
from jsonschema import Draft202012Validator
from make_tokenizer import SENTENCES

from bashgym_trainers import answer as answering
from bashgym_trainers import merge as merging
from bashgym_trainers import read as reading
from bashgym_trainers import to_gguf
from bashgym_trainers.config import SCHEMA
from bashgym_trainers.errors import TrainerError
from bashgym_trainers.llama import fitting_layers

EVENT = Draft202012Validator(SCHEMA["exportEvent"])
TOOL = {"type": "function", "function": {"name": "Bash", "description": "Runs it.", "parameters": {"type": "object", "properties": {}}}}
PROMPTS = [
    {"messages": [{"role": "user", "content": "List the files."}], "tools": [TOOL]},
    {"messages": [{"role": "user", "content": "What did you do?"}]},
]
TURNS = """\
{%- for message in messages %}{{ '<' + message['role'] + '>' + message['content'] + '<eos>' }}{% endfor -%}
{%- if add_generation_prompt %}{{ '<assistant>' }}{% endif -%}"""


class Recorder:
    """Records the events of a tool, and validates them."""

    def __init__(self) -> None:
        self.events: list[dict[str, Any]] = []

    def emit(self, kind: str, **fields: Any) -> None:
        EVENT.validate({"type": kind, **fields})
        self.events.append({"type": kind, **fields})

    def progress(self, phase: str, done: float, total: float | None, unit: str) -> None:
        self.emit("progress", phase=phase, done=done, total=total, unit=unit)


@pytest.fixture(scope="session")
def adapter(model: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An adapter whose weights change the answers of the model."""
    import torch
    from peft import LoraConfig, get_peft_model
    from transformers import AutoModelForCausalLM, AutoTokenizer

    torch.manual_seed(3)
    folder = tmp_path_factory.mktemp("adapter")
    loaded = get_peft_model(
        AutoModelForCausalLM.from_pretrained(model), LoraConfig(r=4, target_modules="all-linear", task_type="CAUSAL_LM")
    )
    for name, weight in loaded.named_parameters():
        if "lora_B" in name:
            torch.nn.init.normal_(weight, std=0.3)
    loaded.save_pretrained(folder)
    AutoTokenizer.from_pretrained(model).save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def merged(model: Path, adapter: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("merged") / "model"
    facts = merging.merge({"model": str(model), "adapter": str(adapter), "output": str(output)}, Recorder())
    assert facts["dtype"] == "float16"
    return output


@pytest.fixture(scope="session")
def gguf(merged: Path) -> Path:
    return converted(merged, "f16")


def converted(merged: Path, quantization: str) -> Path:
    output = merged.parent / f"{quantization}.gguf"
    recorder = Recorder()
    facts = to_gguf.make(
        {"model": str(merged), "output": str(output), "quantization": quantization, "quantizer": None, "threads": 1}, recorder
    )
    assert facts["bytes"] == output.stat().st_size
    assert output.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in merged.parent.iterdir() if ".part" in path.name] == []
    return output


def answers(folder: Path, **config: Any) -> list[dict[str, Any]]:
    prompts, output = folder / "prompts.jsonl", folder / "answers.jsonl"
    prompts.write_text("".join(json.dumps(prompt) + "\n" for prompt in PROMPTS))
    settings = {"adapter": None, "maxTokens": 12, "threads": 1, **config}
    assert answering.answer({**settings, "prompts": str(prompts), "output": str(output)}, Recorder()) == {"prompts": len(PROMPTS)}
    rows = [json.loads(line) for line in output.read_text().splitlines()]
    for row in rows:
        Draft202012Validator(SCHEMA["exportAnswer"]).validate(row)
    return rows


def test_the_merged_model_answers_like_base_and_adapter(tmp_path: Path, model: Path, adapter: Path, merged: Path) -> None:
    trained = answers(tmp_path, model=str(model), adapter=str(adapter))
    assert answers(tmp_path, model=str(merged)) == trained
    assert answers(tmp_path, model=str(model)) != trained
    assert (merged / "chat_template.jinja").read_text() == (model / "chat_template.jinja").read_text()
    assert {path.stat().st_mode & 0o777 for path in merged.iterdir()} == {0o600}


def test_the_gguf_answers_like_the_merged_model_and_has_its_template(tmp_path: Path, merged: Path, gguf: Path) -> None:
    from gguf import GGUFReader

    exported = answers(tmp_path, model=str(gguf), tokenizer=str(merged))
    assert {answer.pop("alike") for answer in exported} == {True}
    assert [{**answer, "alike": None} for answer in exported] == answers(tmp_path, model=str(merged))
    assert {answer["ended"] for answer in exported} == {False} and {answer["tokens"] for answer in exported} == {12}
    fields = GGUFReader(gguf).fields
    assert fields["tokenizer.chat_template"].contents() == (merged / "chat_template.jinja").read_text()
    assert fields["tokenizer.ggml.pre"].contents() == "qwen2"


def test_layers_go_to_a_gpu_with_enough_memory(gguf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import xllamacpp

    processor = {"name": "CPU", "description": "Some processor", "memory_free": 8e9, "memory_total": 8e9, "type": "TYPE_CPU"}
    card = {"name": "CUDA0", "description": "NVIDIA H100", "memory_free": 70_000_000_000, "memory_total": 80e9, "type": "TYPE_GPU"}
    monkeypatch.setattr(xllamacpp, "get_device_info", lambda: [processor, card])
    layers, device = fitting_layers(gguf, 512)
    assert layers >= 2 and device == "NVIDIA H100"
    monkeypatch.setattr(xllamacpp, "get_device_info", lambda: [processor, {**card, "memory_free": 1_000_000}])
    assert fitting_layers(gguf, 512) == (0, None)
    monkeypatch.setattr(xllamacpp, "get_device_info", lambda: [processor])
    assert fitting_layers(gguf, 512) == (0, None)


@pytest.fixture
def gemma(tmp_path: Path) -> Path:
    """A tiny Gemma 2, whose vocabulary llama.cpp's converter reads from the SentencePiece file."""
    import sentencepiece
    from transformers import Gemma2Config, Gemma2ForCausalLM, GemmaTokenizer

    folder = tmp_path / "gemma"
    folder.mkdir()
    with (folder / "tokenizer.model").open("wb") as file:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(SENTENCES * 4), model_writer=file, model_type="bpe", vocab_size=520, byte_fallback=True, minloglevel=2,
            pad_id=0, eos_id=1, bos_id=2, unk_id=3, pad_piece="<pad>", eos_piece="<eos>", bos_piece="<bos>", add_dummy_prefix=False,
        )  # fmt: skip
    tokenizer = GemmaTokenizer.from_pretrained(folder)
    tokenizer.chat_template = TURNS
    tokenizer.save_pretrained(folder)
    ids = {name: getattr(tokenizer, name) for name in ("eos_token_id", "bos_token_id", "pad_token_id")}
    shape = {"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2}
    Gemma2ForCausalLM(Gemma2Config(vocab_size=len(tokenizer), head_dim=16, max_position_embeddings=512, **shape, **ids)).save_pretrained(
        folder
    )
    return folder


@pytest.mark.parametrize("method", ["full", "lora"])
def test_a_sentencepiece_vocabulary_is_kept_in_the_gguf(new_run: Callable[..., Run], gemma: Path, tmp_path: Path, method: str) -> None:
    from gguf import GGUFReader
    from transformers import AutoTokenizer

    rows = [{"messages": [{"role": "user", "content": "List the files."}, {"role": "assistant", "content": "calc.py"}]}] * 4
    run = new_run(rows, model=gemma, method={"kind": method}, maxSteps=1)
    assert run.in_process() == 0, run.events[-1]
    model, adapter = (run.output / "final", None) if method == "full" else (gemma, str(run.output / "final"))
    merged = tmp_path / "merged"
    merging.merge({"model": str(model), "adapter": adapter, "output": str(merged)}, Recorder())
    fields = GGUFReader(converted(merged, "f16")).fields
    assert fields["tokenizer.ggml.model"].contents() == "llama"
    tokenizer = AutoTokenizer.from_pretrained(gemma)
    assert fields["tokenizer.ggml.tokens"].contents()[:520] == tokenizer.convert_ids_to_tokens(list(range(520)))


@pytest.fixture
def fake_converter(gguf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Copies the file that the converter wrote before, which saves seconds."""

    def write(_: Path, output: Path, kind: str) -> None:
        assert kind == "f16"
        shutil.copyfile(gguf, output)

    monkeypatch.setattr(to_gguf, "_convert", write)


def test_an_8_bit_file_has_the_weights_of_the_model(tmp_path: Path, merged: Path, gguf: Path) -> None:
    check_weights(tmp_path, merged, gguf, "q8_0")


@pytest.mark.usefixtures("fake_converter")
@pytest.mark.parametrize("quantization", ["q4_k_m", "q5_k_m"])
def test_quantized_files_have_the_weights_of_the_model(tmp_path: Path, merged: Path, gguf: Path, quantization: str) -> None:
    check_weights(tmp_path, merged, gguf, quantization)


def check_weights(tmp_path: Path, merged: Path, gguf: Path, quantization: str) -> None:
    import numpy as np
    from gguf import GGUFReader
    from gguf.quants import dequantize

    file = converted(merged, quantization)
    assert file.stat().st_size < gguf.stat().st_size
    assert len(answers(tmp_path, model=str(file))) == len(PROMPTS)
    whole = {tensor.name: tensor for tensor in GGUFReader(gguf).tensors}
    small = GGUFReader(file)
    assert len(small.tensors) == len(whole)
    for tensor in small.tensors:
        before = dequantize(whole[tensor.name].data, whole[tensor.name].tensor_type)
        after = dequantize(tensor.data, tensor.tensor_type)
        assert np.abs(after - before).max() <= 0.1 * np.abs(before).max(), tensor.name


@pytest.mark.usefixtures("fake_converter")
def test_a_configured_quantizer_is_used(tmp_path: Path, merged: Path) -> None:
    quantizer = tmp_path / "llama-quantize"
    quantizer.write_text('#!/bin/sh\ncp "$1" "$2"; echo "$3 $4" > "$2.said"\n')
    quantizer.chmod(0o700)
    output = tmp_path / "model.gguf"
    config = {"model": str(merged), "output": str(output), "quantization": "q4_k_m", "quantizer": str(quantizer), "threads": 3}
    assert str(quantizer) in str(to_gguf.make(config, Recorder())["way"])
    assert (tmp_path / "model.gguf.part.said").read_text() == "Q4_K_M 3\n"
    quantizer.write_text("#!/bin/sh\necho unknown architecture >&2; exit 1\n")
    with pytest.raises(TrainerError, match="unknown architecture"):
        to_gguf.make(config, Recorder())
    assert [path.name for path in tmp_path.iterdir() if path.name.endswith(".part")] == []


def test_a_folder_without_a_model_or_adapter_is_refused(tmp_path: Path, model: Path) -> None:
    output = str(tmp_path / "out")
    with pytest.raises(TrainerError, match=r"no config\.json"):
        merging.merge({"model": str(tmp_path), "adapter": None, "output": output}, Recorder())
    with pytest.raises(TrainerError, match=r"no adapter_config\.json"):
        merging.merge({"model": str(model), "adapter": str(tmp_path), "output": output}, Recorder())
    assert not Path(output).exists()


def test_without_the_converter_the_error_has_the_command_that_installs_it(
    merged: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    with pytest.raises(TrainerError, match="pip install --no-deps --target") as refused:
        converted(merged, "f16")
    assert refused.value.code == "converter_missing"


def start(command: str, config: Path, **more: Any) -> subprocess.Popen[str]:
    """Starts a tool like the app does."""
    return subprocess.Popen(
        [sys.executable, "-m", "bashgym_trainers", command, "--config", str(config)],
        cwd=PACKAGE,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        **more,
    )


class Server:
    """A process of ``serve`` with its first event."""

    def __init__(self, folder: Path, model: Path, mode: int = 0o600) -> None:
        key, config = folder / "key", folder / "serve.json"
        key.write_text("secret-of-the-test")
        key.chmod(mode)
        config.write_text(json.dumps({"command": "serve", "model": str(model), "key": str(key), "context": 512, "threads": 1}))
        self.process = start("serve", config, stderr=subprocess.DEVNULL)
        assert self.process.stdout
        self.first = json.loads(self.process.stdout.readline())
        EVENT.validate(self.first)

    def ask(self, key: str) -> dict[str, Any]:
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.first['port']}/v1/chat/completions",
            data=json.dumps({"messages": [{"role": "user", "content": "Hi"}], "max_tokens": 4}).encode(),
            headers={"content-type": "application/json", "authorization": f"Bearer {key}"},
        )
        with urllib.request.urlopen(request) as reply:
            return json.load(reply)


@pytest.fixture
def server(tmp_path: Path, gguf: Path) -> Iterator[Server]:
    server = Server(tmp_path, gguf)
    yield server
    server.process.kill()
    server.process.wait()


def test_a_server_requires_the_key_and_ends_with_its_parent(server: Server) -> None:
    assert server.first["type"] == "ready"
    assert server.first["gpuLayers"] == 0 and server.first["gpu"] is None
    assert "<|im_start|>" in server.first["marks"] and "<|im_end|>" not in server.first["marks"]
    assert server.ask("secret-of-the-test")["choices"][0]["finish_reason"] in ("length", "stop")
    with pytest.raises(urllib.error.HTTPError, match="401"):
        server.ask("another")
    assert server.process.stdin
    server.process.stdin.close()
    server.process.wait(timeout=60)


def test_read_splits_an_answer_into_text_and_calls(tmp_path: Path) -> None:
    written = 'Look.\n<tool_call>\n{"name": "Bash", "arguments": {"command": "ls"}}\n</tool_call>'
    (tmp_path / "in.json").write_text(json.dumps({"raw": written, "tools": []}))
    reading.read({"input": str(tmp_path / "in.json"), "output": str(tmp_path / "out.json")}, Recorder())
    found = json.loads((tmp_path / "out.json").read_text())
    assert found == {"text": "Look.", "calls": [{"name": "Bash", "arguments": {"command": "ls"}}]}


def test_a_key_that_others_can_read_is_refused(tmp_path: Path, gguf: Path) -> None:
    server = Server(tmp_path, gguf, mode=0o644)
    assert server.first["type"] == "failed"
    assert server.first["code"] == "key_open"
    assert server.process.wait(timeout=60) == 1


def test_a_tool_ends_with_its_parent_and_leaves_no_result(tmp_path: Path, merged: Path) -> None:
    output, config = tmp_path / "model.gguf", tmp_path / "gguf.json"
    config.write_text(json.dumps({"command": "gguf", "model": str(merged), "output": str(output), "quantization": "f16"}))
    tool = start("gguf", config, stderr=subprocess.PIPE, start_new_session=True)
    assert tool.stdout and tool.stdin and tool.stderr
    assert json.loads(tool.stdout.readline())["phase"] == "convert"
    tool.stdin.close()
    assert tool.wait(timeout=60) < 0
    tool.stderr.read()  # ends once the converter, which writes there too, has ended
    assert not output.exists()


@pytest.mark.parametrize(
    ("command", "quantization", "free_bytes"), [("merge", None, 200_000), ("gguf", "f16", 150_000), ("gguf", "q4_k_m", 320_000)]
)
def test_a_disk_that_fills_up_during_an_export_is_reported_and_leaves_no_partial_file(
    small_disk: Path, model: Path, merged: Path, command: str, quantization: str | None, free_bytes: int
) -> None:
    config, output = small_disk / "config.json", small_disk / "made"
    more = {"model": str(model), "adapter": None} if quantization is None else {"model": str(merged), "quantization": quantization}
    config.write_text(json.dumps({"command": command, "output": str(output), **more}))
    fill(small_disk, free_bytes)
    tool = [sys.executable, "-m", "bashgym_trainers", command, "--config", str(config)]
    env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "TMPDIR": str(small_disk)}
    done = subprocess.run(tool, cwd=PACKAGE, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    event = json.loads(done.stdout.splitlines()[-1])
    EVENT.validate(event)
    assert (event["type"], event["code"]) == ("failed", "disk_full"), event
    assert str(small_disk) in event["message"]
    assert not output.exists()
