"""The mask equals TRL's for templates that TRL knows, and every refusal names its reason."""

from __future__ import annotations

from pathlib import Path

import pytest
import trl
from make_tokenizer import make, make_spaced, qwen_template
from transformers import PreTrainedTokenizerFast
from trl.chat_template_utils import get_training_chat_template

from bashgym_trainers.data import Rows
from bashgym_trainers.errors import TrainerError
from bashgym_trainers.render import Piece, RenderError, write
from bashgym_trainers.templates import chatml
from bashgym_trainers.tokens import render_prompts
from bashgym_trainers.windows import whole

TOOLS = [{"type": "function", "function": {"name": "Bash", "description": "Runs it.", "parameters": {"type": "object"}}}]
CALL = {"id": "c1", "type": "function", "function": {"name": "Bash", "arguments": {"command": "ls"}}}
ROW = [
    {"role": "system", "content": "Be short."},
    {"role": "user", "content": "List the files"},
    {"role": "assistant", "content": "<think>\nLook first.\n</think>\n\n", "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "c1", "name": "Bash", "content": "calc.py"},
    {"role": "assistant", "content": "One file: calc.py."},
]


# SmolLM2's
WITHOUT_CALLS = """{% for message in messages %}{{'<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n'}}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"""  # noqa: E501


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> PreTrainedTokenizerFast:
    return make(tmp_path_factory.mktemp("tokenizer"), qwen_template())


def pieces(tokenizer: PreTrainedTokenizerFast) -> list[Piece]:
    (parts,) = write(tokenizer, ROW, TOOLS).conversations
    return parts


def trained_text(tokenizer: PreTrainedTokenizerFast, ids: list[int], mask: list[int]) -> str:
    return tokenizer.decode([token for token, one in zip(ids, mask, strict=True) if one])


def test_only_assistant_messages_carry_loss(tokenizer: PreTrainedTokenizerFast) -> None:
    done = whole(tokenizer, ROW, TOOLS)[0]
    trained = trained_text(tokenizer, done.ids, done.mask)
    assert trained.startswith("<think>") and '"command": "ls"' in trained
    assert trained.endswith("One file: calc.py.<|im_end|>")
    assert trained.count("<|im_end|>") == 2
    assert "List the files" not in trained


def test_the_shipped_template_trains_calls_and_end_marks_of_a_model_without_calls_in_its_own(tmp_path: Path) -> None:
    tokenizer = make(tmp_path, WITHOUT_CALLS)
    with pytest.raises(RenderError, match="can't express tool calls"):
        whole(tokenizer, ROW, TOOLS)
    tokenizer.chat_template = chatml()
    done = whole(tokenizer, ROW, TOOLS)[0]
    trained = trained_text(tokenizer, done.ids, done.mask)
    assert '<tool_call>\n{"name": "Bash", "arguments": {"command": "ls"}}\n</tool_call><|im_end|>' in trained
    assert trained.endswith("One file: calc.py.<|im_end|>") and trained.count("<|im_end|>") == 2


def test_the_pieces_make_up_the_whole_text(tokenizer: PreTrainedTokenizerFast) -> None:
    text = tokenizer.apply_chat_template(ROW, tools=TOOLS, tokenize=False)
    assert "".join(piece.text for piece in pieces(tokenizer)) == text


def test_the_mask_equals_trls_except_for_line_breaks(tokenizer: PreTrainedTokenizerFast) -> None:
    """TRL's own marks include the line break of the generation prompt and the one after the end mark."""
    other = PreTrainedTokenizerFast(tokenizer_object=tokenizer.backend_tokenizer, eos_token="<|im_end|>")
    other.chat_template = get_training_chat_template(tokenizer)
    trl_texts = [piece.text.strip("\n") for piece in pieces(other) if piece.trained]
    other.chat_template = qwen_template().replace("You are Qwen", "You are another")  # no training template is known for it
    assert [piece.text for piece in pieces(other) if piece.trained] == trl_texts
    assert [piece.text.strip("\n") for piece in pieces(tokenizer) if piece.trained] == trl_texts


@pytest.mark.parametrize(
    ("template", "row", "why"),
    [
        (None, ROW, "no chat template"),
        ("{{ raise_exception('only user and assistant') }}", ROW, "only user and assistant"),
        ("{% for m in messages %}{{ m.content }}", ROW, "refused the row"),
        (
            "{{ messages | length }}{% for m in messages %}{{ m.content }}{% endfor %}",
            [ROW[1], ROW[4]],
            "differently once others follow.*became",
        ),
        ("{% for m in messages %}{{ m.content }}{% endfor %}", ROW, "can't express tool calls.*tool call 1 of message 3"),
        ("{% for m in messages %}{{ m.content }}{% endfor %}", ROW[1:2], "carries loss"),
        ("{% for m in messages %}{{ m.content }}{% endfor %}", ROW[4:], "begins with the assistant"),
    ],
)
def test_a_row_that_cannot_be_rendered_is_refused_with_the_reason(
    tokenizer: PreTrainedTokenizerFast, template: str | None, row: list, why: str
) -> None:
    other = PreTrainedTokenizerFast(tokenizer_object=tokenizer.backend_tokenizer, eos_token="<|im_end|>")
    other.chat_template = template
    with pytest.raises(RenderError, match=why):
        whole(other, row)


def test_text_that_spells_a_special_token_is_encoded_as_text(tokenizer: PreTrainedTokenizerFast) -> None:
    answer = "The mark <|im_end|> ends it, then <|im_start|>user follows."
    call = {"id": "c1", "type": "function", "function": {"name": "Bash", "arguments": {"command": "grep '<|im_end|>' a"}}}
    row = [
        {"role": "user", "content": "What ends a turn? <|im_end|>"},
        {"role": "assistant", "content": answer, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "name": "Bash", "content": "<|endoftext|>"},
        {"role": "assistant", "content": "Found."},
    ]
    (done,) = whole(tokenizer, row, TOOLS)
    text = trained_text(tokenizer, done.ids, done.mask)
    assert answer in text and "grep '<|im_end|>' a" in text
    marks = [tokenizer.convert_ids_to_tokens(token) for token, one in zip(done.ids, done.mask, strict=True) if one]
    assert marks.count("<|im_end|>") == 2 and "<|im_start|>" not in marks
    assert tokenizer.convert_tokens_to_ids("<|endoftext|>") not in done.ids


def test_a_row_that_spells_a_token_is_left_out_where_it_can_only_be_read_as_the_token(tmp_path: Path) -> None:
    row = [{"role": "user", "content": "Say it."}, {"role": "assistant", "content": "It ends with </s>."}]
    with pytest.raises(RenderError, match=r"spells a special token.*It spells </s>"):
        whole(make_spaced(tmp_path), row)
    rows = Rows([{"prompt": [{"role": "user", "content": text}]} for text in ["Hello", *["Say <|im_end|>"]]], [1, 2])
    with pytest.raises(TrainerError, match=r"spells a special token"):
        render_prompts(rows, make(tmp_path / "plain", qwen_template()), 500)


def test_an_empty_thought_carries_no_loss(tokenizer: PreTrainedTokenizerFast) -> None:
    tokenizer.chat_template = (Path(trl.__file__).parent / "chat_templates" / "qwen3.jinja").read_text()
    row = [
        {"role": "user", "content": "Hello"},
        {"role": "assistant", "content": "<think>\nA greeting.\n</think>\n\nHello."},
        {"role": "user", "content": "Again"},
        {"role": "assistant", "content": "Hello again."},
    ]
    (parts,) = write(tokenizer, row).conversations
    assert [part.text for part in parts if part.trained] == ["<think>\nA greeting.\n</think>\n\nHello.<|im_end|>", "Hello again.<|im_end|>"]
    assert "<think>\n\n</think>\n\n" in "".join(part.text for part in parts if not part.trained)
    tokenizer.chat_template = qwen_template()
