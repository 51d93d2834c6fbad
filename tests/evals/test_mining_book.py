"""The second opinion: what follows from a graph, beside a kept reasoner; sentences; values far apart."""

from __future__ import annotations

from pathlib import Path
from random import Random

import made_mining
import owlrl  # type: ignore[import-untyped]
import pytest
import rdflib

from imprimatur.errors import InputError
from imprimatur.evals.mining.book import RDF_TYPE, Book, Literal
from imprimatur.evals.mining.reading import book_of, quads_of
from imprimatur.evals.mining.source import open_source
from imprimatur.evals.mining.values import far_apart, near_any, other_number, other_unit
from imprimatur.evals.mining.wording import member, said, written

_XSD = "http://www.w3.org/2001/XMLSchema#"
_LAND = "https://example.org/land/"

_FAMILY = (
    made_mining.PREFIXES
    + """
:parent rdfs:subPropertyOf :ancestor . :ancestor a owl:TransitiveProperty ; owl:inverseOf :descendant .
:parent owl:inverseOf :child . :spouse a owl:SymmetricProperty . :mother owl:equivalentProperty :mom .
:mother rdfs:subPropertyOf :parent . :uncle owl:propertyChainAxiom ( :parent :brother ) .
:cousinsParent owl:propertyChainAxiom ( [ owl:inverseOf :child ] :brother ) .
:Woman rdfs:subClassOf :Human . :Human owl:equivalentClass :Person .
:ann a :Woman ; :mother :bea ; :spouse :carl . :bea :parent :dora ; :brother :emil . :dora :parent :finn .
:gus owl:sameAs :ann . :finn :child :hal .
"""
)


def test_what_follows_is_what_a_kept_reasoner_says(tmp_path: Path) -> None:
    """Every triple about things that OWL RL derives from axioms in common use is in the book, and no other."""
    file = tmp_path / "family.ttl"
    file.write_text(_FAMILY, encoding="utf-8")
    graph = rdflib.Graph().parse(str(file))
    owlrl.DeductiveClosure(owlrl.OWLRL_Semantics).expand(graph)
    names = {_LAND + name for name in "ann bea carl dora emil finn gus hal".split()}
    properties = {
        _LAND + name for name in "parent ancestor descendant child spouse mother mom uncle cousinsParent".split()
    }
    wanted = {
        (str(s), str(p), str(o))
        for s, p, o in graph
        if str(s) in names and (str(p) in properties or (str(p) == RDF_TYPE and str(o).startswith(_LAND)))
    }
    from imprimatur.evals.mining.reading import terms_of

    book = Book(terms_of(quad, "") for quad in quads_of(file))
    found = {
        (subject, name, str(value))
        for subject in names
        for name in (*properties, RDF_TYPE)
        for value in book.values(subject, name)
        if name != RDF_TYPE or str(value).startswith(_LAND)
    }
    assert found == wanted
    assert book.unknown == ()


def test_axioms_that_are_not_followed_are_told(tmp_path: Path) -> None:
    """So that a reader knows where gold may be wrong."""
    ontology = ":A a owl:Class ; owl:intersectionOf ( :B :C ) . :p a owl:AsymmetricProperty ."
    folder = made_mining.write(tmp_path, ':a rdfs:label "Aldo" ; :p :b .', ontology=ontology)
    assert open_source(folder).book.unknown == ("intersectionOf", "AsymmetricProperty")


def test_functional_above_and_inverse() -> None:
    """One value at most follows from the property above; values of one thing each, from the inverse."""
    owl, sub = "http://www.w3.org/2002/07/owl#", "http://www.w3.org/2000/01/rdf-schema#subPropertyOf"
    book = Book(
        [
            ("p:wide", RDF_TYPE, owl + "FunctionalProperty"),
            ("p:narrow", sub, "p:wide"),
            ("p:back", owl + "inverseOf", "p:wide"),
            ("x:a", "p:narrow", "x:b"),
        ]
    )
    assert book.functional == {"p:wide", "p:narrow"}
    assert book.singles("p:narrow") == ("p:narrow", "p:wide")
    assert book.one_each("p:back")
    assert not book.one_each("p:narrow")
    assert book.holds("x:b", "p:back", "x:a")
    assert book.kin("p:narrow") == {"p:narrow", "p:wide", "p:back"}


def test_files_that_are_no_rdf(tmp_path: Path) -> None:
    """Are an error with their name."""
    (tmp_path / "data.ttl").write_text("no turtle at all", encoding="utf-8")
    with pytest.raises(InputError, match="cannot be read as RDF"):
        list(quads_of(tmp_path / "data.ttl"))


def test_the_second_opinion_imports_no_judge() -> None:
    """Gold must not rest on what it measures."""
    folder = Path(book_of.__code__.co_filename).parent
    for name in ("book", "reading", "broken", "values"):
        text = (folder / f"{name}.py").read_text(encoding="utf-8")
        taken = [
            line for line in text.splitlines() if line.strip().startswith(("from imprimatur", "import imprimatur"))
        ]
        allowed = (
            "imprimatur.errors",
            "imprimatur.config",
            "imprimatur.evals.mining",
            "imprimatur.sources.tables.library",
        )
        assert all(line.split()[1].startswith(allowed) for line in taken), name


@pytest.mark.parametrize(
    ("label", "measured", "alone", "linked", "texts"),
    [
        ("flows into", False, True, True, {"X flows into Y."}),
        ("located near", False, False, True, {"X is located near Y."}),
        ("influenced by", False, False, True, {"X was influenced by Y."}),
        ("died in", False, True, False, {"X died in Y."}),
        ("influenced", False, False, True, {"X influenced Y."}),
        ("tributary of", False, False, True, {"X is a tributary of Y."}),
        ("in county", False, False, True, {"X is in Y."}),
        ("has tributary", False, False, True, {"Y is a tributary of X."}),
        ("length", True, True, False, {"The length of X is Y.", "X's length is Y.", "X has a length of Y."}),
        ("number of dams", True, True, False, {"The number of dams of X is Y."}),
        ("designedBy", False, False, True, {"X was designed by Y."}),
        ("sports offered", False, True, True, set()),
        ("longueur", False, True, False, {"The longueur of X is Y.", "X's longueur is Y."}),
    ],
)
def test_sentences(label: str, measured: bool, alone: bool, linked: bool, texts: set[str]) -> None:
    """A label makes the sentences that its form allows, each with a denial."""
    found = list(said(label, "X", "Y", measured=measured, alone=alone, linked=linked))
    assert {each.text for each in found} == texts
    assert all("not" in each.denied.split() for each in found)


def test_members() -> None:
    """The article goes by the first letter."""
    assert member("Aldo", "oven").text == "Aldo is an oven."
    assert member("Aldo", "university").denied == "Aldo is not a university."


@pytest.mark.parametrize(
    ("text", "datatype", "unit", "expected"),
    [
        ("12000.50", "decimal", "http://qudt.org/vocab/unit/KiloM", "12,000.5 km"),
        ("7", "integer", "", "7"),
        ("1e5", "double", "", ""),
        ("1931-05-14", "date", "", "14 May 1931"),
        ("1931-05", "gYearMonth", "", "May 1931"),
        ("-0043", "gYear", "", "43 BC"),
        ("0101", "gYear", "", "AD 101"),
        ("1931-02-31", "date", "", ""),
        ("true", "boolean", "", ""),
        ("", "string", "", ""),
        ("A and B", "string", "", ""),
        ("Cold Water", "string", "", "Cold Water"),
    ],
)
def test_values_as_they_are_written(text: str, datatype: str, unit: str, expected: str) -> None:
    """Plain numbers with their unit, dates in words; what has no plain form gives nothing."""
    assert written(Literal(text, _XSD + datatype), unit) == expected


def test_values_that_are_surely_others() -> None:
    """No rounding, spelling or neighbouring year makes them the same."""
    decimal, year = _XSD + "decimal", _XSD + "gYear"
    assert far_apart(Literal("100", decimal), Literal("60", decimal))
    assert not far_apart(Literal("100", decimal), Literal("99.6", decimal))
    assert not far_apart(Literal("1931", year), Literal("1932", year))
    assert far_apart(Literal("1931", year), Literal("1913", year))
    assert not far_apart(Literal("Coldwater Fishery"), Literal("Cold Water fishery"))
    assert not far_apart(Literal("Cold Water"), Literal("Cold Water Fishery"))
    assert near_any(Book([("x:a", "p:q", Literal("98", decimal))]), "x:a", Literal("100", decimal))
    wrong = other_number(Literal("47.30", decimal), Random(1))
    assert wrong is not None
    assert far_apart(Literal("47.30", decimal), wrong)
    assert other_number(Literal("1850", _XSD + "integer"), Random(1)) is None
    assert (other_unit("5 km"), other_unit("0 km"), other_unit("5 m³")) == ("5 miles", "", "")
