"""Geographic coordinates: 45°14′10″S, 45.2361° N, 45 degrees north.

Contract: ``read_at`` takes text that ``numbers.normalise`` has made plain (primes are quotes there). South and west are
negative. The unit tells latitude from longitude, so that one never matches the other. Bearings and bare angles, and
values beyond 90 or 180 degrees, are no coordinates.
"""

from __future__ import annotations

import re
from fractions import Fraction

from imprimatur._expressions import expression
from imprimatur.language.units import LATITUDE, LONGITUDE
from imprimatur.values import Number, Unit

__all__ = ["read_at"]

_COORDINATE = expression(
    r"(\d{1,3})(?:[.,](\d{1,12}))?[ \u00a0]?(?:°|degrees?\b)[ \u00a0]?"
    r"(?:(\d{1,2})(?:\.(\d{1,9}))?[ \u00a0]?'[ \u00a0]?(?:(\d{1,2})(?:\.(\d{1,9}))?[ \u00a0]?(?:\"|'')[ \u00a0]?)?)?"
    r"([NSEW](?![A-Za-z0-9])|(?i:north|south|east|west)\b(?![ \u00a0](?:of|to|by)\b|-))?"
)
#: A sign that joins nothing: with a side of the globe it makes no sense.
_SIGN = expression(r"(?<![\w°'\"])[-+]$")


def read_at(plain: str, pos: int, digits_end: int) -> tuple[int, Number, Unit] | None:
    """End, degrees and unit of the coordinate with its first digits from ``pos`` to ``digits_end``; None if none is."""
    if plain.find("°", digits_end, digits_end + 2) < 0 and plain.find("degree", digits_end, digits_end + 7) < 0:
        return None
    match = _COORDINATE.match(plain, pos)
    if match is None or _SIGN.search(plain, max(0, pos - 2), pos):
        return None
    side = (match[7] or "")[:1].upper()
    if not side:
        return None
    unit = LATITUDE if side in "NS" else LONGITUDE
    number = _degrees(match)
    if number is None or number.value > (90 if unit is LATITUDE else 180):
        return None
    sign = -1 if side in "SW" else 1
    return match.end(), Number(sign * number.value, number.step, number.significant), unit


def _degrees(match: re.Match[str]) -> Number | None:
    value, step, digits = Fraction(0), Fraction(1), 0
    for group, size in ((1, 1), (3, 60), (5, 3600)):
        whole, decimals = match[group], match[group + 1] or ""
        if whole is None:
            break
        part = Fraction(int(whole + decimals), 10 ** len(decimals))
        if group > 1 and part >= 60:
            return None
        value += part / size
        step = Fraction(1, size * 10 ** len(decimals))
        digits += len(whole) + len(decimals)
    return Number(value, step, digits)
