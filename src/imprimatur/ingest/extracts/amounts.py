"""Numbers with units, while an extract is written: one unit for each property, as the graph has it.

Contract: of the units that a property's numbers have, the most frequent one (of several the first in order) is the
property's. A number in another unit is converted where both are known, of one dimension, and the result is exact;
otherwise it is left out, for it would be read in the wrong unit.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from fractions import Fraction

from imprimatur.language import units
from imprimatur.sources.graph.terms import NUMERIC_TYPES, XSD, RdfLiteral, parse_number, spoken_name
from imprimatur.sources.tables.numbers import unit_iri
from imprimatur.values import Unit

__all__ = ["Amounts"]

_MOST_DIGITS = 30
_NUMBERS = frozenset(each.removeprefix(XSD) for each in NUMERIC_TYPES)


class Amounts:
    """Counts the units of properties; ``settle`` ends that, and then numbers can be ``put``."""

    def __init__(self) -> None:
        self._counts: dict[str, Counter[str]] = defaultdict(Counter)
        self._units: dict[str, str] = {}
        self._known: dict[str, Unit | None] = {}
        self.left_out = 0

    def count(self, property_: str, unit: str) -> None:
        """Notes that a number of a property has a unit ("" for none)."""
        self._counts[property_][unit] += 1

    @property
    def named(self) -> tuple[str, ...]:
        """The IRIs of all units, sorted."""
        return tuple(sorted({unit for counts in self._counts.values() for unit in counts if unit}))

    def settle(self, words: Mapping[str, str]) -> None:
        """Chooses the units. ``words`` is what units are called; without a name the end of the IRI serves."""
        self._known = {iri: units.parse(words.get(iri) or spoken_name(iri).lower()) for iri in self.named}
        for name, counts in self._counts.items():
            self._units[name] = max(sorted(counts), key=lambda unit: counts[unit])

    def unit(self, property_: str) -> str:
        """The IRI of a property's unit, as the graph has it; "" where it has none or it is not known."""
        found = self._known.get(self._units.get(property_, ""))
        return (unit_iri(found) or "") if found is not None else ""

    def needs_unit(self, property_: str, written: str) -> bool:
        """Whether a value in N-Triples is a number without a unit of a property whose numbers have one."""
        lacks = bool(self._units.get(property_)) and "XMLSchema#" in written.rpartition("^^")[2]
        lacks = lacks and written.rpartition("#")[2].rstrip(">") in _NUMBERS
        self.left_out += lacks
        return lacks

    def put(self, property_: str, lexical: str, unit: str) -> RdfLiteral | None:
        """A number in its property's unit; None for one that cannot be put so."""
        own = self._units.get(property_, "")
        if unit == own:
            return RdfLiteral(lexical, XSD + "decimal")
        first, second = self._known.get(unit), self._known.get(own)
        value = parse_number(lexical, XSD + "decimal")
        made = None
        if first is not None and second is not None and first.dimension == second.dimension and value is not None:
            made = _decimal((value * first.factor + first.offset - second.offset) / second.factor)
        if made is None:
            self.left_out += 1
            return None
        return RdfLiteral(made, XSD + "decimal")


def _decimal(value: Fraction) -> str | None:
    """A fraction as a decimal, exactly; None where it has none of moderate length."""
    for places in range(_MOST_DIGITS):
        scaled = value * 10**places
        if scaled.denominator == 1:
            whole = str(abs(scaled.numerator)).rjust(places + 1, "0")
            text = f"{whole[:-places]}.{whole[-places:]}" if places else whole
            return f"-{text}" if value < 0 else text
    return None
