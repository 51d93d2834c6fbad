"""Names as written that are not whole, not one name, or nobody's: no fact is made of them.

Contract: looks at the words of a name and right beside it, never at what is said. "The Institute" is nobody's
name, "American Elliot See" says what somebody is and then his name, "Swords Dublin" may be two places without their
comma, "the Adisham hall" is no Adisham. It errs on the side of silence: a name in which this happens to be right is
left out.
"""

from __future__ import annotations

from functools import lru_cache

from imprimatur._expressions import expression
from imprimatur.extract.words import forms, is_closed
from imprimatur.ingest.idle_words import origin, unreal
from imprimatur.language import wordnet
from imprimatur.sources.graph.vocabulary import is_person_noun

__all__ = ["ill_named"]

_ARTICLE = expression(r"\b(?:[Tt]he|[Aa]n?|[Ii]ts|[Tt]heir|[Hh]is|[Hh]er|[Tt]his|[Tt]hat)\s+\Z")
_CUT = expression(r"(?:\b[Aa]n? |[\w-]-|\w)\Z")
_LEADING = expression(r"(?<![.!?:] )(?<![\w-])([A-Z][\w’']*) \Z")
_MORE = expression(r"\s+[A-Z]")
_NOUN = expression(r"\s+([a-z]+)\b")
_ABBREVIATED = expression(r"(?:[A-Z]\.){2,}\s+\S")
_COMMA = expression(r",\s*\Z")
#: What bodies and buildings are, whose names may end with their place; and what ends names of places.
_OF_PLACES = frozenset(("organization", "institution", "structure", "building"))
_SETTLEMENTS = frozenset(("administrative district", "municipality", "urban area", "country", "island"))
_SETTLED = frozenset(("body of water", "administrative district", "municipality", "geological formation"))
#: Words before a name that go with it.
_TITLES = frozenset(
    "president king queen prince princess lady lord sir dame saint pope doctor professor general admiral colonel "
    "captain major lieutenant sergeant senator governor judge justice chancellor duke duchess count countess earl "
    "baron emperor empress sultan bishop archbishop cardinal father sister brother mother rabbi sheikh shah tsar "
    "secretary minister mayor".split()
)
_BODIES = ("noun.group", "noun.artifact", "noun.person", "noun.act", "noun.communication", "noun.event", "noun.object")
#: Kinds of persons that are so for what they do or hold.
_ADHERENTS = frozenset("politician adherent disciple rightist leftist entertainer athlete scientist creator".split())
_PARTS = frozenset(f"noun.{each}" for each in "relation quantity attribute shape body cognition".split())
_SAID = ("noun.group", "noun.artifact", "noun.act")
#: What places are, beside their names.
_KINDS_OF_PLACES = frozenset(
    "county township district province state region city town village island territory republic kingdom department "
    "prefecture parish borough municipality area valley mountain park".split()
)
_THINGS = ("noun.artifact", "noun.location")
_LED = 3
#: Words that open names of places and of what is called after them.
_OPENING = frozenset(
    "new north south east west northern southern eastern western central upper lower great greater "
    "old san santa saint st port fort mount lake air hotel radio".split()
)


def ill_named(name: str, before: str, after: str) -> bool:
    """Whether a name, with what stands before and behind it, is not one name of one thing."""
    article = _ARTICLE.search(before[-8:]) is not None
    led = _LEADING.search(before)
    more = led is not None and not is_closed(led[1].lower()) and led[1].lower() not in _TITLES
    whole = led is not None and origin(led[1]) and name.split()[0][1:].islower()
    if ((_CUT.search(before) or more) and not whole) or _MORE.match(after):
        return True  # "A T Charlie Johnson", "A-Rosa Luna", "Berliner AK 07": more of it stands beside
    if article and (noun := _NOUN.match(after[:40])) is not None and not is_closed(noun[1]):
        word = forms(noun[1])
        if word.noun == noun[1] and not word.verb_forms & {"s", "past"} and wordnet.noun_kind(noun[1]) in _THINGS:
            return True
    if _ABBREVIATED.match(name) and _COMMA.search(before[-3:]):
        return True  # "Washington, D.C. Asian Americans …"
    words = tuple(name.partition(",")[0].partition("(")[0].split())
    return bool(words) and (_nobody(words, article) or _led(words) or _run_together(words) or _parted(words))


@lru_cache(maxsize=8192)
def _parted(words: tuple[str, ...]) -> bool:
    """Whether a name is of a part or a picture ("Part of the Elm Bridge"), or two with an article between them."""
    if "the" in words[1:-2] and words[words.index("the") - 1][:1].isupper():
        return True  # "Today the Elm Bridge"
    head = words[0].lower()
    if len(words) < _LED or words[1] != "of":
        return False
    several = forms(head).plural and wordnet.noun_kind(head) is None  # "Tributaries of the Ure include …"
    return several or wordnet.noun_kind(forms(head).noun or head) in _PARTS or unreal(head)


@lru_cache(maxsize=8192)
def _nobody(words: tuple[str, ...], article: bool) -> bool:
    """Whether a single common noun stands for a name: "the Institute", "Manager"."""
    lower = words[0].lower()
    if len(words) != 1 or not words[0][1:].islower():
        return False
    if forms(lower).noun != lower:
        plural = forms(lower).plural and bool(forms(lower).noun) and wordnet.noun_kind(lower) is None
        return plural and wordnet.noun_kind(forms(lower).noun or "") != "noun.location"
    if is_person_noun(lower):
        return _said_of_many(lower)
    return article and wordnet.noun_kind(lower) in _SAID


@lru_cache(maxsize=8192)
def _said_of_many(noun: str) -> bool:
    """Whether a noun of persons is said of many, for what they do or to whom they adhere; "Abraham" is not."""
    does = any(pos == "v" for _, pos in wordnet.derived(noun, "n"))
    return does or not wordnet.hypernyms(noun, "n", depth=2, max_senses=1).isdisjoint(_ADHERENTS)


@lru_cache(maxsize=8192)
def _led(words: tuple[str, ...]) -> bool:
    """Whether a name begins with what somebody is: "Democrat Allan Shivers", "American Elliot See"."""
    first, last = words[0].lower(), words[-1].lower()
    if len(words) < _LED or not words[0][1:].islower() or first in _TITLES:
        return False
    if not (origin(words[0]) or unreal(first) or (is_person_noun(first) and _said_of_many(first))):
        return False
    return forms(last).noun != last or wordnet.noun_kind(last) not in _BODIES


@lru_cache(maxsize=8192)
def _run_together(words: tuple[str, ...]) -> bool:
    """Whether a name may be two without a comma: "La Crosse Wisconsin", "Saranac Lake Harrietstown"."""
    lowers = [w.lower().strip(".") for w in words]
    if len(words) < 2 or wordnet.noun_kind(" ".join(lowers)) is not None or any(is_closed(w) for w in lowers[:-1]):
        return False
    for cut in range(1, len(lowers)):
        short = all(w.isupper() and len(w) <= _LED for w in words[cut:])  # "Washington DC"
        if _place(" ".join(lowers[cut:])) and not short and not _holds(lowers[cut - 1]):
            return True
    last = forms(lowers[-1]).noun
    ends = bool(last) and wordnet.noun_kind(last or "") is not None
    return not ends and any(_settled(w) for w in lowers[1:-1])


@lru_cache(maxsize=8192)
def _holds(word: str) -> bool:
    """Whether the word before a place goes with it: "New York", "College Cambridge", "Air India"."""
    if word in _OPENING or wordnet.senses(word, "a"):
        return True
    return not wordnet.hypernyms(forms(word).noun or word, "n", depth=None, max_senses=2).isdisjoint(_OF_PLACES)


@lru_cache(maxsize=8192)
def _place(lower: str) -> bool:
    """Whether a name is one of a place by the dictionary."""
    above = wordnet.hypernyms(lower, "n", depth=None) if wordnet.places(lower) else frozenset[str]()
    named = lower not in _KINDS_OF_PLACES and (" " in lower or not forms(lower).verb)
    return named and not above.isdisjoint(_SETTLEMENTS)


@lru_cache(maxsize=8192)
def _settled(lower: str) -> bool:
    """Whether a noun ends names of places: a lake, a city, a county."""
    return not wordnet.hypernyms(lower, "n", depth=None, max_senses=1).isdisjoint(_SETTLED)
