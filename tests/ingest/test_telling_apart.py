"""Two things of one name: what tells them apart, what does not, and what a single document can do to others."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from made_ontology import BASE, thing
from made_things import NEW, resolver, said, things

from imprimatur.ingest.candidate import Candidate
from imprimatur.ingest.name_keys import alike
from imprimatur.ingest.place_names import is_place_class, place_key
from imprimatur.ingest.resolving import Resolved
from imprimatur.ingest.validating import validate
from imprimatur.sources.graph.terms import XSD, RdfLiteral

_ACME, _SALEM = thing("Acme", "Company"), thing("Salem", "City")


def _year(text: str) -> RdfLiteral:
    return RdfLiteral(text, XSD + "gYear")


def _resolved(folder: Path, batch: list[Candidate]) -> list[Resolved]:
    """What becomes of a batch, the same in every order."""
    made = resolver(folder)
    first = dict(zip(batch, made.resolve(batch), strict=True))
    for seed in range(6):
        turned = random.Random(seed).sample(batch, len(batch))
        assert dict(zip(turned, made.resolve(turned), strict=True)) == first
    return list(first.values())


def _subjects(found: list[Resolved]) -> list[str]:
    return ["" if each.refusals else each.candidate.subject.iri.removeprefix(BASE) for each in found]


def test_documents_that_give_different_years(tmp_path: Path) -> None:
    """What such documents say of the name is held back, all of it; a document that gives no year is not touched."""
    zed = thing("Zed Moor", "Person")
    batch = [
        said(zed, "born", _year("1950")),
        said(zed, "works_at", _ACME, at=60),
        said(zed, "born", _year("1981"), document="b.txt"),
        said(zed, "knows", _SALEM, document="b.txt", at=60),
        said(zed, "knows", _ACME, document="c.txt"),
    ]
    found = _resolved(tmp_path, batch)
    assert _subjects(found) == ["", "", "", "", "new/person/Zed_Moor"]
    (refusal,) = found[1].refusals
    assert refusal.code == "ambiguous-thing"
    assert "“1950” and “1981”" in refusal.detail


@pytest.mark.parametrize(
    ("property_", "values"),
    [
        ("born", (_year("1950"), _year("1950"))),
        ("born", (_year("1950"), RdfLiteral("1950-03-01", XSD + "date"))),
        ("population", (RdfLiteral("5", XSD + "integer"), RdfLiteral("6", XSD + "integer"))),
        ("knows", (_ACME, _SALEM)),
    ],
)
def test_documents_that_may_speak_of_one(tmp_path: Path, property_: str, values: tuple[RdfLiteral, RdfLiteral]) -> None:
    """The same year, a day in it, numbers, and values of which there may be several tell nothing apart."""
    kind = "City" if property_ == "population" else "Person"
    batch = [said(thing("Zed", kind), property_, value, document=f"{n}.txt") for n, value in enumerate(values)]
    assert len(set(_subjects(_resolved(tmp_path, batch)))) == 1
    assert not any(each.refusals for each in _resolved(tmp_path, batch))


def test_one_document_against_the_graph(tmp_path: Path) -> None:
    """A document that gives a known person another year is held back; other documents are not held for it."""
    smith = thing("John Smith", "Person")
    batch = [
        said(smith, "born", _year("1981"), document="hostile.txt"),
        said(smith, "knows", _SALEM, document="hostile.txt", at=60),
        said(smith, "knows", _SALEM, document="b.txt"),
    ]
    assert _subjects(_resolved(tmp_path, batch)) == ["", "", "john_smith"]


def test_kin_of_one_name(tmp_path: Path) -> None:
    """A river that is named as a known city is in doubt; a person so named is new, for nobody is a place."""
    (river,) = _resolved(tmp_path, [said(thing("Salem", "River"), "knows", _ACME)])
    assert "disjoint" in river.refusals[0].detail
    (person,) = _resolved(tmp_path, [said(thing("Salem", "Person"), "knows", _ACME)])
    assert person.candidate.subject.iri == NEW + "person/Salem"


def test_names_of_one_place(tmp_path: Path) -> None:
    """Abbreviations of a place's name are that place; of a company they are names of its own."""
    batch = [
        said(thing(name, "City"), "knows", _ACME, document=f"{n}.txt")
        for n, name in enumerate(("U.S.", "USA", "the United States", "United States of America"))
    ]
    assert len(set(_subjects(_resolved(tmp_path, batch)))) == 1
    batch = [said(thing(name, "Company"), "knows", _SALEM, document=name) for name in ("USA", "United States")]
    assert len(set(_subjects(_resolved(tmp_path, batch)))) == 2


def test_place_keys() -> None:
    """Only abbreviations and forms that hold each other's words, of names that are of one place alone."""
    assert place_key("U.K.") == place_key("United Kingdom") == "united kingdom"
    for name in ("Holland", "America", "Georgia", "Washington", "Man", "Isle of Man", "Acme", "New York", "Britain"):
        assert place_key(name) == alike(name)
    assert is_place_class(("country",))
    assert not is_place_class(("person", "company"))


def test_signs_and_initials() -> None:
    """A minus is no hyphen, and an initial that is glued to a name is one."""
    assert alike("Unit -2") != alike("Unit 2")
    assert alike("Boeing 737-800") == alike("Boeing 737 800")
    assert alike("Abraham A.Ribicoff") == alike("Abraham A. Ribicoff")
    assert alike("U.S.A.") == "usa"


def test_the_graph_knows_better_than_a_reader(tmp_path: Path) -> None:
    """A thing of the graph is held against patterns as what the graph says, or as a kind of that."""
    known = things(tmp_path)
    salem, paris = (thing(name, "River", iri=BASE + name.lower()) for name in ("Salem", "Paris"))
    acme = thing("Acme", "Company", iri=BASE + "acme")
    batch = [
        said(salem, "flows_through", paris),
        said(thing("x", "Politician", iri=BASE + "hilton"), "works_at", acme),
        said(thing("x", iri=BASE + "salem"), "seat", acme),
    ]
    codes = [[refusal.code for refusal in each] for each in validate(known, None, batch).refusals]
    assert codes == [["wrong-source"], [], ["wrong-direction"]]
