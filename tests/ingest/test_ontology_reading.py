"""Ontologies in OWL, SHACL, YAML and JSON: the same words give the same guardrail."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_ontology import BASE, GRAPHRAG, OWL, SHACL, YAML, guardrail, written

from imprimatur.errors import InputError
from imprimatur.ingest.ontology import ANY_THING, ANY_VALUE, Guardrail
from imprimatur.ingest.ontology_files import read_guardrail
from imprimatur.sources.graph.terms import XSD, RdfLiteral

_PUBLISHED = Path(__file__).parent.parent.parent.parent / "shared" / "data" / "text2kgbench"
#: Three of the twenty-nine published ontologies whose two forms differ in what they say.
_APART = {"2_music", "3_sport", "6_computer"}


def _patterns(made: Guardrail, name: str) -> set[tuple[str, str]]:
    found = [made.property_(iri) for iri in made.properties_named(name)]
    return {
        (pattern.source.removeprefix(BASE), pattern.target.removeprefix(BASE).removeprefix(XSD))
        for each in found
        if each is not None
        for pattern in each.patterns
    }


def test_yaml_and_owl_say_the_same(tmp_path: Path) -> None:
    """One ontology in the short form and in OWL is one guardrail with one hash."""
    short, full = guardrail(tmp_path), guardrail(tmp_path, OWL, "ontology.ttl")
    assert short.classes == full.classes
    assert short.properties == full.properties
    assert short.content_hash == full.content_hash
    assert short.content_hash != guardrail(tmp_path, closed=False).content_hash


def test_turtle_is_read_back(tmp_path: Path) -> None:
    """The ontology file that a guardrail writes says the same, but for lists of values."""
    made = guardrail(tmp_path)
    again = guardrail(tmp_path, made.to_turtle(), "again.ttl")
    assert again.classes == made.classes
    assert [each.iri for each in again.properties if each not in made.properties] == [BASE + "status"]
    assert again.to_turtle() == made.to_turtle()


def test_shapes(tmp_path: Path) -> None:
    """Targets, paths, inverse paths, alternatives, kinds of nodes and lists of values are read of shapes."""
    made = guardrail(tmp_path, SHACL, "shapes.ttl")
    assert _patterns(made, "works at") == {("Person", "Organization")}
    assert _patterns(made, "founder") == {("Organization", "Person")}
    assert _patterns(made, "founded") == {("Organization", "date"), ("Organization", "gYear")}
    assert _patterns(made, "seat") == {("Organization", "City")}
    assert _patterns(made, "partner") == {("Organization", ANY_THING)}
    assert _patterns(made, "motto") == {("Organization", ANY_VALUE)}
    size = made.property_(BASE + "size")
    assert size is not None
    assert size.allowed == (RdfLiteral("large"), RdfLiteral("small"))
    born = made.property_(BASE + "born_in")
    assert born is not None
    assert (born.single, born.functional) == ((BASE + "Person",), False)
    assert made.property_(BASE + "old") is None
    assert any("several steps" in each for each in made.remarks)


def test_a_silent_side_yields(tmp_path: Path) -> None:
    """A range that one file leaves out is that of the other, not everything."""
    owl = "@prefix : <https://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
    owl += ":works_at rdfs:domain :Person . :knows rdfs:range :Person .\n"
    files = [written(tmp_path, "a.ttl", owl), written(tmp_path, "b.ttl", SHACL)]
    made = read_guardrail(files)
    assert _patterns(made, "works at") == {("Person", "Organization")}
    assert _patterns(made, "knows") == {(ANY_THING, "Person")}


def test_graphrag_json(tmp_path: Path) -> None:
    """An ontology as GraphRAG SDK saves it: relations with patterns, typed properties, open relations."""
    made = guardrail(tmp_path, GRAPHRAG, "ontology.json")
    assert {each.name for each in made.classes} == {"Person", "Organization"}
    (works,) = made.properties_named("works at")
    assert made.properties_named("WORKS_AT") == (works,)
    known = made.property_(works)
    assert known is not None
    assert [(p.source.rsplit("/")[-1], p.target.rsplit("/")[-1]) for p in known.patterns] == [
        ("Person", "Organization")
    ]
    assert known.description == "Is employed by"
    (related,) = (made.property_(iri) for iri in made.properties_named("related to"))
    assert related is not None
    assert [(p.source, p.target) for p in related.patterns] == [(ANY_THING, ANY_THING)]
    assert {each.name for each in made.attributes} == {"birth date", "employees"}


def test_earlier_graphrag_json(tmp_path: Path) -> None:
    """Relations with a source and a target, and attributes, are read too."""
    text = '{"entities": [{"label": "Actor", "attributes": [{"name": "age", "type": "number"}]}, {"label": "Movie"}],'
    text += '"relations": [{"label": "ACTED_IN", "source": {"label": "Actor"}, "target": {"label": "Movie"}}]}'
    made = guardrail(tmp_path, text, "ontology.json")
    (acted,) = (made.property_(iri) for iri in made.properties_named("acted in"))
    assert acted is not None
    assert [(p.source.rsplit("/")[-1], p.target.rsplit("/")[-1]) for p in acted.patterns] == [("Actor", "Movie")]


def test_owl_inherits(tmp_path: Path) -> None:
    """A property without domain has that of the one above it, or its inverse's range; unions are unfolded."""
    text = """
    @prefix : <https://example.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix schema: <https://schema.org/> .
    :A a owl:Class . :B a owl:Class ; owl:equivalentClass [ owl:unionOf ( :C :D ) ] . :D a owl:DatatypeProperty .
    :p a owl:ObjectProperty ; rdfs:domain [ owl:unionOf ( :A :B ) ] ; rdfs:range :C .
    :q rdfs:subPropertyOf :p . :r owl:inverseOf :p ; a owl:ObjectProperty .
    :s schema:domainIncludes :A , :B ; schema:rangeIncludes :C .
    [] a owl:AllDisjointClasses ; owl:members ( :A :C ) .
    """
    made = guardrail(tmp_path, text, "o.ttl")
    assert _patterns(made, "q") == {("A", "C"), ("B", "C")}
    assert _patterns(made, "r") == {("C", "A"), ("C", "B")}
    assert _patterns(made, "s") == {("A", "C"), ("B", "C")}
    assert made.is_a([BASE + "C"], BASE + "B")
    assert made.disjoint(BASE + "C", BASE + "A")
    assert not made.disjoint(BASE + "C", BASE + "B")


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        (
            "a.yaml",
            "relations: {works_at: {patterns: [[Persn, Person]]}}\nclasses: {Person: }",
            "did you mean 'Person'",
        ),
        ("a.yaml", "relations: {works_at: {pattern: []}}", "did you mean `patterns`"),
        ("a.yaml", "attributes: {height: {type: metre}}", "no kind of value"),
        ("a.yaml", "attributes: {height: {type: decimal, unit: florps}}", "no known unit"),
        ("a.yaml", "attributes: {height: {type: string, unit: m}}", "only numbers"),
        ("a.yaml", "classes: {A: {iri: not an iri}}", "no IRI"),
        ("a.yaml", "classes: {A: }\nrelations: {A: }", "same IRI"),
        ("a.yaml", "classes: {A: &x , B: *x}", "aliases"),
        ("a.yaml", "closed: true", "no class, relation or attribute"),
        ("a.json", '{"entities": [{"description": "x"}]}', "entities[0].label"),
        ("a.json", '{"entities": [], "relations": [{"label": "X", "patterns": [["a"]]}]}', "pairs of labels"),
        ("a.json", '{"entities": [{"label": "X", "properties": [{"name": "y", "type": "BLOB"}]}]}', "kind of value"),
        ("a.json", '{"entities": [], "entities": []}', "given twice"),
        ("a.json", "[" * 100_000, "not valid JSON"),
        ("a.json", "{}", "no form of ontology"),
        ("a.ttl", "<a> <b> .", "a.ttl"),
        ("a.ttl", "<https://a.b/c> <https://a.b/d> <https://a.b/e> .", "no class and no relation"),
        ("a.docx", "x", "no form of ontology"),
    ],
)
def test_faults_say_what_and_where(tmp_path: Path, name: str, text: str, said: str) -> None:
    """A file that is no ontology is an error with the place and how to mend it."""
    with pytest.raises(InputError) as caught:
        guardrail(tmp_path, text, name)
    assert said in f"{caught.value} {caught.value.hint}"
    assert name in str(caught.value)


def test_order_of_files_and_keys_is_nothing(tmp_path: Path) -> None:
    """The same files in another order, and the same keys in another order, give an equal guardrail."""
    files = [written(tmp_path, "a.ttl", OWL), written(tmp_path, "b.ttl", SHACL)]
    assert read_guardrail(files) == read_guardrail(files[::-1])
    head, _, rest = YAML.partition("relations:")
    relations, _, attributes = rest.partition("attributes:")
    turned = head + "attributes:" + attributes + "relations:" + relations
    assert guardrail(tmp_path, turned).content_hash == guardrail(tmp_path).content_hash


def _told(made: Guardrail) -> set[tuple[str, str, str]]:
    names = {each.iri: each.name for each in made.classes}
    return {
        (p.name, names.get(t.source, t.source), names.get(t.target, t.target))
        for p in made.properties
        for t in p.patterns
    }


@pytest.mark.skipif(not _PUBLISHED.is_dir(), reason="needs the benchmark's files")
def test_two_forms_of_published_ontologies() -> None:
    """Published ontologies in JSON and in OWL give the same patterns, wherever the two files say the same."""
    seen = 0
    for folder in _PUBLISHED.glob("*/ontologies"):
        for path in sorted(folder.glob("*.json")):
            name = path.name.removesuffix("_ontology.json")
            owl = folder / "owl" / f"ont_{name}.ttl"
            assert (_told(read_guardrail([path])) == _told(read_guardrail([owl]))) == (name not in _APART), name
            seen += 1
    assert seen == 29
