"""The knowledge bases that come with the package: complete folders, whose shapes find what they should."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest
import yaml

from imprimatur.sources.graph.shapes import Shapes, Violation
from imprimatur.sources.graph.store import Graph, GraphFile

BUNDLED = Path(str(files("imprimatur"))) / "kbs"
RIVER = "<https://imprimatur.dev/rivers/id/{}>"
RIVERS = "<https://imprimatur.dev/rivers#{}>"
PERSON = "<http://dbpedia.org/resource/{}>"
CORE = "<http://worldmind.ai/core#{}>"
XSD = "http://www.w3.org/2001/XMLSchema#"


@pytest.fixture(scope="module")
def cache_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where compiled graphs go, so that the tests leave nothing behind."""
    return tmp_path_factory.mktemp("cache")


@cache
def _shapes(name: str, cache_dir: Path) -> Shapes:
    folder = BUNDLED / name
    named = yaml.safe_load((folder / "imprimatur.yaml").read_text())["graph"]
    read = [GraphFile(folder / each) for each in named["data"]]
    read += [GraphFile(folder / each, role="ontology") for each in named["ontology"]]
    return Shapes.load(Graph.load(read, cache_dir=cache_dir), [folder / each for each in named["shapes"]])


def _year(text: str, datatype: str = "gYear") -> str:
    return f'"{text}"^^<{XSD}{datatype}>'


def _metres(text: str) -> str:
    return f'"{text}"^^<{XSD}decimal>'


def _said(violations: tuple[Violation, ...]) -> list[tuple[str, bool]]:
    return [(violation.shape.rpartition("#")[2], violation.conflict) for violation in violations]


@pytest.mark.parametrize("name", ["rivers", "philosophers"])
def test_a_bundled_folder_is_complete(name: str, cache_dir: Path) -> None:
    """Each has a strict configuration, a licence, an attribution, and shapes that are sound and examined."""
    folder = BUNDLED / name
    settings = yaml.safe_load((folder / "imprimatur.yaml").read_text())
    assert (settings["version"], settings["name"], settings["policy"]) == (1, name, "strict")
    assert "CC BY-SA" in (folder / "LICENSE.md").read_text()
    assert "Changes:" in (folder / "ATTRIBUTION.md").read_text()
    shapes = _shapes(name, cache_dir)
    shapes.verify()
    assert shapes.unfocused() == ()
    assert shapes.unanalysed() == ()


def test_the_rivers_graph_has_its_counts(cache_dir: Path) -> None:
    """Triples and focus nodes of the seven constraints, counted, so that a cut file is noticed."""
    shapes = _shapes("rivers", cache_dir)
    assert len(shapes.graph) == 35_188
    assert {each.label: each.focus_nodes for each in shapes.names()} == {
        "discharge": 8053,
        "flows downhill": 8053,
        "geographic consistency": 718,
        "length": 8053,
        "mouth elevation": 8053,
        "source elevation": 8053,
        "tributary type": 2035,
    }


@pytest.mark.parametrize(
    ("subject", "predicate", "value", "shape", "conflict"),
    [
        ("Aapsta", "hasTributary", RIVER.format("Ohio"), "TributaryType", False),
        ("Trout%20Lake", "tributaryOf", RIVER.format("Aapsta"), "TributaryType", False),
        ("Aapsta", "sourceElevation", _metres("0"), "SourceElevationAboveZero", True),
        ("Aapsta", "length", _metres("-1"), "LengthAboveZero", True),
        ("Aapsta", "discharge", _metres("0.0"), "DischargeAboveZero", True),
        ("Aapsta", "mouthElevation", _metres("-100.5"), "MouthElevationNotTooLow", True),
        ("Aapsta", "mouthElevation", _metres("1445"), "MouthBelowSource", True),
        ("Abandon%20Creek", "inCountry", RIVER.format("Canada"), "CountryOfState", True),
    ],
)
def test_each_river_constraint_finds_a_planted_fault(
    cache_dir: Path, subject: str, predicate: str, value: str, *, shape: str, conflict: bool
) -> None:
    """One planted fault for each of the seven constraints, on a boundary where there is one."""
    claim = (RIVER.format(subject), RIVERS.format(predicate), value)
    assert _said(_shapes("rivers", cache_dir).judge([claim])) == [(shape, conflict)]


@pytest.mark.parametrize(
    ("subject", "predicate", "value"),
    [
        ("Aapsta", "hasTributary", RIVER.format("Abandon%20Creek")),
        ("Aapsta", "sourceElevation", _metres("1445.0")),
        ("Aapsta", "length", _metres("0.1")),
        ("Aapsta", "mouthElevation", _metres("-100")),
        ("Abandon%20Creek", "inCountry", RIVER.format("United%20States")),
        ("Aapsta", "inCountry", RIVER.format("Canada")),
        ("Abandon%20Creek", "inState", RIVER.format("Ohio")),
    ],
)
def test_no_river_constraint_blames_a_sound_claim(cache_dir: Path, subject: str, predicate: str, value: str) -> None:
    """Values within bounds pass, and a missing country is silence."""
    claim = (RIVER.format(subject), RIVERS.format(predicate), value)
    assert _shapes("rivers", cache_dir).judge([claim]) == ()


def test_a_stored_but_impossible_river_fact_is_blamed(cache_dir: Path) -> None:
    """A lake stored as a tributary stands in the graph and still breaks the constraint, with words that name it."""
    claim = (RIVER.format("White%20Salmon%20River"), RIVERS.format("hasTributary"), RIVER.format("Trout%20Lake"))
    (violation,) = _shapes("rivers", cache_dir).judge([claim])
    assert violation.message == "Trout Lake: a tributary must be a river"
    assert not violation.conflict


@pytest.mark.slow
def test_the_rivers_graph_breaks_its_shapes_where_known(cache_dir: Path) -> None:
    """The faults that stand in the real data: eight stored tributaries that are not rivers, and no other."""
    check = _shapes("rivers", cache_dir).check_graph()
    assert {key.rpartition("#")[2]: count for key, count in check.by_shape().items()} == {"TributaryType": 8}


@pytest.mark.slow
def test_the_philosophers_graph_breaks_its_shapes_where_known(cache_dir: Path) -> None:
    """The fault that stands in the real data: one teacher born after the student's death."""
    check = _shapes("philosophers", cache_dir).check_graph()
    assert [(v.focus, v.value) for v in check.violations] == [
        (PERSON.format("Burhan_al-Din_al-Marghinani"), PERSON.format("Muhammad_al-Shaybani"))
    ]


@pytest.mark.parametrize(
    ("claims", "shape"),
    [
        ([("Aristotle", "influencedBy", PERSON.format("Bertrand_Russell"))], "TeacherBornInTime"),
        ([("Pyrrho", "influencedBy", PERSON.format("Zeno_of_Sidon"))], "TeacherBornInTime"),
        ([("Bertrand_Russell", "influenced", PERSON.format("Aristotle"))], "TeacherBornInTime"),
        ([("Aristotle__lifespan", "end", _year("-0400"))], "LifeRunsForward"),
        ([("Aristotle", "deathYear", _year("-0400-05-01", "date"))], "LifeRunsForward"),
        ([("Aristotle", "birthYear", _year("322 BC", "string"))], "ReadableYear"),
    ],
)
def test_years_are_compared_across_forms_and_eras(
    cache_dir: Path, claims: list[tuple[str, str, str]], shape: str
) -> None:
    """gYear, BCE and partial dates are compared as numbers; a year that cannot be read is a fault, never silence."""
    triples = [(PERSON.format(s), CORE.format(p), o) for s, p, o in claims]
    found = _said(_shapes("philosophers", cache_dir).judge(triples))
    assert (shape, True) in found


@pytest.mark.parametrize(
    ("subject", "predicate", "value"),
    [
        ("Bertrand_Russell", "influencedBy", PERSON.format("Aristotle")),
        ("Aristotle", "influenced", PERSON.format("Bertrand_Russell")),
        ("Aristotle", "influencedBy", PERSON.format("Plato")),
        ("Aristotle", "deathYear", _year("-0322")),
        ("Aristotle", "birthYear", _year("-0384-01", "gYearMonth")),
    ],
)
def test_no_temporal_constraint_blames_a_sound_claim(cache_dir: Path, subject: str, predicate: str, value: str) -> None:
    """Influence across centuries is sound; an unknown lifespan is silence."""
    claim = (PERSON.format(subject), CORE.format(predicate), value)
    assert _shapes("philosophers", cache_dir).judge([claim]) == ()
