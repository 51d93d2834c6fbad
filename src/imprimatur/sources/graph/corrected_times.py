"""Wrong times of day put right, in the way in which the answer writes them.

Only what is stored as one time, or one stretch, is written; bounds ("before 9") and days with several stretches stay as
they are.
"""

from __future__ import annotations

from collections.abc import Iterator

from imprimatur._expressions import expression
from imprimatur.claim import Claim
from imprimatur.language import clock_times
from imprimatur.language.clock_matching import same_time, times_of

__all__ = ["time_edits"]

_HALF = expression(r"(\d{1,2})(?:([:.])(\d\d))?(\s?)([AaPp])(.*)")
_FULL = expression(r"(\d{1,2}):\d\d")


def time_edits(said: str, stored: str, claim: Claim, text: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, what is right) for each time that is wrong; nothing where it is not clear which that is."""
    right, stated = times_of(stored), said.split("-")
    found = clock_times.spoken(text[claim.start : claim.end])
    places = [n for n in range(len(found)) if [each.time for each in found[n : n + len(stated)]] == stated]
    if len(right) != len(stated) or len(places) != 1:
        return
    for each, time in zip(found[places[0] :], right, strict=False):
        if not same_time(each.time, time):
            start, end = claim.start + each.start, claim.start + each.end
            yield start, end, _like(time, text[start:end])


def _like(time: str, written: str) -> str:
    """A time as another one is written: with am or pm, of 24 hours, or as a bare number."""
    hour, minute = int(time[:2]), time[3:]
    short = str(hour % 12 or 12)
    if (full := _FULL.fullmatch(written)) is not None:
        return f"{hour:0{len(full[1])}}:{minute}"
    half = _HALF.fullmatch(written)
    mark = (half[2] if half is not None else None) or ":"
    told = f"{short}{mark}{minute}" if minute != "00" or (half is not None and half[3]) else short
    if written.isdigit():
        return told
    if half is None:  # noon, midnight
        return f"{told} {'pm' if hour >= 12 else 'am'}"
    letter = "p" if hour >= 12 else "a"
    return f"{told}{half[4]}{letter.upper() if half[5].isupper() else letter}{half[6]}"
