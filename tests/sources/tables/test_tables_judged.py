"""Sentences judged by tables: what they say, what they do not, and what they leave open."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_tables import CONFIG, DESCRIBED, LIGHTS, SENTENCES, write_tables

from imprimatur import Corrected, Oracle
from imprimatur.config import load_folder
from imprimatur.report import Report

_GRAPH = """@prefix : <https://e.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
:holm a :Place ; rdfs:label "Holm Light" ; :standsOn :rona . :rona a :Island ; rdfs:label "Rona" .
:standsOn a owl:ObjectProperty, owl:FunctionalProperty ; rdfs:label "stands on" .
:Island a owl:Class ; rdfs:label "island" . :Place a owl:Class ; rdfs:label "place" .
"""


@pytest.fixture(scope="module")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> Oracle:
    """The oracle of the three tables."""
    return Oracle.from_folder(write_tables(tmp_path_factory.mktemp("lights")))


def _label(report: Report) -> str:
    return report.segments[0].label.value


_EACH = [(label, line.strip()) for label, lines in SENTENCES.items() for line in lines.strip().splitlines()]


@pytest.mark.parametrize(("label", "sentence"), _EACH, ids=[sentence for _, sentence in _EACH])
def test_a_sentence_is_judged_by_the_tables(oracle: Oracle, label: str, sentence: str) -> None:
    """Each kind of statement is supported, refuted or left open as the tables have it."""
    assert _label(oracle.check(sentence)) == label


def test_an_empty_cell_is_silence_for_counts_too(tmp_path: Path) -> None:
    """A count over a column with an empty cell is not known; filled in, it is."""
    folder = write_tables(tmp_path)
    full = LIGHTS.replace("Ann Marlow,,,", "Ann Marlow,no,no,1")
    (folder / "lights.csv").write_text(full, encoding="utf-8")
    assert _label(Oracle.from_folder(folder).check("Two lighthouses have WiFi.")) == "supported"


def test_a_table_is_complete_only_where_it_is_said(tmp_path: Path) -> None:
    """Without `complete` no count, superlative or "all" is known."""
    folder = write_tables(tmp_path, config=CONFIG.replace("complete: true, ", ""))
    oracle = Oracle.from_folder(folder)
    for sentence in ("There are four lighthouses.", "There are five lighthouses.", "Holm Light is the tallest light."):
        assert _label(oracle.check(sentence)) == "not_found"


def test_a_wrong_value_is_put_right(tmp_path: Path) -> None:
    """The policy `correct` writes the cell in the place of a number, a name, a date."""
    corrected = Oracle.from_folder(write_tables(tmp_path), policy="correct")
    for wrong, right in (
        ("Skerry Light is 31 m tall.", "Skerry Light is 30 m tall."),
        ("Holm Light is kept by Ann Marlow.", "Holm Light is kept by Jo Tarn."),
        ("Skerry Light was built in 1872.", "Skerry Light was built in 1871."),
    ):
        decision = corrected.check(wrong).decision
        assert isinstance(decision, Corrected)
        assert decision.text == right


def test_rows_of_one_name_have_to_agree(tmp_path: Path) -> None:
    """What is true of one row and false of another of the same name is ambiguous; where they agree it is not."""
    folder = write_tables(tmp_path)
    (folder / "lights.csv").write_text(LIGHTS + "Skerry Light,30,white,1950,Jo Tarn,yes,no,1\n", encoding="utf-8")
    oracle = Oracle.from_folder(folder)
    assert _label(oracle.check("Skerry Light is 30 m tall.")) == "supported"
    assert _label(oracle.check("The colour of Skerry Light is red.")) == "ambiguous"
    assert _label(oracle.check("The colour of Skerry Light is dark green.")) == "contradicted"
    assert _label(oracle.check("MV Tern serves Skerry Light.")) == "not_found"


@pytest.mark.parametrize(
    "sentence",
    [
        "Holm Light is 41.5 m tall.",
        "Holm Light stands on Rona.",
        "MV Puffin serves a lighthouse that stands on Rona.",
        "The lighthouse that stands on Rona is kept by Jo Tarn.",
    ],
)
def test_tables_and_graph_are_read_together(tmp_path: Path, sentence: str) -> None:
    """Rows with the IRI of a thing of the graph are that thing: what both say joins."""
    folder = write_tables(tmp_path, config=CONFIG.replace("tables:", "graph: {data: [g.ttl]}\ntables:"))
    (folder / "g.ttl").write_text(_GRAPH, encoding="utf-8")
    head, *rows = LIGHTS.strip().splitlines()
    iris = [f"{row},{'https://e.org/holm' if row.startswith('Holm') else ''}" for row in rows]
    (folder / "lights.csv").write_text("\n".join((f"{head},iri", *iris)), encoding="utf-8")
    (folder / "words.yaml").write_text(DESCRIBED.replace("is: lighthouse", "is: lighthouse\n    iri: iri"))
    assert _label(Oracle.from_folder(folder).check(sentence)) == "supported"


def test_a_changed_file_is_never_judged_by_an_old_one(tmp_path: Path) -> None:
    """A new cell counts at once, in what is judged, in the evidence and in the hash."""
    folder = write_tables(tmp_path)
    cache = tmp_path / "cache"
    before = Oracle.from_folder(folder, cache_dir=cache)
    assert _label(before.check("Skerry Light is 30 m tall.")) == "supported"
    (folder / "lights.csv").write_text(LIGHTS.replace("Skerry Light,30,", "Skerry Light,32,"), encoding="utf-8")
    after = Oracle.from_folder(folder, cache_dir=cache)
    judged = after.check("Skerry Light is 32 m tall.")
    assert _label(judged) == "supported"
    assert "height (m) = 32" in judged.segments[0].claims[0].verdict.evidence[0].content
    assert before.knowledge.content_hash != after.knowledge.content_hash


def test_a_description_is_part_of_the_hash(tmp_path: Path) -> None:
    """Another unit in the description is another knowledge base."""
    folder = write_tables(tmp_path)
    first = Oracle.from_folder(folder)
    (folder / "words.yaml").write_text(DESCRIBED.replace("unit: m", "unit: ft"), encoding="utf-8")
    second = Oracle.from_folder(folder)
    assert first.knowledge.content_hash != second.knowledge.content_hash
    assert _label(second.check("MV Puffin is 42 m long.")) == "contradicted"


def test_the_files_are_those_of_the_configuration(tmp_path: Path) -> None:
    """Tables and what describes them are among the files of a knowledge base."""
    names = {path.name for path in load_folder(write_tables(tmp_path)).files}
    assert names == {"lights.csv", "keepers.csv", "ferries.json", "words.yaml"}
