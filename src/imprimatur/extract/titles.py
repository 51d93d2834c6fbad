"""Lines without a verb: titles that only name what follows, and those that say something all the same.

"Opening hours" is a title; "Allergic to latex", "Dose: fifty milligrams", "Skerry Light, a white tower" and "No fever"
are statements that leave out their verb. Where evidence is text they are compared with it like any other; in doubt a
line is a statement.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from imprimatur._expressions import expression
from imprimatur.extract.grammar import parse
from imprimatur.extract.items import items_of
from imprimatur.extract.nameless import NAMELESS
from imprimatur.extract.syntax import Item
from imprimatur.extract.telling import content, names_something
from imprimatur.extract.words import forms
from imprimatur.language import closed_class, wordnet
from imprimatur.language.morphology import lemmas

__all__ = ["states", "title"]

_LONGEST = 12
#: "Step 2: …", "Chapter 4: …" number what follows.
_NUMBERED = expression(r"\W*(?:step|chapter|part|section|figure|table|appendix|example|option|note)s?\b", re.IGNORECASE)
_LABELLED = expression(r"\w[^:]{0,60}:[*_]{0,3} [*_]{0,3}\w")
_DENYING = ("negator", "near_negator", "denial")


def title(text: str, items: Sequence[Item]) -> bool:
    """Whether a line is a title: words without a verb, a number or a mark at the end that state nothing.

    Args:
        items: its words as the lexicon knows them; a line with a known name beside other words is none.
    """
    if text.rstrip()[-1:] in ".!?:;,\u2026" or any(c.isdigit() for c in text) or states(text):
        return False
    if "," in text or (any(names_something(i) for i in items) and sum(content(i) for i in items) > 1):
        return False
    plain = items_of(text, NAMELESS)
    if _names(plain):
        return False
    read = parse(plain)
    return read.complete and not read.clauses


def states(text: str) -> bool:
    """Whether a line without a verb says something of something: it denies, labels, or ascribes."""
    words = text.strip(" *_#").split()
    if not words or len(words) > _LONGEST:
        return False
    lowers = [word.strip("*_,.:;()").lower() for word in words]
    if any(lower in closed_class.words(name) for lower in lowers for name in _DENYING):
        return True
    if _LABELLED.search(text) and not _NUMBERED.match(text):
        return True
    return len(words) > 1 and _ascribes(lowers[0]) and lowers[1] in closed_class.words("preposition")


def _ascribes(lower: str) -> bool:
    """Whether a word is an adjective or participle, more than a noun ("allergic", "closed", "good")."""
    found = {pos for _, pos in lemmas(lower)}
    if "pp" in forms(lower).verb_forms:
        return True
    senses = {pos: sum(len(wordnet.senses(lemma, pos)) for lemma, p in lemmas(lower) if p == pos) for pos in found}
    return senses.get("a", 0) > senses.get("n", 0)


def _names(items: Sequence[Item]) -> bool:
    """Whether a name stands among words in small letters ("The tower of Holm"): all in capitals it is a heading."""
    words = [i for i in items if content(i) and i.start >= 0]
    capital = [i.text[:1].isupper() for i in words]
    return any(capital[1:]) and not all(capital)
