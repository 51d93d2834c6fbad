"""Functions of SPARQL expressions, each against its outcome in SPARQL 1.1 and in pySHACL."""

from __future__ import annotations

from pathlib import Path

import pytest
from small import claim, found, made, query

from imprimatur.errors import CheckFailed

DATA = """
:a :p "abc" , "Ab c"@en ; :day "2011-01-10"^^xsd:date ; :at "2011-01-10T14:45:13.5-05:00"^^xsd:dateTime ; :n 3 , -2.5 .
"""
ON_A = ":S a sh:NodeShape ; sh:targetNode :a ; "

#: A test that holds for the value of ``:p``, ``:day``, ``:at`` or ``:n`` that stands beside it, and only for that.
HOLDING = {
    "SUBSTR(?value, 2) = 'bc'": '"abc"',
    "SUBSTR(?value, 1, 2) = 'Ab'@en": '"Ab c"@en',
    "STRBEFORE(?value, 'c') = 'ab'": '"abc"',
    "STRAFTER(?value, ' ') = 'c'@en": '"Ab c"@en',
    "STRAFTER(?value, 'a') = 'bc'": '"abc"',
    "CONCAT(?value, 'd') = 'abcd'": '"abc"',
    "CONCAT(?value, 'd'@en) = 'Ab cd'@en": '"Ab c"@en',
    "ENCODE_FOR_URI(?value) = 'Ab%20c'": '"Ab c"@en',
    "IRI(CONCAT('http://e/', ?value)) = :abc": '"abc"',
    "MD5(?value) = '900150983cd24fb0d6963f7d28e17f72'": '"abc"',
    "SHA1(?value) = 'a9993e364706816aba3e25717850c26c9cd0d89d'": '"abc"',
    "STRSTARTS(SHA256(?value), 'ba7816bf')": '"abc"',
    "STRDT(STR(?value), :unit) = 'abc'^^:unit": '"abc"',
    "STRLANG(STR(?value), 'de') = 'abc'@de": '"abc"',
    "CONTAINS(?value, ' '@en)": '"Ab c"@en',
    "YEAR(?value) = 2011 && !bound(?x) && HOURS(?value) = 14": '"2011-01-10T14:45:13.5-05:00"^^<{}dateTime>',
    "MINUTES(?value) = 45 && SECONDS(?value) = 13.5": '"2011-01-10T14:45:13.5-05:00"^^<{}dateTime>',
    "TZ(?value) = '-05:00'": '"2011-01-10T14:45:13.5-05:00"^^<{}dateTime>',
    "DATATYPE(?value) = xsd:date && DAY(?value) = 10 && MONTH(?value) = 1": '"2011-01-10"^^<{}date>',
    "ABS(?value) = 2.5": '"-2.5"^^<{}decimal>',
    "CEIL(?value) = -2": '"-2.5"^^<{}decimal>',
    "ROUND(?value) = 3": '"3"^^<{}integer>',
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("test", HOLDING)
def test_a_function_gives_what_sparql_says(test: str, tmp_path: Path) -> None:
    """The query is compiled, and finds the one value that fits, as pySHACL does."""
    shapes = f"{ON_A}{query(f'$this :p|:day|:at|:n ?value FILTER ({test})')} ."
    subject = made(tmp_path, DATA, shapes)
    assert [each.way for each in subject.ways()] == ["compiled"]
    expected = HOLDING[test].format("http://www.w3.org/2001/XMLSchema#")
    assert {value for _, _, value in found(subject)} == {expected}
    assert found(made(tmp_path, DATA, shapes, engine="pyshacl")) == found(subject)


#: A test of ``:n`` that has no outcome, and what is said of it.
FAILING = {
    "YEAR(?value) = 2011": "long ago has no YEAR",
    "HOURS(?value) = 1": "long ago has no HOURS",
    "SUBSTR(?value, 'x') = 'y'": "x is no number",
    "SUBSTR(?value, 1.5) = 'y'": "1.5 is no whole number",
    "STRLANG('a'@en, 'de') = ?value": "has a language already",
    "STRDT('a'@en, xsd:string) = ?value": "cannot be given the datatype",
    "IRI(?value) = :a": "is no IRI",
    "CONTAINS('a'@en, 'a'@de)": "are in two languages",
}


@pytest.mark.parametrize("test", FAILING)
def test_a_function_without_outcome_is_not_passed_over(test: str, tmp_path: Path) -> None:
    """A claim that brings in such a value is not judged."""
    subject = made(tmp_path, DATA, f"{ON_A}{query(f'$this :q ?value FILTER ({test})')} .")
    with pytest.raises(CheckFailed, match=FAILING[test]):
        subject.judge([claim("a", "q", '"long ago"')])
