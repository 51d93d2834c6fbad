"""The pieces of a text that counts as evidence, or of a claim: words, names, numbers and dates, each with its part.

A number with its unit and hedge is one piece, a date is one, and so is a code ("K-17", "22:15", "3-1"). Every other
word is a piece of its own, so that a name of several words is several pieces in a row. ``part`` is a part of speech by
context (a small set of rules over what the forms of a word allow); where it is wrong, a comparison finds less in
common, never more. Time is linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache

from imprimatur._expressions import expression
from imprimatur.extract.words import BE, DO, HAVE, forms
from imprimatur.language import closed_class, dates, morphology, quantities
from imprimatur.language.tokens import Token, TokenKind, tokenise
from imprimatur.values import Bound, DateValue, Quantity, Unit

__all__ = ["Part", "Piece", "lemmas_of", "pieces_of"]


class Part(StrEnum):
    """What a piece is in its sentence."""

    NUMBER = "number"
    DATE = "date"
    NAME = "name"
    NOUN = "noun"
    VERB = "verb"
    PARTICIPLE = "participle"
    ADJECTIVE = "adjective"
    ADVERB = "adverb"
    AUXILIARY = "auxiliary"
    PRONOUN = "pronoun"
    DETERMINER = "determiner"
    PREPOSITION = "preposition"
    CONJUNCTION = "conjunction"
    NEGATOR = "negator"
    MARK = "mark"


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """``text[start:end]``, what it is, and what it may mean.

    ``lemmas`` are its base forms with their parts of speech; ``label`` is a number that names something ("tank 3");
    ``first``: it begins a sentence; ``one``: it is one of a unit, said by its noun ("a day", "per year", "annual").
    """

    start: int
    end: int
    text: str
    lower: str
    part: Part
    lemmas: frozenset[tuple[str, str]] = frozenset()
    quantity: Quantity | None = None
    date: DateValue | None = None
    label: bool = False
    first: bool = False
    one: bool = False

    @property
    def figure(self) -> bool:
        """Whether it is a number (not a label) or a date."""
        return (self.quantity is not None or self.date is not None) and not self.label


_CODE = expression(
    r"(?<![\w.,-])(?:\d{1,2}:\d{2}(?::\d{2})?(?![\d:])|\d{1,3}[-\u2013]\d{1,3}(?![\w.,]*[\d-])"
    r"|(?=[A-Za-z0-9/-]*\d)(?=[A-Za-z0-9/-]*[A-Za-z])[A-Za-z0-9]+(?:[-/][A-Za-z0-9]+)*(?![\w-]))"
)
_MONTHS = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?"
    "|nov(?:ember)?|dec(?:ember)?"
)
#: A day without its year; a day with one is a date.
_DAY = expression(
    rf"\b(?:(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? ({_MONTHS})|({_MONTHS}) (\d{{1,2}})(?:st|nd|rd|th)?)\b(?![\d.,]*\d)",
    re.IGNORECASE,
)
_EXCEEDING = expression(r"((?:exceed|surpass)(?:s|ed|es)?)\s+", re.IGNORECASE)
_QUOTES = frozenset("\"'\u201c\u201d\u2018\u2019\u00ab\u00bb\u201e()[]")
_STOPS = frozenset(".!?:;\u2014\u2013")
_SUBJECTS = frozenset("it they he she we you i who which that this these those".split())
_CLOSED = (
    (
        Part.NEGATOR,
        frozenset("not n't never no none nobody nothing nowhere neither nor cannot".split()),
    ),
    (
        Part.PRONOUN,
        frozenset(
            (
                "it they he she him them we you i us me who whom which what itself themselves himself herself someone "
                "something anyone anything everyone everything everybody anybody whose its their his her my our your "
                "mine yours one ones"
            ).split()
        ),
    ),
    (
        Part.DETERMINER,
        frozenset(
            (
                "the a an this that these those each every some any another both all several many few most much more "
                "less fewer other such same whole entire enough either half"
            ).split()
        ),
    ),
    (
        Part.PREPOSITION,
        frozenset(
            (
                "of in at on into onto to from by with without within inside through throughout across along near for "
                "as toward towards over under above below between among amongst against during before after since "
                "until till about around beyond beside besides past via per upon off out like despite including than "
                "behind beneath underneath alongside amid outside except unlike according ahead apart owing"
            ).split()
        ),
    ),
    (
        Part.CONJUNCTION,
        frozenset(
            (
                "and or but if unless although though because while whereas when whenever where whether once so yet "
                "provided providing whilst lest"
            ).split()
        ),
    ),
)
_MODALS = closed_class.words("modal") | {"'ll"}


@lru_cache(8192)
def lemmas_of(lower: str) -> frozenset[tuple[str, str]]:
    """The base forms of a word in one spelling, satellites as adjectives; itself as a noun when nothing is known."""
    found = {(morphology.normalise(lemma), "a" if pos == "s" else pos) for lemma, pos in morphology.lemmas(lower)}
    known = forms(lower)
    if known.noun and known.noun != lower:
        found.add((known.noun, "n"))
    return frozenset(found or {(morphology.normalise(lower), "n")})


@lru_cache(2048)
def pieces_of(text: str, locale: str = "en") -> tuple[Piece, ...]:
    """The pieces of a text, in order; white space lies between them."""
    spans = _figures(text, locale)
    tokens = tokenise(text)
    out: list[Piece] = []
    at = 0
    for token in tokens:
        if token.start < at:
            continue
        piece = spans.get(token.start)
        if piece is None:
            piece = _word(token)
        out.append(piece)
        at = piece.end
    return tuple(_tagged(_labelled(_begun(_joined(_rated(_uncompared(_unexceeded(out))))))))


_COMPARED = expression(r"(more|less|fewer) than ", re.IGNORECASE)


def _uncompared(pieces: Sequence[Piece]) -> list[Piece]:
    """ "A third more than a year earlier": "more than" compares, and bounds no year."""
    out: list[Piece] = []
    for piece in pieces:
        words = _COMPARED.match(piece.text) if piece.quantity is not None and out and out[-1].figure else None
        if words is None or piece.quantity is None:
            out.append(piece)
            continue
        first, than = piece.start + len(words[1]), piece.start + words.end() - 1
        out.append(_word_at(piece.text[: len(words[1])], piece.start, first))
        out.append(_word_at("than", first + 1, than))
        rest = tokenise(piece.text[words.end() :])
        plain = quantities.find(piece.text[words.end() :])
        if len(plain) == 1 and plain[0].start == 0 and plain[0].end == len(piece.text) - words.end():
            text = piece.text[words.end() :]
            out.append(
                replace(piece, start=than + 1, text=text, lower=text.lower(), quantity=plain[0].quantity)
            )
        else:
            out += [_word_at(t.text, than + 1 + t.start, than + 1 + t.end) for t in rest]
    return out


def _word_at(text: str, start: int, end: int) -> Piece:
    lower = text.lower()
    return Piece(start=start, end=end, text=text, lower=lower, part=Part.NOUN, lemmas=lemmas_of(lower))


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
        at = n + 2 if other else n + 1
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
        often = unit is not None and (unit.lower in _RATES or (unit.lower in _ONES and _is_unit_at(pieces, at + 1)))
        if piece.lower in _TIMES and often:
            found = quantities.find(f"{_TIMES[piece.lower]}")
            out.append(replace(piece, part=Part.NUMBER, quantity=found[0].quantity))
            n += 1
            continue
        out.append(piece)
        n += 1
    return out


def _is_unit(piece: Piece, before: str) -> bool:
    return not piece.figure and (piece.lower in _UNIT_NOUNS or (before == "per" and piece.lower in _UNIT_SIGNS))


_UNIT_NOUNS = frozenset(
    "second minute hour day week month year decade kilogram gram litre liter metre meter tonne kilometre kilometer mile "
    "hectare acre".split()
)


_TIMES = {"once": 1, "twice": 2, "thrice": 3}


def _is_unit_at(pieces: Sequence[Piece], n: int) -> bool:
    return n < len(pieces) and pieces[n].lower in _UNIT_NOUNS


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
    verb = pieces[n - 2] if pieces[n - 1].lower in ("only", "just") and n > 1 else pieces[n - 1]
    numbers = [k for k, p in enumerate(pieces[:n]) if p.quantity is not None and not p.one]
    alike = [k for k in numbers if k and pieces[k - 1].lemmas & verb.lemmas]
    return pieces[(alike or numbers)[-1]].quantity.unit if numbers else None  # type: ignore[union-attr]


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
    small = share.unit is None and share.low.value < 1
    return small and whole.quantity is not None and whole.quantity.low.value >= 1000 and whole.text[:1].isalpha()


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


# -- figures --------------------------------------------------------------------------------------------------------
def _figures(text: str, locale: str) -> dict[int, Piece]:
    """Numbers, dates and codes by where they start; dates before codes before numbers."""
    found: dict[int, Piece] = {}
    taken: list[tuple[int, int]] = []

    def add(piece: Piece) -> None:
        if all(piece.end <= a or b <= piece.start for a, b in taken):
            found[piece.start] = piece
            taken.append((piece.start, piece.end))

    numbers = quantities.find(text, locale=locale)
    measured = [(q.start, q.end) for q in numbers if q.quantity.unit is not None]
    for date in dates.find(text, locale=locale):
        inside = any(a < date.start and date.end <= b for a, b in measured)
        if not inside and not _bare_number(text[date.start : date.end], date.value):
            add(_made(text, date.start, date.end, Part.DATE, date=date.value))
    for day in _DAY.finditer(text):
        month = (day[2] or day[3]).lower()[:3]
        add(replace(_made(text, *day.span(), Part.NAME), lower=f"{int(day[1] or day[4])} {month}"))
    for code in _CODE.finditer(text):
        if not any(a <= code.start() and code.end() <= b for a, b in measured):
            add(_made(text, code.start(), code.end(), Part.NAME))
    for number in numbers:
        for piece in _numbers(text, number.start, number.end, number.quantity):
            add(piece)
    return found


def _bare_number(written: str, value: DateValue) -> bool:
    """Whether what may be a year is as well a plain number: only four digits from 1000 to 2199 are taken as a year."""
    last = written.split()[-1]
    return value.precision == "year" and last.isdigit() and not (len(last) == 4 and "1000" <= last <= "2199")


def _numbers(text: str, start: int, end: int, quantity: Quantity) -> tuple[Piece, ...]:
    """The pieces of a quantity: "from 5 to 8 km" says two numbers, in an order that counts."""
    year = _YEAR_TO.match(text[start:end])
    if quantity.high is not None and year is not None:  # "in 2023 to €5.1 million": the year belongs to what is before
        rest = [
            (n.start + start + year.end(), n.end + start + year.end(), n.quantity)
            for n in quantities.find(text[start + year.end() : end])
        ]
        return tuple(piece for each in rest for piece in _numbers(text, *each))
    again = _OVER_AGAIN.match(text[start:end])
    rate = _RATE.fullmatch(text[start:end])
    for cut, rest_from in ((again, again and again.end()), (rate, None)):
        if cut is None:
            continue
        a, b = (start + rest_from, end) if rest_from else (start, start + cut.start(2) - 1)
        inner = quantities.find(text[a:b])
        if len(inner) == 1 and (inner[0].start, inner[0].end) == (0, b - a):
            return _numbers(text, a, b, inner[0].quantity)
    turn = _FROM_TO.fullmatch(text[start:end])
    if quantity.bound is not Bound.RANGE or quantity.high is None or turn is None:
        return (_made(text, start, end, Part.NUMBER, quantity=quantity),)
    low, high = quantity.low, quantity.high
    first, last = quantities.find(turn.group(1)), quantities.find(turn.group(2))
    falling = bool(first and last) and first[0].quantity.low.value > last[0].quantity.low.value
    plain = replace(quantity, high=None, bound=Bound.EXACT, other=(), partner=None)
    here, there = (high, low) if falling else (low, high)
    one = _made(text, start + turn.start(1), start + turn.end(1), Part.NUMBER, quantity=replace(plain, low=here))
    two = _made(text, start + turn.start(2), end, Part.NUMBER, quantity=replace(plain, low=there))
    return (one, two)


#: "carry over at most five": the first word belongs to the verb.
_OVER_AGAIN = expression(r"over (?=at |no |up |about |some |exactly )")
#: "0.75% a year": the rate is said by words of its own.
_RATE = expression(r"(.+) (a|an|per|each) (day|week|month|quarter|year)")
_YEAR_TO = expression(r"(?:1\d|20|21)\d\d to (?=\D)")
_FROM_TO = expression(r"[Ff]rom (.{1,40}) to (.{1,60})")


def _made(
    text: str, start: int, end: int, part: Part, *, quantity: Quantity | None = None, date: DateValue | None = None
) -> Piece:
    raw = text[start:end]
    return Piece(start=start, end=end, text=raw, lower=raw.lower(), part=part, quantity=quantity, date=date)


def _word(token: Token) -> Piece:
    mark = token.kind in (TokenKind.PUNCT, TokenKind.SYMBOL)
    return Piece(
        start=token.start,
        end=token.end,
        text=token.text,
        lower=token.lower,
        part=Part.MARK if mark else Part.NOUN,
        lemmas=frozenset() if mark else lemmas_of(token.lower),
    )


# -- labels and names -----------------------------------------------------------------------------------------------
def _begun(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces, those that begin a sentence or a quotation marked so."""
    out: list[Piece] = []
    fresh = True
    for piece in pieces:
        out.append(replace(piece, first=True) if fresh and piece.part is not Part.MARK else piece)
        fresh = piece.text in _STOPS or piece.text in _QUOTES or (fresh and piece.part is Part.MARK)
    return out


def _labelled(pieces: list[Piece]) -> list[Piece]:
    """ "Tank 3", "tanks 3 and 4": a bare number right behind a noun that opens a phrase names that thing."""
    for n in range(1, len(pieces)):
        piece = pieces[n]
        quantity = piece.quantity
        if quantity is None or quantity.unit is not None or not piece.text.isdigit():
            continue
        if _numbered(pieces, n) or _listed(pieces, n):
            pieces[n] = replace(piece, label=True, part=Part.NAME)
    return pieces


def _listed(pieces: Sequence[Piece], n: int) -> bool:
    return n >= 2 and pieces[n - 1].lower in ("and", ",", "or", "to", "-", "\u2013") and pieces[n - 2].label


def _numbered(pieces: Sequence[Piece], n: int) -> bool:
    noun, known = pieces[n - 1], forms(pieces[n - 1].lower)
    if noun.quantity or noun.date or noun.part is Part.MARK or known.closed or not known.noun:
        return False
    after = pieces[n + 1] if n + 1 < len(pieces) else None
    counted = after is not None and after.part is Part.NOUN and _plural(after.lower) and not _verb_next(pieces, n + 1)
    if known.plural:
        listed = after is not None and after.lower in ("and", "to", "or", "-", "\u2013", ",")
        return listed and not counted and _opens(pieces, n - 1)
    if noun.text[:1].isupper() and not noun.first:
        return not counted
    return not counted and _opens(pieces, n - 1)


def _opens(pieces: Sequence[Piece], n: int) -> bool:
    """Whether a phrase begins with piece ``n``, so that it is a noun and no verb."""
    if n == 0 or pieces[n].first:
        return True
    before = pieces[n - 1]
    known = forms(before.lower)
    opening = (
        known.closed & {"prep", "det", "poss", "conj", "particle", "adverb"}
        or (known.verb and not known.noun)
        or known.adv
    )
    of_which = before.lower == "which" and n > 1 and pieces[n - 2].lower == "of"
    return before.part is Part.MARK or bool(opening) or bool(before.quantity) or of_which


def _plural(lower: str) -> bool:
    return forms(lower).plural


def _verb_next(pieces: Sequence[Piece], n: int) -> bool:
    """Whether an -s form is a verb: a determiner or a number follows it."""
    if not forms(pieces[n].lower).verb_forms & {"s"} or n + 1 >= len(pieces):
        return False
    after = pieces[n + 1]
    known = forms(after.lower)
    if after.part is Part.MARK:
        return False
    if n >= 2 and not forms(pieces[n - 2].lower).plural and known.noun and not known.closed and not known.verb:
        return True  # "tank 3 holds toluene"
    return bool(after.quantity) or bool(known.closed & {"det", "prep"})


# -- parts of speech ------------------------------------------------------------------------------------------------
def _tagged(pieces: list[Piece]) -> list[Piece]:
    out: list[Piece] = []
    finite = comma = False
    for n, piece in enumerate(pieces):
        comma = piece.text == "," or (comma and not (piece.text in _STOPS or piece.lower in _OPENERS))
        if piece.text in _STOPS or piece.lower in _OPENERS:
            finite = False
        part = piece.part if piece.figure or piece.label or piece.part is not Part.NOUN else None
        if part is None:
            done = finite and not (comma and _plain_verb(pieces, n))
            part = _closed_part(piece, pieces, n) or _open_part(piece, out, pieces, n, finite=done)
        finite = finite or part is Part.VERB or part is Part.AUXILIARY
        out.append(piece if part is piece.part else replace(piece, part=part))
    return out


def _plain_verb(pieces: Sequence[Piece], n: int) -> bool:
    """Whether a word behind a comma looks like the verb of a new clause: it has a subject, and an object follows."""
    if n < 2 or n + 1 >= len(pieces) or not forms(pieces[n].lower).verb_forms & {"s", "base"}:
        return False
    after = pieces[n + 1]
    follows = forms(after.lower)
    if pieces[n - 1].label and after.part is not Part.MARK and follows.noun:
        return True
    return bool(after.figure or follows.closed & {"det", "poss"}) and pieces[n - 1].part is not Part.MARK


_OPENERS = frozenset(
    ("and or but if unless although though because while whereas when whenever where which who that so once").split()
)


def _closed_part(piece: Piece, pieces: Sequence[Piece], n: int) -> Part | None:
    lower = piece.lower
    if piece.text == "A" and not piece.first:
        return Part.NAME
    if lower in ("'s", "'", "\u2019s") and not (n and pieces[n - 1].lower in _SUBJECTS | {"there", "what", "here"}):
        return Part.MARK
    if lower in BE or lower in HAVE or lower in DO or (lower in _MODALS and not (lower == "may" and _month(piece))):
        return Part.AUXILIARY
    if piece.text[:1].isupper() and not piece.first and len(piece.text) > 1:
        return None
    if lower in ("that", "this", "these", "those") and n + 1 < len(pieces):
        after = pieces[n + 1]
        if _is_verbal(after) or after.part is Part.MARK or "det" in forms(after.lower).closed:
            return Part.PRONOUN
    for part, words in _CLOSED:
        if lower in words:
            return part
    return Part.ADVERB if forms(lower).closed & {"adverb", "particle"} else None


def _month(piece: Piece) -> bool:
    return piece.text == "May" and not piece.first


def _is_verbal(piece: Piece) -> bool:
    return piece.lower in BE or piece.lower in HAVE or piece.lower in DO or piece.lower in _MODALS


def _open_part(piece: Piece, before: Sequence[Piece], pieces: Sequence[Piece], n: int, *, finite: bool) -> Part:
    known = forms(piece.lower)
    if _named(piece, known.closed):
        return Part.NAME
    previous = before[-1] if before else None
    if piece.lower in ("up", "down"):
        return Part.ADVERB
    if known.verb and _verbal(piece, previous, pieces, n, finite=finite):
        tags = known.verb_forms
        participle = tags and not tags & {"base", "s"} and (tags == {"ing"} or (finite and not _auxiliary(before)))
        return Part.PARTICIPLE if participle or tags == {"ing"} else Part.VERB
    if known.noun:
        return Part.NOUN
    if known.adj and not (known.adv and piece.lower.endswith("ly")):
        return Part.ADJECTIVE
    return Part.ADVERB if known.adv else Part.NOUN


def _auxiliary(before: Sequence[Piece]) -> bool:
    """Whether an auxiliary stands before, with nothing but adverbs and negators between."""
    for piece in reversed(before):
        if piece.part is Part.AUXILIARY:
            return True
        if piece.part not in (Part.ADVERB, Part.NEGATOR):
            return False
    return False


def _named(piece: Piece, closed: frozenset[str]) -> bool:
    """A capital letter names something, but for a known word that begins a sentence."""
    if not piece.text[:1].isupper():
        return any(c.isdigit() for c in piece.text)
    if not piece.first:
        return True
    return not closed and not morphology.lemmas(piece.lower)


def _verbal(piece: Piece, previous: Piece | None, pieces: Sequence[Piece], n: int, *, finite: bool) -> bool:
    """Whether a word that may be a verb is one here."""
    known = forms(piece.lower)
    tags = known.verb_forms
    if n + 1 < len(pieces) and pieces[n + 1].label:
        return False
    if previous is None:
        return "ing" in tags or (not known.noun and not known.adj)
    if previous.lower == "to" and "base" in tags:
        return not (known.noun and n >= 2 and pieces[n - 2].lower in _BEFORE_TO)
    if previous.part is Part.AUXILIARY:
        return previous.lower not in BE or not (tags <= {"base", "s"} or (known.adj and not tags - {"base"}))
    if previous.part in (Part.ADVERB, Part.NEGATOR) and _auxiliary_before(pieces, n):
        return not tags <= {"base", "s"} or not known.noun or previous.lower not in ("no", "none")
    if previous.part in (Part.DETERMINER, Part.PREPOSITION, Part.ADJECTIVE):
        return previous.part is Part.PREPOSITION and (tags == {"ing"} or (previous.lower == "as" and "pp" in tags))
    if tags and not tags & {"base", "s"}:
        return previous.part is not Part.NUMBER or not (known.noun or known.adj) or not finite
    if previous.lower in _SUBJECTS:
        return True
    if not known.noun:
        return not finite or not known.adj
    return not finite and _predicates(piece, previous, pieces, n)


#: Words after which "to" is no sign of an infinitive.
_BEFORE_TO = frozenset("owing due thanks prior according up close next subject contrary addition from".split())


def _predicates(piece: Piece, previous: Piece, pieces: Sequence[Piece], n: int) -> bool:
    """Whether a word that may be a noun or a finite verb is the verb of a clause that has none yet."""
    tags = forms(piece.lower).verb_forms
    after = pieces[n + 1] if n + 1 < len(pieces) else None
    follows = forms(after.lower) if after is not None else forms("")
    if after is None or after.part is Part.MARK:
        return "s" in tags and previous.part is Part.NAME
    if previous.part is Part.MARK:
        return False
    opens = bool(after.figure or follows.closed & {"det", "poss"} or after.lower == "no" or _capital(after))
    if piece.lower in _PLAIN_VERBS and previous.part in (Part.NOUN, Part.NAME, Part.NUMBER, Part.ADVERB):
        return True
    if _clear_verb_ahead(pieces, n):
        return False
    if previous.part is Part.CONJUNCTION:
        return opens or ("s" in tags and after.lower != "of" and bool(follows.closed & {"prep", "aux"}))
    if opens and not (follows.plural and previous.part is Part.NUMBER):
        return True
    plural = previous.part is Part.NOUN and _plural(previous.lower)
    fits = plural if "base" in tags else previous.part in (Part.NOUN, Part.NAME, Part.ADVERB) and not plural
    return (fits or previous.part is Part.ADVERB) and _governs(pieces, n)


#: Verbs that are hardly ever nouns, though dictionaries list them as such.
_PLAIN_VERBS = frozenset(
    "get gets make makes take takes give gives go goes come comes see sees find finds let lets keep keeps".split()
)


def _capital(piece: Piece) -> bool:
    return piece.text[:1].isupper() and not piece.first


def _clear_verb_ahead(pieces: Sequence[Piece], n: int) -> bool:
    """Whether a word that can only be the verb of this clause follows, so that the one before is a noun."""
    for k in range(n + 1, len(pieces)):
        piece = pieces[k]
        known = forms(piece.lower)
        if piece.part is Part.MARK or piece.lower in _OPENERS:
            return False
        if piece.figure:
            continue
        if _is_verbal(piece) or (known.verb_forms >= {"past"} and not known.noun and not known.adj):
            return True
        if k == n + 1 and known.verb_forms >= {"past"} and not known.noun:
            return True
        if k == n + 1 and "base" in known.verb_forms and k + 1 < len(pieces) and _closed_after(pieces[k + 1]):
            return True
    return False


def _closed_after(piece: Piece) -> bool:
    return bool(forms(piece.lower).closed & {"prep", "det"})


def _auxiliary_before(pieces: Sequence[Piece], n: int) -> bool:
    for k in range(n - 1, max(-1, n - 5), -1):
        if _is_verbal(pieces[k]):
            return True
        known = forms(pieces[k].lower)
        if not (known.adv or "neg" in known.closed or "adverb" in known.closed):
            return False
    return False


def _governs(pieces: Sequence[Piece], n: int) -> bool:
    """Whether what follows may be an object, a complement or the end of the clause."""
    if n + 1 >= len(pieces):
        return True
    after = pieces[n + 1]
    known = forms(after.lower)
    if after.part is Part.MARK or after.figure or after.text[:1].isupper():
        return True
    nominal = known.noun and not known.adv and not known.adj
    return bool(known.closed) or bool(known.adv) or bool(known.adj) or bool(nominal) or not known.verb
