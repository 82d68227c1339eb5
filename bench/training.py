"""Compares speed and memory of the trainers with plain scripts of the library that use the same settings.

    PYTHONPATH=server/trainers python bench/training.py [--device cuda] [--model 1.5b-random] [--rounds 3] [--only sft,grpo]
    PYTHONPATH=server/trainers python bench/training.py --memory < configurations.jsonl

Each arm is a process of its own; arms take turns. Both are timed by the same clock, from the end of the warm-up steps to
the end of the last. ``ratio`` is ours over plain in tokens a second; ``processorRatio`` the same by processor time, which
other work on the machine does not count in. Needs nothing but the trainers and their packages.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

WARM_STEPS = 3
TEMPLATE = (
    "{% for m in messages %}{{ '<|im_start|>' + m.role + '\\n' }}"
    "{% if m.role == 'assistant' %}{% generation %}{{ m.content + '<|im_end|>' }}{% endgeneration %}{{ '\\n' }}"
    "{% else %}{{ m.content + '<|im_end|>\\n' }}{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"
)
WORDS = [first + second for first in ["ba", "de", "fi", "lo", "mu", "ra", "so", "ti"] for second in ["ne", "ko", "la", "ri", "pu", "se"]]
MODELS: dict[str, dict[str, int]] = {
    "small": {"hidden_size": 192, "intermediate_size": 768, "num_hidden_layers": 4, "num_attention_heads": 6, "num_key_value_heads": 2},
    "1.5b-random": {
        "hidden_size": 1536,
        "intermediate_size": 8960,
        "num_hidden_layers": 28,
        "num_attention_heads": 12,
        "num_key_value_heads": 2,
        "vocab_size": 151_936,
    },
}
LORA = {"kind": "lora", "rank": 16, "alpha": 32, "dropout": 0.0}


def make_model(folder: Path, sizes: dict[str, int], device: str) -> None:
    """Makes a model with random weights and a byte-level tokenizer for the words of the rows."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM

    raw = Tokenizer(models.BPE())
    raw.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    raw.decoder = decoders.ByteLevel()
    specials = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=2000, special_tokens=specials, initial_alphabet=alphabet, show_progress=False)
    raw.train_from_iterator([" ".join(WORDS)] * 8, trainer)
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=raw, eos_token="<|im_end|>", pad_token="<|endoftext|>")
    tokenizer.chat_template = TEMPLATE
    tokenizer.save_pretrained(folder)
    torch.manual_seed(1)
    ends = {"eos_token_id": tokenizer.eos_token_id, "pad_token_id": tokenizer.pad_token_id, "bos_token_id": None}
    config = Qwen2Config(**{"vocab_size": 4096, "max_position_embeddings": 32_768, "tie_word_embeddings": True, **ends, **sizes})
    with torch.device(device):
        model = Qwen2ForCausalLM(config)
    model.to(torch.bfloat16 if device == "cuda" else torch.float32).save_pretrained(folder)


def make_rows(count: int, longest: int) -> list[dict[str, Any]]:
    """Makes conversations with realistic lengths: many short, few long."""
    chance = random.Random(7)

    def text(words: int) -> str:
        return " ".join(chance.choice(WORDS) for _ in range(words))

    sizes = [max(16, min(longest - 16, int(chance.lognormvariate(0, 0.8) * longest / 4))) for _ in range(count)]
    return [
        {"messages": [{"role": "user", "content": text(size // 2)}, {"role": "assistant", "content": text(size // 2)}]} for size in sizes
    ]


class Task:
    """Options of an arm, passed as JSON in its argument."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.arm: str = options["arm"]
        self.kind: str = options["kind"]
        self.model: str = options["model"]
        self.data: str = options["data"]
        self.device: str = options["device"]
        self.steps: int = options["steps"]
        self.batch: int = options["batch"]
        self.length: int = options["length"]
        self.completion: int = options["completion"]
        self.generations: int = options["generations"]
        self.whole: bool = options["whole"]
        self.threads: int | None = options["threads"]
        self.more: dict[str, Any] = options.get("more", {})


def run_arm(task: Task) -> dict[str, Any]:
    """Trains and measures the time from the end of the warm-up to the end of the last step."""
    import torch
    import transformers.trainer
    from transformers import TrainerCallback

    marks: list[tuple[float, float]] = []
    losses: list[float] = []

    class Clock(TrainerCallback):
        def on_step_end(self, _args: Any, state: Any, _control: Any, **_: Any) -> None:  # noqa: ANN401
            if state.global_step == WARM_STEPS or state.global_step == state.max_steps:
                if task.device == "cuda":
                    torch.cuda.synchronize()
                marks.append((time.perf_counter(), time.process_time()))

        def on_log(self, _args: Any, _state: Any, _control: Any, logs: Any = None, **_: Any) -> None:  # noqa: ANN401
            if logs and "loss" in logs:
                losses.append(logs["loss"])

    transformers.trainer.DEFAULT_CALLBACKS.append(Clock)
    if task.threads:
        torch.set_num_threads(task.threads)
    more = ours(task) if task.arm == "ours" else plain(task)
    vram = torch.cuda.max_memory_allocated() / 1e6 if task.device == "cuda" else None
    rss = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6
    wall, processor = (after - before for before, after in zip(marks[0], marks[-1], strict=True))
    return {"seconds": wall, "cpuSeconds": processor, "peakMb": rss if vram is None else vram, "rssMb": rss, "losses": losses, **more}


def ours(task: Task) -> dict[str, Any]:
    from bashgym_trainers import callbacks
    from bashgym_trainers.train import train

    spent = [0.0]

    def timed(function: Any) -> Any:  # noqa: ANN401
        def call(*given: Any, **named: Any) -> Any:  # noqa: ANN401
            began = time.perf_counter()
            try:
                return function(*given, **named)
            finally:
                spent[0] += time.perf_counter() - began

        return call

    for name in ("on_step_end", "on_log"):
        setattr(callbacks.Reporter, name, timed(getattr(callbacks.Reporter, name)))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "config.json"
        file.write_text(json.dumps(config_of(task, Path(folder) / "out")))
        began = time.time()
        if train(file):
            raise SystemExit((Path(folder) / "out" / "events.jsonl").read_text()[-2000:])
        events = [json.loads(line) for line in (Path(folder) / "out" / "events.jsonl").read_text().splitlines()]
    plan = next(event for event in events if event["type"] == "plan")
    last = [event for event in events if event["type"] == "progress"][-1]
    return {
        "callbackMsPerStep": spent[0] * 1000 / plan["totalSteps"],
        "tokens": last["tokens"],
        "steps": plan["totalSteps"],
        "parameters": plan["parameters"],
        "phases": phases(events, began),
    }


def phases(events: list[dict[str, Any]], began: float) -> dict[str, float]:
    """Seconds in each phase up to the end of the first step."""
    from datetime import datetime

    phase_starts = [(event["phase"], datetime.fromisoformat(event["at"]).timestamp()) for event in events if event["type"] == "phase"]
    until = next(at for at, (phase, _) in enumerate(phase_starts) if phase == "training")
    starts = [("start", began), *phase_starts[: until + 1]]
    return {name: round(after - at, 2) for (name, at), (_, after) in pairwise(starts)}


def config_of(task: Task, output: Path) -> dict[str, Any]:
    grpo = {"generations": task.generations, "maxCompletion": task.completion, "rewards": [{"kind": "exact"}], "beta": 0}
    return {
        "format": 1,
        "runId": "bench",
        "strategy": task.kind,
        "model": task.model,
        "data": {"train": task.data},
        "output": str(output),
        "method": {"kind": "full"} if task.whole else LORA,
        "learningRate": 1e-5,
        "maxSteps": task.steps,
        "batchSize": task.batch,
        "maxLength": task.length,
        "loggingSteps": 5,
        "evalSteps": None,
        "saveSteps": None,
        "samples": 0,
        "schedule": "constant",
        "device": task.device,
        "threads": task.threads,
        **(grpo if task.kind == "grpo" else {}),
        **task.more,
    }


def plain(task: Task) -> dict[str, Any]:
    """A script as in the library's documentation."""
    import torch
    from datasets import Dataset
    from peft import LoraConfig
    from transformers import AutoTokenizer
    from trl import GRPOConfig, GRPOTrainer, SFTConfig, SFTTrainer

    cuda = task.device == "cuda"
    rows = [json.loads(line) for line in Path(task.data).read_text().splitlines()]
    shared: dict[str, Any] = {
        "seed": 42,
        "data_seed": 42,
        "learning_rate": 1e-5,
        "max_steps": task.steps,
        "per_device_train_batch_size": task.batch,
        "lr_scheduler_type": "constant",
        "logging_steps": 5,
        "logging_first_step": True,
        "save_strategy": "no",
        "report_to": "none",
        "use_cpu": not cuda,
        "bf16": cuda,
        "gradient_checkpointing": cuda,
        "dataloader_pin_memory": cuda,
        "model_init_kwargs": {"dtype": torch.bfloat16 if cuda and not task.whole else torch.float32},
    }
    peft = None if task.whole else LoraConfig(r=16, lora_alpha=32, lora_dropout=0.0, target_modules="all-linear", task_type="CAUSAL_LM")
    tokenizer = AutoTokenizer.from_pretrained(task.model)
    with tempfile.TemporaryDirectory() as folder:
        if task.kind == "sft":
            trainer: Any = SFTTrainer(
                model=task.model,
                args=SFTConfig(output_dir=folder, assistant_only_loss=True, max_length=task.length, **shared),
                train_dataset=Dataset.from_list(rows),
                processing_class=tokenizer,
                peft_config=peft,
            )
        else:

            def exact(completions: list[Any], answer: list[str], **_: Any) -> list[float]:
                return [float(reply[0]["content"].strip() == wanted) for reply, wanted in zip(completions, answer, strict=True)]

            group = {"num_generations": task.generations, "max_completion_length": task.completion, "temperature": 1.0, "beta": 0.0}
            trainer = GRPOTrainer(
                model=task.model,
                args=GRPOConfig(output_dir=folder, **group, **shared),
                reward_funcs=exact,
                train_dataset=Dataset.from_list(rows),
                processing_class=tokenizer,
                peft_config=peft,
            )
        trainer.train()
    return {}


def child(task: dict[str, Any]) -> dict[str, Any]:
    """Runs one arm in a child process."""
    quiet = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false", "OMP_WAIT_POLICY": "PASSIVE"}
    done = subprocess.run(
        [sys.executable, __file__, "--task", json.dumps(task)],
        env={**os.environ, **quiet, "GOMP_SPINCOUNT": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"{task['arm']} {task['kind']} failed:\n{done.stderr[-3000:]}")
    return json.loads(done.stdout.splitlines()[-1])


def compare(base: dict[str, Any], rounds: int) -> dict[str, Any]:
    """Runs both arms alternately; returns the ratio of each round and the median."""
    results: dict[str, list[dict[str, Any]]] = {"ours": [], "plain": []}
    for number in range(rounds):
        for arm in ("ours", "plain") if number % 2 else ("plain", "ours"):
            results[arm].append(child({**base, "arm": arm}))
            print(f"  {base['kind']} {arm}: {results[arm][-1]['seconds']:.2f} s, {results[arm][-1]['peakMb']:.0f} MB", file=sys.stderr)
    measured = base["steps"] - WARM_STEPS
    tokens = results["ours"][0]["tokens"] * measured / base["steps"]
    seconds = {arm: statistics.median(one["seconds"] for one in results[arm]) for arm in results}
    memory = {arm: statistics.median(one["peakMb"] for one in results[arm]) for arm in results}

    def ratios(what: str) -> list[float]:
        return [round(plain[what] / ours[what], 3) for ours, plain in zip(results["ours"], results["plain"], strict=True)]

    losses = zip(results["ours"][0]["losses"], results["plain"][0]["losses"], strict=True)
    return {
        "task": base["kind"] + (" full" if base["whole"] else " LoRA"),
        "tokensPerSec": {arm: round(tokens / seconds[arm], 1) for arm in results},
        "ratio": round(seconds["plain"] / seconds["ours"], 3),
        "ratios": ratios("seconds"),
        "processorRatios": ratios("cpuSeconds"),
        "processorRatio": round(statistics.median(ratios("cpuSeconds")), 3),
        "peakMb": {arm: round(memory[arm]) for arm in results},
        "memoryRatio": round(memory["ours"] / memory["plain"], 3),
        "callbackMsPerStep": round(statistics.median(one["callbackMsPerStep"] for one in results["ours"]), 2),
        "stepMs": round(seconds["ours"] * 1000 / measured, 1),
        "largestLossDifference": max(abs(ours - plain) for ours, plain in losses),
        "toFirstStepSec": results["ours"][0]["phases"],
        "parameters": results["ours"][0]["parameters"],
    }


def gains(base: dict[str, Any], rows: int) -> list[dict[str, Any]]:
    """Trains one epoch in the original order, grouped by length, and packed, to compare the speed."""
    table = []
    for name, more in (("as they come", {}), ("by length", {"groupByLength": True}), ("packed", {"packing": True})):
        result = child({**base, "arm": "ours", "more": {"maxSteps": None, "epochs": 1, **more}})
        tokens = result["tokens"] * (result["steps"] - WARM_STEPS) / result["steps"]
        table.append(
            {
                "rows": name,
                "steps": result["steps"],
                "tokensPerSec": round(tokens / result["seconds"], 1),
                "peakMb": round(result["peakMb"]),
            }
        )
        print(f"  {rows} rows {name}: {table[-1]}", file=sys.stderr)
    return table


def memory_of(request: dict[str, Any], device: str) -> dict[str, Any]:
    """Measures the peak memory of a dry run of ``{hidden, layers, heads?, intermediate?, vocab?, length, batch, method, strategy?}``."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        hidden, heads = request["hidden"], request.get("heads", max(1, request["hidden"] // 64))
        sizes = {
            "hidden_size": hidden,
            "intermediate_size": request.get("intermediate", hidden * 4),
            "num_hidden_layers": request["layers"],
            "num_attention_heads": heads,
            "num_key_value_heads": request.get("kvHeads", heads),
            "vocab_size": request.get("vocab", 4096),
        }
        model_request = json.dumps({"folder": str(folder / "model"), "sizes": sizes})
        subprocess.run([sys.executable, __file__, "--make", model_request], check=True, stdout=subprocess.DEVNULL)
        words = " ".join(WORDS[at % len(WORDS)] for at in range(request["length"] * 2))
        rows = [{"messages": [{"role": "user", "content": "x"}, {"role": "assistant", "content": words}]}] * request["batch"]
        (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        config = {
            "format": 1,
            "runId": "memory",
            "strategy": request.get("strategy", "sft"),
            "model": str(folder / "model"),
            "data": {"train": str(folder / "rows.jsonl")},
            "output": str(folder / "out"),
            "method": {"kind": "full"} if request["method"] == "full" else LORA,
            "learningRate": 1e-5,
            "batchSize": request["batch"],
            "maxLength": request["length"],
            "device": device,
            "dryRun": True,
        }
        (folder / "config.json").write_text(json.dumps(config))
        done = subprocess.run(
            [sys.executable, "-m", "bashgym_trainers", "train", "--config", str(folder / "config.json")], capture_output=True, check=False
        )
        events = [json.loads(line) for line in (folder / "out" / "events.jsonl").read_text().splitlines()]
        if done.returncode:
            return {**request, "failed": events[-1]["message"]}
        plan = next(event for event in events if event["type"] == "plan")
        return {**request, "parameters": plan["parameters"], "trainable": plan["trainable"], "peakMb": events[-1]["peakMb"]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--model", choices=sorted(MODELS), default="small")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--threads", type=int, default=None)
    parser.add_argument("--only", default="sft,sft-full,grpo,gains", help="of sft, sft-full, grpo, gains")
    parser.add_argument("--memory", action="store_true", help="peaks of the configurations on stdin, a JSON line each")
    parser.add_argument("--task", help=argparse.SUPPRESS)
    parser.add_argument("--make", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.make:
        request = json.loads(options.make)
        make_model(Path(request["folder"]), request["sizes"], "cpu")
        return
    if options.task:
        out = os.dup(1)
        os.dup2(2, 1)
        os.write(out, (json.dumps(run_arm(Task(json.loads(options.task)))) + "\n").encode())
        return
    if options.memory:
        for line in sys.stdin:
            print(json.dumps(memory_of(json.loads(line), options.device)), flush=True)
        return
    large = options.model == "1.5b-random"
    only = options.only.split(",")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_model(folder / "model", MODELS[options.model], options.device)
        batch, length = (8, 2048) if large else (4, 256)
        rows = make_rows(options.steps * batch, length)
        (folder / "sft.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        asked = [{"prompt": row["messages"][:1], "answer": "x"} for row in make_rows(options.steps * 4, 256 if large else 64)]
        (folder / "grpo.jsonl").write_text("".join(json.dumps(row) + "\n" for row in asked))
        base = {
            "model": str(folder / "model"),
            "device": options.device,
            "steps": options.steps,
            "threads": options.threads,
            "batch": batch,
            "length": length,
            "completion": 256 if large else 16,
            "generations": 8,
            "whole": False,
        }
        sft = {**base, "kind": "sft", "data": str(folder / "sft.jsonl")}
        grpo = {**base, "kind": "grpo", "data": str(folder / "grpo.jsonl"), "batch": 32 if large else 16}
        table: dict[str, Any] = {"device": options.device, "model": options.model, "rounds": options.rounds, "tasks": []}
        for name, task in (("sft", sft), ("sft-full", {**sft, "whole": True}), ("grpo", grpo)):
            if name in only:
                table["tasks"].append(compare(task, options.rounds))
        if "gains" in only:
            many = make_rows(4 * len(rows), length)  # many rows, because packing leaves few steps
            (folder / "many.jsonl").write_text("".join(json.dumps(row) + "\n" for row in many))
            table["gains"] = gains({**sft, "data": str(folder / "many.jsonl")}, len(many))
    print(json.dumps(table, indent=2))


if __name__ == "__main__":
    main()
