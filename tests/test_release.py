"""What of an answer goes out under each policy: sound layout, exact edits, whatever the chunks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from made_examination import released, wrong

from imprimatur.decision import Abstained, Annotated, Corrected, Decision, Edit, Licensed, Redacted
from imprimatur.policy import Action, Scope, load
from imprimatur.redact import CELL
from imprimatur.report import JudgedSegment
from imprimatur.verdict import Label

__all__ = ["released"]

Deciding = Callable[..., Decision]


def _right(text: str, segment: JudgedSegment) -> tuple[Edit, ...]:
    return (Edit(start=segment.start, end=segment.start + 5, before="Wrong", after="right"),)


def _applied(text: str, edits: tuple[Edit, ...]) -> str:
    for edit in reversed(edits):
        assert text[edit.start : edit.end] == edit.before
        text = text[: edit.start] + edit.after + text[edit.end :]
    return text


REDACTED = (
    ("One. Wrong. Three.", "One. Three."),
    ("Wrong. Two.", "Two."),
    ("One. Wrong.\n\nNext.", "One. \n\nNext."),
    ("One.\n\nWrong.\n\nNext.", "One.\n\nNext."),
    ("Wrong.\n\nNext.", "Next."),
    ("# Head\n\nWrong.\n\nNext.", "# Head\n\nNext."),
    ("- one\n- Wrong\n- three\n", "- one\n- three\n"),
    ("- one\n- Wrong\n\nNext.", "- one\n\nNext."),
    ("- One. Wrong.\n- Two.\n", "- One. \n- Two.\n"),
    ("- Wrong. One.\n- Two.\n", "- One.\n- Two.\n"),
    ("1. Wrong. Wrong.\n2. Two.\n", "2. Two.\n"),
    ("> Wrong. One.\n", "> One.\n"),
    ("a\r\n\r\nWrong.\r\n\r\nNext.", "a\r\n\r\nNext."),
    ("| a | b |\n|---|---|\n| x | Wrong |\n| y | z |\n", f"| a | b |\n|---|---|\n| x | {CELL} |\n| y | z |\n"),
    ("**One. Wrong.** Three.", "**One. ** Three."),
)


@pytest.mark.parametrize("chunk", [0, 1, 5])
@pytest.mark.parametrize(("text", "left"), REDACTED)
def test_redacted(released: Deciding, text: str, left: str, chunk: int) -> None:
    """What is withheld goes without leaving broken layout."""
    decision = released(text, load("redact"), chunk=chunk)
    assert isinstance(decision, Redacted)
    assert decision.text == left
    assert _applied(text, decision.edits) == left


@pytest.mark.parametrize(
    "text",
    [
        "Wrong. Wrong.",
        "# Head\n\nWrong.\n",
        "These are they:\n\n- Wrong.\n- Wrong.\n",
        "| a | b |\n|---|---|\n| x | Wrong |\n| y | Wrong |\n",
    ],
)
def test_nothing_left(released: Deciding, text: str) -> None:
    """Where nothing but headings and announcements is left to show, the abstention text stands."""
    decision = released(text, load("redact"), chunk=3)
    assert isinstance(decision, Abstained)
    assert decision.text == load("redact").abstention_text
    assert _applied(text, decision.edits) == decision.text


def test_licensed(released: Deciding) -> None:
    """A supported answer goes out as it came, under every policy."""
    for name in ("strict", "redact", "correct", "annotate"):
        assert released("One. Two.", load(name)) == Licensed(text="One. Two.")


def test_annotated(released: Deciding) -> None:
    """Annotating changes nothing of the text."""
    assert released("One. Wrong.", load("annotate")) == Annotated(text="One. Wrong.")


def test_strict_keeps_the_licensed_start(released: Deciding) -> None:
    """Strict keeps what was licensed before the first failing segment, and replaces all that follows."""
    decision = released("One. Wrong. Three.", load("strict"))
    assert isinstance(decision, Abstained)
    assert decision.text == f"One. {load('strict').abstention_text}"
    assert _applied("One. Wrong. Three.", decision.edits) == decision.text


def test_abstention_in_a_table(released: Deciding) -> None:
    """In a table the abstention text starts a paragraph of its own."""
    policy = load("strict")
    text = "| a |\n|---|\n| x |\n| Wrong |\n"
    assert released(text, policy).text == f"| a |\n|---|\n| x |\n\n\n{policy.abstention_text}"


@pytest.mark.parametrize("chunk", [0, 2])
def test_scope_answer(released: Deciding, chunk: int) -> None:
    """With the scope ``answer`` nothing of the answer stays, and nothing is shown before its end."""
    policy = replace(load("strict"), scope=Scope.ANSWER)
    assert released("One. Wrong.", policy, chunk=chunk).text == policy.abstention_text
    assert released("One. Two.", policy, chunk=chunk).text == "One. Two."


def test_redaction_before_abstention(released: Deciding) -> None:
    """A policy may redact one label and abstain on another: both happen, in order."""
    actions = dict(load("strict").actions) | {Label.NOT_FOUND: Action.REDACT}
    policy = replace(load("strict"), actions=tuple(actions.items()))

    def labelling(said: str, before: Sequence[str]) -> Label:
        return Label.NOT_FOUND if "Two" in said else wrong(said, before)

    decision = released("One. Two. Wrong. Four.", policy, labelling)
    assert decision.text == f"One. {policy.abstention_text}"
    assert _applied("One. Two. Wrong. Four.", decision.edits) == decision.text  # type: ignore[union-attr]


def _bound(said: str, before: Sequence[str]) -> Label:
    """ "It" is about what stands before it, and "wrong" where that is missing."""
    bound = "It" not in said or (bool(before) and "Base" in before[-1])
    return Label.CONTRADICTED if "Wrong" in said or not bound else Label.SUPPORTED


def test_corrected(released: Deciding) -> None:
    """A segment that can be put right is released with its edits."""
    decision = released("One. Wrong it is.", load("correct"), wrong, _right)
    assert isinstance(decision, Corrected)
    assert decision.text == "One. right it is."


def test_a_correction_that_does_not_hold(released: Deciding) -> None:
    """What still fails after its correction is withheld whole, and what follows is looked at without it."""

    def labelling(said: str, before: Sequence[str]) -> Label:
        return Label.CONTRADICTED if "Wrong" in said or "right" in said else Label.SUPPORTED

    assert released("One. Wrong. Three.", load("correct"), labelling, _right).text == "One. Three."


@pytest.mark.parametrize("chunk", [0, 1, 4])
@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Base. It is. End.", "Base. It is. End."),
        ("One. Base Wrong. It is. End.", "One. End."),
        ("One. Base Wrong. It is. It is. It is. It is. It is. End.", "One. End."),
        ("Base Wrong. It is.", load("redact").abstention_text),
    ],
)
def test_what_is_rebound_goes_too(released: Deciding, text: str, left: str, chunk: int) -> None:
    """A sentence that fails in the text as it goes out is withheld, each in its turn; what stands by itself stays."""
    assert released(text, load("redact"), _bound, chunk=chunk).text == left


def test_without_a_second_look(released: Deciding) -> None:
    """A policy without a second look releases only what stands before the first change."""
    policy = replace(load("redact"), rounds=0)
    assert released("One. Wrong. Three. Four.", policy).text == "One. "


_text = st.lists(
    st.sampled_from(
        [
            "One. ",
            "Wrong. ",
            "- Wrong\n",
            "- a\n",
            "\n\n",
            "# h\n",
            "> Wrong. b\n",
            "\n```\nx\n```\n",
            "Base. ",
            "It is. ",
        ]
    )
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(_text.map("".join), st.sampled_from(["strict", "redact", "correct", "annotate"]), st.integers(1, 9))
def test_chunks_do_not_count(released: Deciding, text: str, policy: str, chunk: int) -> None:
    """Edits are in order, apart and exact; nothing that failed goes out; a stream comes to the same decision."""
    decision = released(text, load(policy), _bound)
    edits: tuple[Edit, ...] = getattr(decision, "edits", ())
    assert all(first.end <= second.start for first, second in pairwise(edits))
    assert _applied(text, edits) == decision.text
    assert policy == "annotate" or "Wrong" not in decision.text
    assert released(text, load(policy), _bound, chunk=chunk) == decision
