"""The guardrail: what it refuses, with all reasons, in words that name what was met and what is allowed."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_ontology import BASE, candidate, guardrail, thing

from imprimatur.ingest.candidate import Candidate, Thing, Value
from imprimatur.ingest.measures import in_own_unit
from imprimatur.ingest.refusing import CODES, fits_datatype
from imprimatur.sources.graph.terms import RDF, RDFS, XSD, RdfLiteral

_ANN, _ACME, _YORK = thing("Ann", "Person"), thing("Acme", "Organization"), thing("York", "City")


def _literal(lexical: str, name: str = "string") -> RdfLiteral:
    return RdfLiteral(lexical, XSD + name)


def _member(subject: Thing, class_: str) -> Candidate:
    return candidate(subject, RDF + "type", Thing(name=class_, iri=BASE + class_))


ALLOWED = [
    candidate(_ANN, "works_at", _ACME),
    candidate(_ANN, "works_at", thing("Uni", "University")),
    candidate(_ANN, "knows", _YORK),
    candidate(thing("Ann"), "knows", thing("Bob")),
    # Of no class, where the other end leaves one.
    candidate(thing("Mara Lenk"), "works_at", _ACME),
    candidate(_ANN, "works_at", thing("Norvex")),
    candidate(_ANN, "height", _literal("172.5", "decimal")),
    candidate(_ANN, "height", _literal("172", "integer")),
    candidate(_ANN, "height", RdfLiteral("1.72", "http://qudt.org/vocab/unit/M")),
    candidate(_ACME, "founded", _literal("1998", "gYear")),
    candidate(_ACME, "founded", _literal("1998-02-28", "date")),
    candidate(_ACME, "status", _literal("open")),
    candidate(_ANN, "nickname", RdfLiteral("Annie", RDF + "langString", "en")),
    _member(_ANN, "Person"),
    _member(_ANN, "Agent"),
]
REFUSED: list[tuple[Candidate, tuple[str, ...]]] = [
    (candidate(_ANN, "owns", _ACME), ("unknown-relation",)),
    (candidate(thing("Rex", "Dog"), "knows", _ANN), ("unknown-class",)),
    (candidate(_ACME, "works_at", _ANN), ("wrong-direction",)),
    (candidate(_YORK, "works_at", _ACME), ("wrong-source",)),
    (candidate(_ANN, "works_at", _YORK), ("wrong-target",)),
    (candidate(_YORK, "works_at", _YORK), ("wrong-source", "wrong-target")),
    # Of no class, with a name that is of another kind; neither end told; and a value that tells nothing of its subject.
    (candidate(thing("Gulf War"), "works_at", _ACME), ("no-class",)),
    (candidate(thing("the U.S."), "works_at", _ACME), ("no-class",)),
    (candidate(thing("x"), "works_at", thing("y")), ("no-class",)),
    (candidate(thing("x"), "height", _literal("172", "decimal")), ("no-class",)),
    (candidate(thing("x"), "works_at", _YORK), ("no-class",)),
    (candidate(thing("Eve", "Agent"), "works_at", _ACME), ("wrong-source",)),
    (candidate(_ANN, "works_at", _literal("Acme")), ("not-a-thing",)),
    (candidate(_ANN, "height", _ACME), ("not-a-value",)),
    (candidate(_ANN, "height", _literal("tall")), ("wrong-datatype",)),
    (candidate(_ANN, "height", _literal("tall", "decimal")), ("wrong-datatype",)),
    (candidate(_ACME, "height", _literal("3", "decimal")), ("wrong-source",)),
    (candidate(_ACME, "staff", _literal("3.5", "decimal")), ("wrong-datatype",)),
    (candidate(_ACME, "founded", _literal("1998-02-30", "date")), ("wrong-datatype",)),
    (candidate(_ANN, "height", RdfLiteral("70", "http://qudt.org/vocab/unit/KiloGM")), ("wrong-unit",)),
    (candidate(_ACME, "staff", RdfLiteral("70", "http://qudt.org/vocab/unit/KiloGM")), ("wrong-unit",)),
    (candidate(_ANN, "height", RdfLiteral("tall", "http://qudt.org/vocab/unit/M")), ("wrong-datatype",)),
    (candidate(_ACME, "status", _literal("sleeping")), ("not-allowed",)),
    (candidate(thing("Ann", "Person", "City"), "knows", _YORK), ("disjoint-classes",)),
    (_member(_ANN, "City"), ("disjoint-classes",)),
    (_member(_ANN, "Unicorn"), ("unknown-class",)),
    (candidate(_ANN, RDF + "type", _literal("Person")), ("not-a-thing",)),
    (candidate(_ACME, "height", _literal("tall", "decimal")), ("wrong-source", "wrong-datatype")),
]


@pytest.mark.parametrize("case", ALLOWED, ids=lambda each: f"{each.subject.name}-{each.property}")
def test_allowed(tmp_path: Path, case: Candidate) -> None:
    """What fits a pattern, by class or by a class above it, is not refused."""
    assert guardrail(tmp_path).refusals(case) == ()


@pytest.mark.parametrize(("case", "codes"), REFUSED, ids=lambda each: str(each)[:60])
def test_refused(tmp_path: Path, case: Candidate, codes: tuple[str, ...]) -> None:
    """What fits none is refused, for all reasons and no other."""
    found = guardrail(tmp_path).refusals(case)
    assert tuple(each.code for each in found) == codes
    assert set(codes) <= CODES.keys()


def test_words_name_relation_classes_and_what_is_allowed(tmp_path: Path) -> None:
    """A refusal says which relation, between what, and what would have been allowed."""
    (turned,) = guardrail(tmp_path).refusals(candidate(_ACME, "works_at", _ANN))
    assert turned.detail == (
        "'works at' leads Person → Organization; found was “Acme” (Organization) → “Ann” (Person), "
        "which would fit turned round"
    )
    (unit,) = guardrail(tmp_path).refusals(
        candidate(_ANN, "height", RdfLiteral("70", "http://qudt.org/vocab/unit/KiloGM"))
    )
    assert unit.detail == "'height' is stored in cm; found was “70” in kg, which is not converted into it"
    (unknown,) = guardrail(tmp_path).refusals(candidate(_ANN, "work_at", _ACME))
    assert "did it mean 'works at'?" in unknown.detail


def test_several_values(tmp_path: Path) -> None:
    """A functional property with another value already has no second one; the same value again is nothing new."""
    made = guardrail(tmp_path)
    born = candidate(_ANN, "born_in", thing("York", "City", iri=BASE + "York"))
    other: Value = thing("Leeds", "City", iri=BASE + "Leeds")
    assert [each.code for each in made.refusals(born, [other])] == ["several-values"]
    assert made.refusals(born, [born.value]) == ()
    tall = candidate(_ANN, "height", _literal("172.0", "decimal"))
    assert made.refusals(tall, [_literal("172", "integer")]) == ()
    assert [each.code for each in made.refusals(tall, [_literal("171", "integer")])] == ["several-values"]
    assert made.refusals(candidate(_ANN, "works_at", _ACME), [other]) == ()


def test_open_guardrail(tmp_path: Path) -> None:
    """An open guardrail lets in what it does not name, and still checks what it does."""
    made = guardrail(tmp_path, closed=False)
    assert made.refusals(candidate(thing("Rex", "Dog"), "barks_at", _ANN)) == ()
    assert [each.code for each in made.refusals(candidate(_ACME, "works_at", _ANN))] == ["wrong-direction"]
    assert [each.code for each in made.refusals(candidate(_ANN, RDFS + "subClassOf", _ACME))] == ["vocabulary"]


def test_measured_values_are_converted_exactly(tmp_path: Path) -> None:
    """A value with a unit is stored as a decimal in the attribute's own unit."""
    made = guardrail(tmp_path)
    stored = in_own_unit(made, candidate(_ANN, "height", RdfLiteral("1.725", "http://qudt.org/vocab/unit/M")))
    assert stored.value == RdfLiteral("172.5", XSD + "decimal")
    inches = in_own_unit(made, candidate(_ANN, "height", RdfLiteral("-10", "http://qudt.org/vocab/unit/IN")))
    assert inches.value == RdfLiteral("-25.4", XSD + "decimal")
    plain = candidate(_ANN, "height", _literal("172", "integer"))
    assert in_own_unit(made, plain) is plain


def test_datatypes() -> None:
    """A literal fits its own datatype and those that hold its kind, if it is written well."""
    assert fits_datatype(_literal("3", "integer"), XSD + "decimal")
    assert not fits_datatype(_literal("3.0", "decimal"), XSD + "integer")
    assert not fits_datatype(_literal("-3", "integer"), XSD + "nonNegativeInteger")
    assert fits_datatype(_literal("3", "byte"), XSD + "int")
    assert not fits_datatype(_literal("300", "integer"), XSD + "byte")
    assert fits_datatype(_literal("3", "decimal"), XSD + "double")
    assert not fits_datatype(_literal("1998"), XSD + "gYear")
    assert not fits_datatype(_literal("1998", "gYear"), XSD + "date")


def test_every_code_is_explained() -> None:
    """The page on the ontology lists every code with its meaning."""
    page = (Path(__file__).parents[2] / "docs" / "ontology.md").read_text(encoding="utf-8")
    assert [f"| `{code}` | {meaning} |" for code, meaning in CODES.items()] == [
        line for line in page.splitlines() if line.startswith("| `")
    ]
