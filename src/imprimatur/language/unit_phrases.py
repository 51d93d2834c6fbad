"""Unit phrases in running text: the longest unit that stands at a place, with all its readings.

Contract: ``read_at(plain, pos)`` takes text that ``numbers.normalise`` has made plain and never looks more than a few
words ahead, so it takes bounded time. It reads ``km²``, ``sq. mi.``, ``cubic metres per second``, ``m³ s⁻¹``, ``€ per
month``, ``dollars a day``. A full stop after the last word is never part of the span. Offsets are code points.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice, product

from imprimatur._expressions import expression
from imprimatur.language import units
from imprimatur.values import Unit

__all__ = ["Reading", "read_all", "read_at"]

Reading = tuple[int, tuple[Unit, ...]]
"""Where the phrase ends, and the units it may mean, the primary one first."""

_LETTER = r"A-Za-zµΩ\u00c0-\u024f\u0400-\u04ff"
_WORD = expression(rf"(?:[A-Z]\.){{2,4}}\$?|[A-Z]{{1,2}}\$|[{_LETTER}]+")
_GAP = expression(r"\.?[ \u00a0]|-|\.(?=-)")
_SIGN = expression(r"° ?[CF](?![A-Za-z])|[°%‰٪℃℉€£$¥₹₩₽₴₺₪฿₫₱₦₿¢'\"]")
_CJK = expression(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]{1,3}")
_EXPONENT = expression(r"(?:\^|\*\*)?(-?[1-4])(?!\w)(?![.,]\d)|([⁻]?[¹²³])")
_MODIFIER = expression(r"(?i:(square|sq)|(cubic|cu))(?:\.?[ \u00a0-]|\.|(?=(?:ft|mi|km|m|in|yd)\b))")
_NAMED_POWER = expression(r"[ \u00a0](squared|cubed)\b")
_PER = expression(r"[ \u00a0]?/[ \u00a0]?|[ \u00a0-](?i:per)[ \u00a0-]")
_EACH = expression(r"[ \u00a0](?:an?|each|every)[ \u00a0](?=(?:second|minute|hour|day|week|month|year)\b)")
_TIMES = expression(r"[·⋅*×]|[ \u00a0]")
_COUNTED = expression(
    r"(?i:people|persons?|inhabitants?|residents?|times?|cycles?|items?|units?|vehicles?|passengers?|births?|deaths?)"
    r"(?=[ \u00a0](?:per|an?|each|every)[ \u00a0]|/)"
)
_SUPERSCRIPTS = {"¹": 1, "²": 2, "³": 3}
_LOOSE_LETTERS = frozenset({"A", "B", "C", "F", "J", "K", "N", "V", "W", "T"})
_AFTER_LOOSE = expression(
    r"(?![ \u00a0]+[A-Za-z0-9])"
    r"|[ \u00a0]+(?:and|or|to|at|in|with|on|for|of|during|by|per|is|was|when|above|below)\b"
)
_AFTER_INCH = expression(
    r"(?![ \u00a0]+[A-Za-z0-9])|[ \u00a0]+(?:long|wide|tall|high|deep|thick|across|of rain|of snow)\b"
)
_MOST_READINGS = 8


@lru_cache(maxsize=4096)
def read_all(written: str) -> tuple[Unit, ...]:
    """All units that the whole of ``written`` may mean, the primary one first; empty when it is no unit."""
    from imprimatur.language.numbers import normalise

    plain = normalise(written.strip())
    found = read_at(plain, 0) if plain and len(plain) <= 80 else None
    if found is None or plain[found[0] :] not in ("", "."):
        return ()
    return found[1]


def read_at(plain: str, pos: int) -> Reading | None:
    """The longest unit phrase that starts exactly at ``pos``; None when there is none."""
    counted = _COUNTED.match(plain, pos)
    start = counted.end() if counted else pos
    above: Reading | None = (start, (units.UNITLESS,)) if counted or _PER.match(plain, pos) else _term(plain, pos)
    if above is None:
        return None
    found = _tail(plain, above)
    if found[1] == (units.UNITLESS,):
        return None
    return found


def _tail(plain: str, above: Reading) -> Reading:
    """``above`` and what multiplies or divides it, for at most three further terms."""
    for _ in range(3):
        pos = above[0]
        per = _PER.match(plain, pos) or _EACH.match(plain, pos)
        below = _term(plain, per.end()) if per else None
        if below is not None:
            above = _combined(above, below, divide=True)
            continue
        times = _TIMES.match(plain, pos)
        factor = _term(plain, times.end()) if times else None
        if times is None or factor is None:
            break
        if times[0].isspace() and "⁻" not in factor[1][0].symbol:
            break
        above = _combined(above, factor, divide=False)
    return above


def _combined(above: Reading, below: Reading, *, divide: bool) -> Reading:
    combine = units.ratio if divide else units.product
    pairs = islice(product(above[1], below[1]), _MOST_READINGS)
    results = tuple(unit for unit in (combine(left, right) for left, right in pairs) if unit is not None)
    return (below[0], results) if results else above


def _term(plain: str, pos: int) -> Reading | None:
    """One unit with its power: "square miles", "km²", "m3", "s⁻¹", "metres squared"."""
    modifier = _MODIFIER.match(plain, pos) if plain[pos : pos + 1] in "sScC" else None
    if modifier:
        inner = _atom(plain, modifier.end())
        found = _raised(inner, 2 if modifier[1] else 3) if inner else None
        if found:
            return found
    atom = _atom(plain, pos)
    if atom is None:
        return None
    end, readings = atom
    exponent = _EXPONENT.match(plain, end)
    if exponent and plain[end - 1].isalpha():
        raised = _raised((exponent.end(), readings), _exponent_value(exponent))
        return raised or atom
    named = _NAMED_POWER.match(plain, end)
    if named:
        return _raised((named.end(), readings), 2 if named[1] == "squared" else 3) or atom
    if end < len(plain) and plain[end].isdigit():
        return None
    return atom


def _exponent_value(exponent: re.Match[str]) -> int:
    if exponent[1]:
        return int(exponent[1])
    return _SUPERSCRIPTS[exponent[2][-1]] * (-1 if len(exponent[2]) == 2 else 1)


def _raised(reading: Reading, exponent: int) -> Reading | None:
    raised = tuple(unit for unit in (units.power(base, exponent) for base in reading[1] if base.dimension) if unit)
    return (reading[0], raised) if raised else None


def _atom(plain: str, pos: int) -> Reading | None:
    if pos >= len(plain):
        return None
    sign = _SIGN.match(plain, pos)
    if sign:
        found = units.named(sign[0].replace(" ", ""))
        return (sign.end(), found) if found else None
    cjk = _CJK.match(plain, pos)
    if cjk:
        return _cjk(cjk)
    return _words(plain, pos)


def _cjk(run: re.Match[str]) -> Reading | None:
    for length in range(len(run[0]), 0, -1):
        found = units.named(run[0][:length])
        if found:
            return run.start() + length, found
    return None


def _words(plain: str, pos: int) -> Reading | None:
    """The longest alias of one to three words."""
    tokens: list[re.Match[str]] = []
    at = pos
    while len(tokens) < 3:
        token = _WORD.match(plain, at)
        if token is None or len(token[0]) > 30 or not (tokens or token[0].lower() in units.first_words()):
            break
        tokens.append(token)
        gap = _GAP.match(plain, token.end())
        if gap is None:
            break
        at = gap.end()
    for count in range(len(tokens), 0, -1):
        found = units.named(" ".join(token[0] for token in tokens[:count]))
        if found and _plausible(plain, tokens[:count]):
            return tokens[count - 1].end(), found
    return None


def _plausible(plain: str, tokens: list[re.Match[str]]) -> bool:
    """Whether a lone "in" or capital letter is a unit here, not a preposition or a name ("3 in 10", "5 A grades")."""
    alias, end = tokens[-1][0], tokens[-1].end()
    if len(tokens) > 1:
        return True
    if alias.lower() == "in":
        return _AFTER_INCH.match(plain, end) is not None
    return alias not in _LOOSE_LETTERS or _AFTER_LOOSE.match(plain, end) is not None
