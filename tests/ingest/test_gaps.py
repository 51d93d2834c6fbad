"""Which attributes a graph lacks."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_harbour import BASE, write_harbour

from imprimatur.config import load_folder
from imprimatur.errors import KnowledgeBaseError
from imprimatur.ingest.gaps import Lack, gaps_of
from imprimatur.knowledge import open_knowledge


def _gaps(folder: Path, **how: object) -> dict[tuple[str, str], Lack]:
    knowledge = open_knowledge(load_folder(folder), cache_dir=folder / "cache")
    found = gaps_of(knowledge, **how)  # type: ignore[arg-type]
    return {lack.names: lack for lack in found}


def _things(lack: Lack) -> list[str]:
    return [iri.removeprefix(BASE) for iri in lack.things]


def test_what_most_have(tmp_path: Path) -> None:
    """A property that half of a class has is lacking where it is not there; the shares are told."""
    found = _gaps(write_harbour(tmp_path))
    assert {names: _things(lack) for names, lack in found.items()} == {
        ("lighthouse", "height"): ["point"],
        ("lighthouse", "is lit"): ["cape", "skerry"],
        ("lighthouse", "keeper"): ["point"],
        ("lighthouse", "year of building"): ["skerry"],
        ("person", "date of birth"): ["ann", "ann2", "ann3"],
    }
    keeper = found["lighthouse", "keeper"]
    assert (keeper.have, keeper.members, keeper.share, keeper.by_shape) == (3, 4, 0.75, False)


def test_what_shapes_want(tmp_path: Path) -> None:
    """A shape's minCount is a wish whatever the share; one that is switched off is none."""
    found = _gaps(write_harbour(tmp_path), least=0.9)
    assert {names: lack.by_shape for names, lack in found.items()} == {
        ("lighthouse", "height"): True,
        ("person", "date of birth"): True,
    }


def test_one_class_or_property(tmp_path: Path) -> None:
    """Only the class or the property that is named is looked at."""
    folder = write_harbour(tmp_path)
    assert set(_gaps(folder, cls=BASE + "Person")) == {("person", "date of birth")}
    assert set(_gaps(folder, property_=BASE + "keeper")) == {("lighthouse", "keeper")}


def test_what_a_model_made_is_counted_apart(tmp_path: Path) -> None:
    """A value of a model fills no gap and makes no share; its thing is not asked about again."""
    model = ":skerry :lit true . :cape :built '1901'^^xsd:gYear ."
    found = _gaps(write_harbour(tmp_path, model=model))["lighthouse", "is lit"]
    assert (found.have, found.proposed, _things(found)) == (2, 1, ["cape"])


def test_nothing_is_missing_of_what_is_complete(tmp_path: Path) -> None:
    """Of a property that is declared complete, an absent value is a fact and no gap."""
    found = _gaps(write_harbour(tmp_path, more=f"  complete: ['{BASE}height', '{BASE}keeper']"))
    assert {names for names in found if names[0] == "lighthouse"} == {
        ("lighthouse", "is lit"),
        ("lighthouse", "year of building"),
    }


def test_other_ways_to_say_it(tmp_path: Path) -> None:
    """A value by a sub-property or an inverse counts; a superclass repeats nothing; transitive ones lack none."""
    folder = write_harbour(tmp_path)
    with (folder / "ontology.ttl").open("a", encoding="utf-8") as file:
        file.write(
            ":headKeeper rdfs:subPropertyOf :keeper . :keeps owl:inverseOf :keeper . :Building rdfs:label 'building' ."
            ":Light rdfs:subClassOf :Building . :near a owl:TransitiveProperty ; rdfs:label 'near' .\n"
        )
    with (folder / "data.ttl").open("a", encoding="utf-8") as file:
        file.write(":point :headKeeper :jo . :holm :near :cape, :skerry . :cape :near :holm . :jo :keeps :holm .\n")
    found = _gaps(folder)
    assert ("lighthouse", "keeper") not in found
    assert not [names for names in found if names[0] == "building" or names[1] == "near"]


def test_things_without_a_name(tmp_path: Path) -> None:
    """Blank nodes are no things to ask about."""
    folder = write_harbour(tmp_path)
    with (folder / "data.ttl").open("a", encoding="utf-8") as file:
        file.write("[] a :Light .\n")
    assert _things(_gaps(folder)["lighthouse", "height"]) == ["point"]


def test_without_a_graph(tmp_path: Path) -> None:
    """A knowledge base without a graph lacks one."""
    (tmp_path / "imprimatur.yaml").write_text("version: 1\n", encoding="utf-8")
    with pytest.raises(KnowledgeBaseError, match="no graph"):
        _gaps(tmp_path)
