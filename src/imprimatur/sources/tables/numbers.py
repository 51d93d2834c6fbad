"""Numbers in cells: exact values in the unit of their column.

Invariants: a cell is one number, written out, with or without its unit; ranges, "about 5" and ordinals are texts. Cells
that state no unit have the column's; cells of one column that state units of different kinds are texts.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from itertools import islice
from urllib.parse import quote

from imprimatur._expressions import expression
from imprimatur.errors import InputError
from imprimatur.language import quantities, rounding, units
from imprimatur.values import Bound, Quantity, Unit

__all__ = ["decimal", "exact", "is_exact", "lexical", "native", "unit_iri", "unit_of"]

_PLAIN = expression(r"[-+]?\d{1,18}(?:\.\d{1,18})?")
#: So few digits go through binary floats and back unchanged.
_SHORT = expression(r"-?\d{1,7}(?:\.\d{1,7})?")
#: "4.5/5", "4.5 out of 5"
_RATED = expression(r"(\d{1,4}(?:\.\d{1,3})?)\s?(?:/|out of)\s?(\d{1,4})")
_LOOKED_AT = 300
_QUDT = "http://qudt.org/vocab/"
_DIGITS = 18


def exact(cell: str, unit: Unit | None) -> Fraction | None:
    """The number of a cell in a unit (None: as it stands); None for what is no single exact number of that unit."""
    if _PLAIN.fullmatch(cell):
        return Fraction(cell)
    if (rated := _RATED.fullmatch(cell)) is not None:
        return Fraction(rated[1]) if unit is not None and unit == units.scale(int(rated[2])) else None
    found = _quantity(cell)
    if found is None or found.unit is None:
        return None if found is None else found.low.value
    if unit is None or found.unit == unit:
        return found.low.value if found.unit == unit else None
    try:
        return rounding.convert(found.low.value, found.unit, unit)
    except InputError:
        return None


def is_exact(cell: str, unit: Unit | None) -> bool:
    """Whether ``exact`` gives a number; quicker."""
    return _PLAIN.fullmatch(cell) is not None or exact(cell, unit) is not None


def lexical(cell: str, unit: Unit | None) -> str | None:
    """The number of a cell in a unit as ``xsd:decimal`` writes it; None as for ``exact``."""
    if _PLAIN.fullmatch(cell):
        return cell.removeprefix("+")
    number = exact(cell, unit)
    return None if number is None else decimal(number)


def native(cell: str, unit: Unit | None) -> int | float | str:
    """A cell as a database holds it: a number where it is written as one and can be held exactly."""
    if _SHORT.fullmatch(cell):
        return float(cell) if "." in cell else int(cell)
    if any(char.isalpha() for char in cell) or (number := exact(cell, unit)) is None:
        return cell
    if number.denominator == 1 and abs(number) < 1 << 53:
        return int(number)
    return float(number) if Fraction(repr(float(number))) == number else cell


def _quantity(cell: str) -> Quantity | None:
    found = quantities.find(cell) if len(cell) < 60 else ()
    if len(found) != 1 or (found[0].start, found[0].end) != (0, len(cell)):
        return None
    read = found[0].quantity
    return read if read.bound is Bound.EXACT and read.high is None and not read.ordinal else None


def unit_of(cells: Iterable[str]) -> Unit | None:
    """The unit that cells state: the first one's, where all state one; None where they do not."""
    first: Unit | None = None
    cells = [*islice(cells, _LOOKED_AT)]
    best = {rated[2] if (rated := _RATED.fullmatch(cell)) else "" for cell in cells}
    if len(best) == 1 and "" not in best and int(*best) > 1:
        return units.scale(int(*best))
    for cell in cells:
        if _PLAIN.fullmatch(cell) or (read := _quantity(cell)) is None or read.unit is None:
            return None
        first = first or read.unit
    return first


def decimal(number: Fraction) -> str:
    """The number as ``xsd:decimal`` writes it, exact where it has an end, else to 18 digits after the point."""
    whole, rest = divmod(abs(number), 1)
    digits = ""
    while rest and len(digits) < _DIGITS:
        digit, rest = divmod(rest * 10, 1)
        digits += str(digit)
    return f"{'-' if number < 0 else ''}{whole}{'.' if digits else ''}{digits}"


@cache
def unit_iri(unit: Unit) -> str | None:
    """An IRI that ``units.by_iri`` takes for the unit; None for one that cannot be written."""
    name = units.name_of(unit)
    if name is not None:
        return f"{_QUDT}currency/{name[4:]}" if name.startswith("cur:") else f"{_QUDT}unit/{name}"
    written = f"{units.WRITTEN}{quote(unit.symbol, safe='')}"
    return written if units.by_iri(written) == unit else None
