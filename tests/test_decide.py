"""What the policy wants for one segment: lists without their failed members, waivers, what says something."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from imprimatur.answer import Kind, Segment
from imprimatur.claim import Claim, Mention, Predicate, Relation
from imprimatur.decide import GONE, STOP, Fate, fate, gap_before, says
from imprimatur.decision import Edit
from imprimatur.evidence import Evidence
from imprimatur.policy import Policy, Waiver, load
from imprimatur.report import JudgedClaim, JudgedSegment
from imprimatur.trim import trimmed
from imprimatur.verdict import Label, Reason, Verdict
from imprimatur.waive import waived


def _nothing(text: str, segment: JudgedSegment) -> tuple[Edit, ...]:
    return ()


def _right(text: str, segment: JudgedSegment) -> tuple[Edit, ...]:
    return (Edit(start=segment.start, end=segment.start + 5, before=text[:5], after="right"),)


def _applied(text: str, edits: tuple[Edit, ...]) -> str:
    for edit in reversed(edits):
        assert text[edit.start : edit.end] == edit.before
        text = text[: edit.start] + edit.after + text[edit.end :]
    return text


@pytest.mark.parametrize(
    ("policy", "label", "expected"),
    [
        ("strict", Label.SUPPORTED, Fate()),
        ("strict", Label.CONTRADICTED, STOP),
        ("strict", Label.UNCHECKED, STOP),
        ("redact", Label.CONTRADICTED, GONE),
        ("annotate", Label.CONTRADICTED, Fate()),
    ],
)
def test_fate(policy: str, label: Label, expected: Fate) -> None:
    """Each label meets what the policy says of it."""
    assert fate("Wrong.", JudgedSegment(start=0, end=6, label=label), load(policy), _nothing) == expected


def test_fate_of_what_can_be_put_right() -> None:
    """Where wrong values can be replaced the segment stays, with the edits; without any it goes."""
    wrong = JudgedSegment(start=0, end=6, label=Label.CONTRADICTED)
    found = fate("Wrong.", wrong, load("correct"), _right)
    assert (found.kept, found.corrected, _applied("Wrong.", found.edits)) == (True, True, "right.")
    assert fate("Wrong.", wrong, load("correct"), _nothing) == GONE


@pytest.mark.parametrize(
    ("kind", "left", "expected"),
    [
        (Kind.SENTENCE, "One.", True),
        (Kind.SENTENCE, " - ", False),
        (Kind.SENTENCE, "These are they:\n", False),
        (Kind.HEADING, "# One", False),
        (Kind.TABLE_HEADER, "One", False),
    ],
)
def test_says(kind: Kind, left: str, expected: bool) -> None:
    """Headings, marks and announcements say nothing by themselves."""
    part = Segment(0, len(left), kind, (0, len(left)))
    assert says(part, JudgedSegment(start=0, end=len(left), label=Label.SUPPORTED), left) is expected


@pytest.mark.parametrize(
    ("before", "kind", "gap"),
    [
        ("", Kind.SENTENCE, ""),
        ("One.", Kind.SENTENCE, " "),
        ("One.\n", Kind.SENTENCE, ""),
        ("| a |", Kind.TABLE_CELL, "\n\n"),
    ],
)
def test_gap_before(before: str, kind: Kind, gap: str) -> None:
    """The abstention text is set off from what stands before it; from a table by a paragraph."""
    assert gap_before(before, kind) == gap


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


def _waived(policy: Policy, on: date = _DAY) -> JudgedSegment:
    wrong = JudgedSegment(start=5, end=12, label=Label.CONTRADICTED)
    return waived(wrong, "One. Wrong. Three.", policy, on=on)[0]


def test_waived() -> None:
    """A waived segment goes out; its label stays and is marked."""
    policy = _waiving("Wrong.")
    marked = _waived(policy)
    assert (marked.label, marked.reasons) == (Label.CONTRADICTED, (Reason.WAIVED,))
    assert fate("One. Wrong. Three.", marked, policy, _nothing) == Fate()


@pytest.mark.parametrize(
    ("policy", "on"),
    [(_waiving("Wrong."), date(2031, 2, 1)), (_waiving("other."), _DAY), (_waiving("Wrong.", Label.NOT_FOUND), _DAY)],
)
def test_not_waived(policy: Policy, on: date) -> None:
    """A waiver that has run out, or is about another text or label, overrides nothing."""
    assert fate("One. Wrong. Three.", _waived(policy, on), policy, _nothing) == STOP
