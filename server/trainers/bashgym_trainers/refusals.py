"""Refuses settings that conflict, and data sets that are too small, before anything is loaded.

The plan of the server refuses with the same messages (``plan/refusals.ts``); ``tests/refusals.json`` tests both.
"""

from __future__ import annotations

from collections.abc import Iterator

from .config import Config
from .data import Rows
from .errors import TrainerError
from .rewards import VERIFIERS, name_of

REWARDED = ("grpo", "rlvr")


def check_settings(config: Config) -> None:
    """Raises ``TrainerError`` for the first settings that conflict."""
    for refusal in (*_backend(config), *_batches(config), *_packing(config), *_loss_weights(config), *_rewards(config), *_answers(config)):
        raise refusal


def check_rows(config: Config, rows: Rows) -> None:
    """Raises ``TrainerError`` (one_label, too_few_rows)."""
    if config.strategy == "kto" and len({row["label"] for row in rows.values}) < 2:
        wanted = rows.values[0]["label"]
        missing = "false" if wanted else "true"
        message = f"All rows are {'wanted' if wanted else 'unwanted'}; KTO needs both kinds. Add rows with the label {missing}."
        raise TrainerError("one_label", message, field="label")
    check_enough(config, len(rows))


def check_enough(config: Config, rows: int) -> None:
    """Checks that the prompts fill a step. The library would drop an incomplete step, and then have none.

    Raises ``TrainerError`` (too_few_rows).
    """
    answers = config.generations if config.strategy in REWARDED else 1
    if not _generates_answers(config) or rows * answers >= config.batch_size:
        return
    prompts = config.batch_size // answers
    each = f" with {answers} answers each" if answers > 1 else ""
    takes = f"A step takes {_count(prompts, 'prompt')} (batch size {config.batch_size}{each}), but there {_is(rows)} only {rows}."
    lower = (
        f"Lower the batch size to {size}" if (size := _largest(config, rows, answers)) else "Lower the batch size and the micro-batch size"
    )
    other = ", or set the teacher signal to text" if config.strategy == "distillation" else ""
    raise TrainerError("too_few_rows", f"{takes} {lower}, or add rows{other}.")


def _largest(config: Config, rows: int, answers: int) -> int | None:
    """The largest batch that the rows fill and that microBatch divides."""
    sizes = (count * answers for count in range(rows, 0, -1))
    return next((size for size in sizes if size % min(config.micro_batch, size) == 0), None)


def _backend(config: Config) -> Iterator[TrainerError]:
    if config.knobs["backend"] != "unsloth":
        return
    method, knobs = config.method, config.knobs
    unsupported = [
        name
        for name, is_set in (
            (config.strategy, config.strategy != "sft"),
            ("training all weights", method["kind"] == "full"),
            ("DoRA", bool(method.get("useDora"))),
            ("target parameters", bool(method.get("targetParameters"))),
            ("packing", config.packing or knobs["padding_free"]),
            ("another attention", knobs["attn_implementation"] != "sdpa"),
            ("several processes", config.processes > 1),
        )
        if is_set
    ]
    if unsupported:
        yield _invalid(
            f"Unsloth is used here for SFT with LoRA in one process, without {', '.join(unsupported)}. Choose transformers as the backend."
        )


def _batches(config: Config) -> Iterator[TrainerError]:
    batch, micro, processes = config.batch_size, config.micro_batch, config.processes
    each = micro * processes
    if config.strategy == "distillation" and processes > 1:
        yield _invalid("Distillation trains in one process, together with its teacher. Set processes to 1.")
    if processes > 1 and batch % each:
        whole = each * max(1, (2 * batch + each) // (2 * each))
        yield _invalid(f"Batch size {batch} is not a multiple of {processes} processes with {micro} rows at once. Choose {whole}.")
    elif batch % micro:
        yield _invalid(f"Batch size {batch} is not a multiple of micro-batch size {micro}. Choose a divisor.")
    if config.strategy == "kto" and micro < 2:
        at_once = "batch size" if batch < 2 else "micro-batch size"
        yield _invalid(f"KTO compares the rows of a micro-batch with each other, and the {at_once} is 1. Set it to 2 or more.")
    if config.strategy in REWARDED and batch % config.generations:
        whole = config.generations * max(1, (2 * batch + config.generations) // (2 * config.generations))
        generations = config.generations
        yield _invalid(
            f"Batch size {batch} is not a multiple of {generations} answers per prompt: a step needs whole groups. Choose {whole}."
        )


def _packing(config: Config) -> Iterator[TrainerError]:
    if config.packing and config.strategy != "sft":
        yield _invalid(f"Packing works only with sft; {config.strategy} needs each row separately. Turn off packing.")


def _loss_weights(config: Config) -> Iterator[TrainerError]:
    weights, losses = len(config.knobs["loss_weights"]), len(config.knobs["dpo_loss_type"])
    if config.strategy == "dpo" and weights and weights != losses:
        yield _invalid(f"There are {weights} loss weights for {losses} losses. Give one for each loss, or none.")


def _rewards(config: Config) -> Iterator[TrainerError]:
    if config.strategy not in REWARDED:
        return
    rewards = config.rewards
    if config.environment is not None:
        yield from _environment(config, config.environment["capacity"])
        return
    if not any(reward["weight"] > 0 for reward in rewards):
        yield TrainerError("no_rewards", "Without a reward there is nothing to learn from. Choose at least one with a weight above 0.")
    names = [name_of(reward) for reward in rewards]
    twice = next((name for at, name in enumerate(names) if name in names[:at]), None)
    if twice is not None:
        yield _invalid(f"The reward {twice} is selected twice. Keep only one of them.")
    if config.strategy == "rlvr" and any(reward["kind"] not in VERIFIERS for reward in rewards):
        yield _invalid("RLVR needs verifiable rewards, and format is not one. Remove format, or choose GRPO.")
    if config.sandbox is None and any(reward["kind"] == "tests" for reward in rewards):
        message = "The tests reward runs code that a model wrote, and no sandbox is available. Choose another reward."
        yield TrainerError("no_sandbox", message)


def _environment(config: Config, places: int) -> Iterator[TrainerError]:
    if config.strategy != "grpo":
        yield _invalid("Shell tasks can be trained only with grpo, because their environment gives the reward. Choose grpo.")
    if config.rewards:
        yield _invalid("With shell tasks, the reward comes from their environment. Remove the other rewards.")
    if config.batch_size > places:
        message = f"A step plays {config.batch_size} episodes at once, and {_count(places, 'sandbox')} may run at a time."
        yield TrainerError("too_few_places", f"{message} Raise the setting arena.running to {config.batch_size}, or lower the batch size.")


def _answers(config: Config) -> Iterator[TrainerError]:
    length, answer = config.max_length, config.max_completion
    if _generates_answers(config) and answer >= length:
        yield _invalid(
            f"Max answer length {answer} leaves no room for a prompt within max length {length}. "
            "Lower the max answer length, or raise the max length."
        )
    if config.strategy == "distillation" and config.distill != "text" and (config.beta or 0) > 1:
        yield _invalid(f"Beta {config.beta:g} is above 1, the maximum for distillation. Choose a value from 0 to 1.")


def _generates_answers(config: Config) -> bool:
    """Whether the model trains on answers that it generates. ``auto`` may choose this."""
    return config.strategy in REWARDED or (config.strategy == "distillation" and config.distill in ("auto", "on-policy"))


def _invalid(message: str) -> TrainerError:
    return TrainerError("config_invalid", message)


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _is(number: int) -> str:
    return "is" if number == 1 else "are"
