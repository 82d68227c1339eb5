"""Every family with a template in TRL: by which method its rows are rendered, and that its calls are read back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import trl
from bashgym.calls import parse
from copy_templates import PICTURES, pairs
from make_tokenizer import make, make_spaced, qwen_template
from transformers import PreTrainedTokenizerFast
from trl.chat_template_utils import get_training_chat_template

from bashgym_trainers.calling import require_readable, why_unreadable
from bashgym_trainers.data import Rows
from bashgym_trainers.errors import TrainerError
from bashgym_trainers.preference import sides_of
from bashgym_trainers.render import RenderError, write
from bashgym_trainers.templates import training_template_of
from bashgym_trainers.tokens import render_prompts
from bashgym_trainers.windows import split, whole

TRL_TEMPLATES = Path(trl.__file__).parent / "chat_templates"


def tool(name: str, **properties: str) -> dict[str, Any]:
    parameters = {"type": "object", "properties": {key: {"type": kind, "description": key} for key, kind in properties.items()}}
    return {"type": "function", "function": {"name": name, "description": f"Does {name}.", "parameters": parameters}}


def call(key: str, name: str, **arguments: Any) -> dict[str, Any]:
    return {"id": key, "type": "function", "function": {"name": name, "arguments": arguments}}


def result(key: str, name: str, content: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": key, "name": name, "content": content}


TOOLS = [tool("Bash", command="string", timeout="integer"), tool("Read", path="string")]
WORK: list[dict[str, Any]] = [
    {"role": "system", "content": "Be short."},
    {"role": "user", "content": "Mend the tests."},
    {"role": "assistant", "content": "I look.", "tool_calls": [call("call00001", "Bash", command='ls "a b"', timeout=5)]},
    result("call00001", "Bash", "calc.py"),
    {"role": "assistant", "content": "", "tool_calls": [call("call00002", "Read", path="calc.py"), call("call00003", "Read", path="b.py")]},
    result("call00002", "Read", "def add(): pass"),
    result("call00003", "Read", "def sub(): pass"),
    {"role": "assistant", "content": "Mended."},
    {"role": "user", "content": "Now commit."},
    {"role": "assistant", "content": "", "tool_calls": [call("call00004", "Bash", command="git commit -am x", timeout=9)]},
    result("call00004", "Bash", "1 file changed"),
    {"role": "assistant", "content": "Committed."},
]


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> PreTrainedTokenizerFast:
    tokenizer = make(tmp_path_factory.mktemp("families"), qwen_template())
    tokenizer.bos_token = "<|endoftext|>"
    return tokenizer


# The method and the changes of each family.
WRITTEN: dict[str, tuple[str, tuple[str, ...]]] = {
    "deepseekv3": ("training", ()),
    "gemma4": ("answers", ()),
    "gemma4_v2": ("prefix", ()),
    "gemma4_v3": ("answers", ()),
    "gemma4_v4": ("answers", ()),
    "gemma4_v5": ("answers", ()),
    "glm4moe": ("training", ()),
    "gptoss": ("answers", ("calls",)),
    "lfm2_2_5": ("marks", ()),
    "lfm2_2_5_v2": ("marks", ()),
    "lfm2_2_5_vl": ("marks", ()),
    "lfm2_v2": ("training", ()),
    "llama3_1": ("prefix", ("calls", "apart")),
    "llama3_2": ("prefix", ("calls", "apart")),
    "muse_glimmer": ("training", ("apart",)),
    "nemotron_3_5_lightning": ("training", ()),
    "nemotron_3_nano": ("training", ()),
    "nemotron_3_super": ("training", ()),
    "nemotron_3_ultra": ("training", ()),
    "qwen2_5": ("training", ()),
    "qwen3": ("training", ()),
    "qwen3_5_nothink": ("training", ()),
    "qwen3_5_think": ("training", ()),
    "qwen3_6": ("training", ()),
    "qwen3_8": ("training", ()),
    "qwen3_instruct_2507": ("training", ()),
    "qwen3_vl": ("training", ()),
}
# Families whose templates render no calls, so that rows with tools are refused.
NO_CALLS = ("cohere", "cohere2", "deepseek_r1_distill", "gemma", "gemma3", "lfm2", "llama3", "phi3", "phi3_5", "qwen2_5_vl")


def test_the_tables_contain_every_family() -> None:
    families = {file.stem for file in TRL_TEMPLATES.glob("*.jinja") if not file.stem.endswith("_training")}
    assert families - {one for one in families if one.startswith(PICTURES)} == {*WRITTEN, *NO_CALLS}


@pytest.mark.parametrize("family", WRITTEN)
def test_a_session_is_rendered_completely_and_its_calls_are_read_back(tokenizer: PreTrainedTokenizerFast, family: str) -> None:
    tokenizer.chat_template = (TRL_TEMPLATES / f"{family}.jinja").read_text()
    written = write(tokenizer, WORK, TOOLS)
    assert (written.method, written.changes) == WRITTEN[family]
    answers = [parse(part.text, TOOLS) for parts in written.conversations for part in parts if part.trained]
    calls = [one["function"] for message in WORK for one in message.get("tool_calls", [])]
    assert [(one.name, one.arguments) for answer in answers for one in answer.calls] == [(one["name"], one["arguments"]) for one in calls]
    assert not any(answer.torn for answer in answers)
    assert [answer.text for answer in answers if not answer.calls] == ["Mended.", "Committed."]
    assert why_unreadable(tokenizer) is None


# Its template opens a thought in the prompt that its rows do not have.
OPENS_A_THOUGHT = ("deepseekv3",)


@pytest.mark.parametrize("family", WRITTEN)
def test_a_preference_is_trained_on_the_text_of_its_conversation_after_the_prompt_that_is_served(
    tokenizer: PreTrainedTokenizerFast, family: str
) -> None:
    tokenizer.chat_template = (TRL_TEMPLATES / f"{family}.jinja").read_text()
    prompt, good, bad = WORK[:2], WORK[4:8], [{"role": "assistant", "content": "I give up."}]
    pair = {"prompt": prompt, "chosen": good, "rejected": bad, "tools": TOOLS}
    single = {"prompt": prompt, "completion": good, "tools": TOOLS}
    of_pair = sides_of(Rows([pair], [1]), tokenizer, ["chosen", "rejected"], 100_000).sides
    of_single = sides_of(Rows([single], [1]), tokenizer, ["completion"], 100_000).sides
    served = render_prompts(Rows([single], [1]), tokenizer, 100_000).texts[0]
    for sides, row in ((of_pair, pair), (of_single, single)):
        for name in sides[0]:
            conversations = split(tokenizer, [*prompt, *row[name]], TOOLS, 100_000).rows
            # of a template with one answer in a row, a pair is its first answers
            compared = list(zip(sides, conversations, strict=len(sides) > 1))
            assert compared and all(side[name].prompt + side[name].answer == whole_row.ids for side, whole_row in compared)
            assert all([0] * len(side[name].prompt) + side[name].mask == whole_row.mask for side, whole_row in compared)
            trained_after = tokenizer.decode(sides[0][name].prompt)
            assert served.startswith(trained_after) if family in OPENS_A_THOUGHT else served == trained_after


def test_text_beside_calls_is_where_a_family_has_a_place_for_it(tokenizer: PreTrainedTokenizerFast) -> None:
    tokenizer.chat_template = (TRL_TEMPLATES / "gptoss.jinja").read_text()
    first, *_, last = write(tokenizer, WORK, TOOLS).conversations
    answer = "".join(part.text for part in first if part.trained)
    assert answer.startswith("<|channel|>analysis<|message|>I look.<|end|><|start|>assistant to=functions.Bash")
    assert "I look." not in "".join(part.text for part in last)  # as the template writes an ended turn when the model answers
    tokenizer.chat_template = (TRL_TEMPLATES / "llama3_1.jinja").read_text()
    (parts,) = write(tokenizer, WORK, TOOLS).conversations
    (text,) = [part for part in parts if "I look." in part.text]
    assert not text.trained and text.text.strip().startswith("I look.<|eot_id|>")
    assert '{"name": "Bash"' in next(part.text for part in parts if part.trained)


@pytest.mark.parametrize("family", NO_CALLS)
def test_a_template_without_calls_renders_only_chats(tokenizer: PreTrainedTokenizerFast, family: str) -> None:
    tokenizer.chat_template = (TRL_TEMPLATES / f"{family}.jinja").read_text()
    with pytest.raises(RenderError, match=r"can't express tool calls.*tool call 1"):
        write(tokenizer, WORK, TOOLS)
    chat = [WORK[0], WORK[1], WORK[7], WORK[8], WORK[11]]
    written = write(tokenizer, chat)
    assert written.changes == (("system",) if family == "gemma" else ())
    texts = [parse(part.text).text for parts in written.conversations for part in parts if part.trained]
    assert texts == ["Mended.", "Committed."]
    with pytest.raises(TrainerError, match=r"format cannot be scored.*writes no tool calls"):
        require_readable(tokenizer, "The reward format")


def test_the_training_templates_equal_trls(tokenizer: PreTrainedTokenizerFast) -> None:
    for family, (original, training) in pairs().items():
        tokenizer.chat_template = original
        assert training_template_of(original) == training == get_training_chat_template(tokenizer), family


def test_a_changed_template_gets_one_row_per_answer(tokenizer: PreTrainedTokenizerFast) -> None:
    """Qwen3's template drops earlier thoughts. If it is changed, it has no training template, so each answer gets its own row."""
    template = (TRL_TEMPLATES / "qwen3.jinja").read_text() + "{# ours #}"
    tokenizer.chat_template = template
    thought = [{**one, "content": f"<think>\nWhy.\n</think>\n\n{one['content']}"} if one["role"] == "assistant" else one for one in WORK]
    written = write(tokenizer, thought, TOOLS)
    assert written.method == "answers"
    for parts in written.conversations:
        assert parts[0].text == tokenizer.apply_chat_template(
            thought[: parts[-1].answer], tools=TOOLS, tokenize=False, add_generation_prompt=True
        )
    short = split(tokenizer, thought, TOOLS, 460)
    assert [len(one.ids) <= 460 for one in short.rows] == [True] * 5 and not short.left_out


def test_thinking_is_turned_off_if_rows_have_no_thoughts(tokenizer: PreTrainedTokenizerFast) -> None:
    tokenizer.chat_template = (TRL_TEMPLATES / "qwen3_6.jinja").read_text()
    plain = write(tokenizer, WORK, TOOLS).conversations[0]
    assert plain[0].text.endswith("<think>\n\n</think>\n\n") and plain[1].text.startswith("I look.")
    thought = [*WORK[:2], {"role": "assistant", "content": "<think>\nWhy.\n</think>\n\nDone."}]
    asked, answer = [part for part in write(tokenizer, thought).conversations[0] if part.text.strip()]
    assert asked.text.endswith("<think>\n") and answer.text.startswith("Why.\n</think>\n\nDone.")


@pytest.mark.parametrize(
    ("template", "messages", "why"),
    [
        ("{{ raise_exception('never') }}", WORK, "refused the row: never"),
        ("{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}", WORK, "did not end within"),
        ("", WORK, "no chat template"),
        ("{# nothing #}", WORK, "leaves out"),
        (
            "{% for m in messages if m.role in ['user', 'assistant'] %}{{ m.content }}{% endfor %}",
            [{"role": "critic", "content": "No."}, *WORK[1:2], WORK[7]],
            "none of system, user, assistant, tool. Message 1: critic",
        ),
    ],
)
def test_rows_that_a_template_cannot_render_are_refused(
    tokenizer: PreTrainedTokenizerFast, template: str, messages: list, why: str
) -> None:
    tokenizer.chat_template = template
    with pytest.raises(RenderError, match=why):
        write(tokenizer, messages, TOOLS)


def test_calls_with_the_same_id_are_rendered_in_order_and_a_row_needs_a_prompt(tokenizer: PreTrainedTokenizerFast) -> None:
    tokenizer.chat_template = (TRL_TEMPLATES / "llama3_1.jinja").read_text()
    twice = [call("same", "Read", path="a"), call("same", "Read", path="b")]
    answer = {"role": "assistant", "content": "", "tool_calls": twice}
    row = [WORK[1], answer, result("same", "Read", "A"), result("same", "Read", "B"), WORK[7]]
    text = "".join(part.text for part in write(tokenizer, row, TOOLS).conversations[0])
    assert [text.index(one) for one in ('"path": "a"', '"A"', '"path": "b"', '"B"')] == sorted(
        text.index(one) for one in ('"path": "a"', '"A"', '"path": "b"', '"B"')
    )
    with pytest.raises(RenderError, match="begins with the assistant"):
        write(tokenizer, [WORK[7]])


def test_a_tokenizer_that_adds_a_space_gives_the_ids_of_the_whole_text(tmp_path: Path) -> None:
    """Like the tokenizers of Llama 2, Mistral and Phi-3, which would add a space to each piece."""
    tokenizer = make_spaced(tmp_path)
    row = [{"role": "user", "content": "Say it."}, {"role": "assistant", "content": "said."}]
    (done,) = whole(tokenizer, row)
    assert done.ids == tokenizer("[INST] Say it. [/INST]said.</s>", add_special_tokens=False)["input_ids"]
    assert tokenizer.decode([token for token, one in zip(done.ids, done.mask, strict=True) if one]) == "said.</s>"
