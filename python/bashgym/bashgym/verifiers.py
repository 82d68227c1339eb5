"""An environment for `verifiers` (`pip install bashgym[verifiers]`): its tasks, the tool, and the reward of the server."""

from typing import Any

from bashgym.client import EnvironmentClient
from bashgym.terminus import first_message
from bashgym.tool_call import ToolCallError, build_terminal_tool_call


def load_environment(url: str, tasks: list[dict[str, Any]], token: str | None = None, max_turns: int = 30, **more: Any) -> Any:
    """A task: `question`, and `info` with what `reset` takes (`task_id`, or `setup` and `verify`)."""
    import verifiers as vf
    from datasets import Dataset

    class TerminalEnv(vf.MultiTurnEnv):
        async def setup_state(self, state: Any, **kwargs: Any) -> Any:
            client = EnvironmentClient(url, token=token)
            ready = client.reset(**_reset_values(state.get("info")))
            if ready.done:
                client.close()
                raise RuntimeError(ready.metadata.get("error", "The environment could not be made ready."))
            state.update(client=client, env_reward=None, env_done=False)
            return state

        async def env_response(self, messages: Any, state: Any, **kwargs: Any) -> Any:
            try:
                call = build_terminal_tool_call(_said(messages[-1]))
            except ToolCallError as error:
                return [{"role": "user", "content": f"Error: {error}"}]
            result = state["client"].call(call.arguments)
            if result.done:
                state.update(env_reward=result.reward, env_done=True)
                state["client"].close()
            return [{"role": "user", "content": result.text}]

        @vf.stop
        async def is_answered(self, state: Any) -> bool:
            return bool(state.get("env_done"))

        @vf.cleanup
        async def end_sandbox(self, state: Any) -> None:
            if state.get("client") and not state.get("env_done"):
                state["client"].close()

    def environment_reward(state: Any, **_: Any) -> float:
        """What was not scored counts as nothing here: verifiers has no word for it."""
        return state.get("env_reward") or 0.0

    rows = [
        {
            "prompt": [{"role": "user", "content": first_message(one["question"])}],
            "answer": one.get("answer", ""),
            "info": one.get("info", {}),
            "task": "terminal",
        }
        for one in tasks
    ]
    return TerminalEnv(
        dataset=Dataset.from_list(rows), rubric=vf.Rubric(funcs=[environment_reward]), max_turns=max_turns, **more
    )


def _reset_values(info: Any) -> dict[str, Any]:
    if isinstance(info, str):
        import json

        info = json.loads(info)
    return {key: value for key, value in (info or {}).items() if value is not None}


def _said(message: Any) -> str:
    content = message["content"] if isinstance(message, dict) else message.content
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content or [])
