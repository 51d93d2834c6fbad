"""Numbers that several pieces say together: "a day", "an hour and 35 minutes", "from 152 to 138 mmHg", "no later than".

``measured`` gives the pieces with such runs as one number, and each number with the unit that another one beside it
says for both. It adds no number that the text has not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from imprimatur._expressions import expression
from imprimatur.extract.words import BE, forms
from imprimatur.language import quantities, units, wordnet
from imprimatur.sources.text.bounds import during, uncompared
from imprimatur.sources.text.pieces import Part, Piece
from imprimatur.sources.text.relative import placed
from imprimatur.values import Bound, Quantity, Unit

__all__ = ["lasting", "measured"]

_EXCEEDING = expression(r"((?:exceed|surpass)(?:s|ed|es)?)\s+", re.IGNORECASE)


def measured(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces, runs of them that say one number or date together as one."""
    return placed(_ended(_shared(_joined(_rated(uncompared(during(_unexceeded(pieces))))))))


def _shared(pieces: Sequence[Piece]) -> list[Piece]:
    """ "93 of every 100", "one in every four": a share."""
    out: list[Piece] = []
    for piece in pieces:
        words = [each.lower for each in out[-2:]]
        part = out[-3] if len(out) > 2 else None
        if words in (["of", "every"], ["in", "every"], ["out", "of"], ["of", "each"]) and part is not None:
            share = _part_of(part.quantity, piece.quantity)
            if share is not None:
                out[-3:] = [replace(_merged(part, piece, share), part=Part.NUMBER)]
                continue
        out.append(piece)
    return out


def _part_of(part: Quantity | None, whole: Quantity | None) -> Quantity | None:
    if part is None or whole is None or part.unit is not None or whole.unit is not None:
        return None
    if part.high is not None or whole.high is not None or whole.bound is not Bound.EXACT:
        return None
    if not 0 < part.low.value < whole.low.value <= 100:
        return None
    return _times(part, 1 / whole.low.value)


def _ended(pieces: Sequence[Piece]) -> list[Piece]:
    """ "The end of 2031", "the last day of March": the last day."""
    out: list[Piece] = []
    for piece in pieces:
        words = [each.lower for each in out[-3:]]
        many = 3 if words == ["last", "day", "of"] else 2 if words[-2:] in (["end", "of"], ["close", "of"]) else 0
        date = piece.date
        if many and date is not None and date.last is not None and date.precision in ("month", "year"):
            day = replace(date, first=date.last, precision="day")
            text = " ".join(each.text for each in out[-many:]) + " " + piece.text
            piece = replace(piece, start=out[-many].start, text=text, lower=text.lower(), date=day)
            del out[-many:]
        out.append(piece)
    return out


_ONES = frozenset("a an one per each every".split())

_RATES = {
    **dict.fromkeys(["annual", "annually", "yearly"], "year"),
    **dict.fromkeys(["monthly"], "month"),
    **dict.fromkeys(["weekly"], "week"),
    **dict.fromkeys(["daily"], "day"),
    **dict.fromkeys(["hourly"], "hour"),
}


def _rated(pieces: Sequence[Piece]) -> list[Piece]:
    """ "A day", "per year", "annual", "every other week": one or two of a unit, where no noun follows."""
    out: list[Piece] = []
    n = 0
    while n < len(pieces):
        piece = pieces[n]
        if piece.lower in _RATES:
            out.append(_of_unit(piece, piece, 1, _RATES[piece.lower]))
            n += 1
            continue
        other = piece.lower == "every" and n + 1 < len(pieces) and pieces[n + 1].lower in ("other", "second")
        whole = piece.lower in ("a", "one") and n + 1 < len(pieces) and pieces[n + 1].lower in _WHOLE
        at = n + 2 if other or whole else n + 1
        unit = pieces[at] if at < len(pieces) else None
        if (
            piece.lower in _ONES
            and unit is not None
            and _is_unit(unit, piece.lower)
            and not _noun_follows(pieces, at + 1)
        ):
            out.append(_of_unit(piece, unit, 2 if other else 1, unit.lower))
            n = at + 1
            continue
        if piece.lower in _TIMES and unit is not None and _rate_at(pieces, at):
            found = quantities.find(f"{_TIMES[piece.lower]}")
            out.append(replace(piece, part=Part.NUMBER, quantity=found[0].quantity))
            n += 1
            continue
        out.append(piece)
        n += 1
    return out


def _is_unit(piece: Piece, before: str) -> bool:
    return not piece.figure and (piece.lower in _UNIT_NOUNS or (before == "per" and _measures(piece)))


_UNIT_NOUNS = frozenset(
    (
        "second minute hour day week month year decade kilogram gram litre liter metre meter tonne kilometre kilometer "
        "mile hectare acre"
    ).split()
)

_WHOLE = frozenset("full whole single entire".split())

_TIMES = {"once": 1, "twice": 2, "thrice": 3}


def _rate_at(pieces: Sequence[Piece], n: int) -> bool:
    """Whether "a day" or "daily" stands here."""
    if pieces[n].lower in _RATES:
        return True
    return pieces[n].lower in _ONES and n + 1 < len(pieces) and pieces[n + 1].lower in _UNIT_NOUNS


def _measures(piece: Piece) -> bool:
    """Whether a word behind "per" is a unit of measure."""
    return piece.lower in _UNIT_SIGNS or (len(piece.lower) > 3 and units.parse(piece.lower) is not None)


_UNIT_SIGNS = frozenset("kg g l h s min km m t ml".split())


def _noun_follows(pieces: Sequence[Piece], n: int) -> bool:
    if n >= len(pieces) or pieces[n].figure or pieces[n].text[:1].isupper() or pieces[n].part is Part.MARK:
        return False
    known = forms(pieces[n].lower)
    return bool(known.noun) and not known.closed and not known.adv and not known.verb_forms & {"past", "pp", "s"}


def _of_unit(first: Piece, last: Piece, many: int, unit: str) -> Piece:
    found = quantities.find(f"{many} {unit}")
    text = first.text if first is last else f"{first.text} {last.text}"
    quantity = found[0].quantity if found else None
    return replace(first, end=last.end, text=text, lower=text.lower(), part=Part.NUMBER, quantity=quantity, one=True)


def _joined(pieces: Sequence[Piece]) -> list[Piece]:
    """ "An hour and 35 minutes", "a quarter of a million": one number; "by a third" is a fraction and no rank."""
    out: list[Piece] = []
    for n, piece in enumerate(pieces):
        quantity = piece.quantity
        before = out[-2] if len(out) > 1 else None
        bound = _limited(out, piece)
        if bound is not None:
            out[-3:] = [bound]
        elif quantity is not None and (unit := _shared_unit(pieces, n)):
            out.append(replace(piece, quantity=replace(quantity, unit=unit)))
        elif quantity is None or before is None:
            out.append(piece)
        elif before.one and before.quantity and out[-1].lower == "and" and _same_kind(before.quantity, quantity):
            out[-2:] = [_merged(before, piece, _added(before.quantity, quantity))]
        elif before.quantity and out[-1].lower == "of" and _share_of(before.quantity, piece):
            out[-2:] = [_merged(before, piece, _times(quantity, before.quantity.low.value))]
        elif quantity.ordinal and out[-1].lower in ("a", "one") and before.lower == "by":
            share = replace(quantity, ordinal=False, low=replace(quantity.low, value=1 / quantity.low.value))
            out[-1:] = [_merged(out[-1], piece, share)]
        else:
            out.append(piece)
    return out


def _shared_unit(pieces: Sequence[Piece], n: int) -> Unit | None:
    """The unit that a number takes from another one that it stands beside."""
    return _money_before(pieces, n) or _unit_after(pieces, n) or _unit_lent(pieces, n)


def _limited(out: Sequence[Piece], piece: Piece) -> Piece | None:
    """ "No later than four weeks": at most so much."""
    if piece.quantity is None or len(out) < 3 or out[-1].lower != "than" or out[-3].lower not in ("no", "not"):
        return None
    bound = _LIMITS.get(out[-2].lower)
    return None if bound is None else _merged(out[-3], piece, replace(piece.quantity, bound=bound))


def lasting(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces with parts of speech, "over five hours" behind a thing or a passive as a stretch and no bound."""
    out: list[Piece] = []
    for piece in pieces:
        over = piece.quantity is not None and piece.quantity.bound is Bound.MORE_THAN and piece.lower[:5] == "over "
        lasts = piece.quantity is not None and _stretch(piece.quantity.unit) and _lasts(out)
        if piece.quantity is None or not over or not (lasts or _carried(out)):
            out.append(piece)
            continue
        at = piece.start + len("over ")
        word = replace(
            piece, end=piece.start + 4, text=piece.text[:4], lower="over", part=Part.PREPOSITION, quantity=None
        )
        rest = piece.text[5:]
        exact = replace(piece.quantity, bound=Bound.EXACT)
        out += [word, replace(piece, start=at, text=rest, lower=rest.lower(), quantity=exact, first=False)]
    return out


def _stretch(unit: Unit | None) -> bool:
    return unit is not None and unit.dimension in ((("s", 1),), (("mo", 1),), (("yr", 1),), (("m", 1),))


def _carried(before: Sequence[Piece]) -> bool:
    """Whether "over" belongs to the verb before it ("carry over five days")."""
    last = before[-1] if before else None
    if last is None or last.part is not Part.VERB:
        return False
    verbs = [lemma for lemma, pos in last.lemmas if pos == "v"]
    return any(verb not in _TAKING and wordnet.senses(f"{verb} over", "v") for verb in verbs)


_TAKING = frozenset("take be have get run go".split())


def _lasts(before: Sequence[Piece]) -> bool:
    """Whether what stands before has an object, or is passive, so that a phrase follows."""
    last = next((piece for piece in reversed(before) if piece.part is not Part.ADVERB), None)
    if last is None or last.part in (Part.NOUN, Part.NAME, Part.NUMBER):
        return True
    passive = "pp" in forms(last.lower).verb_forms and any(p.lower in BE for p in before[-4:])
    return last.part in (Part.VERB, Part.PARTICIPLE) and passive


_LIMITS = {"later": Bound.AT_MOST, "longer": Bound.AT_MOST, "earlier": Bound.AT_LEAST, "sooner": Bound.AT_LEAST}


def _unit_lent(pieces: Sequence[Piece], n: int) -> Unit | None:
    """The unit of the number before, for one that stands bare behind a verb ("40 minutes; it took only 12")."""
    quantity = pieces[n].quantity
    after = pieces[n + 1] if n + 1 < len(pieces) else None
    if n == 0 or quantity is None or quantity.unit is not None or quantity.ordinal:
        return None
    if after is not None and after.part is not Part.MARK:
        return None
    before = forms(pieces[n - 1].lower)
    if pieces[n - 1].lower not in ("only", "just") and not (before.verb_forms & {"past", "s"} and not before.noun):
        return None
    verb = _verb_before(pieces, n)
    return next(
        (
            p.quantity.unit
            for k, p in enumerate(pieces[:n])
            if p.quantity is not None and not p.one and verb and _verb_before(pieces, k) & verb
        ),
        None,
    )


def _verb_before(pieces: Sequence[Piece], n: int) -> frozenset[tuple[str, str]]:
    """The base forms of the verb that a number stands behind."""
    while n > 0 and pieces[n - 1].lower in ("only", "just", "about"):
        n -= 1
    return frozenset(lemma for lemma in pieces[n - 1].lemmas if lemma[1] == "v") if n else frozenset()


def _money_before(pieces: Sequence[Piece], n: int) -> Unit | None:
    """The currency that "24 million euros, of which 15 million" says once."""
    quantity = pieces[n].quantity
    if (
        quantity is None
        or quantity.unit is not None
        or not pieces[n].lower.endswith(("million", "billion", "thousand"))
    ):
        return None
    if n + 1 < len(pieces) and pieces[n + 1].part is Part.NOUN and forms(pieces[n + 1].lower).plural:
        return None
    for before in reversed(pieces[max(0, n - 12) : n]):
        unit = before.quantity.unit if before.quantity is not None else None
        if unit is not None and unit.symbol.startswith("cur:"):
            return unit
    return None


def _unit_after(pieces: Sequence[Piece], n: int) -> Unit | None:
    """The unit that "from 152 to 138 mmHg" says once."""
    quantity, after = pieces[n].quantity, pieces[n + 2 : n + 3]
    if n == 0 or pieces[n - 1].lower != "from":
        return None
    if quantity is None or quantity.unit is not None or not after or pieces[n + 1].lower != "to":
        return None
    return after[0].quantity.unit if after[0].quantity is not None else None


def _merged(first: Piece, last: Piece, quantity: Quantity) -> Piece:
    text = f"{first.text} … {last.text}"
    return replace(last, start=first.start, text=text, lower=text.lower(), quantity=quantity, part=Part.NUMBER)


def _times(quantity: Quantity, factor: Fraction) -> Quantity:
    other = tuple(_times(each, factor) for each in quantity.other)
    return replace(quantity, low=replace(quantity.low, value=quantity.low.value * factor), other=other)


def _same_kind(a: Quantity, b: Quantity) -> bool:
    return a.unit is not None and b.unit is not None and a.unit.dimension == b.unit.dimension


def _added(a: Quantity, b: Quantity) -> Quantity:
    assert a.unit is not None
    assert b.unit is not None
    value = b.low.value + a.low.value * a.unit.factor / b.unit.factor
    return replace(b, low=replace(b.low, value=value))


def _share_of(share: Quantity, whole: Piece) -> bool:
    """ "A quarter of a million", "a quarter of an hour"."""
    if share.unit is not None or share.low.value >= 1 or whole.quantity is None:
        return False
    return whole.one or (whole.quantity.low.value >= 1000 and whole.text[:1].isalpha())


def _unexceeded(pieces: Sequence[Piece]) -> list[Piece]:
    """ "Never exceeds $200" is at most $200; otherwise the verb is a piece of its own."""
    out: list[Piece] = []
    for piece in pieces:
        verb = _EXCEEDING.match(piece.text) if piece.quantity else None
        if verb is None or piece.quantity is None:
            out.append(piece)
            continue
        at = piece.start + verb.end()
        denied = bool(out) and out[-1].lower in ("never", "not", "n't", "cannot")
        if denied:
            out.pop()
        bound = Bound.AT_MOST if denied else piece.quantity.bound
        word = verb.group(1)
        out.append(
            Piece(
                start=piece.start,
                end=piece.start + len(word),
                text=word,
                lower="is",
                part=Part.AUXILIARY,
                lemmas=frozenset({("be", "v")}),
            )
        )
        rest = piece.text[verb.end() :]
        out.append(
            replace(piece, start=at, text=rest, lower=rest.lower(), quantity=replace(piece.quantity, bound=bound))
        )
    return out
