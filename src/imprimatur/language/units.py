"""Units of measure and currencies: exact factors, looked up by QUDT IRI or by what people write.

Contract: every factor is an exact ``Fraction`` (degrees are kept as degrees, so that no π is needed). Names follow
the QUDT vocabulary (https://qudt.org/vocab/unit/): a name is a table row, an SI prefix on one, a power (``KiloM2``),
a product (``KiloW-HR``) or a ratio (``M3-PER-SEC``). The table is the resource ``units.tsv`` and is read at first
use.

Months and years have a dimension of their own, apart from days and seconds, since no exact number of days makes a
month. Every currency is a dimension of its own. Percentage points are not percent.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache, lru_cache
from pathlib import Path

from imprimatur._expressions import expression
from imprimatur._records import dataclass
from imprimatur.values import Unit

__all__ = [
    "LATITUDE",
    "LONGITUDE",
    "UNITLESS",
    "by_iri",
    "by_name",
    "first_words",
    "named",
    "parse",
    "power",
    "product",
    "ratio",
]

LATITUDE = Unit("deg-lat", (("deg", 1),))
LONGITUDE = Unit("deg-lon", (("deg", 1),))
UNITLESS = Unit("", ())

_TABLE = Path(__file__).parent.parent / "resources" / "units.tsv"
_IRI = expression(r"https?://qudt\.org/vocab/(unit|currency)/([A-Za-z0-9_%.-]{1,80})\Z")
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


@dataclass(frozen=True, slots=True)
class _Table:
    """The units by QUDT name, and the readings of every written symbol (exact case) and word (lower case)."""

    names: dict[str, Unit]
    symbols: dict[str, tuple[Unit, ...]]
    words: dict[str, tuple[Unit, ...]]


def by_iri(iri: str) -> Unit | None:
    """The unit of a QUDT unit or currency IRI; None when the IRI is not one that can be converted exactly."""
    match = _IRI.match(iri)
    if match is None:
        return None
    vocabulary, name = match.groups()
    return by_name(f"cur:{name}" if vocabulary == "currency" else name)


@lru_cache(maxsize=2048)
def by_name(name: str) -> Unit | None:
    """The unit of a QUDT local name (``KiloM-PER-HR``) or of ``cur:`` and an ISO 4217 code; None when unknown."""
    found = _table().names.get(name)
    return found if found is not None else _composed(name, _table().names)


def parse(written: str) -> Unit | None:
    """The primary unit that a symbol or phrase stands for ("km²", "cubic feet per second", "€"); None when unknown."""
    from imprimatur.language import unit_phrases

    found = unit_phrases.read_all(written)
    return found[0] if found else None


@lru_cache(maxsize=4096)
def named(written: str) -> tuple[Unit, ...]:
    """All readings of one simple unit alias, the primary one first; symbols keep their case, words do not."""
    table = _table()
    found = table.symbols.get(written, ())
    if not found:
        found = table.words.get(written.lower(), ())
    if not found and (len(written) > 2 or written.lower() in _SAFE_IN_ANY_CASE):
        found = _folded().get(written.lower(), ())
    return found


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


def _composed(name: str, names: dict[str, Unit]) -> Unit | None:
    if name.startswith(("cur:", "CCY_")):
        code = name[4:]
        return Unit(f"cur:{code}", ((f"cur:{code}", 1),)) if _CURRENCY.match(code) else None
    above, per, below = name.partition("-PER-")
    if per:
        return _joined([above], below.replace("-PER-", "-").split("-"), names)
    if name.startswith("PER-"):
        return _joined([], name[4:].split("-"), names)
    if "-" in name:
        return _joined(name.split("-"), [], names)
    match = _NAME_POWER.match(name)
    base = names.get(match[1]) if match else None
    return power(base, int(match[2])) if match and base else None


def _joined(above: list[str], below: list[str], names: dict[str, Unit]) -> Unit | None:
    result: Unit | None = UNITLESS
    for parts, combine in ((above, product), (below, ratio)):
        for part in parts:
            unit = names.get(part) or _composed(part, names)
            result = combine(result, unit) if result is not None and unit is not None else None
    return result


@cache
def _table() -> _Table:
    names: dict[str, Unit] = {}
    symbols: dict[str, list[Unit]] = {}
    words: dict[str, list[Unit]] = {}
    for line in _TABLE.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        name, symbol, dimension, factor, offset, prefixes, written, spoken = line.split("\t")
        unit = _row_unit(name, symbol, dimension, factor=factor, offset=offset, names=names)
        _enter(names, symbols, words, entry=(name, unit, _split(written), _split(spoken)))
        for letter in prefixes.split():
            title, word, marks, exponent = _PREFIXES[letter]
            bigger = replace(unit, symbol=letter + unit.symbol, factor=unit.factor * Fraction(10) ** exponent)
            marked = [mark + alias for alias in _split(written) for mark in marks]
            spelt = [word + alias for alias in _split(spoken)]
            _enter(names, symbols, words, entry=(title + name, bigger, marked, spelt))
    return _Table(names, {key: tuple(found) for key, found in symbols.items()}, _frozen(words))


def _enter(
    names: dict[str, Unit],
    symbols: dict[str, list[Unit]],
    words: dict[str, list[Unit]],
    *,
    entry: tuple[str, Unit, list[str], list[str]],
) -> None:
    name, unit, written, spoken = entry
    if name:
        names.setdefault(name, unit)
    for alias in written:
        symbols.setdefault(alias, []).append(unit)
    for alias in spoken:
        for form in {alias.lower(), _plural(alias.lower())}:
            words.setdefault(form, []).append(unit)


def _row_unit(name: str, symbol: str, dimension: str, *, factor: str, offset: str, names: dict[str, Unit]) -> Unit:
    if not factor:
        unit = _composed(name, names)
        if unit is None:
            raise ValueError(f"units.tsv: {name} is not composed of units listed above it; give its factor")
        return unit
    bases = tuple(sorted((base, int(times or 1)) for base, _, times in (p.partition("^") for p in dimension.split())))
    return Unit(symbol, bases, _exact(factor), _exact(offset) if offset else Fraction(0))


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


def _frozen(readings: dict[str, list[Unit]]) -> dict[str, tuple[Unit, ...]]:
    return {key: tuple(dict.fromkeys(found)) for key, found in readings.items()}


@cache
def _folded() -> dict[str, tuple[Unit, ...]]:
    """Symbols by lower case, where only one set of units answers to it ("KM", but not "mw" for mW and MW)."""
    folded: dict[str, set[tuple[Unit, ...]]] = {}
    for alias, found in _table().symbols.items():
        folded.setdefault(alias.lower(), set()).add(found)
    return {alias: next(iter(sets)) for alias, sets in folded.items() if len(sets) == 1}
