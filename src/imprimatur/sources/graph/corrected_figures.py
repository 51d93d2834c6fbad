"""Wrong figures of many things put right: numbers of things, sums, means, medians.

Only a figure that the answer states as one number is written anew, as finely as it is stated; shares and bounds stay.
"""

from __future__ import annotations

from collections.abc import Iterator

from imprimatur._expressions import expression
from imprimatur.claim import Aggregate, Claim, Count
from imprimatur.language import quantities
from imprimatur.values import Bound

__all__ = ["figure_edits"]

_NUMERAL = expression(r"[-−]?\d(?:[\d.,]*\d)?")


def figure_edits(claim: Claim, right: str, text: str, *, locale: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, what is right); nothing where another reading of the claim may have another figure."""
    readings = [r for r in claim.readings if isinstance(r, (Aggregate, Count))]
    stated = {r.value for r in readings}
    if len(readings) != len(claim.readings) or len(stated) != 1:
        return
    value = stated.pop()
    number = _NUMERAL.match(right)
    if value.bound is not Bound.EXACT or value.high is not None or value.partner is not None or number is None:
        return
    if isinstance(claim.readings[0], Count) and (number[0] in ("0", "1") or value.low.value == 1):
        return  # the nouns and verbs would have to be changed too
    words = text[claim.start : claim.end]
    found = [each for each in quantities.find(words, locale=locale) if each.quantity == value]
    if len(found) != 1:
        return
    start, end = found[0].start, found[0].end
    written = _NUMERAL.findall(words[start:end])
    if len(written) == 1 and words[start:end].startswith(written[0]):
        yield claim.start + start, claim.start + start + len(written[0]), number[0]
    elif not written and value.unit is None:  # "five", as a word
        yield claim.start + start, claim.start + end, number[0]
