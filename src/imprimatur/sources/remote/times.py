"""Times as a remote graph has them, made as inexact as they are.

Wikidata's direct facts have every time as a day: "in 1952" is ``1952-01-01T00:00:00Z``, and so is the 1950s' and the
20th century's beginning. Taken as they stand, they would license days that nobody has stated. Contract: a time is given
as the day, month or year that its precision says, and not at all where it is less exact than a year. Without a
precision, a day that is not the first of its month is a day, another first of a month is its month, and the first of
January may be anything.
"""

from __future__ import annotations

import re

from imprimatur._expressions import expression
from imprimatur.sources.graph.terms import XSD, RdfLiteral

__all__ = ["DAY", "is_time", "settled"]

#: Wikibase's numbers of precisions.
YEAR, MONTH, DAY = 9, 10, 11
_TIME = expression(r"(-?[0-9]{4,16})-([0-9]{2})-([0-9]{2})(?:T00:00:00(?:\.0+)?Z?)?", re.ASCII)


def is_time(term: RdfLiteral) -> bool:
    """Whether a literal is a date or a time of a date."""
    return term.datatype in (XSD + "dateTime", XSD + "date")


def settled(term: RdfLiteral, precision: int | None) -> RdfLiteral | None:
    """The time as exact as it is; None where it says too little, or cannot be read.

    Args:
        term: a time.
        precision: Wikibase's, where it is known.
    """
    found = _TIME.fullmatch(term.lexical)
    if found is None:
        return None
    year, month, day = found.groups()
    if precision is None:
        if day == "01" and month == "01":
            return None
        precision = MONTH if day == "01" else DAY
    if precision >= DAY:
        return RdfLiteral(f"{year}-{month}-{day}", XSD + "date")
    if precision == MONTH:
        return RdfLiteral(f"{year}-{month}", XSD + "gYearMonth")
    return RdfLiteral(year, XSD + "gYear") if precision == YEAR else None
