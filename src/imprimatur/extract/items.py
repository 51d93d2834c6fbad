"""Items: the words of a segment with names, quantities and dates folded in."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter

from imprimatur.claim import Mention
from imprimatur.extract.kind_words import with_kind_words
from imprimatur.extract.syntax import Item
from imprimatur.extract.words import forms, is_closed
from imprimatur.language import dates, quantities, rounding
from imprimatur.language.dates import FoundDate, FoundInterval
from imprimatur.language.tokens import Token, TokenKind, tokenise
from imprimatur.protocols import Lexicon
from imprimatur.values import DateValue, Quantity

__all__ = ["items_of"]


_JOINERS = frozenset("of the de la del van von der den al el bin ibn di da du le and".split())
#: Verbs that are a bound, with the copula that they stand for: "the length of S exceeds 5 km" says it is over 5 km.
_BOUNDING = {"exceeds": "is", "surpasses": "is", "exceeded": "was", "surpassed": "was"}
_QUOTES = {"“": "”", '"': '"', "„": "“”", "«": "»", "‘": "’", "'": "'’", "「": "」", "『": "』"}
_START, _END = attrgetter("start"), attrgetter("end")
_MARKUP = frozenset("* _ ` # ~ | >".split())


def items_of(text: str, names: Lexicon, *, offset: int = 0, locale: str = "en") -> tuple[Item, ...]:
    """The items of ``text``; spans are shifted by ``offset`` so that they point into the whole answer."""
    tokens = [t for t in tokenise(text) if t.text not in _MARKUP]
    if not tokens:
        return ()
    spans: dict[int, tuple[int, Item]] = {}
    _quantities(text, tokens, spans, locale)
    found, intervals = dates.read(text, locale=locale)
    _dates(text, tokens, spans, found)
    _intervals(text, tokens, spans, intervals)
    _names(text, tokens, spans, names)
    _distributed(text, tokens, spans, names)
    quotes = _quoted(tokens, spans)
    out: list[Item] = []
    i = 0
    while i < len(tokens):
        if i in quotes:
            i += 1
            continue
        if i in spans:
            stop, item = spans[i]
            out.append(item)
            i = stop
            continue
        token = tokens[i]
        stop = _unknown_name(tokens, i, spans)
        if stop > i:
            start, end = token.start, tokens[stop - 1].end
            out.append(_item(text, start, end, name=Mention(start, end, text[start:end])))
            i = stop
            continue
        out.append(
            Item(
                token.start,
                token.end,
                token.text,
                token.lower,
                forms=forms(token.lower) if token.kind is TokenKind.WORD else forms(""),
                punct=token.kind in (TokenKind.PUNCT, TokenKind.SYMBOL),
            )
        )
        i += 1
    read = with_kind_words(_excepted(_concluded(_compared(out))), names)
    return tuple(_shift(item, offset) for item in read)


def _excepted(items: list[Item]) -> list[Item]:
    """ "But for A": what is said holds except for A, so "but" joins nothing here."""
    for n, item in enumerate(items[:-1]):
        if item.lower == "but" and items[n + 1].lower == "for":
            items[n] = item._replace(lower="except", forms=forms("except"))
    return items


def _concluded(items: list[Item]) -> list[Item]:
    """ ", so it …": where a clause follows, "so" joins clauses as "yet" does; elsewhere it is no conjunction."""
    for n, item in enumerate(items[1:-1], 1):
        if item.lower != "so" or items[n - 1].lower != ",":
            continue
        after = items[n + 1]
        subject = after.entity or after.name or after.forms.closed & {"pron", "poss"} or after.lower == "the"
        told = any(i.forms.verb_forms & {"s", "past", "base"} for i in items[n + 2 :])
        if told and subject and after.lower != "that":
            items[n] = item._replace(lower="yet", forms=forms("yet"))
    return items


def _compared(items: list[Item]) -> list[Item]:
    """ "12 m longer than": a comparative before "than" is no noun, and the number before it is a difference."""
    for n, item in enumerate(items):
        if n and items[n - 1].quantity is not None and _comparative(item):
            items[n] = item._replace(forms=item.forms._replace(adj=item.lower))  # "5 m longer" is not "5 m long"
    for n, item in enumerate(items[:-1]):
        if not item.lower.endswith("er") or item.entity is not None or item.name is not None:
            continue
        if items[n + 1].lower == "than" or items[n + 1].lower.startswith("than "):
            f = item.forms
            items[n] = item._replace(forms=f._replace(noun="", verb="", verb_forms=frozenset()))
            if n and items[n - 1].quantity is not None and items[n + 1].quantity is None:
                items[n - 1] = items[n - 1]._replace(quantity=None, difference=items[n - 1].quantity)
    return items


def _comparative(item: Item) -> bool:
    """Whether a word is the comparative of an adjective by its form."""
    adj = item.forms.adj
    return bool(adj) and adj != item.lower and item.lower.endswith("er") and item.entity is None and item.name is None


def _item(
    text: str,
    start: int,
    end: int,
    *,
    entity: Mention | None = None,
    quantity: Quantity | None = None,
    date: DateValue | None = None,
    name: Mention | None = None,
) -> Item:
    raw = text[start:end]
    word = forms(raw.lower()) if raw.isalpha() else forms("")
    return Item(start, end, raw, raw.lower(), forms=word, entity=entity, quantity=quantity, date=date, name=name)


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
        item = _item(text, start, found.end, quantity=found.quantity)
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
        spans[cover[0]] = (cover[1], _item(text, found.start, found.end, quantity=quantity, date=found.value))


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
        item = _item(text, found.start, found.end, date=found.first)
        spans[cover[0]] = (cover[1], item._replace(interval=(found.first, found.last)))


def _bracketed(tokens: Sequence[Token], cover: tuple[int, int]) -> bool:
    before, after = cover[0] - 1, cover[1]
    return before >= 0 and after < len(tokens) and tokens[before].text == "(" and tokens[after].text == ")"


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
        item = _item(
            text,
            start,
            end,
            quantity=twin.quantity if twin else None,
            date=twin.date if twin else None,
            **({"entity": mention} if found.candidates else {"name": mention}),
        )
        spans[found.first] = (found.stop, item)


def _quoted(tokens: Sequence[Token], spans: dict[int, tuple[int, Item]]) -> set[int]:
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
        if k in spans or token.text[:1].isupper():
            continue
        word = forms(token.lower)
        if not word.plural or not word.noun:
            continue
        listed = k + 1 < len(tokens) and tokens[k + 1].text == ":"
        parts = _listed(tokens, k + 2) if listed else _conjuncts(tokens, k, spans)
        if len(parts) < 2:
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
            spans[a] = (stop, _item(text, start, end, entity=Mention(start, end, text[start:end], candidates)))


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


def _unknown_name(tokens: Sequence[Token], i: int, spans: dict[int, tuple[int, Item]]) -> int:
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


def _shift(item: Item, offset: int) -> Item:
    if not offset:
        return item

    def moved(m: Mention | None) -> Mention | None:
        return replace(m, start=m.start + offset, end=m.end + offset) if m else None

    return item._replace(
        start=item.start + offset,
        end=item.end + offset,
        entity=moved(item.entity),
        name=moved(item.name),
        spans=tuple((a + offset, b + offset) for a, b in item.spans),
    )
