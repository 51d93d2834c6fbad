"""Claims read as words beside the rows that an answer names: what is refuted, with which evidence, and what is not."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from made_places import CONFIG, FILES, READ, write_places
from made_tables import SENTENCES, write_tables

from imprimatur import Oracle
from imprimatur.answer import Answer
from imprimatur.config import TableFile
from imprimatur.report import JudgedClaim, Report
from imprimatur.sources.tables.attributes.index import RowIndex
from imprimatur.sources.tables.database import fill
from imprimatur.sources.tables.library import Tables
from imprimatur.sources.tables.opening import open_relations, open_sources
from imprimatur.sources.text.comparison import TextLimits
from imprimatur.verdict import Label, Reason


@pytest.fixture(scope="module")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> Oracle:
    """The oracle of hotels, museums and camping sites."""
    return Oracle.from_folder(write_places(tmp_path_factory.mktemp("places")), policy="annotate")


def _prose(report: Report, number: int = 0) -> list[JudgedClaim]:
    return [each for each in report.segments[number].claims if each.claim.prose is not None]


def test_free_prose_is_refuted_by_its_row(oracle: Oracle, tmp_path: Path) -> None:
    """The cells are the evidence, the SELECT gives them again, and the words are pointed at."""
    text = "Hotel Anker is a charming place by the lake, where guests unwind in the sauna."
    report = oracle.check(text)
    (judged,) = _prose(report)
    assert report.segments[0].label is Label.CONTRADICTED
    (evidence,) = judged.verdict.evidence
    assert (evidence.kind, evidence.origin) == ("row", "hotels.json, /0")
    assert evidence.content == "hotels: name = Hotel Anker; facilities sauna = false"
    (finding,) = judged.verdict.findings
    assert (text[finding.start : finding.end], finding.reason) == ("sauna", Reason.VALUE_MISMATCH)
    with sqlite3.connect(":memory:") as connection:
        fill(connection, open_sources([TableFile(path=write_places(tmp_path) / name) for name in FILES]))
        assert connection.execute(evidence.query).fetchall() == [("Hotel Anker", "false")]


def test_silence_is_not_found_and_told(oracle: Oracle) -> None:
    """What the row has no cell for is pointed at, and is not refuted."""
    text = "Hotel Anker is a quiet place that runs an airport shuttle and serves lobster."
    report = oracle.check(text)
    (judged,) = _prose(report)
    assert report.segments[0].label is Label.NOT_FOUND
    assert [text[each.start : each.end] for each in judged.verdict.findings] == ["airport shuttle", "lobster"]
    assert not judged.verdict.evidence


@pytest.mark.parametrize("name", READ)
def test_rows_license_nothing(oracle: Oracle, tmp_path: Path, name: str) -> None:
    """Whatever a row agrees with, a claim read as words is never supported by it."""
    for sentence in READ[name]:
        for number in range(2):
            report = oracle.check(f"{name} is a place. {sentence}")
            if number < len(report.segments):
                labels = {each.verdict.label for each in _prose(report, number)}
                assert labels <= {Label.CONTRADICTED, Label.NOT_FOUND, Label.NOT_A_CLAIM}


def test_the_row_is_the_one_that_was_named_last(oracle: Oracle) -> None:
    """Pronouns and nouns go on about it; a sentence about two rows is about neither."""
    text = "Pension Elsa is old. The inn has a lovely sauna. Hotel Anker is new. The hotel has a lovely sauna."
    assert [each.label for each in oracle.check(text).segments][1::2] == [Label.NOT_FOUND, Label.CONTRADICTED]
    both = "Hotel Anker and Pension Elsa are lovely places that both boast a sauna."
    assert not _prose(oracle.check(both))


def test_without_a_name_there_is_no_row(oracle: Oracle) -> None:
    """What names no row is held against none, unless the question named it."""
    text = "The lovely place has a splendid sauna."
    assert not _prose(oracle.check(text))
    assert oracle.check(text, "What is Hotel Anker like?").segments[0].label is Label.CONTRADICTED


def test_what_follows_changes_nothing(oracle: Oracle) -> None:
    """A name behind a sentence does not make it the sentence's own."""
    text = "It is a lovely place with a sauna. Hotel Anker is new."
    assert oracle.check(text).segments[0].label is Label.NOT_FOUND


def test_a_stream_is_judged_as_the_whole(oracle: Oracle) -> None:
    """In chunks, the same segments get the same labels."""
    text = "Hotel Anker is a charming place. Guests unwind in the sauna. It is pretty and has no pool at all."
    pieces = [text[at : at + 7] for at in range(0, len(text), 7)]
    stream = oracle.stream(iter(pieces))
    assert "".join(stream)
    assert [each.label for each in stream.report.segments] == [each.label for each in oracle.check(text).segments]


def test_rows_of_one_name_are_told_apart_by_their_places(tmp_path: Path) -> None:
    """The row whose town or address is named counts; none where neither is."""
    for name, content in {
        "inns.csv": "name,town,has sauna\nRed Lion,Wick,yes\nRed Lion,Thurso,no\n",
        "imprimatur.yaml": "version: 1\ntables: [inns.csv]\n",
    }.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    oracle = Oracle.from_folder(tmp_path)
    said = "is a lovely inn where travellers unwind in the sauna."
    assert oracle.check(f"Red Lion in Thurso {said}").segments[0].label is Label.CONTRADICTED
    assert oracle.check(f"Red Lion in Wick {said}").segments[0].label is Label.NOT_FOUND
    assert not _prose(oracle.check(f"Red Lion {said}"))


def test_titles_are_found_whatever_their_accents(tmp_path: Path) -> None:
    """A title is whole words, with a capital, in any typography."""
    path = tmp_path / "cafes.csv"
    path.write_text("name,has WiFi\nVerdé Café,yes\nYour Choice,no\nO'Neill's,no\niGrill,yes\n", encoding="utf-8")
    index = RowIndex(open_relations([path]))
    found = {text: [each.rows[0][1] for each in index.find(text)] for text in _TITLES}
    assert found == _TITLES


_TITLES = {
    "Verde Cafe has WiFi": [0],
    "it is your choice": [],
    "Your Choice, and O\u2019Neill\u2019s": [1, 2],
    "Verdés Cafés": [],
    "the iGrill": [3],
    "": [],
}


def test_tables_without_such_columns_are_read_as_before(tmp_path: Path) -> None:
    """Where no column says yes or no, nothing is read as words."""
    (tmp_path / "lights.csv").write_text("name,height (m)\nHolm Light,41\nSkerry Light,30\n", encoding="utf-8")
    (tmp_path / "imprimatur.yaml").write_text("version: 1\ntables: [lights.csv]\n", encoding="utf-8")
    oracle = Oracle.from_folder(tmp_path)
    assert not oracle.knowledge.tells_rows
    assert not _prose(oracle.check("Holm Light is a lovely place with 12 rooms."))


def test_a_passage_beside_the_tables_counts_too(oracle: Oracle) -> None:
    """What a passage bears out and a row refutes is conflicting; what only the passage knows is supported."""
    passage = "Hotel Anker is a house where guests unwind in the sauna."
    assert oracle.check(passage, context=[passage]).segments[0].label is Label.CONFLICTING
    other = "Hotel Anker is a house where guests play chess."
    assert oracle.check(other, context=[other]).segments[0].label is Label.SUPPORTED


def test_the_config_may_leave_tables_out(tmp_path: Path) -> None:
    """Only the tables that are named are read."""
    oracle = Oracle.from_folder(write_places(tmp_path, config=CONFIG.replace("hotels.json, ", "")))
    assert not _prose(oracle.check("Hotel Anker is a lovely place with a sauna."))


def test_finding_nothing_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where rows have nothing to say of a sentence, it is judged word for word as without them."""
    oracle = Oracle.from_folder(write_tables(tmp_path))
    assert oracle.knowledge.tells_rows
    sentences = [line.strip() for lines in SENTENCES.values() for line in lines.strip().splitlines()]
    text = " ".join(sentences)
    told = oracle.check(text, seconds=120).segments
    monkeypatch.setattr(Tables, "rows_are_told", lambda self: False)
    alone = oracle.check(text, seconds=120).segments
    same = [one == other for one, other in zip(told, alone, strict=True) if not any(c.claim.prose for c in one.claims)]
    assert all(same)
    assert len(same) > len(alone) / 2
    assert not [one for one, other in zip(told, alone) if one.label is Label.SUPPORTED and other.label != one.label]


def test_silent_sources_are_not_supports(oracle: Oracle) -> None:
    """The source says of itself that it only refutes."""
    (source,) = oracle.knowledge.texts(Answer(text=""), TextLimits())
    assert source.name == "tables"
    assert getattr(source, "only_refutes", False) is True


def test_too_many_rows_are_left_to_the_grammar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables that could not be read within the time of an answer are not held against prose."""
    monkeypatch.setattr("imprimatur.sources.tables.library._MOST_TOLD", 2)
    oracle = Oracle.from_folder(write_places(tmp_path))
    assert not oracle.knowledge.tells_rows
    assert not _prose(oracle.check("Hotel Anker is a charming place where guests unwind in the sauna."))
