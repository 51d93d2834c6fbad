"""What a sentence says besides: lead-ins, asides, neighbours and headings leave it without a fact."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_facts import document, read, told

from imprimatur.ingest.candidate import Thing
from imprimatur.ingest.ill_named import ill_named
from imprimatur.ingest.ontology_files import read_guardrail
from imprimatur.ingest.ontology_words import words_of_guardrail
from imprimatur.ingest.patterns import PatternReader
from imprimatur.sources.graph.terms import local_name

_NONE = Path(__file__).parent.parent / "golden" / "ingest" / "no_facts.txt"
_TEXTS = [line for line in _NONE.read_text(encoding="utf-8").splitlines() if line and not line.startswith("# Texts")]


@pytest.mark.parametrize("line", _TEXTS, ids=[line[:60] for line in _TEXTS])
def test_what_is_not_stated_gives_no_fact(line: str) -> None:
    """A lead-in, an aside, a doubt, a heading, a neighbour or a column that may change what is said leaves no fact."""
    assert [fact for fact in told(line.replace("\\n", "\n"), "a.md") if " | type | " not in fact] == []


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("However, the Elm Bridge is 38 km long.", ["Elm Bridge | length | 38"]),
        ("The Elm Bridge is 38 km long.[1]", ["Elm Bridge | length | 38"]),
        ("Bo Lind was born in Arden and worked in Delft.", ["Bo Lind | birth place | Arden"]),
        ("Bo Lind, who worked for Arden United, was born in Arden.", ["Bo Lind | birth place | Arden"]),
        ("Bo Lind was born in Arden before joining the Delft Guards.", ["Bo Lind | birth place | Arden"]),
        ("Bo Lind was born in Arden during the Gulf War.", ["Bo Lind | birth place | Arden"]),
        ("Arden is 120 metres above sea level.", ["Arden | elevation in metres | 120"]),
        ("From 1900 to 1910, the Elm Bridge was 38 km long.", ["Elm Bridge | length | 38 | 1900–1910"]),
        ("# Bridges\n\nThe following are bridges:\n\n- The Elm Bridge is 38 km long.", ["Elm Bridge | length | 38"]),
        ("The Elm Bridge crosses the Ob which is in Norland and is 38 km long.", ["Elm Bridge | crosses | Ob"]),
    ],
)
def test_what_changes_nothing(text: str, facts: list[str]) -> None:
    """Words that only join, further clauses of their own, notes and times that are kept leave the fact as it is."""
    assert [fact for fact in told(text, "a.md") if " | type | " not in fact] == facts


def test_why_nothing_is_read() -> None:
    """What is left out is told with the words for which nothing accounts."""
    found = read("In the film, the Elm Bridge is 38 km long.")
    assert [refusal.code for _, refusal in found.refused] == ["unread-words"]
    assert "film" in found.refused[0][1].detail


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("Institute", "The ", "'s director"),
        ("Manager", "where the County ", " is leader"),
        ("American Elliot See", "", " was born"),
        ("Democrat Allan Shivers", "", " was born"),
        ("La Crosse Wisconsin", "", " is"),
        ("Saranac Lake Harrietstown, New York", "in ", ""),
        ("Adisham", "The ", " hall, which"),
        ("T Charlie Johnson", "A ", " is"),
        ("Kempe Gowda", "by ", " I, and"),
        ("AK 07", "plays for Berliner ", "."),
        ("D.C. Asian Americans", "is Washington, ", " are"),
        ("Tributaries of the Ure", "", " include"),
        ("Part of the Elm Bridge", "", " is"),
        ("Today the Elm Bridge", "", " is"),
    ],
)
def test_names_that_are_none(name: str, before: str, after: str) -> None:
    """What is nobody's name, two names, or a part of one, is no end of a fact."""
    assert ill_named(name, before, after)


@pytest.mark.parametrize(
    "name",
    "Bo Lind|Elm Bridge|Volga|New York|South Africa|Magdalene College Cambridge|American Civil War|Washington DC|"
    "President John Roberts|University of Texas at Austin|Lady Anne Monson|Battle of Hastings|Air India".split("|"),
)
def test_names_that_are_some(name: str) -> None:
    """Ordinary names of persons, places, bodies and events are let through."""
    assert not ill_named(name, "of the ", " was")


_OTHER = """
classes: {Person: {}, Country: {}, City: {}, Award: {}, Body: {}, Book: {}, Company: {}}
relations:
  born in: {patterns: [[Person, City]]}
  awards: {patterns: [[Person, Award]]}
  country of origin: {patterns: [[Person, Country]]}
  publisher: {patterns: [[Book, Company]]}
"""


def _reader(folder: Path) -> PatternReader:
    path = folder / "ontology.yaml"
    path.write_text(_OTHER, encoding="utf-8")
    return PatternReader(words_of_guardrail(read_guardrail([path])))


def _other(text: str, tmp_path: Path) -> list[tuple[str, str, str]]:
    reader = _reader(tmp_path)
    out = []
    for each in reader.candidates(document(text)):
        value = each.value.name if isinstance(each.value, Thing) else each.value.lexical
        out.append((each.subject.name, local_name(each.property), value))
    return [fact for fact in out if fact[1] != "type"]


def test_a_plural_is_no_verb(tmp_path: Path) -> None:
    """Whoever awards something has no award by that; who is awarded it has one."""
    assert _other("The Delft Navy awards Bo Lind.", tmp_path) == []
    assert _other("Bo Lind was awarded the Delft Medal by the Delft Navy.", tmp_path) == [
        ("Bo Lind", "awards", "Delft Medal")
    ]


def test_a_language_publishes_nothing(tmp_path: Path) -> None:
    """What is published in English is published by nobody of that name."""
    assert _other("The Long Road was published in English.", tmp_path) == []


def test_what_has_no_dates(tmp_path: Path) -> None:
    """A date is no value of a property that leads to things or texts."""
    assert not [each for each in _other("The Long Road was published on 3 May 1950.", tmp_path) if "1950" in each[2]]


def test_a_town_is_no_country_of_origin(tmp_path: Path) -> None:
    """Who was born in a town comes from no country of its name."""
    facts = _other("Ann Lee was born in Budapest.", tmp_path)
    assert not [fact for fact in facts if fact[1].startswith("country")]


def test_a_known_class_is_not_added_to(tmp_path: Path) -> None:
    """What a property declares of its ends is taken only where what is known says less, not something else."""
    reader = _reader(tmp_path)
    found = reader.candidates(document("France is a country. Ann Lee was born in France."))
    births = [each for each in found if local_name(each.property).startswith("born")]
    assert births
    for each in births:
        assert isinstance(each.value, Thing)
        assert "City" not in {local_name(iri) for iri in each.value.classes}
