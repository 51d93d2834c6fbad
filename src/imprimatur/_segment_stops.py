"""Where a sentence ends: pure decisions about a stop, the text before it and the text after it.

Stops of scripts without spaces or case always end a sentence. A Latin stop ends one only before white space, and
then by what precedes (abbreviation, initial, ordinal, ellipsis) and what follows (case, digits, a word that opens
sentences). Where both readings are possible the sentences stay together: that costs coverage, never truth.
"""

from __future__ import annotations

import unicodedata
from enum import Enum

from imprimatur._expressions import expression

__all__ = ["DANGLING", "HARD", "STOPS", "Stop", "ends_sentence", "is_extender", "stop_kind"]

HARD = "。！？｡।॥።។။؟۔։"
STOPS = ".!?…" + HARD


class Stop(Enum):
    """What a run of stops can do."""

    HARD = "ends whatever follows"
    PLAIN = "ends unless a small letter follows"
    OPENER = "ends only before a word that opens sentences"
    NUMBERED = "ends unless a number follows"
    ORDINAL = "ends unless a month or century follows"
    NEVER = "does not end"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_NEVER = _words(
    """mr mrs ms dr prof mt messrs mme mlle rev hon gen col maj capt lt sgt cmdr gov sen rep pres supt fr
    e.g i.e v vs viz cf approx ca circa eds sq z.b d.h u.a bzw frl ste esp incl excl
    resp op cit abbr"""
)
_OPENER = _words(
    """al st jr sr inc ltd co corp bros llc plc dept univ assn etc ave blvd rd hwy ft mi lb lbs oz hr hrs min mins sec
    jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri usw gmbh ph.d est"""
)
_NUMBERED = _words("no nos nr fig figs vol vols ch chap art eq eqs pp para pt bd ver vv lit ref refs app tab sect §")
_OPENERS = _words(
    """A After All Also Although An And Another As At Because Before Both But By Despite During Each For From Given He
    Her Here His However I If In Is Its It Many Meanwhile Moreover Most No Not Nevertheless On Once One Only Other Our
    Over She Since So Some Such That The Their Then There These They This Those Though Thus To Today Together Under
    Until We What When Where Whereas While Who With Yet You Your"""
)
_ORDINATED = _words(
    "Januar Jänner Februar März April Mai Juni Juli August September Oktober November Dezember Jahrhundert"
)
DANGLING = _words(
    """of the a an and or in on at to for that is are was were be been not no never with by from as than but if whether
    who which whose into over under between its their his her this these those has have had does did"""
)
_TOKEN = expression(r"[^\s()\[\]{}\"'“”‘’«»„*_/—–]*")
_ACRONYM = expression(r"(?:[^\W\d_]\.)+[^\W\d_]{1,2}")
_NO_START = frozenset(",;:)]}，、；：）］」』】”»%" + STOPS)


def is_extender(char: str) -> bool:
    """Return whether ``char`` belongs to the character before it (UAX #29: mark, joiner, variation selector)."""
    return char > "\u02ff" and (char in "\u200c\u200d" or unicodedata.category(char)[0] == "M")


def stop_kind(before: str, run: str) -> Stop:
    """Return what the stops ``run`` can do after ``before``, the last characters of the sentence so far."""
    if any(char in HARD for char in run):
        return Stop.HARD
    if run.startswith(("..", "…")):
        return Stop.NEVER if not before or before[-1].isspace() else Stop.PLAIN
    if run != ".":
        return Stop.PLAIN
    found = _TOKEN.match(before[::-1])
    token = found.group()[::-1] if found else ""
    if token.isdecimal():
        return _after_number(before, token)
    return _after_word(token)


def _after_number(before: str, token: str) -> Stop:
    if before.strip("*_ \t") == token:
        return Stop.NEVER  # an enumerator ("1. Rivers"), not a sentence
    return Stop.ORDINAL if len(token) < 3 else Stop.PLAIN


def _after_word(token: str) -> Stop:
    small = token.lower()
    if small in _NEVER:
        return Stop.NEVER
    if len(token) == 1 and token.isalpha() and token.islower():
        return Stop.NUMBERED
    if len(token) == 1 and token.isupper():
        return Stop.OPENER
    if small in _NUMBERED:
        return Stop.NUMBERED
    if small in _OPENER or _ACRONYM.fullmatch(token):
        return Stop.OPENER
    return Stop.PLAIN


def ends_sentence(stop: Stop, first: str, word: str) -> bool:
    """Return whether ``stop`` ends the sentence.

    Args:
        first: the first character after white space and opening marks; empty at the end of the text.
        word: the word that starts with ``first``; only looked at for OPENER and ORDINAL.
    """
    if stop is Stop.NEVER or first in _NO_START or (first and is_extender(first)):
        return False
    if stop is Stop.HARD or not first:
        return True
    if first.islower():
        return False
    if stop is Stop.NUMBERED:
        return not first.isdigit()
    if stop is Stop.ORDINAL:
        return word not in _ORDINATED
    return stop is Stop.PLAIN or word in _OPENERS
