"""Renders a row as text, and marks the parts that carry loss.

The same rule is implemented here and in ``server/src/stages/factory/preview/render.ts``. A test compares both.

The first of these methods whose text contains every call, argument, result and prompt of the row is used:

1. ``marks``: the template marks assistant text with ``{% generation %}``.
2. ``training``: TRL has a training template for this template, which has such marks.
3. ``prefix``: an answer is the text that the template adds for it after the generation prompt.
4. ``answers``: one row per answer, which contains the conversation up to it, like at inference. This is for templates that
   render earlier turns differently once later ones follow.

Text beside the calls of an earlier turn may be missing if the template writes it until the turn ends (gpt-oss).

If no method works, parallel calls are written one after another, the system prompt moves into the first prompt, and text beside
calls becomes a message of its own or is left out (``adapt``). White space after the end mark and the text of the generation prompt
do not count as the answer. A message with ``weight`` 0 is context and carries no loss. The text is cut at the boundaries of
messages (``ids``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .adapt import adapted, without_texts
from .complete import missing
from .ids import adds_space
from .spelled import as_text, spells_mark
from .templates import options, thinks, training_template_of
from .time_limit import with_time_limit

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

Message = dict[str, Any]
Spans = list[tuple[int, int]]
_MARK = re.compile(r"{%-?\s*generation\b")
# What a template writes for an answer without thoughts is nothing that the model thought: it carries no loss.
_NO_THOUGHT = re.compile(r"<think>[ \t\n]*</think>[ \t\n]*")
_SHOWN = 40  # characters of two texts that differ
RENDER_SEC = 5
SPELLED = "A text spells a special token, which this tokenizer would read as the token itself."
# Reasons of rows that a template does not write in full: it has no form for tool calls, or leaves out text.
NO_CALLS = "This model's template can't express tool calls, and your rows contain them."
TEXT_LEFT_OUT = "This model's template leaves out text of your rows."
ROLES = ("system", "user", "assistant", "tool")


class RenderError(ValueError):
    """A row or template that cannot be trained on. ``reason`` is the same for rows with the same failure; the message adds the place."""

    def __init__(self, reason: str, where: str = "") -> None:
        super().__init__(f"{reason} {where}".strip())
        self.reason = reason


class TemplateTimeout(RenderError):
    """The template did not end. No other row is tried with it."""


class NoTrainedToken(RenderError):
    """A row without assistant content."""


@dataclass(frozen=True)
class Piece:
    """A part of the rendered text. ``answer``: index of the assistant message, None for other text. ``trained``: it carries loss."""

    text: str
    trained: bool
    answer: int | None


@dataclass(frozen=True)
class RenderedRow:
    """A rendered row. ``messages``: after the changes. ``conversations``: one, or one per answer."""

    method: str
    changes: tuple[str, ...]
    messages: list[Message]
    conversations: list[list[Piece]]


class Template:
    """A chat template with its options. ``source``: the model's template, which is also used for prompts and serving."""

    def __init__(self, tokenizer: PreTrainedTokenizerBase, tools: Sequence[Any] | None, *, thinking: bool) -> None:
        if not tokenizer.chat_template:
            raise RenderError("The tokenizer has no chat template. Choose the instruct version of the model.")
        self.tokenizer = tokenizer
        self.tools = list(tools) if tools else None
        self.source: str = tokenizer.get_chat_template(tools=self.tools)
        self.options = options(self.source, thinking=thinking)

    def text(self, messages: Sequence[Message], *, prompt: bool) -> str:
        given = {"tools": self.tools, "chat_template": self.source, "tokenize": False, "add_generation_prompt": prompt}
        return self._limited(lambda: self.tokenizer.apply_chat_template(list(messages), **given, **self.options))  # type: ignore[arg-type]

    def marked(self, source: str, messages: Sequence[Message]) -> tuple[str, Spans]:
        from transformers.utils.chat_template_utils import render_jinja_template

        def render() -> tuple[list[str], list[Spans]]:
            return render_jinja_template(  # type: ignore[return-value]
                conversations=[list(messages)],
                tools=self.tools,
                chat_template=source,
                return_assistant_tokens_mask=True,
                **self.tokenizer.special_tokens_map,
                **self.options,
            )

        texts, spans = self._limited(render)
        return texts[0], list(spans[0])

    def drops_later(self, messages: Sequence[Message], index: int) -> bool:
        """Whether the text beside the calls of a message is written while the message is the last."""
        content = (messages[index].get("content") or "").rpartition("</think>")[2].strip()
        try:
            return content in self.text(messages[: index + 1], prompt=False)
        except RenderError:
            return False

    def opening(self) -> str:
        """Text that the template adds at the start of the model's turn."""
        prompt_messages: list[Message] = [{"role": "user", "content": "?"}]
        try:
            before, after = (self.text(prompt_messages, prompt=prompt) for prompt in (False, True))
        except RenderError:
            return ""
        return after.removeprefix(before) if after.startswith(before) else ""

    def _limited(self, render: Callable[[], Any]) -> Any:  # noqa: ANN401
        try:
            return with_time_limit(RENDER_SEC, render)
        except TimeoutError as error:
            why = f"The chat template did not end within {RENDER_SEC} seconds and was stopped."
            raise TemplateTimeout(f"{why} Look for a loop without an end, or use another template.") from error
        except Exception as error:  # a template may raise anything
            raise RenderError(f"The chat template refused the row: {error}") from error


def write(
    tokenizer: PreTrainedTokenizerBase, messages: Sequence[Message], tools: Sequence[Any] | None = None, *, thinking: bool | None = None
) -> RenderedRow:
    """Renders a row with the first method that works. ``thinking``: whether the row has thinking; None: decided by the messages.

    Raises ``RenderError``.
    """
    template = Template(tokenizer, as_text(tokenizer, list(tools or [])), thinking=thinks(messages) if thinking is None else thinking)
    unknown = next((at for at, message in enumerate(messages) if message["role"] not in ROLES), None)
    if unknown is not None:
        why = f"A message has a role that is none of {', '.join(ROLES)}."
        raise RenderError(why, f"Message {unknown + 1}: {messages[unknown]['role']}.")
    if (mark := spells_mark(tokenizer, messages)) is not None and adds_space(tokenizer):
        raise RenderError(SPELLED, f"It spells {mark}.")
    errors: list[RenderError] = []
    given = as_text(tokenizer, [{**message, "content": message.get("content") or ""} for message in messages])
    for changes, changed in adapted(given):
        unweighted = [{name: value for name, value in message.items() if name != "weight"} for message in changed]
        for method, cut in _methods(template):
            try:
                conversations = cut(unweighted)
            except TemplateTimeout:
                raise
            except RenderError as error:
                errors.append(error)
                continue
            return RenderedRow(method, changes, changed, [_with_loss(one, changed) for one in conversations])
    raise _most_useful_error(errors)


Cut = Callable[[list[Message]], list[list[Piece]]]


def _methods(template: Template) -> list[tuple[str, Cut]]:
    found: list[tuple[str, Cut]] = []
    if _MARK.search(template.source):
        found.append(("marks", lambda messages: [_by_marks(template, template.source, messages)]))
    training = training_template_of(template.source)
    if training is not None:
        found.append(("training", lambda messages: [_by_marks(template, training, messages)]))
    found.append(("prefix", lambda messages: [_by_prefix(template, messages)]))
    found.append(("answers", lambda messages: _by_answers(template, messages)))
    return found


def _most_useful_error(errors: Sequence[RenderError]) -> RenderError:
    """The error that names left-out text, otherwise the first."""
    return next((error for error in errors if error.reason in (NO_CALLS, TEXT_LEFT_OUT)), errors[0])


def _by_marks(template: Template, source: str, messages: list[Message]) -> list[Piece]:
    text, spans = template.marked(source, messages)
    answers = [index for index, message in enumerate(messages) if message["role"] == "assistant"]
    if len(spans) != len(answers):
        why = "The chat template does not mark each answer once."
        raise RenderError(f"{why} Use one that does.", f"It marks {len(spans)} in a row with {len(answers)}.")
    opening = template.opening()
    trimmed = [_trimmed(text, start, end, opening) for start, end in spans]
    return _complete_pieces(text, dict(zip(answers, trimmed, strict=True)), messages)


def _trimmed(text: str, start: int, end: int, opening: str) -> tuple[int, int]:
    """A marked span without the text of the generation prompt and without trailing white space."""
    for given in range(len(opening)):
        if text[:start].endswith(opening[:given]) and text.startswith(opening[given:], start, end):
            start += len(opening) - given
            break
    return start, start + len(text[start:end].rstrip())


def _by_prefix(template: Template, messages: list[Message]) -> list[Piece]:
    whole = template.text(messages, prompt=False)
    spans = {index: _span(template, messages, index, whole) for index, message in enumerate(messages) if message["role"] == "assistant"}
    return _complete_pieces(whole, spans, messages)


def _by_answers(template: Template, messages: list[Message]) -> list[list[Piece]]:
    found = [answer_alone(template, messages[: index + 1]) for index, message in enumerate(messages) if message["role"] == "assistant"]
    if not found:
        raise NoTrainedToken("No token of this row carries loss: it has no assistant message with content.")
    return found


def answer_alone(template: Template, messages: list[Message]) -> list[Piece]:
    """The pieces of a conversation whose last message is an answer. Only that answer is marked."""
    last = len(messages) - 1
    try:
        return _last_answer(template, messages)
    except TemplateTimeout:
        raise
    except RenderError as error:
        # An answer that ends a turn makes the template drop the texts beside the calls before it, which the prompt still has.
        bare = [*without_texts(messages[:last]), messages[last]]
        if bare == messages:
            raise
        prompt, bare_prompt = (template.text(some[:last], prompt=True) for some in (messages, bare))
        if missing(prompt, {}, messages[:last], lambda index: template.drops_later(messages, index)) is not None:
            raise
        pieces = _last_answer(template, bare)
        begun, answer = "".join(piece.text for piece in pieces[:-1]), pieces[-1]
        if not begun.startswith(bare_prompt) or answer.answer is None:
            raise error
        return [Piece(prompt + begun.removeprefix(bare_prompt), trained=False, answer=None), answer]


def _last_answer(template: Template, messages: list[Message]) -> list[Piece]:
    whole = template.text(messages, prompt=False)
    last = len(messages) - 1
    spans = {last: _span(template, messages, last, whole)}
    parts = _complete_pieces(whole, spans, messages, lambda index: template.drops_later(messages, index))
    return parts[:-1] if parts[-1].answer is None else parts


def _span(template: Template, messages: list[Message], index: int, whole: str) -> tuple[int, int]:
    if index == 0:
        raise RenderError("The row begins with the assistant; a prompt must come first.")
    before = template.text(messages[:index], prompt=True)
    after = whole.rstrip() if index == len(messages) - 1 else template.text(messages[: index + 1], prompt=False).rstrip()
    for text in (before, after):
        if not whole.startswith(text):
            at = next((place for place, (a, b) in enumerate(zip(text, whole, strict=False)) if a != b), len(whole))
            here, there = text[at : at + _SHOWN], whole[at : at + _SHOWN]
            raise RenderError(
                "The chat template writes a message differently once others follow, so its tokens are not those the model would "
                "produce. Use a template with generation marks, or rows with one user turn.",
                f"Message {index + 1}: {here!r} became {there!r}.",
            )
    return len(before), max(len(before), len(after))


def _complete_pieces(
    text: str, spans: dict[int, tuple[int, int]], messages: list[Message], is_dropped_later: Callable[[int], bool] = lambda _: False
) -> list[Piece]:
    absent = missing(text, {index: text[start:end] for index, (start, end) in spans.items()}, messages, is_dropped_later)
    if absent is not None:
        raise left_out(absent)
    cut: list[Piece] = []
    at = 0
    for answer, (begun, end) in spans.items():
        empty = _NO_THOUGHT.match(text, begun, end)
        start = begun if empty is None else empty.end()
        cut += [Piece(text[at:start], trained=False, answer=None), Piece(text[start:end], trained=True, answer=answer)]
        at = end
    cut.append(Piece(text[at:], trained=False, answer=None))
    return [piece for piece in cut if piece.text]


def left_out(absent: str) -> RenderError:
    return RenderError(NO_CALLS if absent.startswith(("tool call", "the tool result")) else TEXT_LEFT_OUT, f"Not there: {absent}.")


def _with_loss(parts: list[Piece], messages: list[Message]) -> list[Piece]:
    return [Piece(one.text, one.answer is not None and messages[one.answer].get("weight") != 0, one.answer) for one in parts]
