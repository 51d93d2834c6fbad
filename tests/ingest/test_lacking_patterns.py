"""Patterns that an ontology lacks: found by what it refused, written as a file, and let in by nobody but a person."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from made_ontology import YAML, candidate, guardrail, thing, written

from imprimatur.errors import KnowledgeBaseError
from imprimatur.ingest.candidate import Candidate, Place
from imprimatur.ingest.lacking import as_json, lacking, proposed, short_form
from imprimatur.ingest.ontology import ANY_THING, Pattern
from imprimatur.ingest.ontology_files import read_guardrail
from imprimatur.sources.graph.terms import XSD, RdfLiteral

_ANN, _ACME, _YORK = thing("Ann", "Person"), thing("Acme", "Organization"), thing("York", "City")


def _in(each: Candidate, document: str) -> Candidate:
    return replace(each, place=Place(document=document, start=0, end=4, quote="said"))


_SEATS = [_in(candidate(thing(name, "Organization", "University"), "born_in", _YORK), f"{name}.txt") for name in "abc"]
_MAYORS = [_in(candidate(_YORK, "works_at", thing(name, "City")), "m.txt") for name in "de"]
_HEIGHT = candidate(_YORK, "height", RdfLiteral("3", XSD + "integer"))
_FOUNDED = candidate(_YORK, "founded", RdfLiteral("1200", XSD + "gYear"))
_UNTOLD = candidate(thing("The Void"), "works_at", _ACME)
#: Refused for more than a pattern, or misread.
_WRONG = [
    candidate(_ACME, "works_at", _ANN),
    candidate(_ANN, "owns", _ACME),
    candidate(thing("Rex", "Dog"), "works_at", _ACME),
    candidate(_YORK, "height", RdfLiteral("tall", XSD + "decimal")),
    candidate(_ANN, "works_at", _ACME),
]
_ALL = [*_SEATS, *_MAYORS, _HEIGHT, _FOUNDED, _UNTOLD, *_WRONG]


def _ends(pattern: Pattern) -> tuple[str, str]:
    return pattern.source.rpartition("/")[2], pattern.target.rpartition("/")[2].rpartition("#")[2]


def test_patterns_by_what_was_refused(tmp_path: Path) -> None:
    """An end that fits keeps its class; of several classes the most special that lets as many in is chosen."""
    found = lacking(guardrail(tmp_path), _ALL)
    told = [(each.property.name, _ends(each.pattern), each.facts, each.documents) for each in found if each.told]
    assert told == [
        ("born in", ("University", "City"), 3, 3),
        ("works at", ("City", "City"), 2, 1),
        ("founded", ("City", "gYear"), 1, 1),
        ("height", ("City", "decimal"), 1, 1),
    ]
    (untold,) = [each for each in found if not each.told]
    assert (untold.pattern.source, untold.examples) == (ANY_THING, ("“The Void” — works at — “Acme”",))


def test_a_sentence_said_twice_is_one_fact(tmp_path: Path) -> None:
    """How often something was said is counted apart from how many different things were said."""
    (found,) = lacking(guardrail(tmp_path), [*_SEATS, *(_in(each, "other.txt") for each in _SEATS)])
    assert (found.sentences, found.facts, found.documents) == (6, 3, 4)


def test_order_does_not_matter(tmp_path: Path) -> None:
    """The same candidates in another order give the same patterns."""
    first = lacking(guardrail(tmp_path), _ALL)
    for seed in range(5):
        assert lacking(guardrail(tmp_path), Random(seed).sample(_ALL, len(_ALL))) == first


def test_the_file_lets_in_what_it_says(tmp_path: Path) -> None:
    """Named beside the ontology it lets in what its patterns say, and nothing else; comments let in nothing."""
    before = guardrail(tmp_path)
    text = short_form(before, lacking(before, _ALL))
    files = [written(tmp_path, "ontology.yaml", YAML), written(tmp_path, "more.yaml", text)]
    after = read_guardrail(files)
    for each in (*_SEATS, *_MAYORS, _HEIGHT, _FOUNDED):
        assert before.refusals(each)
        assert after.refusals(each) == ()
    for each in (_UNTOLD, *_WRONG):
        assert bool(after.refusals(each)) == bool(before.refusals(each))
    assert {c.iri for c in after.classes} == {c.iri for c in before.classes}
    assert {(p.iri, p.labels, p.single, p.unit) for p in after.properties} == {
        (p.iri, p.labels, p.single, p.unit) for p in before.properties
    }


def test_any_thing_where_a_person_says_so(tmp_path: Path) -> None:
    """A pattern that is a comment, for no class is told, lets in any thing once a person has made it a line."""
    before = guardrail(tmp_path)
    text = short_form(before, lacking(before, [_UNTOLD]))
    assert '    # - ["*", "Organization"]' in text
    more = written(tmp_path, "more.yaml", text.replace("# - [", "- ["))
    after = read_guardrail([written(tmp_path, "ontology.yaml", YAML), more])
    assert after.refusals(_UNTOLD) == ()
    assert after.refusals(candidate(_ANN, "works_at", _YORK)) != ()


def test_names_cannot_leave_their_comment(tmp_path: Path) -> None:
    """A name with line ends, or one that looks like YAML, adds nothing to the file."""
    hostile = 'x\n    - ["*", "*"]\r\u2028closed: false'
    held = candidate(
        thing(hostile.replace("\n", " ").replace("\r", " ").replace("\u2028", " "), "City"), "works_at", _ACME
    )
    before = guardrail(tmp_path)
    assert lacking(before, [candidate(thing(hostile, "City"), "works_at", _ACME)]) == ()
    text = short_form(before, lacking(before, [held]))
    after = read_guardrail([written(tmp_path, "ontology.yaml", YAML), written(tmp_path, "more.yaml", text)])
    assert after.closed
    (works_at,) = after.properties_named("works at")
    assert [_ends(each) for each in (after.property_(works_at) or before.properties[0]).patterns] == [
        ("City", "Organization"),
        ("Person", "Organization"),
    ]


def test_nothing_is_lacking(tmp_path: Path) -> None:
    """Where nothing was refused for a pattern the file is a comment alone."""
    before = guardrail(tmp_path)
    assert lacking(before, _WRONG) == ()
    assert short_form(before, ()).startswith("#")
    assert as_json(lacking(before, _MAYORS))[0]["facts"] == 2


def test_no_store(tmp_path: Path) -> None:
    """A folder without facts is an error that says so."""
    with pytest.raises(KnowledgeBaseError, match="no facts"):
        proposed(tmp_path)
