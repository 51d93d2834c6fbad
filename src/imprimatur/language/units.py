"""Units of measure and currencies: exact factors, looked up by QUDT IRI or by what people write.

Contract: every factor is an exact ``Fraction`` (degrees are kept as degrees, so that no π is needed). Names follow
the QUDT vocabulary (https://qudt.org/vocab/unit/): a name is a table row, an SI prefix on one, a power (``KiloM2``),
a product (``KiloW-HR``) or a ratio (``M3-PER-SEC``). The table is the resource ``units.tsv`` and is read at first
use; a unit is made when it is first asked for.

Months and years have a dimension of their own, apart from days and seconds, since no exact number of days makes a
month. Every currency is a dimension of its own. Percentage points are not percent.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field, replace
from fractions import Fraction
from functools import cache, lru_cache
from pathlib import Path

from imprimatur._dataclasses import dataclass
from imprimatur._expressions import expression
from imprimatur.values import Unit

__all__ = [
    "LATITUDE",
    "LONGITUDE",
    "UNITLESS",
    "WRITTEN",
    "by_iri",
    "by_name",
    "first_words",
    "name_of",
    "named",
    "parse",
    "power",
    "product",
    "ratio",
    "scale",
    "scale_of",
]

LATITUDE = Unit("deg-lat", (("deg", 1),))
LONGITUDE = Unit("deg-lon", (("deg", 1),))
UNITLESS = Unit("", ())

_TABLE = Path(__file__).parent.parent / "resources" / "units.tsv"
_IRI = expression(r"https?://qudt\.org/vocab/(unit|currency)/([A-Za-z0-9_%.-]{1,80})\Z")
#: Before a unit's symbol (percent-encoded) this makes an IRI of it, for units that QUDT has no name for.
WRITTEN = "urn:imprimatur:unit:"
_SCALE = expression(r"/(\d{1,4})\Z")
_NAME_POWER = expression(r"([A-Za-z_]+)([2-9])\Z")
_CURRENCY = expression(r"[A-Z]{3}\Z")
_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_PREFIXES: dict[str, tuple[str, str, tuple[str, ...], int]] = {
    "n": ("Nano", "nano", ("n",), -9),
    "µ": ("Micro", "micro", ("µ", "u", "mc"), -6),
    "m": ("Milli", "milli", ("m",), -3),
    "c": ("Centi", "centi", ("c",), -2),
    "d": ("Deci", "deci", ("d",), -1),
    "h": ("Hecto", "hecto", ("h",), 2),
    "k": ("Kilo", "kilo", ("k", "K"), 3),
    "M": ("Mega", "mega", ("M",), 6),
    "G": ("Giga", "giga", ("G",), 9),
    "T": ("Tera", "tera", ("T",), 12),
    "P": ("Peta", "peta", ("P",), 15),
}

# Two-letter symbols that no state, month or initialism in capitals shadows.
_SAFE_IN_ANY_CASE = frozenset({"km", "kg", "cm", "mm", "ml", "ft", "mi", "lb", "oz", "yd", "hp", "kw", "hr"})

Dimension = tuple[tuple[str, int], ...]
#: A line of the table and the letter of an SI prefix, or none: what a unit is made from.
_Row = tuple[str, str]


@dataclass(frozen=True, slots=True)
class _Table:
    """The rows by QUDT name, and the readings of every written symbol (exact case) and word (lower case)."""

    names: dict[str, _Row] = field(default_factory=dict)
    symbols: dict[str, list[_Row]] = field(default_factory=dict)
    words: dict[str, list[_Row]] = field(default_factory=dict)

    def enter(self, row: _Row, name: str, written: list[str], spoken: list[str]) -> None:
        """Adds the row under a name, symbols and words."""
        if name:
            self.names.setdefault(name, row)
        for alias in written:
            self.symbols.setdefault(alias, []).append(row)
        for alias in spoken:
            for form in {alias.lower(), _plural(alias.lower())}:
                self.words.setdefault(form, []).append(row)


@lru_cache(maxsize=2048)
def by_iri(iri: str) -> Unit | None:
    """The unit of a QUDT unit or currency IRI, or of ``WRITTEN`` and a symbol; None for an unknown one."""
    if iri.startswith(WRITTEN):
        from urllib.parse import unquote  # few graphs have such

        symbol = unquote(iri[len(WRITTEN) :])
        best = _SCALE.match(symbol)
        return parse(symbol) if best is None else scale(int(best[1]))
    match = _IRI.match(iri)
    if match is None:
        return None
    vocabulary, name = match.groups()
    return by_name(f"cur:{name}" if vocabulary == "currency" else name)


def name_of(unit: Unit) -> str | None:
    """The QUDT local name of a unit, or ``cur:`` and a code; None for one that only a combination of names gives."""
    return next((name for name in _table().names if by_name(name) == unit), None)


@lru_cache(maxsize=2048)
def by_name(name: str) -> Unit | None:
    """The unit of a QUDT local name (``KiloM-PER-HR``) or of ``cur:`` and an ISO 4217 code; None when unknown."""
    row = _table().names.get(name)
    return _unit(row) if row is not None else _composed(name)


def scale(best: int) -> Unit:
    """The unit of ratings up to ``best`` ("4.5 out of 5"): of its own dimension, so that no other scale converts."""
    return Unit(f"/{best}", ((f"of:{best}", 1),))


def scale_of(unit: Unit | None) -> int | None:
    """The best value of a unit of ratings; None for another unit."""
    base = unit.dimension[0][0] if unit is not None and len(unit.dimension) == 1 else ""
    return int(base[3:]) if base.startswith("of:") else None


def parse(written: str) -> Unit | None:
    """The primary unit that a symbol or phrase stands for ("km²", "cubic feet per second", "€"); None when unknown."""
    from imprimatur.language import unit_phrases

    found = unit_phrases.read_all(written)
    return found[0] if found else None


@lru_cache(maxsize=4096)
def named(written: str) -> tuple[Unit, ...]:
    """All readings of one simple unit alias, the primary one first; symbols keep their case, words do not."""
    table = _table()
    rows = table.symbols.get(written)
    if rows is not None:
        return _units(rows)
    lower = written.lower()
    rows = table.words.get(lower)
    if rows is not None:
        return tuple(dict.fromkeys(_units(rows)))
    return _folded(lower) if len(written) > 2 or lower in _SAFE_IN_ANY_CASE else ()


@cache
def first_words() -> frozenset[str]:
    """The first words of all aliases, in lower case: no unit phrase starts with another word, but for a power's."""
    table = _table()
    return frozenset(alias.lower().split(" ")[0] for alias in (*table.symbols, *table.words))


def power(unit: Unit, exponent: int) -> Unit | None:
    """``unit`` to a power other than 0; None where that has no meaning (temperature scales, exponents beyond 9)."""
    if unit.offset or exponent == 0 or abs(exponent) > 9:
        return None
    if exponent == 1:
        return unit
    dimension = tuple((base, times * exponent) for base, times in unit.dimension)
    mark = {2: "²", 3: "³"}.get(exponent) or str(exponent).translate(_SUPERSCRIPT)
    return Unit(f"{unit.symbol}{mark}", dimension, unit.factor**exponent)


def product(left: Unit, right: Unit) -> Unit | None:
    """The product of two units; None where one is a temperature scale."""
    if left.offset or right.offset:
        return None
    dot = "·" if left.symbol and right.symbol and not right.symbol.startswith("/") else ""
    symbol = f"{left.symbol}{dot}{right.symbol}"
    return Unit(symbol, _merged(left.dimension, right.dimension, 1), left.factor * right.factor)


def ratio(above: Unit, below: Unit) -> Unit | None:
    """``above`` per ``below``; None where one is a temperature scale."""
    if above.offset or below.offset:
        return None
    symbol = f"{above.symbol}/{below.symbol}"
    return Unit(symbol, _merged(above.dimension, below.dimension, -1), above.factor / below.factor)


def _merged(left: Dimension, right: Dimension, sign: int) -> Dimension:
    exponents = dict(left)
    for base, times in right:
        exponents[base] = exponents.get(base, 0) + sign * times
    return tuple(sorted((base, times) for base, times in exponents.items() if times))


def _composed(name: str) -> Unit | None:
    if name.startswith(("cur:", "CCY_")):
        code = name[4:]
        return Unit(f"cur:{code}", ((f"cur:{code}", 1),)) if _CURRENCY.match(code) else None
    above, per, below = name.partition("-PER-")
    if per:
        return _joined([above], below.replace("-PER-", "-").split("-"))
    if name.startswith("PER-"):
        return _joined([], name[4:].split("-"))
    if "-" in name:
        return _joined(name.split("-"), [])
    match = _NAME_POWER.match(name)
    row = _table().names.get(match[1]) if match else None
    return power(_unit(row), int(match[2])) if match and row is not None else None


def _joined(above: list[str], below: list[str]) -> Unit | None:
    result: Unit | None = UNITLESS
    for parts, combine in ((above, product), (below, ratio)):
        for part in parts:
            unit = by_name(part)
            result = combine(result, unit) if result is not None and unit is not None else None
    return result


@cache
def _table() -> _Table:
    table = _Table()
    for line in _TABLE.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        name, _, _, _, _, prefixes, written, spoken = line.split("\t")
        symbols, words = _split(written), _split(spoken)
        table.enter((line, ""), name, symbols, words)
        for letter in prefixes.split():
            title, word, marks, _ = _PREFIXES[letter]
            marked = [mark + alias for alias in symbols for mark in marks]
            table.enter((line, letter), title + name, marked, [word + alias for alias in words])
    return table


@cache
def _unit(row: _Row) -> Unit:
    """The unit of a row. Raises ValueError for one that has no factor and is not composed of other units."""
    line, letter = row
    name, symbol, dimension, factor, offset, *_ = line.split("\t")
    if letter:
        base, exponent = _unit((line, "")), _PREFIXES[letter][3]
        return replace(base, symbol=letter + base.symbol, factor=base.factor * Fraction(10) ** exponent)
    if not factor:
        unit = _composed(name)
        if unit is None:
            raise ValueError(f"units.tsv: {name} is not composed of other units; give its factor")
        return unit
    bases = tuple(sorted((base, int(times or 1)) for base, _, times in (p.partition("^") for p in dimension.split())))
    return Unit(symbol, bases, _exact(factor), _exact(offset) if offset else Fraction(0))


def _units(rows: Iterable[_Row]) -> tuple[Unit, ...]:
    return tuple(_unit(row) for row in rows)


def _exact(written: str) -> Fraction:
    value = Fraction(1)
    for term in written.split("*"):
        first, *divisors = term.split("/")
        value *= Fraction(first)
        for divisor in divisors:
            value /= Fraction(divisor)
    return value


def _split(cell: str) -> list[str]:
    return [alias for alias in cell.split("|") if alias]


def _plural(word: str) -> str:
    return word if word.endswith(("s", "x", "z", "ch", "feet")) or not word.isascii() else f"{word}s"


def _folded(lower: str) -> tuple[Unit, ...]:
    """The units of a symbol in whichever case, where only one set answers to it ("KM", but not "mw" for mW and MW)."""
    found = {_units(rows) for rows in _by_lower_case().get(lower, ())}
    return found.pop() if len(found) == 1 else ()


@cache
def _by_lower_case() -> dict[str, list[list[_Row]]]:
    folded: dict[str, list[list[_Row]]] = {}
    for alias, rows in _table().symbols.items():
        folded.setdefault(alias.lower(), []).append(rows)
    return folded
