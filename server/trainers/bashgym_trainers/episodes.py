"""Episodes of a model in a shell: each answer is run as a command, and its output is the next message."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from bashgym.client import EnvironmentClient, EnvironmentError, SessionLost, StepResult

from .errors import TrainerError

Ids = list[int]
Generate = Callable[[list[Ids], int], list[Ids]]
"""Generates one answer per conversation, of at most this many tokens including the end mark."""
END: dict[str, Any] = {"type": "end_episode"}
"""Makes the environment check the current state, without counting a turn."""
CUT_OFF = {**END, "cut_off": True}
"""Makes the environment fail the episode, because the model's last message was cut off."""
FREED_SEC = 30.0
"""How long the environment may take to free the sandbox of an ended episode."""


@dataclass(frozen=True)
class Turn:
    command: str
    output: str
    exit_code: int | None


@dataclass
class Episode:
    """``ids``: tokens after the prompt. ``mask``: 1 for tokens that the model generated.

    ``status`` corrupted: a message was cut off, so it has failed. ``reward`` None: unknown, after an error of the environment.
    """

    task: int
    prompt: Ids = field(repr=False)
    ids: Ids = field(default_factory=list, repr=False)
    mask: list[int] = field(default_factory=list, repr=False)
    turns: list[Turn] = field(default_factory=list, repr=False)
    status: str = "ok"
    how: str = "exited"
    success: bool | None = None
    reward: float | None = None
    terms: dict[str, float] = field(default_factory=dict)
    error: str | None = None

    def append(self, ids: Ids, *, own: bool) -> None:
        self.ids += ids
        self.mask += [int(own)] * len(ids)

    def fail(self, why: str) -> None:
        self.status, self.how, self.error = "error", "error", why
        self.reward = self.success = None


@dataclass(frozen=True)
class Limits:
    """``episode_tokens``: all tokens of an episode after its prompt."""

    turns: int
    turn_tokens: int
    episode_tokens: int
    at_once: int


@dataclass(frozen=True)
class Texts:
    """``decode``: turns an answer into text. ``encode``: turns a message to the model into ids. ``ends``: ids that end an answer."""

    decode: Callable[[Ids], str]
    encode: Callable[[str], Ids]
    ends: set[int]


class Player:
    """Plays several episodes at once, each in its own environment.

    Raises ``TrainerError`` (environment_lost, no_place) if no episode could be played.
    """

    def __init__(self, connect: Callable[[], EnvironmentClient], texts: Texts, limits: Limits) -> None:
        self._connect, self._texts, self._limits = connect, texts, limits

    def play(self, tasks: Sequence[tuple[int, Ids, dict[str, Any]]], generate: Generate) -> list[Episode]:
        """``tasks``: number, prompt, and the values that reset the environment."""
        played: list[Episode] = []
        at_once = self._limits.at_once
        for first in range(0, len(tasks), at_once):
            played += self._together(tasks[first : first + at_once], generate)
        if all(episode.status == "error" for episode in played):
            why = next(episode.error for episode in played)
            raise TrainerError("environment_lost", f"None of {len(played)} episodes could be played. {why} Resume when it is back.")
        return played

    def _together(self, tasks: Sequence[tuple[int, Ids, dict[str, Any]]], generate: Generate) -> list[Episode]:
        with ThreadPoolExecutor(len(tasks), "episode") as threads:
            sessions = [_Session(Episode(task, list(prompt)), reset) for task, prompt, reset in tasks]
            try:
                list(threads.map(lambda session: session.start(self._connect, self._limits.turns), sessions))
                while active := [session for session in sessions if session.is_active]:
                    self._turn(active, generate, threads)
            finally:
                list(threads.map(_Session.close, sessions))
        return [session.episode for session in sessions]

    def _turn(self, active: list[_Session], generate: Generate, threads: ThreadPoolExecutor) -> None:
        limits, texts = self._limits, self._texts
        remaining = max(limits.episode_tokens - len(session.episode.ids) for session in active)
        answers = generate([session.episode.prompt + session.episode.ids for session in active], min(limits.turn_tokens, remaining))
        steps = []
        for session, answer in zip(active, answers, strict=True):
            episode = session.episode
            left = limits.episode_tokens - len(episode.ids)
            episode.append(answer[:left], own=True)
            if not answer or answer[-1] not in texts.ends or len(answer) > left:
                session.cut_off()  # its command is incomplete
            else:
                steps.append((session, texts.decode(answer)))
        for (session, command), seen in zip(steps, threads.map(lambda step: step[0].step(step[1]), steps), strict=True):
            if seen is not None:
                self._observe(session, command, seen)
        for session in threads.map(_Session.finish, [session for session in active if session.is_over]):
            session.is_active = False

    def _observe(self, session: _Session, command: str, seen: StepResult) -> None:
        episode, limits = session.episode, self._limits
        code = seen.metadata.get("exit_code")
        episode.turns.append(Turn(command, seen.text, code if isinstance(code, int) else None))
        if seen.done:
            session.end(seen)
            return
        ids = self._texts.encode(seen.text)
        if len(episode.ids) + len(ids) >= limits.episode_tokens:
            session.run_out()
        else:
            episode.append(ids, own=False)


class _Session:
    """An episode with its environment. A failure here fails only this episode."""

    def __init__(self, episode: Episode, reset: dict[str, Any]) -> None:
        self.episode, self._reset = episode, reset
        self._environment: EnvironmentClient | None = None
        self.is_active = True
        self.is_over = False
        self._last = END

    def start(self, connect: Callable[[], EnvironmentClient], turns: int) -> None:
        until = time.monotonic() + FREED_SEC
        while self._environment is None:
            try:
                environment = connect()
                try:
                    seen = environment.reset_unchecked({**self._reset, "form": "command", "max_turns": turns})
                except BaseException:
                    environment.close()
                    raise
            except EnvironmentError as refused:
                if refused.code != "CAPACITY_REACHED":
                    return self._fail(refused.message)
                if time.monotonic() > until:
                    raise TrainerError("no_place", f"The environment has too few places: {refused.message} {MORE_PLACES}") from refused
                time.sleep(0.1)  # a sandbox is freed only after the connection of its ended episode has closed
            except SessionLost as lost:
                return self._fail(str(lost))
            else:
                self._environment = environment
                if seen.done:
                    self._fail(f"The task could not be set up: {seen.metadata.get('error') or 'no reason given'}.")
        return None

    def step(self, command: str) -> StepResult | None:
        return self._ask(lambda environment: environment.command(command))

    def _ask(self, question: Callable[[EnvironmentClient], StepResult]) -> StepResult | None:
        assert self._environment is not None
        try:
            seen = question(self._environment)
        except EnvironmentError as refused:
            return self._fail(refused.message)
        except SessionLost as lost:
            return self._fail(str(lost))
        problem = seen.observation.get("error")
        if problem:
            return self._fail(str(problem.get("message")))
        return seen

    def run_out(self) -> None:
        """Ends the episode because no more tokens fit; then the current state is checked."""
        self.is_over, self.episode.how = True, "context"

    def cut_off(self) -> None:
        """Ends the episode because the message of the model did not end; then it has failed."""
        self.is_over, self._last = True, CUT_OFF
        self.episode.status = self.episode.how = "corrupted"

    def finish(self) -> _Session:
        seen = self._ask(lambda environment: environment.step(self._last))
        if seen is not None:
            self.end(seen)
        return self

    def end(self, seen: StepResult) -> None:
        """Stores the reward. An episode without a reward has failed."""
        self.is_active, episode = False, self.episode
        if seen.reward is None or not seen.done:
            episode.fail(f"The environment gave no reward: {seen.metadata.get('error') or 'no reason given'}.")
            return
        if self._last is CUT_OFF and seen.metadata.get("success"):
            episode.fail("The environment rewarded a message that was cut off. It must fail an episode that ends with `cut_off`.")
            return
        episode.reward = seen.reward
        terms = seen.metadata.get("reward_terms")
        numbers = {name: float(value) for name, value in (terms or {}).items() if isinstance(value, int | float)}
        success = seen.metadata.get("success")
        episode.success = None if success is None else bool(success)
        if seen.metadata.get("how") == "turns":
            episode.how = "turns"
        episode.terms = {name: value for name, value in numbers.items() if name != "success"}

    def close(self) -> None:
        if self._environment is not None:
            self._environment.close()

    def _fail(self, why: str) -> None:
        self.episode.fail(why)
        self.is_active = False


MORE_PLACES = "Raise the setting arena.running, or lower the batch size."
