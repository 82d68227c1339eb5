import json
from pathlib import Path

import pytest

from bashgym.terminus import ToolCallError, build_terminal_tool_call

CASES = json.loads((Path(__file__).parents[3] / "server/src/stages/shell-rl/openenv/fixtures/tool-calls.json").read_text(encoding="utf-8"))[
    "cases"
]


def text_of(case: dict) -> str:
    if "text" in case:
        return case["text"]
    build = case["build"]
    return (
        build["open"] * build["times"]
        + build["middle"]
        + "x" * build.get("pad", 0)
        + build.get("after", "")
        + build["close"] * build["times"]
    )


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_reads_the_same_call_as_the_server(case: dict) -> None:
    raw = case.get("raw", "plain")
    if case["arguments"] is None:
        with pytest.raises(ToolCallError) as refused:
            build_terminal_tool_call(text_of(case), raw)
        assert refused.value.format == case["format"]
        return
    call = build_terminal_tool_call(text_of(case), raw)
    assert (call.arguments, call.format, len(call.warnings)) == (case["arguments"], case["format"], case.get("warnings", 0))


SHARED = json.loads((Path(__file__).parent / "calls.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("family", SHARED["families"])
def test_reads_the_call_of_every_family(family: str) -> None:
    answer = SHARED["families"][family]
    after_words = [f"Let me see.\n{answer}"] if answer.strip().startswith("<") else []
    for text in (answer, f"<think>\nHow?\n</think>\n\n{answer}", *after_words):
        assert build_terminal_tool_call(text).arguments == {"command": SHARED["command"]}
