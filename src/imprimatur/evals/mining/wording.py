"""Sentences that say a triple in the words of its property's labels, and how a value is written.

Contract: only the form of a label decides, as English grammar has it; no property is known here. Each way of saying has
a name, so that what is not read can be told by it. A label that makes no sentence by these forms makes none; a property
without any is counted as not sayable. ``denied`` is the same sentence in the negative.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from typing import NamedTuple

from imprimatur.evals.mining.book import Literal, number_of
from imprimatur.extract.words import forms
from imprimatur.language import units

__all__ = ["Said", "member", "said", "written"]

_XSD = "http://www.w3.org/2001/XMLSchema#"
_DAY = re.compile(r"(-?\d{4,})-(\d\d)-(\d\d)")
_MONTH = re.compile(r"(-?\d{4,})-(\d\d)")
_YEAR = re.compile(r"-?\d{4,}")
_MONTHS = "January February March April May June July August September October November December".split()
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|_")
_LONGEST = 90
#: A text with one of these says more than one thing, or is a sentence.
_LISTED = re.compile(r"[,;|\n]|\band\b|[.!?] ")
#: Pasts before a preposition that are active: "died in", where "located in" is passive.
_ACTIVE = frozenset(
    "died lived worked played served competed studied fought occurred belonged participated appeared originated "
    "resided happened began ended graduated arose existed reigned taught converged emerged travelled joined".split()
)


class Said(NamedTuple):
    """A sentence, its denial (empty where there is none), and the name of the form."""

    text: str
    denied: str
    form: str


def said(label: str, thing: str, value: str, *, measured: bool, alone: bool, linked: bool) -> Iterator[Said]:
    """The sentences in which a label says that a thing has a value.

    Args:
        measured: the value is a number.
        alone: a thing has at most one such value.
        linked: the value is a thing.
    """
    if _CAMEL.search(label) and " " not in label:
        label = _CAMEL.sub(" ", label).lower()
    label = " ".join(label.split())
    words = label.lower().split()
    if not words:
        return
    first, last = forms(words[0]), forms(words[-1])
    ends = "prep" in last.closed or words[-1] == "to"
    if words[0] in ("is", "was", "are") and len(words) > 1:
        yield from _copula(label, words, thing, value, ends=ends, measured=measured)
    elif words[0] in ("has", "have") and len(words) > 1 and ends:
        rest = label.partition(" ")[2]
        yield Said(f"{thing} has {rest} {value}.", f"{thing} does not have {rest} {value}.", "has")
    elif words[0] in ("has", "have") and len(words) > 1:
        yield from _noun(label.partition(" ")[2], thing, value, measured=measured, alone=alone, linked=linked)
    elif first.verb and "s" in first.verb_forms and not first.closed and (ends or len(words) == 1):
        verb, _, rest = label.partition(" ")
        rest = f" {rest}" if rest else ""
        yield Said(f"{thing} {verb}{rest} {value}.", f"{thing} does not {first.verb}{rest} {value}.", "verb")
    elif "pp" in first.verb_forms and not first.closed and ends and len(words) > 1:
        yield from _participle(label, words, thing, value, verb=first.verb or "")
    elif "past" in first.verb_forms and not first.closed and len(words) == 1:
        if linked:
            yield Said(f"{thing} {label} {value}.", f"{thing} did not {first.verb} {value}.", "past verb")
    elif "prep" in first.closed and len(words) == 2 and last.noun and linked:
        yield Said(f"{thing} is {words[0]} {value}.", f"{thing} is not {words[0]} {value}.", "preposition")
    elif words[-1] == "of" and len(words) > 1 and forms(words[-2]).noun and linked:
        article = _article(label)
        yield Said(f"{thing} is {article} {label} {value}.", f"{thing} is not {article} {label} {value}.", "noun of")
    elif not ends and "aux" not in first.closed and words[:2] != ["part", "of"]:
        yield from _noun(label, thing, value, measured=measured, alone=alone, linked=linked)


def _copula(label: str, words: Sequence[str], thing: str, value: str, *, ends: bool, measured: bool) -> Iterator[Said]:
    verb, _, rest = label.partition(" ")
    if ends:
        yield Said(f"{thing} {verb} {rest} {value}.", f"{thing} {verb} not {rest} {value}.", "is")
    elif measured and len(words) == 2 and forms(words[1]).adj and any(c.isalpha() for c in value):
        yield Said(f"{thing} {verb} {value} {rest}.", f"{thing} {verb} not {value} {rest}.", "is so long")


def _participle(label: str, words: Sequence[str], thing: str, value: str, *, verb: str) -> Iterator[Said]:
    if words[0] in _ACTIVE:
        rest = label.partition(" ")[2]
        yield Said(f"{thing} {label} {value}.", f"{thing} did not {verb} {rest} {value}.", "past verb")
        return
    be = "is" if words[0] != "born" and words[-1] in ("in", "at", "on", "near", "within", "of") else "was"
    yield Said(f"{thing} {be} {label} {value}.", f"{thing} {be} not {label} {value}.", "passive")


def _noun(label: str, thing: str, value: str, *, measured: bool, alone: bool, linked: bool) -> Iterator[Said]:
    words = label.lower().split()
    head = words[words.index("of") - 1] if "of" in words[1:] else words[-1] if words else ""
    known = forms(head)
    if not head or (known.verb and not known.noun and (not known.adj or "ing" in known.verb_forms)):
        return
    if any("prep" in forms(word).closed and word != "of" for word in words) or words[-1] == "of":
        return
    plural = known.plural
    if head == "decade" and value.endswith("0"):
        value = f"the {value}s"
    if measured and plural and not linked:
        yield Said(f"{thing} has {value} {label}.", f"{thing} does not have {value} {label}.", "has so many")
        return
    be = "are" if plural else "is"
    if alone or not linked:
        yield Said(f"The {label} of {thing} {be} {value}.", f"The {label} of {thing} {be} not {value}.", "the noun is")
    if alone and "of" not in words:
        whose = _possessive(thing)
        yield Said(f"{whose} {label} {be} {value}.", f"{whose} {label} {be} not {value}.", "its noun is")
    if linked and not plural:
        article = "the" if alone else _article(label)
        yield Said(
            f"{value} is {article} {label} of {thing}.", f"{value} is not {article} {label} of {thing}.", "is the noun"
        )
    if measured and alone and "of" not in words:
        noun = f"{_article(label)} {label}"
        yield Said(f"{thing} has {noun} of {value}.", f"{thing} does not have {noun} of {value}.", "has a noun of")


def member(thing: str, kind: str) -> Said:
    """The sentence that a thing is of a class."""
    article = _article(kind)
    return Said(f"{thing} is {article} {kind}.", f"{thing} is not {article} {kind}.", "is a")


def _article(noun: str) -> str:
    start = noun[:3].lower()
    vowel = start[:1] in "aeio" or start in ("und", "unk", "unc", "uns", "ult", "upp")
    return "an" if vowel and start not in ("eur", "one", "uni", "use") else "a"


def _possessive(name: str) -> str:
    return f"{name}'" if name.endswith("s") else f"{name}'s"


def written(value: Literal, unit_iri: str, *, years: str = "xsd10") -> str:
    """A value as running text has it; empty where it has no plain form.

    Args:
        unit_iri: the unit of its number, or empty.
        years: how negative years count (``graph.years``): in ``xsd11`` the year 0 is 1 BC.
    """
    number = number_of(value)
    if number is not None:
        unit = units.by_iri(unit_iri) if unit_iri else None
        if unit_iri and (unit is None or (not unit.symbol and unit != units.UNITLESS)):
            return ""
        shown = _number(value.text.strip())
        return f"{shown} {unit.symbol}" if unit is not None and unit.symbol else shown
    if value.datatype in (_XSD + "date", _XSD + "dateTime", _XSD + "gYearMonth", _XSD + "gYear"):
        return _date(value, years)
    if value.datatype not in ("", _XSD + "string", _XSD + "normalizedString", _XSD + "token"):
        return ""
    text = " ".join(value.text.split())
    plain = text[:1].isalnum() and not _LISTED.search(text) and not text.startswith(("http://", "https://"))
    return text if plain and len(text) <= _LONGEST else ""


def _number(text: str) -> str:
    """A number as it is stored, without zeros that say nothing, in groups of three from five digits on."""
    if "e" in text.lower():
        return ""
    sign, bare = ("-", text[1:]) if text.startswith("-") else ("", text.removeprefix("+"))
    whole, _, places = bare.partition(".")
    places = places.rstrip("0")
    whole = f"{int(whole or '0'):,}" if len(whole) > 4 else (whole.lstrip("0") or "0")
    return f"{sign}{whole}{'.' + places if places else ''}"


def _date(value: Literal, years: str) -> str:
    text = value.text.strip()
    day, month, year = _DAY.match(text), _MONTH.match(text), _YEAR.match(text)
    if value.datatype.endswith(("#date", "#dateTime")) and day is not None:
        if day[1].startswith("-") or (value.datatype.endswith("#dateTime") and "T00:00:00" not in text):
            return ""
        try:
            date(int(day[1]), int(day[2]), int(day[3]))
        except ValueError:
            return ""
        return f"{int(day[3])} {_MONTHS[int(day[2]) - 1]} {int(day[1])}"
    if value.datatype.endswith("#gYearMonth") and month is not None and not month[1].startswith("-"):
        place = int(month[2])
        return f"{_MONTHS[place - 1]} {int(month[1])}" if 1 <= place <= 12 else ""
    if value.datatype.endswith("#gYear") and year is not None:
        number = int(year[0])
        if number > 0:
            return str(number) if number > 999 else f"AD {number}"
        number = -number + (years == "xsd11")
        return f"{number} BC" if number else ""
    return ""
