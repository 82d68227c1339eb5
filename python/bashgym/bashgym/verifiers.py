"""An environment for `verifiers` (`pip install bashgym[verifiers]`): its tasks, the tool, and the reward of the server."""

import asyncio
import json
from typing import Any

from bashgym.client import EnvironmentClient
from bashgym.extras import missing_extra
from bashgym.terminus import first_message
from bashgym.tool_call import ToolCallError, build_terminal_tool_call


def load_environment(url: str, tasks: list[dict[str, Any]], token: str | None = None, max_turns: int = 30, **more: Any) -> Any:
    """Each task has a `question`, and `info` with fields of `reset` (`task_id`, or `setup` and `verify`)."""
    try:
        import verifiers as vf
        from datasets import Dataset
    except ModuleNotFoundError as error:
        raise missing_extra(error, "verifiers") from error

    class TerminalEnv(vf.MultiTurnEnv):
        async def setup_state(self, state: Any, **_: Any) -> Any:
            client = EnvironmentClient(url, token=token)
            info = state["info"]
            ready = await asyncio.to_thread(client.reset, **(json.loads(info) if isinstance(info, str) else info or {}))
            if ready.done:
                client.close()
                raise vf.Error(ready.metadata.get("error", "The environment could not be set up."))
            state["env_client"], state["env_reward"], state["env_done"] = client, None, False  # `client` is the model's client
            return state

        async def env_response(self, messages: Any, state: Any, **_: Any) -> Any:
            try:
                call = build_terminal_tool_call(_text_of(messages[-1]))
            except ToolCallError as error:
                return [vf.UserMessage(content=f"Error: {error}")]
            result = await asyncio.to_thread(state["env_client"].call, call.arguments)
            replies = [vf.UserMessage(content=result.text)]
            if result.done:
                state["env_reward"], state["env_done"] = result.reward, True
                state["final_env_response"] = replies
            return replies

        @vf.cleanup
        async def end_sandbox(self, state: Any) -> None:
            """Checks an episode without an answer in its current state."""
            client = state.pop("env_client", None)
            if client is None:
                return
            try:
                if not state["env_done"]:
                    state["env_reward"] = (await asyncio.to_thread(client.answer, "(none)")).reward
            finally:
                client.close()

    def environment_reward(state: Any, **_: Any) -> float:
        """An episode without a score counts as 0, since verifiers has no value for it."""
        return state.get("env_reward") or 0.0

    rows = [
        {
            "prompt": [{"role": "user", "content": first_message(one["question"])}],
            "answer": one.get("answer", ""),
            "info": json.dumps(one.get("info", {})),
        }
        for one in tasks
    ]
    rubric = vf.Rubric(funcs=[environment_reward])
    return TerminalEnv(dataset=Dataset.from_list(rows), rubric=rubric, max_turns=max_turns, **more)


def _text_of(message: Any) -> str:
    content = message["content"] if isinstance(message, dict) else message.content
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content or [])
