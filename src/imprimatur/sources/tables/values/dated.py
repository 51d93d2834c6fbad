"""Days in texts and cells: which day a cell or some words mean."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime

from imprimatur.language import dates
from imprimatur.sources.tables.values.reading import Item, Sentence
from imprimatur.values import DateValue

__all__ = ["day_of", "is_on", "is_same_day", "month_beside", "with_month"]

_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)


def day_of(cell: str, *, written: bool) -> date | None:
    """The day of a cell: of a date with or without a time, and, if ``written``, of one in words."""
    try:
        return datetime.fromisoformat(cell).date()
    except ValueError:
        if not written:
            return None
        read = dates.find(cell)
        value = read[0].value if len(read) == 1 else None
        if value is None or value.first is None or value.first[0] < 1:
            return None
        return date(*value.first)


def is_on(day: date, said: DateValue) -> bool:
    """Whether a day lies in what a text says."""
    if said.first is None or said.last is None:
        return False
    first, last = said.first, said.last
    return first <= (day.year, day.month, day.day) <= last


def is_same_day(day: date, said: DateValue) -> bool:
    """Whether it is that day of a year."""
    return said.first is not None and said.first == said.last and said.first[1:] == (day.month, day.day)


def month_beside(sentence: Sentence, item: Item) -> int:
    """The month that a number is a day of: "January 4th", "the 5th of January"; else 0."""
    for index in (item.first - 1, item.stop, item.stop + (sentence.low(item.stop) == "of")):
        word = sentence.low(index)
        if word in _MONTHS and sentence.tokens[index].text[0].isupper():
            return _MONTHS.index(word) + 1
    return 0


def with_month(sentence: Sentence, item: Item) -> Item:
    """The number of a day together with its month."""
    before = sentence.low(item.first - 1) in _MONTHS
    first = item.first - 1 if before else item.first
    last = item.stop - 1 if before else item.stop + (sentence.low(item.stop) == "of")
    start, end = sentence.tokens[first].start, sentence.tokens[last].end
    return replace(item, first=first, stop=last + 1, start=start, end=end)
