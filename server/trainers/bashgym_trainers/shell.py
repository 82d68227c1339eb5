"""GRPO on shell tasks: the library's hook for rollouts plays each episode turn by turn in an environment, which gives the reward."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import nan
from pathlib import Path
from typing import Any

from bashgym.client import EnvironmentClient, SessionLost
from datasets import Dataset
from trl import GRPOConfig

from . import grpo
from .answering import end_marks, text_of, written
from .config import Config
from .core import Materials, Prepared
from .episodes import Episode, Ids, Limits, Player, Texts
from .errors import TrainerError
from .events import Events, finite
from .ids import encode
from .refusals import check_enough
from .render import RenderError
from .samples import LONGEST, SHOWN
from .tokens import Prompts, render_prompts
from .turn_separator import TurnSeparator

NAME = "shell"
"""Name of the reward in the figures."""
TURNS_SHOWN = 100
REPLY_SEC = 180.0
"""Above the server's limits for a command and a check."""
CONNECT_SEC = 60.0
"""A busy server takes long to answer many connections at once. One that is not there refuses at once."""


class Trainer(grpo.Trainer):
    """The reporter plays held-out tasks; the library would sample answers and average by batch."""

    def evaluate(self, *_: Any, **__: Any) -> dict[str, float]:
        metrics: dict[str, float] = {}
        self.control = self.callback_handler.on_evaluate(self.args, self.state, self.control, metrics)
        metrics.setdefault("eval_reward", nan)  # if no episode had a reward, the library still needs a figure, and NaN is never the best
        return metrics

    def log(self, logs: dict[str, float], *rest: Any, **more: Any) -> None:
        """Leaves out rewards of steps in which no episode had one, whose mean would be reported as not finite."""
        figures = self._metrics["train"]
        for name in [name for name in figures if "reward" in name]:
            figures[name] = [value for value in figures[name] if value == value]
            if not figures[name] or name.startswith(f"rewards/{NAME}/"):  # the same as the total, since there is only one reward
                del figures[name]
        super().log(logs, *rest, **more)

    def sampled(self, prompts: list[Ids], max_tokens: int) -> list[Ids]:
        """One answer per prompt, sampled with the settings of the run."""
        with _at_most(self, max_tokens):
            answers: list[Ids] = self._generate_single_turn(prompts, None, {}, 1)[0]
        return answers


@contextmanager
def _at_most(trainer: Trainer, tokens: int) -> Iterator[None]:
    """Limits the tokens of an answer. The library has only one limit, which is for an episode."""
    settings = trainer.generation_config
    before, settings.max_new_tokens = settings.max_new_tokens, tokens
    try:
        yield
    finally:
        settings.max_new_tokens = before


def prepare(materials: Materials) -> Prepared:
    """Rows ``{prompt, environment}``."""
    config, tokenizer = materials.config, materials.tokenizer
    limit = grpo.max_prompt_tokens(materials)
    train = render_prompts(materials.rows, tokenizer, limit)
    val = render_prompts(materials.val, tokenizer, limit) if len(materials.val) and config.heldout_tasks else None
    grpo.emit_left_out(materials, train, limit)
    check_enough(config, train.size.rows)
    player = _player(materials)
    rollouts = Rollouts(train, tokenizer)

    def roll_out(prompts: list[str], trainer: Trainer) -> dict[str, Any]:
        episodes = player.play([rollouts.task(int(number)) for number in prompts], trainer.sampled)
        rollouts.note(episodes)
        one_token = [tokenizer.eos_token_id]  # the library needs at least one token of each episode
        return {
            "prompt_ids": [episode.prompt for episode in episodes],
            "completion_ids": [episode.ids or one_token for episode in episodes],
            "env_mask": [episode.mask or [0] for episode in episodes],
            "logprobs": None,
            "episode": episodes,
        }

    def reward(episode: list[Episode], log_metric: Callable[[str, float], None], **_: Any) -> list[float | None]:
        _log(episode, log_metric)
        return [one.reward for one in episode]

    reward.__name__ = NAME
    os.environ.setdefault("TRL_EXPERIMENTAL_SILENCE", "1")  # silences the warning that the library's hook may change
    trainer = Trainer(
        model=materials.model,
        args=GRPOConfig(**materials.arguments(**grpo.common(config))),
        reward_funcs=[reward],
        rollout_func=roll_out,
        train_dataset=_numbers(train),
        eval_dataset=_numbers(val) if val else None,
        processing_class=tokenizer,
        peft_config=materials.peft,
    )
    heldout = HeldOut(val, trainer, player, materials)
    return Prepared(trainer, train.size, val.size.rows if val else 0, rollouts, heldout)


def _numbers(prompts: Prompts) -> Dataset:
    """The hook gets only prompts, and several tasks may have the same text, so the number of the task is passed as its prompt."""
    return Dataset.from_dict({"prompt": [str(number) for number in range(prompts.size.rows)]})


def _player(materials: Materials) -> Player:
    config, tokenizer = materials.config, materials.tokenizer
    environment = config.environment
    assert environment is not None
    file = Path(environment["file"])
    ends = end_marks(materials.model, tokenizer)
    try:
        separator = TurnSeparator(tokenizer, ends)
    except RenderError as error:
        raise TrainerError("template_refused", f"Episodes of several turns cannot be written. {error}") from error
    return Player(
        lambda: _connect(file),
        Texts(lambda ids: text_of(ids, tokenizer, ends), separator.ids, ends),
        Limits(config.max_turns, config.turn_tokens, config.max_completion, max(1, environment["capacity"] // config.processes)),
    )


def _connect(file: Path) -> EnvironmentClient:
    """Reads the file each time, since the server rewrites it when it starts or resumes the run."""
    try:
        found = json.loads(file.read_text())
        url, token = found["url"], found.get("token")
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise SessionLost(f"{file}, which has the address of the environment, cannot be read: {error}.") from error
    return EnvironmentClient(url, token=token, connect_timeout=CONNECT_SEC, message_timeout=REPLY_SEC)


def _log(episodes: Sequence[Episode], log_metric: Callable[[str, float], None]) -> None:
    """Adds figures of a step to the library's figures. Unknown values are not counted."""
    for episode in episodes:
        log_metric("corrupted_share", float(episode.status == "corrupted"))
        log_metric("error_share", float(episode.status == "error"))
        if episode.success is not None:
            log_metric("success_rate", float(episode.success))
        for name, value in episode.terms.items():
            log_metric(name, value)


class Tasks:
    """Tasks by number: the prompt, and the values that reset its environment."""

    def __init__(self, prompts: Prompts, tokenizer: Any) -> None:  # noqa: ANN401
        self._ids = [encode(tokenizer, text) for text in prompts.texts]
        self._rows = prompts.rows.values

    def __len__(self) -> int:
        return len(self._ids)

    def task(self, number: int) -> tuple[int, Ids, dict[str, Any]]:
        return number, self._ids[number], self._rows[number]["environment"]

    def emit(self, events: Events, step: int, source: str, episodes: Sequence[Episode]) -> None:
        for episode in episodes:
            row = self._rows[episode.task]
            prompt = next((message["content"] for message in reversed(row["prompt"]) if message.get("content")), "")
            rewards = {} if episode.reward is None else finite({"reward": episode.reward, **episode.terms})[0]
            events.emit(
                "sample",
                step=step,
                source=source,
                index=episode.task,
                prompt=prompt[-LONGEST:],
                text="\n".join(turn.command for turn in episode.turns)[:LONGEST],
                reference=None,
                rewards=rewards,
                episode=_episode_fields(episode, row["environment"]),
            )


def _episode_fields(episode: Episode, reset: dict[str, Any]) -> dict[str, Any]:
    task = reset.get("task_id", reset.get("episode_id"))
    return {
        "taskId": None if task is None else str(task),
        "status": episode.status,
        "how": episode.how,
        "success": episode.success,
        "error": episode.error and episode.error[:LONGEST],
        "turns": [
            {"command": turn.command[:LONGEST], "output": turn.output[:LONGEST], "exitCode": turn.exit_code}
            for turn in episode.turns[:TURNS_SHOWN]
        ],
    }


class Rollouts(Tasks):
    """The newest training episodes, kept until the next log."""

    _newest: Sequence[Episode] = ()

    def note(self, episodes: Sequence[Episode]) -> None:
        self._newest = episodes

    def clear(self) -> None:
        self._newest = ()

    def emit(self, events: Events, step: int) -> None:  # type: ignore[override]
        every = max(1, len(self._newest) // SHOWN)  # so that all tasks are represented
        super().emit(events, step, "rollout", self._newest[::every][:SHOWN])
        self.clear()


class HeldOut:
    """Plays the same held-out tasks at each evaluation, with greedy answers."""

    def __init__(self, prompts: Prompts | None, trainer: Trainer, player: Player, materials: Materials) -> None:
        self._trainer, self._player = trainer, player
        self._tokenizer = materials.tokenizer
        self._ends = end_marks(materials.model, materials.tokenizer)
        config: Config = materials.config
        self._samples, self._max_tasks = config.samples, config.heldout_tasks
        self._at_once = max(1, min(config.batch_size, config.environment["capacity"] if config.environment else 1))
        self._tasks = Tasks(prompts, materials.tokenizer) if prompts else None
        self._newest: list[Episode] = []

    def measure(self, on_progress: Callable[[int, int], None]) -> dict[str, float]:
        """Figures of the tasks that could be played; ``heldout_n`` is their number. ``on_progress``: called with (played, all)."""
        tasks = self._tasks
        if tasks is None:
            return {}
        count = min(len(tasks), self._max_tasks)
        played: list[Episode] = []
        for first in range(0, count, self._at_once):
            on_progress(first, count)
            played += self._player.play([tasks.task(at) for at in range(first, min(count, first + self._at_once))], self._greedy)
        self._newest = played
        played_to_end = [episode for episode in played if episode.status != "error"]  # a cut-off command counts as a failure
        rewards = [episode.reward for episode in played if episode.reward is not None]
        figures = {"heldout_n": float(len(played_to_end))}
        if played_to_end:
            figures["heldout_success_rate"] = sum(bool(episode.success) for episode in played_to_end) / len(played_to_end)
        if rewards:
            figures["eval_reward"] = sum(rewards) / len(rewards)
        return figures

    def emit(self, events: Events, step: int) -> None:
        if self._tasks is not None:
            self._tasks.emit(events, step, "evaluation", self._newest[: self._samples])

    def _greedy(self, prompts: list[Ids], max_tokens: int) -> list[Ids]:
        answers = written(self._trainer.model, self._tokenizer, prompts, max_tokens, self._ends)
        return [_up_to_end(ids, self._ends) for ids in answers]


def _up_to_end(ids: Ids, ends: set[int]) -> Ids:
    end = next((at for at, token in enumerate(ids) if token in ends), len(ids) - 1)
    return ids[: end + 1]
