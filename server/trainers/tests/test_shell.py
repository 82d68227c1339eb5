"""GRPO on shell tasks: episodes are played turn by turn in an environment, which gives the reward."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from bashgym.client import EnvironmentClient
from conftest import NewRun
from fake_environment import FakeEnvironment
from rows import say

from bashgym_trainers.episodes import Limits, Player, Texts

Serve = Callable[..., FakeEnvironment]


@pytest.fixture
def serve() -> Iterator[Serve]:
    servers: list[FakeEnvironment] = []

    def start(**more: Any) -> FakeEnvironment:
        servers.append(FakeEnvironment(**more))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


def tasks(count: int = 4, **more: Any) -> list[dict[str, Any]]:
    return [{"prompt": [say("user", "Name a colour")], "environment": {"task_id": f"t{at}", "wins": "blue", **more}} for at in range(count)]


def shell(folder: Path, server: FakeEnvironment, **more: Any) -> dict[str, Any]:
    file = folder / "environment.json"
    file.write_text(json.dumps({"url": server.url}))
    settings = {"strategy": "grpo", "batchSize": 16, "generations": 8, "maxCompletion": 64, "turnTokens": 8, "learningRate": 2e-3}
    return {**settings, "environment": {"file": str(file), "capacity": 16}, **more}


@pytest.mark.parametrize(
    "objective", [{}, {"importanceSamplingLevel": "sequence"}, {"grpoLossType": "dr_grpo"}], ids=["grpo", "gspo", "dr_grpo"]
)
def test_the_model_learns_what_the_environment_rewards(
    new_run: NewRun, speaker: Path, serve: Serve, tmp_path: Path, objective: dict[str, Any]
) -> None:
    server = serve()
    settings = shell(tmp_path, server, maxSteps=24, evalSteps=12, samples=1, **objective)
    run = new_run(tasks(), model=speaker, val=tasks(3), **settings)
    assert run.in_process() == 0, run.events[-1]
    assert (server.max_open, server.open) == (16, 0)
    heldout = run.curve("heldout_success_rate")
    assert [step for step, _ in heldout] == [0, 12, 24] and heldout[-1][1] == 1
    assert run.curve("heldout_n")[-1] == (24, 3)
    before, after = (run.curve("success_rate")[at][1] for at in (0, -1))
    assert before is not None and after is not None and before < 0.8 < after
    figures = next(event["metrics"] for event in run.of("progress") if "loss" in event["metrics"])
    assert {"reward", "reward_std", "zero_variance_share", "success_rate", "turns", "fail_penalty", "error_share"} <= set(figures)
    rollouts = [event for event in run.of("sample") if event["source"] == "rollout" and event["step"] == 1]
    assert len(rollouts) == 8
    lost = next(event for event in rollouts if event["episode"]["success"] is False)
    assert lost["episode"]["taskId"] == f"t{lost['index']}" and len(lost["episode"]["turns"]) == 2
    first = lost["episode"]["turns"][0]
    assert (first["output"], first["exitCode"]) == (f"no {first['command'].strip()}", 127)
    assert lost["rewards"]["reward"] == pytest.approx(-0.02)


def test_episodes_that_could_not_be_played_have_no_reward(new_run: NewRun, speaker: Path, serve: Serve, tmp_path: Path) -> None:
    rows = [*tasks(1), *tasks(1, breaks=True)]
    run = new_run(rows, model=speaker, **shell(tmp_path, serve(), maxSteps=2))
    assert run.in_process() == 0, run.events[-1]
    figures = run.of("progress")[0]["metrics"]
    assert figures["error_share"] == 0.5 and figures["zero_variance_share"] >= 0.5
    broken = next(event for event in run.of("sample") if event["episode"]["status"] == "error")
    assert broken["rewards"] == {} and "mkdir failed" in broken["episode"]["error"]


def test_answers_that_are_cut_off_are_left_out(new_run: NewRun, speaker: Path, serve: Serve, tmp_path: Path) -> None:
    settings = shell(tmp_path, serve(), turnTokens=1, maxSteps=4, evalSteps=2)
    run = new_run(tasks(), model=speaker, val=tasks(2), **settings)
    assert run.in_process() == 0, run.events[-1]
    assert [value for _, value in run.curve("corrupted_share")] == [1, 1, 1, 1]
    assert run.curve("reward") == [] and run.curve("success_rate") == []
    assert run.curve("heldout_success_rate") == [(0, 0), (2, 0), (4, 0)]  # a cut-off command does not solve a task


def test_an_episode_at_the_token_limit_is_rewarded_for_its_turns(serve: Serve) -> None:
    server = serve()
    texts = Texts(lambda _: "red", lambda _: [0] * 50, {1})
    player = Player(lambda: EnvironmentClient(server.url), texts, Limits(turns=9, turn_tokens=4, episode_tokens=20, at_once=1))
    (episode,) = player.play([(0, [5], {"wins": "blue"})], lambda prompts, _: [[2, 1] for _ in prompts])
    assert (episode.status, episode.how, len(episode.turns)) == ("ok", "context", 1)
    assert (episode.terms["turns"], episode.reward) == (1, -0.01)


def test_a_lost_environment_ends_the_run_with_the_reason(new_run: NewRun, speaker: Path, serve: Serve, tmp_path: Path) -> None:
    run = new_run(tasks(), model=speaker, **shell(tmp_path, serve(loses_at=40)))
    assert run.in_process() == 1
    assert run.events[-1]["code"] == "environment_lost"
    assert "None of 16 episodes could be played" in run.events[-1]["message"]
    rewards = [value for _, value in run.curve("reward")]
    assert rewards and all(value is None or value > -0.03 for value in rewards)


def test_more_episodes_than_sandboxes_are_refused_with_the_setting(new_run: NewRun, speaker: Path, serve: Serve, tmp_path: Path) -> None:
    settings = shell(tmp_path, serve())
    settings["environment"]["capacity"] = 10
    run = new_run(tasks(), model=speaker, **settings)
    assert run.in_process() == 1
    assert run.events[-1]["code"] == "too_few_places" and "arena.running to 16" in run.events[-1]["message"]
