"""Numbers that may be years are values only of properties that have numbers, or years."""

from __future__ import annotations

from fractions import Fraction

import pytest

from imprimatur.ingest.candidate import Refusal
from imprimatur.ingest.literals import literal_of
from imprimatur.sources.graph.schema import PropertyInfo
from imprimatur.sources.graph.terms import XSD, RdfLiteral
from imprimatur.values import Number, Quantity


def _info(datatype: str | None = None) -> PropertyInfo:
    return PropertyInfo(iri="https://example.org/label", labels=("record label",), datatype=datatype)


@pytest.mark.parametrize("number", [1000, 1999, 2199])
def test_a_year_is_no_number_of_a_property_without_kind(number: int) -> None:
    """It is refused where nothing says that the property has numbers."""
    found = literal_of(Quantity(low=Number(Fraction(number))), _info())
    assert isinstance(found, Refusal)
    assert found.code == "wrong-datatype"


@pytest.mark.parametrize(
    ("number", "datatype", "kept"),
    [
        (1999, "integer", ("1999", "integer")),
        (1999, "gYear", ("1999", "gYear")),
        (37, "", ("37", "decimal")),
        (25000, "", ("25000", "decimal")),
    ],
)
def test_other_numbers_are_kept(number: int, datatype: str, kept: tuple[str, str]) -> None:
    """A property of numbers or years has them; what is no year is a number."""
    info = _info(XSD + datatype if datatype else None)
    assert literal_of(Quantity(low=Number(Fraction(number))), info) == RdfLiteral(kept[0], XSD + kept[1])
