"""Documents read by rules: facts with their sentences, and what makes none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from made_facts import as_text, document, guardrail, read, told

from imprimatur.errors import ConfigError
from imprimatur.ingest.candidate import Thing
from imprimatur.ingest.ontology_words import words_of_guardrail
from imprimatur.ingest.opening import open_fact_reader
from imprimatur.ingest.patterns import PatternReader
from imprimatur.ingest.stated import Options
from imprimatur.sources.graph.terms import XSD, RdfLiteral

_GOLDEN = Path(__file__).parent.parent / "golden" / "ingest" / "facts_of_sentences.jsonl"
_HOSTILE = Path(__file__).parent.parent / "cases" / "hostile_evidence" / "facts.jsonl"
_ROWS = [json.loads(line) for line in _GOLDEN.read_text(encoding="utf-8").splitlines()]
_ATTACKS = [json.loads(line) for line in _HOSTILE.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("row", _ROWS, ids=[row["text"][:50] for row in _ROWS])
def test_facts_of_a_sentence(row: dict[str, object]) -> None:
    """A sentence gives the facts that it states, and none where it denies, doubts, reports, limits or supposes them."""
    assert told(str(row["text"])) == row["facts"]


@pytest.mark.parametrize("attack", _ATTACKS, ids=[each["what"] for each in _ATTACKS])
def test_hostile_documents_give_no_fact(attack: dict[str, str]) -> None:
    """What tries to steer, to write terms of a graph, or to pass for a statement, gives no fact."""
    assert told(attack["text"], attack["name"]) == []


def test_every_fact_opens_its_sentence() -> None:
    """The place of a candidate is its sentence, and the spans of its things are their names."""
    told = "# Arden\n\nArden has 12,000 inhabitants.\n\n- The mayor of Arden is Bo Lind.\n\n"
    text = told + "| River | Length |\n|--|--|\n| Volga | 9 km |\n"
    made = document(text, "notes.md")
    found = read(text, "notes.md").candidates
    assert [as_text(each) for each in found] == [
        "Arden | population | 12000",
        "Arden | mayor | Bo Lind",
        "Volga | length | 9",
    ]
    for each in found:
        assert each.place is not None
        assert made.text[each.place.start : each.place.end] == each.place.quote
        things = (t for t in (each.subject, each.value) if isinstance(t, Thing))
        for name, span in ((t.name, t.span) for t in things):
            assert span is None or made.text[slice(*span)] == name
        assert each.trust == "derived"
        assert each.by.startswith("patterns:")


def test_values_are_exact() -> None:
    """A number comes in the property's unit, exactly or not at all; a date is as exact as it was told."""
    values = {
        as_text(c): c.value for c in read("The Elm Bridge is 12.5 miles long and was opened in May 1950.").candidates
    }
    assert values["Elm Bridge | length | 20.1168"] == RdfLiteral("20.1168", XSD + "decimal")
    assert values["Elm Bridge | opened | 1950-05"] == RdfLiteral("1950-05", XSD + "gYearMonth")


def test_units_that_nobody_names() -> None:
    """A number with a unit is no value of a property without one, unless its digits are asked for."""
    text = "The Elm Bridge is 12 m wide."
    assert told(text) == []
    reader = PatternReader(words_of_guardrail(guardrail()), options=Options(bare=True))
    assert [as_text(each) for each in reader.candidates(document(text))] == ["Elm Bridge | width | 12"]


def test_states_of_the_past() -> None:
    """What was so says nothing of now, unless that is asked for; what happened stays true."""
    assert told("Bo Lind was the mayor of Arden. Mia Holm was born in Arden.") == ["Mia Holm | birth place | Arden"]
    reader = PatternReader(words_of_guardrail(guardrail()), options=Options(past=True))
    assert [as_text(c) for c in reader.candidates(document("Bo Lind was the mayor of Arden."))] == [
        "Arden | mayor | Bo Lind"
    ]


def test_a_name_again_is_the_same_thing() -> None:
    """A surname, and a pronoun that can mean one thing only, stand for what was named before."""
    found = told("Bo Lind was born in Arden. Lind married Mia Holm.")
    assert found == ["Bo Lind | birth place | Arden", "Bo Lind | spouse | Mia Holm"]
    assert told("The Volga is 9 km long. It flows into the Caspian Sea.")[1] == "Volga | mouth | Caspian Sea"


def test_classes_of_things() -> None:
    """A thing is taken for what the document, its name and the dictionary say, then for what the property declares."""
    found = {as_text(c): c for c in read("The Kama is a river. The capital of Greece is Athens.").candidates}
    kinds = found["Kama | type | River"]
    assert kinds.subject.name == "Kama"
    assert isinstance(kinds.value, Thing)
    assert kinds.value.iri.endswith("River")
    assert found["Greece | capital | Athens"].subject.classes[0].endswith("Country")


def test_rows_and_fields() -> None:
    """A row speaks of its first cell, a field of the name beside it or the key above it; other headers say nothing."""
    table = "| River | Length | Mouth | Mood |\n|--|--|--|--|\n| Volga | 9 miles | Caspian Sea | glad |\n"
    table += "| Ob | long | | |\n"
    assert told(table, "a.md") == ["Volga | length | 14.484096", "Volga | mouth | Caspian Sea"]
    data = '{"rivers": [{"name": "Volga", "length": "9 km"}], "Arden": {"population": "12,000", "mayor": "Bo Lind"}}'
    assert told(data, "a.json") == [
        "Volga | length | 9",
        "Arden | population | 12000",
        "Arden | mayor | Bo Lind",
    ]


def test_the_identity_names_all_that_counts() -> None:
    """Another ontology, or other options, is another reader; the same ones are the same."""
    words = words_of_guardrail(guardrail())
    assert PatternReader(words).identity == PatternReader(words_of_guardrail(guardrail())).identity
    assert PatternReader(words).identity != PatternReader(words, options=Options(past=True)).identity


def test_the_same_document_gives_the_same_facts() -> None:
    """Reading leaves nothing behind: one document's names mean nothing in the next one."""
    reader = open_fact_reader("patterns", guardrail())
    first = document("Bo Lind was born in Arden.")
    before = reader.candidates(first)
    reader.candidates(document("Lind is a river. Arden has 12,000 inhabitants."))
    assert reader.candidates(first) == before


def test_unknown_readers_are_told() -> None:
    """A reader that there is not is an error with what there is."""
    with pytest.raises(ConfigError, match="no reader is called") as caught:
        open_fact_reader("pattern", guardrail())
    assert "patterns" in caught.value.hint
    for kind in ("gliner", "llm"):
        with pytest.raises(ConfigError, match="no model is"):
            open_fact_reader(kind, guardrail())
