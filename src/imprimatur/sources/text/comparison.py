"""What a comparison of a claim with texts takes and gives: the contract between text sources and the core.

``compare`` (in ``comparing.py``) is pure: the same claim, texts and limits give the same ``Comparison``. Spans of a
``Mark`` are offsets in the claim's words (add the claim's start for the answer); spans of a ``Used`` are offsets in the
text that it names. ``supported`` has no marks; ``contradicted`` has at least one mark that is ``against``.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from imprimatur.config import LEAST_COVERAGE
from imprimatur.verdict import Label, Reason

__all__ = ["Comparison", "Mark", "Text", "TextLimits", "Used"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TextLimits:
    """How claims are to be judged against texts.

    Attributes:
        about: the share by which a value called "about" may be off.
        trust: the trust classes that may license.
        as_of: the day of the check.
        coverage: the share of a claim's content words that the texts must have, at least: one condition more.
        cite: whether a claim must cite the memory entries that are to support it.
        locale: how ambiguous numbers and dates are read.
        literal: whether a claim must be said in the texts' own words.
    """

    about: Fraction = Fraction(1, 20)
    trust: tuple[str, ...] = ("curated", "derived")
    as_of: date | None = None
    coverage: Fraction = LEAST_COVERAGE
    cite: bool = True
    locale: str = "en"
    literal: bool = False


@dataclass(frozen=True, slots=True)
class Text:
    """One text that counts as evidence; ``key`` tells it from the others (an entry's id, a passage's address)."""

    key: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """What is wrong with ``words[start:end]`` of the claim.

    ``against``: a text says otherwise. ``rival``: a sentence that is on the same has something else in its place, which
    need not exclude it ("Bob founded Acme" beside "Alice founded Acme").
    """

    reason: Reason
    start: int
    end: int
    detail: str = ""
    against: bool = False
    rival: bool = False


@dataclass(frozen=True, slots=True)
class Used:
    """A sentence that says some of the claim, or says otherwise: ``text[start:end]`` of the text of that key."""

    key: str
    start: int
    end: int
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What the texts say of a claim.

    Attributes:
        label: supported, contradicted, conflicting, ambiguous or not_found; unchecked for a claim that is too long.
        marks: what is wrong, in the order of the claim's words.
        used: the sentences that count, best first.
        coverage: the share of the claim's content words that they have, from 0 to 1.
        derivation: how a number follows from numbers of the texts, one line each ("84.2 g - 61.5 g = 22.7 g").
    """

    label: Label
    marks: tuple[Mark, ...] = ()
    used: tuple[Used, ...] = ()
    coverage: Fraction = Fraction(0)
    derivation: tuple[str, ...] = ()
