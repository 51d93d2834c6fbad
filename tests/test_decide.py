"""Plans, drafts and decisions: what of an answer is released under each policy."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from imprimatur.answer import Kind
from imprimatur.claim import Claim, Mention, Predicate, Relation
from imprimatur.decide import Plan, plan
from imprimatur.decision import Abstained, Annotated, Corrected, Decision, Edit, Licensed, Redacted
from imprimatur.evidence import Evidence
from imprimatur.examine import Examined
from imprimatur.policy import Action, Policy, Scope, Waiver, load
from imprimatur.redact import CELL
from imprimatur.report import JudgedClaim, JudgedSegment
from imprimatur.segment import segment
from imprimatur.trim import trimmed
from imprimatur.verdict import Label, Reason, Verdict
from imprimatur.waive import waived

_BAD = "Wrong"


def _nothing(text: str, segment: JudgedSegment) -> tuple[Edit, ...]:
    return ()


def _examined(text: str, *bad: str) -> Examined:
    """The text's segments, contradicted where they hold one of the words, else supported (code: no claim)."""
    parts = segment(text)
    judged = []
    for part in parts:
        body = text[slice(*part.body)]
        wrong = any(word in body for word in bad or (_BAD,))
        silent = part.kind is Kind.CODE or not body
        label = Label.CONTRADICTED if wrong else Label.NOT_A_CLAIM if silent else Label.SUPPORTED
        judged.append(JudgedSegment(start=part.start, end=part.end, label=label))
    return Examined(text=text, parts=parts, judged=tuple(judged))


def _decision(text: str, policy: str = "redact", *bad: str) -> Decision:
    return plan(_examined(text, *bad), load(policy), _nothing).decision()


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


@pytest.mark.parametrize(("text", "left"), REDACTED)
def test_redacted(text: str, left: str) -> None:
    """What is withheld goes without leaving broken layout."""
    decision = _decision(text)
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
def test_nothing_left(text: str) -> None:
    """Where nothing but headings and announcements is left to show, the abstention text stands."""
    decision = _decision(text)
    assert decision == Abstained(text=load("redact").abstention_text, edits=decision.edits)  # type: ignore[union-attr]


def test_licensed() -> None:
    """A supported answer goes out as it came, under every policy."""
    for name in ("strict", "redact", "correct", "annotate"):
        assert _decision("One. Two.", name) == Licensed(text="One. Two.")


def test_annotated() -> None:
    """Annotating changes nothing of the text."""
    assert _decision("One. Wrong.", "annotate") == Annotated(text="One. Wrong.")


def test_strict_keeps_the_licensed_start() -> None:
    """Strict keeps what was licensed before the first failing segment, and replaces all that follows."""
    decision = _decision("One. Wrong. Three.", "strict")
    said = load("strict").abstention_text
    assert isinstance(decision, Abstained)
    assert decision.text == f"One. {said}"
    assert _applied("One. Wrong. Three.", decision.edits) == decision.text


def test_abstention_in_a_table() -> None:
    """In a table the abstention text starts a paragraph of its own."""
    text = "| a |\n|---|\n| x |\n| Wrong |\n"
    said = load("strict").abstention_text
    assert _decision(text, "strict").text == f"| a |\n|---|\n| x |\n\n\n{said}"


def test_scope_answer() -> None:
    """With the scope ``answer`` nothing of the answer stays."""
    policy = replace(load("strict"), scope=Scope.ANSWER)
    decision = plan(_examined("One. Wrong."), policy, _nothing).decision()
    assert decision.text == policy.abstention_text


def test_redaction_before_abstention() -> None:
    """A policy may redact one label and abstain on another: both happen, in order."""
    actions = dict(load("strict").actions) | {Label.NOT_FOUND: Action.REDACT}
    policy = replace(load("strict"), actions=tuple(actions.items()))
    found = _examined("One. Two. Wrong. Four.")
    judged = [replace(each, label=Label.NOT_FOUND) if n == 1 else each for n, each in enumerate(found.judged)]
    decision = plan(replace(found, judged=tuple(judged)), policy, _nothing).decision()
    assert decision.text == f"One. {policy.abstention_text}"
    assert _applied(found.text, decision.edits) == decision.text  # type: ignore[union-attr]


def test_corrected() -> None:
    """A segment that can be put right is released with its edits."""

    def amend(text: str, segment: JudgedSegment) -> tuple[Edit, ...]:
        return (Edit(start=segment.start, end=segment.start + 5, before="Wrong", after="right"),)

    decision = plan(_examined("One. Wrong it is."), load("correct"), amend).decision()
    assert isinstance(decision, Corrected)
    assert decision.text == "One. right it is."


def test_withholding_grows() -> None:
    """A plan without a corrected segment withholds it whole."""

    def amend(text: str, segment: JudgedSegment) -> tuple[Edit, ...]:
        return (Edit(start=segment.start, end=segment.start + 5, before="Wrong", after="right"),)

    made = plan(_examined("One. Wrong. Three."), load("correct"), amend).without(frozenset({1}))
    assert made.decision().text == "One. Three."
    assert made.until(1).decision().text == "One. "


_text = st.lists(
    st.sampled_from(["One. ", "Wrong. ", "- Wrong\n", "- a\n", "\n\n", "# h\n", "> Wrong. b\n", "```\nx\n```\n"])
)


@given(_text.map("".join), st.sampled_from(["strict", "redact", "correct", "annotate"]))
def test_edits_are_exact(text: str, policy: str) -> None:
    """Edits are in order, apart, exact, and make the decision's text; nothing that failed is left unannotated."""
    decision = _decision(text, policy)
    edits: tuple[Edit, ...] = getattr(decision, "edits", ())
    assert all(first.end <= second.start for first, second in pairwise(edits))
    assert _applied(text, edits) == decision.text
    if policy != "annotate" and any(s.label is Label.CONTRADICTED for s in _examined(text).judged):
        assert "Wrong" not in decision.text


@given(_text.map("".join))
def test_spans_of_a_draft(text: str) -> None:
    """The spans of a draft are those of its segments: side by side, from its start to its end."""
    made = plan(_examined(text), load("redact"), _nothing)
    draft = made.draft()
    assert len(draft.spans) == len(made.examined.parts)
    ends = [0, *(end for _, end in draft.spans)]
    assert [start for start, _ in draft.spans] == ends[:-1]
    assert ends[-1] == len(draft.text)


# Lists


def _member(text: str, word: str, label: Label) -> JudgedClaim:
    start = text.index(word)
    reading = Relation(
        subject=Mention(0, 3, "Elm", ("e",)),
        predicates=(Predicate("p"),),
        object=Mention(start, start + len(word), word),
    )
    claim = Claim(start=start, end=start + len(word), text=word, covers=(), readings=(reading,))
    evidence = Evidence(source="graph", kind="triple", content="", query=f"ASK {word}", origin="")
    return JudgedClaim(claim=claim, verdict=Verdict(label=label, evidence=(evidence,)))


def _listed(text: str, *claims: JudgedClaim, reasons: tuple[Reason, ...] = ()) -> str | None:
    label = Label.NOT_FOUND
    edits = trimmed(text, JudgedSegment(start=0, end=len(text), label=label, claims=claims, reasons=reasons))
    return _applied(text, edits) if edits else None


@pytest.mark.parametrize(
    ("text", "failing", "left"),
    [
        ("Elm has a, b and c.", "c", "Elm has a and b."),
        ("Elm has a, b and c.", "a", "Elm has b and c."),
        ("Elm has a, b, and c.", "b", "Elm has a and c."),
        ("Elm has a, b and c.", "bc", "Elm has a."),
        ("Elm has a and c.", "c", "Elm has a."),
        ("Elm has a, b and c.", "abc", None),
        ("Elm has a or c.", "c", None),
        ("Elm has a but not c.", "c", None),
    ],
)
def test_trimmed(text: str, failing: str, left: str | None) -> None:
    """Failed members go from a list that still reads; from anything else they do not."""
    words = [word for word in ("a", "b", "c") if f" {word}" in text]
    claims = [_member(text, f" {w}", Label.NOT_FOUND if w in failing else Label.SUPPORTED) for w in words]
    exact = [replace(each, claim=replace(each.claim, start=each.claim.start + 1)) for each in claims]
    assert _listed(text, *exact) == left


def test_residue_is_not_trimmed() -> None:
    """Where words are left over, the segment goes as a whole."""
    text = "Elm has a and c."
    claims = (_member(text, "a and", Label.SUPPORTED), _member(text, "c", Label.NOT_FOUND))
    assert _listed(text, *claims, reasons=(Reason.RESIDUE,)) is None


# Waivers

_DAY = date(2031, 1, 31)


def _waiving(text: str, label: Label = Label.CONTRADICTED) -> Policy:
    waiver = Waiver(label=label, person="Ada", reason="known", expires=_DAY, claim=text)
    return replace(load("strict"), waivers=(waiver,))


def _waived_plan(policy: Policy, on: date = _DAY) -> Plan:
    found = _examined("One. Wrong. Three.")
    marked = [waived(each, found.text, policy, on=on)[0] for each in found.judged]
    return plan(replace(found, judged=tuple(marked)), policy, _nothing)


def test_waived() -> None:
    """A waived segment goes out; its label stays and is marked."""
    made = _waived_plan(_waiving("Wrong."))
    assert made.decision() == Licensed(text="One. Wrong. Three.")
    assert made.examined.judged[1].label is Label.CONTRADICTED
    assert made.examined.judged[1].reasons == (Reason.WAIVED,)


@pytest.mark.parametrize(
    ("policy", "on"),
    [(_waiving("Wrong."), date(2031, 2, 1)), (_waiving("other."), _DAY), (_waiving("Wrong.", Label.NOT_FOUND), _DAY)],
)
def test_not_waived(policy: Policy, on: date) -> None:
    """A waiver that has run out, or is about another text or label, overrides nothing."""
    assert isinstance(_waived_plan(policy, on).decision(), Abstained)
