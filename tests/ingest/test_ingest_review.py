"""What people decide on facts, and what becomes of it when documents are read again."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from made_ingest import BrookReader, brought_up, files_of, write_documents

from imprimatur.errors import InputError
from imprimatur.ingest.candidate import Candidate, Thing
from imprimatur.ingest.holding import Settled, row_of
from imprimatur.ingest.reviewing import add_rows, review
from imprimatur.ingest.rows import Row
from imprimatur.ingest.store import FactStore
from imprimatur.sources.graph.terms import XSD, RdfLiteral

_AT = datetime(2026, 5, 4, 3, 2, 1, tzinfo=UTC)


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """A store with a fact that rules read, one that is quarantined, and one whose thing is not settled."""
    text = "Elm Brook is 12000 metres long. Oak Brook is 99999999 metres long. Ambi Brook is 5 metres long.\n"
    write_documents(tmp_path / "kb" / "docs", {"a.md": text})
    brought_up(tmp_path / "kb", tmp_path / "kb" / "docs")
    return tmp_path / "kb"


def _row(base: Path, word: str) -> Row:
    (found,) = [row for row in FactStore(base).read().rows if word in row.words]
    return found


def _text(base: Path, name: str) -> str:
    return (base / "facts" / name).read_text(encoding="utf-8")


def test_an_accepted_fact_is_curated(base: Path) -> None:
    """It moves to the accepted ones, with who and when, and stays there when the document is read again."""
    id_ = _row(base, "12000").id
    done = review(base, accept=[id_], by="Ada", at=_AT)
    assert [row.state for row in done.accepted] == ["accepted"]
    assert done.written
    assert '"12000"' in _text(base, "accepted.nq")
    assert _text(base, "derived.nq") == ""
    row = _row(base, "12000")
    assert (row.decided_by, row.decided_at) == ("Ada", "2026-05-04T03:02:01+00:00")
    before = files_of(base)
    assert not brought_up(base).written
    assert files_of(base) == before


def test_a_rejected_fact_stays_out(base: Path) -> None:
    """Whoever reads the document again; and it can be accepted later."""
    id_ = _row(base, "12000").id
    review(base, reject=[id_[:8]], by="Ada", at=_AT)
    assert _text(base, "derived.nq") == ""
    brought_up(base, reader=BrookReader(identity="brooks:2"))
    assert _text(base, "derived.nq") == ""
    assert _row(base, "12000").state == "rejected"
    review(base, accept=[id_], by="Bo", at=_AT)
    assert '"12000"' in _text(base, "accepted.nq")


def test_a_decision_goes_with_its_sentence(base: Path) -> None:
    """When the sentence moves, the decision and the place move; when it goes, an accepted fact stays."""
    review(base, accept=[_row(base, "12000").id], by="Ada", at=_AT)
    document = base / "docs" / "a.md"
    document.write_text("First this.\n\n" + document.read_text(encoding="utf-8"), encoding="utf-8")
    brought_up(base)
    row = _row(base, "12000")
    assert row.state == "accepted"
    assert row.start == 13
    assert "#char=13,44> ." in _text(base, "accepted.nq")
    document.write_text("Nothing is left.\n", encoding="utf-8")
    outcome = brought_up(base)
    assert outcome.stranded == 1
    assert '"12000"' in _text(base, "accepted.nq")
    document.unlink()
    outcome = brought_up(base)
    assert outcome.stranded == 1
    assert '"12000"' in _text(base, "accepted.nq")
    review(base, reject=[row.id], by="Ada", at=_AT)
    assert _text(base, "accepted.nq") == ""


def test_a_quarantined_fact_can_be_let_in_by_a_person(base: Path) -> None:
    """But not one whose thing is not settled: nobody could say what it is about."""
    review(base, accept=[_row(base, "99999999").id], by="Ada", at=_AT)
    assert '"99999999"' in _text(base, "accepted.nq")
    with pytest.raises(InputError, match="not settled"):
        review(base, accept=[_row(base, "Ambi").id], by="Ada", at=_AT)


def test_what_a_model_read_waits(base: Path) -> None:
    """Its facts are in a file of their own until a person has accepted them."""
    brought_up(base, reader=BrookReader(identity="model:1", trust="model"))
    assert '"12000"' in _text(base, "model.nq")
    assert _text(base, "derived.nq") == ""
    assert _row(base, "12000").state == "waiting"
    review(base, accept=[_row(base, "12000").id], by="Ada", at=_AT)
    assert _text(base, "model.nq") == ""
    assert '"12000"' in _text(base, "accepted.nq")


@pytest.mark.parametrize(
    ("accept", "reject", "by", "what"),
    [
        (["nonsense"], [], "Ada", "no fact of this id"),
        (["x"], ["x"], "Ada", "no fact"),
        ([], [], " ", "who decides"),
        ([], [], "A\nda", "who decides"),
        (["12"], [], "Ada", "no fact of this id"),
    ],
)
def test_what_cannot_be_decided_is_an_error(
    base: Path, accept: list[str], reject: list[str], by: str, what: str
) -> None:
    """Unknown ids, too short ones, and decisions of nobody change nothing."""
    before = files_of(base)
    with pytest.raises(InputError, match=what):
        review(base, accept=accept, reject=reject, by=by)
    assert files_of(base) == before


def test_one_fact_is_not_accepted_and_rejected_at_once(base: Path) -> None:
    """Nobody knows what was meant."""
    id_ = _row(base, "12000").id
    with pytest.raises(InputError, match="accepted and rejected"):
        review(base, accept=[id_], reject=[id_], by="Ada")


def _proposed(length: str) -> Row:
    thing = Thing(name="Fir Brook", iri="https://example.org/brooks/fir")
    value = RdfLiteral(length, XSD + "integer")
    property_ = "https://example.org/brooks/length"
    candidate = Candidate(subject=thing, property=property_, value=value, place=None, trust="model", by="llm:x?2026")
    return row_of(Settled(candidate=candidate), "length", state="waiting")


def test_what_a_model_adds_of_itself_has_its_own_graph(base: Path) -> None:
    """It waits, survives reading the documents again, and keeps what was decided."""
    assert add_rows(base, [_proposed("7")])
    assert not add_rows(base, [_proposed("7")])
    assert "<model:llm:x?2026> ." in _text(base, "model.nq")
    brought_up(base)
    assert '"7"' in _text(base, "model.nq")
    review(base, reject=[_proposed("7").id], by="Ada", at=_AT)
    assert not add_rows(base, [_proposed("7")])
    assert _text(base, "model.nq") == ""
    brought_up(base)
    assert _row(base, "— 7").state == "rejected"
