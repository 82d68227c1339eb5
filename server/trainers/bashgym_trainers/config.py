"""The run's config: a JSON file, checked against the schema that the server's contract generates."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from .errors import TrainerError

SCHEMA: dict[str, Any] = json.loads((Path(__file__).parent / "trainer.schema.json").read_text())
DEFAULT_BETA = {"dpo": 0.1, "kto": 0.1, "grpo": 0.0, "rlvr": 0.0}


@dataclass(frozen=True)
class Config:
    """``TrainerConfig`` of the contract with its defaults.

    ``batch_size``: rows of one optimiser step in all processes; with GRPO and RLVR, answers. ``micro_batch``: how many of them
    a process computes at once. ``knobs``: all settings under the names of the libraries, such as ``use_dora`` for ``useDora``.
    """

    run_id: str
    strategy: str
    template: str | None
    seed: int
    model: Path
    teacher: Path | None
    train: Path
    val: Path | None
    output: Path
    sandbox: list[str] | None
    environment: dict[str, Any] | None
    dry_run: bool
    method: dict[str, Any]
    learning_rate: float
    epochs: float
    max_steps: int | None
    batch_size: int
    micro_batch: int
    processes: int
    max_length: int
    packing: bool
    group_by_length: bool
    warmup_steps: int | None
    schedule: str
    weight_decay: float
    max_grad_norm: float
    beta: float | None
    generations: int
    max_completion: int
    temperature: float
    max_turns: int
    turn_tokens: int
    heldout_tasks: int
    rewards: list[dict[str, Any]]
    distill: str
    teacher_tokens: int
    patience: int | None
    logging_steps: int
    eval_steps: int | None
    save_steps: int | None
    keep_checkpoints: int
    samples: int
    next_calls: int
    best_by: str
    device: str
    threads: int | None
    knobs: dict[str, Any]


def load_config(file: Path) -> Config:
    """Reads and checks a config. Raises ``TrainerError`` (config_invalid) with the field at fault."""
    try:
        raw = json.loads(file.read_text())
    except (OSError, ValueError) as error:
        raise TrainerError("config_invalid", f"The config {file} cannot be read: {error}") from error
    problem = best_match(Draft202012Validator(SCHEMA["config"]).iter_errors(raw))
    if problem is not None:
        where = "/".join(str(part) for part in problem.absolute_path) or "the config"
        raise TrainerError("config_invalid", f"{where}: {problem.message}")
    value = _with_defaults(raw, SCHEMA["config"])
    data, stopping = value["data"], value["earlyStopping"]
    share = max(1, value["batchSize"] // value["processes"])
    return Config(
        run_id=value["runId"],
        strategy=value["strategy"],
        template=value["template"],
        seed=value["seed"],
        model=Path(value["model"]),
        teacher=_path(value["teacher"]),
        train=Path(data["train"]),
        val=_path(data["val"]),
        output=Path(value["output"]),
        sandbox=value["sandbox"] and value["sandbox"]["argv"],
        environment=value["environment"],
        dry_run=value["dryRun"],
        method=value["method"],
        learning_rate=value["learningRate"],
        epochs=value["epochs"],
        max_steps=value["maxSteps"],
        batch_size=value["batchSize"],
        micro_batch=min(value["microBatch"] or share, share),
        processes=value["processes"],
        max_length=value["maxLength"],
        packing=value["packing"],
        group_by_length=value["groupByLength"],
        warmup_steps=value["warmupSteps"],
        schedule=value["schedule"],
        weight_decay=value["weightDecay"],
        max_grad_norm=value["maxGradNorm"],
        beta=DEFAULT_BETA.get(value["strategy"]) if value["beta"] is None else value["beta"],
        generations=value["generations"],
        max_completion=value["maxCompletion"],
        temperature=float(value["temperature"]),  # JSON writes 2.0 as 2, which Transformers refuses
        max_turns=value["maxTurns"],
        turn_tokens=value["turnTokens"],
        heldout_tasks=value["heldoutTasks"],
        rewards=value["rewards"],
        distill=value["distill"],
        teacher_tokens=value["teacherTokens"],
        patience=stopping and stopping["patience"],
        logging_steps=value["loggingSteps"],
        eval_steps=value["evalSteps"],
        save_steps=value["saveSteps"],
        keep_checkpoints=value["keepCheckpoints"],
        samples=value["samples"],
        next_calls=value["nextCalls"],
        best_by=value["bestBy"],
        device=value["device"],
        threads=value["threads"],
        knobs={snake(name): one for name, one in value.items()},
    )


def snake(name: str) -> str:
    """A setting name of the contract in snake case, as in the libraries."""
    return re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", name)


def _path(value: str | None) -> Path | None:
    return None if value is None else Path(value)


def _with_defaults(value: Any, schema: dict[str, Any]) -> Any:  # noqa: ANN401
    """A validated value with the defaults of the schema for missing fields."""
    schema = _resolved(schema)
    options = schema.get("oneOf") or schema.get("anyOf")
    if options:
        fitting = (one for one in options if Draft202012Validator({**_resolved(one), **_DEFS}).is_valid(value))
        return _with_defaults(value, next(fitting, {}))
    if isinstance(value, list):
        return [_with_defaults(one, schema.get("items", {})) for one in value]
    if not isinstance(value, dict):
        return value
    filled = dict(value)
    for name, part in schema.get("properties", {}).items():
        if name not in filled and "default" in (whole := _resolved(part)):
            filled[name] = whole["default"]
        if name in filled:
            filled[name] = _with_defaults(filled[name], part)
    return filled


_DEFS = {"$defs": SCHEMA["config"].get("$defs", {})}


def _resolved(schema: dict[str, Any]) -> dict[str, Any]:
    reference = schema.get("$ref", "")
    if not reference:
        return schema
    target = _DEFS["$defs"][reference.removeprefix("#/$defs/")]
    return {**target, **{key: value for key, value in schema.items() if key != "$ref"}}
