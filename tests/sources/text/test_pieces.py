"""Pieces and frames: parts of speech by context, labels, rates, and the clauses of a sentence."""

from __future__ import annotations

import pytest

from imprimatur.sources.text.cutting import pieces_of
from imprimatur.sources.text.frames import read
from imprimatur.sources.text.pieces import Part


def _parts(text: str) -> dict[str, Part]:
    return {piece.text: piece.part for piece in pieces_of(text)}


@pytest.mark.parametrize(
    ("text", "word", "part"),
    [
        ("Node A stores 120 shards.", "stores", Part.VERB),
        ("The stores hold 120 shards.", "stores", Part.NOUN),
        ("Visitors from Canada need no visa.", "need", Part.VERB),
        ("The yield drops by half.", "drops", Part.VERB),
        ("Water levels in the lake dropped.", "levels", Part.NOUN),
        ("It was delayed owing to fog.", "fog", Part.NOUN),
        ("They came in May 2024 and may stay.", "may", Part.AUXILIARY),
    ],
)
def test_parts_of_speech(text: str, word: str, part: Part) -> None:
    """A word that may be several things is what its place says."""
    assert _parts(text)[word] is part


def test_labels_are_no_numbers() -> None:
    """A number behind a noun that opens a phrase names a thing; one that counts does not."""
    labelled = [piece.text for piece in pieces_of("Tanks 3 and 4 hold 5 litres in 2 rooms.") if piece.label]
    assert labelled == ["3", "4"]


@pytest.mark.parametrize(
    ("text", "written"), [("It costs 5 euros a day.", "a day"), ("The annual fee is due.", "annual")]
)
def test_rates(text: str, written: str) -> None:
    """What something is per is one of a unit."""
    assert [piece.text for piece in pieces_of(text) if piece.one] == [written]


def test_spans_are_exact() -> None:
    """Every piece is where it says; an hour and some minutes are one."""
    text = "Flight LX-204 took an hour and 35 minutes at €4.2 million, from 152 to 138 mmHg."
    pieces = pieces_of(text)
    assert all(text[p.start : p.end] == p.text for p in pieces if "…" not in p.text)
    assert any(p.quantity is not None and p.quantity.low.value == 95 for p in pieces)


@pytest.mark.parametrize(
    ("text", "frames"),
    [
        ("Tank 3 holds toluene, tank 4 holds heptane.", 2),
        ("It dissolves in acetone but not in water.", 2),
        ("The firm employs 340 people in Lyon and 85 in Ghent.", 2),
        ("If it rains, the match is off.", 2),
        ("Ann, who joined in 2011, leads the firm.", 2),
        ("Norway and Sweden are covered.", 1),
    ],
)
def test_frames(text: str, frames: int) -> None:
    """A sentence has a frame for each clause and each elliptic rest."""
    assert len(read(text).frames) == frames


def test_a_passive_is_turned_round() -> None:
    """The subject of a passive is its object, and its agent the subject."""
    reading = read("Keel was bought by Arbor.")
    frame = reading.frames[0]
    places = {reading.pieces[k].text: frame.place(k) for k in frame.members}
    assert (places["Keel"], places["Arbor"]) == ("obj", "subj")
