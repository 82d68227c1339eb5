from typing import Any

import pytest
from conftest import Server

from bashgym.client import RESET_KEYS, EnvironmentClient, EnvironmentError, SessionLost, parse_state
from bashgym.terminus import TerminusSessionFactory, read_task
from bashgym.trl import environment_reward, terminal_environment


def test_reads_a_state_of_a_newer_server() -> None:
    state = parse_state({"episode_id": "e", "step_count": 1, "later": 1, "commands": [{"command": "ls", "success": True, "later": 2}]})
    assert (state.step_count, state.commands[0].command, state.commands[0].success) == (1, "ls", True)


def test_reads_tasks_of_all_three_kinds() -> None:
    assert read_task("do it") == ("do it", [], [])
    assert read_task([{"role": "user", "content": "no"}, {"role": "user", "content": "do it"}])[0] == "do it"
    assert read_task({"question": "do it", "setup_scripts": "a", "verify": ["b", "c"]}) == ("do it", ["a"], ["b", "c"])
    with pytest.raises(ValueError, match="instruction"):
        read_task({"setup": "a"})


def test_reset_forwards_only_documented_keys() -> None:
    sent: list[dict[str, Any]] = []

    class Recording(EnvironmentClient):
        def _ask(self, message: dict[str, Any]) -> dict[str, Any]:
            sent.append(message["data"])
            return {"observation": {}, "reward": None, "done": False}

    client = Recording("http://nowhere")
    client.reset(**dict.fromkeys(RESET_KEYS, 1))
    assert sent == [dict.fromkeys(RESET_KEYS, 1)]
    with pytest.raises(TypeError, match="colour"):
        client.reset(colour="red")


def test_runs_an_episode(server: Server) -> None:
    with EnvironmentClient(server.url, token=server.token) as client:
        assert client.command("pwd").text.startswith("Error: environment not reset")
        ready = client.reset(setup="echo one > a", verify=["grep -q two b", "true"], episode_id="e1")
        assert (ready.done, ready.metadata["status"]) == (False, "ready")
        assert client.command("cat a; false").text == "one\nERROR:\nexit code 1"
        assert client.answer("done").reward == 0.5
        assert client.command("ls").observation["error"]["error_type"] == "execution_error"
        assert client.state().last_reward == 0.5
        with pytest.raises(EnvironmentError) as error:
            client.step({"type": "call_tool"})
        assert error.value.code == "VALIDATION_ERROR"
        client._socket.close()
        with pytest.raises(SessionLost):
            client.command("ls")
        with pytest.raises(SessionLost, match="reset"):
            client.command("ls")
        assert client.reset().done is False


def test_a_session_has_one_reward(server: Server) -> None:
    factory = TerminusSessionFactory(lambda: EnvironmentClient(server.url, token=server.token), "mkdir w", "test -d w")
    session = factory.create({"task": "Make w/a.", "verify": "test -f w/a"})
    first = session.initial_messages()[0]["content"]
    assert "Make w/a." in first and "final_answer" in first and "test -f" not in first
    assert [tool["function"]["name"] for tool in session.list_tools()] == ["terminal"]
    refused = session.call_text('{"command": 5}')
    assert (refused.error, refused.data["reward"], refused.metadata["reward"]) == ("command must be a string.", None, None)
    assert session.call_text("touch w/a").data["reward"] == 0
    end = session.call_text('{"final_answer": "done"}')
    assert (end.done, end.metadata["reward"]) == (True, 1.0)
    assert session.call_text("rm w/a").data["done"] is True
    verified = session.verify()
    assert (verified.env_reward, verified.metrics["commands"], verified.metrics["verify_commands"]) == (
        1.0,
        ["touch w/a"],
        ["test -d w", "test -f w/a"],
    )
    session.close()
    with pytest.raises(RuntimeError, match="exit code 3"):
        factory.create({"task": "x", "setup": "exit 3"})


def test_trl_environments_are_rewarded(server: Server) -> None:
    solved, untouched, broken = (terminal_environment(server.url, server.token)() for _ in range(3))
    for one in (solved, untouched):
        assert one.reset(prompt=[{"role": "user", "content": "x"}], verify="test -f /root/a", split="train", answer=3) is None
    assert solved.terminal(command="touch /root/a") == "(no output)"
    assert "reward=1.0" in solved.terminal(final_answer="done")
    broken.reset(verify="kill -9 $$")
    assert environment_reward([solved, untouched, broken], prompts=[]) == [1.0, 0.0, None]
