"""Units: exact factors, QUDT names and what people write."""

from __future__ import annotations

from fractions import Fraction

import pytest

from imprimatur.language import units
from imprimatur.values import Unit

WRITTEN = {
    "KiloM2": ("km²", "km2", "km^2", "square kilometres", "square kilometers", "sq km", "kilometres squared"),
    "MI2": ("sq mi", "sq. mi.", "square miles", "mi²", "square-mile"),
    "M3-PER-SEC": ("m³/s", "m3/s", "cubic metres per second", "cubic meters per second"),
    "FT3-PER-SEC": ("cfs", "cubic feet per second", "cu ft/s", "ft³/s"),
    "M": ("m", "metre", "meters"),
    "FT": ("ft", "foot", "feet", "′"),
    "IN": ("″", "inches"),
    "MI_N": ("nautical miles",),
    "FT-PER-MI": ("feet per mile", "ft/mi"),
    "GM-PER-CentiM3": ("g/cm³", "grams per cubic centimetre"),
    "KiloW-HR": ("kWh", "kilowatt hours"),
    "PERCENT": ("%", "percent", "per cent"),
    "MilliGM-PER-L": ("mg/L", "milligrams per litre"),
    "KiloM-PER-HR": ("km/h", "kph", "kilometres per hour"),
    "MI-PER-HR": ("mph", "miles per hour"),
    "DEG_C": ("°C", "degrees Celsius", "℃"),
    "cur:EUR": ("€", "EUR", "euros"),
    "cur:USD": ("$", "US$", "dollars", "USD", "美元", "달러"),
    "cur:GBP": ("£", "pounds sterling"),
    "MicroGM-PER-M3": ("µg/m³", "μg/m³"),
    "AC-FT": ("acre-feet", "acre-foot"),
}


@pytest.mark.parametrize(("name", "written"), [(name, form) for name, forms in WRITTEN.items() for form in forms])
def test_written_forms_are_the_qudt_unit(name: str, written: str) -> None:
    """Each spelling of a unit has the dimension and the factor of its QUDT name."""
    unit, expected = units.parse(written), units.by_name(name)
    assert unit is not None
    assert expected is not None
    assert (unit.dimension, unit.factor, unit.offset) == (expected.dimension, expected.factor, expected.offset)


@pytest.mark.parametrize("written", ["", " ", "flurble", "no", "the", "one", "5", "/", "per", "of", "²"])
def test_other_words_are_no_unit(written: str) -> None:
    """A word that is not in the table is no unit, and no error."""
    assert units.parse(written) is None


def test_iris_of_units_and_currencies() -> None:
    """QUDT IRIs resolve, with prefixes, powers, products and ratios; others do not."""
    assert units.by_iri("http://qudt.org/vocab/unit/KiloM2") == units.parse("km²")
    assert units.by_iri("https://qudt.org/vocab/unit/M3-PER-SEC") == units.parse("m³/s")
    assert units.by_iri("http://qudt.org/vocab/currency/EUR") == Unit("cur:EUR", (("cur:EUR", 1),))
    assert units.by_iri("http://qudt.org/vocab/currency/XAF") == Unit("cur:XAF", (("cur:XAF", 1),))
    for unknown in ("http://qudt.org/vocab/unit/FLURBLE", "http://example.org/KiloM", "http://qudt.org/vocab/unit/M\n"):
        assert units.by_iri(unknown) is None


def test_factors_are_exact_by_definition() -> None:
    """International definitions hold exactly."""
    factors = {
        "MI": Fraction("1609.344"),
        "LB": Fraction("0.45359237"),
        "AC": Fraction("4046.8564224"),
        "GAL_US": Fraction("0.003785411784"),
        "KN": Fraction(1852, 3600),
        "MO": Fraction(1, 12),
        "HP": Fraction("745.69987158227022"),
        "PERCENT": Fraction(1, 100),
    }
    for name, factor in factors.items():
        unit = units.by_name(name)
        assert unit is not None
        assert unit.factor == factor


def test_years_and_days_do_not_mix() -> None:
    """A year has no exact number of days, so the two have different dimensions."""
    year, day = units.parse("years"), units.parse("days")
    assert year is not None
    assert day is not None
    assert year.dimension != day.dimension


def test_ambiguous_words_keep_all_readings() -> None:
    """Pounds are a mass first, then money; tons are of several sizes."""
    assert [unit.symbol for unit in units.named("pounds")] == ["lb", "cur:GBP", "cur:EGP"][: len(units.named("pounds"))]
    assert len(units.named("tons")) == 3
    assert units.named("mW") != units.named("MW")
    assert units.named("KM") == units.named("km")


def test_temperature_scales_do_not_compose() -> None:
    """A scale with an offset has no powers, products or ratios."""
    celsius = units.parse("°C")
    assert celsius is not None
    assert units.power(celsius, 2) is None
    assert units.product(celsius, celsius) is None
    assert units.ratio(celsius, celsius) is None
