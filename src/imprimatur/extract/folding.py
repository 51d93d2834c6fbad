"""What is folded into one item: names that the lexicon knows, quantities, dates, intervals, and unknown names.

Spans are ranges of tokens; what covers more tokens wins, and of two that cover as many the later kind.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter

from imprimatur.claim import Mention
from imprimatur.extract.scales import SCALES, ratings
from imprimatur.extract.syntax import Forms, Item
from imprimatur.extract.told import CLOCKS
from imprimatur.extract.words import forms, is_closed
from imprimatur.language import clock_times, dates, quantities, rounding
from imprimatur.language.clock_times import FoundTime
from imprimatur.language.dates import FoundDate, FoundInterval
from imprimatur.language.tokens import Token, TokenKind
from imprimatur.protocols import Lexicon
from imprimatur.values import DateValue, Quantity

__all__ = ["folded", "item_of", "quoted", "unknown_name"]

DAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())
_JOINERS = frozenset("of the de la del van von der den al el bin ibn di da du le and".split())
#: Verbs that are a bound, with the copula that they stand for: "the length of S exceeds 5 km" says it is over 5 km.
_BOUNDING = {"exceeds": "is", "surpasses": "is", "exceeded": "was", "surpassed": "was"}
_DASHES = frozenset("-–—")
_QUOTES = {"“": "”", '"': '"', "„": "“”", "«": "»", "‘": "’", "'": "'’", "「": "」", "『": "』"}
_START, _END = attrgetter("start"), attrgetter("end")


def item_of(
    text: str,
    start: int,
    end: int,
    *,
    entity: Mention | None = None,
    quantity: Quantity | None = None,
    date: DateValue | None = None,
    name: Mention | None = None,
) -> Item:
    """The item of a stretch of the text."""
    raw = text[start:end]
    word = forms(raw.lower()) if raw.isalpha() else forms("")
    return Item(start, end, raw, raw.lower(), forms=word, entity=entity, quantity=quantity, date=date, name=name)


def folded(text: str, tokens: Sequence[Token], names: Lexicon, locale: str) -> dict[int, tuple[int, Item]]:
    """What is more than a word, by its first token: where it ends, and its item. Later kinds go before earlier ones."""
    spans: dict[int, tuple[int, Item]] = {}
    _quantities(text, tokens, spans, locale)
    found, intervals = dates.read(text, locale=locale)
    _dates(text, tokens, spans, found)
    _intervals(text, tokens, spans, intervals)
    if names.entries(CLOCKS):
        _times(text, tokens, spans)
    if names.entries(SCALES):
        _ratings(text, tokens, spans, names)
    _names(text, tokens, spans, names)
    _distributed(text, tokens, spans, names)
    return spans


def _cover(tokens: Sequence[Token], start: int, end: int) -> tuple[int, int] | None:
    """The tokens of a character span, None when it cuts a token."""
    first, stop = bisect_right(tokens, start, key=_END), bisect_left(tokens, end, key=_START)
    if first >= stop or tokens[first].start < start or tokens[stop - 1].end > end:
        return None
    return first, stop


def _quantities(text: str, tokens: Sequence[Token], spans: dict[int, tuple[int, Item]], locale: str) -> None:
    for found in quantities.find(text, locale=locale):
        cover = _cover(tokens, found.start, found.end)
        if not cover:
            continue
        first, start = cover[0], found.start
        verb = tokens[first]
        copula = _BOUNDING.get(verb.lower)
        if copula is not None and first + 1 < cover[1]:
            spans[first] = (first + 1, Item(verb.start, verb.end, verb.text, copula, forms=forms(copula)))
            first, start = first + 1, tokens[first + 1].start
        item = item_of(text, start, found.end, quantity=found.quantity)
        spans[first] = (cover[1], item._replace(spans=_apart(text, start, found.end, found.quantity)))


def _apart(text: str, start: int, end: int, stated: Quantity) -> tuple[tuple[int, int], ...]:
    """The spans of a number and of the conversion in brackets that does not fit it; none where they are one value."""
    opening = text.find("(", start, end)
    if stated.partner is None or opening < 0 or rounding.near_conversion(stated, stated.partner):
        return ()
    return (start, start + len(text[start:opening].rstrip())), (opening, end)


def _dates(text: str, tokens: Sequence[Token], spans: dict[int, tuple[int, Item]], stated: Sequence[FoundDate]) -> None:
    for found in stated:
        cover = _cover(tokens, found.start, found.end)
        if not cover:
            continue
        over = [k for k, (stop, _) in spans.items() if k < cover[1] and cover[0] < stop]
        if over and any(spans[k][0] - k > cover[1] - cover[0] for k in over):
            continue
        same = spans.get(cover[0])
        quantity = same[1].quantity if same and same[0] == cover[1] else None
        for k in over:
            del spans[k]
        spans[cover[0]] = (cover[1], item_of(text, found.start, found.end, quantity=quantity, date=found.value))


def _intervals(
    text: str, tokens: Sequence[Token], spans: dict[int, tuple[int, Item]], stated: Sequence[FoundInterval]
) -> None:
    """ "Between 2002 and 2008" is one item with a start and an end."""
    for found in stated:
        cover = _cover(tokens, found.start, found.end)
        if not cover or not (text[found.start : found.end].lower().startswith("between") or _bracketed(tokens, cover)):
            continue
        for x in [x for x in spans if cover[0] <= x < cover[1]]:
            del spans[x]
        item = item_of(text, found.start, found.end, date=found.first)
        spans[cover[0]] = (cover[1], item._replace(interval=(found.first, found.last)))


def _bracketed(tokens: Sequence[Token], cover: tuple[int, int]) -> bool:
    before, after = cover[0] - 1, cover[1]
    return before >= 0 and after < len(tokens) and tokens[before].text == "(" and tokens[after].text == ")"


def _times(text: str, tokens: Sequence[Token], spans: dict[int, tuple[int, Item]]) -> None:
    """Times of day and days of the week, as nouns; only for what is known of such."""
    before: FoundTime | None = None
    for found in clock_times.spoken(text):
        if before is not None and text[before.end : found.start].strip() in _DASHES:
            _cover_dash(text, tokens, spans, (before.end, found.start))
        before = found
        cover = _cover(tokens, found.start, found.end)
        if not cover:
            continue
        for x in [x for x, (stop, _) in spans.items() if x < cover[1] and cover[0] < stop]:
            del spans[x]
        word = Forms(noun=found.time)
        spans[cover[0]] = (
            cover[1],
            Item(found.start, found.end, text[found.start : found.end], found.time, forms=word),
        )
    for n, token in enumerate(tokens):
        day = token.lower.removesuffix("s")
        if day in DAYS and n not in spans:
            spans[n] = (n + 1, Item(token.start, token.end, token.text, day, forms=forms(day)))


def _ratings(text: str, tokens: Sequence[Token], spans: dict[int, tuple[int, Item]], names: Lexicon) -> None:
    """ "4.5 out of 5" as one number, wherever the words for the best one stand."""
    for found in ratings(text, tokens, names):
        number, of = _cover(tokens, *found.number), _cover(tokens, *found.of)
        whole = _cover(tokens, found.number[0], found.of[1])
        if whole is None:
            continue
        over = [x for x, (stop, _) in spans.items() if x < whole[1] and whole[0] < stop]
        said = next((i for x in over if (i := spans.pop(x)[1]).quantity and i.end == found.number[1]), None)
        at, quantity = found.number, found.quantity
        if said is not None and said.quantity is not None and number is not None:  # "over 4.5 out of 5"
            at, quantity = (said.start, said.end), replace(said.quantity, unit=quantity.unit)
            number = _cover(tokens, *at)
            whole = (number[0] if number else whole[0], whole[1])
        item = item_of(text, *at, quantity=quantity)._replace(spans=(at, found.of))
        if number is None or of is None or number[1] == of[0]:  # "4.5/5" may be one token
            spans[whole[0]] = (whole[1], item)
        else:  # "4.5 stars out of 5": the words between stay, and the last ones are taken up by the number
            spans[number[0]] = (number[1], item)
            spans[of[0] - 1] = (of[1], _word(text, tokens[of[0] - 1]))


def _word(text: str, token: Token) -> Item:
    return item_of(text, token.start, token.end)


def _cover_dash(text: str, tokens: Sequence[Token], spans: dict[int, tuple[int, Item]], at: tuple[int, int]) -> None:
    """The dash between two times as "to"."""
    for n, token in enumerate(tokens):
        if at[0] <= token.start and token.end <= at[1]:
            spans[n] = (n + 1, Item(token.start, token.end, token.text, "to", forms=forms("to")))


def _names(text: str, tokens: Sequence[Token], spans: dict[int, tuple[int, Item]], names: Lexicon) -> None:
    for found in names.find(tokens):
        over = [k for k, (stop, _) in spans.items() if k < found.stop and found.first < stop]
        if any(spans[k][0] - k > found.stop - found.first for k in over):
            continue
        same = spans.get(found.first)
        twin = same[1] if same and same[0] == found.stop else None
        for k in over:
            del spans[k]
        start, end = tokens[found.first].start, tokens[found.stop - 1].end
        mention = Mention(start, end, text[start:end], found.candidates)
        item = item_of(
            text,
            start,
            end,
            quantity=twin.quantity if twin else None,
            date=twin.date if twin else None,
            **({"entity": mention} if found.candidates else {"name": mention}),
        )
        spans[found.first] = (found.stop, item)


def quoted(tokens: Sequence[Token], spans: dict[int, tuple[int, Item]]) -> set[int]:
    """The quotation marks around a known name alone ("the opera “Isaura,” which"): they say nothing."""
    marks: set[int] = set()
    for first, (stop, item) in spans.items():
        closing = _QUOTES.get(tokens[first - 1].text) if first and item.entity is not None else None
        if closing is None or stop >= len(tokens):
            continue
        last = stop + 1 if tokens[stop].text in ",." and stop + 1 < len(tokens) else stop
        if tokens[last].text in closing:
            marks |= {first - 1, last}
    return marks


def _distributed(text: str, tokens: Sequence[Token], spans: dict[int, tuple[int, Item]], names: Lexicon) -> None:
    """ "Bourbon and Linn counties", "two counties: Bourbon and Linn": each name takes the singular of their noun."""
    for k, token in enumerate(tokens):
        word = forms(token.lower)
        if k in spans or not word.plural or not word.noun:
            continue
        upper = token.text[:1].isupper()  # "Bourbon and Linn Counties", and no name that ends in such a word
        if upper and any(first < k < stop for first, (stop, _) in spans.items()):
            continue
        listed = not upper and k + 1 < len(tokens) and tokens[k + 1].text == ":"
        parts = _listed(tokens, k + 2) if listed else _conjuncts(tokens, k, spans)
        if len(parts) < 2 or (upper and k + 1 < len(tokens) and _capital(tokens, k + 1)):
            continue
        noun = word.noun.title()
        known = [names.candidates(" ".join(t.text for t in tokens[a:b]) + " " + noun) for a, b in parts]
        if not all(known):
            continue
        for (a, b), candidates in zip(parts, known, strict=True):
            for x in [x for x in spans if a <= x < b]:
                del spans[x]
            stop = k + 1 if b == k else b
            start, end = tokens[a].start, tokens[stop - 1].end
            spans[a] = (stop, item_of(text, start, end, entity=Mention(start, end, text[start:end], candidates)))


def _listed(tokens: Sequence[Token], first: int) -> list[tuple[int, int]]:
    """The capitalised names of the list that begins with token ``first``, in order."""
    out: list[tuple[int, int]] = []
    at = first
    while at < len(tokens):
        start = at
        while at < len(tokens) and _capital(tokens, at):
            at += 1
        if at == start:
            break
        out.append((start, at))
        gap = at
        while gap < len(tokens) and (tokens[gap].text in (",", "&") or tokens[gap].lower in ("and", "the")):
            gap += 1
        if gap == at:
            break
        at = gap
    return out


def _conjuncts(tokens: Sequence[Token], k: int, spans: dict[int, tuple[int, Item]]) -> list[tuple[int, int]]:
    """The capitalised names of the list that ends right before token ``k``, in order."""
    out: list[tuple[int, int]] = []
    end = k
    while end > 0:
        start = end
        while start > 0 and _capital(tokens, start - 1):
            start -= 1
        if start == end:
            break
        out.append((start, end))
        gap = start
        while gap > 0 and (tokens[gap - 1].text in (",", "&") or tokens[gap - 1].lower in ("and", "the", "or")):
            gap -= 1
        if gap == start or all(tokens[x].lower == "the" for x in range(gap, start)):
            break
        end = gap
    return out[::-1]


def unknown_name(tokens: Sequence[Token], i: int, spans: dict[int, tuple[int, Item]]) -> int:
    """Where a run of capitalised words that the graph does not know ends; ``i`` when there is none."""
    if not _capital(tokens, i):
        return i
    stop = i + 1
    while stop < len(tokens) and stop not in spans:
        if _capital(tokens, stop):
            stop += 1
            continue
        if tokens[stop].text == "." and len(tokens[stop - 1].text) == 1 and _initial(tokens, stop + 1):
            stop += 2
            continue
        gap = stop
        while (
            gap < len(tokens)
            and gap - stop < 2
            and (tokens[gap].lower in _JOINERS - {"and"} or tokens[gap].text in "-’'")
        ):
            gap += 1
        if gap > stop and gap < len(tokens) and gap not in spans and _capital(tokens, gap):
            stop = gap + 1
            continue
        break
    first = i == 0 or tokens[i - 1].text in '.!?:"“(' or tokens[i - 1].text == "\n"
    word = forms(tokens[i].lower)
    if (
        first
        and stop == i + 1
        and (word.closed or word.noun or word.verb or word.adv or word.adj)
        and _known(tokens[i].lower)
    ):
        return i
    return stop


def _known(lower: str) -> bool:
    from imprimatur.language import wordnet

    return is_closed(lower) or wordnet.is_known(lower) or bool(forms(lower).verb)


def _initial(tokens: Sequence[Token], i: int) -> bool:
    """Whether what follows an initial and its stop goes on with the name ("C. I. Lewis")."""
    return i < len(tokens) and tokens[i].text[:1].isupper() and tokens[i].start - tokens[i - 1].end <= 1


def _capital(tokens: Sequence[Token], i: int) -> bool:
    if i >= len(tokens):
        return False
    token = tokens[i]
    if token.kind is not TokenKind.WORD or not token.text[:1].isupper():
        return False
    first = i == 0 or tokens[i - 1].text in '.!?:"“('
    return not (is_closed(token.lower) and (first or token.lower in ("i", "the", "a")))
