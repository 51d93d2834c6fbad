"""Names and relations that a model marks, as proposals; with markers that mark what they are told."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from made_markers import MISSING, Told

from imprimatur.config import ExtractorConfig
from imprimatur.errors import CheckFailed, ConfigError
from imprimatur.extractors.extraction import Extraction, Opened
from imprimatur.extractors.gliner import GlinerExtractor, open_extractor
from imprimatur.extractors.graph_terms import terms_of
from imprimatur.extractors.marker_folder import MarkerFolder
from imprimatur.extractors.markers import Marks
from imprimatur.extractors.terms import Term, Terms, chosen
from imprimatur.oracle import Oracle
from imprimatur.policy import load as load_policy
from imprimatur.protocols import Excerpt, Proposed
from imprimatur.testing.extractors import faults_of, world
from imprimatur.verdict import Label, Reason

BASE = "https://imprimatur.dev/suite/"
NAMES = {"Elm Brook": "brook", "Oak Brook": "brook", "Arden": "town", "Bree": "town", "Corfe": "town"}


def terms() -> Terms:
    """The classes and properties of the suite's world."""
    part = world().part
    assert part is not None
    return terms_of(part.schema)


def made(marker: Any, known: Terms | None = None) -> GlinerExtractor:
    """An extractor over a marker; it pairs where the marker does not relate."""
    return GlinerExtractor(marker, known or terms(), name="made", fingerprint="0", paired=not marker.relates)


def pairs(text: str, marker: Any) -> set[tuple[str, str, tuple[str, ...]]]:
    """The pairs that are proposed, in words."""
    (found,) = made(marker).propose([Excerpt(text=text)], seconds=9)
    assert found.fault == ""

    def words(span: tuple[int, int] | None) -> str:
        return "" if span is None else text[slice(*span)]

    return {
        (words(each.subject), words(each.object), tuple(sorted(name.removeprefix(BASE) for name in each.names)))
        for each in found.claims
    }


def test_terms_are_those_of_the_graph() -> None:
    """Classes with members and properties with facts, by their labels, with what fits them."""
    found = terms()
    assert [term.label for term in found.classes] == ["brook", "town"]
    assert [(term.label, term.value) for term in found.properties] == [
        ("flows through", "entity"),
        ("length", "quantity"),
        ("mouth", "entity"),
    ]
    assert found.properties[0].domains == {BASE + "Brook"}


def test_names_are_paired_as_their_classes_allow() -> None:
    """In both orders, with the properties that fit; and with an end that is named elsewhere."""
    found = pairs("Elm Brook flows through Arden.", Told(NAMES))
    assert ("Elm Brook", "Arden", ("crosses",)) in found
    assert ("Elm Brook", "", ("Brook",)) in found
    assert ("", "Arden", ("crosses",)) in found
    assert not any(subject == "Arden" and other == "Elm Brook" for subject, other, _ in found)


def test_values_are_found_by_rule() -> None:
    """Numbers with their units go with what can have them, whether or not relations are marked."""
    for marker in (Told(NAMES), Told(NAMES, [])):
        assert ("Elm Brook", "12 km", ("length",)) in pairs("Elm Brook is 12 km long.", marker)
        assert ("", "12 km", ("length",)) in pairs("It is 12 km long.", marker)


def test_relations_that_are_marked_stand_as_they_are() -> None:
    """Then nothing is paired but values."""
    marker = Told(NAMES, [("Elm Brook", "flows through", "Arden")])
    found = pairs("Elm Brook flows through Arden and Bree.", marker)
    assert {each for each in found if each[0] and each[1]} == {("Elm Brook", "Arden", ("crosses",))}
    assert marker.asked[0][1:] == (("brook", "town"), ("flows through", "mouth"))


class Odd(Told):
    """A marker that marks what is not there."""

    def __init__(self, marks: Marks) -> None:
        super().__init__({}, [])
        self.marks = marks

    def mark(self, text: str, labels: Any, relations: Any) -> Marks:
        """The marks that it was made with."""
        return self.marks


def test_what_is_marked_behind_the_end_is_left_out() -> None:
    """A span is as long as the text at most; unknown labels and relations of a thing to itself say nothing."""
    marks = Marks(
        (((0, 99), "brook"), ((40, 50), "town"), ((0, 3), "planet")),
        (((0, 3), "flows through", (0, 3)), ((0, 3), "sings to", (4, 9)), ((0, 3), "mouth", (40, 50))),
    )
    (found,) = made(Odd(marks)).propose([Excerpt(text="Elm Brook")], seconds=9)
    assert [(each.start, each.end, each.names) for each in found.claims] == [(0, 9, (BASE + "Brook",))]


def test_a_marker_that_fails_is_a_fault_of_its_excerpt() -> None:
    """And so is a text full of names, and one that comes too late."""

    class Failing(Told):
        def mark(self, text: str, labels: Any, relations: Any) -> Marks:
            raise CheckFailed("reads no more than 5 words at once")

    assert made(Failing({})).propose([Excerpt(text="a b")], seconds=9) == [
        Proposed(fault="reads no more than 5 words at once")
    ]
    many = Marks(tuple(((n, n + 1), "brook") for n in range(60)))
    (found,) = made(Odd(many)).propose([Excerpt(text="x" * 60)], seconds=9)
    assert "more than 40 names" in found.fault
    assert made(Told(NAMES)).propose([Excerpt(text="Arden")], seconds=0) == [Proposed(fault="was late")]
    assert made(Told(NAMES)).propose([Excerpt(text=" \n🙂")], seconds=9) == [Proposed()]


def test_half_a_character_keeps_its_place() -> None:
    """No tokenizer takes it; what stands behind it is where it was."""
    marker = Told(NAMES)
    (found,) = made(marker).propose([Excerpt(text="\ud83d Arden")], seconds=9)
    assert marker.asked[0][0] == "\ufffd Arden"
    assert {each.subject for each in found.claims} == {(2, 7), None}


def checked(text: str, marker: Any) -> Any:
    """The report on an answer about the suite's world, by an extractor over a marker."""
    extraction = Extraction(Opened(made(marker)), terms())
    return Oracle(replace(world(), extraction=extraction), load_policy("redact")).check(text)


def test_a_check_licenses_what_is_marked_and_read() -> None:
    """Relations, values, pronouns, classes and comparisons."""
    text = "Elm Brook flows through Arden and Bree. It is 12 km long. Elm Brook is shorter than Oak Brook."
    report = checked(text, Told(NAMES))
    assert [segment.label for segment in report.segments] == [Label.SUPPORTED] * 3
    assert report.versions.models == ("made (0)",)


@pytest.mark.parametrize(
    ("marker", "labels"),
    [
        (Told({}), ["not_found", "not_found"]),
        (Told({**NAMES, "Bree": "planet"}), ["not_found", "supported"]),
        (Told({**NAMES, "Bree": "brook"}), ["not_found", "supported"]),
        (Told(NAMES, [("Elm Brook", "flows through", "Arden")]), ["not_found", "supported"]),
        (Told(NAMES, [("Elm Brook", "mouth", "Arden"), ("Elm Brook", "mouth", "Bree")]), ["not_found", "supported"]),
    ],
)
def test_what_is_not_marked_is_not_licensed(marker: Any, labels: list[str]) -> None:
    """A name that is missed or of another class, and a relation that is missed or another one."""
    report = checked("Elm Brook flows through Arden and Bree. Elm Brook is 12 km long.", marker)
    found = [segment.label.value for segment in report.segments]
    assert found[0] == labels[0]
    assert Reason.UNCONFIRMED in report.segments[0].reasons
    assert found[1] == ("not_found" if not marker.names else labels[1])


def test_the_suite_passes_over_markers() -> None:
    """Whatever they mark."""
    everything = {**NAMES, "12 km": "brook", "flows": "town", "not": "brook"}
    for marker in (Told(NAMES), Told(everything, [("Elm Brook", "flows through", "Arden")]), Told({})):
        assert faults_of(lambda given, marker=marker: Opened(made(marker, given))) == []  # type: ignore[misc]


def folder(path: Path, *, config: str = "gliner_config.json", weights: str = "model.safetensors", **said: Any) -> Path:
    """A folder that looks like a model's."""
    path.mkdir()
    (path / config).write_text(json.dumps(said))
    (path / weights).write_bytes(b"\0" * 16)
    return path


def test_folders_are_known_by_their_files(tmp_path: Path) -> None:
    """And have a fingerprint of what is in them."""
    one = MarkerFolder.open(folder(tmp_path / "one", max_len=384))
    two = MarkerFolder.open(folder(tmp_path / "two", config="config.json", model_type="extractor"))
    assert (one.library, two.library) == ("gliner", "gliner2")
    assert one.fingerprint != two.fingerprint
    (tmp_path / "one" / "tokenizer.json").write_text("{}")
    assert MarkerFolder.open(tmp_path / "one").fingerprint != one.fingerprint


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"config": "config.json", "model_type": "bert"}, "no model of GLiNER"),
        ({"config": "other.json"}, "no model of GLiNER"),
        ({"weights": "pytorch_model.bin"}, "pickled"),
        ({"weights": "model.onnx"}, "no weights"),
    ],
)
def test_folders_that_may_not_be_opened_are_refused(tmp_path: Path, more: dict[str, Any], told: str) -> None:
    """With how to mend them."""
    path = folder(tmp_path / "model", **more)
    with pytest.raises(ConfigError, match=told) as caught:
        MarkerFolder.open(path)
    assert caught.value.hint
    assert str(path) in caught.value.where


@pytest.mark.parametrize(
    ("config", "told"),
    [
        (ExtractorConfig(kind="gliner"), "no model is named"),
        (ExtractorConfig(kind="gliner", path=Path("/no/such/folder")), "no such folder"),
        (ExtractorConfig(kind="gliner", path=Path("x"), classes=("x:none",)), "no class"),
        (ExtractorConfig(kind="gliner", path=Path("x"), properties=("x:none",)), "no property"),
    ],
)
def test_mistakes_are_told_when_it_is_opened(config: ExtractorConfig, told: str) -> None:
    """Before any answer is read."""
    with pytest.raises(ConfigError, match=told) as caught:
        open_extractor(config, terms())
    assert caught.value.hint


def test_a_graph_has_to_have_classes_and_not_too_many(tmp_path: Path) -> None:
    """There is nothing to look for else; or too much."""
    path = folder(tmp_path / "model")
    config = ExtractorConfig(kind="gliner", path=path, threshold=Fraction(1, 2))
    with pytest.raises(ConfigError, match="no class to look for"):
        open_extractor(config, Terms())
    many = Terms(classes=tuple(Term(iri=f"x:{n}", label=f"kind {n}") for n in range(300)))
    with pytest.raises(ConfigError, match="300 classes") as caught:
        open_extractor(config, many)
    assert "`classes`" in caught.value.hint
    assert [term.iri for term in chosen(many.classes, ["x:7"], what="class", where="")] == ["x:7"]


@pytest.mark.skipif(not MISSING, reason="all of the extra `gliner` is installed")
def test_the_extra_is_named_where_it_is_absent(tmp_path: Path) -> None:
    """With the command that installs it."""
    with pytest.raises(ConfigError, match="not installed") as caught:
        open_extractor(ExtractorConfig(kind="gliner", path=folder(tmp_path / "model")), terms())
    assert caught.value.hint == "pip install 'imprimatur[gliner]'"


def test_an_id_of_a_hub_is_looked_for_in_the_cache_only(tmp_path: Path) -> None:
    """Nothing is fetched unless the operator says so."""
    with pytest.raises(ConfigError, match=r"not installed|does not lie in this machine's hub cache") as caught:
        open_extractor(ExtractorConfig(kind="gliner", hub="nobody/no-such-model"), terms())
    assert caught.value.hint
