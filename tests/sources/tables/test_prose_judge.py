"""Tables that statements are read over refute them, and never license one."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_tables import CONFIG, SENTENCES, write_tables

from imprimatur import Oracle
from imprimatur.claim import Claim, Modality, Prose
from imprimatur.config import load_folder
from imprimatur.errors import ConfigError
from imprimatur.knowledge import open_knowledge
from imprimatur.sources.tables.prose.judge import Statements, StatementSource
from imprimatur.verdict import Label, worst

_COMPLETE = (
    CONFIG.replace("{file: lights.csv, complete: true,", "{file: lights.csv, complete: true, statements: true,")
    .replace("{file: keepers.csv,", "{file: keepers.csv, complete: true, statements: true,")
    .replace("{file: ferries.json,", "{file: ferries.json, complete: true, statements: true,")
)

#: Sentences that the tables bear out, many of them beyond the grammar: none may be contradicted.
_TRUE = """
    Skerry Light is red.
    Bain Light and Ness Light are white.
    Holm Light, which was built in 1902, is dark green.
    Only Holm Light was built in 1902.
    Holm Light is the only lighthouse built in 1902.
    The lighthouse with the highest rating is Skerry Light.
    The oldest lighthouse is Skerry Light.
    All lighthouses were built after 1870.
    Two of the lighthouses are white.
    Bain Light and Ness Light have the same keeper.
    The average height of the lighthouses is 27.125.
    Holm Light was built 31 years after Skerry Light.
    Skerry Light and Ness Light are kept by Ann Marlow.
    Jo Tarn was born in 1962 and lives in Corran.
    Bain Light is white, and Skerry Light is red.
    There are four lighthouses, and two of them are white.
"""

#: The same with one thing changed (a value, name, number, comparative, column, quantifier), so that they are false.
_FALSE = """
    Skerry Light is white.
    Bain Light and Holm Light are white.
    Holm Light, which was built in 1902, is white.
    Holm Light, which was built in 1911, is dark green.
    Only Holm Light was built in 1911.
    Ness Light is the only lighthouse built in 1911.
    The lighthouse with the highest rating is Holm Light.
    The lighthouse with the lowest rating is Skerry Light.
    The newest lighthouse is Skerry Light.
    All lighthouses were built after 1900.
    All lighthouses were built before 1900.
    Three of the lighthouses are white.
    Bain Light and Holm Light have the same keeper.
    The average height of the lighthouses is 28.
    Holm Light was built 30 years after Skerry Light.
    Holm Light was built 31 years before Skerry Light.
    Skerry Light and Holm Light are kept by Ann Marlow.
    Jo Tarn was born in 1962 and lives in Eddle.
    Bain Light is red, and Skerry Light is white.
    There are four lighthouses, and three of them are white.
"""

#: What is not about the tables, or not plainly said.
_SILENT = """
    The king visited Eddle in 1903.
    Skerry Light was repainted in 1911.
    Skerry Light has 35 steps.
    Perhaps Skerry Light is white.
    If Skerry Light is white, nobody has seen it.
    It is dark green.
    White is a colour.
    The lighthouse was built in 1871 by the Stevensons.
"""


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.strip().splitlines()]


@pytest.fixture(scope="module")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> Oracle:
    """An oracle over three complete tables that statements are read over."""
    return Oracle.from_folder(write_tables(tmp_path_factory.mktemp("read"), config=_COMPLETE))


@pytest.fixture(scope="module")
def source(oracle: Oracle) -> StatementSource:
    """The source alone."""
    part = oracle.knowledge.part
    assert part is not None
    assert part.tables is not None
    return StatementSource(Statements(part.tables))


def _claim(text: str, modality: Modality = Modality.ASSERTED) -> Claim:
    return Claim(
        start=0, end=len(text), text=text, covers=((0, len(text)),), modality=modality, prose=Prose(words=text)
    )


@pytest.mark.parametrize("sentence", [*_lines(_TRUE), *_lines(_SILENT)])
def test_what_is_true_or_about_something_else_is_not_refuted(source: StatementSource, sentence: str) -> None:
    """Silence on what the tables bear out, what they do not speak of, and what is not asserted of a named row."""
    assert source.judge(_claim(sentence)).label is Label.NOT_FOUND


@pytest.mark.parametrize("sentence", _lines(_FALSE))
def test_nothing_false_is_licensed(oracle: Oracle, source: StatementSource, sentence: str) -> None:
    """A sentence made false by one change is never supported: by the source never, in an answer neither."""
    assert source.judge(_claim(sentence)).label in (Label.CONTRADICTED, Label.NOT_FOUND)
    assert oracle.check(sentence).segments[0].label is not Label.SUPPORTED


def test_most_of_what_is_false_is_refuted(source: StatementSource) -> None:
    """Of the changed sentences at least three in four are refuted."""
    labels = [source.judge(_claim(sentence)).label for sentence in _lines(_FALSE)]
    assert labels.count(Label.CONTRADICTED) >= 0.75 * len(labels)


@pytest.mark.parametrize(
    "text",
    [
        "Skerry Light, a white tower",
        "The colour of the tower",
        "Holm Light: green",
        "Green lights of the north",
        "Skerry Light white",
        "Sure, here is the answer.",
        "# Skerry Light\n\nIt is white.",
        "If Skerry Light is white, it is tidal.",
        "Is Skerry Light white?",
        "- Skerry Light\n- white",
        "| light | colour |\n| --- | --- |\n| Skerry Light | white |",
    ],
)
def test_no_label_gets_better(oracle: Oracle, tmp_path: Path, text: str) -> None:
    """Titles, lists, tables and questions are at best what they were without statements being read over tables."""
    plain = Oracle.from_folder(write_tables(tmp_path, config=_COMPLETE.replace(", statements: true", "")))
    for before, now in zip(plain.check(text).segments, oracle.check(text).segments, strict=True):
        assert worst([before.label, now.label]) is now.label


@pytest.mark.parametrize("label", sorted(SENTENCES))
def test_what_the_grammar_reads_is_judged_as_before(oracle: Oracle, tmp_path: Path, label: str) -> None:
    """Reading statements over tables changes no verdict of the sentences that the graph of the tables knows."""
    plain = Oracle.from_folder(write_tables(tmp_path, config=_COMPLETE.replace(", statements: true", "")))
    for sentence in _lines(SENTENCES[label]):
        before, now = (each.check(sentence).segments[0].label for each in (plain, oracle))
        assert now is before, sentence


def test_the_evidence_is_rows_with_their_select(oracle: Oracle) -> None:
    """A refuted sentence shows the rows that say otherwise, each with a SELECT that gives just them."""
    report = oracle.check("Skerry Light is white.")
    (claim,) = [judged for judged in report.segments[0].claims if judged.claim.prose is not None]
    assert report.segments[0].label is Label.CONTRADICTED
    evidence = claim.verdict.evidence
    assert [each.content for each in evidence] == ["lights: name = Skerry Light; colour = red"]
    part = oracle.knowledge.part
    assert part is not None
    assert part.tables is not None
    for each in evidence:
        assert (each.kind, each.source, each.origin.split(",")[0]) == ("row", "tables", "lights.csv")
        assert len(part.tables.sandbox().look_up(each.query).rows) == 1


@pytest.mark.parametrize("modality", [each for each in Modality if each is not Modality.ASSERTED])
def test_only_what_is_asserted_is_refuted(source: StatementSource, modality: Modality) -> None:
    """Suppositions, questions, hedges and reports are not refuted here."""
    assert source.judge(_claim("Skerry Light is white.", modality)).label is Label.NOT_FOUND


def test_a_claim_with_a_reading_is_not_for_it(source: StatementSource) -> None:
    """A claim that is not read as words is silence."""
    claim = Claim(start=0, end=22, text="Skerry Light is white.", covers=((0, 22),))
    assert source.judge(claim).label is Label.NOT_FOUND


def test_statements_need_whole_tables(tmp_path: Path) -> None:
    """A table that does not hold all of its kind cannot be read over: the error says what to add."""
    folder = write_tables(tmp_path, config="version: 1\ntables: [{file: lights.csv, statements: true}]\n")
    with pytest.raises(ConfigError, match=r"statements.*needs tables that hold all of their kind"):
        load_folder(folder)


def test_without_the_entry_nothing_is_read(tmp_path: Path) -> None:
    """Tables are read over only where imprimatur.yaml says so, and the knowledge base's hash tells."""
    plain = open_knowledge(load_folder(write_tables(tmp_path / "a")), cache_dir=tmp_path / "cache")
    read = open_knowledge(load_folder(write_tables(tmp_path / "b", config=_COMPLETE)), cache_dir=tmp_path / "cache")
    assert plain.text.empty
    assert not read.text.empty
    assert plain.content_hash != read.content_hash


def test_a_hidden_column_is_no_evidence(tmp_path: Path) -> None:
    """What a hidden column holds refutes nothing."""
    folder = write_tables(tmp_path, config=_COMPLETE)
    words = (folder / "words.yaml").read_text(encoding="utf-8")
    shown = words.replace("      rating:", "      colour: {hidden: true}\n      rating:")
    (folder / "words.yaml").write_text(shown, encoding="utf-8")
    assert Oracle.from_folder(folder).check("Skerry Light is white.").segments[0].label is Label.NOT_FOUND
