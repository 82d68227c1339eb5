import json
import warnings
from pathlib import Path

import pytest
from conftest import Server

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.utils.env_checker import check_env  # noqa: E402

from bashgym.gym import Action, ActionType, BashGymEnv, BatchGymEnv, GymEnvConfig, classic, vector  # noqa: E402

OPTIONS = {"task": "Write 4 into a.", "verify": ["grep -qx 4 a", "test -f b"], "initial_files": {"b": "", "c": "one two"}}


def test_an_episode_with_a_passing_submit(server: Server) -> None:
    env = BashGymEnv(url=server.url, token=server.token)
    task, info = env.reset(options={**OPTIONS, "verify": "cd /home/user; grep -qx 4 a && test -f b"})
    assert (task, info["checks"], env.done) == ("Write 4 into a.", 1, False)
    env.step("echo 4 > a")
    env.step(Action(ActionType.BASH, "cat b"))
    _, reward, terminated, truncated, info = env.step(Action(ActionType.SUBMIT, "done"))
    assert (reward, terminated, truncated, info["verified"]) == (pytest.approx(0.99), True, False, True)
    assert info["episode_reward"] == pytest.approx(0.97)
    _, reward, terminated, _, info = env.step("rm a")
    assert (reward, terminated, info["step"], env.done) == (0.0, True, 3, True)
    env.close()


def test_file_actions_and_penalties(server: Server, tmp_path: Path) -> None:
    env = BashGymEnv(url=server.url, token=server.token, log_trajectory=True, trajectory_dir=str(tmp_path), max_steps=6)
    env.reset(options={**OPTIONS, "verify": ["cd /home/user && grep -qx 4 a", "false"]})
    quoted = "4\n"
    assert env.step(Action(ActionType.WRITE, quoted, {"path": "a"}))[1] == pytest.approx(-0.01)
    assert env.step(Action(ActionType.READ, "c"))[0] == "one two"
    assert env.step(Action(ActionType.EDIT, "", {"path": "c", "old": "one", "new": "'$(x)'"}))[1] == pytest.approx(-0.01)
    assert env.step("cat c; false")[:2] == ("'$(x)' two\nERROR:\nexit code 1", pytest.approx(-0.06))
    assert env.step(Action(ActionType.EDIT))[1] == pytest.approx(-0.11)
    _, reward, terminated, truncated, info = env.step("true")
    assert (reward, terminated, truncated, info["verified"]) == (pytest.approx(0.24), False, True, False)
    document = json.loads(next(tmp_path.iterdir()).read_text())
    assert (document["total_steps"], document["success"], len(document["trajectory"])) == (6, False, 6)
    env.close()


def test_without_checks_nothing_is_verified(server: Server) -> None:
    env = classic(BashGymEnv(url=server.url, token=server.token))
    assert env.reset(task="Look around.") == "Look around."
    _, reward, done, info = env.step('{"action_type": "submit"}')
    assert (reward, done, info["verified"]) == (-0.01, True, None)
    env.close()
    assert env.step("ls")[0] == "The environment was closed."
    with pytest.raises(ValueError, match="use_sandbox"):
        GymEnvConfig(use_sandbox=False)


def test_passes_gymnasiums_checker(server: Server) -> None:
    env = gymnasium.make("BashGym-v0", url=server.url, token=server.token)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*(render|Text|reset).*")
        check_env(env.unwrapped, skip_render_check=True)
    env.close()


def test_a_batch_continues_when_one_environment_fails(server: Server) -> None:
    batch = BatchGymEnv(2, url=server.url, token=server.token)
    first, second = batch.reset_all([{"setup": "exit 3"}, {"task": "x", "verify": "true"}])
    assert isinstance(first, RuntimeError) and second[0] == "x"
    assert batch.step_all(["true", Action(ActionType.SUBMIT)])[1][2] is True
    assert batch.get_rewards()[1] == pytest.approx(0.99)
    batch.close_all()
    envs = vector(2, url=server.url, token=server.token)
    envs.reset(options={"task": "x"})
    assert list(envs.step(["true", "false"])[1]) == pytest.approx([-0.01, -0.06])
    envs.close()
