"""What each written form of a date says: one reader for each pattern of ``_date_forms``.

Contract: a reader gets the match of its pattern and the locale, and gives the form's dates with exact spans, None where
the words are no date after all ("1908 km", "RFC 2119"), or raises ValueError where they name no real day.
"""

from __future__ import annotations

import re
from fractions import Fraction

from imprimatur._dataclasses import dataclass
from imprimatur._expressions import expression
from imprimatur.language import calendar
from imprimatur.values import DateValue

__all__ = [
    "ORDINALS",
    "Form",
    "Part",
    "bare_year",
    "century",
    "decade",
    "era_year",
    "full_day",
    "iso_day",
    "iso_month",
    "moment",
    "month_year",
    "numeric",
    "quarter",
    "timestamp",
    "two_centuries",
    "two_days",
    "two_full_days",
    "two_months",
    "two_years",
]

ORDINALS = (
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
    "twenty-first",
)
_BLANK = r"(?:[ \t\u00a0\u2009\u202f]{1,2}|[ ]?\r?\n[ ]?)"
_QUARTERS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4, "last": 4}
_UNIT_AFTER = expression(
    rf"(?:{_BLANK}|-)?(?:[kcm]?m[²³23]?|mm|km/h|mph|kilomet(?:er|re)s?|met(?:er|re)s?|centimet(?:er|re)s?|miles?|mi|ft"
    r"|feet|foot|yards?|inch(?:es)?|acres?|hectares?|ha|kg|kilogram(?:me)?s?|grams?|tons?|tonnes?|lbs?|[kmg]?w|[kmg]?hz"
    r"|lit(?:er|re)s?|degrees?|percent|per|square|sq|cubic|cu|hundred|thousand|million|billion|trillion|dozen|dollars?"
    r"|euros?|pounds?|yen|usd|eur|gbp|cny|years?|months?|weeks?|days?|hours?|hrs?|minutes?|seconds?)(?!\w)",
    re.IGNORECASE,
)
_IDENTIFIER_BEFORE = expression(
    r"(?<!\w)(?:no|nos|nr|number|page|pp?|rfc|iso|din|route|highway|room|chapter|section|article|line|model|version|v"
    r"|flight|id|isbn|ngc|ic|hd|hip|asteroid|sku|item|part|code|port|error)\.?[ \u00a0#:-]{1,2}\Z",
    re.IGNORECASE,
)
_YEAR_WORD_BEFORE = expression(
    r"(?<!\w)(?:in|born|died|since|until|till|by|before|after|from|during|between|year|c\.|ca\.|circa)"
    r"[ \u00a0(]{1,2}\Z",
    re.IGNORECASE,
)
_HYPHEN_BEFORE = expression(
    r"(?<!\w)(?:mid|early|late|pre|post)-\Z|[ \u00a0\n][-\u2010-\u2014]\Z|\w\u2014\Z", re.IGNORECASE
)
_DAY_FIRST = frozenset({"en-gb", "en-au", "en-nz", "en-ie", "en-in", "en-za"})
_FIRST_YEAR, _LAST_YEAR = 1000, 2199


@dataclass(frozen=True, slots=True)
class Part:
    """One date of a form: ``text[start:end]`` and what it says."""

    start: int
    end: int
    value: DateValue


@dataclass(frozen=True, slots=True)
class Form:
    """One stretch of text that holds one date, or the two ends of an interval ("25-27 June 1908")."""

    parts: tuple[Part, ...]

    @property
    def start(self) -> int:
        """Where the first part begins."""
        return self.parts[0].start

    @property
    def end(self) -> int:
        """Where the last part ends."""
        return self.parts[-1].end


_Match = re.Match[str]


def _year_number(written: str) -> int:
    """The year that "427 BC", "AD 217", "10,000 BCE" or "1908" names; BC years are negative."""
    digits = int("".join(char for char in written if char.isdigit()))
    return -digits if "b" in written.lower() else digits


def moment(date: calendar.Day, clock: str, zone: str) -> calendar.Instant:
    """The instant of ``date`` at ``clock`` ("10:30[:15[.5]]") in ``zone`` ("Z", "+02:00"; "" is taken as UTC).

    ``24:00`` is midnight of the next day. Raises ValueError when there is no such time.
    """
    hour, minute, *rest = clock.split(":")
    seconds = Fraction(rest[0]) if rest else Fraction(0)
    total = int(hour) * 3600 + int(minute) * 60 + seconds
    if int(minute) > 59 or seconds >= 60 or total > 86400 or not calendar.is_day(date):
        raise ValueError(f"no such time: {date} {clock}; give 00:00:00 to 24:00:00 on a day of the calendar")
    days, left = divmod(total - _offset(zone), 86400)
    return calendar.instant(calendar.shift_days(date, int(days)), Fraction(left))


def _offset(zone: str) -> int:
    """How many seconds the zone is ahead of UTC."""
    if zone in ("", "Z", "z"):
        return 0
    digits = zone[1:].replace(":", "")
    hours, minutes = int(digits[:2]), int(digits[2:] or 0)
    if minutes > 59 or 60 * hours + minutes > 14 * 60:
        raise ValueError(f"no such time zone: {zone}; give -14:00 to +14:00")
    return (60 * hours + minutes) * (-60 if zone[0] in "-\u2212" else 60)


def _one(match: _Match, value: DateValue) -> Form:
    return Form((Part(match.start(), match.end(), value),))


def _two(match: _Match, cut: int, second: int, first_value: DateValue, last_value: DateValue) -> Form:
    """Two ends: the first ends at ``cut``, the second starts at ``second``."""
    return Form((Part(match.start(), cut, first_value), Part(second, match.end(), last_value)))


def _month_number(name: str) -> int:
    short = name[:3].title()
    return next(number for number, month in enumerate(calendar.MONTHS, 1) if month.startswith(short))


def _day_number(written: str) -> int:
    return int("".join(char for char in written if char.isdigit()))


def timestamp(match: _Match, _locale: str) -> Form:
    """Reads "2024-05-01T00:00:00Z"."""
    date = (int(match["y"]), int(match["m"]), int(match["d"]))
    return _one(match, moment(date, match["clock"], match["zone"] or ""))


def iso_day(match: _Match, _locale: str) -> Form:
    """Reads "2011-02-03", "2011/2/3"."""
    return _one(match, calendar.day(int(match["y"]), int(match["m"]), int(match["d"])))


def iso_month(match: _Match, _locale: str) -> Form:
    """Reads "2011-02" as a month; "2008-09" may as well be the years 2008 to 2009."""
    year, second = int(match["y"]), int(match["m"])
    value = calendar.month(year, second)
    if year % 100 < second:
        until = calendar.year(year - year % 100 + second)
        span = DateValue(first=(year, 1, 1), last=until.last, precision="year")
        value = DateValue(first=value.first, last=value.last, precision="month", other=(span,))
    return _one(match, value)


def numeric(match: _Match, locale: str) -> Form | None:
    """Reads "03/04/2024": the locale decides; where it cannot and both readings are days, the other one is kept."""
    left, right, year = int(match["a"]), int(match["b"]), int(match["y"])
    orders = [(right, left), (left, right)]
    if locale.lower() == "en-us":
        orders = [(left, right), (right, left)]
    decided = locale.lower() in _DAY_FIRST | {"en-us"} or not locale.lower().startswith("en") or match["sep"] == "."
    valid = [calendar.day(year, *order) for order in orders if calendar.is_day((year, *order))]
    if not valid:
        return None
    first, others = valid[0], () if decided or valid[0] == valid[-1] else tuple(valid[1:])
    return _one(match, DateValue(first=first.first, last=first.last, precision="day", other=others))


def full_day(match: _Match, _locale: str) -> Form:
    """Reads "25 June 1908", "June 25th, 1908"."""
    return _one(match, calendar.day(_year_number(match["y"]), _month_number(match["m"]), _day_number(match["d"])))


def month_year(match: _Match, _locale: str) -> Form | None:
    """Reads "October 2003"; lower-case "may" and "march" are other words."""
    if match["m"] in ("may", "march", "mar") or _UNIT_AFTER.match(match.string, match.end()):
        return None
    return _one(match, calendar.month(_year_number(match["y"]), _month_number(match["m"])))


def quarter(match: _Match, _locale: str) -> Form:
    """Reads "Q3 2024", "third quarter of 2024"."""
    written = (match["q"] or match["w"] or match["r"]).lower()
    number = _QUARTERS.get(written) or int(written)
    return _one(match, calendar.quarter(int(match["y"] or match["z"]), number))


def decade(match: _Match, _locale: str) -> Form | None:
    """Reads "1990s", "'90s" (1990s or 1890s), "420s BC"; "1800s" is a century, "1900s" and "2000s" may be either."""
    if match["short"]:
        tens = int(match["short"])
        primary, other = calendar.decade(1900 + 10 * tens), calendar.decade(1800 + 10 * tens)
        return _one(match, DateValue(first=primary.first, last=primary.last, precision="decade", other=(other,)))
    era, number = match["era"] or "", int(match["long"])
    if not era and not _FIRST_YEAR <= number <= _LAST_YEAR:
        return None
    if era.lower().startswith("b"):
        return _one(match, calendar.decade(-number))
    return _one(match, _hundreds(number) if number % 100 == 0 and not era else calendar.decade(number))


def _hundreds(number: int) -> DateValue:
    wide = DateValue(first=(number, 1, 1), last=(number + 99, 12, 31), precision="century")
    if number < 1900:
        return wide
    narrow = calendar.decade(number)
    return DateValue(first=narrow.first, last=narrow.last, precision="decade", other=(wide,))


def _ordinal_number(written: str) -> int:
    lower = written.lower()
    return ORDINALS.index(lower) + 1 if lower in ORDINALS else _day_number(written)


def _signed(number: int, era: str | None) -> int:
    return -number if era and era.lower().startswith("b") else number


def century(match: _Match, _locale: str) -> Form:
    """Reads "19th century", "fifth-century", "3rd century BC"."""
    return _one(match, calendar.century(_signed(_ordinal_number(match["o"]), match["era"])))


def two_centuries(match: _Match, _locale: str) -> Form:
    """Reads "5th and 4th centuries BC"."""
    first, last = (calendar.century(_signed(_ordinal_number(match[name]), match["era"])) for name in "op")
    return _two(match, match.end("o"), match.start("p"), first, last)


def era_year(match: _Match, _locale: str) -> Form:
    """Reads "427 BC", "AD 217"."""
    return _one(match, calendar.year(_year_number(match[0])))


def bare_year(match: _Match, _locale: str) -> Form | None:
    """Reads "1908", and "217" after a word like "born in"; no quantity and no identifier."""
    number, text, start = int(match[0]), match.string, match.start()
    before = text[max(0, start - 16) : start]
    if before[-1:] in "-\u2010\u2011\u2012\u2013\u2014" and before and not _HYPHEN_BEFORE.search(before):
        return None
    if _IDENTIFIER_BEFORE.search(before) or _UNIT_AFTER.match(text, match.end()):
        return None
    if not _FIRST_YEAR <= number <= _LAST_YEAR and not (len(match[0]) == 3 and _YEAR_WORD_BEFORE.search(before)):
        return None
    return _one(match, calendar.year(number))


def two_days(match: _Match, _locale: str) -> Form:
    """Reads "25-27 June 1908", "June 25-27, 1908"."""
    year, month = _year_number(match["y"]), _month_number(match["m"])
    first, last = (calendar.day(year, month, _day_number(match[name])) for name in "de")
    return _two(match, match.end("d"), match.start("e"), first, last)


def two_full_days(match: _Match, _locale: str) -> Form:
    """Reads "25 June - 3 July 1908", "June 25 - July 3, 1908": the year is written once."""
    year = _year_number(match["y"])
    first = calendar.day(year, _month_number(match["m"]), _day_number(match["d"]))
    last = calendar.day(year, _month_number(match["n"]), _day_number(match["e"]))
    return _two(match, max(match.end("d"), match.end("m")), min(match.start("e"), match.start("n")), first, last)


def two_months(match: _Match, _locale: str) -> Form:
    """Reads "March to May 1964"."""
    year = _year_number(match["y"])
    first, last = (calendar.month(year, _month_number(match[name])) for name in "mn")
    return _two(match, match.end("m"), match.start("n"), first, last)


def two_years(match: _Match, _locale: str) -> Form | None:
    """Reads "1584-1654", "1878-79", "427-347 BC", "427 to 347 BC"; without an era only years of four digits."""
    first, last, era = int(match["y"]), int(match["z"]), match["era"]
    if len(match["z"]) == 2 and not era:
        last += first - first % 100
    if not era and not (_FIRST_YEAR <= first < last <= _LAST_YEAR and len(match["y"]) == 4):
        return None
    if match[0][4:] == f"-{last % 100:02}" and 1 <= last % 100 <= 12 and not era:
        return None  # "2008-09" is for iso_month
    if not era and (match["word"] or _UNIT_AFTER.match(match.string, match.end())):
        return None
    before_christ = era is not None and era.lower().startswith("b")
    start = calendar.year(-first if before_christ else first)
    return _two(match, match.end("y"), match.start("z"), start, calendar.year(-last if before_christ else last))
