"""Small words and endings that make another claim: time, number, amount, place, degree, person."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from imprimatur.claim import Prose
from imprimatur.oracle import Oracle
from imprimatur.sources.text.comparing import compare
from imprimatur.sources.text.comparison import Text, TextLimits
from imprimatur.verdict import Label

_ROWS = [
    tuple(line.split("\t"))
    for line in (Path(__file__).parents[2] / "golden" / "text" / "changed.tsv").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]
_TEXTS = sorted({text for text, _ in _ROWS})


@pytest.fixture(scope="module")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> Oracle:
    """A knowledge base with the sentences as memory entries."""
    folder = tmp_path_factory.mktemp("entries")
    entries = [{"id": f"m{n}", "text": text} for n, text in enumerate(_TEXTS)]
    (folder / "memory.jsonl").write_text("".join(f"{json.dumps(entry)}\n" for entry in entries), encoding="utf-8")
    (folder / "imprimatur.yaml").write_text("version: 1\nmemory: memory.jsonl\n", encoding="utf-8")
    return Oracle.from_folder(folder)


@pytest.mark.parametrize(("text", "claim"), _ROWS)
def test_a_changed_sentence_is_not_supported(oracle: Oracle, text: str, claim: str) -> None:
    """Neither as a cited entry nor as a passage, computed or not."""
    cited = oracle.check(f"{claim.rstrip('.')} [mem:m{_TEXTS.index(text)}].")
    assert cited.segments[0].label is not Label.SUPPORTED
    given = oracle.check(claim, None, [text])
    assert given.segments[0].label is not Label.SUPPORTED


@pytest.mark.parametrize("text", _TEXTS)
def test_the_sentence_itself_is(oracle: Oracle, text: str) -> None:
    """What the text says word for word is supported both ways."""
    assert oracle.check(f"{text.rstrip('.')} [mem:m{_TEXTS.index(text)}].").segments[0].label is Label.SUPPORTED
    assert oracle.check(text, None, [text]).segments[0].label is Label.SUPPORTED


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("Guests who stay five nights get 15% off.", "A guest who stays five nights gets 15% off."),
        ("No passenger was injured.", "Nobody among the passengers was injured."),
        ("If the backup fails twice, an alert is sent.", "An alert is sent once the backup has failed twice."),
        ("Anna Holm sold the house to Bob Roth.", "Bob Roth bought the house from Anna Holm."),
        ("The limit does not apply to injury.", "The limit does not hold for injury."),
        ("Policyholders who report a theft receive $300.", "For a theft reported, policyholders receive $300."),
        ("All of the staff work part-time.", "Most of the staff work part-time."),
    ],
)
def test_what_says_the_same_still_is(text: str, claim: str) -> None:
    """Other words for the same, or less, stay supported."""
    assert compare(Prose(words=claim), [Text("a", text)], TextLimits()).label is Label.SUPPORTED
