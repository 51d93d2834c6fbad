"""The written forms of a date: one pattern for each, without the words before it ("since", "about").

Contract: ``forms(text, locale=...)`` gives the longest readings in order, not overlapping; every part's span is exact.
A form that names no real day ("31 June") gives nothing. Every pattern is linear: gaps and digit runs are bounded.
The patterns are compiled on first use.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from imprimatur._expressions import expression
from imprimatur.language import _date_readers as read
from imprimatur.language._date_readers import ORDINALS, Form

__all__ = ["BLANK", "forms"]

BLANK = r"(?:[ \t\u00a0\u2009\u202f]{1,2}|[ ]?\r?\n[ ]?)"
_GAP = BLANK
_MAY = rf"{BLANK}?"
_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?"
    r"|Nov(?:ember)?|Dec(?:ember)?)\b\.?"
)
_DAY = r"(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?(?!\w)"
_AFTER_CHRIST = r"(?-i:AD|A\.D\.|CE)"
_ERA = r"(?-i:BCE|BC|bce|bc|CE|AD|B\.C\.E\.|B\.C\.|C\.E\.|A\.D\.)(?!\w)"
_WITH_ERA = rf"(?:{_AFTER_CHRIST}{_MAY}\d{{1,5}}(?!\d|,\d{{3}})|(?:\d{{1,2}},\d{{3}}|\d{{1,5}}){_MAY}{_ERA})"
_STOP = r"(?![\w°%])(?![.,:/]\d)"
_YEAR = rf"(?:{_WITH_ERA}|\d{{3,4}}{_STOP})"
_YEAR4 = rf"(?:{_WITH_ERA}|\d{{4}}{_STOP})"
_DASH = rf"{_MAY}[-\u2010-\u2014\u2212]{_MAY}"
_TO = rf"(?:{_DASH}|{_GAP}(?:to|until|till|through|and){_GAP})"
_OF = rf"(?:{_GAP}of)?"
_COMMA = rf"(?:,{_MAY}|{_GAP})"
_BEGIN = r"(?<![\w.,/:#$€£¥₩₹@&=+\u2212])"
_ORDINAL = rf"(?:\d{{1,2}}(?:st|nd|rd|th)|{'|'.join(sorted(ORDINALS, key=len, reverse=True))})"
_ISO = r"(?<![-\u2010-\u2014])(?P<y>\d{4})-(?P<m>\d\d)-(?P<d>\d\d)"
_CLOCK = r"(?P<clock>\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(?P<zone>Z|[-+\u2212]\d\d:?\d\d)?"
_QUARTER = rf"(?:Q(?P<q>[1-4])|(?P<w>first|second|third|fourth|last|[1-4](?:st|nd|rd|th)){_GAP}quarter)"

_Reader = Callable[[re.Match[str], str], Form | None]
_Row = tuple[re.Pattern[str], _Reader]


def forms(text: str, *, locale: str) -> tuple[Form, ...]:
    """All dates of ``text``: leftmost first, longest at each place."""
    chosen: list[Form] = []
    start = _start()
    match = start.search(text)
    while match is not None:
        form = _longest(text, match.start(), locale)
        if form is not None:
            chosen.append(form)
        match = start.search(text, match.start() + 1 if form is None else form.end)
    return tuple(chosen)


def _longest(text: str, start: int, locale: str) -> Form | None:
    best: Form | None = None
    for pattern, reader in _rows_for(text, start):
        match = pattern.match(text, start)
        if match is None or (best is not None and match.end() <= best.end):
            continue
        try:
            best = reader(match, locale) or best
        except ValueError:  # no such day, month or year: the words are no date
            continue
    return best


def _rows_for(text: str, start: int) -> tuple[_Row, ...]:
    """The rows of the table that can begin with the character at ``start``; three digits begin years only."""
    if not text[start].isdigit():
        return _compiled("words")
    return _compiled("long" if text[start : start + 3].isdigit() else "short")


@cache
def _compiled(table: str) -> tuple[_Row, ...]:
    return tuple((expression(pattern, re.IGNORECASE), reader) for reader, pattern in _TABLES[table])


@cache
def _start() -> re.Pattern[str]:
    return expression(_START, re.IGNORECASE)


_ANY = (
    (read.quarter, rf"(?:{_QUARTER}(?:{_OF}{_GAP}|/)(?P<y>\d{{4}})|(?P<z>\d{{4}})[ /-]?Q(?P<r>[1-4])){_STOP}"),
    (
        read.decade,
        rf"(?:(?P<long>\d{{1,3}}0)['\u2019]?s(?!\w)(?:{_MAY}(?P<era>{_ERA}))?|['\u2019](?P<short>\d)0s(?!\w))",
    ),
    (read.era_year, _WITH_ERA),
)
_CENTURIES = (
    (read.century, rf"(?P<o>{_ORDINAL})(?:-|{_GAP})century(?!\w)(?:{_GAP}(?P<era>{_ERA}))?"),
    (
        read.two_centuries,
        rf"(?P<o>{_ORDINAL})(?:{_TO}|{_GAP}or{_GAP})(?:the{_GAP})?(?P<p>{_ORDINAL})"
        rf"(?:-|{_GAP})centur(?:y|ies)(?!\w)(?:{_GAP}(?P<era>{_ERA}))?",
    ),
)
_TWO_YEARS = (
    read.two_years,
    rf"(?P<y>\d{{1,4}})(?:{_DASH}|(?P<word>{_GAP}(?:to|and){_GAP}))"
    rf"(?P<z>\d{{1,4}})(?:{_MAY}(?P<era>{_ERA})|(?![\w°%-])(?![.,:/]\d))",
)
_SHORT = (
    *_ANY,
    *_CENTURIES,
    _TWO_YEARS,
    (read.numeric, r"(?P<a>\d\d?)(?P<sep>[/.-])(?P<b>\d\d?)(?P=sep)(?P<y>\d{4})(?![\w/-])(?!\.\d)"),
    (read.full_day, rf"(?P<d>{_DAY}){_OF}{_GAP}(?P<m>{_MONTH}){_COMMA}(?P<y>{_YEAR})"),
    (read.two_days, rf"(?P<d>{_DAY}){_TO}(?P<e>{_DAY}){_OF}{_GAP}(?P<m>{_MONTH}){_COMMA}(?P<y>{_YEAR})"),
    (
        read.two_full_days,
        rf"(?P<d>{_DAY}){_OF}{_GAP}(?P<m>{_MONTH}){_TO}(?P<e>{_DAY}){_OF}{_GAP}(?P<n>{_MONTH}){_COMMA}(?P<y>{_YEAR})",
    ),
)
_LONG = (
    *_ANY,
    _TWO_YEARS,
    (read.timestamp, rf"{_ISO}T{_CLOCK}(?![\w:]|[.+-]\d)"),
    (read.iso_day, rf"{_ISO}(?![\w-])(?![.,:/]\d)"),
    (read.iso_day, r"(?P<y>\d{4})/(?P<m>\d\d?)/(?P<d>\d\d?)(?![\w/])(?!\.\d)"),
    (read.iso_month, r"(?<![-\u2010-\u2014])(?P<y>[12]\d{3})-(?P<m>0[1-9]|1[0-2])(?![\w-])(?![.,:/]\d)"),
    (read.bare_year, rf"\d{{3,4}}{_STOP}(?![-\u2010-\u2014]\d)"),
)
_WORDS = (
    *_ANY,
    *_CENTURIES,
    (read.full_day, rf"(?P<m>{_MONTH}){_GAP}(?P<d>{_DAY}){_COMMA}(?P<y>{_YEAR})"),
    (read.month_year, rf"(?P<m>{_MONTH})(?:{_COMMA}|{_GAP}of{_GAP})(?P<y>{_YEAR4})"),
    (read.two_days, rf"(?P<m>{_MONTH}){_GAP}(?P<d>{_DAY}){_TO}(?P<e>{_DAY}){_COMMA}(?P<y>{_YEAR})"),
    (read.two_months, rf"(?P<m>{_MONTH}){_TO}(?P<n>{_MONTH}){_COMMA}(?P<y>{_YEAR4})"),
    (
        read.two_full_days,
        rf"(?P<m>{_MONTH}){_GAP}(?P<d>{_DAY}){_TO}(?P<n>{_MONTH}){_GAP}(?P<e>{_DAY}){_COMMA}(?P<y>{_YEAR})",
    ),
)
_TABLES: dict[str, tuple[tuple[_Reader, str], ...]] = {"short": _SHORT, "long": _LONG, "words": _WORDS}
_START = (
    rf"{_BEGIN}(?:\d|['\u2019]\d0s|Q[1-4]|Jan|Feb|Ma[ry]|Apr|Ju[nl]|Aug|Sep|Oct|Nov|Dec|last|{_AFTER_CHRIST}"
    rf"|{'|'.join(ORDINALS)})"
)
