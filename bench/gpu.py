"""Compares peak memory of training runs with their plan, and tokens per second with a plain script of the library.

    node bench/gpu.ts --size large --write cases.json
    PYTHONPATH=server/trainers python bench/gpu.py --cases cases.json [--only NAME] [--minutes 8] [--out gpu.json]

Each arm runs in its own process. A case is skipped, with the reason, if its packages are missing or the time is up.
On a GPU the peak is the memory that PyTorch reserved plus the driver context; on the CPU it is the resident memory.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from training import WORDS, make_model

WARM_STEPS = 2
STEPS = {"sft": 6, "dpo": 6, "grpo": 4}
NEEDED = ("torch", "transformers", "peft", "accelerate", "datasets", "trl", "jsonschema", "psutil", "bitsandbytes")
TURNS = 12


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--minutes", type=float, default=8)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--child", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        out = os.dup(1)
        os.dup2(2, 1)
        task = json.loads(options.child)
        os.write(out, (json.dumps(CHILDREN[task["what"]](task)) + "\n").encode())
        return 0
    return bench(json.loads(options.cases.read_text()), options.only, time.monotonic() + options.minutes * 60, options.out)


def bench(request: dict[str, Any], only: str, until: float, out: Path | None) -> int:
    there = {name: importlib.util.find_spec(name) is not None for name in NEEDED}
    print("packages:", ", ".join(f"{name}{'' if is_there else ' MISSING'}" for name, is_there in there.items()), flush=True)
    facts = ask_probe()
    print(
        "probe:", json.dumps({name: facts.get(name) for name in ("cuda", "devices", "gpuProblem", "compiler", "bitsandbytes")}), flush=True
    )
    result: dict[str, Any] = {"device": request["device"], "probe": facts, "loads": [], "runs": [], "skipped": []}

    def skip(name: str, why: str) -> None:
        result["skipped"].append({"name": name, "why": why})
        print(f"skipped: {name}: {why}", flush=True)

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        began = time.monotonic()
        child({"what": "make", "folder": str(folder), "config": request["config"], "device": request["device"]})
        print(f"model made in {time.monotonic() - began:.0f} s", flush=True)
        if not only or only == "loads":
            for case in request["cases"]:
                load_of(case, request["device"], folder, result, there, skip)
        for case in request["cases"]:
            for arm in ("ours", "plain") if case["plain"] else ("ours",):
                title = f"{case['name']} ({arm})"
                if only.lower() not in title.lower():
                    continue
                missing = missing_for(case, there)
                if missing:
                    skip(title, missing)
                elif time.monotonic() > until:
                    skip(title, "no time is left")
                else:
                    run_of(case, arm, request["device"], folder, result, skip)
                    save(result, out)
    table(result)
    save(result, out)
    return 0


def missing_for(case: dict[str, Any], there: dict[str, bool]) -> str | None:
    method = case["settings"]["method"]
    wanted = [name for name in NEEDED if name != "bitsandbytes" or method.get("quantized") or method.get("weights") == "bf16"]
    missing = [name for name in wanted if not there[name]]
    return f"{', '.join(missing)} cannot be imported" if missing else None


def load_of(case: dict[str, Any], device: str, folder: Path, result: dict[str, Any], there: dict[str, bool], skip: Any) -> None:  # noqa: ANN401
    """Measures the base weights alone, once per method; needs neither TRL nor an adapter."""
    method = case["settings"]["method"]
    key = " ".join(str(method[name]) for name in ("kind", "quantized", "weights") if method.get(name))
    if any(one["method"] == key for one in result["loads"]) or case["strategy"] != "sft":
        return
    if (method.get("quantized") or method.get("weights")) and (device == "cpu" or not there["bitsandbytes"]):
        return skip(f"loading {key}", "it needs a GPU and bitsandbytes")
    try:
        loaded_bytes = child({"what": "load", "model": str(folder / "model"), "method": method, "device": device})["bytes"]
    except RuntimeError as error:
        return skip(f"loading {key}", str(error))
    planned = case["estimate"]["weights"]
    result["loads"].append({"method": key, "plannedBytes": planned, "bytes": loaded_bytes, "off": planned / loaded_bytes - 1})
    off = 100 * (planned / loaded_bytes - 1)
    print(f"loading {key}: {loaded_bytes / 1e9:.3f} GB, plan {planned / 1e9:.3f} GB ({off:+.1f} %)", flush=True)
    return None


def run_of(case: dict[str, Any], arm: str, device: str, folder: Path, result: dict[str, Any], skip: Any) -> None:  # noqa: ANN401
    began = time.monotonic()
    task = {"what": arm, "strategy": case["strategy"], "settings": case["settings"], "model": str(folder / "model"), "device": device}
    try:
        found = child({**task, "data": str(folder / f"{case['strategy']}-{case['rows']}.jsonl"), **rows_for(case)})
    except RuntimeError as error:
        skip(f"{case['name']} ({arm})", str(error))
        return
    estimate = case["estimate"]["total"]
    row = {"name": case["name"], "arm": arm, "estimateBytes": estimate, "estimate": case["estimate"], **found}
    row["off"] = estimate / found["peakBytes"] - 1
    row["wallSec"] = round(time.monotonic() - began, 1)
    result["runs"].append(row)
    print(
        f"{case['name']} ({arm}): {found['tokensPerSec']:.0f} tokens/s, peak {found['peakBytes'] / 1e9:.2f} GB, "
        f"plan {estimate / 1e9:.2f} GB ({100 * row['off']:+.1f} %), {row['wallSec']} s in all",
        flush=True,
    )


def table(result: dict[str, Any]) -> None:
    print(f"\n{'run':42} {'tokens/s':>9} {'of plain':>9} {'peak GB':>8} {'allocated':>9} {'context':>8} {'plan GB':>8} {'off':>8}")
    for row in result["runs"]:
        plain = next((one for one in result["runs"] if one["name"] == row["name"] and one["arm"] == "plain"), None)
        ratio = f"{row['tokensPerSec'] / plain['tokensPerSec']:.3f}" if plain and row["arm"] == "ours" else ""
        allocated, context = (f"{row[key] / 1e9:.2f}" if row[key] is not None else "" for key in ("allocatedBytes", "contextBytes"))
        print(
            f"{row['name'] + ' (' + row['arm'] + ')':42} {row['tokensPerSec']:9.0f} {ratio:>9} {row['peakBytes'] / 1e9:8.2f} "
            f"{allocated:>9} {context:>8} {row['estimateBytes'] / 1e9:8.2f} {100 * row['off']:+7.1f}%"
        )
    for one in result["skipped"]:
        print(f"skipped: {one['name']}: {one['why']}")


def save(result: dict[str, Any], out: Path | None) -> None:
    if out is not None:
        out.write_text(json.dumps(result, indent=1))


def ask_probe() -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "bashgym_trainers.probe", "--import", "torch"], capture_output=True, text=True, check=False
    )
    return json.loads(done.stdout.splitlines()[-1]) if done.stdout.strip() else {"problem": done.stderr[-500:]}


def child(task: dict[str, Any]) -> dict[str, Any]:
    """Runs the task in a child process. Raises RuntimeError with the last lines of its output if it fails."""
    quiet = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false", "OMP_WAIT_POLICY": "PASSIVE"}
    done = subprocess.run(
        [sys.executable, __file__, "--child", json.dumps(task)],
        env={**os.environ, **quiet},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(" | ".join((done.stderr or str(done.returncode)).strip().splitlines()[-3:])[-1500:])
    return json.loads(done.stdout.splitlines()[-1])


# Functions of the child process. Nothing above imports PyTorch, so only the measured process allocates GPU memory.


def make(task: dict[str, Any]) -> dict[str, Any]:
    names = ("hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads", "num_key_value_heads", "vocab_size")
    folder = Path(task["folder"])
    make_model(folder / "model", {name: task["config"][name] for name in names}, task["device"])
    return {}


def rows_for(case: dict[str, Any]) -> dict[str, Any]:
    """The measured process makes the rows before it loads anything; both arms get the same rows."""
    settings, strategy = case["settings"], case["strategy"]
    steps = STEPS[strategy]
    prompts = steps * settings["batchSize"] // (settings["generations"] if strategy == "grpo" else 1)
    return {"rows": case["rows"], "count": prompts, "steps": steps}


def write_rows(task: dict[str, Any]) -> None:
    import random

    chance = random.Random(7)
    length, strategy = task["settings"]["maxLength"], task["strategy"]

    def text(words: int) -> str:
        return " ".join(chance.choice(WORDS) for _ in range(max(1, words)))  # a word is a token of this tokenizer

    def answer(words: int) -> list[dict[str, str]]:
        return [{"role": "assistant", "content": text(words)}]

    def ask(words: int) -> list[dict[str, str]]:
        return [{"role": "user", "content": text(words)}]

    marks = 128  # of the system prompt, questions and answers
    whole = length - marks
    rows: list[dict[str, Any]] = []
    for _ in range(task["count"]):
        if strategy == "dpo":
            rows.append({"prompt": ask(whole // 2), "chosen": answer(whole // 2), "rejected": answer(whole // 2)})
        elif strategy == "grpo":
            rows.append({"prompt": ask(whole - task["settings"]["maxCompletion"]), "answer": "x"})
        elif task["rows"] == "turns":
            part = whole // 6
            rows.append({"messages": [one for _ in range(TURNS) for one in (*ask(part), *answer(part))]})
        else:
            size = whole if task["rows"] == "full" else max(16, min(whole, int(chance.lognormvariate(0, 0.8) * whole / 4)))
            rows.append({"messages": [*ask(size // 2), *answer(size // 2)]})
    Path(task["data"]).write_text("".join(json.dumps(row) + "\n" for row in rows))


def load(task: dict[str, Any]) -> dict[str, Any]:
    import torch
    from bashgym_trainers.loading import load_model
    from bashgym_trainers.precision import native_bf16, precision_of

    precision = precision_of(task["method"], cuda=task["device"] == "cuda", bf16=native_bf16())
    model = load_model(Path(task["model"]), task["device"], precision)
    if task["device"] == "cuda":
        return {"bytes": torch.cuda.memory_allocated()}
    return {"bytes": sum(weight.numel() * weight.element_size() for weight in model.parameters())}


class Meter:
    """Measures seconds from the end of the warm-up to the end of the last step, and peak memory."""

    def __init__(self, device: str) -> None:
        self.device = device
        self.before = used_before() if device == "cuda" else None
        self.marks: list[float] = []

    def install(self) -> None:
        import torch
        import transformers.trainer
        from transformers import TrainerCallback

        meter = self

        class Clock(TrainerCallback):
            def on_step_end(self, _args: Any, state: Any, _control: Any, **_: Any) -> None:  # noqa: ANN401
                if state.global_step in (WARM_STEPS, state.max_steps):
                    if meter.device == "cuda":
                        torch.cuda.synchronize()
                    meter.marks.append(time.perf_counter())

        transformers.trainer.DEFAULT_CALLBACKS.append(Clock)

    def read(self) -> dict[str, Any]:
        import resource

        import torch

        seconds = self.marks[-1] - self.marks[0]
        if self.device == "cpu":
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
            return {"seconds": seconds, "peakBytes": peak, "allocatedBytes": None, "reservedBytes": None, "contextBytes": None}
        free, total = torch.cuda.mem_get_info()
        context = total - free - torch.cuda.memory_reserved() - (self.before or 0)
        reserved = torch.cuda.max_memory_reserved()
        return {
            "seconds": seconds,
            "peakBytes": reserved + max(0, context),
            "allocatedBytes": torch.cuda.max_memory_allocated(),
            "reservedBytes": reserved,
            "contextBytes": context,
        }


def used_before() -> int | None:
    """GPU memory in use before this process allocates any."""
    from bashgym_trainers.system import gpus

    found = gpus()
    return int(found[0]["usedMb"] * 1e6) if len(found) == 1 and found[0]["usedMb"] is not None else None


def ours(task: dict[str, Any]) -> dict[str, Any]:
    write_rows(task)
    meter = Meter(task["device"])
    from bashgym_trainers.train import train

    meter.install()
    with tempfile.TemporaryDirectory() as folder:
        settings = {**task["settings"], "epochs": 100, "maxSteps": task["steps"]}
        where = {"model": task["model"], "data": {"train": task["data"]}, "output": f"{folder}/out"}
        file = Path(folder) / "config.json"
        file.write_text(json.dumps({**settings, "format": 1, "runId": "bench", "strategy": task["strategy"], **where}))
        code = train(file)
        events = [json.loads(line) for line in (Path(folder) / "out" / "events.jsonl").read_text().splitlines()]
    if code:
        raise SystemExit(f"{events[-1].get('code')}: {events[-1].get('message')}")
    plan = next(event for event in events if event["type"] == "plan")
    progress = {event["step"]: event["tokens"] for event in events if event["type"] == "progress"}
    tokens = progress[max(progress)] - progress.get(WARM_STEPS, 0)
    found = meter.read()
    reported_peak = next(event for event in events if event["type"] == "complete")["peakMb"]
    return {
        **found,
        "tokens": tokens,
        "tokensPerSec": tokens / found["seconds"],
        "reportedPeakMb": reported_peak,
        "rows": plan["rows"],
        "split": plan.get("split"),
    }


def plain(task: dict[str, Any]) -> dict[str, Any]:
    """A script as in the documentation of the library, with the same settings."""
    write_rows(task)
    meter = Meter(task["device"])
    import torch
    from datasets import Dataset
    from peft import LoraConfig
    from transformers import AutoTokenizer, BitsAndBytesConfig
    from trl import DPOConfig, DPOTrainer, GRPOConfig, GRPOTrainer, SFTConfig, SFTTrainer

    meter.install()
    settings, method, strategy = task["settings"], task["settings"]["method"], task["strategy"]
    cuda, micro = task["device"] == "cuda", settings["microBatch"]
    init: dict[str, Any] = {"dtype": torch.bfloat16 if cuda and method["kind"] == "lora" else torch.float32}
    if method.get("quantized"):
        init["quantization_config"] = BitsAndBytesConfig(
            load_in_4bit=True, bnb_4bit_quant_type="nf4", bnb_4bit_use_double_quant=True, bnb_4bit_compute_dtype=torch.bfloat16
        )
    tokens_seen: list[tuple[int, int]] = []
    shared: dict[str, Any] = {
        "seed": settings["seed"],
        "learning_rate": settings["learningRate"],
        "max_steps": task["steps"],
        "per_device_train_batch_size": micro,
        "gradient_accumulation_steps": settings["batchSize"] // micro,
        "lr_scheduler_type": "constant",
        "logging_steps": 1,
        "save_strategy": "no",
        "report_to": "none",
        "use_cpu": not cuda,
        "bf16": cuda,
        "gradient_checkpointing": cuda,
        "model_init_kwargs": init,
    }
    peft = None
    if method["kind"] == "lora":
        peft = LoraConfig(
            r=method["rank"], lora_alpha=method["alpha"], lora_dropout=method["dropout"], target_modules="all-linear", task_type="CAUSAL_LM"
        )
    rows = Dataset.from_list([json.loads(line) for line in Path(task["data"]).read_text().splitlines()])
    tokenizer = AutoTokenizer.from_pretrained(task["model"])
    with tempfile.TemporaryDirectory() as folder:
        given: dict[str, Any] = {"train_dataset": rows, "processing_class": tokenizer, "peft_config": peft, "model": task["model"]}
        if strategy == "sft":
            args: Any = SFTConfig(output_dir=folder, assistant_only_loss=True, max_length=settings["maxLength"], **shared)
            trainer: Any = SFTTrainer(args=args, **given)
        elif strategy == "dpo":
            trainer = DPOTrainer(args=DPOConfig(output_dir=folder, max_length=settings["maxLength"], **shared), **given)
        else:

            def exact(completions: list[Any], answer: list[str], **_: Any) -> list[float]:
                return [float(reply[0]["content"].strip() == wanted) for reply, wanted in zip(completions, answer, strict=True)]

            group = {"num_generations": settings["generations"], "max_completion_length": settings["maxCompletion"], "beta": 0.0}
            trainer = GRPOTrainer(args=GRPOConfig(output_dir=folder, **group, **shared), reward_funcs=exact, **given)
        watch_tokens(trainer, tokens_seen)
        trainer.train()
    found = meter.read()
    by_step = dict(tokens_seen)
    tokens = by_step[max(by_step)] - by_step.get(WARM_STEPS, 0)
    return {**found, "tokens": tokens, "tokensPerSec": tokens / found["seconds"]}


def watch_tokens(trainer: Any, seen: list[tuple[int, int]]) -> None:  # noqa: ANN401
    """Counts tokens as our arm does: the tokens of the batches of a step, without padding."""
    from transformers import TrainerCallback

    count = [0]
    inner = trainer.training_step

    def counted(model: Any, inputs: Any, *rest: Any) -> Any:  # noqa: ANN401
        count[0] += sum(
            int(inputs[name].sum()) for name in ("attention_mask", "prompt_mask") if isinstance(inputs, dict) and name in inputs
        )
        return inner(model, inputs, *rest)

    trainer.training_step = counted

    class Note(TrainerCallback):
        def on_step_end(self, _args: Any, state: Any, _control: Any, **_: Any) -> None:  # noqa: ANN401
            processed = int(state.num_input_tokens_seen) or count[0]
            seen.append((state.global_step, processed))

    trainer.add_callback(Note())


CHILDREN = {"make": make, "load": load, "ours": ours, "plain": plain}

if __name__ == "__main__":
    sys.exit(main())
