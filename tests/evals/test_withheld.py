"""Rates of a ledger: every answer once, by knowledge base and reason, and over-blocking by labels."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from cli_fixtures import Ran
from made_reports import report_of

from imprimatur.errors import InputError
from imprimatur.evals.metrics import Share, wilson
from imprimatur.evals.withheld import rates_of, read_labels
from imprimatur.ledger import Ledger
from imprimatur.verdict import Label

_LABELS = (Label.SUPPORTED, Label.CONTRADICTED, Label.NOT_FOUND, Label.NOT_A_CLAIM, Label.SUPPORTED, Label.CONTRADICTED)


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """Six answers about rivers, of which two are false and one is not found, and one about something else."""
    place = tmp_path / "ledger.sqlite"
    with Ledger.open(place) as ledger:
        for day, label in enumerate(_LABELS, start=1):
            ledger.append(report_of(f"Answer {day}", label), kb="rivers", at=datetime(2030, 1, day, tzinfo=UTC))
        ledger.append(report_of("Another", Label.SUPPORTED), kb="books", at=datetime(2030, 2, 1, tzinfo=UTC))
    return place


def test_rates(book: Path) -> None:
    """What is withheld is what does not go out as it came; each answer counts once for each of its reasons."""
    with Ledger.open(book) as ledger:
        found = rates_of(ledger.each(), {1: True, 2: True, 3: False, 5: False})
        late = rates_of(ledger.each(since="2030-01-05"), {})
    assert list(found) == ["books", "rivers"]
    rivers = found["rivers"]
    assert (rivers.withheld, found["books"].withheld) == (Share(3, 6), Share(0, 1))
    assert sum(share.count for share in rivers.by_reason().values()) == rivers.reasons.total()
    assert all(share.total == 6 for share in rivers.by_reason().values())
    assert (rivers.over_blocked, rivers.let_through) == (Share(1, 2), Share(1, 2))
    assert (late["rivers"].answers, late["books"].answers) == (2, 1)


def test_the_command(book: Path, tmp_path: Path, shell: Callable[..., Ran]) -> None:
    """The command prints shares with their intervals; as JSON it gives the same."""
    labels = tmp_path / "labels.jsonl"
    labels.write_text('{"id": 1, "true": true}\n\n{"id": 2, "true": true, "by": "me"}\n', encoding="utf-8")
    ran = shell("ledger", "rates", "--ledger", str(book), "--labels", str(labels))
    assert ran.status == 0
    assert "rivers: 6 answers" in ran.out
    assert "over-blocked (true, but withheld): 1 of 2, 0.5000" in ran.out
    assert "let through (not true, but shown): none" in ran.out
    told = json.loads(shell("ledger", "rates", "--ledger", str(book), "--labels", str(labels), "--json").out)
    low, high = wilson(3, 6)
    assert told["rivers"]["withheld"] == {"count": 3, "total": 6, "share": 0.5, "low": low, "high": high}
    assert told["rivers"]["over_blocked"]["count"] == 1
    assert "over_blocked" not in told["books"]
    bare = shell("ledger", "rates", "--ledger", str(book), "--since", "2031-01-01")
    assert (bare.status, bare.out.strip()) == (0, "no answers are recorded")


@pytest.mark.parametrize("line", ["{", "7", '{"id": "1", "true": true}', '{"id": true, "true": true}', '{"id": 1}'])
def test_labels_that_are_none(tmp_path: Path, line: str) -> None:
    """A line that is no label is told with its place; nothing is guessed."""
    file = tmp_path / "labels.jsonl"
    file.write_text('{"id": 5, "true": false}\n' + line, encoding="utf-8")
    with pytest.raises(InputError, match=r"labels\.jsonl, line 2"):
        read_labels(file)


def test_labels_of_nothing(book: Path, tmp_path: Path, shell: Callable[..., Ran]) -> None:
    """A label of a record that is not there, or a second one of the same, is an error and not left out."""
    file = tmp_path / "labels.jsonl"
    file.write_text('{"id": 99, "true": false}\n', encoding="utf-8")
    ran = shell("ledger", "rates", "--ledger", str(book), "--labels", str(file))
    assert (ran.status, "1 of the 1 labels" in ran.err) == (2, True)
    file.write_text('{"id": 1, "true": false}\n' * 2, encoding="utf-8")
    with pytest.raises(InputError, match="twice"):
        read_labels(file)
