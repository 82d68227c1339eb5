"""A child process runs programs, several at once, and each of its failures ends the run with the reason."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from conftest import FAKE_SANDBOX
from jsonschema import Draft202012Validator

from bashgym_trainers import sandbox as module
from bashgym_trainers.answering import Answer
from bashgym_trainers.config import SCHEMA
from bashgym_trainers.errors import TrainerError
from bashgym_trainers.rewards import score
from bashgym_trainers.sandbox import Program, Sandbox


@pytest.fixture
def start() -> Iterator[object]:
    opened: list[Sandbox] = []

    def make(*mode: str) -> Sandbox:
        opened.append(Sandbox([*FAKE_SANDBOX, *mode]))
        return opened[-1]

    yield make
    for sandbox in opened:
        sandbox.close()


def echo(word: str) -> Program:
    return Program({"say.py": f"print({word!r})"}, ["python3", "say.py"], 10)


def test_answers_come_in_the_order_of_the_programs(start) -> None:  # noqa: ANN001
    sandbox = start("reverse")
    sandbox.check()
    assert [answer["stdout"].strip() for answer in sandbox.run([echo("one"), echo("two")])] == ["one", "two"]


def test_requests_match_the_contract(monkeypatch: pytest.MonkeyPatch, start) -> None:  # noqa: ANN001
    sent: list[dict[str, object]] = []
    dumps = module.json.dumps
    monkeypatch.setattr(module.json, "dumps", lambda value: sent.append(value) or dumps(value))
    start().run([echo("one")])
    Draft202012Validator(SCHEMA["sandboxRequest"]).validate(sent[0])


def test_code_is_rewarded_if_its_tests_pass(start) -> None:  # noqa: ANN001
    answers = ["```py\nx = 1\n```", "```py\nx = 2\n```", "x = 1", "```py\nwhile\n```"]
    rows = [{"tests": "from solution import x\nassert x == 1"}] * 4
    sandbox = start()
    ended, cut_off = ([Answer(text, ended) for text in answers] for ended in (True, False))
    assert score({"kind": "tests", "timeoutSec": 10}, ended, rows, sandbox) == [1, 0, 0, 0]
    assert score({"kind": "tests", "timeoutSec": 10}, [cut_off[0], *ended[:3]], rows, sandbox) == [0, 1, 0, 0]


@pytest.mark.parametrize(
    ("mode", "code", "words"),
    [("refuse", "no_sandbox", "bwrap is not installed"), ("die", "sandbox_failed", "exit code 7")],
)
def test_sandbox_failures_are_reported(start, mode: str, code: str, words: str) -> None:  # noqa: ANN001
    sandbox = start(mode)
    with pytest.raises(TrainerError, match=words) as caught:
        sandbox.run([echo("one"), echo("two"), echo("three")])
    assert caught.value.code == code
    if mode == "die":
        with pytest.raises(TrainerError, match=words):
            sandbox.run([echo("one")])


@pytest.mark.parametrize(("argv", "words"), [(["/nowhere/bwrap"], "cannot be started"), (["echo", "no json"], "cannot be read")])
def test_a_program_that_is_not_a_sandbox_is_refused(argv: list[str], words: str) -> None:
    with pytest.raises(TrainerError, match=words):
        Sandbox(argv).run([echo("one")])


def test_a_child_that_does_not_answer_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ANSWER_SEC", 0.1)
    sandbox = Sandbox(["sleep", "20"])
    with pytest.raises(TrainerError, match="did not answer within"):
        sandbox.run([Program({}, ["true"], 0.1)])
    sandbox._child.kill()
    sandbox.close()
