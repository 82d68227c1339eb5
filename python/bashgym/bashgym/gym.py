"""A Gymnasium environment over an environment server (`pip install bashgym[gym]`)."""

import json
import posixpath
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from bashgym.client import EnvironmentClient, StepResult
from bashgym.extras import missing_extra

try:
    import gymnasium
    from gymnasium import spaces
except ModuleNotFoundError as error:
    raise missing_extra(error, "gym") from error

HOME = "/home/user"
MAX_TEXT = 1_000_000
CHARACTERS = "".join(map(chr, [9, 10, 13, *range(32, 127)]))


class ActionType(StrEnum):
    BASH = "bash"
    READ = "read"
    WRITE = "write"
    EDIT = "edit"
    SUBMIT = "submit"


@dataclass
class Action:
    """`content` is the command, the path to read, the text to write, or the answer. `metadata`: `path`; for an edit `old` and `new`."""

    action_type: ActionType | str
    content: str = ""
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass
class Observation:
    content: str
    success: bool
    done: bool
    info: dict[str, Any] = field(default_factory=dict)


@dataclass
class GymEnvConfig:
    url: str = "http://127.0.0.1:8000"
    token: str | None = None
    max_steps: int = 50
    timeout_per_step: float = 60
    step_penalty: float = -0.01
    success_reward: float = 1.0
    failure_penalty: float = -0.5
    partial_rewards: bool = True
    command_failure_penalty: float = -0.05
    blocked_action_penalty: float = -0.2
    invalid_action_penalty: float = -0.1
    verify_on_submit: bool = True
    auto_submit_on_max_steps: bool = True
    use_sandbox: bool = True
    sandbox_image: str | None = None
    log_trajectory: bool = False
    trajectory_dir: str | None = None
    reward_on_verification: float | None = None
    """Another name of `success_reward`."""

    def __post_init__(self) -> None:
        if self.reward_on_verification is not None:
            self.success_reward = self.reward_on_verification
        if not self.use_sandbox:
            raise ValueError("use_sandbox=False would run the agent's commands on this machine; this environment always uses a sandbox.")


class BashGymEnv(gymnasium.Env):
    """Actions and observations are texts. An action is a command, JSON of an `Action`, or an `Action`."""

    metadata = {"render_modes": []}  # noqa: RUF012 -- declared like in Gymnasium

    def __init__(self, config: GymEnvConfig | None = None, **changes: Any) -> None:
        self.config = config or GymEnvConfig(**changes)
        self.action_space = spaces.Text(min_length=0, max_length=MAX_TEXT, charset=CHARACTERS)
        self.observation_space = spaces.Text(min_length=0, max_length=MAX_TEXT, charset=CHARACTERS)
        self._client: EnvironmentClient | None = None
        self._ended: str | None = "The environment was not reset."
        self._checks = 0
        self._clear("")

    def _clear(self, task: str) -> None:
        self._task, self._steps, self._total, self._verified, self._terminated = task, 0, 0.0, None, False
        self.trajectory: list[dict[str, Any]] = []

    @property
    def done(self) -> bool:
        return self._ended is not None

    @property
    def episode_reward(self) -> float:
        return self._total

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None, task: str | None = None
    ) -> tuple[str, dict[str, Any]]:
        """`options`: `task`, `task_id`, `setup`, `initial_files` (path to content), `verify`."""
        super().reset(seed=seed)
        given = dict(options or {})
        text = task if task is not None else given.get("task")
        if self._client is None:
            self._client = EnvironmentClient(self.config.url, token=self.config.token, message_timeout=self.config.timeout_per_step)
        ready = self._client.reset(
            task_id=given.get("task_id"),
            setup=given.get("setup"),
            verify=given.get("verify"),
            seed=seed,
            form="terminal",
            sandbox_image=self.config.sandbox_image,
        )
        if ready.done:
            raise RuntimeError(ready.metadata.get("error", "The environment could not be set up."))
        for path, content in (given.get("initial_files") or {}).items():
            self._file_step("write_file", path, content=content)
        self._clear(text or ready.metadata.get("instruction") or "")
        self._ended, self._checks = None, int(ready.metadata.get("checks", 0))
        return _text(self._task), {"step": 0, "episode_reward": 0.0, "task": self._task, "checks": self._checks}

    def step(self, action: Action | str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        if self._ended is not None:
            return _text(self._ended), 0.0, self._terminated, not self._terminated, self._info("none")
        self._steps += 1
        parsed = _parse_action(action)
        kind = parsed.action_type if parsed else "invalid"
        reward, info = self.config.step_penalty, {}
        if parsed is None:
            observation, reward = Observation("This is not a valid action.", False, False), reward + self.config.invalid_action_penalty
        else:
            observation, more, info = self._act(parsed)
            reward += more
        truncated = not observation.done and self._steps >= self.config.max_steps
        if truncated and self.config.auto_submit_on_max_steps:
            _, more, verdict = self._submit("(limit of steps)")
            reward, info = reward + more, {**info, **verdict}
        self._terminated = observation.done
        if observation.done or truncated:
            self._ended = "The episode is over."
        self._total += reward
        self._record(parsed, observation, reward)
        return _text(observation.content), reward, observation.done, truncated, {**self._info(str(kind)), **info}

    def close(self) -> None:
        client, self._client, self._ended = self._client, None, "The environment was closed."
        if client is not None:
            client.close()

    def trajectory_document(self) -> dict[str, Any]:
        return {
            "task": self._task,
            "total_steps": self._steps,
            "total_reward": self._total,
            "success": self._verified is True,
            "trajectory": self.trajectory,
        }

    def _act(self, action: Action) -> tuple[Observation, float, dict[str, Any]]:
        config, kind = self.config, action.action_type
        if kind == ActionType.SUBMIT:
            return self._submit(action.content)
        if kind == ActionType.BASH:
            return self._bash(action.content)
        path = action.metadata.get("path") or (action.content if kind == ActionType.READ else None)
        if not path or (kind == ActionType.EDIT and "old" not in action.metadata):
            return Observation("The action needs a path; an edit also needs old and new.", False, False), config.invalid_action_penalty, {}
        if kind == ActionType.WRITE:
            return self._file_observation(self._file_step("write_file", path, content=action.content), f"Wrote {path}.")
        found = self._file_step("read_file", path)
        before = found.observation.get("content")
        if kind == ActionType.READ or before is None:
            return self._file_observation(found, before or "")
        old, new = str(action.metadata["old"]), str(action.metadata.get("new", action.content))
        if before.count(old) != 1:
            text = f"The text to replace occurs {before.count(old)} times in {path}; it must occur exactly once."
            return Observation(text, False, False), config.command_failure_penalty, {}
        return self._file_observation(self._file_step("write_file", path, content=before.replace(old, new)), f"Changed {path}.")

    def _bash(self, command: str) -> tuple[Observation, float, dict[str, Any]]:
        result = self._connected().command(command)
        last = (self._connected().state().commands or [None])[-1]
        code = last.exit_code if last and not result.observation.get("error") else None
        if result.done:
            return Observation(result.text, False, True), 0.0, {"exit_code": code, "verified": None}
        blocked = code == 126 and result.text.startswith("Blocked: ")
        penalty = self.config.blocked_action_penalty if blocked else 0.0 if code == 0 else self.config.command_failure_penalty
        return Observation(result.text, code == 0, False), penalty, {"exit_code": code, **({"blocked": True} if blocked else {})}

    def _submit(self, answer: str) -> tuple[Observation, float, dict[str, Any]]:
        if not self.config.verify_on_submit:
            return Observation("Submitted.", True, True), 0.0, {"verified": None}
        result = self._connected().answer(answer if answer.strip() else "done")
        self._verified = result.metadata.get("success")
        checks = result.metadata.get("checks") or {}
        observation = Observation(result.text, self._verified is True, True)
        if self._verified is None:
            return observation, 0.0, {"verified": None}
        if self._verified:
            return observation, self.config.success_reward, {"verified": True}
        passed, total = checks.get("passed", 0), checks.get("total", 0)
        partial = 0.5 * passed / total if self.config.partial_rewards and passed and total else self.config.failure_penalty
        return observation, partial, {"verified": False}

    def _file_step(self, kind: str, path: str, **more: str) -> StepResult:
        return self._connected().step({"type": kind, "path": posixpath.join(HOME, path), **more})

    def _file_observation(self, result: StepResult, text: str) -> tuple[Observation, float, dict[str, Any]]:
        error = result.observation.get("error")
        if error:
            return Observation(error["message"], False, False), self.config.command_failure_penalty, {}
        return Observation(text, True, False), 0.0, {}

    def _connected(self) -> EnvironmentClient:
        assert self._client is not None, "reset connects"
        return self._client

    def _info(self, kind: str) -> dict[str, Any]:
        return {"step": self._steps, "episode_reward": self._total, "action_type": kind}

    def _record(self, action: Action | None, observation: Observation, reward: float) -> None:
        self.trajectory.append(
            {
                "step": self._steps,
                "timestamp": time.time(),
                "action": asdict(action) if action else None,
                "observation": asdict(observation),
                "reward": reward,
                "cumulative_reward": self._total,
            }
        )
        if self.done and self.config.log_trajectory and self.config.trajectory_dir:
            folder = Path(self.config.trajectory_dir)
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{time.time_ns()}.json").write_text(json.dumps(self.trajectory_document()), encoding="utf-8")


def _parse_action(action: Action | str) -> Action | None:
    """Parses an action; None if its type is unknown."""
    if isinstance(action, str):
        try:
            value = json.loads(action)
        except ValueError:
            return Action(ActionType.BASH, action)
        if not isinstance(value, dict) or "action_type" not in value:
            return Action(ActionType.BASH, action)
        action = Action(value["action_type"], str(value.get("content", "")), dict(value.get("metadata") or {}))
    if action.action_type not in list(ActionType):
        return None
    return Action(ActionType(action.action_type), action.content, action.metadata)


def _text(text: str) -> str:
    """Cuts a text and replaces characters, so that it is in the observation space."""
    return "".join(char if char in CHARACTERS else "?" for char in text[:MAX_TEXT])


class BatchGymEnv:
    """Several environments that step at the same time. A failing one does not stop the others."""

    def __init__(self, num_envs: int = 4, config: GymEnvConfig | None = None, **changes: Any) -> None:
        self.num_envs = num_envs
        self.envs = [BashGymEnv(config, **changes) for _ in range(num_envs)]
        self._pool = ThreadPoolExecutor(num_envs)

    def reset_all(self, tasks: Sequence[str | dict[str, Any]] | None = None) -> list[Any]:
        """A task is a text or the options of `reset`. A failing environment returns its error."""
        given = list(tasks or [{}] * self.num_envs)
        options = [{"task": one} if isinstance(one, str) else one for one in given]
        return self._each(lambda index: self.envs[index].reset(options=options[index]))

    def step_all(self, actions: Sequence[Action | str]) -> list[Any]:
        return self._each(lambda index: self.envs[index].step(actions[index]))

    def get_all_trajectories(self) -> list[dict[str, Any]]:
        return [env.trajectory_document() for env in self.envs]

    def get_rewards(self) -> list[float]:
        return [env.episode_reward for env in self.envs]

    def close_all(self) -> None:
        self._each(lambda index: self.envs[index].close())
        self._pool.shutdown()

    def _each(self, work: Any) -> list[Any]:
        def safely(index: int) -> Any:
            try:
                return work(index)
            except Exception as error:
                return error

        return list(self._pool.map(safely, range(self.num_envs)))


def vector(num_envs: int = 4, config: GymEnvConfig | None = None, **changes: Any) -> gymnasium.vector.VectorEnv:
    """A vector environment of Gymnasium."""
    return gymnasium.vector.SyncVectorEnv([lambda: BashGymEnv(config, **changes) for _ in range(num_envs)])


class ClassicEnv:
    """The older interface: `reset` returns only the observation, and `step` four values."""

    def __init__(self, env: BashGymEnv) -> None:
        self.env = env

    def reset(self, **given: Any) -> str:
        return self.env.reset(**given)[0]

    def step(self, action: Action | str) -> tuple[str, float, bool, dict[str, Any]]:
        observation, reward, terminated, truncated, info = self.env.step(action)
        return observation, reward, terminated or truncated, info

    def close(self) -> None:
        self.env.close()


def classic(env: BashGymEnv) -> ClassicEnv:
    return ClassicEnv(env)


gymnasium.register(id="BashGym-v0", entry_point="bashgym.gym:BashGymEnv")
