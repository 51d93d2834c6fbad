"""Labels of properties and classes that say the opposite of their last words license nothing by these."""

from __future__ import annotations

from pathlib import Path

import pytest

from imprimatur.oracle import Oracle
from imprimatur.sources.graph.flag_wordings import flag_wordings
from imprimatur.sources.graph.own_words import happened, own_keys, turns
from imprimatur.sources.graph.vocabulary import class_head, class_noun

_HEAD = (
    "@prefix : <https://e.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
    "@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n"
    ':Person a owl:Class ; rdfs:label "person" . :Works a owl:Class ; rdfs:label "works" .\n'
    ':acme a :Works ; rdfs:label "Acme Pumps" .\n'
)


def labels(folder: Path, turtle: str, *texts: str) -> list[str]:
    """What is said of a small graph."""
    (folder / "graph.ttl").write_text(_HEAD + turtle, encoding="utf-8")
    (folder / "imprimatur.yaml").write_text("version: 1\ngraph: {data: [graph.ttl]}\n", encoding="utf-8")
    oracle = Oracle.from_folder(folder, cache_dir=folder / "cache")
    return [str(oracle.check(text).segments[0].label) for text in texts]


@pytest.mark.parametrize(
    "label",
    [
        *("not employed by", "is not employed by", "isn't employed by", "was never employed by", "does not work for"),
        *(
            "has no part",
            "no parent",
            "neither parent of",
            "did not win",
            "has not won",
            "not a member of",
            "half life",
        ),
        *("half life", "few members", "nobody's parent", "cannot join", "isn’t part of"),
    ],
)
def test_properties_that_deny(label: str) -> None:
    """A word that the keys would lose, and that turns what is said, leaves no keys."""
    assert turns(label)
    assert own_keys(label) == frozenset()
    assert flag_wordings([label]) == {}
    assert list(happened(label)) == []


@pytest.mark.parametrize("label", ["employed by", "half-life", "without parent", "notable work", "House no", "knot"])
def test_properties_that_do_not(label: str) -> None:
    """What only looks like it, or stays in the keys, is as before."""
    assert not turns(label)


@pytest.mark.parametrize("label", ["employed by", "half-life", "without parent", "notable work"])
def test_what_does_not_turn_has_keys(label: str) -> None:
    """Such labels are spoken of."""
    assert own_keys(label)


def test_wells() -> None:
    """The depth of a well is no depth of the thing itself, though "well" may be passed over elsewhere."""
    assert {key.key for key in own_keys("well depth")} == {"=depth<well<*"}
    assert own_keys("also known as") == own_keys("known as")


@pytest.mark.parametrize(
    ("label", "head"),
    [
        *(("U.S. state", "state"), ("honorary member", "member"), ("artificial lake", "lake"), ("member", "member")),
        *(("former member", ""), ("non member", ""), ("Non-Member", ""), ("ex-member", ""), ("alleged member", "")),
        *(("not a member", ""), ("no member", ""), ("vice president", ""), ("so-called state", "")),
        *(("fictional human", ""), ("would-be member", ""), ("planned bridge", "")),
    ],
)
def test_heads_of_classes(label: str, head: str) -> None:
    """Whatever is of a class is what its last noun says, unless a word before it undoes that."""
    assert class_head(label) == head


def test_no_member() -> None:
    """A negator stays in the words of a class."""
    assert class_noun("no member") == "member<no"


@pytest.mark.parametrize("label", ["not employed by", "does not work for", "was never employed by"])
def test_a_property_that_denies(tmp_path: Path, label: str) -> None:
    """It licenses neither what it denies nor the contrary of that."""
    turtle = f':q a owl:ObjectProperty ; rdfs:label "{label}" .\n:jo a :Person ; rdfs:label "Jo Tarn" ; :q :acme .\n'
    said = ("Jo Tarn is employed by Acme Pumps.", "Jo Tarn works for Acme Pumps.", "Jo Tarn works at Acme Pumps.")
    assert "supported" not in labels(tmp_path, turtle, *said)


@pytest.mark.parametrize("label", ["not rich", "is not rich", "isn't rich", "never rich"])
def test_a_flag_that_denies(tmp_path: Path, label: str) -> None:
    """Yes to "not rich" is not yes to "rich"; nor is no."""
    turtle = (
        f':q a owl:DatatypeProperty ; rdfs:range xsd:boolean ; rdfs:label "{label}" .\n'
        ':jo a :Person ; rdfs:label "Jo Tarn" ; :q true . :al a :Person ; rdfs:label "Al Moss" ; :q false .\n'
    )
    assert "supported" not in labels(tmp_path, turtle, "Jo Tarn is rich.", "Al Moss is not rich.")


@pytest.mark.parametrize("label", ["former member", "Non-Member", "no member", "fake member", "not a member"])
def test_a_class_that_undoes(tmp_path: Path, label: str) -> None:
    """Being a former or fake member is not being a member, and nothing is denied by it either."""
    turtle = f':q a owl:Class ; rdfs:label "{label}" .\n:jo a :q ; rdfs:label "Jo Tarn" .\n'
    said = ("Jo Tarn is a member.", "Jo Tarn is not a member.", "The member Jo Tarn is a person.")
    assert "supported" not in labels(tmp_path, turtle, *said)
