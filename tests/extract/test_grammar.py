"""Clauses of a segment: what is read whole, what is read in part, and that the work is bounded."""

from __future__ import annotations

from typing import Any

import pytest
from effort import ends
from parsing import clauses_of, denied, items

from imprimatur.extract.grammar import parse
from imprimatur.extract.sentences import Sentences
from imprimatur.extract.syntax import Clause


def only(sentence: str) -> Clause:
    """The one clause of a sentence."""
    parsed, clauses = clauses_of(sentence)
    assert parsed.complete
    (clause,) = clauses
    return clause


@pytest.mark.parametrize(
    ("sentence", "verbs"),
    [
        ("S feeds O.", ["feed"]),
        ("S feeds O and enters P.", ["feed", "enter"]),
        ("S feeds O, and P enters Q.", ["feed", "enter"]),
        ("S feeds O; P enters Q.", ["feed", "enter"]),
        ("S, which feeds O, enters P.", ["enter", "feed"]),
        ("S rises in O, flows into P and borders the Q.", ["rise", "flow", "border"]),
        ("It is S that feeds O.", ["feed"]),
        ("O is where S rises.", ["rise"]),
        ("S (a river) feeds O.", ["feed", "be"]),
        ("S, a river, feeds O.", ["feed", "be"]),
    ],
)
def test_verbs(sentence: str, verbs: list[str]) -> None:
    """Every clause of a sentence is found, those within phrases after the one they hang in."""
    parsed, clauses = clauses_of(sentence)
    assert parsed.complete
    assert [clause.verb for clause in clauses] == verbs


@pytest.mark.parametrize(
    ("sentence", "passive", "past", "modal"),
    [
        ("S feeds O.", False, False, ""),
        ("S fed O.", False, True, ""),
        ("O is fed by S.", True, False, ""),
        ("O was fed by S.", True, True, ""),
        ("S could feed O.", False, False, "could"),
        ("S will feed O.", False, False, "will"),
        ("O might be fed by S.", True, False, "might"),
    ],
)
def test_verb_groups(sentence: str, passive: bool, past: bool, modal: str) -> None:
    """Passive, past and modal are seen in the verb group."""
    clause = only(sentence)
    assert (clause.passive, clause.past, clause.modal) == (passive, past, modal)


@pytest.mark.parametrize(
    ("sentence", "no"),
    [
        ("S does not feed O.", True),
        ("S never feeds O.", True),
        ("S does not never feed O.", False),
        ("S feeds no O.", True),
        ("Neither S nor O feeds P.", True),
        ("S fails to feed O.", True),
        ("S did not fail to feed O.", False),
        ("S not only feeds O.", False),
        ("It is not true that S feeds O.", True),
        ("It is untrue that S feeds O.", True),
        ("It is not untrue that S feeds O.", False),
        ("It is a myth that S feeds O.", True),
    ],
)
def test_denial(sentence: str, no: bool) -> None:
    """Negators are counted: two of them assert."""
    assert denied(only(sentence)) is no


def test_adverbs_are_kept_apart() -> None:
    """Adverbs are no part of what a key uses: they stay to be accounted for."""
    clause = only("S slowly feeds O.")
    assert [items("S slowly feeds O.")[a].lower for a in clause.adverbs] == ["slowly"]


@pytest.mark.parametrize("sentence", ["S feeds O of.", "S feeds of of O.", "and and S feeds O in"])
def test_what_cannot_be_read_is_not_complete(sentence: str) -> None:
    """A segment with words that no clause takes is never complete."""
    parsed, _ = clauses_of(sentence)
    assert not parsed.complete


@pytest.mark.parametrize("text", ["the 40 m", "S", "in O", "Length: 40 m", "S – 40 m"])
def test_fragments(text: str) -> None:
    """Phrases without a verb are fragments, "label: value" with its two halves."""
    parsed = parse(items(text))
    assert parsed.complete
    (fragment,) = parsed.fragments
    assert (fragment.value is not None) is (":" in text or "–" in text)


@pytest.mark.parametrize(
    "text",
    [
        "S, " * 300,
        "S and " * 300,
        "( " * 300 + "S",
        "of the source " * 200,
        "which feeds " * 200,
        "S is that O is that " * 150,
        "not " * 500 + "S feeds O",
        "it is false that " * 150 + "S feeds O",
        "S's " * 300 + "source is O",
        "a b c d e f g h " * 100,
        "in O, at P, on Q, " * 100 + "S rises",
        "to be to feed to feed " * 100,
    ],
)
@ends
def test_work_is_bounded(text: str) -> None:
    """Repetitions without end are given up early; nothing fails."""
    assert parse(items(text)) is not None


def test_steps_without_an_end_in_sight_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long a run of words that may be nouns and verbs, the steps taken for its clauses have a limit."""
    taken = 0
    comps = Sentences.comps

    def counted(self: Sentences, *given: Any, **more: Any) -> Any:
        nonlocal taken
        taken += 1
        return comps(self, *given, **more)

    monkeypatch.setattr(Sentences, "comps", counted)
    found = parse(items("brook " * 1000))
    assert not found.complete
    assert taken < 20_000
