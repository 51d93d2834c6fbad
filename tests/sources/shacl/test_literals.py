"""Values of literals: order, equality and well-formedness."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from imprimatur.sources.graph.terms import RDF, XSD, RdfLiteral
from imprimatur.sources.shacl.literals import compare, equal, value_of, well_formed


def _literal(text: str, kind: str) -> RdfLiteral:
    return RdfLiteral(text, RDF + "langString", "en") if kind == "en" else RdfLiteral(text, XSD + kind)


ORDERS = (
    (("1", "integer"), ("1.0", "decimal"), 0),
    (("2", "integer"), ("1E1", "double"), -1),
    (("INF", "double"), ("9", "integer"), 1),
    (("NaN", "double"), ("9", "integer"), None),
    (("a", "string"), ("b", "string"), -1),
    (("a", "string"), ("1", "integer"), None),
    (("a", "en"), ("b", "en"), None),
    (("x", "integer"), ("1", "integer"), None),
    (("300", "byte"), ("1", "integer"), None),
    (("false", "boolean"), ("1", "boolean"), -1),
    (("-0384", "gYear"), ("-0347", "gYear"), -1),
    (("1815", "gYear"), ("1816-01-01", "date"), -1),
    (("1815", "gYear"), ("1815-06-18", "date"), None),
    (("1769", "integer"), ("1815", "gYear"), -1),
    (("1815", "gYear"), ("1815", "integer"), 0),
    (("2002-10-10T12:00:00Z", "dateTime"), ("2002-10-10T14:00:00+02:00", "dateTime"), 0),
    (("2002-10-10T12:00:00Z", "dateTime"), ("2002-10-10T12:00:00", "dateTime"), None),
    (("12:00:00", "time"), ("13:00:00", "time"), -1),
    (("12:00:00", "time"), ("2000", "gYear"), None),
    (("12:00:00", "time"), ("2000", "integer"), None),
)


@pytest.mark.parametrize(("left", "right", "order"), ORDERS)
def test_order(left: tuple[str, str], right: tuple[str, str], order: int | None) -> None:
    """Each pair has its order, and the reverse order the other way round."""
    a, b = value_of(_literal(*left)), value_of(_literal(*right))
    assert compare(a, b) == order
    assert compare(b, a) == (order if order is None else -order)


EQUALITIES = (
    (("1", "integer"), ("1.0", "decimal"), True),
    (("1", "integer"), ("1", "string"), False),
    (("a", "en"), ("a", "string"), False),
    (("x", "integer"), ("y", "integer"), None),
    (("x", "integer"), ("x", "integer"), True),
)


@pytest.mark.parametrize(("left", "right", "same"), EQUALITIES)
def test_equality(left: tuple[str, str], right: tuple[str, str], same: bool | None) -> None:
    """Ill-typed values of one type may or may not be equal."""
    assert equal(value_of(_literal(*left)), value_of(_literal(*right))) is same


WELL = (
    ("12", "integer", True),
    ("1.5", "integer", False),
    ("128", "byte", False),
    ("-0", "nonNegativeInteger", True),
    ("-1", "unsignedLong", False),
    ("yes", "boolean", False),
    ("2020-02-30", "date", False),
    ("2000-02-29", "date", True),
    ("1900-02-29", "date", False),
    ("25:00:00", "time", False),
    ("24:00:00", "time", True),
    ("2000-01-01T00:00:60", "dateTime", False),
    ("whatever", "gYear", True),
    ("9" * 100_000, "date", False),
)


@pytest.mark.parametrize(("text", "kind", "well"), WELL)
def test_well_formed(text: str, kind: str, well: bool) -> None:
    """Only the datatypes that W3C SHACL asks for are checked."""
    assert well_formed(_literal(text, kind)) is well


@given(st.dates(), st.dates())
def test_days_compare_as_days(first: date, second: date) -> None:
    """The calendar agrees with Python's, and so do years with days in other years."""
    a, b = value_of(_literal(first.isoformat(), "date")), value_of(_literal(second.isoformat(), "date"))
    assert compare(a, b) == (first > second) - (first < second)
    year = value_of(_literal(f"{first.year:04}", "gYear"))
    assert compare(year, b) == (None if first.year == second.year else (-1 if first.year < second.year else 1))
