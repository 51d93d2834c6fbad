"""Small changes that take a true sentence's support away, and true sentences that must not be called false.

Words of a question, a header or the line over a list; lists on both sides; left-out verbs; denials of more than a fact;
places and times that belong to another part of the sentence. ``prose.tsv`` and ``forms.tsv`` have the constructions of
running text, each true and corrupted, ``chat.tsv`` answers as they are written in chats,
``able.tsv`` what can be and what was, ``two_ways.tsv`` labels that are both verb and noun.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from imprimatur.oracle import Oracle

JUDGE = Path(__file__).parent / "golden" / "judge"
ROWS = [
    tuple(line.split("\t"))
    for name in ("turned.tsv", "prose.tsv", "forms.tsv", "chat.tsv", "able.tsv", "two_ways.tsv")
    for line in (JUDGE / name).read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]


@cache
def oracle(world: str) -> Oracle:
    """The oracle of a small world of the tests, or of a bundled knowledge base."""
    folders = (JUDGE / "worlds" / world, JUDGE.parent / "micro" / "worlds" / world)
    return Oracle.from_folder(next((folder for folder in folders if folder.is_dir()), world))


def test_there_are_rows() -> None:
    """The file holds supported rows too, for a checker that withholds all would pass the rest."""
    assert len(ROWS) > 180
    assert sum(row[1] == "supported" for row in ROWS) >= 40


@pytest.mark.parametrize(("world", "label", "question", "answer"), ROWS, ids=[f"{r[2]} {r[3]}"[:90] for r in ROWS])
def test_last_segment(world: str, label: str, question: str, answer: str) -> None:
    """The last segment that says something has the label, or does not have it."""
    report = oracle(world).check(answer.replace("\\n", "\n"), question=question or None)
    found = [s.label.value for s in report.segments if s.label.value != "not_a_claim"]
    wrong = label.removeprefix("not ")
    assert (found[-1] == wrong) is (label == wrong)
