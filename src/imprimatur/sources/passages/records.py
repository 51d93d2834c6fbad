"""Structured context as typed facts: JSON text becomes yes/no facts, numbers, texts and opening hours.

Contract: ``read_record`` gives None for what is no JSON object or list, and never raises for any text. A null (an empty
text, an empty list) gives no fact at all: it is silence, not "no". A text that says yes or no ("no", "none", "free")
gives a yes/no fact. An object whose keys are days of the week and whose values are spans of clock times gives the hours
of each day. ``path`` says where a fact stands, as a JSON pointer finds it again.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from imprimatur._expressions import expression

__all__ = ["DAYS", "Fact", "Flag", "Hours", "Measure", "Path", "Phrase", "Record", "key_words", "read_record"]

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
#: Deeper or larger JSON is no record that anyone wrote by hand or exported row by row; it is text.
_DEEPEST, _MOST_FACTS = 12, 5_000
_WORD = expression(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_NO = frozenset(("no", "none", "false", "n", "not available", "unavailable"))
_YES = frozenset(("yes", "true", "y", "available"))
_CLOCK = expression(r"(\d{1,2}):(\d{1,2})\s*[-–—]\s*(\d{1,2}):(\d{1,2})")

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Flag:
    """Whether something is so; ``said`` is the value as it stands."""

    path: Path
    value: bool
    said: str


@dataclass(frozen=True, slots=True)
class Measure:
    """A number, as written."""

    path: Path
    written: str


@dataclass(frozen=True, slots=True)
class Phrase:
    """A text."""

    path: Path
    text: str


@dataclass(frozen=True, slots=True)
class Hours:
    """The hours of one day: pairs of minutes since midnight; an end not after its start is of the next day."""

    path: Path
    day: str
    spans: tuple[tuple[int, int], ...]
    said: str


Fact = Flag | Measure | Phrase | Hours


@dataclass(frozen=True, slots=True)
class Record:
    """The facts of one JSON text, in order.

    ``silent`` are the paths of nulls. ``labels`` are the words by which each flag is spoken of: those of its key,
    without what many keys of its object begin with ("Restaurants" in "RestaurantsTakeOut").
    """

    flags: tuple[Flag, ...]
    measures: tuple[Measure, ...]
    phrases: tuple[Phrase, ...]
    hours: tuple[Hours, ...]
    silent: tuple[Path, ...]
    labels: Mapping[Path, tuple[str, ...]]


def read_record(text: str) -> Record | None:
    """The facts of a JSON text; None when it is something else, or too deep or large to be a record."""
    stripped = text.strip()
    if not stripped or stripped[0] not in "{[" or stripped[-1] not in "}]":
        return None
    try:
        value = json.loads(stripped, parse_float=str, parse_int=str, parse_constant=str)
    except (ValueError, RecursionError):
        return None
    labels: dict[Path, tuple[str, ...]] = {}
    facts: list[Fact | Path] = []
    for fact in _facts(value, (), labels):
        facts.append(fact)
        if len(facts) > _MOST_FACTS:
            return None
    return Record(
        flags=tuple(fact for fact in facts if isinstance(fact, Flag)),
        measures=tuple(fact for fact in facts if isinstance(fact, Measure)),
        phrases=tuple(fact for fact in facts if isinstance(fact, Phrase)),
        hours=tuple(fact for fact in facts if isinstance(fact, Hours)),
        silent=tuple(fact for fact in facts if isinstance(fact, tuple)),
        labels=labels,
    )


def key_words(key: str) -> tuple[str, ...]:
    """The words of a key, lower-case: "RestaurantsTakeOut" and "restaurants_take_out" have three."""
    return tuple(word.lower() for word in _WORD.findall(key))


def _facts(value: Any, path: Path, labels: dict[Path, tuple[str, ...]]) -> Iterator[Fact | Path]:
    if len(path) > _DEEPEST:
        return
    if isinstance(value, dict):
        hours = _hours(value, path)
        if hours:
            yield from hours
            return
        shared = _shared(value)
        for key, inner in value.items():
            below = (*path, str(key))
            words = key_words(str(key))
            labels[below] = words[1:] if len(words) > 1 and words[0] in shared else words
            yield from _facts(inner, below, labels)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _facts(inner, (*path, str(index)), labels)
    else:
        yield _leaf(value, path)


def _leaf(value: Any, path: Path) -> Fact | Path:
    if value is None or (isinstance(value, str) and not value.strip()):
        return path
    if isinstance(value, bool):
        return Flag(path, value, str(value).lower())
    text = str(value).strip()
    if text.lower() in _NO | _YES:
        return Flag(path, text.lower() in _YES, text)
    if re.fullmatch(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?", text):
        return Measure(path, text)
    return Phrase(path, str(value))


def _shared(value: Mapping[Any, Any]) -> frozenset[str]:
    """The first words that several keys have."""
    firsts = Counter(words[0] for words in (key_words(str(key)) for key in value) if len(words) > 1)
    return frozenset(word for word, count in firsts.items() if count > 1)


def _hours(value: Mapping[Any, Any], path: Path) -> tuple[Hours, ...]:
    """The hours of an object of days; none when it is something else."""
    days = [(str(key), _spans(inner)) for key, inner in value.items() if str(key).lower() in DAYS]
    if len(days) < max(1, len(value)) or not any(spans for _, spans in days):
        return ()
    return tuple(Hours((*path, key), key.lower(), spans, str(value[key])) for key, spans in days if spans is not None)


def _spans(value: Any) -> tuple[tuple[int, int], ...] | None:
    """Spans of minutes; None for what cannot be read as such."""
    parts: Sequence[Any] = value if isinstance(value, list) else [value]
    spans = []
    for part in parts:
        found = _CLOCK.fullmatch(str(part).strip())
        if found is None:
            return None
        first, second, third, fourth = (int(number) for number in found.groups())
        spans.append((first * 60 + second, third * 60 + fourth))
    return tuple(spans)
