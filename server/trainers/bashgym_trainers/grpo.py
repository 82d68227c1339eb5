"""Group relative policy optimisation: among several answers to a prompt, better rewarded ones become more likely."""

from __future__ import annotations

from collections.abc import Callable
from math import nan
from typing import Any

import torch
from datasets import Dataset
from trl import GRPOConfig, GRPOTrainer

from .answering import end_marks, read_answer
from .calling import require_readable
from .config import Config
from .core import Materials, Prepared
from .refusals import check_enough
from .rewards import READ_CALLS, name_of, score
from .samples import Rollouts
from .sampling import RenderedPrompts
from .tokens import Prompts, render_prompts


class Trainer(RenderedPrompts, GRPOTrainer):
    """A separate class because ``shell`` extends it."""

    def _calculate_rewards(self, *of: Any, **more: Any) -> torch.Tensor:
        """Also logs the share of groups that teach nothing. The library's figure is 0 if no answer has a reward."""
        rewards: torch.Tensor = super()._calculate_rewards(*of, **more)
        if self.model.training:
            total = (rewards * self.reward_weights.to(rewards.device)).nansum(dim=1)
            total[rewards.isnan().all(dim=1)] = nan
            groups = total.view(-1, self.num_generations).tolist()
            same = sum(len({value for value in group if value == value}) < 2 for group in groups)
            self._metrics["train"]["zero_variance_share"].append(same / len(groups))
        return rewards


def prepare(materials: Materials) -> Prepared:
    """Rows ``{prompt, tools?}`` with the columns that the chosen rewards need."""
    config, tokenizer = materials.config, materials.tokenizer
    if config.environment is not None:
        from .shell import prepare as prepare_shell

        return prepare_shell(materials)
    limit = max_prompt_tokens(materials)
    _check_calls(materials)
    train = render_prompts(materials.rows, tokenizer, limit)
    val = render_prompts(materials.val, tokenizer, limit) if len(materials.val) else None
    emit_left_out(materials, train, limit)
    check_enough(config, train.size.rows)
    rewarded = [*train.rows.values, *(val.rows.values if val else [])]
    rollouts = Rollouts(rewarded)
    arguments = {**common(config), "reward_weights": [reward["weight"] for reward in config.rewards]}
    if config.dry_run:  # forces answers of the maximum length
        arguments["generation_kwargs"] = {"min_new_tokens": config.max_completion}
    trainer = Trainer(
        model=materials.model,
        args=GRPOConfig(**materials.arguments(**arguments)),
        reward_funcs=_functions(materials, rewarded, rollouts),
        train_dataset=prompts_with_index(train, 0),
        eval_dataset=prompts_with_index(val, train.size.rows) if val else None,
        processing_class=tokenizer,
        peft_config=materials.peft,
    )
    return Prepared(trainer, train.size, val.size.rows if val else 0, rollouts)


def common(config: Config) -> dict[str, Any]:
    """Arguments of the library for rewards of any source."""
    return {
        "include_num_input_tokens_seen": "no",  # counted by the trainer itself
        "num_generations": config.generations,
        "num_generations_eval": 1,
        "max_completion_length": config.max_completion,
        "temperature": config.temperature,
        "beta": config.beta,
    }


def _check_calls(materials: Materials) -> None:
    """Raises ``TrainerError`` (calls_unreadable)."""
    read = [name_of(reward) for reward in materials.config.rewards if reward["kind"] in READ_CALLS]
    if read and any(row.get("tools") or row.get("reference_calls") for row in materials.rows.values):
        require_readable(materials.tokenizer, f"The reward {read[0]}")


def max_prompt_tokens(materials: Materials) -> int:
    """Tokens left for a prompt within the training length."""
    return materials.config.max_length - materials.config.max_completion


def emit_left_out(materials: Materials, train: Prompts, limit: int) -> None:
    train.rendering.emit(materials.events)
    if train.size.left_out:
        message = f"{train.size.left_out} of {len(materials.rows)} prompts are longer than {limit} tokens and are left out."
        materials.events.emit("warning", code="prompts_left_out", message=message)


def prompts_with_index(prompts: Prompts, first: int) -> Dataset:
    return Dataset.from_dict({"prompt": prompts.texts, "index": list(range(first, first + len(prompts.texts)))})


def _functions(materials: Materials, rows: list[dict[str, Any]], rollouts: Rollouts) -> list[Callable[..., list[float]]]:
    ends = end_marks(materials.model, materials.tokenizer)

    def function(reward: dict[str, Any]) -> Callable[..., list[float]]:
        def rewarded(completion_ids: list[list[int]], index: list[int], **_: Any) -> list[float]:
            answers = [read_answer(ids, materials.tokenizer, ends) for ids in completion_ids]
            values = score(reward, answers, [rows[at] for at in index], materials.sandbox)
            rollouts.note(name_of(reward), index, [answer.text for answer in answers], values)
            return values

        rewarded.__name__ = name_of(reward)
        return rewarded

    return [function(reward) for reward in materials.config.rewards]
