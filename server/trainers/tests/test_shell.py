"""GRPO on shell tasks: episodes are played turn by turn in an environment, which gives the reward."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from bashgym.client import EnvironmentClient
from conftest import NewRun, Run
from fake_environment import FakeEnvironment
from learning import FEW_SEEDS, SEEDS, is_learned, shuffler
from rows import letter_prompt

from bashgym_trainers.episodes import Episode, Limits, Player, Texts
from bashgym_trainers.errors import TrainerError

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


def tasks(count: int = 2, **more: Any) -> list[dict[str, Any]]:
    return [{"prompt": letter_prompt(), "environment": {"task_id": f"t{at}", "wins": "b", **more}} for at in range(count)]


def shell(folder: Path, server: FakeEnvironment, **more: Any) -> dict[str, Any]:
    file = folder / "environment.json"
    file.write_text(json.dumps({"url": server.url}))
    settings = {"strategy": "grpo", "batchSize": 16, "generations": 8, "maxCompletion": 32, "turnTokens": 4, "learningRate": 3e-3}
    return {**settings, "environment": {"file": str(file), "capacity": 16}, **more}


def learn(new_run: NewRun, speller: Path, server: FakeEnvironment, folder: Path, seed: int) -> Run:
    run = new_run(tasks(), f"seed-{seed}", model=speller, val=tasks(3), seed=seed, **shell(folder, server, maxSteps=12, samples=1))
    assert run.in_process() == 0, run.events[-1]
    assert run.curve("heldout_success_rate")[0] == (0, 0)
    return run


def is_solving_learned(runs: list[Run]) -> bool:
    return is_learned(runs, "success_rate", lambda run: run.curve("heldout_success_rate")[-1] == (12, 1))


def test_the_model_learns_what_the_environment_rewards(new_run: NewRun, speller: Path, serve: Serve, tmp_path: Path) -> None:
    server = serve()
    assert is_solving_learned([learn(new_run, speller, server, tmp_path, seed) for seed in SEEDS])
    assert (server.max_open, server.open) == (16, 0)


def test_the_model_does_not_learn_from_shuffled_rewards(
    new_run: NewRun, speller: Path, serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play, shuffled = Player.play, shuffler(0)

    def play_shuffled(*of: Any) -> list[Episode]:
        episodes = play(*of)
        for episode, reward in zip(episodes, shuffled(episode.reward for episode in episodes), strict=True):
            episode.reward = reward
        return episodes

    monkeypatch.setattr(Player, "play", play_shuffled)
    assert not is_solving_learned([learn(new_run, speller, serve(), tmp_path, seed) for seed in FEW_SEEDS])


def test_a_run_reports_its_episodes(new_run: NewRun, speller: Path, serve: Serve, tmp_path: Path) -> None:
    run = new_run(tasks(), model=speller, val=tasks(3), **shell(tmp_path, serve(), maxSteps=2, evalSteps=1, samples=1))
    assert run.in_process() == 0, run.events[-1]
    assert run.curve("heldout_n") == [(0, 3), (1, 3), (2, 3)]
    figures = run.of("progress")[1]["metrics"]
    assert {"reward", "reward_std", "zero_variance_share", "success_rate", "turns", "fail_penalty", "error_share"} <= set(figures)
    rollouts = [event for event in run.of("sample") if event["source"] == "rollout" and event["step"] == 1]
    assert len(rollouts) == 8
    lost = next(event for event in rollouts if event["episode"]["success"] is False and event["episode"]["status"] == "ok")
    assert lost["episode"]["taskId"] == f"t{lost['index']}" and len(lost["episode"]["turns"]) == 2
    first = lost["episode"]["turns"][0]
    assert (first["output"], first["exitCode"]) == (f"no {first['command'].strip()}", 127)
    assert lost["rewards"]["reward"] == pytest.approx(-0.02)


def test_episodes_that_could_not_be_played_have_no_reward(new_run: NewRun, speller: Path, serve: Serve, tmp_path: Path) -> None:
    rows = [*tasks(1), *tasks(1, breaks=True)]
    run = new_run(rows, model=speller, **shell(tmp_path, serve(), maxSteps=2))
    assert run.in_process() == 0, run.events[-1]
    figures = run.of("progress")[0]["metrics"]
    assert figures["error_share"] == 0.5 and figures["zero_variance_share"] >= 0.5
    broken = next(event for event in run.of("sample") if event["episode"]["status"] == "error")
    assert broken["rewards"] == {} and "mkdir failed" in broken["episode"]["error"]


def test_a_message_that_is_cut_off_fails_its_episode(new_run: NewRun, speller: Path, serve: Serve, tmp_path: Path) -> None:
    run = new_run(tasks(), model=speller, val=tasks(2), **shell(tmp_path, serve(), turnTokens=1, maxSteps=2, evalSteps=2))
    assert run.in_process() == 0, run.events[-1]
    for name, value in {"corrupted_share": 1, "success_rate": 0, "reward": -0.02, "zero_variance_share": 1, "error_share": 0}.items():
        assert run.curve(name) == [(1, pytest.approx(value)), (2, pytest.approx(value))], name
    assert run.curve("heldout_success_rate") == [(0, 0), (2, 0)]
    cut_off = run.of("sample")[0]
    assert (cut_off["episode"]["status"], cut_off["episode"]["success"], cut_off["episode"]["turns"]) == ("corrupted", False, [])


def test_the_environment_must_fail_a_message_that_is_cut_off(serve: Serve) -> None:
    server = serve()
    texts = Texts(lambda _: "red", lambda _: [0], {1})
    player = Player(lambda: EnvironmentClient(server.url), texts, Limits(turns=9, turn_tokens=4, episode_tokens=20, at_once=1))

    def played(wins: str) -> Episode:
        answers = iter([[[2, 1]], [[2, 2]]])
        return player.play([(0, [5], {"wins": wins})], lambda *_: next(answers))[0]

    episode = played("blue")
    assert (episode.status, episode.success, episode.reward, len(episode.turns)) == ("corrupted", False, -0.02, 1)
    assert episode.mask == [1, 1, 0, 1, 1]
    with pytest.raises(TrainerError, match="must fail an episode"):
        played("")  # this environment counts it as solved


def test_an_episode_at_the_token_limit_is_rewarded_for_its_turns(serve: Serve) -> None:
    server = serve()
    texts = Texts(lambda _: "red", lambda _: [0] * 50, {1})
    player = Player(lambda: EnvironmentClient(server.url), texts, Limits(turns=9, turn_tokens=4, episode_tokens=20, at_once=1))
    (episode,) = player.play([(0, [5], {"wins": "blue"})], lambda prompts, _: [[2, 1] for _ in prompts])
    assert (episode.status, episode.how, len(episode.turns)) == ("ok", "context", 1)
    assert (episode.terms["turns"], episode.reward) == (1, -0.01)


def test_a_lost_environment_ends_the_run_with_the_reason(new_run: NewRun, speller: Path, serve: Serve, tmp_path: Path) -> None:
    run = new_run(tasks(), model=speller, **shell(tmp_path, serve(loses_at=40)))
    assert run.in_process() == 1
    assert run.events[-1]["code"] == "environment_lost"
    assert "None of 16 episodes could be played" in run.events[-1]["message"]
    rewards = [value for _, value in run.curve("reward")]
    assert rewards and all(value is None or value > -0.03 for value in rewards)


def test_more_episodes_than_sandboxes_are_refused_with_the_setting(new_run: NewRun, speller: Path, serve: Serve, tmp_path: Path) -> None:
    settings = shell(tmp_path, serve())
    settings["environment"]["capacity"] = 10
    run = new_run(tasks(), model=speller, **settings)
    assert run.in_process() == 1
    assert run.events[-1]["code"] == "too_few_places" and "arena.running to 16" in run.events[-1]["message"]
