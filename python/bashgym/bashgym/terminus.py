"""Sessions of the terminal environment for a harness: the first message, the tool, the reward."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bashgym.client import EnvironmentClient, State, StepResult
from bashgym.tool_call import RawText, ToolCall, ToolCallError, build_terminal_tool_call

__all__ = ["RawText", "TerminusSession", "TerminusSessionFactory", "ToolCall", "ToolCallError", "build_terminal_tool_call", "reward_of"]

Task = str | Mapping[str, Any] | Sequence[Mapping[str, Any]]

TOOL: dict[str, Any] = {
    "type": "function",
    "function": {
        "name": "terminal",
        "description": "Run a command in the shell of the sandbox, or give the final answer. Give one of the two.",
        "parameters": {
            "type": "object",
            "additionalProperties": False,
            "properties": {"command": {"type": "string", "default": ""}, "final_answer": {"type": "string", "default": ""}},
        },
    },
}


def reward_of(result: StepResult) -> float | None:
    """The reward of a step, only from its field. None: not scored."""
    return result.reward


@dataclass
class ToolResult:
    data: dict[str, Any]
    done: bool
    metadata: dict[str, Any]
    error: str | None = None


@dataclass
class VerifyResult:
    env_reward: float | None
    done: bool
    metrics: dict[str, Any]
    artifacts: dict[str, Any] = field(default_factory=dict)


def _list(value: Any) -> list[str]:
    return [] if value is None else [value] if isinstance(value, str) else list(value)


def read_task(task: Task) -> tuple[str, list[str], list[str]]:
    """Instruction, set-up and checks of a task: a text, an object, or a list of messages, of which the last user message counts."""
    if isinstance(task, str):
        return task, [], []
    if isinstance(task, Mapping):
        instruction = next((task[key] for key in ("instruction", "prompt", "question", "task") if task.get(key) is not None), None)
        if instruction is None:
            raise ValueError("The task has none of instruction, prompt, question and task.")
        text = instruction if isinstance(instruction, str) else read_task(instruction)[0]
        return text, _list(task.get("setup", task.get("setup_scripts"))), _list(task.get("verify", task.get("verify_scripts")))
    from_user = [message for message in task if message.get("role") == "user"]
    if not from_user:
        raise ValueError("The task has no user message.")
    return str(from_user[-1]["content"]), [], []


def first_message(instruction: str) -> str:
    return (
        f"{instruction}\n\nYou work at a shell in a sandbox of your own; it stays open from call to call. Set-up has run. "
        'Call the tool terminal with a command, {"command": "ls"}, and read its output. When the task is done, give the final answer '
        'exactly once, {"final_answer": "done"}: it ends the work and is checked.'
    )


class TerminusSession:
    def __init__(self, client: EnvironmentClient, instruction: str, started: StepResult) -> None:
        self._client = client
        self._last = started
        self.started = started
        self.messages: list[dict[str, str]] = [{"role": "user", "content": first_message(instruction)}]

    @property
    def done(self) -> bool:
        return self._last.done

    def initial_messages(self) -> list[dict[str, str]]:
        return list(self.messages)

    def list_tools(self) -> list[dict[str, Any]]:
        return [TOOL]

    def call_tool(self, name: str, arguments: dict[str, str]) -> ToolResult:
        before = self._last
        result = self._client.step({"type": "call_tool", "tool_name": name, "arguments": arguments})
        self._last = before if before.done else result
        error = (result.observation.get("error") or {}).get("message")
        data = {"tool_name": name, "arguments": arguments, "output": result.text, "reward": result.reward, "done": result.done}
        if error:
            data["error"] = error
        return ToolResult(data, result.done, {"reward": result.reward, "state": self._client.state()}, error)

    def call_text(self, text: str, raw: RawText = "plain") -> ToolResult:
        """Runs the call in a model's message. A refused message runs nothing: the result has an error for the model, and no reward."""
        try:
            call = build_terminal_tool_call(text, raw)
        except ToolCallError as error:
            data = {
                "tool_name": "terminal",
                "arguments": {},
                "output": f"Error: {error}",
                "reward": None,
                "done": False,
                "error": str(error),
            }
            return ToolResult(data, False, {"reward": None, "state": self._client.state()}, str(error))
        return self.call_tool("terminal", call.arguments)

    def verify(self) -> VerifyResult:
        state: State = self._client.state()
        metrics = {
            "done": self.done,
            "step_count": state.step_count,
            "commands": [one.command for one in state.commands],
            "verify_commands": state.verify_commands,
            "setup_commands": [one.command for one in state.setup_results],
            "submitted_answer": state.submitted_answer,
            "sandbox_id": state.sandbox_id,
        }
        reward = reward_of(self._last) if self.done else None
        if self.done and reward != state.last_reward:
            raise RuntimeError(f"The environment reports {state.last_reward}, but the last step had the reward {reward}.")
        return VerifyResult(reward, self.done, metrics, {"final_state": state})

    def close(self) -> None:
        """Ends the session on the server and its sandbox."""
        self._client.close()


class TerminusSessionFactory:
    """`sandbox` may set `sandbox_backend`, `sandbox_image`, `sandbox_flavor` and `sandbox_timeout` if the server allows it."""

    def __init__(
        self,
        client_factory: Callable[[], EnvironmentClient],
        default_setup: str | Sequence[str] = (),
        default_verify: str | Sequence[str] = (),
        sandbox: Mapping[str, Any] | None = None,
    ) -> None:
        self._client_factory = client_factory
        self._setup = _list(default_setup)
        self._verify = _list(default_verify)
        self._sandbox = dict(sandbox or {})

    def create(self, task: Task, seed: int | None = None, episode_id: str | None = None) -> TerminusSession:
        instruction, setup, verify = read_task(task)
        client = self._client_factory()
        try:
            started = client.reset(
                setup=[*self._setup, *setup], verify=[*self._verify, *verify], seed=seed, episode_id=episode_id, **self._sandbox
            )
            if started.done:
                raise RuntimeError(started.metadata.get("error", "The environment could not be set up."))
        except BaseException:
            client.close()
            raise
        return TerminusSession(client, instruction, started)
