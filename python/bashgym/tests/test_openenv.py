"""The clients and the validator of the package `openenv` against our server."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Server

pytest.importorskip("openenv")
from openenv.core.env_server.mcp_types import CallToolAction
from openenv.core.generic_client import GenericEnvClient
from openenv.core.mcp_client import MCPToolClient


def call(command: str) -> dict:
    return {"type": "call_tool", "tool_name": "terminal", "arguments": {"command": command}}


def test_the_generic_client_runs_an_episode(simulation: Server) -> None:
    with GenericEnvClient(base_url=simulation.url).sync() as client:
        ready = client.reset(setup=["echo one > a"], verify=["true", "false"])
        assert (ready.done, ready.metadata["status"]) == (False, "ready")
        assert client.step(call("cat a")).observation["result"]["data"] == "one"
        answer = {"type": "call_tool", "tool_name": "terminal", "arguments": {"final_answer": "x"}}
        end = client.step(answer)
        assert (end.reward, end.done, client.state()["step_count"]) == (0.5, True, 2)


def test_its_mcp_client_shares_the_session(production: Server) -> None:
    async def episode() -> None:
        async with MCPToolClient(base_url=production.url) as client:
            assert [tool.name for tool in await client.list_tools()] == ["terminal"]
            await client.reset(verify="true")
            assert await client.call_tool("terminal", command="echo hi") == "hi"
            end = await client.step(CallToolAction(tool_name="terminal", arguments={"final_answer": "x"}))
            assert (end.reward, end.done, (await client.state()).step_count) == (1.0, True, 2)

    asyncio.run(episode())


@pytest.mark.parametrize("kind", ["simulation", "production"])
def test_its_validator_passes(kind: str, request: pytest.FixtureRequest) -> None:
    url = request.getfixturevalue(kind).url
    program = Path(sys.executable).parent / "openenv"
    ran = subprocess.run([str(program), "validate", "--url", url], capture_output=True, text=True, timeout=60)
    assert "Verdict: PASS" in ran.stdout and "FAIL" not in ran.stdout, ran.stdout
    assert ran.returncode == 0
