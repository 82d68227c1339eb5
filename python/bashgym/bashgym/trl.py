"""TRL's `environment_factory`: a class with the tool `terminal`, and its reward function."""

import os
import weakref
from typing import Any

from bashgym.client import RESET_KEYS, EnvironmentClient
from bashgym.terminus import reward_of

NOT_FORWARDED = frozenset({"split", "index", "form"})
"""Fields of `reset` that often have another meaning as columns of a data set."""


class TerminalEnvironment:
    """One sandbox per generation. Its server is in BASHGYM_ENVIRONMENT_URL and BASHGYM_ENVIRONMENT_TOKEN; or use `terminal_environment`."""

    url: str | None = None
    token: str | None = None

    def __init__(self) -> None:
        url = self.url or os.environ.get("BASHGYM_ENVIRONMENT_URL", "http://127.0.0.1:8000")
        self._client = EnvironmentClient(url, token=self.token)
        self._reward: float | None = None
        self._done = False
        weakref.finalize(self, self._client.close)  # also at the end of the program, while threads still run

    def reset(self, **columns: Any) -> str | None:
        self._reward, self._done = None, False
        fields = {key: value for key, value in columns.items() if key in RESET_KEYS - NOT_FORWARDED and value is not None}
        ready = self._client.reset(**fields)
        if ready.done:
            raise RuntimeError(f"The environment could not be set up: {ready.metadata.get('error')}")
        return ready.metadata.get("instruction")

    def terminal(self, command: str = "", final_answer: str = "") -> str:
        """
        Run a command in the shell of the sandbox, or give the final answer, which ends the work. Give one of the two.

        Args:
            command: A command for the shell, which stays open from call to call.
            final_answer: The answer; give it once, when the task is done.

        Returns:
            What the command printed, or what came of the answer.
        """
        result = self._client.call({"command": command, "final_answer": final_answer})
        if result.done and not self._done:
            self._reward, self._done = reward_of(result), True
        return result.text

    def _scored(self) -> float | None:
        """The reward. An episode without an answer is checked in its current state."""
        if not self._done:
            self.terminal(final_answer="(none)")
        return self._reward


def terminal_environment(url: str, token: str | None = None) -> type[TerminalEnvironment]:
    """A class for one server, to use as `environment_factory`."""
    return type("TerminalEnvironment", (TerminalEnvironment,), {"url": url, "token": token})


def environment_reward(environments: list[TerminalEnvironment], **_: Any) -> list[float | None]:
    """A function for `reward_funcs`. None: not scored, so that the baseline ignores it."""
    return [environment._scored() for environment in environments]
