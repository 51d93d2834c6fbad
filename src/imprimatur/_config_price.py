"""What a model's tokens cost: ``price: {input: 0.30, output: 2.50, currency: USD}``, for a million of each.

Invariants: prices are exact; nothing is guessed where none is given, and then no cost is shown.
"""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction

from imprimatur._dataclasses import dataclass
from imprimatur.errors import InputError
from imprimatur.settings_file import Section

__all__ = ["Price", "price_of", "read_price"]

_MILLION = 1_000_000
_HIGHEST = 1_000_000
_WRITTEN = re.compile(r"(\d{1,7}(?:\.\d{1,9})?)/(\d{1,7}(?:\.\d{1,9})?)(?: ?([A-Z]{3}))?")
_CURRENCY = re.compile(r"[A-Z]{3}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """The price of a million tokens read and of a million written, in a currency ("" where none is named)."""

    input: Fraction
    output: Fraction
    currency: str = ""

    def of(self, prompt: int, completion: int) -> Fraction:
        """What so many tokens read and written cost."""
        return (prompt * self.input + completion * self.output) / _MILLION

    def written(self, cost: Fraction) -> str:
        """A cost as it is printed: two decimals, or as many as two digits need where it is less."""
        places = 2
        while 0 < cost < Fraction(1, 10 ** (places - 1)) and places < 9:
            places += 1
        return f"{float(cost):.{places}f}{' ' if self.currency else ''}{self.currency}"


def read_price(part: Section) -> Price | None:
    """The mapping; None where it is absent. Raises the section's error for whatever is wrong with it."""
    if not part.values:
        return None
    currency = part.text("currency", "") or ""
    if currency and not _CURRENCY.fullmatch(currency):
        raise part.fault("currency", f"{currency[:20]!r} is no code of a currency", hint="for instance USD")
    made = Price(input=_amount(part, "input"), output=_amount(part, "output"), currency=currency)
    part.close()
    return made


def _amount(part: Section, key: str) -> Fraction:
    value = part.take(key)
    if value is None:
        raise part.fault(key, "is missing", hint="the price of a million tokens; 0 where they cost nothing")
    if isinstance(value, bool) or not isinstance(value, int | Decimal) or not 0 <= value <= _HIGHEST:
        raise part.fault(key, "is no price of a million tokens", hint="for instance 0.30")
    return Fraction(value)


def price_of(written: str) -> Price:
    """The price that ``0.30/2.50`` or ``0.30/2.50 USD`` says. Raises InputError for anything else."""
    found = _WRITTEN.fullmatch(written.strip())
    if found is None:
        hint = "of a million tokens read and written, for instance 0.30/2.50 or '0.30/2.50 USD'"
        raise InputError(f"{written[:40]!r} is no price", where="--price", hint=hint)
    return Price(input=Fraction(found[1]), output=Fraction(found[2]), currency=found[3] or "")
