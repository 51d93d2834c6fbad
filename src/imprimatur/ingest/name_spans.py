"""Words of a text that look like names: runs of capitalised words, codes, titles in quotation marks.

Contract: ``name_spans`` gives stretches of tokens, in order, not overlapping. What it gives is only how a name is
written; that a thing of that name exists, nobody has said. A word that is capitalised because a sentence begins with it
is no name, unless no dictionary has it or the text writes it so elsewhere. Work is linear in the tokens.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Protocol

from imprimatur._expressions import expression
from imprimatur.extract.words import forms, is_closed
from imprimatur.language import closed_class, wordnet
from imprimatur.language.tokens import Token, TokenKind, tokenise

__all__ = ["is_place", "name_spans", "recurring"]

Span = tuple[int, int]

#: Small words that stand within names ("Battle of Hastings", "Ludwig van Beethoven").
_WITHIN = frozenset(
    "of the de del della la las los le les da das do dos du di van von der den ter zu zum y e et".split()
)
_OPENING = frozenset('.!?:;"“”„«(')
_QUOTES = {"“": "”", '"': '"', "„": "“", "«": "»"}
_LONGEST_TITLE = 12
_LONGEST_QUALIFIER = 4
_MOST_PLACES = 4
_CALENDAR = frozenset(
    "january february march april may june july august september october november december "
    "monday tuesday wednesday thursday friday saturday sunday".split()
)
_NUMERALS = 4
_LETTERS = expression(r"(?:[A-Z]\.)+[A-Z]\.?")
#: Short for a word that leads a name.
_SHORT = frozenset("st ste mt ft dr mr mrs ms prof gen col capt sgt lt rev hon".split())
#: Classes of words that lead a name and are none.
_LEADING = ("focus", "quantifier", "negator", "near_negator", "contrast", "hypothetical", "hedge")


def name_spans(tokens: Sequence[Token], taken: Collection[int], seen: Collection[str], words: Words) -> list[Span]:
    """The stretches of tokens that are written like names.

    Args:
        taken: tokens that belong to something known.
        seen: words in small letters that the text writes with a capital within its sentences (``recurring``).
        words: what relations and classes are called.
    """
    out: list[Span] = []
    at = 0
    while at < len(tokens):
        stop = at if at in taken else _title(tokens, at, taken) or _code(tokens, at) or _run(tokens, at, taken, seen)
        if stop > at:
            quoted = tokens[at].text in _QUOTES
            out.append((at + 1, stop - 1) if quoted else (_unrelated(tokens, at, stop, words), stop))
        at = max(stop, at + 1)
    return _with_places(tokens, [_with_class(tokens, span, taken, words) for span in out])


class Words(Protocol):
    """What relations and classes are called."""

    def relates(self, words: str) -> bool:
        """Whether some words name a relation: before "of" they are no part of a name."""
        ...

    def names_class(self, noun: str) -> bool:
        """Whether a word in small letters is what a class is called."""
        ...


def recurring(texts: Sequence[str]) -> frozenset[str]:
    """The words, in small letters, that some sentences have with a capital where none begins."""
    found: set[str] = set()
    for text in texts:
        tokens = tokenise(text)
        found |= {t.lower for k, t in enumerate(tokens) if _capital(t) and not _first(tokens, k)}
    return frozenset(found)


def _run(tokens: Sequence[Token], at: int, taken: Collection[int], seen: Collection[str]) -> int:
    """Where the run of capitalised words from a token on ends; ``at`` where none begins."""
    numbered = _numbered(tokens, at)
    begin = at + 1 if numbered else at
    if (
        begin >= len(tokens)
        or (not numbered and _opener(tokens, at))
        or not (_capital(tokens[begin]) or _initial(tokens, begin))
        or _dated(tokens, begin)
    ):
        return at
    stop = begin + 1
    while stop < len(tokens) and stop not in taken:
        further = _further(tokens, stop, taken)
        if further == stop:
            break
        stop = further
    if not numbered and stop == at + 1 and _plain(tokens, at, seen):
        return at
    if stop - at > 2 and _described(tokens[at : at + 1]) and not wordnet.noun_kind(tokens[stop - 1].lower):
        return at  # "American Elliot See": the name begins behind it
    if at and tokens[at - 1].lower in ("the", "a", "an") and _described(tokens[at:stop]):
        return at
    return _qualified(tokens, stop, taken)


def _described(tokens: Sequence[Token]) -> bool:
    """Whether words behind an article say what somebody is, and are no name: "the President", "the American"."""
    last = forms(tokens[-1].lower)
    if len(tokens) == 1 and wordnet.senses(tokens[0].lower, "a") and tokens[0].text[1:].islower():
        return wordnet.noun_kind(tokens[0].lower) == "noun.person"
    common = all(t.text[1:].islower() and wordnet.is_known(t.lower) for t in tokens)
    role = wordnet.noun_kind(last.noun or "") == "noun.person" and bool(wordnet.derived(last.noun or "", "n"))
    return common and role and last.noun == tokens[-1].lower  # a god or a scholar of that name has nothing derived


def _with_class(tokens: Sequence[Token], span: Span, taken: Collection[int], words: Words) -> Span:
    """A name with the noun of a class behind it, in small letters, where no article opens it ("Agra airport")."""
    first, stop = span
    if stop >= len(tokens) or stop in taken or (first and tokens[first - 1].lower in ("the", "a", "an")):
        return span
    noun, after = tokens[stop], tokens[stop + 1] if stop + 1 < len(tokens) else None
    ends = after is None or after.kind is not TokenKind.WORD or is_closed(after.lower) or not forms(after.lower).noun
    kind = noun.text.islower() and forms(noun.lower).noun == noun.lower and words.names_class(noun.lower)
    return (first, stop + 1) if kind and ends else span


def _code(tokens: Sequence[Token], at: int) -> int:
    """Where a code of digits and slashes ends ("11/29", "05L/23R"), that is no fraction and no date; 0 for none."""
    parts = tokens[at : at + 4]
    if len(parts) < 3 or parts[1].text != "/" or any(a.end != b.start for a, b in pairwise(parts[:3])):
        return 0
    ends = len(parts) == 3 or parts[3].text != "/" or parts[3].start != parts[2].end
    coded = all(len(p.text) > 1 and p.text[:1].isdigit() for p in (parts[0], parts[2]))
    return at + 3 if coded and ends else 0


def _unrelated(tokens: Sequence[Token], at: int, stop: int, words: Words) -> int:
    """Where a name begins that may have words of a relation before it ("ICAO Location Identifier of …").

    A single noun may be part of the name ("Battle of Hastings"), unless it is one of persons that opens the sentence.
    """
    for n in range(stop - 2, at, -1):
        if tokens[n].lower != "of" or not words.relates(" ".join(t.text for t in tokens[at:n])):
            continue
        opens = at == 0 or (at == 1 and tokens[0].lower == "the")
        if n > at + 1 or (opens and wordnet.noun_kind(tokens[at].lower) == "noun.person"):
            return n + 2 if tokens[n + 1].lower == "the" else n + 1
    return at


def _further(tokens: Sequence[Token], stop: int, taken: Collection[int]) -> int:
    """Where a name that reaches up to a token goes on to; ``stop`` where it ends there."""
    token, before = tokens[stop], tokens[stop - 1]
    near = token.start == before.end
    if (_capital(token) or _initial(tokens, stop) or _middle(tokens, stop)) and not _dated(tokens, stop):
        return stop + 1
    if token.kind is TokenKind.NUMBER and (near or _bare(tokens, stop)):
        return stop + 1
    short = token.text == "." and (len(before.text) == 1 or before.lower in _SHORT) and stop + 1 < len(tokens)
    if short and (_capital(tokens[stop + 1]) or _initial(tokens, stop + 1)):
        return stop + 1
    if token.text == ":" and near and _titled(tokens, stop):
        return stop + 2
    if token.text in "-–./&'’" and stop + 1 < len(tokens) and stop + 1 not in taken:
        after = tokens[stop + 1]
        glued = near and after.start == token.end
        if glued and after.text.islower() and forms(after.lower).verb_forms & {"pp", "ing"}:
            return stop  # "New York-born"
        if token.text == "&" and _full(tokens, stop):
            return stop  # "Johnny Colt & Charlie Colin" are two
        if token.text == "&" or (glued and token.text in "-–'’" and (after.text[:1].isalnum())):
            return stop + 2 if token.text != "&" or _capital(after) else stop
    gap = stop + 1 if _of_a_body(tokens, stop) else stop
    while gap < len(tokens) and gap - stop < 2 and tokens[gap].lower in _WITHIN and tokens[gap].text.islower():
        gap += 1
    if gap > stop and gap < len(tokens) and gap not in taken and _capital(tokens[gap]) and not _dated(tokens, gap):
        return gap + 1
    return stop


def _of_a_body(tokens: Sequence[Token], stop: int) -> bool:
    """Whether "for" or "at" goes on with the name of a body ("Council for Technical Education")."""
    if tokens[stop].text not in ("for", "at"):
        return False
    return any(
        t.text[:1].isupper() and wordnet.noun_kind(t.lower) == "noun.group" for t in tokens[max(0, stop - 3) : stop]
    )


def _titled(tokens: Sequence[Token], at: int) -> bool:
    """Whether a colon stands within a title of several words ("Bootleg Series Volume 1: The Quine Tapes")."""
    before, after = tokens[max(0, at - 3) : at], tokens[at + 1 : at + 3]
    led = len(before) == 3 and all(_capital(t) or t.kind is TokenKind.NUMBER for t in before)
    return led and len(after) == 2 and all(t.text[:1].isupper() for t in after)


def _full(tokens: Sequence[Token], at: int) -> bool:
    """Whether two capitalised words stand on either side of a token."""
    sides = (tokens[max(0, at - 2) : at], tokens[at + 1 : at + 3])
    return all(len(side) == 2 and all(_capital(t) and len(t.text) > 1 for t in side) for side in sides)


def _qualified(tokens: Sequence[Token], stop: int, taken: Collection[int]) -> int:
    """Where a name ends with the qualifier in brackets behind it ("Ardmore Airport (New Zealand)")."""
    if stop >= len(tokens) or tokens[stop].text != "(":
        return stop
    for end in range(stop + 2, min(stop + 2 + _LONGEST_QUALIFIER, len(tokens))):
        if tokens[end].text == ")":
            inner = tokens[stop + 1 : end]
            return end + 1 if all(_capital(t) and not _dated(inner, k) for k, t in enumerate(inner)) else stop
        if end in taken:
            return stop
    return stop


def _title(tokens: Sequence[Token], at: int, taken: Collection[int]) -> int:
    """Where a title in quotation marks ends, its closing mark included; 0 where there is none."""
    closing = _QUOTES.get(tokens[at].text)
    if closing is None or at + 2 >= len(tokens) or not tokens[at + 1].text[:1].isupper():
        return 0
    for end in range(at + 2, min(at + 2 + _LONGEST_TITLE, len(tokens))):
        if tokens[end].text == closing:
            words = [t for t in tokens[at + 1 : end] if t.kind is TokenKind.WORD]
            lower = [t for t in words if t.text.islower() and not is_closed(t.lower)]
            return end + 1 if words and not lower else 0
        if end in taken:
            return 0
    return 0


def _with_places(tokens: Sequence[Token], spans: list[Span]) -> list[Span]:
    """The spans, a name with the places behind it as one ("Faversham, Kent, England"); not the members of a list."""
    out: list[Span] = []
    k = 0
    while k < len(spans):
        first, stop = spans[k]
        last = k
        if (end := _enumerated(tokens, spans, k)) > k:
            out.append((first, spans[end][1]))
            k = end + 1
            continue
        while last + 1 < len(spans) and last - k < _MOST_PLACES and _placed(tokens, spans[last], spans[last + 1]):
            last += 1
        lettered = last > k and _lettered(tokens, spans[k + 1])
        if lettered and _listed(tokens, spans[k], spans[last][1]):
            last = k + 1  # "Berlin, London and Washington, D.C."
        if last > k and (lettered or not _listed(tokens, spans[k], spans[last][1])):
            stop = spans[last][1]
        else:
            last = k
        out.append((first, stop))
        k = last + 1
    return out


def _enumerated(tokens: Sequence[Token], spans: list[Span], k: int) -> int:
    """The span with which a name with "of" ends that goes on as a list ("Secretary of Health, Education and Welfare").

    ``k`` where it does not.
    """
    if not any(t.lower == "of" for t in tokens[slice(*spans[k])]):
        return k
    for last in range(k + 1, len(spans)):
        between = [t.lower for t in tokens[spans[last - 1][1] : spans[last][0]]]
        if between in (["and"], [",", "and"]):
            return last if last > k + 1 else k
        if between != [","]:
            return k
    return k


def _placed(tokens: Sequence[Token], span: Span, after: Span) -> bool:
    """Whether the second name is a place that only says where the first one is."""
    if after[0] != span[1] + 1 or tokens[span[1]].text != ",":
        return False
    return _lettered(tokens, after) or is_place(" ".join(t.lower for t in tokens[slice(*after)]))


def _lettered(tokens: Sequence[Token], span: Span) -> bool:
    """Whether a name is letters with full stops ("D.C.")."""
    return _LETTERS.fullmatch("".join(t.text for t in tokens[slice(*span)])) is not None


def _listed(tokens: Sequence[Token], first: Span, stop: int) -> bool:
    """Whether names between commas are a list: "and" or "or" and a name go before or follow."""
    after = stop + 1 if stop < len(tokens) and tokens[stop].text == "," else stop
    joined = after + 1 < len(tokens) and tokens[after].lower in ("and", "or", "&")
    if joined:
        rest = after + 2 if tokens[after + 1].lower == "the" else after + 1
        return rest < len(tokens) and _capital(tokens[rest])
    return first[0] > 0 and tokens[first[0] - 1].lower in ("and", "or", "between")


@lru_cache(maxsize=8192)
def is_place(name: str) -> bool:
    """Whether a name in small letters is one of a place: so the dictionary or its noun says ("Dona Ana County")."""
    if wordnet.noun_kind(name) == "noun.location":
        return True
    last = name.partition(" of ")[0].rpartition(" ")[2]
    return (
        " " in name
        and len(last) > 3
        and not wordnet.hypernyms(last, "n", depth=2).isdisjoint(("district", "administrative district"))
    )


def _opener(tokens: Sequence[Token], k: int) -> bool:
    """Whether a word has its capital from the sentence that it opens, and is no part of a name ("Only the Rhine")."""
    lower = tokens[k].lower
    if not _first(tokens, k) or not tokens[k].text[1:].islower():
        return False
    word = forms(lower)
    alone = bool(word.adv) and not (word.noun or word.verb or word.adj)
    closed = closed_class.is_function_word(lower) or any(lower in closed_class.words(n) for n in _LEADING)
    return alone or closed or lower == "let"


def _finite(token: Token) -> bool:
    """Whether a token may be a finite verb."""
    word = forms(token.lower)
    return bool(word.closed & {"aux", "modal"} or word.verb_forms & {"s", "past"}) and token.text.islower()


def _middle(tokens: Sequence[Token], k: int) -> bool:
    """Whether a token is an initial without its full stop between the words of a name ("Abraham A Ribicoff")."""
    if tokens[k].text not in ("A", "I") or not 0 < k < len(tokens) - 1:
        return False
    before, after = tokens[k - 1], tokens[k + 1]
    named = all(t.text[:1].isupper() and t.text[1:].islower() and not is_closed(t.lower) for t in (before, after))
    return named and before.kind is after.kind is TokenKind.WORD


def _capital(token: Token) -> bool:
    """Whether a token is a word that begins with a capital, or a code with one in it, and no function word."""
    text = token.text
    if token.kind not in (TokenKind.WORD, TokenKind.NUMBER) or not any(c.isupper() for c in text):
        return False
    if not text[:1].isupper():
        return text[:1].isdigit() and len(text) > 1
    return not is_closed(token.lower) or (text.isupper() and len(text) > 1 and token.lower not in ("a", "i"))


def _initial(tokens: Sequence[Token], k: int) -> bool:
    """Whether a token is an initial before its full stop and a further name ("A. Ribicoff")."""
    text = tokens[k].text
    stopped = len(text) == 1 and text.isupper() and k + 2 < len(tokens) and tokens[k + 1].text == "."
    return stopped and (_capital(tokens[k + 2]) or _initial(tokens, k + 2))


def _bare(tokens: Sequence[Token], k: int) -> bool:
    """Whether a number behind a name belongs to it: a short one that counts or measures nothing ("Apollo 11")."""
    text = tokens[k].text
    following = tokens[k + 1] if k + 1 < len(tokens) else None
    ends = following is None or following.kind is TokenKind.PUNCT or is_closed(following.lower)
    ends = ends or (following is not None and _finite(following) and not forms(following.lower).noun)
    return text.isdigit() and len(text) <= _NUMERALS and ends


def _numbered(tokens: Sequence[Token], at: int) -> bool:
    """Whether a number opens a name ("1101 Clematis"): a bare one before a capitalised word that is no common noun."""
    token = tokens[at]
    if token.kind is not TokenKind.NUMBER or not token.text.isdigit() or at + 1 >= len(tokens):
        return False
    after = tokens[at + 1]
    return _capital(after) and after.lower not in _CALENDAR and len(token.text) > 2 and after.text[:1].isupper()


def _dated(tokens: Sequence[Token], k: int) -> bool:
    """Whether a token is a month or day of the week beside a number, or one that is no other word."""
    lower = tokens[k].lower
    if lower not in _CALENDAR:
        return False
    near = [tokens[n] for n in (k - 1, k + 1) if 0 <= n < len(tokens)]
    return lower not in ("march", "may", "august") or any(t.kind is TokenKind.NUMBER for t in near)


def _first(tokens: Sequence[Token], k: int) -> bool:
    return k == 0 or tokens[k - 1].text in _OPENING


def _plain(tokens: Sequence[Token], k: int, seen: Collection[str]) -> bool:
    """Whether a capitalised word may be no name: one that opens a sentence, or an adjective before its noun."""
    token = tokens[k]
    word = forms(token.lower)
    after = tokens[k + 1] if k + 1 < len(tokens) else None
    if word.adj and wordnet.senses(token.lower, "a") and after is not None and after.text.islower():
        noun = forms(after.lower)
        if noun.noun and not noun.closed:
            return True
    if not _first(tokens, k) or token.lower in seen or not token.text[1:].islower():
        return False
    if word.noun and not word.plural and not word.closed and not word.verb and after is not None and _finite(after):
        return False  # a bare noun that does something is a name, or as good as one ("Poaceae belongs to …")
    common = wordnet.noun_kind(word.noun or token.lower) not in (None, "noun.location") or word.verb or word.adv
    return bool(word.closed or common or (word.adj and wordnet.senses(token.lower, "a")))
