"""What follows a number and belongs to it: ordinal endings, fractions, powers of ten, scale words, a plus sign, a unit.

Contract: ``read`` takes a bare amount in plain text and returns it grown to the right, or None when what follows
shows that the digits were part of an identifier ("3D", "7-Eleven"). It looks a bounded number of characters ahead.
"""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

from imprimatur._dataclasses import dataclass
from imprimatur._expressions import expression
from imprimatur.language import number_words, unit_phrases, units
from imprimatur.values import Number, Unit

__all__ = ["VULGAR", "Amount", "read", "vulgar"]

_VULGAR = {
    "½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4), "⅕": (1, 5), "⅖": (2, 5), "⅗": (3, 5), "⅘": (4, 5),
    "⅙": (1, 6), "⅚": (5, 6), "⅛": (1, 8), "⅜": (3, 8), "⅝": (5, 8), "⅞": (7, 8), 
    "⅐": (1, 7), "⅑": (1, 9), "⅒": (1, 10),
}  # fmt: skip
VULGAR = "".join(_VULGAR)

_ORDINAL = expression(r"(?:st|nd|rd|th)(?!\w)(?P<party>-part(?:y|ies)\b)?", re.IGNORECASE)
_ORDINAL_ENDINGS = frozenset({"st", "nd", "rd", "th", "ST", "ND", "RD", "TH", "Th", "St"})
_MIXED = expression(rf" ?(?P<sign>[{VULGAR}])|[ \u00a0-](?P<above>\d{{1,2}})/(?P<below>\d{{1,3}})(?![\w/])")
_TEN_POWER = expression(
    r"[eE](?P<e>[-+]?\d{1,2})(?![\w.])"
    r"|[ \u00a0]?[×x·*][ \u00a0]?10(?:(?:\^|\*\*)(?P<plain>-?\d{1,2})(?!\w)|(?P<raised>⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2}))"
)
_RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
_SCALE_WORD = expression(r"[ \u00a0-]?(hundred|thousand|million|billion|trillion|quadrillion|lakh|crore|dozen)\b", re.I)
_SCALE_MARK = expression(r"([kKMBT]|mn|mln|bn|tn|Mio|Mrd)(?![\w²³/·])|[ \u00a0](bn|mn|mln|tn)\b")
_MONEY_MARK = expression(r"[ \u00a0]?([kKmMbBtT]|mn|mln|bn|tn)(?![\w²³/·])")
_MARKS = {"k": 10**3, "m": 10**6, "mn": 10**6, "mln": 10**6, "mio": 10**6, "b": 10**9, "bn": 10**9, "mrd": 10**9}
_MARKS |= {"t": 10**12, "tn": 10**12}
_WORDS = number_words.SCALES | {"hundred": 100, "dozen": 12}
_CJK_SCALE = expression(r"[십백천十百千]?[만억조万萬億亿兆]|[십백천十百千](?![\u4e00-\u9fff])")
_CJK_NEXT = expression(r"[ ]?(\d{1,4})([십백천十百千]?[만万萬억億亿]|[십백천十百千])?(?!\d|[,.]\d)")
_CJK = {"십": 10, "十": 10, "백": 100, "百": 100, "천": 1000, "千": 1000, "만": 10**4, "万": 10**4, "萬": 10**4}
_CJK |= {"억": 10**8, "億": 10**8, "亿": 10**8, "조": 10**12, "兆": 10**12}
_GAP = expression(r"[ \u00a0]{1,2}|-(?=[A-Za-z°])|")
_IDENTIFIER = expression(r"[A-Za-z\u00c0-\u024f\u0370-\u052f_]|-[A-Z]|°[A-Za-z]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Amount:
    """A number with its unit: span, readings of the number and of the unit (primary first), and how it was scaled.

    ``scale`` is the factor of a scale word ("5 million": 10**6). ``plus`` marks "100+".
    """

    start: int
    end: int
    numbers: tuple[Number, ...]
    units: tuple[Unit, ...] = ()
    ordinal: bool = False
    scale: int = 1
    plus: bool = False


def vulgar(sign: str) -> Fraction:
    """The value of a fraction sign such as "¾"."""
    return Fraction(*_VULGAR[sign])


def read(plain: str, amount: Amount, *, money: tuple[Unit, ...] = ()) -> Amount | None:
    """``amount`` with what belongs to it on the right; ``money`` is the currency that was written before it."""
    following = plain[amount.end : amount.end + 2]
    ordinal = _ORDINAL.match(plain, amount.end) if following in _ORDINAL_ENDINGS else None
    if ordinal:
        return None if ordinal["party"] else replace(amount, end=ordinal.end(), ordinal=True)
    amount = _scaled(plain, _fractioned(plain, amount, following), money=bool(money))
    if plain[amount.end : amount.end + 1] == "+" and not plain[amount.end + 1 : amount.end + 2].isdigit():
        amount = replace(amount, end=amount.end + 1, plus=True)
    found = _unit(plain, amount.end)
    if found is not None:
        chosen = _with_money(found[1], money)
        return replace(amount, end=found[0], units=chosen) if chosen else amount
    return None if _IDENTIFIER.match(plain, amount.end) else amount


def _fractioned(plain: str, amount: Amount, following: str) -> Amount:
    """ "3½", "3 1/2", "3 and a half" are exact; "6.02e23" and "1.5 × 10⁸" keep their precision."""
    if (following.isalpha() and following[0] not in "eEx") or (following[1:].isalpha() and following[1] not in "ax"):
        return amount
    if amount.numbers[0].step == 1:
        mixed = _MIXED.match(plain, amount.end)
        added = _mixed_value(mixed) if mixed else None
        tail = number_words.FRACTION_TAIL.match(plain, amount.end) if added is None else None
        if tail:
            added = number_words.fraction_tail(tail)
        end = mixed.end() if mixed and not tail else tail.end() if tail else amount.end
        if added is not None and 0 < added < 1:
            whole = amount.numbers[0].value
            value = whole - added if whole < 0 else whole + added
            return replace(amount, end=end, numbers=(Number(value),))
    power = _TEN_POWER.match(plain, amount.end)
    if power is None:
        return amount
    exponent = int((power["e"] or power["plain"] or power["raised"]).translate(_RAISED))
    return _times(amount, Fraction(10) ** exponent, power.end())


def _mixed_value(mixed: re.Match[str]) -> Fraction | None:
    if mixed["sign"]:
        return vulgar(mixed["sign"])
    above, below = int(mixed["above"]), int(mixed["below"])
    return Fraction(above, below) if 0 < above < below else None


def _times(amount: Amount, factor: Fraction | int, end: int) -> Amount:
    scaled = tuple(Number(n.value * factor, n.step * factor, n.significant) for n in amount.numbers)
    return replace(amount, end=end, numbers=scaled)


def _scaled(plain: str, amount: Amount, *, money: bool) -> Amount:
    """``amount`` times the scale words after it: "5 million", "1.2bn", "2k", "2천만"."""
    for _ in range(2):
        word = _SCALE_WORD.match(plain, amount.end)
        mark = None if word else (_MONEY_MARK if money else _SCALE_MARK).match(plain, amount.end)
        if word:
            factor, end = _WORDS[word[1].lower()], word.end()
        elif mark and amount.scale == 1:
            factor, end = _MARKS[(mark[1] or mark[2]).lower()], mark.end()
        else:
            break
        amount = replace(_times(amount, factor, end), scale=amount.scale * factor)
    return _cjk_scaled(plain, amount)


def _cjk_scaled(plain: str, amount: Amount) -> Amount:
    """East Asian myriads, which may add up: "1억 2000만"."""
    scale = _CJK_SCALE.match(plain, amount.end) if plain[amount.end : amount.end + 1] > "\u3000" else None
    if scale is None:
        return amount
    factor = _cjk_factor(scale[0])
    amount = replace(_times(amount, factor, scale.end()), scale=factor)
    for _ in range(3):
        following = _CJK_NEXT.match(plain, amount.end)
        part = _cjk_factor(following[2] or "") if following else factor
        if following is None or part >= factor or (part == 1 and plain[amount.end] == " "):
            break
        total = amount.numbers[0].value + int(following[1]) * part
        step = Number(total, Fraction(part), len(str(int(total // part)).rstrip("0")))
        amount, factor = replace(amount, end=following.end(), numbers=(step,), scale=part), part
    return amount


def _cjk_factor(written: str) -> int:
    factor = 1
    for char in written:
        factor *= _CJK[char]
    return factor


def _unit(plain: str, end: int) -> unit_phrases.Reading | None:
    gap = _GAP.match(plain, end)
    start = gap.end() if gap else end
    found = unit_phrases.read_at(plain, start)
    return found if found is not None or start == end else unit_phrases.read_at(plain, end)


def _with_money(found: tuple[Unit, ...], money: tuple[Unit, ...]) -> tuple[Unit, ...]:
    """The unit of "$5 per day" or "US$5 USD"; empty when the two do not go together."""
    if not money:
        return found
    if found[0].symbol.startswith("/"):
        return tuple(unit for unit in (units.product(currency, found[0]) for currency in money) if unit)
    return tuple(currency for currency in money if currency in found)
