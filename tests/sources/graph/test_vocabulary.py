"""The words of a graph: names, properties by key, classes by noun; kept in the cache."""

from __future__ import annotations

from pathlib import Path

import pytest
from reading import EX, World, world

from imprimatur.sources.graph import vocabulary
from imprimatur.sources.graph.vocabulary import Vocabulary, build, class_noun, kept, period_of, value_kind

WORDS = """
:Bridge a owl:Class ; rdfs:label "bridge" . :Rope a owl:Class ; rdfs:label "rope bridge" ; rdfs:subClassOf :Bridge .
:crosses a owl:ObjectProperty ; rdfs:label "crosses" ; rdfs:range :Bridge .
:length a owl:DatatypeProperty ; rdfs:label "length" ; rdfs:range xsd:decimal ; qudt:hasUnit unit:M .
:opened a owl:DatatypeProperty ; rdfs:label "opening year" ; rdfs:range xsd:integer .
:built a owl:DatatypeProperty ; rdfs:label "decade of building" ; rdfs:range xsd:gYear .
:style a owl:DatatypeProperty ; rdfs:label "style" ; rdfs:range xsd:string .
:a a :Rope ; rdfs:label "Alder Span" ; :style "Late Gothic", "12" ; :length 3 .
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> World:
    """A small vocabulary."""
    folder: Path = tmp_path_factory.mktemp("words")
    return world(folder, WORDS)


@pytest.mark.parametrize(
    ("name", "kind", "period"),
    [
        ("crosses", "entity", ""),
        ("length", "quantity", ""),
        ("opened", "date", "year"),
        ("built", "date", "decade"),
        ("style", "text", ""),
    ],
)
def test_kinds_of_values(place: World, name: str, kind: str, period: str) -> None:
    """The kind of a property's values follows from its range, and from "year" in its name."""
    info = place.schema.property(EX + name)
    assert info is not None
    assert (value_kind(info), period_of(info)) == (kind, period)


@pytest.mark.parametrize(
    ("label", "noun"),
    [
        ("bridge", "bridge"),
        ("Rope Bridges", "bridge<rope"),
        ("U.S. state", "state<u.s."),
        ("the river", "river"),
        ("", ""),
        ("of", "of"),
    ],
)
def test_class_nouns(label: str, noun: str) -> None:
    """A class's noun chain has its head first, in the singular."""
    assert class_noun(label) == noun


def test_build(place: World) -> None:
    """Names of things and texts are found, properties and classes are not names of things."""
    words = build(place.graph, place.schema)
    assert words.names.candidates("Alder Span") == (EX + "a",)
    assert words.names.knows("Late Gothic")
    assert not words.names.knows("12")
    assert words.names.candidates("crosses") == ()
    assert {e.iri for e in words.entries["cross|obj=*|subj=*"]} == {EX + "crosses"}
    assert words.classes["bridge<rope"] == [EX + "Rope"]
    assert words.heads["bridge"] == [EX + "Bridge", EX + "Rope"]


def test_json_round_trip(place: World) -> None:
    """What is kept is what is read back."""
    words = build(place.graph, place.schema)
    assert Vocabulary.from_json(words.to_json()) == words


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"names": 3}', b"\xff\xfe", b'{"names": {}, "entries": {}}'])
def test_a_damaged_cache_is_made_anew(place: World, tmp_path: Path, damage: bytes) -> None:
    """Whatever stands in the cache file, the words are right, and are kept again."""
    right = kept(place.graph, place.schema, tmp_path)
    (path,) = tmp_path.glob("words-*.json")
    good = path.read_bytes()
    path.write_bytes(damage)
    assert kept(place.graph, place.schema, tmp_path) == right
    assert path.read_bytes() == good


def test_a_cache_that_cannot_be_written_is_only_slower(place: World, tmp_path: Path) -> None:
    """Where the cache folder is a file, the words are made all the same."""
    blocked = tmp_path / "file"
    blocked.write_text("x")
    assert kept(place.graph, place.schema, blocked) == build(place.graph, place.schema)


def test_other_code_makes_other_words(place: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A change of the code that derives wordings is another cache file."""
    kept(place.graph, place.schema, tmp_path)
    monkeypatch.setattr(vocabulary, "_code", lambda: "other")
    kept(place.graph, place.schema, tmp_path)
    assert len(list(tmp_path.glob("words-*.json"))) == 2
